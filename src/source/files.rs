//! Log text from files and from standard input, plain or packed.
//!
//! A [`FileSource`] hands over what one `read` gives, so a live pipe is never waited for once it
//! has given something; [`would_block`](FileSource::would_block) tells whether the next call would
//! wait. Packed inputs are told by their first bytes, not by their names, and unpacked on the fly.

use std::fmt;
use std::fs::File;
use std::io;
use std::io::BufReader;
use std::io::Read;
use std::os::fd::AsFd;
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use rustix::buffer::spare_capacity;
use rustix::event::PollFd;
use rustix::event::PollFlags;
use rustix::event::Timespec;
use rustix::fs::FileType;

use super::sniff::Packing;
use super::sniff::packing;
use crate::text::RawText;
use crate::units::Bytes;

/// Most bytes a chunk holds. Small enough to stay in a cache of the second level, large enough
/// that the cost of a call does not show.
pub const CHUNK_BYTES_MAX: Bytes = Bytes::kib(256);
/// Largest Zstandard window: what `zstd -19` uses. A frame may ask for gigabytes.
pub const ZSTD_WINDOW_BYTES_MAX: Bytes = Bytes::kib(8 * 1024);
const ZSTD_WINDOW_LOG_MAX: u32 = ZSTD_WINDOW_BYTES_MAX.get().trailing_zeros();
/// Packed bytes that are read at a time.
const PACKED_BYTES: usize = 64 * 1024;
/// How the end of standard input's name looks in messages.
const STDIN_NAME: &str = "standard input";

/// One input: a file, a pipe, standard input.
#[derive(Debug)]
pub struct FileSource {
    name: String,
    size: Option<Bytes>,
    reader: Reader,
}

/// An input could not be opened.
#[derive(Debug)]
pub struct OpenError {
    name: String,
    error: io::Error,
}

/// An input could not be read to its end. Everything before was handed over.
#[derive(Debug)]
pub struct ReadError {
    name: String,
    /// Offset in the input as it is stored: of a packed one, in the packed bytes.
    pub offset: u64,
    /// What went wrong.
    pub problem: ReadProblem,
}

/// What went wrong while reading.
#[derive(Debug)]
pub enum ReadProblem {
    /// The system refused.
    Io(io::Error),
    /// A packed input ends in the middle.
    Truncated,
    /// A packed input is damaged.
    Corrupt,
    /// A Zstandard frame asks for more than [`ZSTD_WINDOW_BYTES_MAX`].
    WindowTooLarge,
}

enum Reader {
    /// The packing is not known yet.
    Unknown(Feed),
    Plain(Feed),
    Gzip(Box<MultiGzDecoder<BufReader<Feed>>>),
    Zstd(Box<zstd::stream::read::Decoder<'static, BufReader<Feed>>>),
    /// Nothing more comes.
    Ended(u64),
}

/// The bytes as stored, with a count and with the first ones given back after sniffing.
struct Feed {
    file: File,
    head: Vec<u8>,
    /// Bytes handed over.
    offset: u64,
    /// The file itself failed, so an error of the decoder is not the data's.
    failed: bool,
}

impl FileSource {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// [`OpenError`] when the system does not open it, or when standard output writes to it.
    pub fn open(path: &Path) -> Result<FileSource, OpenError> {
        let name = path.display().to_string();
        match File::open(path).and_then(not_the_output) {
            Ok(file) => Ok(FileSource::new(name, file)),
            Err(error) => Err(OpenError { name, error }),
        }
    }

    /// Standard input.
    ///
    /// # Errors
    ///
    /// [`OpenError`] when it is closed, or when standard output writes to the same file.
    pub fn stdin() -> Result<FileSource, OpenError> {
        let file = io::stdin().as_fd().try_clone_to_owned().map(File::from);
        match file.and_then(not_the_output) {
            Ok(file) => Ok(FileSource::new(STDIN_NAME.to_owned(), file)),
            Err(error) => Err(OpenError { name: STDIN_NAME.to_owned(), error }),
        }
    }

