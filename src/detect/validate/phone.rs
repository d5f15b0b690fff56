//! Telephone numbers: North American ones by their plan, others by country code and length.
//!
//! Not a copy of the numbering plans of the world: a country counts with the span of lengths that
//! its numbers have, which is what a log line can be judged by at speed.

use super::extract::Run;
use super::extract::all_same;
use super::extract::number;
use super::extract::significant;
use super::network::ipv4;

/// A number of the North American plan: ten digits, or eleven from 1; `+` and brackets may stand.
pub(super) fn phone_nanp(value: &[u8]) -> bool {
    let Some(run) = dialled(value, 10) else { return false };
    match run.as_slice() {
        [1, ten @ ..] if ten.len() == 10 => nanp(ten),
        ten if ten.len() == 10 => nanp(ten),
        _ => false,
    }
}

/// Area and exchange from 200, neither a service code (N11); the areas 37x and 96x are kept back.
fn nanp(ten: &[u8]) -> bool {
    let [a, b, c, d, e, f, ..] = *ten else { return false };
    let service = |tens: u8, ones: u8| tens == 1 && ones == 1;
    let kept_back = matches!((a, b), (3, 7) | (9, 6));
    a >= 2 && !service(b, c) && !kept_back && d >= 2 && !service(e, f)
}

/// A number in international form: a country code that exists and a national part of a length that
/// country has. Round figures such as `+250 000 000` are amounts.
pub(super) fn phone_e164(value: &[u8]) -> bool {
    let Some(run) = dialled(value, 7) else { return false };
    let digits = run.as_slice();
    let Some((national, lengths)) = country(digits) else { return false };
    let zeros = national.iter().rev().take_while(|&&digit| digit == 0).count();
    lengths.contains(&national.len())
        && zeros < 5
        && !all_same(national)
        && (digits.first() != Some(&1) || nanp(national))
}

/// A number as it is recognised without a cue: international after a plus sign, else North American.
pub(super) fn phone(value: &[u8]) -> bool {
    if value.starts_with(b"+") { phone_e164(value) } else { phone_nanp(value) }
}

/// A number as dialled inside a country, where a cue says that it is one. Dates and addresses of
/// machines are none, though a careless log writes them behind the same word.
pub(super) fn phone_national(value: &[u8]) -> bool {
    let date = value.len() == 10 && value.get(4) == Some(&b'-') && value.get(7) == Some(&b'-');
    !date && !ipv4(value) && dialled(value, 6).is_some_and(|run| !all_same(run.as_slice()))
}

/// The digits of a number; brackets and `+` are separators too.
fn dialled(value: &[u8], min: usize) -> Option<Run<15>> {
    let mut run = Run::<15>::collect(
        significant(value).filter(|byte| !matches!(byte, b'(' | b')' | b'+')).take(16),
    )?;
    let digits = run.as_slice().iter().all(u8::is_ascii_digit) && run.as_slice().len() >= min;
    run.map(|byte| byte.wrapping_sub(b'0'));
    digits.then_some(run)
}

type Lengths = std::ops::RangeInclusive<usize>;

/// The national part and the lengths that it may have.
fn country(digits: &[u8]) -> Option<(&[u8], Lengths)> {
    (1..=3).find_map(|len| {
        let (code, national) = digits.split_at_checked(len)?;
        let code = number(code);
        let row = COUNTRIES.binary_search_by_key(&code, |row| row.0).ok()?;
        COUNTRIES.get(row).map(|row| (national, row.1..=row.2))
    })
}

