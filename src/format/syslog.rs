//! Syslog: `<13>Nov 30 14:00:00 host app[1]: message` and
//! `<13>1 2026-11-30T14:00:00Z host app 1 id [part name="value"] message`.

use super::at;
use super::names::NameId;
use super::names::Names;
use super::parser::Head;
use super::parser::Tools;
use super::parser::fixed;
use super::part;
use super::plain;
use super::records::FIELDS_MAX;
use super::records::Field;
use super::records::Records;
use super::records::Step;
use super::records::ValueKind;
use crate::record::Level;

/// Longest tag of a program.
const TAG_LEN_MAX: usize = 128;
/// Longest word of a header.
const WORD_LEN_MAX: usize = 256;

/// Reads a line of RFC 3164.
pub(super) fn read_3164(
    text: &[u8],
    (start, stop): (usize, usize),
    tools: &mut Tools,
    records: &mut Records,
) -> Head {
    let first = records.fields.len();
    match old(text, start, stop, tools, records) {
        Some(head) => head,
        None => {
            records.fields.truncate(first);
            plain::read(text, (start, stop), tools, records)
        }
    }
}

/// Reads a line of RFC 5424.
pub(super) fn read_5424(
    text: &[u8],
    (start, stop): (usize, usize),
    tools: &mut Tools,
    records: &mut Records,
) -> Head {
    let (first, parents) = (records.fields.len(), records.parents.len());
    match new(text, start, stop, tools, records) {
        Some(head) if records.fields.len() - first <= FIELDS_MAX => head,
        Some(_) => {
            records.parents.truncate(parents);
            Head::UNREAD
        }
        None => {
            records.fields.truncate(first);
            records.parents.truncate(parents);
            plain::read(text, (start, stop), tools, records)
        }
    }
}

/// `<13>` at `from`: its level and where it ends.
fn priority(text: &[u8], from: usize, stop: usize) -> Option<(Level, usize)> {
    if at(text, from) != b'<' {
        return None;
    }
    let digits = part(text, from + 1, stop.min(from + 5));
    let len = digits.iter().position(|byte| *byte == b'>').filter(|len| (1..=3).contains(len))?;
    let number = part(digits, 0, len).iter().try_fold(0_u16, |sum, byte| {
        byte.is_ascii_digit().then(|| sum * 10 + u16::from(byte - b'0'))
    })?;
    (number < 192).then(|| (Level::of_severity((number % 8) as u8), from + len + 2))
}

fn word(text: &[u8], from: usize, stop: usize) -> Option<usize> {
    let limit = stop.min(from + WORD_LEN_MAX);
    part(text, from, limit).iter().position(|byte| *byte == b' ').map(|len| from + len)
}

fn old(
    text: &[u8],
    start: usize,
    stop: usize,
    tools: &mut Tools,
    records: &mut Records,
) -> Option<Head> {
    let (level, from) = match priority(text, start, stop) {
        Some((level, from)) => {
            records.fields.push(fixed(NameId::PRIORITY, start + 1, from - 1));
            (level, from)
        }
        None => (Level::Unknown, start),
    };
    let (moment, len) = tools.moments.date(part(text, from, stop))?;
    let host = from + len + 1;
    if at(text, host - 1) != b' ' {
        return None;
    }
    let host_end = word(text, host, stop)?;
    records.fields.push(fixed(NameId::TIME, from, from + len));
    records.fields.push(fixed(NameId::HOST, host, host_end));
    // A tag ends with a colon; without one all is message.
    let tag = host_end + 1;
    let head = part(text, tag, stop.min(tag + TAG_LEN_MAX));
    let tag_len = head.iter().position(|byte| matches!(byte, b'[' | b':' | b' '));
    let mut message = tag;
    if let Some(len) = tag_len.filter(|len| *len > 0 && head.get(*len) != Some(&b' ')) {
        let end = tag + len;
        let process = (head.get(len) == Some(&b'[')).then_some(()).and_then(|()| {
            let close = end + memchr::memchr(b']', part(text, end, tag + head.len()))?;
            (at(text, close + 1) == b':').then_some(close)
        });
        let colon = process.map_or(end, |close| close + 1);
        if at(text, colon) == b':' {
            records.fields.push(fixed(NameId::APP, tag, end));
            if let Some(close) = process {
                records.fields.push(fixed(NameId::PROCESS, end + 1, close));
            }
            message = colon + 1;
            message += usize::from(at(text, message) == b' ');
        }
    }
    records.fields.push(fixed(NameId::MESSAGE, message.min(stop), stop));
    Some(Head::fields(Some(moment), level))
}

