//! Plans: order, places, digests, limits, seals.

use std::fs::File;
use std::time::Duration;

use super::*;
use crate::id::GrantId;
use crate::source::HeadKey;
use crate::source::Identity;
use crate::source::Stored;
use crate::units::Bytes;

const MIB: u64 = 1024 * 1024;

fn key() -> HeadKey {
    HeadKey::new([7; 32])
}

fn slice(name: &str, first_ns: i64, stored: Stored, start: u64, end: u64) -> Slice {
    let identity = Identity::of(&File::open("Cargo.toml").unwrap(), &key()).unwrap();
    Slice { path: name.into(), identity, stored, start, end, format: "json".to_owned(), first_ns }
}

fn request(order: Order) -> Request {
    Request {
        source: "app.log".to_owned(),
        production: false,
        from_ns: i64::MIN,
        to_ns: i64::MAX,
        order,
        format: None,
        zone: "UTC".to_owned(),
        select: None,
        matching: None,
        profile: "incident".to_owned(),
        profile_digest: [1; 32],
    }
}

fn plan(order: Order) -> Plan {
    let old = slice("old.gz", 1, Stored::Gzip, 0, 2 * MIB);
    let new = slice("new", 2, Stored::Plain, MIB / 2, 3 * MIB);
    Plan::new(request(order), vec![new, old])
}

fn numbers(plan: &Plan, from: Place) -> Vec<(u32, u64)> {
    plan.steps(from).map(|step| (step.slice, step.number)).collect()
}

/// Shown to bite by going backward in packed files too.
#[test]
fn granules_come_in_the_order_that_was_asked_for() {
    let start = Place::default();
    let oldest = numbers(&plan(Order::OldestFirst), start);
    assert_eq!(oldest, [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)]);
    let newest = plan(Order::NewestFirst);
    assert_eq!(numbers(&newest, start), [(0, 2), (0, 1), (0, 0), (1, 0), (1, 1)]);
    let place = Place { slice: 0, granule: 2, records: 9 };
    assert_eq!(numbers(&newest, place), [(0, 0), (1, 0), (1, 1)]);
    assert_eq!((newest.granules(), newest.bytes()), (5, Bytes::new(4 * MIB + MIB / 2)));
}

/// Shown to bite by leaving the identity of the files out of the digest.
#[test]
fn a_digest_changes_with_anything_that_was_agreed_to() {
    let base = plan(Order::OldestFirst);
    assert_eq!(base.digest(&key()), plan(Order::OldestFirst).digest(&key()));
    assert_ne!(base.digest(&key()), base.digest(&HeadKey::new([8; 32])));
    let mut others = vec![plan(Order::NewestFirst)];
    let mut selected = request(Order::OldestFirst);
    selected.select = Some("level=error".to_owned());
    others.push(Plan::new(selected, base.slices().to_vec()));
    let mut slices = base.slices().to_vec();
    slices[1].end += 1;
    others.push(Plan::new(request(Order::OldestFirst), slices));
    let mut slices = base.slices().to_vec();
    slices[0].identity.inode += 1;
    others.push(Plan::new(request(Order::OldestFirst), slices));
    for other in others {
        assert_ne!(base.digest(&key()), other.digest(&key()));
    }
}

#[test]
fn a_plan_reads_back() {
    let base = plan(Order::NewestFirst);
    assert_eq!(Plan::from_bytes(&base.to_bytes()).unwrap(), base);
    assert_eq!(Plan::from_bytes(b"{}"), Err(PlanError::Form));
    let newer =
        String::from_utf8(base.to_bytes()).unwrap().replacen("\"version\":1", "\"version\":2", 1);
    assert_eq!(Plan::from_bytes(newer.as_bytes()), Err(PlanError::Version { found: 2, known: 1 }));
}

#[test]
fn what_is_over_a_limit_says_limit_actual_and_three_ways_out() {
    let limits = CallLimits {
        bytes: Bytes::new(2 * MIB),
        ceiling: Bytes::new(4 * MIB),
        time: Duration::from_secs(30),
    };
    let error = plan(Order::OldestFirst).admit(limits).unwrap_err().to_string();
    for part in ["4608 KiB", "4 MiB", "shorter time range", "fewer files", "a profile"] {
        assert!(error.contains(part), "{error}");
    }
    let wide = CallLimits { ceiling: Bytes::new(5 * MIB), ..limits };
    assert_eq!(plan(Order::OldestFirst).admit(wide).unwrap().calls(), 3);
    assert!(wide.with_bytes(Bytes::new(5 * MIB + 1)).is_err());
    assert!(wide.with_bytes(Bytes::new(MIB)).is_err());
    assert!(wide.with_bytes(Bytes::new(2 * MIB)).is_ok());
}

/// Shown to bite by a seal without the usage.
#[test]
fn a_cursor_is_opaque_and_cannot_be_changed() {
    let sealer = Sealer::new(&[3; 32]);
    let cursor = Cursor {
        plan: plan(Order::OldestFirst).digest(&key()),
        place: Place { slice: 1, granule: 7, records: 3 },
        grant: Some(GrantId::from_bytes([5; 8])),
    };
    let text = cursor.seal(&sealer).unwrap();
    assert_eq!(Cursor::open(&text, &sealer), Ok(cursor));
    assert_ne!(text, cursor.seal(&sealer).unwrap());
    let not_ours = Err(CursorError::Seal(SealError::NotOurs));
    assert_eq!(Cursor::open(&text, &Sealer::new(&[4; 32])), not_ours);
    for at in (4..text.len()).step_by(7) {
        let mut changed = text.clone().into_bytes();
        changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
        assert_eq!(Cursor::open(std::str::from_utf8(&changed).unwrap(), &sealer), not_ours);
    }
    let (short, headless) = (text.get(..text.len() - 2).unwrap(), text.get(4..).unwrap());
    for wrong in ["", "cur_", "cur_zz", "cur_0", short, headless] {
        assert!(Cursor::open(wrong, &sealer).is_err(), "{wrong}");
    }
    let other = sealer.seal("checkpoint 1", b"x").unwrap();
    assert_eq!(sealer.open("cursor 1", &other), Err(SealError::NotOurs));
}
