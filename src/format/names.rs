//! The names of a source's fields, each known by a number.
//!
//! Sources repeat their names in every record, mostly in the same order: each name remembers the one
//! that came after it the last time, so that a name is mostly known by one comparison.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::hash::RandomState;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use super::json;

/// Most names that are remembered of a source. Fields of other names are read as well, only slower.
pub const NAMES_MAX: usize = 4096;
/// Longest key that is remembered.
const KEY_LEN_MAX: usize = 256;
/// The key under which the elements of a list are known: no key of JSON has a control character.
const ELEMENT: &[u8] = b"\0";
/// Longest full name that is remembered.
const FULL_LEN_MAX: usize = 1024;

/// Numbers of the sources in this process, so that names of one are not taken for another's.
static TAGS: AtomicU64 = AtomicU64::new(1);

/// A name of a field, by its place among those of its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NameId(u16);

/// What a field tells of its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Nothing,
    Time,
    Level,
}

/// All names of a source.
#[derive(Debug)]
pub struct Names {
    list: Vec<Name>,
    known: HashMap<u64, Vec<NameId>>,
    hasher: RandomState,
    tag: u64,
}

#[derive(Debug)]
struct Name {
    parent: NameId,
    /// As it stands in the text, without its quotes.
    key: Box<[u8]>,
    /// Decoded, with a dot behind the names around it.
    full: Box<str>,
    role: Role,
    in_list: bool,
    next: NameId,
}