fn new(
    text: &[u8],
    start: usize,
    stop: usize,
    tools: &mut Tools,
    records: &mut Records,
) -> Option<Head> {
    let (level, from) = priority(text, start, stop)?;
    if at(text, from) != b'1' || at(text, from + 1) != b' ' {
        return None;
    }
    records.fields.push(fixed(NameId::PRIORITY, start + 1, from - 1));
    let mut from = from + 2;
    let mut moment = None;
    let names = [NameId::TIME, NameId::HOST, NameId::APP, NameId::PROCESS, NameId::MESSAGE_ID];
    for name in names {
        let end = word(text, from, stop)?;
        let value = part(text, from, end);
        if name == NameId::TIME && value != b"-" {
            moment = Some(tools.moments.read(value)?);
        }
        if value != b"-" {
            records.fields.push(fixed(name, from, end));
        }
        from = end + 1;
    }
    from = elements(text, from, stop, &mut tools.names, records)?;
    from += usize::from(at(text, from) == b' ' && from < stop);
    // A mark of the encoding, which is no text.
    if part(text, from, stop).starts_with(&[0xef, 0xbb, 0xbf]) {
        from += 3;
    }
    records.fields.push(fixed(NameId::MESSAGE, from.min(stop), stop));
    Some(Head::fields(moment, level))
}

/// `-`, or `[id name="value" …]` any number of times; gives where they end.
fn elements(
    text: &[u8],
    from: usize,
    stop: usize,
    names: &mut Names,
    records: &mut Records,
) -> Option<usize> {
    if at(text, from) == b'-' {
        return Some(from + 1);
    }
    let limit = records.fields.len() + FIELDS_MAX;
    let mut from = from;
    let mut before = NameId::ROOT;
    while at(text, from) == b'[' && from < stop {
        let id = from + 1;
        let end = id + part(text, id, stop).iter().position(|byte| matches!(byte, b' ' | b']'))?;
        let step = Step::Key { start: id as u32, end: end as u32 };
        let around = names.of_key(NameId::ROOT, before, part(text, id, end));
        before = around;
        let parent = records.parents.len();
        records.parents.push(super::records::Parent {
            name: around,
            step,
            parent: None,
            start: from as u32,
            end: 0,
        });
        let mut place = end;
        while at(text, place) == b' ' {
            let key = place + 1;
            let key_end = key + memchr::memchr(b'=', part(text, key, stop))?;
            if at(text, key_end + 1) != b'"' || records.fields.len() > limit {
                return None;
            }
            let (value, value_end) = quoted(text, key_end + 2, stop)?;
            let name = names.of_key(around, before, part(text, key, key_end));
            before = name;
            records.fields.push(Field {
                name,
                step: Step::Key { start: key as u32, end: key_end as u32 },
                parent: Some(parent as u32),
                start: value as u32,
                end: value_end as u32,
                kind: ValueKind::Quoted,
                overwritten: false,
            });
            place = value_end + 1;
        }
        if at(text, place) != b']' || place >= stop {
            return None;
        }
        from = place + 1;
        if let Some(element) = records.parents.get_mut(parent) {
            element.end = from as u32;
        }
    }
    Some(from)
}

fn quoted(text: &[u8], from: usize, stop: usize) -> Option<(usize, usize)> {
    let mut place = from;
    loop {
        place += memchr::memchr2(b'"', b'\\', part(text, place, stop))?;
        if at(text, place) == b'"' {
            return Some((from, place));
        }
        place += 2;
    }
}
