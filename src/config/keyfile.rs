//! The key's file: 32 random bytes that only their owner can read.
//!
//! A key is written to a file of its own name and then *linked* to the right one, which fails when
//! that exists: of several processes that start at once, one makes the key and all use it, and no
//! process ever sees half a key. What exists is never replaced: a key that is lost takes the
//! meaning of every name made with it along.

use std::fmt;
use std::fs;
use std::fs::DirBuilder;
use std::fs::File;
use std::fs::OpenOptions;
use std::io;
use std::io::Read;
use std::io::Write;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

use rustix::fs::OFlags;
use zeroize::Zeroizing;

use crate::private;
use crate::pseudonym::KEY_BYTES;
use crate::pseudonym::Key;

/// Read and write for the owner.
const KEY_MODE: u32 = 0o600;
/// The owner alone may look into the folder.
const DIR_MODE: u32 = 0o700;
/// Any right of the group or of others.
const OTHERS: u32 = 0o077;
/// The right of the group or of others to put a file of their own in place.
const OTHERS_WRITE: u32 = 0o022;

/// A key and where it came from.
#[derive(Debug)]
pub enum LoadedKey {
    /// It was there.
    Found(Key),
    /// It was made just now: worth a notice.
    Created(Key),
}

/// A key could not be had.
#[derive(Debug)]
pub enum KeyFileError {
    /// No variable tells where the state directory is.
    NoStateDir,
    /// There is no such file.
    Missing(PathBuf),
    /// It exists already and is not replaced.
    Exists(PathBuf),
    /// The system refused.
    Io(PathBuf, io::Error),
    /// Its length is not that of a key.
    WrongSize(PathBuf, u64),
    /// The group or others may read or write it.
    OpenMode(PathBuf, u32),
    /// Others may put files into its folder.
    OpenFolder(PathBuf, u32),
    /// It belongs neither to this user nor to root.
    ForeignOwner(PathBuf, u32),
    /// It is a folder, a pipe or a device.
    NotAFile(PathBuf),
    /// The system gave no randomness.
    NoRandom(getrandom::Error),
}

impl LoadedKey {
    /// The key.
    pub fn into_key(self) -> Key {
        match self {
            LoadedKey::Found(key) | LoadedKey::Created(key) => key,
        }
    }
}

/// A key that is nowhere written down: its names mean nothing after this call.
///
/// # Errors
///
/// [`KeyFileError::NoRandom`].
pub fn ephemeral_key() -> Result<Key, KeyFileError> {
    let mut bytes = random::<KEY_BYTES>()?;
    Ok(Key::take(&mut bytes))
}

/// Reads a key that must exist.
///
/// # Errors
///
/// [`KeyFileError`] when there is none, or one that others may know or have made.
pub fn load_key(path: &Path) -> Result<Key, KeyFileError> {
    let io = |error| KeyFileError::Io(path.to_owned(), error);
    // Without NONBLOCK, a pipe under that name would hold us up for ever.
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or(0);
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path);
    let file = file.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => KeyFileError::Missing(path.to_owned()),
        _ => io(error),
    })?;
    // The open file is checked, not its name: what the name means may change in between.
    let metadata = file.metadata().map_err(io)?;
    if !metadata.is_file() {
        return Err(KeyFileError::NotAFile(path.to_owned()));
    }
    let (mode, owner) = (metadata.mode() & 0o7777, metadata.uid());
    if mode & OTHERS != 0 {
        return Err(KeyFileError::OpenMode(path.to_owned(), mode));
    }
    if owner != 0 && owner != rustix::process::geteuid().as_raw() {
        return Err(KeyFileError::ForeignOwner(path.to_owned(), owner));
    }
    let mut bytes = Zeroizing::new([0; KEY_BYTES + 1]);
    let mut len = 0;
    let mut file = &file;
    while let Some(free) = bytes.get_mut(len..).filter(|free| !free.is_empty()) {
        match file.read(free) {
            Ok(0) => break,
            Ok(read) => len += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(io(error)),
        }
    }
    let wrong = KeyFileError::WrongSize(path.to_owned(), metadata.len());
    bytes.get_mut(..len).and_then(|bytes| Key::take_slice(bytes).ok()).ok_or(wrong)
}

