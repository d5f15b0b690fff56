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
pub(super) const NAME_CHARS: usize = ID_CHARS + TAG_CHARS;
/// Two underscores, the key id and the name.
const TAIL_BYTES: usize = 2 + KEY_ID_CHARS + NAME_CHARS;

/// The bits of an id and of a tag.
pub(super) const ID_BITS: u32 = 80;
pub(super) const TAG_BITS: u32 = 30;
pub(super) const KEY_ID_BITS: u32 = 20;

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

/// Writes the low `5 × CHARS` bits of `bits`, most significant first.
#[inline]
pub(super) fn base32<const CHARS: usize>(bits: u128) -> [u8; CHARS] {
    let mut chars = [0; CHARS];
    let mut left = bits;
    for place in chars.iter_mut().rev() {
        let five = (left & 31) as u8;
        // Arithmetic, not a table: nothing to bounds-check and no secret-dependent address.
        *place = if five < 26 { b'a' + five } else { b'2' + (five - 26) };
        left >>= 5;
    }
    chars
}

/// Reads what [`base32`] wrote; `None` on any other byte.
#[inline]
pub(super) fn bits_of<const CHARS: usize>(chars: &[u8; CHARS]) -> Option<u128> {
    let mut bits = 0_u128;
    for char in chars {
        let five = match char {
            b'a'..=b'z' => char - b'a',
            b'2'..=b'7' => char - b'2' + 26,
            _ => return None,
        };
        bits = bits << 5 | u128::from(five);
    }
    Some(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base32_round_trips() {
        let mut bits = 1_u128;
        for _ in 0..1000 {
            bits = bits.wrapping_mul(0xda94_2042_e4dd_58b5).wrapping_add(99);
            let cut = bits >> 48;
            assert_eq!(bits_of(&base32::<16>(cut)), Some(cut & ((1 << 80) - 1)));
        }
        assert_eq!(base32::<4>(0), *b"aaaa");
        assert_eq!(base32::<4>(0xf_ffff), *b"7777");
        assert_eq!(base32::<6>(26), *b"aaaaa2");
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
