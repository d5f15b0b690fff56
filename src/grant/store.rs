//! The store: one SQLite file in the state directory, and how its rows are read.

use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::OptionalExtension;
use rusqlite::Row;
use rusqlite::Transaction;
use rusqlite::TransactionBehavior;
use rusqlite::params;

use super::error::GrantError;
use super::state::Approval;
use super::state::Decision;
use super::state::Grant;
use super::state::Standing;
use super::state::Verdict;
use crate::crash;
use crate::grant::Mode;
use crate::id::ActorId;
use crate::id::GrantId;
use crate::private;
use crate::private::Access;
use crate::time::Clock;
use crate::time::Moment;
use crate::units::Bytes;

/// The store's name in its folder.
const FILE: &str = "grants.sqlite";
/// How long a process waits for another one's transaction: each takes milliseconds, so that a wait
/// of this length means a process that hangs.
const BUSY_MAX: Duration = Duration::from_secs(10);
/// Pages of the log after which it is written back: 4 MiB, so that the log stays small.
const CHECKPOINT_PAGES: i64 = 1_000;
/// Most grants that a listing shows, newest first.
pub(super) const LISTED_MAX: u32 = 1_000;

/// The schema, step by step: what was released is never edited.
const MIGRATIONS: &[&str] = &[include_str!("schema_1.sql")];

/// Grants in a file. One for each thread; any number of processes may have it open.
#[derive(Debug)]
pub struct GrantStore {
    pub(super) connection: Connection,
    path: PathBuf,
}

impl GrantStore {
    /// Opens the store of a state directory, made on first use.
    ///
    /// # Errors
    ///
    /// [`GrantError`] when the folder or the file lets others in, when it is no store, and when it was
    /// made by a newer program.
    pub fn open(state_dir: &Path) -> Result<GrantStore, GrantError> {
        private::folder(state_dir)?;
        let path = state_dir.join(FILE);
        // SQLite gives its other files the mode and the owner of this one.
        drop(private::open(&path, Access::Write)?);
        let sql = |error| GrantError::Store(path.clone(), error);
        let connection = Connection::open(&path).map_err(sql)?;
        prepare(&connection).map_err(sql)?;
        let mut store = GrantStore { connection, path };
        store.migrate()?;
        Ok(store)
    }

    /// All grants, newest first, at most a thousand.
    ///
    /// # Errors
    ///
    /// [`GrantError`] when the store cannot be read.
    pub fn list(&self, clock: &dyn Clock) -> Result<Vec<Grant>, GrantError> {
        let now = clock.moment();
        let select = format!("{SELECT} ORDER BY requested_wall_s DESC, id LIMIT {LISTED_MAX}");
        let mut statement = self.connection.prepare(&select).map_err(|error| self.sql(error))?;
        let rows = statement.query_map((), |row| Ok(read_grant(row, &now)));
        let rows = rows.map_err(|error| self.sql(error))?;
        let mut grants = Vec::new();
        for row in rows {
            let mut grant = row.map_err(|error| self.sql(error))??;
            grant.approvals = self.approvals(grant.id)?;
            grants.push(grant);
        }
        Ok(grants)
    }

    /// One grant.
    ///
    /// # Errors
    ///
    /// [`GrantError::Missing`], and others when the store cannot be read.
    pub fn find(&self, id: GrantId, clock: &dyn Clock) -> Result<Grant, GrantError> {
        let now = clock.moment();
        let found = self.connection.query_row(
            &format!("{SELECT} WHERE id = ?1"),
            params![id.to_string()],
            |row| Ok(read_grant(row, &now)),
        );
        let mut grant =
            found.optional().map_err(|error| self.sql(error))?.ok_or(GrantError::Missing(id))??;
        grant.approvals = self.approvals(id)?;
        Ok(grant)
    }

    fn approvals(&self, id: GrantId) -> Result<Vec<Approval>, GrantError> {
        let sql = |error| self.sql(error);
        let mut statement = self
            .connection
            .prepare(
                "SELECT actor, decision, wall_s FROM decisions WHERE grant_id = ?1 \
                 ORDER BY wall_s, actor",
            )
            .map_err(sql)?;
        let rows = statement.query_map(params![id.to_string()], |row| {
            let (actor, word): (u32, String) = (row.get(0)?, row.get(1)?);
            Ok((actor, word, row.get::<_, i64>(2)?))
        });
        let mut approvals = Vec::new();
        for row in rows.map_err(sql)? {
            let (actor, word, wall_s) = row.map_err(sql)?;
            let decision = Decision::read(&word).ok_or(GrantError::Damaged("decision"))?;
            let wall = Duration::from_secs(u64::try_from(wall_s).unwrap_or(0));
            approvals.push(Approval { actor: ActorId::of_uid(actor), decision, wall });
        }
        Ok(approvals)
    }

