//! What came from a source and may not leave.
//!
//! [`RawText`] owns bytes as a source sent them, [`RawSlice`] borrows a part of one, [`Span`] is a
//! pair of byte offsets into either.
//!
//! # Promise
//! None of them can be printed, serialised or compared in an error message: `Debug` shows lengths.
//!
//! # Not here
//! What the text means (`detect`), and how it becomes text that may leave (`mask`).

use std::fmt;

/// Bytes as a source sent them: one buffer, usually many records, valid UTF-8 or not.
///
/// Has no `Display` and no `Serialize`, and its `Debug` prints only its length, so that a log
/// line, an error or a response cannot carry it by accident.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct RawText(Vec<u8>);

/// A borrowed part of raw text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RawSlice<'t>(&'t [u8]);

/// Byte offsets into raw text, end exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl RawText {
    /// Wraps bytes that have not been masked.
    pub fn new(bytes: Vec<u8>) -> RawText {
        RawText(bytes)
    }

    /// A copy of a part of other raw text.
    pub fn from_slice(part: RawSlice<'_>) -> RawText {
        RawText(part.0.to_vec())
    }

    /// Becomes a copy of these parts, one behind the other, in the memory that it has.
    pub fn replace(&mut self, parts: &[RawSlice<'_>]) {
        self.0.clear();
        parts.iter().for_each(|part| self.0.extend_from_slice(part.0));
    }

    /// Its memory without a byte in it, to be used again.
    pub fn into_memory(mut self) -> Vec<u8> {
        self.0.clear();
        self.0
    }

    /// All of it, borrowed.
    pub fn as_slice(&self) -> RawSlice<'_> {
        RawSlice(&self.0)
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True when there is no byte.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The bytes themselves. Every caller is a place to review.
    pub fn expose(&self) -> &[u8] {
        &self.0
    }
}

impl<'t> RawSlice<'t> {
    /// Borrows bytes that have not been masked.
    pub fn new(bytes: &'t [u8]) -> RawSlice<'t> {
        RawSlice(bytes)
    }

    /// The number of bytes.
    pub fn len(self) -> usize {
        self.0.len()
    }

    /// True when there is no byte.
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The bytes themselves. Every caller is a place to review.
    pub fn expose(self) -> &'t [u8] {
        self.0
    }
}

impl Span {
    /// The bytes from `start` up to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// The number of bytes.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// True when there is no byte.
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }
}

impl fmt::Debug for RawText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawText({} bytes)", self.0.len())
    }
}

impl fmt::Debug for RawSlice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawSlice({} bytes)", self.0.len())
    }
}
