//! The zone in which a wall shows its time.

use std::fmt;
use std::str::FromStr;

/// Farthest that a zone is from UTC: 18 hours, as ISO 8601 programs allow.
const OFFSET_SECONDS_MAX: i64 = 18 * 3600;

/// A fixed distance from UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Zone(i32);

/// A text that is not a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseZoneError;

impl Zone {
    /// Coordinated universal time.
    pub const UTC: Zone = Zone(0);

    /// So many seconds east of UTC; none beyond 18 hours.
    pub fn from_offset_seconds(seconds: i64) -> Option<Zone> {
        let inside = seconds.abs() <= OFFSET_SECONDS_MAX;
        i32::try_from(seconds).ok().filter(|_| inside).map(Zone)
    }

    /// Seconds east of UTC.
    pub fn offset_seconds(self) -> i64 {
        i64::from(self.0)
    }
}

impl FromStr for Zone {
    type Err = ParseZoneError;

    /// Reads `UTC`, `Z`, `+02:00`, `-0530`.
    fn from_str(text: &str) -> Result<Zone, ParseZoneError> {
        if matches!(text, "UTC" | "utc" | "Z" | "z") {
            return Ok(Zone::UTC);
        }
        let (sign, digits) = match text.as_bytes() {
            [b'+', rest @ ..] => (1, rest),
            [b'-', rest @ ..] => (-1, rest),
            _ => return Err(ParseZoneError),
        };
        let (&[a, b, c, d] | &[a, b, b':', c, d]) = digits else { return Err(ParseZoneError) };
        if ![a, b, c, d].iter().all(u8::is_ascii_digit) {
            return Err(ParseZoneError);
        }
        let pair = |tens: u8, ones: u8| i64::from(tens - b'0') * 10 + i64::from(ones - b'0');
        let (hours, minutes) = (pair(a, b), pair(c, d));
        let zone = Zone::from_offset_seconds(sign * (hours * 3600 + minutes * 60));
        zone.filter(|_| minutes < 60).ok_or(ParseZoneError)
    }
}

impl fmt::Display for Zone {
    /// `UTC`, or as in `+02:00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Zone::UTC {
            return f.write_str("UTC");
        }
        let minutes = self.0.unsigned_abs() / 60;
        let sign = if self.0 < 0 { '-' } else { '+' };
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

impl fmt::Display for ParseZoneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a zone is UTC or a distance from it, as in +02:00")
    }
}

impl std::error::Error for ParseZoneError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_prints() {
        for text in ["UTC", "+02:00", "-05:30", "+18:00"] {
            assert_eq!(text.parse::<Zone>().unwrap().to_string(), text);
        }
        assert_eq!("-0530".parse::<Zone>(), "-05:30".parse());
        for text in ["", "+2", "02:00", "+25:00", "+02:60", "CET", "+0a:00"] {
            assert_eq!(text.parse::<Zone>(), Err(ParseZoneError), "{text}");
        }
    }
}
