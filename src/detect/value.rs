//! Where the value behind a key begins and ends, and when there is none.

use super::bytes::ALNUM;
use super::bytes::DIGIT;
use super::bytes::LOWER;
use super::bytes::SPACE;
use super::bytes::UPPER;
use super::bytes::before;
use super::bytes::byte;
use super::bytes::is;
use super::bytes::word;
use super::scan::Memo;
use super::shape::MATCH_LEN_MAX;
use crate::text::Span;

/// A value and how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// First byte.
    pub(super) start: usize,
    /// One past the last byte.
    pub(super) end: usize,
    /// Between quotes.
    pub(super) quoted: bool,
}

/// Where the value behind the separator at `at` begins: past the separator, blanks and an opening
/// quote. The second part is the quote and the number of backslashes before it.
pub(super) fn start_of(text: &[u8], at: usize) -> Option<(usize, Option<(u8, usize)>)> {
    let separator = byte(text, at);
    let mut start = at + 1;
    // `=>`, `:=`, `==` and `~>` are one separator.
    if separator != b'>' && matches!(byte(text, start), b'=' | b'>') {
        start += 1;
    }
    let blanks_from = start;
    while matches!(byte(text, start), b' ' | b'\t') && start - blanks_from < 16 {
        start += 1;
    }
    // In `password= user=x` there is no value; in `password = x` there is.
    let spaced = separator == b':' || is(before(text, at), SPACE) || start - blanks_from == 0;
    let mut quote = start;
    while byte(text, quote) == b'\\' && quote - start < 64 {
        quote += 1;
    }
    match byte(text, quote) {
        mark @ (b'"' | b'\'' | b'`') => {
            (!closes_name(text, quote + 1)).then_some((quote + 1, Some((mark, quote - start))))
        }
        _ if !spaced && byte(text, at + 1) != b'>' => None,
        _ => Some((start, None)),
    }
}

/// True when the quote before `at` closes what it stands in, as in `{"password=":…}`.
fn closes_name(text: &[u8], at: usize) -> bool {
    matches!(byte(text, at), b'}' | b']' | b',' | b':')
}

/// The value behind the separator at `at`.
pub(super) fn behind(text: &[u8], at: usize, memo: &mut Memo) -> Option<Value> {
    let (start, quote) = start_of(text, at)?;
    let value = match quote {
        Some((mark, escapes)) => {
            Value { start, end: quoted_end(text, start, mark, escapes), quoted: true }
        }
        None => Value { start, end: plain_end(text, start, memo), quoted: false },
    };
    (value.end > value.start).then_some(value)
}

/// The end of a quoted value: the first such quote behind no more backslashes than the opening one
/// had, or the end of the line.
pub(super) fn quoted_end(text: &[u8], start: usize, mark: u8, escapes: usize) -> usize {
    let mut at = start;
    let mut slashes = 0;
    loop {
        let next = byte(text, at);
        if at >= text.len() || next == b'\n' || at - start >= MATCH_LEN_MAX {
            return at;
        }
        if next == b'\\' {
            slashes += 1;
        } else {
            // A text in other quotes does not reach beyond the JSON string that it stands in.
            let leaves =
                next == b'"' && mark != b'"' && slashes % 2 == 0 && closes_name(text, at + 1);
            if leaves {
                return at;
            }
            // Each layer of quoting doubles the backslashes: what is left of whole pairs tells
            // whether this quote closes, and how many of them belong to it.
            let own = slashes % (2 * (escapes + 1));
            if next == mark && own <= escapes {
                return at - own;
            }
            slashes = 0;
        }
        at += 1;
    }
}

/// The end of a value without quotes.
pub(super) fn plain_end(text: &[u8], start: usize, memo: &mut Memo) -> usize {
    if start > memo.plain.start && start < memo.plain.end {
        return memo.plain.end;
    }
    let end = walk_plain(text, start);
    memo.plain = Span::new(start, end);
    end
}

