//! Grants: who may decide, what a permit and a lease are worth, and when they end.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use super::*;
use crate::id::ActorId;
use crate::id::GrantId;
use crate::id::PlanDigest;
use crate::mask::Note;
use crate::time::ManualClock;
use crate::units::Bytes;

const ANN: ActorId = ActorId::of_uid(1000);
const BOB: ActorId = ActorId::of_uid(1001);
const CAT: ActorId = ActorId::of_uid(1002);
const PLAN: PlanDigest = PlanDigest::from_bytes([9; 32]);

/// A store, a clock and a folder.
struct Bench {
    store: GrantStore,
    clock: ManualClock,
    folder: tempfile::TempDir,
}

fn bench() -> Bench {
    let folder = tempfile::tempdir().unwrap();
    let clock = ManualClock::default();
    clock.set_wall(1_796_083_200);
    Bench { store: GrantStore::open(folder.path()).unwrap(), clock, folder }
}

fn note(text: &str) -> Note {
    serde_json::from_value(text.into()).unwrap()
}

fn request(bytes: Bytes) -> Request {
    let summary = PlanSummary {
        source: note("checkout"),
        selector: Some(note("level=error")),
        from: Some(Duration::from_secs(1_796_000_000)),
        to: None,
        granules: 600,
        bytes,
        predicted: Duration::from_secs(20),
        worst: Duration::from_mins(20),
        profile: note("incident"),
    };
    Request {
        requester: ANN,
        reason: note("checkout fails"),
        ticket: Some(note("INC-7")),
        plan: PLAN,
        summary,
        bytes,
        lifetime: None,
        approvers: 1,
        mode: Mode::Approved,
    }
}

impl Bench {
    fn approved(&mut self, bytes: Bytes) -> Use {
        let grant = self.store.request(&request(bytes), &self.clock).unwrap();
        self.store.approve(grant.id, BOB, &self.clock).unwrap();
        Use { grant: grant.id, actor: ANN, plan: PLAN }
    }

    fn refusal(&self, used: &Use) -> Refusal {
        refusal(self.store.check(used, &self.clock))
    }

    fn used(&self, id: GrantId) -> u64 {
        self.store.find(id, &self.clock).unwrap().used.get()
    }
}

