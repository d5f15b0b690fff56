//! What a profile says about scans.

use std::time::Duration;

use crate::config::Profile;
use crate::plan::CallLimits;
use crate::source::HeadKey;
use crate::units::Bytes;

/// The limits of a call.
pub(in crate::cli) fn of_call(_profile: &Profile) -> CallLimits {
    CallLimits {
        bytes: Bytes::kib(512 * 1024),
        ceiling: Bytes::kib(64 << 20),
        time: Duration::from_secs(30),
    }
}

/// Bytes that a plan may read without an approval.
pub(in crate::cli) fn unapproved(_profile: &Profile, production: bool) -> Bytes {
    if production { Bytes::new(0) } else { Bytes::kib(512 * 1024) }
}

/// A keyed digest of all that the profile says: what an approver agrees to.
pub(in crate::cli) fn digest(profile: &Profile, key: &HeadKey) -> [u8; 32] {
    key.hash(format!("{profile:?}").as_bytes())
}
