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

/// Bytes that some shape without a literal begins with.
const STARTS: ByteSet = ByteSet::of(b"013458KLMNOA");
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
        // Base58 is the only shape of digits and letters alone, and long; the first part of a bot
        // token has 24 bytes or more.
        let long = is(ahead(8), ALNUM) & is(ahead(16), ALNUM) & is(ahead(25), ALNUM);
        let part = is(ahead(8), BASE64_URL) & is(ahead(16), BASE64_URL);
        let starts = match first {
            b'0' => (next == b'0') | (next | 0x20 == b'x') | (last == b'/'),
            b'A' => last == b':',
            b'M' | b'N' | b'O' => part,
            _ => long && mixes_cases(&around[BEFORE..BEFORE + BASE58_MIXED]),
        } & STARTS.has(first);
        let joint = (ahead(5) == b'~') | (ahead(6) == b'_') | (ahead(32) == b'-');
        let jwt = matches!((first, next), (b'e', b'y' | b'w') | (b'I', b'H') | (b'C', b'n'));
        let quoted =
            (last == b'"') & ((second == b' ') & SCHEME_ENDS.has(third) | (second == b'\\'));
        let scheme = (last == b' ') & SCHEME_ENDS.has(second) | quoted;
        let path = matches!(last, b'/' | b':') & self.literals.ends_path(second);
        let terraform = (first == b'a') & (last == b'.');
        self.begins_literal(around) | starts | joint | jwt | scheme | path | terraform
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
