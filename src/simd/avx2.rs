//! 64 bytes as two vectors of 32.

use std::arch::x86_64::*;

use super::BLOCKS;
use super::Bits;
use super::CLASSES;
use super::Class;
use super::ClassBits;
use super::LANES;
use super::PATTERNS;
use super::Pattern;
use super::STRIDE;
use super::Sink;
use super::WINDOW;
use super::pattern::Lanes;
use super::pattern::formulas;

/// Classifies the first `count` blocks of `text`, which holds a whole batch.
pub(super) fn classify(text: &[u8], count: usize, bits: &mut Bits) {
    assert!(std::arch::is_x86_feature_detected!("avx2"), "the AVX2 kernel needs AVX2");
    // SAFETY: the machine has the features, as asserted.
    unsafe { all(text, count, bits) }
}

#[target_feature(enable = "avx2")]
fn all(text: &[u8], count: usize, bits: &mut Bits) {
    let (blocks, _) = text.as_chunks::<WINDOW>();
    for (index, block) in blocks.iter().take(count.min(BLOCKS)).enumerate() {
        // SAFETY: both loads stay inside the block; unaligned loads are allowed.
        let (low, high) = unsafe {
            let from = block.as_ptr();
            (_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(WINDOW / 2).cast()))
        };
        classes(low, high, bits, index * 8);
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

/// Hands over the words of every pattern that are not zero, for `count` windows.
#[inline]
pub(super) fn patterns(bits: &Bits, window: usize, count: usize, found: &mut impl Sink) {
    assert!(std::arch::is_x86_feature_detected!("avx2"), "the AVX2 kernel needs AVX2");
    let mut words = [[0; LANES]; PATTERNS];
    let mut index = 0;
    while index < count {
        // SAFETY: the machine has the feature, as asserted.
        let mut some = unsafe { patterns_of(bits, index, &mut words) };
        if count - index < LANES {
            // The last group of a text may have windows too many.
            words.iter_mut().for_each(|lanes| lanes[count - index..].fill(0));
        }
        let place = (window + index) * STRIDE;
        // What most groups have is handed over without asking.
        for pattern in [Pattern::Word, Pattern::Short, Pattern::Key, Pattern::Base64, Pattern::Quad]
        {
            found.put(pattern as usize, place, &words[pattern as usize]);
        }
        while some != 0 {
            let pattern = some.trailing_zeros() as usize;
            some &= some - 1;
            found.put(pattern, place, &words[pattern]);
        }
        index += LANES;
    }
}

/// The words of every pattern in four windows, and one bit for each pattern that has some, but those
/// that most groups have.
#[target_feature(enable = "avx2")]
fn patterns_of(bits: &Bits, index: usize, words: &mut [[u64; LANES]; PATTERNS]) -> u32 {
    // The windows begin 6 bytes of bits after one another: two in each half of 16 bytes.
    let spread = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        0, 1, 2, 3, 4, 5, 6, 7, 6, 7, 8, 9, 10, 11, 12, 13,
    ));
    let zero = Four(_mm256_setzero_si256());
    let (first, third) = (super::bits_of(index), super::bits_of(index + 2));
    assert!(third + 16 <= size_of::<ClassBits>(), "a batch has room for the last load");
    let mut classes = [zero; CLASSES];
    for (class, bits) in classes.iter_mut().zip(bits) {
        let (low, high) = (&bits[first..first + 16], &bits[third..third + 16]);
        // SAFETY: both loads read the 16 bytes of their slice.
        let halves = unsafe { _mm256_loadu2_m128i(high.as_ptr().cast(), low.as_ptr().cast()) };
        *class = Four(_mm256_shuffle_epi8(halves, spread));
    }
    let mut out = [zero; PATTERNS];
    formulas(&classes, &mut out);
    for (bits, place) in out.iter().zip(words) {
        // SAFETY: the store writes the four words of one pattern.
        unsafe { _mm256_storeu_si256(place.as_mut_ptr().cast(), bits.0) };
    }
    // Written out, for a list of patterns in memory would keep all words there.
    macro_rules! some {
        ($($pattern:ident)*) => {
            0 $(| u32::from(_mm256_testz_si256(
                out[Pattern::$pattern as usize].0,
                out[Pattern::$pattern as usize].0,
            ) == 0) << Pattern::$pattern as usize)*
        };
    }
    // Those that few windows have are looked at one by one only where one of them is there.
    macro_rules! rare {
        ($($pattern:ident)*) => {{
            let any = zero;
            $(let any = any.or(out[Pattern::$pattern as usize]);)*
            if _mm256_testz_si256(any.0, any.0) == 0 { some!($($pattern)*) } else { 0 }
        }};
    }
    some!(Rare)
        | rare!(At Plus Home DoubleColon ColonChain DashChain DotHex Card Ssn Iban)
        | rare!(Bare Phone Flag Quoted Angles Dashes Flagged)
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
const OPENING: i8 = 4 | 8 | 16 | 32 | 64;

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

/// Bytes that have one of the bits of `mask`.
#[inline]
#[target_feature(enable = "avx2")]
fn some(coded: __m256i, mask: i8) -> __m256i {
    let none =
        _mm256_cmpeq_epi8(_mm256_and_si256(coded, _mm256_set1_epi8(mask)), _mm256_setzero_si256());
    _mm256_xor_si256(none, _mm256_set1_epi8(-1))
}

/// Writes the bits of one block, given as its two halves, at `at`.
#[inline]
#[target_feature(enable = "avx2")]
fn classes(low: __m256i, high: __m256i, all: &mut Bits, at: usize) {
    // A macro, for a closure handed on would lose the feature.
    macro_rules! class {
        ($class:ident, $byte:ident => $bytes:expr) => {
            let place = &mut all[Class::$class as usize][at..at + 8];
            let $byte = low;
            let half = bits($bytes);
            place[..4].copy_from_slice(&half.to_le_bytes());
            let $byte = high;
            let half = bits($bytes);
            place[4..].copy_from_slice(&half.to_le_bytes());
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
    class!(Under, v => some(coded(v), UNDER));
    class!(Rare, v => some(coded(v), OPENING));
}
