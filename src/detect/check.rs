//! The linter behind `locklog detectors check`.
//!
//! A detector is data, so what it says about itself can be held against what it does: its examples
//! and counter-examples are scanned by it alone, its prefixes are held against its pattern, and every
//! text is scanned a second time at every place, so that a gate which leaves something out is seen.
//!
//! # Promise
//! **A set of detectors without a [`Problem`] finds its examples, with and without its gates, alone
//! and among all others.** A problem names the detector and quotes detector files only.
//!
//! # Not here
//! How well a detector does on text that nobody wrote for it (`sample`, and the tests).

use std::collections::BTreeSet;

use regex_syntax::hir::literal::Extractor;

use super::BUILTIN_FILES;
use super::LoadError;
use super::Match;
use super::Rules;
use super::Scratch;
use super::Selection;
use super::load::read;
use super::rule::RawRule;
use super::shape::Shape;
use crate::text::RawSlice;

/// Something that a detector does not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The detector, or the file where it is no detector's.
    pub detector: String,
    /// What is wrong.
    pub problem: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.detector, self.problem)
    }
}

/// The built-in detectors and those of `extra` files, as written.
///
/// # Errors
///
/// [`LoadError`] when a file is not of the form of a detector file.
pub fn written(extra: &[(String, String)]) -> Result<Vec<(String, RawRule)>, LoadError> {
    let builtin = BUILTIN_FILES.iter().map(|(name, text)| (*name, *text));
    let extra = extra.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let mut all = Vec::new();
    for (file, text) in builtin.chain(extra) {
        all.extend(read(file, text)?.into_iter().map(|raw| (file.to_owned(), raw)));
    }
    Ok(all)
}

/// Checks the built-in detectors and those of `extra` files (name and text).
pub fn check(extra: &[(String, String)]) -> Vec<Problem> {
    let mut problems = Problems::default();
    let all = match written(extra) {
        Ok(all) => all,
        Err(error) => {
            problems.add(&error.file, error.problem);
            return problems.0;
        }
    };
    check_each(&all, &mut problems);
    if problems.0.is_empty() {
        check_together(extra, &all, &mut problems);
    }
    problems.0
}

/// Checks each detector alone.
fn check_each(all: &[(String, RawRule)], problems: &mut Problems) {
    let mut ids = BTreeSet::new();
    for (file, raw) in all {
        if !ids.insert(raw.id.as_str()) {
            problems.add(&raw.id, "the id is taken".to_owned());
        }
        check_words(raw, problems);
        match Rules::single(file, raw.clone()) {
            Ok(rules) => {
                check_prefixes(raw, problems);
                check_lines(raw, rules, problems);
            }
            Err(error) => problems.add(&raw.id, error.problem),
        }
    }
}

#[derive(Default)]
struct Problems(Vec<Problem>);

impl Problems {
    fn add(&mut self, detector: &str, problem: String) {
        self.0.push(Problem { detector: detector.to_owned(), problem });
    }
}

/// What the form of a detector promises beyond what the loader refuses.
fn check_words(raw: &RawRule, problems: &mut Problems) {
    let gates = usize::from(!raw.prefixes.is_empty())
        + usize::from(raw.gate.is_some())
        + usize::from(!raw.cues.is_empty());
    if gates > 1 {
        problems.add(&raw.id, format!("{gates} of prefixes, gate and cues, not one"));
    }
    for (what, list) in [
        ("prefix", &raw.prefixes),
        ("cue", &raw.cues),
        ("example", &raw.examples),
        ("counter-example", &raw.counterexamples),
    ] {
        let mut seen = BTreeSet::new();
        for word in list.iter().filter(|word| !seen.insert(word.as_str())) {
            problems.add(&raw.id, format!("the {what} '{word}' stands there twice"));
        }
    }
    if raw.examples.is_empty() || raw.counterexamples.is_empty() {
        problems.add(&raw.id, "there is no example or no counter-example".to_owned());
    }
    let joined = |cue: &&String| {
        let bytes = cue.as_bytes();
        // Letters of other alphabets are bytes of 80 and above.
        let part = |byte: &u8| {
            !byte.is_ascii_uppercase()
                && (byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80)
        };
        bytes.iter().all(part)
            && !cue.starts_with('_')
            && !cue.ends_with('_')
            && !cue.contains("__")
    };
    for cue in raw.cues.iter().filter(|cue| !joined(cue)) {
        problems.add(&raw.id, format!("the cue '{cue}' is not lower-case parts joined by '_'"));
    }
    if raw.summary.trim().is_empty() {
        problems.add(&raw.id, "there is no summary".to_owned());
    }
}