/// Makes a key where there is none.
///
/// # Errors
///
/// [`KeyFileError::Exists`] where there is one; others when it cannot be written.
pub fn create_key(path: &Path) -> Result<Key, KeyFileError> {
    let io = |error| KeyFileError::Io(path.to_owned(), error);
    let dir = match path.parent() {
        Some(dir) if dir != Path::new("") => dir,
        _ => Path::new("."),
    };
    DirBuilder::new().recursive(true).mode(DIR_MODE).create(dir).map_err(io)?;
    let mode = fs::metadata(dir).map_err(io)?.mode() & 0o7777;
    // With the sticky bit (as on /tmp) others cannot replace what is ours.
    if mode & OTHERS_WRITE != 0 && mode & 0o1000 == 0 {
        return Err(KeyFileError::OpenFolder(dir.to_owned(), mode));
    }

    let mut bytes = random::<KEY_BYTES>()?;
    let unique = u64::from_le_bytes(*random::<8>()?);
    let temporary = dir.join(format!(".key.{}.{unique:016x}", std::process::id()));
    let linked = write_new(&temporary, &bytes[..]).and_then(|()| place(&temporary, path));
    let removed = fs::remove_file(&temporary);
    match linked {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(KeyFileError::Exists(path.to_owned()));
        }
        Err(error) => return Err(io(error)),
    }
    if let Err(error) = removed
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(io(error)); // A second copy of the key stays behind: say so.
    }
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(io)?;
    Ok(Key::take(&mut bytes))
}

/// Reads the key, or makes it on first use.
///
/// # Errors
///
/// As [`load_key`] and [`create_key`].
pub fn load_or_create_key(path: &Path) -> Result<LoadedKey, KeyFileError> {
    match load_key(path) {
        Err(KeyFileError::Missing(_)) => match create_key(path) {
            Ok(key) => Ok(LoadedKey::Created(key)),
            // Another process was faster: its key is the key.
            Err(KeyFileError::Exists(_)) => load_key(path).map(LoadedKey::Found),
            Err(error) => Err(error),
        },
        other => other.map(LoadedKey::Found),
    }
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(KEY_MODE).open(path)?;
    // Whatever the process' umask made of the mode.
    file.set_permissions(fs::Permissions::from_mode(KEY_MODE))?;
    private::give_to_owner_of_folder(path, &file)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Gives the file its right name unless that is taken.
fn place(temporary: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(temporary, path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            // Some file systems have no links.
            use rustix::fs::CWD;
            use rustix::fs::RenameFlags;
            rustix::fs::renameat_with(CWD, temporary, CWD, path, RenameFlags::NOREPLACE)
                .map_err(|_| error)
        }
        other => other,
    }
}

fn random<const BYTES: usize>() -> Result<Zeroizing<[u8; BYTES]>, KeyFileError> {
    let mut bytes = Zeroizing::new([0; BYTES]);
    getrandom::fill(&mut bytes[..]).map_err(KeyFileError::NoRandom)?;
    Ok(bytes)
}

impl fmt::Display for KeyFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyFileError::NoStateDir => f.write_str(
                "no place for the key: set LOCKLOG_STATE_DIR or HOME, or use --key-file or \
                 --ephemeral-key",
            ),
            KeyFileError::Missing(path) => {
                write!(f, "no key file {}: `locklog key new` makes one", path.display())
            }
            KeyFileError::Exists(path) => {
                write!(f, "key file {} exists and is not overwritten", path.display())
            }
            KeyFileError::Io(path, error) => write!(f, "key file {}: {error}", path.display()),
            KeyFileError::WrongSize(path, actual) => {
                let path = path.display();
                write!(f, "key file {path} has {actual} bytes, not {KEY_BYTES}")
            }
            KeyFileError::OpenMode(path, mode) => {
                let path = path.display();
                write!(f, "key file {path} has mode {mode:04o}, which lets others in: chmod 600 it")
            }
            KeyFileError::OpenFolder(path, mode) => {
                let path = path.display();
                write!(f, "folder {path} has mode {mode:04o}: others could replace a key there")
            }
            KeyFileError::ForeignOwner(path, owner) => {
                let path = path.display();
                write!(f, "key file {path} belongs to user {owner}, not to this user or root")
            }
            KeyFileError::NotAFile(path) => {
                write!(f, "key file {} is not a regular file", path.display())
            }
            KeyFileError::NoRandom(error) => write!(f, "the system gave no randomness: {error}"),
        }
    }
}

impl std::error::Error for KeyFileError {}
