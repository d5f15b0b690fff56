//! The reference kernel: one byte at a time, from a table.

use super::Block;
use super::CLASSES;
use super::Class;

/// The classes of each byte, one bit a class.
const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = classes_of(byte as u8);
        byte += 1;
    }
    table
}

const fn classes_of(byte: u8) -> u32 {
    let mut classes = 0;
    if byte.is_ascii_digit() {
        classes |= 1 << Class::Digit as usize;
    }
    if byte.is_ascii_alphabetic() {
        classes |= 1 << Class::Letter as usize;
    }
    if byte.is_ascii_uppercase() {
        classes |= 1 << Class::Upper as usize;
    }
    if byte.is_ascii_hexdigit() && !byte.is_ascii_digit() {
        classes |= 1 << Class::HexLetter as usize;
    }
    let single = match byte {
        b'.' => Some(Class::Dot),
        b'-' => Some(Class::Dash),
        b'_' | b'~' => Some(Class::Under),
        b':' => Some(Class::Colon),
        b'=' => Some(Class::Equals),
        b'<' | b'>' => Some(Class::Angle),
        b'"' | b'\'' => Some(Class::Quote),
        b' ' => Some(Class::Blank),
        b'/' => Some(Class::Slash),
        b'@' => Some(Class::At),
        b'+' => Some(Class::Plus),
        b'%' | b'&' | b'\\' | 0x1b | 0xc2 | 0xe2 | 0xef => Some(Class::Rare),
        _ => None,
    };
    if let Some(class) = single {
        classes |= 1 << class as usize;
    }
    if byte >= 0x80 {
        classes |= 1 << Class::High as usize;
    }
    classes
}

/// The words of 64 bytes.
pub(super) fn block(bytes: &[u8; 64]) -> Block {
    let mut words = [0; CLASSES];
    for (at, byte) in bytes.iter().enumerate() {
        let mut classes = TABLE[*byte as usize];
        while classes != 0 {
            words[classes.trailing_zeros() as usize] |= 1 << at;
            classes &= classes - 1;
        }
    }
    words
}
