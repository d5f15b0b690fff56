//! Kubernetes' own programs: `I1130 14:00:00.123456    1234 file.go:12] message`.

use super::at;
use super::names::NameId;
use super::parser::Head;
use super::parser::Tools;
use super::parser::fixed;
use super::part;
use super::plain;
use super::records::Records;
use crate::record::Level;

/// How far the `]` may stand from the beginning.
const HEAD_LEN_MAX: usize = 256;

/// True for a line that begins as klog's do.
pub(super) fn looks_like(line: &[u8]) -> bool {
    matches!(
        line,
        [b'I' | b'W' | b'E' | b'F', b'0' | b'1', b'0'..=b'9', b'0'..=b'3', b'0'..=b'9', b' ', rest @ ..]
            if rest.first().is_some_and(u8::is_ascii_digit)
    )
}

/// Reads the line `start..stop`.
pub(super) fn read(
    text: &[u8],
    (start, stop): (usize, usize),
    tools: &mut Tools,
    records: &mut Records,
) -> Head {
    let line = part(text, start, stop);
    let first = records.fields.len();
    match head(line, start, tools, records) {
        Some(head) => head,
        None => {
            records.fields.truncate(first);
            plain::read(text, (start, stop), tools, records)
        }
    }
}

fn head(line: &[u8], start: usize, tools: &mut Tools, records: &mut Records) -> Option<Head> {
    if !looks_like(line) {
        return None;
    }
    let level = match line.first()? {
        b'I' => Level::Info,
        b'W' => Level::Warn,
        b'E' => Level::Error,
        _ => Level::Fatal,
    };
    let (moment, len) = tools.moments.digits(part(line, 1, line.len()))?;
    let close = memchr::memchr(b']', part(line, 0, line.len().min(HEAD_LEN_MAX)))?;
    let mut from = 1 + len;
    while at(line, from) == b' ' {
        from += 1;
    }
    let thread_end = from + part(line, from, close).iter().position(|byte| *byte == b' ')?;
    let file = thread_end + 1;
    let colon = file + memchr::memrchr(b':', part(line, file, close))?;
    let mut body = close + 1;
    if at(line, body) == b' ' {
        body += 1;
    }
    let body = body.min(line.len());
    records.fields.extend([
        fixed(NameId::LEVEL, start, start + 1),
        fixed(NameId::TIME, start + 1, start + 1 + len),
        fixed(NameId::THREAD, start + from, start + thread_end),
        fixed(NameId::FILE, start + file, start + colon),
        fixed(NameId::LINE, start + colon + 1, start + close),
        fixed(NameId::MESSAGE, start + body, start + line.len()),
    ]);
    Some(Head::fields(Some(moment), level))
}
