//! Lines of container runtimes, and the parts that they split long lines into.
//!
//! CRI marks a line `P` when the next one of its stream goes on with it and `F` when it ends; Docker
//! leaves the line end out of `log`. Parts are joined **before** anything looks at them, so that a
//! value on a seam is seen whole. What Docker wrote becomes lines of CRI with the program's own text.

use super::Format;
use super::cut::continues;
use super::json;
use super::part;

/// Most bytes of parts that are joined. The parts of a longer line are withheld: a value may stand
/// on any of its seams.
pub(super) const JOINED_LEN_MAX: usize = 1024 * 1024;
/// What stands for them.
const TOO_LONG: &[u8] = b"[withheld: parts of a line beyond 1 MiB]";

/// A line of CRI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// How long the time is that it begins with.
    pub(super) time: usize,
    /// The next line of its stream goes on with it.
    partial: bool,
    error: bool,
    /// Where the program's text begins.
    pub(super) body: usize,
}

/// What [`join`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// Nothing: the block is as it should be.
    AsItIs,
    /// It wrote the block again.
    Rewritten,
}

/// Reads `<time> stdout F <text>`.
pub(super) fn line(line: &[u8]) -> Option<Line> {
    let time = memchr::memchr(b' ', line.get(..64).unwrap_or(line))?;
    if time < 20 || !line.first()?.is_ascii_digit() {
        return None;
    }
    let rest = line.get(time + 1..)?;
    let error = match rest.get(..7)? {
        b"stdout " => false,
        b"stderr " => true,
        _ => return None,
    };
    let (partial, tags) = match rest.get(7..)? {
        [b'P', rest @ ..] => (true, rest),
        [b'F', rest @ ..] => (false, rest),
        _ => return None,
    };
    // Tags may follow the flag, behind colons.
    let blank = match tags.first() {
        None => Some(0),
        Some(b' ') => Some(1),
        Some(b':') => memchr::memchr(b' ', tags).map(|len| len + 1),
        Some(_) => None,
    }?;
    Some(Line { time, partial, error, body: (time + 9 + blank).min(line.len()) })
}

/// A line of Docker.
struct Docker<'l> {
    log: &'l [u8],
    error: bool,
    time: &'l [u8],
}

impl Docker<'_> {
    /// The program's line ends here.
    fn ends(&self) -> bool {
        // `\\n` is a backslash and a letter.
        self.log
            .strip_suffix(b"\\n")
            .is_some_and(|log| log.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0)
    }
}

/// Reads `{"log":"…\n","stream":"stdout","time":"…"}`.
fn docker(line: &[u8]) -> Option<Docker<'_>> {
    let body = line.strip_prefix(b"{\"log\":\"")?;
    let mut end = 0;
    loop {
        end += memchr::memchr2(b'"', b'\\', part(body, end, body.len()))?;
        if body.get(end) == Some(&b'"') {
            break;
        }
        end += 2;
    }
    let rest = part(body, end + 1, body.len());
    let stream = memchr::memmem::find(rest, b"\"stream\":\"std")? + 13;
    let error = match part(rest, stream, stream + 4) {
        b"out\"" => false,
        b"err\"" => true,
        _ => return None,
    };
    let time = memchr::memmem::find(rest, b"\"time\":\"")? + 8;
    let len = memchr::memchr(b'"', part(rest, time, rest.len()))?;
    let time = part(rest, time, time + len);
    let plain = time.len() >= 20 && time.iter().all(|byte| byte.is_ascii_graphic());
    plain.then_some(Docker { log: part(body, 0, end), error, time })
}

/// A line whose parts are being joined.
#[derive(Debug, Default)]
struct Open {
    /// Where in the output its text ends; later text of another stream is put behind.
    text: Vec<u8>,
    /// The beginning of its line.
    head: Vec<u8>,
    open: bool,
    too_long: bool,
}

/// Joins the parts of a source's blocks.
#[derive(Debug, Default)]
pub(super) struct Joiner {
    out: Vec<u8>,
    used: bool,
    streams: [Open; 2],
    /// The stream of the last line that was written.
    last: Option<usize>,
    withheld: u64,
    decoded: Vec<u8>,
    /// The line at hand ends in CR LF: so does what is written of it.
    returns: bool,
}

impl Joiner {
    /// The block that was written anew, if it was.
    pub(super) fn text(&self) -> Option<&[u8]> {
        self.used.then_some(self.out.as_slice())
    }

    /// Lines that were too long to join.
    pub(super) fn withheld(&self) -> u64 {
        self.withheld
    }

