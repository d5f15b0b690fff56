//! Killed at any point: what was acknowledged is neither lost nor repeated.

use std::io::BufRead;
use std::io::BufReader;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;

use locklog::audit::Action;
use locklog::audit::AuditKey;
use locklog::audit::AuditLog;
use locklog::audit::Counts;
use locklog::audit::GrantAction;
use locklog::audit::Outcome;
use locklog::audit::Sinks;
use locklog::audit::verify;
use locklog::grant::GrantError;
use locklog::grant::GrantStore;
use locklog::grant::LEASE_BYTES;
use locklog::grant::Mode;
use locklog::grant::PlanSummary;
use locklog::grant::Refusal;
use locklog::grant::Request;
use locklog::grant::State;
use locklog::grant::Use;
use locklog::id::ActorId;
use locklog::id::GrantId;
use locklog::id::PlanDigest;
use locklog::time::SystemClock;
use locklog::units::Bytes;

use crate::support::Scratch;

const ANN: ActorId = ActorId::of_uid(1000);
const BOB: ActorId = ActorId::of_uid(1001);
const PLAN: PlanDigest = PlanDigest::from_bytes([9; 32]);
/// Tells the child which folder to work in.
const CHILD: &str = "LOCKLOG_TEST_CRASH_CHILD";
/// How many times the child is killed.
const KILLS: u64 = 110;
/// Bytes of the grant that all children use together.
const TOTAL: u64 = 130 * LEASE_BYTES.get() + 12_345;
/// Bytes that a child serves at a time.
const GRANULE: Bytes = Bytes::kib(1024);

fn request(bytes: u64) -> Request {
    let note = |text: &str| serde_json::from_value(text.into()).unwrap();
    let summary = PlanSummary {
        source: note("checkout"),
        selector: None,
        from: None,
        to: None,
        granules: 1,
        bytes: Bytes::new(bytes),
        predicted: Duration::from_secs(1),
        worst: Duration::from_hours(2),
        profile: note("incident"),
    };
    Request {
        requester: ANN,
        reason: note("crash test"),
        ticket: None,
        plan: PLAN,
        summary,
        bytes: Bytes::new(bytes),
        lifetime: None,
        approvers: 1,
        mode: Mode::Approved,
    }
}

fn key() -> AuditKey {
    AuditKey::new([7; 32])
}

fn sinks(folder: &Path) -> Sinks {
    Sinks { first: folder.join("audit"), second: None }
}

/// Says something to the parent, whole and at once.
fn acknowledge(said: std::fmt::Arguments<'_>) {
    let mut out = std::io::stdout().lock();
    out.write_all(format!("ack {said}\n").as_bytes()).unwrap();
    out.flush().unwrap();
}

/// No test by itself: the process that is killed.
#[test]
fn child_that_serves_until_it_is_killed() {
    let Some(folder) = std::env::var_os(CHILD) else { return };
    let folder = Path::new(&folder);
    let clock = SystemClock::start();
    let mut store = GrantStore::open(folder).unwrap();
    let mut log = AuditLog::open(&sinks(folder), &key(), ANN).unwrap();
    let shared: GrantId =
        std::fs::read_to_string(folder.join("shared-id")).unwrap().trim().parse().unwrap();
    let used = Use { grant: shared, actor: ANN, plan: PLAN };
    loop {
        let action = Action::Grant {
            how: GrantAction::Request,
            grant: None,
            plan: Some(PLAN),
            reason: None,
        };
        let begun = log.begin(&action, &clock).unwrap();
        acknowledge(format_args!("begun {}", begun.call()));
        let own = store.request(&request(5), &clock).unwrap().id;
        acknowledge(format_args!("requested {own}"));
        store.approve(own, BOB, &clock).unwrap();
        acknowledge(format_args!("approved {own}"));
        let permit = match store.check(&used, &clock) {
            Err(GrantError::Refused(_, Refusal::UsedUp { .. })) => break,
            other => other.unwrap(),
        };
        let mut lease = match store.lease(&permit, Bytes::new(1), &clock) {
            Err(GrantError::Refused(_, Refusal::UsedUp { .. })) => break,
            other => other.unwrap(),
        };
        for _ in 0..8 {
            let bytes = GRANULE.min(lease.left());
            let permit = store.check(&used, &clock).unwrap();
            lease.serve(permit, bytes).unwrap();
            acknowledge(format_args!("served {}", bytes.get()));
        }
        store.settle(lease).unwrap();
        store.revoke(own, BOB, &clock).unwrap();
        acknowledge(format_args!("revoked {own}"));
        let call = begun.call();
        let outcome = Outcome::Done { counts: Counts::default(), grant: Some(own) };
        log.end(begun, &outcome, &clock).unwrap();
        acknowledge(format_args!("ended {call}"));
    }
    acknowledge(format_args!("used-up now"));
}

