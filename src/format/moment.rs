//! Moments as logs write them.

use super::at;
use super::part;
use crate::time::Civil;
use crate::time::Timestamp;
use crate::time::Zone;

const SECOND: i64 = 1_000_000_000;
const MONTHS: [&[u8; 3]; 12] = [
    b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec",
];
/// How far ahead of the reference a date without a year may lie: beyond, it is of the year before.
const AHEAD: i64 = 2 * 86_400 * SECOND;

/// Reads moments of one source.
#[derive(Clone, Debug)]
pub struct Moments {
    zone: Zone,
    reference: Timestamp,
    /// The last day that was read, as a number of its digits, and the nanoseconds of its midnight
    /// in UTC.
    day: (u64, i64),
}

impl Moments {
    /// A reader for a source whose wall clocks show `zone` where they do not say so, and whose dates
    /// without a year are the last ones up to about `reference`.
    pub fn new(zone: Zone, reference: Timestamp) -> Moments {
        Moments { zone, reference, day: (u64::MAX, 0) }
    }

    /// The moment that all of `text` is, in any of the forms.
    pub fn read(&mut self, text: &[u8]) -> Option<Timestamp> {
        let (moment, len) = self.date(text).or_else(|| epoch(text))?;
        (len == text.len()).then_some(moment)
    }

    /// The date with a time of day that `text` begins with, and its length.
    #[inline]
    pub(super) fn date(&mut self, text: &[u8]) -> Option<(Timestamp, usize)> {
        match (at(text, 2), at(text, 4)) {
            (_, b'-' | b'/') => self.year_first(text),
            (b'/', _) => self.access(text),
            _ if text.first()?.is_ascii_alphabetic() => self.month_first(text),
            _ => None,
        }
    }

    /// `2026-11-30T14:00:00.123+02:00`, `2026/11/30 14:00:00`.
    pub(super) fn year_first(&mut self, text: &[u8]) -> Option<(Timestamp, usize)> {
        let head: &[u8; 19] = text.first_chunk()?;
        let [y1, y2, y3, y4, d1, m1, m2, d2, a1, a2, t, rest @ ..] = head;
        let mark = matches!(d1, b'-' | b'/') && d1 == d2 && matches!(t, b'T' | b't' | b' ' | b'_');
        if !mark {
            return None;
        }
        let [h1, h2, c1, n1, n2, c2, s1, s2] = rest;
        if (*c1, *c2) != (b':', b':') {
            return None;
        }
        let year = two(*y1, *y2)? * 100 + two(*y3, *y4)?;
        let (month, day) = (two(*m1, *m2)?, two(*a1, *a2)?);
        let seconds = of_day(two(*h1, *h2)?, two(*n1, *n2)?, two(*s1, *s2)?)?;
        let midnight = self.midnight(year, month, day)?;
        let (fraction, mut end) = fraction(text, 19);
        let offset = match at(text, end) {
            b'Z' | b'z' => {
                end += 1;
                0
            }
            b'+' | b'-' => {
                let (offset, len) = offset(part(text, end, text.len()))?;
                end += len;
                offset
            }
            b' ' if part(text, end, end + 4) == b" UTC" => {
                end += 4;
                0
            }
            b' ' if matches!(at(text, end + 1), b'+' | b'-') => {
                match offset(part(text, end + 1, text.len())) {
                    Some((offset, len)) => {
                        end += len + 1;
                        offset
                    }
                    None => self.zone.offset_seconds(),
                }
            }
            _ => self.zone.offset_seconds(),
        };
        let moment = midnight.checked_add((seconds - offset) * SECOND)?.checked_add(fraction)?;
        Some((Timestamp::from_nanoseconds(moment), end))
    }

    /// `30/Nov/2026:14:00:00 +0000`.
    pub(super) fn access(&mut self, text: &[u8]) -> Option<(Timestamp, usize)> {
        let head: &[u8; 20] = text.first_chunk()?;
        let [a1, a2, b'/', m1, m2, m3, b'/', y1, y2, y3, y4, b':', rest @ ..] = head else {
            return None;
        };
        let [h1, h2, b':', n1, n2, b':', s1, s2] = rest else { return None };
        let month = month([*m1, *m2, *m3])?;
        let year = two(*y1, *y2)? * 100 + two(*y3, *y4)?;
        let seconds = of_day(two(*h1, *h2)?, two(*n1, *n2)?, two(*s1, *s2)?)?;
        let midnight = self.midnight(year, month, two(*a1, *a2)?)?;
        let (offset, len) = match at(text, 20) {
            b' ' => offset(part(text, 21, text.len()))
                .map_or((self.zone.offset_seconds(), 20), |(offset, len)| (offset, 21 + len)),
            _ => (self.zone.offset_seconds(), 20),
        };
        let moment = midnight.checked_add((seconds - offset) * SECOND)?;
        Some((Timestamp::from_nanoseconds(moment), len))
    }

