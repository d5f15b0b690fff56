//! Payment cards: a known issuer range of the right length, and Luhn.
//!
//! The ranges matter more than the check digit: Luhn alone takes one number in ten, both together
//! one in forty of sixteen digits. Airline cards (15 digits from 1) are left out on purpose, for
//! their range is a tenth of all numbers.

use super::extract::digit_run;
use super::extract::number;
use super::sums::luhn;

/// A card number with its separators.
pub(super) fn card(value: &[u8]) -> bool {
    digit_run::<19>(value, 12).is_some_and(|run| {
        let digits = run.as_slice();
        issued(digits) && luhn(digits)
    })
}

/// First and last issuer prefix, digits of the prefix, shortest and longest number.
type Range = (u64, u64, usize, usize, usize);

const RANGES: &[Range] = &[
    (4, 4, 1, 13, 13),             // Visa, old
    (4, 4, 1, 16, 16),             // Visa
    (4, 4, 1, 19, 19),             // Visa, long
    (51, 55, 2, 16, 16),           // Mastercard
    (2221, 2720, 4, 16, 16),       // Mastercard
    (34, 34, 2, 15, 15),           // American Express
    (37, 37, 2, 15, 15),           // American Express
    (6011, 6011, 4, 16, 19),       // Discover
    (644, 649, 3, 16, 19),         // Discover
    (65, 65, 2, 16, 19),           // Discover, RuPay, Elo, Troy
    (300, 305, 3, 14, 19),         // Diners Club
    (36, 36, 2, 14, 19),           // Diners Club
    (38, 39, 2, 14, 19),           // Diners Club
    (3528, 3589, 4, 16, 19),       // JCB
    (62, 62, 2, 16, 19),           // UnionPay
    (81, 81, 2, 16, 19),           // UnionPay, RuPay
    (50, 50, 2, 12, 19),           // Maestro, Elo, RuPay
    (56, 58, 2, 12, 19),           // Maestro
    (6304, 6304, 4, 12, 19),       // Maestro
    (6759, 6759, 4, 12, 19),       // Maestro
    (6761, 6763, 4, 12, 19),       // Maestro
    (676_770, 676_770, 6, 12, 19), // Maestro
    (676_774, 676_774, 6, 12, 19), // Maestro
    (2200, 2204, 4, 16, 19),       // Mir
    (60, 60, 2, 16, 16),           // RuPay, Hipercard
    (82, 82, 2, 16, 16),           // RuPay
    (353, 353, 3, 16, 16),         // RuPay with JCB
    (356, 356, 3, 16, 16),         // RuPay with JCB
    (401_178, 401_179, 6, 16, 16), // Elo
    (431_274, 431_274, 6, 16, 16), // Elo
    (438_935, 438_935, 6, 16, 16), // Elo
    (627_780, 627_780, 6, 16, 16), // Elo
    (636_297, 636_297, 6, 16, 16), // Elo
    (636_368, 636_368, 6, 16, 16), // Elo
    (9792, 9792, 4, 16, 16),       // Troy
    (5019, 5019, 4, 16, 16),       // Dankort
];

/// Digits of the prefix by which the table is read.
const TABLED: usize = 4;
/// Shortest number of any issuer; a byte has a bit for it and each of the seven lengths above.
const SHORTEST: usize = 12;

/// The lengths of the numbers of each prefix of four digits, as far as four digits tell.
static LENGTHS: [u8; 10_usize.pow(TABLED as u32)] = lengths();

const fn lengths() -> [u8; 10_usize.pow(TABLED as u32)] {
    let mut table = [0; 10_usize.pow(TABLED as u32)];
    let mut at = 0;
    while at < RANGES.len() {
        let (first, last, len, shortest, longest) = RANGES[at];
        if len <= TABLED {
            let step = 10_usize.pow((TABLED - len) as u32);
            let mut prefix = first as usize * step;
            while prefix < (last as usize + 1) * step {
                let mut length = shortest;
                while length <= longest {
                    table[prefix] |= 1 << (length - SHORTEST);
                    length += 1;
                }
                prefix += 1;
            }
        }
        at += 1;
    }
    table
}

fn issued(digits: &[u8]) -> bool {
    let prefix = |len: usize| number(digits.get(..len).unwrap_or_default());
    let lengths = usize::try_from(prefix(TABLED)).ok().and_then(|prefix| LENGTHS.get(prefix));
    let bit = digits.len().checked_sub(SHORTEST).filter(|bit| *bit < 8);
    if lengths.zip(bit).is_some_and(|(lengths, bit)| lengths >> bit & 1 == 1) {
        return true;
    }
    // The longer prefixes of other first digits lie inside ranges of the table.
    let long = RANGES.iter().filter(|(_, _, len, ..)| *len > TABLED);
    digits.first() == Some(&6)
        && long.into_iter().any(|&(first, last, len, shortest, longest)| {
            (shortest..=longest).contains(&digits.len()) && (first..=last).contains(&prefix(len))
        })
}

/// Luhn alone, of 8 to 20 digits.
pub(super) fn luhn_only(value: &[u8]) -> bool {
    digit_run::<20>(value, 8).is_some_and(|run| luhn(run.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With the bound of the loop one too low the table lost the last prefix of each range.
    #[test]
    fn the_table_says_what_the_ranges_say() {
        for prefix in 0..1_000_000_u64 {
            let digits: [u8; 19] = std::array::from_fn(|at| {
                let place = 10_u64.pow(5_u32.saturating_sub(u32::try_from(at).unwrap()));
                if at < 6 { u8::try_from(prefix / place % 10).unwrap() } else { 7 }
            });
            for len in [12, 13, 14, 15, 16, 19] {
                let digits = digits.get(..len).unwrap();
                let slow = RANGES.iter().any(|&(first, last, size, shortest, longest)| {
                    let head = number(digits.get(..size).unwrap());
                    (shortest..=longest).contains(&len) && (first..=last).contains(&head)
                });
                assert_eq!(issued(digits), slow, "{prefix} of {len}");
            }
        }
    }
}
