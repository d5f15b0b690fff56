//! Numbers of the Americas outside the United States.

use super::calendar::yymmdd;
use super::extract::Run;
use super::extract::all_digits;
use super::extract::all_same;
use super::extract::chars;
use super::extract::digits;
use super::extract::significant;
use super::sums::luhn;
use super::sums::weighted;

/// Canadian social insurance number: Luhn, not from 0 or 8.
pub(super) fn ca_sin(value: &[u8]) -> bool {
    digits::<9>(value).is_some_and(|digits| !matches!(digits[0], 0 | 8) && luhn(&digits))
}

/// Brazilian CPF: two check digits by 11.
pub(super) fn br_cpf(value: &[u8]) -> bool {
    digits::<11>(value).is_some_and(|digits| {
        !all_same(&digits)
            && brazilian(weighted(&digits, &[10, 9, 8, 7, 6, 5, 4, 3, 2])) == u32::from(digits[9])
            && brazilian(weighted(&digits, &[11, 10, 9, 8, 7, 6, 5, 4, 3, 2]))
                == u32::from(digits[10])
    })
}

/// Brazilian CNPJ: as the CPF; since 2026 the first twelve places may be letters, which count by
/// their code.
pub(super) fn br_cnpj(value: &[u8]) -> bool {
    const FIRST: [u32; 12] = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
    const SECOND: [u32; 13] = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
    let Some(chars) = chars::<14>(value) else { return false };
    let values = chars.map(|byte| byte - b'0');
    !all_same(&chars)
        && values[12] <= 9
        && brazilian(weighted(&values, &FIRST)) == u32::from(values[12])
        && brazilian(weighted(&values, &SECOND)) == u32::from(values[13])
}

fn brazilian(sum: u32) -> u32 {
    let rest = sum % 11;
    if rest < 2 { 0 } else { 11 - rest }
}

/// Mexican CURP: initials, birth date, sex, state, three consonants, a place, a check digit.
pub(super) fn mx_curp(value: &[u8]) -> bool {
    let Some(chars) = chars::<18>(value) else { return false };
    let Some(date) = all_digits::<6>(&chars[4..10]) else { return false };
    let letters = chars[..4].iter().chain(&chars[10..16]).all(u8::is_ascii_uppercase);
    let state = MX_STATES.as_chunks::<2>().0.contains(&[chars[11], chars[12]]);
    let sum: u32 = (2..=18).rev().zip(chars).map(|(weight, byte)| weight * mx_value(byte)).sum();
    letters
        && yymmdd(&date, 0, &[0])
        && matches!(chars[10], b'H' | b'M' | b'X')
        && state
        && chars[17].is_ascii_digit()
        && (10 - sum % 10) % 10 == mx_value(chars[17])
}

const MX_STATES: &[u8] = b"ASBCBSCCCLCMCSCHDFDGGTGRHGJCMCMNMSNTNLOCPLQTQRSPSLSRTCTSTLVZYNZSNE";

/// The symbols are 0 to 9 and the Spanish alphabet, in which Ñ follows N.
fn mx_value(byte: u8) -> u32 {
    match byte {
        b'0'..=b'9' => u32::from(byte - b'0'),
        b'A'..=b'N' => u32::from(byte - b'A') + 10,
        b'O'..=b'Z' => u32::from(byte - b'A') + 11,
        _ => 0,
    }
}

/// Argentine CUIT and CUIL: kind of taxpayer, weights 5 4 3 2 7 6 5 4 3 2.
pub(super) fn ar_cuit(value: &[u8]) -> bool {
    digits::<11>(value).is_some_and(|digits| {
        let kind = matches!(digits[..2], [2, 0 | 3 | 4 | 7] | [3, 0 | 3 | 4]);
        let check = match 11 - weighted(&digits, &[5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11 {
            11 => 0,
            10 => 9,
            check => check,
        };
        kind && check == u32::from(digits[10])
    })
}

/// Chilean RUT: weights 2 to 7 in turn from the right, check digit 0 to 9 or K.
pub(super) fn cl_rut(value: &[u8]) -> bool {
    let Some(run) = Run::<9>::collect(significant(value).take(10)) else { return false };
    let Some((check, body)) = run.as_slice().split_last() else { return false };
    if body.len() < 7 || !body.iter().all(u8::is_ascii_digit) || all_same(body) {
        return false;
    }
    let weights = [2, 3, 4, 5, 6, 7].iter().cycle();
    let sum: u32 =
        body.iter().rev().zip(weights).map(|(byte, weight)| u32::from(byte - b'0') * weight).sum();
    // The remainder of 11 less the sum picks the check: 10 is K, 11 is 0.
    b"0K987654321".get((sum % 11) as usize) == Some(&check.to_ascii_uppercase())
}
