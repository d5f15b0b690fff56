//! `locklog spike`: questions that a measurement answers.

use std::io;
use std::io::Write as _;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context as _;
use anyhow::bail;
use clap::Args;
use clap::Subcommand;
use clap::ValueEnum;

use crate::cli::exit::Exit;
use crate::cli::exit::UsageError;
use crate::lab::corpus;
use crate::lab::s4;
use crate::lab::s4::Detectors;
use crate::lab::s4::Options;
use crate::lab::s4::Outcome;
use crate::lab::s4::Peers;
use crate::lab::s4::record;
use crate::lab::s4::report;
use crate::lab::scan;
use crate::lab::scan::FileKind;
use crate::time::SystemClock;
use crate::time::since_1970;
use crate::units::Bytes;

/// Where recorded runs are kept, from the root of the source tree.
const S4_RUNS: &str = "spikes/s4-masking/runs";

/// Arguments of `locklog spike`.
#[derive(Args, Clone, Debug)]
pub(super) struct SpikeArgs {
    #[command(subcommand)]
    spike: Spike,
}

#[derive(Subcommand, Clone, Debug)]
enum Spike {
    /// How fast masking is, over ten corpora, on one core.
    S4(S4Args),
    /// How fast an approved scan of a local log is, beside mask and a bare read.
    Scan(ScanArgs),
}

#[derive(Args, Clone, Debug)]
struct ScanArgs {
    /// What the log holds.
    #[arg(long, value_enum, default_value_t = Kind::Json)]
    kind: Kind,
    /// Its size, about.
    #[arg(long, default_value = "1GiB", value_name = "SIZE")]
    size: Bytes,
    /// Rounds of each contender.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
    rounds: u16,
    /// Profile of the scan and of mask.
    #[arg(long, default_value = "incident", value_name = "NAME")]
    profile: String,
    /// Where the log is made and removed.
    #[arg(long, default_value = ".", value_name = "DIR")]
    folder: PathBuf,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Objects of JSON, half of it in redacted free text.
    Json,
    /// Access log, combined format.
    Nginx,
    /// Lines of text.
    Plain,
}

#[derive(Args, Clone, Debug)]
struct S4Args {
    /// One corpus by name, or all of them.
    #[arg(long, default_value = "all", value_name = "NAME")]
    corpus: String,
    /// Measure only without these detectors.
    #[arg(long, value_enum)]
    without: Option<Without>,
    /// Lines of each corpus.
    #[arg(long, default_value_t = 2_000, value_name = "N")]
    lines: usize,
    /// Measure peers in the same rounds.
    #[arg(long)]
    peers: bool,
    /// How to print the outcome.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Keep the run in spikes/s4-masking/runs.
    #[arg(long)]
    record: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Without {
    /// Secrets, tokens and private keys.
    Secret,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// A Markdown table.
    Table,
    /// One JSON object.
    Json,
    /// One line a corpus.
    Csv,
}

/// Runs a spike and prints its outcome.
///
/// # Errors
///
/// When a corpus is unknown, when the detectors do not load, or when output cannot be written.
/// A wrong answer is printed in its row and gives exit code 1.
pub(super) fn run(args: SpikeArgs) -> anyhow::Result<Exit> {
    match args.spike {
        Spike::S4(args) => s4(&args),
        Spike::Scan(args) => scan(args),
    }
}

fn scan(args: ScanArgs) -> anyhow::Result<Exit> {
    let options = scan::Options {
        kind: match args.kind {
            Kind::Json => FileKind::Json,
            Kind::Nginx => FileKind::Nginx,
            Kind::Plain => FileKind::Plain,
        },
        size: args.size,
        rounds: usize::from(args.rounds),
        profile: args.profile,
        folder: args.folder,
        program: std::env::current_exe().context("the path of this program")?,
    };
    let outcome = scan::run(&options, &SystemClock::start())?;
    let mut stdout = io::stdout().lock();
    stdout.write_all(scan::table(&outcome).as_bytes())?;
    stdout.flush()?;
    Ok(Exit::Done)
}

fn s4(args: &S4Args) -> anyhow::Result<Exit> {
    let options = options(args)?;
    if args.record && !Path::new(S4_RUNS).parent().is_some_and(Path::is_dir) {
        bail!(UsageError(format!(
            "--record writes to {S4_RUNS}, expected to run in the root of the source tree"
        )));
    }
    let outcome = s4::run(&options, &SystemClock::start(), &mut |corpus| {
        // Progress is a courtesy: a closed stderr must not end the run.
        writeln!(io::stderr(), "spike s4: {corpus}").unwrap_or(());
    })?;
    print(&outcome, args.format)?;
    if args.record {
        let folder = record::write(&outcome, Path::new(S4_RUNS), since_1970(), &command(args))
            .context("the run could not be recorded")?;
        writeln!(io::stderr(), "recorded in {}", folder.display())?;
    }
    Ok(if outcome.failed() { Exit::Failed } else { Exit::Done })
}

fn options(args: &S4Args) -> anyhow::Result<Options> {
    let corpora = match args.corpus.as_str() {
        "all" => corpus::S4.iter().collect(),
        name => match corpus::find(name) {
            Some(definition) => vec![definition],
            None => {
                let names: Vec<&str> = corpus::S4.iter().map(|corpus| corpus.name).collect();
                let known = names.join(", ");
                bail!(UsageError(format!("unknown corpus, expected all or one of: {known}")));
            }
        },
    };
    if args.lines == 0 {
        bail!(UsageError("--lines is 0, expected at least 1".to_owned()));
    }
    Ok(Options {
        corpora,
        lines: args.lines,
        detectors: match args.without {
            Some(Without::Secret) => Detectors::WithoutSecret,
            None => Detectors::All,
        },
        peers: if args.peers { Peers::Beside } else { Peers::Absent },
    })
}

fn print(outcome: &Outcome, format: Format) -> anyhow::Result<()> {
    let text = match format {
        Format::Table => report::table(outcome),
        Format::Csv => report::csv(outcome),
        Format::Json => report::json(outcome)? + "\n",
    };
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// The command that gives this run again.
fn command(args: &S4Args) -> String {
    let without = if args.without.is_some() { " --without secret" } else { "" };
    let peers = if args.peers { " --peers" } else { "" };
    format!(
        "locklog spike s4 --corpus {} --lines {}{without}{peers} --record",
        args.corpus, args.lines
    )
}
