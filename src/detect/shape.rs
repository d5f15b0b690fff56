//! Anchored matching of a detector's pattern.
//!
//! Most patterns are a row of literals and classes that can be matched in one pass, left to right,
//! without ever going back; those are compiled to steps. The few others go to a lazy automaton of
//! `regex-automata`, made when it is first needed.
//!
//! # Promise
//! Time linear in what is matched, and the same answer from both: a test compares them.

use std::sync::OnceLock;

use regex_automata::Anchored;
use regex_automata::Input;
use regex_automata::meta;
use regex_automata::util::syntax;
use regex_syntax::hir::Class;
use regex_syntax::hir::Hir;
use regex_syntax::hir::HirKind;

/// Longest text one match may cover; more than any token, less than what would make a long line
/// slow.
pub(crate) const MATCH_LEN_MAX: usize = 16 * 1024;

/// A set of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(crate) const EMPTY: ByteSet = ByteSet([0; 4]);

    pub(crate) const fn of(bytes: &[u8]) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        let mut at = 0;
        while at < bytes.len() {
            set.0[(bytes[at] >> 6) as usize] |= 1 << (bytes[at] & 63);
            at += 1;
        }
        set
    }

    pub(crate) const fn has(&self, byte: u8) -> bool {
        self.0[(byte >> 6) as usize] >> (byte & 63) & 1 == 1
    }

    pub(crate) fn insert(&mut self, byte: u8) {
        self.0[(byte >> 6) as usize] |= 1 << (byte & 63);
    }

    fn meets(&self, other: &ByteSet) -> bool {
        self.0.iter().zip(other.0).any(|(a, b)| a & b != 0)
    }

    fn join(&mut self, other: &ByteSet) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
    }
}

/// A compiled pattern.
#[derive(Debug)]
pub(crate) struct Shape {
    engine: Engine,
    source: Box<str>,
}

#[derive(Debug)]
enum Engine {
    Steps(Vec<Step>),
    Automaton(OnceLock<Option<meta::Regex>>),
}

#[derive(Clone, Debug)]
enum Step {
    Literal(Box<[u8]>),
    Class { set: ByteSet, min: usize, max: usize },
    Group { steps: Vec<Step>, min: usize, max: usize },
    Either(Vec<Vec<Step>>),
}

/// A pattern that is not an ASCII byte pattern.
#[derive(Debug)]
pub struct PatternError {
    /// What the parser says; patterns come from detector files, never from a log.
    pub message: String,
}

impl Shape {
    /// Compiles `pattern`.
    pub(crate) fn new(pattern: &str) -> Result<Shape, PatternError> {
        let hir = Shape::parse(pattern)?;
        if hir.properties().minimum_len().unwrap_or(0) == 0 {
            return Err(PatternError { message: "the pattern matches nothing".to_owned() });
        }
        let mut steps = Vec::new();
        let simple =
            steps_of(&hir, &mut steps) && runs_in_one_pass(&steps, &mut ByteSet::EMPTY.clone());
        let engine = if simple { Engine::Steps(steps) } else { Engine::Automaton(OnceLock::new()) };
        Ok(Shape { engine, source: pattern.into() })
    }

    fn parse(pattern: &str) -> Result<Hir, PatternError> {
        regex_syntax::ParserBuilder::new()
            .unicode(false)
            .utf8(false)
            .build()
            .parse(pattern)
            .map_err(|error| PatternError { message: error.to_string() })
    }

    /// The pattern as a tree, to make samples from.
    ///
    /// # Errors
    ///
    /// Never for a pattern that was compiled.
    pub(crate) fn tree(&self) -> Result<Hir, PatternError> {
        Shape::parse(&self.source)
    }

    /// The end of the longest match that starts at `at`.
    #[inline]
    pub(crate) fn match_at(&self, text: &[u8], at: usize) -> Option<usize> {
        match &self.engine {
            Engine::Steps(steps) => run(steps, text, at),
            Engine::Automaton(cell) => self.automaton_at(cell, text, at),
        }
    }

