//! `locklog mask`: files or standard input to standard output.
//!
//! One thread reads and cuts ([`feed`]), `--threads` mask ([`pipeline`]), one writes what they give
//! in the order of the input ([`output`]). Each hands over through channels of one place, so what
//! is in memory is bounded by the number of threads, whatever the input.

mod feed;
mod output;
mod pipeline;
mod progress;
mod report;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::bail;

use super::console;
use super::exit::Exit;
use super::exit::UsageError;
use super::key_options::KeyOptions;
use crate::config::Environment;
use crate::config::Profile;
use crate::config::read_detectors_dir;
use crate::detect::Rules;
use crate::detect::Selection;
use crate::mask::Carry;
use crate::mask::Masked;
use crate::mask::Masker;
use crate::mask::Piece;
use crate::mask::Unknown;
use crate::time::Clock;
use crate::time::SystemClock;
use output::Output;
use report::Format;
use report::Summary;

/// More threads than any machine has; a larger number is a typing error.
const THREADS_MAX: u16 = 1024;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files to mask, plain, gzip or zstd; `-` is standard input, and so is no file.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Profile to apply: a name, or a path that ends in `.toml`.
    #[arg(long, value_name = "NAME|PATH", default_value = "standard")]
    profile: String,
    #[command(flatten)]
    key: KeyOptions,
    /// Mask these kinds alone, as in `EMAIL,IPV4`.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    only: Vec<String>,
    /// Leave these kinds as they are.
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    without: Vec<String>,
    /// Add the detectors of a folder.
    #[arg(long, value_name = "DIR")]
    detectors: Option<PathBuf>,
    /// Threads that mask; without it, one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(THREADS_MAX)))]
    threads: Option<u16>,
    /// Say on standard error what was done, in counts: never a value.
    #[arg(long, value_name = "FORMAT")]
    report: Option<Format>,
    /// Say on standard error where each value was and which detector found it, a JSON object a
    /// line: never a value. In a packed file, offsets are those of the unpacked text.
    #[arg(long)]
    explain: bool,
}

pub(super) fn run(args: Args, environment: &Environment) -> anyhow::Result<Exit> {
    let clock = SystemClock::start();
    let profile = Profile::find(&args.profile)?;
    if profile.policy().unknown() == Unknown::Withhold {
        bail!(UsageError(format!(
            "profile {} withholds unknown fields, but mask looks at lines, not at fields; expected \
             a profile with unknown = \"redact-unknown\", or locklog scan",
            profile.name()
        )));
    }
    let selection = selection(&args, &profile)?;
    let masker = Masker::new(Rules::load(&selection)?, args.key.namer(environment)?);
    let threads = match args.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
    };
    let feed = feed::Feed { files: args.files, piece_bytes: profile.piece_bytes(), clock: &clock };

    let output = Output::new(masker.rules(), args.explain)?;
    let worker = || {
        let mut worker = masker.worker();
        move |piece: &Piece, carry: &mut Carry, out: &mut Masked| worker.mask(piece, carry, out)
    };
    let (inputs_failed, written) = pipeline::run(worker, threads, |lane| feed.run(lane), output)?;

    let summary = Summary {
        rules: masker.rules(),
        written: &written,
        inputs_failed,
        elapsed: clock.elapsed(),
    };
    if let Some(format) = args.report {
        summary.print(format);
    }
    if let Some(error) = &written.error {
        console::say(format_args!("cannot write to standard output: {error}"));
        return Ok(Exit::Failed);
    }
    Ok(summary.exit())
}

/// What the flags and the profile pick: flags replace `only` and add to `without`.
fn selection(args: &Args, profile: &Profile) -> anyhow::Result<Selection> {
    let only = if args.only.is_empty() { profile.only() } else { args.only.as_slice() };
    let extra = match &args.detectors {
        Some(dir) => read_detectors_dir(dir)?,
        None => Vec::new(),
    };
    let without = profile.without().iter().chain(&args.without).cloned().collect();
    Ok(Selection { only: only.to_vec(), without, extra })
}
