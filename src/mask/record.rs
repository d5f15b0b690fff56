//! Records that a container runtime has split.
//!
//! The CRI format marks a record `P` when the next one of its stream goes on with the same line, and
//! `F` when the line ends; Docker's json-file leaves the line end out of `log`. A token on such a
//! seam shows in no part, so the parts are joined, scanned once more, and what is found is masked in
//! every part: the marker stands in the first one, the others lose their share.

use crate::text::Span;

/// Most records that are joined.
const PARTS_MAX: usize = 4096;
/// Most bytes that are joined, and most bytes of other streams in between.
const JOINED_LEN_MAX: usize = 1024 * 1024;

/// What one line of a container log holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// The bytes that the program wrote.
    pub(super) body: Span,
    /// A byte that tells the streams apart.
    stream: u8,
    /// The next record of the stream goes on with this line.
    pub(super) partial: bool,
}

impl Record {
    /// Written to the error stream.
    pub(super) fn is_error(self) -> bool {
        self.stream == b'e'
    }
}

/// Reads the record on the line `start..end`.
pub(super) fn record(text: &[u8], start: usize, end: usize) -> Option<Record> {
    let line = text.get(start..end)?;
    if line.starts_with(b"{\"log\":\"") { docker(line, start) } else { cri(line, start) }
}

/// `<time> stdout P <text>`.
fn cri(line: &[u8], start: usize) -> Option<Record> {
    let time = memchr::memchr(b' ', line.get(..64).unwrap_or(line))?;
    if time < 20 || !line.first()?.is_ascii_digit() {
        return None;
    }
    let rest = line.get(time + 1..)?;
    let stream = match rest {
        [b's', b't', b'd', b'o', b'u', b't', b' ', ..] => b'o',
        [b's', b't', b'd', b'e', b'r', b'r', b' ', ..] => b'e',
        _ => return None,
    };
    let partial = match rest.get(7..)? {
        [b'P', b' ', ..] | [b'P', b':', ..] => true,
        [b'F', b' ', ..] | [b'F'] => false,
        _ => return None,
    };
    let from = (start + time + 1 + 9).min(start + line.len());
    Some(Record { body: Span::new(from, start + line.len()), stream, partial })
}

/// `{"log":"<text>\n","stream":"stdout",…}`.
fn docker(line: &[u8], start: usize) -> Option<Record> {
    let mut end = 8;
    loop {
        match line.get(end)? {
            b'\\' => end += 2,
            b'"' => break,
            _ => end += 1,
        }
    }
    let rest = line.get(end..)?;
    let stream =
        memchr::memmem::find(rest, b"\"stream\":\"std").and_then(|at| rest.get(at + 13))?;
    let partial = !line.get(8..end)?.ends_with(b"\\n");
    Some(Record { body: Span::new(start + 8, start + end), stream: *stream, partial })
}

/// Where lines may be partial records, ascending: the flags' places, and Docker's lines.
pub(super) fn partial_lines(text: &[u8], flags: &[u32], lines: &mut Vec<usize>) {
    lines.clear();
    for flag in flags {
        let at = *flag as usize;
        if text.get(at + 1) == Some(&b'P')
            && at >= 6
            && text.get(at - 6..at).is_some_and(|name| name == b"stdout" || name == b"stderr")
        {
            lines.push(super::lines::line_start(text, at));
        }
    }
    if text.starts_with(b"{\"log\":\"") {
        lines.push(0);
    }
    for at in memchr::memmem::find_iter(text, b"\n{\"log\":\"") {
        lines.push(at + 1);
    }
    lines.sort_unstable();
    lines.dedup();
}

/// The bodies of the records that make one line of a program, the first of them on the line at
/// `start`; empty when that record is not partial.
pub(super) fn joined(text: &[u8], start: usize, parts: &mut Vec<Span>) {
    parts.clear();
    let mut at = start;
    let mut stream = None;
    while at < text.len() && at - start < JOINED_LEN_MAX && parts.len() < PARTS_MAX {
        let end = super::lines::line_end(text, at);
        match record(text, at, end) {
            Some(record) if stream.is_none_or(|stream| stream == record.stream) => {
                if stream.is_none() && !record.partial {
                    return;
                }
                stream = Some(record.stream);
                parts.push(record.body);
                if !record.partial {
                    return;
                }
            }
            Some(_) => {}
            None => return,
        }
        at = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_both_formats() {
        let line = b"2026-05-18T09:21:44.018223901Z stdout P half";
        let read = record(line, 0, line.len()).unwrap();
        assert!(read.partial);
        assert_eq!(&line[read.body.start..read.body.end], b"half");
        let line = br#"{"log":"a \"b\"\n","stream":"stderr","time":"x"}"#;
        let read = record(line, 0, line.len()).unwrap();
        assert!(!read.partial);
        assert_eq!(&line[read.body.start..read.body.end], br#"a \"b\"\n"#);
        assert_eq!(record(b"plain text stdout P x", 0, 21), None);
    }
}