/// What children acknowledged before they were killed.
#[derive(Default)]
struct Acknowledged {
    served: u64,
    grants: Vec<(GrantId, &'static str)>,
    begun: Vec<String>,
    ended: Vec<String>,
    used_up: bool,
}

impl Acknowledged {
    fn take(&mut self, line: &str) {
        // A test's own words come before on the first line.
        let Some((_, said)) = line.split_once("ack ") else { return };
        let (what, which) = said.split_once(' ').unwrap();
        match what {
            "begun" => self.begun.push(which.to_owned()),
            "ended" => self.ended.push(which.to_owned()),
            "requested" => self.grants.push((which.parse().unwrap(), "requested")),
            "approved" => self.grants.push((which.parse().unwrap(), "approved")),
            "revoked" => self.grants.push((which.parse().unwrap(), "revoked")),
            "served" => self.served += which.parse::<u64>().unwrap(),
            "used-up" => self.used_up = true,
            other => panic!("unknown word {other}"),
        }
    }
}

/// Runs a child and kills it after so many acknowledgements and microseconds.
fn run_and_kill(folder: &Path, after: u64, then: Duration, all: &mut Acknowledged) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::child_that_serves_until_it_is_killed", "--nocapture"])
        .env(CHILD, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..after {
        let Some(line) = lines.next() else { break };
        all.take(&line.unwrap());
    }
    std::thread::sleep(then);
    child.kill().unwrap();
    // What was written into the pipe before is acknowledged too; a line cut off is not.
    for line in lines.map_while(Result::ok) {
        all.take(&line);
    }
    let output = child.wait_with_output().unwrap();
    let killed = output.status.signal() == Some(9) || all.used_up;
    assert!(killed, "{}", String::from_utf8_lossy(&output.stderr));
}

/// Shown to bite by a lease that is not debited, and by an entry that is not written before `begin`
/// returns.
#[test]
fn what_was_acknowledged_survives_random_kills() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let clock = SystemClock::start();
    let mut store = GrantStore::open(folder).unwrap();
    let shared = store.request(&request(TOTAL), &clock).unwrap().id;
    store.approve(shared, BOB, &clock).unwrap();
    std::fs::write(folder.join("shared-id"), shared.to_string()).unwrap();
    let mut all = Acknowledged::default();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut kills = 0;
    for _ in 0..KILLS {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let then = Duration::from_micros(random % 3_000);
        run_and_kill(folder, 3 + (random >> 32) % 24, then, &mut all);
        kills += 1;
        let used = store.find(shared, &clock).unwrap().used.get();
        assert!(used >= all.served, "{used} debited, {} served", all.served);
        // A child may serve one granule more than it could say.
        let lost = kills * (LEASE_BYTES.get() + GRANULE.get());
        assert!(used <= all.served + lost, "{used} debited, {} served", all.served);
    }
    assert!(!all.used_up, "the grant is too small for the test");
    check_grants(&store, &all);
    check_trail(folder, &all, kills);
    // The next call goes on with what is left, and takes no more.
    while !all.used_up {
        run_and_kill(folder, u64::MAX, Duration::ZERO, &mut all);
    }
    let grant = store.find(shared, &clock).unwrap();
    assert!(grant.used.get() <= TOTAL && all.served <= TOTAL, "{} of {TOTAL}", all.served);
    assert!(all.served + (kills + 1) * (LEASE_BYTES.get() + GRANULE.get()) >= grant.used.get());
}