    /// `Nov 30 14:00:00`, whose year is that of the reference or the one before.
    pub(super) fn month_first(&mut self, text: &[u8]) -> Option<(Timestamp, usize)> {
        let head: &[u8; 15] = text.first_chunk()?;
        let [m1, m2, m3, b' ', a1, a2, b' ', h1, h2, b':', n1, n2, b':', s1, s2] = head else {
            return None;
        };
        let month = month([*m1, *m2, *m3])?;
        let day = two(if *a1 == b' ' { b'0' } else { *a1 }, *a2)?;
        let seconds = of_day(two(*h1, *h2)?, two(*n1, *n2)?, two(*s1, *s2)?)?;
        let (fraction, end) = fraction(text, 15);
        self.of_this_year(month, day, seconds * SECOND + fraction).map(|moment| (moment, end))
    }

    /// `1130 14:00:00.123456`, as klog has it.
    pub(super) fn digits(&mut self, text: &[u8]) -> Option<(Timestamp, usize)> {
        let head: &[u8; 13] = text.first_chunk()?;
        let [m1, m2, a1, a2, b' ', h1, h2, b':', n1, n2, b':', s1, s2] = head else { return None };
        let seconds = of_day(two(*h1, *h2)?, two(*n1, *n2)?, two(*s1, *s2)?)?;
        let (fraction, end) = fraction(text, 13);
        let (month, day) = (two(*m1, *m2)?, two(*a1, *a2)?);
        self.of_this_year(month, day, seconds * SECOND + fraction).map(|moment| (moment, end))
    }

    fn of_this_year(&mut self, month: i64, day: i64, of_day: i64) -> Option<Timestamp> {
        let year = self.reference.civil(self.zone).year;
        let shift = self.zone.offset_seconds() * SECOND;
        let limit = self.reference.nanoseconds().saturating_add(AHEAD);
        // A leap day may lie four years back.
        (0..=4).find_map(|back| {
            let midnight = self.midnight(year - back, month, day)?;
            let moment = midnight.checked_add(of_day)?.checked_sub(shift)?;
            (moment <= limit).then(|| Timestamp::from_nanoseconds(moment))
        })
    }

    /// Nanoseconds of the beginning of a day in UTC.
    #[inline]
    fn midnight(&mut self, year: i64, month: i64, day: i64) -> Option<i64> {
        let number = u64::try_from(year * 512 + month * 32 + day).ok()?;
        if self.day.0 == number {
            return Some(self.day.1);
        }
        if day > 31 {
            return None;
        }
        let civil = Civil {
            year,
            month: u32::try_from(month).ok()?,
            day: u32::try_from(day).ok()?,
            hour: 0,
            minute: 0,
            second: 0,
            nanosecond: 0,
        };
        let midnight = Timestamp::from_civil(civil, Zone::UTC)?.nanoseconds();
        self.day = (number, midnight);
        Some(midnight)
    }
}

/// Seconds, milliseconds, microseconds or nanoseconds since 1970, by the number of digits, of the
/// years 2001 to 2033; seconds may have a fraction.
pub(super) fn epoch(text: &[u8]) -> Option<(Timestamp, usize)> {
    let digits = text.iter().take(20).take_while(|byte| byte.is_ascii_digit()).count();
    let scale = match digits {
        10 => SECOND,
        13 => 1_000_000,
        16 => 1_000,
        19 => 1,
        _ => return None,
    };
    if text.first() != Some(&b'1') {
        return None;
    }
    let number = part(text, 0, digits)
        .iter()
        .fold(0_i64, |sum, digit| sum.wrapping_mul(10).wrapping_add(i64::from(digit - b'0')));
    let (fraction, end) = if digits == 10 { fraction(text, 10) } else { (0, digits) };
    let moment = number.checked_mul(scale)?.checked_add(fraction)?;
    Some((Timestamp::from_nanoseconds(moment), end))
}

#[inline]
fn two(tens: u8, ones: u8) -> Option<i64> {
    let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
    (tens < 10 && ones < 10).then(|| i64::from(tens * 10 + ones))
}

/// Seconds of a day; the 60th second of a minute is its last one.
#[inline]
fn of_day(hour: i64, minute: i64, second: i64) -> Option<i64> {
    (hour < 24 && minute < 60 && second <= 60).then(|| hour * 3600 + minute * 60 + second.min(59))
}

fn month(letters: [u8; 3]) -> Option<i64> {
    let place = MONTHS.iter().position(|name| name.eq_ignore_ascii_case(&letters))?;
    i64::try_from(place + 1).ok()
}

