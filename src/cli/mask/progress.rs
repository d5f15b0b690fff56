//! How far a call is, on a terminal, for files.

use std::io;
use std::io::IsTerminal;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use crate::time::Clock;

/// Time between two pictures.
const EVERY: Duration = Duration::from_millis(100);
/// Marks in a full bar.
const BAR_MARKS: u64 = 30;

/// A bar on standard error, or nothing.
pub(super) struct Progress<'c> {
    clock: &'c dyn Clock,
    /// Bytes of all inputs; nothing is shown without.
    total: Option<u64>,
    /// Bytes of the inputs before this one.
    before: u64,
    shown_at: Option<Duration>,
}

impl<'c> Progress<'c> {
    /// Shows something only where it can be seen (standard error is a terminal), stays in place
    /// (standard output is none) and has an end (every input is a regular file).
    pub(super) fn start(files: &[PathBuf], clock: &'c dyn Clock) -> Progress<'c> {
        let seen = io::stderr().is_terminal() && !io::stdout().is_terminal();
        let size = |path: &PathBuf| {
            path.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len())
        };
        let total = if seen { files.iter().map(size).sum::<Option<u64>>() } else { None };
        Progress { clock, total, before: 0, shown_at: None }
    }

    /// Shows how far the input at hand is, in bytes as stored.
    pub(super) fn show(&mut self, offset: u64) {
        let Some(total) = self.total else { return };
        let now = self.clock.elapsed();
        if now.saturating_sub(self.shown_at.unwrap_or_default()) < EVERY {
            return;
        }
        self.shown_at = Some(now);
        let line = picture(self.before.saturating_add(offset), total, now);
        drop(io::stderr().lock().write_all(format!("\r{line}").as_bytes()));
    }

    /// Goes on to the next input.
    pub(super) fn end_input(&mut self, offset: u64) {
        self.before = self.before.saturating_add(offset);
    }

    /// Clears the line for other words.
    pub(super) fn erase(&mut self) {
        if self.shown_at.take().is_some() {
            drop(io::stderr().lock().write_all(b"\r\x1b[K"));
        }
    }
}

/// `[=====     ]  50 %  812 MB/s`.
fn picture(done: u64, total: u64, elapsed: Duration) -> String {
    let part = |of: u64| done.min(total).saturating_mul(of).checked_div(total).unwrap_or(of);
    let marks = usize::try_from(part(BAR_MARKS)).unwrap_or(0);
    let width = usize::try_from(BAR_MARKS).unwrap_or(0);
    let speed = super::report::mb_s(done, elapsed);
    format!("[{:<width$}] {:>3} %  {speed:.0} MB/s  ", "=".repeat(marks), part(100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_fills_from_left_to_right() {
        let second = Duration::from_secs(1);
        let half = picture(1_000_000, 2_000_000, second);
        assert_eq!(half, format!("[{}{}]  50 %  1 MB/s  ", "=".repeat(15), " ".repeat(15)));
        assert!(picture(0, 0, second).contains("100 %"));
        assert!(picture(9, 3, second).contains("100 %"), "a file may grow meanwhile");
    }
}
