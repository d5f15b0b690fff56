//! Records and fields of log formats, as spans of raw bytes.
//!
//! A [`Parser`] reads a block of whole lines in one [`Format`] and fills [`Records`]: for each record
//! its lines, its moment, its level and its fields, all as places in the block. [`cut()`] says how much
//! of a block is whole records, so that the rest can wait for the next one; [`join`] puts together
//! what a container runtime has split. JSON is read by a walker of our own over bitmaps of quotes
//! (`simd`); records that are not plainly simple are judged by `serde_json`, and where the two differ
//! the record is taken for one that cannot be read.
//!
//! # Promise
//! Spans lie inside the block, ascend, and never cut a line of another record; every byte of a block
//! belongs to one record; the same stream gives the same records however it was cut into blocks.
//! Time is linear in the text, and memory is bounded by named limits.
//!
//! # Not here
//! What may be shown of a field (`mask`), and where blocks come from (`source`).

#![expect(
    clippy::cast_possible_truncation,
    reason = "a block is at most BLOCK_LEN_MAX bytes, which fits 32 bits; lesser numbers have limits"
)]

mod access;
mod container;
mod cut;
mod detect;
mod json;
mod judge;
mod klog;
mod logfmt;
mod moment;
mod names;
mod parser;
mod plain;
mod records;
mod syslog;

use std::fmt;
use std::str::FromStr;

use crate::text::RawSlice;

pub use container::Joined;
pub use container::join;
pub use cut::More;
pub use cut::RECORD_LEN_MAX;
pub use cut::RECORD_LINES_MAX;
pub use cut::cut;
pub use json::DEPTH_MAX;
pub use json::decode as decode_string;
pub use moment::Moments;
pub use names::NAMES_MAX;
pub use names::NameId;
pub use names::Names;
pub use parser::Parser;
pub use records::BLOCK_LEN_MAX;
pub use records::Entry;
pub use records::FIELDS_MAX;
pub use records::Field;
pub use records::Parent;
pub use records::Records;
pub use records::Shape;
pub use records::Step;
pub use records::ValueKind;

/// How the records of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// An object of JSON a line.
    Json,
    /// `name=value` pairs.
    Logfmt,
    /// Common and combined access logs of nginx and Apache.
    Access,
    /// Syslog as RFC 3164 has it, with or without its priority.
    Syslog3164,
    /// Syslog as RFC 5424 has it.
    Syslog5424,
    /// The lines of a container runtime: time, stream, flag, text.
    Cri,
    /// Docker's json-file: objects with `log`, `stream` and `time`.
    DockerJson,
    /// Kubernetes' own programs.
    Klog,
    /// Lines of text.
    Plain,
}

/// A text that is not the name of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseFormatError;

impl Format {
    /// All formats.
    pub const ALL: [Format; 9] = [
        Format::Json,
        Format::Logfmt,
        Format::Access,
        Format::Syslog3164,
        Format::Syslog5424,
        Format::Cri,
        Format::DockerJson,
        Format::Klog,
        Format::Plain,
    ];

    /// Its name, as `--format` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Logfmt => "logfmt",
            Format::Access => "access",
            Format::Syslog3164 => "syslog-3164",
            Format::Syslog5424 => "syslog-5424",
            Format::Cri => "cri",
            Format::DockerJson => "docker-json",
            Format::Klog => "klog",
            Format::Plain => "plain",
        }
    }

    /// The format of a file that begins with `head`: the one that most of its first lines are
    /// written in, plain where that is none.
    pub fn detect(head: &[u8]) -> Format {
        detect::detect(head)
    }

    /// The same of raw text.
    pub fn detect_in(head: RawSlice<'_>) -> Format {
        detect::detect(head.expose())
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<Format, ParseFormatError> {
        Format::ALL.into_iter().find(|format| format.name() == text).ok_or(ParseFormatError)
    }
}

impl fmt::Display for ParseFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a format is one of")?;
        Format::ALL.iter().try_for_each(|format| write!(f, " {format}"))
    }
}

impl std::error::Error for ParseFormatError {}

/// The bytes of a part of a block; none where it lies outside.
fn part(text: &[u8], start: usize, end: usize) -> &[u8] {
    text.get(start..end).unwrap_or(&[])
}

/// The byte at a place, or a line end where there is none.
#[inline]
fn at(text: &[u8], place: usize) -> u8 {
    text.get(place).copied().unwrap_or(b'\n')
}

#[cfg(test)]
mod tests;
