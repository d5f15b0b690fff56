//! Predictions, and what is learned from finished granules.

use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::time::Duration;

use serde::Deserialize;
use serde::Serialize;

use super::rate::Rate;
use super::table::Table;
use crate::id::SourceId;
use crate::units::Bytes;

/// A granule that takes more than this share of its prediction asks for a new calibration.
pub const SLOW_PERCENT: u64 = 150;
/// Granules of a source that are remembered, the last ones: a source may change.
const RECENT_MAX: usize = 16;
/// A granule smaller than this says nothing: starting costs more than working.
const TELLING_BYTES_MIN: Bytes = Bytes::kib(64);
/// Sources and formats that are remembered; those not used for longest are forgotten.
const SEEN_MAX: usize = 1_024;

/// Predicts what bytes cost.
#[derive(Clone, Debug, Default)]
pub struct Model {
    table: Option<Table>,
    seen: BTreeMap<(SourceId, String), Seen>,
    turn: u64,
}

/// A finished granule.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'s> {
    /// Its source.
    pub source: SourceId,
    /// Its format.
    pub format: &'s str,
    /// Its bytes, decompressed.
    pub bytes: Bytes,
    /// Processor time that it took.
    pub cpu: Duration,
}

/// What was seen of a source in a format: what its last granules cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seen {
    /// Picoseconds a byte, the oldest first.
    recent: VecDeque<u64>,
    turn: u64,
}

/// Processor time that something will take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// As it is expected.
    pub likely: Duration,
    /// If everything is as slow as the slowest text.
    pub worst: Duration,
    /// What it rests on.
    pub basis: Basis,
}

/// What a prediction rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Finished granules of this source in this format.
    Learned,
    /// A calibration of this machine: the truth lies between likely and worst.
    Calibrated,
    /// Nothing.
    Unmeasured,
}

/// What a granule says about the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learned {
    /// It took about what was predicted, or less.
    AsPredicted,
    /// It took more than [`SLOW_PERCENT`] of it: the machine may have become slower.
    Slow,
}

impl Model {
    /// A model with a table, or without one until something is measured.
    pub fn new(table: Option<Table>) -> Model {
        Model { table, seen: BTreeMap::new(), turn: 0 }
    }

    /// The table.
    pub fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// Puts another table in place, as after a calibration.
    pub fn set_table(&mut self, table: Table) {
        self.table = Some(table);
    }

    /// What `bytes` of a source in a format will take.
    pub fn predict(&self, source: SourceId, format: &str, bytes: Bytes) -> Prediction {
        let worst = self.table.as_ref().map_or(Rate::UNMEASURED, |table| table.worst);
        let learned = self.seen.get(&(source, format.to_owned())).and_then(Seen::rate);
        let (rate, basis) = match (&self.table, learned) {
            (_, Some(rate)) => (rate, Basis::Learned),
            (Some(table), None) => (table.rate(format), Basis::Calibrated),
            (None, None) => (Rate::UNMEASURED, Basis::Unmeasured),
        };
        Prediction { likely: rate.cpu(bytes), worst: worst.max(rate).cpu(bytes), basis }
    }

    /// Learns from a finished granule.
    pub fn learn(&mut self, sample: Sample<'_>) -> Learned {
        let predicted = self.predict(sample.source, sample.format, sample.bytes);
        self.turn += 1;
        let turn = self.turn;
        let key = (sample.source, sample.format.to_owned());
        let seen = self.seen.entry(key).or_insert(Seen { recent: VecDeque::new(), turn });
        seen.add(sample.bytes, sample.cpu);
        seen.turn = turn;
        if self.seen.len() > SEEN_MAX {
            let oldest = self.seen.iter().min_by_key(|(_, seen)| seen.turn);
            if let Some(key) = oldest.map(|(key, _)| key.clone()) {
                self.seen.remove(&key);
            }
        }
        let limit = predicted.likely.as_nanos() * u128::from(SLOW_PERCENT) / 100;
        let is_slow = sample.cpu.as_nanos() > limit;
        if is_slow { Learned::Slow } else { Learned::AsPredicted }
    }

    /// What was seen, to be kept.
    pub fn seen(&self) -> impl Iterator<Item = (SourceId, &str, &Seen)> {
        self.seen.iter().map(|((source, format), seen)| (*source, format.as_str(), seen))
    }

    /// Puts back what was kept.
    pub fn remember(&mut self, source: SourceId, format: &str, mut seen: Seen) {
        if self.seen.len() < SEEN_MAX {
            self.turn = self.turn.max(seen.turn);
            seen.recent.truncate(RECENT_MAX);
            self.seen.insert((source, format.to_owned()), seen);
        }
    }
}

