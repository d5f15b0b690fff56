//! Following the chain from its first line to its last.

use std::collections::BTreeMap;
use std::fmt;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

use super::error::AuditError;
use super::line;
use super::line::End;
use super::line::Event;
use super::line::Hash;
use super::line::LINE_BYTES_MAX;
use super::line::ReadLine;
use super::sink;
use super::sink::AuditKey;
use super::sink::Head;
use super::sink::Sealed;
use super::write::CHECKPOINT_LINES;
use crate::id::ActorId;
use crate::id::CallId;
use crate::private;
use crate::private::Access;

/// Most problems that are listed: behind the first ones, each line is one.
const PROBLEMS_MAX: usize = 20;
/// Most calls that are followed at a time; more than that were not killed by accident.
const IN_FLIGHT_MAX: usize = 10_000;

/// What following the chain gave.
#[derive(Debug, Default)]
pub struct Verified {
    /// Files read.
    pub files: u64,
    /// Entries read.
    pub entries: u64,
    /// The number of the first entry: not 0 when older files were moved elsewhere.
    pub first: u64,
    /// The hash of the last line: an anchor for later.
    pub end: Option<Hash>,
    /// Checkpoints whose keyed hash is right.
    pub checkpoints: u64,
    /// Entries behind the last checkpoint, which the chain alone covers.
    pub unsealed: u64,
    /// Lines that a crash cut off, each followed by an entry that says so or at the very end.
    pub torn: u64,
    /// Calls that have begun and not ended: running now, or killed.
    pub in_flight: Vec<InFlight>,
    /// Whether the line with the anchor's hash is there; none when no anchor was given.
    pub anchor_found: Option<bool>,
    /// What is not in order, the first ones.
    pub problems: Vec<Problem>,
}

/// A call that has begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InFlight {
    /// Its id.
    pub call: CallId,
    /// Whose.
    pub actor: Option<ActorId>,
    /// The word of its action.
    pub action: String,
    /// When it began.
    pub ts: String,
}

/// A place where the trail is not in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// The line in it, from 1.
    pub line: u64,
    /// What is wrong.
    pub what: Broken,
}

/// What is wrong at a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// It does not hold the hash of the line before: that one was changed, or a line is missing.
    Chain,
    /// Its number does not follow.
    Number,
    /// It is no entry, and none behind it says that it was cut off.
    NoEntry,
    /// The entry about lines cut off does not fit what lies before it.
    Torn,
    /// The keyed hash of the checkpoint is wrong: it was not written with this key.
    Checkpoint,
    /// A checkpoint had to stand here.
    NoCheckpoint,
    /// The head's keyed hash is wrong, or it says another hash than the trail has at its place.
    Head,
    /// The trail has lines, but its head is gone.
    NoHead,
    /// The trail ends before the place that its head names: lines are missing at the end.
    Short,
}

impl Verified {
    /// True when nothing is wrong and a given anchor was found.
    pub fn is_in_order(&self) -> bool {
        self.problems.is_empty() && self.anchor_found != Some(false)
    }
}

/// The files of a trail, oldest first.
///
/// # Errors
///
/// [`AuditError`] when the folder cannot be read.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, AuditError> {
    let mut files = sink::put_aside(folder)?;
    let current = folder.join(sink::CURRENT);
    if current.exists() {
        files.push(current);
    }
    Ok(files)
}

/// Follows the chain of a folder.
///
/// # Errors
///
/// [`AuditError`] when it cannot be read. What is wrong with the trail is no error but a problem of
/// the answer.
pub fn verify(folder: &Path, key: &AuditKey, anchor: Option<Hash>) -> Result<Verified, AuditError> {
    let lock = sink::lock_to_read(folder)?;
    let mut walk = Walk {
        key,
        anchor,
        head: sink::read_head(folder)?,
        head_met: false,
        must_begin: false,
        end: None,
        torn: Vec::new(),
        in_flight: BTreeMap::new(),
        at: (PathBuf::new(), 0),
        done: Verified { anchor_found: anchor.map(|_| false), ..Verified::default() },
    };
    for path in files(folder)? {
        walk.file(path)?;
    }
    drop(lock);
    Ok(walk.finish())
}

/// The chain so far.
struct Walk<'k> {
    key: &'k AuditKey,
    anchor: Option<Hash>,
    head: Option<Head>,
    head_met: bool,
    /// The next line has to say that it is the first of its file.
    must_begin: bool,
    end: Option<End>,
    /// Bytes that are no entry, since the last one.
    torn: Vec<u8>,
    in_flight: BTreeMap<CallId, InFlight>,
    at: (PathBuf, u64),
    done: Verified,
}

