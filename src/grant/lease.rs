//! Using a grant: checked at every granule, debited before anything is served.

use std::time::Duration;

use rusqlite::OptionalExtension;
use rusqlite::params;

use super::error::GrantError;
use super::error::Refusal;
use super::state::Standing;
use super::state::State;
use super::state::Verdict;
use super::store;
use super::store::GrantStore;
use crate::id::ActorId;
use crate::id::GrantId;
use crate::id::PlanDigest;
use crate::time::Clock;
use crate::time::Moment;
use crate::units::Bytes;

/// Bytes that a lease debits at a time: what a killed call can lose. Its commit took 4 to 5 ms
/// (2026-12-01, two shared cores), so that eight of them a second, at 1 GiB/s, take some 4 %.
pub const LEASE_BYTES: Bytes = Bytes::kib(128 * 1024);

/// Who uses which grant for which plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The grant.
    pub grant: GrantId,
    /// Who.
    pub actor: ActorId,
    /// For what.
    pub plan: PlanDigest,
}

/// Proof that a grant allowed its use a moment ago. Good for one granule.
#[derive(Debug)]
#[must_use = "a permit is what a granule is served under"]
pub struct Permit {
    used: Use,
    left: Duration,
}

/// Bytes debited from a grant and not served yet.
///
/// Dropped without [`GrantStore::settle`], its bytes are lost.
#[derive(Debug)]
#[must_use = "what is left of a lease is lost unless it is settled"]
pub struct Lease {
    id: i64,
    grant: GrantId,
    bytes: Bytes,
    served: Bytes,
}

impl Permit {
    /// What it permits.
    pub fn used(&self) -> Use {
        self.used
    }

    /// Time until the grant ends.
    pub fn time_left(&self) -> Duration {
        self.left
    }
}

impl Lease {
    /// The grant it belongs to.
    pub fn grant(&self) -> GrantId {
        self.grant
    }

    /// Bytes not served yet.
    pub fn left(&self) -> Bytes {
        Bytes::new(self.bytes.get().saturating_sub(self.served.get()))
    }

    /// Takes a granule's bytes, to be served under its permit.
    ///
    /// # Errors
    ///
    /// [`Refusal::LeaseShort`] when it holds less, [`Refusal::OtherPlan`] when the permit is for
    /// another grant; nothing is taken then.
    #[expect(clippy::needless_pass_by_value, reason = "a permit is good for one granule")]
    pub fn serve(&mut self, permit: Permit, bytes: Bytes) -> Result<(), GrantError> {
        let Permit { used, .. } = permit;
        if used.grant != self.grant {
            return Err(GrantError::Refused(self.grant, Refusal::OtherPlan));
        }
        let left = self.left();
        match self.served.checked_add(bytes) {
            Some(served) if served <= self.bytes => {
                self.served = served;
                Ok(())
            }
            _ => Err(GrantError::Refused(self.grant, Refusal::LeaseShort { left, asked: bytes })),
        }
    }
}

impl GrantStore {
    /// Asks the store whether a grant allows its use now. To be asked before every granule.
    ///
    /// # Errors
    ///
    /// [`GrantError::Refused`] with the reason, and others when the store cannot be read.
    pub fn check(&self, used: &Use, clock: &dyn Clock) -> Result<Permit, GrantError> {
        // Asked a thousand times a second, and always the same.
        let read = self.connection.prepare_cached(store::SELECT_STANDING).and_then(|mut select| {
            select.query_row(params![used.grant.to_string()], |row| Ok(Checked::read(row)))
        });
        let read = read.optional().map_err(|error| self.sql(error))?;
        read.ok_or(GrantError::Missing(used.grant))??.permit(used, &clock.moment())
    }

