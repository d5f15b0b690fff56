//! Kernels: text in, bitmaps of candidate places out.
//!
//! A text is read in windows of 64 bytes that move on by 48, so that a pattern of up to 16 bytes is
//! seen whole in one of them and nothing is carried from window to window. For each window a kernel
//! makes one word for every class of bytes ([`Class`]) and from those one word for every
//! [`Pattern`]; [`find`] hands over the words that are not zero.
//!
//! # Promise
//! Each kernel gives the bits of its scalar twin, for any bytes and any length; a differential test
//! and a fuzz target hold it to that. The kernel is chosen at run time, so that one binary runs on
//! any x86-64 and on aarch64.
//!
//! # Not here
//! Whether a candidate is a match (`detect`). This is the only module with `unsafe` code.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod marks;
#[cfg(target_arch = "aarch64")]
mod neon;
mod pattern;
mod scalar;
pub mod sha256;

pub use marks::Marks;
pub use pattern::PATTERNS;
pub use pattern::Pattern;

/// The classes of bytes that have a bitmap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Class {
    /// `0`–`9`.
    Digit,
    /// `A`–`Z`, `a`–`z`.
    Letter,
    /// `A`–`Z`.
    Upper,
    /// `a`–`f`, `A`–`F`.
    HexLetter,
    /// `.`.
    Dot,
    /// `-`.
    Dash,
    /// `_` and `~`.
    Under,
    /// `:`.
    Colon,
    /// `=`.
    Equals,
    /// `<` and `>`.
    Angle,
    /// `"` and `'`.
    Quote,
    /// The blank.
    Blank,
    /// `/`.
    Slash,
    /// `@`.
    At,
    /// `+`.
    Plus,
    /// Bytes that may open an encoded character: `%`, `&`, `\`, ESC, and the first bytes of
    /// full-width and zero-width characters (C2, E2, EF).
    Rare,
    /// 80 and above.
    High,
}

/// How many classes there are.
pub const CLASSES: usize = 17;

/// How far a window moves on. Windows are [`WINDOW`] bits wide, so each shares 16 with the next.
pub const STRIDE: usize = 48;
/// How many bytes a window shows.
pub const WINDOW: usize = 64;
/// How many bytes before its place the first window begins.
pub const LOOK_BACK: usize = 8;

/// How many windows are worked side by side, one a lane of a vector.
pub const LANES: usize = 4;
/// Windows that are worked in one go: all are classified before their patterns are looked for, for
/// what was just written in small parts is read at once only after it has left the store buffer.
const BATCH: usize = 64;
/// Blocks of [`WINDOW`] bytes that hold the windows of a batch.
const BLOCKS: usize = BATCH * STRIDE / WINDOW + 1;
/// The bytes that the windows of a batch show, in whole blocks.
const BATCH_LEN: usize = BLOCKS * WINDOW;
/// The bits of one class for the bytes of a batch, and room for the last load.
type ClassBits = [u8; BLOCKS * 8 + 16];
/// The bits of every class.
type Bits = [ClassBits; CLASSES];
/// The bits of one block: a word for each class.
type Words = [u64; CLASSES];

/// Where the bits of the window at `index` of a batch begin.
const fn bits_of(index: usize) -> usize {
    index * STRIDE / 8
}

/// A way to compute the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Byte by byte; the reference for the others.
    Scalar,
    /// 32 bytes at a time on x86-64.
    Avx2,
    /// 64 bytes at a time on x86-64.
    Avx512,
    /// 16 bytes at a time on aarch64.
    Neon,
}

impl Kernel {
    /// All kernels, whether this machine has them or not.
    pub const ALL: [Kernel; 4] = [Kernel::Scalar, Kernel::Avx2, Kernel::Avx512, Kernel::Neon];

    /// The fastest one that this machine can run.
    pub fn best() -> Kernel {
        [Kernel::Avx512, Kernel::Avx2, Kernel::Neon]
            .into_iter()
            .find(|kernel| kernel.is_available())
            .unwrap_or(Kernel::Scalar)
    }

    /// True when this machine can run it.
    pub fn is_available(self) -> bool {
        match self {
            Kernel::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => std::arch::is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => {
                std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512bw")
            }
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            #[cfg(target_arch = "x86_64")]
            Kernel::Neon => false,
            #[cfg(not(target_arch = "x86_64"))]
            Kernel::Avx2 | Kernel::Avx512 => false,
            #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
            Kernel::Neon => false,
        }
    }
}

/// The bytes of the batch at `window`, zeros where there is no text. Zeros belong to no class.
fn stage(text: &[u8], window: usize) -> [u8; BATCH_LEN] {
    let mut bytes = [0; BATCH_LEN];
    let start = window * STRIDE;
    let skip = LOOK_BACK.saturating_sub(start);
    let rest = text.get(start.saturating_sub(LOOK_BACK)..).unwrap_or(&[]);
    for (to, from) in bytes.iter_mut().skip(skip).zip(rest) {
        *to = *from;
    }
    bytes
}

/// How many windows a text has.
pub fn windows(len: usize) -> usize {
    (len + LOOK_BACK).div_ceil(STRIDE) + 1
}

/// Takes what [`find`] finds: the pattern's number, the place of the first of [`LANES`] windows and a
/// word for each of them, some of which may be not zero.
pub trait Sink {
    /// Takes the words of one pattern.
    fn put(&mut self, pattern: usize, place: usize, lanes: &[u64; LANES]);
}

