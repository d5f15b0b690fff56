//! What a call did, in numbers.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::format::Format;
use crate::mask::Counts;
use crate::mask::Report;
use crate::units::Bytes;

/// Most notices of what was skipped that are kept; the number of all is counted.
pub const SKIPS_MAX: usize = 100;

/// What a call did, in numbers and notices that hold no text of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Bytes of text that were read and charged.
    pub bytes: u64,
    /// Granules read.
    pub granules: u64,
    /// Records read.
    pub records: u64,
    /// Records given out.
    pub served: u64,
    /// Records of another time.
    pub out_of_range: u64,
    /// Records without a time, and none before them in their granule: given out all the same.
    pub without_time: u64,
    /// Records that were not selected or did not match.
    pub unwanted: u64,
    /// Granules that could not be masked.
    pub withheld_granules: u64,
    /// Their bytes.
    pub withheld_bytes: u64,
    /// Lines that are too long to be read.
    pub lines_left_out: u64,
    /// Their bytes.
    pub bytes_left_out: u64,
    /// Files or parts of files that could not be read.
    pub skipped: u64,
    /// Why, for the first of them.
    pub skips: Vec<String>,
    /// What was masked.
    pub report: Report,
    /// What happened to fields.
    pub fields: Counts,
    /// Bytes and processor time by the name of the format.
    pub costs: BTreeMap<&'static str, (Bytes, Duration)>,
}

impl Tally {
    /// Adds the numbers of `other`.
    pub fn merge(&mut self, other: &Tally) {
        self.bytes += other.bytes;
        self.granules += other.granules;
        self.records += other.records;
        self.served += other.served;
        self.out_of_range += other.out_of_range;
        self.without_time += other.without_time;
        self.unwanted += other.unwanted;
        self.withheld_granules += other.withheld_granules;
        self.withheld_bytes += other.withheld_bytes;
        self.lines_left_out += other.lines_left_out;
        self.bytes_left_out += other.bytes_left_out;
        self.skipped += other.skipped;
        let room = SKIPS_MAX.saturating_sub(self.skips.len());
        self.skips.extend(other.skips.iter().take(room).cloned());
        self.report.merge(&other.report);
        self.fields.merge(other.fields);
        for (format, (bytes, cpu)) in &other.costs {
            self.add_cost(format, *bytes, *cpu);
        }
    }

    /// Notes what a granule of a format took.
    pub(super) fn spent(&mut self, format: Format, bytes: Bytes, cpu: Duration) {
        self.add_cost(format.name(), bytes, cpu);
    }

    fn add_cost(&mut self, format: &'static str, bytes: Bytes, cpu: Duration) {
        let sum = self.costs.entry(format).or_insert((Bytes::new(0), Duration::ZERO));
        sum.0 = sum.0.checked_add(bytes).unwrap_or(sum.0);
        sum.1 = sum.1.saturating_add(cpu);
    }

    /// True when a record is missing that should have been there.
    pub fn is_missing_records(&self) -> bool {
        self.withheld_granules > 0 || self.lines_left_out > 0 || self.skipped > 0
    }

    /// Notes that something could not be read.
    pub(super) fn skip(&mut self, why: String) {
        self.skipped += 1;
        if self.skips.len() < SKIPS_MAX {
            self.skips.push(why);
        }
    }
}
