//! Nothing that leaves the process holds a planted value.
//!
//! Invented values of many kinds are planted in every encoding, on standard input and in files,
//! packed and damaged ones too; the program runs with everything that makes it talk. Then all that
//! left it is searched: standard output, standard error, each file that it made. A leak is the value
//! or eight bytes in a row of it, plain or encoded.
//!
//! Shown to bite by a trace event with a piece's text in `mask/apply.rs`, and in every run by a kind
//! that is left out.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::support::Scratch;

/// Bytes in a row that tell what a value was.
const TELLING: usize = 8;

/// An invented value, in a line that makes it one.
struct Plant {
    what: &'static str,
    before: &'static str,
    value: String,
    after: &'static str,
}

type Encode = fn(&str) -> String;

/// How a value can be written.
const ENCODINGS: &[(&str, Encode)] = &[
    ("plain", str::to_owned),
    ("percent", |value| {
        each(value, |c| !c.is_ascii_alphanumeric(), |c| format!("%{:02X}", c as u32))
    }),
    ("percent, all", |value| each(value, |_| true, |c| format!("%{:02x}", c as u32))),
    ("percent, twice", |value| each(value, |_| true, |c| format!("%25{:02x}", c as u32))),
    ("entities", |value| each(value, |_| true, |c| format!("&#{};", c as u32))),
    ("hex entities", |value| each(value, |_| true, |c| format!("&#x{:X};", c as u32))),
    ("\\u", |value| each(value, |_| true, |c| format!("\\u{:04x}", c as u32))),
    ("\\x", |value| {
        each(value, |c| !c.is_ascii_alphanumeric(), |c| format!("\\x{:02x}", c as u32))
    }),
    ("wide", |value| {
        each(
            value,
            |c| c.is_ascii_graphic(),
            |c| char::from_u32(c as u32 + 0xfee0).unwrap().to_string(),
        )
    }),
    ("zero width", |value| each(value, |_| true, |c| format!("{c}\u{200b}"))),
];

fn each(value: &str, which: fn(char) -> bool, write: fn(char) -> String) -> String {
    value.chars().map(|c| if which(c) { write(c) } else { c.to_string() }).collect()
}

fn plants() -> Vec<Plant> {
    let plant =
        |what, before, value: &str, after| Plant { what, before, value: value.to_owned(), after };
    let body = "Zk3vQ8wLr1Tn6Yc4Hs9Bd2Mf7Jx5Pg0Ra";
    vec![
        plant("e-mail", "mail from ", "zanther.quill@brookmere-ltd.example", " was read"),
        plant("ipv4", "peer ", "198.51.100.237", " closed the stream"),
        plant("ipv6", "peer ", "2001:db8:77ab:4c1e::9f3d", " closed the stream"),
        plant("mac", "lease for ", "52:54:00:d7:3e:91", " granted"),
        plant("card", "card ", "5425 2334 3010 9903", " declined"),
        plant("iban", "from account ", "GB33 BUKB 2020 1555 5555 55", " refused"),
        plant("phone", "call ", "+44 7700 900876", " back"),
        plant("ssn", "SSN: ", "212-45-6781", " on file"),
        plant("pesel", "PESEL: ", "80110851718", " on file"),
        plant("password", "DB_PASSWORD=", "vermilion#otter", " in the environment"),
        plant("api key", "\"api_key\": \"", "q7Zt2Kx9Vb4Nw8Lm", "\", \"n\": 1"),
        plant("bearer", "Authorization: Bearer ", body, ""),
        plant(
            "token",
            "push with ",
            &["gh", "p_", "Mv4Xs", &body[5..], "427"].concat(),
            " refused",
        ),
        plant("jwt", "ticket ", &jwt(), " is too old"),
        plant("user info", "dsn postgres://app:", "mulberry7kettle", "@db-3.internal/x"),
        plant("cookie", "Cookie: sid=", "Tq5Wm8Zr3Lc7Vx", ""),
        plant("wallet", "paid to ", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", " today"),
    ]
}

/// Header, claims and signature of nobody.
fn jwt() -> String {
    let header = base64(br#"{"alg":"HS256","typ":"JWT"}"#);
    let claims = base64(br#"{"sub":"zanther","iat":1730621605,"scope":"orders"}"#);
    format!("{header}.{claims}.{}", base64(b"thirty-two bytes of a signature!"))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte))
            << (8 * (3 - group.len()));
        for at in 0..=group.len() {
            text.push(char::from(LETTERS[(bits >> (18 - 6 * at) & 63) as usize]));
        }
    }
    text
}

