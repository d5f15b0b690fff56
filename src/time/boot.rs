//! Moments that can be compared after a sleep, and not across a reboot.

use std::fmt;
use std::fs;
use std::str::FromStr;
use std::sync::OnceLock;
use std::time::Duration;

use rustix::time::ClockId;
use rustix::time::clock_gettime;

use super::since_1970;

/// Where Linux says which run of the machine this is.
const BOOT_ID_FILE: &str = "/proc/sys/kernel/random/boot_id";

/// One run of the machine, from boot to shutdown.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BootId(u128);

/// A moment, on two clocks.
///
/// The boot clock measures: it only goes forward and counts the time that the machine slept. The
/// wall clock is for people: it may be set to anything at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The run of the machine; `None` when the system does not tell.
    pub boot: Option<BootId>,
    /// Time since boot, sleep included.
    pub since_boot: Duration,
    /// Time since 1970-01-01 UTC as the machine's calendar has it. Never measured with.
    pub wall: Duration,
}

impl Moment {
    /// Time that has gone by since `earlier`; `None` when that cannot be known: after a reboot, when
    /// the system does not tell one run from another, or when `earlier` is later.
    pub fn since(&self, earlier: &Moment) -> Option<Duration> {
        let same_run = self.boot.is_some() && self.boot == earlier.boot;
        if same_run { self.since_boot.checked_sub(earlier.since_boot) } else { None }
    }

    /// How far the wall clock was set forward (positive) or back since `earlier`, beyond the time
    /// that has gone by; `None` where that is not known.
    pub fn wall_jump_seconds(&self, earlier: &Moment) -> Option<i64> {
        let gone = i128::try_from(self.since(earlier)?.as_nanos()).ok()?;
        let wall = i128::try_from(self.wall.as_nanos()).ok()?;
        let before = i128::try_from(earlier.wall.as_nanos()).ok()?;
        i64::try_from((wall - before - gone) / 1_000_000_000).ok()
    }
}

/// What the machine says now.
pub(super) fn system_moment() -> Moment {
    static BOOT: OnceLock<Option<BootId>> = OnceLock::new();
    let boot = BOOT.get_or_init(|| {
        let text = fs::read_to_string(BOOT_ID_FILE).ok()?;
        text.trim().parse().ok()
    });
    let time = clock_gettime(ClockId::Boottime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or(0);
    Moment { boot: *boot, since_boot: Duration::new(seconds, nanoseconds), wall: since_1970() }
}

impl BootId {
    /// A run of the machine by its number.
    pub const fn new(number: u128) -> BootId {
        BootId(number)
    }
}

impl fmt::Display for BootId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for BootId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BootId({self})")
    }
}

impl FromStr for BootId {
    type Err = std::num::ParseIntError;

    /// Hexadecimal digits, with or without the dashes of a UUID.
    fn from_str(text: &str) -> Result<BootId, std::num::ParseIntError> {
        u128::from_str_radix(&text.replace('-', ""), 16).map(BootId)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(boot: Option<u128>, since_boot: u64, wall: u64) -> Moment {
        let (since_boot, wall) = (Duration::from_secs(since_boot), Duration::from_secs(wall));
        Moment { boot: boot.map(BootId), since_boot, wall }
    }

    #[test]
    fn time_goes_by_within_one_run_alone() {
        let start = moment(Some(1), 100, 5_000);
        assert_eq!(moment(Some(1), 160, 0).since(&start), Some(Duration::from_secs(60)));
        assert_eq!(moment(Some(2), 160, 5_060).since(&start), None);
        assert_eq!(moment(Some(1), 99, 5_060).since(&start), None);
        let unknown = moment(None, 100, 5_000);
        assert_eq!(moment(None, 160, 5_060).since(&unknown), None);
    }

    #[test]
    fn a_wall_clock_that_was_set_is_noticed() {
        let start = moment(Some(1), 100, 5_000);
        assert_eq!(moment(Some(1), 160, 5_060).wall_jump_seconds(&start), Some(0));
        assert_eq!(moment(Some(1), 160, 8_660).wall_jump_seconds(&start), Some(3_600));
        assert_eq!(moment(Some(1), 160, 1_460).wall_jump_seconds(&start), Some(-3_600));
    }

    #[test]
    fn the_machine_tells_its_run_and_goes_forward() {
        let (one, two) = (system_moment(), system_moment());
        assert!(two.since(&one).is_some(), "{one:?} {two:?}");
        let boot = one.boot.unwrap();
        assert_eq!(boot.to_string().parse::<BootId>().unwrap(), boot);
    }
}
