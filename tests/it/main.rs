//! Integration tests.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    missing_docs,
    reason = "tests may panic, and time real programs"
)]

/// `locklog audit`: what it says of a trail in order and of one that is not.
mod audit;
/// `locklog calibrate` as a program.
mod calibrate;
/// What left the process holds no planted value.
mod canary;
/// The cases with right answers.
mod cases;
/// `locklog mask` as a program: packings, pipes, order, reports, exit codes.
mod cli;
/// What the types forbid does not compile.
mod compile_fail;
/// Killed at any point: what was acknowledged is neither lost nor repeated.
mod crash;
/// Every detector against values it was not written for.
mod detectors;
/// What fuzzing found, and a short run of each fuzz target.
mod fuzz_replay;
/// `locklog grant`: several users, one state directory.
mod grant;
/// What help says, word for word.
mod help;
/// Keys: made once, never replaced, refused when others can read them.
mod key;
/// Every crate may be used and passed on.
mod licences;
/// What holds for any text.
mod properties;
/// Masking inside the test's process.
mod run;
/// `locklog scan` and `locklog plan`.
mod scan;
/// Running the program in a folder of its own.
mod support;
