//! E-mail addresses, outwards from an at sign.

use super::bytes::ALNUM;
use super::bytes::DIGIT;
use super::bytes::LOWER;
use super::bytes::UPPER;
use super::bytes::before;
use super::bytes::byte;
use super::bytes::is;
use super::bytes::word;

/// Longest local part (RFC 5321, 4.5.3.1.1).
const LOCAL_LEN_MAX: usize = 64;
/// Longest domain (RFC 5321, 4.5.3.1.2).
const DOMAIN_LEN_MAX: usize = 255;

/// Last labels that are file extensions or unit types, not top-level domains people have mail at.
/// None has more than eight bytes but the last.
const NOT_A_DOMAIN: [u64; 33] = [
    word(b"png"),
    word(b"jpg"),
    word(b"jpeg"),
    word(b"gif"),
    word(b"svg"),
    word(b"webp"),
    word(b"avif"),
    word(b"ico"),
    word(b"bmp"),
    word(b"css"),
    word(b"js"),
    word(b"mjs"),
    word(b"map"),
    word(b"ts"),
    word(b"tsx"),
    word(b"jsx"),
    word(b"json"),
    word(b"woff"),
    word(b"html"),
    word(b"service"),
    word(b"socket"),
    word(b"timer"),
    word(b"target"),
    word(b"mount"),
    word(b"scope"),
    word(b"slice"),
    word(b"device"),
    word(b"swap"),
    word(b"path"),
    word(b"jar"),
    word(b"tgz"),
    word(b"gz"),
    word(b"whl"),
];

/// The address around the at sign at `at`.
#[inline(never)]
pub(super) fn address(text: &[u8], at: usize) -> Option<(usize, usize)> {
    if byte(text, at) != b'@' {
        return None;
    }
    // Most at signs that are none of an address have no domain behind them.
    let end = domain_end(text, at + 1)?;
    let start = local_start(text, at)?;
    let local = text.get(start..at)?;
    // `git@host:path` names a repository, not a person.
    if local == b"git" && byte(text, end) == b':' {
        return None;
    }
    Some((start, end))
}

/// The opening quote of `"name"@host`.
fn quoted_start(text: &[u8], at: usize) -> Option<usize> {
    let from = at.saturating_sub(LOCAL_LEN_MAX);
    let head = text.get(from..at - 1)?;
    let open = from + head.iter().rposition(|byte| matches!(byte, b'"' | b'\n'))?;
    let fits = byte(text, open) == b'"' && open + 2 < at && !is(before(text, open), ALNUM);
    fits.then_some(open)
}

/// What may stand in a local part (1) and in a label of a domain (2).
static PARTS: [u8; 256] = parts();

const fn parts() -> [u8; 256] {
    let mut parts = [0; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        if byte.is_ascii_alphanumeric() || byte >= 0x80 || byte == b'-' {
            parts[at] = 3;
        } else if matches!(byte, b'.' | b'_' | b'+' | b'\'' | b'~') {
            parts[at] = 1;
        }
        at += 1;
    }
    parts
}

#[inline]
fn is_local(byte: u8) -> bool {
    PARTS[usize::from(byte)] & 1 != 0
}

fn local_start(text: &[u8], at: usize) -> Option<usize> {
    let last = before(text, at);
    if last == b'"' {
        return quoted_start(text, at);
    }
    if !is_local(last) || matches!(last, b'.' | b'\'') {
        return None;
    }
    let head = text.get(at.saturating_sub(LOCAL_LEN_MAX + 1)..at)?;
    let len = head.iter().rev().position(|byte| !is_local(*byte)).unwrap_or(head.len());
    let mut start = at - len;
    // Two dots in a row end it.
    let dots = head.get(head.len() - len..)?;
    if let Some(dot) = dots.windows(2).rposition(|pair| pair == b"..") {
        start += dot + 2;
    } else if len > LOCAL_LEN_MAX {
        return None;
    }
    // In `\nname@…` the letter belongs to the escape.
    if before(text, start) == b'\\' {
        let escape = match byte(text, start) {
            b'n' | b'r' | b't' | b'b' | b'f' | b'v' | b'0' => 1,
            b'x' => 3,
            b'u' => 5,
            _ => 0,
        };
        start = (start + escape).min(at);
    }
    while start < at && matches!(byte(text, start), b'.' | b'\'' | b'-' | b'+' | b'~') {
        start += 1;
    }
    (start < at && text.get(start..at)?.iter().any(|byte| is(*byte, ALNUM) || *byte >= 0x80))
        .then_some(start)
}

