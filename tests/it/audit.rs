//! `locklog audit` as a program: what it says of a trail in order and of one that is not.

use std::fs;

use crate::support::Ran;
use crate::support::Scratch;

const MISSING: &str = "gr_0000000000000000";

/// A state directory with a trail of a few refused calls.
fn with_trail() -> Scratch {
    let scratch = Scratch::new();
    for _ in 0..3 {
        assert_eq!(scratch.run(&["grant", "revoke", MISSING]).code, 2);
    }
    scratch
}

fn anchor(ran: &Ran) -> String {
    let line = ran.text().lines().find(|line| line.starts_with("anchor ")).unwrap();
    line["anchor ".len()..].to_owned()
}

/// Shown to bite by an `each_line` that leaves the last line out.
#[test]
fn a_trail_in_order_verifies_and_shows() {
    let scratch = with_trail();
    let ran = scratch.run(&["audit", "verify"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.text().starts_with("9 entries in 1 files, 3 checkpoints"), "{}", ran.text());
    assert!(ran.text().ends_with("in order\n"), "{}", ran.text());
    let last = scratch.run(&["audit", "tail", "-n", "1"]);
    assert!(last.text().contains("\"seq\":8,") && last.text().contains("checkpoint"));
    assert_eq!(scratch.run(&["audit", "tail"]).text().lines().count(), 9);
    let shown = scratch.run(&["audit", "show", MISSING]);
    assert_eq!((shown.code, shown.text().lines().count()), (0, 6), "two of each call");
    assert_eq!(scratch.run(&["audit", "show", "call_0000000000000000"]).code, 3);
}

/// Shown to bite by an exit code that ignores the anchor.
#[test]
fn a_trail_that_was_written_anew_does_not_hold_the_anchor() {
    let scratch = with_trail();
    let kept = anchor(&scratch.run(&["audit", "verify"]));
    scratch.run(&["grant", "revoke", MISSING]);
    assert_eq!(scratch.run(&["audit", "verify", "--anchor", &kept]).code, 0);
    // Whoever holds the key too can write another trail: the anchor tells.
    fs::remove_dir_all(scratch.path("state/audit")).unwrap();
    scratch.run(&["grant", "revoke", MISSING]);
    assert_eq!(scratch.run(&["audit", "verify"]).code, 0);
    let ran = scratch.run(&["audit", "verify", "--anchor", &kept]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("the anchor is not in the trail"), "{}", ran.err);
}

#[test]
fn a_changed_trail_is_not_in_order_and_takes_no_more_calls_when_it_is_short() {
    let scratch = with_trail();
    let path = scratch.path("state/audit/trail.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("revoke", "review", 1)).unwrap();
    let ran = scratch.run(&["audit", "verify"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("trail.jsonl:2 does not hold the hash"), "{}", ran.err);

    let short: String = text.split_inclusive('\n').take(5).collect();
    fs::write(&path, short).unwrap();
    let ran = scratch.run(&["audit", "verify"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("says that more were written"), "{}", ran.err);
    let ran = scratch.run(&["grant", "revoke", MISSING]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("nothing is done without an audit entry"), "{}", ran.err);
}

/// Without an entry nothing is done: the store is not even made.
///
/// Shown to bite by opening the store before the trail.
#[test]
fn what_cannot_be_audited_is_not_done() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.path("state/audit/trail.jsonl")).unwrap();
    let plan = r#"{"digest":"plan_0909090909090909090909090909090909090909090909090909090909090909",
        "summary":{"source":"a","selector":null,"from_s":null,"to_s":null,"granules":1,"bytes":5,
        "predicted_ms":1,"worst_ms":1,"profile":"incident"}}"#;
    scratch.file("plan.json", plan);
    let ran = scratch.run(&["grant", "request", "--plan", "plan.json", "--reason", "down"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("nothing is done without an audit entry"), "{}", ran.err);
    assert!(!scratch.path("state/grants.sqlite").exists());
}

#[test]
fn of_two_sinks_one_is_enough_and_says_so() {
    let scratch = Scratch::new();
    let run = || {
        let mut command = scratch.locklog(&["grant", "revoke", MISSING]);
        Ran::from(command.env("LOCKLOG_AUDIT_SECOND", scratch.path("second")).output().unwrap())
    };
    assert_eq!(run().code, 2);
    let second = scratch.path("second");
    let verify = ["audit", "verify", "--folder", second.to_str().unwrap()];
    assert_eq!(scratch.run(&verify).code, 0);
    fs::remove_dir_all(scratch.path("state/audit")).unwrap();
    fs::write(scratch.path("state/audit"), "no folder").unwrap();
    let ran = run();
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.err.contains("one of two audit sinks takes no entries"), "{}", ran.err);
    let verified = scratch.run(&verify);
    assert!(verified.text().starts_with("6 entries"), "{}", verified.text());
}
