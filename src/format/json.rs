//! Objects of JSON, one a record.
//!
//! The walker steps from quote to quote along their places (`simd`) and looks at single bytes only
//! between strings. It accepts less than JSON: what has doubtful escapes, long numbers or a key twice
//! goes to the judge, which asks `serde_json`.

use super::at;
use super::judge;
use super::names::NameId;
use super::names::Names;
use super::names::Role;
use super::part;
use super::records::FIELDS_MAX;
use super::records::Field;
use super::records::Parent;
use super::records::Records;
use super::records::Step;
use super::records::ValueKind;
use crate::simd::Marks;

/// Deepest nesting of a record; one that is deeper is not taken apart.
pub const DEPTH_MAX: usize = 32;
/// Digits of a number that needs no second look.
const DIGITS_MAX: usize = 17;

/// What a walk over a record found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Its fields.
    Fields,
    /// Nothing that can be relied on.
    Unread,
}

/// Memory of the walker.
#[derive(Debug, Default)]
pub(super) struct Walker {
    stack: Vec<Level>,
    /// For each name, the record and the parent that it was last seen in.
    seen: Vec<(u64, u32)>,
    record: u64,
}

/// A container that is open.
#[derive(Clone, Copy, Debug)]
struct Level {
    name: NameId,
    parent: Option<u32>,
    /// The next index of a list.
    list: Option<u32>,
}

/// A walk over one record.
struct Walk<'w> {
    text: &'w [u8],
    /// Where the record's line ends.
    end: usize,
    at: usize,
    places: &'w [u32],
    marks: &'w Marks,
    /// Strings may have escapes.
    escapes: bool,
    /// Serde has to be asked.
    doubt: bool,
    before: NameId,
}

/// What a record's walk stands behind.
enum Closed {
    /// A comma: another value follows.
    Some,
    /// The end of the outermost object.
    All,
}

impl Walker {
    /// Appends the fields of the object at `start..end` to `records`. `places` are the marks from
    /// `start` on.
    #[inline]
    pub(super) fn walk(
        &mut self,
        text: &[u8],
        (start, end): (usize, usize),
        (marks, places): (&Marks, &[u32]),
        names: &mut Names,
        records: &mut Records,
    ) -> Outcome {
        let (fields, parents) = (records.fields.len(), records.parents.len());
        let mut walk = Walk {
            text,
            end,
            at: start,
            places,
            marks,
            escapes: marks.has_backslash(start, end),
            doubt: marks.has_high(start, end)
                && std::str::from_utf8(part(text, start, end)).is_err(),
            before: NameId::ROOT,
        };
        self.record += 1;
        self.stack.clear();
        let whole = self.object(&mut walk, names, records).is_some()
            && records.fields.len() - fields <= FIELDS_MAX;
        let agreed =
            whole && (!walk.doubt || judge::agrees(text, (start, end), names, records, fields));
        if agreed {
            return Outcome::Fields;
        }
        records.fields.truncate(fields);
        records.parents.truncate(parents);
        Outcome::Unread
    }

    fn object(
        &mut self,
        walk: &mut Walk<'_>,
        names: &mut Names,
        records: &mut Records,
    ) -> Option<()> {
        if walk.byte() != b'{' {
            return None;
        }
        walk.at += 1;
        walk.blanks();
        let limit = records.fields.len() + FIELDS_MAX;
        let mut open = Level { name: NameId::ROOT, parent: None, list: None };
        if walk.byte() == b'}' {
            walk.at += 1;
            return walk.rest();
        }
        loop {
            // A key and a colon, or the next index; then a value.
            let (step, name) = match &mut open.list {
                Some(next) => {
                    let step = Step::Index(*next);
                    *next += 1;
                    (step, names.of_element(open.name, walk.before))
                }
                None => {
                    let (start, end) = walk.string()?;
                    let key = part(walk.text, start, end);
                    if walk.escapes && key.contains(&b'\\') {
                        walk.doubt = true;
                    }
                    let name = names.of_key(open.name, walk.before, key);
                    self.note(walk, name, open.parent);
                    walk.colon()?;
                    (Step::Key { start: start as u32, end: end as u32 }, name)
                }
            };
            walk.before = name;
            match walk.value()? {
                Value::Leaf(start, end, kind) => {
                    records.fields.push(Field {
                        name,
                        step,
                        parent: open.parent,
                        start: start as u32,
                        end: end as u32,
                        kind,
                        overwritten: false,
                    });
                    if records.fields.len() > limit {
                        return None;
                    }
                }
                Value::Open(start, byte) => {
                    if self.stack.len() + 1 >= DEPTH_MAX {
                        return None;
                    }
                    records.parents.push(Parent {
                        name,
                        step,
                        parent: open.parent,
                        start: start as u32,
                        end: 0,
                    });
                    self.stack.push(open);
                    let parent = (records.parents.len() - 1) as u32;
                    let list = (byte == b'[').then_some(0);
                    open = Level { name, parent: Some(parent), list };
                    continue;
                }
            }
            match self.close(walk, &mut open, records)? {
                Closed::Some => {}
                Closed::All => return walk.rest(),
            }
        }
    }

