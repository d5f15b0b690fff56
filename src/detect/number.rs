//! Extents of numbers that are recognised without a name before them: cards, IBANs, social security
//! numbers, phone numbers. Check digits and ranges are the validators' part.

use super::bytes::ALNUM;
use super::bytes::DIGIT;
use super::bytes::LOWER;
use super::bytes::SPACE;
use super::bytes::UPPER;
use super::bytes::before;
use super::bytes::byte;
use super::bytes::is;
use super::bytes::run_end;
use super::bytes::run_start;

/// Groups in which card numbers are printed (ISO/IEC 7812 leaves the print to the schemes).
const CARD_GROUPS: [&[usize]; 5] =
    [&[4, 4, 4, 4], &[4, 4, 4, 4, 3], &[4, 6, 5], &[4, 6, 4], &[4, 4, 5]];

/// The card number that may start at `start`: 12 to 19 digits in a row or in printed groups.
#[inline(never)]
pub(super) fn card(text: &[u8], start: usize) -> Option<(usize, usize)> {
    let last = before(text, start);
    let joined = matches!(last, b'_' | b'@' | b'#' | b'%' | b'+')
        || matches!(last, b'-' | b'.') && !is(before(text, start.wrapping_sub(1)), SPACE);
    if joined || is(last, ALNUM) {
        return None;
    }
    let end = run_end(text, start, DIGIT, 20);
    if end - start >= 12 {
        return (end - start <= 19 && ends_number(text, end, b'-')).then_some((start, end));
    }
    let separator = byte(text, end);
    if !matches!(separator, b' ' | b'-') {
        return None;
    }
    let mut groups = [0; 6];
    let mut ends = [0; 6];
    let mut count = 0;
    let mut at = start;
    while count < groups.len() {
        let end = run_end(text, at, DIGIT, 7);
        if end == at {
            break;
        }
        groups[count] = end - at;
        ends[count] = end;
        count += 1;
        if byte(text, end) != separator {
            break;
        }
        at = end + 1;
    }
    let printed = CARD_GROUPS.iter().find(|printed| groups.get(..count) == Some(**printed))?;
    let end = ends[printed.len() - 1];
    ends_number(text, end, separator).then_some((start, end))
}

/// True when the number does not go on behind `end`.
fn ends_number(text: &[u8], end: usize, separator: u8) -> bool {
    let (after, next) = (byte(text, end), byte(text, end + 1));
    let goes_on = after == b'_'
        || is(after, ALNUM)
        || after == b'.' && is(next, DIGIT)
        || after == separator && is(next, DIGIT)
        || after == b'-' && is(next, ALNUM);
    !goes_on
}

/// Countries and the length of their IBANs (ISO 13616 registry).
const IBAN_LENGTHS: &str = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 \
     CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 \
     GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 \
     LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 \
     RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 \
     VG24 XK20 YE30";

/// Length by country, two letters of five bits each.
static IBAN_LENGTH: [u8; 1024] = iban_lengths();

const fn iban_lengths() -> [u8; 1024] {
    let list = IBAN_LENGTHS.as_bytes();
    let mut lengths = [0; 1024];
    let mut at = 0;
    while at + 4 <= list.len() {
        let country = ((list[at] & 31) as usize) << 5 | (list[at + 1] & 31) as usize;
        lengths[country] = (list[at + 2] - b'0') * 10 + (list[at + 3] - b'0');
        at += 5;
    }
    lengths
}

/// The IBAN that may start at `start`: exactly as long as its country says, in one piece or in
/// groups of four with one kind of separator.
#[inline(never)]
pub(super) fn iban(text: &[u8], start: usize) -> Option<(usize, usize)> {
    let country =
        usize::from(byte(text, start) & 31) << 5 | usize::from(byte(text, start + 1) & 31);
    let length = usize::from(*IBAN_LENGTH.get(country)?);
    let last = before(text, start);
    let letters = |at| is(byte(text, at), UPPER | LOWER);
    if length == 0 || last == b'_' || is(last, ALNUM) || !letters(start) || !letters(start + 1) {
        return None;
    }
    let separator = byte(text, start + 4);
    let grouped = matches!(separator, b' ' | b'-');
    let mut at = start;
    for index in 0..length {
        if grouped && index > 0 && index % 4 == 0 {
            if byte(text, at) != separator {
                return None;
            }
            at += 1;
        }
        if !is(byte(text, at), ALNUM) {
            return None;
        }
        at += 1;
    }
    let after = byte(text, at);
    (!is(after, ALNUM) && after != b'_').then_some((start, at))
}

/// True when the text at `at` reads like `shape`, `d` standing for a digit.
fn has_shape(text: &[u8], at: usize, shape: &[u8]) -> bool {
    shape.iter().enumerate().all(|(ahead, part)| {
        let byte = byte(text, at + ahead);
        if *part == b'd' { is(byte, DIGIT) } else { byte == *part }
    })
}

/// The social security number `ddd-dd-dddd` at `start`.
pub(super) fn ssn(text: &[u8], start: usize) -> Option<(usize, usize)> {
    let end = start + 11;
    if !has_shape(text, start, b"ddd-dd-dddd") {
        return None;
    }
    let (last, after) = (before(text, start), byte(text, end));
    let joined = is(last, ALNUM)
        || matches!(last, b'-' | b'_' | b'.')
        || is(after, ALNUM)
        || after == b'_'
        || after == b'-'
        || after == b'.' && is(byte(text, end + 1), DIGIT);
    (!joined).then_some((start, end))
}

