//! What stands beside the table: one large event, the same work five times, one name.

use serde::Serialize;

use crate::lab::corpus;
use crate::lab::corpus::Corpus;
use crate::lab::corpus::Kind;
use crate::lab::corpus::Mode;
use crate::lab::corpus::Sheet;
use crate::lab::corpus::Values;
use crate::lab::measure;
use crate::lab::measure::Contender;
use crate::lab::measure::Found;
use crate::lab::measure::Job;
use crate::lab::measure::Timed;
use crate::lab::rng::Rng;
use crate::lab::s4::Bench;
use crate::lab::s4::Outcome;
use crate::lab::s4::check;
use crate::lab::stats;
use crate::time::Clock;

/// The published cap of an event.
const EVENT_BYTES: usize = 256 << 10;

/// Names worked out in one sample.
const NAMES: usize = 20_000;

/// One event of 256 KiB.
#[derive(Clone, Debug, Serialize)]
pub struct Event {
    /// Its bytes, one line.
    pub bytes: usize,
    /// A value planted in its last KiB was found.
    pub last_kib_found: bool,
    /// Median milliseconds of processor time to scan all of it.
    pub ms: Option<f64>,
    /// Published milliseconds, of which only the first 64 KiB were scanned.
    pub published_ms: f64,
}

/// The same work five times.
#[derive(Clone, Debug, Serialize)]
pub struct Stability {
    /// Million bytes a second of each run over a mixed corpus.
    pub runs_mb_s: Vec<f64>,
    /// Their spread.
    pub cv_percent: f64,
    /// The published spread, on one processor.
    pub published_cv_percent: f64,
}

/// Measures all three.
pub(super) fn measure(bench: &Bench, lines: usize, clock: &dyn Clock, outcome: &mut Outcome) {
    event(bench, clock, outcome);
    stability(bench, lines, clock, outcome);
    name(bench, clock, outcome);
}

fn event(bench: &Bench, clock: &dyn Clock, outcome: &mut Outcome) {
    let corpus = large_event();
    let mut contender = bench.all.contender(&bench.naming);
    let mut found = Found::default();
    if let Err(error) = contender.pass(&corpus.text, &mut found) {
        outcome.errors.push(format!("event: {error}"));
        return;
    }
    let last_kib_found = check::compare(&corpus, &found, |_| true).missed == 0;
    let mut event =
        Event { bytes: corpus.text.len(), last_kib_found, ms: None, published_ms: 268.0 };
    if last_kib_found {
        let timed = time_one("event", &corpus.text, Box::new(contender), &found, clock);
        event.ms = per_pass_ns(&timed).map(|ns| (ns / 1_000.0).round() / 1_000.0);
        outcome.samples.push(("event-256k", timed));
    } else {
        outcome.errors.push("event: the value in the last KiB was not found".to_owned());
    }
    outcome.event_256k = Some(event);
}

/// One record of 256 KiB: a stack trace in a JSON string, and a value in the last KiB of it.
fn large_event() -> Corpus {
    let mut rng = Rng::new(corpus::SEED);
    let mut values = Values::new(Mode::Cold, corpus::SEED);
    let mut sheet = Sheet::new(EVENT_BYTES, 10);
    sheet.put("{\"level\":\"ERROR\",\"msg\":\"");
    while sheet.room() > 900 {
        sheet.put(format_args!(
            "at com.shop.order.OrderService.handle(OrderService.java:{}) took {}.{:02} ms id {}; ",
            rng.below(2_000),
            rng.below(900),
            rng.below(100),
            rng.hex(16),
        ));
    }
    sheet.put("reply to ");
    sheet.plant(Kind::Email, values.next(Kind::Email, 1));
    sheet.put(" ");
    while sheet.room() > 10 {
        sheet.put("and so on ");
    }
    sheet.put("\"}");
    sheet.end_line();
    sheet.finish()
}

fn stability(bench: &Bench, lines: usize, clock: &dyn Clock, outcome: &mut Outcome) {
    let mut text = Vec::new();
    for definition in corpus::S4.iter().take(5) {
        let corpus = corpus::generate(definition, lines, Mode::Warm, corpus::SEED);
        text.extend_from_slice(&corpus.text);
    }
    let mut found = Found::default();
    let mut contender = bench.all.contender(&bench.naming);
    if let Err(error) = contender.pass(&text, &mut found) {
        outcome.errors.push(format!("stability: {error}"));
        return;
    }
    let mut runs_mb_s = Vec::new();
    for _ in 0..5 {
        let contender = Box::new(bench.all.contender(&bench.naming));
        let timed = time_one("mixed", &text, contender, &found, clock);
        match timed.mb_s() {
            Some(mb_s) => runs_mb_s.push((mb_s * 10.0).round() / 10.0),
            None => outcome.errors.push("stability: the answer changed".to_owned()),
        }
        outcome.samples.push(("mixed", timed));
    }
    let cv_percent = (stats::variation_percent(&runs_mb_s) * 10.0).round() / 10.0;
    outcome.stability = Some(Stability { runs_mb_s, cv_percent, published_cv_percent: 3.5 });
}

/// Names distinct values, one of which stands on each line of the text.
struct NameOnly<'a>(&'a Bench);

impl Contender for NameOnly<'_> {
    fn pass(&mut self, text: &[u8], found: &mut Found) -> anyhow::Result<()> {
        for value in text.split(|byte| *byte == b'\n') {
            self.0.naming.name("EMAIL", value, &mut found.names);
        }
        Ok(())
    }
}

fn name(bench: &Bench, clock: &dyn Clock, outcome: &mut Outcome) {
    let mut values = Values::new(Mode::Cold, corpus::SEED);
    let names: Vec<String> = (0..NAMES).map(|_| values.next(Kind::Email, 1)).collect();
    let text = names.join("\n").into_bytes();
    let mut found = Found::default();
    if let Err(error) = NameOnly(bench).pass(&text, &mut found) {
        outcome.errors.push(format!("name: {error}"));
        return;
    }
    let timed = time_one("name", &text, Box::new(NameOnly(bench)), &found, clock);
    outcome.name_ns = per_pass_ns(&timed).map(|ns| (ns / NAMES as f64 * 10.0).round() / 10.0);
    outcome.samples.push(("name", timed));
}

fn time_one<'a>(
    label: &str,
    text: &'a [u8],
    contender: Box<dyn Contender + 'a>,
    found: &Found,
    clock: &dyn Clock,
) -> Timed {
    let expected = found.digest();
    let mut jobs = [Job { label: label.to_owned(), text, contender, expected }];
    let timed = measure::interleave(&mut jobs, clock).pop();
    timed.unwrap_or(Timed { label: label.to_owned(), bytes: 0, samples: Ok(Vec::new()) })
}

fn per_pass_ns(timed: &Timed) -> Option<f64> {
    let samples = timed.samples.as_ref().ok()?;
    let times: Vec<f64> = samples
        .iter()
        .map(|sample| sample.cpu.as_nanos() as f64 / f64::from(sample.passes))
        .collect();
    Some(stats::median(&times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_event_has_its_size_and_its_value_at_the_end() {
        let corpus = large_event();
        assert!((EVENT_BYTES - 16..=EVENT_BYTES).contains(&corpus.text.len()));
        assert_eq!(corpus.planted.len(), 1);
        assert!(corpus.planted[0].span.start > corpus.text.len() - 1_024);
        assert!(serde_json::from_slice::<serde_json::Value>(&corpus.text).is_ok());
    }
}
