//! Masking records field by field, under a policy.
//!
//! Values that are withheld are taken out first: a block with constants in their places is all that
//! the detectors see. They look at that block as a whole, so that names beside values count as cues
//! and a value over two fields is found; what they find is then cut to the fields it touches. Every
//! untrusted byte is looked at every time it comes: nothing is remembered of a value, only which
//! names hold none.

#![expect(
    clippy::cast_possible_truncation,
    reason = "a block and what is written of it are far below 4 GiB"
)]

mod writer;

use super::apply::Marks;
use super::apply::MaskedText;
use super::apply::Masker;
use super::check::Check;
use super::lines;
use super::lines::Carry;
use super::masked::MaskedEntry;
use super::masked::MaskedField;
use super::masked::MaskedRecords;
use super::masked::Name;
use super::masked::WITHHELD;
use super::policy::Policy;
use super::policy::Treatment;
use super::policy::Unknown;
use crate::detect::Match;
use crate::detect::Rules;
use crate::detect::Scratch;
use crate::format::Field;
use crate::format::NameId;
use crate::format::Names;
use crate::format::Records;
use crate::format::Shape;
use crate::format::Step;
use crate::format::ValueKind;
use crate::format::decode_string;
use crate::pseudonym;
use crate::pseudonym::Cache;
use crate::text::RawSlice;
use crate::text::Span;
use writer::Writer;
use writer::is_text;

/// What happens to a field, by the place of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Handling {
    Trusted(Check),
    Allow,
    Redact,
    /// Withheld with this many of the fields around it.
    Withhold(u8),
}

/// What was decided for one field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    /// What detectors find inside is a mistake.
    Show,
    Redact,
    /// The constant stands in its place.
    Withhold,
    /// It is inside of a field in whose place the constant stands; that one is this parent.
    WithholdParent(u32),
    /// It is inside of a withheld field that was dealt with.
    Gone,
}

/// One thread's memory for masking the records of one call under one policy.
#[derive(Debug)]
pub struct RecordMasker<'m> {
    masker: &'m Masker,
    policy: &'m Policy,
    withholds: bool,
    scratch: Scratch,
    cache: Cache,
    made: pseudonym::Names,
    handlings: Vec<Handling>,
    tag: u64,
    decisions: Vec<Decision>,
    cuts: Cuts,
    prepared: Vec<u8>,
    edits: Vec<Match>,
    spans: Vec<Span>,
    name: Vec<u8>,
}

/// The parts of a block that constants stand in the place of, ascending.
#[derive(Debug, Default)]
struct Cuts(Vec<Cut>);

#[derive(Clone, Copy, Debug)]
struct Cut {
    raw: Span,
    /// Where the constant ends in the prepared block.
    end: usize,
    /// It needs quotes.
    quotes: bool,
}

impl Cut {
    fn constant(self) -> &'static [u8] {
        if self.quotes { b"\"[withheld]\"" } else { WITHHELD.as_bytes() }
    }
}

impl Cuts {
    fn push(&mut self, raw: Span, quotes: bool) {
        let (before, after) = self.0.last().map_or((0, 0), |cut| (cut.raw.end, cut.end));
        let mut cut = Cut { raw, end: 0, quotes };
        cut.end = after + raw.start.saturating_sub(before) + cut.constant().len();
        self.0.push(cut);
    }

    /// True when a constant stands inside of the parent.
    fn reach_into(&self, records: &Records, parent: u32) -> bool {
        let start = records.parents().get(parent as usize).map_or(0, |parent| parent.value().start);
        self.0.last().is_some_and(|cut| cut.raw.end > start)
    }

    /// Writes the block with the constants in their places.
    fn prepare(&self, bytes: &[u8], out: &mut Vec<u8>) {
        out.clear();
        let mut at = 0;
        for cut in &self.0 {
            out.extend_from_slice(bytes.get(at..cut.raw.start).unwrap_or(&[]));
            out.extend_from_slice(cut.constant());
            at = cut.raw.end;
        }
        out.extend_from_slice(bytes.get(at..).unwrap_or(&[]));
    }

    /// Where a place of the block stands in the prepared one.
    fn of(&self, place: usize) -> usize {
        let passed = self.0.partition_point(|cut| cut.raw.end <= place);
        let last = passed.checked_sub(1).and_then(|at| self.0.get(at));
        last.map_or(place, |cut| cut.end + (place - cut.raw.end))
    }
}

/// The same for places that are asked for in ascending order.
#[derive(Debug)]
struct Places<'c> {
    cuts: &'c [Cut],
    before: usize,
    after: usize,
}

