//! Which key a call uses: the flags that verbs share.

use std::path::PathBuf;

use super::console;
use crate::config::Environment;
use crate::config::KeyFileError;
use crate::config::LoadedKey;
use crate::config::ephemeral_key;
use crate::config::load_or_create_key;
use crate::pseudonym::Key;
use crate::pseudonym::Namer;

/// Flags that pick the key.
#[derive(Debug, clap::Args)]
pub(super) struct KeyOptions {
    /// Key file to use; made on first use, like the one in the state directory.
    #[arg(long, value_name = "PATH", conflicts_with = "ephemeral_key")]
    key_file: Option<PathBuf>,
    /// Use a fresh key that is written nowhere: names are the same within this call alone.
    #[arg(long)]
    ephemeral_key: bool,
}

impl KeyOptions {
    /// The names of the key that the flags pick, made on first use with a notice.
    pub(super) fn namer(self, environment: &Environment) -> Result<Namer, KeyFileError> {
        if self.ephemeral_key {
            return Ok(Namer::new(&ephemeral_key()?));
        }
        Ok(Namer::new(&lasting_key(self.key_file, environment)?))
    }
}

/// The key of a flag or of the state directory, made on first use with a notice.
pub(super) fn lasting_key(
    named: Option<PathBuf>,
    environment: &Environment,
) -> Result<Key, KeyFileError> {
    let path = key_file(named, environment)?;
    let loaded = load_or_create_key(&path)?;
    let created = matches!(loaded, LoadedKey::Created(_));
    let key = loaded.into_key();
    if created {
        console::say(format_args!(
            "made a new key {} in {}: keep it, names cannot be traced without it",
            Namer::new(&key).key_id().escape_ascii(),
            path.display()
        ));
    }
    Ok(key)
}

/// The path a flag names, else the one in the state directory.
pub(super) fn key_file(
    named: Option<PathBuf>,
    environment: &Environment,
) -> Result<PathBuf, KeyFileError> {
    named.or_else(|| environment.key_file()).ok_or(KeyFileError::NoStateDir)
}
