//! The `locklog` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    locklog::cli::main()
}