impl Places<'_> {
    #[inline]
    fn of(&mut self, place: usize) -> usize {
        while let Some((cut, rest)) = self.cuts.split_first() {
            if cut.raw.end > place {
                break;
            }
            (self.before, self.after) = (cut.raw.end, cut.end);
            self.cuts = rest;
        }
        place - self.before + self.after
    }
}

impl Masker {
    /// Memory for one thread and one call, for records under `policy`.
    pub fn record_masker<'m>(&'m self, policy: &'m Policy) -> RecordMasker<'m> {
        RecordMasker {
            masker: self,
            policy,
            withholds: policy.unknown() == Unknown::Withhold
                || policy.names().iter().any(|(_, treatment)| **treatment == Treatment::Withhold),
            scratch: Scratch::new(),
            cache: self.namer.new_cache(),
            made: pseudonym::Names::default(),
            handlings: Vec::new(),
            tag: 0,
            decisions: Vec::new(),
            cuts: Cuts::default(),
            prepared: Vec::new(),
            edits: Vec::new(),
            spans: Vec::new(),
            name: Vec::new(),
        }
    }
}

impl RecordMasker<'_> {
    /// Masks the records of a block into `out`, which is cleared first. `text` is what their places
    /// are in, `names` are those of the parser that read them, and `carry` is what the block before
    /// left.
    pub fn mask(
        &mut self,
        text: RawSlice<'_>,
        names: &Names,
        records: &Records,
        carry: &mut Carry,
        out: &mut MaskedRecords,
    ) {
        out.clear(names);
        self.learn(names);
        let raw = text.expose();
        self.decide(raw, records, out);
        let mut prepared = std::mem::take(&mut self.prepared);
        let bytes = if self.cuts.0.is_empty() {
            raw
        } else {
            self.cuts.prepare(raw, &mut prepared);
            prepared.as_slice()
        };
        let marks = Marks(&self.masker.namer);
        self.masker.rules.scan_beside(RawSlice::new(bytes), Some(&marks), &mut self.scratch);
        self.collect(bytes, carry);
        self.write(bytes, names, records, out);
        out.report.lines = memchr::memchr_iter(b'\n', raw).count() as u64;
        out.report.bytes_in = raw.len() as u64;
        out.report.markers = self.scratch.markers().len() as u64;
        out.report.add_limits(self.scratch.limits());
        self.prepared = prepared;
    }

    /// Looks names up in the policy that came since the last block.
    fn learn(&mut self, names: &Names) {
        if self.tag != names.tag() {
            self.tag = names.tag();
            self.handlings.clear();
        }
        for (id, full) in names.all().skip(self.handlings.len()) {
            let handling = match self.policy.treatment(full) {
                Treatment::Trusted(check) => Handling::Trusted(check),
                Treatment::Allow { .. } => Handling::Allow,
                Treatment::Redact => Handling::Redact,
                Treatment::Withhold => Handling::Withhold(self.levels_up(names, id)),
            };
            self.handlings.push(handling);
        }
    }

    /// How many of the fields around are withheld with it: up to the outermost listed one.
    fn levels_up(&self, names: &Names, id: NameId) -> u8 {
        let mut up = 0;
        let mut level = 0_u8;
        let mut around = id;
        while around != NameId::ROOT && level < u8::MAX {
            if self.policy.withholds(names.full(around)) {
                up = level;
            }
            around = names.around(around);
            level += 1;
        }
        up
    }

    fn decide(&mut self, raw: &[u8], records: &Records, out: &mut MaskedRecords) {
        self.decisions.clear();
        self.cuts.0.clear();
        let mut withheld = None;
        for entry in records.entries() {
            out.counts.records += 1;
            out.counts.unread += u64::from(entry.shape == Shape::Unread);
            for field in records.fields(entry) {
                let handling = match self.handlings.get(field.name.index()) {
                    _ if field.name == NameId::OTHER => self.of_other(raw, records, field),
                    Some(handling) => *handling,
                    None => Handling::Withhold(0),
                };
                let value = field.value();
                let decision = match handling {
                    // Fields may stand in it that are withheld by their names.
                    _ if entry.shape == Shape::Unread
                        && field.name == NameId::MESSAGE
                        && self.withholds =>
                    {
                        Decision::Withhold
                    }
                    Handling::Redact => Decision::Redact,
                    Handling::Allow => Decision::Show,
                    Handling::Trusted(check) => {
                        let bytes = raw.get(value.start..value.end).unwrap_or(&[]);
                        let holds = field.kind != ValueKind::Escaped && check.holds(bytes);
                        let nothing = matches!(field.kind, ValueKind::Null | ValueKind::Empty);
                        out.counts.untrusted += u64::from(!holds && !nothing);
                        if holds && check.outweighs_detectors() {
                            Decision::Show
                        } else {
                            Decision::Redact
                        }
                    }
                    Handling::Withhold(up) => outermost(records, field, up),
                };
                let decision = match decision {
                    Decision::WithholdParent(parent) if withheld == Some(parent) => Decision::Gone,
                    // A part of it was withheld on its own already: so is the rest, part by part.
                    Decision::WithholdParent(parent) if self.cuts.reach_into(records, parent) => {
                        Decision::Withhold
                    }
                    Decision::WithholdParent(_)
                    | Decision::Withhold
                    | Decision::Redact
                    | Decision::Show
                    | Decision::Gone => decision,
                };
                match decision {
                    Decision::Withhold => {
                        self.cuts.push(value, !is_text(field.kind));
                        out.counts.withheld += 1;
                    }
                    Decision::WithholdParent(parent) => {
                        withheld = Some(parent);
                        if let Some(parent) = records.parents().get(parent as usize) {
                            self.cuts.push(parent.value(), true);
                        }
                        out.counts.withheld += 1;
                    }
                    Decision::Show | Decision::Redact | Decision::Gone => {}
                }
                self.decisions.push(decision);
            }
        }
    }

    /// What happens to a field whose name is not remembered.
    #[inline(never)]
    fn of_other(&self, raw: &[u8], records: &Records, field: &Field) -> Handling {
        let mut steps = vec![field.step];
        let mut around = field.parent;
        while let Some(parent) = around.and_then(|at| records.parents().get(at as usize)) {
            steps.push(parent.step);
            around = parent.parent;
        }
        let mut name = Vec::new();
        for step in steps.into_iter().rev() {
            match step {
                Step::Key { start, end } => {
                    if !name.is_empty() {
                        name.push(b'.');
                    }
                    let key = raw.get(start as usize..end as usize).unwrap_or(&[]);
                    decode_string(key, &mut name);
                }
                Step::Index(_) => name.extend_from_slice(b"[]"),
                Step::Fixed => {}
            }
        }
        match self.policy.treatment(&String::from_utf8_lossy(&name)) {
            Treatment::Trusted(check) => Handling::Trusted(check),
            Treatment::Allow { .. } => Handling::Allow,
            Treatment::Redact => Handling::Redact,
            Treatment::Withhold => Handling::Withhold(0),
        }
    }

    /// Brings what was found, and key text over lines, into one ascending row.
    fn collect(&mut self, bytes: &[u8], carry: &mut Carry) {
        self.edits.clear();
        self.spans.clear();
        if !(self.scratch.edges().is_empty() && carry.is_empty()) {
            lines::key_lines(bytes, self.scratch.edges(), carry, &mut self.spans);
        }
        self.edits.extend_from_slice(self.scratch.matches());
        let Some((kind, rule)) = self.masker.rules.private_key().filter(|_| !self.spans.is_empty())
        else {
            return;
        };
        let keys = self.spans.iter().map(|span| Match { span: *span, kind, rule, joined: false });
        self.edits.extend(keys);
        self.edits.sort_by_key(|edit| (edit.span.start, usize::MAX - edit.span.end));
        self.edits.dedup_by(|later, earlier| {
            let overlaps = later.span.start < earlier.span.end;
            if overlaps && later.span.end > earlier.span.end {
                earlier.span.end = later.span.end;
                earlier.joined = true;
            }
            overlaps
        });
    }

    fn write(&mut self, bytes: &[u8], names: &Names, records: &Records, out: &mut MaskedRecords) {
        let mut naming = self.masker.namer.begin(&mut self.cache, &mut self.made);
        name_all(&self.masker.rules, &mut self.scratch, bytes, &self.edits, &mut naming);
        let named = naming.finish();
        let mut places = Places { cuts: &self.cuts.0, before: 0, after: 0 };
        let MaskedRecords { text: MaskedText(text), names: MaskedText(own), report, .. } = out;
        let mut writer = Writer {
            masker: self.masker,
            bytes,
            edits: &self.edits,
            named,
            next: 0,
            at: 0,
            marker: 0,
            report,
            out: text,
        };
        let mut decisions = self.decisions.iter();
        for entry in records.entries() {
            let span = entry.span();
            let line = writer.start_of(places.of(span.start));
            let first = out.fields.len();
            // Where the last value ended; and whether a name holds a value.
            let mut done = places.of(span.start);
            let mut in_names = false;
            for (field, decision) in records.fields(entry).iter().zip(&mut decisions) {
                let (whole, kind) = match decision {
                    Decision::Gone => continue,
                    Decision::WithholdParent(parent) => {
                        match records.parents().get(*parent as usize) {
                            Some(parent) => (parent.value(), ValueKind::Raw),
                            None => continue,
                        }
                    }
                    Decision::Withhold => (field.value(), ValueKind::Raw),
                    Decision::Show | Decision::Redact => (field.value(), field.kind),
                };
                let (start, end) = (places.of(whole.start), places.of(whole.end));
                in_names |= writer.next_start() < start || writer.at > done;
                done = end;
                let (mut value, mut kind) = writer.value(start, end, *decision, kind);
                if matches!(decision, Decision::Withhold | Decision::WithholdParent(_)) {
                    // Whatever was found around it.
                    (value, kind) = ((0, WITHHELD.len() as u32), ValueKind::Raw);
                }
                if field.overwritten {
                    continue;
                }
                let Some((name, step, parent)) = shown_name(*decision, field, records) else {
                    continue;
                };
                let plain = !in_names && name != NameId::OTHER && !names.is_in_list(name);
                let name = if plain || step == Step::Fixed {
                    Name::Known(name)
                } else {
                    self.name.clear();
                    path(records, step, parent, &mut self.name, |start, end, out| {
                        writer.key(self.cuts.of(start), self.cuts.of(end), out);
                    });
                    keep_name(&self.name, own)
                };
                out.fields.push(MaskedField { name, value, kind });
            }
            let end = without_line_end(bytes, places.of(span.end));
            out.entries.push(MaskedEntry {
                line: (line, writer.end_of(end)),
                fields: (first as u32, out.fields.len() as u32),
                timestamp: entry.timestamp,
                level: entry.level,
            });
        }
        writer.finish();
        out.report.bytes_out = out.text.0.len().saturating_sub(WITHHELD.len()) as u64;
    }
}

