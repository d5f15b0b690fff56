//! The five corpora that are meant to be slow, in lines of 4 KiB.

use crate::lab::corpus::Kind;
use crate::lab::corpus::Sheet;
use crate::lab::corpus::Values;
use crate::lab::corpus::value::luhn_sum;
use crate::lab::rng::Rng;

/// Runs of digits between blanks, some of which are card numbers.
///
/// The other runs have lengths that no national number has, and those that could be a card have a
/// wrong check digit, so that what is planted is all there is to find.
pub(super) fn digits(sheet: &mut Sheet, values: &mut Values, rng: &mut Rng) {
    let wanted = sheet.planted_wanted();
    let room = sheet.room();
    let stride = room / usize::try_from(wanted.max(1)).unwrap_or(1);
    let mut planted = 0;
    while sheet.room() > 60 {
        if planted < wanted && sheet.line_len() >= stride * usize::try_from(planted).unwrap_or(0) {
            sheet.plant(Kind::Card, values.next(Kind::Card, 1));
            planted += 1;
        } else {
            let length = rng.pick(&["5", "7", "8", "16", "17", "19", "21", "26", "33", "48"]);
            let mut run = rng.digits(length.parse().unwrap_or(16));
            if luhn_sum(&run, false).is_multiple_of(10) {
                let last = run.pop().and_then(|c| c.to_digit(10)).unwrap_or(0);
                run.push(char::from_digit((last + 1) % 10, 10).unwrap_or('0'));
            }
            sheet.put(run);
        }
        sheet.put(" ");
    }
    let rest = sheet.room();
    sheet.put("0 ".repeat(rest / 2));
}

/// Addresses whose last label has one letter, so that none of them is one.
pub(super) fn mail(sheet: &mut Sheet, _values: &mut Values, _rng: &mut Rng) {
    let room = sheet.room();
    sheet.put("a@b.c ".repeat(room / 6));
}

/// Percent codes of two depths that decode to nothing of interest.
pub(super) fn percent(sheet: &mut Sheet, _values: &mut Values, _rng: &mut Rng) {
    let room = sheet.room();
    sheet.put("%41%2540AA".repeat(room / 10));
}

/// Runs of hex digits of the lengths that digests and ids have.
pub(super) fn hex(sheet: &mut Sheet, _values: &mut Values, rng: &mut Rng) {
    while sheet.room() > 66 {
        let length = rng.pick(&["7", "8", "12", "32", "40", "64"]).parse().unwrap_or(32);
        let mut run = rng.hex(length - 1);
        run.insert(length / 2, 'c'); // A letter within, so that no run is a number.
        sheet.put(format_args!("{run} "));
    }
    let rest = sheet.room();
    sheet.put("f ".repeat(rest / 2));
}

/// Names of secrets without a value, and two that have one.
pub(super) fn keys(sheet: &mut Sheet, values: &mut Values, rng: &mut Rng) {
    const PAIR: &str = "api_key=, Bearer ; ";
    let pairs = u64::try_from(sheet.room() / PAIR.len()).unwrap_or(0);
    let wanted = sheet.planted_wanted();
    let first = rng.below(pairs / 3);
    let second = rng.between(pairs / 2, pairs - 20);
    for pair in 0..pairs {
        if sheet.room() < PAIR.len() + 60 {
            break;
        }
        if pair == first && wanted > 0 {
            sheet.put("api_key=");
            sheet.plant(Kind::Secret, values.next(Kind::Secret, 1));
            sheet.put(", Bearer ; ");
        } else if pair == second && wanted > 1 {
            sheet.put("api_key=, Bearer ");
            sheet.plant(Kind::Secret, values.next(Kind::Secret, 1));
            sheet.put("; ");
        } else {
            sheet.put(PAIR);
        }
    }
}