    /// Does something in one transaction that no other writer can come between.
    ///
    /// `name` is that of the points where a test kills the process, before and after it counts.
    pub(super) fn write<T>(
        &mut self,
        name: &str,
        work: impl FnOnce(&Writing<'_>) -> Result<T, GrantError>,
    ) -> Result<T, GrantError> {
        let path = &self.path;
        let sql = |error| GrantError::Store(path.clone(), error);
        let begun = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let writing = Writing { transaction: begun.map_err(sql)?, path };
        let done = work(&writing)?;
        crash::point(&format!("grant.{name}.before"));
        writing.transaction.commit().map_err(sql)?;
        crash::point(&format!("grant.{name}.after"));
        Ok(done)
    }

    pub(super) fn sql(&self, error: rusqlite::Error) -> GrantError {
        GrantError::Store(self.path.clone(), error)
    }

    fn migrate(&mut self) -> Result<(), GrantError> {
        let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
        let version = |connection: &Connection| {
            connection.query_row("PRAGMA user_version", (), |row| row.get::<_, i64>(0))
        };
        if version(&self.connection).map_err(|error| self.sql(error))? == known {
            return Ok(());
        }
        self.write("migrate", |writing| {
            // Another process may have been faster.
            let found = version(&writing.transaction).map_err(|error| writing.sql(error))?;
            if found > known {
                return Err(GrantError::Newer { found, known });
            }
            let done = usize::try_from(found).unwrap_or(0);
            for step in MIGRATIONS.iter().skip(done) {
                writing.transaction.execute_batch(step).map_err(|error| writing.sql(error))?;
            }
            let set = format!("PRAGMA user_version = {known}");
            writing.transaction.execute_batch(&set).map_err(|error| writing.sql(error))
        })
    }
}

/// A transaction under way.
#[derive(Debug)]
pub(super) struct Writing<'s> {
    pub(super) transaction: Transaction<'s>,
    path: &'s Path,
}

impl Writing<'_> {
    pub(super) fn sql(&self, error: rusqlite::Error) -> GrantError {
        GrantError::Store(self.path.to_owned(), error)
    }

    pub(super) fn execute(
        &self,
        statement: &str,
        values: impl rusqlite::Params,
    ) -> Result<usize, GrantError> {
        self.transaction.execute(statement, values).map_err(|error| self.sql(error))
    }

    pub(super) fn number(
        &self,
        query: &str,
        values: impl rusqlite::Params,
    ) -> Result<i64, GrantError> {
        let found = self.transaction.query_row(query, values, |row| row.get(0));
        found.map_err(|error| self.sql(error))
    }

    pub(super) fn find(&self, id: GrantId, now: &Moment) -> Result<Grant, GrantError> {
        let found = self.transaction.query_row(
            &format!("{SELECT} WHERE id = ?1"),
            params![id.to_string()],
            |row| Ok(read_grant(row, now)),
        );
        found.optional().map_err(|error| self.sql(error))?.ok_or(GrantError::Missing(id))?
    }
}

/// Milliseconds for a column.
pub(super) fn column_ms(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// Seconds for a column.
pub(super) fn column_s(time: Duration) -> i64 {
    i64::try_from(time.as_secs()).unwrap_or(i64::MAX)
}

/// Settings of a connection.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_MAX)?;
    // What was answered must be there after a power cut.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    connection.pragma_update(None, "trusted_schema", "OFF")?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    // Of two processes that change the mode at once, one is told that the file is busy without
    // waiting; a transaction of its own waits for the other.
    let mode: String = connection.query_row("PRAGMA journal_mode", (), |row| row.get(0))?;
    if mode != "wal" {
        let changed = connection.query_row("PRAGMA journal_mode = WAL", (), |row| row.get(0));
        match changed.map(|mode: String| mode == "wal") {
            Ok(true) => {}
            Ok(false) | Err(_) => {
                connection.execute_batch("BEGIN IMMEDIATE; COMMIT")?;
                connection.query_row("PRAGMA journal_mode = WAL", (), |_| Ok(()))?;
            }
        }
    }
    Ok(())
}