    /// Walks over a comma, or over the ends of containers and the comma behind them.
    #[inline]
    fn close(
        &mut self,
        walk: &mut Walk<'_>,
        open: &mut Level,
        records: &mut Records,
    ) -> Option<Closed> {
        loop {
            walk.blanks();
            let close = if open.list.is_some() { b']' } else { b'}' };
            match walk.byte() {
                b',' => {
                    walk.at += 1;
                    walk.blanks();
                    return Some(Closed::Some);
                }
                byte if byte == close => {
                    walk.at += 1;
                    let Some(around) = self.stack.pop() else { return Some(Closed::All) };
                    let this = open.parent.and_then(|at| records.parents.get_mut(at as usize));
                    if let Some(this) = this {
                        this.end = walk.at as u32;
                    }
                    *open = around;
                }
                _ => return None,
            }
        }
    }

    /// Notes that a name was seen, to know it when it comes again in the same object.
    #[inline]
    fn note(&mut self, walk: &mut Walk<'_>, name: NameId, parent: Option<u32>) {
        if name == NameId::OTHER {
            walk.doubt = true;
            return;
        }
        let this = (self.record, parent.unwrap_or(u32::MAX));
        if self.seen.len() <= name.index() {
            self.seen.resize(name.index() + 1, (0, 0));
        }
        if let Some(seen) = self.seen.get_mut(name.index()) {
            walk.doubt |= *seen == this;
            *seen = this;
        }
    }
}

enum Value {
    Leaf(usize, usize, ValueKind),
    Open(usize, u8),
}

impl Walk<'_> {
    #[inline]
    fn byte(&self) -> u8 {
        if self.at < self.end { at(self.text, self.at) } else { b'\n' }
    }

    /// Passes blanks. Tabs and line ends are among the places.
    #[inline]
    fn blanks(&mut self) {
        loop {
            match self.byte() {
                b' ' => self.at += 1,
                b'\t' | b'\r' => {
                    self.at += 1;
                    self.places = self.places.get(1..).unwrap_or(&[]);
                }
                _ => return,
            }
        }
    }

    /// The string at the place of the walk, without its quotes.
    #[inline]
    fn string(&mut self) -> Option<(usize, usize)> {
        if self.byte() != b'"' {
            return None;
        }
        // A control inside is none of the string's quotes.
        let [open, close, rest @ ..] = self.places else { return None };
        let (open, close) = (*open as usize, *close as usize);
        if open != self.at || close >= self.end || at(self.text, close) != b'"' {
            return None;
        }
        self.places = rest;
        self.at = close + 1;
        Some((open + 1, close))
    }

    #[inline]
    fn colon(&mut self) -> Option<()> {
        if self.byte() == b':' {
            self.at += 1;
        } else {
            self.blanks();
            if self.byte() != b':' {
                return None;
            }
            self.at += 1;
        }
        self.blanks();
        Some(())
    }

    #[inline]
    fn value(&mut self) -> Option<Value> {
        let start = self.at;
        match self.byte() {
            b'"' => {
                let (start, end) = self.string()?;
                let escaped = self.escapes && self.marks.has_backslash(start, end);
                if escaped && !plain_escapes(part(self.text, start, end)) {
                    self.doubt = true;
                }
                let kind = if escaped { ValueKind::Escaped } else { ValueKind::Plain };
                Some(Value::Leaf(start, end, kind))
            }
            byte @ (b'{' | b'[') => {
                self.at += 1;
                self.blanks();
                if self.byte() == byte + 2 {
                    self.at += 1;
                    return Some(Value::Leaf(start, self.at, ValueKind::Empty));
                }
                Some(Value::Open(start, byte))
            }
            b'0'..=b'9' | b'-' => {
                self.number()?;
                Some(Value::Leaf(start, self.at, ValueKind::Number))
            }
            b't' => self.word(b"true", ValueKind::Bool),
            b'f' => self.word(b"false", ValueKind::Bool),
            b'n' => self.word(b"null", ValueKind::Null),
            _ => None,
        }
    }

    fn word(&mut self, word: &[u8], kind: ValueKind) -> Option<Value> {
        let start = self.at;
        let end = start + word.len();
        if end > self.end || part(self.text, start, end) != word {
            return None;
        }
        self.at = end;
        Some(Value::Leaf(start, end, kind))
    }

    #[inline]
    fn number(&mut self) -> Option<()> {
        let start = self.at;
        if self.byte() == b'-' {
            self.at += 1;
        }
        let whole = self.digits()?;
        if whole > 1 && at(self.text, self.at - whole) == b'0' {
            return None;
        }
        if self.byte() == b'.' {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.byte(), b'e' | b'E') {
            self.at += 1;
            if matches!(self.byte(), b'+' | b'-') {
                self.at += 1;
            }
            self.digits()?;
            // It may be too large for any number of 64 bits.
            self.doubt = true;
        }
        if self.at - start > DIGITS_MAX {
            self.doubt = true;
        }
        Some(())
    }

    #[inline]
    fn digits(&mut self) -> Option<usize> {
        let start = self.at;
        while self.byte().is_ascii_digit() {
            self.at += 1;
        }
        (self.at > start).then_some(self.at - start)
    }

    /// Nothing but blanks may follow.
    fn rest(&mut self) -> Option<()> {
        self.blanks();
        (self.at >= self.end).then_some(())
    }
}

