//! `locklog.toml`: the sources that have names, and what is known about them.
//!
//! What a source says about itself protects it, so nothing here has a default that lets more
//! through: whether it is production must be written down.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use serde::Deserialize;

use crate::time::Zone;

/// Largest file: a few lines a source.
const CONFIG_BYTES_MAX: u64 = 1024 * 1024;
/// Most sources of a file.
const SOURCES_MAX: usize = 1_000;

/// The sources of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// The file; none where there is none.
    pub path: Option<PathBuf>,
    /// By name.
    pub by_name: BTreeMap<String, SourceConfig>,
}

/// A source that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceConfig {
    /// Files and patterns.
    pub paths: Vec<String>,
    /// Whether it is of production.
    pub production: bool,
    /// The format of its records, where it is not found out.
    pub format: Option<String>,
    /// The zone of times that name none.
    pub zone: Zone,
    /// Its records are in the order of time, within a slack.
    pub ordered: bool,
    /// The profile that a scan takes when none is named.
    pub profile: Option<String>,
}

/// The file could not be used.
#[derive(Debug)]
pub enum SourcesError {
    /// The system refused.
    Io(PathBuf, io::Error),
    /// It does not have the form that it should.
    Form(PathBuf, String),
    /// A source says something that does not go.
    Source(PathBuf, String, &'static str),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    #[serde(default)]
    sources: BTreeMap<String, RawSource>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSource {
    paths: Vec<String>,
    production: bool,
    format: Option<String>,
    zone: Option<String>,
    #[serde(default = "yes")]
    ordered: bool,
    profile: Option<String>,
}

fn yes() -> bool {
    true
}

impl Sources {
    /// Reads the file that is named, or else the first of `places` that is there.
    ///
    /// # Errors
    ///
    /// [`SourcesError`] when it cannot be read, or does not mean what it seems to.
    pub fn read(named: Option<&Path>, places: &[PathBuf]) -> Result<Sources, SourcesError> {
        if let Some(path) = named {
            return Sources::read_file(path);
        }
        for path in places {
            match Sources::read_file(path) {
                Err(SourcesError::Io(_, error)) if error.kind() == io::ErrorKind::NotFound => {}
                other => return other,
            }
        }
        Ok(Sources::default())
    }

    fn read_file(path: &Path) -> Result<Sources, SourcesError> {
        let io = |error| SourcesError::Io(path.to_owned(), error);
        if fs::metadata(path).map_err(io)?.len() > CONFIG_BYTES_MAX {
            let problem = "is larger than 1 MiB".to_owned();
            return Err(SourcesError::Form(path.to_owned(), problem));
        }
        let text = fs::read_to_string(path).map_err(io)?;
        Sources::parse(path, &text)
    }

    fn parse(path: &Path, text: &str) -> Result<Sources, SourcesError> {
        let raw: RawFile = toml::from_str(text)
            .map_err(|error| SourcesError::Form(path.to_owned(), error.to_string()))?;
        if raw.sources.len() > SOURCES_MAX {
            let problem = format!("has more than {SOURCES_MAX} sources");
            return Err(SourcesError::Form(path.to_owned(), problem));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut by_name = BTreeMap::new();
        for (name, raw) in raw.sources {
            let wrong = |what| SourcesError::Source(path.to_owned(), name.clone(), what);
            let first = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
            let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            if !first || name.len() > 64 || !name.bytes().all(fits) {
                return Err(wrong("a name has letters, digits, - and _, at most 64"));
            }
            if raw.paths.is_empty() {
                return Err(wrong("paths is empty, expected a file or a pattern"));
            }
            let zone = match raw.zone {
                Some(text) => text.parse().map_err(|_| wrong("zone is not as in UTC or +02:00"))?,
                None => Zone::UTC,
            };
            // A path in a file is meant from where the file is.
            let paths = raw.paths.iter().map(|place| folder.join(place).display().to_string());
            let source = SourceConfig {
                paths: paths.collect(),
                production: raw.production,
                format: raw.format,
                zone,
                ordered: raw.ordered,
                profile: raw.profile,
            };
            by_name.insert(name, source);
        }
        Ok(Sources { path: Some(path.to_owned()), by_name })
    }
}

impl fmt::Display for SourcesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourcesError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            SourcesError::Form(path, problem) => write!(f, "{}: {problem}", path.display()),
            SourcesError::Source(path, name, problem) => {
                write!(f, "{}: source '{name}': {problem}", path.display())
            }
        }
    }
}

impl std::error::Error for SourcesError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Sources, SourcesError> {
        Sources::parse(Path::new("conf/locklog.toml"), text)
    }

    #[test]
    fn a_source_says_whether_it_is_production() {
        let text =
            "[sources.checkout]\npaths = ['app.log', '/var/log/app/*.log']\nproduction = true\n";
        let sources = parse(text).unwrap();
        let source = &sources.by_name["checkout"];
        assert_eq!(source.paths, ["conf/app.log", "/var/log/app/*.log"]);
        assert!(source.production && source.ordered && source.zone == Zone::UTC);
        assert!(matches!(
            parse("[sources.checkout]\npaths = ['app.log']\n"),
            Err(SourcesError::Form(..))
        ));
    }

    #[test]
    fn what_does_not_go_is_refused() {
        let base = "production = false\n";
        for (text, part) in [
            ("[sources.a]\npaths = []\n", "paths is empty"),
            ("[sources.a]\npaths = ['x']\nzone = 'CET'\n", "zone"),
            ("[sources.'a b']\npaths = ['x']\n", "a name has"),
            ("[sources.a]\npaths = ['x']\ncolour = 1\n", "unknown field"),
        ] {
            let error = parse(&format!("{text}{base}")).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
