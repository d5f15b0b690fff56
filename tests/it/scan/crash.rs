//! Killed at any moment of a scan to a file: going on gives each record once.

use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::time::Duration;

use super::DAY;
use super::records;
use super::steps;
use crate::support::Scratch;

/// How many times the program is killed at a random moment.
const KILLS: u32 = 100;
/// Records: three granules.
const RECORDS: u64 = 12_000;
/// Where the program can be killed by name, where it is built to be.
#[cfg(debug_assertions)]
const POINTS: &[&str] = &[
    "output.before-create",
    "output.before-sync",
    "output.before-sync:2",
    "output.after-sync:2",
    "output.after-checkpoint",
    "output.after-checkpoint:2",
    "output.before-complete",
    "fetch.before-read",
    "fetch.before-read:2",
];

/// The arguments that begin, or go on where something was begun and not finished.
fn args(scratch: &Scratch, name: &str) -> Vec<String> {
    let checkpoint = scratch.path(&format!("{name}.checkpoint"));
    let args = if checkpoint.exists() {
        vec!["scan", "--output", name, "--resume", "--all", "--max-bytes", "2MiB"]
    } else {
        vec!["scan", "app.log", "--output", name, "--all", "--max-bytes", "2MiB"]
    };
    args.into_iter().map(str::to_owned).collect()
}

fn is_done(scratch: &Scratch, name: &str) -> bool {
    scratch.path(name).exists() && !scratch.path(&format!("{name}.checkpoint")).exists()
}

/// Goes on until it is done, and looks at the file.
fn finish(scratch: &Scratch, name: &str) {
    while !is_done(scratch, name) {
        let args = args(scratch, name);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ran = scratch.run(&args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
    }
    let text = std::fs::read(scratch.path(name)).unwrap();
    assert!(steps(&text) == (DAY..DAY + RECORDS).collect::<Vec<_>>(), "{name}");
}

#[test]
fn killed_at_a_random_moment_it_goes_on_without_a_gap_or_a_repeat() {
    let scratch = Scratch::new();
    scratch.file("app.log", records(DAY, RECORDS));
    let mut kills = 0;
    let mut seed = 1_u64;
    for round in 0.. {
        let name = format!("out-{round}.txt");
        while kills < KILLS && !is_done(&scratch, &name) {
            let args = args(&scratch, &name);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let mut command = scratch.locklog(&args);
            let mut child = command.stderr(Stdio::null()).spawn().unwrap();
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            std::thread::sleep(Duration::from_micros(seed >> 33 & 0x1_ffff));
            child.kill().unwrap();
            kills += u32::from(child.wait().unwrap().signal() == Some(9));
        }
        finish(&scratch, &name);
        if kills >= KILLS {
            break;
        }
    }
    let verify = scratch.run(&["audit", "verify"]);
    assert!(matches!(verify.code, 0 | 3), "{}{}", verify.text(), verify.err);
}

/// Points are there in builds with debug assertions alone.
#[cfg(debug_assertions)]
#[test]
fn killed_at_each_named_point_it_goes_on_without_a_gap_or_a_repeat() {
    let scratch = Scratch::new();
    scratch.file("app.log", records(DAY, RECORDS));
    for (at, point) in POINTS.iter().enumerate() {
        let name = format!("out-{at}.txt");
        let args = args(&scratch, &name);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let status = scratch.locklog(&args).env("LOCKLOG_CRASH_AT", point).status().unwrap();
        assert_eq!(status.signal(), Some(9), "{point} is never passed");
        finish(&scratch, &name);
    }
}
