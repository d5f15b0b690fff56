//! What holds for any text.
//!
//! Texts are built from fragments that meet each other in odd ways: values of every detector, their
//! beginnings and ends, quotes, escapes, markers of this and another key, key blocks, bytes that are
//! no UTF-8. A property that fails prints its seed and the smallest text that still fails; that text
//! is made up, so it may be shown.

/// Fragments, and texts made of them.
mod fragments;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::panic;
use std::panic::AssertUnwindSafe;
use std::sync::Once;

use locklog::detect::Match;
use locklog::detect::Rules;
use locklog::detect::Scratch;
use locklog::lab::rng::Rng;
use locklog::mask::Masker;
use locklog::simd::Kernel;
use locklog::text::RawSlice;
use locklog::text::Span;
use locklog::view::View;

use crate::run;
use crate::run::Then;
use fragments::Fragments;
use fragments::Text;

/// Texts for each property.
const TEXTS: u64 = if cfg!(debug_assertions) { 400 } else { 2000 };
/// The first seed; each text has the next one.
const SEED: u64 = 0x5eed_0000;
/// Failures that are shrunken, and of those the ones shown: one for each reason, digits aside.
const SHRUNKEN_MAX: usize = 40;
const SHOWN_MAX: usize = 12;

/// Runs `fails` on many texts; it gives a reason where the property does not hold.
fn hold(make: impl Fn(&mut Rng) -> Text, fails: impl Fn(&[u8], u64) -> Option<String>) {
    hold_in(TEXTS, make, fails);
}

/// As [`hold`], with another number of texts.
fn hold_in(
    texts: u64,
    make: impl Fn(&mut Rng) -> Text,
    fails: impl Fn(&[u8], u64) -> Option<String>,
) {
    let fails = |text: &[u8], seed| quietly(|| fails(text, seed));
    let (mut shown, mut count, mut message) = (BTreeSet::new(), 0, String::new());
    for seed in SEED..SEED + texts {
        let text = make(&mut Rng::new(seed));
        if fails(&text.bytes(), seed).is_none() {
            continue;
        }
        count += 1;
        if count > SHRUNKEN_MAX || shown.len() == SHOWN_MAX {
            continue;
        }
        let small = text.shrink(|bytes| fails(bytes, seed).is_some());
        let reason = fails(&small, seed).unwrap_or_default();
        if shown.insert(reason.replace(|c: char| c.is_ascii_digit(), "")) {
            let _written =
                writeln!(message, "seed {seed:#x}: \"{}\": {reason}", small.escape_ascii());
        }
    }
    assert!(count == 0, "{count} of {texts} texts fail, the first ones shrunken:\n{message}");
}

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A panic is a reason too: where it was, without its message and its stack.
fn quietly(fails: impl FnOnce() -> Option<String>) -> Option<String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let is_ours = PANIC.with_borrow_mut(|place| {
                let waits = place.as_deref() == Some("");
                if waits {
                    *place =
                        info.location().map(|at| format!("panics at {}:{}", at.file(), at.line()));
                }
                waits
            });
            if !is_ours {
                others(info);
            }
        }));
    });
    PANIC.set(Some(String::new()));
    let outcome = panic::catch_unwind(AssertUnwindSafe(fails));
    let place = PANIC.take();
    outcome.unwrap_or(place)
}

fn spans(rules: &Rules, text: &[u8]) -> Vec<Match> {
    let mut scratch = Scratch::new();
    rules.scan(RawSlice::new(text), &mut scratch);
    scratch.matches().to_vec()
}

fn differ(a: &[u8], b: &[u8]) -> Option<String> {
    (a != b).then(|| format!("\"{}\" is not \"{}\"", a.escape_ascii(), b.escape_ascii()))
}