impl Seen {
    /// The mean of the middle half: a granule that was interrupted says little, and of granules that
    /// differ by what is in them each counts.
    fn rate(&self) -> Option<Rate> {
        let mut rates: Vec<u64> = self.recent.iter().copied().collect();
        rates.sort_unstable();
        let cut = rates.len() / 4;
        let middle = rates.get(cut..rates.len() - cut).unwrap_or_default();
        let sum: u128 = middle.iter().map(|rate| u128::from(*rate)).sum();
        let mean = sum.checked_div(middle.len() as u128)?;
        Some(Rate::picoseconds(u64::try_from(mean).unwrap_or(u64::MAX)))
    }

    fn add(&mut self, bytes: Bytes, cpu: Duration) {
        let Some(rate) = Rate::of(bytes, cpu).filter(|_| bytes >= TELLING_BYTES_MIN) else {
            return;
        };
        if self.recent.len() >= RECENT_MAX {
            self.recent.pop_front();
        }
        self.recent.push_back(rate.get());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: SourceId = SourceId::from_bytes([1; 16]);
    const MIB: Bytes = Bytes::kib(1024);

    fn table() -> Table {
        Table {
            machine: "m".to_owned(),
            measured: Duration::ZERO,
            mixed: Rate::picoseconds(2_000),
            worst: Rate::picoseconds(50_000),
            spread_permille: 0,
            formats: BTreeMap::from([("json".to_owned(), Rate::picoseconds(1_000))]),
        }
    }

    fn sample(format: &str, picoseconds: u64) -> Sample<'_> {
        let cpu = Rate::picoseconds(picoseconds).cpu(MIB);
        Sample { source: SOURCE, format, bytes: MIB, cpu }
    }

    #[test]
    fn without_measurements_the_conservative_rate_counts() {
        let predicted = Model::new(None).predict(SOURCE, "json", MIB);
        assert_eq!(predicted.likely, Rate::UNMEASURED.cpu(MIB));
        assert_eq!((predicted.worst, predicted.basis), (predicted.likely, Basis::Unmeasured));
    }

    /// Shown to bite by a model that takes the table after it has learned.
    #[test]
    fn what_was_learned_goes_before_the_table() {
        let mut model = Model::new(Some(table()));
        let before = model.predict(SOURCE, "json", MIB);
        assert_eq!(
            (before.likely, before.basis),
            (Rate::picoseconds(1_000).cpu(MIB), Basis::Calibrated)
        );
        assert_eq!(before.worst, Rate::picoseconds(50_000).cpu(MIB));
        assert_eq!(model.learn(sample("json", 1_400)), Learned::AsPredicted);
        let after = model.predict(SOURCE, "json", MIB);
        assert_eq!(after.basis, Basis::Learned);
        let learned = Rate::of(MIB, after.likely).unwrap();
        assert!(Rate::picoseconds(1_400).is_within(1, learned), "{learned:?}");
        let other = model.predict(SourceId::from_bytes([2; 16]), "json", MIB);
        assert_eq!(other.basis, Basis::Calibrated);
        assert_eq!(model.predict(SOURCE, "syslog", MIB).basis, Basis::Calibrated);
    }

    #[test]
    fn a_granule_half_as_slow_again_asks_for_a_calibration() {
        let mut model = Model::new(Some(table()));
        assert_eq!(model.learn(sample("json", 1_499)), Learned::AsPredicted);
        assert_eq!(model.learn(sample("json", 2_300)), Learned::Slow);
    }

    #[test]
    fn a_source_that_changes_is_followed() {
        let mut model = Model::new(Some(table()));
        for _ in 0..20 {
            model.learn(sample("json", 1_000));
        }
        model.learn(sample("json", 90_000));
        let likely = model.predict(SOURCE, "json", MIB).likely;
        assert!(likely < Rate::picoseconds(1_001).cpu(MIB), "one was interrupted: {likely:?}");
        for _ in 0..16 {
            model.learn(sample("json", 3_000));
        }
        let likely = model.predict(SOURCE, "json", MIB).likely;
        assert!(likely > Rate::picoseconds(2_800).cpu(MIB), "{likely:?}");
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut model = Model::new(None);
        for at in 0..2_000_u16 {
            let mut id = [0; 16];
            id[..2].copy_from_slice(&at.to_le_bytes());
            model.learn(Sample { source: SourceId::from_bytes(id), ..sample("json", 1_000) });
        }
        assert_eq!(model.seen().count(), 1_024);
        let kept: Vec<_> =
            model.seen().map(|(id, format, seen)| (id, format.to_owned(), seen.clone())).collect();
        let mut again = Model::new(None);
        for (id, format, seen) in &kept {
            again.remember(*id, format, seen.clone());
        }
        assert_eq!(again.seen().count(), 1_024);
    }
}
