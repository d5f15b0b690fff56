//! `locklog pseudonym KIND`: the name of one value, for somebody who holds the key.
//!
//! The value comes from standard input. On the command line it would be in the shell's history and
//! in every process list.

use std::ffi::OsString;
use std::io;

use super::console;
use super::exit::Exit;
use super::exit::UsageError;
use super::key_options::KeyOptions;
use crate::config::Environment;
use crate::detect::Rules;
use crate::detect::Selection;
use crate::mask::Masker;
use crate::source::read_value;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Kind of the value: what its markers start with, as in `EMAIL`.
    kind: String,
    #[command(flatten)]
    key: KeyOptions,
    /// Takes what is given by mistake, so that the message does not repeat it.
    #[arg(hide = true)]
    given: Vec<OsString>,
}

pub(super) fn run(args: Args, environment: &Environment) -> anyhow::Result<Exit> {
    if !args.given.is_empty() {
        let message = "the value is read from standard input, never from the command line";
        return Err(UsageError(message.to_owned()).into());
    }
    let rules = Rules::load(&Selection::default())?;
    let masker = Masker::new(rules, args.key.namer(environment)?);
    let value = read_value(io::stdin().lock())?;
    let Some(name) = masker.name(&args.kind, value.as_slice()) else {
        // Not repeated: it may be the value, given in the wrong place.
        let message = "no detector has that kind; 'locklog detectors list' shows the kinds";
        return Err(UsageError(message.to_owned()).into());
    };
    console::answer(format_args!("{}", String::from_utf8_lossy(name.as_bytes())))?;
    Ok(Exit::Done)
}
