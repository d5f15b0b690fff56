//! What a trusted value has to look like.
//!
//! # Promise
//! **No form below has room for a value that a detector looks for**, but [`Check::Name`], under which
//! the detectors still mask what they find.

use crate::format::Moments;
use crate::record::Level;
use crate::time::Timestamp;
use crate::time::Zone;

/// What a trusted value has to look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// A word or number that stands for a level.
    Level,
    /// A status of HTTP, 100 to 599.
    Status,
    /// A method of HTTP.
    Method,
    /// A moment: a date with a time of day, or seconds to nanoseconds since 1970.
    Timestamp,
    /// A number, with a unit of time or without.
    Duration,
    /// A number too short for a card, a phone or an account.
    Count,
    /// `true` or `false`.
    Flag,
    /// The name of a part of a program.
    Name,
    /// HTTP and its version.
    Protocol,
}

/// Most digits of a count, and of a duration before its point: a national number of a person has
/// at least eight.
const DIGITS_MAX: usize = 7;
/// Most digits of a fraction.
const FRACTION_MAX: usize = 9;
/// Longest name of a part of a program.
const NAME_LEN_MAX: usize = 64;
/// Longest date with a time of day and a zone.
const DATE_LEN_MAX: usize = 40;
const UNITS: [&[u8]; 8] = [b"", b"s", b"ms", b"us", "µs".as_bytes(), b"ns", b"m", b"h"];
const METHODS: [&[u8]; 15] = [
    b"GET",
    b"HEAD",
    b"POST",
    b"PUT",
    b"DELETE",
    b"CONNECT",
    b"OPTIONS",
    b"TRACE",
    b"PATCH",
    b"PROPFIND",
    b"PROPPATCH",
    b"MKCOL",
    b"COPY",
    b"MOVE",
    b"REPORT",
];

impl Check {
    /// True when a value has the form, as written in the log without its quotes.
    pub fn holds(self, value: &[u8]) -> bool {
        match self {
            Check::Level => Level::read(value).is_some(),
            Check::Status => {
                matches!(value, [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9'])
            }
            Check::Method => METHODS.iter().any(|method| value.eq_ignore_ascii_case(method)),
            Check::Timestamp => is_moment(value),
            Check::Duration => is_duration(value),
            Check::Count => {
                (1..=DIGITS_MAX).contains(&value.len()) && value.iter().all(u8::is_ascii_digit)
                    || value == b"-"
            }
            Check::Flag => value == b"true" || value == b"false",
            Check::Name => is_name(value),
            Check::Protocol => matches!(
                value,
                b"HTTP/1.0" | b"HTTP/1.1" | b"HTTP/2" | b"HTTP/2.0" | b"HTTP/3" | b"HTTP/3.0"
            ),
        }
    }

    /// True when a match of a detector inside a value that has the form is a mistake. It is not
    /// where the form has room for what people invent.
    pub fn outweighs_detectors(self) -> bool {
        match self {
            Check::Level
            | Check::Status
            | Check::Method
            | Check::Timestamp
            | Check::Duration
            | Check::Count
            | Check::Flag
            | Check::Protocol => true,
            Check::Name => false,
        }
    }
}

fn is_name(value: &[u8]) -> bool {
    value.first().is_some_and(u8::is_ascii_alphabetic)
        && value.len() <= NAME_LEN_MAX
        && value
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
}

fn is_duration(value: &[u8]) -> bool {
    let whole = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = value.get(whole..).unwrap_or(&[]);
    if !(1..=DIGITS_MAX).contains(&whole) {
        return value == b"-";
    }
    let unit = match rest {
        [b'.', fraction @ ..] => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if !(1..=FRACTION_MAX).contains(&digits) {
                return false;
            }
            fraction.get(digits..).unwrap_or(&[])
        }
        rest => rest,
    };
    UNITS.contains(&unit)
}

/// What the formats read as a moment: a date with a time of day, or seconds to nanoseconds of 2001 to
/// 2033, which have 10, 13, 16 or 19 digits and begin with 1, as no card and no phone number with its
/// country does.
fn is_moment(value: &[u8]) -> bool {
    value.len() <= DATE_LEN_MAX && Moments::new(Zone::UTC, Timestamp::MAX).read(value).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_have_room_for_what_they_are_for() {
        for (check, values) in [
            (Check::Level, &["info", "WARN", "50"][..]),
            (Check::Status, &["100", "200", "599"]),
            (Check::Method, &["GET", "patch"]),
            (
                Check::Timestamp,
                &[
                    "2026-11-30T14:00:00Z",
                    "2026-11-30T14:00:00.123456789+02:00",
                    "2026-11-30 14:00:00,123",
                    "30/Nov/2026:14:00:00 +0000",
                    "Nov 30 14:00:00",
                    "1796083200",
                    "1796083200.123",
                    "1796083200000",
                    "1796083200000000000",
                ],
            ),
            (Check::Duration, &["12", "12.5", "0.000123s", "12ms", "3µs", "-"]),
            (Check::Count, &["0", "1234567", "-"]),
            (Check::Flag, &["true"]),
            (Check::Name, &["checkout", "api-gateway.v2", "A"]),
            (Check::Protocol, &["HTTP/1.1"]),
        ] {
            for value in values {
                assert!(check.holds(value.as_bytes()), "{check:?} {value}");
            }
        }
    }

    /// Shown to bite by letting a count have sixteen digits.
    #[test]
    fn forms_have_no_room_for_values() {
        let values = [
            "",
            "alice@example.com",
            "4111111111111111",
            "378282246310005",
            "078-05-1120",
            "078051120",
            "+49 151 23456789",
            "15123456789",
            "10.0.0.7",
            "192.168.100.200",
            "2001:db8:85a3::8a2e:370:7334",
            "00:1b:44:11:3a:b7",
            "DE89370400440532013000",
            "hunter2 hunter2",
            "GET /?q=alice",
            "info alice",
            "2026-11-30T14:00:00Z alice@example.com",
        ];
        for check in [
            Check::Level,
            Check::Status,
            Check::Method,
            Check::Timestamp,
            Check::Duration,
            Check::Count,
            Check::Flag,
            Check::Protocol,
        ] {
            assert!(check.outweighs_detectors());
            for value in values {
                assert!(!check.holds(value.as_bytes()), "{check:?} {value}");
            }
        }
        assert!(!Check::Name.outweighs_detectors());
    }
}
