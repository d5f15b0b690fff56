//! Many workers, one order.
//!
//! Jobs go to the workers in turn and are taken from them in turn, so that the order of the output
//! needs no numbers and no waiting room.

use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::SyncSender;

use super::mill::Batch;
use super::read::Job;
use crate::plan::Step;

/// Jobs that wait in each channel.
pub(super) const WAITING_MAX: usize = 1;

/// Nobody takes what is read any more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// Hands jobs out, in turn.
pub(super) struct Lane {
    pub(super) workers: Vec<SyncSender<Job>>,
    pub(super) turn: usize,
}

/// What became of a granule.
pub(super) struct Done {
    pub(super) step: Step,
    /// Nothing where masking it failed: it does not leave.
    pub(super) batch: Option<Batch>,
    /// Its bytes.
    pub(super) bytes: u64,
}

impl Lane {
    /// Hands out the next job; waits while all are busy.
    pub(super) fn send(&mut self, job: Job) -> Result<(), Stopped> {
        let worker = self.workers.get(self.turn).ok_or(Stopped)?;
        self.turn = (self.turn + 1) % self.workers.len();
        worker.send(job).map_err(|_| Stopped)
    }
}

/// Works on jobs until none comes or nobody takes the outcome. What a panic leaves half-done is
/// thrown away with the worker's memory.
pub(super) fn work<M>(worker: impl Fn() -> M, jobs: &Receiver<Job>, done: &SyncSender<Done>)
where
    M: FnMut(&Job) -> Batch,
{
    let mut mill = worker();
    while let Ok(job) = jobs.recv() {
        let batch = catch_unwind(AssertUnwindSafe(|| mill(&job))).ok();
        if batch.is_none() {
            mill = worker();
        }
        let bytes = job.body.granule.bytes.get();
        if done.send(Done { step: job.step, batch, bytes }).is_err() {
            return;
        }
    }
}
