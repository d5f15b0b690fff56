//! The trail against changes, cuts, kills and full disks.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use super::*;
use crate::id::ActorId;
use crate::id::GrantId;
use crate::time::ManualClock;
use crate::units::Bytes;

const ACTOR: ActorId = ActorId::of_uid(1000);

fn key() -> AuditKey {
    AuditKey::new([7; 32])
}

fn action() -> Action {
    let grant = Some(GrantId::from_bytes([3; 8]));
    Action::Grant { how: GrantAction::Approve, grant, plan: None, reason: None }
}

fn done() -> Outcome {
    Outcome::Done { counts: Counts { bytes: 5, ..Counts::default() }, grant: None }
}

fn sinks(folder: &Path) -> Sinks {
    Sinks { first: folder.to_owned(), second: None }
}

fn open(folder: &Path) -> AuditLog {
    AuditLog::open(&sinks(folder), &key(), ACTOR).unwrap()
}

/// Writes so many calls into a trail and closes it.
fn calls(folder: &Path, count: usize) {
    let clock = ManualClock::default();
    let mut log = open(folder);
    for _ in 0..count {
        clock.advance(Duration::from_millis(5));
        let begun = log.begin(&action(), &clock).unwrap();
        log.end(begun, &done(), &clock).unwrap();
    }
    log.close(&clock).unwrap();
}

fn trail(folder: &Path) -> PathBuf {
    folder.join("trail.jsonl")
}

fn lines(folder: &Path) -> Vec<String> {
    fs::read_to_string(trail(folder)).unwrap().split_inclusive('\n').map(str::to_owned).collect()
}

fn broken(folder: &Path) -> Vec<Broken> {
    let verified = verify(folder, &key(), None).unwrap();
    verified.problems.iter().map(|problem| problem.what).collect()
}

#[test]
fn what_was_written_verifies_and_its_end_is_an_anchor() {
    let scratch = tempfile::tempdir().unwrap();
    calls(scratch.path(), 100);
    let verified = verify(scratch.path(), &key(), None).unwrap();
    assert!(verified.is_in_order(), "{verified:?}");
    // Three within the calls at places 63, 127 and 191, one at the end.
    assert_eq!((verified.entries, verified.checkpoints, verified.unsealed), (204, 4, 0));
    assert!(verified.in_flight.is_empty());
    fs::remove_file(scratch.path().join("lock")).unwrap();
    assert!(verify(scratch.path(), &key(), None).unwrap().is_in_order(), "a copy of the files");
    let anchor = verified.end;
    calls(scratch.path(), 1);
    let later = verify(scratch.path(), &key(), anchor).unwrap();
    assert_eq!(later.anchor_found, Some(true));
    let other = verify(scratch.path(), &key(), Some(Hash::of(b"another"))).unwrap();
    assert_eq!((other.anchor_found, other.is_in_order()), (Some(false), false));
}

/// Shown to bite by not comparing `prev`.
#[test]
fn a_changed_or_missing_line_is_noticed() {
    let scratch = tempfile::tempdir().unwrap();
    calls(scratch.path(), 10);
    let whole = lines(scratch.path());
    for at in 0..whole.len() - 1 {
        let mut changed = whole.clone();
        changed[at] = changed[at].replacen("\"ts\":\"1970", "\"ts\":\"1971", 1);
        assert_ne!(changed[at], whole[at]);
        fs::write(trail(scratch.path()), changed.concat()).unwrap();
        assert_eq!(broken(scratch.path()).first(), Some(&Broken::Chain), "line {at} changed");
        let mut missing = whole.clone();
        missing.remove(at);
        fs::write(trail(scratch.path()), missing.concat()).unwrap();
        assert_eq!(broken(scratch.path()).first(), Some(&Broken::Chain), "line {at} missing");
    }
}

/// Shown to bite by not looking at the head in `finish`.
#[test]
fn a_trail_that_was_cut_off_is_noticed() {
    let scratch = tempfile::tempdir().unwrap();
    calls(scratch.path(), 10);
    let whole = lines(scratch.path());
    for len in 0..whole.len() {
        fs::write(trail(scratch.path()), whole[..len].concat()).unwrap();
        assert!(broken(scratch.path()).contains(&Broken::Short), "{len} lines left");
        let refused = AuditLog::open(&sinks(scratch.path()), &key(), ACTOR);
        assert!(matches!(refused, Err(AuditError::NoSink(_))), "{len} lines left");
    }
}

