//! What a profile says about scans.

use crate::config::Profile;
use crate::config::SourceClass;
use crate::plan::CallLimits;
use crate::source::HeadKey;
use crate::units::Bytes;

/// The limits of a call.
pub(in crate::cli) fn of_call(profile: &Profile) -> CallLimits {
    let budgets = profile.budgets();
    CallLimits {
        bytes: budgets.call_bytes_max(),
        ceiling: budgets.call_bytes_ceiling(),
        time: budgets.call_time_max(),
    }
}

/// Bytes that a plan may read without an approval.
pub(in crate::cli) fn unapproved(profile: &Profile, production: bool) -> Bytes {
    let class = if production { SourceClass::Production } else { SourceClass::NonProduction };
    profile.budgets().unapproved_bytes_max(class)
}

/// A keyed digest of all that the profile says: what an approver agrees to.
pub(in crate::cli) fn digest(profile: &Profile, key: &HeadKey) -> [u8; 32] {
    let policy = profile.policy();
    let said = format!(
        "{:?} {:?} {:?} {:?} {:?} {:?}",
        policy.unknown(),
        policy.names(),
        profile.only(),
        profile.without(),
        profile.budgets(),
        profile.approvals()
    );
    key.hash(said.as_bytes())
}
