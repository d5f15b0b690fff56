//! `--output FILE`: a file that can be gone on with whatever was killed when.
//!
//! Beside the file stands its checkpoint: how many bytes of it count, which file it is, and the
//! cursor behind them. Bytes are made to last before the checkpoint that counts them, so that after a
//! crash the file has at least what the checkpoint says. Going on cuts off the rest and writes on
//! from the cursor: no record is missing and none is there twice.

use std::fs;
use std::fs::File;
use std::fs::OpenOptions;
use std::io;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context as _;
use serde::Deserialize;
use serde::Serialize;

use super::super::exit::UsageError;
use crate::crash;
use crate::plan::Cursor;
use crate::plan::Sealer;
use crate::private;
use crate::source::HeadKey;
use crate::units::Bytes;

/// What checkpoints are sealed for.
const USAGE: &str = "checkpoint 1";
/// Bytes after which a checkpoint is due: a second's worth, so that syncing does not show.
pub(super) const EVERY_BYTES: Bytes = Bytes::kib(32 * 1024);
/// Bytes before the end that counts of which the hash is kept.
const TAIL_BYTES: u64 = 4096;
/// Largest checkpoint.
const CHECKPOINT_BYTES_MAX: u64 = 16 * 1024;

/// A file, and how much of it counts.
#[derive(Debug)]
pub(super) struct Checkpointed {
    path: PathBuf,
    file: File,
    /// Bytes written.
    len: u64,
    /// Bytes that the last checkpoint counts.
    counted: u64,
}

/// What a checkpoint says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint {
    cursor: String,
    len: u64,
    /// Device and inode of the file; none before it was made.
    place: Option<(u64, u64)>,
    /// Keyed hash of its last bytes that count.
    tail: [u8; 32],
}

/// Keys of checkpoints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys<'k> {
    pub(super) sealer: &'k Sealer,
    pub(super) hash: &'k HeadKey,
}

impl Checkpointed {
    /// Makes a new file.
    ///
    /// # Errors
    ///
    /// When there is one already, or it cannot be made.
    pub(super) fn create(path: &Path, at: &Cursor, keys: Keys<'_>) -> anyhow::Result<Checkpointed> {
        let beside = beside(path);
        for taken in [path, &beside] {
            if taken.exists() {
                let taken = taken.display();
                let message =
                    format!("{taken} exists and is not overwritten: --resume goes on with it");
                return Err(UsageError(message).into());
            }
        }
        // The checkpoint comes first: a file without one could not be gone on with.
        let empty = Checkpoint {
            cursor: at.seal(keys.sealer)?,
            len: 0,
            place: None,
            tail: keys.hash.hash(&[]),
        };
        write_checkpoint(path, &empty, keys)?;
        crash::point("output.before-create");
        let file =
            OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(path);
        let file = file.with_context(|| format!("cannot make {}", path.display()))?;
        let mut made = Checkpointed { path: path.to_owned(), file, len: 0, counted: 0 };
        made.checkpoint(at, keys)?;
        Ok(made)
    }

