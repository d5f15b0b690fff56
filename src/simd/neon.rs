//! 64 bytes as four vectors of 16.

use std::arch::aarch64::*;

use super::BLOCKS;
use super::Bits;
use super::CLASSES;
use super::Class;
use super::WINDOW;
use super::Words;

/// Classifies the first `count` blocks of `text`, which holds a whole batch.
pub(super) fn classify(text: &[u8], count: usize, bits: &mut Bits) {
    assert!(std::arch::is_aarch64_feature_detected!("neon"), "the NEON kernel needs NEON");
    // SAFETY: the machine has the features, as asserted.
    unsafe { all(text, count, bits) }
}

#[target_feature(enable = "neon")]
fn all(text: &[u8], count: usize, bits: &mut Bits) {
    let (blocks, _) = text.as_chunks::<WINDOW>();
    for (index, block) in blocks.iter().take(count.min(BLOCKS)).enumerate() {
        let mut words: Words = [0; CLASSES];
        for quarter in 0..WINDOW / 16 {
            // SAFETY: the load reads a quarter of the block.
            let v = unsafe { vld1q_u8(block.as_ptr().add(quarter * 16)) };
            for (word, bits) in words.iter_mut().zip(sixteen(v)) {
                *word |= u64::from(bits) << (quarter * 16);
            }
        }
        for (bits, word) in bits.iter_mut().zip(words) {
            bits[index * 8..index * 8 + 8].copy_from_slice(&word.to_le_bytes());
        }
    }
}

/// One bit a byte of a vector whose bytes are 00 or FF.
#[inline]
#[target_feature(enable = "neon")]
fn bits(v: uint8x16_t) -> u16 {
    const WEIGHTS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
    // SAFETY: the load reads the 16 bytes of the constant.
    let weights = unsafe { vld1q_u8(WEIGHTS.as_ptr()) };
    let weighted = vandq_u8(v, weights);
    let (low, high) = (vaddv_u8(vget_low_u8(weighted)), vaddv_u8(vget_high_u8(weighted)));
    u16::from(low) | u16::from(high) << 8
}

/// `from <= v <= to`, unsigned, for a range that does not wrap.
#[inline]
#[target_feature(enable = "neon")]
fn within(v: uint8x16_t, from: u8, to: u8) -> uint8x16_t {
    vcleq_u8(vsubq_u8(v, vdupq_n_u8(from)), vdupq_n_u8(to - from))
}

#[inline]
#[target_feature(enable = "neon")]
fn is(v: uint8x16_t, byte: u8) -> uint8x16_t {
    vceqq_u8(v, vdupq_n_u8(byte))
}

#[inline]
#[target_feature(enable = "neon")]
fn sixteen(v: uint8x16_t) -> [u16; CLASSES] {
    let folded = vorrq_u8(v, vdupq_n_u8(0x20));
    let rare = [b'\\', 0x1b, 0xc2, 0xe2, 0xef]
        .into_iter()
        .fold(within(v, b'%', b'&'), |sum, byte| vorrq_u8(sum, is(v, byte)));
    let mut words = [0; CLASSES];
    words[Class::Digit as usize] = bits(within(v, b'0', b'9'));
    words[Class::Letter as usize] = bits(within(folded, b'a', b'z'));
    words[Class::Upper as usize] = bits(within(v, b'A', b'Z'));
    words[Class::HexLetter as usize] = bits(within(folded, b'a', b'f'));
    words[Class::Dot as usize] = bits(is(v, b'.'));
    words[Class::Dash as usize] = bits(is(v, b'-'));
    words[Class::Under as usize] = bits(vorrq_u8(is(v, b'_'), is(v, b'~')));
    words[Class::Colon as usize] = bits(is(v, b':'));
    words[Class::Equals as usize] = bits(is(v, b'='));
    words[Class::Angle as usize] = bits(is(vorrq_u8(v, vdupq_n_u8(2)), b'>'));
    words[Class::Quote as usize] = bits(vorrq_u8(is(v, b'"'), is(v, b'\'')));
    words[Class::Blank as usize] = bits(is(v, b' '));
    words[Class::Slash as usize] = bits(is(v, b'/'));
    words[Class::At as usize] = bits(is(v, b'@'));
    words[Class::Plus as usize] = bits(is(v, b'+'));
    words[Class::Rare as usize] = bits(rare);
    words[Class::High as usize] = bits(within(v, 0x80, 0xff));
    words
}
