//! Variations of a value that is known to be good.

use super::Dice;
use super::Validator;
use crate::detect::rule::RawRule;

/// Which part of a value may vary without it becoming something else.
fn free_part(raw: &RawRule, value: &str) -> std::ops::Range<usize> {
    let len = value.len();
    let find = |mark: char| value.find(mark).unwrap_or(len);
    match raw.gate.as_deref() {
        Some("email") => 0..find('@'),
        Some("jwt") => find('.')..len,
        Some("azure-key") => 0..24.min(len),
        Some("mailchimp-key") => 0..find('-'),
        Some("maxmind-key") => 7..len.saturating_sub(4),
        Some("base64-key-phase") => len / 2..len.saturating_sub(2),
        Some("private-key") => key_body(value),
        Some("entra-secret") => 6..len,
        Some(
            "discord-bot" | "telegram-bot" | "salesforce-session" | "braintree" | "google-refresh",
        ) => len.saturating_sub(16)..len,
        Some("terraform-token") => len.saturating_sub(40)..len,
        Some("ipv6") => value.rfind(':').map_or(0, |at| at + 1)..len,
        Some("phone" | "ssn") => len.saturating_sub(4)..len,
        Some("nested-encoding") => 0..0,
        _ => 0..len,
    }
}

/// The middle of the first long line of base64.
fn key_body(value: &str) -> std::ops::Range<usize> {
    let mut best = 0..0;
    let mut start = 0;
    for (at, byte) in value.bytes().chain([b'\n']).enumerate() {
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')) {
            if at - start > best.len() {
                best = start..at;
            }
            start = at + 1;
        }
    }
    (best.start + best.len() / 2)..best.end
}

/// The value with characters replaced by others of their kind, as many as its check can bear.
pub(super) fn value(raw: &RawRule, value: &str, dice: &mut Dice) -> String {
    if raw.gate.as_deref() == Some("ipv4") {
        return octets(dice);
    }
    let part = free_part(raw, value);
    // With a check most changes are refused; few of them at a time find a way.
    let changes = if raw.validator.is_some() { 1 + dice.below(4) } else { part.len() };
    let bytes = value.as_bytes();
    let free = bytes.get(part.clone()).unwrap_or(bytes);
    let is_hex = free.iter().filter(|byte| byte.is_ascii_alphanumeric()).all(u8::is_ascii_hexdigit);
    let mut out = bytes.to_vec();
    for change in 0..changes {
        let offset = if changes == part.len() { change } else { dice.below(part.len()) };
        let Some(byte) = out.get_mut(part.start + offset) else { continue };
        if part.contains(&(part.start + offset)) && !escaped(bytes, part.start + offset) {
            *byte = like(*byte, is_hex, dice);
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| value.to_owned())
}

/// True for a character that an escape consists of, which has to stay one.
fn escaped(bytes: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|at| bytes.get(at));
    before(1) == Some(&b'\\') || before(1) == Some(&b'%') || before(2) == Some(&b'%')
}

fn like(byte: u8, is_hex: bool, dice: &mut Dice) -> u8 {
    let set: &[u8] = match byte {
        b'0'..=b'9' => b"0123456789",
        b'a'..=b'f' if is_hex => b"abcdef",
        b'A'..=b'F' if is_hex => b"ABCDEF",
        b'a'..=b'z' => b"abcdefghijklmnopqrstuvwxyz",
        b'A'..=b'Z' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        _ => return byte,
    };
    dice.pick(set).copied().unwrap_or(byte)
}

/// An IPv4 address of the public kind.
fn octets(dice: &mut Dice) -> String {
    let mut octet = |first: usize, last: usize| first + dice.below(last - first);
    format!("{}.{}.{}.{}", octet(11, 100), octet(1, 255), octet(1, 255), octet(1, 255))
}

/// The value with a character that no token has, in its middle or behind its prefix.
pub(super) fn foreign(value: &str, raw: &RawRule, dice: &mut Dice) -> String {
    let prefix = raw
        .prefixes
        .iter()
        .filter(|prefix| value.starts_with(prefix.as_str()))
        .map(String::len)
        .max();
    let start = prefix.unwrap_or(0).min(value.len().saturating_sub(1));
    let at = start + dice.below(value.len() - start);
    let mut out = value.to_owned();
    if out.is_char_boundary(at) && out.is_char_boundary(at + 1) {
        out.replace_range(at..=at, "!");
    }
    out
}

/// The value with another last digit, or another first letter where there is no check.
pub(super) fn wrong_check(
    value: &str,
    check: Option<Validator>,
    raw: &RawRule,
    dice: &mut Dice,
) -> String {
    let mut bytes = value.as_bytes().to_vec();
    let at = if check.is_some() {
        let digits = bytes.iter().enumerate().filter(|(_, byte)| byte.is_ascii_digit());
        let places: Vec<usize> = digits.map(|(at, _)| at).collect();
        dice.pick(&places).copied()
    } else if raw.prefixes.is_empty() {
        bytes.len().checked_sub(1)
    } else {
        Some(dice.below(3))
    };
    if let Some(byte) = at.and_then(|at| bytes.get_mut(at)) {
        *byte = match *byte {
            digit @ b'0'..=b'9' if check.is_some() => b'0' + (digit - b'0' + dice.step()) % 10,
            _ if raw.prefixes.is_empty() => b'!',
            b'q' => b'z',
            _ => b'q',
        };
    }
    String::from_utf8(bytes).unwrap_or_default()
}
