//! Looking into decoded views, layer by layer, and mapping what is found back.

use super::Found;
use super::RuleId;
use super::Rules;
use super::bytes::SPACE;
use super::bytes::before;
use super::bytes::byte;
use super::bytes::is;
use super::gates::Gate;
use super::scan::Scratch;
use super::value::is_placeholder;
use super::value::quoted_end;
use crate::text::Span;
use crate::view;
use crate::view::DEPTH_MAX;
use crate::view::View;

/// Lines up to this length are decoded whole, longer ones around their encoded characters.
const VIEW_LINE_LEN_MAX: usize = 8 * 1024;
/// How far around an encoded character a long line is decoded.
const VIEW_AROUND: usize = 2 * 1024;

impl Rules {
    /// Decodes the lines that hold encoded characters and looks there, layer by layer.
    pub(super) fn look_deeper(&self, text: &[u8], scratch: &mut Scratch, found: &mut Vec<Found>) {
        if scratch.rare.is_empty() {
            return;
        }
        for place in &scratch.rare {
            if byte(text, *place as usize) == b'\\' {
                self.windows_home(text, *place as usize, found);
            }
        }
        let mut views = std::mem::take(&mut scratch.views);
        views.resize_with(DEPTH_MAX.max(views.len()), View::new);
        let mut deep = std::mem::take(&mut scratch.deep);
        for depth in 0..=DEPTH_MAX {
            let (before, rest) = views.split_at_mut(depth);
            let source = before.last().map_or(text, |view| view.text());
            if depth == DEPTH_MAX {
                self.mask_nested(source, before, scratch, found);
                break;
            }
            let Some(view) = rest.first_mut() else { break };
            build_view(source, &scratch.rare, view, &mut scratch.cut_starts, &mut scratch.cut_ends);
            if view.text().is_empty() {
                break;
            }
            deep.clear();
            self.layer(view.text(), None, scratch, &mut deep, false);
            if !scratch.cut_starts.is_empty() || !scratch.cut_ends.is_empty() {
                let (starts, ends) = (&scratch.cut_starts, &scratch.cut_ends);
                deep.retain(|part| {
                    starts.binary_search(&part.start).is_err()
                        && ends.binary_search(&part.end).is_err()
                });
            }
            for part in &deep {
                let mut span = Span::new(part.start as usize, part.end as usize);
                for view in views[..=depth].iter().rev() {
                    span = view.source_span(span);
                }
                if self.is_secret(part.rule) {
                    span.end = span.end.min(string_end(text, span.start));
                }
                if !self.misread(text, part.rule, span, &scratch.hosts) {
                    self.push(found, part.rule, span.start, span.end);
                }
            }
        }
        scratch.views = views;
        scratch.deep = deep;
    }

    /// True for a span of a view that the raw text explains better: `secret=%DB_SECRET%` names a
    /// variable, and what stands before a raw `@host` of a URL is no mail address.
    fn misread(&self, text: &[u8], rule: RuleId, span: Span, hosts: &[u32]) -> bool {
        if self.is_secret(rule) {
            return text.get(span.start..span.end).is_some_and(is_placeholder);
        }
        if self.rule(rule).gate != Some(Gate::Email) {
            return false;
        }
        let next = hosts.partition_point(|at| (*at as usize) < span.start);
        hosts.get(next).is_some_and(|at| (*at as usize) < span.end)
    }

    /// Masks what is still encoded after the last layer, as far as it hides characters.
    fn mask_nested(
        &self,
        text: &[u8],
        views: &[View],
        scratch: &mut Scratch,
        found: &mut Vec<Found>,
    ) {
        let Some(rule) = self.gate(Gate::NestedEncoding) else { return };
        let mut done = 0;
        for place in &scratch.rare {
            let place = *place as usize;
            if place < done
                || !view::escape_at(text, place, text.len()).is_some_and(|escape| escape.hides)
            {
                continue;
            }
            let is_run =
                |byte: u8| !is(byte, SPACE) && !matches!(byte, b'"' | b'\'' | b',' | b'<' | b'>');
            let (mut start, mut end) = (place, place);
            while start > done && is_run(before(text, start)) {
                start -= 1;
            }
            while is_run(byte(text, end)) {
                end += 1;
            }
            done = end;
            scratch.limits.nesting += 1;
            let mut span = Span::new(start, end);
            for view in views.iter().rev() {
                span = view.source_span(span);
            }
            self.push(found, rule, span.start, span.end);
        }
    }
}

/// The end of the string that opens right before `at`, where its quote stands in the raw text
/// without a backslash: a view has lost the difference between that quote and an escaped one.
fn string_end(text: &[u8], at: usize) -> usize {
    if before(text, at) != b'"' || byte(text, at.wrapping_sub(2)) == b'\\' {
        return usize::MAX;
    }
    quoted_end(text, at, b'"', 0)
}

/// Decodes every line of `source` that holds an encoded character.
fn build_view(
    source: &[u8],
    rare: &[u32],
    view: &mut View,
    cut_starts: &mut Vec<u32>,
    cut_ends: &mut Vec<u32>,
) {
    view.clear();
    cut_starts.clear();
    cut_ends.clear();
    let mut next = 0;
    while let Some(place) = rare.get(next) {
        let place = *place as usize;
        if view::escape_at(source, place, source.len()).is_none() {
            next += 1;
            continue;
        }
        let line_start = source
            .get(..place)
            .and_then(|head| memchr::memrchr(b'\n', head))
            .map_or(0, |at| at + 1);
        let line_end = source
            .get(place..)
            .and_then(|rest| memchr::memchr(b'\n', rest))
            .map_or(source.len(), |len| place + len);
        let (from, to) = if line_end - line_start <= VIEW_LINE_LEN_MAX {
            (line_start, line_end)
        } else {
            around(source, rare, next, line_start, line_end)
        };
        let until = next
            + rare.get(next..).map_or(0, |rest| rest.partition_point(|at| (*at as usize) < to));
        let start = view.text().len();
        // Places before the first escape of the part are behind its start too.
        let first = rare.partition_point(|at| (*at as usize) < from);
        view.push(source, from, to, rare.get(first..until).unwrap_or(&[]));
        if from > line_start {
            cut_starts.push(start as u32);
        }
        if to < line_end {
            cut_ends.push(view.text().len() as u32 - 1);
        }
        next = until.max(next + 1);
    }
}

/// The part of a long line around the encoded character `rare[next]` and those close behind it.
fn around(
    source: &[u8],
    rare: &[u32],
    next: usize,
    line_start: usize,
    line_end: usize,
) -> (usize, usize) {
    let first = rare[next] as usize;
    let from = first.saturating_sub(VIEW_AROUND).max(line_start);
    let mut last = first;
    for place in &rare[next..] {
        let place = *place as usize;
        if place >= line_end || place - last > VIEW_AROUND {
            break;
        }
        last = place;
    }
    let mut to = (last + VIEW_AROUND).min(line_end);
    // An encoded character is not cut.
    for back in 0..12.min(to - last) {
        if let Some(escape) = view::escape_at(source, to - back, source.len())
            && escape.source_len > back
        {
            to -= back;
            break;
        }
    }
    (from, to.max(last + 1))
}
