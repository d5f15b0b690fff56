//! Reading the granules of a file that was surveyed.

use std::fmt;
use std::fs;
use std::fs::File;
use std::io;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

use super::files::ReadProblem;
use super::granules;
use super::granules::Granule;
use super::granules::Stream;
use super::granules::unpack_problem;
use super::identity::Changed;
use super::identity::HeadKey;
use super::identity::Identity;
use super::set::NAMES_MAX;
use super::survey::Stored;
use super::survey::unpack;

/// The granules of one file.
pub struct GranuleReader {
    name: String,
    start: u64,
    end: u64,
    from: From,
}

enum From {
    Plain(File),
    Packed { stream: Stream, unpacked: Box<dyn Read + Send> },
}

/// A file is not what was planned any more, or cannot be read.
#[derive(Debug)]
pub enum GranuleError {
    /// It was replaced, cut or written anew, and is nowhere beside its old name.
    Changed(String, Changed),
    /// It could not be opened.
    Open(String, io::Error),
    /// It could not be read on from this byte of its text.
    Read(String, u64, ReadProblem),
}

impl GranuleReader {
    /// Opens the file that was surveyed as `identity`, under its old name or, if it was rotated
    /// meanwhile, under the one that it has now in the same folder.
    ///
    /// # Errors
    ///
    /// [`GranuleError`] when it cannot be opened, or when it has changed other than by growing.
    pub fn open(
        path: &Path,
        identity: &Identity,
        stored: Stored,
        (start, end): (u64, u64),
        key: &HeadKey,
    ) -> Result<GranuleReader, GranuleError> {
        let name = path.display().to_string();
        let fail = |error| GranuleError::Open(name.clone(), error);
        let changed = match File::open(path) {
            Ok(file) => match identity.changed(&file, key).map_err(fail)? {
                None => return GranuleReader::of(name, file, stored, (start, end)),
                Some(changed) => changed,
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Changed::Replaced,
            Err(error) => return Err(fail(error)),
        };
        let moved = if changed == Changed::Replaced { find_moved(path, identity) } else { None };
        let Some(moved) = moved else { return Err(GranuleError::Changed(name, changed)) };
        let file = File::open(moved).map_err(fail)?;
        match identity.changed(&file, key).map_err(fail)? {
            None => GranuleReader::of(name, file, stored, (start, end)),
            Some(changed) => Err(GranuleError::Changed(name, changed)),
        }
    }

    fn of(
        name: String,
        file: File,
        stored: Stored,
        (start, end): (u64, u64),
    ) -> Result<GranuleReader, GranuleError> {
        let from = match stored {
            Stored::Plain => From::Plain(file),
            Stored::Gzip | Stored::Zstd => match unpack(file, stored) {
                Ok(unpacked) => From::Packed { stream: Stream::default(), unpacked },
                Err(error) => return Err(GranuleError::Open(name, error)),
            },
        };
        Ok(GranuleReader { name, start, end, from })
    }

    /// Reads one granule. Those of a packed file come in rising order; what lies between is
    /// unpacked and thrown away. A plain file's text is put into `memory`, which is empty.
    ///
    /// # Errors
    ///
    /// [`GranuleError::Read`].
    pub fn read(&mut self, number: u64, memory: Vec<u8>) -> Result<Granule, GranuleError> {
        let offset = number * granules::GRANULE_BYTES.get();
        let fail = |problem| GranuleError::Read(self.name.clone(), offset, problem);
        match &mut self.from {
            From::Plain(file) => granules::read_plain(file, number, (self.start, self.end), memory)
                .map_err(|error| fail(ReadProblem::Io(error))),
            From::Packed { stream, unpacked } => {
                let passed = stream.offset() / granules::GRANULE_BYTES.get();
                for between in passed..number {
                    stream.next(between, unpacked).map_err(|error| fail(unpack_problem(error)))?;
                }
                let granule =
                    stream.next(number, unpacked).map_err(|error| fail(unpack_problem(error)))?;
                // It was measured before: that it ends here means that it is another one.
                granule.ok_or_else(|| fail(ReadProblem::Truncated))
            }
        }
    }
}

/// The file beside `path` that has the place of `identity`.
fn find_moved(path: &Path, identity: &Identity) -> Option<PathBuf> {
    let folder = path.parent()?;
    fs::read_dir(folder).ok()?.take(NAMES_MAX).find_map(|entry| {
        let entry = entry.ok()?;
        identity.same_place(&entry.metadata().ok()?).then(|| entry.path())
    })
}

impl fmt::Debug for GranuleReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GranuleReader").field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Display for GranuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GranuleError::Changed(name, changed) => {
                write!(f, "{name} is not the file that was planned: {changed}")
            }
            GranuleError::Open(name, error) => write!(f, "cannot open {name}: {error}"),
            GranuleError::Read(name, offset, problem) => {
                write!(f, "cannot read {name} from byte {offset} of its text on: {problem}")
            }
        }
    }
}

impl std::error::Error for GranuleError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotated_file_is_found_and_another_one_is_not_taken_for_it() {
        let scratch = tempfile::tempdir().unwrap();
        let (path, moved) = (scratch.path().join("app.log"), scratch.path().join("app.log.1"));
        let key = HeadKey::new([7; 32]);
        fs::write(&path, "first line\nsecond line\n").unwrap();
        let identity = Identity::of(&File::open(&path).unwrap(), &key).unwrap();
        let open = || GranuleReader::open(&path, &identity, Stored::Plain, (0, 23), &key);
        assert_eq!(open().unwrap().read(0, Vec::new()).unwrap().text.len(), 23);

        fs::write(&path, "first line\nsecond line\nthird line\n").unwrap();
        assert_eq!(open().unwrap().read(0, Vec::new()).unwrap().text.len(), 23, "it has grown");

        fs::rename(&path, &moved).unwrap();
        fs::write(&path, "new file").unwrap();
        let granule = open().unwrap().read(0, Vec::new()).unwrap();
        assert_eq!(granule.text.expose(), b"first line\nsecond line\n");

        fs::write(&moved, "short").unwrap();
        assert!(matches!(open(), Err(GranuleError::Changed(_, Changed::Cut))));
        fs::write(&moved, "other line\nsecond line\nthird line\n").unwrap();
        assert!(matches!(open(), Err(GranuleError::Changed(_, Changed::Rewritten))));
        fs::remove_file(&moved).unwrap();
        let error = open().unwrap_err();
        assert!(error.to_string().ends_with("another file stands in its place"), "{error}");
    }
}
