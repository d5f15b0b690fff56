//! Names that announce a value: finding the one that ends at a place, by word parts.
//!
//! `X-Api-Key`, `apiKey` and `API_KEY` all have the parts `api` and `key` at their end. A table of
//! the last three letters of every name answers most places with a no; the parts are then hashed
//! from the back, and each part boundary is looked up.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::hash::Hasher;

use super::RuleId;
use super::bytes::DIGIT;
use super::bytes::LOWER;
use super::bytes::UPPER;
use super::bytes::before;
use super::bytes::byte;
use super::bytes::is;

/// Longest name looked at, in bytes: the longest cue in words of another language has about 50.
const NAME_LEN_MAX: usize = 72;

/// Words that stand between a name and its value: `PPS number 63…`, `card no. 40…`.
const FILLERS: [&[u8]; 12] = [
    b"number", b"no", b"nr", b"num", b"id", b"is", b"was", b"code", b"value", b"nummer", b"numero",
    b"card",
];

/// All cues of a set of rules.
#[derive(Debug)]
pub(super) struct Cues {
    endings: Box<[u64; ENDINGS / 64]>,
    /// As `endings`, of the filler words.
    filler_endings: Box<[u64; ENDINGS / 64]>,
    /// One bit for the upper bits of the hash of each cue.
    parts: Box<[u64; ENDINGS / 64]>,
    rules: HashMap<u64, Vec<RuleId>, BuildHasherDefault<AsIs>>,
}

/// What is left of a hash to look up its bit.
const PARTS_SHIFT: u32 = u64::BITS - ENDINGS.trailing_zeros();

/// Bits of the table of last letters.
const ENDINGS: usize = 1 << 16;

/// A hasher for keys that are hashes.
#[derive(Clone, Copy, Debug, Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        // The map takes its bits from both ends; FNV leaves the upper ones weak.
        self.0 = hash ^ hash.rotate_left(29);
    }
}

/// Most cues that can end at one place, one inside the other: `dd_api_key`, `api_key`.
const NESTED_MAX: usize = 6;

/// The cues that end at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cue<'c> {
    rules: [&'c [RuleId]; NESTED_MAX],
    /// Where the longest one begins.
    pub(super) start: usize,
    /// Where the whole name begins.
    pub(super) name: usize,
}

impl Cue<'_> {
    /// The rules they belong to.
    pub(super) fn rules(&self) -> impl Iterator<Item = RuleId> {
        self.rules.iter().flat_map(|rules| rules.iter().copied())
    }
}

/// The place of four bytes in the table of endings: of their letters as far as the last word part
/// reaches, in either case.
///
/// How far that is cannot be foreseen, so that nothing branches on it but capitals, which are few.
#[inline]
fn ending(last: [u8; 4]) -> usize {
    let [fourth, third, second, first] = last.map(name_class);
    let is_name = |class: u16| usize::from(class & NAME != 0);
    let one = is_name(first);
    let mut two = one & is_name(second);
    let mut three = two & is_name(third);
    let mut four = three & is_name(fourth);
    if (first | second | third | fourth) & CAPITAL != 0 {
        two &= usize::from(!is_camel(second, first, 0));
        three &= two & usize::from(!is_camel(third, second, first));
        four &= three & usize::from(!is_camel(fourth, third, second));
    }
    let [a, b, c, d] = last.map(|byte| u32::from(byte & 31));
    let letters = (d << 15 | c << 10 | b << 5 | a) >> (5 * (4 - one - two - three - four));
    (letters.wrapping_mul(0x9e37_79b1) >> 16) as usize
}

/// The place of the letters before `end`, and whether a digit is the last of them.
#[inline]
fn last_letters(text: &[u8], end: usize) -> (usize, bool) {
    let last = match text.get(end.wrapping_sub(4)..end) {
        Some([a, b, c, d]) => [*a, *b, *c, *d],
        _ => [0, before(text, end - 2.min(end)), before(text, end - 1.min(end)), before(text, end)],
    };
    (ending(last), is(last[3], DIGIT))
}

