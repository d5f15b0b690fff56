//! How long one name takes in the build that ships.
//!
//! SHA instructions beside vector code whose upper halves are in use once took fifty times as long.
//! No count of instructions shows that, so this is a time: wide of the mark before it fails.

use std::process::ExitCode;

use locklog::detect::Rules;
use locklog::detect::Scratch;
use locklog::detect::Selection;
use locklog::pseudonym::Key;
use locklog::pseudonym::Namer;
use locklog::text::RawSlice;
use locklog::time::Clock;
use locklog::time::SystemClock;

/// What a name should cost.
const WANTED_NS: u64 = 200;
/// What fails: far above the noise of a busy machine, far below the trap.
const FAIL_NS: u64 = 1_000;
const ROUNDS: usize = 15;
const NAMES: u64 = 20_000;

/// Times names alone, and names between scans, which leave vector registers in use.
pub(crate) fn check() -> ExitCode {
    let rules = Rules::load(&Selection::default()).unwrap();
    let namer = Namer::new(&Key::take(&mut b"timed, and nobody's own secret..".to_owned()));
    let clock = SystemClock::start();
    let text = b"ann.lee@example.com from 203.0.113.84 ".repeat(4);
    let mut scratch = Scratch::new();
    let mut out = Vec::new();
    let (mut alone, mut scans, mut both) = (u64::MAX, u64::MAX, u64::MAX);
    for _ in 0..ROUNDS {
        let mut name = |number: u64| {
            out.clear();
            namer.name("EMAIL", format_value(number).as_slice(), &mut out);
        };
        let spent = |work: &mut dyn FnMut(u64)| {
            let start = clock.elapsed();
            (0..NAMES).for_each(work);
            u64::try_from((clock.elapsed() - start).as_nanos()).unwrap() / NAMES
        };
        alone = alone.min(spent(&mut name));
        scans = scans.min(spent(&mut |_| rules.scan(RawSlice::new(&text), &mut scratch)));
        both = both.min(spent(&mut |number| {
            rules.scan(RawSlice::new(&text), &mut scratch);
            name(number);
        }));
    }
    // The quietest round of each: what else the machine does only adds.
    let beside = both.saturating_sub(scans);
    println!(
        "one name: {alone} ns alone, {beside} ns beside scans (wanted {WANTED_NS}, fails above {FAIL_NS})"
    );
    if alone.max(beside) > FAIL_NS {
        println!("FAIL: SHA-256 runs without its instructions, or beside vector code in use");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// A value of 24 bytes that differs from the last.
fn format_value(number: u64) -> [u8; 24] {
    let mut value = *b"00000000.ann@example.com";
    value[..8].copy_from_slice(&number.to_le_bytes().map(|byte| b'a' + byte % 16));
    value
}
