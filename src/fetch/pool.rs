//! Memory that is used again: asking the system for a mebibyte costs as much as parsing one.

use std::sync::Mutex;

use crate::units::Bytes;

/// Larger pieces are not kept: one dense granule must not cost memory for the rest of the call.
const KEPT_BYTES_MAX: Bytes = Bytes::kib(4 * 1024);

/// Empty memory that was given back.
#[derive(Debug)]
pub(super) struct Pool {
    free: Mutex<Vec<Vec<u8>>>,
    pieces_max: usize,
}

impl Pool {
    /// A pool that keeps so many pieces.
    pub(super) fn new(pieces_max: usize) -> Pool {
        Pool { free: Mutex::new(Vec::new()), pieces_max }
    }

    /// A piece that was given back, or a new one; empty.
    pub(super) fn take(&self) -> Vec<u8> {
        self.free.lock().ok().and_then(|mut free| free.pop()).unwrap_or_default()
    }

    /// Gives a piece back.
    pub(super) fn give(&self, mut piece: Vec<u8>) {
        piece.clear();
        if let Ok(mut free) = self.free.lock()
            && free.len() < self.pieces_max
            && piece.capacity() <= KEPT_BYTES_MAX.as_len()
        {
            free.push(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_back_is_empty_and_bounded() {
        let pool = Pool::new(1);
        pool.give(vec![1; 100]);
        pool.give(vec![2; 100]);
        pool.give(vec![3; KEPT_BYTES_MAX.as_len() + 1]);
        let piece = pool.take();
        assert!(piece.is_empty() && piece.capacity() >= 100);
        assert_eq!(pool.take().capacity(), 0);
    }
}
