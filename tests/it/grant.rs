//! `locklog grant`: several users, one state directory, and what each may do.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::process::Stdio;

use crate::support::Ran;
use crate::support::Scratch;

const PLAN: &str = r#"{
  "digest": "plan_0909090909090909090909090909090909090909090909090909090909090909",
  "summary": {
    "source": "checkout", "selector": "level=error", "from_s": 1796083200, "to_s": 1796086800,
    "granules": 600, "bytes": 629145600, "predicted_ms": 20000, "worst_ms": 1200000,
    "profile": "incident"
  }
}"#;

/// A service account owns the state directory; people run the program with its rights, under their
/// own numbers.
pub(crate) const SERVICE: u32 = 61_000;
pub(crate) const ANN: u32 = 61_001;
pub(crate) const BOB: u32 = 61_002;

/// A folder of the service account, where this test is root and `setpriv` is there.
pub(crate) struct Shared {
    pub(crate) scratch: Scratch,
}

impl Shared {
    /// None where a test cannot be two people; it says why.
    #[expect(clippy::print_stderr, reason = "a skipped test says so")]
    pub(crate) fn new() -> Option<Shared> {
        let scratch = Scratch::new();
        let is_root = fs::metadata(scratch.path(".")).unwrap().uid() == 0;
        let has_setpriv = Command::new("setpriv").arg("--version").stdout(Stdio::null()).status();
        if !is_root || !has_setpriv.is_ok_and(|status| status.success()) {
            eprintln!("skipped: two users need root and setpriv");
            return None;
        }
        scratch.file("plan.json", PLAN);
        fs::create_dir(scratch.path("state")).unwrap();
        std::os::unix::fs::chown(scratch.path("state"), Some(SERVICE), Some(SERVICE)).unwrap();
        fs::set_permissions(scratch.path("state"), fs::Permissions::from_mode(0o700)).unwrap();
        fs::set_permissions(scratch.path("."), fs::Permissions::from_mode(0o755)).unwrap();
        Some(Shared { scratch })
    }

    /// Runs the program as a person, with the files of the service account.
    pub(crate) fn run(&self, uid: u32, args: &[&str]) -> Ran {
        Ran::from(self.command(uid, args).output().unwrap())
    }

    /// The program as a person, to be run.
    pub(crate) fn command(&self, uid: u32, args: &[&str]) -> Command {
        let mut command = Command::new("setpriv");
        command
            .args(["--ruid", &uid.to_string(), "--euid", &SERVICE.to_string()])
            .args(["--clear-groups", "--inh-caps=-all", "--bounding-set=-all"])
            .arg(env!("CARGO_BIN_EXE_locklog"))
            .args(args)
            .current_dir(self.scratch.path("."))
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LOCKLOG_STATE_DIR", self.scratch.path("state"))
            .stdin(Stdio::null());
        let config = self.scratch.path("locklog.toml");
        if config.exists() {
            command.env("LOCKLOG_CONFIG", config);
        }
        command
    }

    fn request(&self, uid: u32, more: &[&str]) -> String {
        let args = ["grant", "request", "--plan", "plan.json", "--reason", "checkout is down"];
        let ran = self.run(uid, &[&args[..], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.text().trim().to_owned()
    }
}

fn assert_private(dir: &Path, owner: u32) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let metadata = entry.metadata().unwrap();
        let mode = if metadata.is_dir() { 0o700 } else { 0o600 };
        let path = entry.path();
        assert_eq!(metadata.mode() & 0o7777, mode, "{}", path.display());
        assert_eq!(metadata.uid(), owner, "{}", path.display());
        if metadata.is_dir() {
            assert_private(&path, owner);
        }
    }
}

