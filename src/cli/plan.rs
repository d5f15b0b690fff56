//! `locklog plan`: what a scan would read, take and need.

use std::path::PathBuf;

use super::ask::Ask;
use super::console;
use super::exit::Exit;
use super::key_options::lasting_key;
use super::scan::ScanKeys;
use super::scan::limits;
use super::trail;
use crate::config::Environment;
use crate::fetch::PlanStore;
use crate::source::Search;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    ask: Ask,
    /// Key file to use; made on first use, like the one in the state directory.
    #[arg(long, value_name = "PATH")]
    key_file: Option<PathBuf>,
}

pub(super) fn run(args: Args, environment: &Environment) -> anyhow::Result<Exit> {
    let key = lasting_key(args.key_file, environment)?;
    let keys = ScanKeys::of(&key);
    let store = PlanStore::open(trail::state_dir(environment)?)?;
    let asked = args.ask.plan(environment, &keys.hash)?;
    let plan = asked.plan.admit(limits::of_call(&asked.profile))?;
    let digest = store.keep(&plan, &keys.hash, &keys.sealer)?;
    console::answer(format_args!("{digest} {} {}", plan.granules(), plan.bytes()))?;
    Ok(Exit::Done)
}

/// Why all of a file is read.
pub(super) fn why_whole(search: Search) -> &'static str {
    match search {
        Search::Probed => "its range was found",
        Search::Whole => "it is small, or all of it is asked for",
        Search::Unordered => "its records are not in the order of time",
        Search::Untimed => "it has places without a time",
    }
}
