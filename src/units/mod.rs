//! Quantities with a unit.
//!
//! # Promise
//! Arithmetic is checked, and what is printed can be read back to the same number: only IEC
//! suffixes, only whole numbers.
//!
//! # Not here
//! What is being counted, and how much of it is allowed.

use std::fmt;
use std::str::FromStr;

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(u64);

/// A text that is not a number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseBytesError {
    /// It does not begin with a whole number.
    NoNumber,
    /// What follows the number is none of `B`, `KiB`, `MiB`, `GiB`, `TiB`.
    UnknownUnit,
    /// The number of bytes does not fit in 64 bits.
    TooLarge,
}

/// Suffix and the power of two it stands for, largest first.
const UNITS: [(&str, u32); 5] = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10), ("B", 0)];

impl Bytes {
    /// So many bytes.
    pub const fn new(bytes: u64) -> Bytes {
        Bytes(bytes)
    }

    /// So many times 1,024 bytes. Meant for constants.
    ///
    /// # Panics
    ///
    /// When the product does not fit in 64 bits.
    pub const fn kib(kib: u64) -> Bytes {
        Bytes(kib.checked_mul(1024).expect("a constant that fits"))
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The number as a length in memory; the largest length where it does not fit.
    pub fn as_len(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }

    /// The sum, unless it does not fit in 64 bits.
    pub fn checked_add(self, other: Bytes) -> Option<Bytes> {
        self.0.checked_add(other.0).map(Bytes)
    }
}

impl fmt::Display for Bytes {
    /// The largest unit that divides it: `8 MiB`, `1537 B`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = |shift: u32| self.0 != 0 && self.0.trailing_zeros() >= shift;
        let (unit, shift) = UNITS.into_iter().find(|(_, shift)| exact(*shift)).unwrap_or(("B", 0));
        write!(f, "{} {unit}", self.0 >> shift)
    }
}

impl FromStr for Bytes {
    type Err = ParseBytesError;

    /// Reads a whole number and an IEC unit: `64 MiB`, `512B`. `MB` is refused: half of those who
    /// write it mean something else.
    fn from_str(text: &str) -> Result<Bytes, ParseBytesError> {
        let text = text.trim();
        let unit_at = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(unit_at);
        if number.is_empty() {
            return Err(ParseBytesError::NoNumber);
        }
        let number: u64 = number.parse().map_err(|_| ParseBytesError::TooLarge)?;
        let unit = unit.trim_start();
        let (_, shift) = UNITS
            .into_iter()
            .find(|(name, _)| *name == unit)
            .ok_or(ParseBytesError::UnknownUnit)?;
        number.checked_mul(1 << shift).map(Bytes).ok_or(ParseBytesError::TooLarge)
    }
}

impl fmt::Display for ParseBytesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParseBytesError::NoNumber => "a size starts with a whole number, as in \"64 MiB\"",
            ParseBytesError::UnknownUnit => "a size ends with B, KiB, MiB, GiB or TiB",
            ParseBytesError::TooLarge => "a size fits in 64 bits",
        })
    }
}

impl std::error::Error for ParseBytesError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_what_it_reads() {
        for text in ["0 B", "1 B", "1537 B", "1 KiB", "8 MiB", "1025 KiB", "3 TiB"] {
            assert_eq!(text.parse::<Bytes>().unwrap().to_string(), text);
        }
        assert_eq!("64MiB".parse(), Ok(Bytes::kib(64 * 1024)));
    }

    #[test]
    fn refuses_what_could_mean_two_things() {
        for (text, error) in [
            ("", ParseBytesError::NoNumber),
            ("MiB", ParseBytesError::NoNumber),
            ("-1 B", ParseBytesError::NoNumber),
            ("64", ParseBytesError::UnknownUnit),
            ("64 MB", ParseBytesError::UnknownUnit),
            ("64 mib", ParseBytesError::UnknownUnit),
            ("1.5 MiB", ParseBytesError::UnknownUnit),
            ("99999999 TiB", ParseBytesError::TooLarge),
            ("99999999999999999999 B", ParseBytesError::TooLarge),
        ] {
            assert_eq!(text.parse::<Bytes>(), Err(error), "{text}");
        }
    }
}
