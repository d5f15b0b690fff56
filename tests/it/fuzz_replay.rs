//! Fuzzing without a fuzzer: what was found stays fixed, and each target runs on made-up inputs.
//!
//! The targets are those of `tests/fuzz/`. Inputs are joined from detectors' examples, seeds and
//! awkward bytes, then damaged, all from one seed: a run repeats. A failing input is made smaller
//! before it is printed; it goes to `tests/fuzz/found/`.
//!
//! Shown to bite by one bit of the rare bytes of a window wrong in the AVX2 kernel (`kernels`,
//! `scan`), by a map of a view that forgets what an encoded character made (`view`), and by markers
//! that are not looked for (`mask`).

use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::path::Path;

use locklog::detect::Rules;
use locklog::detect::Selection;
use locklog::lab::rng::Rng;

#[path = "../fuzz/targets.rs"]
mod targets;

/// Inputs made up for each target.
const INPUTS: usize = 400;
/// Parts of one input.
const PARTS_MAX: u64 = 12;

/// Failing inputs that are enough to go on with.
const FINDS_MAX: usize = 8;

/// Bytes that mean something to one stage or another.
const AWKWARD: &[&str] = &[
    "\n",
    "\r\n",
    " ",
    "\"",
    "'",
    "=",
    ": ",
    ", ",
    "&",
    "%",
    "%25",
    "%40",
    "%2540",
    "&#64;",
    "&amp;",
    "\\u0040",
    "\\x40",
    "\\\\",
    "\\\"",
    "＠",
    "\u{200b}",
    "\u{1b}[1m",
    "\0",
    "://",
    "@",
    "..",
    "::",
    "--",
    "eyJ",
    "Bearer ",
    "Basic ",
    "password=",
    "api_key: ",
    "Cookie: a=",
    "stdout P ",
    "stdout F ",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "EMAIL_",
    "ü",
    "４",
    "{\"log\":\"",
];

#[test]
fn inputs_pass_the_kernels() {
    run("kernels", 3);
}

#[test]
fn inputs_pass_the_scan() {
    run("scan", 1);
}

#[test]
fn inputs_pass_the_gates() {
    run("gates", 1);
}

#[test]
fn inputs_pass_the_mask() {
    run("mask", 1);
}

#[test]
fn inputs_pass_the_view() {
    run("view", 3);
}

fn run(name: &str, times: usize) {
    let (_, target) = targets::ALL.iter().find(|(known, _)| *known == name).unwrap();
    let mut known = Vec::new();
    for folder in ["tests/fuzz/corpus", "tests/fuzz/found"] {
        read_all(Path::new(folder), &mut known);
    }
    assert!(known.len() > 5, "the seeds are gone");
    let mut inputs = Inputs::new(name);
    let made_up = (0..INPUTS * times).map(|_| inputs.next());
    let found: BTreeSet<String> = known
        .into_iter()
        .chain(made_up)
        .filter_map(|input| smallest(*target, &input))
        .take(FINDS_MAX)
        .collect();
    assert!(found.is_empty(), "{name} fails for\n{}", Vec::from_iter(found).join("\n"));
}

/// The smallest part of the input for which the target fails, if it fails.
fn smallest(target: targets::Target, input: &[u8]) -> Option<String> {
    let fails = |input: &[u8]| catch_unwind(|| target(input)).is_err();
    if !fails(input) {
        return None;
    }
    let mut small = input.to_vec();
    let mut part = small.len().div_ceil(2).max(1);
    loop {
        let before = small.len();
        let mut at = 0;
        while at < small.len() {
            let mut shorter = small.clone();
            shorter.drain(at..(at + part).min(small.len()));
            if fails(&shorter) {
                small = shorter;
            } else {
                at += part;
            }
        }
        if part == 1 && small.len() == before {
            break;
        }
        part = (part / 2).max(1);
    }
    Some(format!("b\"{}\"", small.escape_ascii()))
}

/// Made-up inputs, always the same ones.
struct Inputs {
    rng: Rng,
    parts: Vec<Vec<u8>>,
}

impl Inputs {
    fn new(name: &str) -> Inputs {
        let rules = Rules::load(&Selection::default()).unwrap();
        let mut parts = Vec::new();
        for rule in rules.written() {
            let texts = rule.examples.iter().chain(&rule.counterexamples);
            parts.extend(texts.map(|text| text.clone().into_bytes()));
        }
        read_all(Path::new("tests/fuzz/corpus"), &mut parts);
        let seed = name.bytes().fold(1, |sum: u64, byte| sum * 31 + u64::from(byte));
        Inputs { rng: Rng::new(seed), parts }
    }

    fn next(&mut self) -> Vec<u8> {
        let mut input = Vec::new();
        for _ in 0..self.rng.between(1, PARTS_MAX) {
            if self.rng.chance(40) {
                let at = self.rng.length(0, self.parts.len() as u64 - 1);
                let part = &self.parts[at];
                // Often a piece of it, so that a form is cut anywhere.
                let len = part.len() as u64;
                let (from, to) = match self.rng.chance(50) {
                    true => (0, part.len()),
                    false => (self.rng.length(0, len), self.rng.length(0, len)),
                };
                input.extend_from_slice(&part[from.min(to)..from.max(to)]);
            } else if self.rng.chance(80) {
                input.extend_from_slice(self.rng.pick(AWKWARD).as_bytes());
            } else {
                let unit = self.rng.pick(AWKWARD).repeat(self.rng.length(2, 40));
                input.extend_from_slice(unit.as_bytes());
            }
        }
        for _ in 0..self.rng.between(0, 3) {
            if let Some(last) = (input.len() as u64).checked_sub(1) {
                let at = self.rng.length(0, last);
                match self.rng.below(3) {
                    0 => input[at] = self.rng.bits().to_le_bytes()[0],
                    1 => drop(input.remove(at)),
                    _ => input.insert(at, self.rng.bits().to_le_bytes()[0]),
                }
            }
        }
        input
    }
}

fn read_all(folder: &Path, into: &mut Vec<Vec<u8>>) {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read_all(&path, into);
        } else {
            into.push(std::fs::read(path).unwrap());
        }
    }
}
