//! The page a generator writes on: text, and the list of what was planted in it.

use std::fmt::Display;
use std::io::Write as _;

use crate::lab::corpus::Corpus;
use crate::lab::corpus::Kind;
use crate::text::Span;

/// One planted value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planted {
    /// The line it is on, counted from 0.
    pub line: usize,
    /// Its raw bytes in the whole text.
    pub span: Span,
    /// What it is once decoded.
    pub kind: Kind,
}

/// Text under construction.
#[derive(Clone)]
pub struct Sheet {
    text: Vec<u8>,
    planted: Vec<Planted>,
    line: usize,
    line_start: usize,
    line_bytes: usize,
    planted_tenths: u64,
}

impl std::fmt::Debug for Sheet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sheet({} lines, {} bytes)", self.line, self.text.len())
    }
}

impl Sheet {
    /// An empty page whose lines aim at `line_bytes` on average and hold `planted_tenths` / 10
    /// planted values.
    pub fn new(line_bytes: usize, planted_tenths: u64) -> Sheet {
        Sheet {
            text: Vec::new(),
            planted: Vec::new(),
            line: 0,
            line_start: 0,
            line_bytes,
            planted_tenths,
        }
    }

    /// Writes text in which nothing is planted.
    pub fn put(&mut self, text: impl Display) {
        write!(self.text, "{text}").expect("writing to memory does not fail");
    }

    /// Writes bytes in which nothing is planted.
    pub fn put_bytes(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
    }

    /// Writes a value that must be found.
    pub fn plant(&mut self, kind: Kind, value: impl Display) {
        let start = self.text.len();
        self.put(value);
        let span = Span::new(start, self.text.len());
        self.planted.push(Planted { line: self.line, span, kind });
    }

    /// Bytes in the line so far.
    pub fn line_len(&self) -> usize {
        self.text.len() - self.line_start
    }

    /// How many values this line is to hold, so that the average comes out.
    pub fn planted_wanted(&self) -> u64 {
        let line = self.line as u64;
        (line + 1) * self.planted_tenths / 10 - line * self.planted_tenths / 10
    }

    /// How many bytes this line may still take before the average is met, newline included.
    pub fn room(&self) -> usize {
        (self.line_bytes * (self.line + 1)).saturating_sub(self.text.len() + 1)
    }

    /// True when earlier lines were longer than the average.
    pub fn is_ahead(&self) -> bool {
        self.line_start > self.line_bytes * self.line
    }

    /// Ends the line.
    pub fn end_line(&mut self) {
        self.text.push(b'\n');
        self.line += 1;
        self.line_start = self.text.len();
    }

    /// The finished text.
    pub fn finish(self) -> Corpus {
        Corpus { text: self.text, planted: self.planted, lines: self.line }
    }
}
