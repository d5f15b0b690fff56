//! Fragments that meet each other in odd ways, and texts made of them.

use locklog::detect::rule::RawRule;
use locklog::detect::sample;
use locklog::detect::written;
use locklog::lab::rng::Rng;

use crate::run;

/// Text that is between values: separators, quotes, brackets, escapes, beginnings of structures.
const BETWEEN: [&str; 72] = [
    " ",
    " ",
    " ",
    "  ",
    "\t",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "=",
    ":",
    ": ",
    ", ",
    ",",
    ";",
    "|",
    "&",
    "?",
    "#",
    "/",
    "//",
    "://",
    "@",
    ".",
    "-",
    "--",
    "_",
    "+",
    "\"",
    "\"",
    "'",
    "`",
    "\\",
    "\\\"",
    "\\\\\"",
    "\\n",
    "\\u0040",
    "\\x40",
    "%",
    "%40",
    "%25",
    "%2540",
    "&#64;",
    "&#x40;",
    "&amp;",
    "&amp;amp;",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "$",
    "*",
    "é",
    "日本",
    "＠",
    "０",
    "\u{200b}",
    "\u{ad}",
    "\u{1b}[31m",
    "\u{1b}[0m",
    "password=",
    "\"token\":\"",
    "Authorization: Bearer ",
    "Cookie: sid=",
    "key",
    "x",
    "a1",
    "\u{feff}",
];

/// Lines and parts of lines that open or close something.
const STRUCTURES: [&str; 16] = [
    concat!("-----BEGIN RSA PRI", "VATE KEY-----"),
    "-----BEGIN CERTIFICATE-----",
    concat!("-----END RSA PRI", "VATE KEY-----"),
    "-----END CERTIFICATE-----",
    "M\u{49}IEowOXwNmLrc1D4j4Tk1iVMT8o24EmFfkljYGcVtiqlyYU7Jwl8rgisjc7PmVR",
    "vBe2ezczEoK7OZEGoUsQ8kwBxizhLPPwRJbfVuKgZIAC951kVZRDKTBHH3fko8zi",
    "2026-11-30T10:00:00.000000000Z stdout P first half of a line mona.li",
    "2026-11-30T10:00:00.000000001Z stdout F nd@mail.example and the rest",
    "{\"log\":\"user mona.li\",\"stream\":\"stdout\"}",
    "{\"log\":\"nd@mail.example\\n\",\"stream\":\"stdout\"}",
    "at com.example.Main.run(Main.java:42)",
    "550e8400-e29b-41d4-a716-446655440000",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "1764496800123",
    "10.0.3.17:8443",
    "::ffff:198.51.100.7",
];

pub(super) struct Fragments {
    values: Vec<(RawRule, String)>,
    lines: Vec<String>,
    markers: Vec<Vec<u8>>,
}

/// A text as the parts it was made of, which shrinking takes away.
pub(super) struct Text {
    parts: Vec<Vec<u8>>,
    /// Parts may be cut too.
    loose: bool,
}

impl Text {
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.parts.concat()
    }

    /// The smallest part of the text for which `fails` still holds, as far as taking away parts and
    /// then single bytes gets.
    pub(super) fn shrink(self, fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
        let parts = without_needless(self.parts, |parts| fails(&parts.concat()));
        if !self.loose {
            return parts.concat();
        }
        let bytes = parts.concat().into_iter().map(|byte| vec![byte]).collect();
        without_needless(bytes, |bytes| fails(&bytes.concat())).concat()
    }
}

fn without_needless(mut parts: Vec<Vec<u8>>, fails: impl Fn(&[Vec<u8>]) -> bool) -> Vec<Vec<u8>> {
    let mut size = parts.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < parts.len() {
            let mut fewer = parts.clone();
            fewer.drain(at..(at + size).min(parts.len()));
            if fails(&fewer) {
                parts = fewer;
            } else {
                at += size;
            }
        }
        size = if size == 1 { 0 } else { size.div_ceil(2) };
    }
    parts
}

impl Fragments {
    pub(super) fn new() -> Fragments {
        let (mut values, mut lines) = (Vec::new(), Vec::new());
        for (_, raw) in written(&[]).unwrap() {
            for sample in sample::positives(&raw, 2, 11) {
                lines.push(sample.line());
                values.push((raw.clone(), sample.value));
            }
        }
        let (ours, others) = (run::masker(3), run::masker(4));
        let mut markers = Vec::new();
        for masker in [&ours, &ours, &others] {
            let out = run::mask(masker, b"mona.lind@mail.example\npassword=Wren42-otterLane\n");
            markers.extend(
                out.split(|byte| *byte == b'\n')
                    .filter(|line| !line.is_empty())
                    .map(|line| line.strip_prefix(b"password=").unwrap_or(line).to_vec()),
            );
        }
        Fragments { values, lines, markers }
    }

    fn value(&self, rng: &mut Rng) -> &(RawRule, String) {
        &self.values[rng.length(0, self.values.len() as u64 - 1)]
    }

