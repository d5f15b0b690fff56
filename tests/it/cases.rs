//! The cases of `tests/cases`, judged as the README there says.
//!
//! They run inside the test's process, twice: whole, and with the input pushed in pieces of seven
//! bytes. A few go through the program as well, so that both ways are the same.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;
use std::time::Instant;

use serde::Deserialize;

use crate::run;
use crate::support::Scratch;

/// Cases there are at least, so that a lost file does not pass.
const CASES_MIN: usize = 313;
/// Bytes that are pushed at a time in the second run.
const CHUNK: usize = 7;
/// How much longer a case may take here: a build for tests is slower than what is shipped, and other
/// tests run at the same time.
const SLOWER: f64 = if cfg!(debug_assertions) { 10.0 } else { 2.0 };

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "some fields are for the reader")]
struct Case {
    id: String,
    group: String,
    kind: String,
    input: Vec<String>,
    leak: Vec<String>,
    keep: Vec<String>,
    equal: bool,
    json: bool,
    why: String,
    #[serde(default)]
    source: Option<String>,
    #[serde(default)]
    same: Vec<Vec<String>>,
    #[serde(default)]
    differ: Vec<Vec<String>>,
    #[serde(default)]
    rerun: Option<Rerun>,
    #[serde(default)]
    max_seconds: Option<f64>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Rerun {
    Repeat,
    Refeed,
    Rekey,
}

fn cases() -> Vec<Case> {
    let mut files: Vec<_> = Path::new("tests/cases")
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    let mut cases: Vec<Case> = Vec::new();
    for file in files {
        for line in std::fs::read_to_string(&file).unwrap().lines() {
            cases.push(serde_json::from_str(line).unwrap());
        }
    }
    let ids: BTreeSet<_> = cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids.len(), cases.len(), "an id stands there twice");
    assert!(cases.len() >= CASES_MIN, "{} cases", cases.len());
    cases
}

impl Case {
    fn text(&self) -> Vec<u8> {
        let mut text = self.input.join("\n").into_bytes();
        text.push(b'\n');
        text
    }

    /// Why the case fails; empty where it passes. `mask` takes the number of a key and the input.
    fn judge(&self, mask: &dyn Fn(u8, &[u8]) -> Vec<u8>) -> Vec<String> {
        let started = Instant::now();
        let first = mask(1, &self.text());
        let taken = started.elapsed();
        let mut reasons = self.reasons(&String::from_utf8_lossy(&first));
        let most = self.max_seconds.map(|most| Duration::from_secs_f64(most * SLOWER));
        if let Some(most) = most.filter(|most| taken > *most) {
            reasons.push(format!("took {taken:?}, at most {most:?}"));
        }
        if !reasons.is_empty() {
            return reasons;
        }
        match self.rerun {
            Some(Rerun::Repeat) if mask(1, &self.text()) != first => {
                reasons.push("a second run gives another output".to_owned());
            }
            Some(Rerun::Refeed) if mask(1, &first) != first => {
                reasons.push("the output does not come out unchanged".to_owned());
            }
            Some(Rerun::Rekey) => {
                let second = mask(2, &self.text());
                let (first, second) =
                    (String::from_utf8_lossy(&first), String::from_utf8_lossy(&second));
                reasons.extend(self.reasons(&second));
                reasons.extend(self.kept_by_another_key(&first, &second));
            }
            _ => {}
        }
        reasons
    }

    fn kept_by_another_key(&self, first: &str, second: &str) -> Vec<String> {
        match (self.markers(first), self.markers(second)) {
            (Ok(first), Ok(second)) => first
                .iter()
                .filter(|(value, markers)| !markers.is_disjoint(&second[*value]))
                .map(|(value, _)| format!("another key gives '{value}' the same marker"))
                .collect(),
            (Err(reason), _) | (_, Err(reason)) => vec![reason],
        }
    }

    fn reasons(&self, out: &str) -> Vec<String> {
        let mut reasons = Vec::new();
        let mut lines: Vec<&str> = out.split('\n').collect();
        lines.pop_if(|last| last.is_empty());
        if self.equal && lines != self.input {
            let at = lines.iter().zip(&self.input).position(|(a, b)| a != b);
            let line = at.and_then(|at| lines.get(at)).copied().unwrap_or("");
            reasons.push(format!("changed: {}", line.chars().take(200).collect::<String>()));
        }
        for leak in self.leak.iter().filter(|leak| out.contains(leak.as_str())) {
            reasons.push(format!("leaks '{leak}'"));
        }
        for keep in self.keep.iter().filter(|keep| !out.contains(keep.as_str())) {
            reasons.push(format!("loses '{keep}'"));
        }
        if self.json {
            let is_json = |line: &&str| serde_json::from_str::<serde_json::Value>(line).is_ok();
            if let Some(line) =
                lines.iter().filter(|line| !line.trim().is_empty()).find(|line| !is_json(line))
            {
                reasons.push(format!("not JSON: {}", line.chars().take(200).collect::<String>()));
            }
            if lines.len() < self.input.len() {
                reasons.push("lines are missing".to_owned());
            }
        }
        if !self.same.is_empty() || !self.differ.is_empty() {
            match self.markers(out) {
                Ok(markers) => reasons.extend(self.compare(&markers)),
                Err(reason) => reasons.push(reason),
            }
        }
        reasons
    }

    fn compare(&self, markers: &BTreeMap<&str, BTreeSet<String>>) -> Vec<String> {
        let mut reasons = Vec::new();
        for values in &self.same {
            let all: BTreeSet<_> =
                values.iter().flat_map(|value| &markers[value.as_str()]).collect();
            if all.len() != 1 {
                reasons.push(format!("{} markers for '{}' …", all.len(), values[0]));
            }
        }
        for values in &self.differ {
            let mut seen = BTreeMap::new();
            for value in values {
                for marker in &markers[value.as_str()] {
                    if let Some(other) = seen.insert(marker, value).filter(|other| *other != value)
                    {
                        reasons.push(format!("one marker for '{other}' and '{value}'"));
                    }
                }
            }
        }
        reasons
    }

