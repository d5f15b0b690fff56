//! What a masking pass did, without a value in it.

use crate::detect::KindId;
use crate::detect::Limits;
use crate::detect::RuleId;
use crate::detect::Rules;

/// A value that was masked: where, how long, what. Never the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Bytes before it in the stream.
    pub offset: u64,
    /// Its length in bytes.
    pub len: u64,
    /// Its kind.
    pub kind: KindId,
    /// The detector.
    pub rule: RuleId,
}

/// Sums over pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Line ends read.
    pub lines: u64,
    /// Bytes read.
    pub bytes_in: u64,
    /// Bytes written.
    pub bytes_out: u64,
    /// Values masked, by the place of their kind.
    pub matches: Vec<u64>,
    /// Markers of this key that were left alone.
    pub markers: u64,
    /// Spans masked wider than needed because they were encoded in more layers than are undone.
    pub nesting_limit: u64,
    /// Spans cut at the longest length of a match.
    pub length_limit: u64,
}

impl Report {
    /// Adds the sums of `other`.
    pub fn merge(&mut self, other: &Report) {
        self.lines += other.lines;
        self.bytes_in += other.bytes_in;
        self.bytes_out += other.bytes_out;
        self.markers += other.markers;
        self.nesting_limit += other.nesting_limit;
        self.length_limit += other.length_limit;
        if self.matches.len() < other.matches.len() {
            self.matches.resize(other.matches.len(), 0);
        }
        for (sum, more) in self.matches.iter_mut().zip(&other.matches) {
            *sum += more;
        }
    }

    /// The kinds that were masked, and how often.
    pub fn named<'r>(&self, rules: &'r Rules) -> impl Iterator<Item = (&'r str, u64)> {
        rules.kinds().zip(self.matches.clone()).filter(|(_, count)| *count > 0)
    }

    /// The limits that can be met, and how often each was.
    pub fn limits(&self) -> impl Iterator<Item = (&'static str, u64)> {
        [("encoding_layers", self.nesting_limit), ("match_length", self.length_limit)].into_iter()
    }

    /// Forgets all sums, keeping the memory.
    pub fn clear(&mut self) {
        let mut matches = std::mem::take(&mut self.matches);
        matches.clear();
        *self = Report { matches, ..Report::default() };
    }

    pub(super) fn count(&mut self, kind: KindId) {
        let place = usize::from(kind.0);
        if self.matches.len() <= place {
            self.matches.resize(place + 1, 0);
        }
        if let Some(sum) = self.matches.get_mut(place) {
            *sum += 1;
        }
    }

    pub(super) fn add_limits(&mut self, limits: Limits) {
        self.nesting_limit += limits.nesting;
        self.length_limit += limits.length;
    }
}
