//! The reference kernel: one byte at a time, from a table.

use super::BLOCKS;
use super::Bits;
use super::CLASSES;
use super::Class;
use super::LANES;
use super::PATTERNS;
use super::STRIDE;
use super::Sink;
use super::WINDOW;
use super::Words;
use super::bits_of;
use super::pattern::formulas;

/// The classes of each byte, one bit a class.
const TABLE: [u32; 256] = table();

#[expect(clippy::cast_possible_truncation, reason = "the loop ends at 255")]
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

/// Classifies the first `count` blocks of `text`, which holds a whole batch.
pub(super) fn classify(text: &[u8], count: usize, bits: &mut Bits) {
    let (blocks, _) = text.as_chunks::<WINDOW>();
    for (index, block) in blocks.iter().take(count.min(BLOCKS)).enumerate() {
        for (bits, word) in bits.iter_mut().zip(words(block)) {
            bits[index * 8..index * 8 + 8].copy_from_slice(&word.to_le_bytes());
        }
    }
}

/// Hands over the words of every pattern that are not zero, for `count` windows.
#[inline]
pub(super) fn patterns(bits: &Bits, window: usize, count: usize, found: &mut impl Sink) {
    for index in (0..count).step_by(LANES) {
        let mut words = [[0; LANES]; PATTERNS];
        // The last group of a text may have fewer windows.
        for lane in 0..LANES.min(count - index) {
            for (words, word) in words.iter_mut().zip(patterns_of(bits, index + lane)) {
                words[lane] = word;
            }
        }
        for (pattern, words) in words.iter().enumerate() {
            if *words != [0; LANES] {
                found.put(pattern, (window + index) * STRIDE, words);
            }
        }
    }
}

/// The words of every pattern in one window.
fn patterns_of(bits: &Bits, index: usize) -> [u64; PATTERNS] {
    let from = bits_of(index);
    let mut classes = [0; CLASSES];
    for (class, bits) in classes.iter_mut().zip(bits) {
        let mut word = [0; 8];
        word.copy_from_slice(&bits[from..from + 8]);
        *class = u64::from_le_bytes(word);
    }
    let mut words = [0; PATTERNS];
    formulas(&classes, &mut words);
    words
}

/// The words of one block.
fn words(bytes: &[u8; WINDOW]) -> Words {
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
