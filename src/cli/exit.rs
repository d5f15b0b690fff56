//! How a call ended: the one table of exit codes, for every verb.

use std::process::ExitCode;

use crate::config::DetectorsDirError;
use crate::config::ProfileError;
use crate::config::SourcesError;
use crate::detect::LoadError;
use crate::fetch::PlanStoreError;
use crate::grant::GrantError;
use crate::grant::Refusal;
use crate::plan::CursorError;
use crate::plan::OverLimit;
use crate::source::ResolveError;
use crate::units::Bytes;

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// All of it is done.
    Done = 0,
    /// The system or locklog itself failed; what could be done is done.
    Failed = 1,
    /// The call was not understood; nothing was done.
    Usage = 2,
    /// A record is missing, or the answer is incomplete.
    Incomplete = 3,
    /// A budget is used up.
    Exhausted = 4,
    /// Denied, or it needs an approval.
    Denied = 5,
}

/// The table as help shows it.
pub const TABLE: &str = "Exit codes:
  0  done
  1  I/O or internal error
  2  usage
  3  a record is missing or the answer is incomplete
  4  budget exhausted
  5  denied, or needs approval";

/// What the user asked for cannot be had; asking differently helps.
#[derive(Debug)]
pub struct UsageError(pub String);

/// A plan reads more than the profile lets pass without an approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeedsApproval {
    /// What the plan reads.
    pub bytes: Bytes,
    /// What the profile lets pass.
    pub free: Bytes,
}

impl Exit {
    /// The code of an error that ended a call.
    pub fn of(error: &anyhow::Error) -> Exit {
        if let Some(error) = error.downcast_ref() {
            return Exit::of_grant(error);
        }
        let usage = error.is::<UsageError>()
            || error.is::<ProfileError>()
            || error.is::<DetectorsDirError>()
            || error.is::<LoadError>()
            || error.is::<ResolveError>()
            || error.is::<SourcesError>()
            || error.is::<CursorError>()
            || error.is::<PlanStoreError>();
        if error.is::<OverLimit>() {
            return Exit::Exhausted;
        }
        if error.is::<NeedsApproval>() {
            return Exit::Denied;
        }
        if usage { Exit::Usage } else { Exit::Failed }
    }

    pub(super) fn of_grant(error: &GrantError) -> Exit {
        match error {
            GrantError::Refused(_, Refusal::UsedUp { .. } | Refusal::LeaseShort { .. }) => {
                Exit::Exhausted
            }
            GrantError::Refused(..) | GrantError::TooMany { .. } => Exit::Denied,
            GrantError::Missing(_) | GrantError::Request(_) => Exit::Usage,
            GrantError::Private(_)
            | GrantError::Store(..)
            | GrantError::Newer { .. }
            | GrantError::Damaged(_)
            | GrantError::NoRandom(_) => Exit::Failed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

impl std::fmt::Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

impl std::fmt::Display for NeedsApproval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let NeedsApproval { bytes, free } = self;
        write!(
            f,
            "the plan reads {bytes}, {free} need no approval: 'locklog plan --json' with the same \
             flags, 'locklog grant request --plan', then 'locklog scan --grant ID'"
        )
    }
}

impl std::error::Error for NeedsApproval {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lists_every_code() {
        let all = [
            Exit::Done,
            Exit::Failed,
            Exit::Usage,
            Exit::Incomplete,
            Exit::Exhausted,
            Exit::Denied,
        ];
        for (line, exit) in TABLE.lines().skip(1).zip(all) {
            assert!(line.trim_start().starts_with(&(exit as u8).to_string()), "{line}");
        }
        assert_eq!(TABLE.lines().count(), 1 + all.len());
    }

    #[test]
    fn what_asking_differently_helps_is_usage() {
        assert_eq!(Exit::of(&anyhow::Error::new(UsageError(String::new()))), Exit::Usage);
        assert_eq!(Exit::of(&ProfileError::Unknown(String::new()).into()), Exit::Usage);
        assert_eq!(Exit::of(&std::io::Error::other("x").into()), Exit::Failed);
    }
}
