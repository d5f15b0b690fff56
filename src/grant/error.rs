//! Why a grant could not be had, decided about or used.

use std::fmt;
use std::path::PathBuf;

use crate::grant::APPROVERS_MAX;
use crate::id::GrantId;
use crate::private::PrivateError;
use crate::units::Bytes;

/// An operation on grants failed.
#[derive(Debug)]
pub enum GrantError {
    /// The store's folder or file is not in order.
    Private(PrivateError),
    /// SQLite failed.
    Store(PathBuf, rusqlite::Error),
    /// The store was made by a newer locklog.
    Newer {
        /// Its schema.
        found: i64,
        /// The newest that this program knows.
        known: i64,
    },
    /// A row does not have the form that it was written in.
    Damaged(&'static str),
    /// There is no such grant.
    Missing(GrantId),
    /// A request is not one.
    Request(&'static str),
    /// Somebody has too many grants open or unreviewed.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many are allowed.
        limit: u64,
    },
    /// The system gave no randomness.
    NoRandom(getrandom::Error),
    /// The grant does not allow it.
    Refused(GrantId, Refusal),
}

/// Why a grant does not allow something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Not enough people have approved it.
    NotApproved {
        /// How many have.
        approvals: u8,
        /// How many must.
        needed: u8,
    },
    /// Somebody has denied it.
    Denied,
    /// Somebody has revoked it.
    Revoked,
    /// Its time is over.
    Expired,
    /// The machine was booted since, and time does not survive that.
    Rebooted,
    /// Not enough bytes are left.
    UsedUp {
        /// Bytes left.
        left: Bytes,
        /// Bytes asked for.
        asked: Bytes,
    },
    /// A lease does not hold so many bytes.
    LeaseShort {
        /// Bytes left in it.
        left: Bytes,
        /// Bytes asked for.
        asked: Bytes,
    },
    /// It belongs to somebody else.
    OtherActor,
    /// It is for another plan.
    OtherPlan,
    /// The requester cannot approve, deny or review it.
    OwnRequest,
    /// This person has decided already.
    DecidedAlready,
    /// There is nothing left to decide.
    Decided,
    /// Only a broken glass is reviewed.
    NothingToReview,
}

impl From<PrivateError> for GrantError {
    fn from(error: PrivateError) -> GrantError {
        GrantError::Private(error)
    }
}

impl fmt::Display for GrantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GrantError::Private(error) => write!(f, "grant store: {error}"),
            GrantError::Store(path, error) => write!(f, "grant store {}: {error}", path.display()),
            GrantError::Newer { found, known } => write!(
                f,
                "grant store has schema {found}, this program knows {known} and older: use the \
                 newer locklog"
            ),
            GrantError::Damaged(what) => write!(f, "grant store is damaged: {what}"),
            GrantError::Missing(id) => write!(f, "no grant {id}: 'locklog grant list' shows them"),
            GrantError::Request(problem) => write!(f, "grant request: {problem}"),
            GrantError::TooMany { what, limit } => write!(f, "at most {limit} {what}"),
            GrantError::NoRandom(error) => write!(f, "the system gave no randomness: {error}"),
            GrantError::Refused(id, refusal) => write!(f, "grant {id} {refusal}"),
        }
    }
}

impl std::error::Error for GrantError {}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NotApproved { approvals, needed } => {
                write!(f, "has {approvals} of {needed} approvals: 'locklog grant approve' adds one")
            }
            Refusal::Denied => f.write_str("was denied"),
            Refusal::Revoked => f.write_str("was revoked"),
            Refusal::Expired => f.write_str("has expired: request a new one"),
            Refusal::Rebooted => {
                f.write_str("has ended with a reboot of the machine: request a new one")
            }
            Refusal::UsedUp { left, asked } => {
                write!(f, "has {left} left, {asked} are needed: request a new one")
            }
            Refusal::LeaseShort { left, asked } => {
                write!(f, "has a lease with {left} left, {asked} are needed: take another lease")
            }
            Refusal::OtherActor => f.write_str("belongs to another user"),
            Refusal::OtherPlan => {
                f.write_str("is for another plan: the plan must be the one that was approved")
            }
            Refusal::OwnRequest => {
                f.write_str("is your own request: somebody else has to decide about it")
            }
            Refusal::DecidedAlready => f.write_str(
                "has your decision already: the next approval must come from somebody else",
            ),
            Refusal::Decided => f.write_str("is not waiting for a decision"),
            Refusal::NothingToReview => {
                f.write_str("was not a broken glass: there is nothing to review")
            }
        }
    }
}

/// The message for a number of approvers out of range, beside its limit.
pub(super) const APPROVERS_RANGE: &str = "needs between 1 and 5 approvers";
const _: () = assert!(APPROVERS_MAX == 5, "the message above says 5");
