//! A site's own detector files.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use crate::units::Bytes;

/// Largest detector file. The largest that comes with locklog has a quarter of it.
const FILE_BYTES_MAX: Bytes = Bytes::kib(1024);
/// Most files in the folder.
const FILES_MAX: usize = 256;

/// A folder of detectors could not be read.
#[derive(Debug)]
pub enum DetectorsDirError {
    /// The system refused.
    Io(PathBuf, io::Error),
    /// No file there ends in `.toml`, so the folder is likely the wrong one.
    Empty(PathBuf),
    /// A file is larger than 1 MiB.
    TooLarge(PathBuf),
    /// There are more files than 256.
    TooMany(PathBuf),
}

/// Reads every `*.toml` in a folder, in the order of their names: name and text of each.
///
/// # Errors
///
/// [`DetectorsDirError`] when one of them cannot be read: leaving it out would leave values unmasked.
pub fn read_detectors_dir(dir: &Path) -> Result<Vec<(String, String)>, DetectorsDirError> {
    let io = |error| DetectorsDirError::Io(dir.to_owned(), error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            paths.push(path);
        }
        if paths.len() > FILES_MAX {
            return Err(DetectorsDirError::TooMany(dir.to_owned()));
        }
    }
    if paths.is_empty() {
        return Err(DetectorsDirError::Empty(dir.to_owned()));
    }
    paths.sort();
    paths.into_iter().map(read).collect()
}

fn read(path: PathBuf) -> Result<(String, String), DetectorsDirError> {
    let text = fs::metadata(&path).and_then(|metadata| {
        let fits = metadata.len() <= FILE_BYTES_MAX.get();
        if fits { fs::read_to_string(&path).map(Some) } else { Ok(None) }
    });
    match text {
        Ok(Some(text)) => Ok((path.display().to_string(), text)),
        Ok(None) => Err(DetectorsDirError::TooLarge(path)),
        Err(error) => Err(DetectorsDirError::Io(path, error)),
    }
}

impl fmt::Display for DetectorsDirError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DetectorsDirError::Io(path, error) => {
                write!(f, "cannot read detectors in {}: {error}", path.display())
            }
            DetectorsDirError::Empty(path) => {
                write!(f, "no file in {} ends in .toml", path.display())
            }
            DetectorsDirError::TooLarge(path) => {
                write!(f, "{} is larger than {FILE_BYTES_MAX}", path.display())
            }
            DetectorsDirError::TooMany(path) => {
                write!(f, "{} holds more than {FILES_MAX} detector files", path.display())
            }
        }
    }
}

impl std::error::Error for DetectorsDirError {}
