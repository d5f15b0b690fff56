//! Every made-up value in eight encodings.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use locklog::detect::sample;

use super::SAMPLES;
use super::SEED;
use super::all;
use super::none;
use crate::run;

/// From this length on no piece of a value may stay either.
const PIECE_FROM_LEN: usize = 12;
/// Length of such a piece.
const PIECE_LEN: usize = 8;

/// A way to write a value, and the line around it.
struct Encoding {
    name: &'static str,
    value: fn(&str) -> String,
    /// What the writing does to the rest of the line.
    line: fn(&str) -> String,
}

const ENCODINGS: [Encoding; 8] = [
    Encoding { name: "plain", value: str::to_owned, line: str::to_owned },
    Encoding { name: "percent", value: percent, line: str::to_owned },
    Encoding { name: "double percent", value: double_percent, line: str::to_owned },
    Encoding { name: "decimal entities", value: decimal, line: str::to_owned },
    Encoding { name: "hex entities", value: hex, line: str::to_owned },
    Encoding { name: "unicode escapes", value: unicode, line: str::to_owned },
    Encoding { name: "json in json", value: twice, line: twice },
    Encoding { name: "full width", value: wide, line: str::to_owned },
];

/// Writes the marks of a value with `with`, or where it has none one letter or digit in its middle.
fn marks(value: &str, with: impl Fn(char) -> String) -> String {
    let is_mark = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric() && c != '\n';
    let middle = value.chars().count() / 2;
    let has_mark = value.chars().any(is_mark);
    let encode = |(at, c): (usize, char)| {
        let encoded = if has_mark { is_mark(c) } else { at == middle && c.is_ascii() };
        if encoded { with(c) } else { c.to_string() }
    };
    value.chars().enumerate().map(encode).collect()
}

fn percent(value: &str) -> String {
    marks(value, |c| format!("%{:02X}", u32::from(c)))
}

fn double_percent(value: &str) -> String {
    marks(value, |c| format!("%25{:02X}", u32::from(c)))
}

fn decimal(value: &str) -> String {
    marks(value, |c| format!("&#{};", u32::from(c)))
}

fn hex(value: &str) -> String {
    marks(value, |c| format!("&#x{:x};", u32::from(c)))
}

fn unicode(value: &str) -> String {
    marks(value, |c| format!("\\u{:04x}", u32::from(c)))
}

fn quoted(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap();
    quoted[1..quoted.len() - 1].to_owned()
}

/// As a string in a JSON string in a JSON string.
fn twice(text: &str) -> String {
    quoted(&quoted(text))
}

fn wide(value: &str) -> String {
    let wide = |c: char| if c.is_ascii_graphic() { u32::from(c) + 0xfee0 } else { u32::from(c) };
    value.chars().map(|c| char::from_u32(wide(c)).unwrap()).collect()
}

/// What of the value is still there.
fn leak(out: &str, value: &str) -> Option<String> {
    if out.contains(value) {
        return Some("all of it".to_owned());
    }
    if value.len() < PIECE_FROM_LEN {
        return None;
    }
    let mut start = (value.len() - PIECE_LEN) / 2;
    let mut end = start + PIECE_LEN;
    while !value.is_char_boundary(start) {
        start -= 1;
    }
    while !value.is_char_boundary(end) {
        end += 1;
    }
    let piece = &value[start..end];
    // A piece that is one character again and again says nothing.
    let telling = piece.chars().collect::<BTreeSet<_>>().len() > 1;
    (telling && out.contains(piece)).then(|| format!("'{piece}'"))
}

/// Bit when the name in a Windows home path was left because its dot was encoded. A `DEPTH_MAX` of one
/// does not bite: what is nested deeper is masked whole.
#[test]
fn values_are_masked_in_eight_encodings() {
    let masker = run::masker(5);
    let mut failed = Vec::new();
    let mut recall: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (_, raw) in all() {
        for made in sample::positives(&raw, SAMPLES, SEED) {
            for encoding in &ENCODINGS {
                let value = (encoding.value)(&made.value);
                let line = format!(
                    "{}{value}{}\n",
                    (encoding.line)(&made.before),
                    (encoding.line)(&made.after)
                );
                let out = String::from_utf8(run::mask(&masker, line.as_bytes())).unwrap();
                let sums = recall.entry(encoding.name).or_default();
                sums.1 += 1;
                match leak(&out, &value).or_else(|| leak(&out, &made.value)) {
                    Some(left) => failed.push(format!(
                        "{}: {}: {left} of: {line}  -> {out}",
                        raw.id, encoding.name
                    )),
                    None => sums.0 += 1,
                }
            }
        }
    }
    println!("recall by encoding: {recall:?}");
    none(&failed, "values are left in an encoding");
}
