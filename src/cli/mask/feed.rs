//! Reads the inputs one after the other, cuts them into pieces and hands these out.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::super::console;
use super::pipeline::Lane;
use super::pipeline::Stopped;
use super::progress::Progress;
use crate::mask::Cutter;
use crate::mask::Upcoming;
use crate::source::FileSource;
use crate::source::OpenError;
use crate::time::Clock;
use crate::units::Bytes;

/// A writer may be just fast enough that there is always something to read and never a full piece:
/// lines go out after this time at the latest. Half of the 100 ms promised.
const WAIT_MAX: Duration = Duration::from_millis(50);

/// What to read, and how.
#[derive(Debug)]
pub(super) struct Feed<'c> {
    /// The inputs; none is standard input.
    pub(super) files: Vec<PathBuf>,
    /// Size of a full piece.
    pub(super) piece_bytes: Bytes,
    /// The time.
    pub(super) clock: &'c dyn Clock,
}

impl Feed<'_> {
    /// Reads everything. Gives the number of inputs that could not be read to their end; each was
    /// reported.
    pub(super) fn run(mut self, lane: &mut Lane) -> u64 {
        if self.files.is_empty() {
            self.files.push(PathBuf::from("-"));
        }
        let mut progress = Progress::start(&self.files, self.clock);
        let mut failed = 0;
        for path in &self.files {
            match self.run_one(path, lane, &mut progress) {
                Ok(Ok(())) => {}
                Ok(Err(Stopped)) => break,
                Err(error) => {
                    progress.erase();
                    console::say(format_args!("{error:#}"));
                    failed += 1;
                }
            }
        }
        progress.erase();
        failed
    }

    /// Reads one input. What came before an error is handed out all the same.
    fn run_one(
        &self,
        path: &Path,
        lane: &mut Lane,
        progress: &mut Progress<'_>,
    ) -> anyhow::Result<Result<(), Stopped>> {
        let mut source = open(path)?;
        tracing::debug!(input = source.name(), size = ?source.size(), "reading");
        let name: Arc<str> = Arc::from(source.name());
        let mut cutter = Cutter::new(self.piece_bytes.as_len());
        lane.start_input();
        let mut sent_at = self.clock.elapsed();
        loop {
            let chunk = source.read();
            let upcoming = match &chunk {
                Ok(None) | Err(_) => Upcoming::End,
                Ok(Some(_)) if source.would_block() => Upcoming::Idle,
                Ok(Some(_)) if self.clock.elapsed().saturating_sub(sent_at) >= WAIT_MAX => {
                    Upcoming::Idle
                }
                Ok(Some(_)) => Upcoming::More,
            };
            let error = match chunk {
                Ok(Some(chunk)) => {
                    cutter.push(chunk);
                    None
                }
                Ok(None) => None,
                Err(error) => Some(error),
            };
            if upcoming == Upcoming::Idle {
                sent_at = self.clock.elapsed();
            }
            while let Some(piece) = cutter.cut(upcoming) {
                sent_at = self.clock.elapsed();
                if lane.send(&name, piece).is_err() {
                    return Ok(Err(Stopped));
                }
            }
            progress.show(source.offset());
            match error {
                Some(error) => return Err(error.into()),
                None if upcoming == Upcoming::End => break,
                None => {}
            }
        }
        tracing::debug!(input = source.name(), offset = source.offset(), "read");
        progress.end_input(source.offset());
        Ok(Ok(()))
    }
}

fn open(path: &Path) -> Result<FileSource, OpenError> {
    if path == Path::new("-") { FileSource::stdin() } else { FileSource::open(path) }
}
