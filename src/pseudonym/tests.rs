//! Names as a caller sees them.

use hmac::Hmac;
use hmac::KeyInit;
use hmac::Mac;
use sha2::Sha256;

use super::*;
use crate::pseudonym::MARKER_LEN_MAX;
use crate::pseudonym::Names;

fn namer(seed: u8) -> Namer {
    let mut bytes: [u8; 32] = std::array::from_fn(|at| seed ^ u8::try_from(at).unwrap());
    Namer::new(&Key::take(&mut bytes))
}

fn name(namer: &Namer, kind: &str, value: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    namer.name(kind, value, &mut out);
    out
}

/// Base32 by the book (RFC 4648, lower case), bit by bit: a twin that shares no code.
fn base32_twin(bytes: &[u8], chars: usize) -> String {
    let bit = |at: usize| usize::from(bytes[at / 8] >> (7 - at % 8) & 1);
    (0..chars)
        .map(|char| {
            let five = (0..5).fold(0, |five, at| five << 1 | bit(char * 5 + at));
            char::from(b"abcdefghijklmnopqrstuvwxyz234567"[five])
        })
        .collect()
}

#[test]
fn id_is_the_first_80_bits_of_the_hmac_crates_mac() {
    let key: [u8; 32] = std::array::from_fn(|at| 9 ^ u8::try_from(at).unwrap());
    for (kind, value) in
        [("EMAIL", &b"ann@example.com"[..]), ("US_SSN", b""), ("SECRET", &[0; 300])]
    {
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        mac.update(&NAME_DOMAIN);
        mac.update(kind.as_bytes());
        mac.update(&[0]);
        mac.update(value);
        let id = base32_twin(&mac.finalize().into_bytes(), ID_CHARS);
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        mac.update(&KEY_ID_DOMAIN);
        mac.update(&[0]);
        let key_id = base32_twin(&mac.finalize().into_bytes(), KEY_ID_CHARS);
        let marker = String::from_utf8(name(&namer(9), kind, value)).unwrap();
        assert!(marker.starts_with(&format!("{kind}_{key_id}_{id}")), "{marker}");
        assert_eq!(marker.len(), kind.len() + 28);
    }
}

#[test]
#[expect(deprecated, reason = "the standard library's SipHash-2-4 is the independent twin")]
fn tag_is_the_first_30_bits_of_a_siphash_over_key_id_kind_and_id() {
    use std::hash::Hasher;
    let key: [u8; 32] = std::array::from_fn(|at| 9 ^ u8::try_from(at).unwrap());
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(&TAG_DOMAIN);
    mac.update(&[0]);
    let mac = mac.finalize().into_bytes();
    let half = |at: usize| u64::from_le_bytes(mac[at..at + 8].try_into().unwrap());
    let marker = name(&namer(9), "PRIVATE_KEY", b"value");
    let mut message = marker[12..16].to_vec();
    message.extend_from_slice(&[0; 4]);
    message.extend_from_slice(b"PRIVATE_");
    message.extend_from_slice(&marker[17..33]);
    message.extend_from_slice(b"YEK\0\x0b"); // Three bytes and the length of the whole kind.
    let mut twin = std::hash::SipHasher::new_with_keys(half(0), half(8));
    twin.write(&message);
    let tag = base32_twin(&twin.finish().to_be_bytes(), TAG_CHARS);
    assert_eq!(marker[33..], *tag.as_bytes());
}

#[test]
fn fixed_vectors_never_change() {
    let mut markers = Vec::new();
    for (kind, value) in [("EMAIL", "ann@example.com"), ("IPV4", "192.0.2.7"), ("X", "")] {
        markers.push(String::from_utf8(name(&namer(0), kind, value.as_bytes())).unwrap());
    }
    assert_eq!(
        markers,
        [
            "EMAIL_hgmj_yyqnzreqwopblprxuv3zo4",
            "IPV4_hgmj_5rz62b4exo7t7xmntjcoyi",
            "X_hgmj_lvlzl6scnizjtanw4ftvbl",
        ]
    );
}

