//! Ordinary lines that hold nothing to find, of the many kinds that look as if they did.
//!
//! Versions, clocks, epochs, digests, ids, floats, counters and paths stand where a detector would
//! trip over them. [`KINDS`] names the kinds of line; [`lines`] makes as many as asked for, one
//! kind after the other. **Whatever is found in them is wrong**, so that false spans can be counted
//! by the kind of line and by the kind of span.
//!
//! # Not here
//! Addresses, even of the loopback, and names of people or accounts: masking those is a policy.

mod kinds;

use std::collections::BTreeMap;

use crate::lab::rng::Rng;
use crate::text::Span;

pub use kinds::KINDS;

/// A kind of ordinary line.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    make: fn(&mut Rng) -> String,
}

/// Ordinary lines.
#[derive(Clone)]
pub struct Ordinary {
    /// The bytes, each line ended by a newline.
    pub text: Vec<u8>,
    /// How many lines there are; line n is of kind n modulo the number of [`KINDS`].
    pub lines: usize,
}

impl std::fmt::Debug for Ordinary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ordinary({} lines)", self.lines)
    }
}

/// Makes `count` lines.
pub fn lines(count: usize, seed: u64) -> Ordinary {
    let mut rng = Rng::new(seed);
    let mut text = Vec::with_capacity(count * 110);
    for kind in KINDS.iter().cycle().take(count) {
        text.extend_from_slice((kind.make)(&mut rng).as_bytes());
        text.push(b'\n');
    }
    Ordinary { text, lines: count }
}

/// The kind of the line with this number.
pub fn kind_of(line: usize) -> &'static str {
    KINDS.get(line % KINDS.len()).map_or("", |kind| kind.name)
}

/// Counts spans by the kind of line that they lie on: each of them is a false one.
pub fn false_spans(ordinary: &Ordinary, spans: &[Span]) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    let mut ends = memchr::memchr_iter(b'\n', &ordinary.text);
    let (mut line, mut end) = (0, ends.next().unwrap_or(0));
    for span in spans {
        while span.start > end {
            let Some(next) = ends.next() else { break };
            (line, end) = (line + 1, next);
        }
        *counts.entry(kind_of(line)).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_take_turns_and_repeat_with_the_seed() {
        let first = lines(10_000, 7);
        assert_eq!(first.text, lines(10_000, 7).text);
        assert_ne!(first.text, lines(10_000, 8).text);
        assert_eq!(first.text.iter().filter(|byte| **byte == b'\n').count(), 10_000);
        assert_eq!(kind_of(0), "access");
        assert_eq!(kind_of(KINDS.len() + 1), "json");
        let mut names = std::collections::BTreeSet::new();
        assert!(KINDS.iter().all(|kind| names.insert(kind.name)), "a kind is listed twice");
    }

    #[test]
    fn false_spans_are_counted_by_kind_of_line() {
        let ordinary = lines(KINDS.len() * 2, 7);
        let second = memchr::memchr(b'\n', &ordinary.text).unwrap() + 1;
        let last = ordinary.text.len() - 2;
        let spans = [Span::new(0, 3), Span::new(second, second + 1), Span::new(last, last + 1)];
        let counts = false_spans(&ordinary, &spans);
        let expected = [("access", 1), ("aws-ids", 1), ("json", 1)];
        assert_eq!(counts.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_digest_is_the_recorded_one() {
        let digest = blake3::hash(&lines(100_000, 1).text).to_hex();
        assert_eq!(digest.as_str(), RECORDED);
    }

    /// A change of any generator above must be meant: it changes what was counted.
    const RECORDED: &str = "50bf64563488418dfe9fe84badb1770035c3272a978b6dfee82349181abec1d0";
}
