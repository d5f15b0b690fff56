//! What help says, word for word: operators script against it and read it at night.
//!
//! Shown to bite by a changed word in the help of `grant use`.

use std::path::Path;

use crate::support::Scratch;

/// The verbs, and the file of `tests/golden/help` that holds what each says.
const VERBS: &[(&str, &[&str])] = &[
    ("grant.txt", &["grant"]),
    ("grant-request.txt", &["grant", "request"]),
    ("grant-list.txt", &["grant", "list"]),
    ("grant-show.txt", &["grant", "show"]),
    ("grant-approve.txt", &["grant", "approve"]),
    ("grant-deny.txt", &["grant", "deny"]),
    ("grant-revoke.txt", &["grant", "revoke"]),
    ("grant-review.txt", &["grant", "review"]),
    ("grant-use.txt", &["grant", "use"]),
    ("audit.txt", &["audit"]),
    ("audit-verify.txt", &["audit", "verify"]),
    ("audit-tail.txt", &["audit", "tail"]),
    ("audit-show.txt", &["audit", "show"]),
    ("calibrate.txt", &["calibrate"]),
    ("scan.txt", &["scan"]),
    ("plan.txt", &["plan"]),
    ("spike-scan.txt", &["spike", "scan"]),
];

#[test]
fn help_says_what_it_said() {
    let scratch = Scratch::new();
    let mut changed = Vec::new();
    for (file, verb) in VERBS {
        let ran = scratch.run(&[*verb, &["--help"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let path = Path::new("tests/golden/help").join(file);
        let golden = std::fs::read_to_string(&path).unwrap_or_default();
        if golden != ran.text() {
            changed.push(format!("{} should be:\n{}", path.display(), ran.text()));
        }
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}
