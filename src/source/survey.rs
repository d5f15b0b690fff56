//! What a file holds for a time range, before any of it is read for good.
//!
//! A plain file is probed. A packed file can be read from its beginning alone, so it counts whole or
//! not at all: it is left out when its first time is behind the range, or when it was last written
//! before the range began and its own first time does not contradict that; else it is unpacked once
//! to be measured, keeping nothing.

use std::fmt;
use std::fs::File;
use std::io;
use std::io::BufReader;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use flate2::bufread::MultiGzDecoder;

use super::files::ReadProblem;
use super::files::ZSTD_WINDOW_BYTES_MAX;
use super::granules::read_at;
use super::granules::unpack_problem;
use super::identity::HeadKey;
use super::identity::Identity;
use super::probe;
use super::probe::Search;
use super::probe::Stamp;
use super::sniff;
use super::sniff::Packing;
use crate::text::RawSlice;
use crate::time::TimeRange;
use crate::time::Timestamp;

/// Bytes of a text's beginning in which its first time is looked for.
const HEAD_BYTES: u64 = 64 * 1024;
/// How much later than its last record's time a file may say that it was written, and earlier:
/// clocks of the machine that wrote the records and of the one that keeps the file.
pub const MODIFIED_SLACK: Duration = Duration::from_hours(1);
/// Bytes that are unpacked at a time.
const UNPACK_BYTES: usize = 64 * 1024;

/// How a file is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stored {
    /// As it is.
    Plain,
    /// Packed with gzip.
    Gzip,
    /// Packed with Zstandard.
    Zstd,
}

/// A file, and the part of its text that a range may be in.
#[derive(Clone, Debug)]
pub struct Surveyed {
    /// Where it is.
    pub path: PathBuf,
    /// Which file it is.
    pub identity: Identity,
    /// How it is stored.
    pub stored: Stored,
    /// Beginning of the part's first line in the text.
    pub start: u64,
    /// Beginning of the line behind its last.
    pub end: u64,
    /// How the part was chosen.
    pub search: Search,
    /// The first time in it, else when it was last written: what files are ordered by.
    pub first: Timestamp,
    /// What its format is called.
    pub format: String,
}

/// How the times of a file are read.
pub struct Times {
    /// What the file's format is called.
    pub format: String,
    /// Reads the time of a line.
    pub stamp: Box<Stamp<'static>>,
}

impl fmt::Debug for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Times").field("format", &self.format).finish_non_exhaustive()
    }
}

/// A file could not be looked at.
#[derive(Debug)]
pub struct SurveyError {
    name: String,
    problem: ReadProblem,
}

/// How files are surveyed.
pub struct Survey<'s> {
    /// The range; all of time where none is asked for.
    pub range: TimeRange,
    /// Tells from the beginning of a file's text how its times are read.
    pub times: &'s dyn Fn(RawSlice<'_>) -> Times,
    /// The key of head hashes.
    pub key: &'s HeadKey,
    /// False when the source says that its records are not in order.
    pub ordered: bool,
}

impl fmt::Debug for Survey<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Survey").field("range", &self.range).finish_non_exhaustive()
    }
}

impl Survey<'_> {
    /// Looks at one file; none when nothing of the range can be in it.
    ///
    /// # Errors
    ///
    /// [`SurveyError`] when it cannot be read, or when a packed one is damaged.
    pub fn file(&self, path: &Path) -> Result<Option<Surveyed>, SurveyError> {
        let fail = |problem| SurveyError { name: path.display().to_string(), problem };
        let io = |error| fail(ReadProblem::Io(error));
        let file = File::open(path).map_err(io)?;
        let identity = Identity::of(&file, self.key).map_err(io)?;
        let modified = file.metadata().and_then(|metadata| metadata.modified()).map_err(io)?;
        let modified = modified.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let modified = Timestamp::since_1970(modified);
        let stored = stored(&file).map_err(io)?;
        let surveyed = |(start, end), search, first: Option<Timestamp>, format| Surveyed {
            path: path.to_owned(),
            identity,
            stored,
            start,
            end,
            search,
            first: first.unwrap_or(modified),
            format,
        };
        if identity.size == 0 {
            return Ok(None);
        }
        if stored == Stored::Plain {
            let mut head = Vec::new();
            read_at(&file, 0, HEAD_BYTES, &mut head).map_err(io)?;
            let Times { format, stamp } = (self.times)(RawSlice::new(&head));
            let first = probe::first_time(&head, &stamp);
            let size = identity.size;
            if !self.ordered {
                return Ok(Some(surveyed((0, size), Search::Unordered, first, format)));
            }
            let found = probe::find(&file, size, self.range, &stamp).map_err(io)?;
            let (start, end) = (found.start, found.end);
            return Ok((start < end).then(|| surveyed((start, end), found.how, first, format)));
        }
        let mut head = Vec::new();
        let mut unpacked = unpack(file, stored).map_err(io)?;
        let problem = |error| fail(unpack_problem(error));
        (&mut unpacked).take(HEAD_BYTES).read_to_end(&mut head).map_err(problem)?;
        let Times { format, stamp } = (self.times)(RawSlice::new(&head));
        let first = probe::first_time(&head, &stamp);
        if self.ordered && self.misses(first, modified) {
            return Ok(None);
        }
        let len = head.len() as u64 + measure(&mut unpacked).map_err(problem)?;
        let search = if first.is_some() { Search::Whole } else { Search::Untimed };
        Ok((len > 0).then(|| surveyed((0, len), search, first, format)))
    }

    /// True when no record of a packed file can be in the range.
    fn misses(&self, first: Option<Timestamp>, modified: Timestamp) -> bool {
        let Some(first) = first else { return false };
        let begins_behind = first.saturating_sub(probe::ORDER_SLACK) >= self.range.to();
        let written = modified.saturating_add(MODIFIED_SLACK);
        begins_behind || (first <= written && written < self.range.from())
    }
}

