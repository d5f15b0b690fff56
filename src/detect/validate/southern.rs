//! Numbers of South Africa and Australia.

use super::calendar::yymmdd;
use super::extract::all_same;
use super::extract::digit_run;
use super::extract::digits;
use super::extract::number;
use super::sums::luhn;
use super::sums::weighted;

/// South African identity number: birth date, sex and serial, citizenship, 8 or 9, Luhn.
pub(super) fn za_id(value: &[u8]) -> bool {
    digits::<13>(value).is_some_and(|digits| {
        yymmdd(&digits, 0, &[0]) && digits[10] <= 2 && matches!(digits[11], 8 | 9) && luhn(&digits)
    })
}

/// Australian tax file number of nine or, before 1990, eight digits: weights by 11.
pub(super) fn au_tfn(value: &[u8]) -> bool {
    let Some(run) = digit_run::<9>(value, 8) else { return false };
    let digits = run.as_slice();
    let sum = match digits.len() {
        9 => weighted(digits, &[1, 4, 3, 7, 5, 8, 6, 9, 10]),
        _ => weighted(digits, &[10, 7, 8, 4, 6, 3, 5, 1]),
    };
    !all_same(digits) && sum.is_multiple_of(11)
}

/// Australian Medicare card: eight digits, a check digit, perhaps issue and person.
pub(super) fn au_medicare(value: &[u8]) -> bool {
    let Some(run) = digit_run::<11>(value, 9) else { return false };
    let digits = run.as_slice();
    let sum = weighted(digits, &[1, 3, 7, 9, 1, 3, 7, 9]) % 10;
    matches!(digits.first(), Some(2..=6))
        && digits.get(8).is_some_and(|&check| u32::from(check) == sum)
}

/// Australian business number: the first digit less one, weights by 89.
pub(super) fn au_abn(value: &[u8]) -> bool {
    digits::<11>(value).is_some_and(|mut digits| {
        digits[0] != 0 && {
            digits[0] -= 1;
            weighted(&digits, &[10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]).is_multiple_of(89)
        }
    })
}

/// Australian company number: weights 8 to 1 by 10.
pub(super) fn au_acn(value: &[u8]) -> bool {
    digits::<9>(value).is_some_and(|digits| {
        let sum = weighted(&digits, &[8, 7, 6, 5, 4, 3, 2, 1, 1]);
        number(&digits) != 0 && sum.is_multiple_of(10)
    })
}
