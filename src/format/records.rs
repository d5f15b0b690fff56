//! What a parser finds, in memory that is used again.

use std::ops::Range;

use super::names::NameId;
use crate::record::Level;
use crate::text::Span;
use crate::time::Timestamp;

/// Longest block that is parsed at once: places are kept in 32 bits.
pub const BLOCK_LEN_MAX: usize = 1 << 30;
/// Most fields of a record; one with more is not taken apart.
pub const FIELDS_MAX: usize = 512;

/// The records of a block.
#[derive(Clone, Debug, Default)]
pub struct Records {
    pub(super) entries: Vec<Entry>,
    pub(super) fields: Vec<Field>,
    pub(super) parents: Vec<Parent>,
}

/// One record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) first: u32,
    pub(super) last: u32,
    /// Lines joined.
    pub(super) lines: u32,
    /// When it was written, where it says so.
    pub timestamp: Option<Timestamp>,
    /// How bad it is.
    pub level: Level,
    /// What it was taken for.
    pub shape: Shape,
}

/// What a record was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// It has the form of its format, and its fields are known.
    Fields,
    /// Text: its one field is the message.
    Text,
    /// It seems to have fields, but cannot be read as its format says or is beyond a limit: its one
    /// field is the message, in which fields may stand that no policy was applied to.
    Unread,
}

/// A name and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its full name.
    pub name: NameId,
    /// The last step of the name, as it stands in the text.
    pub step: Step,
    /// The field it is inside of, as an index into [`Records::parents`].
    pub parent: Option<u32>,
    pub(super) start: u32,
    pub(super) end: u32,
    /// What the value is.
    pub kind: ValueKind,
    /// A later field of the same name counts in its place.
    pub overwritten: bool,
}

/// A field with fields inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parent {
    /// Its full name.
    pub name: NameId,
    /// The last step of the name.
    pub step: Step,
    /// The field it is inside of.
    pub parent: Option<u32>,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The last step of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A key in the text, without its quotes.
    Key {
        /// Where it begins.
        start: u32,
        /// One past its last byte.
        end: u32,
    },
    /// A place in a list.
    Index(u32),
    /// The format gives the name.
    Fixed,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Bytes as they stand.
    Raw,
    /// Text in quotes of another format than JSON, with backslashes before some bytes; the span is
    /// without its quotes.
    Quoted,
    /// A string of JSON without escapes; the span is without its quotes.
    Plain,
    /// A string of JSON with escapes; the span is without its quotes.
    Escaped,
    /// A number of JSON.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`, or a name without a value.
    Null,
    /// `{}` or `[]`.
    Empty,
}

impl Records {
    /// None.
    pub fn new() -> Records {
        Records::default()
    }

    /// Forgets all records, keeping the memory.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.fields.clear();
        self.parents.clear();
    }

    /// The records, in the order of the text.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The fields of a record, in the order of the text.
    pub fn fields(&self, entry: &Entry) -> &[Field] {
        self.fields.get(entry.fields()).unwrap_or(&[])
    }

    /// The fields that have fields inside, of all records.
    pub fn parents(&self) -> &[Parent] {
        &self.parents
    }
}

impl Entry {
    /// Its lines, with their ends.
    pub fn span(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }

    /// How many lines it has.
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// Where its fields stand among those of all records.
    pub fn fields(&self) -> Range<usize> {
        self.first as usize..self.last as usize
    }
}

impl Field {
    /// Its value.
    pub fn value(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }
}

impl Parent {
    /// All of it, with its brackets.
    pub fn value(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }
}