/// Keeps a name that is none of the parser's.
fn keep_name(name: &[u8], own: &mut Vec<u8>) -> Name {
    let from = own.len() as u32;
    own.extend_from_slice(name);
    Name::Own(from, own.len() as u32)
}

/// Takes the values of all edits in.
fn name_all<'n>(
    rules: &'n Rules,
    scratch: &mut Scratch,
    bytes: &[u8],
    edits: &[Match],
    naming: &mut pseudonym::Naming<'n>,
) {
    for edit in edits {
        let value = scratch.value(rules, RawSlice::new(bytes), *edit);
        naming.add(edit.kind.0, rules.kind_name(edit.kind), value);
    }
}

/// The name, its last step and what is around it, of a field or of the parent that stands for it.
fn shown_name(
    decision: Decision,
    field: &Field,
    records: &Records,
) -> Option<(NameId, Step, Option<u32>)> {
    match decision {
        Decision::WithholdParent(parent) => {
            let parent = records.parents().get(parent as usize)?;
            Some((parent.name, parent.step, parent.parent))
        }
        Decision::Withhold | Decision::Show | Decision::Redact | Decision::Gone => {
            Some((field.name, field.step, field.parent))
        }
    }
}

/// Appends a full name, decoded; `key` appends one of its keys.
fn path(
    records: &Records,
    step: Step,
    parent: Option<u32>,
    out: &mut Vec<u8>,
    mut key: impl FnMut(usize, usize, &mut Vec<u8>),
) {
    let mut steps = vec![step];
    let mut around = parent;
    while let Some(parent) = around.and_then(|at| records.parents().get(at as usize)) {
        steps.push(parent.step);
        around = parent.parent;
    }
    let mut masked = Vec::new();
    for step in steps.into_iter().rev() {
        match step {
            Step::Key { start, end } => {
                if !out.is_empty() {
                    out.push(b'.');
                }
                masked.clear();
                key(start as usize, end as usize, &mut masked);
                decode_string(&masked, out);
            }
            Step::Index(index) => out.extend_from_slice(format!("[{index}]").as_bytes()),
            Step::Fixed => {}
        }
    }
}

/// The field itself, or the one so many levels around it.
fn outermost(records: &Records, field: &Field, up: u8) -> Decision {
    let mut decision = Decision::Withhold;
    let mut around = field.parent;
    for _ in 0..up {
        let Some(at) = around else { break };
        decision = Decision::WithholdParent(at);
        around = records.parents().get(at as usize).and_then(|parent| parent.parent);
    }
    decision
}

fn without_line_end(bytes: &[u8], end: usize) -> usize {
    let line = bytes.get(..end).unwrap_or(&[]);
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line).len()
}

#[cfg(test)]
mod tests;
