//! Bits of the bytes that text is taken apart at: quotes, backslashes, controls, bytes beyond ASCII.

use super::Kernel;

/// How many classes of bytes there are.
const CLASSES: usize = 5;
const QUOTE: usize = 0;
const BACKSLASH: usize = 1;
const CONTROL: usize = 2;
const HIGH: usize = 3;
const LINE: usize = 4;
const BLOCK: usize = 64;

/// Where a text may be taken apart. Its memory is used again.
#[derive(Clone, Default)]
pub struct Marks {
    words: Vec<[u64; CLASSES]>,
    places: Vec<u32>,
    lines: Vec<u32>,
}

impl std::fmt::Debug for Marks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Marks({} places)", self.places.len())
    }
}

impl Marks {
    /// None.
    pub fn new() -> Marks {
        Marks::default()
    }

    /// Finds the marks of `text`, which is shorter than 4 GiB.
    #[expect(clippy::cast_possible_truncation, reason = "a block is shorter than 4 GiB")]
    pub fn find(&mut self, kernel: Kernel, text: &[u8]) {
        self.words.clear();
        self.places.clear();
        self.lines.clear();
        let (blocks, rest) = text.as_chunks::<BLOCK>();
        self.words.reserve(blocks.len() + 1);
        self.classify(kernel, blocks);
        if !rest.is_empty() {
            // Blanks belong to no class.
            let mut last = [b' '; BLOCK];
            last[..rest.len()].copy_from_slice(rest);
            self.classify(kernel, &[last]);
        }
        // A backslash at the end of a block escapes the first byte of the next one.
        let mut escaped_first = 0;
        for (index, words) in self.words.iter().enumerate() {
            let mut quotes = words[QUOTE];
            let backslashes = words[BACKSLASH];
            if backslashes != 0 || escaped_first != 0 {
                let (escaped, next) = escaped(backslashes, escaped_first);
                quotes &= !escaped;
                escaped_first = next;
            }
            let mut bits = quotes | words[CONTROL];
            let base = (index * BLOCK) as u32;
            while bits != 0 {
                self.places.push(base + bits.trailing_zeros());
                bits &= bits - 1;
            }
            let mut bits = words[LINE];
            while bits != 0 {
                self.lines.push(base + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }

    fn classify(&mut self, kernel: Kernel, blocks: &[[u8; BLOCK]]) {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 if kernel.is_available() => x86::avx512(blocks, &mut self.words),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 if kernel.is_available() => x86::avx2(blocks, &mut self.words),
            Kernel::Scalar | Kernel::Avx2 | Kernel::Avx512 | Kernel::Neon => {
                self.words.extend(blocks.iter().map(scalar));
            }
        }
    }

    /// The quotes that no backslash stands before, and the controls (below the blank), ascending.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    /// The line ends, ascending.
    pub fn lines(&self) -> &[u32] {
        &self.lines
    }

    /// True when a backslash stands in `from..to`.
    #[inline]
    pub fn has_backslash(&self, from: usize, to: usize) -> bool {
        self.has(BACKSLASH, from, to)
    }

    /// True when a byte beyond ASCII stands in `from..to`.
    #[inline]
    pub fn has_high(&self, from: usize, to: usize) -> bool {
        self.has(HIGH, from, to)
    }

    #[inline]
    fn has(&self, class: usize, from: usize, to: usize) -> bool {
        if from >= to {
            return false;
        }
        let (first, last) = (from / BLOCK, (to - 1) / BLOCK);
        let Some(words) = self.words.get(first..=last) else { return true };
        let mut all = 0;
        for (index, word) in words.iter().enumerate() {
            let mut bits = word[class];
            if index == 0 {
                bits &= u64::MAX << (from % BLOCK);
            }
            if index == last - first {
                bits &= u64::MAX >> (BLOCK - 1 - (to - 1) % BLOCK);
            }
            all |= bits;
        }
        all != 0
    }
}

/// The bytes behind an odd number of backslashes, and whether the first byte of the next block is
/// one; `first` says so for this one.
#[inline]
fn escaped(backslashes: u64, first: u64) -> (u64, u64) {
    // A backslash that is escaped does not escape.
    let mut escaped = first;
    let mut next = 0;
    let mut rest = backslashes & !first;
    while rest != 0 {
        let at = rest.trailing_zeros();
        if at == 63 {
            next = 1;
            break;
        }
        escaped |= 2 << at;
        // Pass this one, and the byte that it escapes.
        rest &= u64::MAX.checked_shl(at + 2).unwrap_or(0);
    }
    (escaped, next)
}

/// The reference: one byte at a time.
fn scalar(block: &[u8; BLOCK]) -> [u64; CLASSES] {
    let mut words = [0; CLASSES];
    for (at, byte) in block.iter().enumerate() {
        words[QUOTE] |= u64::from(*byte == b'"') << at;
        words[BACKSLASH] |= u64::from(*byte == b'\\') << at;
        words[CONTROL] |= u64::from(*byte < b' ') << at;
        words[HIGH] |= u64::from(*byte >= 0x80) << at;
        words[LINE] |= u64::from(*byte == b'\n') << at;
    }
    words
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::BLOCK;
    use super::CLASSES;

    pub(super) fn avx2(blocks: &[[u8; BLOCK]], words: &mut Vec<[u64; CLASSES]>) {
        assert!(std::arch::is_x86_feature_detected!("avx2"), "the AVX2 kernel needs AVX2");
        // SAFETY: the machine has the feature, as asserted.
        unsafe { avx2_all(blocks, words) }
    }

    #[target_feature(enable = "avx2")]
    fn avx2_all(blocks: &[[u8; BLOCK]], words: &mut Vec<[u64; CLASSES]>) {
        let (quote, backslash) = (_mm256_set1_epi8(0x22), _mm256_set1_epi8(0x5c));
        let line = _mm256_set1_epi8(0x0a);
        let last_control = _mm256_set1_epi8(0x1f);
        for block in blocks {
            // SAFETY: both loads stay inside the block; unaligned loads are allowed.
            let (low, high) = unsafe {
                let from = block.as_ptr();
                (_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(BLOCK / 2).cast()))
            };
            // A macro, for a closure would lose the feature.
            macro_rules! word {
                ($v:ident => $bytes:expr) => {{
                    let $v = low;
                    let first = _mm256_movemask_epi8($bytes).cast_unsigned();
                    let $v = high;
                    let second = _mm256_movemask_epi8($bytes).cast_unsigned();
                    u64::from(first) | u64::from(second) << 32
                }};
            }
            words.push([
                word!(v => _mm256_cmpeq_epi8(v, quote)),
                word!(v => _mm256_cmpeq_epi8(v, backslash)),
                word!(v => _mm256_cmpeq_epi8(_mm256_max_epu8(v, last_control), last_control)),
                word!(v => v),
                word!(v => _mm256_cmpeq_epi8(v, line)),
            ]);
        }
    }

    pub(super) fn avx512(blocks: &[[u8; BLOCK]], words: &mut Vec<[u64; CLASSES]>) {
        assert!(
            std::arch::is_x86_feature_detected!("avx512f")
                && std::arch::is_x86_feature_detected!("avx512bw"),
            "the AVX-512 kernel needs AVX-512"
        );
        // SAFETY: the machine has the features, as asserted.
        unsafe { avx512_all(blocks, words) }
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    fn avx512_all(blocks: &[[u8; BLOCK]], words: &mut Vec<[u64; CLASSES]>) {
        let (quote, backslash) = (_mm512_set1_epi8(0x22), _mm512_set1_epi8(0x5c));
        let line = _mm512_set1_epi8(0x0a);
        let blank = _mm512_set1_epi8(0x20);
        for block in blocks {
            // SAFETY: the load reads the whole block; unaligned loads are allowed.
            let v = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
            words.push([
                _mm512_cmpeq_epi8_mask(v, quote),
                _mm512_cmpeq_epi8_mask(v, backslash),
                _mm512_cmplt_epu8_mask(v, blank),
                _mm512_movepi8_mask(v),
                _mm512_cmpeq_epi8_mask(v, line),
            ]);
        }
    }
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, reason = "texts of tests are short")]
mod tests {
    use super::*;