/// Somebody without the key writes a trail of their own. Shown to bite by a checkpoint whose keyed
/// hash is not compared.
#[test]
fn a_trail_of_another_key_is_noticed() {
    let (scratch, forged) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    calls(scratch.path(), 10);
    let clock = ManualClock::default();
    let other = AuditKey::new([8; 32]);
    let mut log = AuditLog::open(&sinks(forged.path()), &other, ACTOR).unwrap();
    for _ in 0..20 {
        drop(log.begin(&action(), &clock).unwrap());
    }
    log.close(&clock).unwrap();
    fs::copy(trail(forged.path()), trail(scratch.path())).unwrap();
    let found = broken(scratch.path());
    assert!(found.contains(&Broken::Checkpoint) && found.contains(&Broken::Head), "{found:?}");
    fs::remove_file(scratch.path().join("head")).unwrap();
    assert!(broken(scratch.path()).contains(&Broken::Checkpoint));
    // A trail without any checkpoint at all.
    let unsealed: String =
        lines(forged.path()).into_iter().filter(|line| !line.contains("checkpoint")).collect();
    fs::copy(forged.path().join("head"), scratch.path().join("head")).unwrap();
    fs::write(trail(scratch.path()), unsealed).unwrap();
    assert!(!broken(scratch.path()).is_empty());
}

/// A line cut off after every number of bytes: the trail says so, goes on and verifies.
///
/// Shown to bite by writing the next line behind what was cut off without a line feed.
#[test]
fn a_line_that_was_cut_off_anywhere_is_mended_by_saying_so() {
    let scratch = tempfile::tempdir().unwrap();
    let clock = ManualClock::default();
    calls(scratch.path(), 1);
    let before = fs::read(trail(scratch.path())).unwrap();
    let head = fs::read(scratch.path().join("head")).unwrap();
    let mut log = open(scratch.path());
    let call = log.begin(&action(), &clock).unwrap().call();
    drop(log);
    let whole = fs::read(trail(scratch.path())).unwrap();
    for len in before.len()..=whole.len() {
        fs::write(trail(scratch.path()), &whole[..len]).unwrap();
        fs::write(scratch.path().join("head"), &head).unwrap();
        let cut = verify(scratch.path(), &key(), None).unwrap();
        assert!(cut.is_in_order(), "{len}: {cut:?}");
        calls(scratch.path(), 1);
        let mended = verify(scratch.path(), &key(), None).unwrap();
        assert!(mended.is_in_order(), "{len}: {:?}", mended.problems);
        // Without its line feed alone, the entry is whole.
        let is_whole = len >= whole.len() - 1;
        assert_eq!(mended.torn, u64::from(!is_whole && len > before.len()), "{len}");
        let in_flight: Vec<_> = mended.in_flight.iter().map(|one| one.call).collect();
        assert_eq!(in_flight, if is_whole { vec![call] } else { vec![] }, "{len}");
        assert!(fs::read(trail(scratch.path())).unwrap().starts_with(&whole[..len]), "{len}");
    }
}

#[test]
fn what_was_cut_off_cannot_be_changed_later() {
    let scratch = tempfile::tempdir().unwrap();
    calls(scratch.path(), 1);
    let mut file = fs::OpenOptions::new().append(true).open(trail(scratch.path())).unwrap();
    file.write_all(b"{\"v\":1,\"seq\":3,\"ts\":\"19").unwrap();
    calls(scratch.path(), 1);
    assert!(broken(scratch.path()).is_empty());
    let text = fs::read_to_string(trail(scratch.path())).unwrap();
    fs::write(trail(scratch.path()), text.replace("\"ts\":\"19\n", "\"ts\":\"20\n")).unwrap();
    assert_eq!(broken(scratch.path()), [Broken::Torn]);
}