    /// The markers in the places of the listed values.
    fn markers(&self, out: &str) -> Result<BTreeMap<&str, BTreeSet<String>>, String> {
        let lines: Vec<&str> = out.split('\n').collect();
        let values: BTreeSet<&str> =
            self.same.iter().chain(&self.differ).flatten().map(String::as_str).collect();
        let mut markers: BTreeMap<&str, BTreeSet<String>> =
            values.iter().map(|value| (*value, BTreeSet::new())).collect();
        for (number, line) in self.input.iter().enumerate() {
            let mut spots: Vec<(usize, usize, &str)> = Vec::new();
            for value in &values {
                spots.extend(places(line, value).map(|at| (at, at + value.len(), *value)));
            }
            spots.sort_unstable();
            for (index, (start, end, value)) in spots.iter().enumerate() {
                let from = index.checked_sub(1).map_or(0, |last| spots[last].1);
                let to = spots.get(index + 1).map_or(line.len(), |next| next.0);
                let before = last_chars(&line[from.min(*start)..*start], 12);
                let after = first_chars(&line[*end..to.max(*end)], 12);
                let at_start = from == 0 && before.len() == *start;
                let out = lines.get(number).copied().unwrap_or("");
                let marker = between(out, before, after, at_start).ok_or_else(|| {
                    format!("line {}: no marker in the place of '{value}'", number + 1)
                })?;
                markers.get_mut(value).unwrap().insert(marker.to_owned());
            }
        }
        Ok(markers)
    }
}

/// Where `value` stands whole: no letter or digit touches one of its own.
fn places<'a>(line: &'a str, value: &'a str) -> impl Iterator<Item = usize> + 'a {
    let touches = |a: Option<char>, b: Option<char>| {
        a.is_some_and(char::is_alphanumeric) && b.is_some_and(char::is_alphanumeric)
    };
    line.char_indices().map(|(at, _)| at).filter(move |at| {
        line[*at..].starts_with(value)
            && !touches(line[..*at].chars().next_back(), value.chars().next())
            && !touches(value.chars().next_back(), line[at + value.len()..].chars().next())
    })
}

fn last_chars(text: &str, count: usize) -> &str {
    text.char_indices().rev().nth(count - 1).map_or(text, |(at, _)| &text[at..])
}

fn first_chars(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(at, _)| &text[..at])
}

/// The word of `[A-Za-z0-9_]` between two pieces of text; an empty second piece is the line's end.
fn between<'o>(line: &'o str, before: &str, after: &str, at_start: bool) -> Option<&'o str> {
    let is_marker = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.match_indices(before).filter(|(at, _)| !at_start || *at == 0).find_map(|(at, _)| {
        let rest = &line[at + before.len()..];
        let run = rest.find(|c| !is_marker(c)).unwrap_or(rest.len());
        // What follows may begin with letters; the marker takes as much as it can.
        (1..=run)
            .rev()
            .find(|len| {
                let tail = &rest[*len..];
                if after.is_empty() { tail.is_empty() } else { tail.starts_with(after) }
            })
            .map(|len| &rest[..len])
    })
}

fn report(failed: &[(String, Vec<String>)], all: usize, how: &str) {
    let mut text = String::new();
    for (id, reasons) in failed {
        let _written = writeln!(text, "{id}: {}", reasons.join("; "));
    }
    assert!(failed.is_empty(), "{} of {all} cases fail, {how}:\n{text}", failed.len());
}

/// Shown to bite by not asking the detectors' checks: 13 cases fail.
#[test]
fn all_cases_pass_whole() {
    let cases = cases();
    let masker = [run::masker(1), run::masker(2)];
    let mask = |key: u8, text: &[u8]| run::mask(&masker[usize::from(key) - 1], text);
    let failed: Vec<_> = cases
        .iter()
        .map(|case| (case.id.clone(), case.judge(&mask)))
        .filter(|(_, reasons)| !reasons.is_empty())
        .collect();
    report(&failed, cases.len(), "whole");
}

/// Shown to bite by letting pieces end at the last blank instead of the last line end: 65 cases fail.
#[test]
fn all_cases_pass_in_chunks() {
    let cases = cases();
    let masker = [run::masker(1), run::masker(2)];
    let mask = |key: u8, text: &[u8]| {
        let chunks = text.chunks(CHUNK).map(|chunk| (chunk, run::Then::Idle));
        run::mask_chunks(&masker[usize::from(key) - 1], chunks)
    };
    let failed: Vec<_> = cases
        .iter()
        .map(|case| (case.id.clone(), case.judge(&mask)))
        .filter(|(_, reasons)| !reasons.is_empty())
        .collect();
    report(&failed, cases.len(), "in chunks");
}

/// The program and the library mask alike: all cases of several lines, through a pipe. Shown to bite
/// by a program that leaves private keys out.
#[test]
fn the_program_masks_as_the_library_does() {
    let scratch = Scratch::new();
    let key = scratch.file("key", [1; 32]);
    std::fs::set_permissions(&key, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let masker = run::masker(1);
    for case in cases().iter().filter(|case| case.group == "stream" || case.group == "format") {
        let ran = scratch
            .run_with_input(&["mask", "--key-file", crate::support::as_str(&key)], &case.text());
        assert_eq!(ran.code, 0, "{}: {}", case.id, ran.err);
        assert_eq!(ran.out, run::mask(&masker, &case.text()), "{}", case.id);
    }
}
