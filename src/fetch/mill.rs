//! From a granule to what may leave of it.

use std::fmt;

use regex::bytes::Regex;
use regex::bytes::RegexBuilder;

use super::read::Job;
use super::tally::Tally;
use crate::mask::Carry;
use crate::mask::Masked;
use crate::mask::Masker;
use crate::mask::Worker;
use crate::mask::pieces_between;
use crate::plan::Matching;
use crate::plan::Order;
use crate::plan::Plan;

/// Longest text or expression that is matched.
const MATCH_BYTES_MAX: usize = 1024;
/// Memory of a compiled expression.
const REGEX_BYTES_MAX: usize = 1024 * 1024;
/// Text that is masked at a time.
const PIECE_LEN: usize = 256 * 1024;

/// What is wanted of the records that are read.
#[derive(Clone, Debug)]
pub struct Want {
    matching: Option<Regex>,
    order: Order,
}

/// What is wanted cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantError {
    /// The text to match is empty or too long.
    MatchLength {
        /// Its length in bytes.
        actual: usize,
    },
    /// The expression cannot be read, or needs too much memory.
    Regex,
}

/// Records of one granule, written as they leave.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// The records, one behind the other.
    pub(super) text: Vec<u8>,
    /// Where each ends.
    pub(super) ends: Vec<usize>,
    /// What was done.
    pub(super) tally: Tally,
}

impl Want {
    /// What a plan's request wants.
    ///
    /// # Errors
    ///
    /// [`WantError`].
    pub fn of(plan: &Plan) -> Result<Want, WantError> {
        let request = plan.request();
        let matching = request.matching.as_ref().map(matcher).transpose()?;
        Ok(Want { matching, order: request.order })
    }
}

fn matcher(matching: &Matching) -> Result<Regex, WantError> {
    let (text, escaped) = match matching {
        Matching::Text(text) => (text, regex::escape(text)),
        Matching::Regex(text) => (text, text.clone()),
    };
    if text.is_empty() || text.len() > MATCH_BYTES_MAX {
        return Err(WantError::MatchLength { actual: text.len() });
    }
    let mut builder = RegexBuilder::new(&escaped);
    builder.size_limit(REGEX_BYTES_MAX).dfa_size_limit(REGEX_BYTES_MAX);
    builder.build().map_err(|_| WantError::Regex)
}

/// One thread's memory.
pub(super) struct Mill<'m> {
    worker: Worker<'m>,
    want: &'m Want,
    masked: Masked,
}

impl<'m> Mill<'m> {
    pub(super) fn new(masker: &'m Masker, want: &'m Want) -> Mill<'m> {
        Mill { worker: masker.worker(), want, masked: Masked::default() }
    }

    /// Masks a granule and keeps what is wanted of it.
    pub(super) fn mill(&mut self, job: &Job) -> Batch {
        let body = &job.body.granule.text;
        let before = job.before.as_ref().map(|held| &held.granule.text);
        let behind = job.behind.as_ref().map(|held| &held.granule.text);
        let mut carry = Carry::default();
        let mut lines = Vec::with_capacity(body.len() + body.len() / 8);
        let mut batch = Batch::default();
        for piece in pieces_between(before, body, behind, PIECE_LEN) {
            if !piece.needs_carry() {
                carry = Carry::default();
            }
            self.worker.mask(&piece, &mut carry, &mut self.masked);
            lines.extend_from_slice(self.masked.text.as_bytes());
            batch.tally.report.merge(&self.masked.report);
        }
        let mut rows: Vec<&[u8]> = lines.split_inclusive(|byte| *byte == b'\n').collect();
        if self.want.order == Order::NewestFirst {
            rows.reverse();
        }
        for row in rows {
            batch.tally.records += 1;
            if self.want.matching.as_ref().is_some_and(|regex| !regex.is_match(row)) {
                batch.tally.unwanted += 1;
                continue;
            }
            batch.text.extend_from_slice(row);
            if row.last() != Some(&b'\n') {
                batch.text.push(b'\n');
            }
            batch.ends.push(batch.text.len());
        }
        batch
    }
}

impl fmt::Display for WantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WantError::MatchLength { actual } => {
                write!(f, "the text to match has {actual} bytes, expected 1 to {MATCH_BYTES_MAX}")
            }
            WantError::Regex => f.write_str(
                "--match-re is not a regular expression, or one that needs more than 1 MiB",
            ),
        }
    }
}

impl std::error::Error for WantError {}
