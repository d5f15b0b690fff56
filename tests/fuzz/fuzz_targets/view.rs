#![no_main]

#[path = "../targets.rs"]
#[allow(dead_code, reason = "a target uses its own part")]
mod targets;

libfuzzer_sys::fuzz_target!(|data: &[u8]| targets::view(data));
