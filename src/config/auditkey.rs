//! The key of the audit trail: a file of its own in the state directory.

use std::io;
use std::io::Read;
use std::path::Path;

use zeroize::Zeroizing;

use super::keyfile::KeyFileError;
use super::keyfile::create_key;
use crate::audit::AuditKey;
use crate::private;
use crate::private::Access;
use crate::private::PrivateError;
use crate::pseudonym::KEY_BYTES;
use crate::pseudonym::Key;

/// The key's name in the state directory.
const FILE: &str = "audit.key";
/// What the key of checkpoints is derived for.
const PURPOSE: &str = "locklog 2026-12 checkpoints and heads of the audit trail";

/// The key of the trail in a state directory, made on first use.
///
/// Unlike the key of names, it may belong to another user when root asks: whoever owns the state
/// directory could write the trail anew in any case.
///
/// # Errors
///
/// [`KeyFileError`] when it cannot be made or read.
pub fn audit_key(state_dir: &Path) -> Result<AuditKey, KeyFileError> {
    let path = state_dir.join(FILE);
    let key = match read(&path) {
        Err(KeyFileError::Missing(_)) => match create_key(&path) {
            Err(KeyFileError::Exists(_)) => read(&path)?,
            other => other?,
        },
        other => other?,
    };
    Ok(AuditKey::new(key.derive(PURPOSE)))
}

/// The key of the trail in a state directory that must have one.
///
/// # Errors
///
/// [`KeyFileError`] when there is none, or it cannot be read.
pub fn existing_audit_key(state_dir: &Path) -> Result<AuditKey, KeyFileError> {
    read(&state_dir.join(FILE)).map(|key| AuditKey::new(key.derive(PURPOSE)))
}

fn read(path: &Path) -> Result<Key, KeyFileError> {
    let owned = || path.to_owned();
    let file = private::open(path, Access::Read).map_err(|error| match error {
        PrivateError::Io(_, error) if error.kind() == io::ErrorKind::NotFound => {
            KeyFileError::Missing(owned())
        }
        PrivateError::Io(_, error) => KeyFileError::Io(owned(), error),
        PrivateError::OpenFile(_, mode) => KeyFileError::OpenMode(owned(), mode),
        PrivateError::OpenFolder(_, mode) => KeyFileError::OpenFolder(owned(), mode),
        PrivateError::ForeignOwner(_, owner) => KeyFileError::ForeignOwner(owned(), owner),
        PrivateError::NotAFile(_) => KeyFileError::NotAFile(owned()),
    })?;
    let io = |error| KeyFileError::Io(owned(), error);
    let len = file.metadata().map_err(io)?.len();
    if len != KEY_BYTES as u64 {
        return Err(KeyFileError::WrongSize(owned(), len));
    }
    let mut bytes = Zeroizing::new([0; KEY_BYTES]);
    (&file).read_exact(&mut bytes[..]).map_err(io)?;
    Ok(Key::take(&mut bytes))
}
