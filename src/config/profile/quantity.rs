//! Quantities of a profile: a number, a blank and its unit.

use std::fmt;
use std::time::Duration;

use crate::units::Bytes;
use crate::units::ParseBytesError;

/// A quantity of a profile is none, or out of its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuantityError {
    /// A size is not one.
    Size(&'static str, ParseBytesError),
    /// Not a whole number and one of these units.
    Unit {
        /// The key.
        key: &'static str,
        /// What it may be written in.
        units: &'static str,
    },
    /// It is out of its range.
    Range {
        /// The key.
        key: &'static str,
        /// What it says.
        actual: String,
        /// The least it may say.
        min: String,
        /// The most it may say.
        max: String,
    },
}

/// Units of time and seconds of each.
const TIMES: [(&str, u64); 3] = [("s", 1), ("min", 60), ("h", 3600)];

/// A size from `range`, both ends included.
pub(super) fn size(
    key: &'static str,
    text: &str,
    range: (Bytes, Bytes),
) -> Result<Bytes, QuantityError> {
    let actual: Bytes = text.parse().map_err(|error| QuantityError::Size(key, error))?;
    inside(key, actual, range, |size| size.to_string())
}

/// A time from `range`, both ends included.
pub(super) fn time(
    key: &'static str,
    text: &str,
    range: (Duration, Duration),
) -> Result<Duration, QuantityError> {
    let wrong = QuantityError::Unit { key, units: "s, min, h" };
    let (number, unit) = parts(text).ok_or_else(|| wrong.clone())?;
    let (_, seconds) = TIMES.iter().find(|(name, _)| *name == unit).ok_or_else(|| wrong.clone())?;
    let actual = number.checked_mul(*seconds).map(Duration::from_secs).ok_or(wrong)?;
    inside(key, actual, range, |time| format!("{} s", time.as_secs()))
}

/// A number of things that are called `unit`, or without its last letter when there is one.
pub(super) fn count(
    key: &'static str,
    text: &str,
    unit: &'static str,
    range: (u32, u32),
) -> Result<u32, QuantityError> {
    let wrong = QuantityError::Unit { key, units: unit };
    let (number, written) = parts(text).ok_or_else(|| wrong.clone())?;
    let one = number == 1 && unit.strip_suffix('s') == Some(written);
    let actual = u32::try_from(number).ok().filter(|_| one || written == unit).ok_or(wrong)?;
    inside(key, actual, range, |count| format!("{count} {unit}"))
}

fn parts(text: &str) -> Option<(u64, &str)> {
    let (number, unit) = text.split_once(' ')?;
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| number.parse().ok().map(|number| (number, unit)))?
}

fn inside<T: PartialOrd + Copy>(
    key: &'static str,
    actual: T,
    (min, max): (T, T),
    shown: impl Fn(T) -> String,
) -> Result<T, QuantityError> {
    if min <= actual && actual <= max {
        return Ok(actual);
    }
    Err(QuantityError::Range { key, actual: shown(actual), min: shown(min), max: shown(max) })
}

impl fmt::Display for QuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QuantityError::Size(key, error) => write!(f, "{key}: {error}"),
            QuantityError::Unit { key, units } => {
                write!(f, "{key}: expected a whole number, a blank and its unit ({units})")
            }
            QuantityError::Range { key, actual, min, max } => {
                write!(f, "{key} is {actual}, not between {min} and {max}")
            }
        }
    }
}

impl std::error::Error for QuantityError {}
