//! Writing a piece again with markers in the place of values.

use std::sync::Arc;

use super::cut::Piece;
use super::lines;
use super::lines::Carry;
use super::record;
use super::report::Finding;
use super::report::Report;
use crate::detect::KindId;
use crate::detect::Known;
use crate::detect::Match;
use crate::detect::RuleId;
use crate::detect::Rules;
use crate::detect::Scratch;
use crate::pseudonym::Cache;
use crate::pseudonym::Namer;
use crate::pseudonym::Names;
use crate::text::RawSlice;
use crate::text::Span;

/// Text without values: the only text that may leave the process.
#[derive(Default)]
pub struct MaskedText(pub(super) Vec<u8>);

impl MaskedText {
    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Debug for MaskedText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MaskedText({} bytes)", self.0.len())
    }
}

/// What masking one piece gives.
#[derive(Debug, Default)]
pub struct Masked {
    /// The piece again.
    pub text: MaskedText,
    /// Its sums.
    pub report: Report,
    /// Each value, in order.
    pub findings: Vec<Finding>,
}

impl Masked {
    /// Nothing, keeping the memory.
    pub fn clear(&mut self) {
        self.text.0.clear();
        self.report.clear();
        self.findings.clear();
    }
}

/// Rules and a key, shared by all workers.
#[derive(Debug)]
pub struct Masker {
    pub(super) rules: Arc<Rules>,
    pub(super) namer: Namer,
}

impl Masker {
    /// A masker that finds with `rules` and names with `namer`.
    pub fn new(rules: Rules, namer: Namer) -> Masker {
        Masker { rules: Arc::new(rules), namer }
    }

    /// Its rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The marker of `value` as a value of `kind`; none where no detector has that kind.
    pub fn name(&self, kind: &str, value: RawSlice<'_>) -> Option<MaskedText> {
        let known = self.rules.kinds().any(|name| name == kind);
        let mut out = Vec::new();
        if known {
            self.namer.name(kind, &self.rules.normal_form(kind, value), &mut out);
        }
        known.then_some(MaskedText(out))
    }

    /// Memory for one thread and one call.
    pub fn worker(&self) -> Worker<'_> {
        Worker {
            masker: self,
            scratch: Scratch::new(),
            inner: Scratch::new(),
            cache: self.namer.new_cache(),
            names: Names::default(),
            spans: Vec::new(),
            partial: Vec::new(),
            parts: Vec::new(),
            joined: Vec::new(),
            edits: Vec::new(),
            values: Vec::new(),
        }
    }
}

/// One thread's memory: scratch space and this call's names.
#[derive(Debug)]
pub struct Worker<'m> {
    masker: &'m Masker,
    scratch: Scratch,
    inner: Scratch,
    cache: Cache,
    names: Names,
    spans: Vec<Span>,
    partial: Vec<usize>,
    parts: Vec<Span>,
    joined: Vec<u8>,
    edits: Vec<Edit>,
    values: Vec<u8>,
}

/// A change of the text.
#[derive(Clone, Copy, Debug)]
struct Edit {
    span: Span,
    kind: KindId,
    rule: RuleId,
    with: With,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum With {
    /// The name of a match of the piece.
    Match(Match),
    /// The name of a value of a joined record, at these places of `values`.
    Joined(usize, usize),
    /// Nothing: a later part of such a value.
    Nothing,
}

pub(super) struct Marks<'n>(pub(super) &'n Namer);

impl Known for Marks<'_> {
    fn key_id(&self) -> [u8; 4] {
        self.0.key_id()
    }

    fn is_marker(&self, candidate: &[u8]) -> bool {
        self.0.verify(candidate)
    }
}

