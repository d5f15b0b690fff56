//! One encoded character.

/// Longest character in bytes once decoded: four, as UTF-8.
const BYTES: usize = 4;

/// An encoded character and what it stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Escape {
    bytes: [u8; BYTES],
    /// How many decoded bytes there are; none for what is invisible.
    pub len: usize,
    /// How many bytes the encoded form takes.
    pub source_len: usize,
    /// A form that hides characters (percent, entity, `\u`, `\x`), not one that only quotes them.
    pub hides: bool,
}

impl std::fmt::Debug for Escape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Escape({} from {} bytes)", self.len, self.source_len)
    }
}

impl Escape {
    /// The decoded bytes.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or(&[])
    }

    fn byte(byte: u8, source_len: usize, hides: bool) -> Escape {
        Escape { bytes: [byte, 0, 0, 0], len: 1, source_len, hides }
    }

    fn character(character: char, source_len: usize) -> Escape {
        let mut bytes = [0; BYTES];
        let len = character.encode_utf8(&mut bytes).len();
        Escape { bytes, len, source_len, hides: true }
    }

    fn nothing(source_len: usize) -> Escape {
        Escape { bytes: [0; BYTES], len: 0, source_len, hides: false }
    }
}

/// The encoded character at `at`, none of it behind `end`.
#[inline]
pub fn escape_at(text: &[u8], at: usize, end: usize) -> Option<Escape> {
    let text = text.get(at..end.min(text.len()))?;
    match text {
        [b'%', high, low, ..] => Some(Escape::byte(hex(*high)? << 4 | hex(*low)?, 3, true)),
        [b'&', rest @ ..] => entity(rest),
        [b'\\', rest @ ..] => backslash(rest),
        [0x1b, rest @ ..] => terminal(rest),
        [0xc2 | 0xe2 | 0xef, ..] => wide(text),
        _ => None,
    }
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// Named entities that stand for a character a detector looks at.
const NAMED: [(&[u8], u8); 26] = [
    (b"amp;", b'&'),
    (b"lt;", b'<'),
    (b"gt;", b'>'),
    (b"quot;", b'"'),
    (b"apos;", b'\''),
    (b"commat;", b'@'),
    (b"period;", b'.'),
    (b"colon;", b':'),
    (b"equals;", b'='),
    (b"lowbar;", b'_'),
    (b"hyphen;", b'-'),
    (b"dash;", b'-'),
    (b"plus;", b'+'),
    (b"sol;", b'/'),
    (b"bsol;", b'\\'),
    (b"num;", b'#'),
    (b"percnt;", b'%'),
    (b"quest;", b'?'),
    (b"semi;", b';'),
    (b"comma;", b','),
    (b"nbsp;", b' '),
    (b"lpar;", b'('),
    (b"rpar;", b')'),
    (b"excl;", b'!'),
    (b"dollar;", b'$'),
    (b"NewLine;", b'\n'),
];

fn entity(rest: &[u8]) -> Option<Escape> {
    if let [b'#', rest @ ..] = rest {
        let (digits, radix, marks) = match rest {
            [b'x' | b'X', digits @ ..] => (digits, 16, 3),
            digits => (digits, 10, 2),
        };
        let mut code = 0_u32;
        let mut len = 0;
        for digit in digits.iter().take(8) {
            let Some(value) = char::from(*digit).to_digit(radix) else { break };
            code = code.checked_mul(radix)?.checked_add(value)?;
            len += 1;
        }
        let closed = usize::from(digits.get(len) == Some(&b';'));
        // Browsers take an entity without its semicolon too.
        return (len > 0)
            .then_some(())
            .and_then(|()| char::from_u32(code))
            .map(|character| Escape::character(character, marks + len + closed));
    }
    // Most ampersands join parameters; the longest name has seven letters.
    if !rest.first()?.is_ascii_alphabetic() || !has_semicolon(rest) {
        return None;
    }
    NAMED
        .iter()
        .find(|(name, _)| rest.starts_with(name))
        .map(|(name, byte)| Escape::byte(*byte, 1 + name.len(), true))
}

/// True when one of the first eight bytes is a semicolon.
fn has_semicolon(rest: &[u8]) -> bool {
    let Some(eight) = rest.get(..8).and_then(|bytes| bytes.try_into().ok()) else {
        return rest.contains(&b';');
    };
    // A byte of zero borrows from the bit above it and is the lowest one to do so.
    let found = u64::from_le_bytes(eight) ^ u64::from_le_bytes([b';'; 8]);
    found.wrapping_sub(0x0101_0101_0101_0101) & !found & 0x8080_8080_8080_8080 != 0
}

fn backslash(rest: &[u8]) -> Option<Escape> {
    let plain = |byte| Some(Escape::byte(byte, 2, false));
    match rest {
        [b'u', rest @ ..] => {
            let first = unit(rest)?;
            if (0xd800..0xdc00).contains(&first) {
                let low = rest.get(4..).filter(|more| more.starts_with(b"\\u"))?;
                let second = unit(low.get(2..)?).filter(|low| (0xdc00..0xe000).contains(low))?;
                let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return char::from_u32(code).map(|character| Escape::character(character, 12));
            }
            char::from_u32(first).map(|character| Escape::character(character, 6))
        }
        [b'x', high, low, ..] => Some(Escape::byte(hex(*high)? << 4 | hex(*low)?, 4, true)),
        [b'n', ..] => plain(b'\n'),
        [b'r', ..] => plain(b'\r'),
        [b't', ..] => plain(b'\t'),
        [b'b' | b'f' | b'v', ..] => plain(b' '),
        [b'"', ..] => plain(b'"'),
        [b'\'', ..] => plain(b'\''),
        [b'/', ..] => plain(b'/'),
        [b'\\', ..] => plain(b'\\'),
        _ => None,
    }
}

/// Four hex digits.
fn unit(digits: &[u8]) -> Option<u32> {
    let mut code = 0;
    for digit in digits.get(..4)? {
        code = code << 4 | u32::from(hex(*digit)?);
    }
    Some(code)
}

/// Longest terminal sequence that is taken as one.
const TERMINAL_LEN_MAX: usize = 32;

/// `ESC [ … letter`: colours and cursor movements (ECMA-48, 5.4).
fn terminal(rest: &[u8]) -> Option<Escape> {
    let parameters = rest.strip_prefix(b"[")?;
    let len =
        parameters.iter().take(TERMINAL_LEN_MAX).position(|byte| !(0x20..0x40).contains(byte))?;
    let last = parameters.get(len)?;
    (0x40..0x7f).contains(last).then(|| Escape::nothing(len + 3))
}

/// Full-width forms, invisible characters, dashes and blanks outside ASCII.
fn wide(text: &[u8]) -> Option<Escape> {
    match text {
        // U+FF01 to U+FF5E are ASCII 21 to 7E.
        [0xef, 0xbc, last @ 0x81..=0xbf, ..] => Some(Escape::byte(last - 0x81 + 0x21, 3, true)),
        [0xef, 0xbd, last @ 0x80..=0x9e, ..] => Some(Escape::byte(last - 0x80 + 0x60, 3, true)),
        // Zero-width blank, joiners, byte-order mark, word joiner, soft hyphen.
        [0xe2, 0x80, 0x8b..=0x8d, ..] | [0xe2, 0x81, 0xa0, ..] | [0xef, 0xbb, 0xbf, ..] => {
            Some(Escape::nothing(3))
        }
        [0xc2, 0xad, ..] => Some(Escape::nothing(2)),
        [0xc2, 0xa0, ..] => Some(Escape::byte(b' ', 2, false)),
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => {
            Some(Escape::byte(b'-', 3, false))
        }
        [0xe2, 0x80, 0x80..=0x8a | 0xaf, ..] => Some(Escape::byte(b' ', 3, false)),
        _ => None,
    }
}
