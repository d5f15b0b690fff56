//! Detectors: rules from data to spans.
//!
//! Detector files say what a value looks like and what makes it believable ([`rule`]); [`Rules`] is
//! their compiled form. [`Rules::scan`] reads a piece of text once into bitmaps of byte classes,
//! takes candidates from the bitmaps, lets a small matcher look at each, does the same for decoded
//! views of the lines that hold encoded characters, and resolves overlaps in one sweep.
//!
//! # Promise
//! Time linear in the text, whatever the text is; spans are sorted and do not overlap; the same text
//! gives the same spans on every machine.
//!
//! # Not here
//! What a value is called afterwards (`pseudonym`), and rewriting the text (`mask`).

#![expect(
    clippy::indexing_slicing,
    reason = "indices into tables are masked to the table's size; text is read with `get`"
)]
#![expect(
    clippy::cast_possible_truncation,
    reason = "a piece of text is far below 4 GiB, and the tables of bytes have 256 entries"
)]

mod bytes;
mod check;
mod cue;
mod deeper;
mod email;
mod gate;
mod gates;
mod keyblock;
mod keyed;
mod load;
mod markers;
mod network;
mod normalise;
mod number;
mod punycode;
pub mod rule;
pub mod sample;
mod scan;
mod shape;
mod sweep;
mod token;
pub mod validate;
mod value;
mod web;
mod words;

pub use check::Problem;
pub use check::check;
pub use check::written;
pub use keyblock::KeyEdge;
pub use load::BUILTIN_FILES;
pub use load::LoadError;
pub use load::Selection;
pub use markers::Known;
pub use scan::Limits;
pub use scan::Scratch;
pub use shape::PatternError;
pub use sweep::Match;

use rule::Normalise;
use rule::Precedence;
use rule::RawRule;
use shape::Shape;
use validate::Validator;

/// A detector, by its place in a set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId(pub u16);

/// A kind of value, by its place in a set of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub u16);

/// A set of detectors, compiled.
#[derive(Debug)]
pub struct Rules {
    rules: Vec<Rule>,
    kinds: Vec<Box<str>>,
    literals: token::Literals,
    cues: cue::Cues,
    gates: [Vec<RuleId>; gates::GATES],
    kernel: crate::simd::Kernel,
    everywhere: bool,
}

/// One compiled detector.
#[derive(Debug)]
struct Rule {
    raw: RawRule,
    kind: KindId,
    shape: Option<Shape>,
    validator: Option<Validator>,
    glued: bool,
    keep_prefix: bool,
    secret: bool,
    precedence: Precedence,
    normalise: Normalise,
    gate: Option<gates::Gate>,
}

/// A span before overlaps are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    start: u32,
    end: u32,
    rule: RuleId,
}

impl Rules {
    /// The name of a kind, as markers begin with it.
    pub fn kind_name(&self, kind: KindId) -> &str {
        self.kinds.get(usize::from(kind.0)).map_or("", |name| name)
    }

    /// The kinds, in the order of their ids.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.kinds.iter().map(|name| &**name)
    }

    /// The id of a detector, `group.name`.
    pub fn rule_id(&self, rule: RuleId) -> &str {
        self.rules.get(usize::from(rule.0)).map_or("", |rule| &rule.raw.id)
    }

    /// The detectors as written, in the order of their ids.
    pub fn written(&self) -> impl Iterator<Item = &RawRule> {
        self.rules.iter().map(|rule| &rule.raw)
    }

    /// The kind and the detector of private keys, where they are selected.
    pub fn private_key(&self) -> Option<(KindId, RuleId)> {
        let rule = self.gate(gates::Gate::PrivateKey)?;
        Some((self.rule(rule).kind, rule))
    }

    /// The kernel that classifies bytes.
    pub fn kernel(&self) -> crate::simd::Kernel {
        self.kernel
    }

    /// Uses `kernel` from now on, to compare kernels.
    pub fn set_kernel(&mut self, kernel: crate::simd::Kernel) {
        self.kernel = kernel;
    }

    /// Looks at every place of a text instead of at candidates from now on, to test the gates.
    pub fn ignore_gates(&mut self) {
        self.everywhere = true;
    }

    #[inline]
    fn rule(&self, rule: RuleId) -> &Rule {
        &self.rules[usize::from(rule.0)]
    }

    #[inline]
    fn gate(&self, gate: gates::Gate) -> Option<RuleId> {
        self.gates[gate as usize].first().copied()
    }

    /// Pushes the span for the first detector of the gate whose validator accepts it.
    #[inline]
    fn push_gate(
        &self,
        text: &[u8],
        found: &mut Vec<Found>,
        gate: gates::Gate,
        start: usize,
        end: usize,
    ) {
        let rules = &self.gates[gate as usize];
        let _first = rules.iter().any(|rule| self.push_checked(text, found, *rule, start, end));
    }

    fn is_secret(&self, rule: RuleId) -> bool {
        self.rule(rule).secret
    }

    #[inline]
    fn push(&self, found: &mut Vec<Found>, rule: RuleId, start: usize, end: usize) {
        if end > start {
            found.push(Found { start: start as u32, end: end as u32, rule });
        }
    }

    /// Pushes the span if the rule's validator accepts it.
    #[inline]
    fn push_checked(
        &self,
        text: &[u8],
        found: &mut Vec<Found>,
        rule: RuleId,
        start: usize,
        end: usize,
    ) -> bool {
        let fits = text
            .get(start..end)
            .is_some_and(|value| self.rule(rule).validator.is_none_or(|check| check(value)));
        if fits {
            self.push(found, rule, start, end);
        }
        fits
    }
}
