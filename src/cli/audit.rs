//! `locklog audit`: is the trail in order, and what does it say.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufRead as _;
use std::io::BufReader;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Subcommand;

use super::console;
use super::exit::Exit;
use super::exit::UsageError;
use super::trail;
use crate::audit;
use crate::audit::Hash;
use crate::audit::Verified;
use crate::config::Environment;
use crate::config::existing_audit_key;
use crate::id::CallId;
use crate::id::GrantId;

/// Most entries that `tail` shows.
const TAIL_MAX: usize = 10_000;
/// Most calls that are shown of one grant.
const CALLS_MAX: usize = 10_000;
/// Calls in flight that are named; the rest is counted.
const NAMED_MAX: usize = 20;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Follows the chain from end to end; exit code 3 when it is not in order.
    Verify(VerifyArgs),
    /// Prints the last entries.
    Tail(TailArgs),
    /// Prints the entries of one call or one grant.
    Show(ShowArgs),
}

#[derive(Debug, clap::Args)]
struct VerifyArgs {
    /// A hash that an earlier `verify` printed and that was kept elsewhere: it must be in the chain.
    #[arg(long, value_name = "HASH")]
    anchor: Option<Hash>,
    /// The folder of the trail; without it, the one in the state directory.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct TailArgs {
    /// How many.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    lines: usize,
    /// The folder of the trail; without it, the one in the state directory.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// A call's id (`call_…`) or a grant's (`gr_…`).
    id: String,
    /// The folder of the trail; without it, the one in the state directory.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub(super) fn run(args: Args, environment: &Environment) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::Verify(args) => verify(&args, environment),
        Verb::Tail(args) => {
            let folder = folder(args.folder, environment)?;
            let keep = args.lines.min(TAIL_MAX);
            let mut last = std::collections::VecDeque::new();
            each_line(&folder, |line| {
                if last.len() >= keep {
                    last.pop_front();
                }
                last.push_back(line.to_owned());
                Ok(())
            })?;
            for line in last.iter().take(keep) {
                console::answer(format_args!("{line}"))?;
            }
            Ok(Exit::Done)
        }
        Verb::Show(args) => show(args, environment),
    }
}

fn verify(args: &VerifyArgs, environment: &Environment) -> anyhow::Result<Exit> {
    let key = existing_audit_key(trail::state_dir(environment)?).context("audit key")?;
    let folder = folder(args.folder.clone(), environment)?;
    let verified = audit::verify(&folder, &key, args.anchor)?;
    for line in lines(&verified) {
        console::answer(format_args!("{line}"))?;
    }
    for problem in &verified.problems {
        console::say(format_args!("{problem}"));
    }
    if verified.anchor_found == Some(false) {
        console::say(format_args!(
            "the anchor is not in the trail: it was written anew, or it is another trail"
        ));
    }
    if verified.is_in_order() {
        console::answer(format_args!("in order"))?;
        Ok(Exit::Done)
    } else {
        console::answer(format_args!("NOT in order"))?;
        Ok(Exit::Incomplete)
    }
}

fn lines(verified: &Verified) -> Vec<String> {
    let mut lines = vec![format!(
        "{} entries in {} files, {} checkpoints, {} entries behind the last one",
        verified.entries, verified.files, verified.checkpoints, verified.unsealed
    )];
    if verified.first > 0 {
        let first = verified.first;
        lines.push(format!("begins with entry {first}: older files are not here"));
    }
    if verified.torn > 0 {
        lines.push(format!("{} lines were cut off by a crash", verified.torn));
    }
    for call in verified.in_flight.iter().rev().take(NAMED_MAX) {
        let actor = call.actor.map_or_else(|| "unknown".to_owned(), |actor| actor.to_string());
        let (id, action, ts) = (call.call, &call.action, &call.ts);
        lines.push(format!("in flight: {id} {action} by {actor}, begun {ts} and not ended"));
    }
    let more = verified.in_flight.len().saturating_sub(NAMED_MAX);
    if more > 0 {
        lines.push(format!("in flight: {more} more"));
    }
    if let Some(end) = verified.end {
        lines.push(format!("anchor {end}"));
    }
    lines
}

fn show(args: ShowArgs, environment: &Environment) -> anyhow::Result<Exit> {
    if args.id.parse::<CallId>().is_err() && args.id.parse::<GrantId>().is_err() {
        let message = "expected a call's id (call_ and 16 hexadecimal digits) or a grant's (gr_ …)";
        return Err(UsageError(message.to_owned()).into());
    }
    let folder = folder(args.folder, environment)?;
    let mut wanted = BTreeSet::from([format!("\"{}\"", args.id)]);
    let mut calls = BTreeSet::new();
    // A grant's calls have lines that do not name it.
    each_line(&folder, |line| {
        if wanted.iter().any(|id| line.contains(id)) && calls.len() < CALLS_MAX {
            calls.extend(call_of(line).map(str::to_owned));
        }
        Ok(())
    })?;
    let found = !calls.is_empty();
    wanted.append(&mut calls);
    each_line(&folder, |line| {
        if call_of(line).is_some_and(|call| wanted.contains(call)) {
            console::answer(format_args!("{line}"))?;
        }
        Ok(())
    })?;
    if !found {
        console::say(format_args!("no entry of {}", args.id));
        return Ok(Exit::Incomplete);
    }
    Ok(Exit::Done)
}

/// The call's id in a line, in its quotes.
fn call_of(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("\"call\":")?;
    rest.split([',', '}']).next()
}

fn folder(named: Option<PathBuf>, environment: &Environment) -> anyhow::Result<PathBuf> {
    match named {
        Some(folder) => Ok(folder),
        None => {
            trail::state_dir(environment)?;
            Ok(environment.audit_sinks().context("no place for the audit trail")?.first)
        }
    }
}

/// Calls `each` with every whole line, oldest first.
fn each_line(
    folder: &Path,
    mut each: impl FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for path in audit::files(folder)? {
        let file = File::open(&path).with_context(|| path.display().to_string())?;
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let limit = audit::LINE_BYTES_MAX as u64;
            let read = std::io::Read::take(&mut reader, limit).read_until(b'\n', &mut line);
            if read.with_context(|| path.display().to_string())? == 0 {
                break;
            }
            // What a crash cut off may be anything: it is shown without what moves a cursor.
            let text = String::from_utf8_lossy(line.trim_ascii_end());
            let shown: String =
                text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
            each(&shown)?;
        }
    }
    Ok(())
}