    fn automaton_at(
        &self,
        cell: &OnceLock<Option<meta::Regex>>,
        text: &[u8],
        at: usize,
    ) -> Option<usize> {
        let regex = cell.get_or_init(|| {
            meta::Regex::builder()
                .syntax(syntax::Config::new().unicode(false).utf8(false))
                .configure(meta::Config::new().utf8_empty(false).nfa_size_limit(Some(4 << 20)))
                .build(&self.source)
                .ok()
        });
        let end = text.len().min(at + MATCH_LEN_MAX);
        // Greedy repeats make the leftmost-first match the longest one in the patterns we take.
        let input = Input::new(text).range(at..end).anchored(Anchored::Yes);
        regex.as_ref()?.find(input).map(|found| found.end())
    }
}

fn run(steps: &[Step], text: &[u8], mut at: usize) -> Option<usize> {
    for step in steps {
        at = match step {
            Step::Literal(literal) => {
                let end = at + literal.len();
                if text.get(at..end)? != &**literal {
                    return None;
                }
                end
            }
            Step::Class { set, min, max } => {
                let rest = text.get(at..)?;
                let rest = rest.get(..*max).unwrap_or(rest);
                let len = rest.iter().position(|byte| !set.has(*byte)).unwrap_or(rest.len());
                if len < *min {
                    return None;
                }
                at + len
            }
            Step::Group { steps, min, max } => {
                let mut times = 0;
                while times < *max {
                    match run(steps, text, at) {
                        Some(end) if end > at => at = end,
                        _ => break,
                    }
                    times += 1;
                }
                if times < *min {
                    return None;
                }
                at
            }
            Step::Either(ways) => ways.iter().find_map(|way| run(way, text, at))?,
        };
    }
    Some(at)
}

/// Appends the steps of `hir`; false when it has something that steps cannot say.
fn steps_of(hir: &Hir, steps: &mut Vec<Step>) -> bool {
    match hir.kind() {
        HirKind::Empty => true,
        HirKind::Literal(literal) => {
            steps.push(Step::Literal(literal.0.clone()));
            true
        }
        HirKind::Class(class) => {
            let Some(set) = set_of(class) else { return false };
            steps.push(Step::Class { set, min: 1, max: 1 });
            true
        }
        HirKind::Look(_) => false,
        HirKind::Repetition(repetition) => {
            let min = repetition.min as usize;
            let max = repetition.max.map_or(MATCH_LEN_MAX, |max| max as usize);
            let mut inner = Vec::new();
            if !repetition.greedy || !steps_of(&repetition.sub, &mut inner) {
                return false;
            }
            match inner.as_slice() {
                [Step::Class { set, min: 1, max: 1 }] => {
                    steps.push(Step::Class { set: *set, min, max });
                }
                _ => steps.push(Step::Group { steps: inner, min, max }),
            }
            true
        }
        HirKind::Capture(capture) => steps_of(&capture.sub, steps),
        HirKind::Concat(parts) => parts.iter().all(|part| steps_of(part, steps)),
        HirKind::Alternation(ways) => {
            let mut all = Vec::new();
            for way in ways {
                let mut inner = Vec::new();
                if !steps_of(way, &mut inner) {
                    return false;
                }
                all.push(inner);
            }
            steps.push(Step::Either(all));
            true
        }
    }
}

fn set_of(class: &Class) -> Option<ByteSet> {
    let mut set = ByteSet::EMPTY;
    match class {
        Class::Bytes(class) => {
            for range in class.ranges() {
                (range.start()..=range.end()).for_each(|byte| set.insert(byte));
            }
        }
        Class::Unicode(class) => {
            for range in class.ranges() {
                let end = u8::try_from(range.end()).ok().filter(u8::is_ascii)?;
                (u8::try_from(range.start()).ok()?..=end).for_each(|byte| set.insert(byte));
            }
        }
    }
    Some(set)
}