/// Shown to bite by taking the effective user for the actor: Ann then approves her own request.
#[test]
fn a_request_is_approved_by_another_user_and_never_by_its_own() {
    let Some(shared) = Shared::new() else { return };
    let id = shared.request(ANN, &[]);
    let own = shared.run(ANN, &["grant", "approve", &id]);
    assert_eq!(own.code, 5, "{}", own.err);
    assert!(own.err.contains("is your own request"), "{}", own.err);
    assert_eq!(shared.run(ANN, &["grant", "use", &id]).code, 5);

    let shown = shared.run(BOB, &["grant", "show", &id]);
    for said in ["uid:61001", "checkout is down", "level=error", "600 MiB", "40 min", "incident"] {
        assert!(shown.text().contains(said), "{said}: {}", shown.text());
    }
    let approved = shared.run(BOB, &["grant", "approve", &id]);
    assert_eq!(approved.code, 0, "{}", approved.err);
    assert!(approved.text().contains("approved"), "{}", approved.text());
    assert_eq!(shared.run(BOB, &["grant", "use", &id]).code, 5, "it is not Bob's");
    assert_eq!(shared.run(ANN, &["grant", "use", &id]).code, 0);

    let revoked = shared.run(BOB, &["grant", "revoke", &id]);
    assert_eq!(revoked.code, 0, "{}", revoked.err);
    assert_eq!(shared.run(ANN, &["grant", "use", &id]).code, 5);
    assert_private(&shared.scratch.path("state"), SERVICE);

    let trail = shared.run(BOB, &["audit", "show", &id]);
    let has = |line: &str, words: &[&str]| words.iter().all(|word| line.contains(word));
    for (who, how) in [("uid:61001", "approve"), ("uid:61002", "approve"), ("uid:61002", "revoke")]
    {
        let words = [who, &format!("\"how\":\"{how}\""), "\"begin\""];
        assert!(trail.text().lines().any(|line| has(line, &words)), "{who} {how}");
    }
    assert!(trail.text().lines().any(|line| has(line, &["\"end\"", "\"refused\"", "uid:61001"])));
    assert_eq!(shared.run(BOB, &["audit", "verify"]).code, 0);
}