/// Each prefix can begin a match. That a match begins with a prefix needs no check: the pattern is
/// only looked for where one stands.
fn check_prefixes(raw: &RawRule, problems: &mut Problems) {
    let Some(pattern) = raw.pattern.as_deref().filter(|_| !raw.prefixes.is_empty()) else { return };
    let longest = raw.prefixes.iter().map(String::len).max().unwrap_or(0);
    let tree = match Shape::new(pattern).and_then(|shape| shape.tree()) {
        Ok(tree) => tree,
        Err(error) => return problems.add(&raw.id, error.message),
    };
    // Enough for a prefix that ends in a class of one pattern; a longer list is cut shorter, not
    // dropped, so that each literal stays a true beginning.
    let mut extractor = Extractor::new();
    extractor.limit_class(64).limit_literal_len(longest).limit_total(4096);
    let openings = extractor.extract(&tree);
    let Some(openings) = openings.literals() else {
        return problems.add(&raw.id, "the pattern begins with no literal".to_owned());
    };
    let agrees = |prefix: &String, opening: &[u8]| {
        opening.starts_with(prefix.as_bytes()) || prefix.as_bytes().starts_with(opening)
    };
    for prefix in &raw.prefixes {
        if !openings.iter().any(|opening| agrees(prefix, opening.as_bytes())) {
            problems.add(&raw.id, format!("no match begins with the prefix '{prefix}'"));
        }
    }
}

/// Scans the examples and counter-examples of a detector with it alone.
fn check_lines(raw: &RawRule, mut rules: Rules, problems: &mut Problems) {
    let mut scratch = Scratch::new();
    let mut first = Vec::new();
    let lines = || raw.examples.iter().chain(&raw.counterexamples);
    for example in &raw.examples {
        let found = spans(&rules, example.as_bytes(), &mut scratch);
        if found.is_empty() && scratch.edges().is_empty() {
            problems.add(&raw.id, format!("not found in the example '{example}'"));
        }
        if found.iter().any(|found| found.span.is_empty()) {
            problems.add(&raw.id, format!("an empty match in the example '{example}'"));
        }
        if !opens_gate(raw, example) {
            problems.add(&raw.id, format!("no prefix or cue in the example '{example}'"));
        }
    }
    for line in &raw.counterexamples {
        let found = spans(&rules, line.as_bytes(), &mut scratch);
        if !found.is_empty() || !scratch.edges().is_empty() {
            problems.add(&raw.id, format!("found in the counter-example '{line}'"));
        }
    }
    for line in lines() {
        first.push(spans(&rules, line.as_bytes(), &mut scratch));
    }
    rules.ignore_gates();
    for (line, gated) in lines().zip(first) {
        if spans(&rules, line.as_bytes(), &mut scratch) != gated {
            problems.add(&raw.id, format!("its gate changes what is found in '{line}'"));
        }
    }
}

/// True when the line holds a prefix or a cue of the detector, or it needs none.
fn opens_gate(raw: &RawRule, line: &str) -> bool {
    // Separators and letter case of a cue are free, so only its letters and digits are looked for.
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let line_letters = letters(line);
    let has_cue = |cue: &String| line_letters.contains(&letters(cue));
    raw.gate.is_some()
        || raw.prefixes.iter().any(|prefix| line.contains(prefix.as_str()))
        || raw.cues.iter().any(has_cue)
}

