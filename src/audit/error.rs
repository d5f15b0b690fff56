//! Why the trail could not be written or read.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::line::LINE_BYTES_MAX;
use crate::private::PrivateError;

/// The trail could not be written or read. **Whoever wanted to write must not go on.**
#[derive(Debug)]
pub enum AuditError {
    /// The folder or a file is not in order.
    Private(PrivateError),
    /// The system refused.
    Io(PathBuf, io::Error),
    /// The head says that the trail must be longer than it is.
    Short(PathBuf),
    /// There is a trail, and its head is gone.
    NoHead(PathBuf),
    /// The last line is none that this program writes.
    Damaged(PathBuf),
    /// An entry is longer than a line may be.
    TooLong {
        /// Its bytes.
        actual: usize,
    },
    /// The system gave no randomness.
    NoRandom(getrandom::Error),
    /// No sink takes lines; what the last one said, the first time that it is told.
    NoSink(Option<Box<AuditError>>),
}

impl From<PrivateError> for AuditError {
    fn from(error: PrivateError) -> AuditError {
        AuditError::Private(error)
    }
}

impl fmt::Display for AuditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AuditError::Private(error) => write!(f, "audit trail: {error}"),
            AuditError::Io(path, error) => write!(f, "audit trail {}: {error}", path.display()),
            AuditError::Short(path) => write!(
                f,
                "audit trail {} is shorter than its head says: restore it, or move the folder away \
                 to begin a new trail",
                path.display()
            ),
            AuditError::NoHead(path) => write!(
                f,
                "the audit trail has lost its head {}: restore it, or move the folder away to begin \
                 a new trail",
                path.display()
            ),
            AuditError::Damaged(path) => write!(
                f,
                "audit trail {} does not end with an entry: 'locklog audit verify' says where it \
                 breaks",
                path.display()
            ),
            AuditError::TooLong { actual } => {
                write!(f, "an audit entry has {actual} bytes, at most {LINE_BYTES_MAX} are allowed")
            }
            AuditError::NoRandom(error) => write!(f, "the system gave no randomness: {error}"),
            AuditError::NoSink(error) => {
                f.write_str("nothing is done without an audit entry, and none was taken")?;
                error.iter().try_for_each(|error| write!(f, ": {error}"))
            }
        }
    }
}

impl std::error::Error for AuditError {}
