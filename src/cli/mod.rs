//! The command line: one file a verb, each `run(args, environment) -> anyhow::Result<Exit>`.
//!
//! # Promise
//! Nothing reaches a terminal except through here. Standard output carries masked text and answers
//! alone, messages go to standard error, and how a call ended is one of the codes of
//! [`exit::Exit`]. No message holds text from a log record, not even that of a panic.
//!
//! # Not here
//! How anything is done.

mod ask;
mod audit;
mod calibrate;
mod console;
mod detectors;
pub mod exit;
mod grant;
mod key;
mod key_options;
mod mask;
mod plan;
mod pseudonym;
mod scan;
mod spike;
mod trail;

use std::process::ExitCode;

use clap::Parser;
use clap::Subcommand;

use crate::config::Environment;
use exit::Exit;

/// Masks every value in log text that identifies a person or opens a door.
#[derive(Debug, Parser)]
#[command(name = "locklog", version, after_help = exit::TABLE)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Masks files or standard input, line in, line out.
    Mask(mask::Args),
    /// Gives masked records of a time range, under a budget.
    Scan(scan::Args),
    /// Says what a scan would read, take and need.
    Plan(plan::Args),
    /// Makes a key, or tells which one is in use.
    Key(key::Args),
    /// Lists, shows, checks and tests the detectors.
    Detectors(detectors::Args),
    /// Prints the name of one value, read from standard input.
    Pseudonym(pseudonym::Args),
    /// Asks for grants, decides about them, shows them.
    Grant(grant::Args),
    /// Verifies and shows the audit trail.
    Audit(audit::Args),
    /// Measures what masking costs on this machine: what plans are predicted with.
    Calibrate(calibrate::Args),
    /// Answers a question with a measurement.
    Spike(spike::SpikeArgs),
}

/// Runs the program.
pub fn main() -> ExitCode {
    hide_panic_messages();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            // A closed pipe is the reader's choice.
            return if error.print().is_ok() { exit.into() } else { Exit::Done.into() };
        }
    };
    let environment = Environment::read();
    #[cfg(debug_assertions)]
    if let Some(point) = &environment.crash_at {
        crate::crash::arm(point);
    }
    if let Some(filter) = &environment.log_filter {
        start_events(filter);
    }
    let outcome = match cli.verb {
        Verb::Mask(args) => mask::run(args, &environment),
        Verb::Scan(args) => scan::run(args, &environment),
        Verb::Plan(args) => plan::run(args, &environment),
        Verb::Key(args) => key::run(args, &environment),
        Verb::Detectors(args) => detectors::run(args),
        Verb::Pseudonym(args) => pseudonym::run(args, &environment),
        Verb::Grant(args) => grant::run(args, &environment),
        Verb::Audit(args) => audit::run(args, &environment),
        Verb::Calibrate(args) => calibrate::run(&args, &environment),
        Verb::Spike(args) => spike::run(args),
    };
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) => {
            console::say(format_args!("{error:#}"));
            Exit::of(&error).into()
        }
    }
}

/// The message of a panic may quote what was worked on, its place does not.
fn hide_panic_messages() {
    std::panic::set_hook(Box::new(|panic| match panic.location() {
        Some(at) => console::say(format_args!("internal error at {}:{}", at.file(), at.line())),
        None => console::say(format_args!("internal error")),
    }));
}

/// Writes locklog's own events to standard error, as the filter says.
fn start_events(filter: &str) {
    let filter = tracing_subscriber::EnvFilter::builder().parse_lossy(filter);
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .init();
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_flags_are_consistent() {
        Cli::command().debug_assert();
    }
}
