//! Bytes to words without a loop and without a copy.

/// One word for a short text, or for the end of a longer one.
///
/// Up to eight bytes give different words for different texts *of one length*; of a longer text it
/// is the last eight bytes, which may overlap a word that was taken before. Whoever hashes the
/// word hashes the length too.
#[inline]
pub(super) fn short_or_last(text: &[u8]) -> u64 {
    if let Some(last) = text.last_chunk::<8>() {
        return u64::from_le_bytes(*last);
    }
    if let (Some(first), Some(last)) = (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last));
    }
    text.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn texts_of_one_length_differ() {
        for len in 0..=8 {
            let mut seen = BTreeSet::from([short_or_last(&vec![0; len])]);
            for at in 0..len {
                for byte in 1..=255 {
                    let mut text = vec![0; len];
                    text[at] = byte;
                    assert!(seen.insert(short_or_last(&text)), "{len} {at} {byte}");
                }
            }
        }
        assert_eq!(short_or_last(b"0123456789"), u64::from_le_bytes(*b"23456789"));
    }
}
