//! Values made up from what a detector says about itself, to test it with text it was not written for.
//!
//! [`positives`] makes values that the detector has to find, in a context that announces them where
//! it needs one; [`near_misses`] makes what is almost one: a character short, a foreign character, a
//! wrong check digit. Patterns are walked as trees. Where code stands behind a gate, or a check is
//! too strong to be met by chance, the values of the examples are varied, and where even that cannot
//! be, taken as they are.
//!
//! # Promise
//! The same detector and seed give the same samples. **The scanner is not asked whether a value is
//! good**: the pattern and the check alone decide, so that what the scanner misses is seen.
//!
//! # Not here
//! Encodings and neighbours of a value (the tests).

mod context;
mod tree;
mod vary;

use std::collections::BTreeSet;

use super::Rules;
use super::Scratch;
use super::rule::RawRule;
use super::shape::Shape;
use super::validate;
use super::validate::Validator;
use crate::text::RawSlice;

/// Most attempts to make one value that its check accepts.
const ATTEMPTS_MAX: usize = 4000;

/// A line around one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// What stands before the value: at least what announces it.
    pub before: String,
    /// The value: what has to be masked, or must not be.
    pub value: String,
    /// What stands behind it.
    pub after: String,
}

impl Sample {
    /// The whole line, which may have line ends inside.
    pub fn line(&self) -> String {
        format!("{}{}{}", self.before, self.value, self.after)
    }
}

/// Random numbers by SplitMix64: the samples of a seed are the same everywhere.
#[derive(Debug)]
struct Dice(u64);

impl Dice {
    /// Seeded by a number and a name, so that detectors draw apart.
    fn new(seed: u64, name: &str) -> Dice {
        Dice(
            name.bytes()
                .fold(seed, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)),
        )
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    /// A number below `bound`; zero where that is zero.
    #[expect(clippy::cast_possible_truncation, reason = "below a bound that is a usize")]
    fn below(&mut self, bound: usize) -> usize {
        (self.bits() % (bound.max(1) as u64)) as usize
    }

    /// One of the digits from 1 to 9.
    fn step(&mut self) -> u8 {
        self.pick(&[1, 2, 3, 4, 5, 6, 7, 8, 9]).copied().unwrap_or(1)
    }

    fn pick<'t, T>(&mut self, list: &'t [T]) -> Option<&'t T> {
        list.get(self.below(list.len()))
    }
}

/// What makes a value of one detector.
struct Maker<'r> {
    raw: &'r RawRule,
    shape: Option<Shape>,
    check: Option<Validator>,
    /// The examples, cut at what the detector finds in them.
    templates: Vec<Sample>,
}

