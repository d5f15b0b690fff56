//! Cutting a file into granules at line ends.
//!
//! A granule is the lines that **begin** in one mebibyte of the text, so that the cuts are the same
//! in whatever order the granules are read, and each line is in one granule alone. A line that is
//! longer than [`LINE_BYTES_MAX`] is left out and counted: half of it could be half of a value.

use std::fs::File;
use std::io;
use std::io::Read;
use std::os::fd::AsFd;

use rustix::buffer::spare_capacity;

use super::files::ReadProblem;
use crate::text::RawText;
use crate::units::Bytes;

/// Text of a granule, but for the rest of its last line.
pub const GRANULE_BYTES: Bytes = Bytes::kib(1024);
/// Longest line that is read.
pub const LINE_BYTES_MAX: Bytes = Bytes::kib(1024);
/// How much is read at a time to find the end of a granule's last line.
const TAIL_BYTES: usize = 64 * 1024;

/// Whole lines of one file.
#[derive(Debug)]
pub struct Granule {
    /// The lines.
    pub text: RawText,
    /// Bytes of the file's text that it stands for, left-out lines included: what it is charged.
    pub bytes: Bytes,
    /// Lines that were left out because they are too long.
    pub lines_left_out: u64,
    /// Their bytes.
    pub bytes_left_out: u64,
}

/// Most bytes that one granule can be charged: its own, and one line beyond.
pub const GRANULE_BYTES_MAX: Bytes = Bytes::new(GRANULE_BYTES.get() + LINE_BYTES_MAX.get());

/// The granule numbers that a range of a text touches: one number a mebibyte.
pub fn granule_numbers(start: u64, end: u64) -> std::ops::Range<u64> {
    if start >= end {
        return 0..0;
    }
    start / GRANULE_BYTES.get()..end.div_ceil(GRANULE_BYTES.get())
}

/// Reads the lines that begin in mebibyte `number` of a plain file, between `start` and `end`,
/// which are beginnings of lines. Where `end` stood in the middle of a line that has been finished
/// since, the line is read to its end.
///
/// # Errors
///
/// When the system refuses.
pub(super) fn read_plain(
    file: &File,
    number: u64,
    (start, end): (u64, u64),
    mut bytes: Vec<u8>,
) -> io::Result<Granule> {
    let first = (number * GRANULE_BYTES.get()).max(start);
    let last = ((number + 1) * GRANULE_BYTES.get()).min(end);
    bytes.clear();
    bytes.reserve(GRANULE_BYTES.as_len() + 2 * TAIL_BYTES);
    // One byte before tells whether a line begins at the first.
    let from = if first > start { first - 1 } else { first };
    read_at(file, from, last.saturating_sub(from), &mut bytes)?;
    let skipped = if from < first {
        match memchr::memchr(b'\n', &bytes) {
            Some(at) => at + 1,
            None => bytes.len(),
        }
    } else {
        0
    };
    let begins = from + skipped as u64;
    if skipped == bytes.len() {
        return Ok(Granule::of(Vec::new(), 0));
    }
    bytes.drain(..skipped);
    // The last line goes on behind the granule: it began here.
    let mut reach = begins + bytes.len() as u64;
    let mut over = 0;
    while bytes.last() != Some(&b'\n') {
        let before = bytes.len();
        read_at(file, reach, TAIL_BYTES as u64, &mut bytes)?;
        let tail = bytes.get(before..).unwrap_or(&[]);
        if tail.is_empty() {
            break; // The end of the file.
        }
        reach += tail.len() as u64;
        if let Some(at) = memchr::memchr(b'\n', tail) {
            bytes.truncate(before + at + 1);
        } else if bytes.len() > GRANULE_BYTES_MAX.as_len() {
            // Longer than a line may be: its bytes are counted and not kept.
            over += (bytes.len() - GRANULE_BYTES_MAX.as_len()) as u64;
            bytes.truncate(GRANULE_BYTES_MAX.as_len());
        }
    }
    // What a line has grown beyond the end is nobody's who was asked before.
    let granule = Granule::of(bytes, over);
    Ok(Granule { bytes: granule.bytes.min(Bytes::new(end.saturating_sub(begins))), ..granule })
}

