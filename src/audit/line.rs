//! One line of the trail: how it is written, and how it is read again.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;
use serde::Serialize;

use super::entry::Action;
use super::entry::Outcome;
use crate::id::ActorId;
use crate::id::CallId;
use crate::time::Moment;
use crate::time::civil_text;

/// Longest line, its line feed included: several notes and a few hundred kinds.
pub const LINE_BYTES_MAX: usize = 32 * 1024;
/// The version of the form of a line.
const VERSION: u8 = 1;

/// The hash of a line's bytes, line feed included: what the next line holds, and what an anchor is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hash([u8; 32]);

/// Where a trail ends: the next line continues from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// Lines written.
    pub(super) seq: u64,
    /// The hash of the last one.
    pub(super) hash: Hash,
}

/// What a line says, to be written.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(super) enum Said<'e> {
    /// Something is about to happen.
    Begin {
        call: CallId,
        actor: ActorId,
        #[serde(flatten)]
        what: &'e Action,
    },
    /// It has happened.
    End {
        call: CallId,
        actor: ActorId,
        #[serde(flatten)]
        how: &'e Outcome,
        elapsed_ms: u64,
    },
    /// The keyed hash of everything before.
    Checkpoint { mac: Hash },
    /// Between the line before and this one lie so many bytes that a crash cut off.
    Torn { bytes: u64, torn: Hash },
    /// The other sink does not take lines.
    SinkFailed,
    /// A file was full; this is the first line of the next.
    Rotated,
}

#[derive(Serialize)]
struct Written<'e> {
    v: u8,
    seq: u64,
    ts: String,
    prev: Hash,
    #[serde(flatten)]
    said: &'e Said<'e>,
}

/// What is read of a line again: enough to follow the chain and the calls.
#[derive(Debug, Deserialize)]
pub(super) struct ReadLine {
    pub(super) v: u8,
    pub(super) seq: u64,
    pub(super) ts: String,
    pub(super) prev: Hash,
    pub(super) event: Event,
    pub(super) call: Option<CallId>,
    pub(super) actor: Option<ActorId>,
    pub(super) action: Option<String>,
    pub(super) mac: Option<Hash>,
    pub(super) bytes: Option<u64>,
    pub(super) torn: Option<Hash>,
}

/// The kinds of line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Event {
    Begin,
    End,
    Checkpoint,
    Torn,
    SinkFailed,
    Rotated,
}

impl Hash {
    /// Before the first line.
    pub const START: Hash = Hash([0; 32]);

    /// The hash of a line's bytes.
    pub(super) fn of(line: &[u8]) -> Hash {
        Hash(*blake3::hash(line).as_bytes())
    }

    pub(super) const fn from_bytes(bytes: [u8; 32]) -> Hash {
        Hash(bytes)
    }

    pub(super) const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The bytes of the line that continues `from`, line feed included.
pub(super) fn line(from: End, now: &Moment, said: &Said<'_>) -> Vec<u8> {
    let written = Written { v: VERSION, seq: from.seq, ts: stamp(now.wall), prev: from.hash, said };
    // Numbers, ids and strings: there is nothing in it that JSON cannot hold.
    let mut bytes = serde_json::to_vec(&written).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// Reads a line's bytes, without their line feed.
pub(super) fn read(bytes: &[u8]) -> Option<ReadLine> {
    let read: ReadLine = serde_json::from_slice(bytes).ok()?;
    (read.v == VERSION).then_some(read)
}

/// RFC 3339 with milliseconds.
fn stamp(wall: Duration) -> String {
    let text = civil_text(wall);
    format!("{}.{:03}Z", text.trim_end_matches('Z'), wall.subsec_millis())
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({self})")
    }
}

/// A text that is not 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseHashError;

impl FromStr for Hash {
    type Err = ParseHashError;

    fn from_str(text: &str) -> Result<Hash, ParseHashError> {
        blake3::Hash::from_hex(text).map(|hash| Hash(*hash.as_bytes())).map_err(|_| ParseHashError)
    }
}

impl fmt::Display for ParseHashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected 64 hexadecimal digits")
    }
}

impl std::error::Error for ParseHashError {}

impl Serialize for Hash {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Hash, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}