macro_rules! fixed {
    ($($(#[$doc:meta])* $id:ident = $at:literal $text:literal;)*) => {
        impl NameId {
            $($(#[$doc])* pub const $id: NameId = NameId($at);)*
        }
        const FIXED: &[(NameId, &str)] = &[$((NameId::$id, $text)),*];
    };
}

fixed! {
    /// What is around the outermost fields.
    ROOT = 0 "";
    /// A name that is not remembered.
    OTHER = 1 "?";
    /// The text of a record.
    MESSAGE = 2 "message";
    /// The lines that follow a record's first line and belong to it.
    TRACE = 3 "stack_trace";
    /// The moment.
    TIME = 4 "time";
    /// The level.
    LEVEL = 5 "level";
    /// `stdout` or `stderr`.
    STREAM = 6 "stream";
    /// The machine.
    HOST = 7 "host";
    /// The program.
    APP = 8 "appname";
    /// The number of the process.
    PROCESS = 9 "procid";
    /// The kind of message.
    MESSAGE_ID = 10 "msgid";
    /// Facility and severity in one number.
    PRIORITY = 11 "priority";
    /// The file of the source text.
    FILE = 12 "file";
    /// The line of the source text.
    LINE = 13 "line";
    /// The number of the thread.
    THREAD = 14 "tid";
    /// Where a request came from.
    CLIENT = 15 "client";
    /// The identity by RFC 1413.
    IDENT = 16 "ident";
    /// The user who asked.
    USER = 17 "user";
    /// A request that is not in the form of one.
    REQUEST = 18 "request";
    /// The method.
    METHOD = 19 "method";
    /// What was asked for.
    URL = 20 "url";
    /// The protocol.
    PROTOCOL = 21 "protocol";
    /// The status.
    STATUS = 22 "status";
    /// Bytes of the answer.
    BYTES = 23 "bytes";
    /// The page before.
    REFERER = 24 "referer";
    /// The program that asked.
    USER_AGENT = 25 "user_agent";
    /// What a line has beyond its format.
    REST = 26 "rest";
}

impl NameId {
    /// Its place among the names of its source.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Default for Names {
    fn default() -> Names {
        Names::new()
    }
}

impl Names {
    /// The names that formats give.
    pub fn new() -> Names {
        let list = FIXED
            .iter()
            .map(|(_, text)| Name {
                parent: NameId::OTHER,
                key: text.as_bytes().into(),
                full: (*text).into(),
                role: Role::Nothing,
                in_list: false,
                next: NameId::OTHER,
            })
            .collect();
        Names {
            list,
            known: HashMap::new(),
            hasher: RandomState::new(),
            tag: TAGS.fetch_add(1, Ordering::Relaxed),
        }
    }

    /// A number that tells these names from those of any other source.
    pub fn tag(&self) -> u64 {
        self.tag
    }

    /// All of them, in order.
    pub fn all(&self) -> impl Iterator<Item = (NameId, &str)> {
        self.list.iter().enumerate().map(|(at, name)| (NameId(at as u16), &*name.full))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// False: the names that formats give are always there.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The full name, with dots; an element of a list has `[]` in the place of its index.
    pub fn full(&self, id: NameId) -> &str {
        self.list.get(id.index()).map_or("", |name| &name.full)
    }

    /// True when an index of a list is part of the full name.
    pub fn is_in_list(&self, id: NameId) -> bool {
        self.list.get(id.index()).is_some_and(|name| name.in_list)
    }

    /// The name around it, [`NameId::ROOT`] for outermost ones.
    pub fn around(&self, id: NameId) -> NameId {
        match self.list.get(id.index()) {
            Some(name) if name.parent != NameId::OTHER => name.parent,
            Some(_) | None => NameId::ROOT,
        }
    }

    #[inline]
    pub(super) fn role(&self, id: NameId) -> Role {
        self.list.get(id.index()).map_or(Role::Nothing, |name| name.role)
    }

    /// The name of `key` inside of `parent`, after `before`.
    #[inline]
    pub(super) fn of_key(&mut self, parent: NameId, before: NameId, key: &[u8]) -> NameId {
        let guess = self.list.get(before.index()).map_or(NameId::OTHER, |name| name.next);
        if let Some(name) = self.list.get(guess.index())
            && name.parent == parent
            && same(&name.key, key)
        {
            return guess;
        }
        self.look_up(parent, before, key)
    }

    /// The name of the elements of the list `parent`.
    pub(super) fn of_element(&mut self, parent: NameId, before: NameId) -> NameId {
        self.of_key(parent, before, ELEMENT)
    }

    #[inline(never)]
    fn look_up(&mut self, parent: NameId, before: NameId, key: &[u8]) -> NameId {
        let id = self.find(parent, key);
        if id != NameId::OTHER
            && let Some(name) = self.list.get_mut(before.index())
        {
            name.next = id;
        }
        id
    }

    fn find(&mut self, parent: NameId, key: &[u8]) -> NameId {
        if parent == NameId::OTHER || key.len() > KEY_LEN_MAX {
            return NameId::OTHER;
        }
        // Keyed: names come from the log, and must not be able to collide on purpose.
        let hash = self.hasher.hash_one((parent, key));
        let found = self.known.get(&hash).into_iter().flatten().find(|id| {
            let name = self.list.get(id.index());
            name.is_some_and(|name| name.parent == parent && *name.key == *key)
        });
        if let Some(id) = found {
            return *id;
        }
        if self.list.len() >= NAMES_MAX {
            return NameId::OTHER;
        }
        let around = self.full(parent);
        let mut full = around.to_owned();
        let in_list = self.is_in_list(parent) || key == ELEMENT;
        if key == ELEMENT {
            full.push_str("[]");
        } else {
            if !around.is_empty() {
                full.push('.');
            }
            full.push_str(&json::decoded_key(key));
        }
        if full.len() > FULL_LEN_MAX {
            return NameId::OTHER;
        }
        let id = NameId(self.list.len() as u16);
        let role = role_of(&full);
        let (full, key) = (full.into(), key.into());
        self.list.push(Name { parent, key, full, role, in_list, next: NameId::OTHER });
        self.known.entry(hash).or_default().push(id);
        id
    }
}

/// What a name tells of its record.
fn role_of(full: &str) -> Role {
    const TIMES: [&str; 9] =
        ["time", "ts", "timestamp", "@timestamp", "datetime", "date", "t", "log.time", "eventtime"];
    const LEVELS: [&str; 9] = [
        "level",
        "lvl",
        "severity",
        "loglevel",
        "log_level",
        "log.level",
        "levelname",
        "detected_level",
        "severity_text",
    ];
    let is = |names: &[&str]| names.iter().any(|name| full.eq_ignore_ascii_case(name));
    if is(&TIMES) {
        Role::Time
    } else if is(&LEVELS) {
        Role::Level
    } else {
        Role::Nothing
    }
}

/// Equality of short texts, which most keys are, without a call.
#[inline]
fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if let (Some(a_head), Some(b_head), Some(a_tail), Some(b_tail)) =
        (a.first_chunk::<8>(), b.first_chunk::<8>(), a.last_chunk::<8>(), b.last_chunk::<8>())
    {
        return a_head == b_head && a_tail == b_tail && (a.len() <= 16 || a == b);
    }
    a.iter().zip(b).all(|(a, b)| a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_names_stand_at_their_places() {
        let names = Names::new();
        for (at, (id, text)) in FIXED.iter().enumerate() {
            assert_eq!((id.index(), names.full(*id)), (at, *text));
        }
    }

    #[test]
    fn a_source_with_too_many_names_is_read_all_the_same() {
        let mut names = Names::new();
        let mut before = NameId::ROOT;
        for number in 0..NAMES_MAX * 2 {
            before = names.of_key(NameId::ROOT, before, format!("name{number}").as_bytes());
        }
        assert_eq!(names.len(), NAMES_MAX);
        assert_eq!(before, NameId::OTHER);
        let known = names.of_key(NameId::ROOT, NameId::ROOT, b"name7");
        assert_eq!(names.full(known), "name7");
        assert_eq!(names.of_key(NameId::OTHER, NameId::ROOT, b"x"), NameId::OTHER);
    }

    #[test]
    fn keys_are_told_apart_whatever_their_length() {
        for (a, b, equal) in [
            ("", "", true),
            ("abc", "abd", false),
            ("abcdefgh", "abcdefgx", false),
            ("abcdefghijklmnop", "abcdefghijklmnop", true),
            ("abcdefghXijklmnopq", "abcdefghYijklmnopq", false),
            ("abcdefgh", "abcdefghi", false),
        ] {
            assert_eq!(same(a.as_bytes(), b.as_bytes()), equal, "{a} {b}");
        }
    }
}
