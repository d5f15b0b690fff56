//! Who may use whom, who may touch raw text, where `unsafe` may stand.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use super::none_broken;
use super::rust_files;

/// Each module and the modules it may use, which must stand above it. A module not listed fails.
const MAY_USE: &[(&str, &str)] = &[
    ("units", ""),
    ("time", ""),
    ("id", ""),
    ("private", ""),
    ("crash", ""),
    ("text", ""),
    ("simd", ""),
    ("record", "time"),
    ("budget", "units"),
    ("view", "text simd"),
    ("format", "text simd record time"),
    ("detect", "text view simd id units"),
    ("pseudonym", "text simd id units"),
    ("mask", "text view format detect pseudonym record time id units"),
    ("cost", "units time id"),
    ("source", "text record time units id budget"),
    // A plan binds the state of its source: which files, which parts of them.
    ("plan", "units time id budget cost source"),
    ("index", "mask record time units id budget"),
    // Of `mask`, the type of short masked text alone: what stores and trails may keep.
    ("grant", "id time units private crash mask"),
    ("audit", "id time units private crash mask"),
    (
        "fetch",
        "plan budget grant source format mask index audit record private crash text time units id",
    ),
    ("query", "source index mask record budget time units id"),
    (
        "config",
        "units time id private crash budget view format detect pseudonym mask cost plan source \
         index grant audit fetch query",
    ),
    ("daemon", "fetch query grant audit mask record plan budget config time units id"),
    (
        "lab",
        "units time id text simd record budget view format detect pseudonym mask cost plan source \
         index grant audit fetch query config",
    ),
    ("calibrate", "lab cost source mask detect pseudonym private units time id"),
    (
        "cli",
        "units time id private crash text simd record budget view format detect pseudonym mask \
         cost plan source index grant audit fetch query config daemon lab calibrate",
    ),
];

/// Calls that only some modules may make.
const MAY_CALL: &[(&str, &[&str])] = &[
    ("RawText::new(", &["source"]),
    ("read_to_end(", &["source"]),
    (".expose()", &["view", "format", "detect", "pseudonym", "mask"]),
    ("MaskedText(", &["mask"]),
    ("env::var", &["config"]),
    ("rusqlite", &["grant"]),
    ("Instant::now(", &["time"]),
    ("SystemTime::now(", &["time"]),
];

/// The verbs that measure: the only files outside of the lab that may name it.
const LAB_USERS: &[&str] =
    &["src/cli/detectors.rs", "src/cli/spike.rs", "src/cli/lab.rs", "src/calibrate"];

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

/// Shown to bite by a `RawText::new` in `cli/mask/feed.rs`.
#[test]
fn raw_text_stays_behind_the_masker() {
    let tests = module_tests();
    let mut broken = Vec::new();
    for path in rust_files("src") {
        if tests.contains(&path) {
            continue; // A module's own tests look at what they made up.
        }
        let text = fs::read_to_string(&path).unwrap();
        let module = top_module(&path).unwrap_or_default();
        for line in code_lines(product_part(&text)) {
            for (call, modules) in MAY_CALL {
                if line.contains(call) && !modules.contains(&module.as_str()) {
                    broken.push(format!("{}: '{module}' may not call '{call}'", path.display()));
                }
            }
        }
    }
    none_broken(&broken);
}

/// A file called `tests.rs` is excused above, so it must be one that no product build compiles.
///
/// Shown to bite by taking `#[cfg(test)]` from the declaration in `source/files.rs`.
#[test]
fn files_called_tests_are_compiled_for_tests_alone() {
    let named = rust_files("src").into_iter().filter(|path| path.ends_with("tests.rs"));
    let declared = module_tests();
    let broken: Vec<String> = named
        .filter(|path| !declared.contains(path))
        .map(|path| format!("{}: not declared, or not behind #[cfg(test)]", path.display()))
        .collect();
    none_broken(&broken);
    assert!(!declared.is_empty(), "no such file was found at all");
}