/// All detectors together: gates on and off agree line by line and on all lines as one text.
fn check_together(extra: &[(String, String)], all: &[(String, RawRule)], problems: &mut Problems) {
    let load = || Rules::load(&Selection { extra: extra.to_vec(), ..Selection::default() });
    let (gated, mut open) = match (load(), load()) {
        (Ok(gated), Ok(open)) => (gated, open),
        (Err(error), _) | (_, Err(error)) => {
            return problems.add(&error.file, error.problem);
        }
    };
    open.ignore_gates();
    let mut scratch = Scratch::new();
    let mut text = String::new();
    for (_, raw) in all {
        for line in raw.examples.iter().chain(&raw.counterexamples) {
            let with = spans(&gated, line.as_bytes(), &mut scratch);
            if with != spans(&open, line.as_bytes(), &mut scratch) {
                problems.add(&raw.id, format!("among all, gates change what is found in '{line}'"));
            }
            text.push_str(line);
            text.push('\n');
        }
    }
    let with = spans(&gated, text.as_bytes(), &mut scratch);
    let without = spans(&open, text.as_bytes(), &mut scratch);
    let differs = with.iter().zip(&without).find(|(a, b)| a != b);
    if with != without {
        let at = differs.map_or(text.len(), |(a, b)| a.span.start.min(b.span.start));
        let line = text.get(..at).map_or(0, |head| head.matches('\n').count());
        let line = text.lines().nth(line).unwrap_or("");
        problems.add("all", format!("gates change what is found in all lines, first in '{line}'"));
    }
}

fn spans(rules: &Rules, text: &[u8], scratch: &mut Scratch) -> Vec<Match> {
    rules.scan(RawSlice::new(text), scratch);
    scratch.matches().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(file: &str) -> Vec<String> {
        let mut problems = Problems::default();
        match read("site.toml", file) {
            Ok(all) => {
                let named = |raw| ("site.toml".to_owned(), raw);
                check_each(&all.into_iter().map(named).collect::<Vec<_>>(), &mut problems);
            }
            Err(error) => problems.add(&error.file, error.problem),
        }
        problems.0.iter().map(Problem::to_string).collect()
    }

    fn detector(change: &str, to: &str) -> String {
        let text = r#"[[detector]]
id = "site.ticket"
kind = "TICKET"
summary = "Ticket of the support desk."
tier = "self-identifying"
prefixes = ["TCK-"]
pattern = 'TCK-[0-9]{6}'
examples = ["opened TCK-120934 today"]
counterexamples = ["opened TCK-12 today"]
"#;
        assert!(text.contains(change), "{change}");
        text.replace(change, to)
    }

    /// Each kind of mistake is told; leaving one of the checks out fails its row.
    #[test]
    fn mistakes_are_told() {
        let good = detector("site", "site");
        assert_eq!(problems(&good), Vec::<String>::new());
        assert_eq!(problems(&format!("{good}{good}")), ["site.ticket: the id is taken"]);
        for (change, to, told) in [
            ("TICKET", "Ticket", "the kind is not"),
            (r#"["TCK-"]"#, r#"["TCK-", "TCK-"]"#, "stands there twice"),
            (r#"["TCK-"]"#, r#"["TCK-", "TKT-"]"#, "no match begins with the prefix 'TKT-'"),
            ("opened TCK-12 ", "opened TCK-120934 ", "found in the counter-example"),
            ("opened TCK-120934 ", "opened TCK-12093 ", "not found in the example"),
            (r#"["opened TCK-12 today"]"#, "[]", "no counter-example"),
            ("prefixes = [\"TCK-\"]", "gate = \"nothing\"", "there is no gate 'nothing'"),
            ("pattern", "validator = \"nothing\"\npattern", "there is no validator 'nothing'"),
            ("prefixes = [\"TCK-\"]", "cues = [\"Ticket No\"]", "is not lower-case parts"),
            ("prefixes", "cues = [\"ticket\"]\nprefixes", "2 of prefixes, gate and cues"),
            ("tier", "teir", "unknown field"),
        ] {
            let found = problems(&detector(change, to));
            assert!(found.iter().any(|problem| problem.contains(told)), "{told}: {found:?}");
        }
    }
}
