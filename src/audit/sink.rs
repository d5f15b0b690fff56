//! One folder that takes lines: a file that grows, the files before it, and the head.

use std::fmt;
use std::fs;
use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use rustix::fs::FlockOperation;
use serde::Deserialize;
use serde::Serialize;

use super::error::AuditError;
use super::line;
use super::line::End;
use super::line::Event;
use super::line::Hash;
use super::line::LINE_BYTES_MAX;
use super::line::Said;
use super::write::CHECKPOINT_LINES;
use crate::crash;
use crate::private;
use crate::private::Access;
use crate::time::Moment;
use crate::units::Bytes;

/// A file that has this many bytes is put aside and the next one begun: it still opens in an editor.
pub const FILE_BYTES_MAX: Bytes = Bytes::kib(64 * 1024);
/// Bytes at the end of a file that are looked at for its last entry: a few lines that were cut off.
const TAIL_BYTES_MAX: u64 = 4 * LINE_BYTES_MAX as u64;
/// The file that grows.
pub(super) const CURRENT: &str = "trail.jsonl";
const LOCK: &str = "lock";
const HEAD: &str = "head";
/// How long a process waits for another one's line: writing one takes milliseconds.
const LOCK_WAIT_MAX: Duration = Duration::from_secs(10);
const LOCK_RETRY: Duration = Duration::from_millis(2);

/// The key of checkpoints and heads.
#[derive(Clone)]
pub struct AuditKey([u8; 32]);

/// What a keyed hash is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sealed {
    Checkpoint,
    Head,
}

/// How long the trail must be at least.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    pub(super) lines: u64,
    pub(super) hash: Hash,
    pub(super) mac: Hash,
}

/// A folder that takes lines.
#[derive(Debug)]
pub(super) struct Sink {
    folder: PathBuf,
    file_bytes_max: u64,
    key: AuditKey,
    lock: File,
    known: Option<Known>,
}

/// The file as this process left it.
#[derive(Debug)]
struct Known {
    file: File,
    inode: u64,
    len: u64,
    end: End,
    last: Option<Event>,
}

impl AuditKey {
    /// A key of bytes that were derived for this purpose alone.
    pub fn new(bytes: [u8; 32]) -> AuditKey {
        AuditKey(bytes)
    }

    pub(super) fn seal(&self, what: Sealed, end: End) -> Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(match what {
            Sealed::Checkpoint => b"checkpoint",
            Sealed::Head => b"head",
        });
        hasher.update(&end.seq.to_le_bytes());
        hasher.update(end.hash.as_bytes());
        Hash::from_bytes(*hasher.finalize().as_bytes())
    }

    /// Compares in a time that does not depend on where two hashes differ.
    pub(super) fn is_seal(&self, what: Sealed, end: End, mac: Hash) -> bool {
        let right = blake3::Hash::from_bytes(*self.seal(what, end).as_bytes());
        right == blake3::Hash::from_bytes(*mac.as_bytes())
    }
}

impl fmt::Debug for AuditKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuditKey(hidden)")
    }
}

impl Sink {
    /// Opens a folder, made on first use, and checks that its trail is as long as its head says.
    pub(super) fn open(
        folder: &Path,
        key: AuditKey,
        file_bytes_max: Bytes,
    ) -> Result<Sink, AuditError> {
        private::folder(folder)?;
        let lock = private::open(&folder.join(LOCK), Access::Write)?;
        let (folder, file_bytes_max) = (folder.to_owned(), file_bytes_max.get());
        let mut sink = Sink { folder, file_bytes_max, key, lock, known: None };
        sink.locked(|sink| sink.catch_up().map(|_| ()))?;
        Ok(sink)
    }

    /// Appends a line. It is on disk when this returns.
    pub(super) fn append(&mut self, said: &Said<'_>, now: &Moment) -> Result<(), AuditError> {
        self.locked(|sink| {
            sink.mend(now)?;
            sink.rotate_if_full(now)?;
            sink.put(said, now)
        })
    }

    /// Seals what was written, unless that was done already.
    pub(super) fn seal(&mut self, now: &Moment) -> Result<(), AuditError> {
        self.locked(|sink| {
            sink.mend(now)?;
            sink.catch_up()?;
            let sealed = sink
                .known
                .as_ref()
                .is_none_or(|known| known.last == Some(Event::Checkpoint) || known.end.seq == 0);
            if sealed { Ok(()) } else { sink.checkpoint(now) }
        })
    }

    /// Writes a line, and a checkpoint before it where one is due: a checkpoint has each place whose
    /// number is one less than a multiple of the interval, whoever was killed before.
    fn put(&mut self, said: &Said<'_>, now: &Moment) -> Result<(), AuditError> {
        if self.catch_up()?.seq % CHECKPOINT_LINES == CHECKPOINT_LINES - 1 {
            self.checkpoint(now)?;
        }
        self.write(said, now)
    }

