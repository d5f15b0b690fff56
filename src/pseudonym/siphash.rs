//! SipHash-2-4: the short keyed MAC behind a marker's tag.
//!
//! A pseudo-random function made for short inputs: without its 128-bit key its output cannot be
//! told from random, however many markers one has seen, and it costs some 15 ns.

/// A key and the four words of state it gives.
#[derive(Clone, Copy)]
pub(super) struct SipKey {
    start: [u64; 4],
}

impl SipKey {
    pub(super) fn new(key: [u8; 16]) -> SipKey {
        let both = u128::from_le_bytes(key);
        let (low, high) = halves(both);
        SipKey {
            // The four constants are those of the published algorithm.
            start: [
                low ^ 0x736f_6d65_7073_6575,
                high ^ 0x646f_7261_6e64_6f6d,
                low ^ 0x6c79_6765_6e65_7261,
                high ^ 0x7465_6462_7974_6573,
            ],
        }
    }

    /// Takes in a word that every message begins with.
    pub(super) fn then(self, word: u64) -> SipKey {
        SipKey { start: absorb(self.start, word) }
    }

    /// Hashes several messages of words that already hold the padding and the length, as [`last_word`]
    /// makes it. They are worked side by side: the steps of one wait for each other, those of several
    /// do not.
    #[inline]
    pub(super) fn hash_each<const WORDS: usize, const EACH: usize>(
        &self,
        messages: [[u64; WORDS]; EACH],
    ) -> [u64; EACH] {
        let mut states = [self.start; EACH];
        let steps = |states: &mut [[u64; 4]; EACH], count: usize| {
            for _ in 0..count {
                states.iter_mut().for_each(|state| *state = round(*state));
            }
        };
        for at in 0..WORDS {
            let word = |message: &[u64; WORDS]| message.get(at).copied().unwrap_or(0);
            for ([_, _, _, d], message) in states.iter_mut().zip(&messages) {
                *d ^= word(message);
            }
            steps(&mut states, 2);
            for ([a, ..], message) in states.iter_mut().zip(&messages) {
                *a ^= word(message);
            }
        }
        states.iter_mut().for_each(|[_, _, c, _]| *c ^= 0xff);
        steps(&mut states, 4);
        states.map(|[a, b, c, d]| a ^ b ^ c ^ d)
    }
}

/// The last word of a message: up to seven bytes in the low end, the length in the top byte.
pub(super) const fn last_word(rest: u64, message_bytes: u8) -> u64 {
    rest | (message_bytes as u64) << 56
}

/// The low and the high half.
#[expect(clippy::cast_possible_truncation, reason = "cutting is the point")]
fn halves(both: u128) -> (u64, u64) {
    (both as u64, (both >> 64) as u64)
}

#[inline]
fn absorb([a, b, c, d]: [u64; 4], word: u64) -> [u64; 4] {
    let [a, b, c, d] = round(round([a, b, c, d ^ word]));
    [a ^ word, b, c, d]
}

#[inline]
fn round([mut a, mut b, mut c, mut d]: [u64; 4]) -> [u64; 4] {
    a = a.wrapping_add(b);
    b = b.rotate_left(13) ^ a;
    a = a.rotate_left(32);
    c = c.wrapping_add(d);
    d = d.rotate_left(16) ^ c;
    a = a.wrapping_add(d);
    d = d.rotate_left(21) ^ a;
    c = c.wrapping_add(b);
    b = b.rotate_left(17) ^ c;
    c = c.rotate_left(32);
    [a, b, c, d]
}

#[cfg(test)]
mod tests {
    use std::hash::Hasher;

    use super::*;

    #[test]
    #[expect(deprecated, reason = "the standard library's SipHash-2-4 is the independent twin")]
    fn equals_the_standard_librarys() {
        for seed in 0_u64..500 {
            let low = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let high = low.rotate_left(23) ^ seed;
            let mut key = [0; 16];
            key[..8].copy_from_slice(&low.to_le_bytes());
            key[8..].copy_from_slice(&high.to_le_bytes());
            let words = [low ^ 1, high ^ 2, low ^ high];
            let rest = seed & 0xffff;
            let mut twin = std::hash::SipHasher::new_with_keys(low, high);
            for word in words {
                twin.write(&word.to_le_bytes());
            }
            twin.write(&rest.to_le_bytes()[..2]);
            let [one, two, three] = words;
            let message = [two, three, last_word(rest, 26)];
            let other = [three, two, last_word(rest, 26)];
            let ours = SipKey::new(key).then(one);
            let [first, second, third] = ours.hash_each([message, other, message]);
            assert_eq!([first, third], [twin.finish(); 2]);
            assert_ne!(first, second);
        }
    }
}
