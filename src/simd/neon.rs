//! 64 bytes as four vectors of 16.

use std::arch::aarch64::*;

use super::BATCH;
use super::CLASSES;
use super::Class;
use super::GROUPS;
use super::Group;
use super::LANES;
use super::STRIDE;
use super::WINDOW;
use super::Words;

/// Classifies a whole batch of windows of `text`, which reaches to the end of the last one.
pub(super) fn classify(text: &[u8], batch: &mut [Group; GROUPS]) {
    assert!(std::arch::is_aarch64_feature_detected!("neon"), "the NEON kernel needs NEON");
    assert!((BATCH - 1) * STRIDE + WINDOW <= text.len(), "the last window ends inside the text");
    // SAFETY: the machine has the features, and every window lies inside the text, as asserted.
    unsafe { all(text, batch) }
}

/// # Safety
///
/// The windows of a whole batch must lie inside `text`.
#[target_feature(enable = "neon")]
unsafe fn all(text: &[u8], batch: &mut [Group; GROUPS]) {
    for (index, group) in batch.iter_mut().enumerate() {
        for lane in 0..LANES {
            let mut window: Words = [0; CLASSES];
            for quarter in 0..WINDOW / 16 {
                // SAFETY: the load reads a quarter of one window, which the caller keeps inside the
                // text.
                let v = unsafe {
                    let from = text.as_ptr().add((index * LANES + lane) * STRIDE);
                    vld1q_u8(from.add(quarter * 16))
                };
                for (word, bits) in window.iter_mut().zip(sixteen(v)) {
                    *word |= u64::from(bits) << (quarter * 16);
                }
            }
            for (place, word) in group.iter_mut().zip(window) {
                place[lane] = word;
            }
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
