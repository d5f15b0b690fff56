//! The one place where names are made and checked.

use std::fmt;

use zeroize::Zeroize;

use super::bytes::short_or_last;
use super::cache::Cache;
use super::hmac::Block;
use super::hmac::Domain;
use super::hmac::Pads;
use super::hmac::domain;
use super::hmac::last_block;
use super::key::Key;
use super::marker::ID_CHARS;
use super::marker::Id;
use super::marker::KEY_ID_BITS;
use super::marker::KEY_ID_CHARS;
use super::marker::MARKER_LEN_MAX;
use super::marker::Name;
use super::marker::Parts;
use super::marker::TAG_BITS;
use super::marker::TAG_CHARS;
use super::marker::TAIL_BYTES;
use super::marker::base32;
use super::marker::is_kind;
use super::siphash::SipKey;
use super::siphash::last_word;
use crate::simd::sha256::MACS;

/// Changing one of these changes every name: they are part of what a key means.
const NAME_DOMAIN: Domain = domain("locklog pseudonym 1: name");
const KEY_ID_DOMAIN: Domain = domain("locklog pseudonym 1: key id");
const TAG_DOMAIN: Domain = domain("locklog pseudonym 1: tag key");
const CACHE_DOMAIN: Domain = domain("locklog pseudonym 1: cache key");

/// Bytes that a tag covers after the key id: kind and its length, id as written.
const TAGGED_BYTES: u8 = 37;

/// Makes and checks the names of one key.
pub struct Namer {
    names: Pads,
    key_id: [u8; KEY_ID_CHARS],
    tags: SipKey,
    cache_secret: [u8; 32],
}

impl Namer {
    /// Derives everything that naming needs from a key, which may be dropped afterwards.
    pub fn new(key: &Key) -> Namer {
        let derive = |domain: &Domain| Pads::new(key.bytes(), domain).mac_bytes(b"", b"");
        let mut tag_key = derive(&TAG_DOMAIN);
        let mut half = [0; 16];
        half.copy_from_slice(tag_key.first_chunk::<16>().unwrap_or(&[0; 16]));
        let [word, ..] = Pads::new(key.bytes(), &KEY_ID_DOMAIN).mac(b"", b"");
        let [_, _, _, _, key_id @ ..] = base32(u64::from(word >> (u32::BITS - KEY_ID_BITS)));
        let namer = Namer {
            names: Pads::new(key.bytes(), &NAME_DOMAIN),
            key_id,
            tags: SipKey::new(half).then(u64::from(u32::from_le_bytes(key_id))),
            cache_secret: derive(&CACHE_DOMAIN),
        };
        tag_key.zeroize();
        half.zeroize();
        namer
    }

    /// Four characters that tell keys apart in markers; they say nothing else about the key.
    pub fn key_id(&self) -> [u8; KEY_ID_CHARS] {
        self.key_id
    }

    /// An empty cache for the names of one call.
    pub fn new_cache(&self) -> Cache {
        Cache::with_secret(&self.cache_secret)
    }

    /// Appends the marker of a normalised value.
    ///
    /// `kind` is one that detectors may have: upper-case letters, digits and `_`, at most
    /// [`KIND_BYTES_MAX`](crate::pseudonym::KIND_BYTES_MAX) bytes.
    pub fn name(&self, kind: &str, value: &[u8], out: &mut Vec<u8>) {
        debug_assert!(is_kind(kind.as_bytes()), "a kind out of form");
        self.write(kind, &self.make(kind, value), out);
    }

    /// True for a whole marker that this key has made, and for nothing else but by a chance of one
    /// in 2³⁰.
    pub fn verify(&self, candidate: &[u8]) -> bool {
        let Some(parts) = Parts::split(candidate) else { return false };
        if *parts.key_id != self.key_id {
            return false;
        }
        // The id need not be read: what has the right tag was written here.
        let (halves, _) = parts.id.as_chunks::<{ ID_CHARS / 2 }>();
        let &[first, second] = halves else { return false };
        self.tag(parts.kind, [first, second]) == *parts.tag
    }

