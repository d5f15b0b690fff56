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
        luhn(digits) && issued(digits)
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

fn issued(digits: &[u8]) -> bool {
    RANGES.iter().any(|&(first, last, len, shortest, longest)| {
        let prefix = number(digits.get(..len).unwrap_or_default());
        (shortest..=longest).contains(&digits.len()) && (first..=last).contains(&prefix)
    })
}

/// Luhn alone, of 8 to 20 digits.
pub(super) fn luhn_only(value: &[u8]) -> bool {
    digit_run::<20>(value, 8).is_some_and(|run| luhn(run.as_slice()))
}