    /// Cuts a file back to its last checkpoint, and gives the cursor to go on with.
    ///
    /// # Errors
    ///
    /// When there is no checkpoint of this key, or when the file is not what it counted.
    pub(super) fn resume(path: &Path, keys: Keys<'_>) -> anyhow::Result<(Checkpointed, Cursor)> {
        let name = path.display();
        let refuse = |message: String| anyhow::Error::new(UsageError(message));
        let Some(checkpoint) = read_checkpoint(path, keys)? else {
            return Err(refuse(format!(
                "{name} has no checkpoint: its scan is complete, or has not begun"
            )));
        };
        let cursor = Cursor::open(&checkpoint.cursor, keys.sealer)?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).mode(0o600);
        // Nothing of it counted yet: it may not have been made.
        options.create(checkpoint.place.is_none());
        let file = options.open(path).with_context(|| format!("cannot open {name}"))?;
        let metadata = file.metadata()?;
        let same = match checkpoint.place {
            Some(place) => place == (metadata.dev(), metadata.ino()),
            None => metadata.is_file() && metadata.len() == 0,
        };
        if !same || metadata.len() < checkpoint.len {
            return Err(refuse(format!(
                "{name} is not the file that its checkpoint counted: {} of {} are there",
                Bytes::new(metadata.len().min(checkpoint.len)),
                Bytes::new(checkpoint.len)
            )));
        }
        if tail_hash(&file, checkpoint.len, keys)? != checkpoint.tail {
            return Err(refuse(format!("{name} was changed since its checkpoint")));
        }
        file.set_len(checkpoint.len)?;
        let mut file = file;
        io::Seek::seek(&mut file, io::SeekFrom::Start(checkpoint.len))?;
        let (len, counted) = (checkpoint.len, checkpoint.len);
        Ok((Checkpointed { path: path.to_owned(), file, len, counted }, cursor))
    }

    /// Writes records.
    pub(super) fn write(&mut self, records: &[u8]) -> io::Result<()> {
        self.file.write_all(records)?;
        self.len += records.len() as u64;
        Ok(())
    }

    /// Bytes written.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// True when so much was written that a checkpoint is due.
    pub(super) fn is_due(&self) -> bool {
        self.len - self.counted >= EVERY_BYTES.get()
    }

    /// Makes what was written last, then says that it counts up to `at`.
    pub(super) fn checkpoint(&mut self, at: &Cursor, keys: Keys<'_>) -> anyhow::Result<()> {
        crash::point("output.before-sync");
        self.file.sync_data()?;
        crash::point("output.after-sync");
        let metadata = self.file.metadata()?;
        let checkpoint = Checkpoint {
            cursor: at.seal(keys.sealer)?,
            len: self.len,
            place: Some((metadata.dev(), metadata.ino())),
            tail: tail_hash(&self.file, self.len, keys)?,
        };
        write_checkpoint(&self.path, &checkpoint, keys)?;
        self.counted = self.len;
        crash::point("output.after-checkpoint");
        Ok(())
    }

    /// Writes what does not count: going on cuts it off again.
    pub(super) fn write_uncounted(&mut self, text: &[u8]) -> io::Result<()> {
        self.file.write_all(text)?;
        self.file.sync_data()
    }

    /// Ends a file that is complete: it needs no checkpoint any more.
    pub(super) fn complete(self) -> anyhow::Result<()> {
        self.file.sync_all()?;
        crash::point("output.before-complete");
        fs::remove_file(beside(&self.path))?;
        private::sync_folder(&self.path)?;
        Ok(())
    }
}

/// Where the checkpoint of a file is.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".checkpoint");
    PathBuf::from(name)
}

fn write_checkpoint(path: &Path, checkpoint: &Checkpoint, keys: Keys<'_>) -> anyhow::Result<()> {
    let bytes = serde_json::to_vec(checkpoint)?;
    let sealed = keys.sealer.seal(USAGE, &bytes)?;
    private::replace(&beside(path), &sealed)?;
    Ok(())
}

fn read_checkpoint(path: &Path, keys: Keys<'_>) -> anyhow::Result<Option<Checkpoint>> {
    let beside = beside(path);
    let name = beside.display();
    let sealed = match fs::metadata(&beside) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Ok(metadata) if metadata.len() <= CHECKPOINT_BYTES_MAX => fs::read(&beside)?,
        Ok(_) => return Err(UsageError(format!("{name} is no checkpoint")).into()),
        Err(error) => return Err(error).with_context(|| format!("cannot look at {name}")),
    };
    let opened = keys.sealer.open(USAGE, &sealed);
    let bytes = opened.map_err(|error| UsageError(format!("{name} cannot be used: {error}")))?;
    Ok(Some(serde_json::from_slice(&bytes)?))
}

fn tail_hash(file: &File, len: u64, keys: Keys<'_>) -> io::Result<[u8; 32]> {
    let tail = len.min(TAIL_BYTES);
    let mut bytes = vec![0; usize::try_from(tail).unwrap_or(0)];
    file.read_exact_at(&mut bytes, len - tail)?;
    Ok(keys.hash.hash(&bytes))
}
