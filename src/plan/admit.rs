//! Holding a plan against the limits of the profile.

use std::fmt;
use std::ops::Deref;
use std::time::Duration;

use super::request::Plan;
use crate::source::GRANULE_BYTES_MAX;
use crate::units::Bytes;

/// How much one call may read, and one plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallLimits {
    /// Bytes of text that a call admits; then it ends with a cursor.
    pub bytes: Bytes,
    /// The most that `bytes` may be set to, and the most that one plan may read over all its calls.
    pub ceiling: Bytes,
    /// Time after which a call ends with a cursor.
    pub time: Duration,
}

/// What was held against its limits.
#[derive(Clone, Debug)]
pub struct Admitted<T> {
    inner: T,
    limits: CallLimits,
}

/// A plan or a call asks for more than the profile allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverLimit {
    /// The plan is larger than the ceiling.
    Plan {
        /// Its bytes.
        actual: Bytes,
        /// The ceiling.
        limit: Bytes,
    },
    /// A call asks for more than the ceiling.
    Call {
        /// What it asks for.
        actual: Bytes,
        /// The ceiling.
        limit: Bytes,
    },
    /// A call asks for less than one granule may have, so that it could not go on.
    TooSmall {
        /// What it asks for.
        actual: Bytes,
        /// The least.
        limit: Bytes,
    },
}

impl CallLimits {
    /// The same with another number of bytes a call.
    ///
    /// # Errors
    ///
    /// [`OverLimit`] when that is above the ceiling, or less than a granule may have.
    pub fn with_bytes(self, bytes: Bytes) -> Result<CallLimits, OverLimit> {
        if bytes > self.ceiling {
            Err(OverLimit::Call { actual: bytes, limit: self.ceiling })
        } else if bytes < GRANULE_BYTES_MAX {
            Err(OverLimit::TooSmall { actual: bytes, limit: GRANULE_BYTES_MAX })
        } else {
            Ok(CallLimits { bytes, ..self })
        }
    }
}

impl Plan {
    /// The plan as one that may be fetched.
    ///
    /// # Errors
    ///
    /// [`OverLimit::Plan`] when it is larger than the ceiling.
    pub fn admit(self, limits: CallLimits) -> Result<Admitted<Plan>, OverLimit> {
        let actual = self.bytes();
        if actual > limits.ceiling {
            return Err(OverLimit::Plan { actual, limit: limits.ceiling });
        }
        Ok(Admitted { inner: self, limits })
    }
}

impl Admitted<Plan> {
    /// The limits that it was held against.
    pub fn limits(&self) -> CallLimits {
        self.limits
    }

    /// The number of calls that its bytes take.
    pub fn calls(&self) -> u64 {
        self.inner.bytes().get().div_ceil(self.limits.bytes.get().max(1))
    }
}

impl<T> Deref for Admitted<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.inner
    }
}

impl fmt::Display for OverLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OverLimit::Plan { actual, limit } => write!(
                f,
                "the plan reads {actual}, at most {limit} are allowed: ask for a shorter time range \
                 (--from, --to), for fewer files (a pattern), or take a profile that allows more"
            ),
            OverLimit::Call { actual, limit } => write!(
                f,
                "--max-bytes is {actual}, at most {limit} are allowed: ask for less, go on call \
                 after call (--all), or take a profile that allows more"
            ),
            OverLimit::TooSmall { actual, limit } => write!(
                f,
                "--max-bytes is {actual}, at least {limit} are needed: what one granule may have"
            ),
        }
    }
}

impl std::error::Error for OverLimit {}
