//! 64 bytes as two vectors of 32.

use std::arch::x86_64::*;

use super::BATCH;
use super::CLASSES;
use super::Class;
use super::GROUPS;
use super::Group;
use super::LANES;
use super::PATTERNS;
use super::STRIDE;
use super::WINDOW;
use super::pattern::Lanes;
use super::pattern::formulas;

/// Classifies a whole batch of windows of `text`, which reaches to the end of the last one.
pub(super) fn classify(text: &[u8], batch: &mut [Group; GROUPS]) {
    assert!(std::arch::is_x86_feature_detected!("avx2"), "the AVX2 kernel needs AVX2");
    assert!((BATCH - 1) * STRIDE + WINDOW <= text.len(), "the last window ends inside the text");
    // SAFETY: the machine has the features, and every window lies inside the text, as asserted.
    unsafe { all(text, batch) }
}

/// # Safety
///
/// The windows of a whole batch must lie inside `text`.
#[target_feature(enable = "avx2")]
unsafe fn all(text: &[u8], batch: &mut [Group; GROUPS]) {
    for (index, group) in batch.iter_mut().enumerate() {
        for lane in 0..LANES {
            // SAFETY: both loads stay inside the window, which the caller keeps inside the text;
            // unaligned loads are allowed.
            let (low, high) = unsafe {
                let from = text.as_ptr().add((index * LANES + lane) * STRIDE);
                (_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(WINDOW / 2).cast()))
            };
            classes(low, high, group, lane);
        }
    }
}

/// Four words in one vector. Only made inside [`patterns_of`], where the machine has AVX2.
#[derive(Clone, Copy)]
struct Four(__m256i);

// SAFETY of each call below: a `Four` exists only where AVX2 was detected.
impl Lanes for Four {
    #[inline(always)]
    fn and(self, other: Four) -> Four {
        // SAFETY: see above.
        Four(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Four) -> Four {
        // SAFETY: see above.
        Four(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn without(self, other: Four) -> Four {
        // SAFETY: see above.
        Four(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn behind<const N: i32>(self) -> Four {
        // SAFETY: see above.
        Four(unsafe { _mm256_slli_epi64::<N>(self.0) })
    }

    #[inline(always)]
    fn ahead<const N: i32>(self) -> Four {
        // SAFETY: see above.
        Four(unsafe { _mm256_srli_epi64::<N>(self.0) })
    }

    #[inline(always)]
    fn splat(word: u64) -> Four {
        // SAFETY: see above.
        Four(unsafe { _mm256_set1_epi64x(word.cast_signed()) })
    }
}

/// Hands over the words of every pattern that are not zero.
#[inline]
pub(super) fn patterns(groups: &[Group], window: usize, found: &mut impl FnMut(usize, usize, u64)) {
    assert!(std::arch::is_x86_feature_detected!("avx2"), "the AVX2 kernel needs AVX2");
    let mut words = [[0; LANES]; PATTERNS];
    for (index, group) in groups.iter().enumerate() {
        // SAFETY: the machine has the feature, as asserted.
        let mut some = unsafe { patterns_of(group, &mut words) };
        while some != 0 {
            let pattern = some.trailing_zeros() as usize;
            some &= some - 1;
            for (lane, bits) in words[pattern].into_iter().enumerate() {
                if bits != 0 {
                    found(pattern, (window + index * LANES + lane) * STRIDE, bits);
                }
            }
        }
    }
}

/// The words of every pattern, and one bit for each pattern that has some.
#[target_feature(enable = "avx2")]
fn patterns_of(group: &Group, words: &mut [[u64; LANES]; PATTERNS]) -> u32 {
    let zero = Four(_mm256_setzero_si256());
    let mut classes = [zero; CLASSES];
    for (class, word) in classes.iter_mut().zip(group) {
        // SAFETY: the load reads the four words of one class.
        *class = Four(unsafe { _mm256_loadu_si256(word.as_ptr().cast()) });
    }
    let mut out = [zero; PATTERNS];
    formulas(&classes, &mut out);
    let mut some = 0;
    for (pattern, (bits, place)) in out.iter().zip(words).enumerate() {
        some |= u32::from(_mm256_testz_si256(bits.0, bits.0) == 0) << pattern;
        // SAFETY: the store writes the four words of one pattern.
        unsafe { _mm256_storeu_si256(place.as_mut_ptr().cast(), bits.0) };
    }
    some
}

/// One bit a byte: the sign bits.
#[inline]
#[target_feature(enable = "avx2")]
fn bits(v: __m256i) -> u32 {
    _mm256_movemask_epi8(v).cast_unsigned()
}

/// `from <= v <= to`, unsigned, for a range that does not wrap.
#[inline]
#[target_feature(enable = "avx2")]
fn within(v: __m256i, from: u8, to: u8) -> __m256i {
    let moved = _mm256_sub_epi8(v, _mm256_set1_epi8(from.cast_signed()));
    let width = _mm256_set1_epi8((to - from).cast_signed());
    _mm256_cmpeq_epi8(_mm256_min_epu8(moved, width), moved)
}

#[inline]
#[target_feature(enable = "avx2")]
fn is(v: __m256i, byte: u8) -> __m256i {
    _mm256_cmpeq_epi8(v, _mm256_set1_epi8(byte.cast_signed()))
}

/// Bit by nibble pair: 1 `_`, 2 `~`, 4 `%` `&`, 8 `\`, 16 ESC, 32 E2 EF, 64 C2.
const UNDER: i8 = 1 | 2;
const RARE: i8 = 4 | 8 | 16 | 32 | 64;

/// Classes that come from one look-up of the low and one of the high half of each byte.
#[inline]
#[target_feature(enable = "avx2")]
fn coded(v: __m256i) -> __m256i {
    let low_table = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        0,
        0,
        32 | 64,
        0,
        0,
        4,
        4,
        0,
        0,
        0,
        0,
        16,
        8,
        0,
        2,
        1 | 32,
    ));
    let high_table = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        0,
        16,
        4,
        0,
        0,
        1 | 8,
        0,
        2,
        0,
        0,
        0,
        0,
        64,
        0,
        32,
        0,
    ));
    let nibble = _mm256_set1_epi8(0x0f);
    _mm256_and_si256(
        // The table look-up takes the low four bits; a set sign bit would give zero, hence the mask.
        _mm256_shuffle_epi8(low_table, _mm256_and_si256(v, nibble)),
        _mm256_shuffle_epi8(high_table, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble)),
    )
}

