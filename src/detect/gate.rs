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
use crate::simd::LANES;
use crate::simd::LOOK_BACK;
use crate::simd::PATTERNS;
use crate::simd::Pattern;
use crate::simd::STRIDE;
use crate::simd::Sink;

/// Windows whose candidates are looked at together: about 24 KiB of text, which stay in the cache.
pub(super) const BLOCK_WINDOWS: usize = 512;
/// Most candidates of one pattern: every place of a block is one, and those of the group of windows
/// behind it are written over.
const PLACES: usize = (BLOCK_WINDOWS * STRIDE).next_power_of_two();
/// Rows do not begin a power of two after one another, for they would share lines of the cache.
const ROW: usize = PLACES + 16;

/// Places by pattern, ascending.
#[derive(Default)]
pub(super) struct Candidates {
    /// A row for each pattern, made when first needed.
    places: Box<[[u32; ROW]]>,
    counts: [usize; PATTERNS],
    memory: simd::Memory,
}

impl std::fmt::Debug for Candidates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Candidates({} places)", self.counts.iter().sum::<usize>())
    }
}

/// The lists of candidates while they are filled.
struct Lists<'c> {
    places: &'c mut [[u32; ROW]; PATTERNS],
    counts: &'c mut [usize; PATTERNS],
}

impl Sink for Lists<'_> {
    /// A place is written and counted only if it is there, without a branch: whether there is one
    /// cannot be foreseen. No pattern has a bit before the text.
    #[inline(always)]
    fn put(&mut self, pattern: usize, place: usize, lanes: &[u64; LANES]) {
        let row = &mut self.places[pattern];
        let count = self.counts[pattern];
        let (mut next, mut more) = (count, 0);
        let mut at = (place as u32).wrapping_sub(LOOK_BACK as u32);
        for bits in lanes {
            row[next % PLACES] = at.wrapping_add(bits.trailing_zeros());
            next += usize::from(*bits != 0);
            more |= bits & bits.wrapping_sub(1);
            at = at.wrapping_add(STRIDE as u32);
        }
        self.counts[pattern] = if more == 0 { next } else { put_all(row, count, place, lanes) };
    }
}

/// As [`Lists::put`], for windows with more than one place.
#[inline(never)]
fn put_all(row: &mut [u32; ROW], mut count: usize, place: usize, lanes: &[u64; LANES]) -> usize {
    let mut at = (place as u32).wrapping_sub(LOOK_BACK as u32);
    for bits in lanes {
        let mut bits = *bits;
        for _ in 0..2 {
            row[count % PLACES] = at.wrapping_add(bits.trailing_zeros());
            count += usize::from(bits != 0);
            bits &= bits.wrapping_sub(1);
        }
        while bits != 0 {
            row[count % PLACES] = at.wrapping_add(bits.trailing_zeros());
            count += 1;
            bits &= bits - 1;
        }
        at = at.wrapping_add(STRIDE as u32);
    }
    count
}

impl Candidates {
    /// The places of one pattern.
    #[inline]
    pub(super) fn of(&self, pattern: Pattern) -> &[u32] {
        let pattern = pattern as usize;
        self.places.get(pattern).map_or(&[], |row| &row[..self.counts[pattern]])
    }

    fn clear(&mut self) {
        if self.places.is_empty() {
            self.places = vec![[0; ROW]; PATTERNS].into_boxed_slice();
        }
        self.counts = [0; PATTERNS];
    }

    /// Replaces the candidates by those of the windows `from..to` of `text`, a block at most.
    pub(super) fn find(&mut self, kernel: Kernel, text: &[u8], from: usize, to: usize) {
        debug_assert!(to - from <= BLOCK_WINDOWS, "a block has {BLOCK_WINDOWS} windows at most");
        self.clear();
        let Ok(places) = <&mut [[u32; ROW]; PATTERNS]>::try_from(&mut *self.places) else { return };
        let mut lists = Lists { places, counts: &mut self.counts };
        simd::find(kernel, text, from, to, &mut self.memory, &mut lists);
    }

    /// Makes every place that belongs to the windows `from..to` of a text of `len` bytes a candidate
    /// of every pattern, to test the gates.
    pub(super) fn everywhere(&mut self, len: usize, from: usize, to: usize) {
        let start = (from * STRIDE).min(len);
        let end = (to * STRIDE).min(len);
        self.clear();
        for (row, count) in self.places.iter_mut().zip(&mut self.counts) {
            *count = end - start;
            for (place, at) in row.iter_mut().zip(start..end) {
                *place = at as u32;
            }
        }
    }
}
