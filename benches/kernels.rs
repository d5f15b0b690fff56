//! The tripwire: instructions of the hot kernels, counted by callgrind, against an accepted baseline.
//!
//! Counts repeat to the last digit where times do not, so that a kernel that got 5 % dearer fails a
//! change, on any machine and under any load. They are no speeds: memory, branches and the width of
//! vectors do not show. valgrind knows no AVX-512 and no SHA instructions, so the gates count their
//! AVX2 form and naming counts SHA-256 in software; `hmac` times what the machine really does.
//!
//! - `kernels check`: counts each kernel and compares; +2 % warns, +5 % fails.
//! - `kernels baseline REASON`: prints the file to accept.
//! - `kernels run NAME`: one pass of one kernel, its answer checked; this is what callgrind runs.
//! - `kernels hmac`: nanoseconds for one name.
//!
//! That the comparison of calls can tell is part of each run: `call-repeat` has to be cheaper.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    missing_docs,
    reason = "a tool of the build: it may panic, and it prints"
)]

#[path = "kernels/count.rs"]
mod count;
#[path = "kernels/hmac.rs"]
mod hmac;
#[path = "kernels/pass.rs"]
mod pass;

use std::process::ExitCode;

fn main() -> ExitCode {
    // Cargo adds flags of its own.
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        [] | ["check"] => count::check(),
        ["baseline", reason] => count::baseline(reason),
        ["run", name] => pass::run(name),
        ["hmac"] => hmac::check(),
        _ => {
            println!("expected: check, baseline REASON, run NAME or hmac");
            ExitCode::from(2)
        }
    }
}