/// Root leaves nothing behind that the service account cannot open.
#[test]
fn root_may_approve_and_the_owner_goes_on() {
    let Some(shared) = Shared::new() else { return };
    let first = shared.scratch.run(&["audit", "tail"]);
    assert_eq!(first.code, 1, "there is no trail yet");
    let id = shared.request(ANN, &[]);
    let ran = shared.scratch.run(&["grant", "approve", &id]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_private(&shared.scratch.path("state"), SERVICE);
    assert_eq!(shared.run(ANN, &["grant", "use", &id]).code, 0);
}

#[test]
fn two_approvals_need_two_people() {
    let Some(shared) = Shared::new() else { return };
    let id = shared.request(ANN, &["--approvers", "2"]);
    assert_eq!(shared.run(BOB, &["grant", "approve", &id]).code, 0);
    let again = shared.run(BOB, &["grant", "approve", &id]);
    assert_eq!(again.code, 5);
    assert!(again.err.contains("must come from somebody else"), "{}", again.err);
    assert_eq!(shared.run(ANN, &["grant", "use", &id]).code, 5);
    assert_eq!(shared.run(SERVICE, &["grant", "approve", &id]).code, 0);
    assert_eq!(shared.run(ANN, &["grant", "use", &id]).code, 0);
}

#[test]
fn a_broken_glass_is_loud_and_reviewed() {
    let Some(shared) = Shared::new() else { return };
    let args = ["grant", "request", "--plan", "plan.json", "--reason", "all is down"];
    let ran = shared.run(ANN, &[&args[..], &["--break-glass"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("THE GLASS IS BROKEN"), "{}", ran.err);
    let id = ran.text().trim();
    assert_eq!(shared.run(ANN, &["grant", "use", id]).code, 0, "at once");
    assert!(shared.run(BOB, &["audit", "tail"]).text().contains("\"how\":\"break-glass\""));
    assert!(shared.run(BOB, &["grant", "list"]).text().contains("waits for a review"));
    assert_eq!(shared.run(ANN, &["grant", "review", id]).code, 5);
    assert_eq!(shared.run(BOB, &["grant", "review", id]).code, 0);
    assert!(!shared.run(BOB, &["grant", "list"]).text().contains("waits for a review"));
}

/// What is kept of a request is masked: in the store, its log, the trail and every answer.
///
/// Shown to bite by a reason that is stored as it was given.
#[test]
fn no_value_is_kept() {
    let scratch = Scratch::new();
    let value = "ann.example@example.com";
    scratch.file("plan.json", PLAN.replace("level=error", &format!("user={value}")));
    let ran = scratch.run(&[
        "grant",
        "request",
        "--plan",
        "plan.json",
        "--reason",
        &format!("{value} cannot log in"),
        "--ticket",
        &format!("mail to {value}"),
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(!ran.err.contains(value));
    let id = ran.text().trim().to_owned();
    for args in [&["grant", "show", &id][..], &["grant", "list"], &["audit", "tail"]] {
        let ran = scratch.run(args);
        assert!(ran.text().contains("EMAIL_") && !ran.text().contains(value), "{}", ran.text());
    }
    let mut files = 0;
    for folder in ["state", "state/audit"] {
        for entry in fs::read_dir(scratch.path(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let bytes = fs::read(&path).unwrap();
                let found = memchr::memmem::find(&bytes, b"ann.example").is_some();
                assert!(!found, "{} holds the value", path.display());
                files += 1;
            }
        }
    }
    assert!(files >= 5, "{files} files looked at");
}

#[test]
fn bad_calls_say_what_is_wrong() {
    let scratch = Scratch::new();
    scratch.file("plan.json", PLAN);
    scratch.file("bad.json", PLAN.replace("granules", "bananas"));
    scratch.file("long.json", "x".repeat(70_000));
    let request = |more: &[&str]| {
        let args = ["grant", "request", "--reason", "down", "--plan"];
        scratch.run(&[&args[..], more].concat())
    };
    let missing = "gr_0000000000000000";
    for (ran, code, said) in [
        (request(&["no-such.json"]), 1, "No such file"),
        (request(&["bad.json"]), 2, "not what 'locklog plan --json' prints: line 5"),
        (request(&["long.json"]), 2, "at most 64 KiB"),
        (request(&["plan.json", "--approvers", "9"]), 2, "between 1 and 5 approvers"),
        (request(&["plan.json", "--minutes", "0"]), 2, "lifetime of 0"),
        (request(&["plan.json", "--bytes", "0 B"]), 2, "is for 0 B"),
        (request(&["plan.json", "--bytes", "5 MB"]), 2, "a size ends with"),
        (scratch.run(&["grant", "show", missing]), 2, "no grant gr_0000000000000000"),
        (scratch.run(&["grant", "approve", missing]), 2, "'locklog grant list' shows them"),
        (scratch.run(&["grant", "approve", "GR_1"]), 2, "gr_ and 16 hexadecimal digits"),
        (scratch.run(&["audit", "show", "x"]), 2, "call_ and 16 hexadecimal digits"),
        (scratch.run(&["audit", "verify", "--anchor", "x"]), 2, "64 hexadecimal digits"),
    ] {
        assert_eq!(ran.code, code, "{said}: {}", ran.err);
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
    let nowhere = scratch.locklog(&["grant", "list"]).env_remove("LOCKLOG_STATE_DIR").output();
    let nowhere = Ran::from(nowhere.unwrap());
    assert_eq!(nowhere.code, 1);
    assert!(nowhere.err.contains("set LOCKLOG_STATE_DIR or HOME"), "{}", nowhere.err);
}

/// Two processes that write at once: nobody is turned away, nothing is lost.
#[test]
fn processes_at_once_wait_for_each_other() {
    let scratch = Scratch::new();
    scratch.file("plan.json", PLAN);
    let args = ["grant", "request", "--plan", "plan.json", "--reason", "down", "--ephemeral-key"];
    let children: Vec<_> = (0..6).map(|_| scratch.locklog(&args).spawn().unwrap()).collect();
    let mut ids = std::collections::BTreeSet::new();
    for child in children {
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ids.insert(ran.text().trim().to_owned());
    }
    let listed = scratch.run(&["grant", "list", "--json"]);
    let found = listed.text().lines().map(|line| {
        let grant: serde_json::Value = serde_json::from_str(line).unwrap();
        grant["id"].as_str().unwrap().to_owned()
    });
    assert_eq!(found.collect::<std::collections::BTreeSet<_>>(), ids);
    assert_eq!(scratch.run(&["audit", "verify"]).code, 0);
}
