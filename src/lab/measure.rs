//! Times several contenders side by side, and checks what each found in every round.
//!
//! All jobs of a table take part in each round, in an order that rotates by one place a round, so
//! that what the machine does meanwhile falls on all of them. A sample is as many passes as fill
//! [`SAMPLE_MIN`], after one that is not timed; its processor time is the figure, its wall time stands beside it.
//!
//! # Promise
//! **A job whose answer changes has no speed.** The digest of what it found is compared after every
//! sample, outside of the time.

use std::time::Duration;

use crate::lab::stats;
use crate::text::Span;
use crate::time::Clock;
use crate::time::cpu_time;

/// A sample takes at least this long, so that the clock's own cost does not count.
pub const SAMPLE_MIN: Duration = Duration::from_millis(20);

/// Rounds of a job whose pass is quick.
pub const ROUNDS: usize = 9;

/// Rounds of a job whose pass takes longer than [`SLOW_PASS`].
pub const ROUNDS_SLOW: usize = 3;

/// A pass longer than this is slow.
pub const SLOW_PASS: Duration = Duration::from_millis(700);

/// What one pass found: where, and under which names.
#[derive(Clone, Default)]
pub struct Found {
    /// Raw spans, in order.
    pub spans: Vec<Span>,
    /// The pseudonyms, one after the other.
    pub names: Vec<u8>,
}

impl std::fmt::Debug for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Found({} spans, {} bytes of names)", self.spans.len(), self.names.len())
    }
}

impl Found {
    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.spans.clear();
        self.names.clear();
    }

    /// A digest of spans and names.
    pub fn digest(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        for span in &self.spans {
            hasher.update(&(span.start as u64).to_le_bytes());
            hasher.update(&(span.end as u64).to_le_bytes());
        }
        hasher.update(&self.names);
        hasher.finalize()
    }
}

/// Something that finds values and names them.
pub trait Contender {
    /// One pass over all of `text`; `found` is empty before.
    ///
    /// # Errors
    ///
    /// When it cannot answer; what it found is then not to be used.
    fn pass(&mut self, text: &[u8], found: &mut Found) -> anyhow::Result<()>;
}

/// A contender, the bytes it works on, and the answer it gave when that was checked.
pub struct Job<'a> {
    /// The column that it fills.
    pub label: String,
    /// What it works on.
    pub text: &'a [u8],
    /// Who works.
    pub contender: Box<dyn Contender + 'a>,
    /// The checked answer.
    pub expected: blake3::Hash,
}

impl std::fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Job({}, {} bytes)", self.label, self.text.len())
    }
}

/// One timed sample.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The round it belongs to.
    pub round: usize,
    /// How many passes it is made of.
    pub passes: u32,
    /// Wall time of all of them.
    pub wall: Duration,
    /// Processor time of all of them.
    pub cpu: Duration,
}

/// The samples of one job.
#[derive(Clone, Debug)]
pub struct Timed {
    /// The column.
    pub label: String,
    /// Bytes a pass.
    pub bytes: u64,
    /// All samples, or why there is no speed.
    pub samples: Result<Vec<Sample>, String>,
}

impl Timed {
    /// Median million bytes a second of processor time.
    pub fn mb_s(&self) -> Option<f64> {
        let samples = self.samples.as_ref().ok()?;
        let speeds: Vec<f64> = samples.iter().map(|sample| self.speed(*sample)).collect();
        (!speeds.is_empty()).then(|| stats::median(&speeds))
    }

    /// Spread of the speeds in percent.
    pub fn variation_percent(&self) -> Option<f64> {
        let samples = self.samples.as_ref().ok()?;
        let speeds: Vec<f64> = samples.iter().map(|sample| self.speed(*sample)).collect();
        Some(stats::variation_percent(&speeds))
    }

    fn speed(&self, sample: Sample) -> f64 {
        stats::mb_s(self.bytes * u64::from(sample.passes), sample.cpu.as_nanos() as f64)
    }
}

/// Times all jobs in rounds.
pub fn interleave(jobs: &mut [Job<'_>], clock: &dyn Clock) -> Vec<Timed> {
    let mut found = Found::default();
    let mut timed = Vec::with_capacity(jobs.len());
    let mut plans = Vec::with_capacity(jobs.len());
    for job in &mut *jobs {
        let warmed = sample(job, 1, 0, clock, &mut found);
        let pass = warmed.as_ref().map_or(SLOW_PASS, |sample| sample.cpu);
        let passes = SAMPLE_MIN.as_nanos() / pass.as_nanos().max(1) + 1;
        let rounds = if pass > SLOW_PASS { ROUNDS_SLOW } else { ROUNDS };
        plans.push((u32::try_from(passes).unwrap_or(u32::MAX), rounds));
        let bytes = job.text.len() as u64;
        timed.push(Timed { label: job.label.clone(), bytes, samples: warmed.map(|_| Vec::new()) });
    }
    for round in 0..ROUNDS {
        for turn in 0..jobs.len() {
            let at = (turn + round) % jobs.len();
            let (Some(job), Some(timed), Some((passes, rounds))) =
                (jobs.get_mut(at), timed.get_mut(at), plans.get(at))
            else {
                continue;
            };
            let Ok(samples) = &mut timed.samples else { continue };
            if round >= *rounds {
                continue;
            }
            match sample(job, *passes, round, clock, &mut found) {
                Ok(sample) => samples.push(sample),
                Err(error) => timed.samples = Err(error),
            }
        }
    }
    timed
}

fn sample(
    job: &mut Job<'_>,
    passes: u32,
    round: usize,
    clock: &dyn Clock,
    found: &mut Found,
) -> Result<Sample, String> {
    if passes > 1 {
        // Whoever ran before has filled the processor's caches; a quick pass would pay for that.
        found.clear();
        job.contender.pass(job.text, found).map_err(|error| error.to_string())?;
    }
    let (wall_before, cpu_before) = (clock.elapsed(), cpu_time());
    for _ in 0..passes {
        found.clear();
        job.contender.pass(job.text, found).map_err(|error| error.to_string())?;
    }
    let (cpu, wall) = (cpu_time() - cpu_before, clock.elapsed() - wall_before);
    if found.digest() != job.expected {
        return Err(format!("another answer in round {round} than when it was checked"));
    }
    Ok(Sample { round, passes, wall, cpu })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::SystemClock;

    /// Finds every byte `x`; forgets one after `reliable` passes.
    struct Finder {
        passes: u32,
        reliable: u32,
    }

    impl Contender for Finder {
        fn pass(&mut self, text: &[u8], found: &mut Found) -> anyhow::Result<()> {
            self.passes += 1;
            found.spans.extend(memchr::memchr_iter(b'x', text).map(|at| Span::new(at, at + 1)));
            if self.passes > self.reliable {
                found.spans.pop();
            }
            Ok(())
        }
    }

    fn job(reliable: u32) -> Job<'static> {
        let text = b"a line with x and x";
        let mut found = Found::default();
        Finder { passes: 0, reliable: 1 }.pass(text, &mut found).unwrap();
        Job {
            label: "x".to_owned(),
            text,
            contender: Box::new(Finder { passes: 0, reliable }),
            expected: found.digest(),
        }
    }

    #[test]
    fn a_changed_answer_has_no_speed() {
        let timed = interleave(&mut [job(u32::MAX), job(2)], &SystemClock::start());
        assert_eq!(timed[0].samples.as_ref().unwrap().len(), ROUNDS);
        assert!(timed[0].mb_s().unwrap() > 0.0);
        assert!(timed[1].samples.is_err());
        assert_eq!(timed[1].mb_s(), None);
    }
}