impl Granule {
    /// Whole lines, those that are too long left out; `over` bytes of one are left out already.
    fn of(mut bytes: Vec<u8>, over: u64) -> Granule {
        let charged = Bytes::new(bytes.len() as u64 + over);
        let (mut lines, mut left_out) = (0, over);
        let limit = LINE_BYTES_MAX.as_len();
        if bytes.len() > limit {
            let mut at = 0;
            while at < bytes.len() {
                let rest = bytes.get(at..).unwrap_or(&[]);
                let len = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
                if len > limit {
                    bytes.drain(at..at + len);
                    lines += 1;
                    left_out += len as u64;
                } else {
                    at += len;
                }
            }
        }
        let text = RawText::new(bytes);
        Granule { text, bytes: charged, lines_left_out: lines, bytes_left_out: left_out }
    }
}

/// Appends what the file holds from `offset` on, at most `len` bytes.
pub(super) fn read_at(file: &File, offset: u64, len: u64, to: &mut Vec<u8>) -> io::Result<()> {
    let end = to.len() + usize::try_from(len).unwrap_or(usize::MAX);
    let mut offset = offset;
    while to.len() < end {
        to.reserve((end - to.len()).min(GRANULE_BYTES.as_len()));
        let before = to.len();
        match rustix::io::pread(file.as_fd(), spare_capacity(to), offset) {
            Ok(0) => break,
            Ok(_) => {
                to.truncate(end);
                offset += (to.len() - before) as u64;
            }
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Cuts a stream that can be read forward alone.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// Read and not handed over: begins with the first line of the next granule.
    held: Vec<u8>,
    /// Where that line begins in the text.
    offset: u64,
    /// The stream has ended.
    ended: bool,
}

impl Stream {
    /// Bytes of the text before the next granule's first line.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The lines that begin in mebibyte `number`; nothing when the text ended before.
    pub(super) fn next(
        &mut self,
        number: u64,
        from: &mut impl Read,
    ) -> Result<Option<Granule>, io::Error> {
        let border = (number + 1) * GRANULE_BYTES.get();
        if self.offset >= border {
            return Ok(Some(Granule::of(Vec::new(), 0))); // Inside of a long line.
        }
        let mut over = 0;
        loop {
            // The granule ends behind the first line end at or after the last byte before the border.
            let seek = usize::try_from((border - 1).saturating_sub(self.offset)).unwrap_or(0);
            let found = self.held.get(seek..).and_then(|tail| memchr::memchr(b'\n', tail));
            if let Some(at) = found {
                return Ok(Some(self.give(seek + at + 1, over)));
            }
            if self.ended {
                let len = self.held.len();
                return Ok((len > 0 || over > 0).then(|| self.give(len, over)));
            }
            if self.held.len() > GRANULE_BYTES_MAX.as_len() {
                over += (self.held.len() - GRANULE_BYTES_MAX.as_len()) as u64;
                self.held.truncate(GRANULE_BYTES_MAX.as_len());
            }
            self.fill(from)?;
        }
    }

    fn give(&mut self, len: usize, over: u64) -> Granule {
        let rest = self.held.split_off(len);
        let bytes = std::mem::replace(&mut self.held, rest);
        self.offset += bytes.len() as u64 + over;
        Granule::of(bytes, over)
    }

    fn fill(&mut self, from: &mut impl Read) -> io::Result<()> {
        let before = self.held.len();
        self.held.resize(before + TAIL_BYTES, 0);
        let free = self.held.get_mut(before..).unwrap_or(&mut []);
        let read = loop {
            match from.read(free) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        match read {
            Ok(len) => {
                self.held.truncate(before + len);
                self.ended = len == 0;
                Ok(())
            }
            Err(error) => {
                self.held.truncate(before);
                self.ended = true;
                Err(error)
            }
        }
    }
}

/// What went wrong with a packed stream, from the decoder's error.
pub(super) fn unpack_problem(error: io::Error) -> ReadProblem {
    if error.raw_os_error().is_some() {
        ReadProblem::Io(error)
    } else if error.kind() == io::ErrorKind::UnexpectedEof {
        ReadProblem::Truncated
    } else if error.to_string().contains("too much memory") {
        ReadProblem::WindowTooLarge
    } else {
        ReadProblem::Corrupt
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of many lengths; a few are longer than a mebibyte.
    fn sample(long: &[usize]) -> Vec<u8> {
        let mut text = Vec::new();
        for number in 0..60_000_usize {
            text.extend_from_slice(format!("{number} {}\n", "x".repeat(number % 97)).as_bytes());
            if long.contains(&number) {
                text.extend(std::iter::repeat_n(b'y', 3 * 1024 * 1024));
                text.push(b'\n');
            }
        }
        text.extend_from_slice(b"no line end");
        text
    }

    fn file_of(text: &[u8]) -> File {
        let file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut &file, text).unwrap();
        file
    }

    /// Shown to bite by a border that is one byte further.
    #[test]
    fn granules_add_up_in_whatever_order_and_way_they_are_read() {
        // In the second text a line begins at each border.
        for text in [sample(&[]), [b'z'; 63].map(|z| z).to_vec()] {
            add_up(text);
        }
    }

    fn add_up(mut text: Vec<u8>) {
        if text.len() == 63 {
            text.push(b'\n');
            text = text.repeat(50_000);
        }
        let len = text.len() as u64;
        let file = file_of(&text);
        let numbers = granule_numbers(0, len);
        let mut plain: Vec<Granule> = numbers
            .clone()
            .rev()
            .map(|at| read_plain(&file, at, (0, len), Vec::new()).unwrap())
            .collect();
        plain.reverse();
        let mut stream = Stream::default();
        let mut from = &text[..];
        let mut whole = Vec::new();
        for (number, granule) in numbers.zip(&plain) {
            let other = stream.next(number, &mut from).unwrap().unwrap();
            assert!(other.text == granule.text, "granule {number}");
            whole.extend_from_slice(granule.text.expose());
            assert_eq!(stream.offset(), whole.len() as u64);
        }
        assert!(whole == text);
        assert!(stream.next(99, &mut from).unwrap().is_none());
    }

    #[test]
    fn a_range_begins_and_ends_where_it_says() {
        let text = sample(&[]);
        let file = file_of(&text);
        let line = |near: usize| near + memchr::memchr(b'\n', &text[near..]).unwrap() + 1;
        let (start, end) = (line(1_500_000), line(2_500_000));
        let mut whole = Vec::new();
        for number in granule_numbers(start as u64, end as u64) {
            let granule =
                read_plain(&file, number, (start as u64, end as u64), Vec::new()).unwrap();
            whole.extend_from_slice(granule.text.expose());
        }
        assert!(whole == text[start..end]);
    }

    /// Shown to bite by keeping the part of a line that was read.
    #[test]
    fn a_line_that_is_too_long_is_left_out_and_counted() {
        let text = sample(&[20_000, 40_000]);
        let len = text.len() as u64;
        let file = file_of(&text);
        let mut stream = Stream::default();
        let mut from = &text[..];
        let (mut charged, mut lines, mut kept) = (0, 0, Vec::new());
        for number in granule_numbers(0, len) {
            let granule = read_plain(&file, number, (0, len), Vec::new()).unwrap();
            charged += granule.bytes.get();
            lines += granule.lines_left_out;
            kept.extend_from_slice(granule.text.expose());
            if let Some(other) = stream.next(number, &mut from).unwrap() {
                assert!(other.text == granule.text && other.bytes == granule.bytes, "{number}");
            } else {
                assert!(granule.text.is_empty());
            }
        }
        assert_eq!((charged, lines), (len, 2));
        assert!(kept == sample(&[]));
    }
}
