//! All that a scan leaves behind holds no value: outputs, checkpoints, cursors, plans, the trail.

use std::collections::BTreeSet;
use std::fs;

use crate::canary::all_files;
use crate::canary::assert_quiet;
use crate::canary::emitted;
use crate::canary::everything;
use crate::support::Scratch;

/// A value that is planted, as somebody may look for it.
const VALUE: &str = "zanther.quill@brookmere-ltd.example";

fn as_json(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let line = |line: &str| serde_json::json!({ "level": "info", "msg": line }).to_string() + "\n";
    text.lines().map(line).collect::<String>().into_bytes()
}

fn is_part(line: &[u8]) -> bool {
    line.starts_with(b"2026-11-03T08:13:21.1Z") || line.starts_with(b"2026-11-03T08:13:21.2Z")
}

/// Lines of a container runtime, parts among them.
fn as_container(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let line = |line: &str| match line.starts_with("2026-11-03T08:13:21.") {
        true => format!("{line}\n"),
        false => format!("2026-11-03T08:13:20.1Z stdout F {line}\n"),
    };
    text.lines().map(line).collect::<String>().into_bytes()
}

/// Shown to bite by plans that are kept as they are.
#[test]
fn outputs_and_files_hold_no_value() {
    let planted = everything();
    let scratch = Scratch::new();
    // Beginnings of granules fall everywhere.
    let mut text = Vec::new();
    // Parts of a line are put together where the format has any.
    let lines = planted.text.split_inclusive(|byte| *byte == b'\n');
    let whole: Vec<&[u8]> = lines.filter(|line| !is_part(line)).collect();
    while text.len() < 5 << 19 {
        text.extend(whole.concat());
        text.extend(std::iter::repeat_n(b'.', text.len() % 977));
        text.push(b'\n');
    }
    scratch.file("plain.log", &text);
    scratch.file("packed.log.gz", super::gzip(&text));
    scratch.file("json.log", as_json(&whole.concat()));
    scratch.file("container.log", as_container(&planted.text));
    let runs: &[&[&str]] = &[
        &["scan", "plain.log", "--format", "plain", "--trailer"],
        &["scan", "plain.log", "--format", "plain", "--out", "text", "--threads", "3"],
        &["scan", "plain.log", "--format", "plain", "--out", "text", "--newest-first"],
        &["scan", "container.log", "--format", "cri", "--out", "pretty"],
        &["scan", "container.log", "--out", "text"],
        &["scan", "packed.log.gz", "--out", "ndjson"],
        &["scan", "json.log", "--out", "json"],
        &["scan", "json.log", "--out", "logfmt", "--profile", "strict"],
        &["scan", "plain.log", "--output", "out.txt", "--max-bytes", "2MiB"],
        &["scan", "--output", "out.txt", "--resume", "--max-bytes", "2MiB"],
        &["scan", "plain.log", "--output", "begun.txt", "--max-bytes", "2MiB"],
        &["scan", "plain.log", "--match", VALUE, "--limit", "1"],
        &["scan", "plain.log", "--match-re", VALUE],
        &["scan", "plain.log", "--select", "mail=zanther.quill@brookmere-ltd.example"],
        &["plan", "plain.log", "--match", VALUE],
        &["plan", "plain.log", "--match", VALUE, "--json"],
        &["audit", "tail"],
    ];
    for args in runs {
        let emitted = emitted(&scratch, args, b"");
        assert!(emitted.iter().any(|(_, bytes)| !bytes.is_empty()), "{args:?} says nothing");
        assert_quiet(&planted, &emitted);
    }
    let inputs: BTreeSet<String> = ["plain.log", "packed.log.gz", "json.log", "container.log"]
        .map(|name| scratch.path(name).to_str().unwrap().to_owned())
        .into();
    let left = all_files(&scratch.path("")).into_iter().filter(|path| !inputs.contains(path));
    let left: Vec<(String, Vec<u8>)> =
        left.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    for part in ["state/audit", "state/plans", "begun.txt.checkpoint"] {
        assert!(left.iter().any(|(path, _)| path.contains(part)), "nothing is in {part}");
    }
    assert_quiet(&planted, &left);
}
