//! Numbers of the Nordic and Baltic countries.

use super::calendar::ddmmyy;
use super::calendar::yymmdd;
use super::extract::Run;
use super::extract::all_digits;
use super::extract::digit_run;
use super::extract::digits;
use super::extract::number;
use super::sums::luhn;
use super::sums::weighted;

/// Finnish personal code: birth date, century sign, serial, check symbol by 31.
pub(super) fn fi_hetu(value: &[u8]) -> bool {
    const SYMBOLS: &[u8; 31] = b"0123456789ABCDEFHJKLMNPRSTUVWXY";
    let Ok(chars): Result<[u8; 11], _> = value.try_into() else { return false };
    let chars = chars.map(|byte| byte.to_ascii_uppercase());
    let Some(date) = all_digits::<6>(&chars[..6]) else { return false };
    let Some(serial) = all_digits::<3>(&chars[7..10]) else { return false };
    let rest = (number(&date) * 1000 + number(&serial)) % 31;
    ddmmyy(&date, &[0])
        && matches!(chars[6], b'+' | b'-' | b'U'..=b'Y' | b'A'..=b'F')
        && number(&serial) >= 2
        && usize::try_from(rest).is_ok_and(|rest| SYMBOLS.get(rest) == Some(&chars[10]))
}

/// Swedish personal or coordination number, with or without the century; `+` from a hundred years.
pub(super) fn se_pnr(value: &[u8]) -> bool {
    let without_plus = value.iter().copied().filter(|byte| *byte != b'+');
    let Some(plain) = Run::<24>::collect(without_plus.take(25)) else { return false };
    let Some(run) = digit_run::<12>(plain.as_slice(), 10) else { return false };
    let ten = match run.as_slice() {
        [1, 8 | 9, ten @ ..] | [2, 0, ten @ ..] if ten.len() == 10 => ten,
        ten if ten.len() == 10 => ten,
        _ => return false,
    };
    let coordination = ten.get(4).is_some_and(|&tens| tens >= 6);
    let mut date = [0; 6];
    for (slot, &digit) in date.iter_mut().zip(ten) {
        *slot = digit;
    }
    if coordination {
        date[4] -= 6;
    }
    yymmdd(&date, 0, &[0]) && luhn(ten)
}

/// Norwegian birth number: two check digits by 11; a D-number has 40 added to the day.
pub(super) fn no_fnr(value: &[u8]) -> bool {
    digits::<11>(value).is_some_and(|digits| {
        ddmmyy(&digits, &[0, 40])
            && weighted(&digits, &[3, 7, 6, 1, 8, 9, 4, 5, 2, 1]).is_multiple_of(11)
            && weighted(&digits, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
    })
}

/// Danish civil registration number with the check digit that was given until 2007.
pub(super) fn dk_cpr(value: &[u8]) -> bool {
    digits::<10>(value).is_some_and(|digits| {
        ddmmyy(&digits, &[0])
            && weighted(&digits, &[4, 3, 2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
    })
}

/// Danish civil registration number by its date alone, as given since 2007.
pub(super) fn dk_cpr_date(value: &[u8]) -> bool {
    digits::<10>(value).is_some_and(|digits| ddmmyy(&digits, &[0]))
}

/// Icelandic number: birth date (a company's day has 40 added), serial, check digit, century.
pub(super) fn is_kt(value: &[u8]) -> bool {
    digits::<10>(value).is_some_and(|digits| {
        ddmmyy(&digits, &[0, 40])
            && matches!(digits[9], 0 | 8 | 9)
            && weighted(&digits, &[3, 2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
    })
}

/// Estonian or Lithuanian personal code: century and sex, birth date, serial, check digit.
pub(super) fn ee_lt_code(value: &[u8]) -> bool {
    digits::<11>(value).is_some_and(|digits| {
        let check = match weighted(&digits, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11 {
            10 => weighted(&digits, &[3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11 % 10,
            check => check,
        };
        matches!(digits[0], 1..=8) && yymmdd(&digits, 1, &[0]) && check == u32::from(digits[10])
    })
}

/// Latvian personal code: birth date, century, serial, check digit; since 2017 from 32 to 39 and
/// without any of these.
pub(super) fn lv_code(value: &[u8]) -> bool {
    digits::<11>(value).is_some_and(|digits| {
        if digits[0] == 3 && matches!(digits[1], 2..=9) {
            return true;
        }
        let sum = weighted(&digits, &[1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
        ddmmyy(&digits, &[0]) && digits[6] <= 2 && (1101 - sum) % 11 % 10 == u32::from(digits[10])
    })
}