    fn checkpoint(&mut self, now: &Moment) -> Result<(), AuditError> {
        let end = self.catch_up()?;
        self.write(&Said::Checkpoint { mac: self.key.seal(Sealed::Checkpoint, end) }, now)?;
        let end = self.catch_up()?;
        crash::point("audit.head.before");
        self.write_head(end)?;
        crash::point("audit.head.after");
        Ok(())
    }

    fn write_head(&self, end: End) -> Result<(), AuditError> {
        let head = Head { lines: end.seq, hash: end.hash, mac: self.key.seal(Sealed::Head, end) };
        let mut bytes = serde_json::to_vec(&head).unwrap_or_default();
        bytes.push(b'\n');
        Ok(private::replace(&self.folder.join(HEAD), &bytes)?)
    }

    /// Says so where a crash has cut a line off.
    fn mend(&mut self, now: &Moment) -> Result<(), AuditError> {
        self.catch_up()?;
        let path = self.folder.join(CURRENT);
        let Some(known) = &mut self.known else { return Ok(()) };
        let io = |error| AuditError::Io(path.clone(), error);
        let mut tail = read_tail(&mut known.file, known.len).map_err(io)?;
        if tail.last().is_none_or(|last| *last == b'\n') && entry_len(&tail) == tail.len() {
            return Ok(());
        }
        if tail.last() != Some(&b'\n') {
            known.file.write_all(b"\n").map_err(io)?;
            tail.push(b'\n');
        }
        self.known = None;
        let whole = entry_len(&tail);
        let torn = tail.get(whole..).unwrap_or_default();
        if torn.is_empty() {
            return Ok(()); // Only the line feed was missing.
        }
        let said = Said::Torn { bytes: torn.len() as u64, torn: Hash::of(torn) };
        self.put(&said, now)
    }

    fn write(&mut self, said: &Said<'_>, now: &Moment) -> Result<(), AuditError> {
        let end = self.catch_up()?;
        let bytes = line::line(end, now, said);
        if bytes.len() > LINE_BYTES_MAX {
            return Err(AuditError::TooLong { actual: bytes.len() });
        }
        let path = self.folder.join(CURRENT);
        let io = |error| AuditError::Io(path.clone(), error);
        let Some(known) = &mut self.known else { return Err(AuditError::Damaged(path)) };
        crash::point("audit.line.before");
        if crash::is_due("audit.line.torn") {
            known.file.write_all(bytes.split_at(bytes.len() / 2).0).map_err(io)?;
            crash::kill();
        }
        let written = known.file.write_all(&bytes).and_then(|()| known.file.sync_data());
        if let Err(error) = written {
            // What stands in the file now is not known.
            self.known = None;
            return Err(io(error));
        }
        crash::point("audit.line.after");
        known.len += bytes.len() as u64;
        known.end = End { seq: end.seq + 1, hash: Hash::of(&bytes) };
        known.last = Some(said.event());
        Ok(())
    }

    /// Puts a full file aside under the number of lines up to its end.
    fn rotate_if_full(&mut self, now: &Moment) -> Result<(), AuditError> {
        let end = self.catch_up()?;
        let len = self.known.as_ref().map_or(0, |known| known.len);
        if len == 0 && end.seq > 0 {
            // Whoever put the last file aside was killed before beginning this one.
            return self.put(&Said::Rotated, now);
        }
        if len < self.file_bytes_max {
            return Ok(());
        }
        let path = self.folder.join(CURRENT);
        let aside = self.folder.join(format!("trail.{:012}.jsonl", end.seq));
        self.known = None;
        fs::rename(&path, &aside).map_err(|error| AuditError::Io(path.clone(), error))?;
        crash::point("audit.rotate");
        private::sync_folder(&path)?;
        self.put(&Said::Rotated, now)
    }

    /// Where the trail ends now: other processes may have written since.
    fn catch_up(&mut self) -> Result<End, AuditError> {
        let path = self.folder.join(CURRENT);
        let io = |error| AuditError::Io(path.clone(), error);
        if let Some(known) = &self.known {
            let now = fs::metadata(&path).map_err(io)?;
            if (now.ino(), now.len()) == (known.inode, known.len) {
                return Ok(known.end);
            }
        }
        self.known = None;
        let head = read_head(&self.folder)?;
        let mut file = private::open(&path, Access::Append)?;
        let metadata = file.metadata().map_err(io)?;
        let (inode, len) = (metadata.ino(), metadata.len());
        if len == 0 {
            private::sync_folder(&path)?;
        }
        let mut last = last_entry(&mut file, len, &path)?;
        if last.is_none()
            && let Some(before) = put_aside(&self.folder)?.last()
        {
            let mut before_file = private::open(before, Access::Read)?;
            let len = before_file.metadata().map_err(io)?.len();
            last = last_entry(&mut before_file, len, before)?;
        }
        let (end, event) = match last {
            Some((end, event)) => (end, Some(event)),
            None => (End { seq: 0, hash: Hash::START }, None),
        };
        match head {
            Some(head) if head.lines > end.seq => return Err(AuditError::Short(path)),
            Some(_) => {}
            // A trail gets its head before its first line.
            None if end.seq == 0 => self.write_head(end)?,
            None => return Err(AuditError::NoHead(self.folder.join(HEAD))),
        }
        self.known = Some(Known { file, inode, len, end, last: event });
        Ok(end)
    }

