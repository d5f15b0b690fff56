//! Folders and files that only their owner may read: what the state directory is made of.
//!
//! # Promise
//! What is made here has mode 0700 (a folder) or 0600 (a file) whatever the umask says, and belongs
//! to the owner of the folder that it is made in, also when root makes it. What is there already and
//! lets others in is an error, never repaired in silence.
//!
//! # Not here
//! What the files hold.

use std::fmt;
use std::fs;
use std::fs::DirBuilder;
use std::fs::File;
use std::fs::OpenOptions;
use std::io;
use std::io::Write;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::path::PathBuf;

use rustix::fs::OFlags;

const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;
/// Any right of the group or of others.
const OTHERS: u32 = 0o077;
/// The right of the group or of others to put a file of their own in place.
const OTHERS_WRITE: u32 = 0o022;

/// A private folder or file could not be had.
#[derive(Debug)]
pub enum PrivateError {
    /// The system refused.
    Io(PathBuf, io::Error),
    /// The group or others may read or write the file.
    OpenFile(PathBuf, u32),
    /// Others may put files into the folder.
    OpenFolder(PathBuf, u32),
    /// It belongs neither to this user nor to root, and this user is not root.
    ForeignOwner(PathBuf, u32),
    /// It is a folder, a pipe or a device.
    NotAFile(PathBuf),
}

/// What opening a file may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read what is there.
    Read,
    /// Read and write, made where it is missing.
    Write,
    /// Read, and write at the end alone, made where it is missing.
    Append,
}

/// Makes a folder where it is missing, and checks it.
///
/// # Errors
///
/// [`PrivateError`] when it cannot be made, or when others could put files into it.
pub fn folder(path: &Path) -> Result<(), PrivateError> {
    let io = |error| PrivateError::Io(path.to_owned(), error);
    if !path.is_dir() {
        if let Some(parent) = path.parent().filter(|parent| *parent != Path::new("")) {
            DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(parent).map_err(io)?;
        }
        match DirBuilder::new().mode(FOLDER_MODE).create(path) {
            Ok(()) => give_to_owner_of_folder(path, &File::open(path).map_err(io)?).map_err(io)?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(io(error)),
        }
    }
    let mode = fs::metadata(path).map_err(io)?.mode() & 0o7777;
    if mode & OTHERS_WRITE != 0 {
        return Err(PrivateError::OpenFolder(path.to_owned(), mode));
    }
    Ok(())
}

/// Opens a file of a private folder.
///
/// # Errors
///
/// [`PrivateError`] when it cannot be opened or made, or when others may read it.
pub fn open(path: &Path, access: Access) -> Result<File, PrivateError> {
    let io = |error| PrivateError::Io(path.to_owned(), error);
    // A link or a pipe under that name is not ours.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let flags = i32::try_from(flags.bits()).unwrap_or(0);
    let mut options = OpenOptions::new();
    options.read(true).mode(FILE_MODE).custom_flags(flags);
    match access {
        Access::Read => &mut options,
        Access::Write => options.write(true),
        Access::Append => options.append(true),
    };
    let file = match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && access != Access::Read => {
            match options.clone().create_new(true).open(path) {
                Ok(file) => {
                    // Whatever the umask made of the mode.
                    file.set_permissions(fs::Permissions::from_mode(FILE_MODE)).map_err(io)?;
                    give_to_owner_of_folder(path, &file).map_err(io)?;
                    file
                }
                // Another process was faster.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    options.open(path).map_err(io)?
                }
                Err(error) => return Err(io(error)),
            }
        }
        other => other.map_err(io)?,
    };
    check(path, &file)?;
    Ok(file)
}

/// Puts a whole file in place: what reads it sees the old bytes or the new ones.
///
/// # Errors
///
/// [`PrivateError`] when it cannot be written.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), PrivateError> {
    let io = |error| PrivateError::Io(path.to_owned(), error);
    remove_left_over(path);
    let temporary = path.with_extension(format!("new.{}", std::process::id()));
    let mut file = open(&temporary, Access::Write)?;
    let written = file.set_len(0).and_then(|()| file.write_all(bytes)).and_then(|()| {
        file.sync_all()?;
        fs::rename(&temporary, path)
    });
    if let Err(error) = written {
        // The first error is the one to tell.
        drop(fs::remove_file(&temporary));
        return Err(io(error));
    }
    sync_folder(path)
}

