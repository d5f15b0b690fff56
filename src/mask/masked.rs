//! Records of masked text, in memory that is used again.

use super::MaskedText;
use super::report::Report;
use crate::format::NameId;
use crate::format::Names;
use crate::format::ValueKind;
use crate::record::Level;
use crate::record::Record;
use crate::time::Timestamp;

/// What stands in the place of a value that is withheld.
pub const WITHHELD: &str = "[withheld]";

/// The records of a block, masked.
#[derive(Debug, Default)]
pub struct MaskedRecords {
    /// All lines, one after the other, behind [`WITHHELD`].
    pub(super) text: MaskedText,
    /// Names that are not those of `known`.
    pub(super) names: MaskedText,
    pub(super) entries: Vec<MaskedEntry>,
    pub(super) fields: Vec<MaskedField>,
    /// Names that hold no value, by their places among those of the source.
    pub(super) known: Vec<MaskedText>,
    pub(super) tag: u64,
    pub(super) report: Report,
    pub(super) counts: Counts,
}

/// What happened to fields, without a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Records.
    pub records: u64,
    /// Fields that were withheld.
    pub withheld: u64,
    /// Fields whose trusted name promised another form than their value has.
    pub untrusted: u64,
    /// Records that seemed to have fields but could not be read.
    pub unread: u64,
}

impl Counts {
    /// Adds the sums of `other`.
    pub fn merge(&mut self, other: Counts) {
        self.records += other.records;
        self.withheld += other.withheld;
        self.untrusted += other.untrusted;
        self.unread += other.unread;
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct MaskedEntry {
    pub(super) line: (u32, u32),
    pub(super) fields: (u32, u32),
    pub(super) timestamp: Option<Timestamp>,
    pub(super) level: Level,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct MaskedField {
    pub(super) name: Name,
    pub(super) value: (u32, u32),
    pub(super) kind: ValueKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// One that holds no value.
    Known(NameId),
    /// A part of `names`.
    Own(u32, u32),
}

/// One record of a [`MaskedRecords`].
#[derive(Clone, Copy, Debug)]
pub struct MaskedRecord<'r> {
    records: &'r MaskedRecords,
    entry: MaskedEntry,
}

/// A field of a [`MaskedRecord`].
#[derive(Clone, Copy)]
pub struct MaskedPair<'r> {
    /// Its full name, decoded.
    pub name: &'r [u8],
    /// Its value, as it stands in the masked line.
    pub value: &'r [u8],
    /// What the value is.
    pub kind: ValueKind,
}

impl std::fmt::Debug for MaskedPair<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MaskedPair({} and {} bytes)", self.name.len(), self.value.len())
    }
}

impl MaskedRecords {
    /// None.
    pub fn new() -> MaskedRecords {
        MaskedRecords::default()
    }

    /// The records, in the order of the block.
    pub fn iter(&self) -> impl Iterator<Item = MaskedRecord<'_>> {
        self.entries.iter().map(|entry| MaskedRecord { records: self, entry: *entry })
    }

    /// The record at a place.
    pub fn get(&self, at: usize) -> Option<MaskedRecord<'_>> {
        self.entries.get(at).map(|entry| MaskedRecord { records: self, entry: *entry })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What was masked.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// What happened to fields.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Forgets the records, keeping the memory and the names that hold no value.
    pub(super) fn clear(&mut self, names: &Names) {
        self.text.0.clear();
        self.text.0.extend_from_slice(WITHHELD.as_bytes());
        self.names.0.clear();
        self.entries.clear();
        self.fields.clear();
        self.report.clear();
        self.counts = Counts::default();
        if self.tag != names.tag() {
            self.tag = names.tag();
            self.known.clear();
        }
        let more = names.all().skip(self.known.len());
        self.known.extend(more.map(|(_, name)| MaskedText(name.as_bytes().to_vec())));
    }

    pub(super) fn name(&self, name: Name) -> &[u8] {
        match name {
            Name::Known(id) => self.known.get(id.index()).map_or(&[], |name| name.as_bytes()),
            Name::Own(start, end) => slice(&self.names, (start, end)),
        }
    }
}

pub(super) fn slice(text: &MaskedText, (start, end): (u32, u32)) -> &[u8] {
    text.0.get(start as usize..end as usize).unwrap_or(&[])
}

impl<'r> MaskedRecord<'r> {
    /// When it was written, where it says so.
    pub fn timestamp(&self) -> Option<Timestamp> {
        self.entry.timestamp
    }

    /// How bad it is.
    pub fn level(&self) -> Level {
        self.entry.level
    }

    /// Its lines, without the last line end.
    pub fn line(&self) -> &'r [u8] {
        slice(&self.records.text, self.entry.line)
    }

    /// Its fields, in the order of the line.
    pub fn fields(&self) -> impl Iterator<Item = MaskedPair<'r>> + use<'r> {
        let records = self.records;
        self.own().iter().map(move |field| MaskedPair {
            name: records.name(field.name),
            value: slice(&records.text, field.value),
            kind: field.kind,
        })
    }

    /// The value of the field of that name.
    pub fn field(&self, name: &str) -> Option<MaskedPair<'r>> {
        self.fields().find(|field| field.name.eq_ignore_ascii_case(name.as_bytes()))
    }

    pub(super) fn own(&self) -> &'r [MaskedField] {
        let (first, last) = self.entry.fields;
        self.records.fields.get(first as usize..last as usize).unwrap_or(&[])
    }

    pub(super) fn records(&self) -> &'r MaskedRecords {
        self.records
    }

    /// A copy that stands on its own; strings are decoded.
    pub fn to_record(&self) -> Record<MaskedText> {
        let text = |bytes: &[u8]| MaskedText(bytes.to_vec());
        Record {
            timestamp: self.timestamp(),
            level: self.level(),
            line: text(self.line()),
            labels: Vec::new(),
            fields: self
                .fields()
                .map(|field| {
                    let mut value = Vec::new();
                    match field.kind {
                        ValueKind::Escaped | ValueKind::Quoted => {
                            crate::format::decode_string(field.value, &mut value);
                        }
                        ValueKind::Raw
                        | ValueKind::Plain
                        | ValueKind::Number
                        | ValueKind::Bool
                        | ValueKind::Null
                        | ValueKind::Empty => value.extend_from_slice(field.value),
                    }
                    (text(field.name), MaskedText(value))
                })
                .collect(),
        }
    }
}