fn walk_plain(text: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < text.len() && at - start < MATCH_LEN_MAX {
        let (next, follows) = (byte(text, at), byte(text, at + 1));
        match next {
            b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' | b'&'
            | b';' | 0x1b => break,
            b'\\' if matches!(follows, b'"' | b'\'' | b'n' | b'r' | b't' | b'u' | b'x') => break,
            b',' if ends_item(text, at + 1) => break,
            b')' | b']' | b'}' if at > start && closes(follows) => break,
            _ => at += 1,
        }
    }
    let mut end = at;
    while end > start && matches!(byte(text, end - 1), b',' | b':') {
        end -= 1;
    }
    // `[REDACTED]` keeps its bracket.
    if byte(text, start) == b'[' && byte(text, end) == b']' {
        end += 1;
    }
    end
}

/// The end of words without quotes: names, streets.
pub(super) fn phrase_end(text: &[u8], start: usize) -> usize {
    let mut at = start;
    while at - start < 256 {
        let next = byte(text, at);
        match next {
            b'\n' | b'\r' | b'\t' | b'"' | b',' | b';' | b'|' | b'<' | b'>' | b'(' | b')'
            | b'[' | b']' | b'{' | b'}' | b'=' | b':' | b'\\' => break,
            _ => at += 1,
        }
    }
    // In `name: Ana Lind id=4` the last word before `=` is the next key.
    if matches!(byte(text, at), b'=' | b':') {
        while at > start && byte(text, at - 1) != b' ' {
            at -= 1;
        }
    }
    while at > start && matches!(byte(text, at - 1), b' ' | b'.') {
        at -= 1;
    }
    at
}

/// True when what follows a comma is the next item: a blank, a quote, the end, or a key.
fn ends_item(text: &[u8], at: usize) -> bool {
    let next = byte(text, at);
    if is(next, SPACE) || matches!(next, b'"' | b'\'' | b'{' | b'[' | b'}' | b']' | b')') {
        return true;
    }
    let mut end = at;
    while end - at < 40
        && (is(byte(text, end), ALNUM) || matches!(byte(text, end), b'_' | b'-' | b'.'))
    {
        end += 1;
    }
    end > at && matches!(byte(text, end), b'=' | b':')
}

fn closes(next: u8) -> bool {
    is(next, SPACE)
        || matches!(next, b',' | b';' | b'.' | b':' | b')' | b'}' | b']' | b'"' | b'\'' | b'\\')
}

/// Words that stand where there is no value. None has more than eight bytes but the last.
const PLACEHOLDERS: [u64; 27] = [
    word(b"null"),
    word(b"nil"),
    word(b"none"),
    word(b"true"),
    word(b"false"),
    word(b"yes"),
    word(b"no"),
    word(b"on"),
    word(b"off"),
    word(b"redacted"),
    word(b"masked"),
    word(b"hidden"),
    word(b"filtered"),
    word(b"removed"),
    word(b"omitted"),
    word(b"empty"),
    word(b"unset"),
    word(b"n/a"),
    word(b"required"),
    word(b"optional"),
    word(b"missing"),
    word(b"invalid"),
    word(b"expired"),
    word(b"present"),
    word(b"not"),
    word(b"nan"),
    word(b"absent"),
];