#[test]
fn markers_are_short_words() {
    let namer = namer(1);
    for kind in ["A", "US_SSN", "ABCDEFGHIJKL"] {
        for len in 0..200 {
            let marker = name(&namer, kind, &vec![0xff; len]);
            assert!(marker.len() <= MARKER_LEN_MAX);
            assert!(marker.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'));
            assert!(namer.verify(&marker));
        }
    }
}

#[test]
fn kind_and_value_both_count() {
    let namer = namer(1);
    let id = |kind, value: &[u8]| name(&namer, kind, value).split_off(kind.len());
    assert_ne!(id("A", b"B"), id("AB", b""));
    assert_ne!(id("A", b"x"), id("B", b"x"));
    assert_ne!(id("A", b"x"), id("A", b"x\0"));
}

/// Shown to bite by leaving the kind out of the tag.
#[test]
fn verify_refuses_every_flipped_byte_and_every_other_key() {
    let namer = namer(1);
    let marker = name(&namer, "US_SSN", b"078-05-1120");
    assert!(namer.verify(&marker));
    for at in 0..marker.len() {
        for bit in 0..8 {
            let mut other = marker.clone();
            other[at] ^= 1 << bit;
            assert!(!namer.verify(&other), "{at} {bit}");
        }
        assert!(!namer.verify(&marker[..at]));
        assert!(!namer.verify(&marker[at + 1..]));
    }
    for kind in ["US_SS", "US", "UK", "US_SSNX"] {
        let mut other = kind.as_bytes().to_vec();
        other.extend_from_slice(&marker[6..]);
        assert!(!namer.verify(&other), "{kind}");
    }
    for seed in 2..=255 {
        assert!(!self::namer(seed).verify(&marker), "key {seed}");
    }
    assert!(!namer.verify(b""));
    assert!(!namer.verify(&[b'_'; 40]));
}

#[test]
fn the_cache_changes_no_name() {
    let namer = namer(1);
    let mut cache = namer.new_cache();
    let kinds = ["EMAIL", "IPV4", "SECRET"];
    let mut names = Names::default();
    // Texts of one value up to more than a batch, which may end anywhere in one.
    for text in 0_u64..10_000 {
        let values: Vec<(usize, String)> =
            (0..text % 19).map(|at| value_of(text * 19 + at)).collect();
        let mut naming = namer.begin(&mut cache, &mut names);
        for (kind, value) in &values {
            naming.add(u16::try_from(*kind).unwrap(), kinds[*kind], value.as_bytes());
        }
        let named = naming.finish();
        for (at, (kind, value)) in values.iter().enumerate() {
            let mut batched = Vec::new();
            named.write(at, kinds[*kind], &mut batched);
            assert_eq!(batched, name(&namer, kinds[*kind], value.as_bytes()));
        }
        let mut nothing = Vec::new();
        named.write(values.len(), "EMAIL", &mut nothing);
        assert!(nothing.is_empty());
    }
}

/// A kind and a value: some come back soon, some late, some never, in all lengths of tail, some
/// longer than a block and some longer than the cache takes.
fn value_of(round: u64) -> (usize, String) {
    let mixed = round.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let which = if round.is_multiple_of(3) { round } else { mixed % 3000 };
    let tail = usize::try_from(which % 41).unwrap();
    let mut value = format!("{which:x}");
    value.extend(std::iter::repeat_n('y', if which.is_multiple_of(50) { tail * 20 } else { tail }));
    (usize::try_from(which % 3).unwrap(), value)
}

#[test]
fn debug_shows_the_key_id_alone() {
    let namer = namer(1);
    assert_eq!(format!("{namer:?}").len(), "Namer(key abcd)".len());
    assert_eq!(format!("{:?}", namer.new_cache()), "Cache(4096 entries)");
}
