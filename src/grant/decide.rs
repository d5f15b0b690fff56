//! Asking, and deciding about what was asked.

use rusqlite::params;

use super::error::APPROVERS_RANGE;
use super::error::GrantError;
use super::error::Refusal;
use super::request::APPROVERS_MAX;
use super::request::Mode;
use super::request::Request;
use super::state::Decision;
use super::state::Grant;
use super::state::State;
use super::state::Verdict;
use super::store::GrantStore;
use super::store::Writing;
use super::store::column_ms;
use super::store::column_s;
use crate::id::ActorId;
use crate::id::GrantId;
use crate::time::Clock;
use crate::time::Moment;
use crate::units::Bytes;

/// Requests that one user may have waiting: more is a script that runs wild.
const WAITING_MAX: u64 = 64;
/// Broken glasses that one user may have unreviewed: an incident needs one or two.
const UNREVIEWED_MAX: u64 = 3;
/// Grants that the store keeps; the oldest ones that have ended go first. The trail keeps them all.
const KEPT_MAX: u64 = 10_000;

impl GrantStore {
    /// Asks for a grant.
    ///
    /// # Errors
    ///
    /// [`GrantError`] when the request is out of its limits or the store cannot be written.
    pub fn request(&mut self, request: &Request, clock: &dyn Clock) -> Result<Grant, GrantError> {
        check_request(request)?;
        let mut bytes = [0; GrantId::BYTES];
        getrandom::fill(&mut bytes).map_err(GrantError::NoRandom)?;
        let id = GrantId::from_bytes(bytes);
        let now = clock.moment();
        self.write("request", |writing| {
            limit_open(writing, request, &now)?;
            drop_oldest(writing, &now)?;
            insert(writing, id, request, &now)
        })?;
        self.find(id, clock)
    }

    /// Adds an approval; the last one that is needed begins the grant.
    ///
    /// # Errors
    ///
    /// [`Refusal::OwnRequest`], [`Refusal::DecidedAlready`], or what stands against approving it.
    pub fn approve(
        &mut self,
        id: GrantId,
        actor: ActorId,
        clock: &dyn Clock,
    ) -> Result<Grant, GrantError> {
        self.decide("approve", id, actor, Decision::Approve, clock)
    }

    /// Ends a request: one denial is enough.
    ///
    /// # Errors
    ///
    /// [`Refusal::OwnRequest`] (the requester revokes it), or what stands against it.
    pub fn deny(
        &mut self,
        id: GrantId,
        actor: ActorId,
        clock: &dyn Clock,
    ) -> Result<Grant, GrantError> {
        self.decide("deny", id, actor, Decision::Deny, clock)
    }

    /// Ends a request or a grant, now. Anybody may: it is the safe direction.
    ///
    /// # Errors
    ///
    /// [`Refusal`] when it has ended already.
    pub fn revoke(
        &mut self,
        id: GrantId,
        actor: ActorId,
        clock: &dyn Clock,
    ) -> Result<Grant, GrantError> {
        self.decide("revoke", id, actor, Decision::Revoke, clock)
    }

    /// Notes that somebody has looked at a broken glass.
    ///
    /// # Errors
    ///
    /// [`Refusal::NothingToReview`], [`Refusal::OwnRequest`], [`Refusal::DecidedAlready`].
    pub fn review(
        &mut self,
        id: GrantId,
        actor: ActorId,
        clock: &dyn Clock,
    ) -> Result<Grant, GrantError> {
        self.decide("review", id, actor, Decision::Review, clock)
    }

    /// Makes a grant the one that its requester's calls take when none is named.
    ///
    /// # Errors
    ///
    /// [`Refusal`] when the grant cannot be used by `actor` now.
    pub fn choose(
        &mut self,
        id: GrantId,
        actor: ActorId,
        clock: &dyn Clock,
    ) -> Result<Grant, GrantError> {
        let grant = self.find(id, clock)?;
        if grant.requester != actor {
            return Err(GrantError::Refused(id, Refusal::OtherActor));
        }
        if let Some(refusal) = grant.refusal() {
            return Err(GrantError::Refused(id, refusal));
        }
        self.write("choose", |writing| {
            writing.execute(
                "INSERT INTO chosen (actor, grant_id) VALUES (?1, ?2) \
                 ON CONFLICT (actor) DO UPDATE SET grant_id = excluded.grant_id",
                params![actor.uid(), id.to_string()],
            )
        })?;
        Ok(grant)
    }

