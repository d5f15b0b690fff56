//! One call: from a place on, as far as its limits go.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::gate::Gate;
use super::gate::GateError;
use super::lane;
use super::lane::Done;
use super::lane::Lane;
use super::mill::Mill;
use super::mill::Want;
use super::pool::Pool;
use super::read::Read;
use super::read::Reading;
use super::tally::Tally;
use crate::budget::Budget;
use crate::budget::Quota;
use crate::mask::Masker;
use crate::mask::Policy;
use crate::plan::Admitted;
use crate::plan::Place;
use crate::plan::Plan;
use crate::source::GRANULE_BYTES_MAX;
use crate::source::HeadKey;
use crate::time::Clock;
use crate::units::Bytes;

/// Granules that the reader and the writer have in hand beside those of the workers.
const HANDS: usize = 8;

/// Takes what may leave, in order.
pub trait Output {
    /// Takes whole records. `after` is the place behind the last of them.
    ///
    /// # Errors
    ///
    /// When they could not be written; nothing is given to it after that.
    fn write(&mut self, records: &[u8], count: u64, after: Place) -> io::Result<()>;

    /// Told after each granule, also one of which nothing was written.
    fn progress(&mut self, tally: &Tally);
}

/// What a call needs.
#[derive(Debug)]
pub struct Call<'c> {
    /// What is read.
    pub plan: &'c Admitted<Plan>,
    /// The key of head hashes.
    pub key: &'c HeadKey,
    /// Masks.
    pub masker: &'c Masker,
    /// What happens to each field.
    pub policy: &'c Policy,
    /// What is wanted of what is read.
    pub want: &'c Want,
    /// Threads that mask.
    pub threads: usize,
    /// Records after which the output ends.
    pub limit: Option<u64>,
    /// The time.
    pub clock: &'c dyn Clock,
    /// Set from outside: the call shall end.
    pub stop: &'c AtomicBool,
}

/// Why a call ended before its plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// Its bytes are read.
    Bytes,
    /// Its time is over.
    Time,
    /// The grant does not allow more.
    Grant,
    /// It was told to stop.
    Stopped,
    /// The output has as many records as were asked for.
    Limit,
    /// The output takes no more.
    Output,
    /// More granules were in memory than a call may have.
    Memory,
}

/// How a call ended.
#[derive(Debug)]
pub struct Ended {
    /// Where to go on.
    pub place: Place,
    /// Why it ended before its plan; none when the plan is done.
    pub why: Option<Incomplete>,
    /// What the grant or its store said.
    pub refused: Option<GateError>,
    /// Why the output took no more.
    pub output: Option<io::Error>,
    /// What was done.
    pub tally: Tally,
}

/// A call could not be made.
#[derive(Debug)]
pub enum FetchError {
    /// The system gave no thread.
    Thread(io::Error),
    /// A thread of it failed.
    Panicked,
}

/// What the writer has done.
struct Writer<'o> {
    output: &'o mut dyn Output,
    place: Place,
    /// Records of the next granule that an earlier call gave out.
    given: u64,
    left: Option<u64>,
    why: Option<Incomplete>,
    error: Option<io::Error>,
    tally: Tally,
}

