//! HMAC-SHA-256 with saved pads: the two key blocks are hashed once, not for each value.
//!
//! The general `hmac` crate clones and finishes buffered digests; on short messages that costs as
//! much as the hash. Here one MAC is two calls of the block function for a message of up to 55
//! bytes. The message always begins with a *domain*, padded to one whole block, which is saved
//! with the pad: separating the uses of a key costs nothing for each value.
//!
//! Nearly all values fit in one block; those are hashed four side by side ([`Pads::macs`]).
//!
//! The block function picks SHA instructions at run time. No vector code may stand around it: with
//! upper halves of vector registers in use, one HMAC was measured at 6 µs in place of 0.1 µs.

use sha2::block_api::compress256;
use zeroize::Zeroize;

use crate::simd::sha256;
use crate::simd::sha256::MACS;

const BLOCK_BYTES: usize = 64;
const DIGEST_BYTES: usize = 32;
/// A final block also carries one marker byte and the bit count.
const LAST_BLOCK_BYTES_MAX: usize = BLOCK_BYTES - 9;

/// The state that SHA-256 starts from (FIPS 180-4, 5.3.3).
const START: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// One block of a message.
pub(super) type Block = [u8; BLOCK_BYTES];

/// What a message is for. Padded with zeros to one block, so that no domain begins another.
pub(super) type Domain = [u8; BLOCK_BYTES];

/// Pads a label to a block.
pub(super) const fn domain(label: &str) -> Domain {
    assert!(label.len() <= BLOCK_BYTES, "a domain fits in one block");
    let mut block = [0; BLOCK_BYTES];
    let (head, _) = block.split_at_mut(label.len());
    head.copy_from_slice(label.as_bytes());
    block
}

/// The last block of the outer hash, but for the inner digest: its length never changes.
const OUTER_BLOCK: [u8; BLOCK_BYTES] = {
    let mut block = [0; BLOCK_BYTES];
    block[DIGEST_BYTES] = 0x80;
    let bits = ((BLOCK_BYTES + DIGEST_BYTES) * 8) as u64;
    let (_, last) = block.split_at_mut(BLOCK_BYTES - 8);
    last.copy_from_slice(&bits.to_be_bytes());
    block
};

/// The saved states of one key in one domain.
pub(super) struct Pads {
    inner: [u32; 8],
    outer: [u32; 8],
}

impl Pads {
    /// Hashes the pads of `key` and the domain.
    pub(super) fn new(key: &[u8; DIGEST_BYTES], domain: &Domain) -> Pads {
        let mut pads = Pads { inner: START, outer: START };
        let mut block = [0x36; BLOCK_BYTES];
        for (byte, key) in block.iter_mut().zip(key) {
            *byte ^= key;
        }
        compress256(&mut pads.inner, &[block]);
        compress256(&mut pads.inner, &[*domain]);
        for byte in &mut block {
            *byte ^= 0x36 ^ 0x5c;
        }
        compress256(&mut pads.outer, &[block]);
        block.zeroize();
        pads
    }

    /// The MAC over domain ∥ `label` ∥ 0x00 ∥ `value`, as the eight words of the digest.
    pub(super) fn mac(&self, label: &[u8], value: &[u8]) -> [u32; 8] {
        let digest = self.inner_digest(label, value);
        let mut block = OUTER_BLOCK;
        let (words, _) = block.as_chunks_mut::<4>();
        for (place, word) in words.iter_mut().zip(digest) {
            *place = word.to_be_bytes();
        }
        let mut outer = self.outer;
        compress256(&mut outer, &[block]);
        outer
    }

    /// The MACs of the messages that end in `blocks`, which [`last_block`] made.
    pub(super) fn macs(&self, blocks: &[Block; MACS]) -> [[u32; 8]; MACS] {
        sha256::macs(&self.inner, &self.outer, blocks)
    }

    #[inline]
    fn inner_digest(&self, label: &[u8], value: &[u8]) -> [u32; 8] {
        let mut hash = Hash { state: self.inner, block: [0; BLOCK_BYTES], filled: 0 };
        if last_block(label, value, &mut hash.block) {
            compress256(&mut hash.state, &[hash.block]);
            return hash.state;
        }
        hash.update(label);
        hash.update(&[0]);
        hash.update(value);
        hash.finish(hashed_bytes(label, value))
    }

