//! Integration tests.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    missing_docs,
    reason = "tests may panic, and time real programs"
)]

/// The cases with right answers.
mod cases;
/// `locklog mask` as a program: packings, pipes, order, reports, exit codes.
mod cli;
/// Every detector against values it was not written for.
mod detectors;
/// Keys: made once, never replaced, refused when others can read them.
mod key;
/// What holds for any text.
mod properties;
/// Masking inside the test's process.
mod run;
/// Running the program in a folder of its own.
mod support;