/// Longest phone number with its separators.
const PHONE_LEN_MAX: usize = 28;

/// The phone number behind the plus sign at `plus`, and whether it has separators.
#[inline(never)]
pub(super) fn phone_plus(text: &[u8], plus: usize) -> Option<(usize, usize)> {
    let last = before(text, plus);
    if byte(text, plus) != b'+' || is(last, ALNUM) || matches!(last, b'_' | b'+' | b'/') {
        return None;
    }
    if !matches!(byte(text, plus + 1), b'1'..=b'9') {
        return None;
    }
    let mut digits = 0;
    let mut end = plus + 1;
    let mut at = plus + 1;
    let mut open = false;
    while at - plus < PHONE_LEN_MAX {
        let next = byte(text, at);
        if is(next, DIGIT) {
            digits += 1;
            at += 1;
            end = at;
            continue;
        }
        let follows = byte(text, at + 1);
        match next {
            b' ' | b'-' | b'.' if is(follows, DIGIT) || follows == b'(' => at += 1,
            b'(' if !open && is(follows, DIGIT) => {
                open = true;
                at += 1;
            }
            b')' if open => {
                open = false;
                at += 1;
                if byte(text, at) == b' ' && is(byte(text, at + 1), DIGIT) {
                    at += 1;
                }
            }
            _ => break,
        }
        if digits == 15 {
            break;
        }
    }
    let after = byte(text, end);
    let joined =
        is(after, ALNUM) || after == b'_' || after == b'.' && is(byte(text, end + 1), DIGIT);
    ((8..=15).contains(&digits) && !joined).then_some((plus, end))
}

/// The North American number whose last seven digits start at `tail`: with the area code before
/// them, in brackets or not, and a leading 1.
pub(super) fn phone_nanp(text: &[u8], tail: usize) -> Option<(usize, usize)> {
    let end = tail + 8;
    if !has_shape(text, tail, b"ddd-dddd") && !has_shape(text, tail, b"ddd.dddd") {
        return None;
    }
    let after = byte(text, end);
    if is(after, ALNUM)
        || matches!(after, b'-' | b'_')
        || after == b'.' && is(byte(text, end + 1), DIGIT)
    {
        return None;
    }
    let separator = byte(text, tail + 3);
    let mut at = tail;
    let last = before(text, at);
    if at > 0 && (last == b' ' || last == separator) {
        at -= 1;
    }
    let start = if before(text, at) == b')' {
        let area = run_start(text, at - 1, DIGIT, 4);
        if at - 1 - area != 3 || before(text, area) != b'(' {
            return None;
        }
        area - 1
    } else {
        let area = run_start(text, at, DIGIT, 4);
        if at == tail || at - area != 3 || last != separator {
            return None;
        }
        area
    };
    let mut start = start;
    if matches!(before(text, start), b' ' | b'-' | b'.') {
        let one = start - 1;
        if before(text, one) == b'1' && !is(before(text, one - 1), ALNUM) {
            start = one - 1;
            if before(text, start) == b'+' {
                return None; // The plus sign finds it.
            }
        }
    }
    let last = before(text, start);
    let joined = is(last, ALNUM) || matches!(last, b'-' | b'_' | b'.' | b'/' | b'+');
    (!joined).then_some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_in_one_piece_and_in_groups() {
        assert_eq!(card(b"4000000000000002 x", 0), Some((0, 16)));
        assert_eq!(card(b"4000 0000 0000 0002 x", 0), Some((0, 19)));
        assert_eq!(card(b"3700 000000 00002", 0), Some((0, 17)));
        for text in [
            &b"4312 1718 2024 3080 17 0.0"[..],
            b"4000-0000 0000-0002",
            b"40000000000000020000 x",
            b"4000000000000002.5",
            b"4000000000000002_x",
        ] {
            assert_eq!(card(text, 0), None);
        }
        assert_eq!(card(b"v=1.4000000000000002", 4), None);
        assert_eq!(card(b"blk_-4000000000000002", 5), None);
    }

    #[test]
    fn ibans_end_where_their_country_says() {
        assert_eq!(iban(b"GB58WEST21150967824533 and", 0), Some((0, 22)));
        assert_eq!(iban(b"gb58 west 2115 0967 8245 33 ok", 0), Some((0, 27)));
        assert_eq!(iban(b"GB58WEST2115096782453399", 0), None);
        assert_eq!(iban(b"GB29 unit tests passed", 0), None);
    }

    #[test]
    fn phones() {
        assert_eq!(phone_plus(b"+16282345190 x", 0), Some((0, 12)));
        assert_eq!(phone_plus(b"+55 11 97440-2816 x", 0), Some((0, 17)));
        assert_eq!(phone_plus(b"+1 (469) 443-7720.", 0), Some((0, 17)));
        assert_eq!(phone_plus(b"+0200", 0), None);
        assert_eq!(phone_nanp(b"(469) 443-7720 on", 6), Some((0, 14)));
        assert_eq!(phone_nanp(b"fax 1-312-555-0188 busy", 10), Some((4, 18)));
        assert_eq!(phone_nanp(b"x 443-7720", 2), None);
    }
}