    fn fragment(&self, rng: &mut Rng) -> Vec<u8> {
        match rng.below(20) {
            0..7 => rng.pick(&BETWEEN).as_bytes().to_vec(),
            7..11 => self.value(rng).1.clone().into_bytes(),
            11 | 12 => self.lines[rng.length(0, self.lines.len() as u64 - 1)].clone().into_bytes(),
            13 => rng.pick(&STRUCTURES).as_bytes().to_vec(),
            14 => format!("\n{}\n", rng.pick(&STRUCTURES)).into_bytes(),
            15 => self.markers[rng.length(0, self.markers.len() as u64 - 1)].clone(),
            // A part of a value, as a cut log line has it.
            16 => {
                let value = self.value(rng).1.as_bytes();
                let at = rng.length(0, value.len() as u64);
                if rng.chance(50) { value[..at].to_vec() } else { value[at..].to_vec() }
            }
            17 => vec![rng.bits().to_le_bytes()[0]],
            18 => {
                let len = rng.length(1, 24);
                rng.digits(len).into_bytes()
            }
            _ => encode(&self.value(rng).1, rng.below(6)).into_bytes(),
        }
    }

    /// Any text.
    pub(super) fn text(&self, rng: &mut Rng) -> Text {
        let count = rng.length(1, 40);
        Text { parts: (0..count).map(|_| self.fragment(rng)).collect(), loose: true }
    }

    /// Any text that is UTF-8.
    pub(super) fn characters(&self, rng: &mut Rng) -> Text {
        let count = rng.length(1, 40);
        let one = |rng: &mut Rng| loop {
            let fragment = self.fragment(rng);
            if std::str::from_utf8(&fragment).is_ok() {
                break fragment;
            }
        };
        Text { parts: (0..count).map(|_| one(rng)).collect(), loose: true }
    }

    /// A text of many kilobytes, as whole vectors are only read inside of one.
    pub(super) fn long(&self, rng: &mut Rng) -> Text {
        let count = rng.length(300, 900);
        Text { parts: (0..count).map(|_| self.fragment(rng)).collect(), loose: false }
    }

    /// Lines of JSON with values in strings, in keys and in strings that are JSON.
    pub(super) fn json(&self, rng: &mut Rng) -> Text {
        let count = rng.length(1, 4);
        let line = |rng: &mut Rng| {
            let mut line = serde_json::to_vec(&self.object(rng, 3)).unwrap();
            line.push(b'\n');
            line
        };
        Text { parts: (0..count).map(|_| line(rng)).collect(), loose: true }
    }

    fn object(&self, rng: &mut Rng, depth: u64) -> serde_json::Value {
        let mut object = serde_json::Map::new();
        for _ in 0..rng.length(1, 4) {
            let key = match rng.below(6) {
                0 => self.words(rng),
                1 => "password".to_owned(),
                _ => rng
                    .pick(&[
                        "user", "id", "ssn", "phone", "card", "note", "token", "msg", "lat", "ts",
                    ])
                    .to_owned(),
            };
            let value = match rng.below(if depth == 0 { 6 } else { 9 }) {
                0 => serde_json::Value::from(rng.bits() >> rng.below(60)),
                1 => serde_json::Value::from(rng.below(1_000_000) as f64 / 1e4),
                2..6 => self.words(rng).into(),
                6 => self.object(rng, depth - 1),
                7 => serde_json::to_string(&self.object(rng, depth - 1)).unwrap().into(),
                _ => vec![self.object(rng, depth - 1), self.words(rng).into(), 4012.into()].into(),
            };
            object.insert(key, value);
        }
        object.into()
    }

    fn words(&self, rng: &mut Rng) -> String {
        let parts: Vec<u8> = (0..rng.length(1, 4)).flat_map(|_| self.fragment(rng)).collect();
        String::from_utf8_lossy(&parts).into_owned()
    }

    /// One value a line, in several spellings: each line is `at <value> end`.
    pub(super) fn one_value(&self, rng: &mut Rng) -> Text {
        // Values that need no announcement and have no more than their bytes.
        let (_, value) = loop {
            let value = self.value(rng);
            let alone = !value.0.prefixes.is_empty() && !value.0.keep_prefix
                || matches!(value.0.gate.as_deref(), Some("email" | "ipv4" | "card" | "iban"));
            if alone && !value.1.contains(['<', '>', '"', '%', '\\', '&']) {
                break value;
            }
        };
        let line = |value: &str| format!("at <{value}> end\n").into_bytes();
        let spelled = |way| if way == 6 { value.clone() } else { encode(value, way) };
        Text { parts: (0..7).map(|way| line(&spelled(way))).collect(), loose: false }
    }
}

/// The value with its marks encoded, one of six ways.
fn encode(value: &str, way: u64) -> String {
    let mark = |c: char| !c.is_ascii_alphanumeric();
    let each = |with: &dyn Fn(char) -> String| {
        value
            .chars()
            .map(|c| if mark(c) && c.is_ascii() { with(c) } else { c.to_string() })
            .collect()
    };
    match way {
        0 => each(&|c| format!("%{:02X}", u32::from(c))),
        1 => each(&|c| format!("%25{:02X}", u32::from(c))),
        2 => each(&|c| format!("&#{};", u32::from(c))),
        3 => each(&|c| format!("&#x{:x};", u32::from(c))),
        4 => each(&|c| format!("\\u{:04x}", u32::from(c))),
        _ => value
            .chars()
            .map(|c| {
                if c.is_ascii_graphic() {
                    char::from_u32(u32::from(c) + 0xfee0).unwrap()
                } else {
                    c
                }
            })
            .collect(),
    }
}