    /// The grant that a user has chosen.
    ///
    /// # Errors
    ///
    /// [`GrantError`] when the store cannot be read.
    pub fn chosen(&self, actor: ActorId) -> Result<Option<GrantId>, GrantError> {
        let mut statement = self
            .connection
            .prepare("SELECT grant_id FROM chosen WHERE actor = ?1")
            .map_err(|error| self.sql(error))?;
        let mut rows = statement.query(params![actor.uid()]).map_err(|error| self.sql(error))?;
        let Some(row) = rows.next().map_err(|error| self.sql(error))? else { return Ok(None) };
        let id = super::store::text(row, 0)?;
        id.parse().map(Some).map_err(|_| GrantError::Damaged("chosen grant"))
    }

    fn decide(
        &mut self,
        name: &str,
        id: GrantId,
        actor: ActorId,
        decision: Decision,
        clock: &dyn Clock,
    ) -> Result<Grant, GrantError> {
        let now = clock.moment();
        self.write(name, |writing| {
            let grant = writing.find(id, &now)?;
            if let Some(refusal) = stands_against(&grant, actor, decision) {
                return Err(GrantError::Refused(id, refusal));
            }
            let added = writing.execute(
                "INSERT INTO decisions (grant_id, actor, decision, wall_s) \
                 VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
                params![id.to_string(), actor.uid(), decision.word(), column_s(now.wall)],
            )?;
            if added == 0 {
                return Err(GrantError::Refused(id, Refusal::DecidedAlready));
            }
            match decision {
                Decision::Approve => begin_when_enough(writing, &grant, &now),
                Decision::Deny => set_verdict(writing, id, Verdict::Denied),
                Decision::Revoke => set_verdict(writing, id, Verdict::Revoked),
                Decision::Review => Ok(()),
            }
        })?;
        self.find(id, clock)
    }
}

/// Why `actor` cannot decide so; none when they can.
fn stands_against(grant: &Grant, actor: ActorId, decision: Decision) -> Option<Refusal> {
    let own = grant.requester == actor;
    match decision {
        Decision::Approve | Decision::Deny if own => Some(Refusal::OwnRequest),
        Decision::Approve | Decision::Deny => match grant.state {
            State::Requested => None,
            State::Approved | State::UsedUp => Some(Refusal::Decided),
            State::Denied | State::Revoked | State::Expired | State::Rebooted => grant.refusal(),
        },
        Decision::Revoke => match grant.state {
            State::Requested | State::Approved | State::UsedUp => None,
            State::Denied | State::Revoked | State::Expired | State::Rebooted => grant.refusal(),
        },
        Decision::Review if grant.mode != Mode::BreakGlass => Some(Refusal::NothingToReview),
        Decision::Review if own => Some(Refusal::OwnRequest),
        Decision::Review => None,
    }
}

fn begin_when_enough(writing: &Writing<'_>, grant: &Grant, now: &Moment) -> Result<(), GrantError> {
    let approvals = writing.number(
        "SELECT count(*) FROM decisions WHERE grant_id = ?1 AND decision = 'approve'",
        params![grant.id.to_string()],
    )?;
    if approvals < i64::from(grant.approvers) {
        return Ok(());
    }
    writing.execute(
        "UPDATE grants SET verdict = 'approved', started_boot = ?2, started_ms = ?3, \
         started_wall_s = ?4 WHERE id = ?1",
        params![
            grant.id.to_string(),
            now.boot.map(|boot| boot.to_string()),
            column_ms(now.since_boot),
            column_s(now.wall)
        ],
    )?;
    Ok(())
}

fn set_verdict(writing: &Writing<'_>, id: GrantId, verdict: Verdict) -> Result<(), GrantError> {
    writing.execute(
        "UPDATE grants SET verdict = ?2 WHERE id = ?1",
        params![id.to_string(), verdict.word()],
    )?;
    Ok(())
}

fn check_request(request: &Request) -> Result<(), GrantError> {
    let problem = if request.reason.is_empty() {
        "needs a reason: say why, and the ticket if there is one"
    } else if request.approvers == 0 || request.approvers > APPROVERS_MAX {
        APPROVERS_RANGE
    } else if request.bytes == Bytes::new(0) {
        "is for 0 B, expected at least 1 B"
    } else if i64::try_from(request.bytes.get()).is_err() {
        "is for more bytes than the store can count, expected less than 8 EiB"
    } else if request.granted_lifetime().as_millis() == 0 {
        "has a lifetime of 0, expected at least a second"
    } else {
        return Ok(());
    };
    Err(GrantError::Request(problem))
}

