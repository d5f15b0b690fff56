//! What happens to each field, as written.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::mask::Check;
use crate::mask::Policy;
use crate::mask::PolicyError;
use crate::mask::Treatment;
use crate::mask::Unknown;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawFields {
    unknown: RawUnknown,
    /// Check to names.
    #[serde(default)]
    trusted: BTreeMap<RawCheck, Vec<String>>,
    /// Name to reason.
    #[serde(default)]
    allow: BTreeMap<String, String>,
    #[serde(default)]
    redact: Vec<String>,
    #[serde(default)]
    withhold: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawUnknown {
    RedactUnknown,
    WithholdUnknown,
}

#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
enum RawCheck {
    Level,
    Status,
    Method,
    Timestamp,
    Duration,
    Count,
    Flag,
    Name,
    Protocol,
}

pub(super) fn policy(raw: RawFields) -> Result<Policy, PolicyError> {
    let mut policy = Policy::new(match raw.unknown {
        RawUnknown::RedactUnknown => Unknown::Redact,
        RawUnknown::WithholdUnknown => Unknown::Withhold,
    });
    for (check, names) in raw.trusted {
        let check = match check {
            RawCheck::Level => Check::Level,
            RawCheck::Status => Check::Status,
            RawCheck::Method => Check::Method,
            RawCheck::Timestamp => Check::Timestamp,
            RawCheck::Duration => Check::Duration,
            RawCheck::Count => Check::Count,
            RawCheck::Flag => Check::Flag,
            RawCheck::Name => Check::Name,
            RawCheck::Protocol => Check::Protocol,
        };
        for name in names {
            policy.set(&name, Treatment::Trusted(check))?;
        }
    }
    for (name, reason) in raw.allow {
        policy.set(&name, Treatment::Allow { reason })?;
    }
    for name in raw.redact {
        policy.set(&name, Treatment::Redact)?;
    }
    for name in raw.withhold {
        policy.set(&name, Treatment::Withhold)?;
    }
    Ok(policy)
}