/// Bytes that have none of the bits of `mask`.
#[inline]
#[target_feature(enable = "avx2")]
fn none(coded: __m256i, mask: i8) -> __m256i {
    let bits = _mm256_and_si256(coded, _mm256_set1_epi8(mask));
    _mm256_cmpeq_epi8(bits, _mm256_setzero_si256())
}

/// Writes the words of one window, given as its two halves.
#[inline]
#[target_feature(enable = "avx2")]
fn classes(low: __m256i, high: __m256i, group: &mut Group, lane: usize) {
    // A macro, for a closure handed on would lose the feature.
    macro_rules! class {
        ($class:ident, $byte:ident => $bytes:expr) => {
            let word = {
                let $byte = low;
                let low_bits = bits($bytes);
                let $byte = high;
                u64::from(low_bits) | u64::from(bits($bytes)) << 32
            };
            group[Class::$class as usize][lane] = word;
        };
    }
    let two = _mm256_set1_epi8(2);
    let fold = _mm256_set1_epi8(0x20);
    class!(Digit, v => within(v, b'0', b'9'));
    class!(Letter, v => within(_mm256_or_si256(v, fold), b'a', b'z'));
    class!(Upper, v => within(v, b'A', b'Z'));
    class!(HexLetter, v => within(_mm256_or_si256(v, fold), b'a', b'f'));
    class!(Dot, v => is(v, b'.'));
    class!(Dash, v => is(v, b'-'));
    class!(Colon, v => is(v, b':'));
    class!(Equals, v => is(v, b'='));
    class!(Angle, v => is(_mm256_or_si256(v, two), b'>'));
    class!(Quote, v => _mm256_or_si256(is(v, b'"'), is(v, b'\'')));
    class!(Blank, v => is(v, b' '));
    class!(Slash, v => is(v, b'/'));
    class!(At, v => is(v, b'@'));
    class!(Plus, v => is(v, b'+'));
    class!(High, v => v);
    class!(Under, v => none(coded(v), UNDER));
    class!(Rare, v => none(coded(v), RARE));
    group[Class::Under as usize][lane] ^= u64::MAX;
    group[Class::Rare as usize][lane] ^= u64::MAX;
}
