//! Spike S4: how fast masking can be, over ten corpora, beside peers.
//!
//! [`run`] makes each corpus twice, with distinct values and with values as in real logs, lets the
//! engine and its peers find and name what is in them, checks the answers, and only then times
//! them, all in one run and in rounds. [`Outcome`] is what is printed: `report` writes it as a
//! table, as CSV or as JSON, `record` keeps it in a folder.
//!
//! # Promise
//! **A wrong answer is an error in its row, never a speed**, and the run as a whole has failed.
//!
//! # Not here
//! A rewrite of the text, files and threads: what is timed is finding and naming on one core.

pub mod check;
mod extra;
mod parse;
pub mod record;
pub mod report;
mod row;

use std::collections::BTreeMap;

use anyhow::Context as _;
use serde::Serialize;

use crate::lab::corpus;
use crate::lab::corpus::Definition;
use crate::lab::engine::Engine;
use crate::lab::engine::Naming;
use crate::lab::engine::SECRET_KINDS;
use crate::lab::machine;
use crate::lab::machine::Machine;
use crate::lab::measure::Timed;
use crate::lab::peers;
use crate::lab::peers::Fused;
use crate::lab::peers::OneByOne;
use crate::time::Clock;

pub use extra::Event;
pub use extra::Stability;
pub use parse::ParseRow;

/// Which detectors are timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detectors {
    /// All of them, and once more without those of secrets.
    All,
    /// Those of secrets are left out.
    WithoutSecret,
}

/// Whether peers are timed in the same rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peers {
    /// They are.
    Beside,
    /// They are not.
    Absent,
}

/// What to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The corpora, in order.
    pub corpora: Vec<&'static Definition>,
    /// Lines of each.
    pub lines: usize,
    /// Which columns of the engine.
    pub detectors: Detectors,
    /// Which other columns.
    pub peers: Peers,
}

/// One corpus.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    /// Its name.
    pub corpus: &'static str,
    /// All detectors, values as in real logs.
    pub all_mb_s: Option<f64>,
    /// All detectors, distinct values.
    pub all_cold_mb_s: Option<f64>,
    /// Without the detectors of secrets, values as in real logs.
    pub without_secret_mb_s: Option<f64>,
    /// The published figure with all detectors.
    pub published_mb_s: f64,
    /// The published figure without secrets.
    pub published_without_secret_mb_s: f64,
    /// Peers on the text of `all_mb_s`.
    pub peers: BTreeMap<String, Option<f64>>,
    /// Peers on the text of `all_cold_mb_s`.
    pub peers_cold: BTreeMap<String, Option<f64>>,
    /// Spans a line that each peer found.
    pub peers_matches_per_line: BTreeMap<String, f64>,
    /// `all_mb_s` over that of the fused DFA.
    pub ratio_to_fused_dfa: Option<f64>,
    /// `all_cold_mb_s` over that of the fused DFA on the same text.
    pub ratio_to_fused_dfa_cold: Option<f64>,
    /// Spread of the samples of `all_mb_s`, in percent.
    pub cv_percent: Option<f64>,
    /// Lines made.
    pub lines: usize,
    /// Bytes a line, newline included.
    pub line_bytes: f64,
    /// Matches a line in the published table.
    pub published_matches: f64,
    /// Values planted a line.
    pub planted_matches: f64,
    /// Spans found a line with all detectors.
    pub found_matches: Option<f64>,
    /// Spans found that touch nothing planted, in all.
    pub extra_spans: Option<usize>,
    /// Digest of the text with distinct values, which a rerun must give again.
    pub text_blake3: String,
    /// What was wrong: then the row has no speed where it was.
    pub errors: Vec<String>,
}

/// Everything that a run measured.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// One a corpus.
    pub rows: Vec<Row>,
    /// What it ran on.
    pub machine: Machine,
    /// Parsing alone.
    pub parse: Vec<ParseRow>,
    /// One event of 256 KiB.
    pub event_256k: Option<Event>,
    /// The same work five times.
    pub stability: Option<Stability>,
    /// Nanoseconds for a name that is not in the cache.
    pub name_ns: Option<f64>,
    /// The seed of all corpora.
    pub seed: u64,
    /// What went wrong outside of the rows.
    pub errors: Vec<String>,
    /// All samples, for the record.
    #[serde(skip)]
    pub samples: Vec<(&'static str, Timed)>,
}

impl Outcome {
    /// True when an answer was wrong or missing anywhere.
    pub fn failed(&self) -> bool {
        !self.errors.is_empty()
            || self.rows.iter().any(|row| !row.errors.is_empty())
            || self.parse.iter().any(|row| !row.errors.is_empty())
    }
}

/// What all rows share.
struct Bench {
    all: Engine,
    without_secret: Engine,
    one_by_one: OneByOne,
    fused: Fused,
    naming: Naming,
}

/// Runs the spike on one core; `progress` is told the name of each corpus as it begins.
///
/// # Errors
///
/// When the detectors or the peers' rules do not compile. A wrong answer is no error here but
/// a row of the outcome.
pub fn run(
    options: &Options,
    clock: &dyn Clock,
    progress: &mut dyn FnMut(&str),
) -> anyhow::Result<Outcome> {
    let mut machine = Machine::read();
    machine.pinned_to = machine::pin_to_one_cpu();
    let bench = Bench {
        all: Engine::load(&[]).context("detectors")?,
        without_secret: Engine::load(SECRET_KINDS).context("detectors without secrets")?,
        one_by_one: peers::one_by_one().context("the peers' rules")?,
        fused: peers::fused().context("the peers' rules in one")?,
        naming: Naming::new(),
    };
    let mut outcome = Outcome {
        rows: Vec::new(),
        machine,
        parse: Vec::new(),
        event_256k: None,
        stability: None,
        name_ns: None,
        seed: corpus::SEED,
        errors: Vec::new(),
        samples: Vec::new(),
    };
    for definition in &options.corpora {
        progress(definition.name);
        let (row, timed) = row::measure(definition, options, &bench, clock);
        outcome.rows.push(row);
        outcome.samples.extend(timed.into_iter().map(|timed| (definition.name, timed)));
    }
    if options.detectors == Detectors::All {
        progress("parse only");
        let (rows, timed) = parse::measure(options.lines, clock);
        outcome.parse = rows;
        outcome.samples.extend(timed.into_iter().map(|timed| ("parse", timed)));
        progress("extras");
        extra::measure(&bench, options.lines, clock, &mut outcome);
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests;
