//! The only maker of masked text. This stand-in masks a plain `name@host` and nothing else.
#![expect(clippy::indexing_slicing, reason = "a stand-in for the engine")]

use std::collections::BTreeMap;
use std::fmt;

use crate::detect::KindId;
use crate::detect::RuleId;
use crate::detect::Rules;
use crate::pseudonym::Cache;
use crate::pseudonym::Namer;
use crate::text::RawSlice;
use crate::text::RawText;

/// Masks with one set of rules and one key.
#[derive(Debug)]
pub struct Masker {
    rules: Rules,
    namer: Namer,
}

/// One thread's scratch memory.
#[derive(Debug)]
pub struct Worker<'m> {
    masker: &'m Masker,
    cache: Cache,
}

/// State across lines.
#[derive(Clone, Debug, Default)]
pub struct Carry {
    _state: u8,
}

/// Whole lines of a stream.
pub struct Piece {
    bytes: Vec<u8>,
    offset: u64,
}

/// What masking a piece gives.
#[derive(Debug, Default)]
pub struct Masked {
    /// The text.
    pub text: MaskedText,
    /// Counts.
    pub report: Report,
    /// Where values were.
    pub findings: Vec<Finding>,
}

/// Text that may leave.
#[derive(Debug, Default)]
pub struct MaskedText(Vec<u8>);

/// Where a value was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// First byte, in the stream.
    pub offset: u64,
    /// Bytes masked.
    pub len: u64,
    /// Its kind.
    pub kind: KindId,
    /// Who found it.
    pub rule: RuleId,
}

/// Counts of what was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Lines.
    pub lines: u64,
    /// Bytes in.
    pub bytes_in: u64,
    /// Bytes out.
    pub bytes_out: u64,
    /// Matches by kind.
    pub matches: BTreeMap<String, u64>,
    /// Limits met by name.
    pub limits: BTreeMap<&'static str, u64>,
}

/// Splits a stream into pieces.
pub struct Cutter {
    piece_bytes: usize,
    pending: Vec<u8>,
    offset: u64,
}

/// What comes after what was pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upcoming {
    /// More, at once: only full pieces.
    More,
    /// Nothing for now: every line that may go.
    Idle,
    /// Nothing any more: everything.
    End,
}

impl Masker {
    /// Puts rules and names together.
    pub fn new(rules: Rules, namer: Namer) -> Masker {
        Masker { rules, namer }
    }

    /// Scratch memory for one thread of one call.
    pub fn worker(&self) -> Worker<'_> {
        Worker { masker: self, cache: self.namer.new_cache() }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The name of one value of a kind, normalised as its detectors say; `None` for a kind that
    /// no detector has.
    pub fn name(&self, kind: &str, value: RawSlice<'_>) -> Option<String> {
        if kind != "EMAIL" {
            return None;
        }
        let mut out = Vec::new();
        self.namer.name(kind, &value.expose().to_ascii_lowercase(), &mut out);
        String::from_utf8(out).ok()
    }
}

impl Worker<'_> {
    /// Masks a piece.
    pub fn mask(&mut self, piece: &Piece, _carry: &mut Carry, out: &mut Masked) {
        let bytes = &piece.bytes;
        let word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        let start_len = out.text.0.len();
        let mut copied = 0;
        let mut at = 0;
        while let Some(found) = bytes[at..].iter().position(|byte| *byte == b'@') {
            let middle = at + found;
            let start =
                bytes[..middle].iter().rposition(|byte| !word(*byte)).map_or(0, |at| at + 1);
            let end = bytes[middle + 1..].iter().position(|byte| !word(*byte));
            let end = end.map_or(bytes.len(), |end| middle + 1 + end);
            if self.masker.rules.email && start < middle && middle + 1 < end && start >= copied {
                out.text.0.extend_from_slice(&bytes[copied..start]);
                let value = bytes[start..end].to_ascii_lowercase();
                let text = &mut out.text.0;
                self.masker.namer.name_cached(&mut self.cache, 0, "EMAIL", &value, text);
                copied = end;
                let (kind, rule) = (KindId(0), RuleId(0));
                let offset = piece.offset + start as u64;
                out.findings.push(Finding { offset, len: (end - start) as u64, kind, rule });
                *out.report.matches.entry("EMAIL".to_owned()).or_default() += 1;
            }
            at = end.max(middle + 1);
        }
        out.text.0.extend_from_slice(&bytes[copied..]);
        out.report.lines +=
            bytes.split(|byte| *byte == b'\n').count() as u64 - u64::from(bytes.ends_with(b"\n"));
        out.report.bytes_in += bytes.len() as u64;
        out.report.bytes_out += (out.text.0.len() - start_len) as u64;
    }
}

impl Piece {
    /// Must run after the piece before, with its carry.
    pub fn needs_carry(&self) -> bool {
        self.bytes.first() == Some(&b'~')
    }

    /// Where it starts in its stream.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// True when there is no byte.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

impl Masked {
    /// Makes it empty, keeping its memory.
    pub fn clear(&mut self) {
        self.text.0.clear();
        self.findings.clear();
        self.report = Report::default();
    }
}

impl MaskedText {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Report {
    /// Adds another's counts.
    pub fn merge(&mut self, other: &Report) {
        self.lines += other.lines;
        self.bytes_in += other.bytes_in;
        self.bytes_out += other.bytes_out;
        for (kind, count) in &other.matches {
            *self.matches.entry(kind.clone()).or_default() += count;
        }
        for (limit, count) in &other.limits {
            *self.limits.entry(limit).or_default() += count;
        }
    }
}

impl Cutter {
    /// Cuts pieces of about so many bytes.
    pub fn new(piece_bytes: usize) -> Cutter {
        Cutter { piece_bytes, pending: Vec::new(), offset: 0 }
    }

    /// Takes the next bytes of the stream.
    #[expect(clippy::needless_pass_by_value, reason = "the engine keeps the buffer")]
    pub fn push(&mut self, chunk: RawText) {
        self.pending.extend_from_slice(chunk.expose());
    }

    /// The next piece, until there is none.
    pub fn cut(&mut self, upcoming: Upcoming) -> Option<Piece> {
        let whole = || self.pending.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1);
        let end = match upcoming {
            Upcoming::More if self.pending.len() < self.piece_bytes => None,
            Upcoming::More | Upcoming::Idle => whole(),
            Upcoming::End => Some(self.pending.len()).filter(|len| *len > 0),
        }?;
        let rest = self.pending.split_off(end);
        let bytes = std::mem::replace(&mut self.pending, rest);
        let offset = self.offset;
        self.offset += bytes.len() as u64;
        Some(Piece { bytes, offset })
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Piece({} bytes at {})", self.bytes.len(), self.offset)
    }
}

impl fmt::Debug for Cutter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cutter({} bytes pending)", self.pending.len())
    }
}
