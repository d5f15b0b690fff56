//! Where time comes from, and how moments and ranges are written.
//!
//! # Promise
//! This is the only module that reads the machine's clock; everything else takes a [`Clock`], so
//! that a test can stop it.
//!
//! # Not here
//! What to do when time is up.

mod boot;
mod calendar;
mod cpu;
mod friendly;
mod range;
mod timestamp;
mod zone;

use std::fmt::Debug;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::time::Instant;

pub use boot::BootId;
pub use boot::Moment;
pub use calendar::civil_date;
pub use calendar::civil_text;
pub use calendar::since_1970;
pub use cpu::cpu_time;
pub use cpu::thread_cpu_time;
pub use friendly::ParseTimeError;
pub use friendly::parse_duration;
pub use friendly::parse_time;
pub use range::EmptyRange;
pub use range::TimeRange;
pub use timestamp::Civil;
pub use timestamp::Timestamp;
pub use zone::ParseZoneError;
pub use zone::Zone;

/// Time that only goes forward.
pub trait Clock: Debug + Sync {
    /// Time since some fixed moment in the past.
    fn elapsed(&self) -> Duration;

    /// Now, to be kept and compared by another process: boot clock and wall clock.
    fn moment(&self) -> Moment;
}

/// The machine's monotonic clock, from the moment it was made.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    start: Instant,
}

/// A clock that moves when told to.
#[derive(Debug, Default)]
pub struct ManualClock {
    nanoseconds: AtomicU64,
    wall_seconds: AtomicU64,
    boots: AtomicU64,
}

impl SystemClock {
    /// A clock that starts now.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
    pub fn start() -> SystemClock {
        SystemClock { start: Instant::now() }
    }
}

impl ManualClock {
    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        let nanoseconds = u64::try_from(by.as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// Sets the wall clock to a number of seconds since 1970 at the clock's own beginning.
    pub fn set_wall(&self, seconds: u64) {
        self.wall_seconds.store(seconds, Ordering::Relaxed);
    }

    /// Boots the machine again: time since boot begins anew under another boot id.
    pub fn reboot(&self) {
        self.boots.fetch_add(1, Ordering::Relaxed);
        self.nanoseconds.store(0, Ordering::Relaxed);
    }
}

impl Clock for SystemClock {
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn moment(&self) -> Moment {
        boot::system_moment()
    }
}

impl Clock for ManualClock {
    fn elapsed(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }

    fn moment(&self) -> Moment {
        let since_boot = self.elapsed();
        let wall = Duration::from_secs(self.wall_seconds.load(Ordering::Relaxed)) + since_boot;
        let boot = Some(BootId::new(u128::from(self.boots.load(Ordering::Relaxed))));
        Moment { boot, since_boot, wall }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_stands_still() {
        let clock = ManualClock::default();
        assert_eq!(clock.elapsed(), Duration::ZERO);
        clock.advance(Duration::from_millis(3));
        assert_eq!(clock.elapsed(), Duration::from_millis(3));
    }
}