impl<'r> Maker<'r> {
    fn new(raw: &'r RawRule) -> Maker<'r> {
        Maker {
            raw,
            shape: raw.pattern.as_deref().and_then(|pattern| Shape::new(pattern).ok()),
            check: raw.validator.as_deref().and_then(validate::find),
            templates: templates(raw),
        }
    }

    /// True when pattern and check take the whole value.
    fn accepts(&self, value: &str) -> bool {
        let bytes = value.as_bytes();
        let prefixes = &self.raw.prefixes;
        // A pattern may be wider than the prefixes that lead to it.
        (prefixes.is_empty() || prefixes.iter().any(|prefix| value.starts_with(prefix.as_str())))
            && self.shape.as_ref().is_none_or(|shape| shape.match_at(bytes, 0) == Some(bytes.len()))
            && self.check.is_none_or(|check| check(bytes))
    }

    fn value(&self, dice: &mut Dice) -> Option<String> {
        if let Some(tree) = self.shape.as_ref().and_then(|shape| shape.tree().ok()) {
            // A check that takes less than one in a thousand is met by varying an example.
            let attempts = if self.check.is_some() { ATTEMPTS_MAX } else { 512 };
            for _ in 0..attempts {
                let value = tree::random(&tree, dice);
                if self.accepts(&value) {
                    return Some(value);
                }
            }
        }
        let template = dice.pick(&self.templates)?;
        (0..ATTEMPTS_MAX).find_map(|_| {
            let value = vary::value(self.raw, &template.value, dice);
            (value != template.value && self.accepts(&value)).then_some(value)
        })
    }

    /// A line that announces `value`, the `turn`th way.
    fn place(&self, value: String, turn: usize, dice: &mut Dice) -> Sample {
        if !self.raw.cues.is_empty() {
            return context::behind_cue(self.raw, value, turn, dice);
        }
        if !self.raw.prefixes.is_empty() {
            return context::plain(self.raw, &value, turn);
        }
        let template = self.templates.get(turn % self.templates.len().max(1));
        let (before, after) = template
            .map_or((String::new(), String::new()), |t| (t.before.clone(), t.after.clone()));
        Sample { before, value, after }
    }
}

/// At least `count` lines with a value that the detector finds, if its examples have one at all.
pub fn positives(raw: &RawRule, count: usize, seed: u64) -> Vec<Sample> {
    let maker = Maker::new(raw);
    let mut dice = Dice::new(seed, &raw.id);
    let mut seen = BTreeSet::new();
    let mut samples = Vec::new();
    for turn in 0..count * 2 {
        if samples.len() == count {
            return samples;
        }
        if by_template(raw) {
            // A varied value belongs into the line it was taken from.
            let Some(template) = maker.templates.get(turn % maker.templates.len().max(1)) else {
                break;
            };
            let varied = (0..ATTEMPTS_MAX)
                .map(|_| vary::value(raw, &template.value, &mut dice))
                .find(|value| maker.accepts(value) && !seen.contains(value));
            if let Some(value) = varied {
                seen.insert(value.clone());
                samples.push(Sample { value, ..template.clone() });
            }
        } else if let Some(value) =
            maker.value(&mut dice).filter(|value| seen.insert(value.clone()))
        {
            samples.push(maker.place(value, turn, &mut dice));
        }
    }
    // What nothing can vary is taken from the examples, in as many contexts as asked for.
    for (turn, template) in maker.templates.iter().cycle().enumerate().take(count - samples.len()) {
        let sample = if by_template(raw) {
            template.clone()
        } else {
            maker.place(template.value.clone(), turn, &mut dice)
        };
        samples.push(sample);
    }
    samples
}

/// About `count` lines, at least three, in which the detector finds nothing.
pub fn near_misses(raw: &RawRule, count: usize, seed: u64) -> Vec<Sample> {
    let maker = Maker::new(raw);
    let mut dice = Dice::new(seed ^ 1, &raw.id);
    let mut samples = Vec::new();
    if let Some(tree) = maker.shape.as_ref().and_then(|shape| shape.tree().ok()) {
        for turn in 0..count {
            let found = (0..256).find_map(|_| {
                let value = match turn % 3 {
                    0 => tree::shortest(&tree, &mut dice).map_last(None),
                    1 => vary::foreign(&tree::shortest(&tree, &mut dice).0, raw, &mut dice),
                    _ => vary::wrong_check(&maker.value(&mut dice)?, maker.check, raw, &mut dice),
                };
                maker.misses(&value).then_some(value)
            });
            if let Some(value) = found {
                samples.push(maker.place(value, turn, &mut dice));
            }
        }
    } else if !raw.cues.is_empty() {
        samples = context::without_value(raw, count, &mut dice);
    } else if let Some(check) = maker.check {
        for template in maker.templates.iter().cycle().take(count) {
            let value = (0..256)
                .map(|_| vary::wrong_check(&template.value, Some(check), raw, &mut dice))
                .find(|value| !check(value.as_bytes()));
            samples.extend(value.map(|value| Sample { value, ..template.clone() }));
        }
    }
    // The counter-examples are near misses that somebody thought of.
    for line in raw.counterexamples.iter().cycle().take(count.saturating_sub(samples.len())) {
        samples.push(Sample { before: String::new(), value: line.clone(), after: String::new() });
    }
    samples
}

impl Maker<'_> {
    /// True when no part of the value can be taken for a match of the pattern.
    fn misses(&self, value: &str) -> bool {
        let bytes = value.as_bytes();
        let Some(shape) = &self.shape else { return false };
        (0..bytes.len()).all(|at| {
            let Some(end) = shape.match_at(bytes, at) else { return true };
            let goes_on =
                bytes.get(end).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'_');
            goes_on || !self.check.is_none_or(|check| bytes.get(at..end).is_some_and(check))
        })
    }
}

/// True for detectors whose values only make sense in the line of an example.
fn by_template(raw: &RawRule) -> bool {
    raw.prefixes.is_empty() && raw.cues.is_empty()
}

fn templates(raw: &RawRule) -> Vec<Sample> {
    let Ok(rules) = Rules::single("sample", raw.clone()) else { return Vec::new() };
    let mut scratch = Scratch::new();
    let mut templates = Vec::new();
    for example in &raw.examples {
        rules.scan(RawSlice::new(example.as_bytes()), &mut scratch);
        for found in scratch.matches() {
            let part = |range: std::ops::Range<usize>| example.get(range).unwrap_or("").to_owned();
            templates.push(Sample {
                before: part(0..found.span.start),
                value: part(found.span.start..found.span.end),
                after: part(found.span.end..example.len()),
            });
        }
    }
    templates
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::written;

    /// Leaving the name out of the dice's seed gives several detectors the same value.
    #[test]
    fn samples_repeat_with_the_seed_and_differ_between_detectors() {
        let all = written(&[]).unwrap();
        let mut values = BTreeSet::new();
        let chosen = |raw: &RawRule| !raw.prefixes.is_empty() && raw.validator.is_none();
        for (_, raw) in all.iter().filter(|(_, raw)| chosen(raw)) {
            let samples = positives(raw, 3, 7);
            assert_eq!(samples, positives(raw, 3, 7));
            assert!(samples.len() >= 3, "{}", raw.id);
            assert!(samples.iter().all(|sample| values.insert(sample.value.clone())), "{}", raw.id);
        }
    }

    #[test]
    fn every_detector_has_three_near_misses() {
        for (_, raw) in written(&[]).unwrap() {
            assert!(near_misses(&raw, 3, 7).len() >= 3, "{}", raw.id);
        }
    }
}
