//! Every made-up value beside every byte.
//!
//! Some bytes continue a value, so that what stands there is another word. They are left out by
//! class, with the reason; beside any other byte a value is found.

use locklog::detect::rule::RawRule;
use locklog::detect::sample;
use locklog::mask::Masker;

use super::SAMPLES;
use super::SEED;
use super::all;
use super::none;
use crate::run;

/// On which side of the value the byte stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
}

/// True when `byte` continues the value or its announcement, or begins an encoded character with it.
fn continues(raw: &RawRule, side: Side, byte: u8, value: &str) -> bool {
    // Lines are judged one by one.
    if byte == b'\n' || byte == b'\r' {
        return true;
    }
    // A longer run of letters and digits is another word.
    if byte.is_ascii_alphanumeric() {
        return true;
    }
    // `%41`, `&#65`, `\n`: the byte and the value's first ones are one encoded character.
    if side == Side::Before && matches!(byte, b'%' | b'&' | b'\\') {
        return true;
    }
    if !raw.cues.is_empty() {
        let whole = raw.pattern.is_none();
        return match side {
            // A byte of a letter outside ASCII before the cue is part of a longer word. `my_`, `x-`,
            // `a.` and `the ` are parts of the same key.
            Side::Before => byte >= 0x80,
            // `_`, `-` and `.` continue an identifier: versions, ranges, dotted numbers. Before `(`
            // and `{` stands the name of a printed structure, before `:` and `=` the next key, and
            // names of people have no `/`.
            Side::Behind => {
                matches!(byte, b'_' | b'-' | b'.')
                    || whole && matches!(byte, b'(' | b'{' | b':' | b'=' | b'/')
            }
        };
    }
    if !raw.prefixes.is_empty() {
        // A token's own alphabet may go on with any mark; it is masked with it, so nothing is left
        // out beyond letters and digits.
        return false;
    }
    // What has no prefix is told by its limits: addresses, numbers, identifiers.
    let first = value.as_bytes().first().copied().unwrap_or(b' ');
    let is_number = raw.validator.is_some() || first.is_ascii_digit();
    let is_base64 = matches!(raw.gate.as_deref(), Some("azure-key" | "base64-key-phase"));
    // `_`, `-`, `.` and `~` join identifiers, versions and ranges, `+` and `/` base64; the others
    // make a number a part of a path, a sum, a time, a ratio or a fraction.
    matches!(byte, b'_' | b'-' | b'.' | b'~')
        || is_base64 && matches!(byte, b'+' | b'/')
        || is_number && matches!(byte, b':' | b'/' | b'+' | b'=' | b'#' | b'@' | b'%' | b'~' | b'$')
}

/// Lines that each hold the value beside one byte.
fn lines(raw: &RawRule, made: &sample::Sample) -> Vec<(Side, u8, Vec<u8>)> {
    let mut lines = Vec::new();
    for byte in 0..=255 {
        for side in [Side::Before, Side::Behind] {
            if continues(raw, side, byte, &made.value) {
                continue;
            }
            let mut line = Vec::new();
            if raw.cues.is_empty() {
                line.extend_from_slice(b"at ");
            }
            // Before a cue or a prefix that stays the byte stands before the whole announcement.
            if side == Side::Before {
                line.push(byte);
            }
            line.extend_from_slice(made.before.as_bytes());
            line.extend_from_slice(made.value.as_bytes());
            if side == Side::Behind {
                line.push(byte);
            }
            line.extend_from_slice(made.after.as_bytes());
            line.push(b'\n');
            lines.push((side, byte, line));
        }
    }
    lines
}

fn is_left(masker: &Masker, line: &[u8], value: &str) -> bool {
    let out = run::mask(masker, line);
    memchr::memmem::find(&out, value.as_bytes()).is_some()
}

/// Bit when `~`, a byte of the token alphabet, stood before tokens that no literal begins; such bytes
/// are told apart above since.
#[test]
fn values_are_masked_beside_every_byte() {
    let masker = run::masker(5);
    let mut failed = Vec::new();
    for (_, raw) in all() {
        // What stands on both sides of the value in a context is told apart by it, not by the byte.
        let structural = matches!(
            raw.gate.as_deref(),
            Some(
                "nested-encoding"
                    | "authorization"
                    | "cookie"
                    | "query-secret"
                    | "url-userinfo"
                    | "cli-flag"
                    | "sql-literal"
                    | "home-path"
                    | "private-key"
                    | "mrz"
            )
        );
        if structural {
            continue;
        }
        for made in sample::positives(&raw, SAMPLES, SEED) {
            let made = if raw.cues.is_empty() {
                let kept =
                    raw.prefixes.iter().filter(|prefix| made.before.ends_with(prefix.as_str()));
                let head = kept.max_by_key(|prefix| prefix.len()).map_or("", String::as_str);
                sample::Sample { before: head.into(), value: made.value, after: " end".into() }
            } else {
                made
            };
            if made.value.contains('\n') {
                continue;
            }
            let mut left: Vec<(Side, u8)> = Vec::new();
            let lines = lines(&raw, &made);
            let text: Vec<u8> =
                lines.iter().flat_map(|(_, _, line)| line.iter().copied()).collect();
            let out = run::mask(&masker, &text);
            if memchr::memmem::find(&out, made.value.as_bytes()).is_some() {
                let alone = lines.iter().filter(|(_, _, line)| is_left(&masker, line, &made.value));
                left.extend(alone.map(|(side, byte, _)| (*side, *byte)));
            }
            for side in [Side::Before, Side::Behind] {
                let bytes: Vec<u8> =
                    left.iter().filter(|(s, _)| *s == side).map(|(_, byte)| *byte).collect();
                if !bytes.is_empty() {
                    failed.push(format!(
                        "{}: {} bytes {side:?} [{}]: {}",
                        raw.id,
                        bytes.len(),
                        bytes.escape_ascii(),
                        made.line()
                    ));
                }
            }
        }
    }
    none(&failed, "values are left beside some byte");
}
