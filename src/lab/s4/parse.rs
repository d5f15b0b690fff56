//! Parsing alone: the formats' own readers beside `simd-json` and `serde_json`, on the same lines.
//!
//! Before anything is timed, what each reader makes of every line is compared: the same names, the
//! same values.

use std::collections::BTreeMap;

use anyhow::bail;
use serde::Serialize;
use serde_json::Value;

use crate::format::Format;
use crate::format::Moments;
use crate::format::Parser;
use crate::format::Records;
use crate::format::Shape;
use crate::format::Step;
use crate::format::ValueKind;
use crate::format::decode_string;
use crate::lab::corpus;
use crate::lab::corpus::Mode;
use crate::lab::measure;
use crate::lab::measure::Contender;
use crate::lab::measure::Found;
use crate::lab::measure::Job;
use crate::lab::measure::Timed;
use crate::text::RawSlice;
use crate::time::Clock;
use crate::time::Timestamp;
use crate::time::Zone;

/// 2026-12-01T00:00:00Z, for dates without a year.
const REFERENCE: Timestamp = Timestamp::from_nanoseconds(1_796_083_200_000_000_000);

/// Speeds of parsing one corpus.
#[derive(Clone, Debug, Serialize)]
pub struct ParseRow {
    /// The corpus.
    pub corpus: &'static str,
    /// Fields that were read, in all.
    pub fields: usize,
    /// Million bytes a second: ours.
    pub ours_mb_s: Option<f64>,
    /// The tape of `simd-json`, its buffers used again, on a copy of each line, which it changes.
    pub simd_json_tape_mb_s: Option<f64>,
    /// Values of `serde_json`.
    pub serde_json_mb_s: Option<f64>,
    /// Ours over the tape.
    pub ratio_to_tape: Option<f64>,
    /// The published figure.
    pub published_mb_s: f64,
    /// What was wrong.
    pub errors: Vec<String>,
}

/// Measures both corpora.
pub(super) fn measure(lines: usize, clock: &dyn Clock) -> (Vec<ParseRow>, Vec<Timed>) {
    let mut rows = Vec::new();
    let mut all = Vec::new();
    for (name, format, published_mb_s) in
        [("nginx", Format::Access, 160.0), ("json", Format::Json, 80.0)]
    {
        let mut row = ParseRow {
            corpus: name,
            fields: 0,
            ours_mb_s: None,
            simd_json_tape_mb_s: None,
            serde_json_mb_s: None,
            ratio_to_tape: None,
            published_mb_s,
            errors: Vec::new(),
        };
        match timed(name, format, lines, clock) {
            Ok((fields, timed)) => {
                row.fields = fields;
                fill(&mut row, &timed);
                all.extend(timed);
            }
            Err(error) => row.errors.push(error.to_string()),
        }
        rows.push(row);
    }
    (rows, all)
}

fn fill(row: &mut ParseRow, timed: &[Timed]) {
    for timed in timed {
        if let Err(error) = &timed.samples {
            row.errors.push(format!("{}: {error}", timed.label));
        }
        let speed = timed.mb_s().map(|mb_s| (mb_s * 10.0).round() / 10.0);
        match timed.label.as_str() {
            "ours" => row.ours_mb_s = speed,
            "simd-json" => row.simd_json_tape_mb_s = speed,
            _ => row.serde_json_mb_s = speed,
        }
    }
    row.ratio_to_tape = row
        .ours_mb_s
        .zip(row.simd_json_tape_mb_s)
        .map(|(ours, tape)| (ours / tape * 100.0).round() / 100.0);
}

fn timed(
    name: &str,
    format: Format,
    lines: usize,
    clock: &dyn Clock,
) -> anyhow::Result<(usize, Vec<Timed>)> {
    let Some(definition) = corpus::find(name) else { bail!("no corpus {name}") };
    let corpus = corpus::generate(definition, lines, Mode::Cold, corpus::SEED);
    let fields = match format {
        Format::Json => agree(&corpus.text)?,
        _ => whole(format, &corpus.text)?,
    };
    let mut contenders: Vec<(&str, Box<dyn Contender>)> =
        vec![("ours", Box::new(Ours::new(format)))];
    if format == Format::Json {
        contenders.push(("simd-json", Box::new(Tape::default())));
        contenders.push(("serde-json", Box::new(Serde)));
    }
    let mut jobs = Vec::new();
    for (label, mut contender) in contenders {
        let mut found = Found::default();
        contender.pass(&corpus.text, &mut found)?;
        let (label, expected) = (label.to_owned(), found.digest());
        jobs.push(Job { label, text: &corpus.text, contender, expected });
    }
    Ok((fields, measure::interleave(&mut jobs, clock)))
}

/// Lines of the form are read as such, and their fields cover all of them but marks between.
fn whole(format: Format, text: &[u8]) -> anyhow::Result<usize> {
    let mut ours = Ours::new(format);
    ours.parser.parse(RawSlice::new(text), &mut ours.records);
    let mut fields = 0;
    for (at, entry) in ours.records.entries().iter().enumerate() {
        let list = ours.records.fields(entry);
        let covered: usize = list.iter().map(|field| field.value().len()).sum();
        let marks = entry.span().len() - covered;
        if entry.shape != Shape::Fields || entry.timestamp.is_none() || marks > 2 * list.len() + 2 {
            bail!("line {} was not read as {format}", at + 1);
        }
        fields += list.len();
    }
    Ok(fields)
}

