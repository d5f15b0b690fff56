//! What is kept or handed out without being shown: encrypted, and refused when it was changed.

use std::fmt;

use chacha20poly1305::KeyInit;
use chacha20poly1305::XChaCha20Poly1305;
use chacha20poly1305::XNonce;
use chacha20poly1305::aead::Aead;
use chacha20poly1305::aead::Payload;

/// Bytes of a nonce: enough that random ones do not meet.
const NONCE_BYTES: usize = 24;

/// Seals with one key. What is sealed for one use cannot be opened for another.
pub struct Sealer {
    cipher: XChaCha20Poly1305,
}

/// Something could not be sealed or opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealError {
    /// It was sealed with another key or for another use, or changed since.
    NotOurs,
    /// The system gave no randomness.
    NoRandom(getrandom::Error),
}

impl Sealer {
    /// A sealer with a key of its own.
    pub fn new(key: &[u8; 32]) -> Sealer {
        Sealer { cipher: XChaCha20Poly1305::new(key.into()) }
    }

    /// Seals bytes for a use: a constant of the program.
    ///
    /// # Errors
    ///
    /// [`SealError::NoRandom`].
    pub fn seal(&self, usage: &str, bytes: &[u8]) -> Result<Vec<u8>, SealError> {
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).map_err(SealError::NoRandom)?;
        let payload = Payload { msg: bytes, aad: usage.as_bytes() };
        // The cipher refuses nothing that fits in memory.
        let sealed = self.cipher.encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.map_err(|_| SealError::NotOurs)?;
        Ok([&nonce[..], &sealed].concat())
    }

    /// Opens what was sealed for the same use.
    ///
    /// # Errors
    ///
    /// [`SealError::NotOurs`].
    pub fn open(&self, usage: &str, sealed: &[u8]) -> Result<Vec<u8>, SealError> {
        let (nonce, sealed) =
            sealed.split_first_chunk::<NONCE_BYTES>().ok_or(SealError::NotOurs)?;
        let payload = Payload { msg: sealed, aad: usage.as_bytes() };
        self.cipher.decrypt(&XNonce::from(*nonce), payload).map_err(|_| SealError::NotOurs)
    }
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealer(hidden)")
    }
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SealError::NotOurs => f.write_str("it was made with another key, or changed since"),
            SealError::NoRandom(error) => write!(f, "the system gave no randomness: {error}"),
        }
    }
}

impl std::error::Error for SealError {}
