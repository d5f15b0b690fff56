//! Dates inside identity numbers, and birth dates as people write them.

use super::extract::all_digits;

/// Whether the day exists in that month of some year.
pub(super) fn fits(month: u32, day: u32) -> bool {
    is_date(2000, month, day)
}

/// Whether the day exists in that month of that year.
pub(super) fn is_date(year: u32, month: u32, day: u32) -> bool {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => 0,
    };
    (1..=last).contains(&day)
}

/// The number that two digits at a place write; a missing digit counts as zero.
pub(super) fn pair(digits: &[u8], at: usize) -> u32 {
    let digit = |at| u32::from(digits.get(at).copied().unwrap_or(0));
    digit(at) * 10 + digit(at + 1)
}

/// `YYMMDD` at a place, the month less the given shift.
pub(super) fn yymmdd(digits: &[u8], at: usize, month_shifts: &[u32]) -> bool {
    let (month, day) = (pair(digits, at + 2), pair(digits, at + 4));
    month_shifts.iter().any(|&shift| month >= shift && fits(month - shift, day))
}

/// `DDMMYY` at the start, the day less one of the given shifts.
pub(super) fn ddmmyy(digits: &[u8], day_shifts: &[u32]) -> bool {
    let (day, month) = (pair(digits, 0), pair(digits, 2));
    day_shifts.iter().any(|&shift| day >= shift && fits(month, day - shift))
}

/// `YYYYMMDD` at the start, in the years of people now alive or on file.
pub(super) fn yyyymmdd(digits: &[u8]) -> bool {
    let year = pair(digits, 0) * 100 + pair(digits, 2);
    YEARS.contains(&year) && is_date(year, pair(digits, 4), pair(digits, 6))
}

/// Birth years that occur in a log.
const YEARS: std::ops::RangeInclusive<u32> = 1880..=2049;

const MONTHS: [&[u8]; 12] = [
    b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec",
];

/// A plausible birth date: year first, day first or month first, with `-`, `/`, `.` or space, eight
/// digits alone, or the month by its English name. A time may follow.
pub(super) fn birth_date(value: &[u8]) -> bool {
    let end = value.iter().position(|byte| matches!(byte, b'T' | b't')).filter(|&at| at >= 8);
    let date = value.get(..end.unwrap_or(value.len())).unwrap_or_default();
    if let Some(digits) = all_digits::<8>(date) {
        return yyyymmdd(&digits) || day_or_month_first(&digits);
    }
    let mut parts = date
        .split(|byte| matches!(byte, b'-' | b'/' | b'.' | b' ' | b','))
        .filter(|part| !part.is_empty());
    let (Some(first), Some(second), Some(third)) = (parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    // A clock may follow the date, nothing else.
    if parts.next().is_some_and(|rest| !rest.contains(&b':')) {
        return false;
    }
    match (plain(first), plain(second), plain(third)) {
        (Some(year), Some(month), Some(day)) if first.len() == 4 => {
            YEARS.contains(&year) && is_date(year, month, day)
        }
        (Some(left), Some(right), Some(year)) => {
            in_year(third, year, |year| is_date(year, right, left) || is_date(year, left, right))
        }
        (Some(day), None, Some(year)) => named(second, day, third, year),
        (None, Some(day), Some(year)) => named(first, day, third, year),
        _ => false,
    }
}

fn day_or_month_first(digits: &[u8; 8]) -> bool {
    let year = pair(digits, 4) * 100 + pair(digits, 6);
    let (left, right) = (pair(digits, 0), pair(digits, 2));
    YEARS.contains(&year) && (is_date(year, left, right) || is_date(year, right, left))
}

fn named(name: &[u8], day: u32, year_text: &[u8], year: u32) -> bool {
    let month = (1_u32..).zip(MONTHS).find(|(_, month)| {
        name.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(month)) && name.len() <= 9
    });
    month.is_some_and(|(month, _)| in_year(year_text, year, |year| is_date(year, month, day)))
}

/// A year has four digits, or two of any century.
fn in_year(text: &[u8], year: u32, check: impl Fn(u32) -> bool) -> bool {
    match text.len() {
        4 => YEARS.contains(&year) && check(year),
        2 => check(2000 + year) || check(1900 + year),
        _ => false,
    }
}

/// One to four digits as a number.
fn plain(part: &[u8]) -> Option<u32> {
    let fits = part.len() <= 4 && part.iter().all(u8::is_ascii_digit);
    fits.then(|| part.iter().fold(0, |sum, byte| sum * 10 + u32::from(byte - b'0')))
}

#[cfg(test)]
mod tests {
    use super::birth_date;
    use super::is_date;

    #[test]
    fn calendar() {
        assert!(is_date(2000, 2, 29));
        assert!(!is_date(1900, 2, 29));
        assert!(!is_date(2001, 4, 31));
        assert!(!is_date(2001, 13, 1));
    }

    #[test]
    fn birth_dates_as_written() {
        for good in [
            "1987-04-23",
            "23/04/1987",
            "04/23/1987",
            "23.4.1987",
            "19870423",
            "23041987",
            "23 Apr 1987",
            "April 23, 1987",
            "1987-04-23T00:00:00Z",
            "1987-04-23 00:00:00",
            "23/04/87",
        ] {
            assert!(birth_date(good.as_bytes()), "{good}");
        }
        for bad in ["", "1987", "1987-13-01", "31/31/1987", "2987-04-23", "87", "1.2.3", "a-b-c"] {
            assert!(!birth_date(bad.as_bytes()), "{bad}");
        }
    }
}