fn check_grants(store: &GrantStore, all: &Acknowledged) {
    let clock = SystemClock::start();
    assert!(all.grants.len() > 100, "only {} acknowledged", all.grants.len());
    for (id, said) in &all.grants {
        let grant = store.find(*id, &clock).unwrap();
        let state = grant.state;
        let kept = match *said {
            "requested" => true,
            "approved" => grant.approved_by() == 1 && state != State::Requested,
            _ => state == State::Revoked,
        };
        assert!(kept, "{id} was {said} and is {state}");
    }
}

fn check_trail(folder: &Path, all: &Acknowledged, kills: u64) {
    let verified = verify(&folder.join("audit"), &key(), None).unwrap();
    assert!(verified.is_in_order(), "{:?}", verified.problems);
    let in_flight: Vec<String> =
        verified.in_flight.iter().map(|one| one.call.to_string()).collect();
    assert!(in_flight.len() as u64 <= kills, "{} in flight after {kills} kills", in_flight.len());
    assert!(!in_flight.is_empty(), "no call was killed between its entries");
    let begun = all.begun.iter().filter(|call| !all.ended.contains(call));
    let mut unfinished = 0;
    for call in begun {
        unfinished += 1;
        // Its end may have been written and not acknowledged.
        let lines = trail_lines(folder, call);
        assert!((1..=2).contains(&lines), "{call} has {lines} lines");
        assert_eq!(lines == 1, in_flight.contains(call), "{call}");
    }
    assert!(unfinished > 0);
    for call in &all.ended {
        assert_eq!(trail_lines(folder, call), 2, "{call} was ended once");
    }
}

fn trail_lines(folder: &Path, call: &str) -> usize {
    let text = std::fs::read(folder.join("audit/trail.jsonl")).unwrap();
    memchr::memmem::find_iter(&text, call).count()
}

const PLAN_FILE: &str = r#"{
  "digest": "plan_0909090909090909090909090909090909090909090909090909090909090909",
  "summary": {"source": "a", "selector": null, "from_s": null, "to_s": null, "granules": 1,
    "bytes": 5, "predicted_ms": 1, "worst_ms": 1, "profile": "incident"}
}"#;

/// Every named point of a request: killed there, the trail verifies and says what was in flight, and
/// the store holds the grant once or not at all.
///
/// Shown to bite by a point that is not passed: the process is then not killed.
#[test]
fn named_points_of_a_request() {
    if !cfg!(debug_assertions) {
        eprintln!("skipped: this build has no points to be killed at");
        return;
    }
    // Point, entries begun and not ended, grants.
    for (point, in_flight, grants) in [
        ("audit.line.before", 0, 0),
        ("audit.line.torn", 0, 0),
        ("audit.line.after", 1, 0),
        ("cli.between-entries", 1, 0),
        ("grant.migrate.before", 1, 0),
        ("grant.migrate.after", 1, 0),
        ("grant.request.before", 1, 0),
        ("grant.request.after", 1, 1),
        ("audit.line.before:2", 1, 1),
        ("audit.line.torn:2", 1, 1),
        ("audit.line.after:2", 0, 1),
        ("audit.line.torn:3", 0, 1),
        ("audit.head.before", 0, 1),
        ("audit.head.after", 0, 1),
    ] {
        let scratch = Scratch::new();
        scratch.file("plan.json", PLAN_FILE);
        let args = ["grant", "request", "--ephemeral-key", "--reason", "x", "--plan", "plan.json"];
        let killed = scratch.locklog(&args).env("LOCKLOG_CRASH_AT", point).output().unwrap();
        assert_eq!(killed.status.signal(), Some(9), "{point} was not passed");
        assert!(killed.stdout.is_empty(), "{point}: it answered before it was done");
        let verified = scratch.run(&["audit", "verify"]);
        let found = verified.text().matches("in flight: call_").count();
        assert_eq!((verified.code, found), (0, in_flight), "{point}: {}", verified.text());
        let listed = scratch.run(&["grant", "list"]);
        assert_eq!(listed.text().lines().count(), grants, "{point}: {}", listed.err);
        // The next call works and the trail is still in order.
        assert_eq!(scratch.run(&args).code, 0, "{point}");
        assert_eq!(scratch.run(&["grant", "list"]).text().lines().count(), grants + 1, "{point}");
        let verified = scratch.run(&["audit", "verify"]);
        assert_eq!(verified.code, 0, "{point}: {}{}", verified.text(), verified.err);
    }
}