fn stored(file: &File) -> io::Result<Stored> {
    let mut head = Vec::new();
    read_at(file, 0, 4, &mut head)?;
    head.truncate(4);
    Ok(match sniff::packing(&head) {
        Some(Packing::Gzip) => Stored::Gzip,
        Some(Packing::Zstd) => Stored::Zstd,
        Some(Packing::Plain) | None => Stored::Plain,
    })
}

/// The text of a packed file, from its beginning on.
pub(super) fn unpack(file: File, stored: Stored) -> io::Result<Box<dyn Read + Send>> {
    let packed = BufReader::with_capacity(UNPACK_BYTES, file);
    Ok(match stored {
        Stored::Plain => Box::new(packed),
        Stored::Gzip => Box::new(MultiGzDecoder::new(packed)),
        Stored::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(packed)?;
            decoder.window_log_max(ZSTD_WINDOW_BYTES_MAX.get().trailing_zeros())?;
            Box::new(decoder)
        }
    })
}

/// Counts what is left of a stream.
fn measure(stream: &mut impl Read) -> io::Result<u64> {
    let mut bytes = vec![0; UNPACK_BYTES];
    let mut sum = 0;
    loop {
        match stream.read(&mut bytes) {
            Ok(0) => return Ok(sum),
            Ok(len) => sum += len as u64,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

impl fmt::Display for SurveyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot look at {}: {}", self.name, self.problem)
    }
}

impl std::error::Error for SurveyError {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn stamp(line: RawSlice<'_>) -> Option<Timestamp> {
        let text = std::str::from_utf8(line.expose()).ok()?;
        text.split(' ').next()?.parse().ok().map(Timestamp::from_nanoseconds)
    }

    #[test]
    fn a_packed_file_counts_whole_or_not_at_all() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("app.log.1.gz");
        let hour = 3_600_000_000_000_i64;
        let text: String = (0..50_000).map(|at| format!("{} line\n", 1000 * hour + at)).collect();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        std::fs::write(&path, encoder.finish().unwrap()).unwrap();
        let modified = Duration::from_hours(1001);
        let modified = std::time::UNIX_EPOCH + modified;
        File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        let key = HeadKey::new([7; 32]);
        let times =
            |_: RawSlice<'_>| Times { format: "seconds".to_owned(), stamp: Box::new(stamp) };
        let survey = |from: i64, to: i64, ordered| {
            let at = |hours: i64| Timestamp::from_nanoseconds(hours * hour);
            let range = TimeRange::new(at(from), at(to)).unwrap();
            Survey { range, times: &times, key: &key, ordered }.file(&path).unwrap()
        };
        let found = survey(1000, 1001, true).unwrap();
        assert_eq!((found.start, found.end), (0, text.len() as u64));
        assert_eq!((found.stored, found.first.nanoseconds()), (Stored::Gzip, 1000 * hour));
        assert!(survey(1002, 1003, true).is_some(), "within the slack of its last write");
        assert!(survey(1003, 1004, true).is_none(), "written before the range began");
        assert!(survey(998, 1000, true).is_some(), "within the slack of its first record");
        assert!(survey(997, 999, true).is_none(), "begins behind the range");
        assert!(survey(997, 999, false).is_some(), "its source says that it is not in order");
    }
}
