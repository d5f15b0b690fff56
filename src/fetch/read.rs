//! Reads granules in the plan's order, each with its neighbours.
//!
//! A granule is masked by itself, so what its neighbours hold matters: a key block may begin in the
//! one before it, and a split record end in the one behind. Each is read once and handed out together
//! with the one before and the one behind it in the text, whichever of them was read first.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::call::Incomplete;
use super::gate::Gate;
use super::gate::GateError;
use super::lane::Lane;
use super::lane::Stopped;
use super::pool::Pool;
use super::tally::Tally;
use crate::budget::Budget;
use crate::budget::Quota;
use crate::budget::Reservation;
use crate::plan::Place;
use crate::plan::Plan;
use crate::plan::Slice;
use crate::plan::Step;
use crate::source::GRANULE_BYTES;
use crate::source::GRANULE_BYTES_MAX;
use crate::source::Granule;
use crate::source::GranuleReader;
use crate::source::HeadKey;
use crate::time::Clock;
use crate::units::Bytes;

/// A granule in memory, which its reservation counts.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) granule: Granule,
    _reservation: Reservation,
    /// Takes its memory back.
    free: Arc<Pool>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.free.give(std::mem::take(&mut self.granule.text).into_memory());
    }
}

/// A granule to be masked.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) step: Step,
    pub(super) before: Option<Arc<Held>>,
    pub(super) body: Arc<Held>,
    pub(super) behind: Option<Arc<Held>>,
}

/// What reading needs.
#[derive(Debug)]
pub(super) struct Reading<'c> {
    pub(super) plan: &'c Plan,
    pub(super) key: &'c HeadKey,
    pub(super) quota: Quota,
    pub(super) memory: Budget,
    pub(super) clock: &'c dyn Clock,
    /// When the call ends, on that clock.
    pub(super) deadline: Duration,
    /// Set from outside: the call shall end.
    pub(super) stop: &'c AtomicBool,
    /// Memory of granules that are done with.
    pub(super) free: Arc<Pool>,
}

/// How reading ended.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) why: Option<Incomplete>,
    pub(super) refused: Option<GateError>,
    pub(super) tally: Tally,
}

/// Why no granule comes any more.
enum End {
    Stopped,
    Incomplete(Incomplete),
    Refused(GateError),
}

/// Granules of one slice that were read and not all handed out.
#[derive(Default)]
struct Window {
    earlier: Option<Arc<Held>>,
    waiting: Option<(Step, Arc<Held>)>,
}

impl Window {
    /// Gives up the granule that waits: without its neighbour it may show half of something.
    fn withhold(&mut self, tally: &mut Tally) {
        if let Some((_, held)) = self.waiting.take() {
            tally.withheld_granules += 1;
            tally.withheld_bytes += held.granule.bytes.get();
        }
    }
}

