//! A grant as it stands at a moment.

use std::fmt;
use std::time::Duration;

use super::error::Refusal;
use super::request::Mode;
use super::request::PlanSummary;
use super::request::REQUEST_LIFETIME;
use crate::id::ActorId;
use crate::id::GrantId;
use crate::id::PlanDigest;
use crate::mask::Note;
use crate::time::Moment;
use crate::units::Bytes;

/// A grant, read from the store at one moment.
#[derive(Clone, Debug)]
pub struct Grant {
    /// Its id.
    pub id: GrantId,
    /// Who asked and may use it.
    pub requester: ActorId,
    /// Why.
    pub reason: Note,
    /// The ticket or incident.
    pub ticket: Option<Note>,
    /// What exactly was agreed to.
    pub plan: PlanDigest,
    /// The same for a reader.
    pub summary: PlanSummary,
    /// Bytes that may be served.
    pub bytes: Bytes,
    /// Bytes debited: served, held by running calls, or lost with killed ones.
    pub used: Bytes,
    /// Of those, bytes in leases that were not settled.
    pub leased: Bytes,
    /// Its lifetime from its beginning.
    pub lifetime: Duration,
    /// How many must approve.
    pub approvers: u8,
    /// How it begins.
    pub mode: Mode,
    /// What was decided, in order.
    pub approvals: Vec<Approval>,
    /// When it was asked for.
    pub requested: Moment,
    /// When it began.
    pub started: Option<Moment>,
    /// How it stands.
    pub state: State,
    /// When it was read: what the state and the time left are true for.
    pub read: Moment,
}

/// A decision about a grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approval {
    /// Whose.
    pub actor: ActorId,
    /// Which: `approve`, `deny`, `revoke` or `review`.
    pub decision: Decision,
    /// When, on the wall clock, since 1970.
    pub wall: Duration,
}

/// What somebody decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It may go on.
    Approve,
    /// It may not.
    Deny,
    /// It ends now.
    Revoke,
    /// A broken glass was looked at.
    Review,
}

/// How a grant stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It waits for approvals.
    Requested,
    /// It can be used.
    Approved,
    /// Somebody said no.
    Denied,
    /// Somebody ended it.
    Revoked,
    /// Its time is over.
    Expired,
    /// Its time ended with a reboot.
    Rebooted,
    /// All its bytes were served or lost.
    UsedUp,
}

/// What is stored of a state; the rest follows from time and bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Pending,
    Approved,
    Denied,
    Revoked,
}

/// The part of a row that says how a grant stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub(super) verdict: Verdict,
    pub(super) bytes: Bytes,
    pub(super) used: Bytes,
    pub(super) leased: Bytes,
    pub(super) lifetime: Duration,
    pub(super) requested: Moment,
    pub(super) started: Option<Moment>,
}

impl Standing {
    /// How the grant stands at a moment.
    pub(super) fn state(&self, now: &Moment) -> State {
        let (begun, lasts) = match (self.verdict, self.started) {
            (Verdict::Denied, _) => return State::Denied,
            (Verdict::Revoked, _) => return State::Revoked,
            (Verdict::Approved, Some(started)) => (started, self.lifetime),
            // The schema rules out an approved grant without a beginning.
            (Verdict::Approved, None) => return State::Expired,
            (Verdict::Pending, _) => (self.requested, REQUEST_LIFETIME),
        };
        match now.since(&begun) {
            None => State::Rebooted,
            Some(gone) if gone >= lasts => State::Expired,
            Some(_) if self.verdict == Verdict::Pending => State::Requested,
            Some(_) if self.used >= self.bytes && self.leased == Bytes::new(0) => State::UsedUp,
            Some(_) => State::Approved,
        }
    }

    /// Time until it ends; none when it has ended or not begun.
    pub(super) fn left(&self, now: &Moment) -> Option<Duration> {
        let gone = now.since(self.started.as_ref()?)?;
        self.lifetime.checked_sub(gone).filter(|left| !left.is_zero())
    }
}

impl Grant {
    /// Time until it ends; none when it has ended or not begun.
    pub fn time_left(&self) -> Option<Duration> {
        let gone = self.read.since(self.started.as_ref()?)?;
        self.lifetime.checked_sub(gone).filter(|left| !left.is_zero())
    }

    /// Bytes that were not debited yet.
    pub fn bytes_left(&self) -> Bytes {
        Bytes::new(self.bytes.get().saturating_sub(self.used.get()))
    }

    /// How many have approved it.
    pub fn approved_by(&self) -> u8 {
        let count = self.approvals.iter().filter(|made| made.decision == Decision::Approve).count();
        u8::try_from(count).unwrap_or(u8::MAX)
    }

    /// True when the glass was broken and nobody has looked at it yet.
    pub fn needs_review(&self) -> bool {
        self.mode == Mode::BreakGlass
            && self.approvals.iter().all(|made| made.decision != Decision::Review)
    }

    /// Why it cannot be used as it stands; none when it can.
    pub fn refusal(&self) -> Option<Refusal> {
        match self.state {
            State::Approved => None,
            State::Requested => {
                let (approvals, needed) = (self.approved_by(), self.approvers);
                Some(Refusal::NotApproved { approvals, needed })
            }
            State::Denied => Some(Refusal::Denied),
            State::Revoked => Some(Refusal::Revoked),
            State::Expired => Some(Refusal::Expired),
            State::Rebooted => Some(Refusal::Rebooted),
            State::UsedUp => {
                Some(Refusal::UsedUp { left: self.bytes_left(), asked: Bytes::new(1) })
            }
        }
    }
}

impl Decision {
    /// Its word in the store.
    pub(super) fn word(self) -> &'static str {
        match self {
            Decision::Approve => "approve",
            Decision::Deny => "deny",
            Decision::Revoke => "revoke",
            Decision::Review => "review",
        }
    }

    pub(super) fn read(word: &str) -> Option<Decision> {
        [Decision::Approve, Decision::Deny, Decision::Revoke, Decision::Review]
            .into_iter()
            .find(|decision| decision.word() == word)
    }
}

impl Verdict {
    pub(super) fn word(self) -> &'static str {
        match self {
            Verdict::Pending => "pending",
            Verdict::Approved => "approved",
            Verdict::Denied => "denied",
            Verdict::Revoked => "revoked",
        }
    }

    pub(super) fn read(word: &str) -> Option<Verdict> {
        [Verdict::Pending, Verdict::Approved, Verdict::Denied, Verdict::Revoked]
            .into_iter()
            .find(|verdict| verdict.word() == word)
    }
}

impl Mode {
    pub(super) fn word(self) -> &'static str {
        match self {
            Mode::Approved => "approved",
            Mode::BreakGlass => "break-glass",
        }
    }

    pub(super) fn read(word: &str) -> Option<Mode> {
        [Mode::Approved, Mode::BreakGlass].into_iter().find(|mode| mode.word() == word)
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            State::Requested => "requested",
            State::Approved => "approved",
            State::Denied => "denied",
            State::Revoked => "revoked",
            State::Expired => "expired",
            State::Rebooted => "rebooted",
            State::UsedUp => "used up",
        })
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Decision::Approve => "approved",
            Decision::Deny => "denied",
            Decision::Revoke => "revoked",
            Decision::Review => "reviewed",
        })
    }
}