    fn locked<T>(
        &mut self,
        work: impl FnOnce(&mut Sink) -> Result<T, AuditError>,
    ) -> Result<T, AuditError> {
        let io = |error: rustix::io::Errno| {
            AuditError::Io(self.folder.join(LOCK), io::Error::from(error))
        };
        lock(&self.lock, FlockOperation::NonBlockingLockExclusive).map_err(io)?;
        let done = work(self);
        // Closing the file would do it too; an error here cannot undo what was written.
        rustix::fs::flock(&self.lock, FlockOperation::Unlock).unwrap_or(());
        done
    }
}

/// Waits for a lock, within bounds.
pub(super) fn lock(file: &File, how: FlockOperation) -> Result<(), rustix::io::Errno> {
    let mut waited = Duration::ZERO;
    loop {
        match rustix::fs::flock(file, how) {
            Err(rustix::io::Errno::WOULDBLOCK) if waited < LOCK_WAIT_MAX => {
                std::thread::sleep(LOCK_RETRY);
                waited += LOCK_RETRY;
            }
            Err(rustix::io::Errno::INTR) => {}
            other => return other,
        }
    }
}

/// The lock of a folder, to read its files while nobody writes them; none in a copy of the files.
pub(super) fn lock_to_read(folder: &Path) -> Result<Option<File>, AuditError> {
    let path = folder.join(LOCK);
    let file = match private::open(&path, Access::Read) {
        Err(private::PrivateError::Io(_, error)) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(None);
        }
        other => other?,
    };
    lock(&file, FlockOperation::NonBlockingLockShared)
        .map_err(|error| AuditError::Io(path, error.into()))?;
    Ok(Some(file))
}

/// The head, where there is one that can be read.
pub(super) fn read_head(folder: &Path) -> Result<Option<Head>, AuditError> {
    let path = folder.join(HEAD);
    let mut text = String::new();
    match private::open(&path, Access::Read) {
        Err(private::PrivateError::Io(_, error)) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(None);
        }
        other => {
            let read = other?.take(LINE_BYTES_MAX as u64).read_to_string(&mut text);
            read.map_err(|error| AuditError::Io(path.clone(), error))?;
        }
    }
    serde_json::from_str(&text).map(Some).map_err(|_| AuditError::Damaged(path))
}

/// The files that were put aside, oldest first.
pub(super) fn put_aside(folder: &Path) -> Result<Vec<PathBuf>, AuditError> {
    let io = |error| AuditError::Io(folder.to_owned(), error);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let number = name.strip_prefix("trail.").and_then(|rest| rest.strip_suffix(".jsonl"));
        if number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit())) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The last entry of a file, behind which lines may be cut off; none in a file without any line.
fn last_entry(file: &mut File, len: u64, path: &Path) -> Result<Option<(End, Event)>, AuditError> {
    let mut tail = read_tail(file, len).map_err(|error| AuditError::Io(path.to_owned(), error))?;
    if tail.last().is_some_and(|last| *last != b'\n') {
        tail.push(b'\n'); // As it will be when it is mended.
    }
    let whole = entry_len(&tail);
    let entries = tail.get(..whole).unwrap_or_default();
    let Some((_, before)) = entries.split_last() else {
        // Nothing but what was cut off: fine when it is the first line of the trail.
        let first = len <= LINE_BYTES_MAX as u64;
        return if first { Ok(None) } else { Err(AuditError::Damaged(path.to_owned())) };
    };
    let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let bytes = entries.get(start..).unwrap_or_default();
    let read = line::read(bytes.trim_ascii_end());
    let read = read.ok_or_else(|| AuditError::Damaged(path.to_owned()))?;
    let seq = read.seq.checked_add(1).ok_or_else(|| AuditError::Damaged(path.to_owned()))?;
    Ok(Some((End { seq, hash: Hash::of(bytes) }, read.event)))
}

/// How much of `tail` is there up to the end of its last entry: what follows was cut off.
fn entry_len(tail: &[u8]) -> usize {
    let mut end = tail.len();
    while let Some((last, before)) = tail.get(..end).and_then(<[u8]>::split_last) {
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let line = tail.get(start..end).unwrap_or_default();
        if *last == b'\n' && line::read(line.trim_ascii_end()).is_some() {
            break;
        }
        end = start;
    }
    end
}

/// The last bytes of a file.
fn read_tail(file: &mut File, len: u64) -> io::Result<Vec<u8>> {
    let start = len.saturating_sub(TAIL_BYTES_MAX);
    file.seek(SeekFrom::Start(start))?;
    let mut tail = vec![0; usize::try_from(len - start).unwrap_or(0)];
    file.read_exact(&mut tail)?;
    Ok(tail)
}
