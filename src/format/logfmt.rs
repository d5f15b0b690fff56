//! `name=value` pairs, values with blanks in quotes.
//!
//! A word that is no pair belongs to the value before it, for many programs forget the quotes.

use super::at;
use super::names::NameId;
use super::parser::Head;
use super::parser::Tools;
use super::part;
use super::plain;
use super::records::FIELDS_MAX;
use super::records::Field;
use super::records::Records;
use super::records::Step;
use super::records::ValueKind;

/// Longest name.
const NAME_LEN_MAX: usize = 128;

/// True for a line that begins with two pairs.
pub(super) fn looks_like(line: &[u8]) -> bool {
    let Some(end) = name_end(line, 0, line.len()) else { return false };
    let (_, end, _) = value(line, end + 1, line.len());
    let next = end + usize::from(at(line, end) == b' ');
    next > end && name_end(line, next, line.len()).is_some()
}

/// Reads the line `start..stop`.
pub(super) fn read(
    text: &[u8],
    (start, stop): (usize, usize),
    tools: &mut Tools,
    records: &mut Records,
) -> Head {
    let first = records.fields.len();
    let mut from = start;
    let mut before = NameId::ROOT;
    if name_end(text, start, stop).is_none() {
        return plain::read(text, (start, stop), tools, records);
    }
    while from < stop {
        if at(text, from) == b' ' {
            from += 1;
            continue;
        }
        let Some(end) = name_end(text, from, stop) else {
            let end = word_end(text, from, stop);
            if let Some(field) = records.fields.get_mut(first..).and_then(<[Field]>::last_mut) {
                // The closing quote of a value that turned out to be longer is part of it.
                if field.kind != ValueKind::Raw {
                    field.start -= 1;
                    field.kind = ValueKind::Raw;
                }
                field.end = end as u32;
            }
            from = end;
            continue;
        };
        if records.fields.len() - first >= FIELDS_MAX {
            return Head::UNREAD;
        }
        let name = tools.names.of_key(NameId::ROOT, before, part(text, from, end));
        before = name;
        let (value_start, value_end, kind) = value(text, end + 1, stop);
        records.fields.push(Field {
            name,
            step: Step::Key { start: from as u32, end: end as u32 },
            parent: None,
            start: value_start as u32,
            end: value_end as u32,
            kind,
            overwritten: false,
        });
        from = value_end + usize::from(kind != ValueKind::Raw);
    }
    tools.head(text, records.fields.get(first..).unwrap_or(&[]))
}

/// Where the name at `from` ends, if it is one and an equals sign follows.
#[inline]
fn name_end(text: &[u8], from: usize, stop: usize) -> Option<usize> {
    let limit = stop.min(from + NAME_LEN_MAX);
    let len = part(text, from, limit).iter().position(|byte| {
        !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'@' | b'/'))
    })?;
    let named = len > 0 && !at(text, from).is_ascii_digit();
    (named && at(text, from + len) == b'=').then_some(from + len)
}

#[inline]
fn word_end(text: &[u8], from: usize, stop: usize) -> usize {
    let rest = part(text, from, stop);
    from + rest.iter().position(|byte| *byte == b' ').unwrap_or(rest.len())
}

/// The value at `from`, without its quotes.
#[inline]
fn value(text: &[u8], from: usize, stop: usize) -> (usize, usize, ValueKind) {
    if at(text, from) == b'"' && from < stop {
        let rest = part(text, from + 1, stop);
        let mut done = 0;
        while let Some(len) = memchr::memchr2(b'"', b'\\', part(rest, done, rest.len())) {
            let place = done + len;
            if rest.get(place) == Some(&b'"') {
                let end = from + 1 + place;

                // `"a"b` is no quoted value.
                if end + 1 >= stop || at(text, end + 1) == b' ' {
                    return (from + 1, end, ValueKind::Quoted);
                }
                break;
            }
            done = place + 2;
        }
    }
    (from, word_end(text, from, stop), ValueKind::Raw)
}
