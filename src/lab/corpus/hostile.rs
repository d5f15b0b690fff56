//! Single lines that are meant to be slow: one for each known way to make a scanner quadratic.
//!
//! [`SHAPES`] names them; [`line()`] makes one of a given size. Nothing is planted in them. What they
//! are for is time: the same number of bytes as ordinary lines must not be much faster.

use crate::lab::rng::Rng;

/// One way to be slow.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its name.
    pub name: &'static str,
    head: &'static [u8],
    unit: Unit,
    tail: &'static [u8],
}

#[derive(Clone, Copy, Debug)]
enum Unit {
    /// The same bytes again and again.
    Repeat(&'static [u8]),
    /// Made by a function, a piece at a time.
    Made(fn(&mut Rng, &mut Vec<u8>)),
}

/// One line of `bytes` bytes, without a newline.
pub fn line(shape: &Shape, bytes: usize) -> Vec<u8> {
    let mut line = Vec::with_capacity(bytes + 256);
    line.extend_from_slice(shape.head);
    let mut rng = Rng::new(bytes as u64);
    let body = bytes.saturating_sub(shape.tail.len());
    while line.len() < body {
        match shape.unit {
            Unit::Repeat(unit) => line.extend_from_slice(unit),
            Unit::Made(make) => make(&mut rng, &mut line),
        }
    }
    line.truncate(body);
    line.extend_from_slice(shape.tail);
    line
}

/// The shape of one name.
pub fn find(name: &str) -> Option<&'static Shape> {
    SHAPES.iter().find(|shape| shape.name == name)
}

const fn repeat(name: &'static str, unit: &'static [u8]) -> Shape {
    Shape { name, head: b"", unit: Unit::Repeat(unit), tail: b"" }
}

/// All of them.
pub const SHAPES: &[Shape] = &[
    repeat("run-of-x", b"x"),
    repeat("run-of-upper-a", b"A"),
    repeat("run-of-digits", b"4"),
    repeat("run-of-hex", b"0123456789abcdef"),
    repeat("run-of-base64", b"QUJD+/abc"),
    repeat("run-of-blanks", b" "),
    repeat("run-of-nul", b"\0"),
    repeat("jwt-starts", b"eyJ"),
    repeat("jwt-parts", b"eyJ."),
    repeat("schemes", b"a://"),
    repeat("schemes-with-user", b"https://u:"),
    repeat("key-key-key", b"key="),
    repeat("password-password", b"password="),
    repeat("bearer-bearer", b"Bearer "),
    repeat("at-chain", b"a@"),
    repeat("at-signs", b"@"),
    repeat("mail-chain", b"a@b.c"),
    repeat("dots", b"."),
    repeat("dotted-letters", b"a."),
    repeat("dotted-digits", b"1."),
    repeat("colons", b":"),
    repeat("ipv6-like", b"1:"),
    repeat("mac-like", b"aa:bb:cc:dd:ee:"),
    repeat("dashes", b"-"),
    repeat("digit-groups", b"4111 1111 "),
    repeat("digit-dashes", b"123-45-"),
    repeat("iban-like", b"DE89 3704 "),
    repeat("plus-chain", b"+1"),
    repeat("percent-signs", b"%"),
    repeat("percent-codes", b"%41"),
    repeat("percent-mixed", b"%41%2540AA"),
    Shape { name: "percent-nested", head: b"%", unit: Unit::Repeat(b"25"), tail: b"40" },
    repeat("entities", b"&#64;"),
    repeat("entity-starts", b"&#"),
    repeat("unicode-escapes", b"\\u0041"),
    repeat("backslashes", b"\\"),
    repeat("escaped-quotes", b"\\\""),
    Shape { name: "open-quote", head: b"password=\"", unit: Unit::Repeat(b"x "), tail: b"" },
    repeat("quotes", b"\""),
    repeat("open-quotes", b"token=\""),
    Shape { name: "json-nested", head: b"", unit: Unit::Repeat(b"{\"a\":"), tail: b"" },
    repeat("brackets", b"["),
    repeat("angle-brackets", b"<"),
    repeat("pem-starts", b"-----BEGIN "),
    repeat("pem-headers", concat!("-----BEGIN PRIV", "ATE KEY-----").as_bytes()),
    repeat("token-starts", b"ghp_ sk_live_ xoxb- AKIA "),
    repeat("underscores", b"_"),
    repeat("high-bytes", b"\xff"),
    repeat("utf8-letters", "ü".as_bytes()),
    repeat("full-width-digits", "４".as_bytes()),
    repeat("zero-width", "\u{200b}".as_bytes()),
    repeat("letters-and-zero-width", "a\u{200b}".as_bytes()),
    repeat("ansi-colours", b"\x1b[31m"),
    repeat("ansi-starts", b"\x1b["),
    repeat("carriage-returns", b"\r"),
    Shape { name: "ten-thousand-secrets", head: b"", unit: Unit::Made(secrets), tail: b"" },
    Shape { name: "distinct-mails", head: b"", unit: Unit::Made(mails), tail: b"" },
    Shape { name: "random-base64", head: b"", unit: Unit::Made(base64), tail: b"" },
    Shape { name: "random-bytes", head: b"", unit: Unit::Made(bytes), tail: b"" },
];

/// 26 bytes a piece: 256 KiB hold ten thousand of them.
fn secrets(rng: &mut Rng, line: &mut Vec<u8>) {
    line.extend_from_slice(b"token=");
    line.extend_from_slice(
        rng.text("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789", 19).as_bytes(),
    );
    line.push(b' ');
}

fn mails(rng: &mut Rng, line: &mut Vec<u8>) {
    line.extend_from_slice(rng.text("abcdefghijklmnopqrstuvwxyz", 9).as_bytes());
    line.extend_from_slice(b"@example.com ");
}

fn base64(rng: &mut Rng, line: &mut Vec<u8>) {
    line.extend_from_slice(
        rng.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 64).as_bytes(),
    );
}

fn bytes(rng: &mut Rng, line: &mut Vec<u8>) {
    for byte in rng.bits().to_le_bytes() {
        line.push(if byte == b'\n' { b' ' } else { byte });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_has_its_size_and_no_newline() {
        let mut names = std::collections::BTreeSet::new();
        for shape in SHAPES {
            assert!(names.insert(shape.name), "'{}' twice", shape.name);
            let line = line(shape, 65_536);
            assert_eq!(line.len(), 65_536, "{}", shape.name);
            assert!(!line.contains(&b'\n'), "{}", shape.name);
        }
        assert!(find("percent-nested").is_some_and(|shape| line(shape, 9) == b"%25252540"));
    }
}