impl Worker<'_> {
    /// Masks `piece` into `out`, which is cleared first. `carry` is what the piece before left.
    pub fn mask(&mut self, piece: &Piece, carry: &mut Carry, out: &mut Masked) {
        out.clear();
        let text = piece.text();
        let bytes = text.expose();
        let marks = Marks(&self.masker.namer);
        self.masker.rules.scan_beside(text, Some(&marks), &mut self.scratch);
        self.edits.clear();
        self.values.clear();
        if piece.is_lines() {
            self.follow_lines(bytes, carry);
            self.join_records(bytes);
        }
        let plain = self.edits.is_empty();
        let edits = self.scratch.matches().iter().map(|found| Edit {
            span: found.span,
            kind: found.kind,
            rule: found.rule,
            with: With::Match(*found),
        });
        self.edits.extend(edits);
        if !plain {
            self.resolve(bytes);
        }
        self.write(piece, out);
    }

    fn follow_lines(&mut self, bytes: &[u8], carry: &mut Carry) {
        let edges = self.scratch.edges();
        if edges.is_empty() && carry.is_empty() {
            return;
        }
        self.spans.clear();
        lines::key_lines(bytes, edges, carry, &mut self.spans);
        let Some((kind, rule)) = self.masker.rules.private_key() else { return };
        for span in &self.spans {
            let with = With::Match(Match { span: *span, kind, rule, joined: false });
            self.edits.push(Edit { span: *span, kind, rule, with });
        }
    }

    fn join_records(&mut self, bytes: &[u8]) {
        record::partial_lines(bytes, self.scratch.records(), &mut self.partial);
        let mut done = 0;
        for index in 0..self.partial.len() {
            let Some(start) = self.partial.get(index).copied().filter(|start| *start >= done)
            else {
                continue;
            };
            record::joined(bytes, start, &mut self.parts);
            if self.parts.len() < 2 {
                continue;
            }
            self.joined.clear();
            for part in &self.parts {
                self.joined.extend_from_slice(bytes.get(part.start..part.end).unwrap_or(&[]));
                // Another stream may stand between the parts; its lines are looked at on their own.
                done = part.start;
            }
            self.scan_joined();
        }
    }

    fn scan_joined(&mut self) {
        let text = RawSlice::new(&self.joined);
        let marks = Marks(&self.masker.namer);
        self.masker.rules.scan_beside(text, Some(&marks), &mut self.inner);
        for index in 0..self.inner.matches().len() {
            let Some(found) = self.inner.matches().get(index).copied() else { continue };
            let value = self.inner.value(&self.masker.rules, text, found);
            let from = self.values.len();
            self.values.extend_from_slice(value);
            let mut with = With::Joined(from, self.values.len());
            let mut at = 0;
            for part in &self.parts {
                let (start, end) = (found.span.start.max(at), found.span.end.min(at + part.len()));
                if start < end {
                    let span = Span::new(part.start + start - at, part.start + end - at);
                    self.edits.push(Edit { span, kind: found.kind, rule: found.rule, with });
                    with = With::Nothing;
                }
                at += part.len();
            }
        }
    }

    /// Joins edits that overlap; what was found over several lines goes first.
    fn resolve(&mut self, bytes: &[u8]) {
        let rank = |edit: &Edit| match edit.with {
            With::Joined(..) | With::Nothing => 0,
            With::Match(_) => 1,
        };
        self.edits.sort_by_key(|edit| (edit.span.start, rank(edit), usize::MAX - edit.span.end));
        let mut kept: Vec<Edit> = Vec::with_capacity(self.edits.len());
        for edit in &self.edits {
            match kept.last_mut().filter(|last| edit.span.start < last.span.end) {
                Some(last) => {
                    if edit.span.end > last.span.end {
                        last.span.end = edit.span.end.min(bytes.len());
                        if let With::Match(found) = &mut last.with {
                            found.span = last.span;
                            found.joined = true;
                        }
                    }
                }
                None => kept.push(*edit),
            }
        }
        self.edits = kept;
    }

    fn write(&mut self, piece: &Piece, out: &mut Masked) {
        let text = piece.text();
        let bytes = text.expose();
        let emit = piece.emitted();
        let rules = &self.masker.rules;
        // First all values are named, then all is written: names are made several at a time.
        let mut naming = self.masker.namer.begin(&mut self.cache, &mut self.names);
        let mut from = emit.start;
        let mut done = emit.start;
        self.edits.retain(|Edit { span, kind, with, .. }| {
            if span.end <= done || span.start >= emit.end {
                return false;
            }
            done = span.end.min(emit.end);
            if span.start < emit.start {
                // The window before has written the marker.
                from = done;
                return false;
            }
            let value = match with {
                With::Nothing => return true,
                With::Joined(from, to) => self.values.get(*from..*to).unwrap_or(&[]),
                With::Match(found) => self.scratch.value(rules, text, *found),
            };
            naming.add(kind.0, rules.kind_name(*kind), value);
            true
        });
        let named = naming.finish();
        let mut at = from;
        let mut names = 0;
        for Edit { span, kind, rule, with } in self.edits.iter().copied() {
            out.text.0.extend_from_slice(bytes.get(at..span.start).unwrap_or(&[]));
            at = span.end.min(emit.end);
            if with == With::Nothing {
                continue;
            }
            let quote = is_json_number(bytes, span);
            out.text.0.extend(quote);
            named.write(names, rules.kind_name(kind), &mut out.text.0);
            names += 1;
            out.text.0.extend(quote);
            out.report.count(kind);
            let offset = piece.offset() + (span.start - emit.start) as u64;
            out.findings.push(Finding { offset, len: span.len() as u64, kind, rule });
        }
        out.text.0.extend_from_slice(bytes.get(at..emit.end).unwrap_or(&[]));
        let emitted = bytes.get(emit.start..emit.end).unwrap_or(&[]);
        out.report.lines = memchr::memchr_iter(b'\n', emitted).count() as u64;
        out.report.bytes_in = emitted.len() as u64;
        out.report.bytes_out = out.text.0.len() as u64;
        out.report.markers = self.scratch.markers().len() as u64;
        out.report.add_limits(self.scratch.limits());
    }
}

/// How far before a number the quotes are counted.
const QUOTES_LOOKED_AT: usize = 8 * 1024;

/// The quote that a marker needs in the place of a JSON number, which is no number any more.
fn is_json_number(bytes: &[u8], span: Span) -> Option<u8> {
    let value = bytes.get(span.start..span.end)?;
    let number =
        |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    if !value.first()?.is_ascii_digit() && value.first() != Some(&b'-') || !value.iter().all(number)
    {
        return None;
    }
    let line = lines::line_start(bytes, span.start);
    let head = bytes.get(line..span.start)?;
    let tail = bytes.get(span.end..)?.trim_ascii_start();
    if !matches!(head.trim_ascii_start().first(), Some(b'{' | b'['))
        || !matches!(tail.first(), Some(b',' | b'}' | b']'))
    {
        return None;
    }
    let before = head.trim_ascii_end();
    let fits = before.ends_with(b"\":") && !before.ends_with(b"\\\":")
        || before.trim_ascii_end().ends_with(b"\" :")
        || matches!(before.last(), Some(b',' | b'['));
    // Inside a string a number needs no quotes of its own. Of a very long line only the end is
    // looked at, for each number would look at all of it.
    let near = head.get(head.len().saturating_sub(QUOTES_LOOKED_AT)..).unwrap_or(head);
    let mut quotes = 0;
    let mut escaped = false;
    for byte in near {
        if *byte == b'"' && !escaped {
            quotes += 1;
        }
        escaped = *byte == b'\\' && !escaped;
    }
    let inside = near.len() == head.len() && quotes % 2 == 1;
    (fits && !inside).then_some(b'"')
}
