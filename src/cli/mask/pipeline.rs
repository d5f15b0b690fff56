//! Many threads, one order.
//!
//! Pieces go to the workers in turn and are taken from them in turn: the order of the output needs
//! no numbers and no waiting room. A piece that continues something gets the state of the piece
//! before it through a channel of its own; the piece before it was handed out earlier, so the
//! oldest piece under way never waits, and nothing can lock up.
//!
//! A piece whose masking panics is withheld whole, and so is each one that needed its state: what
//! was not masked does not leave.

use std::io;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::sync::mpsc::SyncSender;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::output::Output;
use super::output::Written;
use crate::mask::Carry;
use crate::mask::Masked;
use crate::mask::Piece;

/// Pieces that wait in each channel. With the one that is worked on, a thread has three.
const WAITING_MAX: usize = 1;

/// A piece on its way to a worker.
struct Job {
    source: Arc<str>,
    piece: Piece,
    /// Gives the state before the piece, where it matters.
    carry: Option<Receiver<Carry>>,
    /// Takes the state after it.
    next_carry: SyncSender<Carry>,
    /// Memory of an earlier piece, to be used again.
    masked: Masked,
}

/// A piece on its way to the output.
pub(super) struct Done {
    /// The input it is from.
    pub(super) source: Arc<str>,
    /// What may leave.
    pub(super) outcome: Outcome,
}

/// What became of a piece.
pub(super) enum Outcome {
    /// It is masked.
    Masked(Masked),
    /// It could not be masked and does not leave.
    Withheld {
        /// Where it starts in its input.
        offset: u64,
        /// Its length in bytes.
        len: usize,
    },
}

/// Nobody takes what is read any more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// Hands pieces out, in turn.
pub(super) struct Lane {
    workers: Vec<SyncSender<Job>>,
    turn: usize,
    carry: Option<Receiver<Carry>>,
    used: Receiver<Masked>,
}

impl Lane {
    /// Forgets the state of the piece before: another input begins.
    pub(super) fn start_input(&mut self) {
        self.carry = None;
    }

    /// Hands out the next piece; waits while all are busy.
    pub(super) fn send(&mut self, source: &Arc<str>, piece: Piece) -> Result<(), Stopped> {
        let (next_carry, carry) = sync_channel(1);
        let before = self.carry.replace(carry);
        let job = Job {
            source: Arc::clone(source),
            carry: before.filter(|_| piece.needs_carry()),
            piece,
            next_carry,
            masked: self.used.try_recv().unwrap_or_default(),
        };
        let worker = self.workers.get(self.turn).ok_or(Stopped)?;
        self.turn = (self.turn + 1) % self.workers.len();
        worker.send(job).map_err(|_| Stopped)
    }
}

/// Runs `feed` on this thread, masks what it sends on `threads` others and writes it on one more.
///
/// Each thread masks with what `worker` makes, and with a new one after a panic.
///
/// # Errors
///
/// When the system gives no threads.
pub(super) fn run<F, M>(
    worker: impl Fn() -> M + Sync,
    threads: usize,
    feed: impl FnOnce(&mut Lane) -> F,
    output: Output<'_>,
) -> io::Result<(F, Written)>
where
    M: FnMut(&Piece, &mut Carry, &mut Masked),
{
    let worker = &worker;
    thread::scope(|scope| {
        // Room for all that can be under way, so that giving memory back never waits.
        let (give_back, used) = sync_channel(threads * (2 * WAITING_MAX + 2));
        let mut lane = Lane { workers: Vec::new(), turn: 0, carry: None, used };
        let mut outcomes = Vec::new();
        for number in 0..threads {
            let (jobs, next_job) = sync_channel(WAITING_MAX);
            let (done, outcome) = sync_channel(WAITING_MAX);
            lane.workers.push(jobs);
            outcomes.push(outcome);
            thread::Builder::new()
                .name(format!("mask-{number}"))
                .spawn_scoped(scope, move || work(worker, &next_job, &done))?;
        }
        let writer = thread::Builder::new()
            .name("write".to_owned())
            .spawn_scoped(scope, move || write_all(&outcomes, output, &give_back))?;
        let fed = feed(&mut lane);
        drop(lane); // No more pieces: the workers end, then the writer.
        match writer.join() {
            Ok(written) => Ok((fed, written)),
            Err(_) => Err(io::Error::other("the writing thread panicked")),
        }
    })
}

fn work<M>(worker: impl Fn() -> M, jobs: &Receiver<Job>, done: &SyncSender<Done>)
where
    M: FnMut(&Piece, &mut Carry, &mut Masked),
{
    let mut mask = worker();
    while let Ok(Job { source, piece, carry, next_carry, mut masked }) = jobs.recv() {
        // The state is missing when the piece before was withheld.
        let carry = carry.map_or_else(|| Ok(Carry::default()), |carry| carry.recv());
        let result = carry.map_err(|_| ()).and_then(|mut carry| {
            // What a panic leaves half-done, the worker's memory, is thrown away below.
            let masking = AssertUnwindSafe(|| mask(&piece, &mut carry, &mut masked));
            catch_unwind(masking).map(|()| carry).map_err(|_| ())
        });
        let outcome = match result {
            Ok(carry) => {
                // Nobody asks for it unless the next piece continues this one.
                drop(next_carry.send(carry));
                Outcome::Masked(masked)
            }
            Err(()) => {
                drop(next_carry);
                mask = worker();
                Outcome::Withheld { offset: piece.offset(), len: piece.len() }
            }
        };
        if done.send(Done { source, outcome }).is_err() {
            return;
        }
    }
}

fn write_all(
    outcomes: &[Receiver<Done>],
    mut output: Output<'_>,
    give_back: &SyncSender<Masked>,
) -> Written {
    // The worker whose turn it is has ended: no piece comes after the last one it gave.
    for outcome in outcomes.iter().cycle() {
        let Ok(done) = outcome.recv() else { break };
        match output.write(done) {
            Ok(Some(masked)) => drop(give_back.try_send(masked)),
            Ok(None) => {}
            Err(Stopped) => break,
        }
    }
    output.finish()
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
