//! A grant as a line, as a page, as JSON.

use std::fs::File;
use std::io::BufRead as _;
use std::io::BufReader;
use std::io::Read as _;
use std::time::Duration;

use serde_json::Value;
use serde_json::json;

use crate::grant::Grant;
use crate::grant::Mode;
use crate::grant::State;
use crate::id::ActorId;
use crate::time::civil_text;

/// Where names of users are; a machine with another directory shows numbers.
const USERS: &str = "/etc/passwd";
/// How much of it is read.
const USERS_BYTES_MAX: u64 = 1024 * 1024;
/// A wall clock that was set by less than this is none that was set.
const JUMP_SECONDS_MIN: u64 = 5;

/// True for a grant that somebody has something to do about.
pub(super) fn is_open(grant: &Grant) -> bool {
    matches!(grant.state, State::Requested | State::Approved) || grant.needs_review()
}

/// One line.
pub(super) fn line(grant: &Grant) -> String {
    let mut line = format!(
        "{} {:<9} {} of {} left, {}, by {}: {}",
        grant.id,
        grant.state,
        grant.bytes_left(),
        grant.bytes,
        time_left(grant),
        user(grant.requester),
        grant.reason
    );
    if grant.needs_review() {
        line.push_str(" [BROKEN GLASS, waits for a review]");
    }
    line
}

/// What an approver has to see.
pub(super) fn lines(grant: &Grant) -> Vec<String> {
    let plan = &grant.summary;
    let none = || "none".to_owned();
    let edge = |edge: Option<Duration>| edge.map_or_else(|| "open".to_owned(), civil_text);
    let mode = match grant.mode {
        Mode::Approved => "approvals",
        Mode::BreakGlass => "broken glass",
    };
    let mut lines = vec![
        format!("grant      {}", grant.id),
        format!("state      {} ({mode})", grant.state),
        format!("requester  {}", user(grant.requester)),
        format!("reason     {}", grant.reason),
        format!("ticket     {}", grant.ticket.as_ref().map_or_else(none, ToString::to_string)),
        format!("requested  {}", civil_text(grant.requested.wall)),
        format!("source     {}", plan.source),
        format!("selector   {}", plan.selector.as_ref().map_or_else(none, ToString::to_string)),
        format!("range      {} to {} (UTC)", edge(plan.from), edge(plan.to)),
        format!("profile    {}", plan.profile),
        format!("plan       {} in {} granules, {}", plan.bytes, plan.granules, grant.plan),
        format!("time       {} predicted, {} at worst", text(plan.predicted), text(plan.worst)),
        format!(
            "bytes      {} granted, {} left, {} in use or lost",
            grant.bytes,
            grant.bytes_left(),
            grant.leased
        ),
        format!("lifetime   {}, {}", text(grant.lifetime), time_left(grant)),
        format!("approvals  {} of {}", grant.approved_by(), grant.approvers),
    ];
    for made in &grant.approvals {
        let (by, at) = (user(made.actor), civil_text(made.wall));
        lines.push(format!("           {} by {by} at {at}", made.decision));
    }
    let jump = grant.started.and_then(|started| grant.read.wall_jump_seconds(&started));
    if let Some(seconds) = jump.filter(|jump| jump.unsigned_abs() >= JUMP_SECONDS_MIN) {
        lines.push(format!(
            "clock      the wall clock was set by {seconds} s since; the lifetime is not \
             measured with it"
        ));
    }
    if grant.needs_review() {
        lines.push("review     BROKEN GLASS: another user has to review it".to_owned());
    }
    lines
}

/// The same for a program.
pub(super) fn json(grant: &Grant) -> Value {
    let approvals: Vec<Value> = grant
        .approvals
        .iter()
        .map(|made| {
            json!({
                "actor": made.actor,
                "decision": made.decision.to_string(),
                "at": civil_text(made.wall),
            })
        })
        .collect();
    json!({
        "id": grant.id,
        "state": grant.state.to_string(),
        "mode": match grant.mode { Mode::Approved => "approved", Mode::BreakGlass => "break-glass" },
        "requester": grant.requester,
        "reason": grant.reason,
        "ticket": grant.ticket,
        "plan": grant.plan,
        "summary": grant.summary,
        "bytes": grant.bytes.get(),
        "bytes_left": grant.bytes_left().get(),
        "bytes_leased": grant.leased.get(),
        "lifetime_s": grant.lifetime.as_secs(),
        "seconds_left": grant.time_left().map(|left| left.as_secs()),
        "approvers": grant.approvers,
        "approvals": approvals,
        "needs_review": grant.needs_review(),
        "requested_at": civil_text(grant.requested.wall),
    })
}

/// Time left with the wall clock's moment of the end, as it stands now.
fn time_left(grant: &Grant) -> String {
    match (grant.state, grant.time_left()) {
        (State::Approved | State::UsedUp, Some(left)) => {
            format!("{} left, until {}", text(left), civil_text(grant.read.wall + left))
        }
        (State::Requested, _) => {
            format!("{} of {} approvals", grant.approved_by(), grant.approvers)
        }
        _ => "no time left".to_owned(),
    }
}

/// `2 h 24 min`, `45 s`, `300 ms`.
fn text(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3_600, seconds / 60 % 60, seconds % 60) {
        (0, 0, 0) => format!("{} ms", time.as_millis()),
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, 0) => format!("{minutes} min"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, 0, _) => format!("{hours} h"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// A user's number, and the name that the machine has for it.
fn user(actor: ActorId) -> String {
    let name = File::open(USERS).ok().and_then(|file| {
        let lines = BufReader::new(file.take(USERS_BYTES_MAX)).lines();
        let uid = actor.uid().to_string();
        lines.map_while(Result::ok).find_map(|line| {
            let mut fields = line.split(':');
            let name = fields.next()?.to_owned();
            (fields.nth(1) == Some(&uid)).then_some(name)
        })
    });
    let plain = |name: &String| name.bytes().all(|byte| byte.is_ascii_graphic());
    match name.filter(plain) {
        Some(name) => format!("{name} ({actor})"),
        None => actor.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_well() {
        for (ms, said) in [
            (0, "0 ms"),
            (300, "300 ms"),
            (45_000, "45 s"),
            (2_400_000, "40 min"),
            (2_405_000, "40 min 5 s"),
            (8_640_000, "2 h 24 min"),
            (14_400_000, "4 h"),
        ] {
            assert_eq!(text(Duration::from_millis(ms)), said);
        }
    }
}