fn mark_ending(endings: &mut [u64; ENDINGS / 64], cue: &[u8]) {
    let back = |count: usize| cue.len().checked_sub(count).and_then(|at| cue.get(at)).copied();
    let index = ending([back(4), back(3), back(2), back(1)].map(Option::unwrap_or_default));
    endings[index / 64] |= 1 << (index % 64);
}

/// What a byte of a name is, above the byte itself in lower case.
static NAMES: [u16; 256] = names();
const NAME: u16 = 1 << 8;
const CAPITAL: u16 = 1 << 9;
const SMALL: u16 = 1 << 10;
const FIGURE: u16 = 1 << 11;

const fn names() -> [u16; 256] {
    let mut names = [0; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        let class = match byte {
            b'A'..=b'Z' => NAME | CAPITAL,
            b'a'..=b'z' => NAME | SMALL,
            b'0'..=b'9' => NAME | FIGURE,
            0x80.. => NAME,
            _ => 0,
        };
        names[at] = class | byte.to_ascii_lowercase() as u16;
        at += 1;
    }
    names
}

#[inline]
fn name_class(byte: u8) -> u16 {
    NAMES[usize::from(byte)]
}

/// True when a word part ends between `left` and `right`, the latter followed by `next`.
#[inline]
fn is_camel(left: u16, right: u16, next: u16) -> bool {
    right & CAPITAL != 0
        && (left & (SMALL | FIGURE) != 0 || left & CAPITAL != 0 && next & SMALL != 0)
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
}

/// The hash of a cue, from the back.
fn hash(cue: &str) -> u64 {
    cue.bytes().rev().fold(SEED, |sum, byte| step(sum, byte.to_ascii_lowercase()))
}

impl Cues {
    pub(super) fn new() -> Cues {
        let empty = || Box::new([0; ENDINGS / 64]);
        Cues {
            endings: empty(),
            filler_endings: empty(),
            parts: empty(),
            rules: HashMap::default(),
        }
    }

    /// Makes `cue` announce values of `rule`.
    pub(super) fn add(&mut self, cue: &str, rule: RuleId) {
        let sum = hash(cue);
        self.parts[(sum >> PARTS_SHIFT) as usize / 64] |= 1 << ((sum >> PARTS_SHIFT) % 64);
        let rules = self.rules.entry(sum).or_default();
        if !rules.contains(&rule) {
            rules.push(rule);
        }
        mark_ending(&mut self.endings, cue.as_bytes());
    }

    /// Lets places behind filler words through, once all cues are in.
    pub(super) fn add_fillers(&mut self) {
        if !self.rules.is_empty() {
            FILLERS.iter().for_each(|filler| mark_ending(&mut self.filler_endings, filler));
        }
    }

    /// False when no cue can end at `end`, a filler word and digits at its end aside.
    #[inline]
    pub(super) fn may_end(&self, text: &[u8], end: usize) -> bool {
        let (index, digit) = last_letters(text, end);
        let word = self.endings[index / 64] | self.filler_endings[index / 64];
        word >> (index % 64) & 1 == 1 || digit
    }

    /// False when no cue can end at `end`, digits at its end aside.
    fn cue_may_end(&self, text: &[u8], end: usize) -> bool {
        let (index, digit) = last_letters(text, end);
        self.endings[index / 64] >> (index % 64) & 1 == 1 || digit
    }

