//! Numbers of Central and Eastern Europe.

use super::calendar::ddmmyy;
use super::calendar::pair;
use super::calendar::yymmdd;
use super::extract::all_same;
use super::extract::digit_run;
use super::extract::digits;
use super::extract::number;
use super::sums::weighted;

/// Polish PESEL: birth date with the century in the month, serial, weights 1 3 7 9.
pub(super) fn pl_pesel(value: &[u8]) -> bool {
    digits::<11>(value).is_some_and(|digits| {
        yymmdd(&digits, 0, &[0, 20, 40, 60, 80])
            && weighted(&digits, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]).is_multiple_of(10)
    })
}

/// Polish tax number: weights by 11.
pub(super) fn pl_nip(value: &[u8]) -> bool {
    digits::<10>(value).is_some_and(|digits| {
        !all_same(&digits)
            && digits[0] != 0
            && weighted(&digits, &[6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 == u32::from(digits[9])
    })
}

/// Polish business number of nine or fourteen digits: weights by 11.
pub(super) fn pl_regon(value: &[u8]) -> bool {
    const LONG: [u32; 13] = [2, 4, 8, 5, 0, 9, 7, 3, 6, 1, 2, 4, 8];
    let Some(run) = digit_run::<14>(value, 9) else { return false };
    let Some((&check, body)) = run.as_slice().split_last() else { return false };
    let short = |body: &[u8]| weighted(body, &[8, 9, 2, 3, 4, 5, 6, 7]) % 11 % 10;
    let expected = match body.len() {
        8 => short(body),
        13 => weighted(body, &LONG) % 11 % 10,
        _ => return false,
    };
    !all_same(body) && u32::from(check) == expected
}

/// Czech or Slovak birth number: the month of women is 50 higher, 20 more when a day is full; ten
/// digits divide by 11, nine digits (until 1953) have no check.
pub(super) fn cz_sk_rc(value: &[u8]) -> bool {
    let Some(run) = digit_run::<10>(value, 9) else { return false };
    let digits = run.as_slice();
    if !yymmdd(digits, 0, &[0, 20, 50, 70]) {
        return false;
    }
    let Some((&check, body)) = digits.split_last() else { return false };
    if digits.len() == 9 {
        return pair(digits, 0) <= 53 && !number(digits).is_multiple_of(1000);
    }
    number(body) % 11 % 10 == u64::from(check)
}

/// Hungarian tax identifier: from 8, weights 1 to 9 by 11.
pub(super) fn hu_tin(value: &[u8]) -> bool {
    digits::<10>(value).is_some_and(|digits| {
        digits[0] == 8
            && weighted(&digits, &[1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11 == u32::from(digits[9])
    })
}

/// Romanian personal code: sex and century, birth date, county, serial, weights by 11.
pub(super) fn ro_cnp(value: &[u8]) -> bool {
    digits::<13>(value).is_some_and(|digits| {
        let check = match weighted(&digits, &[2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11 {
            10 => 1,
            check => check,
        };
        digits[0] != 0
            && yymmdd(&digits, 1, &[0])
            && matches!(pair(&digits, 7), 1..=52 | 70)
            && check == u32::from(digits[12])
    })
}

/// Bulgarian civil number: birth date with the century in the month, weights by 11.
pub(super) fn bg_egn(value: &[u8]) -> bool {
    digits::<10>(value).is_some_and(|digits| {
        let sum = weighted(&digits, &[2, 4, 8, 5, 10, 9, 7, 3, 6]);
        yymmdd(&digits, 0, &[0, 20, 40]) && sum % 11 % 10 == u32::from(digits[9])
    })
}

/// The number of the successors of Yugoslavia (JMBG, EMŠO): birth date with three digits of the
/// year, region, serial, weights by 11.
pub(super) fn jmbg(value: &[u8]) -> bool {
    digits::<13>(value).is_some_and(|digits| {
        let sum = weighted(&digits, &[7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]);
        ddmmyy(&digits, &[0])
            && matches!(digits[4], 0 | 8 | 9)
            && (11 - sum % 11) % 11 % 10 == u32::from(digits[12])
    })
}

/// Slovenian tax number: weights 8 to 2 by 11; a check of ten is written as zero.
pub(super) fn si_tin(value: &[u8]) -> bool {
    digits::<8>(value).is_some_and(|digits| {
        let check = 11 - weighted(&digits, &[8, 7, 6, 5, 4, 3, 2]) % 11;
        digits[0] != 0 && u32::from(digits[7]) == if check == 10 { 0 } else { check }
    })
}

/// Croatian OIB: ISO 7064 mod 11,10.
pub(super) fn hr_oib(value: &[u8]) -> bool {
    digits::<11>(value).is_some_and(|digits| !all_same(&digits) && super::sums::mod_11_10(&digits))
}

/// Greek social security number: birth date and Luhn.
pub(super) fn gr_amka(value: &[u8]) -> bool {
    digits::<11>(value).is_some_and(|digits| ddmmyy(&digits, &[0]) && super::sums::luhn(&digits))
}

/// Greek tax number: powers of two by 11.
pub(super) fn gr_afm(value: &[u8]) -> bool {
    digits::<9>(value).is_some_and(|digits| {
        let sum = weighted(&digits, &[256, 128, 64, 32, 16, 8, 4, 2]);
        !all_same(&digits) && sum % 11 % 10 == u32::from(digits[8])
    })
}

/// Turkish identity number: two check digits over the odd and even places.
pub(super) fn tr_tckn(value: &[u8]) -> bool {
    digits::<11>(value).is_some_and(|digits| {
        let odd = weighted(&digits, &[1, 0, 1, 0, 1, 0, 1, 0, 1]);
        let even = weighted(&digits, &[0, 1, 0, 1, 0, 1, 0, 1, 0]);
        // Nine times the even places is minus once by ten.
        digits[0] != 0
            && (odd * 7 + even * 9) % 10 == u32::from(digits[9])
            && (odd + even + u32::from(digits[9])) % 10 == u32::from(digits[10])
    })
}

/// Russian tax number: ten digits with one check digit or twelve with two, by 11.
pub(super) fn ru_inn(value: &[u8]) -> bool {
    const TEN: [u32; 9] = [2, 4, 10, 3, 5, 9, 4, 6, 8];
    const ELEVEN: [u32; 10] = [7, 2, 4, 10, 3, 5, 9, 4, 6, 8];
    const TWELVE: [u32; 11] = [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8];
    let Some(run) = digit_run::<12>(value, 10) else { return false };
    let digits = run.as_slice();
    let holds = |weights: &[u32]| {
        let check = weighted(digits, weights) % 11 % 10;
        digits.get(weights.len()).is_some_and(|&digit| u32::from(digit) == check)
    };
    match digits.len() {
        10 => !all_same(digits) && holds(&TEN),
        12 => !all_same(digits) && holds(&ELEVEN) && holds(&TWELVE),
        _ => false,
    }
}

/// Russian insurance number: weights 9 to 1 by 101.
pub(super) fn ru_snils(value: &[u8]) -> bool {
    digits::<11>(value).is_some_and(|digits| {
        let sum = weighted(&digits, &[9, 8, 7, 6, 5, 4, 3, 2, 1]);
        !all_same(&digits) && u64::from(sum % 101 % 100) == number(&digits[9..])
    })
}

/// Ukrainian taxpayer number: weights -1 5 7 9 4 6 10 5 7 by 11.
pub(super) fn ua_rntrc(value: &[u8]) -> bool {
    digits::<10>(value).is_some_and(|digits| {
        // Ten is minus one by eleven.
        let sum = weighted(&digits, &[10, 5, 7, 9, 4, 6, 10, 5, 7]);
        !all_same(&digits) && sum % 11 % 10 == u32::from(digits[9])
    })
}
