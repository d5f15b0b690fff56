//! Bytes that may be read altogether.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use super::Inner;
use super::OverBudget;
use crate::units::Bytes;

/// A shared limit on bytes read: what was read is gone for good.
#[derive(Clone, Debug)]
pub struct Quota {
    inner: Arc<Inner>,
}

/// Bytes set aside for one read; dropping it gives back what was not read.
#[must_use = "dropping a ration gives its unread bytes back"]
#[derive(Debug)]
pub struct Ration {
    inner: Arc<Inner>,
    unread: Bytes,
}

impl Quota {
    /// A quota of `limit` bytes, none of them read.
    pub fn new(limit: Bytes) -> Quota {
        Quota { inner: Arc::new(Inner { held: AtomicU64::new(0), limit }) }
    }

    /// Sets `asked` bytes aside for a read.
    ///
    /// # Errors
    ///
    /// [`OverBudget`] when less is left; the quota is then unchanged.
    pub fn set_aside(&self, asked: Bytes) -> Result<Ration, OverBudget> {
        match self.inner.take(asked) {
            Ok(()) => Ok(Ration { inner: Arc::clone(&self.inner), unread: asked }),
            Err(held) => Err(OverBudget { asked, held, limit: self.inner.limit }),
        }
    }

    /// Bytes read, or set aside to be read.
    pub fn spent(&self) -> Bytes {
        Bytes::new(self.inner.held.load(Ordering::Acquire))
    }

    /// The limit.
    pub fn limit(&self) -> Bytes {
        self.inner.limit
    }

    /// Bytes that can still be set aside.
    pub fn left(&self) -> Bytes {
        Bytes::new(self.inner.limit.get().saturating_sub(self.spent().get()))
    }
}

impl Ration {
    /// Notes that bytes of it were read. Reading more than was set aside counts as all of it:
    /// whoever reads asks for no more than [`left`](Ration::left).
    pub fn read(&mut self, bytes: Bytes) {
        self.unread = Bytes::new(self.unread.get().saturating_sub(bytes.get()));
    }

    /// Bytes of it that were not read yet.
    pub fn left(&self) -> Bytes {
        self.unread
    }
}

impl Drop for Ration {
    fn drop(&mut self) {
        self.inner.give_back(self.unread.get());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shown to bite by giving back all that was set aside.
    #[test]
    fn only_what_was_not_read_comes_back() {
        let quota = Quota::new(Bytes::new(100));
        let mut ration = quota.set_aside(Bytes::new(60)).unwrap();
        assert!(quota.set_aside(Bytes::new(41)).is_err());
        ration.read(Bytes::new(45));
        assert_eq!(ration.left(), Bytes::new(15));
        drop(ration);
        assert_eq!((quota.spent(), quota.left()), (Bytes::new(45), Bytes::new(55)));
        drop(quota.set_aside(Bytes::new(55)).unwrap());
        assert!(quota.set_aside(Bytes::new(56)).is_err());
    }
}
