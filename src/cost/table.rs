//! What a calibration gave, as a file: integers in base units, the human form in a comment.

use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;
use std::time::Duration;

use serde::Deserialize;

use super::rate::Rate;
use crate::time::civil_text;

/// A table older than this is not believed: a month brings another kernel or another neighbour.
pub const TABLE_AGE_MAX: Duration = Duration::from_hours(24 * 30);
/// Most formats in a table.
const FORMATS_MAX: usize = 64;
const VERSION: u32 = 1;

/// Rates of one machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What tells this machine and program from others.
    pub machine: String,
    /// When it was measured, since 1970.
    pub measured: Duration,
    /// Text of any kind: the fixed mixed corpus.
    pub mixed: Rate,
    /// The slowest corpus.
    pub worst: Rate,
    /// Spread of the passes over the mixed corpus, in thousandths of their mean.
    pub spread_permille: u64,
    /// By format.
    pub formats: BTreeMap<String, Rate>,
}

/// A text that is no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseTableError {
    /// It does not have the form.
    Form(String),
    /// It was written by another version.
    Version(u32),
    /// A number is out of range.
    Range(&'static str),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    version: u32,
    machine: String,
    measured_s: u64,
    mixed_ps_per_byte: u64,
    worst_ps_per_byte: u64,
    spread_permille: u64,
    formats_ps_per_byte: BTreeMap<String, u64>,
}

impl Table {
    /// The rate of a format, or that of text of any kind.
    pub fn rate(&self, format: &str) -> Rate {
        self.formats.get(format).copied().unwrap_or(self.mixed)
    }

    /// Reads a table.
    ///
    /// # Errors
    ///
    /// [`ParseTableError`] when it is none that can be believed.
    pub fn parse(text: &str) -> Result<Table, ParseTableError> {
        let raw: Raw = toml::from_str(text)
            .map_err(|error| ParseTableError::Form(error.message().to_owned()))?;
        if raw.version != VERSION {
            return Err(ParseTableError::Version(raw.version));
        }
        if raw.mixed_ps_per_byte == 0 || raw.formats_ps_per_byte.values().any(|rate| *rate == 0) {
            return Err(ParseTableError::Range("a rate of 0"));
        }
        if raw.worst_ps_per_byte < raw.mixed_ps_per_byte {
            return Err(ParseTableError::Range("a worst case that is faster than the mixed text"));
        }
        if raw.formats_ps_per_byte.len() > FORMATS_MAX {
            return Err(ParseTableError::Range("more than 64 formats"));
        }
        let formats = raw.formats_ps_per_byte.into_iter();
        Ok(Table {
            machine: raw.machine,
            measured: Duration::from_secs(raw.measured_s),
            mixed: Rate::picoseconds(raw.mixed_ps_per_byte),
            worst: Rate::picoseconds(raw.worst_ps_per_byte),
            spread_permille: raw.spread_permille,
            formats: formats.map(|(name, rate)| (name, Rate::picoseconds(rate))).collect(),
        })
    }

    /// The table as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |words: fmt::Arguments<'_>| {
            text.write_fmt(words).and_then(|()| text.write_char('\n')).unwrap_or(());
        };
        line(format_args!("# What masking costs on this machine. Written by `locklog calibrate`."));
        line(format_args!("version = {VERSION}"));
        line(format_args!("machine = {}", toml_string(&self.machine)));
        let seconds = self.measured.as_secs();
        line(format_args!("measured_s = {seconds} # {}", civil_text(self.measured)));
        line(format_args!("mixed_ps_per_byte = {} # {}", self.mixed.get(), self.mixed));
        line(format_args!("worst_ps_per_byte = {} # {}", self.worst.get(), self.worst));
        line(format_args!("spread_permille = {}", self.spread_permille));
        line(format_args!("\n[formats_ps_per_byte]"));
        for (format, rate) in &self.formats {
            line(format_args!("{} = {} # {rate}", toml_string(format), rate.get()));
        }
        text
    }
}

/// A basic string. Names of machines and formats are plain; what is not is left out.
fn toml_string(text: &str) -> String {
    let plain = |c: &char| (' '..='~').contains(c) && *c != '"' && *c != '\\';
    format!("\"{}\"", text.chars().filter(plain).collect::<String>())
}

impl fmt::Display for ParseTableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseTableError::Form(problem) => f.write_str(problem),
            ParseTableError::Version(found) => write!(f, "version {found}, expected {VERSION}"),
            ParseTableError::Range(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for ParseTableError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table {
            machine: "vendor-cpu-2cpu-0123".to_owned(),
            measured: Duration::from_secs(1_796_083_200),
            mixed: Rate::picoseconds(1_500),
            worst: Rate::picoseconds(20_000),
            spread_permille: 31,
            formats: BTreeMap::from([("json".to_owned(), Rate::picoseconds(1_200))]),
        }
    }

    #[test]
    fn a_table_reads_back() {
        assert_eq!(Table::parse(&table().text()).unwrap(), table());
        assert!(table().text().contains("# 2026-12-01T00:00:00Z"), "{}", table().text());
        assert_eq!(table().rate("json").get(), 1_200);
        assert_eq!(table().rate("logfmt").get(), 1_500);
    }

    #[test]
    fn what_cannot_be_believed_is_refused() {
        let text = table().text();
        for (from, to) in [
            ("version = 1", "version = 2"),
            ("mixed_ps_per_byte = 1500", "mixed_ps_per_byte = 0"),
            ("mixed_ps_per_byte = 1500", "mixed_ps_per_byte = 30000"),
            ("spread_permille", "spread_percent"),
            ("= 1200", "= -1"),
        ] {
            assert!(Table::parse(&text.replace(from, to)).is_err(), "{to}");
        }
    }
}
