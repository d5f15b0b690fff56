//! A span of time.

use std::fmt;

use super::timestamp::Timestamp;
use super::zone::Zone;

/// From a moment up to another, which is not part of it: at least a nanosecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeRange {
    from: Timestamp,
    to: Timestamp,
}

/// A range would end at or before its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmptyRange {
    /// Where it would begin.
    pub from: Timestamp,
    /// Where it would end.
    pub to: Timestamp,
}

impl TimeRange {
    /// All of time.
    pub const ALL: TimeRange = TimeRange { from: Timestamp::MIN, to: Timestamp::MAX };

    /// The moments from `from` up to, without, `to`.
    ///
    /// # Errors
    ///
    /// [`EmptyRange`] when there is none.
    pub fn new(from: Timestamp, to: Timestamp) -> Result<TimeRange, EmptyRange> {
        if from < to { Ok(TimeRange { from, to }) } else { Err(EmptyRange { from, to }) }
    }

    /// The first moment.
    pub fn from(self) -> Timestamp {
        self.from
    }

    /// The first moment that is not part of it.
    pub fn to(self) -> Timestamp {
        self.to
    }

    /// True when the moment is part of it.
    pub fn contains(self, moment: Timestamp) -> bool {
        self.from <= moment && moment < self.to
    }

    /// The range as seen in `zone`.
    pub fn in_zone(self, zone: Zone) -> impl fmt::Display {
        Shown { range: self, zone }
    }
}

struct Shown {
    range: TimeRange,
    zone: Zone,
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TimeRange { from, to } = self.range;
        let zone = self.zone;
        match (from == Timestamp::MIN, to == Timestamp::MAX) {
            (true, true) => f.write_str("all of time"),
            (true, false) => write!(f, "up to {}", to.in_zone(zone)),
            (false, true) => write!(f, "from {} on", from.in_zone(zone)),
            (false, false) => write!(f, "{} to {}", from.in_zone(zone), to.in_zone(zone)),
        }
    }
}

impl fmt::Display for EmptyRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EmptyRange { from, to } = self;
        write!(f, "the range ends at {to}, which is not after its beginning {from}")
    }
}

impl std::error::Error for EmptyRange {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_not_part_of_a_range() {
        let at = Timestamp::from_nanoseconds;
        let range = TimeRange::new(at(1), at(3)).unwrap();
        let inside: Vec<bool> = (0..4).map(|moment| range.contains(at(moment))).collect();
        assert_eq!(inside, [false, true, true, false]);
        assert!(TimeRange::new(at(3), at(3)).is_err());
    }
}
