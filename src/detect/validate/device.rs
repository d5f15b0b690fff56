//! Numbers of vehicles, telephones and their cards.

use super::extract::all_same;
use super::extract::chars;
use super::extract::digit_run;
use super::extract::number;
use super::sums::luhn;

/// A vehicle number by its shape: no I, O or Q, the last four digits a serial, not digits alone.
pub(super) fn vin_shape(value: &[u8]) -> bool {
    chars::<17>(value).is_some_and(|chars| vin_shaped(&chars))
}

fn vin_shaped(chars: &[u8; 17]) -> bool {
    !chars.iter().any(|byte| b"IOQ".contains(byte))
        && chars[13..].iter().all(u8::is_ascii_digit)
        && chars.iter().any(u8::is_ascii_uppercase)
}

/// A vehicle number with the check digit that North America and China ask for.
pub(super) fn vin(value: &[u8]) -> bool {
    const WEIGHTS: [u32; 17] = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
    let Some(chars) = chars::<17>(value) else { return false };
    let sum: u32 = chars.iter().zip(WEIGHTS).map(|(&byte, weight)| vin_value(byte) * weight).sum();
    vin_shaped(&chars) && b"0123456789X".get((sum % 11) as usize) == Some(&chars[8])
}

fn vin_value(byte: u8) -> u32 {
    match byte {
        b'0'..=b'9' => u32::from(byte - b'0'),
        b'A'..=b'I' => u32::from(byte - b'A') + 1,
        b'J'..=b'R' => u32::from(byte - b'J') + 1,
        b'S'..=b'Z' => u32::from(byte - b'S') + 2,
        _ => 0,
    }
}

/// A device number of a telephone: fifteen digits with Luhn, or sixteen with a software version and
/// no check.
pub(super) fn imei(value: &[u8]) -> bool {
    digit_run::<16>(value, 15).is_some_and(|run| {
        let digits = run.as_slice();
        !all_same(digits) && (digits.len() == 16 || luhn(digits))
    })
}

/// A subscriber number: country 2xx to 7xx or 901, network, subscriber.
pub(super) fn imsi(value: &[u8]) -> bool {
    digit_run::<15>(value, 14).is_some_and(|run| {
        let digits = run.as_slice();
        let country = number(digits.get(..3).unwrap_or_default());
        matches!(country, 200..=799 | 901) && !all_same(digits)
    })
}

/// A card number of a SIM: 89, then Luhn over nineteen or twenty digits; nineteen may lack it.
pub(super) fn iccid(value: &[u8]) -> bool {
    digit_run::<20>(value, 19).is_some_and(|run| {
        let digits = run.as_slice();
        digits.starts_with(&[8, 9]) && luhn(digits)
    })
}

/// Sixteen hex digits that are not one digit repeated: an Android device.
pub(super) fn android_id(value: &[u8]) -> bool {
    chars::<16>(value)
        .is_some_and(|chars| chars.iter().all(u8::is_ascii_hexdigit) && !all_same(&chars))
}

/// A UUID of any version but the nil and the all-ones one, which name no device.
pub(super) fn uuid(value: &[u8]) -> bool {
    let dashed = value.len() == 36
        && value
            .iter()
            .enumerate()
            .all(|(at, byte)| (*byte == b'-') == matches!(at, 8 | 13 | 18 | 23));
    dashed
        && chars::<32>(value)
            .is_some_and(|chars| chars.iter().all(u8::is_ascii_hexdigit) && !all_same(&chars))
}
