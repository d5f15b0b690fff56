//! Processor time a byte, and how many processors there are.

use std::fmt;
use std::time::Duration;

use crate::units::Bytes;

/// Processor time for a byte, in picoseconds: a gibibyte a second is about 931 of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(u64);

/// Processors that may be used, in thousandths: a quota may allow one and a half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cores(u64);

impl Rate {
    /// Before anything has been measured: 5 µs a byte, the slowest corpus on the slowest machine that
    /// was ever measured.
    pub const UNMEASURED: Rate = Rate(5_000_000);

    /// So many picoseconds a byte; at least one.
    pub fn picoseconds(picoseconds: u64) -> Rate {
        Rate(picoseconds.max(1))
    }

    /// What `bytes` took; none for no byte.
    pub fn of(bytes: Bytes, cpu: Duration) -> Option<Rate> {
        let picoseconds = cpu.as_nanos().saturating_mul(1_000);
        let each = picoseconds.checked_div(u128::from(bytes.get()))?;
        Some(Rate::picoseconds(u64::try_from(each).unwrap_or(u64::MAX)))
    }

    /// The number.
    pub fn get(self) -> u64 {
        self.0
    }

    /// Processor time for `bytes`.
    pub fn cpu(self, bytes: Bytes) -> Duration {
        let nanoseconds = u128::from(self.0) * u128::from(bytes.get()) / 1_000;
        Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
    }

    /// True when `other` lies within `percent` of this rate.
    pub fn is_within(self, percent: u64, other: Rate) -> bool {
        let off = u128::from(self.0.abs_diff(other.0)) * 100;
        off < u128::from(self.0) * u128::from(percent)
    }
}

impl Cores {
    /// So many thousandths; at least one.
    pub fn thousandths(thousandths: u64) -> Cores {
        Cores(thousandths.max(1))
    }

    /// The number of thousandths.
    pub fn get(self) -> u64 {
        self.0
    }
}

/// How long processor time takes with `workers` threads on `cores`.
pub fn wall(cpu: Duration, workers: usize, cores: Cores) -> Duration {
    let used = u128::from(cores.0).min(workers.max(1) as u128 * 1_000);
    let nanoseconds = cpu.as_nanos().saturating_mul(1_000) / used;
    Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
}

impl fmt::Display for Rate {
    /// As speed: `712 MiB/s a core`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Hundredths of MiB/s.
        let speed = 100_000_000_000_000 / u128::from(self.0) / 1_048_576;
        if speed >= 10_000 {
            write!(f, "{} MiB/s a core", speed / 100)
        } else {
            write!(f, "{}.{:02} MiB/s a core", speed / 100, speed % 100)
        }
    }
}

impl fmt::Display for Cores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02} cores", self.0 / 1_000, self.0 % 1_000 / 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_known_times() {
        let mib = Bytes::kib(1024);
        assert_eq!(Rate::UNMEASURED.cpu(mib), Duration::from_micros(5 * 1_048_576));
        let rate = Rate::of(mib, Duration::from_millis(1)).unwrap();
        assert_eq!(rate.get(), 953);
        assert_eq!(rate.to_string(), "1000 MiB/s a core");
        assert_eq!(Rate::UNMEASURED.to_string(), "0.19 MiB/s a core");
        assert_eq!(Rate::of(Bytes::new(0), Duration::from_millis(1)), None);
        assert_eq!(
            Rate::picoseconds(u64::MAX).cpu(Bytes::new(u64::MAX)).as_nanos(),
            u128::from(u64::MAX)
        );
    }

    #[test]
    fn a_quota_makes_work_wait() {
        let second = Duration::from_secs(1);
        assert_eq!(wall(second, 2, Cores::thousandths(2_000)), Duration::from_millis(500));
        assert_eq!(wall(second, 2, Cores::thousandths(500)), Duration::from_secs(2));
        assert_eq!(wall(second, 1, Cores::thousandths(8_000)), second);
        assert_eq!(wall(second, 0, Cores::thousandths(0)), Duration::from_secs(1_000));
    }

    #[test]
    fn within_is_of_the_older_rate() {
        let rate = Rate::picoseconds(1_000);
        assert!(rate.is_within(10, Rate::picoseconds(1_099)));
        assert!(!rate.is_within(10, Rate::picoseconds(1_100)));
        assert!(!rate.is_within(10, Rate::picoseconds(900)));
    }
}