#[inline]
fn is_label(byte: u8) -> bool {
    PARTS[usize::from(byte)] & 2 != 0
}

/// The end of the longest domain from `start` on: two labels or more, the last one alphabetic.
fn domain_end(text: &[u8], start: usize) -> Option<usize> {
    let rest = text.get(start..)?;
    let rest = rest.get(..=DOMAIN_LEN_MAX).unwrap_or(rest);
    let mut end = None;
    let mut label = 0;
    let mut labels = 0;
    loop {
        let part = rest.get(label..)?;
        let len = part.iter().position(|byte| !is_label(*byte)).unwrap_or(part.len());
        let at = label + len;
        if at > DOMAIN_LEN_MAX {
            break;
        }
        let part = part.get(..len)?;
        let dashes = part.iter().rev().take_while(|byte| **byte == b'-').count();
        let part = part.get(..len - dashes)?;
        if part.is_empty() || part.first() == Some(&b'-') || part.len() > 63 {
            break;
        }
        labels += 1;
        if labels >= 2 && is_top(part) {
            end = Some((start + label, start + label + part.len()));
        }
        let next = rest.get(at..)?;
        if dashes > 0
            || next.first() != Some(&b'.')
            || !next.get(1).is_some_and(|byte| is_label(*byte))
        {
            break;
        }
        label = at + 1;
    }
    let (label, end) = end?;
    let last = text.get(label..end)?;
    let known = last.len() <= 8 && is_known(word(last)) || last == b"automount";
    (!known).then_some(end)
}

/// True for one of [`NOT_A_DOMAIN`]; most labels differ from all of them in eight bits of a hash.
fn is_known(label: u64) -> bool {
    static HASHES: [u64; 4] = {
        let mut bits = [0; 4];
        let mut at = 0;
        while at < NOT_A_DOMAIN.len() {
            let hash = label_hash(NOT_A_DOMAIN[at]);
            bits[hash / 64] |= 1 << (hash % 64);
            at += 1;
        }
        bits
    };
    let hash = label_hash(label);
    HASHES[hash / 64] >> (hash % 64) & 1 == 1 && NOT_A_DOMAIN.contains(&label)
}

const fn label_hash(label: u64) -> usize {
    (label.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize
}

fn is_top(label: &[u8]) -> bool {
    let alphabetic =
        label.len() >= 2 && label.iter().all(|byte| is(*byte, UPPER | LOWER) || *byte >= 0x80);
    let encoded = label.get(..4).is_some_and(|head| head.eq_ignore_ascii_case(b"xn--"))
        && !label.iter().all(|byte| is(*byte, DIGIT));
    alphabetic || encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str) -> Option<&str> {
        let at = text.find('@')?;
        let (start, end) = address(text.as_bytes(), at)?;
        text.get(start..end)
    }

    #[test]
    fn the_whole_address_and_nothing_else() {
        for (text, address) in [
            ("to=<ana.b+x@mail.example.org>, ok", "ana.b+x@mail.example.org"),
            ("mailto:ruta.k@vendelin.co.uk.", "ruta.k@vendelin.co.uk"),
            ("\\nana@example.org\\t", "ana@example.org"),
            ("jörg@müller.example", "jörg@müller.example"),
            ("x@xn--mller-kva.xn--p1ai", "x@xn--mller-kva.xn--p1ai"),
            ("a..b@example.org", "b@example.org"),
            ("ana@example.org.2024", "ana@example.org"),
        ] {
            assert_eq!(find(text), Some(address), "{text}");
        }
    }

    #[test]
    fn at_signs_that_are_no_address() {
        for text in [
            "git@host.example:acme/site.git",
            "/img/logo@2x.png",
            "user@1000.service",
            "net@v0.38.0",
            "Class@1a2b3c",
            "actor@10.0.0.1",
            "a@b.c",
            "@app.route",
            "user@host",
            "@media (x) ",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