    fn new(name: String, file: File) -> FileSource {
        let size =
            file.metadata().ok().filter(std::fs::Metadata::is_file).map(|m| Bytes::new(m.len()));
        let feed = Feed { file, head: Vec::new(), offset: 0, failed: false };
        FileSource { name, size, reader: Reader::Unknown(feed) }
    }

    /// How messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its size as stored, for a regular file.
    pub fn size(&self) -> Option<Bytes> {
        self.size
    }

    /// How far it has been read, in bytes as stored.
    pub fn offset(&self) -> u64 {
        match &self.reader {
            Reader::Unknown(feed) | Reader::Plain(feed) => feed.offset,
            Reader::Gzip(decoder) => unread_offset(decoder.get_ref()),
            Reader::Zstd(decoder) => unread_offset(decoder.get_ref()),
            Reader::Ended(offset) => *offset,
        }
    }

    /// The next chunk: as much as there is now, at most [`CHUNK_BYTES_MAX`]; `None` at the end.
    ///
    /// # Errors
    ///
    /// [`ReadError`] when the rest cannot be read; the next call then gives the end.
    pub fn read(&mut self) -> Result<Option<RawText>, ReadError> {
        match self.read_chunk() {
            Ok(bytes) if bytes.is_empty() => {
                self.reader = Reader::Ended(self.offset());
                Ok(None)
            }
            Ok(bytes) => Ok(Some(RawText::new(bytes))),
            Err(error) => {
                let offset = self.offset();
                let problem = self.problem(error);
                self.reader = Reader::Ended(offset);
                Err(ReadError { name: self.name.clone(), offset, problem })
            }
        }
    }

    /// True when the next [`read`](FileSource::read) would wait for somebody to write.
    pub fn would_block(&self) -> bool {
        match &self.reader {
            Reader::Unknown(feed) | Reader::Plain(feed) => feed.would_block(),
            Reader::Gzip(decoder) => unread_would_block(decoder.get_ref()),
            Reader::Zstd(decoder) => unread_would_block(decoder.get_ref()),
            Reader::Ended(_) => false,
        }
    }

    fn read_chunk(&mut self) -> io::Result<Vec<u8>> {
        self.settle_packing()?;
        match &mut self.reader {
            Reader::Unknown(_) | Reader::Ended(_) => Ok(Vec::new()),
            Reader::Plain(feed) => feed.read_plain(),
            Reader::Gzip(decoder) => read_packed(decoder),
            Reader::Zstd(decoder) => read_packed(decoder),
        }
    }

    /// Reads until the packing is known, and puts its reader in place.
    fn settle_packing(&mut self) -> io::Result<()> {
        let Reader::Unknown(feed) = &mut self.reader else { return Ok(()) };
        let mut head = Vec::new();
        let found = loop {
            if let Some(found) = packing(&head) {
                break found;
            }
            let more = feed.read_plain()?;
            if more.is_empty() {
                break Packing::Plain;
            }
            head.extend_from_slice(&more);
        };
        feed.offset = 0;
        feed.head = head;
        let Reader::Unknown(feed) = std::mem::replace(&mut self.reader, Reader::Ended(0)) else {
            return Ok(());
        };
        self.reader = match found {
            Packing::Plain => Reader::Plain(feed),
            Packing::Gzip => Reader::Gzip(Box::new(MultiGzDecoder::new(BufReader::with_capacity(
                PACKED_BYTES,
                feed,
            )))),
            Packing::Zstd => {
                let buffer = BufReader::with_capacity(PACKED_BYTES, feed);
                let mut decoder = zstd::stream::read::Decoder::with_buffer(buffer)?;
                decoder.window_log_max(ZSTD_WINDOW_LOG_MAX)?;
                Reader::Zstd(Box::new(decoder))
            }
        };
        Ok(())
    }

