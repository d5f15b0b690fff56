//! One record of a log, whatever it came from.
//!
//! # Promise
//! The line, the labels and the fields of a [`Record`] are all of one type: a record of masked text
//! has no place where raw text could stand.
//!
//! # Not here
//! How a record is found (`format`) and masked (`mask`).

use std::fmt;
use std::str::FromStr;

use crate::time::Timestamp;

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<T> {
    /// When it was written, where it says so.
    pub timestamp: Option<Timestamp>,
    /// How bad it is.
    pub level: Level,
    /// The record as it stands in the log.
    pub line: T,
    /// Names and values that the source has for the record, such as its stream.
    pub labels: Vec<(T, T)>,
    /// Names and values that stand in the record.
    pub fields: Vec<(T, T)>,
}

/// How bad what a record tells is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The record does not say.
    #[default]
    Unknown,
    /// Every step.
    Trace,
    /// What helps the author.
    Debug,
    /// What happens as planned.
    Info,
    /// What may go wrong.
    Warn,
    /// What went wrong.
    Error,
    /// What ended the program or calls somebody.
    Fatal,
}

impl Level {
    /// All levels, from the least to the worst.
    pub const ALL: [Level; 7] = [
        Level::Unknown,
        Level::Trace,
        Level::Debug,
        Level::Info,
        Level::Warn,
        Level::Error,
        Level::Fatal,
    ];

    /// Its one word.
    pub fn name(self) -> &'static str {
        match self {
            Level::Unknown => "unknown",
            Level::Trace => "trace",
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Error => "error",
            Level::Fatal => "fatal",
        }
    }

    /// The level that a word or a number means in some program; none where it means none.
    ///
    /// Numbers are those of bunyan and pino (10 to 60), for those of syslog say the opposite.
    pub fn read(word: &[u8]) -> Option<Level> {
        let mut lower = [0; 16];
        let lower = lower.get_mut(..word.len())?;
        lower.copy_from_slice(word);
        lower.make_ascii_lowercase();
        Some(match &*lower {
            b"t" | b"trc" | b"trace" | b"finest" | b"finer" | b"verbose" | b"10" => Level::Trace,
            b"d" | b"dbg" | b"debug" | b"fine" | b"config" | b"20" => Level::Debug,
            b"i" | b"inf" | b"info" | b"information" | b"informational" | b"notice" | b"30" => {
                Level::Info
            }
            b"w" | b"wrn" | b"warn" | b"warning" | b"40" => Level::Warn,
            b"e" | b"err" | b"error" | b"severe" | b"50" => Level::Error,
            b"f" | b"ftl" | b"fatal" | b"crit" | b"critical" | b"alert" | b"emerg"
            | b"emergency" | b"panic" | b"dpanic" | b"60" => Level::Fatal,
            b"unknown" => Level::Unknown,
            _ => return None,
        })
    }

    /// The level of a syslog severity, 0 to 7.
    pub fn of_severity(severity: u8) -> Level {
        match severity {
            0..=2 => Level::Fatal,
            3 => Level::Error,
            4 => Level::Warn,
            5 | 6 => Level::Info,
            7 => Level::Debug,
            8..=u8::MAX => Level::Unknown,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is not a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseLevelError;

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Level, ParseLevelError> {
        Level::read(text.as_bytes()).ok_or(ParseLevelError)
    }
}

impl fmt::Display for ParseLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a level is trace, debug, info, warn, error, fatal or unknown")
    }
}

impl std::error::Error for ParseLevelError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_however_they_are_written() {
        for level in Level::ALL {
            assert_eq!(level.name().parse(), Ok(level));
            assert_eq!(level.name().to_uppercase().parse(), Ok(level));
        }
        for (word, level) in [
            ("WARNING", Level::Warn),
            ("Err", Level::Error),
            ("50", Level::Error),
            ("I", Level::Info),
        ] {
            assert_eq!(word.parse(), Ok(level), "{word}");
        }
        for word in ["", "levels", "70", "informationally-long-word"] {
            assert_eq!(word.parse::<Level>(), Err(ParseLevelError), "{word}");
        }
        assert!(Level::Warn < Level::Error);
    }
}
