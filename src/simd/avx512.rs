//! 64 bytes as one vector.

use std::arch::x86_64::*;

use super::BLOCKS;
use super::Bits;
use super::CLASSES;
use super::Class;
use super::WINDOW;
use super::Words;

/// Classifies the first `count` blocks of `text`, which holds a whole batch.
pub(super) fn classify(text: &[u8], count: usize, bits: &mut Bits) {
    assert!(
        std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw"),
        "the AVX-512 kernel needs AVX-512"
    );
    // SAFETY: the machine has the features, as asserted.
    unsafe { all(text, count, bits) }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn all(text: &[u8], count: usize, bits: &mut Bits) {
    let (blocks, _) = text.as_chunks::<WINDOW>();
    for (index, block) in blocks.iter().take(count.min(BLOCKS)).enumerate() {
        // SAFETY: the load reads the whole block; unaligned loads are allowed.
        let v = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
        for (bits, word) in bits.iter_mut().zip(words(v)) {
            bits[index * 8..index * 8 + 8].copy_from_slice(&word.to_le_bytes());
        }
    }
}

/// `from <= v <= to`, unsigned, for a range that does not wrap.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn within(v: __m512i, from: u8, to: u8) -> u64 {
    let moved = _mm512_sub_epi8(v, _mm512_set1_epi8(from.cast_signed()));
    _mm512_cmple_epu8_mask(moved, _mm512_set1_epi8((to - from).cast_signed()))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn is(v: __m512i, byte: u8) -> u64 {
    _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(byte.cast_signed()))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn words(v: __m512i) -> Words {
    let folded = _mm512_or_si512(v, _mm512_set1_epi8(0x20));
    let mut words = [0; CLASSES];
    words[Class::Digit as usize] = within(v, b'0', b'9');
    words[Class::Letter as usize] = within(folded, b'a', b'z');
    words[Class::Upper as usize] = within(v, b'A', b'Z');
    words[Class::HexLetter as usize] = within(folded, b'a', b'f');
    words[Class::Dot as usize] = is(v, b'.');
    words[Class::Dash as usize] = is(v, b'-');
    words[Class::Under as usize] = is(v, b'_') | is(v, b'~');
    words[Class::Colon as usize] = is(v, b':');
    words[Class::Equals as usize] = is(v, b'=');
    words[Class::Angle as usize] = is(_mm512_or_si512(v, _mm512_set1_epi8(2)), b'>');
    words[Class::Quote as usize] = is(v, b'"') | is(v, b'\'');
    words[Class::Blank as usize] = is(v, b' ');
    words[Class::Slash as usize] = is(v, b'/');
    words[Class::At as usize] = is(v, b'@');
    words[Class::Plus as usize] = is(v, b'+');
    words[Class::Rare as usize] = within(v, b'%', b'&')
        | is(v, b'\\')
        | is(v, 0x1b)
        | is(v, 0xc2)
        | is(v, 0xe2)
        | is(v, 0xef);
    words[Class::High as usize] = _mm512_movepi8_mask(v);
    words
}
