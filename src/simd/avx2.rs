//! 64 bytes as two vectors of 32.

use std::arch::x86_64::*;

use super::Block;
use super::CLASSES;
use super::Class;
use super::Maps;

/// Classifies whole blocks. The caller has checked that the machine has AVX2.
pub(super) fn blocks(blocks: &[[u8; 64]], maps: &mut Maps) {
    assert!(std::arch::is_x86_feature_detected!("avx2"), "the AVX2 kernel needs AVX2");
    // SAFETY: the assertion above shows that the machine has the feature.
    unsafe { all(blocks, maps) }
}

#[target_feature(enable = "avx2")]
fn all(blocks: &[[u8; 64]], maps: &mut Maps) {
    for (index, block) in blocks.iter().enumerate() {
        let mut words: Block = [0; CLASSES];
        // SAFETY: both loads stay inside the 64 bytes of the block; unaligned loads are allowed.
        let (low, high) = unsafe {
            (
                _mm256_loadu_si256(block.as_ptr().cast()),
                _mm256_loadu_si256(block.as_ptr().add(32).cast()),
            )
        };
        let (low, high) = (half(low), half(high));
        for ((word, low), high) in words.iter_mut().zip(low).zip(high) {
            *word = u64::from(low) | u64::from(high) << 32;
        }
        maps.store(index, &words);
    }
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

#[inline]
#[target_feature(enable = "avx2")]
fn half(v: __m256i) -> [u32; CLASSES] {
    let low_table = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        0, 0, 32 | 64, 0, 0, 4, 4, 0, 0, 0, 0, 16, 8, 0, 2, 1 | 32,
    ));
    let high_table = _mm256_broadcastsi128_si256(_mm_setr_epi8(
        0, 16, 4, 0, 0, 1 | 8, 0, 2, 0, 0, 0, 0, 64, 0, 32, 0,
    ));
    let nibble = _mm256_set1_epi8(0x0f);
    let coded = _mm256_and_si256(
        // The table look-up takes the low four bits; a set sign bit would give zero, hence the mask.
        _mm256_shuffle_epi8(low_table, _mm256_and_si256(v, nibble)),
        _mm256_shuffle_epi8(high_table, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble)),
    );
    let zero = _mm256_setzero_si256();
    let none = |mask: i8| {
        // Not inlined closures lose the feature; this one is called in place and folds away.
        _mm256_cmpeq_epi8(_mm256_and_si256(coded, _mm256_set1_epi8(mask)), zero)
    };
    let folded = _mm256_or_si256(v, _mm256_set1_epi8(0x20));
    let letter = within(folded, b'a', b'z');
    let mut words = [0; CLASSES];
    words[Class::Digit as usize] = bits(within(v, b'0', b'9'));
    words[Class::Letter as usize] = bits(letter);
    words[Class::Upper as usize] = bits(within(v, b'A', b'Z'));
    words[Class::HexLetter as usize] = bits(within(folded, b'a', b'f'));
    words[Class::Dot as usize] = bits(is(v, b'.'));
    words[Class::Dash as usize] = bits(is(v, b'-'));
    words[Class::Under as usize] = !bits(none(UNDER));
    words[Class::Colon as usize] = bits(is(v, b':'));
    words[Class::Equals as usize] = bits(is(v, b'='));
    words[Class::Angle as usize] = bits(is(_mm256_or_si256(v, _mm256_set1_epi8(2)), b'>'));
    words[Class::Quote as usize] = bits(_mm256_or_si256(is(v, b'"'), is(v, b'\'')));
    words[Class::Blank as usize] = bits(is(v, b' '));
    words[Class::Slash as usize] = bits(is(v, b'/'));
    words[Class::At as usize] = bits(is(v, b'@'));
    words[Class::Plus as usize] = bits(is(v, b'+'));
    words[Class::Rare as usize] = !bits(none(RARE));
    words[Class::High as usize] = bits(v);
    words
}
