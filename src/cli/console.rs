//! Words for the user, on standard error, and answers on standard output.

use std::fmt;
use std::io;
use std::io::Write;

/// Says one line. When nobody can read it there is nobody to tell.
pub(super) fn say(message: fmt::Arguments<'_>) {
    // One write for the line, so that lines of two processes do not mix.
    drop(io::stderr().lock().write_all(format!("locklog: {message}\n").as_bytes()));
}

/// Prints one line of an answer.
///
/// # Errors
///
/// When standard output fails for another reason than that its reader has left.
pub(super) fn answer(line: fmt::Arguments<'_>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
