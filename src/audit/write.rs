//! Writing the trail: an entry before, an entry after.

use std::path::PathBuf;
use std::time::Duration;

use super::entry::Action;
use super::entry::Outcome;
use super::error::AuditError;
use super::line::Event;
use super::line::Said;
use super::sink::AuditKey;
use super::sink::FILE_BYTES_MAX;
use super::sink::Sink;
use crate::id::ActorId;
use crate::id::CallId;
use crate::time::Clock;
use crate::time::Moment;
use crate::units::Bytes;

/// A checkpoint is at least every so many lines: what a trail without its end can lose unnoticed.
pub const CHECKPOINT_LINES: u64 = 64;

/// Where lines go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sinks {
    /// The folder in the state directory.
    pub first: PathBuf,
    /// A folder elsewhere that takes the same lines, in a chain of its own.
    pub second: Option<PathBuf>,
}

/// The trail, open to be written by one actor.
#[derive(Debug)]
pub struct AuditLog {
    sinks: Vec<Sink>,
    failed: Vec<AuditError>,
    actor: ActorId,
}

/// Something that has begun and whose end must be written.
#[derive(Debug)]
#[must_use = "what has begun must be ended, or it counts as in flight"]
pub struct Open {
    call: CallId,
    begun: Moment,
}

impl Open {
    /// What its lines are found by.
    pub fn call(&self) -> CallId {
        self.call
    }
}

impl AuditLog {
    /// Opens the sinks, made on first use. Of two, one is enough.
    ///
    /// # Errors
    ///
    /// [`AuditError::NoSink`] when none is in order.
    pub fn open(sinks: &Sinks, key: &AuditKey, actor: ActorId) -> Result<AuditLog, AuditError> {
        AuditLog::open_with(sinks, key, actor, FILE_BYTES_MAX)
    }

    /// The same with another size of files, for tests.
    pub(super) fn open_with(
        sinks: &Sinks,
        key: &AuditKey,
        actor: ActorId,
        file_bytes_max: Bytes,
    ) -> Result<AuditLog, AuditError> {
        let mut log = AuditLog { sinks: Vec::new(), failed: Vec::new(), actor };
        for folder in std::iter::once(&sinks.first).chain(&sinks.second) {
            match Sink::open(folder, key.clone(), file_bytes_max) {
                Ok(sink) => log.sinks.push(sink),
                Err(error) => log.failed.push(error),
            }
        }
        log.any_left()?;
        Ok(log)
    }

    /// Writes what is about to happen. Nothing may be served before this returns.
    ///
    /// # Errors
    ///
    /// [`AuditError`] when no sink has taken the line: then nothing may be served at all.
    pub fn begin(&mut self, action: &Action, clock: &dyn Clock) -> Result<Open, AuditError> {
        let mut bytes = [0; CallId::BYTES];
        getrandom::fill(&mut bytes).map_err(AuditError::NoRandom)?;
        let call = CallId::from_bytes(bytes);
        let now = clock.moment();
        self.append(&Said::Begin { call, actor: self.actor, what: action }, &now)?;
        Ok(Open { call, begun: now })
    }

    /// Writes how it went.
    ///
    /// # Errors
    ///
    /// [`AuditError`] when no sink has taken the line: the call then counts as in flight.
    #[expect(clippy::needless_pass_by_value, reason = "what was begun is ended once")]
    pub fn end(
        &mut self,
        open: Open,
        outcome: &Outcome,
        clock: &dyn Clock,
    ) -> Result<(), AuditError> {
        let now = clock.moment();
        let Open { call, begun } = open;
        let elapsed = now.since(&begun).unwrap_or(Duration::ZERO);
        let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let actor = self.actor;
        self.append(&Said::End { call, actor, how: outcome, elapsed_ms }, &now)
    }

    /// Writes a checkpoint and closes the trail.
    ///
    /// # Errors
    ///
    /// [`AuditError`] when no sink could be sealed.
    pub fn close(mut self, clock: &dyn Clock) -> Result<(), AuditError> {
        let now = clock.moment();
        self.each(|sink| sink.seal(&now));
        self.any_left()
    }

    /// Why one of two sinks takes no lines; the other does.
    pub fn failed_sinks(&self) -> &[AuditError] {
        &self.failed
    }

    fn append(&mut self, said: &Said<'_>, now: &Moment) -> Result<(), AuditError> {
        let failed_before = self.failed.len();
        self.each(|sink| sink.append(said, now));
        if self.failed.len() > failed_before && !self.sinks.is_empty() {
            self.each(|sink| sink.append(&Said::SinkFailed, now));
        }
        self.any_left()
    }

    /// Does something with each sink; those that fail take no more lines.
    fn each(&mut self, mut work: impl FnMut(&mut Sink) -> Result<(), AuditError>) {
        let mut left = Vec::new();
        for mut sink in self.sinks.drain(..) {
            match work(&mut sink) {
                Ok(()) => left.push(sink),
                Err(error) => self.failed.push(error),
            }
        }
        self.sinks = left;
    }

    /// Fails when no sink takes lines any more, with what the last one said.
    fn any_left(&mut self) -> Result<(), AuditError> {
        if self.sinks.is_empty() {
            return Err(AuditError::NoSink(self.failed.pop().map(Box::new)));
        }
        Ok(())
    }
}

impl Said<'_> {
    pub(super) fn event(&self) -> Event {
        match self {
            Said::Begin { .. } => Event::Begin,
            Said::End { .. } => Event::End,
            Said::Checkpoint { .. } => Event::Checkpoint,
            Said::Torn { .. } => Event::Torn,
            Said::SinkFailed => Event::SinkFailed,
            Said::Rotated => Event::Rotated,
        }
    }
}
