//! What single bytes are, from one table.

/// Letters and digits.
pub(super) const ALNUM: u8 = 1;
/// Digits.
pub(super) const DIGIT: u8 = 2;
/// Hex digits of either case.
pub(super) const HEX: u8 = 4;
/// `[A-Za-z0-9_~.-]`: what tokens without padding are made of.
pub(super) const WORD: u8 = 8;
/// `A`–`Z`.
pub(super) const UPPER: u8 = 16;
/// `a`–`z`.
pub(super) const LOWER: u8 = 32;
/// URL-safe base64 without padding.
pub(super) const BASE64_URL: u8 = 64;
/// Blank, tab, line ends.
pub(super) const SPACE: u8 = 128;

const TABLE: [u8; 256] = table();

const fn table() -> [u8; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        let mut class = 0;
        if byte.is_ascii_alphanumeric() {
            class |= ALNUM | WORD | BASE64_URL;
        }
        if byte.is_ascii_digit() {
            class |= DIGIT;
        }
        if byte.is_ascii_hexdigit() {
            class |= HEX;
        }
        if matches!(byte, b'_' | b'~' | b'.' | b'-') {
            class |= WORD;
        }
        if matches!(byte, b'_' | b'-') {
            class |= BASE64_URL;
        }
        if byte.is_ascii_uppercase() {
            class |= UPPER;
        }
        if byte.is_ascii_lowercase() {
            class |= LOWER;
        }
        if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
            class |= SPACE;
        }
        table[at] = class;
        at += 1;
    }
    table
}

/// True when `byte` is of one of `classes`.
#[inline]
pub(super) fn is(byte: u8, classes: u8) -> bool {
    TABLE[byte as usize] & classes != 0
}

/// The byte at `at`; outside the text, a line end.
#[inline]
pub(super) fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(b'\n')
}

/// The byte before `at`; before the text, a line end.
#[inline]
pub(super) fn before(text: &[u8], at: usize) -> u8 {
    byte(text, at.wrapping_sub(1))
}

/// One past the last byte of `classes` in a row from `at` on, looking at no more than `most` bytes.
#[inline]
pub(super) fn run_end(text: &[u8], at: usize, classes: u8, most: usize) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    let rest = rest.get(..most).unwrap_or(rest);
    at + rest.iter().position(|byte| !is(*byte, classes)).unwrap_or(rest.len())
}

/// The first byte of `classes` in a row that ends before `at`, looking at no more than `most`.
#[inline]
pub(super) fn run_start(text: &[u8], at: usize, classes: u8, most: usize) -> usize {
    let head = text.get(..at).unwrap_or(text);
    let head = head.get(head.len().saturating_sub(most)..).unwrap_or(head);
    let len = head.iter().rev().position(|byte| !is(*byte, classes)).unwrap_or(head.len());
    at - len
}

/// True when `text` goes on with `literal` at `at`.
#[inline]
pub(super) fn follows(text: &[u8], at: usize, literal: &[u8]) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with(literal))
}

/// True when `text` goes on with `literal` at `at`, letter case aside; `literal` is lower case.
#[inline]
pub(super) fn follows_folded(text: &[u8], at: usize, literal: &[u8]) -> bool {
    let found = text.get(at..).and_then(|rest| rest.get(..literal.len()));
    found.is_some_and(|found| found.eq_ignore_ascii_case(literal))
}

/// Up to eight bytes as one number, letters in lower case, so that words are compared at once.
pub(super) const fn word(bytes: &[u8]) -> u64 {
    let mut word = 0;
    let mut at = 0;
    while at < bytes.len() && at < 8 {
        word = word << 8 | (bytes[at] | 0x20) as u64;
        at += 1;
    }
    word
}
