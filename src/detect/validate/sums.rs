//! The check sums that several schemes share: weights, Luhn, Verhoeff, ISO 7064.
//!
//! Digits come as numbers 0 to 9. Nothing here knows what a number is for.

/// The sum of digit times weight, over the shorter of the two.
pub(super) fn weighted(digits: &[u8], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(&digit, weight)| u32::from(digit) * weight).sum()
}

/// Luhn over all digits, the last one being the check digit.
pub(super) fn luhn(digits: &[u8]) -> bool {
    // From the right, so that the same places of each eight are doubled.
    let (head, eights) = digits.as_rchunks::<8>();
    let sum: u64 = eights.iter().map(|eight| luhn_eight(u64::from_be_bytes(*eight))).sum();
    (sum + u64::from(luhn_sum(head.iter().rev().copied()))).is_multiple_of(10)
}

/// The sum over eight digits, one a byte, the lowest one counted once.
fn luhn_eight(digits: u64) -> u64 {
    const DOUBLED: u64 = 0xff00_ff00_ff00_ff00;
    let terms = digits + (digits & DOUBLED);
    // Nine less where the double has two digits: six more then carries into the upper half.
    let high = (terms + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
    (terms - high * 9).wrapping_mul(0x0101_0101_0101_0101) >> 56
}

/// The Luhn sum of digits from right to left; the first one counts once, the second twice.
pub(super) fn luhn_sum(from_right: impl Iterator<Item = u8>) -> u32 {
    from_right.enumerate().map(|(place, digit)| luhn_term(digit, place % 2 == 1)).sum()
}

fn luhn_term(digit: u8, doubled: bool) -> u32 {
    let term = u32::from(digit) << u32::from(doubled);
    if term > 9 { term - 9 } else { term }
}

/// Verhoeff over all digits, the last one being the check digit: multiplication in the dihedral
/// group of order ten after a permutation that depends on the place.
pub(super) fn verhoeff(digits: &[u8]) -> bool {
    let mut state = 0;
    for (place, &digit) in digits.iter().rev().enumerate() {
        let mut permuted = digit % 10;
        for _ in 0..place % 8 {
            permuted = PERMUTE.get(usize::from(permuted)).copied().unwrap_or(0);
        }
        state = dihedral(state, permuted);
    }
    state == 0
}

const PERMUTE: [u8; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

/// Rotations are 0 to 4, reflections 5 to 9.
fn dihedral(left: u8, right: u8) -> u8 {
    match (left < 5, right < 5) {
        (true, true) => (left + right) % 5,
        (true, false) => 5 + (left + right) % 5,
        (false, true) => 5 + (left - right) % 5,
        (false, false) => (5 + left - right) % 5,
    }
}

/// ISO 7064 mod 11,10 over all digits, the last one being the check digit.
pub(super) fn mod_11_10(digits: &[u8]) -> bool {
    let Some((&check, body)) = digits.split_last() else { return false };
    let mut product = 10;
    for &digit in body {
        let sum = (product + u32::from(digit)) % 10;
        product = (if sum == 0 { 10 } else { sum }) * 2 % 11;
    }
    (product + u32::from(check)) % 10 == 1
}

/// EAN-13 over all digits, the last one being the check digit.
pub(super) fn ean_13(digits: &[u8; 13]) -> bool {
    weighted(digits, &[1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]).is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::ean_13;
    use super::luhn;
    use super::luhn_sum;
    use super::mod_11_10;
    use super::verhoeff;

    #[test]
    fn published_samples() {
        assert!(luhn(&[7, 9, 9, 2, 7, 3, 9, 8, 7, 1, 3]));
        let digits: [u8; 24] = std::array::from_fn(|at| u8::try_from(at * 7 % 10).unwrap());
        for (from, to) in (0..24).flat_map(|from| (from..=24).map(move |to| (from, to))) {
            let part = digits.get(from..to).unwrap();
            let slow = luhn_sum(part.iter().rev().copied()).is_multiple_of(10);
            assert_eq!(luhn(part), slow, "{from}..{to}");
        }
        assert!(verhoeff(&[2, 3, 6, 3]));
        assert!(mod_11_10(&[0, 7, 9, 4, 5]));
        assert!(ean_13(&[4, 0, 0, 6, 3, 8, 1, 3, 3, 3, 9, 3, 1]));
    }

    /// The promise of Verhoeff: no single digit and no neighbour swap goes unseen.
    #[test]
    fn verhoeff_sees_every_single_change_and_swap() {
        let good = [8, 7, 1, 9, 5, 1, 7, 9, 0, 6, 6, 4];
        assert!(verhoeff(&good));
        for at in 0..good.len() {
            for other in (0..10).filter(|&other| other != good[at]) {
                let mut bad = good;
                bad[at] = other;
                assert!(!verhoeff(&bad));
            }
        }
        for at in 1..good.len() {
            let mut bad = good;
            bad.swap(at - 1, at);
            assert_eq!(verhoeff(&bad), bad == good);
        }
    }
}
