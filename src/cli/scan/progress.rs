//! How far a scan is, on a terminal.

use std::io;
use std::io::IsTerminal;
use std::io::Write;
use std::time::Duration;

use crate::detect::Rules;
use crate::fetch::Tally;
use crate::time::Clock;

/// Time between two pictures.
const EVERY: Duration = Duration::from_millis(200);
/// Kinds that are shown, the most frequent ones.
const KINDS_MAX: usize = 3;
const MIB: f64 = 1024.0 * 1024.0;

/// A line on standard error, or nothing.
pub(super) struct Progress<'c> {
    clock: &'c dyn Clock,
    rules: &'c Rules,
    /// What the plan has.
    granules: u64,
    /// Granules and masked bytes of the calls before this one.
    before: (u64, u64),
    seen: (u64, u64),
    shown_at: Option<Duration>,
    visible: bool,
}

impl<'c> Progress<'c> {
    /// Shows something where it can be seen and stays in place: standard error is a terminal, and
    /// the records do not go there.
    pub(super) fn start(
        clock: &'c dyn Clock,
        rules: &'c Rules,
        granules: u64,
        to_stdout: bool,
    ) -> Progress<'c> {
        let visible = io::stderr().is_terminal() && !(to_stdout && io::stdout().is_terminal());
        Progress { clock, rules, granules, before: (0, 0), seen: (0, 0), shown_at: None, visible }
    }

    /// Another call goes on.
    pub(super) fn end_call(&mut self) {
        self.before = (self.before.0 + self.seen.0, self.before.1 + self.seen.1);
        self.seen = (0, 0);
    }

    /// Shows where the call at hand is.
    pub(super) fn show(&mut self, tally: &Tally) {
        self.seen.0 += 1;
        self.seen.1 = tally.report.bytes_in;
        let now = self.clock.elapsed();
        let due = now.saturating_sub(self.shown_at.unwrap_or_default()) >= EVERY;
        if !self.visible || !due {
            return;
        }
        self.shown_at = Some(now);
        let (granules, bytes) = (self.before.0 + self.seen.0, self.before.1 + self.seen.1);
        let mut kinds: Vec<(&str, u64)> = tally.report.named(self.rules).collect();
        kinds.sort_by_key(|(_, count)| u64::MAX - count);
        let line = picture(granules, self.granules, bytes, now, &kinds);
        drop(io::stderr().lock().write_all(format!("\r{line}\x1b[K").as_bytes()));
    }

    /// Clears the line for other words.
    pub(super) fn erase(&mut self) {
        if self.shown_at.take().is_some() {
            drop(io::stderr().lock().write_all(b"\r\x1b[K"));
        }
    }
}

/// `120 of 600 granules, 120 MiB, 240 MiB/s, 2 s left, EMAIL 1200`.
#[expect(clippy::cast_precision_loss, reason = "a picture shows a few digits")]
fn picture(granules: u64, all: u64, bytes: u64, now: Duration, kinds: &[(&str, u64)]) -> String {
    let seconds = now.as_secs_f64().max(0.001);
    let left = all.saturating_sub(granules) as f64 * seconds / granules.max(1) as f64;
    let mib = bytes as f64 / MIB;
    let mut line = format!(
        "{granules} of {all} granules, {mib:.0} MiB, {:.0} MiB/s, {left:.0} s left",
        mib / seconds
    );
    for (kind, count) in kinds.iter().take(KINDS_MAX) {
        line.push_str(&format!(", {kind} {count}"));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_says_how_far_how_fast_and_how_long() {
        let kinds = [("EMAIL", 9), ("IPV4", 3), ("SECRET", 2), ("IBAN", 1)];
        let line = picture(100, 300, 100 << 20, Duration::from_secs(2), &kinds);
        assert_eq!(
            line,
            "100 of 300 granules, 100 MiB, 50 MiB/s, 4 s left, EMAIL 9, IPV4 3, SECRET 2"
        );
    }
}