fn refusal<T: std::fmt::Debug>(result: Result<T, GrantError>) -> Refusal {
    match result {
        Err(GrantError::Refused(_, refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn a_grant_needs_somebody_else() {
    let Bench { mut store, clock, .. } = bench();
    let grant = store.request(&request(Bytes::kib(1)), &clock).unwrap();
    assert_eq!(grant.state, State::Requested);
    assert_eq!(refusal(store.approve(grant.id, ANN, &clock)), Refusal::OwnRequest);
    let used = Use { grant: grant.id, actor: ANN, plan: PLAN };
    let waits = Refusal::NotApproved { approvals: 0, needed: 1 };
    assert_eq!(refusal(store.check(&used, &clock)), waits);
    let grant = store.approve(grant.id, BOB, &clock).unwrap();
    assert_eq!(grant.state, State::Approved);
    assert_eq!(grant.time_left(), Some(Duration::from_mins(40)));
    let permit = store.check(&used, &clock).unwrap();
    assert_eq!((permit.used(), permit.time_left()), (used, Duration::from_mins(40)));
}

/// Shown to bite by taking a second approval of one person without a word.
#[test]
fn two_approvals_come_from_two_people() {
    let Bench { mut store, clock, .. } = bench();
    let two = Request { approvers: 2, ..request(Bytes::kib(1)) };
    let id = store.request(&two, &clock).unwrap().id;
    assert_eq!(store.approve(id, BOB, &clock).unwrap().state, State::Requested);
    assert_eq!(refusal(store.approve(id, BOB, &clock)), Refusal::DecidedAlready);
    assert_eq!(refusal(store.approve(id, ANN, &clock)), Refusal::OwnRequest);
    assert_eq!(store.approve(id, CAT, &clock).unwrap().state, State::Approved);
    assert_eq!(refusal(store.approve(id, BOB, &clock)), Refusal::Decided);
}

#[test]
fn a_permit_is_for_one_person_and_one_plan() {
    let mut bench = bench();
    let used = bench.approved(Bytes::kib(1));
    assert_eq!(bench.refusal(&Use { actor: BOB, ..used }), Refusal::OtherActor);
    let plan = PlanDigest::from_bytes([8; 32]);
    assert_eq!(bench.refusal(&Use { plan, ..used }), Refusal::OtherPlan);
    let grant = GrantId::from_bytes([0; 8]);
    let missing = bench.store.check(&Use { grant, ..used }, &bench.clock);
    assert!(matches!(missing, Err(GrantError::Missing(_))));
}

/// Shown to bite by a state that does not look at the verdict `revoked`.
#[test]
fn revoking_stops_the_next_granule() {
    let mut bench = bench();
    let used = bench.approved(Bytes::kib(1024));
    let permit = bench.store.check(&used, &bench.clock).unwrap();
    let mut lease = bench.store.lease(&permit, Bytes::kib(1), &bench.clock).unwrap();
    lease.serve(permit, Bytes::kib(1)).unwrap();
    let mut other = GrantStore::open(bench.folder.path()).unwrap();
    other.revoke(used.grant, BOB, &bench.clock).unwrap();
    assert_eq!(bench.refusal(&used), Refusal::Revoked);
    assert_eq!(bench.store.settle(lease).unwrap(), Bytes::kib(1023));
    assert_eq!(bench.used(used.grant), 1024);
    assert_eq!(refusal(other.revoke(used.grant, BOB, &bench.clock)), Refusal::Revoked);
}

#[test]
fn a_permit_from_before_a_revocation_gives_no_lease() {
    let mut bench = bench();
    let used = bench.approved(Bytes::kib(1024));
    let permit = bench.store.check(&used, &bench.clock).unwrap();
    bench.store.revoke(used.grant, ANN, &bench.clock).unwrap();
    let refused = refusal(bench.store.lease(&permit, Bytes::kib(1), &bench.clock));
    assert_eq!(refused, Refusal::Revoked);
    assert_eq!(bench.used(used.grant), 0);
}

#[test]
fn a_denied_request_stays_denied() {
    let Bench { mut store, clock, .. } = bench();
    let id = store.request(&request(Bytes::kib(1)), &clock).unwrap().id;
    assert_eq!(refusal(store.deny(id, ANN, &clock)), Refusal::OwnRequest);
    assert_eq!(store.deny(id, BOB, &clock).unwrap().state, State::Denied);
    assert_eq!(refusal(store.approve(id, CAT, &clock)), Refusal::Denied);
    assert_eq!(refusal(store.revoke(id, CAT, &clock)), Refusal::Denied);
}

/// Shown to bite by measuring with the wall clock.
#[test]
fn time_is_measured_on_the_boot_clock() {
    let mut bench = bench();
    let used = bench.approved(Bytes::kib(1));
    bench.clock.set_wall(1_896_083_200);
    assert!(bench.store.check(&used, &bench.clock).is_ok(), "the wall clock was set forward");
    bench.clock.set_wall(0);
    bench.clock.advance(Duration::from_mins(40) - Duration::from_millis(1));
    assert!(bench.store.check(&used, &bench.clock).is_ok());
    bench.clock.advance(Duration::from_millis(1));
    assert_eq!(bench.refusal(&used), Refusal::Expired);
    assert_eq!(bench.store.list(&bench.clock).unwrap()[0].state, State::Expired);
}

/// Shown to bite by comparing times since boot without the boot's id.
#[test]
fn unused_time_does_not_survive_a_reboot() {
    let mut bench = bench();
    let used = bench.approved(Bytes::kib(1));
    let waiting = bench.store.request(&request(Bytes::kib(1)), &bench.clock).unwrap().id;
    bench.clock.reboot();
    bench.clock.advance(Duration::from_mins(1));
    assert_eq!(bench.refusal(&used), Refusal::Rebooted);
    assert_eq!(refusal(bench.store.approve(waiting, BOB, &bench.clock)), Refusal::Rebooted);
}

#[test]
fn a_request_nobody_decides_about_ends() {
    let Bench { mut store, clock, .. } = bench();
    let id = store.request(&request(Bytes::kib(1)), &clock).unwrap().id;
    clock.advance(REQUEST_LIFETIME);
    assert_eq!(refusal(store.approve(id, BOB, &clock)), Refusal::Expired);
}

#[test]
fn a_lifetime_can_be_asked_shorter_and_not_longer() {
    let Bench { mut store, clock, .. } = bench();
    for (asked, minutes) in [(None, 40), (Some(10), 10), (Some(600), 40)] {
        let lifetime = asked.map(Duration::from_mins);
        let grant = store.request(&Request { lifetime, ..request(Bytes::kib(1)) }, &clock).unwrap();
        assert_eq!(grant.lifetime, Duration::from_mins(minutes));
    }
}

/// Shown to bite by giving back the whole lease.
#[test]
fn bytes_are_debited_before_and_given_back_after() {
    let mut bench = bench();
    let used = bench.approved(Bytes::new(LEASE_BYTES.get() + 100));
    let permit = bench.store.check(&used, &bench.clock).unwrap();
    let mut lease = bench.store.lease(&permit, Bytes::new(60), &bench.clock).unwrap();
    assert_eq!(bench.used(used.grant), LEASE_BYTES.get());
    lease.serve(permit, Bytes::new(60)).unwrap();
    let permit = bench.store.check(&used, &bench.clock).unwrap();
    let short = lease.serve(permit, LEASE_BYTES);
    assert!(matches!(refusal(short), Refusal::LeaseShort { .. }));
    assert_eq!(bench.store.settle(lease).unwrap().get(), LEASE_BYTES.get() - 60);
    assert_eq!(bench.used(used.grant), 60);
    let permit = bench.store.check(&used, &bench.clock).unwrap();
    let refused = bench.store.lease(&permit, Bytes::new(LEASE_BYTES.get() + 41), &bench.clock);
    let (left, asked) = (Bytes::new(LEASE_BYTES.get() + 40), Bytes::new(LEASE_BYTES.get() + 41));
    assert_eq!(refusal(refused), Refusal::UsedUp { left, asked });
}

/// A call that is killed loses its lease and no more, and what it may have served is never served
/// again. Shown to bite by a lease that is not debited.
#[test]
fn a_lost_lease_is_lost() {
    let mut bench = bench();
    let used = bench.approved(Bytes::new(2 * LEASE_BYTES.get()));
    for lost in 1..=2 {
        let permit = bench.store.check(&used, &bench.clock).unwrap();
        drop(bench.store.lease(&permit, Bytes::new(1), &bench.clock).unwrap());
        bench.store = GrantStore::open(bench.folder.path()).unwrap();
        assert_eq!(bench.used(used.grant), lost * LEASE_BYTES.get());
    }
    let permit = bench.store.check(&used, &bench.clock).unwrap();
    let nothing = bench.store.lease(&permit, Bytes::new(1), &bench.clock);
    assert!(matches!(refusal(nothing), Refusal::UsedUp { .. }));
}

/// Several writers at once never take more than there is. Shown to bite by a deferred transaction
/// that reads before it may write.
#[test]
fn writers_at_once_take_what_there_is_and_no_more() {
    let mut bench = bench();
    let total = 10 * LEASE_BYTES.get() + 7;
    let used = bench.approved(Bytes::new(total));
    let (folder, clock) = (bench.folder.path(), &bench.clock);
    let served: u64 = std::thread::scope(|scope| {
        let takers: Vec<_> =
            (0..4).map(|_| scope.spawn(|| take_all(folder, used, total, clock))).collect();
        takers.into_iter().map(|taker| taker.join().unwrap()).sum()
    });
    assert_eq!(served, total);
    assert_eq!(bench.used(used.grant), total);
    assert_eq!(bench.store.find(used.grant, clock).unwrap().state, State::UsedUp);
}

/// Serves half of each lease, until there is no byte left.
fn take_all(folder: &Path, used: Use, used_max: u64, clock: &ManualClock) -> u64 {
    let mut store = GrantStore::open(folder).unwrap();
    let mut served = 0;
    // A store that gives back too much would have no end.
    while served <= used_max {
        let lease = store.check(&used, clock).and_then(|permit| {
            let lease = store.lease(&permit, Bytes::new(1), clock)?;
            Ok((permit, lease))
        });
        let (permit, mut lease) = match lease {
            Ok(taken) => taken,
            Err(GrantError::Refused(_, Refusal::UsedUp { .. })) => {
                // Somebody may give bytes back.
                if store.find(used.grant, clock).unwrap().leased == Bytes::new(0) {
                    return served;
                }
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        let half = Bytes::new(lease.left().get().div_ceil(2));
        lease.serve(permit, half).unwrap();
        served += half.get();
        store.settle(lease).unwrap();
    }
    served
}

#[test]
fn a_broken_glass_is_short_and_waits_for_a_review() {
    let Bench { mut store, clock, .. } = bench();
    let broken = Request { mode: Mode::BreakGlass, ..request(Bytes::kib(1)) };
    let grant = store.request(&broken, &clock).unwrap();
    assert_eq!((grant.state, grant.lifetime), (State::Approved, BREAK_GLASS_LIFETIME_MAX));
    assert!(grant.needs_review());
    assert!(store.check(&Use { grant: grant.id, actor: ANN, plan: PLAN }, &clock).is_ok());
    clock.advance(BREAK_GLASS_LIFETIME_MAX);
    assert_eq!(refusal(store.review(grant.id, ANN, &clock)), Refusal::OwnRequest);
    store.request(&broken, &clock).unwrap();
    store.request(&broken, &clock).unwrap();
    let too_many = store.request(&broken, &clock);
    assert!(matches!(too_many, Err(GrantError::TooMany { limit: 3, .. })), "{too_many:?}");
    assert!(!store.review(grant.id, BOB, &clock).unwrap().needs_review());
    store.request(&broken, &clock).unwrap();
    let ordinary = store.request(&request(Bytes::kib(1)), &clock).unwrap().id;
    assert_eq!(refusal(store.review(ordinary, BOB, &clock)), Refusal::NothingToReview);
}

#[test]
fn a_request_has_limits() {
    let Bench { mut store, clock, .. } = bench();
    let bad = [
        Request { reason: note("  "), ..request(Bytes::kib(1)) },
        Request { approvers: 0, ..request(Bytes::kib(1)) },
        Request { approvers: 6, ..request(Bytes::kib(1)) },
        request(Bytes::new(0)),
        request(Bytes::new(u64::MAX)),
        Request { lifetime: Some(Duration::ZERO), ..request(Bytes::kib(1)) },
    ];
    for request in bad {
        assert!(matches!(store.request(&request, &clock), Err(GrantError::Request(_))));
    }
    for _ in 0..64 {
        store.request(&request(Bytes::kib(1)), &clock).unwrap();
    }
    let too_many = store.request(&request(Bytes::kib(1)), &clock);
    assert!(matches!(too_many, Err(GrantError::TooMany { limit: 64, .. })));
    let other = Request { requester: BOB, ..request(Bytes::kib(1)) };
    assert!(store.request(&other, &clock).is_ok());
}

#[test]
fn the_chosen_grant_is_its_requesters() {
    let mut bench = bench();
    let used = bench.approved(Bytes::kib(1));
    assert_eq!(bench.store.chosen(ANN).unwrap(), None);
    let other = refusal(bench.store.choose(used.grant, BOB, &bench.clock));
    assert_eq!(other, Refusal::OtherActor);
    bench.store.choose(used.grant, ANN, &bench.clock).unwrap();
    assert_eq!(bench.store.chosen(ANN).unwrap(), Some(used.grant));
    bench.store.revoke(used.grant, ANN, &bench.clock).unwrap();
    assert_eq!(refusal(bench.store.choose(used.grant, ANN, &bench.clock)), Refusal::Revoked);
}

#[test]
fn what_was_asked_reads_back() {
    let Bench { mut store, clock, .. } = bench();
    let asked = request(Bytes::kib(5));
    let id = store.request(&asked, &clock).unwrap().id;
    let read = store.find(id, &clock).unwrap();
    assert_eq!((read.summary, read.plan), (asked.summary, asked.plan));
    assert_eq!((read.reason, read.ticket), (asked.reason, asked.ticket));
    assert_eq!((read.bytes, read.used, read.requester), (asked.bytes, Bytes::new(0), ANN));
    assert_eq!(read.requested.wall, Duration::from_secs(1_796_083_200));
}

#[test]
fn the_files_are_private() {
    let bench = bench();
    let folder = bench.folder.path().join("made");
    let _store = GrantStore::open(&folder).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode(&folder), 0o700);
    let mut files = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
        files += 1;
    }
    assert!(files >= 2, "no log beside the store");
    fs::set_permissions(folder.join("grants.sqlite"), fs::Permissions::from_mode(0o644)).unwrap();
    assert!(matches!(GrantStore::open(&folder), Err(GrantError::Private(_))));
}

#[test]
fn a_store_of_a_newer_program_is_left_alone() {
    let bench = bench();
    bench.store.connection.execute_batch("PRAGMA user_version = 99").unwrap();
    let newer = GrantStore::open(bench.folder.path());
    assert!(matches!(newer, Err(GrantError::Newer { found: 99, known: 1 })));
}

#[test]
fn a_file_that_is_no_store_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("grants.sqlite");
    fs::write(&path, "not a store\n".repeat(500)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    assert!(matches!(GrantStore::open(folder.path()), Err(GrantError::Store(..))));
}

/// Opening at once: one makes the tables, all see them.
#[test]
fn stores_that_open_at_once_are_one_store() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    let clock = ManualClock::default();
                    let mut store = GrantStore::open(folder.path()).unwrap();
                    store.request(&request(Bytes::kib(1)), &clock).unwrap();
                });
            }
        });
        let store = GrantStore::open(folder.path()).unwrap();
        assert_eq!(store.list(&ManualClock::default()).unwrap().len(), 6);
    }
}