impl Walk<'_> {
    fn file(&mut self, path: PathBuf) -> Result<(), AuditError> {
        let file = private::open(&path, Access::Read)?;
        let mut reader = BufReader::new(file);
        self.at = (path, 0);
        self.done.files += 1;
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let limit = LINE_BYTES_MAX as u64 + 1;
            let read = reader.by_ref().take(limit).read_until(b'\n', &mut bytes);
            if read.map_err(|error| AuditError::Io(self.at.0.clone(), error))? == 0 {
                return Ok(());
            }
            self.at.1 += 1;
            self.line(&bytes);
        }
    }

    fn line(&mut self, bytes: &[u8]) {
        let entry = bytes.strip_suffix(b"\n").and_then(line::read);
        let Some(entry) = entry else {
            // Judged when the next entry is read, or at the end.
            if self.torn.len() <= 4 * LINE_BYTES_MAX {
                self.torn.extend_from_slice(bytes);
            }
            return;
        };
        let end = self.end.unwrap_or(End { seq: entry.seq, hash: entry.prev });
        self.judge_first(&entry);
        self.judge_torn(&entry);
        if entry.prev != end.hash {
            self.problem(Broken::Chain);
        }
        if entry.seq != end.seq {
            self.problem(Broken::Number);
        }
        self.checkpoint(&entry, end);
        self.call(&entry);
        let hash = Hash::of(bytes);
        let end = End { seq: entry.seq.saturating_add(1), hash };
        self.end = Some(end);
        self.done.entries += 1;
        if self.anchor == Some(hash) {
            self.done.anchor_found = Some(true);
        }
        if let Some(head) = self.head.as_ref().filter(|head| head.lines == end.seq) {
            self.head_met = true;
            if head.hash != hash || !self.key.is_seal(Sealed::Head, end, head.mac) {
                self.problem(Broken::Head);
            }
        }
    }

    /// A trail begins at its beginning, or with the first line of a file whose elders were moved.
    fn judge_first(&mut self, entry: &ReadLine) {
        let is_first = self.end.is_none();
        if is_first {
            self.done.first = entry.seq;
        }
        let begins = match entry.event {
            _ if is_first && entry.seq == 0 => entry.prev == Hash::START,
            Event::Rotated | Event::Torn => true,
            // A checkpoint that was due stands before the line that says so.
            Event::Checkpoint => is_first,
            Event::Begin | Event::End | Event::SinkFailed => false,
        };
        if (is_first || self.must_begin) && !begins {
            self.problem(Broken::Chain);
        }
        self.must_begin = is_first && entry.seq > 0 && entry.event == Event::Checkpoint;
    }

    /// Bytes that are no entry are fine when the entry behind them says so.
    fn judge_torn(&mut self, entry: &ReadLine) {
        let torn = std::mem::take(&mut self.torn);
        let said = entry.event == Event::Torn;
        if torn.is_empty() {
            if said {
                self.problem(Broken::Torn);
            }
        } else if !said {
            self.problem(Broken::NoEntry);
        } else if entry.torn == Some(Hash::of(&torn)) && entry.bytes == Some(torn.len() as u64) {
            self.done.torn += 1;
        } else {
            self.problem(Broken::Torn);
        }
    }

    fn checkpoint(&mut self, entry: &ReadLine, before: End) {
        if entry.event == Event::Checkpoint {
            match entry.mac {
                Some(mac) if self.key.is_seal(Sealed::Checkpoint, before, mac) => {
                    self.done.checkpoints += 1;
                    self.done.unsealed = 0;
                }
                _ => self.problem(Broken::Checkpoint),
            }
            return;
        }
        self.done.unsealed += 1;
        if entry.seq % CHECKPOINT_LINES == CHECKPOINT_LINES - 1 {
            self.problem(Broken::NoCheckpoint);
        }
    }

    fn call(&mut self, entry: &ReadLine) {
        let Some(call) = entry.call else { return };
        match entry.event {
            Event::Begin if self.in_flight.len() < IN_FLIGHT_MAX => {
                let action = entry.action.clone().unwrap_or_default();
                let (actor, ts) = (entry.actor, entry.ts.clone());
                self.in_flight.insert(call, InFlight { call, actor, action, ts });
            }
            Event::End => {
                self.in_flight.remove(&call);
            }
            Event::Begin | Event::Checkpoint | Event::Torn | Event::SinkFailed | Event::Rotated => {
            }
        }
    }

    fn problem(&mut self, what: Broken) {
        if self.done.problems.len() < PROBLEMS_MAX {
            let (file, line) = self.at.clone();
            self.done.problems.push(Problem { file, line, what });
        }
    }

    fn finish(mut self) -> Verified {
        if !self.torn.is_empty() {
            // The last line: the next entry will say so.
            self.done.torn += 1;
            if self.torn.len() > 4 * LINE_BYTES_MAX {
                self.problem(Broken::NoEntry);
            }
        }
        match &self.head {
            None if self.end.is_some() => self.problem(Broken::NoHead),
            Some(head) if head.lines == 0 => {
                let start = End { seq: 0, hash: Hash::START };
                if !self.key.is_seal(Sealed::Head, start, head.mac) {
                    self.problem(Broken::Head);
                }
            }
            Some(head) if self.end.is_none_or(|end| end.seq < head.lines) => {
                self.problem(Broken::Short);
            }
            Some(_) if !self.head_met => self.problem(Broken::Head),
            None | Some(_) => {}
        }
        self.done.end = self.end.map(|end| end.hash);
        self.done.in_flight = self.in_flight.into_values().collect();
        self.done.in_flight.sort_by(|one, two| one.ts.cmp(&two.ts));
        self.done
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.what {
            Broken::Chain => {
                "does not hold the hash of the line before: that one was changed, or lines are \
                 missing before this one"
            }
            Broken::Number => "has a number that does not follow the one before",
            Broken::NoEntry => {
                "follows bytes that are no entry, and nothing says that they were cut off"
            }
            Broken::Torn => "says that bytes were cut off, and other bytes stand there",
            Broken::Checkpoint => "is a checkpoint that was not made with this key",
            Broken::NoCheckpoint => "stands in the place of a checkpoint",
            Broken::Head => "does not fit the head of the trail",
            Broken::NoHead => "is the last one, and the head of the trail is gone",
            Broken::Short => {
                "is the last one, and the head of the trail says that more were written"
            }
        };
        write!(f, "{}:{} {what}", self.file.display(), self.line)
    }
}
