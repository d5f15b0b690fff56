//! What to apply, as a file.
//!
//! One file says all: there is no inheritance, and a key that is not known is an error, because a
//! misspelt one would otherwise be a protection that is not there.

mod fields;
mod limits;
mod quantity;

use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;

use serde::Deserialize;

use crate::mask::Policy;
use crate::mask::PolicyError;
use crate::units::Bytes;

pub use limits::Approvals;
pub use limits::BreakGlass;
pub use limits::Budgets;
pub use limits::RequestRate;
pub use limits::Requests;
pub use limits::SourceClass;
pub use quantity::QuantityError;

/// Profiles that are part of the program.
const BUILT_IN: &[(&str, &str)] = &[
    ("standard", include_str!("../../profiles/standard.toml")),
    ("incident", include_str!("../../profiles/incident.toml")),
    ("non-production", include_str!("../../profiles/non-production.toml")),
    ("strict", include_str!("../../profiles/strict.toml")),
    ("lab", include_str!("../../profiles/lab.toml")),
];

/// A checked profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    name: String,
    summary: String,
    policy: Policy,
    only: Vec<String>,
    without: Vec<String>,
    piece_bytes: Bytes,
    budgets: Budgets,
    approvals: Approvals,
    requests: Requests,
}

/// A profile could not be used.
#[derive(Debug)]
pub enum ProfileError {
    /// None of that name is built in.
    Unknown(String),
    /// The file could not be read.
    Io(PathBuf, io::Error),
    /// It does not have the form of a profile.
    Form(String, String),
    /// A quantity is none, or out of its range.
    Quantity(QuantityError),
    /// The policies of fields contradict each other.
    Policy(PolicyError),
    /// The least of something is more than the most of it.
    Order(&'static str, &'static str),
}

/// A profile as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawProfile {
    name: String,
    summary: String,
    fields: fields::RawFields,
    detectors: RawDetectors,
    limits: limits::RawLimits,
    budgets: limits::RawBudgets,
    approvals: limits::RawApprovals,
    requests: limits::RawRequests,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDetectors {
    #[serde(default)]
    only: Vec<String>,
    #[serde(default)]
    without: Vec<String>,
}

impl Profile {
    /// Finds a profile: a built-in one by its name, any other by its path (which has a `/` or ends
    /// in `.toml`).
    ///
    /// # Errors
    ///
    /// [`ProfileError`] when there is none or it is not in order.
    pub fn find(name_or_path: &str) -> Result<Profile, ProfileError> {
        if let Some((name, text)) = BUILT_IN.iter().find(|(name, _)| *name == name_or_path) {
            return Profile::parse(name, text);
        }
        let path = PathBuf::from(name_or_path);
        let is_path = name_or_path.contains('/')
            || path.extension().is_some_and(|extension| extension == "toml");
        if !is_path {
            return Err(ProfileError::Unknown(name_or_path.to_owned()));
        }
        match fs::read_to_string(&path) {
            Ok(text) => Profile::parse(name_or_path, &text),
            Err(error) => Err(ProfileError::Io(path, error)),
        }
    }

    /// The names of the profiles that are part of the program.
    pub fn built_in() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    fn parse(from: &str, text: &str) -> Result<Profile, ProfileError> {
        let raw: RawProfile = toml::from_str(text)
            .map_err(|error| ProfileError::Form(from.to_owned(), error.to_string()))?;
        Ok(Profile {
            name: raw.name,
            summary: raw.summary,
            policy: fields::policy(raw.fields).map_err(ProfileError::Policy)?,
            only: raw.detectors.only,
            without: raw.detectors.without,
            piece_bytes: limits::piece_bytes(&raw.limits)?,
            budgets: Budgets::checked(&raw.budgets)?,
            approvals: Approvals::checked(&raw.approvals)?,
            requests: Requests::checked(&raw.requests)?,
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is for, in a sentence.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// What happens to each field.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Kinds to use; none means all.
    pub fn only(&self) -> &[String] {
        &self.only
    }

    /// Kinds to leave out.
    pub fn without(&self) -> &[String] {
        &self.without
    }

    /// Text that one thread takes at a time.
    pub fn piece_bytes(&self) -> Bytes {
        self.piece_bytes
    }

    /// How much may be read.
    pub fn budgets(&self) -> &Budgets {
        &self.budgets
    }

    /// Who has to agree, and for how long that holds.
    pub fn approvals(&self) -> &Approvals {
        &self.approvals
    }

    /// How often a remote source may be asked.
    pub fn requests(&self) -> &Requests {
        &self.requests
    }
}

impl From<QuantityError> for ProfileError {
    fn from(error: QuantityError) -> ProfileError {
        ProfileError::Quantity(error)
    }
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProfileError::Unknown(name) => {
                write!(f, "no profile '{name}'; there is")?;
                for (name, _) in BUILT_IN {
                    write!(f, " {name}")?;
                }
                f.write_str(", or a path that ends in .toml")
            }
            ProfileError::Io(path, error) => write!(f, "profile {}: {error}", path.display()),
            ProfileError::Form(from, problem) => write!(f, "profile {from}: {problem}"),
            ProfileError::Quantity(error) => write!(f, "profile: {error}"),
            ProfileError::Policy(error) => write!(f, "profile: {error}"),
            ProfileError::Order(less, more) => {
                write!(f, "profile: {less} is more than {more}, expected at most that")
            }
        }
    }
}

impl std::error::Error for ProfileError {}

#[cfg(test)]
mod tests;
