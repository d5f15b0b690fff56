//! Times as people write them.

use std::fmt;
use std::time::Duration;

use super::timestamp::Civil;
use super::timestamp::Timestamp;
use super::zone::Zone;

const DAY: Duration = Duration::from_hours(24);
/// Letters of a duration's units, and seconds of each.
const UNITS: [(char, u64); 5] =
    [('w', 7 * 86_400), ('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

/// A text that is not a time, or not a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseTimeError {
    /// None of the forms of a time.
    Time,
    /// It has the form of a date, but there is no such day or hour.
    NoSuchDate,
    /// Not a duration.
    Duration,
    /// More than 64 bits of nanoseconds hold.
    TooFar,
}

/// Reads a time: `2h` or `-2h` (ago), `now`, `today`, `yesterday 14:00`, `14:00`, `2026-11-30`,
/// `2026-11-30 14:00:05`, RFC 3339, or seconds, milliseconds, microseconds or nanoseconds since
/// 1970 by their number of digits. What names no zone of its own is meant in `zone`.
///
/// # Errors
///
/// [`ParseTimeError`] when it is none of these.
pub fn parse_time(text: &str, now: Timestamp, zone: Zone) -> Result<Timestamp, ParseTimeError> {
    let text = text.trim();
    if text == "now" {
        return Ok(now);
    }
    if let Some(digits) = text.strip_prefix('@').or(Some(text)).filter(|text| is_digits(text)) {
        return epoch(digits);
    }
    if let Ok(ago) = parse_duration(text.strip_prefix('-').unwrap_or(text)) {
        return Ok(now.saturating_sub(ago));
    }
    let (day, clock) = match text.split_once(['T', 't', ' ']) {
        Some((day, clock)) if !day.eq_ignore_ascii_case("T") => (day, Some(clock.trim())),
        _ => (text, None),
    };
    // `today` and `tomorrow` begin with a `t` themselves.
    let (day, clock) = match ["today", "yesterday"].iter().find(|word| text.starts_with(**word)) {
        Some(word) => (*word, Some(text.get(word.len()..).unwrap_or("").trim())),
        None if text.contains(':') && !text.contains('-') => ("today", Some(text)),
        None => (day, clock),
    };
    let today = now.civil(zone);
    let date = match day {
        "today" => today,
        "yesterday" => now.saturating_sub(DAY).civil(zone),
        other => date(other).ok_or(ParseTimeError::Time)?,
    };
    let (clock, zone) = clock_and_zone(clock.unwrap_or(""), zone).ok_or(ParseTimeError::Time)?;
    let (hour, minute, second, nanosecond) = time_of_day(clock).ok_or(ParseTimeError::Time)?;
    Timestamp::from_civil(Civil { hour, minute, second, nanosecond, ..date }, zone)
        .ok_or(ParseTimeError::NoSuchDate)
}

/// Reads a duration: whole numbers with `w`, `d`, `h`, `m` or `s`, as in `1h30m`.
///
/// # Errors
///
/// [`ParseTimeError`] when it is none.
pub fn parse_duration(text: &str) -> Result<Duration, ParseTimeError> {
    let mut rest = text.trim();
    let mut seconds: u64 = 0;
    let mut last = u64::MAX;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit()).ok_or(ParseTimeError::Duration)?;
        let (number, tail) = rest.split_at(end);
        let unit = tail.chars().next().ok_or(ParseTimeError::Duration)?;
        let (_, of_unit) =
            UNITS.iter().find(|(letter, _)| *letter == unit).ok_or(ParseTimeError::Duration)?;
        // From large to small: `5m2h` is more likely a slip than a wish.
        if number.is_empty() || *of_unit >= last {
            return Err(ParseTimeError::Duration);
        }
        last = *of_unit;
        let number: u64 = number.parse().map_err(|_| ParseTimeError::TooFar)?;
        let more = number.checked_mul(*of_unit).ok_or(ParseTimeError::TooFar)?;
        seconds = seconds.checked_add(more).ok_or(ParseTimeError::TooFar)?;
        rest = tail.get(unit.len_utf8()..).unwrap_or("");
    }
    let duration = Duration::from_secs(seconds);
    match (last, i64::try_from(duration.as_nanos())) {
        (u64::MAX, _) => Err(ParseTimeError::Duration),
        (_, Ok(_)) => Ok(duration),
        (_, Err(_)) => Err(ParseTimeError::TooFar),
    }
}

fn is_digits(text: &str) -> bool {
    text.len() >= 9 && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn epoch(digits: &str) -> Result<Timestamp, ParseTimeError> {
    let number: i64 = digits.parse().map_err(|_| ParseTimeError::TooFar)?;
    let scale = match digits.len() {
        ..=11 => 1_000_000_000,
        12..=14 => 1_000_000,
        15..=17 => 1_000,
        _ => 1,
    };
    number.checked_mul(scale).map(Timestamp::from_nanoseconds).ok_or(ParseTimeError::TooFar)
}

fn date(text: &str) -> Option<Civil> {
    let mut parts = text.split('-');
    let mut next = |len: usize| {
        let part = parts.next().filter(|part| part.len() == len)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u32>().ok())?
    };
    let (year, month, day) = (next(4)?, next(2)?, next(2)?);
    let none_left = parts.next().is_none();
    let midnight = Civil { year: 0, month, day, hour: 0, minute: 0, second: 0, nanosecond: 0 };
    none_left.then_some(Civil { year: i64::from(year), ..midnight })
}

