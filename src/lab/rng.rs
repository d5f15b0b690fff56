//! A small random generator with a fixed sequence, so that a corpus is its seed.
//!
//! The sequence is that of SplitMix64. It must never change: recorded digests depend on it.

/// Numbers that depend on the seed alone.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`; 0 when `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        let scaled = (u128::from(self.bits()) * u128::from(bound)) >> 64;
        u64::try_from(scaled).unwrap_or(0)
    }

    /// A number from `first` to `last`, both included.
    pub fn between(&mut self, first: u64, last: u64) -> u64 {
        first + self.below(last.saturating_sub(first) + 1)
    }

    /// A length from `first` to `last`, both included.
    pub fn length(&mut self, first: u64, last: u64) -> usize {
        usize::try_from(self.between(first, last)).unwrap_or(0)
    }

    /// True `percent` times out of a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of `list`; empty when the list is.
    pub fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        let at = usize::try_from(self.below(list.len() as u64)).unwrap_or(0);
        list.get(at).copied().unwrap_or("")
    }

    /// `length` characters of `alphabet`, which is ASCII.
    pub fn text(&mut self, alphabet: &str, length: usize) -> String {
        let letters = alphabet.as_bytes();
        let mut text = String::with_capacity(length);
        for _ in 0..length {
            let at = usize::try_from(self.below(letters.len() as u64)).unwrap_or(0);
            text.push(letters.get(at).copied().map_or('?', char::from));
        }
        text
    }

    /// `length` hex digits in lower case.
    pub fn hex(&mut self, length: usize) -> String {
        self.text("0123456789abcdef", length)
    }

    /// `length` decimal digits.
    pub fn digits(&mut self, length: usize) -> String {
        self.text("0123456789", length)
    }

    /// A random UUID of version 4.
    pub fn uuid(&mut self) -> String {
        let (a, b, c) = (self.hex(8), self.hex(4), self.hex(3));
        let (variant, d, e) = (self.text("89ab", 1), self.hex(3), self.hex(12));
        format!("{a}-{b}-4{c}-{variant}{d}-{e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        // The first outputs of SplitMix64 for seed 1234567.
        let mut rng = Rng::new(1_234_567);
        assert_eq!(rng.bits(), 6_457_827_717_110_365_317);
        assert_eq!(rng.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn numbers_stay_in_their_range() {
        let mut rng = Rng::new(3);
        for _ in 0..1_000 {
            assert!(rng.below(7) < 7);
            assert!((3..=5).contains(&rng.between(3, 5)));
        }
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.uuid().len(), 36);
    }
}
