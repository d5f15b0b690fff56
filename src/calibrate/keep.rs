//! The table and the learned rates in the state directory.

use std::fmt;
use std::io;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde::Serialize;

use super::measure::Calibration;
use super::measure::fingerprint;
use super::measure::measure;
use crate::cost::Learned;
use crate::cost::Model;
use crate::cost::ParseTableError;
use crate::cost::Seen;
use crate::cost::TABLE_AGE_MAX;
use crate::cost::Table;
use crate::id::SourceId;
use crate::lab::machine::Machine;
use crate::private;
use crate::private::Access;
use crate::private::PrivateError;
use crate::time::Clock;

/// A new rate that differs by less than this from the old one is the old one: the spread of passes
/// was measured to be 3.5 to 6.2 %.
pub const DEVIATION_PERCENT: u64 = 10;
/// How long a running process believes a calibration.
pub const RECALIBRATE_AFTER: Duration = Duration::from_hours(1);
/// How long after a calibration a slow granule does not ask for another one.
const RECALIBRATE_SLOW_AFTER: Duration = Duration::from_mins(1);
const TABLE_FILE: &str = "cost.toml";
const LEARNED_FILE: &str = "rates.json";
/// Longest file that is read: a thousand rates with room to spare.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Where the table and the learned rates are.
#[derive(Clone, Debug)]
pub struct Keeper {
    folder: PathBuf,
    machine: String,
}

/// Why a table is not believed, and the conservative rate counts in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// There is none.
    Missing,
    /// It was measured on another machine, or by another version.
    OtherMachine {
        /// Which.
        found: String,
    },
    /// It is too old, or from the future.
    TooOld {
        /// When it was measured, since 1970.
        measured: Duration,
    },
    /// It does not have the form of one.
    Damaged(ParseTableError),
}

/// What became of a calibration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Its table is in use now.
    New(Table),
    /// It differs too little: the old rates stay, measured now.
    Kept {
        /// The table in use.
        table: Table,
        /// How far the new rate is off, in percent of the old one.
        off_percent: u64,
    },
}

