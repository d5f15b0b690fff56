//! Markers that stand in a text already.

use super::Match;
use super::Rules;
use super::bytes::ALNUM;
use super::bytes::DIGIT;
use super::bytes::UPPER;
use super::bytes::before;
use super::bytes::byte;
use super::bytes::follows;
use super::bytes::is;
use super::gates::Gate;
use crate::text::Span;

/// Markers that stand in the text already and are to stay.
pub trait Known {
    /// The four bytes behind the first `_` of each marker.
    fn key_id(&self) -> [u8; 4];
    /// True for a marker made with this key.
    fn is_marker(&self, candidate: &[u8]) -> bool;
}

/// Length of a marker behind its kind: two `_`, the key's id, the value's id, the tag.
const MARKER_TAIL_LEN: usize = 1 + 4 + 1 + 16 + 6;

/// Letters and digits beside a marker from which on they are a value of their own.
const BESIDE_MARKER_MIN: usize = 4;

impl Rules {
    /// False for a match in which a marker of ours stands, unless it is a whole value of which some
    /// is left beside the marker: a marker hides nothing that was glued to it.
    pub(super) fn outweighs(&self, text: &[u8], markers: &[Span], found: Match) -> bool {
        let span = found.span;
        let first = markers.partition_point(|marker| marker.end < span.start);
        let inside = markers.get(first..).unwrap_or(&[]).iter();
        let (mut touched, mut at, mut rest) = (false, span.start, 0);
        let count = |from: usize, to: usize| {
            let bytes = text.get(from..to.max(from)).unwrap_or(&[]);
            bytes.iter().filter(|byte| is(**byte, ALNUM)).count()
        };
        for marker in inside.take_while(|marker| marker.start <= span.end) {
            touched = true;
            rest += count(at, marker.start.min(span.end));
            at = marker.end.max(at);
        }
        if !touched {
            return true;
        }
        rest += count(at, span.end);
        let rule = self.rule(found.rule);
        let whole = rule.secret
            && rule.shape.is_none()
            && !rule.raw.weak
            && matches!(rule.gate, None | Some(Gate::UrlUserinfo));
        whole && rest >= BESIDE_MARKER_MIN
    }
}

/// Finds the markers that `known` knows at the word starts `words`, which their key's id follows.
pub(super) fn find_markers(text: &[u8], known: &dyn Known, words: &[u32], markers: &mut Vec<Span>) {
    let key_id = known.key_id();
    for place in words {
        let id = *place as usize;
        if before(text, id) != b'_' || !follows(text, id, &key_id) || byte(text, id + 4) != b'_' {
            continue;
        }
        let end = id - 1 + MARKER_TAIL_LEN;
        let mut start = id - 1;
        while id - 1 - start < super::rule::KIND_LEN_MAX {
            let last = before(text, start);
            if !is(last, UPPER | DIGIT) && last != b'_' {
                break;
            }
            start -= 1;
        }
        // Letters may be glued to the kind: the longest name whose tag is right is the marker.
        while start < id - 1 {
            if text.get(start..end).is_some_and(|candidate| known.is_marker(candidate)) {
                markers.push(Span::new(start, end));
                break;
            }
            start += 1;
        }
    }
}