    /// The same MAC as bytes.
    pub(super) fn mac_bytes(&self, label: &[u8], value: &[u8]) -> [u8; DIGEST_BYTES] {
        let mut bytes = [0; DIGEST_BYTES];
        let (words, _) = bytes.as_chunks_mut::<4>();
        for (place, word) in words.iter_mut().zip(self.mac(label, value)) {
            *place = word.to_be_bytes();
        }
        bytes
    }
}

/// The length of a message with the pad and the domain, which are the two blocks before it.
fn hashed_bytes(label: &[u8], value: &[u8]) -> usize {
    2 * BLOCK_BYTES + label.len() + 1 + value.len()
}

/// Writes the one block of the message `label` ∥ 0x00 ∥ `value` with its end mark and length; false,
/// leaving it as it was, when the message takes more than one.
#[inline]
pub(super) fn last_block(label: &[u8], value: &[u8], block: &mut Block) -> bool {
    let filled = label.len() + 1 + value.len();
    if filled > LAST_BLOCK_BYTES_MAX {
        return false;
    }
    *block = [0; BLOCK_BYTES];
    if let Some((head, rest)) = block.split_at_mut_checked(label.len())
        && let Some(tail) = rest.get_mut(1..=value.len())
    {
        head.copy_from_slice(label);
        tail.copy_from_slice(value);
    }
    if let Some(end) = block.get_mut(filled) {
        *end = 0x80;
    }
    let bits = (hashed_bytes(label, value) as u64).wrapping_mul(8);
    if let Some(place) = block.last_chunk_mut::<8>() {
        *place = bits.to_be_bytes();
    }
    true
}

impl Drop for Pads {
    fn drop(&mut self) {
        self.inner.zeroize();
        self.outer.zeroize();
    }
}

/// A hash under way: bytes not yet hashed wait in `block`, zeros behind them.
struct Hash {
    state: [u32; 8],
    block: [u8; BLOCK_BYTES],
    filled: usize,
}

impl Hash {
    fn update(&mut self, mut bytes: &[u8]) {
        loop {
            let (_, free) = self.block.split_at_mut(self.filled);
            let Some((head, rest)) = bytes.split_at_checked(free.len()) else { break };
            free.copy_from_slice(head);
            compress256(&mut self.state, &[self.block]);
            self.block = [0; BLOCK_BYTES];
            self.filled = 0;
            bytes = rest;
        }
        let end = self.filled + bytes.len();
        if let Some(place) = self.block.get_mut(self.filled..end) {
            place.copy_from_slice(bytes);
        }
        self.filled = end;
    }

    #[inline]
    fn finish(mut self, hashed_bytes: usize) -> [u32; 8] {
        if let Some(end) = self.block.get_mut(self.filled) {
            *end = 0x80;
        }
        if self.filled > LAST_BLOCK_BYTES_MAX {
            compress256(&mut self.state, &[self.block]);
            self.block = [0; BLOCK_BYTES];
        }
        let bits = (hashed_bytes as u64).wrapping_mul(8);
        if let Some(place) = self.block.last_chunk_mut::<8>() {
            *place = bits.to_be_bytes();
        }
        compress256(&mut self.state, &[self.block]);
        self.state
    }
}

#[cfg(test)]
mod tests {
    use hmac::Hmac;
    use hmac::KeyInit;
    use hmac::Mac;
    use sha2::Sha256;

    use super::*;

    #[test]
    fn equals_the_hmac_crate_at_every_length_around_a_block() {
        let key: [u8; 32] = std::array::from_fn(|at| u8::try_from(at * 7 % 256).unwrap());
        let here = domain("a test");
        let pads = Pads::new(&key, &here);
        let value: Vec<u8> = (0_u32..5000).map(|at| at.to_le_bytes()[0] ^ 0x5a).collect();
        for len in (0..=300).chain([1023, 1024, 4096, 5000]) {
            for label in ["", "EMAIL", "PRIVATE_KEY1"] {
                let mut other = Hmac::<Sha256>::new_from_slice(&key).unwrap();
                other.update(&here);
                other.update(label.as_bytes());
                other.update(&[0]);
                other.update(&value[..len]);
                let expected: [u8; 32] = other.finalize().into_bytes().into();
                assert_eq!(pads.mac_bytes(label.as_bytes(), &value[..len]), expected, "{len}");
            }
        }
    }

    #[test]
    fn domains_give_different_macs() {
        let one = Pads::new(&[1; 32], &domain("one")).mac(b"K", b"v");
        let two = Pads::new(&[1; 32], &domain("two")).mac(b"K", b"v");
        assert_ne!(one, two);
    }
}
