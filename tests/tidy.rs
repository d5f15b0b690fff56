//! Checks the shape of the source tree: who may use whom, who may touch raw text.

#![allow(clippy::unwrap_used, clippy::string_slice, reason = "a failed check should panic")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Each module and the modules it may use, which must stand above it. A module not listed fails.
const MAY_USE: &[(&str, &str)] = &[
    ("units", ""),
    ("time", ""),
    ("id", ""),
    ("text", ""),
    ("simd", ""),
    ("record", "time"),
    ("budget", "units"),
    ("view", "text simd"),
    ("format", "text simd time"),
    ("detect", "text view simd id units"),
    ("pseudonym", "text id units"),
    ("mask", "text view format detect pseudonym record id units"),
    ("cost", "units time"),
    ("plan", "units time id budget cost"),
    ("source", "text record time units id budget"),
    ("index", "mask record time units id budget"),
    ("grant", "id time units"),
    ("audit", "id time units"),
    ("fetch", "plan budget grant source mask index audit record time units id"),
    ("query", "source index mask record budget time units id"),
    (
        "config",
        "units time id budget view format detect pseudonym mask cost plan source index grant \
         audit fetch query",
    ),
    ("daemon", "fetch query grant audit mask record plan budget config time units id"),
    (
        "lab",
        "units time id text simd record budget view format detect pseudonym mask cost plan source \
         index grant audit fetch query",
    ),
    ("calibrate", "lab cost source units time id"),
    (
        "cli",
        "units time id text simd record budget view format detect pseudonym mask cost plan source \
         index grant audit fetch query config daemon lab calibrate",
    ),
];

/// Calls that only some modules may make.
const MAY_CALL: &[(&str, &[&str])] = &[
    ("RawText::new(", &["source"]),
    (".expose()", &["view", "format", "detect", "pseudonym", "mask"]),
];

#[test]
fn rows_use_only_rows_above_them() {
    let mut above = BTreeSet::new();
    for (module, may_use) in MAY_USE {
        for used in may_use.split_whitespace() {
            assert!(above.contains(used), "'{module}' uses '{used}', which is not above it");
        }
        assert!(above.insert(*module), "'{module}' is listed twice");
    }
}

#[test]
fn raw_text_stays_behind_the_masker() {
    let mut broken = Vec::new();
    for path in rust_files(Path::new("src")) {
        if path.ends_with("tests.rs") {
            continue; // A module's own tests look at what they made up.
        }
        let text = fs::read_to_string(&path).unwrap();
        let module = top_module(&path).unwrap_or_default();
        for (call, modules) in MAY_CALL {
            if text.contains(call) && !modules.contains(&module.as_str()) {
                broken.push(format!("{}: '{module}' may not call '{call}'", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn modules_use_only_what_they_may() {
    let allowed: BTreeMap<_, _> = MAY_USE.iter().copied().collect();
    let mut broken = Vec::new();
    for path in rust_files(Path::new("src")) {
        let text = fs::read_to_string(&path).unwrap();
        let Some(module) = top_module(&path) else { continue };
        let Some(may_use) = allowed.get(module.as_str()) else {
            broken.push(format!("{}: module '{module}' is not in MAY_USE", path.display()));
            continue;
        };
        for (index, line) in text.lines().enumerate() {
            if line.trim_start().starts_with("//") {
                continue; // A doc link is not a use.
            }
            for used in crate_paths(line) {
                if used != module && !may_use.split_whitespace().any(|name| name == used) {
                    broken.push(format!(
                        "{}:{}: '{module}' may not use '{used}'",
                        path.display(),
                        index + 1
                    ));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// `src/mask/policy.rs` and `src/mask.rs` both belong to `mask`; `lib.rs` and `main.rs` to none.
fn top_module(path: &Path) -> Option<String> {
    let rest = path.strip_prefix("src").ok()?;
    let first = Path::new(rest.components().next()?.as_os_str());
    let name = first.file_stem()?.to_str()?;
    (name != "lib" && name != "main").then(|| name.to_owned())
}

fn crate_paths(line: &str) -> impl Iterator<Item = &str> {
    line.split("crate::").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}
