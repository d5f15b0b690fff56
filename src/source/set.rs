//! Which files a source is made of.
//!
//! A path means the file and its rotated siblings (`app.log.1`, `app.log.2.gz`, `app.log-20261130`,
//! `app-2026-11-30.log`): an incident window does not end where the file was renamed. A pattern
//! means the files that match it, no others. A symbolic link is followed once, to the file that it
//! finally names; a file that several names lead to counts once.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::path::PathBuf;

/// Most files of a source: each costs a look at its beginning, and a line of the plan.
pub const FILES_MAX: usize = 4_096;
/// Most names that are looked at in a folder, or for a pattern.
pub(super) const NAMES_MAX: usize = 100_000;
/// Characters that make a text a pattern.
const PATTERN: [char; 3] = ['*', '?', '['];
/// Endings of packed files.
const PACKED: [&str; 4] = [".gz", ".zst", ".zstd", ".gzip"];

/// Whether a path brings its rotated siblings along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Siblings {
    /// The files that were rotated away count too.
    Rotated,
    /// The file alone.
    None,
}

/// A source could not be turned into files.
#[derive(Debug)]
pub enum ResolveError {
    /// Nothing has that name, or nothing matches the pattern.
    Missing(String),
    /// It is a folder, a pipe or a device.
    NotAFile(String),
    /// Symbolic links lead in a circle.
    Loop(String),
    /// The pattern cannot be read.
    Pattern(String, &'static str),
    /// The system refused.
    Io(String, io::Error),
    /// More files than [`FILES_MAX`].
    TooMany {
        /// What was asked for.
        name: String,
        /// How many there are at least.
        actual: usize,
        /// How many are allowed.
        limit: usize,
    },
}

/// The files that paths and patterns mean, each once, by their final names, in the order of names.
///
/// # Errors
///
/// [`ResolveError`] when one means none or too many, or what is no file.
pub fn resolve(places: &[String], siblings: Siblings) -> Result<Vec<PathBuf>, ResolveError> {
    let mut found = Files::default();
    for place in places {
        let is_pattern = place.contains(PATTERN) && !Path::new(place).exists();
        if is_pattern {
            found.matching(place)?;
        } else {
            found.named(place, siblings)?;
        }
    }
    Ok(found.paths.into_iter().collect())
}

#[derive(Default)]
struct Files {
    seen: BTreeSet<(u64, u64)>,
    paths: BTreeSet<PathBuf>,
}

impl Files {
    fn named(&mut self, place: &str, siblings: Siblings) -> Result<(), ResolveError> {
        let path = Path::new(place);
        let target = follow(path, place)?;
        if !target.is_file() {
            return Err(ResolveError::NotAFile(place.to_owned()));
        }
        // A link's siblings are those beside the file that it names.
        let (folder, name) = (target.parent(), target.file_name().and_then(|name| name.to_str()));
        self.add(target.clone(), place)?;
        let (Some(folder), Some(name), Siblings::Rotated) = (folder, name, siblings) else {
            return Ok(());
        };
        let io = |error| ResolveError::Io(place.to_owned(), error);
        for entry in fs::read_dir(folder).map_err(io)?.take(NAMES_MAX) {
            let entry = entry.map_err(io)?;
            let other = entry.file_name();
            let Some(other) = other.to_str() else { continue };
            if is_rotated(name, other) && entry.path().is_file() {
                self.add(follow(&entry.path(), place)?, place)?;
            }
        }
        Ok(())
    }

    fn matching(&mut self, pattern: &str) -> Result<(), ResolveError> {
        let options = glob::MatchOptions {
            case_sensitive: true,
            require_literal_separator: true,
            require_literal_leading_dot: true,
        };
        let paths = glob::glob_with(pattern, options)
            .map_err(|error| ResolveError::Pattern(pattern.to_owned(), error.msg))?;
        let before = self.paths.len();
        for path in paths.take(NAMES_MAX) {
            let path = path.map_err(|error| ResolveError::Io(pattern.to_owned(), error.into()))?;
            let target = follow(&path, pattern)?;
            if target.is_file() {
                self.add(target, pattern)?;
            }
        }
        if self.paths.len() == before {
            return Err(ResolveError::Missing(pattern.to_owned()));
        }
        Ok(())
    }

