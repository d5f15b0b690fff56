//! The audit trail and the actor, for every verb that has to leave an entry.

use std::path::Path;

use anyhow::Context as _;
use anyhow::anyhow;

use super::console;
use super::exit::Exit;
use crate::audit::Action;
use crate::audit::AuditLog;
use crate::audit::Counts;
use crate::audit::Outcome;
use crate::config::Environment;
use crate::config::audit_key;
use crate::id::ActorId;
use crate::id::GrantId;
use crate::time::Clock;

/// The state directory.
pub(super) fn state_dir(environment: &Environment) -> anyhow::Result<&Path> {
    environment.state_dir.as_deref().ok_or_else(|| {
        anyhow!("no place for grants and the audit trail: set LOCKLOG_STATE_DIR or HOME")
    })
}

/// Who runs this process: the real user, also where the file's owner lends its rights.
pub(super) fn actor() -> ActorId {
    ActorId::of_uid(rustix::process::getuid().as_raw())
}

/// Opens the trail, and says so when one of two sinks does not take entries.
pub(super) fn open(environment: &Environment) -> anyhow::Result<AuditLog> {
    let dir = state_dir(environment)?;
    // The folder comes first: a key is made in a folder that is in order.
    crate::private::folder(dir)?;
    let key = audit_key(dir).context("audit key")?;
    let sinks = environment.audit_sinks().context("no place for the audit trail")?;
    let log = AuditLog::open(&sinks, &key, actor())?;
    warn(&log);
    Ok(log)
}

/// Does something between an entry before and an entry after.
///
/// What it does gives the grant that came of it and the exit code.
pub(super) fn around<T>(
    environment: &Environment,
    clock: &dyn Clock,
    action: &Action,
    work: impl FnOnce() -> anyhow::Result<(T, Option<GrantId>)>,
) -> anyhow::Result<T> {
    let mut log = open(environment)?;
    let begun = log.begin(action, clock)?;
    crate::crash::point("cli.between-entries");
    let done = work();
    let outcome = match &done {
        Ok((_, grant)) => Outcome::Done { counts: Counts::default(), grant: *grant },
        Err(error) => match Exit::of(error) {
            Exit::Denied | Exit::Exhausted | Exit::Usage => Outcome::Refused,
            Exit::Done | Exit::Failed | Exit::Incomplete => {
                Outcome::Failed { counts: Counts::default() }
            }
        },
    };
    let ended = log.end(begun, &outcome, clock).and_then(|()| {
        warn(&log);
        log.close(clock)
    });
    // What failed first is what is told.
    let (done, _) = done?;
    ended.context("it was done, but its end is not in the audit trail")?;
    Ok(done)
}

fn warn(log: &AuditLog) {
    for error in log.failed_sinks() {
        console::say(format_args!("warning: one of two audit sinks takes no entries: {error}"));
    }
}
