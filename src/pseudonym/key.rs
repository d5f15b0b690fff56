//! The secret that names depend on.

use std::fmt;

use zeroize::Zeroize;

/// Length of a key: as long as the digest of its hash, more would not make it stronger.
pub const KEY_BYTES: usize = 32;

/// A secret of [`KEY_BYTES`] random bytes. Wiped when dropped, hidden in `Debug`.
///
/// It lives on the heap, so that moving it leaves no copy on the stack.
pub struct Key(Box<[u8; KEY_BYTES]>);

/// Bytes that were offered as a key are too few or too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongKeyLength {
    /// How many bytes there were.
    pub actual_bytes: usize,
}

impl Key {
    /// Takes random bytes as a key and wipes the place they were in.
    pub fn take(bytes: &mut [u8; KEY_BYTES]) -> Key {
        let key = Key(Box::new(*bytes));
        bytes.zeroize();
        key
    }

    /// Takes bytes that ought to be a key, and wipes the place they were in in any case.
    ///
    /// # Errors
    ///
    /// [`WrongKeyLength`] unless there are exactly [`KEY_BYTES`].
    pub fn take_slice(bytes: &mut [u8]) -> Result<Key, WrongKeyLength> {
        if let Ok(array) = <&mut [u8; KEY_BYTES]>::try_from(&mut *bytes) {
            return Ok(Key::take(array));
        }
        bytes.zeroize();
        Err(WrongKeyLength { actual_bytes: bytes.len() })
    }

    /// A key for another purpose, which says nothing about this one. `purpose` is a constant of the
    /// program, unlike any other.
    pub fn derive(&self, purpose: &str) -> [u8; KEY_BYTES] {
        blake3::derive_key(purpose, &self.0[..])
    }

    pub(super) fn bytes(&self) -> &[u8; KEY_BYTES] {
        &self.0
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(hidden)")
    }
}

impl fmt::Display for WrongKeyLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a key has {KEY_BYTES} bytes, not {}", self.actual_bytes)
    }
}

impl std::error::Error for WrongKeyLength {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_exactly_32_bytes_and_wipes_the_source() {
        for len in [0, 31, 33, 64] {
            let mut bytes = vec![7_u8; len];
            assert_eq!(
                Key::take_slice(&mut bytes).unwrap_err(),
                WrongKeyLength { actual_bytes: len }
            );
            assert!(bytes.iter().all(|byte| *byte == 0));
        }
        let mut bytes = [7_u8; KEY_BYTES];
        assert_eq!(Key::take_slice(&mut bytes).unwrap().bytes(), &[7; KEY_BYTES]);
        assert_eq!(bytes, [0; KEY_BYTES]);
    }

    #[test]
    fn debug_hides_the_bytes() {
        let mut bytes = *b"0123456789abcdef0123456789abcdef";
        assert_eq!(format!("{:?}", Key::take(&mut bytes)), "Key(hidden)");
    }
}
