//! Every detector against values that it was not written for.
//!
//! `detect::sample` makes values from what a detector says about itself. They have to be masked in
//! each encoding and beside each byte; what is almost a value has to stay, and so do ordinary lines.

/// `locklog detectors` as a program.
mod command;
/// Encodings of a value.
mod encodings;
/// Values beside every byte.
mod neighbours;

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use locklog::detect;
use locklog::detect::Match;
use locklog::detect::Rules;
use locklog::detect::Scratch;
use locklog::detect::rule::RawRule;
use locklog::detect::sample;
use locklog::lab::corpus::ordinary;
use locklog::text::RawSlice;

use crate::run;

/// Values and near misses for each detector.
const SAMPLES: usize = 3;
/// The seed of the samples.
const SEED: u64 = 0x0dec;
/// Ordinary lines.
const ORDINARY_LINES: usize = 100_000;
/// One more false span than they may hold.
const FALSE_SPANS_BELOW: usize = 1;
/// What has to be covered at least.
const TOKEN_FAMILIES_MIN: usize = 170;
const PERSONAL_KINDS_MIN: usize = 40;
const COUNTRIES_MIN: usize = 25;
/// Failures that are printed.
const PRINTED_MAX: usize = 250;

fn all() -> Vec<(String, RawRule)> {
    detect::written(&[]).unwrap()
}

fn is_secret(kind: &str) -> bool {
    matches!(kind, "SECRET" | "JWT" | "PRIVATE_KEY")
}

fn none(failed: &[String], what: &str) {
    let shown = failed.iter().take(PRINTED_MAX).cloned().collect::<Vec<_>>().join("\n");
    assert!(failed.is_empty(), "{} {what}:\n{shown}", failed.len());
}

fn spans(rules: &Rules, text: &[u8]) -> Vec<Match> {
    let mut scratch = Scratch::new();
    rules.scan(RawSlice::new(text), &mut scratch);
    scratch.matches().to_vec()
}

/// Bit when examples were not found, and others only because a gate kept a matcher from them.
#[test]
fn the_linter_finds_nothing() {
    let problems: Vec<String> = detect::check(&[]).iter().map(detect::Problem::to_string).collect();
    none(&problems, "problems");
}

/// Bit when base64 tokens with a mark among their first bytes fell through the gate, and when cues
/// that end in a digit announced nothing behind `: "`.
#[test]
fn made_up_values_are_found() {
    let rules = run::rules();
    let mut recall: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut failed = Vec::new();
    for (file, raw) in all() {
        let alone = Rules::single(&file, raw.clone()).unwrap();
        let samples = sample::positives(&raw, SAMPLES, SEED);
        assert!(samples.len() >= SAMPLES, "{}", raw.id);
        for made in samples {
            let line = made.line();
            let covers = |found: &Match| {
                found.span.start <= made.before.len()
                    && found.span.end >= made.before.len() + made.value.len()
            };
            let sums = recall.entry(raw.kind.clone()).or_default();
            sums.1 += 1;
            // Key blocks over several lines are followed by the masker, not by the scan.
            let several = line.contains('\n');
            if several || spans(&alone, line.as_bytes()).iter().any(covers) {
                sums.0 += 1;
            } else {
                failed.push(format!("{}: alone: {line}", raw.id));
                continue;
            }
            if !several && !spans(&rules, line.as_bytes()).iter().any(covers) {
                failed.push(format!("{}: among all: {line}", raw.id));
            }
        }
    }
    println!("recall by kind, of made-up values, each detector alone:");
    for (kind, (found, of)) in &recall {
        println!("  {kind:12} {found:4} of {of:4}");
    }
    none(&failed, "values are not found");
}

/// Shown to bite by a matcher that is content with one character less than a repeat asks for.
#[test]
fn near_misses_stay() {
    let mut failed = Vec::new();
    for (file, raw) in all() {
        let alone = Rules::single(&file, raw.clone()).unwrap();
        let misses = sample::near_misses(&raw, SAMPLES, SEED);
        assert!(misses.len() >= SAMPLES, "{}", raw.id);
        for made in misses {
            let line = made.line();
            if let Some(found) = spans(&alone, line.as_bytes()).first() {
                failed.push(format!(
                    "{}: {}..{} of {line}",
                    raw.id, found.span.start, found.span.end
                ));
            }
        }
    }
    none(&failed, "near misses are masked");
}

/// Shown to bite by not asking the detectors' checks.
#[test]
fn ordinary_lines_stay() {
    let rules = run::rules();
    let corpus = ordinary::lines(ORDINARY_LINES, SEED);
    let found = spans(&rules, &corpus.text);
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut detectors: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    for span in &found {
        *kinds.entry(rules.kind_name(span.kind)).or_default() += 1;
        let head = &corpus.text[..span.span.start];
        let start = memchr::memrchr(b'\n', head).map_or(0, |at| at + 1);
        let end = memchr::memchr(b'\n', &corpus.text[start..])
            .map_or(corpus.text.len(), |len| start + len);
        let one = detectors.entry(rules.rule_id(span.rule)).or_default();
        one.0 += 1;
        let part = String::from_utf8_lossy(&corpus.text[span.span.start..span.span.end]);
        one.1 = format!("'{part}' in: {}", String::from_utf8_lossy(&corpus.text[start..end]));
    }
    println!("{} false spans in {} ordinary lines, by kind: {kinds:?}", found.len(), corpus.lines);
    let failed: Vec<_> =
        detectors.iter().map(|(id, (count, line))| format!("{id}: {count}, last {line}")).collect();
    assert!(found.len() < FALSE_SPANS_BELOW, "{} false spans:\n{}", found.len(), failed.join("\n"));
}

/// Shown to bite by leaving the file of one group out of the list.
#[test]
fn the_coverage_is_as_promised() {
    let all = all();
    let secrets = all.iter().filter(|(_, raw)| is_secret(&raw.kind)).count();
    let kinds: BTreeSet<&str> =
        all.iter().map(|(_, raw)| raw.kind.as_str()).filter(|kind| !is_secret(kind)).collect();
    let countries: BTreeSet<&str> = kinds
        .iter()
        .filter_map(|kind| kind.split_once('_'))
        .map(|(country, _)| country)
        .filter(|country| country.len() == 2)
        .collect();
    println!("{secrets} token families, {} kinds of personal data: {kinds:?}", kinds.len());
    println!("{} countries: {countries:?}", countries.len());
    assert!(secrets >= TOKEN_FAMILIES_MIN);
    assert!(kinds.len() >= PERSONAL_KINDS_MIN);
    assert!(countries.len() >= COUNTRIES_MIN);
}
