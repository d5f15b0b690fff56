//! The variables that locklog knows.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use crate::audit::Sinks;

/// Names the state directory, before all others.
const STATE_DIR: &str = "LOCKLOG_STATE_DIR";
/// Where a user's programs keep their state (XDG base directories).
const XDG_STATE_HOME: &str = "XDG_STATE_HOME";
const HOME: &str = "HOME";
/// Names the file of sources, before all others.
const CONFIG: &str = "LOCKLOG_CONFIG";
/// Where a user's programs keep what they are told (XDG base directories).
const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";
/// Where the machine's sources are.
const SYSTEM_CONFIG: &str = "/etc/locklog/locklog.toml";
/// Which of its own events locklog writes to stderr.
const LOG: &str = "RUST_LOG";
/// A second folder that takes every audit entry.
const AUDIT_SECOND: &str = "LOCKLOG_AUDIT_SECOND";
/// Where a test kills the process.
#[cfg(debug_assertions)]
const CRASH_AT: &str = "LOCKLOG_CRASH_AT";
/// The key's name in the state directory.
const KEY_FILE: &str = "key";
/// The folder of the trail there.
const AUDIT_FOLDER: &str = "audit";

/// What the environment says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// Where locklog keeps what must outlive a call; `None` when no variable tells.
    pub state_dir: Option<PathBuf>,
    /// The file of sources that must be there.
    pub config_named: Option<PathBuf>,
    /// Else files of sources, the first that is there counts.
    pub config_files: Vec<PathBuf>,
    /// Filter for locklog's own events.
    pub log_filter: Option<String>,
    /// A folder elsewhere that takes every audit entry too.
    pub audit_second: Option<PathBuf>,
    /// Where a test kills the process.
    #[cfg(debug_assertions)]
    pub crash_at: Option<String>,
}

impl Environment {
    /// Reads it.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
    pub fn read() -> Environment {
        Environment::from_variables(|name| env::var_os(name))
    }

    fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Environment {
        let path = |name: &str| variable(name).filter(|text| !text.is_empty()).map(PathBuf::from);
        // The XDG specification: a relative path there is to be ignored.
        let xdg = path(XDG_STATE_HOME).filter(|path| path.is_absolute());
        let state_dir = path(STATE_DIR)
            .or_else(|| xdg.map(|home| home.join("locklog")))
            .or_else(|| path(HOME).map(|home| home.join(".local/state/locklog")));
        let config_home = path(XDG_CONFIG_HOME)
            .filter(|path| path.is_absolute())
            .or_else(|| path(HOME).map(|home| home.join(".config")));
        let config_files = config_home
            .map(|home| home.join("locklog/locklog.toml"))
            .into_iter()
            .chain([PathBuf::from(SYSTEM_CONFIG)])
            .collect();
        let log_filter = variable(LOG).and_then(|text| text.into_string().ok());
        Environment {
            state_dir,
            config_named: path(CONFIG),
            config_files,
            log_filter,
            audit_second: path(AUDIT_SECOND),
            #[cfg(debug_assertions)]
            crash_at: variable(CRASH_AT).and_then(|text| text.into_string().ok()),
        }
    }

    /// Where the key lies unless a flag says otherwise.
    pub fn key_file(&self) -> Option<PathBuf> {
        self.state_dir.as_ref().map(|dir| dir.join(KEY_FILE))
    }

    /// Where audit entries go.
    pub fn audit_sinks(&self) -> Option<Sinks> {
        let first = self.state_dir.as_ref()?.join(AUDIT_FOLDER);
        Some(Sinks { first, second: self.audit_second.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state_dir(variables: &[(&str, &str)]) -> Option<PathBuf> {
        let find = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        };
        Environment::from_variables(find).state_dir
    }

    #[test]
    fn the_most_specific_variable_wins() {
        let all = [("LOCKLOG_STATE_DIR", "/a"), ("XDG_STATE_HOME", "/b"), ("HOME", "/c")];
        assert_eq!(state_dir(&all), Some("/a".into()));
        assert_eq!(state_dir(&all[1..]), Some("/b/locklog".into()));
        assert_eq!(state_dir(&all[2..]), Some("/c/.local/state/locklog".into()));
        assert_eq!(state_dir(&[]), None);
    }

    #[test]
    fn empty_and_relative_values_do_not_count() {
        let all = [("LOCKLOG_STATE_DIR", ""), ("XDG_STATE_HOME", "b"), ("HOME", "/c")];
        assert_eq!(state_dir(&all), Some("/c/.local/state/locklog".into()));
    }
}
