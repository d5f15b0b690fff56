//! Names that one call has already made.
//!
//! Four entries a set, sets picked by a keyed hash of kind and value. An entry holds the hash and
//! the name, never the value. A new entry takes the first place of its set and pushes out the last;
//! a hit on the last place moves it to the first, so values that come back stay.
//!
//! # Why a hit is trusted
//! Nothing but the hash is compared, and an attacker may choose the values. The hash is two
//! independent passes of NH (the inner hash of UMAC) over the same words, each with its own random
//! key; for any two different inputs chosen without knowledge of the key, one pass agrees with
//! probability at most 2⁻⁶³ over the choice of the key, both with at most 2⁻¹²⁶. A look-up compares
//! four entries: after 2⁴⁰ look-ups the chance of ever having given a wrong name is under 2⁻⁸⁴.
//! That is a theorem about the hash, not a hope about its mixing, and holds because names do not
//! depend on the key, so nothing of it ever leaves.
//!
//! The key is drawn for each cache from the name key and the process' own randomness, so what is
//! slow in one call says nothing about another.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use zeroize::Zeroize;

use super::bytes::short_or_last;
use super::marker::Name;
use super::marker::TAG_CHARS;

/// Longest value that is remembered; a longer one is named afresh each time.
pub const CACHED_VALUE_BYTES_MAX: usize = 512;

const WAYS: usize = 4;
const SETS: usize = 1024;
const SETS_BITS: u32 = SETS.trailing_zeros();
/// The head word and one word for eight bytes, rounded up to pairs.
const PAIRS: usize = CACHED_VALUE_BYTES_MAX / 16 + 1;
/// Spreads a sum over the sets: an odd constant near 2⁶⁴ divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// What a look-up compares.
#[derive(Clone, Copy)]
pub(super) struct Digest([u64; 4]);

/// One line of the processor's cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Entry {
    digest: Digest,
    name: Name,
}

/// Keys of one pair of words: a pair for each pass.
type PairKey = [u64; 4];

/// Names made in one call of one caller. Bounded: 4,096 entries, 256 KiB.
pub struct Cache {
    keys: Box<[PairKey; PAIRS]>,
    sets: Box<[[Entry; WAYS]]>,
}

impl Cache {
    /// An empty cache with a key of its own, derived from `secret`.
    pub(super) fn with_secret(secret: &[u8; 32]) -> Cache {
        static CACHES: AtomicU64 = AtomicU64::new(0);
        let mut hasher = blake3::Hasher::new_keyed(secret);
        hasher.update(&CACHES.fetch_add(1, Ordering::Relaxed).to_le_bytes());
        hasher.update(&RandomState::new().hash_one(0_u8).to_le_bytes());
        let mut reader = hasher.finalize_xof();
        let mut keys = Box::new([[0; 4]; PAIRS]);
        for key in keys.as_flattened_mut() {
            let mut bytes = [0; 8];
            reader.fill(&mut bytes);
            *key = u64::from_le_bytes(bytes);
        }
        // An empty entry is a digest of zeros, which an input meets with the probability above.
        let name = Name { id: [[0; 8]; 2], tag: [0; TAG_CHARS] };
        let empty = Entry { digest: Digest([0; 4]), name };
        let sets = vec![[empty; WAYS]; SETS];
        Cache { keys, sets: sets.into_boxed_slice() }
    }

    /// The digest of a value of a kind; `None` when the value is too long to be remembered.
    #[inline]
    pub(super) fn digest(&self, kind_index: u16, value: &[u8]) -> Option<Digest> {
        if value.len() > CACHED_VALUE_BYTES_MAX {
            return None;
        }
        // The head tells kinds and lengths apart, so padding and overlap below are unambiguous.
        let head = u64::from(kind_index) << 32 | value.len() as u64;
        let mut sums = [0_u128; 2];
        let mut keys = self.keys.iter();
        let (words, rest) = value.as_chunks::<8>();
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        let mut tail = (!rest.is_empty()).then(|| short_or_last(value));
        let mut left = head;
        for key in &mut keys {
            let right = words.next().or_else(|| tail.take());
            sums = add_pair(sums, *key, left, right.unwrap_or(0));
            let Some(next) = words.next().or_else(|| tail.take()) else { break };
            left = next;
        }
        let [one, two] = sums;
        let ((a, b), (c, d)) = (halves(one), halves(two));
        Some(Digest([a, b, c, d]))
    }

