//! A moment, and the dates of the calendar around it.

use std::fmt;
use std::time::Duration;

use super::zone::Zone;

const NANOSECONDS: i64 = 1_000_000_000;
const DAY_SECONDS: i64 = 86_400;
/// First and last year whose every moment a [`Timestamp`] can hold.
const YEARS: std::ops::RangeInclusive<i64> = 1678..=2261;

/// A moment: nanoseconds since 1970-01-01 UTC, of the years 1678 to 2261.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// A date and time of day as a wall shows it, without a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Civil {
    /// Year.
    pub year: i64,
    /// Month, from 1.
    pub month: u32,
    /// Day, from 1.
    pub day: u32,
    /// Hour, from 0.
    pub hour: u32,
    /// Minute.
    pub minute: u32,
    /// Second; 60 stands for the last one of its minute, leap seconds are not counted.
    pub second: u32,
    /// Nanosecond.
    pub nanosecond: u32,
}

impl Timestamp {
    /// The earliest moment.
    pub const MIN: Timestamp = Timestamp(i64::MIN);
    /// The latest moment.
    pub const MAX: Timestamp = Timestamp(i64::MAX);

    /// So many nanoseconds after (before, where negative) 1970-01-01 UTC.
    pub const fn from_nanoseconds(nanoseconds: i64) -> Timestamp {
        Timestamp(nanoseconds)
    }

    /// A time since 1970-01-01 UTC; the latest moment where that is too far away.
    pub fn since_1970(since: Duration) -> Timestamp {
        Timestamp(i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
    }

    /// Nanoseconds since 1970-01-01 UTC.
    pub const fn nanoseconds(self) -> i64 {
        self.0
    }

    /// The moment at which a wall in `zone` shows `civil`; none where there is no such date.
    pub fn from_civil(civil: Civil, zone: Zone) -> Option<Timestamp> {
        let Civil { year, month, day, hour, minute, second, nanosecond } = civil;
        let exists = YEARS.contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_of_month(year, month)).contains(&day)
            && hour < 24
            && minute < 60
            && second <= 60
            && nanosecond < 1_000_000_000;
        if !exists {
            return None;
        }
        let of_day = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second.min(59));
        let seconds =
            days_since_1970(year, month, day) * DAY_SECONDS + of_day - zone.offset_seconds();
        seconds.checked_mul(NANOSECONDS)?.checked_add(i64::from(nanosecond)).map(Timestamp)
    }

    /// What a wall in `zone` shows at this moment.
    pub fn civil(self, zone: Zone) -> Civil {
        let seconds = self.0.div_euclid(NANOSECONDS) + zone.offset_seconds();
        let (days, of_day) = (seconds.div_euclid(DAY_SECONDS), seconds.rem_euclid(DAY_SECONDS));
        let (year, month, day) = date_of(days);
        let small = |number: i64| u32::try_from(number).unwrap_or(0);
        Civil {
            year,
            month,
            day,
            hour: small(of_day / 3600),
            minute: small(of_day / 60 % 60),
            second: small(of_day % 60),
            nanosecond: small(self.0.rem_euclid(NANOSECONDS)),
        }
    }

    /// So much later; the latest moment where that is too far.
    pub fn saturating_add(self, by: Duration) -> Timestamp {
        Timestamp(self.0.saturating_add(nanoseconds_of(by)))
    }

    /// So much earlier; the earliest moment where that is too far.
    pub fn saturating_sub(self, by: Duration) -> Timestamp {
        Timestamp(self.0.saturating_sub(nanoseconds_of(by)))
    }

    /// How much later this is than `earlier`; zero where it is not.
    pub fn since(self, earlier: Timestamp) -> Duration {
        let nanoseconds = i128::from(self.0) - i128::from(earlier.0);
        Duration::from_nanos(u64::try_from(nanoseconds.max(0)).unwrap_or(u64::MAX))
    }

    /// The moment as RFC 3339 writes it, as seen in `zone`.
    pub fn in_zone(self, zone: Zone) -> impl fmt::Display {
        Shown { moment: self, zone }
    }
}

fn nanoseconds_of(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)
}

/// Days of a month of the Gregorian calendar.
fn days_of_month(year: i64, month: u32) -> u32 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date. Years begin in March, so that the leap day is the last.
fn days_since_1970(year: i64, month: u32, day: u32) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let shifted_month = i64::from((month + 9) % 12);
    let day_of_year = (153 * shifted_month + 2) / 5 + i64::from(day) - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Year, month and day so many days after 1970-01-01.
fn date_of(days: i64) -> (i64, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let small = |number: i64| u32::try_from(number).unwrap_or(0);
    (year_of_era + era * 400 + i64::from(month <= 2), small(month), small(day))
}

struct Shown {
    moment: Timestamp,
    zone: Zone,
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Civil { year, month, day, hour, minute, second, nanosecond } =
            self.moment.civil(self.zone);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        match nanosecond {
            0 => {}
            n if n % 1_000_000 == 0 => write!(f, ".{:03}", n / 1_000_000)?,
            n if n % 1_000 == 0 => write!(f, ".{:06}", n / 1_000)?,
            n => write!(f, ".{n:09}")?,
        }
        if self.zone == Zone::UTC { f.write_str("Z") } else { self.zone.fmt(f) }
    }
}

impl fmt::Display for Timestamp {
    /// RFC 3339, in UTC.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Shown { moment: *self, zone: Zone::UTC }.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn civil(year: i64, month: u32, day: u32, hour: u32) -> Civil {
        Civil { year, month, day, hour, minute: 0, second: 0, nanosecond: 0 }
    }

    #[test]
    fn dates_and_moments_are_inverse() {
        for (date, seconds) in [
            (civil(1970, 1, 1, 0), 0),
            (civil(1969, 12, 31, 23), -3_600),
            (civil(2000, 2, 29, 0), 951_782_400),
            (civil(2026, 11, 30, 1), 1_796_000_400),
            (civil(2100, 3, 1, 0), 4_107_542_400),
        ] {
            let moment = Timestamp::from_civil(date, Zone::UTC).unwrap();
            assert_eq!(moment.nanoseconds(), seconds * NANOSECONDS, "{date:?}");
            assert_eq!(moment.civil(Zone::UTC), date);
        }
        let east: Zone = "+02:00".parse().unwrap();
        let moment = Timestamp::from_civil(civil(2026, 12, 1, 1), east).unwrap();
        assert_eq!(moment.to_string(), "2026-11-30T23:00:00Z");
        assert_eq!(moment.in_zone(east).to_string(), "2026-12-01T01:00:00+02:00");
    }

    #[test]
    fn dates_that_are_none_are_refused() {
        for date in [civil(2026, 2, 29, 0), civil(2026, 13, 1, 0), civil(2026, 1, 1, 24)] {
            assert_eq!(Timestamp::from_civil(date, Zone::UTC), None, "{date:?}");
        }
        assert_eq!(Timestamp::from_civil(civil(1600, 1, 1, 0), Zone::UTC), None);
    }

    #[test]
    fn fractions_are_shown_in_threes() {
        for (nanoseconds, end) in [(0, "00Z"), (5_000_000, "00.005Z"), (7, "00.000000007Z")] {
            assert!(Timestamp(nanoseconds).to_string().ends_with(end), "{nanoseconds}");
        }
    }
}
