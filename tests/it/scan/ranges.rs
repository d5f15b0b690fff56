//! Which records are given out: ranges, selectors, layouts, signals.

use std::io::Read;

use serde_json::Value;

use super::DAY;
use super::cursor;
use super::gzip;
use super::records;
use super::steps;
use super::trailer;
use crate::support::Scratch;

/// The record of a second, with another second's number in it: out of order.
fn late(text: &mut Vec<u8>, said: u64, step: u64) {
    let record = String::from_utf8(records(said, 1)).unwrap();
    text.extend(record.replace(&format!("step {said}"), &format!("step {step}")).into_bytes());
}

/// Shown to bite by a range that has its end.
#[test]
fn a_range_is_half_open_and_little_more_of_a_large_file_is_read() {
    let scratch = Scratch::new();
    scratch.file("app.log", records(DAY, 60_000));
    let range = ["--from", "2026-11-30T10:00:00Z", "--to", "2026-11-30 10:10"];
    let args = [&["scan", "app.log", "--trailer"], &range[..]].concat();
    let ran = scratch.run(&args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(steps(&ran.out) == (DAY + 36_000..DAY + 36_600).collect::<Vec<_>>());
    let read = trailer(&ran.out)["bytes"].as_u64().unwrap();
    assert!(read < 4 << 20, "{read} bytes of 16 MiB were read");
    let zone = scratch.run(&[
        "scan",
        "app.log",
        "--from",
        "2026-11-30 12:00",
        "--to",
        "2026-11-30 12:10",
        "--zone",
        "+02:00",
    ]);
    assert!(steps(&zone.out) == steps(&ran.out), "{}", zone.err);
}

#[test]
fn records_out_of_order_are_found() {
    let scratch = Scratch::new();
    let mut text = records(DAY, 30_000);
    late(&mut text, DAY + 29_800, 1);
    text.extend(records(DAY + 30_000, 30_000));
    scratch.file("app.log", &text);
    let range = ["--from", "2026-11-30T08:16:30Z", "--to", "2026-11-30T08:16:50Z"];
    let ran = scratch.run(&[&["scan", "app.log"], &range[..]].concat());
    assert!(steps(&ran.out).contains(&1), "200 seconds late, within the slack");
    // A second file begun before the first had ended: all of it is read.
    scratch.file("both.log", [records(DAY + 20_000, 30_000), records(DAY, 30_000)].concat());
    let ran = scratch.run(&[&["scan", "both.log"], &range[..]].concat());
    assert_eq!(steps(&ran.out).len(), 40, "{}", ran.err);
    assert!(ran.err.contains("not in the order of time"), "{}", ran.err);
    // Its source says so, though it looks in order.
    let mut text = records(DAY, 60_000);
    late(&mut text, DAY + 29_800, 1);
    scratch.file("app.log", &text);
    scratch.file(
        "locklog.toml",
        "[sources.shop]\npaths = ['app.log']\nproduction = false\nordered = false\n",
    );
    let args = [&["scan", "shop", "--config", "locklog.toml"], &range[..]].concat();
    assert!(steps(&scratch.run(&args).out).contains(&1));
}

#[test]
fn packed_files_of_another_time_are_not_unpacked() {
    let scratch = Scratch::new();
    scratch.file("app.log", records(DAY + 20_000, 1_000));
    scratch.file("app.log.1.gz", gzip(&records(DAY + 40_000, 1_000)));
    let ran = scratch.run(&["plan", "app.log", "--to", "2026-11-30T06:00:00Z"]);
    assert!(!ran.text().contains("app.log.1.gz"), "{}", ran.text());
    let ran = scratch.run(&["scan", "app.log", "--to", "2026-11-30T06:00:00Z"]);
    assert_eq!((ran.code, steps(&ran.out).len()), (0, 1_000), "{}", ran.err);
}

#[test]
fn trusted_fields_select_and_others_do_not() {
    let scratch = Scratch::new();
    scratch.file("app.log", records(DAY, 1_000));
    let count = |select: &str| {
        let ran = scratch.run(&["scan", "app.log", "--select", select]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        steps(&ran.out).len()
    };
    assert_eq!(count("level=ERROR"), 100);
    assert_eq!(count("service=search"), 500);
    assert_eq!(count("service=search, level=error"), 0);
    assert_eq!(count("status=200,service=checkout"), 500);
    for (select, message) in [
        ("msg=x", "field 'msg' is not one that the profile trusts"),
        ("level=loud", "a level is trace"),
        ("level", "a selector is as in"),
    ] {
        let ran = scratch.run(&["scan", "app.log", "--select", select]);
        assert!(ran.code == 2 && ran.err.contains(message), "{}", ran.err);
    }
}

#[test]
fn every_layout_is_what_it_is_called() {
    let scratch = Scratch::new();
    scratch.file("app.log", records(DAY, 20_000));
    let out = |layout: &str| scratch.run(&["scan", "app.log", "--out", layout]).out;
    let list: Vec<Value> = serde_json::from_slice(&out("json")).unwrap();
    assert_eq!(list.len(), 20_000);
    let lines = String::from_utf8(out("ndjson")).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines == list);
    for layout in ["logfmt", "pretty", "text"] {
        assert_eq!(steps(&out(layout)).len(), 20_000, "{layout}");
    }
    // A list is one at each end of a call, and when it was gone on with.
    let mut args =
        vec!["scan", "app.log", "--out", "json", "--output", "a.json", "--max-bytes", "2MiB"];
    let first = scratch.run(&args);
    assert_eq!(first.code, 3, "{}", first.err);
    let read = || -> Vec<Value> {
        serde_json::from_slice(&std::fs::read(scratch.path("a.json")).unwrap()).unwrap()
    };
    let some = read();
    assert!(some.len() > 100 && some.len() < 20_000);
    args = vec!["scan", "--out", "json", "--output", "a.json", "--resume"];
    assert_eq!(scratch.run(&args).code, 0);
    assert!(read() == list);
}

/// Shown to bite by a signal that ends the program.
#[test]
fn a_signal_ends_a_scan_with_a_cursor_that_goes_on() {
    let scratch = Scratch::new();
    let count = 120_000;
    scratch.file("app.log", records(DAY, count));
    let mut child = scratch.locklog(&["scan", "app.log", "--out", "text"]).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut text = vec![0; 1000];
    out.read_exact(&mut text).unwrap();
    let pid = rustix::process::Pid::from_raw(child.id().cast_signed()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    out.read_to_end(&mut text).unwrap();
    let ended = child.wait_with_output().unwrap();
    let ran = crate::support::Ran::from(ended);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains("it was stopped"), "{}", ran.err);
    let first = steps(&text);
    assert!(!first.is_empty() && (first.len() as u64) < count);
    let at = cursor(&ran);
    let rest = scratch.run(&["scan", "--cursor", &at, "--out", "text"]);
    let all = [first, steps(&rest.out)].concat();
    assert!(all == (DAY..DAY + count).collect::<Vec<_>>(), "{}: {}", all.len(), rest.err);
}

#[test]
fn records_of_several_lines_are_whole_wherever_granules_end() {
    let scratch = Scratch::new();
    let mut text = String::new();
    let mut number = 0;
    while text.len() < 5 << 19 {
        text.push_str(&format!("2026-11-30 10:00:00 ERROR paid, step {number} \n"));
        for frame in 0..number % 9 {
            text.push_str(&format!("\tat shop.example.Order.frame{frame}(Order.java:{number})\n"));
        }
        number += 1;
    }
    scratch.file("app.log", &text);
    for order in ["--oldest-first", "--newest-first"] {
        let args = ["scan", "app.log", "--format", "plain", "--trailer", order];
        let ran = scratch.run(&args);
        let seen = trailer(&ran.out)["served"].as_u64().unwrap();
        assert_eq!((ran.code, seen), (0, number), "{order}: {}", ran.err);
    }
}
