//! What the types forbid does not compile.
//!
//! Each file of `tests/compile_fail/` must fail with the messages that stand beside it. Shown to
//! bite by `impl Display for RawText`: the messages are others then. To accept new messages after a reason for them, run the test with
//! `TRYBUILD=overwrite`.

use std::process::Command;

#[test]
fn raw_text_is_not_printed_and_masked_text_is_not_forged() {
    let pinned = include_str!("../../rust-toolchain.toml");
    let pinned = pinned.split('"').nth(1).unwrap();
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = Command::new(compiler).arg("--version").output().map(|output| output.stdout);
    let version = String::from_utf8(version.unwrap_or_default()).unwrap();
    if version.split(' ').nth(1) != Some(pinned) {
        println!("skipped: messages are those of Rust {pinned}, this is '{}'", version.trim());
        return;
    }
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