fn differ_in_spans(rules: &Rules, a: &[Match], b: &[Match]) -> Option<String> {
    let list = |all: &[Match]| {
        let one = |m: &Match| format!("{}..{} {}", m.span.start, m.span.end, rules.rule_id(m.rule));
        all.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    (a != b).then(|| format!("[{}] is not [{}]", list(a), list(b)))
}

/// Bit when two `END` lines of keys stood in one line: the first pass left half a marker.
///
/// Where the edge of a key block or a marker of ours is glued to other bytes, what stands beside the
/// new marker may be a value of its own in the second pass; there the third pass must change nothing.
#[test]
fn masking_twice_is_masking_once() {
    let (masker, fragments) = (run::masker(3), Fragments::new());
    hold(
        |rng| fragments.text(rng),
        |text, _| {
            let once = run::mask(&masker, text);
            let twice = run::mask(&masker, &once);
            let has = |part: &[u8]| text.windows(part.len()).any(|window| window == part);
            if has(b"PRIVATE") || has(b"_meb7_") {
                return differ(&run::mask(&masker, &twice), &twice);
            }
            differ(&twice, &once)
        },
    );
}

/// Bit when a token with `=` among its first bytes was found in one spelling and not in another.
#[test]
fn one_value_has_one_marker() {
    let (masker, fragments) = (run::masker(3), Fragments::new());
    hold(
        |rng| fragments.one_value(rng),
        |text, _| {
            let out = run::mask(&masker, text);
            let mut markers: Vec<&[u8]> = out
                .split(|byte| *byte == b'\n')
                .filter_map(|line| line.strip_prefix(b"at <")?.strip_suffix(b"> end"))
                .collect();
            let lines = markers.len();
            markers.dedup();
            let is_marker =
                |marker: &&[u8]| marker.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_');
            (lines > 1 && (markers.len() > 1 || !markers.iter().all(is_marker)))
                .then(|| String::from_utf8_lossy(&out).into_owned())
        },
    );
}

/// Shown to bite by letting `View::source_span` end one byte early.
#[test]
fn characters_are_never_cut() {
    let (masker, fragments) = (run::masker(3), Fragments::new());
    hold(
        |rng| fragments.characters(rng),
        |text, _| {
            let text = std::str::from_utf8(text).ok()?;
            let cut = spans(masker.rules(), text.as_bytes()).into_iter().find(|m| {
                !text.is_char_boundary(m.span.start) || !text.is_char_boundary(m.span.end)
            });
            if let Some(cut) = cut {
                return Some(format!("{:?} cuts a character", cut.span));
            }
            String::from_utf8(run::mask(&masker, text.as_bytes()))
                .err()
                .map(|_| "not UTF-8".to_owned())
        },
    );
}

/// Bit when `"token":"\\"` was taken for a value that goes on behind its quote.
#[test]
fn json_stays_json() {
    let (masker, fragments) = (run::masker(3), Fragments::new());
    let is_json = |line: &[u8]| serde_json::from_slice::<serde_json::Value>(line).is_ok();
    hold(
        |rng| fragments.json(rng),
        |text, _| {
            let out = run::mask(&masker, text);
            let lines = |text: &[u8]| {
                text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>()
            };
            lines(text)
                .into_iter()
                .zip(lines(&out))
                .find(|(line, masked)| is_json(line) && !is_json(masked))
                .map(|(_, masked)| String::from_utf8_lossy(&masked).into_owned())
        },
    );
}

/// Bit when a short line above the `END` line of a key left before that line had come. Shown to bite
/// by letting pieces end at the last blank.
#[test]
fn groups_of_lines_with_state_carried_are_the_whole() {
    let (masker, fragments) = (run::masker(3), Fragments::new());
    hold(
        |rng| fragments.text(rng),
        |text, seed| {
            let whole = run::mask(&masker, text);
            let mut rng = Rng::new(seed);
            let piece_len = rng.length(1, 200);
            let groups = text.split_inclusive(|byte| *byte == b'\n').map(|line| (line, Then::Idle));
            differ(&run::mask_pieces(&masker, piece_len, groups), &whole)
        },
    );
}

/// Shown to bite by letting pieces end at the last blank instead of the last line end: 98 of 400 texts.
#[test]
fn any_chunking_is_the_whole() {
    let (masker, fragments) = (run::masker(3), Fragments::new());
    hold(
        |rng| fragments.text(rng),
        |text, seed| {
            let whole = run::mask(&masker, text);
            let mut rng = Rng::new(seed);
            let (mut rest, mut chunks) = (text, Vec::new());
            while !rest.is_empty() {
                let (chunk, tail) = rest.split_at(rng.length(1, 60).min(rest.len()));
                chunks.push((chunk, if rng.chance(50) { Then::Idle } else { Then::More }));
                rest = tail;
            }
            differ(&run::mask_chunks(&masker, chunks), &whole)
        },
    );
}

/// Bit when a token's literal was followed by a mark among its first 14 bytes. Shown to bite by
/// letting matchers skip their checks.
#[test]
fn gates_on_and_gates_off_find_the_same() {
    let (rules, mut open, fragments) = (run::rules(), run::rules(), Fragments::new());
    open.ignore_gates();
    hold(
        |rng| fragments.text(rng),
        |text, _| differ_in_spans(&rules, &spans(&rules, text), &spans(&open, text)),
    );
}

/// Shown to bite by dropping `ef` from the rare bytes of the scalar kernel. Short texts did not bite,
/// because whole vectors are only read inside of a long one.
#[test]
fn every_kernel_finds_what_the_scalar_one_finds() {
    let (mut scalar, fragments) = (run::rules(), Fragments::new());
    scalar.set_kernel(Kernel::Scalar);
    for kernel in Kernel::ALL {
        if !kernel.is_available() {
            println!("{kernel:?}: skipped: this machine lacks its instructions");
            continue;
        }
        let mut rules = run::rules();
        rules.set_kernel(kernel);
        hold_in(
            TEXTS / 10,
            |rng| fragments.long(rng),
            |text, _| differ_in_spans(&rules, &spans(&rules, text), &spans(&scalar, text)),
        );
    }
}

fn view(text: &[u8]) -> View {
    let escapes: Vec<u32> = (0..u32::try_from(text.len()).unwrap()).collect();
    let mut view = View::new();
    view.push(text, 0, text.len(), &escapes);
    view
}

/// Shown to bite by letting `View::source_span` end one byte early.
#[test]
fn a_part_of_a_view_is_what_its_source_decodes_to() {
    let fragments = Fragments::new();
    hold(
        |rng| fragments.text(rng),
        |text, seed| {
            let text = text.split(|byte| *byte == b'\n').max_by_key(|line| line.len())?;
            let whole = view(text);
            let decoded = whole.text().len() - 1;
            let mut rng = Rng::new(seed);
            for _ in 0..8 {
                let end = rng.length(1, (decoded as u64).max(1)).min(decoded);
                let start = rng.length(0, end as u64).min(end);
                if start == end {
                    continue;
                }
                let span = whole.source_span(Span::new(start, end));
                let Some(source) = text.get(span.start..span.end) else {
                    return Some(format!("{span:?} is not in the text"));
                };
                let part = view(source);
                let wanted = &whole.text()[start..end];
                // A character of several bytes may have been cut by the part, not by its source.
                if !part.text().windows(wanted.len()).any(|window| window == wanted)
                    || part.text().len() > wanted.len() + 7
                {
                    return Some(format!(
                        "{start}..{end} is {span:?}: \"{}\"",
                        source.escape_ascii()
                    ));
                }
            }
            None
        },
    );
}

/// Shown to bite by letting a quoted value go on over the line's end.
#[test]
fn lines_are_kept() {
    let (masker, fragments) = (run::masker(3), Fragments::new());
    let ends = |text: &[u8]| memchr::memchr_iter(b'\n', text).count();
    hold(
        |rng| fragments.text(rng),
        |text, _| {
            let out = run::mask(&masker, text);
            (ends(text) != ends(&out))
                .then(|| format!("{} line ends of {}", ends(&out), ends(text)))
        },
    );
}

/// Shown to bite by taking everything of a marker's form for one.
#[test]
fn markers_of_another_key_are_text() {
    let (masker, other): (Masker, Masker) = (run::masker(3), run::masker(4));
    let once = run::mask(&other, b"password=Wren42-otterLane to mona.lind@mail.example\n");
    let twice = run::mask(&masker, &once);
    assert_ne!(once, twice, "a marker of another key is masked like any other value");
}
