//! `locklog grant`: asking for a grant, deciding about it, looking at it.
//!
//! Every verb that changes something leaves an audit entry before and one after.

mod show;

use std::fs::File;
use std::io;
use std::io::Read as _;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use clap::Subcommand;
use serde::Deserialize;

use super::console;
use super::exit::Exit;
use super::exit::UsageError;
use super::key_options::KeyOptions;
use super::trail;
use crate::audit::Action;
use crate::audit::GrantAction;
use crate::config::Environment;
use crate::detect::Rules;
use crate::detect::Selection;
use crate::grant::Grant;
use crate::grant::GrantError;
use crate::grant::GrantStore;
use crate::grant::Mode;
use crate::grant::PlanSummary;
use crate::grant::Request;
use crate::id::ActorId;
use crate::id::GrantId;
use crate::id::PlanDigest;
use crate::mask::Masker;
use crate::mask::Note;
use crate::source::read_value;
use crate::time::Clock;
use crate::time::SystemClock;
use crate::units::Bytes;

/// Longest plan file: what `locklog plan` prints has a few notes in it.
const PLAN_BYTES_MAX: u64 = 64 * 1024;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Asks for a grant and prints its id.
    Request(RequestArgs),
    /// Lists grants, newest first.
    List(ListArgs),
    /// Shows a grant and the plan that it is for.
    Show(ShowArgs),
    /// Approves somebody else's request.
    Approve(Id),
    /// Denies somebody else's request.
    Deny(Id),
    /// Ends a request or a grant at once; a running scan stops at its next granule.
    Revoke(Id),
    /// Notes that you have looked at what somebody did under a broken glass.
    Review(Id),
    /// Makes a grant of yours the one that your scans use.
    Use(Id),
}

#[derive(Debug, clap::Args)]
struct Id {
    /// The grant's id, as `grant list` shows it.
    id: GrantId,
}

#[derive(Debug, clap::Args)]
struct ShowArgs {
    #[command(flatten)]
    id: Id,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    /// Also those that have ended.
    #[arg(long)]
    all: bool,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct RequestArgs {
    /// The plan as `locklog plan --json` prints it; `-` is standard input.
    #[arg(long, value_name = "FILE")]
    plan: PathBuf,
    /// Why. It is masked before it is kept.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Ticket or incident. It is masked before it is kept.
    #[arg(long, value_name = "TEXT")]
    ticket: Option<String>,
    /// Bytes that may be served; without it, those of the plan.
    #[arg(long, value_name = "SIZE")]
    bytes: Option<Bytes>,
    /// A shorter lifetime than the plan would get, in minutes.
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<u64>,
    /// How many people must approve.
    #[arg(long, value_name = "N", default_value_t = 1)]
    approvers: u8,
    /// Do not wait for an approval: short, on the record, reviewed by somebody else afterwards.
    #[arg(long)]
    break_glass: bool,
    #[command(flatten)]
    key: KeyOptions,
}

/// A plan as it is handed over between verbs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanFile {
    digest: PlanDigest,
    summary: PlanSummary,
}

pub(super) fn run(args: Args, environment: &Environment) -> anyhow::Result<Exit> {
    let clock = SystemClock::start();
    let clock: &dyn Clock = &clock;
    match args.verb {
        Verb::Request(args) => request(args, environment, clock)?,
        Verb::List(args) => list(&args, environment, clock)?,
        Verb::Show(args) => {
            let grant = store(environment)?.find(args.id.id, clock)?;
            if args.json {
                console::answer(format_args!("{}", show::json(&grant)))?;
            } else {
                for line in show::lines(&grant) {
                    console::answer(format_args!("{line}"))?;
                }
            }
        }
        Verb::Approve(args) => {
            decide(args.id, GrantAction::Approve, environment, clock, GrantStore::approve)?;
        }
        Verb::Deny(args) => {
            decide(args.id, GrantAction::Deny, environment, clock, GrantStore::deny)?;
        }
        Verb::Revoke(args) => {
            decide(args.id, GrantAction::Revoke, environment, clock, GrantStore::revoke)?;
        }
        Verb::Review(args) => {
            decide(args.id, GrantAction::Review, environment, clock, GrantStore::review)?;
        }
        Verb::Use(args) => {
            decide(args.id, GrantAction::Use, environment, clock, GrantStore::choose)?;
        }
    }
    Ok(Exit::Done)
}

fn store(environment: &Environment) -> anyhow::Result<GrantStore> {
    Ok(GrantStore::open(trail::state_dir(environment)?)?)
}

type Decide = fn(&mut GrantStore, GrantId, ActorId, &dyn Clock) -> Result<Grant, GrantError>;

