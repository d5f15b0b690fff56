//! What must let a granule pass before it is read.

use std::fmt;

use crate::grant::GrantError;
use crate::grant::GrantStore;
use crate::grant::Lease;
use crate::grant::Permit;
use crate::grant::Refusal;
use crate::grant::Use;
use crate::time::Clock;
use crate::units::Bytes;

/// Lets granules pass, one after the other.
pub trait Gate: Send {
    /// Asks for a granule of at most `most` bytes, before it is read.
    ///
    /// # Errors
    ///
    /// [`GateError`] when it may not be read; nothing is read after that.
    fn open(&mut self, most: Bytes) -> Result<(), GateError>;

    /// Takes the bytes of a granule that was read, before it is served.
    ///
    /// # Errors
    ///
    /// [`GateError`] when it may not be served.
    fn take(&mut self, bytes: Bytes) -> Result<(), GateError>;

    /// Gives back what was set aside and not taken.
    ///
    /// # Errors
    ///
    /// [`GateError`] when that cannot be noted.
    fn close(&mut self) -> Result<(), GateError>;
}

/// A granule may not be read or served.
#[derive(Debug)]
pub enum GateError {
    /// The grant, or its store, does not allow it.
    Grant(GrantError),
    /// A granule was taken that nobody had asked for.
    NotOpen,
}

/// Lets everything pass: a call for which the profile asks for no approval.
#[derive(Clone, Copy, Debug)]
pub struct Unapproved;

/// Asks the grant for each granule.
#[derive(Debug)]
pub struct Granted<'c> {
    store: GrantStore,
    used: Use,
    clock: &'c dyn Clock,
    lease: Option<Lease>,
    permit: Option<Permit>,
    /// What the grant said when nothing was left of it.
    empty: Option<GrantError>,
}

impl Gate for Unapproved {
    fn open(&mut self, _most: Bytes) -> Result<(), GateError> {
        Ok(())
    }

    fn take(&mut self, _bytes: Bytes) -> Result<(), GateError> {
        Ok(())
    }

    fn close(&mut self) -> Result<(), GateError> {
        Ok(())
    }
}

impl<'c> Granted<'c> {
    /// A gate that asks `store` about `used`.
    pub fn new(store: GrantStore, used: Use, clock: &'c dyn Clock) -> Granted<'c> {
        Granted { store, used, clock, lease: None, permit: None, empty: None }
    }

    /// Debits at least `most` bytes, or what is left where that is less: what a granule really has
    /// shows when it is read.
    fn renew(&mut self, permit: &Permit, most: Bytes) -> Result<Lease, GateError> {
        if let Some(old) = self.lease.take() {
            self.store.settle(old)?;
        }
        match self.store.lease(permit, most, self.clock) {
            Err(GrantError::Refused(_, Refusal::UsedUp { left, .. })) if left > Bytes::new(0) => {
                Ok(self.store.lease(permit, left, self.clock)?)
            }
            other => Ok(other?),
        }
    }
}

impl Granted<'_> {
    /// Has the grant's permit and a lease for a granule.
    fn ready(&mut self, most: Bytes) -> Result<(), GateError> {
        let permit = self.store.check(&self.used, self.clock)?;
        if self.lease.as_ref().is_none_or(|lease| lease.left() < most) {
            self.lease = Some(self.renew(&permit, most)?);
        }
        self.permit = Some(permit);
        Ok(())
    }
}

impl Gate for Granted<'_> {
    /// A grant that is used up opens too: the last granule of a plan may be without a byte, when its
    /// only line began in the one before. Whatever has bytes is refused when it is taken.
    fn open(&mut self, most: Bytes) -> Result<(), GateError> {
        self.permit = None;
        match self.ready(most) {
            Err(GateError::Grant(error @ GrantError::Refused(_, Refusal::UsedUp { left, .. })))
                if left == Bytes::new(0) =>
            {
                self.empty = Some(error);
                Ok(())
            }
            other => other,
        }
    }

    fn take(&mut self, bytes: Bytes) -> Result<(), GateError> {
        if let Some(error) = self.empty.take() {
            let nothing = bytes == Bytes::new(0);
            return if nothing { Ok(()) } else { Err(error.into()) };
        }
        let (Some(permit), Some(lease)) = (self.permit.take(), self.lease.as_mut()) else {
            return Err(GateError::NotOpen);
        };
        Ok(lease.serve(permit, bytes)?)
    }

    fn close(&mut self) -> Result<(), GateError> {
        if let Some(lease) = self.lease.take() {
            self.store.settle(lease)?;
        }
        Ok(())
    }
}

impl From<GrantError> for GateError {
    fn from(error: GrantError) -> GateError {
        GateError::Grant(error)
    }
}

impl fmt::Display for GateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GateError::Grant(error) => error.fmt(f),
            GateError::NotOpen => f.write_str("a granule was taken that was not asked for"),
        }
    }
}

impl std::error::Error for GateError {}
