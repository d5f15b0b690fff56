//! How much, how long, how often and by whose leave.

use std::time::Duration;

use serde::Deserialize;

use super::ProfileError;
use super::quantity::QuantityError;
use super::quantity::count;
use super::quantity::size;
use super::quantity::time;
use crate::units::Bytes;

/// Least and most that a piece may have: below, threads wait for each other; above, the promise on
/// memory does not hold.
const PIECE_BYTES: (Bytes, Bytes) = (Bytes::kib(4), Bytes::kib(1024));
/// The most that any profile may admit, with or without an approval: what figures were taken to.
const CALL_BYTES_CEILING: Bytes = Bytes::kib(64 << 20);
/// A call that may take longer is no longer watched by the one who started it.
const CALL_TIME: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(10));
/// An approval lasts for an incident, not for a habit.
const LIFETIME: (Duration, Duration) = (Duration::from_mins(1), Duration::from_hours(24));
const APPROVERS: (u32, u32) = (1, 5);
const FACTOR: (u32, u32) = (1, 10);
const IN_FLIGHT: (u32, u32) = (1, 64);
const PER_MINUTE: (u32, u32) = (1, 6_000);
const PAGE: (u32, u32) = (1, 10_000);

/// Whether what a source holds is of production.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SourceClass {
    /// Its records are of people and systems that matter.
    Production,
    /// Of tests and trials.
    NonProduction,
}

/// How much may be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budgets {
    unapproved_bytes_max: Bytes,
    production_unapproved_bytes_max: Bytes,
    call_bytes_max: Bytes,
    call_bytes_ceiling: Bytes,
    call_time_max: Duration,
}

impl Budgets {
    pub(super) fn checked(raw: &RawBudgets) -> Result<Budgets, ProfileError> {
        let up_to = |key, text: &str, max| size(key, text, (Bytes::new(0), max));
        let call_bytes_ceiling =
            up_to("budgets.call_bytes_ceiling", &raw.call_bytes_ceiling, CALL_BYTES_CEILING)?;
        let budgets = Budgets {
            unapproved_bytes_max: up_to(
                "budgets.unapproved_bytes_max",
                &raw.unapproved_bytes_max,
                CALL_BYTES_CEILING,
            )?,
            production_unapproved_bytes_max: up_to(
                "budgets.production_unapproved_bytes_max",
                &raw.production_unapproved_bytes_max,
                CALL_BYTES_CEILING,
            )?,
            call_bytes_max: size(
                "budgets.call_bytes_max",
                &raw.call_bytes_max,
                (Bytes::kib(1024), CALL_BYTES_CEILING),
            )?,
            call_bytes_ceiling,
            call_time_max: time("budgets.call_time_max", &raw.call_time_max, CALL_TIME)?,
        };
        if budgets.call_bytes_max > budgets.call_bytes_ceiling {
            return Err(ProfileError::Order(
                "budgets.call_bytes_max",
                "budgets.call_bytes_ceiling",
            ));
        }
        Ok(budgets)
    }

    /// What may be read of a source without anybody's approval.
    pub fn unapproved_bytes_max(&self, class: SourceClass) -> Bytes {
        match class {
            SourceClass::Production => self.production_unapproved_bytes_max,
            SourceClass::NonProduction => self.unapproved_bytes_max,
        }
    }

    /// What one call admits when nothing else is asked for.
    pub fn call_bytes_max(&self) -> Bytes {
        self.call_bytes_max
    }

    /// What one call admits at most, whatever is asked for.
    pub fn call_bytes_ceiling(&self) -> Bytes {
        self.call_bytes_ceiling
    }

    /// How long one call goes on before it ends with a cursor.
    pub fn call_time_max(&self) -> Duration {
        self.call_time_max
    }
}

/// Who has to agree, and for how long that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approvals {
    approvers: u32,
    request_time_max: Duration,
    lifetime_min: Duration,
    lifetime_max: Duration,
    worst_case_factor: u32,
    break_glass: BreakGlass,
}

/// What may be read at once, without waiting for an approval, and has to be reviewed afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakGlass {
    bytes_max: Bytes,
    lifetime: Duration,
    review_time_max: Duration,
}