/// True when every escape of a string is one of a single letter.
fn plain_escapes(string: &[u8]) -> bool {
    let mut rest = string;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        if !matches!(rest.get(at + 1), Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't'))
        {
            return false;
        }
        rest = rest.get(at + 2..).unwrap_or(&[]);
    }
    true
}

/// A key as a reader of JSON sees it; as it stands where it is none.
pub(super) fn decoded_key(key: &[u8]) -> String {
    if key.contains(&b'\\') {
        let mut quoted = Vec::with_capacity(key.len() + 2);
        quoted.push(b'"');
        quoted.extend_from_slice(key);
        quoted.push(b'"');
        if let Ok(decoded) = serde_json::from_slice(&quoted) {
            return decoded;
        }
    }
    String::from_utf8_lossy(key).into_owned()
}

/// Appends what a string of JSON stands for. Escapes that are none stay as they are; a lone
/// surrogate becomes U+FFFD.
pub fn decode(string: &[u8], out: &mut Vec<u8>) {
    let mut rest = string;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(part(rest, 0, at));
        let (decoded, len) = match rest.get(at + 1) {
            Some(b'n') => (Some('\n'), 2),
            Some(b't') => (Some('\t'), 2),
            Some(b'r') => (Some('\r'), 2),
            Some(b'b') => (Some('\u{8}'), 2),
            Some(b'f') => (Some('\u{c}'), 2),
            Some(mark @ (b'"' | b'\\' | b'/')) => (Some(char::from(*mark)), 2),
            Some(b'u') => unicode(part(rest, at, rest.len())),
            Some(_) | None => (Some('\\'), 1),
        };
        let mut utf8 = [0; 4];
        out.extend_from_slice(decoded.unwrap_or('\u{fffd}').encode_utf8(&mut utf8).as_bytes());
        rest = rest.get(at + len..).unwrap_or(&[]);
    }
    out.extend_from_slice(rest);
}

/// The character of a `\uXXXX` or of two that are a pair, and the length.
fn unicode(text: &[u8]) -> (Option<char>, usize) {
    let unit = |from: usize| {
        let digits = text.get(from..from + 4)?;
        digits
            .iter()
            .try_fold(0, |sum, digit| char::from(*digit).to_digit(16).map(|digit| sum * 16 + digit))
    };
    let Some(first) = unit(2) else { return (Some('\\'), 1) };
    if let Some(plain) = char::from_u32(first) {
        return (Some(plain), 6);
    }
    let second =
        unit(8).filter(|low| text.get(6..8) == Some(b"\\u") && (0xdc00..0xe000).contains(low));
    match second.filter(|_| first < 0xdc00) {
        Some(low) => (char::from_u32(0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00)), 12),
        None => (None, 6),
    }
}

/// What the value of a field tells of its record, if anything.
#[inline]
pub(super) fn role(names: &Names, field: &Field) -> Option<Role> {
    match names.role(field.name) {
        Role::Nothing => None,
        role => matches!(
            field.kind,
            ValueKind::Plain | ValueKind::Number | ValueKind::Raw | ValueKind::Quoted
        )
        .then_some(role),
    }
}
