//! What an entry says: ids, numbers, words of this file, and notes that were masked.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::id::GrantId;
use crate::id::PlanDigest;
use crate::id::SourceId;
use crate::mask::Note;

/// What is about to be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "action", rename_all = "kebab-case")]
pub enum Action {
    /// Records are about to be served.
    Scan {
        /// Of which source.
        source: SourceId,
        /// By which plan.
        plan: PlanDigest,
        /// Under which grant; none where the profile asks for none.
        grant: Option<GrantId>,
        /// Under which profile.
        profile: Note,
        /// Selector and match text.
        selector: Option<Note>,
        /// Bytes admitted.
        bytes_max: u64,
    },
    /// A grant is about to be made, decided about or looked at.
    Grant {
        /// How.
        how: GrantAction,
        /// Which; none before it has an id.
        grant: Option<GrantId>,
        /// For which plan; none where the grant tells.
        plan: Option<PlanDigest>,
        /// The reason given.
        reason: Option<Note>,
    },
}

/// What is done with a grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GrantAction {
    /// Somebody asks for it.
    Request,
    /// Somebody takes it without waiting for an approval.
    BreakGlass,
    /// Somebody approves.
    Approve,
    /// Somebody says no.
    Deny,
    /// Somebody ends it.
    Revoke,
    /// Somebody has looked at a broken glass.
    Review,
    /// Its requester chooses it for their calls.
    Use,
}

/// How it went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    /// All of it was done.
    Done {
        /// What was served.
        #[serde(flatten)]
        counts: Counts,
        /// The grant that came of it.
        grant: Option<GrantId>,
    },
    /// A part of it was done.
    Incomplete {
        /// What was served.
        #[serde(flatten)]
        counts: Counts,
        /// Why it stopped.
        reason: Stop,
    },
    /// Nothing was done: it is not allowed.
    Refused,
    /// Nothing or a part was done: something failed.
    Failed {
        /// What was served.
        #[serde(flatten)]
        counts: Counts,
    },
}

/// Why something stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// Its time was over.
    Deadline,
    /// Its bytes were used up.
    Budget,
    /// The grant ended or was revoked.
    Grant,
    /// The user stopped it.
    User,
    /// The source changed or could not be read.
    Source,
    /// Records are missing or could not be masked.
    Records,
}

/// What was served, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Bytes read and charged.
    pub bytes: u64,
    /// Records served.
    pub records: u64,
    /// Records withheld.
    pub withheld: u64,
    /// Values masked, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub masked: BTreeMap<Kind, u64>,
}

/// The kind of a masked value, as its markers begin.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Kind(String);

impl Kind {
    /// A kind by its name; none for what is no name: upper-case letters, digits, `_`, at most 32.
    pub fn new(name: &str) -> Option<Kind> {
        let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        let named = (1..=32).contains(&name.len()) && name.bytes().all(fits);
        named.then(|| Kind(name.to_owned()))
    }
}
