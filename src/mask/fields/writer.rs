//! Writing a prepared block again.

use super::Decision;
use crate::detect::Match;
use crate::format::ValueKind;
use crate::mask::Masker;
use crate::mask::report::Report;
use crate::pseudonym::Named;

/// Writes a prepared block again with markers in the place of values. Places are asked for in
/// ascending order.
pub(super) struct Writer<'w> {
    pub(super) masker: &'w Masker,
    pub(super) bytes: &'w [u8],
    pub(super) edits: &'w [Match],
    /// The names of the edits, in their order.
    pub(super) named: Named<'w>,
    /// The next edit.
    pub(super) next: usize,
    /// How far the block was written.
    pub(super) at: usize,
    /// Where the last marker begins in the output.
    pub(super) marker: usize,
    pub(super) report: &'w mut Report,
    pub(super) out: &'w mut Vec<u8>,
}

impl Writer<'_> {
    #[inline]
    pub(super) fn next_start(&self) -> usize {
        self.edits.get(self.next).map_or(usize::MAX, |edit| edit.span.start)
    }

    /// Writes what stands before `place`, and all of an edit that begins before it.
    #[inline]
    pub(super) fn write_to(&mut self, place: usize) {
        while self.next_start() < place {
            self.edit();
        }
    }

    #[inline(never)]
    pub(super) fn edit(&mut self) {
        let Some(edit) = self.edits.get(self.next).copied() else { return };
        self.next += 1;
        self.copy(edit.span.start);
        self.marker = self.out.len();
        let kind = self.masker.rules.kind_name(edit.kind);
        self.named.write(self.next - 1, kind, self.out);
        self.report.count(edit.kind);
        self.at = edit.span.end;
    }

    pub(super) fn copy(&mut self, to: usize) {
        if let Some(plain) = self.bytes.get(self.at..to) {
            self.out.extend_from_slice(plain);
            self.at = to;
        }
    }

    /// Where the text at `place` will stand in the output: at the marker, if it is inside of one.
    #[inline]
    pub(super) fn start_of(&mut self, place: usize) -> u32 {
        self.write_to(place);
        let inside = self.at > place;
        (if inside { self.marker } else { self.out.len() + (place - self.at) }) as u32
    }

    /// Where the text before `place` will end: behind the marker, if it is inside of one.
    #[inline]
    pub(super) fn end_of(&mut self, place: usize) -> u32 {
        self.write_to(place);
        let inside = self.at > place;
        (if inside { self.out.len() } else { self.out.len() + (place - self.at) }) as u32
    }

    /// The value `start..end` in the output, and what it is now.
    #[inline]
    pub(super) fn value(
        &mut self,
        start: usize,
        end: usize,
        decision: Decision,
        kind: ValueKind,
    ) -> ((u32, u32), ValueKind) {
        let from = self.start_of(start);
        if self.next_start() >= end && self.at <= start {
            return ((from, self.end_of(end)), kind);
        }
        self.touched(start, end, from, decision, kind)
    }

    #[inline(never)]
    pub(super) fn touched(
        &mut self,
        start: usize,
        end: usize,
        from: u32,
        decision: Decision,
        kind: ValueKind,
    ) -> ((u32, u32), ValueKind) {
        let mut from = from;
        let mut quoted = false;
        let mut changed = self.at > start;
        while let Some(edit) = self.edits.get(self.next).filter(|edit| edit.span.start < end) {
            let inside = edit.span.start >= start && edit.span.end <= end;
            if inside && decision != Decision::Redact {
                self.next += 1;
                continue;
            }
            changed = true;
            if inside && !is_text(kind) && !quoted && self.at <= start {
                // A marker is no number any more.
                self.copy(start);
                self.out.push(b'"');
                from = self.out.len() as u32;
                quoted = true;
            }
            self.edit();
        }
        if quoted {
            self.copy(end);
            let to = self.out.len() as u32;
            self.out.push(b'"');
            return ((from, to), ValueKind::Plain);
        }
        let to = self.end_of(end);
        let kind = match kind {
            kind if !changed => kind,
            ValueKind::Plain | ValueKind::Escaped => {
                self.copy(end);
                let value = self.out.get(from as usize..to as usize).unwrap_or(&[]);
                if is_json_text(value) { kind } else { ValueKind::Raw }
            }
            ValueKind::Number | ValueKind::Bool | ValueKind::Null | ValueKind::Empty => {
                ValueKind::Raw
            }
            ValueKind::Raw | ValueKind::Quoted => kind,
        };
        ((from, to), kind)
    }

    /// Appends the key at `start..end` with markers in the place of values.
    pub(super) fn key(&mut self, start: usize, end: usize, out: &mut Vec<u8>) {
        let mut at = start;
        let first = self.edits.partition_point(|edit| edit.span.end <= start);
        for (index, edit) in self.edits.iter().enumerate().skip(first) {
            if edit.span.start >= end {
                break;
            }
            out.extend_from_slice(self.bytes.get(at..edit.span.start).unwrap_or(&[]));
            self.named.write(index, self.masker.rules.kind_name(edit.kind), out);
            at = edit.span.end;
        }
        out.extend_from_slice(self.bytes.get(at..end).unwrap_or(&[]));
    }

    pub(super) fn finish(&mut self) {
        self.write_to(usize::MAX);
        self.copy(self.bytes.len());
    }
}

/// True for a value that stands in quotes or needs none.
pub(super) fn is_text(kind: ValueKind) -> bool {
    match kind {
        ValueKind::Raw | ValueKind::Quoted | ValueKind::Plain | ValueKind::Escaped => true,
        ValueKind::Number | ValueKind::Bool | ValueKind::Null | ValueKind::Empty => false,
    }
}

/// True for what may stand between the quotes of a JSON string.
fn is_json_text(value: &[u8]) -> bool {
    let mut at = 0;
    while let Some(byte) = value.get(at) {
        at += match byte {
            b'\\' => match value.get(at + 1) {
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                Some(b'u') if is_hex(value.get(at + 2..at + 6)) => 6,
                _ => return false,
            },
            b'"' | ..b' ' => return false,
            _ => 1,
        };
    }
    std::str::from_utf8(value).is_ok()
}

fn is_hex(digits: Option<&[u8]>) -> bool {
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}
