//! What a source file may hold, and how much of it.

use std::fs;
use std::path::Path;

use super::files;
use super::none_broken;
use super::rust_files;

/// A module that needs more is two modules.
const FILE_LINES_MAX: usize = 600;

/// Open ends, in pieces so that this file does not hold them.
const OPEN_ENDS: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X:"),
    concat!("HA", "CK:"),
    concat!("db", "g!("),
    concat!("to", "do!("),
    concat!("unimpl", "emented!("),
    concat!("#[ig", "nore"),
];

/// Places of somebody's machine and hosts that serve packages, in pieces too.
const NOT_OURS: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/fa", "rm/"),
    concat!("/tmp/re", "search"),
    concat!("crates.io", "/api"),
    concat!("py", "pi.org"),
    concat!("deb.deb", "ian.org"),
    concat!("registry.np", "mjs"),
    concat!("repo1.ma", "ven"),
    concat!("proxy.go", "lang"),
];

/// Where such words are what the text is about: input that is masked, and what fuzzing found.
const LOG_TEXT: &[&str] =
    &["./tests/cases", "./tests/fuzz/corpus", "./tests/fuzz/found", "./src/lab/corpus"];

/// Shown to bite by 600 blank lines in `text.rs`.
#[test]
fn files_are_short_enough_to_read() {
    let mut broken = Vec::new();
    for path in ["src", "tests", "benches"].into_iter().flat_map(rust_files) {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        if lines > FILE_LINES_MAX {
            broken.push(format!("{}: {lines} lines, at most {FILE_LINES_MAX}", path.display()));
        }
    }
    none_broken(&broken);
}

/// Shown to bite by each word of the list in `text.rs`.
#[test]
fn no_file_has_an_open_end() {
    let mut broken = Vec::new();
    for path in ["src", "tests", "benches"].into_iter().flat_map(rust_files) {
        let text = fs::read_to_string(&path).unwrap();
        for (at, line) in text.lines().enumerate() {
            for word in OPEN_ENDS.iter().filter(|word| line.contains(**word)) {
                broken.push(format!("{}:{}: {word}", path.display(), at + 1));
            }
        }
    }
    none_broken(&broken);
}

/// Each module of the library begins with what it is.
#[test]
fn modules_open_with_an_essay() {
    let mut broken = Vec::new();
    for path in rust_files("src") {
        let text = fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap_or_default();
        if !path.ends_with("tests.rs") && !first.starts_with("//! ") {
            broken.push(format!("{}: begins with '{first}', not with `//!`", path.display()));
        }
    }
    none_broken(&broken);
}

/// Shown to bite by a path of this machine in `README.md`.
#[test]
fn nothing_names_a_machine_or_a_registry() {
    let mut broken = Vec::new();
    for path in files(Path::new(".")) {
        let is_log_text = LOG_TEXT.iter().any(|folder| path.starts_with(folder));
        if is_log_text || path.ends_with("Cargo.lock") {
            continue;
        }
        // What is not UTF-8 is no document.
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for (at, line) in text.lines().enumerate() {
            for word in NOT_OURS.iter().filter(|word| names(line, word)) {
                broken.push(format!("{}:{}: {word}", path.display(), at + 1));
            }
        }
    }
    none_broken(&broken);
}

/// True when `word` stands in `line` as the beginning of a path or of a host's name.
fn names(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| !line[..at].ends_with(char::is_alphanumeric))
}
