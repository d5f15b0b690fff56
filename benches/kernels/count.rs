//! Counting with callgrind, and the comparison with what was accepted.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;
use std::process::ExitCode;

use serde::Deserialize;

use crate::pass::KERNELS;

/// Where the accepted counts are, from the root of the source tree.
const BASELINE: &str = "benches/baselines/instructions.toml";
/// More instructions than this, in thousandths of the baseline, are mentioned.
const WARN_ABOVE: u64 = 1_020;
/// More than this fail.
const FAIL_ABOVE: u64 = 1_050;
/// Fewer than this should be accepted, or the next one to lose them will not be seen.
const BETTER_BELOW: u64 = 950;
/// How far the cost of values seen in another call may be from that of fresh ones: their digits differ.
const SAME_WITHIN: u64 = 10;
/// A value seen in the same call has to be this much cheaper, or the comparison says nothing.
const REPEAT_BELOW: u64 = 900;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Baseline {
    #[serde(rename = "accepted")]
    _accepted: String,
    kernels: BTreeMap<String, u64>,
}

/// Counts every kernel; none where callgrind cannot run or vectors are missing.
fn counts() -> Result<BTreeMap<&'static str, u64>, String> {
    if !locklog::simd::Kernel::Avx2.is_available() {
        return Err("this machine has no AVX2, whose instructions were counted".to_owned());
    }
    if !Command::new("valgrind")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
    {
        return Err("valgrind is not installed".to_owned());
    }
    let own = std::env::current_exe().unwrap();
    KERNELS
        .iter()
        .map(|name| {
            let output = Command::new("valgrind")
                .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
                .arg("--toggle-collect=*counted_kernel*")
                .arg(&own)
                .args(["run", name])
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{name} gave a wrong answer: {said}");
            let collected = said.lines().find_map(|line| line.split_once("Collected :")).unwrap().1;
            let count = collected.trim().parse().unwrap();
            assert!(count > 10_000, "{name}: the counted function was not found");
            Ok((*name, count))
        })
        .collect()
}

/// Compares with the accepted counts.
pub(crate) fn check() -> ExitCode {
    let counts = match counts() {
        Ok(counts) => counts,
        Err(reason) => {
            println!("tripwire skipped: {reason}");
            return ExitCode::SUCCESS;
        }
    };
    let accepted: Baseline = toml::from_str(&std::fs::read_to_string(BASELINE).unwrap()).unwrap();
    let mut failed = false;
    println!("{:<14} {:>13} {:>13} {:>8}", "kernel", "accepted", "now", "change");
    for name in KERNELS {
        let now = counts[name];
        let Some(before) = accepted.kernels.get(*name).copied() else {
            println!("{name:<14} {:>13} {now:>13}   FAIL: no count was accepted", "-");
            failed = true;
            continue;
        };
        let change = (now as f64 / before as f64 - 1.0) * 100.0;
        let verdict = match now * 1_000 / before {
            above if above > FAIL_ABOVE => "FAIL: more than +5 %",
            above if above > WARN_ABOVE => "warning: more than +2 %",
            below if below < BETTER_BELOW => "better: accept it",
            _ => "",
        };
        failed |= verdict.starts_with("FAIL");
        println!("{name:<14} {before:>13} {now:>13} {change:>+7.2}% {verdict}");
    }
    failed |= !calls_are_apart(&counts);
    if failed {
        println!(
            "To accept the new counts, say why:\n  cargo bench --locked --bench kernels -- baseline \
             'REASON' > new.toml && mv new.toml {BASELINE}"
        );
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// What a value costs must not tell that another call has seen it.
fn calls_are_apart(counts: &BTreeMap<&str, u64>) -> bool {
    let (fresh, seen, repeat) = (counts["call-fresh"], counts["call-seen"], counts["call-repeat"]);
    println!(
        "a value seen in an earlier call: {seen} instructions, a fresh one: {fresh}, one of this call: {repeat}"
    );
    let same = fresh.abs_diff(seen) * 1_000 <= fresh * SAME_WITHIN;
    let bites = repeat * 1_000 < fresh * REPEAT_BELOW;
    if !same {
        println!("FAIL: the costs of calls are not apart");
    }
    if !bites {
        println!("FAIL: a value of the same call is not cheaper, so this comparison shows nothing");
    }
    same && bites
}

/// Prints the counts as a file to accept.
pub(crate) fn baseline(reason: &str) -> ExitCode {
    let counts = match counts() {
        Ok(counts) => counts,
        Err(problem) => {
            println!("{problem}");
            return ExitCode::FAILURE;
        }
    };
    let mut file = String::from(
        "# Instructions of one pass, counted by callgrind (valgrind 3.19: AVX2, SHA-256 in software).\n\
         # Made by: cargo bench --locked --bench kernels -- baseline 'REASON'. Do not edit the numbers.\n\n",
    );
    let quoted = reason.replace(['"', '\\'], "'");
    writeln!(file, "accepted = \"{quoted}\"\n\n[kernels]").unwrap();
    for name in KERNELS {
        writeln!(file, "{name} = {}", counts[name]).unwrap();
    }
    print!("{file}");
    ExitCode::SUCCESS
}
