//! What to apply, as a file.
//!
//! One file says all: there is no inheritance, and a key that is not known is an error, because a
//! misspelt one would otherwise be a protection that is not there.

use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;

use serde::Deserialize;

use crate::units::Bytes;
use crate::units::ParseBytesError;

/// Profiles that are part of the program.
const BUILT_IN: &[(&str, &str)] = &[
    ("standard", include_str!("../../profiles/standard.toml")),
    ("incident", include_str!("../../profiles/standard.toml")),
];

/// A checked profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// What happens to text that no detector knows.
    pub unknown_text: UnknownText,
    /// Kinds to use; none means all.
    pub only: Vec<String>,
    /// Kinds to leave out.
    pub without: Vec<String>,
    /// How much of something is allowed.
    pub limits: Limits,
}

/// What happens to text that no detector knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownText {
    /// It is shown, with every detected value in it masked.
    Redact,
}

/// How much of something is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Text that one thread takes at a time.
    pub piece_bytes: Bytes,
}

/// Least and most that a piece may have: below, threads wait for each other; above, the promise on
/// memory does not hold.
const PIECE_BYTES: (Bytes, Bytes) = (Bytes::kib(4), Bytes::kib(1024));

/// A profile could not be used.
#[derive(Debug)]
pub enum ProfileError {
    /// None of that name is built in.
    Unknown(String),
    /// The file could not be read.
    Io(PathBuf, io::Error),
    /// It does not have the form of a profile.
    Form(String, String),
    /// A size is not one.
    Size(&'static str, ParseBytesError),
    /// A size is out of its range.
    Range {
        /// The key.
        key: &'static str,
        /// What it says.
        actual: Bytes,
        /// The least it may say.
        min: Bytes,
        /// The most it may say.
        max: Bytes,
    },
}

/// A profile as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawProfile {
    name: String,
    #[serde(rename = "summary")]
    _summary: String,
    unknown_text: UnknownText,
    detectors: RawDetectors,
    limits: RawLimits,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDetectors {
    #[serde(default)]
    only: Vec<String>,
    #[serde(default)]
    without: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLimits {
    piece_bytes: String,
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

    fn parse(from: &str, text: &str) -> Result<Profile, ProfileError> {
        let raw: RawProfile = toml::from_str(text)
            .map_err(|error| ProfileError::Form(from.to_owned(), error.to_string()))?;
        Ok(Profile {
            name: raw.name,
            unknown_text: raw.unknown_text,
            only: raw.detectors.only,
            without: raw.detectors.without,
            limits: Limits {
                piece_bytes: size("limits.piece_bytes", &raw.limits.piece_bytes, PIECE_BYTES)?,
            },
        })
    }
}

fn size(key: &'static str, text: &str, range: (Bytes, Bytes)) -> Result<Bytes, ProfileError> {
    let actual = text.parse().map_err(|error| ProfileError::Size(key, error))?;
    let (min, max) = range;
    if (min..=max).contains(&actual) {
        Ok(actual)
    } else {
        Err(ProfileError::Range { key, actual, min, max })
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
            ProfileError::Size(key, error) => write!(f, "profile: {key}: {error}"),
            ProfileError::Range { key, actual, min, max } => {
                write!(f, "profile: {key} is {actual}, not between {min} and {max}")
            }
        }
    }
}

impl std::error::Error for ProfileError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_of_the_folder_is_built_in_and_loads() {
        let mut found = 0;
        for entry in fs::read_dir("profiles").unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap();
            if path.extension().is_some_and(|extension| extension == "toml") {
                assert_eq!(Profile::find(stem).unwrap().name, stem);
                found += 1;
            }
        }
        assert_eq!(found, BUILT_IN.len());
    }

    #[test]
    fn what_is_not_known_is_refused() {
        let (_, standard) = BUILT_IN[0];
        let parse = |text: &str| Profile::parse("x.toml", text);
        assert!(matches!(
            parse(&standard.replace("[limits]", "[limits]\nlines_max = 5")),
            Err(ProfileError::Form(..))
        ));
        assert!(matches!(parse(&format!("colour = 1\n{standard}")), Err(ProfileError::Form(..))));
        assert!(matches!(
            parse(&standard.replace("\"256 KiB\"", "\"256 KB\"")),
            Err(ProfileError::Size("limits.piece_bytes", ParseBytesError::UnknownUnit))
        ));
        let error = parse(&standard.replace("\"256 KiB\"", "\"64 MiB\"")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "profile: limits.piece_bytes is 64 MiB, not between 4 KiB and 1 MiB"
        );
        assert!(matches!(Profile::find("no-such"), Err(ProfileError::Unknown(_))));
        assert!(matches!(Profile::find("./no-such.toml"), Err(ProfileError::Io(..))));
    }
}