/// Nanoseconds of the fraction at `from`, and where it ends, at most nine digits later.
#[inline]
fn fraction(text: &[u8], from: usize) -> (i64, usize) {
    let next = at(text, from + 1);
    if !matches!(at(text, from), b'.' | b',') || !next.is_ascii_digit() {
        return (0, from);
    }
    let mut end = from + 1;
    let mut sum = 0_i64;
    let mut scale = SECOND;
    while at(text, end).is_ascii_digit() && end <= from + 9 {
        scale /= 10;
        sum += i64::from(at(text, end) - b'0') * scale;
        end += 1;
    }
    (sum, end)
}

/// Seconds east of UTC of `+02:00`, `+0200` or `+02`, and its length.
#[inline]
fn offset(text: &[u8]) -> Option<(i64, usize)> {
    let sign = match text.first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let hours = two(at(text, 1), at(text, 2))?;
    let (minutes, len) = match (at(text, 3), two(at(text, 3), at(text, 4))) {
        (b':', _) => (two(at(text, 4), at(text, 5))?, 6),
        (_, Some(minutes)) => (minutes, 5),
        (_, None) => (0, 3),
    };
    (hours <= 18 && minutes < 60).then_some((sign * (hours * 3600 + minutes * 60), len))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, zone: &str, reference: i64) -> Option<String> {
        let reference = Timestamp::from_nanoseconds(reference * SECOND);
        let mut moments = Moments::new(zone.parse().unwrap(), reference);
        moments.read(text.as_bytes()).map(|moment| moment.to_string())
    }

    #[test]
    fn moments_are_read_in_every_form() {
        let december = 1_796_083_200; // 2026-12-01T00:00:00Z
        for (text, zone, moment) in [
            ("2026-11-30T14:00:00Z", "+02:00", "2026-11-30T14:00:00Z"),
            ("2026-11-30T14:00:00.123456789Z", "UTC", "2026-11-30T14:00:00.123456789Z"),
            ("2026-11-30T14:00:00.5+02:00", "UTC", "2026-11-30T12:00:00.500Z"),
            ("2026-11-30T14:00:00-0530", "UTC", "2026-11-30T19:30:00Z"),
            ("2026-11-30T14:00:00+02", "UTC", "2026-11-30T12:00:00Z"),
            ("2026-11-30 14:00:00,123", "+02:00", "2026-11-30T12:00:00.123Z"),
            ("2026-11-30 14:00:00 UTC", "+02:00", "2026-11-30T14:00:00Z"),
            ("2026-11-30 14:00:00.1 +0100", "UTC", "2026-11-30T13:00:00.100Z"),
            ("2026/11/30 14:00:00", "UTC", "2026-11-30T14:00:00Z"),
            ("30/Nov/2026:14:00:00 +0100", "UTC", "2026-11-30T13:00:00Z"),
            ("Nov 30 14:00:00", "+02:00", "2026-11-30T12:00:00Z"),
            ("Nov  3 14:00:00.25", "UTC", "2026-11-03T14:00:00.250Z"),
            ("Dec  2 14:00:00", "UTC", "2026-12-02T14:00:00Z"),
            ("Dec 24 14:00:00", "UTC", "2025-12-24T14:00:00Z"),
            ("Feb 29 14:00:00", "UTC", "2024-02-29T14:00:00Z"),
            ("1796083200", "UTC", "2026-12-01T00:00:00Z"),
            ("1796083200.25", "UTC", "2026-12-01T00:00:00.250Z"),
            ("1796083200001", "UTC", "2026-12-01T00:00:00.001Z"),
            ("1796083200000001", "UTC", "2026-12-01T00:00:00.000001Z"),
            ("1796083200000000001", "UTC", "2026-12-01T00:00:00.000000001Z"),
            ("2026-12-31T23:59:60Z", "UTC", "2026-12-31T23:59:59Z"),
        ] {
            assert_eq!(read(text, zone, december).as_deref(), Some(moment), "{text}");
        }
    }

    #[test]
    fn what_is_no_moment_is_none() {
        for text in [
            "",
            "2026-02-30T14:00:00Z",
            "2026-13-01T14:00:00Z",
            "2026-11-30T24:00:00Z",
            "2026-11-30",
            "2026-11-30T14:00:00Z and more",
            "30/Foo/2026:14:00:00 +0100",
            "4111111111111111",
            "00:1b:44:11:3a:b7",
            "2001:10:20:30:40:50:60:70",
            "99999999999999999999",
            "1796083200000000001x",
        ] {
            assert_eq!(read(text, "UTC", 1_796_083_200), None, "{text}");
        }
    }

    /// The day is remembered, so the next one must not be taken for it.
    #[test]
    fn days_are_told_apart() {
        let mut moments = Moments::new(Zone::UTC, Timestamp::from_nanoseconds(0));
        let mut read = |text: &str| moments.read(text.as_bytes()).unwrap().to_string();
        for text in ["2026-11-30T14:00:00Z", "2026-12-30T14:00:00Z", "2027-12-30T14:00:00Z"] {
            assert_eq!(read(text), text);
        }
    }
}
