//! Candidates: where a match of some kind could stand.
//!
//! # Promise
//! A gate never misses: wherever a matcher behind it could succeed, there is a candidate. The test
//! `gates_on_and_gates_off_find_the_same` compares with candidates everywhere.
//!
//! # Not here
//! Whether a candidate is a match: the matchers look at the text again.

use crate::simd;
use crate::simd::Kernel;
use crate::simd::LOOK_BACK;
use crate::simd::PATTERNS;
use crate::simd::Pattern;

/// Places by pattern, ascending.
#[derive(Clone, Debug)]
pub(super) struct Candidates {
    places: [Vec<u32>; PATTERNS],
}

impl Default for Candidates {
    fn default() -> Candidates {
        Candidates { places: std::array::from_fn(|_| Vec::new()) }
    }
}

impl Candidates {
    /// The places of one pattern.
    #[inline]
    pub(super) fn of(&self, pattern: Pattern) -> &[u32] {
        &self.places[pattern as usize]
    }

    /// Replaces the candidates by those of the windows `from..to` of `text`.
    pub(super) fn find(&mut self, kernel: Kernel, text: &[u8], from: usize, to: usize) {
        for list in &mut self.places {
            list.clear();
        }
        simd::find(kernel, text, from, to, &mut |pattern, place, mut bits| {
            let list = &mut self.places[pattern];
            while bits != 0 {
                // No pattern has a bit before the text, so the sum is at least LOOK_BACK.
                list.push((place + bits.trailing_zeros() as usize - LOOK_BACK) as u32);
                bits &= bits - 1;
            }
        });
    }

    /// Makes every place of a text of `len` bytes a candidate of every pattern, to test the gates.
    pub(super) fn everywhere(&mut self, len: usize) {
        for list in &mut self.places {
            list.clear();
            list.extend(0..len as u32);
        }
    }
}
