//! A part of a file, and places in a row of such parts.

use std::path::PathBuf;

use serde::Deserialize;
use serde::Serialize;

use super::request::Order;
use crate::source::Identity;
use crate::source::Stored;
use crate::source::Surveyed;
use crate::source::granule_numbers;
use crate::time::Timestamp;
use crate::units::Bytes;

/// A part of one file, from the beginning of a line to the beginning of another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slice {
    /// Where the file was.
    pub path: PathBuf,
    /// Which file it is.
    pub identity: Identity,
    /// How it is stored.
    pub stored: Stored,
    /// First byte of its text.
    pub start: u64,
    /// One past the last.
    pub end: u64,
    /// What its format is called.
    pub format: String,
    /// What it is ordered by, in nanoseconds since 1970.
    pub first_ns: i64,
}

/// A place in a plan: between two records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Slices that are done.
    pub slice: u32,
    /// Granules of the next slice that are done, in the order of reading.
    pub granule: u64,
    /// Records of the next granule that were given out.
    pub records: u64,
}

/// One granule of a plan, to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which slice.
    pub slice: u32,
    /// Its place among the slice's granules, in the order of reading.
    pub granule: u64,
    /// Its number in the file's text.
    pub number: u64,
}

impl From<Surveyed> for Slice {
    fn from(found: Surveyed) -> Slice {
        Slice {
            path: found.path,
            identity: found.identity,
            stored: found.stored,
            start: found.start,
            end: found.end,
            format: found.format,
            first_ns: found.first.nanoseconds(),
        }
    }
}

impl Slice {
    /// Bytes of its text.
    pub fn bytes(&self) -> Bytes {
        Bytes::new(self.end.saturating_sub(self.start))
    }

    /// The number of its granules.
    pub fn granules(&self) -> u64 {
        let numbers = granule_numbers(self.start, self.end);
        numbers.end - numbers.start
    }

    /// What it is ordered by.
    pub fn first(&self) -> Timestamp {
        Timestamp::from_nanoseconds(self.first_ns)
    }

    pub(super) fn is_backward(&self, order: Order) -> bool {
        order == Order::NewestFirst && self.stored == Stored::Plain
    }

    /// The number in the text of the granule that is read `granule`th. A packed file can be read
    /// forward alone.
    pub(super) fn number(&self, granule: u64, order: Order) -> Option<u64> {
        let numbers = granule_numbers(self.start, self.end);
        let number = if self.is_backward(order) {
            numbers.end.checked_sub(granule + 1)?
        } else {
            numbers.start.checked_add(granule)?
        };
        numbers.contains(&number).then_some(number)
    }
}
