//! What is asked for, and the limits of asking.

use std::time::Duration;

use serde::Deserialize;
use serde::Serialize;

use crate::id::ActorId;
use crate::id::PlanDigest;
use crate::mask::Note;
use crate::units::Bytes;

/// Shortest lifetime that a plan gets: somebody has to notice the approval and begin.
pub const LIFETIME_MIN: Duration = Duration::from_mins(30);
/// Longest lifetime: an incident's shift half. What takes longer is asked for again.
pub const LIFETIME_MAX: Duration = Duration::from_hours(4);
/// A grant lives this many times its plan's worst-case time: waiting and a second try.
const LIFETIME_WORST_TIMES: u32 = 2;
/// Longest lifetime of a broken glass: enough to look, too short to work with.
pub const BREAK_GLASS_LIFETIME_MAX: Duration = Duration::from_mins(30);
/// A request nobody has decided about ends after a working day.
pub const REQUEST_LIFETIME: Duration = Duration::from_hours(8);
/// Most approvals that a profile can ask for; more people than that are not awake.
pub const APPROVERS_MAX: u8 = 5;

/// A request for a grant.
#[derive(Clone, Debug)]
pub struct Request {
    /// Who will use it.
    pub requester: ActorId,
    /// Why, masked.
    pub reason: Note,
    /// The ticket or incident, masked.
    pub ticket: Option<Note>,
    /// What exactly is agreed to.
    pub plan: PlanDigest,
    /// The same for the approver's eyes.
    pub summary: PlanSummary,
    /// Bytes that may be served.
    pub bytes: Bytes,
    /// A lifetime shorter than the plan would get.
    pub lifetime: Option<Duration>,
    /// How many people must approve, 1 to [`APPROVERS_MAX`].
    pub approvers: u8,
    /// How it begins.
    pub mode: Mode,
}

/// How a grant begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// When others have approved.
    Approved,
    /// At once, and somebody else reviews it afterwards.
    BreakGlass,
}

/// A plan as the approver sees it: masked text and numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanSummary {
    /// The source's name.
    pub source: Note,
    /// Selector and match text, as they will be applied.
    pub selector: Option<Note>,
    /// First moment of the range, in time since 1970 UTC; none where it is open.
    #[serde(rename = "from_s", with = "seconds")]
    pub from: Option<Duration>,
    /// One past the last moment.
    #[serde(rename = "to_s", with = "seconds")]
    pub to: Option<Duration>,
    /// Pieces of work.
    pub granules: u64,
    /// Bytes that will be read and charged.
    #[serde(with = "plain_bytes")]
    pub bytes: Bytes,
    /// Time by the calibrated rates.
    #[serde(rename = "predicted_ms", with = "milliseconds")]
    pub predicted: Duration,
    /// Time if everything is as slow as the slowest text.
    #[serde(rename = "worst_ms", with = "milliseconds")]
    pub worst: Duration,
    /// The profile's name.
    pub profile: Note,
}

/// The lifetime of a grant for a plan whose worst-case time is `worst`:
/// max([`LIFETIME_MIN`], 2 × worst), at most [`LIFETIME_MAX`].
pub fn lifetime(worst: Duration) -> Duration {
    worst.saturating_mul(LIFETIME_WORST_TIMES).clamp(LIFETIME_MIN, LIFETIME_MAX)
}

impl Request {
    /// How long the grant will live from its beginning.
    pub fn granted_lifetime(&self) -> Duration {
        let most = match self.mode {
            Mode::Approved => lifetime(self.summary.worst),
            Mode::BreakGlass => lifetime(self.summary.worst).min(BREAK_GLASS_LIFETIME_MAX),
        };
        self.lifetime.map_or(most, |asked| asked.min(most))
    }
}

mod seconds {
    use std::time::Duration;

    use serde::Deserialize;
    use serde::Deserializer;
    use serde::Serialize;
    use serde::Serializer;

    pub(super) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(|time| time.as_secs()).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(from)?.map(Duration::from_secs))
    }
}

mod milliseconds {
    use std::time::Duration;

    use serde::Deserialize;
    use serde::Deserializer;
    use serde::Serialize;
    use serde::Serializer;

    pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        u64::try_from(time.as_millis()).unwrap_or(u64::MAX).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        Ok(Duration::from_millis(u64::deserialize(from)?))
    }
}

mod plain_bytes {
    use serde::Deserialize;
    use serde::Deserializer;
    use serde::Serialize;
    use serde::Serializer;

    use crate::units::Bytes;

    pub(super) fn serialize<S: Serializer>(bytes: &Bytes, to: S) -> Result<S::Ok, S::Error> {
        bytes.get().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Bytes, D::Error> {
        Ok(Bytes::new(u64::deserialize(from)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bounds of the lifetime. Shown to bite by a minimum of 20 minutes.
    #[test]
    fn a_lifetime_is_twice_the_worst_case_within_its_bounds() {
        for (worst_minutes, minutes) in
            [(0, 30), (15, 30), (20, 40), (72, 144), (120, 240), (9_999, 240)]
        {
            let worst = Duration::from_mins(worst_minutes);
            assert_eq!(lifetime(worst), Duration::from_mins(minutes), "{worst_minutes}");
        }
    }
}