impl Approvals {
    pub(super) fn checked(raw: &RawApprovals) -> Result<Approvals, ProfileError> {
        let lifetime = |key, text: &str| time(key, text, LIFETIME);
        let approvals = Approvals {
            approvers: count("approvals.approvers", &raw.approvers, "people", APPROVERS).or_else(
                |error| match raw.approvers.as_str() {
                    "1 person" => Ok(1),
                    _ => Err(error),
                },
            )?,
            request_time_max: lifetime("approvals.request_time_max", &raw.request_time_max)?,
            lifetime_min: lifetime("approvals.lifetime_min", &raw.lifetime_min)?,
            lifetime_max: lifetime("approvals.lifetime_max", &raw.lifetime_max)?,
            worst_case_factor: count(
                "approvals.worst_case_factor",
                &raw.worst_case_factor,
                "times",
                FACTOR,
            )?,
            break_glass: BreakGlass {
                bytes_max: size(
                    "approvals.break_glass.bytes_max",
                    &raw.break_glass.bytes_max,
                    (Bytes::new(0), CALL_BYTES_CEILING),
                )?,
                lifetime: lifetime("approvals.break_glass.lifetime", &raw.break_glass.lifetime)?,
                review_time_max: time(
                    "approvals.break_glass.review_time_max",
                    &raw.break_glass.review_time_max,
                    (Duration::from_hours(1), Duration::from_hours(24 * 14)),
                )?,
            },
        };
        if approvals.lifetime_min > approvals.lifetime_max {
            return Err(ProfileError::Order("approvals.lifetime_min", "approvals.lifetime_max"));
        }
        Ok(approvals)
    }

    /// How many people other than the requester have to agree.
    pub fn approvers(&self) -> u32 {
        self.approvers
    }

    /// How long a request waits for an answer.
    pub fn request_time_max(&self) -> Duration {
        self.request_time_max
    }

    /// How long an approval of a plan holds that takes `worst_case` at the worst-case rate.
    pub fn lifetime(&self, worst_case: Duration) -> Duration {
        worst_case
            .checked_mul(self.worst_case_factor)
            .unwrap_or(Duration::MAX)
            .clamp(self.lifetime_min, self.lifetime_max)
    }

    /// The shortest time for which an approval holds.
    pub fn lifetime_min(&self) -> Duration {
        self.lifetime_min
    }

    /// The longest time for which an approval holds.
    pub fn lifetime_max(&self) -> Duration {
        self.lifetime_max
    }

    /// How many times its worst case a plan's approval holds.
    pub fn worst_case_factor(&self) -> u32 {
        self.worst_case_factor
    }

    /// What may be read at once.
    pub fn break_glass(&self) -> &BreakGlass {
        &self.break_glass
    }
}

impl BreakGlass {
    /// How much.
    pub fn bytes_max(&self) -> Bytes {
        self.bytes_max
    }

    /// For how long.
    pub fn lifetime(&self) -> Duration {
        self.lifetime
    }

    /// When the review is due afterwards.
    pub fn review_time_max(&self) -> Duration {
        self.review_time_max
    }
}

/// So many requests a minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestRate(u32);

impl RequestRate {
    /// Requests in any minute.
    pub fn per_minute(self) -> u32 {
        self.0
    }
}

/// How often a remote source may be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requests {
    rate: RequestRate,
    production_rate: RequestRate,
    in_flight_max: u32,
    page_records_max: u32,
}

impl Requests {
    pub(super) fn checked(raw: &RawRequests) -> Result<Requests, ProfileError> {
        let rate = |key, text: &str| count(key, text, "requests/min", PER_MINUTE).map(RequestRate);
        Ok(Requests {
            rate: rate("requests.rate", &raw.rate)?,
            production_rate: rate("requests.production_rate", &raw.production_rate)?,
            in_flight_max: count(
                "requests.in_flight_max",
                &raw.in_flight_max,
                "requests",
                IN_FLIGHT,
            )?,
            page_records_max: count(
                "requests.page_records_max",
                &raw.page_records_max,
                "records",
                PAGE,
            )?,
        })
    }

    /// How often a source of that class.
    pub fn rate(&self, class: SourceClass) -> RequestRate {
        match class {
            SourceClass::Production => self.production_rate,
            SourceClass::NonProduction => self.rate,
        }
    }

    /// How many at a time.
    pub fn in_flight_max(&self) -> u32 {
        self.in_flight_max
    }

    /// How many records one answer may have.
    pub fn page_records_max(&self) -> u32 {
        self.page_records_max
    }
}

pub(super) fn piece_bytes(raw: &RawLimits) -> Result<Bytes, QuantityError> {
    size("limits.piece_bytes", &raw.piece_bytes, PIECE_BYTES)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLimits {
    piece_bytes: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawBudgets {
    unapproved_bytes_max: String,
    production_unapproved_bytes_max: String,
    call_bytes_max: String,
    call_bytes_ceiling: String,
    call_time_max: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawApprovals {
    approvers: String,
    request_time_max: String,
    lifetime_min: String,
    lifetime_max: String,
    worst_case_factor: String,
    break_glass: RawBreakGlass,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBreakGlass {
    bytes_max: String,
    lifetime: String,
    review_time_max: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRequests {
    rate: String,
    production_rate: String,
    in_flight_max: String,
    page_records_max: String,
}
