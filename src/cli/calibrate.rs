//! `locklog calibrate`: measures this machine and keeps what plans are predicted with.

use std::path::Path;

use anyhow::Context as _;
use anyhow::bail;

use super::console;
use super::exit::Exit;
use super::exit::UsageError;
use super::trail;
use crate::calibrate;
use crate::calibrate::Calibration;
use crate::calibrate::Keeper;
use crate::calibrate::Settled;
use crate::config::Environment;
use crate::cost::Rate;
use crate::time::SystemClock;
use crate::time::civil_text;

/// Where recorded calibrations are kept, from the root of the source tree.
const RUNS: &str = "calibration";
/// A spread above this says that the machine was busy with something else.
const SPREAD_PERCENT_MAX: f64 = 10.0;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Show the table in use and measure nothing.
    #[arg(long, conflicts_with = "record")]
    show: bool,
    /// Keep this calibration in calibration/ of the source tree too.
    #[arg(long)]
    record: bool,
}

pub(super) fn run(args: &Args, environment: &Environment) -> anyhow::Result<Exit> {
    let clock = SystemClock::start();
    let keeper = Keeper::new(trail::state_dir(environment)?);
    if args.show {
        return match keeper.table(&clock)? {
            Ok(table) => {
                console::answer(format_args!("{}", table.text().trim_end()))?;
                Ok(Exit::Done)
            }
            Err(doubt) => {
                console::say(format_args!("{doubt}"));
                Ok(Exit::Incomplete)
            }
        };
    }
    if args.record && !Path::new(RUNS).is_dir() {
        bail!(UsageError(format!(
            "--record writes to {RUNS}/, expected to run in the root of the source tree"
        )));
    }
    let calibration = calibrate::measure(&clock)?;
    print(&calibration)?;
    match keeper.settle(&calibration, &clock)? {
        Settled::New(_) => {
            let path = keeper.table_file();
            console::answer(format_args!("written to {}", path.display()))?;
        }
        Settled::Kept { table, off_percent } => console::answer(format_args!(
            "kept the rates that were there ({} mixed): {off_percent} % off is noise",
            table.mixed
        ))?,
    }
    if args.record {
        let command = "locklog calibrate --record";
        let folder = calibrate::record(&calibration, calibrate::cores(), Path::new(RUNS), command)
            .context("the calibration could not be recorded")?;
        console::say(format_args!("recorded in {}", folder.display()));
    }
    Ok(Exit::Done)
}

fn print(calibration: &Calibration) -> anyhow::Result<()> {
    let table = &calibration.table;
    console::answer(format_args!("machine {}, {}", table.machine, calibrate::cores()))?;
    console::answer(format_args!("measured {}", civil_text(table.measured)))?;
    for (at, pass) in calibration.passes.iter().enumerate() {
        let rate = Rate::of(pass.bytes, pass.cpu).unwrap_or(Rate::UNMEASURED);
        let number = if pass.corpus == "mixed" { format!(" {}", at + 1) } else { String::new() };
        console::answer(format_args!("{:<16} {rate}", format!("{}{number}", pass.corpus)))?;
    }
    let spread = calibration.variation_percent;
    console::answer(format_args!("mixed {}, CV {spread:.1} %", table.mixed))?;
    console::answer(format_args!("worst case {}, {}", calibration.slowest, table.worst))?;
    if spread > SPREAD_PERCENT_MAX {
        console::say(format_args!(
            "the passes differ by {spread:.1} %: something else keeps this machine busy"
        ));
    }
    Ok(())
}