/// Country code, shortest and longest national number; in the order of the codes, none of which
/// starts with another one.
const COUNTRIES: &[(u64, usize, usize)] = &[
    (1, 10, 10),
    (7, 10, 10),
    (20, 8, 10),
    (27, 9, 9),
    (30, 10, 10),
    (31, 9, 9),
    (32, 8, 9),
    (33, 9, 9),
    (34, 9, 9),
    (36, 8, 9),
    (39, 6, 11),
    (40, 9, 9),
    (41, 9, 9),
    (43, 6, 13),
    (44, 9, 10),
    (45, 8, 8),
    (46, 7, 10),
    (47, 8, 8),
    (48, 9, 9),
    (49, 6, 13),
    (51, 8, 9),
    (52, 10, 11),
    (53, 8, 8),
    (54, 10, 11),
    (55, 10, 11),
    (56, 9, 9),
    (57, 10, 10),
    (58, 10, 10),
    (60, 8, 10),
    (61, 9, 9),
    (62, 8, 12),
    (63, 8, 10),
    (64, 8, 10),
    (65, 8, 8),
    (66, 8, 9),
    (81, 9, 10),
    (82, 8, 11),
    (84, 9, 10),
    (86, 10, 11),
    (90, 10, 10),
    (91, 10, 10),
    (92, 9, 10),
    (93, 9, 9),
    (94, 9, 9),
    (95, 7, 10),
    (98, 10, 10),
    (211, 9, 9),
    (212, 9, 9),
    (213, 8, 9),
    (216, 8, 8),
    (218, 8, 9),
    (220, 7, 7),
    (221, 9, 9),
    (222, 8, 8),
    (223, 8, 8),
    (224, 8, 9),
    (225, 8, 10),
    (226, 8, 8),
    (227, 8, 8),
    (228, 8, 8),
    (229, 8, 10),
    (230, 7, 8),
    (231, 7, 9),
    (232, 8, 8),
    (233, 9, 9),
    (234, 8, 10),
    (235, 8, 8),
    (236, 8, 8),
    (237, 8, 9),
    (238, 7, 7),
    (239, 7, 7),
    (240, 9, 9),
    (241, 7, 8),
    (242, 9, 9),
    (243, 7, 9),
    (244, 9, 9),
    (245, 7, 9),
    (246, 7, 7),
    (247, 4, 6),
    (248, 7, 7),
    (249, 9, 9),
    (250, 8, 9),
    (251, 9, 9),
    (252, 7, 9),
    (253, 8, 8),
    (254, 9, 9),
    (255, 9, 9),
    (256, 9, 9),
    (257, 8, 8),
    (258, 8, 9),
    (260, 9, 9),
    (261, 9, 9),
    (262, 9, 9),
    (263, 8, 10),
    (264, 8, 9),
    (265, 7, 9),
    (266, 8, 8),
    (267, 7, 8),
    (268, 8, 8),
    (269, 7, 7),
    (290, 4, 5),
    (291, 7, 7),
    (297, 7, 7),
    (298, 6, 6),
    (299, 6, 6),
    (350, 8, 8),
    (351, 9, 9),
    (352, 6, 11),
    (353, 7, 9),
    (354, 7, 9),
    (355, 8, 9),
    (356, 8, 8),
    (357, 8, 8),
    (358, 6, 10),
    (359, 7, 9),
    (370, 8, 8),
    (371, 8, 8),
    (372, 7, 8),
    (373, 8, 8),
    (374, 8, 8),
    (375, 9, 9),
    (376, 6, 9),
    (377, 8, 9),
    (378, 6, 10),
    (380, 9, 9),
    (381, 7, 9),
    (382, 8, 8),
    (383, 8, 9),
    (385, 8, 9),
    (386, 8, 8),
    (387, 8, 9),
    (389, 8, 8),
    (420, 9, 9),
    (421, 9, 9),
    (423, 7, 9),
    (500, 5, 5),
    (501, 7, 7),
    (502, 8, 8),
    (503, 8, 8),
    (504, 8, 8),
    (505, 8, 8),
    (506, 8, 8),
    (507, 7, 8),
    (508, 6, 9),
    (509, 8, 8),
    (590, 9, 9),
    (591, 8, 8),
    (592, 7, 7),
    (593, 8, 9),
    (594, 9, 9),
    (595, 8, 9),
    (596, 9, 9),
    (597, 6, 7),
    (598, 7, 8),
    (599, 7, 8),
    (670, 7, 8),
    (672, 6, 6),
    (673, 7, 7),
    (674, 7, 7),
    (675, 7, 8),
    (676, 5, 7),
    (677, 5, 7),
    (678, 5, 7),
    (679, 7, 7),
    (680, 7, 7),
    (681, 6, 9),
    (682, 5, 5),
    (683, 4, 7),
    (685, 5, 7),
    (686, 5, 8),
    (687, 6, 6),
    (688, 5, 7),
    (689, 6, 8),
    (690, 4, 7),
    (691, 7, 7),
    (692, 7, 7),
    (800, 8, 8),
    (808, 8, 8),
    (850, 8, 10),
    (852, 8, 8),
    (853, 8, 8),
    (855, 8, 9),
    (856, 8, 10),
    (870, 9, 12),
    (878, 12, 12),
    (880, 8, 10),
    (881, 8, 9),
    (882, 7, 12),
    (883, 7, 12),
    (886, 8, 9),
    (888, 11, 11),
    (960, 7, 7),
    (961, 7, 8),
    (962, 8, 9),
    (963, 8, 9),
    (964, 8, 10),
    (965, 8, 8),
    (966, 9, 9),
    (967, 7, 9),
    (968, 8, 8),
    (970, 8, 9),
    (971, 8, 9),
    (972, 8, 9),
    (973, 8, 8),
    (974, 8, 8),
    (975, 7, 8),
    (976, 8, 8),
    (977, 8, 10),
    (979, 9, 9),
    (992, 9, 9),
    (993, 8, 8),
    (994, 9, 9),
    (995, 9, 9),
    (996, 9, 9),
    (998, 9, 9),
];

#[cfg(test)]
mod tests {
    use super::COUNTRIES;
    use super::phone_e164;
    use super::phone_nanp;
    use super::phone_national;

    #[test]
    fn the_table_is_sorted_and_free_of_prefixes() {
        assert!(COUNTRIES.is_sorted_by_key(|row| row.0));
        for (code, ..) in COUNTRIES {
            for short in [code / 10, code / 100].into_iter().filter(|&short| short > 0) {
                assert!(COUNTRIES.iter().all(|row| row.0 != short), "{code}");
            }
        }
    }

    #[test]
    fn international() {
        for good in [
            "+16282345190",
            "+447418263905",
            "+4915510823417",
            "+33 6 44 63 81 72",
            "+55 11 97440-2816",
            "+1 (469) 443-7720",
            "+47 22 86 50 00",
        ] {
            assert!(phone_e164(good.as_bytes()), "{good}");
        }
        for bad in [
            "+250 000 000",
            "+12 500 000",
            "+0200",
            "+1 115 443 7720",
            "+999 123 456 78",
            "+33 6 44 63",
            "+100 000 000",
            "+1628234519012345",
            "+1628x345190",
        ] {
            assert!(!phone_e164(bad.as_bytes()), "{bad}");
        }
    }

    #[test]
    fn north_american() {
        assert!(phone_nanp(b"(469) 443-7720") && phone_nanp(b"1-312-555-0188"));
        assert!(!phone_nanp(b"(411) 443-7720") && !phone_nanp(b"469-411-7720"));
        assert!(!phone_nanp(b"370-443-7720") && !phone_nanp(b"4694437720123"));
    }

    #[test]
    fn national() {
        assert!(phone_national(b"07520914638") && phone_national(b"030 231275417"));
        assert!(!phone_national(b"2026-11-30") && !phone_national(b"10.12.34.56"));
        assert!(!phone_national(b"00000000") && !phone_national(b"12345") && !phone_national(b"x"));
    }
}
