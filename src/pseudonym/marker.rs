//! The written form of a name: `KIND_<key id, 4>_<id, 16><tag, 6>`.
//!
//! Everything after the kind is base32 in lower case (`a`–`z`, `2`–`7`), most significant bits
//! first. The pieces have fixed lengths, so a marker is read from its end, whatever its kind.

/// Longest kind.
pub const KIND_BYTES_MAX: usize = 12;
/// Longest marker.
pub const MARKER_LEN_MAX: usize = KIND_BYTES_MAX + TAIL_BYTES;
/// Shortest marker: a kind of one letter.
pub const MARKER_LEN_MIN: usize = 1 + TAIL_BYTES;

pub(super) const KEY_ID_CHARS: usize = 4;
pub(super) const ID_CHARS: usize = 16;
pub(super) const TAG_CHARS: usize = 6;
/// What stands after the last underscore.
const NAME_CHARS: usize = ID_CHARS + TAG_CHARS;
/// Two underscores, the key id and the name.
pub(super) const TAIL_BYTES: usize = 2 + KEY_ID_CHARS + NAME_CHARS;

/// The bits of a key id and of a tag.
pub(super) const KEY_ID_BITS: u32 = 20;
pub(super) const TAG_BITS: u32 = 30;

/// An id as two words of characters, so that it goes from a register to its places.
pub(super) type Id = [[u8; ID_CHARS / 2]; 2];

/// What a value turns into: the id and the tag as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) id: Id,
    pub(super) tag: [u8; TAG_CHARS],
}

/// A marker taken apart.
#[derive(Clone, Copy)]
pub(super) struct Parts<'m> {
    pub(super) kind: &'m [u8],
    pub(super) key_id: &'m [u8; KEY_ID_CHARS],
    pub(super) id: &'m [u8; ID_CHARS],
    pub(super) tag: &'m [u8; TAG_CHARS],
}

impl<'m> Parts<'m> {
    /// Takes a candidate apart; `None` when its lengths or its kind cannot be a marker's.
    #[inline]
    pub(super) fn split(candidate: &'m [u8]) -> Option<Parts<'m>> {
        let (rest, tag) = candidate.split_last_chunk::<TAG_CHARS>()?;
        let (rest, id) = rest.split_last_chunk::<ID_CHARS>()?;
        let rest = rest.strip_suffix(b"_")?;
        let (rest, key_id) = rest.split_last_chunk::<KEY_ID_CHARS>()?;
        let kind = rest.strip_suffix(b"_")?;
        is_kind(kind).then_some(Parts { kind, key_id, id, tag })
    }
}

/// True for what may open a marker: an upper-case letter, then upper-case letters, digits and `_`.
pub(super) fn is_kind(kind: &[u8]) -> bool {
    kind.len() <= KIND_BYTES_MAX
        && kind.first().is_some_and(u8::is_ascii_uppercase)
        && kind.iter().all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_'))
}

/// Eight characters for the low 40 bits, most significant first.
///
/// All eight are made at once in one word: no table, so nothing to bounds-check and no address
/// that depends on a secret, and no loop.
#[inline]
pub(super) fn base32(bits: u64) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // 40 bits to two of 20, four of 10, eight of 5, each in a byte of its own.
    let bits = (bits & 0xf_ffff) | (bits & 0xff_fff0_0000) << 12;
    let bits = (bits & 0x0000_03ff_0000_03ff) | (bits & 0x000f_fc00_000f_fc00) << 6;
    let bits = (bits & 0x001f_001f_001f_001f) | (bits & 0x03e0_03e0_03e0_03e0) << 3;
    // The top bit of each byte of the sum tells the digits (26 and more).
    let digits = (bits + ONES * (128 - 26)) >> 7 & ONES;
    let letters = bits + ONES * u64::from(b'a');
    (letters - digits * u64::from(b'a' + 26 - b'2')).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base32_equals_a_table() {
        let table = b"abcdefghijklmnopqrstuvwxyz234567";
        let mut bits = 1_u64;
        for _ in 0..10_000 {
            bits = bits.wrapping_mul(0xda94_2042_e4dd_58b5).wrapping_add(99);
            let expected = std::array::from_fn(|at| {
                table[usize::try_from(bits >> (35 - 5 * at) & 31).unwrap()]
            });
            assert_eq!(base32(bits), expected);
        }
        assert_eq!(base32(0), *b"aaaaaaaa");
        assert_eq!(base32(u64::MAX), *b"77777777");
    }

    #[test]
    fn kinds_have_one_form() {
        for good in ["A", "EMAIL", "US_SSN", "IPV4", "ABCDEFGHIJKL"] {
            assert!(is_kind(good.as_bytes()), "{good}");
        }
        for bad in ["", "a", "_A", "4A", "EMAIL-X", "EMAIl", "ABCDEFGHIJKLM"] {
            assert!(!is_kind(bad.as_bytes()), "{bad}");
        }
    }

    #[test]
    fn the_longest_marker_has_forty_bytes() {
        assert_eq!((MARKER_LEN_MIN, MARKER_LEN_MAX), (29, 40));
    }
}