    fn places(text: &[u8]) -> Vec<u32> {
        let mut places = Vec::new();
        let mut escaped = false;
        for (at, byte) in text.iter().enumerate() {
            if *byte < b' ' || *byte == b'"' && !escaped {
                places.push(at as u32);
            }
            escaped = *byte == b'\\' && !escaped;
        }
        places
    }

    /// Breaking a kernel shows here: with 0x1e for the last control of the AVX2 kernel, and with the
    /// escape of a block's last byte forgotten, the comparison fails.
    #[test]
    fn kernels_agree_with_a_walk() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        for kernel in Kernel::ALL.into_iter().filter(|kernel| kernel.is_available()) {
            for len in (0..260).chain([1000, 4096, 5000]) {
                let any: Vec<u8> = (0..len).map(|_| (next() >> 24) as u8).collect();
                let some = b"\"\\\\\\ab\n\x1f \x20\x80";
                let picked: Vec<u8> =
                    (0..len).map(|_| some[(next() >> 24) as usize % some.len()]).collect();
                for text in [any, picked, vec![b'\\'; len]] {
                    let mut marks = Marks::new();
                    marks.find(kernel, &text);
                    assert_eq!(marks.places(), places(&text), "{kernel:?} {len}");
                    let lines: Vec<u32> =
                        memchr::memchr_iter(b'\n', &text).map(|at| at as u32).collect();
                    assert_eq!(marks.lines(), lines);
                    for (from, to) in [(0, len), (len / 3, len / 2), (len, len), (len / 2, len)] {
                        let part = &text[from..to];
                        assert_eq!(marks.has_high(from, to), !part.is_ascii());
                        assert_eq!(marks.has_backslash(from, to), part.contains(&b'\\'));
                    }
                }
            }
        }
    }
}
