//! `locklog key`: makes a key, tells its id. The key itself is never printed.

use std::path::PathBuf;

use clap::Subcommand;

use super::console;
use super::exit::Exit;
use super::key_options::key_file;
use crate::config::Environment;
use crate::config::create_key;
use crate::config::load_key;
use crate::pseudonym::Namer;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Makes a key where there is none, and prints its id and path.
    New(File),
    /// Prints the four characters that markers of this key carry.
    ShowId(File),
}

#[derive(Debug, clap::Args)]
struct File {
    /// Key file; without it, the one in the state directory.
    #[arg(long, value_name = "PATH")]
    key_file: Option<PathBuf>,
}

pub(super) fn run(args: Args, environment: &Environment) -> anyhow::Result<Exit> {
    match args.verb {
        Verb::New(file) => {
            let path = key_file(file.key_file, environment)?;
            let namer = Namer::new(&create_key(&path)?);
            let key_id = namer.key_id();
            console::answer(format_args!("{} {}", key_id.escape_ascii(), path.display()))?;
        }
        Verb::ShowId(file) => {
            let path = key_file(file.key_file, environment)?;
            let namer = Namer::new(&load_key(&path)?);
            console::answer(format_args!("{}", namer.key_id().escape_ascii()))?;
        }
    }
    Ok(Exit::Done)
}