impl<F: FnMut(usize, usize, &[u64; LANES])> Sink for F {
    #[inline]
    fn put(&mut self, pattern: usize, place: usize, lanes: &[u64; LANES]) {
        self(pattern, place, lanes);
    }
}

/// Memory for the bits of a batch, used again.
#[derive(Clone)]
pub struct Memory(Box<Bits>);

impl Default for Memory {
    fn default() -> Memory {
        Memory(Box::new([[0; BLOCKS * 8 + 16]; CLASSES]))
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Memory({BATCH} windows)")
    }
}

/// Looks for every pattern in the windows `from..to` of `text`, with `kernel` or, where this machine
/// lacks it, with the scalar one. `found` gets the words of each pattern in [`LANES`] windows where
/// some of them may be not zero: the pattern's number, the place of the first window and a word for each of them. A
/// bit `b` of the word at `lane` stands for the byte at `place + lane * STRIDE + b - LOOK_BACK`.
#[inline]
pub fn find(
    kernel: Kernel,
    text: &[u8],
    from: usize,
    to: usize,
    memory: &mut Memory,
    found: &mut impl Sink,
) {
    let bits = &mut *memory.0;
    let mut window = from;
    while window < to {
        let count = BATCH.min(to - window);
        // Windows that do not all lie inside the text are read from a copy with zeros around it.
        let start = (window * STRIDE).checked_sub(LOOK_BACK);
        let inside = start.and_then(|start| text.get(start..start + BATCH_LEN));
        let staged = match inside {
            Some(_) => None,
            None => Some(stage(text, window)),
        };
        // The last batch may be short; what stands behind it from an earlier one is not looked at.
        let blocks = (count * STRIDE).div_ceil(WINDOW) + 1;
        let bytes = inside.or(staged.as_ref().map(|bytes| &bytes[..])).unwrap_or(&[]);
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 if kernel.is_available() => avx512::classify(bytes, blocks, bits),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 if kernel.is_available() => avx2::classify(bytes, blocks, bits),
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon if kernel.is_available() => neon::classify(bytes, blocks, bits),
            Kernel::Scalar | Kernel::Avx2 | Kernel::Avx512 | Kernel::Neon => {
                scalar::classify(bytes, blocks, bits);
            }
        }
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 | Kernel::Avx512 if kernel.is_available() => {
                avx2::patterns(bits, window, count, found);
            }
            Kernel::Scalar | Kernel::Avx2 | Kernel::Avx512 | Kernel::Neon => {
                scalar::patterns(bits, window, count, found);
            }
        }
        window += count;
    }
}

#[cfg(test)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "texts of tests are short and ASCII where they are cut"
)]
mod tests {
    use super::*;

    fn all(kernel: Kernel, text: &[u8]) -> Vec<(usize, usize, u64)> {
        let mut words = Vec::new();
        let mut memory = Memory::default();
        let mut found = |pattern: usize, place: usize, lanes: &[u64; LANES]| {
            let words_of = (0..LANES).map(|lane| (place + lane * STRIDE, pattern, lanes[lane]));
            words.extend(words_of.filter(|(_, _, bits)| *bits != 0));
        };
        find(kernel, text, 0, windows(text.len()), &mut memory, &mut found);
        words.sort_unstable();
        words
    }

    /// Breaking a kernel shows here: with `0x5c` (backslash) dropped from the rare bytes of the
    /// AVX2 kernel the comparison fails at the first random text.
    #[test]
    fn kernels_agree_with_the_scalar_twin() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        let alphabet = b"0123456789abcdefABXYZ.-_~:=<>\"' /@+%&\\\x1b\xc2\xe2\xef\x80,\n";
        for kernel in Kernel::ALL {
            if !kernel.is_available() {
                println!("skipped: {kernel:?} needs an instruction set that this machine lacks");
                continue;
            }
            let mut texts: Vec<Vec<u8>> =
                vec![vec![], (0..=255).collect(), (0..=255).rev().collect(), vec![0x5c; 130]];
            for len in (0..200).chain([3071, 3072, 3073, 4096, 9000, 20_000]) {
                texts.push((0..len).map(|_| (next() >> 24) as u8).collect());
                let mut pick = || alphabet[(next() >> 24) as usize % alphabet.len()];
                texts.push((0..len).map(|_| pick()).collect());
                let mut digits = || b"0123456789-. :"[(next() >> 24) as usize % 14];
                texts.push((0..len).map(|_| digits()).collect());
            }
            for text in texts {
                let (fast, slow) = (all(kernel, &text), all(Kernel::Scalar, &text));
                assert!(fast == slow, "{kernel:?}, {} bytes", text.len());
            }
        }
    }

    /// Every pattern of an at sign, wherever it stands.
    #[test]
    fn places_do_not_depend_on_the_window() {
        for len in [1, 7, 39, 40, 41, 47, 48, 49, 100, 3100] {
            for at in 0..len {
                let mut text = vec![b'x'; len];
                text[at] = b'@';
                let mut places = Vec::new();
                let mut found = |pattern: usize, place: usize, lanes: &[u64; LANES]| {
                    let some = lanes.iter().enumerate().filter(|(_, bits)| **bits != 0);
                    for (lane, bits) in some.filter(|_| pattern == Pattern::At as usize) {
                        assert_eq!(bits.count_ones(), 1);
                        let bit = bits.trailing_zeros() as usize;
                        places.push(place + lane * STRIDE + bit - LOOK_BACK);
                    }
                };
                find(Kernel::best(), &text, 0, windows(len), &mut Memory::default(), &mut found);
                assert_eq!(places, [at], "{len}");
            }
        }
    }
}
