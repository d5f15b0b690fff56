//! Compares what was found with what was planted.

use crate::lab::corpus::Corpus;
use crate::lab::corpus::Kind;
use crate::lab::measure::Found;

/// The outcome of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Planted values that had to be found.
    pub wanted: usize,
    /// Those that no found span covers.
    pub missed: usize,
    /// The line of the first of them, counted from 0.
    pub first_missed_line: Option<usize>,
    /// Spans found.
    pub found: usize,
    /// Spans found that touch nothing planted.
    pub extra: usize,
}

/// Compares; only planted values of kinds for which `wanted` holds have to be found.
pub fn compare(corpus: &Corpus, found: &Found, wanted: impl Fn(Kind) -> bool) -> Checked {
    let mut checked = Checked {
        wanted: 0,
        missed: 0,
        first_missed_line: None,
        found: found.spans.len(),
        extra: 0,
    };
    let mut spans = found.spans.iter().peekable();
    for planted in &corpus.planted {
        while spans.next_if(|span| span.end <= planted.span.start).is_some() {}
        if !wanted(planted.kind) {
            continue;
        }
        checked.wanted += 1;
        let covered = spans
            .peek()
            .is_some_and(|span| span.start <= planted.span.start && planted.span.end <= span.end);
        if !covered {
            checked.missed += 1;
            checked.first_missed_line.get_or_insert(planted.line);
        }
    }
    let mut planted = corpus.planted.iter().peekable();
    for span in &found.spans {
        while planted.next_if(|planted| planted.span.end <= span.start).is_some() {}
        if planted.peek().is_none_or(|planted| planted.span.start >= span.end) {
            checked.extra += 1;
        }
    }
    checked
}

/// Spans are in order and none reaches into the next.
pub fn in_order(found: &Found) -> bool {
    found.spans.is_sorted_by(|left, right| left.end <= right.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::corpus;
    use crate::lab::corpus::Mode;
    use crate::text::Span;

    #[test]
    fn misses_and_extras_are_counted() {
        let definition = corpus::find("nginx").unwrap();
        let corpus = corpus::generate(definition, 10, Mode::Cold, 1);
        let spans = corpus.planted.iter().map(|planted| planted.span).collect();
        let mut found = Found { spans, names: Vec::new() };
        let all = compare(&corpus, &found, |_| true);
        assert_eq!((all.wanted, all.missed, all.found, all.extra), (10, 0, 10, 0));

        let cut = found.spans.remove(3);
        found.spans.insert(3, Span::new(cut.start + 1, cut.end));
        let last = corpus.text.len();
        found.spans.push(Span::new(last - 3, last - 1));
        let wrong = compare(&corpus, &found, |_| true);
        assert_eq!((wrong.missed, wrong.first_missed_line, wrong.extra), (1, Some(3), 1));
        assert!(in_order(&found));
        found.spans.swap(0, 1);
        assert!(!in_order(&found));
        assert_eq!(compare(&corpus, &Found::default(), |kind| kind.is_secret()).wanted, 0);
    }
}