fn decide(
    id: GrantId,
    how: GrantAction,
    environment: &Environment,
    clock: &dyn Clock,
    decide: Decide,
) -> anyhow::Result<()> {
    let action = Action::Grant { how, grant: Some(id), plan: None, reason: None };
    let grant = trail::around(environment, clock, &action, || {
        let grant = decide(&mut store(environment)?, id, trail::actor(), clock)?;
        Ok((grant, Some(id)))
    })?;
    console::answer(format_args!("{}", show::line(&grant)))?;
    Ok(())
}

fn request(args: RequestArgs, environment: &Environment, clock: &dyn Clock) -> anyhow::Result<()> {
    let plan = read_plan(&args.plan)?;
    let masker = Masker::new(Rules::load(&Selection::default())?, args.key.namer(environment)?);
    let mode = if args.break_glass { Mode::BreakGlass } else { Mode::Approved };
    let wanted = Request {
        requester: trail::actor(),
        reason: note(&masker, &args.reason)?,
        ticket: args.ticket.as_deref().map(|ticket| note(&masker, ticket)).transpose()?,
        plan: plan.digest,
        bytes: args.bytes.unwrap_or(plan.summary.bytes),
        summary: masked(&masker, plan.summary)?,
        lifetime: args.minutes.map(|minutes| Duration::from_secs(minutes.saturating_mul(60))),
        approvers: args.approvers,
        mode,
    };
    let how = match mode {
        Mode::Approved => GrantAction::Request,
        Mode::BreakGlass => GrantAction::BreakGlass,
    };
    let reason = Some(wanted.reason.clone());
    let action = Action::Grant { how, grant: None, plan: Some(wanted.plan), reason };
    if mode == Mode::BreakGlass {
        console::say(format_args!(
            "BREAKING THE GLASS: this is on the record as {}, without an approval",
            trail::actor()
        ));
    }
    let grant = trail::around(environment, clock, &action, || {
        let grant = store(environment)?.request(&wanted, clock)?;
        let id = grant.id;
        Ok((grant, Some(id)))
    })?;
    tell(&grant);
    console::answer(format_args!("{}", grant.id))?;
    Ok(())
}

/// What happens next, beside the id that is the answer.
fn tell(grant: &Grant) {
    let minutes = grant.lifetime.as_secs().div_ceil(60);
    match grant.mode {
        Mode::Approved => console::say(format_args!(
            "requested {} for {minutes} min from the last of {} approvals on: another user runs \
             'locklog grant approve {}'",
            grant.bytes, grant.approvers, grant.id
        )),
        Mode::BreakGlass => console::say(format_args!(
            "THE GLASS IS BROKEN: {} for {minutes} min from now on; another user has to run \
             'locklog grant review {}' afterwards",
            grant.bytes, grant.id
        )),
    }
}

fn list(args: &ListArgs, environment: &Environment, clock: &dyn Clock) -> anyhow::Result<()> {
    let mut ended = 0_u64;
    for grant in store(environment)?.list(clock)? {
        if !args.all && !show::is_open(&grant) {
            ended += 1;
        } else if args.json {
            console::answer(format_args!("{}", show::json(&grant)))?;
        } else {
            console::answer(format_args!("{}", show::line(&grant)))?;
        }
    }
    if ended > 0 {
        console::say(format_args!("{ended} more have ended: --all shows them"));
    }
    Ok(())
}

fn read_plan(path: &Path) -> anyhow::Result<PlanFile> {
    let mut text = String::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(PLAN_BYTES_MAX + 1).read_to_string(&mut text)
    } else {
        File::open(path).and_then(|file| file.take(PLAN_BYTES_MAX + 1).read_to_string(&mut text))
    };
    let read = read.with_context(|| format!("plan {}", path.display()))?;
    if read as u64 > PLAN_BYTES_MAX {
        let max = Bytes::new(PLAN_BYTES_MAX);
        return Err(UsageError(format!("a plan file has at most {max}")).into());
    }
    serde_json::from_str(&text).map_err(|error| {
        // The place alone: the message of the library may quote the text.
        let (line, column) = (error.line(), error.column());
        let message = format!(
            "the plan file is not what 'locklog plan --json' prints: line {line}, column {column}"
        );
        UsageError(message).into()
    })
}

/// A text of the command line, masked.
fn note(masker: &Masker, text: &str) -> anyhow::Result<Note> {
    Ok(masker.note(read_value(text.as_bytes()).map_err(|_| {
        let message = "the reason and the ticket have between 1 B and 16 KiB";
        UsageError(message.to_owned())
    })?))
}

/// The texts of a plan file once more: whoever wrote the file may have written anything.
fn masked(masker: &Masker, plan: PlanSummary) -> anyhow::Result<PlanSummary> {
    let again = |text: Note| note(masker, text.as_str());
    Ok(PlanSummary {
        source: again(plan.source)?,
        selector: plan.selector.map(again).transpose()?,
        profile: again(plan.profile)?,
        ..plan
    })
}