    /// Joins what `block` holds.
    pub(super) fn join(&mut self, format: Format, block: &[u8]) {
        self.out.clear();
        self.last = None;
        self.used = match format {
            Format::Cri => {
                self.streams.iter().any(|stream| stream.too_long) || needs_joining(block)
            }
            Format::DockerJson => true,
            Format::Json
            | Format::Logfmt
            | Format::Access
            | Format::Syslog3164
            | Format::Syslog5424
            | Format::Klog
            | Format::Plain => false,
        };
        if !self.used {
            return;
        }
        let mut rest = block;
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let text = part(rest, 0, end);
            self.returns = text.ends_with(b"\r");
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            match format {
                Format::DockerJson => self.docker_line(text),
                _ => self.cri_line(text),
            }
            rest = part(rest, end + 1, rest.len());
        }
        // The end of the stream, or of what is joined: a part without its end stands as it is.
        for index in 0..2 {
            self.close(index, false);
        }
        if !block.ends_with(b"\n") {
            self.out.pop();
        }
    }

    fn cri_line(&mut self, text: &[u8]) {
        match line(text) {
            Some(line) => {
                let index = usize::from(line.error);
                self.add(index, line.partial, part(text, line.body, text.len()), |head| {
                    head.extend_from_slice(part(text, 0, line.time));
                });
            }
            None => self.other_line(text),
        }
    }

    fn docker_line(&mut self, text: &[u8]) {
        let Some(line) = docker(text) else { return self.other_line(text) };
        let mut decoded = std::mem::take(&mut self.decoded);
        decoded.clear();
        let whole = line.log.strip_suffix(b"\\n").filter(|_| line.ends());
        json::decode(whole.unwrap_or(line.log), &mut decoded);
        // A line end inside of the text must not begin another record.
        if decoded.contains(&b'\n') {
            let mut again = Vec::with_capacity(decoded.len() + 8);
            for byte in &decoded {
                match byte {
                    b'\n' => again.extend_from_slice(b"\\n"),
                    byte => again.push(*byte),
                }
            }
            decoded = again;
        }
        self.add(usize::from(line.error), whole.is_none(), &decoded, |head| {
            head.extend_from_slice(line.time);
        });
        self.decoded = decoded;
    }

    /// A line that no runtime wrote.
    fn other_line(&mut self, text: &[u8]) {
        if !continues(text) {
            self.last = None;
        }
        self.as_it_is(text);
    }

    fn as_it_is(&mut self, text: &[u8]) {
        self.out.extend_from_slice(text);
        self.out.extend_from_slice(if self.returns { b"\r\n" } else { b"\n" });
    }

    /// Adds a part to the line of its stream that is open, or opens one.
    fn add(&mut self, index: usize, partial: bool, body: &[u8], time: impl Fn(&mut Vec<u8>)) {
        let Some(stream) = self.streams.get_mut(index) else { return };
        let goes_on = stream.open || stream.too_long;
        if !goes_on {
            // Lines of a stack trace follow their record without a head of their own, if nothing of
            // another stream came between.
            if !partial && continues(body) && self.last == Some(index) {
                return self.as_it_is(body);
            }
            stream.text.clear();
            stream.head.clear();
            time(&mut stream.head);
            stream.head.extend_from_slice(if index == 1 { b" stderr F " } else { b" stdout F " });
            stream.open = true;
        }
        if stream.text.len() + body.len() > JOINED_LEN_MAX {
            stream.too_long = true;
        }
        if !stream.too_long {
            stream.text.extend_from_slice(body);
        }
        if !partial {
            self.close(index, true);
        }
    }

    /// Writes the line of a stream that is open; `ends` when its last part has come.
    fn close(&mut self, index: usize, ends: bool) {
        let Some(stream) = self.streams.get_mut(index) else { return };
        if stream.open {
            self.last = Some(index);
            self.out.extend_from_slice(&stream.head);
            if stream.too_long {
                self.out.extend_from_slice(TOO_LONG);
                self.withheld += 1;
            } else {
                self.out.extend_from_slice(&stream.text);
            }
            self.out.extend_from_slice(if self.returns { b"\r\n" } else { b"\n" });
        }
        stream.open = false;
        // Until its last part comes, what follows of it is withheld as well.
        stream.too_long &= !ends;
        stream.text.clear();
    }
}

/// True when a line of the block is a part, or goes on with the one before.
fn needs_joining(block: &[u8]) -> bool {
    let mut rest = block;
    while !rest.is_empty() {
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let text = part(rest, 0, end);
        if let Some(line) = line(text)
            && (line.partial || continues(part(text, line.body, text.len())))
        {
            return true;
        }
        rest = part(rest, end + 1, rest.len());
    }
    false
}

/// Joins the parts of a block on its own, for whoever has no parser; `out` is cleared first.
pub fn join(format: Format, block: &[u8], out: &mut Vec<u8>) -> Joined {
    let mut joiner = Joiner::default();
    joiner.join(format, block);
    out.clear();
    match joiner.text() {
        Some(text) => {
            out.extend_from_slice(text);
            Joined::Rewritten
        }
        None => Joined::AsItIs,
    }
}

/// True for a line whose text goes on with the record before.
pub(super) fn text_continues(format: Format, text: &[u8]) -> bool {
    if format == Format::DockerJson {
        return docker(text)
            .is_some_and(|line| continues(line.log) || line.log.starts_with(b"\\t"));
    }
    line(text).is_some_and(|line| continues(part(text, line.body, text.len())))
}

/// Where the lines begin, in whole lines, that go on behind them: unfinished parts, and what stack
/// traces may still be added to. The text's length if none do.
pub(super) fn unfinished_from(format: Format, text: &[u8]) -> usize {
    let mut held = text.len();
    let mut closed = [false; 2];
    let mut end = text.len();
    let reach = text.len().saturating_sub(JOINED_LEN_MAX * 2);
    while end > reach && closed != [true; 2] {
        let before = end - 1;
        let start = memchr::memrchr(b'\n', part(text, 0, before)).map_or(0, |at| at + 1);
        if let Some((index, partial)) = part_of(format, part(text, start, before))
            && let Some(closed) = closed.get_mut(index)
        {
            if partial && !*closed {
                held = start;
            } else {
                *closed = true;
            }
        }
        end = start;
    }
    // Parts beyond the limit are withheld, wherever the block ends.
    if text.len() - held > JOINED_LEN_MAX { text.len() } else { held }
}

fn part_of(format: Format, text: &[u8]) -> Option<(usize, bool)> {
    if format == Format::DockerJson {
        let line = docker(text)?;
        return Some((usize::from(line.error), !line.ends()));
    }
    line(text).map(|line| (usize::from(line.error), line.partial))
}
