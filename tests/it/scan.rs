//! `locklog scan` and `locklog plan`: files, ranges, limits, cursors, outputs, messages.

use std::fs;
use std::io::Write;

use serde_json::Value;

use crate::support::Ran;
use crate::support::Scratch;

/// Approvals: two people, from the request to the trail.
mod approval;
/// Each bad input with its message.
mod bad;
/// Killed at any moment of a scan to a file.
mod crash;
/// What is left behind holds no value.
mod leftovers;
/// Which records are given out.
mod ranges;

/// Seconds since 1970 of 2026-11-30T00:00:00Z.
pub(crate) const DAY: u64 = 1_796_000_000 - 1_796_000_000 % 86_400;

/// JSON records, one a second from `first` on, each with a mail address and its own number.
pub(crate) fn records(first: u64, count: u64) -> Vec<u8> {
    let mut text = Vec::new();
    for at in first..first + count {
        let (hour, minute, second) = (at / 3600 % 24, at / 60 % 60, at % 60);
        let level = if at % 10 == 0 { "error" } else { "info" };
        let service = if at % 2 == 0 { "checkout" } else { "search" };
        writeln!(
            text,
            "{{\"time\":\"2026-11-30T{hour:02}:{minute:02}:{second:02}Z\",\"level\":\"{level}\",\
             \"service\":\"{service}\",\"status\":200,\"msg\":\"user{at}@shop.example paid, step {at}\",\
             \"pad\":\"{}\"}}",
            "x".repeat(120)
        )
        .unwrap();
    }
    text
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The numbers of the records in an output, in order.
pub(crate) fn steps(output: &[u8]) -> Vec<u64> {
    let text = std::str::from_utf8(output).unwrap();
    text.lines()
        .filter_map(|line| {
            let rest = line.split("paid, step ").nth(1)?;
            rest[..rest.find(|c: char| !c.is_ascii_digit())?].parse().ok()
        })
        .collect()
}

/// The cursor that a call printed.
pub(crate) fn cursor(ran: &Ran) -> String {
    let at = ran.err.find("--cursor ").unwrap_or_else(|| panic!("no cursor: {}", ran.err));
    ran.err[at + "--cursor ".len()..].split_whitespace().next().unwrap().to_owned()
}

/// The trailer of an output.
pub(crate) fn trailer(output: &[u8]) -> Value {
    let last = output.split(|byte| *byte == b'\n').rev().find(|line| !line.is_empty()).unwrap();
    let mut value: Value = serde_json::from_slice(last).unwrap();
    value["locklog"].take()
}

#[test]
fn a_small_scan_needs_no_preparation() {
    let scratch = Scratch::new();
    scratch.file("app.log", records(DAY, 1_000));
    let ran = scratch.run(&["scan", "app.log"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(steps(&ran.out) == (DAY..DAY + 1_000).collect::<Vec<_>>());
    assert!(!ran.text().contains("@shop.example") && ran.text().contains("EMAIL_"));
    assert!(ran.err.contains("1000 records of 1000"), "{}", ran.err);
    let verify = scratch.run(&["audit", "verify"]);
    assert_eq!(verify.code, 0, "{}", verify.err);
}

#[test]
fn rotated_files_of_every_packing_come_in_the_order_of_time() {
    let scratch = Scratch::new();
    scratch.file("app.log", records(DAY + 3_000, 1_000));
    scratch.file("app.log.1", records(DAY + 2_000, 1_000));
    scratch.file("app.log.2.gz", gzip(&records(DAY + 1_000, 1_000)));
    scratch.file("app.log.3.zst", zstd::stream::encode_all(&records(DAY, 1_000)[..], 3).unwrap());
    let ran = scratch.run(&["scan", "app.log"]);
    assert!(
        ran.code == 0 && steps(&ran.out) == (DAY..DAY + 4_000).collect::<Vec<_>>(),
        "{}",
        ran.err
    );
    // Plain files backward, packed ones as they are.
    let ran = scratch.run(&["scan", "app.log", "--newest-first"]);
    let (one, two) = ((DAY..DAY + 1_000), (DAY + 1_000..DAY + 2_000));
    let newest: Vec<u64> = (DAY + 2_000..DAY + 4_000).rev().chain(two).chain(one).collect();
    assert!(ran.code == 0 && steps(&ran.out) == newest, "{}", ran.err);
    let ran = scratch.run(&["scan", "app.log.*"]);
    assert_eq!((ran.code, steps(&ran.out).len()), (0, 3_000), "{}", ran.err);
}

/// Shown to bite by a cursor that names the granule that is done.
#[test]
fn calls_go_on_without_a_gap_or_a_repeat() {
    let scratch = Scratch::new();
    let count = 30_000;
    scratch.file("app.log", records(DAY, count / 2));
    scratch.file("app.log.1.gz", gzip(&records(DAY - count / 2, count / 2)));
    for order in ["--oldest-first", "--newest-first"] {
        let whole = steps(&scratch.run(&["scan", "app.log", order]).out);
        assert_eq!(whole.len() as u64, count);
        for more in [&["--max-bytes", "2MiB"][..], &["--limit", "4001"]] {
            let mut seen = Vec::new();
            let mut args = vec!["scan", "app.log", order];
            args.extend(more);
            let mut ran = scratch.run(&args);
            let mut calls = 1;
            loop {
                seen.extend(steps(&ran.out));
                if ran.code != 3 {
                    break;
                }
                let at = cursor(&ran);
                let mut args = vec!["scan", "--cursor", &at];
                args.extend(more);
                ran = scratch.run(&args);
                calls += 1;
            }
            assert_eq!(ran.code, 0, "{}", ran.err);
            assert!(calls > 2, "{calls} calls");
            assert!(seen == whole, "{order} {more:?}: {} of {}", seen.len(), whole.len());
        }
        let all = scratch.run(&["scan", "app.log", order, "--max-bytes", "2MiB", "--all"]);
        assert_eq!((all.code, steps(&all.out) == whole), (0, true), "{}", all.err);
    }
}

#[test]
fn what_is_charged_does_not_depend_on_what_is_found() {
    let scratch = Scratch::new();
    scratch.file("app.log", records(DAY, 100_000));
    let mut charged = Vec::new();
    for more in [
        &[][..],
        &["--limit", "1"],
        &["--match", "no record holds this"],
        &["--match", "step 1", "--limit", "1"],
    ] {
        let mut args = vec!["scan", "app.log", "--trailer"];
        args.extend(more);
        let ran = scratch.run(&args);
        charged.push(trailer(&ran.out)["bytes"].as_u64().unwrap());
    }
    assert!(charged.iter().all(|bytes| *bytes == charged[0]), "{charged:?}");
}

#[test]
fn matching_sees_masked_text_alone() {
    let scratch = Scratch::new();
    scratch.file("app.log", records(DAY, 100));
    let raw = scratch.run(&["scan", "app.log", "--match", "shop.example"]);
    assert_eq!((raw.code, steps(&raw.out).len()), (0, 0));
    let masked = scratch.run(&["scan", "app.log", "--match-re", "EMAIL_[a-z0-9_]+ paid"]);
    assert_eq!((masked.code, steps(&masked.out).len()), (0, 100));
}

#[test]
fn a_file_that_grows_or_is_rotated_is_followed_and_a_changed_one_is_said() {
    let scratch = Scratch::new();
    let text = records(DAY, 20_000);
    scratch.file("app.log", &text);
    let first = scratch.run(&["scan", "app.log", "--max-bytes", "2MiB"]);
    assert_eq!(first.code, 3);
    let at = cursor(&first);
    let rest = (DAY + steps(&first.out).len() as u64..DAY + 20_000).collect::<Vec<_>>();
    let go_on = || scratch.run(&["scan", "--cursor", &at, "--all"]);
    scratch.file("app.log", [&text[..], &records(DAY + 20_000, 10)].concat());
    assert!(steps(&go_on().out) == rest, "what has grown is not part of the plan");
    fs::rename(scratch.path("app.log"), scratch.path("app.log.1")).unwrap();
    scratch.file("app.log", records(DAY + 30_000, 10));
    let ran = go_on();
    assert!(ran.code == 0 && steps(&ran.out) == rest, "{}", ran.err);
    scratch.file("app.log.1", records(DAY, 19_000));
    let ran = go_on();
    assert_eq!((ran.code, steps(&ran.out).len()), (3, 0), "{}", ran.err);
    assert!(ran.err.contains("is not the file that was planned: it was cut"), "{}", ran.err);
}

#[test]
fn a_line_that_is_too_long_is_left_out_and_the_call_says_so() {
    let scratch = Scratch::new();
    let mut text = records(DAY, 10);
    text.extend(std::iter::repeat_n(b'y', 3 << 20));
    text.push(b'\n');
    text.extend(records(DAY + 10, 10));
    scratch.file("app.log", text);
    let ran = scratch.run(&["scan", "app.log"]);
    assert_eq!((ran.code, steps(&ran.out).len()), (3, 20), "{}", ran.err);
    assert!(ran.err.contains("1 lines left out: longer than 1 MiB"), "{}", ran.err);
}

/// The measurement at its smallest: its answer is checked before it prints a speed.
#[test]
fn the_spike_checks_its_answer() {
    let scratch = Scratch::new();
    for kind in ["json", "nginx", "plain"] {
        let args = ["spike", "scan", "--kind", kind, "--size", "3MiB", "--rounds", "1"];
        let ran = scratch.run(&args);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.text().contains("| approved scan, 2 workers |"), "{}", ran.text());
        assert!(ran.text().contains("% of processor time"), "{}", ran.text());
    }
    let left = std::fs::read_dir(scratch.path("")).unwrap().count();
    assert!(left <= 1, "{left} files are left behind");
}