/// All that a grant's row holds, with the bytes in open leases.
const SELECT: &str = "SELECT id, requester, reason, ticket, plan_digest, plan, bytes_max, \
     bytes_used, lifetime_ms, approvers_needed, mode, verdict, requested_boot, requested_ms, \
     requested_wall_s, started_boot, started_ms, started_wall_s, \
     (SELECT coalesce(sum(bytes), 0) FROM leases WHERE grant_id = grants.id) FROM grants";

/// What the check of every granule reads: the same places as in [`SELECT`], without texts.
pub(super) const SELECT_STANDING: &str = "SELECT requester, plan_digest, bytes_max, bytes_used, \
     lifetime_ms, verdict, requested_boot, requested_ms, requested_wall_s, started_boot, \
     started_ms, started_wall_s, \
     (SELECT coalesce(sum(bytes), 0) FROM leases WHERE grant_id = grants.id), \
     approvers_needed, (SELECT count(*) FROM decisions WHERE grant_id = grants.id AND \
     decision = 'approve') FROM grants WHERE id = ?1";

fn read_grant(row: &Row<'_>, now: &Moment) -> Result<Grant, GrantError> {
    let standing = Standing {
        verdict: Verdict::read(&text(row, 11)?).ok_or(GrantError::Damaged("verdict"))?,
        bytes: bytes(row, 6)?,
        used: bytes(row, 7)?,
        leased: bytes(row, 18)?,
        lifetime: Duration::from_millis(bytes(row, 8)?.get()),
        requested: moment(row, 12)?.ok_or(GrantError::Damaged("requested"))?,
        started: moment(row, 15)?,
    };
    let plan = text(row, 4)?.parse().map_err(|_| GrantError::Damaged("plan digest"))?;
    let ticket: Option<String> = row.get(3).map_err(|_| GrantError::Damaged("ticket"))?;
    let note = |text: String| {
        serde_json::from_value(serde_json::Value::String(text))
            .map_err(|_| GrantError::Damaged("note"))
    };
    Ok(Grant {
        id: text(row, 0)?.parse().map_err(|_| GrantError::Damaged("id"))?,
        requester: ActorId::of_uid(row.get(1).map_err(|_| GrantError::Damaged("requester"))?),
        reason: note(text(row, 2)?)?,
        ticket: ticket.map(note).transpose()?,
        plan,
        summary: serde_json::from_str(&text(row, 5)?).map_err(|_| GrantError::Damaged("plan"))?,
        bytes: standing.bytes,
        used: standing.used,
        leased: standing.leased,
        lifetime: standing.lifetime,
        approvers: row.get(9).map_err(|_| GrantError::Damaged("approvers"))?,
        mode: Mode::read(&text(row, 10)?).ok_or(GrantError::Damaged("mode"))?,
        approvals: Vec::new(),
        requested: standing.requested,
        started: standing.started,
        state: standing.state(now),
        read: *now,
    })
}

pub(super) fn text(row: &Row<'_>, column: usize) -> Result<String, GrantError> {
    row.get(column).map_err(|_| GrantError::Damaged("text"))
}

pub(super) fn bytes(row: &Row<'_>, column: usize) -> Result<Bytes, GrantError> {
    let number: i64 = row.get(column).map_err(|_| GrantError::Damaged("number"))?;
    u64::try_from(number).map(Bytes::new).map_err(|_| GrantError::Damaged("negative number"))
}

/// Three columns: boot id, milliseconds since boot, seconds of the wall clock.
pub(super) fn moment(row: &Row<'_>, column: usize) -> Result<Option<Moment>, GrantError> {
    let damaged = |_| GrantError::Damaged("moment");
    let boot: Option<String> = row.get(column).map_err(damaged)?;
    let since_boot: Option<i64> = row.get(column + 1).map_err(damaged)?;
    let wall: Option<i64> = row.get(column + 2).map_err(damaged)?;
    let (Some(since_boot), Some(wall)) = (since_boot, wall) else { return Ok(None) };
    let boot = boot.map(|boot| boot.parse()).transpose();
    let unsigned = |number| u64::try_from(number).map_err(|_| GrantError::Damaged("moment"));
    Ok(Some(Moment {
        boot: boot.map_err(|_| GrantError::Damaged("boot id"))?,
        since_boot: Duration::from_millis(unsigned(since_boot)?),
        wall: Duration::from_secs(unsigned(wall)?),
    }))
}
