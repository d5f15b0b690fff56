//! What happens to the fields of a record, by their names.
//!
//! # Promise
//! **A name that the policy does not list is unknown, and unknown means redact or withhold, never
//! show.** A trusted value passes only when its own check holds; else it is redacted like one that
//! nobody vouched for.

use std::collections::HashMap;
use std::fmt;

use super::check::Check;

/// Most names that a policy lists: a list that nobody can read protects nobody.
const NAMES_MAX: usize = 4096;
/// Longest name of a policy, in bytes.
const NAME_LEN_MAX: usize = 256;

/// What happens to each field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    unknown: Unknown,
    names: HashMap<String, Treatment>,
}

/// What happens to the fields that are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// They are shown with every detected value in them masked.
    Redact,
    /// Their values become a constant.
    Withhold,
}

/// What happens to a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// It is shown when its own check holds, and redacted when not.
    Trusted(Check),
    /// It is shown as it is.
    Allow {
        /// Why that is right.
        reason: String,
    },
    /// It is shown with every detected value in it masked.
    Redact,
    /// Its value becomes a constant, before anything looks at it.
    Withhold,
}

/// A policy contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicyError {
    /// A name is listed twice.
    Twice(String),
    /// A name is empty or too long.
    Name {
        /// Its length in bytes.
        len: usize,
    },
    /// Something is shown without a reason.
    NoReason(String),
    /// More names than a policy lists.
    TooMany,
}

impl Policy {
    /// A policy that lists no name.
    pub fn new(unknown: Unknown) -> Policy {
        Policy { unknown, names: HashMap::new() }
    }

    /// Says what happens to the field `name`. Names are compared without regard to the case of
    /// ASCII letters; a dot stands before the name of a field inside another.
    ///
    /// # Errors
    ///
    /// [`PolicyError`] when that was said before or cannot be said.
    pub fn set(&mut self, name: &str, treatment: Treatment) -> Result<(), PolicyError> {
        if name.is_empty() || name.len() > NAME_LEN_MAX {
            return Err(PolicyError::Name { len: name.len() });
        }
        if let Treatment::Allow { reason } = &treatment
            && reason.trim().is_empty()
        {
            return Err(PolicyError::NoReason(name.to_owned()));
        }
        if self.names.len() >= NAMES_MAX {
            return Err(PolicyError::TooMany);
        }
        match self.names.insert(name.to_ascii_lowercase(), treatment) {
            None => Ok(()),
            Some(_) => Err(PolicyError::Twice(name.to_owned())),
        }
    }

    /// What happens to fields that are not listed.
    pub fn unknown(&self) -> Unknown {
        self.unknown
    }

    /// What happens to the field `name`: as listed, or as the nearest field around it that is
    /// listed to be withheld, or as unknown.
    pub fn treatment(&self, name: &str) -> Treatment {
        let lower = name.to_ascii_lowercase();
        let mut around = lower.as_str();
        let mut listed = self.names.get(around);
        // What is inside of a withheld field is withheld, whatever is listed for it.
        while let Some(end) = around.rfind(['.', '[']) {
            around = around.get(..end).unwrap_or("");
            if self.names.get(around) == Some(&Treatment::Withhold) {
                listed = Some(&Treatment::Withhold);
            }
        }
        // `tags[3]` is an element of `tags`.
        let element = || {
            let end = lower.rfind('[').filter(|_| lower.ends_with(']'))?;
            self.names.get(lower.get(..end)?)
        };
        match listed.or_else(element) {
            Some(treatment) => treatment.clone(),
            None => match self.unknown {
                Unknown::Redact => Treatment::Redact,
                Unknown::Withhold => Treatment::Withhold,
            },
        }
    }

    /// True when the field `name` itself is listed to be withheld.
    pub fn withholds(&self, name: &str) -> bool {
        self.names.get(&name.to_ascii_lowercase()) == Some(&Treatment::Withhold)
    }

    /// The listed names, with what happens to them, in order.
    pub fn names(&self) -> Vec<(&str, &Treatment)> {
        let mut names: Vec<_> =
            self.names.iter().map(|(name, treatment)| (name.as_str(), treatment)).collect();
        names.sort_unstable_by_key(|(name, _)| *name);
        names
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolicyError::Twice(name) => {
                write!(f, "field '{name}' is listed twice, expected one policy for each name")
            }
            PolicyError::Name { len } => {
                write!(f, "a field's name has {len} bytes, expected 1 to {NAME_LEN_MAX}")
            }
            PolicyError::NoReason(name) => {
                write!(f, "field '{name}' is allowed without a reason, expected a sentence")
            }
            PolicyError::TooMany => {
                write!(f, "more than {NAMES_MAX} fields are listed, expected at most that")
            }
        }
    }
}

impl std::error::Error for PolicyError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_listed_is_unknown() {
        for (unknown, treatment) in
            [(Unknown::Redact, Treatment::Redact), (Unknown::Withhold, Treatment::Withhold)]
        {
            let mut policy = Policy::new(unknown);
            policy.set("Level", Treatment::Trusted(Check::Level)).unwrap();
            assert_eq!(policy.treatment("LEVEL"), Treatment::Trusted(Check::Level));
            assert_eq!(policy.treatment("levels"), treatment);
            assert_eq!(policy.treatment("a.level"), treatment);
        }
    }

    /// Shown to bite by leaving out the loop over the names around.
    #[test]
    fn what_is_inside_of_a_withheld_field_is_withheld() {
        let mut policy = Policy::new(Unknown::Redact);
        policy.set("http.request", Treatment::Withhold).unwrap();
        policy.set("http.request.method", Treatment::Trusted(Check::Method)).unwrap();
        for inside in ["http.request", "http.request.method", "http.request.body[3].x"] {
            assert_eq!(policy.treatment(inside), Treatment::Withhold, "{inside}");
        }
        assert_eq!(policy.treatment("http.requests"), Treatment::Redact);
        policy.set("codes", Treatment::Trusted(Check::Status)).unwrap();
        assert_eq!(policy.treatment("codes[1]"), Treatment::Trusted(Check::Status));
        assert_eq!(policy.treatment("codes.x"), Treatment::Redact);
        assert_eq!(policy.treatment("codes[1].x"), Treatment::Redact);
    }

    #[test]
    fn contradictions_are_errors() {
        let mut policy = Policy::new(Unknown::Redact);
        policy.set("a", Treatment::Redact).unwrap();
        assert_eq!(policy.set("A", Treatment::Withhold), Err(PolicyError::Twice("A".to_owned())));
        let blank = Treatment::Allow { reason: " ".to_owned() };
        assert_eq!(policy.set("b", blank), Err(PolicyError::NoReason("b".to_owned())));
        assert!(policy.set("", Treatment::Redact).is_err());
    }
}
