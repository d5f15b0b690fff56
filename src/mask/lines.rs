//! Key blocks over lines.
//!
//! The first line of a private key opens a block; the lines that follow carry its text behind the
//! same beginning of a line (a time stamp's digits may differ), maybe with lines of others between
//! them; the last line closes it. A last line without a first one closes a block whose beginning was
//! cut off: the key text before it is masked backwards.

use crate::detect::KeyEdge;
use crate::text::Span;

/// Lines in a row without key text after which a block without its last line is over.
const MISSES_MAX: usize = 64;
/// How far back the text of a key without its first line is followed.
pub(super) const HEADLESS_LEN_MAX: usize = 1024 * 1024;
/// How far a key block without its last line is followed.
pub(super) const KEY_LEN_MAX: usize = 1024 * 1024;
/// Longest beginning of a line that is remembered.
const PREFIX_LEN_MAX: usize = 512;
/// Shortest base64 that is key text whatever stands before it.
const BODY_LEN_MIN: usize = 40;

/// State that goes from one piece of a stream to the next.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Carry {
    open: Option<Open>,
}

impl std::fmt::Debug for Carry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Carry(key block {})", if self.open.is_some() { "open" } else { "closed" })
    }
}

/// A key block whose last line has not come yet.
#[derive(Clone, PartialEq, Eq)]
struct Open {
    prefix: Vec<u8>,
    misses: usize,
    /// Bytes since its first line.
    len: usize,
}

impl Carry {
    /// True when nothing has to be remembered.
    pub fn is_empty(&self) -> bool {
        self.open.is_none()
    }
}

/// Appends the spans of key text on the lines of `text` that the edges alone do not cover.
pub(super) fn key_lines(text: &[u8], edges: &[KeyEdge], carry: &mut Carry, spans: &mut Vec<Span>) {
    let mut edges = edges.iter().copied().peekable();
    let mut at = 0;
    loop {
        let Some(open) = &mut carry.open else {
            let Some(edge) = edges.next() else { return };
            let line = line_start(text, edge.at);
            if edge.opens {
                carry.open = Some(Open::new(text, line, edge.at));
            } else {
                headless(text, line, spans);
            }
            at = line_end(text, edge.at) + 1;
            continue;
        };
        if at >= text.len() {
            return;
        }
        let end = line_end(text, at);
        open.len += end + 1 - at;
        let mut edge_here = None;
        while let Some(edge) = edges.next_if(|edge| edge.at < end) {
            edge_here = Some(edge);
        }
        if let Some(edge) = edge_here {
            carry.open = edge.opens.then(|| Open::new(text, at, edge.at));
        } else if let Some(mut body) = body_of(text, Span::new(at, end), &open.prefix) {
            open.misses = 0;
            // In `\nMII…` the letter belongs to the escape.
            if text.get(..body.start).is_some_and(|head| head.ends_with(b"\\")) {
                body.start += 1;
            }
            if !body.is_empty() {
                spans.push(body);
            }
        } else {
            open.misses += 1;
        }
        if carry
            .open
            .as_ref()
            .is_some_and(|open| open.misses > MISSES_MAX || open.len > KEY_LEN_MAX)
        {
            carry.open = None;
        }
        at = end + 1;
    }
}

impl Open {
    fn new(text: &[u8], line: usize, at: usize) -> Open {
        let prefix = text.get(line..at).unwrap_or(&[]);
        let prefix = prefix.get(..PREFIX_LEN_MAX).unwrap_or(prefix);
        Open { prefix: prefix.to_vec(), misses: 0, len: 0 }
    }
}

