//! What was done, in counts: `--report`, and the exit code that follows from it.

use std::collections::BTreeMap;
use std::io;
use std::io::Write;
use std::time::Duration;

use serde::Serialize;

use super::super::exit::Exit;
use super::output::Written;
use crate::detect::Rules;

/// Form of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// For people.
    Text,
    /// One JSON object on one line.
    Json,
}

/// Everything that a report may say.
pub(super) struct Summary<'w> {
    /// Whose kinds are counted.
    pub(super) rules: &'w Rules,
    /// What left, and what did not.
    pub(super) written: &'w Written,
    /// Inputs that could not be read to their end.
    pub(super) inputs_failed: u64,
    /// Time since the call began.
    pub(super) elapsed: Duration,
}

#[derive(Serialize)]
struct Json<'w> {
    lines: u64,
    bytes_in: u64,
    bytes_out: u64,
    matches: BTreeMap<&'w str, u64>,
    limits: BTreeMap<&'w str, u64>,
    withheld_pieces: u64,
    withheld_bytes: u64,
    inputs_failed: u64,
    seconds: f64,
    mb_s: f64,
}

impl Summary<'_> {
    /// Prints it to standard error.
    pub(super) fn print(&self, format: Format) {
        let text = match format {
            Format::Text => self.text(),
            Format::Json => serde_json::to_string(&self.json()).unwrap_or_default() + "\n",
        };
        // Nobody to tell when standard error is closed.
        drop(io::stderr().lock().write_all(text.as_bytes()));
    }

    /// A piece that was withheld is missing from the answer, which weighs more than an input that
    /// the system did not give.
    pub(super) fn exit(&self) -> Exit {
        if self.written.withheld_pieces > 0 {
            Exit::Incomplete
        } else if self.inputs_failed > 0 {
            Exit::Failed
        } else {
            Exit::Done
        }
    }

    fn json(&self) -> Json<'_> {
        let report = &self.written.report;
        Json {
            lines: report.lines,
            bytes_in: report.bytes_in,
            bytes_out: report.bytes_out,
            matches: report.named(self.rules).collect(),
            limits: report.limits().filter(|(_, count)| *count > 0).collect(),
            withheld_pieces: self.written.withheld_pieces,
            withheld_bytes: self.written.withheld_bytes,
            inputs_failed: self.inputs_failed,
            seconds: self.elapsed.as_secs_f64(),
            mb_s: mb_s(report.bytes_in, self.elapsed),
        }
    }

    fn text(&self) -> String {
        let json = self.json();
        let mut text = format!(
            "lines      {}\nbytes in   {}\nbytes out  {}\n",
            json.lines, json.bytes_in, json.bytes_out
        );
        for (title, counts) in [("matches", &json.matches), ("limits met", &json.limits)] {
            let total: u64 = counts.values().sum();
            text.push_str(&format!("{title:<10} {total}\n"));
            for (name, count) in counts {
                text.push_str(&format!("  {name:<12} {count}\n"));
            }
        }
        for (title, count) in [
            ("pieces withheld", json.withheld_pieces),
            ("bytes withheld", json.withheld_bytes),
            ("inputs failed", json.inputs_failed),
        ] {
            if count > 0 {
                text.push_str(&format!("{title} {count}\n"));
            }
        }
        text.push_str(&format!("{:.3} s, {:.1} MB/s\n", json.seconds, json.mb_s));
        text
    }
}

/// Speed in 10⁶ bytes a second.
#[expect(clippy::cast_precision_loss, reason = "a speed is shown with a few digits")]
pub(super) fn mb_s(bytes: u64, elapsed: Duration) -> f64 {
    let seconds = elapsed.as_secs_f64();
    if seconds > 0.0 { bytes as f64 / 1e6 / seconds } else { 0.0 }
}
