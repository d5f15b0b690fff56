//! Numbers of France, Spain, Portugal and Italy.

use super::calendar::fits;
use super::extract::all_digits;
use super::extract::all_same;
use super::extract::base36;
use super::extract::chars;
use super::extract::digits;
use super::extract::number;
use super::sums::weighted;

/// French social security number: sex, year, month, department, commune, order, key by 97. The
/// Corsican departments 2A and 2B count as 19 and 18.
pub(super) fn fr_nir(value: &[u8]) -> bool {
    let Some(mut chars) = chars::<15>(value) else { return false };
    match (chars[5], chars[6]) {
        (b'2', b'A') => (chars[5], chars[6]) = (b'1', b'9'),
        (b'2', b'B') => (chars[5], chars[6]) = (b'1', b'8'),
        _ => {}
    }
    let Some(digits) = all_digits::<15>(&chars) else { return false };
    let month = number(&digits[3..5]);
    matches!(digits[0], 1..=4 | 7 | 8)
        && matches!(month, 1..=12 | 20..=42 | 50..=99)
        && 97 - number(&digits[..13]) % 97 == number(&digits[13..])
}

/// French tax number: the last three digits are the rest of the first ten by 511.
pub(super) fn fr_nif(value: &[u8]) -> bool {
    digits::<13>(value).is_some_and(|digits| {
        digits[0] <= 3 && !all_same(&digits) && number(&digits[..10]) % 511 == number(&digits[10..])
    })
}

const ES_LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";

/// Spanish identity number: eight digits and the letter of the rest by 23.
pub(super) fn es_dni(value: &[u8]) -> bool {
    let Some(chars) = chars::<9>(value) else { return false };
    chars[0].is_ascii_digit() && es_letter(&chars)
}

/// Spanish number of a foreigner: as the identity number, X Y Z standing for 0 1 2.
pub(super) fn es_nie(value: &[u8]) -> bool {
    let Some(mut chars) = chars::<9>(value) else { return false };
    let Some(first @ 0..=2) = chars[0].checked_sub(b'X') else { return false };
    chars[0] = b'0' + first;
    es_letter(&chars)
}

fn es_letter(chars: &[u8; 9]) -> bool {
    all_digits::<8>(&chars[..8]).is_some_and(|digits| {
        let rest = usize::try_from(number(&digits) % 23).unwrap_or(usize::MAX);
        ES_LETTERS.get(rest) == Some(&chars[8])
    })
}

/// Spanish social security number: two check digits by 97. A leading zero of the serial is dropped
/// by some issuers before the division, so both ways count.
pub(super) fn es_nuss(value: &[u8]) -> bool {
    digits::<12>(value).is_some_and(|digits| {
        let (province, serial) = (number(&digits[..2]), number(&digits[2..10]));
        let check = number(&digits[10..]);
        let dropped = serial < 10_000_000 && (province * 10_000_000 + serial) % 97 == check;
        (1..=66).contains(&province) && (dropped || number(&digits[..10]) % 97 == check)
    })
}

/// Portuguese tax number: kind of taxpayer, weights 9 to 2 by 11.
pub(super) fn pt_nif(value: &[u8]) -> bool {
    digits::<9>(value).is_some_and(|digits| {
        let check = 11 - weighted(&digits, &[9, 8, 7, 6, 5, 4, 3, 2]) % 11;
        matches!(digits[0], 1..=3 | 5 | 6 | 8 | 9)
            && u32::from(digits[8]) == if check > 9 { 0 } else { check }
    })
}

/// What a symbol at an odd place counts, digits first.
const IT_ODD: [u32; 36] = [
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, // digits
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

/// Italian codice fiscale: name, year, month letter, day (women from 41), commune, check letter.
/// Digits may be replaced by letters where two people would share a code.
pub(super) fn it_cf(value: &[u8]) -> bool {
    const DIGIT_PLACES: [usize; 7] = [6, 7, 9, 10, 12, 13, 14];
    let Some(chars) = chars::<16>(value) else { return false };
    let mut plain = chars;
    for place in DIGIT_PLACES {
        let Some(symbol) = plain.get_mut(place) else { return false };
        let Some(digit) = it_digit(*symbol) else { return false };
        *symbol = digit;
    }
    let letters = plain[..6].iter().all(u8::is_ascii_uppercase)
        && plain[11].is_ascii_uppercase()
        && plain[15].is_ascii_uppercase();
    let month = (1..).zip(b"ABCDEHLMPRST").find(|(_, letter)| **letter == plain[8]);
    let Some((month, _)) = month else { return false };
    let day = u32::from(plain[9] - b'0') * 10 + u32::from(plain[10] - b'0');
    let sum: u32 = chars[..15].iter().enumerate().map(|(at, &byte)| it_value(byte, at)).sum();
    letters
        && (fits(month, day) || day > 40 && fits(month, day - 40))
        && sum % 26 == u32::from(chars[15] - b'A')
}

fn it_digit(symbol: u8) -> Option<u8> {
    if symbol.is_ascii_digit() {
        return Some(symbol);
    }
    (b'0'..).zip(b"LMNPQRSTUV").find(|(_, letter)| **letter == symbol).map(|(digit, _)| digit)
}

/// Places count from one in the scheme, so the first is odd.
fn it_value(byte: u8, at: usize) -> u32 {
    let Some(value) = base36(byte) else { return 0 };
    if at.is_multiple_of(2) {
        return IT_ODD.get(value as usize).copied().unwrap_or(0);
    }
    if value < 10 { value } else { value - 10 }
}
