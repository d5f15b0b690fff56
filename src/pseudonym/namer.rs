//! The one place where names are made and checked.

use std::fmt;

use zeroize::Zeroize;

use super::cache::Cache;
use super::cache::Name;
use super::hmac::Domain;
use super::hmac::Pads;
use super::hmac::domain;
use super::key::Key;
use super::marker::ID_BITS;
use super::marker::ID_CHARS;
use super::marker::KEY_ID_BITS;
use super::marker::KEY_ID_CHARS;
use super::marker::KIND_BYTES_MAX;
use super::marker::NAME_CHARS;
use super::marker::Parts;
use super::marker::TAG_BITS;
use super::marker::TAG_CHARS;
use super::marker::base32;
use super::marker::bits_of;
use super::marker::is_kind;
use super::siphash::SipKey;
use super::siphash::last_word;

/// Changing one of these changes every name: they are part of what a key means.
const NAME_DOMAIN: Domain = domain("locklog pseudonym 1: name");
const KEY_ID_DOMAIN: Domain = domain("locklog pseudonym 1: key id");
const TAG_DOMAIN: Domain = domain("locklog pseudonym 1: tag key");
const CACHE_DOMAIN: Domain = domain("locklog pseudonym 1: cache key");

/// Bytes that a tag covers: key id, kind padded with zeros, id.
const TAGGED_BYTES: u8 = 26;

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
        let namer = Namer {
            names: Pads::new(key.bytes(), &NAME_DOMAIN),
            key_id: base32(u128::from(word >> (u32::BITS - KEY_ID_BITS))),
            tags: SipKey::new(half),
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
    /// [`KIND_BYTES_MAX`] bytes.
    pub fn name(&self, kind: &str, value: &[u8], out: &mut Vec<u8>) {
        debug_assert!(is_kind(kind.as_bytes()), "a kind out of form");
        self.write(kind, &self.make(kind, value), out);
    }

    /// Appends the same marker as [`name`](Namer::name), from the cache where it holds it.
    ///
    /// `kind_index` stands for `kind` in the cache: within one cache, one index means one kind.
    #[inline]
    pub fn name_cached(
        &self,
        cache: &mut Cache,
        kind_index: u16,
        kind: &str,
        value: &[u8],
        out: &mut Vec<u8>,
    ) {
        let digest = cache.digest(kind_index, value);
        if let Some(name) = digest.and_then(|digest| cache.get(digest)) {
            self.write(kind, &name, out);
            return;
        }
        let name = self.make(kind, value);
        if let Some(digest) = digest {
            cache.put(digest, name);
        }
        self.write(kind, &name, out);
    }

    /// True for a whole marker that this key has made, and for nothing else but by a chance of one
    /// in 2³⁰.
    pub fn verify(&self, candidate: &[u8]) -> bool {
        let Some(parts) = Parts::split(candidate) else { return false };
        if *parts.key_id != self.key_id {
            return false;
        }
        let (Some(id), Some(tag)) = (bits_of(parts.id), bits_of(parts.tag)) else { return false };
        u128::from(self.tag(parts.kind, id)) == tag
    }

    /// The id and the tag of a value.
    #[inline(never)]
    fn make(&self, kind: &str, value: &[u8]) -> Name {
        let [a, b, c, ..] = self.names.mac(kind.as_bytes(), value);
        let id = (u128::from(a) << 64 | u128::from(b) << 32 | u128::from(c)) >> (96 - ID_BITS);
        let mut name = [0; NAME_CHARS];
        if let Some((first, rest)) = name.split_first_chunk_mut::<ID_CHARS>() {
            *first = base32(id);
            if let Some(last) = rest.first_chunk_mut::<TAG_CHARS>() {
                *last = base32(u128::from(self.tag(kind.as_bytes(), id)));
            }
        }
        name
    }

    /// The tag of a marker of this key.
    #[expect(clippy::cast_possible_truncation, reason = "the words of one message are cut here")]
    fn tag(&self, kind: &[u8], id: u128) -> u64 {
        let mut head = [0; 16];
        let padded = self.key_id.iter().chain(kind.iter().take(KIND_BYTES_MAX));
        for (place, byte) in head.iter_mut().zip(padded) {
            *place = *byte;
        }
        let head = u128::from_le_bytes(head);
        let last = last_word((id >> 64) as u64, TAGGED_BYTES);
        self.tags.hash([head as u64, (head >> 64) as u64, id as u64, last]) >> (64 - TAG_BITS)
    }

    #[inline]
    fn write(&self, kind: &str, name: &Name, out: &mut Vec<u8>) {
        out.extend_from_slice(kind.as_bytes());
        let [a, b, c, d] = self.key_id;
        out.extend_from_slice(&[b'_', a, b, c, d, b'_']);
        out.extend_from_slice(name);
    }
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
