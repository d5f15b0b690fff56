//! Four HMACs side by side: what SHA-256 waits for in one, it does in the others.
//!
//! An HMAC whose key pads are saved is two blocks, the second of which holds the digest of the first.
//! The SHA instructions of x86-64 take four cycles each and can begin one every other cycle, so that
//! four independent hashes take little longer than one. Machines without them, and aarch64, hash one
//! after another with the `sha2` crate, which is the twin as well.
//!
//! # Not here
//! Keys, pads and messages longer than one block (`pseudonym`).

use sha2::block_api::compress256;

use super::WINDOW;

/// How many are worked side by side.
pub const MACS: usize = 4;

/// The last block of the outer hash behind the inner digest: the end mark and the length, which is
/// that of a pad and a digest.
const OUTER_TAIL: [u32; 8] = [0x8000_0000, 0, 0, 0, 0, 0, 0, (64 + 32) * 8];

/// Four HMAC-SHA-256 values: the saved `inner` state goes on with each block, which ends its message,
/// and the saved `outer` state with the digest.
pub fn macs(inner: &[u32; 8], outer: &[u32; 8], blocks: &[[u8; WINDOW]; MACS]) -> [[u32; 8]; MACS] {
    #[cfg(target_arch = "x86_64")]
    if is_available() {
        // SAFETY: the machine has the features, as asked.
        return unsafe { x86::macs(inner, outer, blocks) };
    }
    macs_scalar(inner, outer, blocks)
}

/// True when this machine works several side by side.
pub fn is_available() -> bool {
    #[cfg(target_arch = "x86_64")]
    let available = std::arch::is_x86_feature_detected!("sha")
        && std::arch::is_x86_feature_detected!("sse4.1")
        && std::arch::is_x86_feature_detected!("ssse3");
    #[cfg(not(target_arch = "x86_64"))]
    let available = false;
    available
}

/// The twin of [`macs`].
pub fn macs_scalar(
    inner: &[u32; 8],
    outer: &[u32; 8],
    blocks: &[[u8; WINDOW]; MACS],
) -> [[u32; 8]; MACS] {
    blocks.map(|block| {
        let mut state = *inner;
        compress256(&mut state, &[block]);
        let mut last = [0; WINDOW];
        let (words, _) = last.as_chunks_mut::<4>();
        for (place, word) in words.iter_mut().zip(state.iter().chain(&OUTER_TAIL)) {
            *place = word.to_be_bytes();
        }
        let mut state = *outer;
        compress256(&mut state, &[last]);
        state
    })
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::MACS;
    use super::OUTER_TAIL;
    use super::WINDOW;

    /// The round constants (FIPS 180-4, 4.2.2).
    static ROUNDS: [[u32; 4]; 16] = [
        [0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5],
        [0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5],
        [0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3],
        [0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174],
        [0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc],
        [0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da],
        [0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7],
        [0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967],
        [0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13],
        [0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85],
        [0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3],
        [0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070],
        [0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5],
        [0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3],
        [0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208],
        [0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2],
    ];

    /// The states of all four, each as its words A, B, E, F and C, D, G, H.
    type States = [[__m128i; 2]; MACS];
    /// Sixteen words of message for each.
    type Messages = [[__m128i; 4]; MACS];

    #[target_feature(enable = "sha,sse4.1,ssse3")]
    pub(super) fn macs(
        inner: &[u32; 8],
        outer: &[u32; 8],
        blocks: &[[u8; WINDOW]; MACS],
    ) -> [[u32; 8]; MACS] {
        let swap = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
        let mut messages: Messages = [[_mm_setzero_si128(); 4]; MACS];
        for (message, block) in messages.iter_mut().zip(blocks) {
            let (quarters, _) = block.as_chunks::<16>();
            for (words, bytes) in message.iter_mut().zip(quarters) {
                // SAFETY: the load reads the 16 bytes of the array.
                let read = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
                *words = _mm_shuffle_epi8(read, swap);
            }
        }
        let digests = compress(inner, messages);
        let [tail, length] = [four(&OUTER_TAIL, 0), four(&OUTER_TAIL, 4)];
        let digests = compress(outer, digests.map(|[low, high]| [low, high, tail, length]));
        digests.map(|halves| {
            let mut words = [0; 8];
            let (parts, _) = words.as_chunks_mut::<4>();
            for (part, half) in parts.iter_mut().zip(halves) {
                // SAFETY: the store writes the 16 bytes of the array.
                unsafe { _mm_storeu_si128(part.as_mut_ptr().cast(), half) };
            }
            words
        })
    }

    /// Four words of `words` from `from` on.
    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn four(words: &[u32; 8], from: usize) -> __m128i {
        let part = &words[from..from + 4];
        // SAFETY: the load reads the 16 bytes of the slice.
        unsafe { _mm_loadu_si128(part.as_ptr().cast()) }
    }

    /// The states that follow `start`, as their first and their last four words.
    #[inline]
    #[target_feature(enable = "sha,sse4.1,ssse3")]
    fn compress(start: &[u32; 8], mut messages: Messages) -> States {
        let (low, high) = (four(start, 0), four(start, 4));
        let (cdab, efgh) = (_mm_shuffle_epi32(low, 0xb1), _mm_shuffle_epi32(high, 0x1b));
        let first = [_mm_alignr_epi8(cdab, efgh, 8), _mm_blend_epi16(efgh, cdab, 0xf0)];
        let mut states: States = [first; MACS];
        for (round, constants) in ROUNDS.iter().enumerate() {
            // SAFETY: the load reads the 16 bytes of the array.
            let constants = unsafe { _mm_loadu_si128(constants.as_ptr().cast()) };
            for (state, message) in states.iter_mut().zip(&mut messages) {
                if round >= 4 {
                    let [a, b, c, d] = std::array::from_fn(|at| message[(round + at) % 4]);
                    let sum = _mm_add_epi32(_mm_sha256msg1_epu32(a, b), _mm_alignr_epi8(d, c, 4));
                    message[round % 4] = _mm_sha256msg2_epu32(sum, d);
                }
                let [abef, cdgh] = *state;
                let sum = _mm_add_epi32(message[round % 4], constants);
                let cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
                let abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
                *state = [abef, cdgh];
            }
        }
        states.map(|[abef, cdgh]| {
            let [abef, cdgh] = [_mm_add_epi32(abef, first[0]), _mm_add_epi32(cdgh, first[1])];
            let (feba, dchg) = (_mm_shuffle_epi32(abef, 0x1b), _mm_shuffle_epi32(cdgh, 0xb1));
            [_mm_blend_epi16(feba, dchg, 0xf0), _mm_alignr_epi8(dchg, feba, 8)]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With two lines of the table of constants exchanged the first block fails.
    #[test]
    fn side_by_side_equals_one_after_another() {
        if !is_available() {
            println!("skipped: needs the SHA instructions of x86-64");
        }
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed.to_le_bytes()
        };
        for _ in 0..300 {
            let mut words =
                || std::array::from_fn(|_| u32::from_le_bytes(*next().first_chunk().unwrap()));
            let (inner, outer) = (words(), words());
            let blocks = std::array::from_fn(|_| std::array::from_fn(|_| next()[3]));
            let expected = macs_scalar(&inner, &outer, &blocks);
            assert_eq!(macs(&inner, &outer, &blocks), expected);
        }
    }
}