/// Removes what processes left behind that were killed while they put this file in place.
fn remove_left_over(path: &Path) {
    let Ok(entries) = fs::read_dir(folder_of(path)) else { return };
    for left in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let name = left.extension().and_then(|process| process.to_str());
        let Some(process) = name.and_then(|name| name.parse::<u32>().ok()) else { continue };
        let is_ours = left == path.with_extension(format!("new.{process}"));
        let is_running = Path::new("/proc").join(process.to_string()).exists();
        if is_ours && !is_running {
            // Whatever is in the way of it comes up when the file itself is written.
            fs::remove_file(&left).unwrap_or(());
        }
    }
}

/// Makes the names in the folder of `path` last.
///
/// # Errors
///
/// [`PrivateError::Io`].
pub fn sync_folder(path: &Path) -> Result<(), PrivateError> {
    let synced = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
    synced.map_err(|error| PrivateError::Io(path.to_owned(), error))
}

fn check(path: &Path, file: &File) -> Result<(), PrivateError> {
    let metadata = file.metadata().map_err(|error| PrivateError::Io(path.to_owned(), error))?;
    let (mode, owner) = (metadata.mode() & 0o7777, metadata.uid());
    let user = rustix::process::geteuid().as_raw();
    if !metadata.is_file() {
        Err(PrivateError::NotAFile(path.to_owned()))
    } else if mode & OTHERS != 0 {
        Err(PrivateError::OpenFile(path.to_owned(), mode))
    } else if owner != 0 && owner != user && user != 0 {
        Err(PrivateError::ForeignOwner(path.to_owned(), owner))
    } else {
        Ok(())
    }
}

/// Gives a new file to the owner of its folder where this user is root: root leaves nothing behind
/// that the owner cannot open.
///
/// # Errors
///
/// When the system refuses.
pub fn give_to_owner_of_folder(path: &Path, file: &File) -> io::Result<()> {
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    let folder = fs::metadata(folder_of(path))?;
    std::os::unix::fs::fchown(file, Some(folder.uid()), Some(folder.gid()))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

impl fmt::Display for PrivateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PrivateError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            PrivateError::OpenFile(path, mode) => {
                let path = path.display();
                write!(f, "{path} has mode {mode:04o}, which lets others in: chmod 600 it")
            }
            PrivateError::OpenFolder(path, mode) => {
                let path = path.display();
                write!(f, "folder {path} has mode {mode:04o}: others could replace files there")
            }
            PrivateError::ForeignOwner(path, owner) => {
                let path = path.display();
                write!(f, "{path} belongs to user {owner}, not to this user or root")
            }
            PrivateError::NotAFile(path) => {
                write!(f, "{} is not a regular file", path.display())
            }
        }
    }
}

impl std::error::Error for PrivateError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o7777
    }

    /// Shown to bite by a mode of 0640.
    #[test]
    fn what_is_made_is_private() {
        let scratch = tempfile::tempdir().unwrap();
        let dir = scratch.path().join("a/b");
        folder(&dir).unwrap();
        assert_eq!((mode(&dir), mode(dir.parent().unwrap())), (0o700, 0o700));
        let path = dir.join("file");
        assert!(matches!(open(&path, Access::Read), Err(PrivateError::Io(..))));
        open(&path, Access::Append).unwrap();
        replace(&path, b"whole").unwrap();
        assert_eq!((mode(&path), fs::read(&path).unwrap()), (0o600, b"whole".to_vec()));
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);
    }

    /// Shown to bite by not calling `remove_left_over`.
    #[test]
    fn what_a_killed_process_left_is_removed() {
        let scratch = tempfile::tempdir().unwrap();
        let at = |name: &str| scratch.path().join(name);
        // No process has so high a number; the first one always runs.
        for name in ["head.new.4294967295", "head.new.1", "other.new.4294967295"] {
            fs::write(at(name), "half").unwrap();
        }
        replace(&at("head"), b"whole").unwrap();
        assert!(!at("head.new.4294967295").exists());
        assert!(at("head.new.1").exists() && at("other.new.4294967295").exists());
    }

    #[test]
    fn what_lets_others_in_is_refused() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("file");
        fs::write(&path, "x").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(open(&path, Access::Read), Err(PrivateError::OpenFile(_, 0o640))));
        assert!(matches!(open(scratch.path(), Access::Read), Err(PrivateError::NotAFile(_))));
        std::os::unix::fs::symlink("file", scratch.path().join("link")).unwrap();
        assert!(matches!(
            open(&scratch.path().join("link"), Access::Write),
            Err(PrivateError::Io(..))
        ));
        fs::set_permissions(scratch.path(), fs::Permissions::from_mode(0o770)).unwrap();
        assert!(matches!(folder(scratch.path()), Err(PrivateError::OpenFolder(_, 0o770))));
    }
}
