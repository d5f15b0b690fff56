//! Numbers of Asia, Israel included.

use super::calendar::yymmdd;
use super::calendar::yyyymmdd;
use super::extract::all_digits;
use super::extract::all_same;
use super::extract::base36;
use super::extract::chars;
use super::extract::digits;
use super::extract::number;
use super::sums::luhn;
use super::sums::verhoeff;
use super::sums::weighted;

/// Israeli identity number: Luhn over nine digits.
pub(super) fn il_id(value: &[u8]) -> bool {
    digits::<9>(value).is_some_and(|digits| !all_same(&digits) && luhn(&digits))
}

/// Indian Aadhaar: from 2 to 9, Verhoeff.
pub(super) fn in_aadhaar(value: &[u8]) -> bool {
    digits::<12>(value)
        .is_some_and(|digits| digits[0] >= 2 && !all_same(&digits) && verhoeff(&digits))
}

/// Indian PAN: five letters of which the fourth names the kind of holder, four digits, a letter.
pub(super) fn in_pan(value: &[u8]) -> bool {
    chars::<10>(value).is_some_and(|chars| pan(&chars))
}

fn pan(chars: &[u8]) -> bool {
    let Ok(chars): Result<[u8; 10], _> = chars.try_into() else { return false };
    chars[..5].iter().chain(&chars[9..]).all(u8::is_ascii_uppercase)
        && b"ABCFGHLJPTK".contains(&chars[3])
        && all_digits::<4>(&chars[5..9]).is_some_and(|digits| digits != [0; 4])
}

/// Indian GSTIN: state, PAN, entity, Z, check symbol by 36.
pub(super) fn in_gstin(value: &[u8]) -> bool {
    let Some(chars) = chars::<15>(value) else { return false };
    let Some(state) = all_digits::<2>(&chars[..2]) else { return false };
    let weights = [1, 2].iter().cycle();
    let sum: u32 = chars[..14]
        .iter()
        .zip(weights)
        .filter_map(|(&byte, weight)| Some(base36(byte)? * weight))
        .map(|term| term / 36 + term % 36)
        .sum();
    matches!(number(&state), 1..=38 | 97 | 99)
        && pan(&chars[2..12])
        && chars[13] == b'Z'
        && base36(chars[14]) == Some((36 - sum % 36) % 36)
}

/// Chinese resident number: region, birth date, serial, ISO 7064 mod 11-2.
pub(super) fn cn_id(value: &[u8]) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let Some(chars) = chars::<18>(value) else { return false };
    let Some(body) = all_digits::<17>(&chars[..17]) else { return false };
    let region = number(&body[..2]);
    let check = b"10X98765432".get((weighted(&body, &WEIGHTS) % 11) as usize);
    matches!(region, 11..=15 | 21..=23 | 31..=37 | 41..=46 | 50..=54 | 61..=65 | 71 | 81..=83)
        && yyyymmdd(&body[6..])
        && check == Some(&chars[17])
}

/// South Korean resident number with the check digit that was given until October 2020.
pub(super) fn kr_rrn(value: &[u8]) -> bool {
    digits::<13>(value).is_some_and(|digits| {
        let sum = weighted(&digits, &[2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]);
        kr_date(&digits) && (11 - sum % 11) % 10 == u32::from(digits[12])
    })
}

/// South Korean resident number by its date and sex digit alone, as given since October 2020.
pub(super) fn kr_rrn_date(value: &[u8]) -> bool {
    digits::<13>(value).is_some_and(|digits| kr_date(&digits))
}

fn kr_date(digits: &[u8; 13]) -> bool {
    yymmdd(digits, 0, &[0]) && matches!(digits[6], 1..=8)
}

/// Japanese My Number: weights by 11.
pub(super) fn jp_my_number(value: &[u8]) -> bool {
    digits::<12>(value).is_some_and(|digits| {
        let rest = weighted(&digits, &[6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
        let check = if rest <= 1 { 0 } else { 11 - rest };
        !all_same(&digits) && check == u32::from(digits[11])
    })
}

/// Taiwanese number: a letter that stands for two digits, sex, serial, weights by 10.
pub(super) fn tw_id(value: &[u8]) -> bool {
    /// The letters in the order of their codes, which start at ten.
    const LETTERS: &[u8; 26] = b"ABCDEFGHJKLMNPQRSTUVXYWZIO";
    let Some(chars) = chars::<10>(value) else { return false };
    let Some(digits) = all_digits::<9>(&chars[1..]) else { return false };
    let code = (10..).zip(LETTERS).find(|(_, letter)| **letter == chars[0]);
    code.is_some_and(|(code, _)| {
        let letter: u32 = code / 10 + code % 10 * 9;
        matches!(digits[0], 1 | 2 | 8 | 9)
            && (letter + weighted(&digits, &[8, 7, 6, 5, 4, 3, 2, 1, 1])).is_multiple_of(10)
    })
}

/// Thai number: kind of person, weights 13 to 2 by 11.
pub(super) fn th_id(value: &[u8]) -> bool {
    digits::<13>(value).is_some_and(|digits| {
        let sum = weighted(&digits, &[13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
        matches!(digits[0], 1..=8)
            && !all_same(&digits)
            && (11 - sum % 11) % 10 == u32::from(digits[12])
    })
}

/// Singaporean NRIC or FIN: series letter, seven digits, check letter of that series.
pub(super) fn sg_nric(value: &[u8]) -> bool {
    let Some(chars) = chars::<9>(value) else { return false };
    let Some(digits) = all_digits::<7>(&chars[1..8]) else { return false };
    let (offset, letters) = match chars[0] {
        b'S' => (0, b"JZIHGFEDCBA"),
        b'T' => (4, b"JZIHGFEDCBA"),
        b'F' => (0, b"XWUTRQPNMLK"),
        b'G' => (4, b"XWUTRQPNMLK"),
        b'M' => (3, b"XWUTRQPNJLK"),
        _ => return false,
    };
    let sum = weighted(&digits, &[2, 7, 6, 5, 4, 3, 2]) + offset;
    letters.get((sum % 11) as usize) == Some(&chars[8])
}