    fn problem(&self, error: io::Error) -> ReadProblem {
        let failed = match &self.reader {
            Reader::Unknown(_) | Reader::Plain(_) | Reader::Ended(_) => true,
            Reader::Gzip(decoder) => decoder.get_ref().get_ref().failed,
            Reader::Zstd(decoder) => decoder.get_ref().get_ref().failed,
        };
        if failed {
            ReadProblem::Io(error)
        } else if error.kind() == io::ErrorKind::UnexpectedEof {
            ReadProblem::Truncated
        } else if error.to_string().contains("too much memory") {
            // The library tells its errors apart by their texts alone.
            ReadProblem::WindowTooLarge
        } else {
            ReadProblem::Corrupt
        }
    }
}

/// Refuses a file that grows by what is read from it: there would be no end.
fn not_the_output(file: File) -> io::Result<File> {
    let Ok(output) = rustix::fs::fstat(io::stdout()) else { return Ok(file) };
    let input = rustix::fs::fstat(&file)?;
    let same = (input.st_dev, input.st_ino) == (output.st_dev, output.st_ino);
    if same && FileType::from_raw_mode(input.st_mode).is_file() && input.st_size > 0 {
        return Err(io::Error::other("it is also the output"));
    }
    Ok(file)
}

fn read_packed(decoder: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; CHUNK_BYTES_MAX.as_len()];
    let len = read_once(decoder, &mut bytes)?;
    bytes.truncate(len);
    Ok(fit(bytes))
}

fn read_once(reader: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Gives back memory that a short read does not use: many such chunks may wait for a line's end.
fn fit(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() < bytes.capacity() / 2 {
        bytes.shrink_to_fit();
    }
    bytes
}

fn unread_offset(buffer: &BufReader<Feed>) -> u64 {
    buffer.get_ref().offset.saturating_sub(buffer.buffer().len() as u64)
}

fn unread_would_block(buffer: &BufReader<Feed>) -> bool {
    buffer.buffer().is_empty() && buffer.get_ref().would_block()
}

impl Feed {
    fn would_block(&self) -> bool {
        let mut polled = [PollFd::new(&self.file, PollFlags::IN)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        // Hang-up and error count as ready: a read then returns at once.
        self.head.is_empty() && matches!(rustix::event::poll(&mut polled, Some(&now)), Ok(0))
    }

    /// What one read gives, without clearing the memory first.
    fn read_plain(&mut self) -> io::Result<Vec<u8>> {
        let bytes = if self.head.is_empty() {
            let mut bytes = Vec::with_capacity(CHUNK_BYTES_MAX.as_len());
            loop {
                match rustix::io::read(&self.file, spare_capacity(&mut bytes)) {
                    Ok(_) => break,
                    Err(rustix::io::Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            fit(bytes)
        } else {
            std::mem::take(&mut self.head)
        };
        self.offset += bytes.len() as u64;
        Ok(bytes)
    }
}

impl Read for Feed {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = if self.head.is_empty() {
            read_once(&mut self.file, bytes)
        } else {
            let len = self.head.as_slice().read(bytes)?;
            self.head.drain(..len);
            Ok(len)
        };
        match &read {
            Ok(len) => self.offset += *len as u64,
            Err(_) => self.failed = true,
        }
        read
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reader::Unknown(_) => "Unknown",
            Reader::Plain(_) => "Plain",
            Reader::Gzip(_) => "Gzip",
            Reader::Zstd(_) => "Zstd",
            Reader::Ended(_) => "Ended",
        })
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot open {}: {}", self.name, self.error)
    }
}

impl std::error::Error for OpenError {}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {} from byte {} on: {}", self.name, self.offset, self.problem)
    }
}

impl std::error::Error for ReadError {}

impl fmt::Display for ReadProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadProblem::Io(error) => error.fmt(f),
            ReadProblem::Truncated => f.write_str("the packed data ends in the middle"),
            ReadProblem::Corrupt => f.write_str("the packed data is damaged"),
            ReadProblem::WindowTooLarge => {
                write!(f, "the zstd window is larger than {ZSTD_WINDOW_BYTES_MAX}")
            }
        }
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
