//! From a granule to what may leave of it.

use std::fmt;

use regex::bytes::Regex;
use regex::bytes::RegexBuilder;

use super::pool::Pool;
use super::read::Job;
use super::tally::Tally;
use crate::format::Format;
use crate::format::Moments;
use crate::format::Parser;
use crate::format::Records;
use crate::mask::Carry;
use crate::mask::Check;
use crate::mask::Layout;
use crate::mask::MaskedRecord;
use crate::mask::MaskedRecords;
use crate::mask::Masker;
use crate::mask::Policy;
use crate::mask::RecordMasker;
use crate::mask::Renderer;
use crate::mask::Treatment;
use crate::mask::block_of;
use crate::mask::leaves_open;
use crate::plan::Matching;
use crate::plan::Plan;
use crate::record::Level;
use crate::text::RawText;
use crate::time::TimeRange;
use crate::time::Timestamp;
use crate::time::Zone;
use crate::time::thread_cpu_time;

/// Longest text or expression that is matched.
const MATCH_BYTES_MAX: usize = 1024;
/// Memory of a compiled expression.
const REGEX_BYTES_MAX: usize = 1024 * 1024;
/// Most fields that are selected by.
const SELECTED_MAX: usize = 16;

/// What is wanted of the records that are read, and how it is written.
#[derive(Clone, Debug)]
pub struct Want {
    range: TimeRange,
    select: Vec<Selected>,
    matching: Option<Regex>,
    zone: Zone,
    /// About when the records are read: dates without a year are those before it.
    planned: Timestamp,
    layout: Layout,
}

/// What one field must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Selected {
    /// The record has this level, whatever the field is called.
    Level(Level),
    /// The field of that name holds that value.
    Field(String, String),
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
    /// A part of the selector is no name, `=` and value.
    Select,
    /// More fields are selected by than are allowed.
    TooMany {
        /// How many.
        actual: usize,
    },
    /// A field is selected by that the profile does not trust.
    Untrusted(String),
    /// A level is selected that is none.
    Level,
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
    /// What a plan's request wants, under a policy; it is written in `layout`.
    ///
    /// # Errors
    ///
    /// [`WantError`].
    pub fn of(
        plan: &Plan,
        policy: &Policy,
        layout: Layout,
        planned: Timestamp,
    ) -> Result<Want, WantError> {
        let request = plan.request();
        Ok(Want {
            range: plan.range(),
            select: select(request.select.as_deref().unwrap_or(""), policy)?,
            matching: request.matching.as_ref().map(matcher).transpose()?,
            zone: request.zone.parse().unwrap_or(Zone::UTC),
            planned,
            layout,
        })
    }

    /// True when the trusted fields of a record hold what was asked for.
    fn selects(&self, record: &MaskedRecord<'_>) -> bool {
        self.select.iter().all(|selected| match selected {
            Selected::Level(level) => record.level() == *level,
            Selected::Field(name, value) => {
                record.field(name).is_some_and(|field| field.value == value.as_bytes())
            }
        })
    }
}

/// Reads `service=checkout,level=error`. A field that is not trusted holds what was masked, and what
/// it held before is nobody's to try.
fn select(text: &str, policy: &Policy) -> Result<Vec<Selected>, WantError> {
    let parts: Vec<&str> = text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    if parts.len() > SELECTED_MAX {
        return Err(WantError::TooMany { actual: parts.len() });
    }
    let one = |part: &str| {
        let (name, value) = part.split_once('=').ok_or(WantError::Select)?;
        let (name, value) = (name.trim(), value.trim());
        if name.is_empty() || value.is_empty() {
            return Err(WantError::Select);
        }
        match policy.treatment(name) {
            Treatment::Trusted(Check::Level) => {
                Ok(Selected::Level(value.parse().map_err(|_| WantError::Level)?))
            }
            Treatment::Trusted(_) => Ok(Selected::Field(name.to_owned(), value.to_owned())),
            Treatment::Allow { .. } | Treatment::Redact | Treatment::Withhold => {
                Err(WantError::Untrusted(name.to_owned()))
            }
        }
    };
    parts.into_iter().map(one).collect()
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
    plan: &'m Plan,
    want: &'m Want,
    masker: RecordMasker<'m>,
    renderer: Renderer,
    /// The slice whose records it reads, and how.
    parser: Option<(u32, Parser)>,
    records: Records,
    masked: MaskedRecords,
    kept: Vec<usize>,
    block: RawText,
    /// Memory of batches that were written.
    memory: &'m Pool,
}

