//! The calendar: only for the dates that locklog itself writes.

use std::time::Duration;
use std::time::SystemTime;
use std::time::UNIX_EPOCH;

/// Time since 1970-01-01 UTC by the machine's calendar clock; zero when that is set before 1970.
#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the calendar")]
pub fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Year, month and day of a time since 1970, in UTC.
pub fn civil_date(since_1970: Duration) -> (u64, u64, u64) {
    // Days are counted from 0000-03-01, so that the leap day is the last day of its year.
    let days = since_1970.as_secs() / 86_400 + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    (year, month, day)
}

/// A time since 1970 as RFC 3339 to the second, in UTC: `2026-11-30T14:05:09Z`.
pub fn civil_text(since_1970: Duration) -> String {
    let (year, month, day) = civil_date(since_1970);
    let second = since_1970.as_secs() % 86_400;
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_known_seconds() {
        let dates = [
            (0, (1970, 1, 1)),
            (951_782_400, (2000, 2, 29)),
            (951_868_800, (2000, 3, 1)),
            (1_796_083_199, (2026, 11, 30)),
            (4_107_542_400, (2100, 3, 1)),
        ];
        for (seconds, date) in dates {
            assert_eq!(civil_date(Duration::from_secs(seconds)), date, "{seconds}");
        }
        assert_eq!(civil_text(Duration::from_secs(951_868_799)), "2000-02-29T23:59:59Z");
    }
}
