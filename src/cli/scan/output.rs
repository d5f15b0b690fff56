//! Where a scan's records go.

use std::fs::File;
use std::io;
use std::io::Write;
use std::os::fd::AsFd;

use super::checkpoint::Checkpointed;
use super::checkpoint::Keys;
use super::progress::Progress;
use crate::fetch::Output;
use crate::fetch::Tally;
use crate::id::GrantId;
use crate::id::PlanDigest;
use crate::plan::Cursor;
use crate::plan::Place;

/// Standard output, or a file with checkpoints.
#[derive(Debug)]
pub(super) enum To {
    Stdout(File),
    File(Checkpointed),
}

/// Takes records, and shows how far it is.
pub(super) struct Records<'k, 'c> {
    pub(super) to: To,
    pub(super) keys: Keys<'k>,
    pub(super) plan: PlanDigest,
    pub(super) grant: Option<GrantId>,
    pub(super) progress: Progress<'c>,
}

impl To {
    /// Standard output.
    pub(super) fn stdout() -> io::Result<To> {
        Ok(To::Stdout(File::from(io::stdout().as_fd().try_clone_to_owned()?)))
    }

    /// Writes a line that is about the records and none of them.
    pub(super) fn trailer(&mut self, line: &[u8]) -> io::Result<()> {
        match self {
            To::Stdout(out) => out.write_all(line),
            To::File(file) => file.write_uncounted(line),
        }
    }
}

impl Records<'_, '_> {
    /// The cursor to a place.
    pub(super) fn cursor(&self, place: Place) -> Cursor {
        Cursor { plan: self.plan, place, grant: self.grant }
    }

    /// Makes what was written so far last.
    pub(super) fn checkpoint(&mut self, place: Place) -> anyhow::Result<()> {
        let cursor = self.cursor(place);
        match &mut self.to {
            To::Stdout(_) => Ok(()),
            To::File(file) => file.checkpoint(&cursor, self.keys),
        }
    }
}

impl Output for Records<'_, '_> {
    fn write(&mut self, records: &[u8], _count: u64, after: Place) -> io::Result<()> {
        let cursor = self.cursor(after);
        match &mut self.to {
            To::Stdout(out) => out.write_all(records),
            To::File(file) => {
                file.write(records)?;
                if file.is_due() {
                    file.checkpoint(&cursor, self.keys).map_err(io::Error::other)?;
                }
                Ok(())
            }
        }
    }

    fn progress(&mut self, tally: &Tally) {
        self.progress.show(tally);
    }
}