impl<'m> Mill<'m> {
    pub(super) fn new(
        masker: &'m Masker,
        policy: &'m Policy,
        plan: &'m Plan,
        want: &'m Want,
        memory: &'m Pool,
    ) -> Mill<'m> {
        Mill {
            plan,
            want,
            masker: masker.record_masker(policy),
            renderer: Renderer::new(want.layout, want.zone),
            parser: None,
            records: Records::new(),
            masked: MaskedRecords::new(),
            kept: Vec::new(),
            block: RawText::default(),
            memory,
        }
    }

    /// Masks a granule and keeps what is wanted of it.
    pub(super) fn mill(&mut self, job: &Job) -> Batch {
        let began = thread_cpu_time();
        let mut batch = Batch { text: self.memory.take(), ..Batch::default() };
        let mut block = std::mem::take(&mut self.block);
        let before = job.before.as_ref().map(|held| &held.granule.text);
        let mut parser = self.parser_of(job.step.slice);
        let format = parser.format();
        let mut carry = Carry::default();
        if let Some(before) = before.filter(|before| leaves_open(before)) {
            // What it holds is served with it; here it is what a key block began in.
            block_of(format, None, before, false, &mut block);
            self.mask(&mut parser, &block, &mut carry);
        }
        block_of(format, before, &job.body.granule.text, job.behind.is_none(), &mut block);
        self.mask(&mut parser, &block, &mut carry);
        self.block = block;
        self.keep(job.step.slice, &mut batch.tally);
        self.write(&mut batch);
        batch.tally.report.merge(self.masked.report());
        batch.tally.fields.merge(self.masked.counts());
        batch.tally.spent(format, job.body.granule.bytes, thread_cpu_time().saturating_sub(began));
        self.parser = Some((job.step.slice, parser));
        batch
    }

    fn mask(&mut self, parser: &mut Parser, block: &RawText, carry: &mut Carry) {
        parser.parse(block.as_slice(), &mut self.records);
        let (text, names) = (parser.text(block.as_slice()), parser.names());
        self.masker.mask(text, names, &self.records, carry, &mut self.masked);
    }

    /// The parser of a slice: names are learned for each file anew. One that joins parts remembers
    /// what the block before has left open, and that is not the one that this thread had before.
    fn parser_of(&mut self, slice: u32) -> Parser {
        if let Some((at, parser)) = self.parser.take()
            && at == slice
            && !matches!(parser.format(), Format::Cri | Format::DockerJson)
        {
            return parser;
        }
        let found = usize::try_from(slice).ok().and_then(|at| self.plan.slices().get(at));
        let format = found.and_then(|slice| slice.format.parse().ok()).unwrap_or(Format::Plain);
        Parser::new(format, Moments::new(self.want.zone, self.want.planned))
    }

    /// Finds the records that are wanted. One without a time has that of the one before it, or, where
    /// there is none, of the one behind.
    fn keep(&mut self, slice: u32, tally: &mut Tally) {
        self.kept.clear();
        let mut time = self.masked.iter().find_map(|record| record.timestamp());
        for (at, record) in self.masked.iter().enumerate() {
            tally.records += 1;
            time = record.timestamp().or(time);
            match time {
                Some(moment) if !self.want.range.contains(moment) => tally.out_of_range += 1,
                _ if !self.want.selects(&record) => tally.unwanted += 1,
                Some(_) => self.kept.push(at),
                None => {
                    tally.without_time += 1;
                    self.kept.push(at);
                }
            }
        }
        if self.plan.is_backward(slice) {
            self.kept.reverse();
        }
    }

    /// Writes the records that were kept, if they match.
    fn write(&mut self, batch: &mut Batch) {
        for at in &self.kept {
            let Some(record) = self.masked.get(*at) else { continue };
            let matching = self.want.matching.as_ref();
            if matching.is_some_and(|regex| !regex.is_match(record.line())) {
                batch.tally.unwanted += 1;
                continue;
            }
            self.renderer.record(&record, &mut batch.text);
            batch.ends.push(batch.text.len());
        }
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
            WantError::Select => f.write_str("a selector is as in 'service=checkout,level=error'"),
            WantError::TooMany { actual } => {
                write!(f, "the selector has {actual} fields, at most {SELECTED_MAX} are allowed")
            }
            WantError::Untrusted(name) => write!(
                f,
                "field '{name}' is not one that the profile trusts: --match finds masked text"
            ),
            WantError::Level => {
                f.write_str("a level is trace, debug, info, warn, error, fatal or unknown")
            }
        }
    }
}

impl std::error::Error for WantError {}
