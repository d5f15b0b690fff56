//! Numbers of the United Kingdom and Ireland.

use super::extract::all_digits;
use super::extract::all_same;
use super::extract::char_run;
use super::extract::chars;
use super::extract::digits;
use super::sums::weighted;

/// NHS number: weights 10 to 2 by 11.
pub(super) fn uk_nhs(value: &[u8]) -> bool {
    digits::<10>(value).is_some_and(|digits| {
        !all_same(&digits) && weighted(&digits, &[10, 9, 8, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
    })
}

/// Unique taxpayer reference: the first digit checks the other nine.
pub(super) fn uk_utr(value: &[u8]) -> bool {
    digits::<10>(value).is_some_and(|digits| {
        let sum = weighted(&digits[1..], &[6, 7, 8, 9, 10, 5, 4, 3, 2]);
        [2, 1, 9, 8, 7, 6, 5, 4, 3, 2, 1].get((sum % 11) as usize) == Some(&digits[0])
            && !all_same(&digits)
    })
}

/// National insurance number: prefixes that are issued, six digits, a suffix A to D.
pub(super) fn uk_nino(value: &[u8]) -> bool {
    let Some(chars) = chars::<9>(value) else { return false };
    let prefix = &chars[..2];
    let letters = prefix.iter().all(u8::is_ascii_uppercase);
    let barred = [b"BG", b"GB", b"KN", b"NK", b"NT", b"TN", b"ZZ"];
    letters
        && !b"DFIQUV".contains(&chars[0])
        && !b"DFIOQUV".contains(&chars[1])
        && !barred.iter().any(|barred| *barred == prefix)
        && all_digits::<6>(&chars[2..8]).is_some()
        && matches!(chars[8], b'A'..=b'D')
}

/// Irish PPS number: seven digits, a check letter, perhaps a second letter that counts nine times.
pub(super) fn ie_pps(value: &[u8]) -> bool {
    let Some(run) = char_run::<9>(value, 8) else { return false };
    let Some((body, letters)) = run.as_slice().split_at_checked(7) else { return false };
    let Some(digits) = all_digits::<7>(body) else { return false };
    let second = match letters.get(1) {
        None | Some(b'W' | b'T' | b'X') => 0,
        Some(letter @ b'A'..=b'I') => u32::from(letter - b'A') + 1,
        Some(_) => return false,
    };
    let sum = weighted(&digits, &[8, 7, 6, 5, 4, 3, 2]) + second * 9;
    b"WABCDEFGHIJKLMNOPQRSTUV".get((sum % 23) as usize) == letters.first()
}
