//! Writes masked text to standard output and counts it.
//!
//! Each piece is one write of the system: what has been masked is out, nothing waits in a buffer
//! for more to come.

use std::fs::File;
use std::io;
use std::io::Write;
use std::os::fd::AsFd;

use serde::Serialize;

use super::super::console;
use super::pipeline::Done;
use super::pipeline::Outcome;
use super::pipeline::Stopped;
use crate::detect::Rules;
use crate::mask::Masked;
use crate::mask::Report;
use crate::units::Bytes;

/// Larger buffers are not kept: one dense piece must not cost memory for the rest of the call.
const KEPT_BYTES_MAX: Bytes = Bytes::kib(1024);

/// Standard output, and what was written to it.
pub(super) struct Output<'r> {
    out: File,
    rules: &'r Rules,
    explain: bool,
    written: Written,
}

/// What was written.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// Counts of all pieces that were masked.
    pub(super) report: Report,
    /// Pieces that did not leave.
    pub(super) withheld_pieces: u64,
    /// Their bytes.
    pub(super) withheld_bytes: u64,
    /// Why writing ended early; nothing when the reader left.
    pub(super) error: Option<io::Error>,
}

/// Where a value was: a line of `--explain`.
#[derive(Serialize)]
struct Explained<'a> {
    file: &'a str,
    offset: u64,
    length: u64,
    kind: &'a str,
    detector: &'a str,
}

impl<'r> Output<'r> {
    /// Writes to standard output.
    ///
    /// # Errors
    ///
    /// When it is closed.
    pub(super) fn new(rules: &'r Rules, explain: bool) -> io::Result<Output<'r>> {
        let out = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        Ok(Output::to(out, rules, explain))
    }

    /// Writes to `out`.
    pub(super) fn to(out: File, rules: &'r Rules, explain: bool) -> Output<'r> {
        Output { out, rules, explain, written: Written::default() }
    }

    /// Writes one piece, and gives its memory back.
    pub(super) fn write(&mut self, done: Done) -> Result<Option<Masked>, Stopped> {
        match done.outcome {
            Outcome::Masked(mut masked) => {
                let text = masked.text.as_bytes();
                if let Err(error) = self.out.write_all(text) {
                    // A reader that has seen enough is no error of ours.
                    let left = error.kind() == io::ErrorKind::BrokenPipe;
                    self.written.error = (!left).then_some(error);
                    return Err(Stopped);
                }
                let kept = text.len() <= KEPT_BYTES_MAX.as_len();
                if self.explain {
                    self.explain(&done.source, &masked);
                }
                self.written.report.merge(&masked.report);
                masked.clear();
                Ok(kept.then_some(masked))
            }
            Outcome::Withheld { offset, len } => {
                self.written.withheld_pieces += 1;
                self.written.withheld_bytes += len as u64;
                let source = &done.source;
                console::say(format_args!(
                    "withheld {len} bytes of {source} from byte {offset} on: masking them failed"
                ));
                Ok(None)
            }
        }
    }

    /// Ends the output.
    pub(super) fn finish(self) -> Written {
        self.written
    }

    fn explain(&self, source: &str, masked: &Masked) {
        let mut lines = Vec::new();
        for finding in &masked.findings {
            let explained = Explained {
                file: source,
                offset: finding.offset,
                length: finding.len,
                kind: self.rules.kind_name(finding.kind),
                detector: self.rules.rule_id(finding.rule),
            };
            if serde_json::to_writer(&mut lines, &explained).is_ok() {
                lines.push(b'\n');
            }
        }
        // Nobody to tell when standard error is closed.
        drop(io::stderr().lock().write_all(&lines));
    }
}
