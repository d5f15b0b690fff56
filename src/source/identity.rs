//! Which file it is, whatever it is called now.
//!
//! Rotation renames files and makes new ones under the old name; some tools cut a file to nothing
//! and write on. Device and inode find the file again under another name, the hash of its beginning
//! tells whether it is still what was planned, and a smaller size that it was cut.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::os::unix::fs::MetadataExt;

use serde::Deserialize;
use serde::Serialize;

/// Bytes of a file's beginning that are hashed: a few records, so that two logs of one program
/// differ in their first moments.
const HEAD_BYTES: u64 = 4096;
/// Bytes of the hash that are kept: nobody can look for a file with the same one without the key.
const HASH_BYTES: usize = 16;

/// What makes a file the same file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The device it is on.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
    /// Bytes of its beginning that were hashed.
    head_bytes: u64,
    /// Their keyed hash.
    head: [u8; HASH_BYTES],
    /// Its size when it was planned, in bytes as stored.
    pub size: u64,
}

/// The key of head hashes: derived from the state key, so that a hash tells nothing without it.
#[derive(Clone)]
pub struct HeadKey([u8; 32]);

/// How a file differs from what was planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Another file stands in its place.
    Replaced,
    /// It is shorter than it was.
    Cut,
    /// It begins differently.
    Rewritten,
}

impl HeadKey {
    /// A key of these bytes.
    pub fn new(bytes: [u8; 32]) -> HeadKey {
        HeadKey(bytes)
    }

    /// A keyed hash of what names or describes something.
    pub fn hash(&self, bytes: &[u8]) -> [u8; 32] {
        *blake3::keyed_hash(&self.0, bytes).as_bytes()
    }
}

impl std::fmt::Debug for HeadKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HeadKey(hidden)")
    }
}

impl Identity {
    /// What an open file is now.
    ///
    /// # Errors
    ///
    /// When its beginning cannot be read.
    pub fn of(file: &File, key: &HeadKey) -> io::Result<Identity> {
        let metadata = file.metadata()?;
        let head_bytes = metadata.len().min(HEAD_BYTES);
        Ok(Identity {
            device: metadata.dev(),
            inode: metadata.ino(),
            head_bytes,
            head: head_hash(file, head_bytes, key)?,
            size: metadata.len(),
        })
    }

    /// True when it has the same place on the same device.
    pub fn same_place(&self, metadata: &std::fs::Metadata) -> bool {
        (self.device, self.inode) == (metadata.dev(), metadata.ino())
    }

    /// How an open file differs from this; nothing where it has only grown.
    ///
    /// # Errors
    ///
    /// When its beginning cannot be read.
    pub fn changed(&self, file: &File, key: &HeadKey) -> io::Result<Option<Changed>> {
        let metadata = file.metadata()?;
        if !self.same_place(&metadata) {
            return Ok(Some(Changed::Replaced));
        }
        if metadata.len() < self.size {
            return Ok(Some(Changed::Cut));
        }
        let head = head_hash(file, self.head_bytes, key)?;
        Ok((head != self.head).then_some(Changed::Rewritten))
    }
}

fn head_hash(file: &File, bytes: u64, key: &HeadKey) -> io::Result<[u8; HASH_BYTES]> {
    let mut head = vec![0; usize::try_from(bytes.min(HEAD_BYTES)).unwrap_or(0)];
    file.read_exact_at(&mut head, 0)?;
    let hash = key.hash(&head);
    let mut kept = [0; HASH_BYTES];
    kept.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
    Ok(kept)
}

impl std::fmt::Display for Changed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Changed::Replaced => "another file stands in its place",
            Changed::Cut => "it was cut",
            Changed::Rewritten => "it begins differently",
        })
    }
}