impl Call<'_> {
    /// Reads, masks and writes from `place` on.
    ///
    /// # Errors
    ///
    /// [`FetchError`] when threads cannot be had; everything else ends the call and is told.
    pub fn run(
        &self,
        place: Place,
        gate: &mut dyn Gate,
        output: &mut dyn Output,
    ) -> Result<Ended, FetchError> {
        let limits = self.plan.limits();
        let granules = u64::try_from(2 * self.threads + HANDS).unwrap_or(u64::MAX);
        let reading = Reading {
            plan: self.plan,
            key: self.key,
            quota: Quota::new(limits.bytes),
            memory: Budget::new(Bytes::new(granules.saturating_mul(GRANULE_BYTES_MAX.get()))),
            clock: self.clock,
            deadline: self.clock.elapsed().saturating_add(limits.time),
            stop: self.stop,
            free: Arc::new(Pool::new(2 * self.threads + HANDS)),
        };
        let mut writer = Writer {
            output,
            place,
            given: place.records,
            left: self.limit,
            why: None,
            error: None,
            tally: Tally::default(),
        };
        let read = self.pipeline(&reading, place, &mut *gate, &mut writer)?;
        let left = reading.quota.left();
        self.end(read, writer, left, gate)
    }

    fn pipeline(
        &self,
        reading: &Reading<'_>,
        place: Place,
        gate: &mut dyn Gate,
        writer: &mut Writer<'_>,
    ) -> Result<Read, FetchError> {
        let memory = &Pool::new(2 * self.threads + HANDS);
        thread::scope(|scope| {
            let mut lane = Lane { workers: Vec::new(), turn: 0 };
            let mut outcomes = Vec::new();
            for number in 0..self.threads.max(1) {
                let (jobs, next_job) = sync_channel(lane::WAITING_MAX);
                let (done, outcome) = sync_channel(lane::WAITING_MAX);
                lane.workers.push(jobs);
                outcomes.push(outcome);
                let worker = || {
                    let mut mill =
                        Mill::new(self.masker, self.policy, self.plan, self.want, memory);
                    move |job: &_| mill.mill(job)
                };
                thread::Builder::new()
                    .name(format!("mask-{number}"))
                    .spawn_scoped(scope, move || lane::work(worker, &next_job, &done))
                    .map_err(FetchError::Thread)?;
            }
            let reader = thread::Builder::new()
                .name("read".to_owned())
                .spawn_scoped(scope, move || reading.run(place, gate, &mut lane))
                .map_err(FetchError::Thread)?;
            writer.run(outcomes, memory);
            reader.join().map_err(|_| FetchError::Panicked)
        })
    }

    /// Sums up. Where the output ended first, the call is charged all that it has admitted, so that
    /// the charge does not tell where something was found.
    fn end(
        &self,
        read: Read,
        writer: Writer<'_>,
        left: Bytes,
        gate: &mut dyn Gate,
    ) -> Result<Ended, FetchError> {
        let mut tally = writer.tally;
        tally.merge(&read.tally);
        let (mut why, mut refused) = (writer.why.or(read.why), read.refused);
        if writer.why == Some(Incomplete::Limit) && refused.is_none() {
            let unread = self.plan.bytes().get().saturating_sub(tally.bytes);
            let rest = Bytes::new(unread.min(left.get()));
            if rest > Bytes::new(0) {
                match gate.open(rest).and_then(|()| gate.take(rest)) {
                    Ok(()) => tally.bytes += rest.get(),
                    // Less is left than was admitted: all of that is gone then.
                    Err(GateError::Grant(_) | GateError::NotOpen) => {}
                }
            }
        }
        if let Err(error) = gate.close() {
            refused = refused.or(Some(error));
        }
        if why.is_none() && refused.is_some() {
            why = Some(Incomplete::Grant);
        }
        Ok(Ended { place: writer.place, why, refused, output: writer.error, tally })
    }
}

impl Writer<'_> {
    /// Takes outcomes in turn until there is none or the output ends.
    fn run(&mut self, outcomes: Vec<Receiver<Done>>, memory: &Pool) {
        // The worker whose turn it is has ended: no outcome comes after the last one it gave.
        for outcome in outcomes.iter().cycle() {
            let Ok(done) = outcome.recv() else { break };
            if let Some(text) = self.take(done) {
                memory.give(text);
            }
            self.output.progress(&self.tally);
            if self.why.is_some() {
                break;
            }
        }
        // Whoever still works for this writer learns that it has ended.
        drop(outcomes);
    }

    /// Takes an outcome, and gives its memory back.
    fn take(&mut self, done: Done) -> Option<Vec<u8>> {
        let next = Place { slice: done.step.slice, granule: done.step.granule + 1, records: 0 };
        let Some(batch) = done.batch else {
            self.tally.withheld_granules += 1;
            self.tally.withheld_bytes += done.bytes;
            self.place = next;
            return None;
        };
        self.tally.merge(&batch.tally);
        let all = batch.ends.len() as u64;
        let first = std::mem::take(&mut self.given).min(all);
        let last = self.left.map_or(all, |left| all.min(first.saturating_add(left)));
        let at = |record: u64| {
            let before = usize::try_from(record).ok().and_then(|record| record.checked_sub(1));
            before.and_then(|before| batch.ends.get(before)).copied().unwrap_or(0)
        };
        let after = if last < all {
            Place { slice: done.step.slice, granule: done.step.granule, records: last }
        } else {
            next
        };
        if let Some(records) = batch.text.get(at(first)..at(last)).filter(|text| !text.is_empty())
            && let Err(error) = self.output.write(records, last - first, after)
        {
            self.why = Some(Incomplete::Output);
            self.error = Some(error);
            return None;
        }
        self.tally.served += last - first;
        self.place = after;
        if let Some(left) = &mut self.left {
            *left -= last - first;
            if *left == 0 {
                self.why = Some(Incomplete::Limit);
            }
        }
        Some(batch.text)
    }
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Incomplete::Bytes => "the call has read the bytes that it may",
            Incomplete::Time => "the call's time is over",
            Incomplete::Grant => "the grant does not allow more",
            Incomplete::Stopped => "it was stopped",
            Incomplete::Limit => "as many records as were asked for are given out",
            Incomplete::Output => "the output takes no more",
            Incomplete::Memory => "the call has as much in memory as it may",
        })
    }
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FetchError::Thread(error) => write!(f, "the system gave no thread: {error}"),
            FetchError::Panicked => f.write_str("the reading thread failed"),
        }
    }
}

impl std::error::Error for FetchError {}