/// The three readers find the same names and values on every line.
fn agree(text: &[u8]) -> anyhow::Result<usize> {
    let mut ours = Ours::new(Format::Json);
    ours.parser.parse(RawSlice::new(text), &mut ours.records);
    let lines: Vec<&[u8]> =
        text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    if lines.len() != ours.records.entries().len() {
        bail!("{} records of {} lines", ours.records.entries().len(), lines.len());
    }
    let mut fields = 0;
    for (at, (line, entry)) in lines.iter().zip(ours.records.entries()).enumerate() {
        let mut expected = BTreeMap::new();
        flatten("", &serde_json::from_slice(line)?, &mut expected);
        let mut copy = line.to_vec();
        let tape: Value = serde_json::from_str(&tape_text(&mut copy)?)?;
        let mut of_tape = BTreeMap::new();
        flatten("", &tape, &mut of_tape);
        let mut found = BTreeMap::new();
        for field in ours.records.fields(entry) {
            let span = field.value();
            let bytes = text.get(span.start..span.end).unwrap_or(&[]);
            let value = match field.kind {
                ValueKind::Plain | ValueKind::Escaped => {
                    let mut decoded = Vec::new();
                    decode_string(bytes, &mut decoded);
                    Value::String(String::from_utf8(decoded)?)
                }
                _ => serde_json::from_slice(bytes)?,
            };
            if matches!(field.step, Step::Index(_)) {
                bail!("line {} has a list, which this check does not know", at + 1);
            }
            found.insert(ours.parser.names().full(field.name).to_owned(), value);
        }
        if found != expected || of_tape != expected {
            bail!("line {} is read differently by one of the readers", at + 1);
        }
        fields += found.len();
    }
    Ok(fields)
}

fn tape_text(line: &mut [u8]) -> anyhow::Result<String> {
    use simd_json::prelude::Writable as _;
    Ok(simd_json::to_owned_value(line)?.encode())
}

fn flatten(path: &str, value: &Value, out: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(object) if !object.is_empty() => {
            for (key, value) in object {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                flatten(&path, value, out);
            }
        }
        value => {
            out.insert(path.to_owned(), value.clone());
        }
    }
}

struct Ours {
    parser: Parser,
    records: Records,
}

impl Ours {
    fn new(format: Format) -> Ours {
        let moments = Moments::new(Zone::UTC, REFERENCE);
        Ours { parser: Parser::new(format, moments), records: Records::new() }
    }
}

impl Contender for Ours {
    fn pass(&mut self, text: &[u8], found: &mut Found) -> anyhow::Result<()> {
        // As large as the granules of a scan: what was read stays in the caches.
        let mut rest = text;
        let (mut entries, mut fields) = (0, 0);
        while !rest.is_empty() {
            let head = rest.get(..GRANULE.min(rest.len())).unwrap_or(rest);
            let end = memchr::memrchr(b'\n', head).map_or(rest.len(), |at| at + 1);
            let (block, more) = rest.split_at_checked(end).unwrap_or((rest, &[]));
            self.parser.parse(RawSlice::new(block), &mut self.records);
            entries += self.records.entries().len();
            fields += self
                .records
                .entries()
                .iter()
                .map(|entry| entry.fields().len() + usize::from(entry.timestamp.is_some()))
                .sum::<usize>();
            rest = more;
        }
        found.names.extend_from_slice(&[entries, fields].map(usize::to_le_bytes).concat());
        Ok(())
    }
}

/// Bytes that are parsed at a time.
const GRANULE: usize = 256 << 10;

#[derive(Default)]
struct Tape {
    buffers: simd_json::Buffers,
    line: Vec<u8>,
}

impl Contender for Tape {
    fn pass(&mut self, text: &[u8], found: &mut Found) -> anyhow::Result<()> {
        let mut nodes = 0;
        for line in lines(text) {
            self.line.clear();
            self.line.extend_from_slice(line);
            nodes += simd_json::to_tape_with_buffers(&mut self.line, &mut self.buffers)?.0.len();
        }
        found.names.extend_from_slice(&nodes.to_le_bytes());
        Ok(())
    }
}

struct Serde;

impl Contender for Serde {
    fn pass(&mut self, text: &[u8], found: &mut Found) -> anyhow::Result<()> {
        let mut fields = 0;
        for line in lines(text) {
            let value: Value = serde_json::from_slice(line)?;
            fields += value.as_object().map_or(0, serde_json::Map::len);
        }
        found.names.extend_from_slice(&fields.to_le_bytes());
        Ok(())
    }
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = memchr::memchr(b'\n', rest)?;
        let (line, more) = rest.split_at_checked(end)?;
        rest = more.get(1..).unwrap_or(&[]);
        Some(line)
    })
}
