//! Numbers of the United States.

use super::extract::chars;
use super::extract::digits;
use super::extract::number;
use super::sums::luhn_sum;
use super::sums::weighted;

/// A social security number that could have been issued: the area is not 000, 666 or 9xx, no group
/// is all zeros, and it is none of the numbers that were printed in advertisements.
pub(super) fn ssn(value: &[u8]) -> bool {
    let Some(digits) = digits::<9>(value) else { return false };
    let (area, group) = (number(&digits[..3]), number(&digits[3..5]));
    let serial = number(&digits[5..]);
    let issued = !matches!(area, 0 | 666 | 900..=999) && group != 0 && serial != 0;
    let advertised = matches!(number(&digits), 78_051_120 | 219_099_999);
    issued && !advertised
}

/// A taxpayer number for those without a social security number, or one for an adoption.
pub(super) fn itin(value: &[u8]) -> bool {
    digits::<9>(value).is_some_and(|digits| {
        let group = number(&digits[3..5]);
        digits[0] == 9 && matches!(group, 50..=65 | 70..=88 | 90..=99)
    })
}

/// A bank routing number: a Federal Reserve district and weights 3 7 1.
pub(super) fn aba(value: &[u8]) -> bool {
    digits::<9>(value).is_some_and(|digits| {
        let district = number(&digits[..2]);
        weighted(&digits, &[3, 7, 1, 3, 7, 1, 3, 7, 1]).is_multiple_of(10)
            && matches!(district, 0..=12 | 21..=32 | 61..=72 | 80)
            && number(&digits) != 0
    })
}

/// A health provider number: Luhn after the prefix 80840.
pub(super) fn npi(value: &[u8]) -> bool {
    digits::<10>(value).is_some_and(|digits| {
        let whole = digits.iter().rev().copied().chain([0, 4, 8, 0, 8]);
        matches!(digits[0], 1 | 2) && luhn_sum(whole).is_multiple_of(10)
    })
}

/// A prescriber number: registrant letter, a letter or 9, seven digits.
pub(super) fn dea(value: &[u8]) -> bool {
    let Some([registrant, initial, digits @ ..]) = chars::<9>(value) else { return false };
    if !digits.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let digits = digits.map(|byte| byte - b'0');
    b"ABCDEFGHJKLMPRSTUX".contains(&registrant)
        && (initial.is_ascii_uppercase() || initial == b'9')
        && weighted(&digits, &[1, 2, 1, 2, 1, 2]) % 10 == u32::from(digits[6])
}

/// A Medicare beneficiary identifier: a fixed order of letters and digits, without the letters that
/// look like digits.
pub(super) fn mbi(value: &[u8]) -> bool {
    const SHAPE: &[u8; 11] = b"CAMNAMNAANN";
    chars::<11>(value).is_some_and(|chars| {
        chars.iter().zip(SHAPE).all(|(&byte, class)| {
            let letter = byte.is_ascii_uppercase() && !b"SLOIBZ".contains(&byte);
            match class {
                b'C' => matches!(byte, b'1'..=b'9'),
                b'A' => letter,
                b'M' => letter || byte.is_ascii_digit(),
                _ => byte.is_ascii_digit(),
            }
        })
    })
}