/// Masks the key text on the lines before a last line at `line` whose first line is not there: full
/// lines without a gap, and one shorter line behind them, as far as they were held back.
fn headless(text: &[u8], line: usize, spans: &mut Vec<Span>) {
    let mut end = line;
    while let Some(stop) = end.checked_sub(1) {
        let start = line_start(text, stop);
        let bytes = text.get(start..stop).unwrap_or(&[]);
        let full = is_full_key_line(bytes);
        let shorter = end == line && start > 0 && {
            let above = line_start(text, start - 1);
            let above = text.get(above..start - 1).unwrap_or(&[]);
            is_full_key_line(above) && may_end_key(bytes, above)
        };
        if !full && !shorter || line - start > HEADLESS_LEN_MAX {
            return;
        }
        let trimmed = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let len = trimmed.iter().rev().take_while(|byte| is_base64(**byte)).count();
        let from = start + trimmed.len() - len;
        // In `\nMII…` the letter belongs to the escape.
        let escape = text.get(..from).is_some_and(|head| head.ends_with(b"\\"));
        spans.push(Span::new(from + usize::from(escape), start + trimmed.len()));
        end = start;
    }
}

/// The key text on a line of a block whose first line begins with `prefix`. Empty for a line that
/// belongs to the block without holding key text.
fn body_of(text: &[u8], line: Span, prefix: &[u8]) -> Option<Span> {
    let bytes = text.get(line.start..line.end)?;
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    if let Some(rest) = bytes.get(prefix.len()..).filter(|_| begins_alike(bytes, prefix)) {
        let from = line.start + prefix.len();
        let len = rest.iter().position(|byte| !is_base64(*byte)).unwrap_or(rest.len());
        let closed = matches!(rest.get(len), None | Some(b'\\' | b'"' | b'\''));
        if closed && (len > 0 || rest.is_empty()) {
            return Some(Span::new(from, from + len));
        }
        let header =
            [&b"Proc-Type:"[..], b"DEK-Info:", b"Version:", b"Comment:", b"Charset:", b"Hash:"];
        if header.iter().any(|name| rest.starts_with(name)) {
            return Some(Span::new(from, from + rest.len()));
        }
    }
    // Lines of another form: any long run of base64 is taken for key text.
    let mut from = 0;
    while from + BODY_LEN_MIN <= bytes.len() {
        let rest = bytes.get(from..)?;
        let len = rest.iter().position(|byte| !is_base64(*byte)).unwrap_or(rest.len());
        if len >= BODY_LEN_MIN {
            return Some(Span::new(line.start + from, line.start + from + len));
        }
        from += len + 1;
    }
    None
}

/// True when the line begins like `prefix`, digits standing for digits.
fn begins_alike(line: &[u8], prefix: &[u8]) -> bool {
    line.len() >= prefix.len()
        && line.iter().zip(prefix).all(|(a, b)| a == b || a.is_ascii_digit() && b.is_ascii_digit())
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

pub(super) fn line_start(text: &[u8], at: usize) -> usize {
    text.get(..at).and_then(|head| memchr::memrchr(b'\n', head)).map_or(0, |end| end + 1)
}

pub(super) fn line_end(text: &[u8], at: usize) -> usize {
    text.get(at..).and_then(|rest| memchr::memchr(b'\n', rest)).map_or(text.len(), |len| at + len)
}

/// True when a line ends like a full line of key text: 64, 70 or 76 bytes of base64 with letters of
/// both cases, which digests do not have.
pub(super) fn is_full_key_line(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let len = line.iter().rev().take(80).take_while(|byte| is_base64(**byte)).count();
    let body = line.get(line.len() - len..).unwrap_or(&[]);
    matches!(len, 64 | 70 | 76)
        && body.iter().any(u8::is_ascii_uppercase)
        && body.iter().any(u8::is_ascii_lowercase)
}

/// True when `line` may be the last line of the key text that `full` is a full line of: some base64
/// behind the same beginning.
pub(super) fn may_end_key(line: &[u8], full: &[u8]) -> bool {
    let trim = |line: &'_ [u8]| line.len() - usize::from(line.ends_with(b"\r"));
    let full = full.get(..trim(full)).unwrap_or(full);
    let body = full.iter().rev().take(80).take_while(|byte| is_base64(**byte)).count();
    let prefix = full.get(..full.len() - body).unwrap_or(&[]);
    let rest = line.get(prefix.len()..trim(line)).unwrap_or(&[]);
    begins_alike(line, prefix) && !rest.is_empty() && rest.iter().all(|byte| is_base64(*byte))
}
