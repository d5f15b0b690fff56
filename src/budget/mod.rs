//! Byte budgets: nothing is read before its bytes are reserved.
//!
//! A [`Budget`] limits what is in memory at one time: its reservations give everything back when
//! they are dropped. A [`Quota`] limits what is read altogether, by a call, a grant, a day: its
//! rations give back only what was not read.
//!
//! # Promise
//! The sum of live reservations, and the sum of what was read and may still be read, never exceed
//! their limit, also between two instructions.
//!
//! # Not here
//! How many bytes a plan needs (`plan`), what they cost (`cost`), and who may spend them (`grant`).

mod quota;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use crate::units::Bytes;

pub use quota::Quota;
pub use quota::Ration;

/// A shared limit on bytes held at one time.
#[derive(Clone, Debug)]
pub struct Budget {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    held: AtomicU64,
    limit: Bytes,
}

/// Bytes held against a [`Budget`]; dropping it gives them back.
#[must_use = "dropping a reservation gives its bytes back"]
#[derive(Debug)]
pub struct Reservation {
    inner: Arc<Inner>,
    held: Bytes,
}

/// The budget cannot cover the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverBudget {
    /// What was asked for.
    pub asked: Bytes,
    /// What was held when it was asked.
    pub held: Bytes,
    /// The budget's limit.
    pub limit: Bytes,
}

impl fmt::Display for OverBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "asked for {}, {} of {} already held", self.asked, self.held, self.limit)
    }
}

impl std::error::Error for OverBudget {}

impl Budget {
    /// A budget of `limit` bytes, none of them held.
    pub fn new(limit: Bytes) -> Budget {
        Budget { inner: Arc::new(Inner { held: AtomicU64::new(0), limit }) }
    }

    /// Holds `asked` bytes until the reservation is dropped.
    ///
    /// # Errors
    ///
    /// [`OverBudget`] when the sum would pass the limit; the budget is then unchanged.
    pub fn reserve(&self, asked: Bytes) -> Result<Reservation, OverBudget> {
        match self.inner.take(asked) {
            Ok(()) => Ok(Reservation { inner: Arc::clone(&self.inner), held: asked }),
            Err(held) => Err(OverBudget { asked, held, limit: self.inner.limit }),
        }
    }

    /// The bytes held now.
    pub fn held(&self) -> Bytes {
        Bytes::new(self.inner.held.load(Ordering::Acquire))
    }
}

impl Inner {
    /// Adds to what is held, or says how much that is.
    fn take(&self, asked: Bytes) -> Result<(), Bytes> {
        let grown = self.held.try_update(Ordering::AcqRel, Ordering::Acquire, |held| {
            let sum = Bytes::new(held).checked_add(asked)?;
            (sum <= self.limit).then_some(sum.get())
        });
        grown.map(drop).map_err(Bytes::new)
    }

    fn give_back(&self, bytes: u64) {
        self.held.fetch_sub(bytes, Ordering::AcqRel);
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.inner.give_back(self.held.get());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reservation_gives_back_when_it_is_dropped() {
        let budget = Budget::new(Bytes::kib(2));
        let one = budget.reserve(Bytes::kib(1)).unwrap();
        let refused = budget.reserve(Bytes::kib(2)).unwrap_err();
        assert_eq!(refused.to_string(), "asked for 2 KiB, 1 KiB of 2 KiB already held");
        let two = budget.reserve(Bytes::kib(1)).unwrap();
        drop(one);
        assert_eq!(budget.held(), Bytes::kib(1));
        drop(two);
        assert_eq!(budget.held(), Bytes::new(0));
        assert!(budget.reserve(Bytes::new(u64::MAX)).is_err());
    }

    /// Shown to bite by leaving the comparison out.
    #[test]
    fn many_threads_together_stay_below_the_limit() {
        let budget = Budget::new(Bytes::new(10));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..2_000 {
                        let held = budget.reserve(Bytes::new(4));
                        std::thread::yield_now();
                        assert!(budget.held() <= Bytes::new(10));
                        drop(held);
                    }
                });
            }
        });
        assert_eq!(budget.held(), Bytes::new(0));
    }
}
