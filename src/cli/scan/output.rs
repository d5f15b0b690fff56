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

/// A list of JSON that is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    /// Nothing is.
    Empty,
    /// Some records are.
    Begun,
}

impl List {
    /// What a list is at that has been gone on with, or not.
    pub(super) fn of(to: &To) -> List {
        match to {
            To::File(file) if file.len() > 0 => List::Begun,
            To::File(_) | To::Stdout(_) => List::Empty,
        }
    }
}

/// Takes records, and shows how far it is.
pub(super) struct Records<'k, 'c> {
    pub(super) to: To,
    /// Where in a list of JSON it is; none where the output is no list.
    pub(super) list: Option<List>,
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

    /// Puts what belongs between the records of a list into lines of one record each.
    fn as_list(&mut self, records: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(records.len() + 2);
        for record in records.split(|byte| *byte == b'\n').filter(|record| !record.is_empty()) {
            let between: &[u8] = match self.list.replace(List::Begun) {
                Some(List::Begun) => b",\n",
                Some(List::Empty) | None => b"[\n",
            };
            out.extend_from_slice(between);
            out.extend_from_slice(record);
        }
        out
    }

    /// Ends a list. What comes later goes on before its end.
    pub(super) fn end_list(&mut self) -> io::Result<()> {
        let end: &[u8] = match self.list {
            Some(List::Begun) => b"\n]\n",
            Some(List::Empty) | None => b"[]\n",
        };
        self.to.trailer(end)
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
        let list = self.list.is_some().then(|| self.as_list(records));
        let records = list.as_deref().unwrap_or(records);
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