fn limit_open(writing: &Writing<'_>, request: &Request, now: &Moment) -> Result<(), GrantError> {
    let boot = now.boot.map(|boot| boot.to_string());
    let (what, limit, open) = match request.mode {
        Mode::Approved => (
            "requests of one user may wait for a decision: revoke one of them",
            WAITING_MAX,
            writing.number(
                "SELECT count(*) FROM grants WHERE requester = ?1 AND verdict = 'pending' \
                 AND requested_boot IS ?2 AND requested_ms > ?3",
                params![
                    request.requester.uid(),
                    boot,
                    column_ms(now.since_boot) - column_ms(super::REQUEST_LIFETIME)
                ],
            )?,
        ),
        Mode::BreakGlass => (
            "broken glasses of one user may wait for a review: ask somebody to review them",
            UNREVIEWED_MAX,
            writing.number(
                "SELECT count(*) FROM grants WHERE requester = ?1 AND mode = 'break-glass' \
                 AND NOT EXISTS (SELECT 1 FROM decisions WHERE grant_id = grants.id \
                 AND decision = 'review')",
                params![request.requester.uid()],
            )?,
        ),
    };
    if u64::try_from(open).unwrap_or(u64::MAX) >= limit {
        return Err(GrantError::TooMany { what, limit });
    }
    Ok(())
}

/// Makes room for one more grant where the store is full.
fn drop_oldest(writing: &Writing<'_>, now: &Moment) -> Result<(), GrantError> {
    let kept = writing.number("SELECT count(*) FROM grants", ())?;
    if u64::try_from(kept).unwrap_or(u64::MAX) < KEPT_MAX {
        return Ok(());
    }
    // What can still be used or decided, or waits for a review, stays.
    let ended =
        column_ms(now.since_boot) - column_ms(super::REQUEST_LIFETIME.max(super::LIFETIME_MAX));
    let gone = writing.execute(
        "DELETE FROM grants WHERE id IN (SELECT id FROM grants WHERE \
         (verdict IN ('denied', 'revoked') OR requested_boot IS NOT ?1 \
          OR coalesce(started_ms, requested_ms) < ?2) \
         AND NOT (mode = 'break-glass' AND NOT EXISTS (SELECT 1 FROM decisions \
          WHERE grant_id = grants.id AND decision = 'review')) \
         ORDER BY requested_wall_s LIMIT 1)",
        params![now.boot.map(|boot| boot.to_string()), ended],
    )?;
    if gone == 0 {
        return Err(GrantError::TooMany {
            what: "grants are kept, and none has ended",
            limit: KEPT_MAX,
        });
    }
    Ok(())
}

fn insert(
    writing: &Writing<'_>,
    id: GrantId,
    request: &Request,
    now: &Moment,
) -> Result<(), GrantError> {
    let plan = serde_json::to_string(&request.summary)
        .map_err(|_| GrantError::Request("has a plan that cannot be written"))?;
    let bytes = i64::try_from(request.bytes.get()).unwrap_or(i64::MAX);
    let (boot, since_boot, wall) =
        (now.boot.map(|boot| boot.to_string()), column_ms(now.since_boot), column_s(now.wall));
    let begun = request.mode == Mode::BreakGlass;
    let verdict = if begun { Verdict::Approved } else { Verdict::Pending };
    writing.execute(
        "INSERT INTO grants (id, requester, reason, ticket, plan_digest, plan, bytes_max, \
         lifetime_ms, approvers_needed, mode, verdict, requested_boot, requested_ms, \
         requested_wall_s, started_boot, started_ms, started_wall_s) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
        params![
            id.to_string(),
            request.requester.uid(),
            request.reason.as_str(),
            request.ticket.as_ref().map(crate::mask::Note::as_str),
            request.plan.to_string(),
            plan,
            bytes,
            column_ms(request.granted_lifetime()),
            request.approvers,
            request.mode.word(),
            verdict.word(),
            boot,
            since_boot,
            wall,
            boot.as_ref().filter(|_| begun),
            begun.then_some(since_boot),
            begun.then_some(wall),
        ],
    )?;
    Ok(())
}
