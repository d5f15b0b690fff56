//! The `locklog` binary.

fn main() {}