/// What is planted, and the pieces that tell of it.
pub(crate) struct Planted {
    pub(crate) text: Vec<u8>,
    /// By their length: an encoding makes them longer.
    pieces: BTreeMap<usize, BTreeMap<Vec<u8>, String>>,
}

impl Planted {
    /// A line with the value in it, and what tells of the value in the clear and as written.
    fn line(&mut self, what: &str, [before, value, after]: [&str; 3], encode: Encode) {
        let letters: Vec<char> = value.chars().collect();
        for piece in letters.windows(TELLING.min(letters.len()).max(1)) {
            let piece: String = piece.iter().collect();
            for piece in [encode(&piece), piece] {
                let known = self.pieces.entry(piece.len()).or_default();
                known.entry(piece.into_bytes()).or_insert_with(|| what.to_owned());
            }
        }
        self.text.extend_from_slice(format!("{before}{}{after}\n", encode(value)).as_bytes());
    }

    /// The leaks in `bytes`.
    fn leaks(&self, bytes: &[u8]) -> BTreeSet<&str> {
        let known = self.pieces.iter();
        let found =
            known.flat_map(|(len, known)| bytes.windows(*len).filter_map(|piece| known.get(piece)));
        found.map(String::as_str).collect()
    }
}

/// Every plant in every encoding, a key over several lines, credentials in base64, a split record.
pub(crate) fn everything() -> Planted {
    let mut all = Planted { text: Vec::new(), pieces: BTreeMap::new() };
    for Plant { what, before, value, after } in plants() {
        for (name, encode) in ENCODINGS {
            all.line(&format!("{what}, {name}"), [before, &value, after], *encode);
        }
    }
    let mut plain = |what: &str, parts: [&str; 3]| all.line(what, parts, str::to_owned);
    let basic = base64(b"zanther:mulberry7kettle") + "=";
    plain("basic credentials", ["Authorization: Basic ", &basic, ""]);
    let rows: Vec<String> = (0..6_u8)
        .map(|row| Vec::from_iter((0..48_u8).map(|at| at.wrapping_mul(37) ^ row.wrapping_mul(91))))
        .map(|bytes| base64(&bytes).replace(['-', '_'], "x"))
        .collect();
    for prefix in ["", "Nov  3 08:13:18 web-3 app[7]: ", "2026-11-03T08:13:21.000000001Z stdout F "]
    {
        plain("", [prefix, "", concat!("-----BEGIN PRIV", "ATE KEY-----")]);
        for row in &rows {
            plain("key row", [prefix, row, ""]);
        }
        plain("", [prefix, "", concat!("-----END PRIV", "ATE KEY-----")]);
    }
    let (head, tail) = ("zanther.qu", "ill@brookmere-ltd.example");
    plain("split record", ["2026-11-03T08:13:21.1Z stdout P {\"m\":\"", head, ""]);
    plain("split record", ["2026-11-03T08:13:21.2Z stdout F ", tail, "\"}"]);
    all
}

/// Runs the program talkatively and gives all that left it, by where it came out.
pub(crate) fn emitted(scratch: &Scratch, args: &[&str], input: &[u8]) -> Vec<(String, Vec<u8>)> {
    let before: BTreeSet<_> = all_files(&scratch.path("")).into_iter().collect();
    let mut command = scratch.locklog(args);
    command.env("RUST_LOG", "trace").env("RUST_BACKTRACE", "full").stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().unwrap()
    });
    let mut all = vec![("stdout".to_owned(), output.stdout), ("stderr".to_owned(), output.stderr)];
    for path in all_files(&scratch.path("")) {
        if !before.contains(&path) {
            all.push((path.clone(), fs::read(path).unwrap()));
        }
    }
    all
}

pub(crate) fn all_files(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(all_files(&path));
        } else {
            all.push(path.to_str().unwrap().to_owned());
        }
    }
    all
}

pub(crate) fn assert_quiet(planted: &Planted, emitted: &[(String, Vec<u8>)]) {
    for (place, bytes) in emitted {
        let leaks = planted.leaks(bytes);
        assert!(leaks.is_empty(), "{place} holds a part of {leaks:#?}");
    }
}

const TALK: &[&str] = &["mask", "--report", "json", "--explain"];

