//! Private keys as text: the part of them that one line shows.
//!
//! A key block that begins and ends on one line is one span. Where a line has only one edge of a
//! block, the edge is reported, and `mask` follows the block over the lines.

use super::Found;
use super::Rules;
use super::bytes::ALNUM;
use super::bytes::HEX;
use super::bytes::UPPER;
use super::bytes::before;
use super::bytes::byte;
use super::bytes::follows;
use super::bytes::is;
use super::gates::Gate;
use super::scan::Memo;

/// One edge of a key block without the other on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyEdge {
    /// Where its first dash stands.
    pub at: usize,
    /// The first line of a block, not the last.
    pub opens: bool,
}

/// Longest label between the dashes: `OPENSSH PRIVATE KEY`, `PGP PRIVATE KEY BLOCK`.
const LABEL_LEN_MAX: usize = 48;
/// Longest key block on one line: a 16,384-bit RSA key with doubled escapes takes half of it.
const LINE_BLOCK_LEN_MAX: usize = 64 * 1024;

impl Rules {
    /// Looks at the five dashes at `at`.
    #[inline(never)]
    pub(super) fn key_block(
        &self,
        text: &[u8],
        at: usize,
        memo: &mut Memo,
        found: &mut Vec<Found>,
        edges: &mut Vec<KeyEdge>,
    ) {
        let Some(rule) = self.gate(Gate::PrivateKey) else { return };
        // More than five dashes are a rule; the block's own are the last five.
        let dashes = text.get(at..).unwrap_or(&[]).iter().take_while(|byte| **byte == b'-').count();
        let Some(at) = (at + dashes).checked_sub(5).filter(|_| dashes >= 5) else { return };
        if at < memo.blocks {
            return;
        }
        if let Some(body) = label_end(text, at, b"BEGIN") {
            let end = if body < memo.no_closing { None } else { closing(text, body, memo) };
            let closed = end.is_some();
            let end = end.unwrap_or_else(|| body_end(text, body));
            self.push(found, rule, at, end);
            if !closed {
                edges.push(KeyEdge { at, opens: true });
            }
            memo.blocks = end;
        } else if let Some(end) = label_end(text, at, b"END") {
            self.push(found, rule, body_start(text, at), end);
            edges.push(KeyEdge { at, opens: false });
            memo.blocks = end;
        }
    }
}

impl Rules {
    /// A PuTTY key file's edges: the private part stands between `Private-Lines:` and `Private-MAC:`,
    /// with the colon at `at`.
    #[inline]
    pub(super) fn putty_key(
        &self,
        text: &[u8],
        at: usize,
        found: &mut Vec<Found>,
        edges: &mut Vec<KeyEdge>,
    ) {
        const OPENS: &[u8] = b"Private-Lines";
        const CLOSES: &[u8] = b"Private-MAC";
        // Both names end in letters that few other keys end in.
        if byte(text, at) != b':' || !matches!(before(text, at), b's' | b'C') {
            return;
        }
        let Some(head) = text.get(..at) else { return };
        if head.ends_with(OPENS) {
            edges.push(KeyEdge { at: at - OPENS.len(), opens: true });
        } else if head.ends_with(CLOSES)
            && let Some(rule) = self.gate(Gate::PrivateKey)
        {
            edges.push(KeyEdge { at: at - CLOSES.len(), opens: false });
            let start = at + 1 + usize::from(byte(text, at + 1) == b' ');
            let end = super::bytes::run_end(text, start, HEX, 128);
            self.push(found, rule, start, end);
        }
    }
}

/// The end of `-----BEGIN … PRIVATE KEY-----` at `at`. Blanks may be `+` or escapes.
fn label_end(text: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    let label = at + 5;
    if !follows(text, label, word) {
        return None;
    }
    let start = label + word.len();
    let mut end = start;
    while end - start < LABEL_LEN_MAX
        && (is(byte(text, end), UPPER | ALNUM)
            || matches!(byte(text, end), b' ' | b'+' | b'%' | b'_'))
    {
        end += 1;
    }
    let private = text.get(start..end)?.windows(7).any(|part| part == b"PRIVATE");
    (private && follows(text, end, b"-----")).then_some(end + 5)
}

/// The end of the block's last line, if it stands on the same line as `body`.
fn closing(text: &[u8], body: usize, memo: &mut Memo) -> Option<usize> {
    let rest = text.get(body..)?;
    let rest = rest.get(..LINE_BLOCK_LEN_MAX).unwrap_or(rest);
    let line = memchr::memchr(b'\n', rest).map_or(rest, |end| rest.get(..end).unwrap_or(rest));
    // The string that the key stands in ends at its quote.
    let mut escaped = false;
    let quote = line.iter().position(|byte| {
        let closes = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        closes
    });
    let line = quote.map_or(line, |end| line.get(..end).unwrap_or(line));
    let mut from = 0;
    while let Some(place) = memchr::memmem::find(line.get(from..).unwrap_or(&[]), b"-----END") {
        if let Some(end) = label_end(text, body + from + place, b"END") {
            return Some(end);
        }
        from += place + 8;
    }
    memo.no_closing = body + line.len();
    None
}

fn is_base64(byte: u8) -> bool {
    is(byte, ALNUM) || matches!(byte, b'+' | b'/' | b'=')
}

/// The end of the key text behind `start` on its line: base64, and line ends written as escapes.
fn body_end(text: &[u8], start: usize) -> usize {
    let mut end = start;
    while end - start < LINE_BLOCK_LEN_MAX {
        let next = byte(text, end);
        if is_base64(next) {
            end += 1;
        } else if next == b'\\' && matches!(byte(text, end + 1), b'n' | b'r' | b'\\') {
            end += 2;
        } else if next == b' ' && is_base64(byte(text, end + 1)) && end == start {
            end += 1;
        } else {
            break;
        }
    }
    end
}

/// The beginning of the key text that ends before `end` on its line.
fn body_start(text: &[u8], end: usize) -> usize {
    let mut start = end;
    while end - start < LINE_BLOCK_LEN_MAX {
        let last = before(text, start);
        if is_base64(last) || last == b'\\' && start < end {
            start -= 1;
        } else {
            break;
        }
    }
    // Less than a few bytes is a word before the dashes, not a key.
    if end - start < 8 { end } else { start }
}
