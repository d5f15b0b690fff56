//! International bank account numbers (ISO 13616): country, its length, remainder 1 by 97.

use super::extract::base36;
use super::extract::char_run;

/// An IBAN in either case, compact or in groups.
pub(super) fn iban(value: &[u8]) -> bool {
    let Some(run) = char_run::<34>(value, 15) else { return false };
    let chars = run.as_slice();
    let [country_1, country_2, check_1, check_2, account @ ..] = chars else { return false };
    let known = length([*country_1, *country_2]) == Some(chars.len());
    // Check digits run from 02 to 98; 00, 01 and 99 leave the same remainders and are never made.
    let check = [*check_1, *check_2];
    if !known || !check.iter().all(u8::is_ascii_digit) || matches!(&check, b"00" | b"01" | b"99") {
        return false;
    }
    let moved = account.iter().chain([country_1, country_2, check_1, check_2]);
    let rest = moved
        .filter_map(|&byte| base36(byte))
        .fold(0, |rest, value| (rest * if value < 10 { 10 } else { 100 } + value) % 97);
    rest == 1
}

/// How many characters an IBAN of that country has.
fn length(country: [u8; 2]) -> Option<usize> {
    LENGTHS
        .binary_search_by(|(known, _)| (**known).cmp(&country))
        .ok()
        .and_then(|at| LENGTHS.get(at))
        .map(|(_, length)| *length)
}

/// In the order of the country codes.
const LENGTHS: &[(&[u8; 2], usize)] = &[
    (b"AD", 24),
    (b"AE", 23),
    (b"AL", 28),
    (b"AT", 20),
    (b"AZ", 28),
    (b"BA", 20),
    (b"BE", 16),
    (b"BG", 22),
    (b"BH", 22),
    (b"BI", 27),
    (b"BR", 29),
    (b"BY", 28),
    (b"CH", 21),
    (b"CR", 22),
    (b"CY", 28),
    (b"CZ", 24),
    (b"DE", 22),
    (b"DJ", 27),
    (b"DK", 18),
    (b"DO", 28),
    (b"EE", 20),
    (b"EG", 29),
    (b"ES", 24),
    (b"FI", 18),
    (b"FK", 18),
    (b"FO", 18),
    (b"FR", 27),
    (b"GB", 22),
    (b"GE", 22),
    (b"GI", 23),
    (b"GL", 18),
    (b"GR", 27),
    (b"GT", 28),
    (b"HN", 28),
    (b"HR", 21),
    (b"HU", 28),
    (b"IE", 22),
    (b"IL", 23),
    (b"IQ", 23),
    (b"IS", 26),
    (b"IT", 27),
    (b"JO", 30),
    (b"KW", 30),
    (b"KZ", 20),
    (b"LB", 28),
    (b"LC", 32),
    (b"LI", 21),
    (b"LT", 20),
    (b"LU", 20),
    (b"LV", 21),
    (b"LY", 25),
    (b"MC", 27),
    (b"MD", 24),
    (b"ME", 22),
    (b"MK", 19),
    (b"MN", 20),
    (b"MR", 27),
    (b"MT", 31),
    (b"MU", 30),
    (b"NI", 28),
    (b"NL", 18),
    (b"NO", 15),
    (b"OM", 23),
    (b"PK", 24),
    (b"PL", 28),
    (b"PS", 29),
    (b"PT", 25),
    (b"QA", 29),
    (b"RO", 24),
    (b"RS", 22),
    (b"RU", 33),
    (b"SA", 24),
    (b"SC", 31),
    (b"SD", 18),
    (b"SE", 24),
    (b"SI", 19),
    (b"SK", 24),
    (b"SM", 27),
    (b"SO", 23),
    (b"ST", 25),
    (b"SV", 28),
    (b"TL", 23),
    (b"TN", 24),
    (b"TR", 26),
    (b"UA", 29),
    (b"VA", 22),
    (b"VG", 24),
    (b"XK", 20),
    (b"YE", 30),
];

#[cfg(test)]
mod tests {
    use super::LENGTHS;
    use super::iban;

    #[test]
    fn the_table_is_sorted() {
        assert!(LENGTHS.is_sorted_by(|left, right| left.0 < right.0));
    }

    #[test]
    fn spellings() {
        assert!(iban(b"GB58 WEST 2115 0967 8245 33"));
        assert!(iban(b"gb58-west-2115-0967-8245-33"));
        assert!(!iban(b"GB58WEST2115096782453"));
        assert!(!iban(b"ZZ58WEST21150967824533"));
        assert!(!iban(b""));
    }
}
