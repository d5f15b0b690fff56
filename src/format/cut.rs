//! Which lines make a record, and how much of a block is whole records.

use super::Format;
use super::container;
use super::part;
use super::records::BLOCK_LEN_MAX;

/// Most lines that are joined to one record: the deepest stack traces of recursion errors have 1,024
/// frames. What follows is a record of its own.
pub const RECORD_LINES_MAX: u32 = 2048;
/// Most bytes that are joined to one record. One line may be longer.
pub const RECORD_LEN_MAX: usize = 256 * 1024;

/// Whether text comes behind a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum More {
    /// It does, or may.
    Coming,
    /// It does not.
    Never,
}

/// How much of `text`, which begins with a record, is whole records. The rest has to be put before
/// the next block; it has at most [`RECORD_LEN_MAX`] bytes and a line, but for split records of a
/// container runtime, which [`join`](super::join) has its own limits for.
pub fn cut(format: Format, text: &[u8], more: More) -> usize {
    if more == More::Never {
        return text.len().min(BLOCK_LEN_MAX);
    }
    let Some(end) = memchr::memrchr(b'\n', text).map(|at| at + 1) else { return 0 };
    let whole = part(text, 0, end);
    match format {
        Format::Cri | Format::DockerJson => {
            let goes_on = |line: &[u8]| continues(line) || container::text_continues(format, line);
            let free = container::unfinished_from(format, whole);
            let mut cut = last_start(part(whole, 0, free), goes_on);
            // The record there may be the end of a line whose parts stand further up; and what no
            // runtime wrote between them goes on with the record before.
            loop {
                let first = container::unfinished_from(format, part(whole, 0, cut));
                if first == cut {
                    return cut;
                }
                let mut lines = part(whole, first, cut).split(|byte| *byte == b'\n');
                let before = lines.next().is_some_and(goes_on)
                    || lines.any(|line| !line.is_empty() && continues(line));
                cut = if before { last_start(part(whole, 0, first), goes_on) } else { first };
            }
        }
        Format::Json
        | Format::Logfmt
        | Format::Access
        | Format::Syslog3164
        | Format::Syslog5424
        | Format::Klog
        | Format::Plain => last_start(whole, continues),
    }
}

/// Where the last record of whole lines begins, for lines that go on with it may follow.
fn last_start(text: &[u8], continues: impl Fn(&[u8]) -> bool) -> usize {
    let mut line = text.len();
    loop {
        let Some(before) = line.checked_sub(1) else { return 0 };
        let start = memchr::memrchr(b'\n', part(text, 0, before)).map_or(0, |at| at + 1);
        if start == 0 || !continues(part(text, start, before)) {
            line = start;
            break;
        }
        line = start;
    }
    // A record beyond its limits is split at places that depend on its beginning alone.
    let mut at = line;
    let mut run = Run::new();
    let mut start = line;
    while at < text.len() {
        let end = memchr::memchr(b'\n', part(text, at, text.len()))
            .map_or(text.len(), |len| at + len + 1);
        if at > line && !run.takes(end - at) {
            start = at;
            run = Run::new();
        }
        run.add(end - at);
        at = end;
    }
    start
}

/// What was joined to one record so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    lines: u32,
    len: usize,
}

impl Run {
    pub(super) fn new() -> Run {
        Run { lines: 0, len: 0 }
    }

    /// True when one more line of `len` bytes fits.
    pub(super) fn takes(self, len: usize) -> bool {
        self.lines < RECORD_LINES_MAX && self.len + len <= RECORD_LEN_MAX
    }

    pub(super) fn add(&mut self, len: usize) {
        self.lines += 1;
        self.len += len;
    }

    pub(super) fn lines(self) -> u32 {
        self.lines
    }
}

/// True for a line that goes on with the record before: blanks at its beginning, or what stack
/// traces have there.
#[inline]
pub(super) fn continues(line: &[u8]) -> bool {
    match line.first() {
        Some(b' ' | b'\t') => true,
        Some(b'C' | b'D' | b'S' | b'T' | b'a' | b'c' | b'.' | b'}' | b')' | b'-' | b'g') => {
            trace(line)
        }
        Some(_) | None => false,
    }
}

fn trace(line: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 10] = [
        b"Caused by: ",
        b"Suppressed: ",
        b"Traceback (most recent call last)",
        b"The above exception was the direct cause",
        b"at ",
        b"...",
        b"During handling of the above exception",
        b"goroutine ",
        b"--- End of ",
        b"created by ",
    ];
    BEGINNINGS.iter().any(|beginning| line.starts_with(beginning))
        || matches!(line, b"}" | b")" | b"});" | b"}\r" | b")\r")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_record_waits_for_its_trace() {
        let text = b"a\nb\n\tat x\nCaused by: y\n";
        assert_eq!(cut(Format::Plain, text, More::Coming), 2);
        assert_eq!(cut(Format::Plain, text, More::Never), text.len());
        assert_eq!(cut(Format::Plain, b"a\nb\nhalf", More::Coming), 2);
        assert_eq!(cut(Format::Plain, b"half", More::Coming), 0);
        assert_eq!(cut(Format::Plain, b"", More::Coming), 0);
    }

    #[test]
    fn what_waits_is_bounded() {
        let mut text = b"first\n".to_vec();
        while text.len() < 4 * RECORD_LEN_MAX {
            text.extend_from_slice(b"\tat some.place(File.java:1)\n");
        }
        let cut = cut(Format::Plain, &text, More::Coming);
        assert!(text.len() - cut <= RECORD_LEN_MAX, "{cut}");
    }

    #[test]
    fn lines_that_go_on_are_known() {
        for line in [
            "\tat x",
            " x",
            "Caused by: x",
            "at f (g.js:1:2)",
            "... 3 more",
            "}",
            "goroutine 1 [running]:",
        ] {
            assert!(continues(line.as_bytes()), "{line}");
        }
        for line in ["", "attempt 3", "{\"a\":1}", "Cause", "}x", "Traces"] {
            assert!(!continues(line.as_bytes()), "{line}");
        }
    }
}