    /// The longest cue whose last byte is before `end`; `words` lets blanks join its parts.
    pub(super) fn ending_at(&self, text: &[u8], end: usize, words: bool) -> Option<Cue<'_>> {
        if let Some(cue) = self.exactly_at(text, end, words) {
            return Some(cue);
        }
        if is(before(text, end), DIGIT) {
            let mut shorter = end;
            while end - shorter < 4 && is(before(text, shorter), DIGIT) {
                shorter -= 1;
            }
            if before(text, shorter) == b'_' {
                shorter -= 1;
            }
            return self.exactly_at(text, shorter, words);
        }
        None
    }

    /// As [`Cues::ending_at`], up to two filler words aside.
    pub(super) fn before_fillers(&self, text: &[u8], end: usize) -> Option<Cue<'_>> {
        let mut end = end;
        for _ in 0..3 {
            if let Some(cue) =
                self.cue_may_end(text, end).then(|| self.ending_at(text, end, true)).flatten()
            {
                return Some(cue);
            }
            if before(text, end) == b'.' {
                end -= 1;
            }
            let mut start = end;
            while end - start < 8 && is(before(text, start), UPPER | LOWER) {
                start -= 1;
            }
            let word = text.get(start..end)?;
            if !FILLERS.iter().any(|filler| word.eq_ignore_ascii_case(filler)) {
                return None;
            }
            end = start;
            while matches!(before(text, end), b' ' | b'_' | b'-') && start - end < 2 {
                end -= 1;
            }
        }
        None
    }

    fn exactly_at(&self, text: &[u8], end: usize, words: bool) -> Option<Cue<'_>> {
        let mut found: [&[RuleId]; NESTED_MAX] = [&[]; NESTED_MAX];
        let mut count = 0;
        let mut start = end;
        let mut sum = SEED;
        let mut at = end;
        let (mut class, mut next) = (name_class(before(text, at)), name_class(byte(text, at)));
        while end - at < NAME_LEN_MAX && class & NAME != 0 {
            sum = step(sum, class as u8);
            at -= 1;
            let left = name_class(before(text, at));
            let goes_on = left & NAME != 0;
            if goes_on && !is_camel(left, class, next) {
                (class, next) = (left, class);
                continue;
            }
            if self.parts[(sum >> PARTS_SHIFT) as usize / 64] >> ((sum >> PARTS_SHIFT) % 64) & 1
                == 1
                && let (Some(rules), Some(place)) = (self.rules.get(&sum), found.get_mut(count))
            {
                *place = rules;
                count += 1;
                start = at;
            }
            let mut joints = 0;
            while joints < 2 && is_joint(before(text, at), words) {
                at -= 1;
                joints += 1;
            }
            if joints == 0 && !goes_on {
                break;
            }
            sum = step(sum, b'_');
            (class, next) = (name_class(before(text, at)), name_class(byte(text, at)));
        }
        (count > 0).then_some(Cue { rules: found, start, name: at })
    }
}

fn is_joint(byte: u8, words: bool) -> bool {
    matches!(byte, b'_' | b'-' | b'.') || words && byte == b' '
}

/// The end of the name before a separator at `at`: blanks, quotes, backslashes and a bracket aside.
#[inline]
pub(super) fn name_end(text: &[u8], at: usize) -> usize {
    let mut end = at;
    while end > 0 && at - end < 8 {
        match byte(text, end - 1) {
            b' ' | b'\t' | b'"' | b'\'' | b'\\' | b']' | b'`' | b'.' => end -= 1,
            _ => break,
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(cues: &[&str], text: &str) -> bool {
        let mut all = Cues::new();
        cues.iter().for_each(|cue| all.add(cue, RuleId(0)));
        all.add_fillers();
        let end = name_end(text.as_bytes(), text.len());
        let found = all.before_fillers(text.as_bytes(), end).is_some();
        assert!(!found || all.may_end(text.as_bytes(), end), "{text}");
        found
    }

    #[test]
    fn names_are_compared_by_parts() {
        let cues =
            ["api_key", "password", "ssn", "cf", "social_security_number", "medicare", "číslo"];
        for text in [
            "X-Api-Key",
            "openaiApiKey",
            "OPENAI_API_KEY",
            "APIKey",
            "{\"smtp.password\"",
            "password1",
            "user[password]",
            "applicant ssn",
            "cf",
            "social security number",
            "Medicare card no.",
            "rodné číslo",
        ] {
            assert!(finds(&cues, text), "{text}");
        }
        for text in ["monkey", "compassword", "passwords", "lessn", "key", "social security", "scf"]
        {
            assert!(!finds(&cues, text), "{text}");
        }
    }
}