    /// Debits bytes from a grant, durably: `least` bytes or, where that is more, [`LEASE_BYTES`] as
    /// far as the grant has them.
    ///
    /// # Errors
    ///
    /// [`Refusal::UsedUp`] when the grant has less than `least`, and all of [`GrantStore::check`].
    pub fn lease(
        &mut self,
        permit: &Permit,
        least: Bytes,
        clock: &dyn Clock,
    ) -> Result<Lease, GrantError> {
        let used = permit.used;
        let grant = used.grant;
        let now = clock.moment();
        self.write("lease", |writing| {
            let read = writing.transaction.query_row(
                store::SELECT_STANDING,
                params![grant.to_string()],
                |row| Ok(Checked::read(row)),
            );
            let read = read.optional().map_err(|error| writing.sql(error))?;
            let checked = read.ok_or(GrantError::Missing(grant))??;
            let left = checked.left();
            drop(checked.permit(&used, &now)?);
            let asked = least.max(Bytes::new(1));
            if left < asked {
                return Err(GrantError::Refused(grant, Refusal::UsedUp { left, asked }));
            }
            let bytes = asked.max(LEASE_BYTES.min(left));
            let column = i64::try_from(bytes.get()).map_err(|_| GrantError::Damaged("bytes"))?;
            writing.execute(
                "UPDATE grants SET bytes_used = bytes_used + ?2 WHERE id = ?1",
                params![grant.to_string(), column],
            )?;
            writing.execute(
                "INSERT INTO leases (grant_id, bytes, wall_s) VALUES (?1, ?2, ?3)",
                params![grant.to_string(), column, store::column_s(now.wall)],
            )?;
            let id = writing.transaction.last_insert_rowid();
            Ok(Lease { id, grant, bytes, served: Bytes::new(0) })
        })
    }

    /// Gives back what a lease holds and says how much that was.
    ///
    /// # Errors
    ///
    /// [`GrantError`] when the store cannot be written; the bytes are lost then.
    #[expect(clippy::needless_pass_by_value, reason = "a lease is settled once")]
    pub fn settle(&mut self, lease: Lease) -> Result<Bytes, GrantError> {
        let left = lease.left();
        let Lease { id, grant, .. } = lease;
        self.write("settle", |writing| {
            let gone = writing.execute("DELETE FROM leases WHERE id = ?1", params![id])?;
            if gone != 1 {
                return Err(GrantError::Damaged("a lease is not there any more"));
            }
            let column = i64::try_from(left.get()).map_err(|_| GrantError::Damaged("bytes"))?;
            writing.execute(
                "UPDATE grants SET bytes_used = bytes_used - ?2 WHERE id = ?1",
                params![grant.to_string(), column],
            )?;
            Ok(left)
        })
    }
}

/// What a check reads.
struct Checked {
    requester: ActorId,
    plan: PlanDigest,
    standing: Standing,
    needed: u8,
    approvals: u8,
}

impl Checked {
    fn read(row: &rusqlite::Row<'_>) -> Result<Checked, GrantError> {
        let small = |column| row.get(column).map_err(|_| GrantError::Damaged("number"));
        Ok(Checked {
            requester: ActorId::of_uid(row.get(0).map_err(|_| GrantError::Damaged("requester"))?),
            plan: store::text(row, 1)?.parse().map_err(|_| GrantError::Damaged("plan digest"))?,
            standing: Standing {
                verdict: Verdict::read(&store::text(row, 5)?)
                    .ok_or(GrantError::Damaged("verdict"))?,
                bytes: store::bytes(row, 2)?,
                used: store::bytes(row, 3)?,
                leased: store::bytes(row, 12)?,
                lifetime: Duration::from_millis(store::bytes(row, 4)?.get()),
                requested: store::moment(row, 6)?.ok_or(GrantError::Damaged("requested"))?,
                started: store::moment(row, 9)?,
            },
            needed: small(13)?,
            approvals: small(14)?,
        })
    }

    fn left(&self) -> Bytes {
        let (bytes, used) = (self.standing.bytes.get(), self.standing.used.get());
        Bytes::new(bytes.saturating_sub(used))
    }

    fn permit(self, used: &Use, now: &Moment) -> Result<Permit, GrantError> {
        let refuse = |refusal| Err(GrantError::Refused(used.grant, refusal));
        if self.requester != used.actor {
            return refuse(Refusal::OtherActor);
        }
        if self.plan != used.plan {
            return refuse(Refusal::OtherPlan);
        }
        match self.standing.state(now) {
            State::Approved => {}
            State::Requested => {
                let (approvals, needed) = (self.approvals, self.needed);
                return refuse(Refusal::NotApproved { approvals, needed });
            }
            State::Denied => return refuse(Refusal::Denied),
            State::Revoked => return refuse(Refusal::Revoked),
            State::Expired => return refuse(Refusal::Expired),
            State::Rebooted => return refuse(Refusal::Rebooted),
            State::UsedUp => {
                return refuse(Refusal::UsedUp { left: self.left(), asked: Bytes::new(1) });
            }
        }
        match self.standing.left(now) {
            Some(left) => Ok(Permit { used: *used, left }),
            None => refuse(Refusal::Expired),
        }
    }
}