    /// The name remembered for that digest.
    #[inline]
    pub(super) fn get(&mut self, digest: Digest) -> Option<Name> {
        let set = self.sets.get_mut(digest.set())?;
        // All four are compared before anything is decided: which one it is cannot be foreseen.
        let hits = set.each_ref().map(|entry| u32::from(entry.digest.same(digest)));
        let [a, b, c, d] = hits;
        let at = (a | b << 1 | c << 2 | d << 3).trailing_zeros() as usize;
        let entry = *set.get(at)?;
        if at == WAYS - 1 {
            set.copy_within(..WAYS - 1, 1);
            let [first, ..] = set;
            *first = entry;
        }
        Some(entry.name)
    }

    /// Remembers a name; one that is remembered already stays where it is.
    pub(super) fn put(&mut self, digest: Digest, name: Name) {
        if let Some(set) = self.sets.get_mut(digest.set())
            && !set.iter().any(|entry| entry.digest.same(digest))
        {
            set.copy_within(..WAYS - 1, 1);
            let [first, ..] = set;
            *first = Entry { digest, name };
        }
    }
}

impl Digest {
    /// Compares all of it in one step: the four words agree or none does.
    #[inline]
    fn same(self, other: Digest) -> bool {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        (a ^ e) | (b ^ f) | (c ^ g) | (d ^ h) == 0
    }

    #[inline]
    fn set(self) -> usize {
        let [low, high, ..] = self.0;
        ((low ^ high).wrapping_mul(SPREAD) >> (64 - SETS_BITS)) as usize
    }
}

/// One step of both passes: the product of two keyed words, added up.
#[inline]
fn add_pair(sums: [u128; 2], key: PairKey, left: u64, right: u64) -> [u128; 2] {
    let [one, two] = sums;
    let [a, b, c, d] = key;
    let product = |left: u64, right: u64| u128::from(left) * u128::from(right);
    [
        one.wrapping_add(product(left.wrapping_add(a), right.wrapping_add(b))),
        two.wrapping_add(product(left.wrapping_add(c), right.wrapping_add(d))),
    ]
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "cutting is the point")]
fn halves(both: u128) -> (u64, u64) {
    (both as u64, (both >> 64) as u64)
}

impl Drop for Cache {
    fn drop(&mut self) {
        self.keys.as_flattened_mut().zeroize();
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cache({} entries)", SETS * WAYS)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn close_values_have_different_digests() {
        let cache = Cache::with_secret(&[3; 32]);
        let mut seen = BTreeSet::new();
        for kind in [0_u16, 1, 700] {
            for len in 0..=CACHED_VALUE_BYTES_MAX {
                let mut value = vec![0_u8; len];
                assert!(seen.insert(cache.digest(kind, &value).unwrap().0), "{kind} {len}");
                for at in 0..len {
                    value[at] = 1;
                    assert!(seen.insert(cache.digest(kind, &value).unwrap().0), "{len} {at}");
                    value[at] = 0;
                }
            }
        }
        assert!(cache.digest(0, &[0; CACHED_VALUE_BYTES_MAX + 1]).is_none());
    }

    #[test]
    fn caches_of_one_secret_have_different_keys() {
        let (one, two) = (Cache::with_secret(&[3; 32]), Cache::with_secret(&[3; 32]));
        let (one, two) = (one.digest(1, b"value").unwrap(), two.digest(1, b"value").unwrap());
        assert!(!one.same(two));
    }

    /// Shown to bite by letting new entries in at the third place: a set of three that come in turn
    /// then never hits.
    #[test]
    fn a_thousand_values_in_turn_nearly_all_stay() {
        let mut cache = Cache::with_secret(&[3; 32]);
        let mut hits = 0;
        for round in 0..20 {
            for value in 0_u32..1000 {
                let digest = cache.digest(1, &value.to_le_bytes()).unwrap();
                match cache.get(digest) {
                    Some(_) => hits += 1,
                    None => cache.put(digest, Name { id: [[0; 8]; 2], tag: [0; TAG_CHARS] }),
                }
            }
            assert!(round == 0 || hits > round * 900, "{hits} after round {round}");
        }
    }

    #[test]
    fn what_comes_back_stays() {
        let mut cache = Cache::with_secret(&[3; 32]);
        let often = cache.digest(1, b"often").unwrap();
        let name = |byte| Name { id: [[byte; 8]; 2], tag: [byte; TAG_CHARS] };
        cache.put(often, name(1));
        for round in 0_u32..50_000 {
            assert_eq!(cache.get(often), Some(name(1)), "round {round}");
            let once = cache.digest(2, &round.to_le_bytes()).unwrap();
            assert_eq!(cache.get(once), None);
            cache.put(once, name(2));
        }
    }
}
