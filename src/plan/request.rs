//! A request, and the plan that it becomes.

use std::fmt;

use serde::Deserialize;
use serde::Serialize;

use super::slice::Place;
use super::slice::Slice;
use super::slice::Step;
use crate::id::PlanDigest;
use crate::source::FILES_MAX;
use crate::source::HeadKey;
use crate::time::TimeRange;
use crate::time::Timestamp;
use crate::units::Bytes;

/// The form of a plan that is written down.
const VERSION: u32 = 1;

/// Which end of the range comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The earliest record.
    OldestFirst,
    /// The latest record; a packed file can be read forward alone, so it keeps its own order.
    NewestFirst,
}

/// What is asked for, as far as it decides what is read and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The source as it was named.
    pub source: String,
    /// The source is marked as production.
    pub production: bool,
    /// First moment, in nanoseconds since 1970.
    pub from_ns: i64,
    /// One past the last moment.
    pub to_ns: i64,
    /// Which end comes first.
    pub order: Order,
    /// The format of the records; none is found out from each file.
    pub format: Option<String>,
    /// The zone of times that name none.
    pub zone: String,
    /// What trusted fields must hold.
    pub select: Option<String>,
    /// What masked records must hold.
    pub matching: Option<Matching>,
    /// The profile's name.
    pub profile: String,
    /// A digest of what the profile says.
    pub profile_digest: [u8; 32],
}

/// What a masked record must hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Matching {
    /// This text.
    Text(String),
    /// Something that this regular expression matches.
    Regex(String),
}

/// What will be read, in which order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    version: u32,
    request: Request,
    slices: Vec<Slice>,
}

/// A plan could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// It does not have the form of one.
    Form,
    /// It was written by another version of the program.
    Version {
        /// Its form.
        found: u32,
        /// The form that this program knows.
        known: u32,
    },
}

impl Request {
    /// What is selected and matched, as one text; it must be masked before it is shown.
    pub fn selector(&self) -> Option<String> {
        let matching = self.matching.as_ref().map(|matching| match matching {
            Matching::Text(text) | Matching::Regex(text) => text,
        });
        let texts: Vec<&str> = self.select.iter().chain(matching).map(String::as_str).collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    }
}

impl Plan {
    /// A plan that reads these slices in the request's order.
    pub fn new(request: Request, mut slices: Vec<Slice>) -> Plan {
        match request.order {
            Order::OldestFirst => {
                slices.sort_by(|a, b| (a.first_ns, &a.path).cmp(&(b.first_ns, &b.path)));
            }
            Order::NewestFirst => {
                slices.sort_by(|a, b| (b.first_ns, &a.path).cmp(&(a.first_ns, &b.path)));
            }
        }
        Plan { version: VERSION, request, slices }
    }

    /// What was asked for.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The range; all of time where none was asked for.
    pub fn range(&self) -> TimeRange {
        let at = Timestamp::from_nanoseconds;
        TimeRange::new(at(self.request.from_ns), at(self.request.to_ns)).unwrap_or(TimeRange::ALL)
    }

    /// What is read, in order.
    pub fn slices(&self) -> &[Slice] {
        &self.slices
    }

    /// Bytes of text that are read and charged.
    pub fn bytes(&self) -> Bytes {
        Bytes::new(self.slices.iter().map(|slice| slice.bytes().get()).fold(0, u64::saturating_add))
    }

    /// The number of granules.
    pub fn granules(&self) -> u64 {
        self.slices.iter().map(Slice::granules).fold(0, u64::saturating_add)
    }

    /// Everything that an approver agrees to, as one keyed digest: what is asked for, of which
    /// files in which state. Keyed, so that nobody can try selectors on it.
    pub fn digest(&self, key: &HeadKey) -> PlanDigest {
        PlanDigest::from_bytes(key.hash(&self.to_bytes()))
    }

    /// The plan written down. It holds the selectors as they were given: it must be sealed.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Its keys are strings and it has no number that JSON lacks, so this does not fail.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads a plan that was written down.
    ///
    /// # Errors
    ///
    /// [`PlanError`] when it is none, or one of another version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Plan, PlanError> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let found: Versioned = serde_json::from_slice(bytes).map_err(|_| PlanError::Form)?;
        if found.version != VERSION {
            return Err(PlanError::Version { found: found.version, known: VERSION });
        }
        let plan: Plan = serde_json::from_slice(bytes).map_err(|_| PlanError::Form)?;
        if plan.slices.len() > FILES_MAX { Err(PlanError::Form) } else { Ok(plan) }
    }

    /// True when a slice is read from its end to its beginning: a packed file cannot be.
    pub fn is_backward(&self, slice: u32) -> bool {
        let found = usize::try_from(slice).ok().and_then(|at| self.slices.get(at));
        found.is_some_and(|slice| slice.is_backward(self.request.order))
    }

    /// The granules from a place on.
    pub fn steps(&self, from: Place) -> impl Iterator<Item = Step> {
        let order = self.request.order;
        let slices = (0..).zip(&self.slices).skip_while(move |(at, _)| *at < from.slice);
        slices.flat_map(move |(at, slice)| {
            let first = if at == from.slice { from.granule } else { 0 };
            (first..slice.granules()).filter_map(move |granule| {
                let number = slice.number(granule, order)?;
                Some(Step { slice: at, granule, number })
            })
        })
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanError::Form => f.write_str("the plan is damaged: plan again"),
            PlanError::Version { found, known } => {
                write!(f, "the plan has form {found}, this program knows form {known}: plan again")
            }
        }
    }
}

impl std::error::Error for PlanError {}
