//! How an input is packed, from its first bytes.

/// How an input is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    /// As it is.
    Plain,
    /// One or more gzip members.
    Gzip,
    /// One or more Zstandard frames.
    Zstd,
}

const GZIP_MAGIC: &[u8] = &[0x1f, 0x8b];
const ZSTD_MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// Tells the packing; `None` while more bytes could still change the answer.
///
/// A live pipe may begin with a single byte, and must not be held up for the sake of a guess.
pub(super) fn packing(head: &[u8]) -> Option<Packing> {
    for (magic, packing) in [(GZIP_MAGIC, Packing::Gzip), (ZSTD_MAGIC, Packing::Zstd)] {
        if head.starts_with(magic) {
            return Some(packing);
        }
        if magic.starts_with(head) {
            return None;
        }
    }
    Some(Packing::Plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_only_where_a_magic_may_follow() {
        assert_eq!(packing(b""), None);
        assert_eq!(packing(b"\x1f"), None);
        assert_eq!(packing(b"\x28\xb5\x2f"), None);
        assert_eq!(packing(b"\x1f\x8b"), Some(Packing::Gzip));
        assert_eq!(packing(b"\x28\xb5\x2f\xfd..."), Some(Packing::Zstd));
        assert_eq!(packing(b"\x1f\x8c"), Some(Packing::Plain));
        assert_eq!(packing(b"(\n"), Some(Packing::Plain));
        assert_eq!(packing(b"a"), Some(Packing::Plain));
    }
}
