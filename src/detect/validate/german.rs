//! Numbers of Germany, Austria, Switzerland and the Benelux.

use super::calendar::fits;
use super::calendar::pair;
use super::calendar::yyyymmdd;
use super::extract::all_digits;
use super::extract::all_same;
use super::extract::base36;
use super::extract::chars;
use super::extract::digits;
use super::extract::number;
use super::sums::ean_13;
use super::sums::luhn;
use super::sums::mod_11_10;
use super::sums::verhoeff;
use super::sums::weighted;

/// German tax identification number: of the first ten digits exactly one occurs twice or three
/// times, no other more than once; ISO 7064 mod 11,10.
pub(super) fn de_tax_id(value: &[u8]) -> bool {
    digits::<11>(value).is_some_and(|digits| {
        let mut counts = [0_u8; 10];
        for &digit in &digits[..10] {
            if let Some(count) = counts.get_mut(usize::from(digit)) {
                *count += 1;
            }
        }
        let repeated = counts.iter().filter(|&&count| count > 1).count();
        let most = counts.iter().max().copied().unwrap_or(0);
        digits[0] != 0 && repeated == 1 && most <= 3 && mod_11_10(&digits)
    })
}

/// German pension insurance number: area, birth date, initial of the birth name, serial, check.
pub(super) fn de_svnr(value: &[u8]) -> bool {
    const WEIGHTS: [u8; 12] = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
    let Some(chars) = chars::<12>(value) else { return false };
    let Some(front) = all_digits::<8>(&chars[..8]) else { return false };
    let Some(back) = all_digits::<3>(&chars[9..]) else { return false };
    let Some(letter) = chars[8].checked_sub(b'A') else { return false };
    let letter = [(letter + 1) / 10, (letter + 1) % 10];
    let body = front.iter().chain(&letter).chain(&back[..2]);
    // A digit times a weight is at most 63: its digit sum has two terms.
    let sum: u32 = body
        .zip(WEIGHTS)
        .map(|(digit, weight)| u32::from(digit * weight))
        .map(|term| term / 10 + term % 10)
        .sum();
    let (day, month) = (pair(&front, 2), pair(&front, 4));
    fits(month, day) && sum % 10 == u32::from(back[2])
}

/// German health insurance number of a person: letter, eight digits, check digit; the letter counts
/// as two digits, every second digit twice.
pub(super) fn de_kvnr(value: &[u8]) -> bool {
    let Some([letter, digits @ ..]) = chars::<10>(value) else { return false };
    let (Some(digits), Some(letter)) = (all_digits::<9>(&digits), letter.checked_sub(b'A')) else {
        return false;
    };
    let letter = [(letter + 1) / 10, (letter + 1) % 10];
    let sum: u8 = letter
        .iter()
        .chain(&digits[..8])
        .zip([1, 2].iter().cycle())
        .map(|(digit, weight)| digit * weight)
        .map(|term| term / 10 + term % 10)
        .sum();
    letter[0] <= 2 && sum % 10 == digits[8]
}

/// German identity card or passport number: nine symbols and a check digit with weights 7 3 1.
pub(super) fn de_id_card(value: &[u8]) -> bool {
    chars::<10>(value).is_some_and(|chars| {
        let weights = [7, 3, 1].iter().cycle();
        let sum: u32 = chars[..9]
            .iter()
            .zip(weights)
            .filter_map(|(&byte, weight)| Some(base36(byte)? * weight))
            .sum();
        let shaped = chars[..9].iter().all(|byte| !b"ABDEIOQSU".contains(byte))
            && chars[0].is_ascii_uppercase();
        shaped && base36(chars[9]) == Some(sum % 10)
    })
}

/// Austrian insurance number: serial, check digit at the fourth place, birth date. The month goes
/// up to 15 once the serials of a day are used up.
pub(super) fn at_svnr(value: &[u8]) -> bool {
    digits::<10>(value).is_some_and(|digits| {
        let sum = weighted(&digits, &[3, 7, 9, 0, 5, 8, 4, 2, 1, 6]);
        let (day, month) = (pair(&digits, 4), pair(&digits, 6));
        digits[0] != 0
            && sum % 11 == u32::from(digits[3])
            && (fits(month, day) || matches!(month, 13..=15) && matches!(day, 1..=31))
    })
}

/// Swiss insurance number: an EAN-13 of country 756.
pub(super) fn ch_ahv(value: &[u8]) -> bool {
    digits::<13>(value).is_some_and(|digits| digits[..3] == [7, 5, 6] && ean_13(&digits))
}

/// Belgian register number: birth date, serial, 97 less the rest by 97; from 2000 a 2 goes before.
/// The month is 20 or 40 higher for those outside the register, and zero when unknown.
pub(super) fn be_nn(value: &[u8]) -> bool {
    digits::<11>(value).is_some_and(|digits| {
        let (month, day) = (pair(&digits, 2), pair(&digits, 4));
        let date = [0, 20, 40]
            .iter()
            .any(|&shift| month == shift && day <= 31 || month > shift && fits(month - shift, day));
        let (body, check) = (number(&digits[..9]), number(&digits[9..]));
        let fits_born = |body: u64| 97 - body % 97 == check;
        date && number(&digits[6..9]) != 0 && (fits_born(body) || fits_born(2_000_000_000 + body))
    })
}

/// Dutch citizen service number: weights 9 to 2 and -1 by 11.
pub(super) fn nl_bsn(value: &[u8]) -> bool {
    digits::<9>(value).is_some_and(|digits| {
        // Ten is minus one by eleven.
        !all_same(&digits) && weighted(&digits, &[9, 8, 7, 6, 5, 4, 3, 2, 10]).is_multiple_of(11)
    })
}

/// Luxembourg number: birth date, serial, a Luhn digit and a Verhoeff digit over the same eleven.
pub(super) fn lu_nin(value: &[u8]) -> bool {
    digits::<13>(value).is_some_and(|digits| {
        let mut with_second = [0; 12];
        with_second.copy_from_slice(&digits[..12]);
        with_second[11] = digits[12];
        yyyymmdd(&digits) && luhn(&digits[..12]) && verhoeff(&with_second)
    })
}