/// The state directory could not be read or written.
#[derive(Debug)]
pub enum KeepError {
    /// A file is not in order.
    Private(PrivateError),
    /// The system refused.
    Io(PathBuf, io::Error),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rates {
    machine: String,
    rates: Vec<LearnedRate>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LearnedRate {
    source: SourceId,
    format: String,
    seen: Seen,
}

impl Keeper {
    /// A keeper in a state directory, for this machine.
    pub fn new(state_dir: &Path) -> Keeper {
        Keeper::for_machine(state_dir, fingerprint(&Machine::read()))
    }

    pub(super) fn for_machine(state_dir: &Path, machine: String) -> Keeper {
        Keeper { folder: state_dir.to_owned(), machine }
    }

    /// Where the table is.
    pub fn table_file(&self) -> PathBuf {
        self.folder.join(TABLE_FILE)
    }

    /// The model of this machine: the table, where it can be believed, and what was learned. The
    /// doubt is to be reported.
    ///
    /// # Errors
    ///
    /// [`KeepError`] when a file is there and cannot be read.
    pub fn model(&self, clock: &dyn Clock) -> Result<(Model, Option<Doubt>), KeepError> {
        let (table, doubt) = match self.table(clock)? {
            Ok(table) => (Some(table), None),
            Err(doubt) => (None, Some(doubt)),
        };
        let mut model = Model::new(table);
        let learned = self.read(LEARNED_FILE)?;
        // What cannot be read was learned for nothing: it is learned again.
        let learned = learned.and_then(|text| serde_json::from_str::<Rates>(&text).ok());
        for rate in learned
            .filter(|rates| rates.machine == self.machine)
            .into_iter()
            .flat_map(|rates| rates.rates)
        {
            model.remember(rate.source, &rate.format, rate.seen);
        }
        Ok((model, doubt))
    }

    /// The table, or why there is none to be believed.
    ///
    /// # Errors
    ///
    /// [`KeepError`] when the file is there and cannot be read.
    pub fn table(&self, clock: &dyn Clock) -> Result<Result<Table, Doubt>, KeepError> {
        let Some(text) = self.read(TABLE_FILE)? else { return Ok(Err(Doubt::Missing)) };
        let table = match Table::parse(&text) {
            Ok(table) => table,
            Err(error) => return Ok(Err(Doubt::Damaged(error))),
        };
        if table.machine != self.machine {
            return Ok(Err(Doubt::OtherMachine { found: table.machine }));
        }
        let age = clock.moment().wall.checked_sub(table.measured);
        if age.is_none_or(|age| age > TABLE_AGE_MAX) {
            return Ok(Err(Doubt::TooOld { measured: table.measured }));
        }
        Ok(Ok(table))
    }

    /// True when a running process has to measure again: no table, or one that is an hour old.
    ///
    /// # Errors
    ///
    /// [`KeepError`] when the file is there and cannot be read.
    pub fn is_due(&self, clock: &dyn Clock) -> Result<bool, KeepError> {
        self.is_older_than(RECALIBRATE_AFTER, clock)
    }

    fn is_older_than(&self, age_max: Duration, clock: &dyn Clock) -> Result<bool, KeepError> {
        let now = clock.moment().wall;
        Ok(self
            .table(clock)?
            .map_or(true, |table| now.checked_sub(table.measured).is_none_or(|age| age >= age_max)))
    }

    /// Measures again where that is due, and puts the table into the model: at a process' start and
    /// hourly, and when a granule was [`Learned::Slow`], though not more than once a minute.
    ///
    /// # Errors
    ///
    /// When the detectors do not load, or the state directory cannot be read or written.
    pub fn refresh(
        &self,
        model: &mut Model,
        learned: Learned,
        clock: &dyn Clock,
    ) -> anyhow::Result<Option<Settled>> {
        let due = match learned {
            Learned::AsPredicted => self.is_due(clock)?,
            Learned::Slow => self.is_older_than(RECALIBRATE_SLOW_AFTER, clock)?,
        };
        if !due {
            return Ok(None);
        }
        let settled = self.settle(&measure(clock)?, clock)?;
        let (Settled::New(table) | Settled::Kept { table, .. }) = &settled;
        model.set_table(table.clone());
        Ok(Some(settled))
    }

    /// Takes a calibration: its table replaces one that differs or cannot be believed.
    ///
    /// # Errors
    ///
    /// [`KeepError`] when the table cannot be read or written.
    pub fn settle(
        &self,
        calibration: &Calibration,
        clock: &dyn Clock,
    ) -> Result<Settled, KeepError> {
        private::folder(&self.folder)?;
        let new = calibration.table.clone();
        let settled = match self.table(clock)? {
            Ok(old) if is_noise(&old, &new) => {
                let off = old.mixed.get().abs_diff(new.mixed.get());
                let off_percent = off.saturating_mul(100) / old.mixed.get();
                Settled::Kept { table: Table { measured: new.measured, ..old }, off_percent }
            }
            Ok(_) | Err(_) => Settled::New(new),
        };
        let (Settled::New(table) | Settled::Kept { table, .. }) = &settled;
        private::replace(&self.table_file(), table.text().as_bytes())?;
        Ok(settled)
    }

    /// Keeps what a model has learned.
    ///
    /// # Errors
    ///
    /// [`KeepError`] when it cannot be written.
    pub fn keep_learned(&self, model: &Model) -> Result<(), KeepError> {
        let rates = model.seen().map(|(source, format, seen)| LearnedRate {
            source,
            format: format.to_owned(),
            seen: seen.clone(),
        });
        let rates = Rates { machine: self.machine.clone(), rates: rates.collect() };
        let bytes = serde_json::to_vec(&rates).unwrap_or_default();
        private::folder(&self.folder)?;
        Ok(private::replace(&self.folder.join(LEARNED_FILE), &bytes)?)
    }

    fn read(&self, name: &str) -> Result<Option<String>, KeepError> {
        let path = self.folder.join(name);
        let file = match private::open(&path, Access::Read) {
            Err(PrivateError::Io(_, error)) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(None);
            }
            other => other?,
        };
        let mut bytes = Vec::new();
        let mut limited = file.take(FILE_BYTES_MAX);
        let read = io::copy(&mut limited, &mut bytes);
        read.map_err(|error| KeepError::Io(path, error))?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

/// True when no rate differs enough to act on: that of mixed text, of a format, of the worst case.
fn is_noise(old: &Table, new: &Table) -> bool {
    // A single short pass varies more than the three that the mixed rate comes from.
    let single = 2 * DEVIATION_PERCENT;
    old.mixed.is_within(DEVIATION_PERCENT, new.mixed)
        && old.worst.is_within(single, new.worst)
        && old.formats.len() == new.formats.len()
        && old.formats.iter().all(|(format, rate)| {
            new.formats.get(format).is_some_and(|new| rate.is_within(single, *new))
        })
}

impl From<PrivateError> for KeepError {
    fn from(error: PrivateError) -> KeepError {
        KeepError::Private(error)
    }
}

impl fmt::Display for KeepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeepError::Private(error) => write!(f, "calibration: {error}"),
            KeepError::Io(path, error) => write!(f, "calibration {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for KeepError {}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Missing => f.write_str("this machine was not calibrated")?,
            Doubt::OtherMachine { found } => {
                write!(f, "the calibration is of another machine or version, {found}")?;
            }
            Doubt::TooOld { measured } => {
                let at = crate::time::civil_text(*measured);
                write!(f, "the calibration of {at} is too old, or the clock was set back")?;
            }
            Doubt::Damaged(error) => write!(f, "the calibration cannot be read: {error}")?,
        }
        f.write_str("; predictions use 5 µs a byte and core until 'locklog calibrate' has run")
    }
}
