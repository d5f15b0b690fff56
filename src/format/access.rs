//! Access logs in the common and the combined form.
//!
//! `client ident user [time] "request" status bytes "referer" "user agent"`, and maybe more.

use super::at;
use super::names::NameId;
use super::parser::Head;
use super::parser::Tools;
use super::parser::fixed;
use super::part;
use super::plain;
use super::records::Records;
use crate::record::Level;

/// How far the time may stand from the beginning: client, identity and user.
const HEAD_LEN_MAX: usize = 1024;

/// Reads the line `start..stop`. `places` are the marks from `start` on.
pub(super) fn read(
    text: &[u8],
    (start, stop): (usize, usize),
    places: &[u32],
    tools: &mut Tools,
    records: &mut Records,
) -> Head {
    let first = records.fields.len();
    match line(text, start, stop, places, tools, records) {
        Some(head) => head,
        None => {
            records.fields.truncate(first);
            plain::read(text, (start, stop), tools, records)
        }
    }
}

/// A quoted text from the places, without its quotes.
#[inline]
fn quoted(text: &[u8], stop: usize, places: &mut &[u32]) -> Option<(usize, usize)> {
    let [open, close, rest @ ..] = *places else { return None };
    let (open, close) = (*open as usize, *close as usize);
    if close >= stop || at(text, open) != b'"' || at(text, close) != b'"' {
        return None;
    }
    *places = rest;
    Some((open + 1, close))
}

/// The place of the next blank from `from` on, before `stop`.
#[inline]
fn blank(text: &[u8], from: usize, stop: usize) -> Option<usize> {
    part(text, from, stop).iter().position(|byte| *byte == b' ').map(|len| from + len)
}

#[inline]
fn line(
    text: &[u8],
    start: usize,
    stop: usize,
    mut places: &[u32],
    tools: &mut Tools,
    records: &mut Records,
) -> Option<Head> {
    let limit = stop.min(start + HEAD_LEN_MAX);
    let client = blank(text, start, limit)?;
    let ident = blank(text, client + 1, limit)?;
    let open = ident + 1 + memchr::memchr(b'[', part(text, ident + 1, limit))?;
    let user = open.checked_sub(1).filter(|user| *user > ident && at(text, *user) == b' ')?;
    let (moment, len) = tools.moments.access(part(text, open + 1, stop))?;
    let close = open + 1 + len;
    if at(text, close) != b']' {
        return None;
    }
    let (from, to) = quoted(text, stop, &mut places)?;
    if from != close + 3 {
        return None;
    }
    records.fields.extend([
        fixed(NameId::CLIENT, start, client),
        fixed(NameId::IDENT, client + 1, ident),
        fixed(NameId::USER, ident + 1, user),
        fixed(NameId::TIME, open + 1, close),
    ]);
    request(text, from, to, records);
    let status = to + 2;
    let status_end = blank(text, status, stop)?;
    let bytes = status_end + 1;
    let bytes_end = blank(text, bytes, stop).unwrap_or(stop);
    records.fields.push(fixed(NameId::STATUS, status, status_end));
    records.fields.push(fixed(NameId::BYTES, bytes, bytes_end));
    let mut end = bytes_end;
    for name in [NameId::REFERER, NameId::USER_AGENT] {
        if let Some((from, to)) = quoted(text, stop, &mut places) {
            if from != end + 2 {
                return None;
            }
            records.fields.push(fixed(name, from, to));
            end = to + 1;
        }
    }
    if end + 1 < stop {
        records.fields.push(fixed(NameId::REST, end + 1, stop));
    }
    let level = match at(text, status) {
        b'5' => Level::Error,
        b'4' => Level::Warn,
        _ => Level::Info,
    };
    Some(Head::fields(Some(moment), level))
}

/// `GET /path HTTP/1.1`, or whatever a client sent in its place.
#[inline]
fn request(text: &[u8], from: usize, to: usize, records: &mut Records) {
    let method = blank(text, from, to.min(from + 16));
    let protocol = memchr::memrchr(b' ', part(text, to.saturating_sub(12).max(from), to))
        .map(|at| to.saturating_sub(12).max(from) + at);
    match (method, protocol) {
        (Some(method), Some(protocol)) if method < protocol => records.fields.extend([
            fixed(NameId::METHOD, from, method),
            fixed(NameId::URL, method + 1, protocol),
            fixed(NameId::PROTOCOL, protocol + 1, to),
        ]),
        _ => records.fields.push(fixed(NameId::REQUEST, from, to)),
    }
}
