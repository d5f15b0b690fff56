//! The digits and letters of a value, without its separators.
//!
//! Every check starts here, so this is where totality is won: fixed arrays, no allocation, and no
//! more bytes read than the longest form of the value has, whatever comes in.

/// What stands between the groups of a number is skipped: spaces, dashes, dots, slashes, and the
/// Unicode spaces and dashes of the General Punctuation block.
#[derive(Clone)]
pub(super) struct Significant<'a>(&'a [u8]);

impl Iterator for Significant<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        loop {
            let (first, rest) = self.0.split_first()?;
            self.0 = match (first, rest) {
                (b' ' | b'\t' | b'-' | b'.' | b'/', rest)
                | (0xC2, [0xA0, rest @ ..])
                | (0xE2, [0x80, 0x80..=0xAF, rest @ ..] | [0x88, 0x92, rest @ ..]) => rest,
                _ => {
                    self.0 = rest;
                    return Some(*first);
                }
            };
        }
    }
}

/// The bytes of a value that are no separators.
pub(super) fn significant(value: &[u8]) -> Significant<'_> {
    Significant(value)
}

/// Exactly `N` digits as numbers 0 to 9, or nothing.
pub(super) fn digits<const N: usize>(value: &[u8]) -> Option<[u8; N]> {
    let chars = take(value, |byte| byte.is_ascii_digit())?;
    Some(chars.map(|byte: u8| byte - b'0'))
}

/// Exactly `N` ASCII letters and digits, letters in upper case, or nothing.
pub(super) fn chars<const N: usize>(value: &[u8]) -> Option<[u8; N]> {
    let chars: [u8; N] = take(value, |byte| byte.is_ascii_alphanumeric())?;
    Some(chars.map(|byte| byte.to_ascii_uppercase()))
}

fn take<const N: usize>(value: &[u8], fits: impl Fn(u8) -> bool) -> Option<[u8; N]> {
    let mut out = [0; N];
    let mut bytes = significant(value);
    for slot in &mut out {
        *slot = bytes.next().filter(|&byte| fits(byte))?;
    }
    bytes.next().is_none().then_some(out)
}

/// Up to `MAX` bytes in place.
pub(super) struct Run<const MAX: usize> {
    bytes: [u8; MAX],
    len: usize,
}

impl<const MAX: usize> Run<MAX> {
    /// The bytes of an iterator, unless there are more than `MAX`.
    pub(super) fn collect(bytes: impl Iterator<Item = u8>) -> Option<Self> {
        let mut run = Self { bytes: [0; MAX], len: 0 };
        for byte in bytes {
            *run.bytes.get_mut(run.len)? = byte;
            run.len += 1;
        }
        Some(run)
    }

    /// Changes each byte of the array.
    pub(super) fn map(&mut self, change: impl Fn(u8) -> u8) {
        self.bytes = self.bytes.map(change);
    }

    /// What was collected.
    pub(super) fn as_slice(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

/// From `min` to `MAX` digits as numbers 0 to 9, or nothing.
pub(super) fn digit_run<const MAX: usize>(value: &[u8], min: usize) -> Option<Run<MAX>> {
    let mut run = Run::<MAX>::collect(significant(value).take(MAX + 1))?;
    for byte in run.bytes.iter_mut().take(run.len) {
        *byte = digit(*byte)?;
    }
    (run.len >= min).then_some(run)
}

/// From `min` to `MAX` ASCII letters and digits, letters in upper case, or nothing.
pub(super) fn char_run<const MAX: usize>(value: &[u8], min: usize) -> Option<Run<MAX>> {
    let mut run = Run::<MAX>::collect(significant(value).take(MAX + 1))?;
    run.bytes.make_ascii_uppercase();
    let fits = run.as_slice().iter().all(u8::is_ascii_alphanumeric);
    (fits && run.len >= min).then_some(run)
}

/// The value of an ASCII digit.
pub(super) fn digit(byte: u8) -> Option<u8> {
    byte.is_ascii_digit().then(|| byte - b'0')
}

/// ASCII digits as numbers 0 to 9, or nothing when another byte is among them.
pub(super) fn all_digits<const N: usize>(bytes: &[u8]) -> Option<[u8; N]> {
    let bytes: [u8; N] = bytes.try_into().ok()?;
    bytes.iter().all(u8::is_ascii_digit).then(|| bytes.map(|byte| byte - b'0'))
}

/// 0 to 9 for a digit, 10 to 35 for an upper-case letter, as check digit schemes count them.
pub(super) fn base36(byte: u8) -> Option<u32> {
    match byte {
        b'0'..=b'9' => Some(u32::from(byte - b'0')),
        b'A'..=b'Z' => Some(u32::from(byte - b'A') + 10),
        _ => None,
    }
}

/// The number that a run of digits writes. At most 18 digits make sense.
pub(super) fn number(digits: &[u8]) -> u64 {
    digits.iter().fold(0_u64, |sum, &digit| sum.wrapping_mul(10).wrapping_add(u64::from(digit)))
}

/// Whether all digits are the same, as in placeholders.
pub(super) fn all_same(digits: &[u8]) -> bool {
    digits.windows(2).all(|pair| pair.first() == pair.last())
}

#[cfg(test)]
mod tests {
    use super::all_same;
    use super::char_run;
    use super::chars;
    use super::digit_run;
    use super::digits;
    use super::number;

    #[test]
    fn separators_are_skipped() {
        assert_eq!(digits::<4>("1 2-3\u{a0}4".as_bytes()), Some([1, 2, 3, 4]));
        assert_eq!(digits::<4>("1.2/3\u{2011}4".as_bytes()), Some([1, 2, 3, 4]));
        assert_eq!(chars::<3>(b"a-1b"), Some(*b"A1B"));
    }

    #[test]
    fn length_and_alphabet_are_kept() {
        assert_eq!(digits::<4>(b"123"), None);
        assert_eq!(digits::<4>(b"12345"), None);
        assert_eq!(digits::<4>(b"12x4"), None);
        assert!(digit_run::<4>(b"12345", 1).is_none());
        assert!(digit_run::<4>(b"1", 2).is_none());
        assert!(char_run::<4>(b"ab_", 2).is_none());
        assert_eq!(digit_run::<4>(b"1-2 3", 2).unwrap().as_slice(), [1, 2, 3]);
    }

    #[test]
    fn numbers_and_placeholders() {
        assert_eq!(number(&[0, 4, 2]), 42);
        assert!(all_same(&[7, 7, 7]));
        assert!(!all_same(&[7, 7, 1]));
    }
}
