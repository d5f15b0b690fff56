//! Overlaps, resolved in one pass from left to right.

use super::Found;
use super::KindId;
use super::RuleId;
use super::Rules;
use crate::text::Span;

/// A value that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: KindId,
    /// The detector that found it.
    pub rule: RuleId,
    /// Several detectors found parts of it and no one all of it.
    pub joined: bool,
}

impl Rules {
    /// Joins spans that overlap. The longest part says what the whole is; between equals the
    /// specific detector, then the first one.
    pub(super) fn sweep(&self, found: &mut [Found], matches: &mut Vec<Match>) {
        // Ties need a total order, or the answer would depend on the order of the gates.
        let order = |part: &Found| {
            (
                part.start,
                u32::MAX - part.end,
                std::cmp::Reverse(self.rule(part.rule).precedence),
                part.rule,
            )
        };
        if !found.is_sorted_by_key(|part| part.start) {
            // Blocks are in order but for what stands at their ends, which a stable sort makes use of.
            found.sort_by_key(|part| part.start);
        }
        // Few spans begin at one place; only those need the rest of the order.
        for same in found.chunk_by_mut(|a, b| a.start == b.start) {
            if same.len() > 1 {
                same.sort_unstable_by_key(order);
            }
        }
        let mut parts = found.iter();
        let Some(first) = parts.next() else { return };
        let (mut best, mut end) = (*first, first.end);
        let mut start = first.start;
        for part in parts {
            if part.start >= end {
                matches.push(self.matched(start, end, best));
                (best, start, end) = (*part, part.start, part.end);
                continue;
            }
            if part.end - part.start > best.end - best.start {
                best = *part;
            }
            end = end.max(part.end);
        }
        matches.push(self.matched(start, end, best));
    }

    fn matched(&self, start: u32, end: u32, best: Found) -> Match {
        Match {
            span: Span::new(start as usize, end as usize),
            kind: self.rule(best.rule).kind,
            rule: best.rule,
            joined: (start, end) != (best.start, best.end),
        }
    }
}
