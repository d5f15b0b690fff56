//! From a request to the trail, by two people.

use std::io::Read;
use std::process::Stdio;

use super::DAY;
use super::records;
use super::steps;
use crate::grant::ANN;
use crate::grant::BOB;
use crate::grant::SERVICE;
use crate::grant::Shared;
use crate::support::Ran;

const CONFIG: &str = "[sources.shop]\npaths = ['app.log']\nformat = 'json'\nproduction = true\n";

/// A production source that the service account alone may read.
fn shop(count: u64) -> Option<Shared> {
    let shared = Shared::new()?;
    shared.scratch.file("locklog.toml", CONFIG);
    let log = shared.scratch.file("app.log", records(DAY, count));
    std::os::unix::fs::chown(&log, Some(SERVICE), Some(SERVICE)).unwrap();
    Some(shared)
}

fn ok(ran: Ran) -> Ran {
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran
}

/// A grant that Ann has asked for.
fn request(shared: &Shared) -> String {
    let plan = ok(shared.run(ANN, &["plan", "shop", "--json"]));
    shared.scratch.file("plan.json", &plan.out);
    let args =
        ["grant", "request", "--plan", "plan.json", "--reason", "mails from ann@shop.example"];
    ok(shared.run(ANN, &args)).text().trim().to_owned()
}

/// Shown to bite by a gate that lets everything pass.
#[test]
fn a_production_source_is_read_when_somebody_else_agrees() {
    let Some(shared) = shop(9_000) else { return };
    let code = |uid, args: &[&str]| shared.run(uid, args).code;
    assert_eq!(code(ANN, &["scan", "shop"]), 5);
    assert_eq!(code(ANN, &["scan", "app.log"]), 5, "the same file by its name");
    let grant = request(&shared);
    let scan = ["scan", "--grant", &grant];
    assert_eq!(code(ANN, &scan), 5, "nobody has approved");
    assert_eq!(code(ANN, &["grant", "approve", &grant]), 5, "her own request");
    ok(shared.run(BOB, &["grant", "approve", &grant]));
    assert_eq!(code(BOB, &scan), 5, "it is hers");

    let first = shared.run(ANN, &["scan", "--grant", &grant, "--max-bytes", "2MiB"]);
    assert_eq!(first.code, 3, "{}", first.err);
    let cursor = super::cursor(&first);
    assert_eq!(code(BOB, &["scan", "--cursor", &cursor]), 5, "her cursor in his hands");
    let rest = ok(shared.run(ANN, &["scan", "--cursor", &cursor]));
    let all = [steps(&first.out), steps(&rest.out)].concat();
    assert!(all == (DAY..DAY + 9_000).collect::<Vec<_>>(), "{}", all.len());
    assert!(!first.text().contains("@shop.example"));
    assert_eq!(code(ANN, &scan), 4, "its bytes are used up");

    let trail = ok(shared.run(ANN, &["audit", "tail"]));
    let served = trail.text().matches("\"action\":\"scan\"").count();
    assert!(served >= 3 && trail.text().contains(&grant), "{}", trail.text());
    assert!(!trail.text().contains("@shop.example"));
    ok(shared.run(ANN, &["audit", "verify"]));
}

/// Shown to bite by a gate that lets everything pass.
#[test]
fn revoking_stops_a_running_scan() {
    let count = 160_000;
    let Some(shared) = shop(count) else { return };
    let grant = request(&shared);
    ok(shared.run(BOB, &["grant", "approve", &grant]));
    let mut command = shared.command(ANN, &["scan", "--grant", &grant, "--out", "text"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = child.stdout.take().unwrap();
    // It has begun, and waits for its reader with a few granules in hand.
    let mut text = vec![0; 1000];
    out.read_exact(&mut text).unwrap();
    ok(shared.run(BOB, &["grant", "revoke", &grant]));
    out.read_to_end(&mut text).unwrap();
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(5), "{said}");
    assert!(said.contains("was revoked"), "{said}");
    let seen = steps(&text).len() as u64;
    assert!(seen > 0 && seen < count * 3 / 4, "{seen} of {count}");
}

#[test]
fn rights_that_are_lent_are_not_used_to_write_or_to_say_what_production_is() {
    let Some(shared) = shop(10) else { return };
    shared.scratch.file("own.toml", CONFIG.replace("true", "false"));
    let ran = shared.run(ANN, &["scan", "shop", "--config", "own.toml"]);
    assert!(ran.code == 2 && ran.err.contains("with somebody else's rights"), "{}", ran.err);
    let ran = shared.run(ANN, &["scan", "app.log", "--output", "state/x"]);
    assert!(ran.code == 2 && ran.err.contains("redirect standard output"), "{}", ran.err);
}