impl Reading<'_> {
    /// Reads from `place` on and hands out until the plan or the call ends.
    pub(super) fn run(&self, place: Place, gate: &mut dyn Gate, lane: &mut Lane) -> Read {
        let mut read = Read::default();
        match self.slices(place, gate, lane, &mut read.tally) {
            Ok(()) | Err(End::Stopped) => {}
            Err(End::Incomplete(why)) => read.why = Some(why),
            Err(End::Refused(error)) => {
                read.why = Some(Incomplete::Grant);
                read.refused = Some(error);
            }
        }
        read
    }

    fn slices(
        &self,
        place: Place,
        gate: &mut dyn Gate,
        lane: &mut Lane,
        tally: &mut Tally,
    ) -> Result<(), End> {
        let mut steps = self.plan.steps(place).peekable();
        while let Some(first) = steps.peek().copied() {
            let Some(slice) = slice_of(self.plan, first.slice) else { return Ok(()) };
            let mut reader = match self.open(slice) {
                Ok(reader) => Some(reader),
                Err(error) => {
                    tally.skip(error);
                    None
                }
            };
            let mut window = Window::default();
            if let Some(reader) = reader.as_mut().filter(|_| first.granule > 0) {
                // What a call before this one ended with is this one's neighbour.
                window.earlier = self.neighbour(first, reader);
            }
            while let Some(step) = steps.next_if(|step| step.slice == first.slice) {
                let Some(from) = reader.as_mut() else { continue };
                match self.granule(slice, step, from, gate, tally) {
                    Ok(Ok(held)) => self.hand_out(&mut window, Some((step, held)), lane)?,
                    Ok(Err(error)) => {
                        tally.skip(error);
                        reader = None;
                        window.withhold(tally);
                    }
                    Err(End::Refused(error)) => {
                        window.withhold(tally);
                        return Err(End::Refused(error));
                    }
                    Err(end) => {
                        // What is not served all the same decides what is masked in its neighbour.
                        let next = self.look(step.number, from).map(|held| (step, held));
                        if next.is_none() {
                            window.withhold(tally);
                        }
                        self.hand_out(&mut window, next, lane)?;
                        return Err(end);
                    }
                }
            }
            self.hand_out(&mut window, None, lane)?;
        }
        Ok(())
    }

    fn open(&self, slice: &Slice) -> Result<GranuleReader, String> {
        let range = (slice.start, slice.end);
        GranuleReader::open(&slice.path, &slice.identity, slice.stored, range, self.key)
            .map_err(|error| error.to_string())
    }

    /// The granule read before `step`, read again.
    fn neighbour(&self, step: Step, reader: &mut GranuleReader) -> Option<Arc<Held>> {
        let number = if self.plan.is_backward(step.slice) {
            step.number + 1
        } else {
            step.number.checked_sub(1)?
        };
        self.look(number, reader)
    }

    /// A granule that is looked at for its neighbour's sake, and not served.
    fn look(&self, number: u64, reader: &mut GranuleReader) -> Option<Arc<Held>> {
        let reservation = self.memory.reserve(GRANULE_BYTES_MAX).ok()?;
        let granule = reader.read(number, self.free.take()).ok()?;
        Some(Arc::new(Held { granule, _reservation: reservation, free: Arc::clone(&self.free) }))
    }

    /// Reads one granule, if the call goes on and the gate lets it pass.
    fn granule(
        &self,
        slice: &Slice,
        step: Step,
        reader: &mut GranuleReader,
        gate: &mut dyn Gate,
        tally: &mut Tally,
    ) -> Result<Result<Arc<Held>, String>, End> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(End::Incomplete(Incomplete::Stopped));
        }
        // A call goes on by one granule at least, or going on would never end.
        if tally.granules > 0 && self.clock.elapsed() >= self.deadline {
            return Err(End::Incomplete(Incomplete::Time));
        }
        let most = most_bytes(slice, step);
        let Ok(mut ration) = self.quota.set_aside(most) else {
            return Err(End::Incomplete(Incomplete::Bytes));
        };
        let Ok(reservation) = self.memory.reserve(GRANULE_BYTES_MAX) else {
            return Err(End::Incomplete(Incomplete::Memory));
        };
        gate.open(most).map_err(End::Refused)?;
        crate::crash::point("fetch.before-read");
        let granule = match reader.read(step.number, self.free.take()) {
            Ok(granule) => granule,
            Err(error) => return Ok(Err(error.to_string())),
        };
        gate.take(granule.bytes).map_err(End::Refused)?;
        ration.read(granule.bytes);
        tally.bytes += granule.bytes.get();
        tally.granules += 1;
        tally.lines_left_out += granule.lines_left_out;
        tally.bytes_left_out += granule.bytes_left_out;
        Ok(Ok(Arc::new(Held { granule, _reservation: reservation, free: Arc::clone(&self.free) })))
    }

    /// Hands out the granule that waits, now that both its neighbours are there; `next` waits then.
    fn hand_out(
        &self,
        window: &mut Window,
        next: Option<(Step, Arc<Held>)>,
        lane: &mut Lane,
    ) -> Result<(), End> {
        if let Some((step, body)) = window.waiting.take() {
            let later = next.as_ref().map(|(_, held)| Arc::clone(held));
            let earlier = window.earlier.replace(Arc::clone(&body));
            let backward = self.plan.is_backward(step.slice);
            let (before, behind) = if backward { (later, earlier) } else { (earlier, later) };
            lane.send(Job { step, before, body, behind }).map_err(|Stopped| End::Stopped)?;
        }
        window.waiting = next;
        Ok(())
    }
}

fn slice_of(plan: &Plan, number: u32) -> Option<&Slice> {
    plan.slices().get(usize::try_from(number).ok()?)
}

/// The most bytes that a granule can have.
fn most_bytes(slice: &Slice, step: Step) -> Bytes {
    let first = (step.number * GRANULE_BYTES.get()).max(slice.start);
    Bytes::new(slice.end.saturating_sub(first)).min(GRANULE_BYTES_MAX)
}
