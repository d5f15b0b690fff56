//! One row: the answers of all contenders on one corpus, checked, then timed.

use std::collections::BTreeMap;

use crate::lab::corpus;
use crate::lab::corpus::Corpus;
use crate::lab::corpus::Definition;
use crate::lab::corpus::Kind;
use crate::lab::corpus::Mode;
use crate::lab::measure;
use crate::lab::measure::Contender;
use crate::lab::measure::Found;
use crate::lab::measure::Job;
use crate::lab::measure::Timed;
use crate::lab::peers;
use crate::lab::s4::Bench;
use crate::lab::s4::Detectors;
use crate::lab::s4::Options;
use crate::lab::s4::Peers;
use crate::lab::s4::Row;
use crate::lab::s4::check;
use crate::lab::s4::check::Checked;

/// The peer that floors are ratios to.
const FUSED: &str = "fused-dfa-24";
const ONE_BY_ONE: &str = "regex-24";
const CEILING: &str = "memchr";

/// What an answer has to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Duty {
    /// All planted values, and nothing else in a clean corpus.
    Engine,
    /// The same without the values of secrets.
    EngineWithoutSecret,
    /// All planted values.
    Peer,
    /// Whatever it finds, as long as it is the same each time.
    Repeat,
}

/// Measures one corpus.
pub(super) fn measure(
    definition: &'static Definition,
    options: &Options,
    bench: &Bench,
    clock: &dyn crate::time::Clock,
) -> (Row, Vec<Timed>) {
    let warm = corpus::generate(definition, options.lines, Mode::Warm, corpus::SEED);
    let cold = corpus::generate(definition, options.lines, Mode::Cold, corpus::SEED);
    let mut row = start(definition, &cold);
    let mut jobs = Vec::new();
    for (mode, corpus) in [("warm", &warm), ("cold", &cold)] {
        for (name, duty, contender) in contenders(definition, options, bench, mode) {
            let label = format!("{name}/{mode}");
            match checked_job(definition, corpus, &label, duty, contender) {
                Ok((job, checked)) => {
                    note(&mut row, name, mode, duty, checked);
                    jobs.push(job);
                }
                Err(error) => row.errors.push(format!("{label}: {error}")),
            }
        }
    }
    let timed = measure::interleave(&mut jobs, clock);
    fill(&mut row, &timed);
    (row, timed)
}

fn start(definition: &Definition, cold: &Corpus) -> Row {
    let lines = cold.lines.max(1) as f64;
    Row {
        corpus: definition.name,
        published_mb_s: definition.published_mb_s,
        published_without_secret_mb_s: definition.published_without_secret_mb_s,
        lines: cold.lines,
        line_bytes: cold.text.len() as f64 / lines,
        published_matches: definition.published_tenths as f64 / 10.0,
        planted_matches: cold.planted.len() as f64 / lines,
        text_blake3: cold.text_digest(),
        ..Row::default()
    }
}

type Entry<'a> = (&'static str, Duty, Box<dyn Contender + 'a>);

fn contenders<'a>(
    definition: &Definition,
    options: &Options,
    bench: &'a Bench,
    mode: &str,
) -> Vec<Entry<'a>> {
    let naming = &bench.naming;
    let mut entries: Vec<Entry<'a>> = Vec::new();
    if options.detectors == Detectors::All {
        entries.push(("all", Duty::Engine, Box::new(bench.all.contender(naming))));
    }
    if mode == "warm" {
        let engine = bench.without_secret.contender(naming);
        entries.push(("without-secret", Duty::EngineWithoutSecret, Box::new(engine)));
    }
    if options.peers == Peers::Beside {
        // A peer has no views, so that it cannot be asked for what is encoded.
        let duty = if definition.name == "encoded" { Duty::Repeat } else { Duty::Peer };
        entries.push((FUSED, duty, Box::new(bench.fused.contender(naming))));
        entries.push((ONE_BY_ONE, duty, Box::new(bench.one_by_one.contender(naming))));
        entries.push((CEILING, Duty::Repeat, Box::new(peers::ceiling())));
    }
    entries
}

fn checked_job<'a>(
    definition: &Definition,
    corpus: &'a Corpus,
    label: &str,
    duty: Duty,
    mut contender: Box<dyn Contender + 'a>,
) -> Result<(Job<'a>, Checked), String> {
    let mut found = Found::default();
    contender.pass(&corpus.text, &mut found).map_err(|error| error.to_string())?;
    let wanted = |kind: Kind| match duty {
        Duty::Engine | Duty::Peer => true,
        Duty::EngineWithoutSecret => !kind.is_secret(),
        Duty::Repeat => false,
    };
    let checked = check::compare(corpus, &found, wanted);
    if !check::in_order(&found) {
        return Err("spans overlap or are out of order".to_owned());
    }
    if checked.missed > 0 {
        return Err(format!(
            "{} of {} planted values missed, the first on line {}",
            checked.missed,
            checked.wanted,
            checked.first_missed_line.unwrap_or(0) + 1
        ));
    }
    let of_engine = matches!(duty, Duty::Engine | Duty::EngineWithoutSecret);
    if of_engine && definition.clean && checked.extra > 0 {
        return Err(format!("{} spans found where there is nothing to find", checked.extra));
    }
    let expected = found.digest();
    Ok((Job { label: label.to_owned(), text: &corpus.text, contender, expected }, checked))
}

fn note(row: &mut Row, name: &str, mode: &str, duty: Duty, checked: Checked) {
    if mode != "cold" {
        return;
    }
    let per_line = checked.found as f64 / row.lines.max(1) as f64;
    match duty {
        Duty::Engine => {
            row.found_matches = Some(per_line);
            row.extra_spans = Some(checked.extra);
        }
        Duty::EngineWithoutSecret => {}
        Duty::Peer | Duty::Repeat => {
            row.peers_matches_per_line.insert(name.to_owned(), per_line);
        }
    }
}

fn fill(row: &mut Row, timed: &[Timed]) {
    for timed in timed {
        if let Err(error) = &timed.samples {
            row.errors.push(format!("{}: {error}", timed.label));
        }
        let speed = timed.mb_s().map(tenth);
        match timed.label.as_str() {
            "all/warm" => {
                row.all_mb_s = speed;
                row.cv_percent = timed.variation_percent().map(tenth);
            }
            "all/cold" => row.all_cold_mb_s = speed,
            "without-secret/warm" => row.without_secret_mb_s = speed,
            label => {
                let (name, mode) = label.split_once('/').unwrap_or((label, ""));
                let peers = if mode == "cold" { &mut row.peers_cold } else { &mut row.peers };
                peers.insert(name.to_owned(), speed);
            }
        }
    }
    let ratio = |ours: Option<f64>, peers: &BTreeMap<String, Option<f64>>| {
        let fused = peers.get(FUSED).copied().flatten()?;
        (fused > 0.0).then_some((ours? / fused * 100.0).round() / 100.0)
    };
    row.ratio_to_fused_dfa = ratio(row.all_mb_s, &row.peers);
    row.ratio_to_fused_dfa_cold = ratio(row.all_cold_mb_s, &row.peers_cold);
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