/// Adds the bytes that `steps` can start with to `first`; true when they can match nothing.
fn first_of(steps: &[Step], first: &mut ByteSet) -> bool {
    for step in steps {
        let optional = match step {
            Step::Literal(literal) => {
                if let Some(byte) = literal.first() {
                    first.insert(*byte);
                }
                literal.is_empty()
            }
            Step::Class { set, min, .. } => {
                first.join(set);
                *min == 0
            }
            Step::Group { steps, min, .. } => first_of(steps, first) || *min == 0,
            Step::Either(ways) => {
                let mut empty = false;
                for way in ways {
                    empty |= first_of(way, first);
                }
                empty
            }
        };
        if !optional {
            return false;
        }
    }
    true
}

/// True when each repeat ends where the next step begins, so that greed never has to give back.
/// `after` holds what can follow; on return also what `steps` can start with.
fn runs_in_one_pass(steps: &[Step], after: &mut ByteSet) -> bool {
    let mut follow = *after;
    for (index, step) in steps.iter().enumerate().rev() {
        let simple = match step {
            Step::Literal(_) => true,
            Step::Class { set, min, max } => min == max || !set.meets(&follow),
            Step::Group { steps, min, max } => {
                let mut inner = follow;
                if *max > 1 {
                    first_of(steps, &mut inner);
                }
                let mut first = ByteSet::EMPTY;
                first_of(steps, &mut first);
                (min == max || !first.meets(&follow)) && runs_in_one_pass(steps, &mut inner)
            }
            Step::Either(ways) => {
                // The first way that fits is taken, so the ways must differ in their first byte.
                let mut seen = ByteSet::EMPTY;
                ways.iter().all(|way| {
                    let mut first = ByteSet::EMPTY;
                    let empty = first_of(way, &mut first);
                    let new = !empty && !first.meets(&seen);
                    seen.join(&first);
                    new && runs_in_one_pass(way, &mut follow.clone())
                })
            }
        };
        if !simple {
            return false;
        }
        let mut first = ByteSet::EMPTY;
        if first_of(&steps[index..=index], &mut first) {
            follow.join(&first);
        } else {
            follow = first;
        }
    }
    *after = follow;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Taking the first way that fits although two ways start alike made `(ab|abc)d` miss `abcd`.
    #[test]
    fn steps_and_automaton_agree() {
        let patterns = [
            "gh[pousr]_[A-Za-z0-9]{36,255}",
            "[0-9]{2} ?[0-9]{3} ?[0-9]{3}",
            "sk-[A-Za-z0-9_-]{20,74}T3BlbkFJ[A-Za-z0-9_-]{20,74}",
            "(ab|abc)d",
            "[A-Z]{3}(-[0-9]{2}){2,3}x?",
            "A3-[A-Z0-9]{6}-([A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}",
        ];
        let texts: [&[u8]; 8] = [
            b"ghp_0123456789abcdefghijABCDEFGHIJ012345 x",
            b"12 345 678",
            b"12345678",
            b"sk-aaaaaaaaaaaaaaaaaaaaaaaaT3BlbkFJbbbbbbbbbbbbbbbbbbbbb",
            b"abcd",
            b"ABC-12-34-56x",
            b"A3-ABCDEF-0123456789A-BCDEF",
            b"A3-ABCDEF-012345-6789A-BCDEF",
        ];
        for pattern in patterns {
            let shape = Shape::new(pattern).unwrap();
            let slow = Shape { engine: Engine::Automaton(OnceLock::new()), source: pattern.into() };
            for text in texts {
                for at in 0..text.len() {
                    assert_eq!(shape.match_at(text, at), slow.match_at(text, at), "{pattern}");
                }
            }
        }
    }

    #[test]
    fn a_pattern_that_matches_nothing_is_refused() {
        assert!(Shape::new("[a-z]*").is_err());
        assert!(Shape::new("(").is_err());
    }
}