/// True when the whole value says that there is none: stars, a reference to a variable, a template.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    let trimmed = value.trim_ascii();
    let bare = trimmed
        .strip_prefix(b"[")
        .and_then(|inner| inner.strip_suffix(b"]"))
        .or_else(|| trimmed.strip_prefix(b"(").and_then(|inner| inner.strip_suffix(b")")))
        .or_else(|| trimmed.strip_prefix(b"<").and_then(|inner| inner.strip_suffix(b">")))
        .unwrap_or(trimmed);
    if bare.is_empty()
        || bare.len() <= 8 && PLACEHOLDERS.contains(&word(bare))
        || bare.eq_ignore_ascii_case(b"undefined")
    {
        return true;
    }
    if bare.iter().all(|byte| matches!(byte, b'*' | b'.' | b'-' | b'#' | b'_' | b'?' | b'%'))
        || bare.iter().all(|byte| matches!(byte, b'x' | b'X'))
        || bare.starts_with("•".as_bytes()) && bare.chunks(3).all(|part| part == "•".as_bytes())
    {
        return true;
    }
    let is_reference = |open: &[u8], close: &[u8]| {
        trimmed.starts_with(open) && trimmed.ends_with(close) && trimmed.len() > open.len()
    };
    if is_reference(b"${", b"}") || is_reference(b"$(", b")") || is_reference(b"{{", b"}}") {
        return true;
    }
    let name = |inner: &[u8]| {
        !inner.is_empty()
            && inner.iter().all(|byte| is(*byte, UPPER | DIGIT) || *byte == b'_')
            && inner.iter().any(|byte| is(*byte, UPPER))
    };
    // `$DB_PASSWORD`, `%DB_SECRET%`, `<your-token>`: names in place of values.
    trimmed.strip_prefix(b"$").is_some_and(name)
        || trimmed.strip_prefix(b"%").and_then(|rest| rest.strip_suffix(b"%")).is_some_and(name)
        || trimmed.starts_with(b"<")
            && trimmed.ends_with(b">")
            && bare.iter().all(|byte| is(*byte, LOWER) || matches!(byte, b'-' | b'_' | b' '))
}

/// True when a plain value opens something that is not a value: a template, a command, a struct.
pub(super) fn opens_template(text: &[u8], start: usize) -> bool {
    let (first, second) = (byte(text, start), byte(text, start + 1));
    matches!((first, second), (b'{', b'{') | (b'$', b'(' | b'{'))
        || matches!(first, b'{' | b'[' | b'(') && !is(second, ALNUM)
        || first == b'[' && second == b'{'
}

/// True when the value looks drawn at random rather than written: digits and letters, both cases,
/// or very long.
pub(super) fn looks_secret(value: &[u8]) -> bool {
    if value.len() < 6 {
        return false;
    }
    let has = |classes: u8| value.iter().any(|byte| is(*byte, classes));
    let letters = has(UPPER | LOWER);
    let mark = value
        .iter()
        .any(|byte| byte.is_ascii_punctuation() && !matches!(byte, b'-' | b'_' | b'.' | b'/'));
    let mixed =
        value.windows(2).filter(|pair| is(pair[0], LOWER) && is(pair[1], UPPER)).count() >= 2;
    letters && (has(DIGIT) || mark) || mixed || value.len() >= 24 && !value.contains(&b' ')
}

/// True when the value is a number, a boolean or empty: what a switch or a counter holds.
pub(super) fn is_number(value: &[u8]) -> bool {
    !value.is_empty()
        && value.iter().all(|byte| is(*byte, DIGIT) || matches!(byte, b'.' | b'-' | b'+' | b','))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<&str> {
        let at = text.find(['=', ':']).unwrap();
        let value = behind(text.as_bytes(), at, &mut Memo::default())?;
        text.get(value.start..value.end)
    }

    #[test]
    fn values_end_where_they_are_written_to_end() {
        for (text, end) in [
            (r#"{"password":"Wren\"42-otter","ok":true}"#, Some(r#"Wren\"42-otter"#)),
            (r#"\"password\": \"vR7\\\"tulip-9\"}"#, Some(r#"vR7\\\"tulip-9"#)),
            ("password = abc, next", Some("abc")),
            ("password=a,b c", Some("a,b")),
            ("password= user=x", None),
            ("pwd=x;Encrypt=yes", Some("x")),
            ("token: [REDACTED]abc x", Some("[REDACTED]abc")),
            ("f(token=abc) x", Some("abc")),
            ("password=>'a b'", Some("a b")),
            ("password=a\\nb", Some("a")),
        ] {
            assert_eq!(value(text), end, "{text}");
        }
    }

    #[test]
    fn placeholders_are_whole_values() {
        for value in [
            "***",
            "<redacted>",
            "${DB_PASSWORD}",
            "{{ .Values.key }}",
            "%DB_SECRET%",
            "[FILTERED]",
            "null",
            "",
        ] {
            assert!(is_placeholder(value.as_bytes()), "{value}");
        }
        for value in ["[REDACTED]abc", "****Plover", "hunter2", "%41bc"] {
            assert!(!is_placeholder(value.as_bytes()), "{value}");
        }
    }
}