    /// The id and the tag of a value.
    #[inline(never)]
    pub(super) fn make(&self, kind: &str, value: &[u8]) -> Name {
        let id = id_of(self.names.mac(kind.as_bytes(), value));
        Name { id, tag: self.tag(kind.as_bytes(), id) }
    }

    /// Writes the block whose MAC names the value; false when the value takes more than one.
    #[inline]
    pub(super) fn block_of(&self, kind: &str, value: &[u8], block: &mut Block) -> bool {
        last_block(kind.as_bytes(), value, block)
    }

    /// The MACs of blocks.
    pub(super) fn macs(&self, blocks: &[Block; MACS]) -> [[u32; 8]; MACS] {
        self.names.macs(blocks)
    }

    /// The names with these ids, of values of these kinds.
    #[inline]
    pub(super) fn names_of(&self, kinds: [&str; MACS], macs: [[u32; 8]; MACS]) -> [Name; MACS] {
        let mut kinds = kinds.into_iter();
        let mut kind = || kinds.next().unwrap_or("").as_bytes();
        let ids = macs.map(id_of);
        let mut tags = self.tags.hash_each(ids.map(|id| tagged(kind(), id))).into_iter();
        ids.map(|id| Name { id, tag: written_tag(tags.next().unwrap_or(0)) })
    }

    /// The tag of a marker of this key.
    #[inline]
    fn tag(&self, kind: &[u8], id: Id) -> [u8; TAG_CHARS] {
        let [bits] = self.tags.hash_each([tagged(kind, id)]);
        written_tag(bits)
    }

    #[inline]
    pub(super) fn write(&self, kind: &str, name: &Name, out: &mut Vec<u8>) {
        out.reserve(MARKER_LEN_MAX);
        out.extend_from_slice(kind.as_bytes());
        let [a, b, c, d] = self.key_id;
        // One copy of a known length in place of four.
        let mut tail = [b'_'; TAIL_BYTES];
        let (head, name_place) = tail.split_at_mut(2 + KEY_ID_CHARS);
        head.copy_from_slice(&[b'_', a, b, c, d, b'_']);
        let (id, tag) = name_place.split_at_mut(ID_CHARS);
        id.copy_from_slice(name.id.as_flattened());
        tag.copy_from_slice(&name.tag);
        out.extend_from_slice(&tail);
    }
}

/// The id from the MAC of a value: its first 80 bits, 32 and 8, 24 and 16.
#[inline]
fn id_of([a, b, c, ..]: [u32; 8]) -> Id {
    let (a, b, c) = (u64::from(a), u64::from(b), u64::from(c));
    [base32(a << 8 | b >> 24), base32(b << 16 | c >> 16)]
}

/// What a tag covers.
#[inline]
fn tagged(kind: &[u8], id: Id) -> [u64; 4] {
    let (head, rest) = kind.split_at_checked(8).unwrap_or((kind, &[]));
    // At most four bytes remain of a kind, and its length fits above them.
    let rest = short_or_last(rest) & 0xffff_ffff | (kind.len() as u64) << 32;
    let [first, second] = id.map(u64::from_le_bytes);
    [short_or_last(head), first, second, last_word(rest, TAGGED_BYTES)]
}

/// The tag as it is written: the upper bits of a hash.
#[inline]
fn written_tag(hash: u64) -> [u8; TAG_CHARS] {
    let [_, _, tag @ ..] = base32(hash >> (64 - TAG_BITS));
    tag
}

impl Drop for Namer {
    fn drop(&mut self) {
        self.cache_secret.zeroize();
        self.tags = SipKey::new([0; 16]);
    }
}

impl fmt::Debug for Namer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Namer(key {})", self.key_id.escape_ascii())
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