#[test]
fn a_full_file_is_put_aside_and_the_chain_goes_on() {
    let scratch = tempfile::tempdir().unwrap();
    let clock = ManualClock::default();
    for _ in 0..40 {
        let log = AuditLog::open_with(&sinks(scratch.path()), &key(), ACTOR, Bytes::kib(4));
        let mut log = log.unwrap();
        for _ in 0..3 {
            let begun = log.begin(&action(), &clock).unwrap();
            log.end(begun, &done(), &clock).unwrap();
        }
        log.close(&clock).unwrap();
    }
    let verified = verify(scratch.path(), &key(), None).unwrap();
    assert!(verified.is_in_order(), "{:?}", verified.problems);
    assert!(verified.files > 5, "{}", verified.files);
    // The oldest file may be moved elsewhere; one in the middle may not.
    let all = files(scratch.path()).unwrap();
    fs::remove_file(&all[0]).unwrap();
    let rest = verify(scratch.path(), &key(), None).unwrap();
    assert!(rest.is_in_order() && rest.first > 0, "{:?}", rest.problems);
    fs::remove_file(&all[2]).unwrap();
    assert_eq!(broken(scratch.path()), [Broken::Chain, Broken::Number]);
}

/// A crash between putting a file aside and beginning the next one.
#[test]
fn a_file_put_aside_is_continued() {
    let scratch = tempfile::tempdir().unwrap();
    calls(scratch.path(), 2);
    fs::rename(trail(scratch.path()), scratch.path().join("trail.000000000005.jsonl")).unwrap();
    calls(scratch.path(), 1);
    let verified = verify(scratch.path(), &key(), None).unwrap();
    assert!(verified.is_in_order(), "{:?}", verified.problems);
    assert_eq!((verified.files, verified.entries), (2, 9));
}

/// Shown to bite by writing without the lock.
#[test]
fn lines_of_several_writers_follow_one_another() {
    let scratch = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| calls(scratch.path(), 25));
        }
    });
    let verified = verify(scratch.path(), &key(), None).unwrap();
    assert!(verified.is_in_order(), "{:?}", verified.problems);
    assert!(verified.entries >= 200 && verified.in_flight.is_empty());
}

/// Shown to bite by an `append` that keeps going without a sink.
#[test]
fn without_a_sink_nothing_begins() {
    let (scratch, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let clock = ManualClock::default();
    let both = Sinks { first: scratch.path().join("one"), second: Some(other.path().join("two")) };
    let mut log = AuditLog::open(&both, &key(), ACTOR).unwrap();
    drop(log.begin(&action(), &clock).unwrap());
    // A folder in the place of the file: it cannot be written any more.
    let replace = |folder: &Path| {
        fs::remove_file(trail(folder)).unwrap();
        fs::create_dir(trail(folder)).unwrap();
    };
    replace(&both.first);
    drop(log.begin(&action(), &clock).unwrap());
    assert_eq!(log.failed_sinks().len(), 1);
    let text = fs::read_to_string(trail(other.path().join("two").as_path())).unwrap();
    assert!(text.contains("\"event\":\"sink-failed\""), "{text}");
    replace(&other.path().join("two"));
    assert!(matches!(log.begin(&action(), &clock), Err(AuditError::NoSink(Some(_)))));
    assert!(matches!(log.begin(&action(), &clock), Err(AuditError::NoSink(_))));
    assert!(AuditLog::open(&both, &key(), ACTOR).is_err());
}

#[test]
fn an_entry_says_what_it_is_in_ids_and_numbers() {
    let scratch = tempfile::tempdir().unwrap();
    calls(scratch.path(), 1);
    let all = lines(scratch.path());
    let begin: serde_json::Value = serde_json::from_str(&all[0]).unwrap();
    assert_eq!(begin["action"], "grant");
    assert_eq!(begin["how"], "approve");
    assert_eq!(begin["actor"], "uid:1000");
    assert_eq!(begin["grant"], "gr_0303030303030303");
    let end: serde_json::Value = serde_json::from_str(&all[1]).unwrap();
    assert_eq!((&end["call"], &end["outcome"]), (&begin["call"], &"done".into()));
    assert_eq!(end["bytes"], 5);
    assert!(Kind::new("EMAIL").is_some());
    for no_kind in ["", "ann@example.com", "Email", &"A".repeat(33)] {
        assert!(Kind::new(no_kind).is_none(), "{no_kind}");
    }
}