#[test]
fn modules_use_only_what_they_may() {
    let allowed: BTreeMap<_, _> = MAY_USE.iter().copied().collect();
    let mut broken = Vec::new();
    for path in rust_files("src") {
        let text = fs::read_to_string(&path).unwrap();
        let Some(module) = top_module(&path) else { continue };
        let Some(may_use) = allowed.get(module.as_str()) else {
            broken.push(format!("{}: module '{module}' is not in MAY_USE", path.display()));
            continue;
        };
        for line in code_lines(&text) {
            for used in crate_paths(line) {
                if used.is_empty() {
                    broken.push(format!("{}: one path a `use crate::` line", path.display()));
                } else if used != module && !may_use.split_whitespace().any(|name| name == used) {
                    broken.push(format!("{}: '{module}' may not use '{used}'", path.display()));
                }
            }
        }
    }
    none_broken(&broken);
}

/// The table above lets `cli` use the lab for the verbs that measure; no other verb may.
#[test]
fn the_product_does_not_use_the_lab() {
    let mut broken = Vec::new();
    for path in rust_files("src") {
        let excused =
            path.starts_with("src/lab") || LAB_USERS.iter().any(|user| path.starts_with(user));
        let text = fs::read_to_string(&path).unwrap();
        if !excused && code_lines(product_part(&text)).any(|line| line.contains("crate::lab")) {
            broken.push(format!("{}: product code may not use the lab", path.display()));
        }
    }
    none_broken(&broken);
}

/// Shown to bite by an `unsafe` block in `text.rs`, and by taking a comment away in `simd/avx2.rs`.
#[test]
fn unsafe_code_is_in_simd_and_says_why_it_is_sound() {
    let word = concat!("uns", "afe ");
    let mut broken = Vec::new();
    for path in
        rust_files("src").into_iter().chain(rust_files("tests")).chain(rust_files("benches"))
    {
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let code = line.trim_start();
            let found = code.find(word).map(|start| &code[start + word.len()..]);
            let Some(rest) = found.filter(|_| !code.starts_with("//")) else { continue };
            let is_code = ["{", "fn ", "impl ", "extern ", "trait "]
                .iter()
                .any(|next| rest.starts_with(next));
            if !is_code {
                continue; // A word in a text.
            }
            let place = format!("{}:{}", path.display(), at + 1);
            if !path.starts_with("src/simd") {
                broken.push(format!("{place}: only src/simd may be unsafe"));
            } else if !says_why(&lines[..at], rest.starts_with("fn ")) {
                broken.push(format!("{place}: no SAFETY comment stands before it"));
            }
        }
    }
    none_broken(&broken);
}

/// True when the comment that ends `before` gives the reason, past attributes.
fn says_why(before: &[&str], is_fn: bool) -> bool {
    let reason = if is_fn { "# Safety" } else { "SAFETY: " };
    before
        .iter()
        .rev()
        .map(|line| line.trim_start())
        .skip_while(|line| line.starts_with("#["))
        .take_while(|line| line.starts_with("//"))
        .any(|line| line.contains(reason))
}

/// The files that a `#[cfg(test)] mod tests;` declares.
fn module_tests() -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for path in rust_files("src") {
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let Some(at) = lines.iter().position(|line| *line == "mod tests;") else { continue };
        let attributes = lines[..at].iter().rev().take_while(|line| line.starts_with("#["));
        let attributes: Vec<&str> = attributes.copied().collect();
        if !attributes.contains(&"#[cfg(test)]") {
            continue;
        }
        let beside = attributes.contains(&"#[path = \"tests.rs\"]") || path.ends_with("mod.rs");
        let folder =
            if beside { path.parent().unwrap().to_owned() } else { path.with_extension("") };
        found.insert(folder.join("tests.rs"));
    }
    found
}

/// A file without the tests at its end.
fn product_part(text: &str) -> &str {
    text.find("\n#[cfg(test)]\nmod tests {").map_or(text, |end| &text[..end])
}

/// Lines that are not comments: a link of a document is not a use.
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
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