    fn add(&mut self, path: PathBuf, place: &str) -> Result<(), ResolveError> {
        let metadata =
            fs::metadata(&path).map_err(|error| ResolveError::Io(place.to_owned(), error))?;
        if self.seen.insert((metadata.dev(), metadata.ino())) {
            self.paths.insert(path);
        }
        let actual = self.paths.len();
        if actual > FILES_MAX {
            return Err(ResolveError::TooMany { name: place.to_owned(), actual, limit: FILES_MAX });
        }
        Ok(())
    }
}

/// The file that a name finally leads to.
fn follow(path: &Path, place: &str) -> Result<PathBuf, ResolveError> {
    path.canonicalize().map_err(|error| match rustix::io::Errno::from_io_error(&error) {
        Some(rustix::io::Errno::LOOP) => ResolveError::Loop(place.to_owned()),
        Some(rustix::io::Errno::NOENT) => ResolveError::Missing(place.to_owned()),
        _ => ResolveError::Io(place.to_owned(), error),
    })
}

/// True when `other` is a name under which rotation puts away what `name` held.
fn is_rotated(name: &str, other: &str) -> bool {
    let other = PACKED.iter().find_map(|end| other.strip_suffix(end)).unwrap_or(other);
    if other == name {
        return true; // `app.log.gz` beside `app.log`.
    }
    if let Some(tail) = other.strip_prefix(name) {
        return is_stamp(tail);
    }
    // `app-2026-11-30.log`
    let Some((stem, end)) = name.rsplit_once('.') else { return false };
    let middle = other.strip_prefix(stem).and_then(|rest| rest.strip_suffix(end));
    middle.and_then(|middle| middle.strip_suffix('.')).is_some_and(is_stamp)
}

/// `.1`, `-20261130`, `.2026-11-30T14`: a separator, then digits with separators between them.
fn is_stamp(text: &str) -> bool {
    let mut chars = text.chars();
    let separated = chars.next().is_some_and(|first| matches!(first, '.' | '-' | '_'));
    let rest = chars.as_str();
    separated
        && rest.starts_with(|c: char| c.is_ascii_digit())
        && rest.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '_' | 'T' | 'Z'))
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResolveError::Missing(name) => write!(f, "no file {name}"),
            ResolveError::NotAFile(name) => write!(
                f,
                "{name} is not a regular file: name a file, or a pattern as in 'folder/*.log'"
            ),
            ResolveError::Loop(name) => write!(f, "{name}: symbolic links lead in a circle"),
            ResolveError::Pattern(name, problem) => write!(f, "pattern {name}: {problem}"),
            ResolveError::Io(name, error) => write!(f, "cannot look at {name}: {error}"),
            ResolveError::TooMany { name, actual, limit } => write!(
                f,
                "{name} means at least {actual} files, at most {limit}: name fewer with a pattern"
            ),
        }
    }
}

impl std::error::Error for ResolveError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotated_names_are_told_from_others() {
        for other in [
            "app.log.1",
            "app.log.2.gz",
            "app.log-20261130",
            "app.log-20261130.zst",
            "app.log.2026-11-30T14",
            "app-2026-11-30.log",
            "app.2026-11-30.log.gz",
            "app.log.gz",
        ] {
            assert!(is_rotated("app.log", other), "{other}");
        }
        for other in [
            "app.log.bak",
            "app.logs",
            "app.log.1~",
            "app2.log",
            "app-error.log",
            "app.log.",
            "myapp.log.1",
            "app.log.conf.gz",
            "app-v2-2026.log",
        ] {
            assert!(!is_rotated("app.log", other), "{other}");
        }
    }

    #[test]
    fn links_are_followed_once_and_files_count_once() {
        let scratch = tempfile::tempdir().unwrap();
        let at = |name: &str| scratch.path().join(name);
        for name in ["app.log", "app.log.1", "other.log"] {
            fs::write(at(name), name).unwrap();
        }
        std::os::unix::fs::symlink(at("app.log"), at("link")).unwrap();
        std::os::unix::fs::symlink(at("b"), at("a")).unwrap();
        std::os::unix::fs::symlink(at("a"), at("b")).unwrap();
        let place = |name: &str| at(name).to_str().unwrap().to_owned();
        let count = |places: &[String], siblings| resolve(places, siblings).unwrap().len();
        assert_eq!(count(&[place("app.log")], Siblings::Rotated), 2);
        assert_eq!(count(&[place("link"), place("app.log")], Siblings::Rotated), 2);
        assert_eq!(count(&[place("link")], Siblings::None), 1);
        assert_eq!(count(&[place("*.log")], Siblings::Rotated), 2);
        let refused = |name: &str| resolve(&[place(name)], Siblings::None).unwrap_err();
        assert!(matches!(refused("a"), ResolveError::Loop(_)));
        assert!(matches!(refused("none"), ResolveError::Missing(_)));
        assert!(matches!(refused("none*"), ResolveError::Missing(_)));
        assert!(matches!(refused("[*"), ResolveError::Pattern(..)));
        let folder = scratch.path().to_str().unwrap().to_owned();
        let error = resolve(&[folder], Siblings::None).unwrap_err();
        assert!(error.to_string().contains("name a file, or a pattern"), "{error}");
    }
}