#[test]
fn standard_input_does_not_leak() {
    let planted = everything();
    let emitted = emitted(&Scratch::new(), TALK, &planted.text);
    assert!(emitted.iter().any(|(place, _)| place.ends_with("state/key")), "no key was made");
    assert!(emitted[1].1.len() > 1000, "it did not talk");
    assert_quiet(&planted, &emitted);
}

/// The search itself: what is left out on purpose is found, on the same way.
#[test]
fn a_leak_is_seen() {
    let planted = everything();
    let args = [TALK, &["--without", "EMAIL", "--ephemeral-key"]].concat();
    let emitted = emitted(&Scratch::new(), &args, &planted.text);
    let leaks = planted.leaks(&emitted[0].1);
    assert!(leaks.contains("e-mail, plain") && leaks.contains("e-mail, entities"), "{leaks:?}");
}

#[test]
fn files_do_not_leak_damaged_or_not() {
    let planted = everything();
    let scratch = Scratch::new();
    scratch.file("a.log", &planted.text);
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    // It ends behind a line: half of a token is no token, and looks like any word.
    let middle =
        planted.text[..planted.text.len() / 2].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    encoder.write_all(&planted.text[..middle]).unwrap();
    encoder.flush().unwrap();
    let cut = encoder.get_ref().len();
    encoder.write_all(&planted.text[middle..]).unwrap();
    let packed = encoder.finish().unwrap();
    scratch.file("cut.gz", &packed[..cut]);
    // A wrong checksum at its end: damage before it makes other text, whose values are not ours.
    let mut damaged = packed.clone();
    damaged[packed.len() - 6] ^= 0x55;
    scratch.file("damaged.gz", damaged);
    let packed = zstd::stream::encode_all(&planted.text[..], 1).unwrap();
    scratch.file("whole.zst", &packed);
    scratch.file("cut.zst", &packed[..packed.len() - 5]);
    scratch.file("binary", [&[0xff, 0, 0xfe][..], &planted.text, &[0x80, 0]].concat());
    fs::create_dir(scratch.path("folder")).unwrap();
    let files = [
        "a.log",
        "cut.gz",
        "missing",
        "damaged.gz",
        "folder",
        "whole.zst",
        "cut.zst",
        "binary",
        "-",
    ];
    let args = [TALK, &files[..]].concat();
    let emitted = emitted(&scratch, &args, &planted.text);
    assert!(String::from_utf8_lossy(&emitted[1].1).contains("cut.gz"), "no error was reported");
    assert_quiet(&planted, &emitted);
}

/// One line of some megabytes: plants stand at every place of a window sooner or later.
#[test]
fn a_line_without_end_does_not_leak() {
    let planted = everything();
    let lines: Vec<&[u8]> = planted.text.split(|byte| *byte == b'\n').collect();
    let plain: Vec<&[u8]> = lines
        .iter()
        .copied()
        .filter(|line| !line.starts_with(b"-----") && line.contains(&b' '))
        .collect();
    let one = plain[..plants().len() * ENCODINGS.len()].join(&b" ; "[..]);
    let mut line = Vec::new();
    while line.len() < 3 << 20 {
        line.extend_from_slice(&one);
        line.extend_from_slice(b" ; some text that stays as it is ; ");
    }
    let emitted = emitted(&Scratch::new(), TALK, &line);
    assert_quiet(&planted, &emitted);
}

/// Standard output that cannot be written to, a key that cannot be used, a value as an argument.
#[test]
fn errors_do_not_leak() {
    let planted = everything();
    let scratch = Scratch::new();
    let input = scratch.file("a.log", &planted.text);
    if let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") {
        let output = scratch
            .locklog(TALK)
            .arg(&input)
            .env("RUST_LOG", "trace")
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert_quiet(&planted, &[("stderr".to_owned(), output.stderr)]);
    }
    scratch.file("short", b"zanther.quill@brookmere-ltd");
    let args = [TALK, &["--key-file", "short"]].concat();
    assert_quiet(&planted, &emitted(&scratch, &args, &planted.text));
    let value = plants().swap_remove(0).value;
    assert_quiet(&planted, &emitted(&scratch, &["pseudonym", "EMAIL", &value], b""));
    assert_quiet(&planted, &emitted(&scratch, &["pseudonym", "EMAIL"], value.as_bytes()));
    assert_quiet(&planted, &emitted(&scratch, &["pseudonym", "EMAIL"], &planted.text));
}
