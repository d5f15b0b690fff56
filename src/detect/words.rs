//! A quick look at word starts: most of them begin no token, which a few bytes show.
//!
//! # Promise
//! Where a matcher of `token` could succeed, the quick look says so: it is a gate like those of
//! [`gate`](super::gate) and held to the same test.

use super::Found;
use super::Rules;
use super::bytes::ALNUM;
use super::bytes::BASE64_URL;
use super::bytes::is;
use super::gate::Candidates;
use super::shape::ByteSet;
use crate::simd::Pattern;

/// Bytes before a word start that the quick look reads.
const BEFORE: usize = 3;
/// Bytes that the quick look reads in all: the longest one looks at the 40th byte of a run.
const AROUND: usize = BEFORE + 40;

/// Shapes without a literal, a bit for each, and what they ask of the bytes around a word start.
const JWT: [u8; 3] = [1, 2, 4];
const ZERO: u8 = 8;
const TELEGRAM: u8 = 16;
const TERRAFORM: u8 = 32;
/// Base58, the only shape of digits and letters alone, and long.
const BASE58: u8 = 64;
/// The first part of a bot token, which has 24 bytes or more.
const DISCORD: u8 = 128;

/// What may begin with a byte, stand behind its first byte, and stand behind a byte.
static SHAPES: [[u8; 3]; 256] = {
    let mut shapes = [[0; 3]; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        shapes[at] = [
            match byte {
                b'e' => JWT[0],
                b'I' => JWT[1],
                b'C' => JWT[2],
                b'0' => ZERO,
                b'A' => TELEGRAM,
                b'a' => TERRAFORM,
                b'1' | b'3' | b'4' | b'5' | b'8' | b'K' | b'L' => BASE58,
                b'M' | b'N' | b'O' => DISCORD,
                _ => 0,
            },
            match byte {
                b'y' | b'w' => JWT[0],
                b'H' => JWT[1],
                b'n' => JWT[2],
                b'0' | b'x' | b'X' => ZERO,
                _ => 0,
            },
            match byte {
                b'/' => ZERO,
                b':' => TELEGRAM,
                b'.' => TERRAFORM,
                _ => 0,
            },
        ];
        at += 1;
    }
    shapes
};

/// Bytes that end a scheme word: bearer, basic, negotiate, ssws.
const SCHEME_ENDS: ByteSet = ByteSet::of(b"rcesRCES");
/// What runs of base64 are made of, in either alphabet.
pub(super) const BASE64: ByteSet =
    ByteSet::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_");

/// The beginning of a base58 address in which letters of both cases stand.
pub(super) const BASE58_MIXED: usize = 24;
/// The beginning of a run of base64 in which letters of both cases stand.
pub(super) const BASE64_MIXED: usize = AROUND - BEFORE;

/// True when letters of both cases are among bytes of base64.
#[inline]
pub(super) fn mixes_cases(run: &[u8]) -> bool {
    // Of letters bit 6 is set, and bit 5 in small ones; of digits and marks but `_` bit 6 is not.
    const BIT: u64 = 0x4040_4040_4040_4040;
    let (eights, rest) = run.as_chunks::<8>();
    let mut last = [0; 8];
    for (place, byte) in last.iter_mut().zip(rest) {
        *place = *byte;
    }
    let (mut small, mut capital) = (0, 0);
    for eight in eights.iter().chain([&last]) {
        let word = u64::from_le_bytes(*eight);
        let marks = word & BIT & !same(word, b'_');
        small |= marks & word << 1;
        capital |= marks & !(word << 1);
    }
    small != 0 && capital != 0
}

/// Bit 6 of each byte that is `byte`, and perhaps of one above it.
fn same(word: u64, byte: u8) -> u64 {
    let differs = word ^ u64::from_le_bytes([byte; 8]);
    (differs.wrapping_sub(0x0101_0101_0101_0101) & !differs & 0x8080_8080_8080_8080) >> 1
}

/// The bytes around a word start, as far as they lie in the text.
#[inline]
fn around(text: &[u8], at: usize) -> Option<&[u8; AROUND]> {
    text.get(at.checked_sub(BEFORE)?..)?.first_chunk()
}

impl Rules {
    /// Finds tokens at the candidates of one block.
    pub(super) fn tokens(&self, text: &[u8], candidates: &Candidates, found: &mut Vec<Found>) {
        let all = self.everywhere;
        // At the edges of a text, where bytes are missing, every word start is looked at.
        let look = |at: &u32, quick: &dyn Fn(&[u8; AROUND]) -> bool| {
            all || around(text, *at as usize).is_none_or(quick)
        };
        for at in candidates.of(Pattern::Word) {
            if look(at, &|around| self.may_be_token(around)) {
                self.token(text, *at as usize, found);
            }
        }
        for at in candidates.of(Pattern::Base64) {
            if look(at, &|around| self.may_be_run(around)) {
                self.base64_run(text, *at as usize, found);
            }
        }
        for at in candidates.of(Pattern::Short) {
            if look(at, &|around| self.may_be_short(around)) {
                self.short_token(text, *at as usize, found);
            }
        }
    }

    #[inline]
    fn begins_literal(&self, around: &[u8; AROUND]) -> bool {
        let [_, _, _, a, b, c, d, ..] = *around;
        self.literals.may_begin(u32::from_le_bytes([a, b, c, d]))
    }

    /// False when no matcher of [`Rules::token`] can succeed. All tests are made, for which of them
    /// fails cannot be foreseen.
    #[inline]
    fn may_be_token(&self, around: &[u8; AROUND]) -> bool {
        let [third, second, last, first, next, ..] = *around;
        let ahead = |count: usize| around[BEFORE + count];
        let both = |classes| u8::from(is(ahead(8), classes) & is(ahead(16), classes));
        let long = (both(ALNUM) & u8::from(is(ahead(25), ALNUM))) * BASE58;
        let part = both(BASE64_URL) * DISCORD;
        let of = |byte: u8| SHAPES[usize::from(byte)];
        let shape = of(first)[0] & (of(next)[1] | of(last)[2] | long | part);
        let joint = (ahead(5) == b'~') | (ahead(6) == b'_') | (ahead(32) == b'-');
        let quoted =
            (last == b'"') & ((second == b' ') & SCHEME_ENDS.has(third) | (second == b'\\'));
        let scheme = (last == b' ') & SCHEME_ENDS.has(second) | quoted;
        let path = matches!(last, b'/' | b':') & self.literals.ends_path(second);
        let other = self.begins_literal(around) | joint | scheme | path;
        let sure = other | (shape & !BASE58 != 0);
        sure || shape != 0 && mixes_cases(&around[BEFORE..BEFORE + BASE58_MIXED])
    }

    /// False when [`Rules::short_token`] cannot succeed.
    #[inline]
    fn may_be_short(&self, around: &[u8; AROUND]) -> bool {
        self.begins_literal(around) | (around[BEFORE + 12] == b'$')
    }

    /// False when [`Rules::base64_run`] cannot succeed: no literal, and fewer than 40 bytes.
    #[inline]
    fn may_be_run(&self, around: &[u8; AROUND]) -> bool {
        let run = |count: usize| BASE64.has(around[BEFORE + count]);
        let long = run(15) & run(23) & run(31) & run(39);
        self.begins_literal(around) || long && mixes_cases(&around[BEFORE..])
    }
}