/// Splits `14:00+02:00`; without a zone it is the one given.
fn clock_and_zone(text: &str, zone: Zone) -> Option<(&str, Zone)> {
    let at = text.find(['+', '-', 'Z', 'z', 'U']).unwrap_or(text.len());
    let (clock, named) = text.split_at_checked(at)?;
    match named {
        "" => Some((clock.trim(), zone)),
        named => Some((clock.trim(), named.parse().ok()?)),
    }
}

/// `14:00`, `14:00:05`, `14:00:05.123`; nothing is midnight.
fn time_of_day(text: &str) -> Option<(u32, u32, u32, u32)> {
    if text.is_empty() {
        return Some((0, 0, 0, 0));
    }
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let parts: Vec<&str> = whole.split(':').collect();
    let pair = |text: &str| {
        let fits = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        fits.then(|| text.parse::<u32>().ok())?
    };
    let (hour, minute, second) = match parts.as_slice() {
        [hour, minute] => (pair(hour)?, pair(minute)?, 0),
        [hour, minute, second] => (pair(hour)?, pair(minute)?, pair(second)?),
        _ => return None,
    };
    let fits = fraction.len() <= 9 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let nanosecond = if fraction.is_empty() {
        0
    } else {
        fits.then(|| format!("{fraction:0<9}").parse().ok())??
    };
    Some((hour, minute, second, nanosecond))
}

impl fmt::Display for ParseTimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParseTimeError::Time => {
                "a time is as in 2h (ago), today, yesterday 14:00, 2026-11-30T14:00:00Z or \
                 seconds since 1970"
            }
            ParseTimeError::NoSuchDate => "there is no such day or time of day",
            ParseTimeError::Duration => "a duration is as in 30s, 90m, 1h30m, 2d or 1w",
            ParseTimeError::TooFar => "a time lies between the years 1678 and 2261",
        })
    }
}

impl std::error::Error for ParseTimeError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, zone: &str) -> Result<String, ParseTimeError> {
        let now = Timestamp::from_nanoseconds(1_796_083_200_000_000_000); // 2026-12-01T00:00:00Z
        parse_time(text, now, zone.parse().unwrap()).map(|moment| moment.to_string())
    }

    #[test]
    fn reads_times_as_people_write_them() {
        for (text, zone, moment) in [
            ("now", "UTC", "2026-12-01T00:00:00Z"),
            ("2h", "UTC", "2026-11-30T22:00:00Z"),
            ("-3h", "UTC", "2026-11-30T21:00:00Z"),
            ("1d12h", "UTC", "2026-11-29T12:00:00Z"),
            ("today", "UTC", "2026-12-01T00:00:00Z"),
            ("today", "-01:00", "2026-11-30T01:00:00Z"),
            ("today 9:30", "UTC", "2026-12-01T09:30:00Z"),
            ("yesterday 14:00", "UTC", "2026-11-30T14:00:00Z"),
            ("yesterday 14:00", "+02:00", "2026-11-30T12:00:00Z"),
            ("14:00:05", "+02:00", "2026-12-01T12:00:05Z"),
            ("2026-11-30", "UTC", "2026-11-30T00:00:00Z"),
            ("2026-11-30 14:00", "+02:00", "2026-11-30T12:00:00Z"),
            ("2026-11-30T14:00:00.25Z", "+02:00", "2026-11-30T14:00:00.250Z"),
            ("2026-11-30T14:00:00+05:30", "UTC", "2026-11-30T08:30:00Z"),
            ("1796083200", "UTC", "2026-12-01T00:00:00Z"),
            ("@1796083200000", "UTC", "2026-12-01T00:00:00Z"),
            ("1796083200000000001", "UTC", "2026-12-01T00:00:00.000000001Z"),
        ] {
            assert_eq!(at(text, zone).as_deref(), Ok(moment), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_says_what_one_is() {
        for (text, error) in [
            ("", ParseTimeError::NoSuchDate),
            ("soon", ParseTimeError::Time),
            ("2 hours", ParseTimeError::Time),
            ("2026-02-30", ParseTimeError::NoSuchDate),
            ("2026-11-30 25:00", ParseTimeError::NoSuchDate),
            ("yesterday noon", ParseTimeError::Time),
            ("2026-11-30T14:00:00+99:00", ParseTimeError::Time),
        ] {
            if !text.is_empty() {
                assert_eq!(at(text, "UTC"), Err(error), "{text}");
            }
        }
        assert!(at("", "UTC").is_err());
        for text in ["", "h", "5", "5m2h", "2h2h", "1y", "99999999999w"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
        assert_eq!(parse_duration("1h30m"), Ok(Duration::from_mins(90)));
    }
}
