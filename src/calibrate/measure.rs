//! Masking fixed corpora and looking at the processor's clock.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Context as _;

use crate::cost::Rate;
use crate::cost::Table;
use crate::detect::Rules;
use crate::detect::Selection;
use crate::lab::corpus;
use crate::lab::corpus::Definition;
use crate::lab::corpus::Mode;
use crate::lab::machine::Machine;
use crate::lab::stats;
use crate::mask::Carry;
use crate::mask::Cutter;
use crate::mask::Masked;
use crate::mask::Masker;
use crate::mask::PIECE_LEN_MAX;
use crate::mask::Upcoming;
use crate::pseudonym::Key;
use crate::pseudonym::Namer;
use crate::source::in_process;
use crate::time::Clock;
use crate::time::thread_cpu_time;
use crate::units::Bytes;

/// Bytes of the mixed corpus: a granule.
const MIXED_BYTES: Bytes = Bytes::kib(1024);
/// Bytes of each single corpus: a pass over all of them takes as long as over a few granules.
const SINGLE_BYTES: Bytes = Bytes::kib(256);
/// Passes over the mixed corpus.
const MIXED_PASSES: usize = 3;

/// The ordinary corpora and the format that each stands for. The others are plain text.
pub const FORMATS: &[(&str, &str)] =
    &[("nginx", "access"), ("json", "json"), ("syslog", "syslog"), ("dense", "text")];

/// One pass over a corpus.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The corpus.
    pub corpus: &'static str,
    /// Its bytes.
    pub bytes: Bytes,
    /// Processor time.
    pub cpu: Duration,
}

/// What a calibration gave.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// The table.
    pub table: Table,
    /// The corpus that the worst case is from.
    pub slowest: &'static str,
    /// Spread of the passes over the mixed corpus, in percent.
    pub variation_percent: f64,
    /// Every pass.
    pub passes: Vec<Pass>,
}

/// What tells this machine and this program from others: a name and a short digest of everything
/// that a rate depends on.
pub fn fingerprint(machine: &Machine) -> String {
    let mut hasher = blake3::Hasher::new();
    let facts = [
        machine.cpu.as_deref().unwrap_or_default(),
        machine.cpu_model.as_deref().unwrap_or_default(),
        machine.kernel.as_deref().unwrap_or_default(),
        machine.version,
        if machine.optimised { "optimised" } else { "not optimised" },
    ];
    for fact in facts.iter().chain(&machine.features) {
        hasher.update(fact.as_bytes()).update(b"\n");
    }
    let digest = hasher.finalize().to_hex();
    format!("{}-{}", machine.slug(), digest.chars().take(8).collect::<String>())
}

/// The format that a corpus stands for.
pub fn format_of(corpus: &str) -> &'static str {
    FORMATS.iter().find(|(name, _)| *name == corpus).map_or("text", |(_, format)| *format)
}

/// Measures this machine.
///
/// # Errors
///
/// When the detectors do not load.
pub fn measure(clock: &dyn Clock) -> anyhow::Result<Calibration> {
    let rules = Rules::load(&Selection::default()).context("detectors")?;
    // Invented text under a key that is no secret.
    let namer = Namer::new(&Key::take(&mut b"locklog calibrates with this key".to_owned()));
    let masker = Masker::new(rules, namer);
    let mut passes = Vec::new();
    let mixed = mixed();
    run(&masker, &mixed); // The first pass pays for cold caches.
    for _ in 0..MIXED_PASSES {
        let cpu = run(&masker, &mixed);
        passes.push(Pass { corpus: "mixed", bytes: Bytes::new(mixed.len() as u64), cpu });
    }
    for definition in corpus::S4 {
        let text = some(definition, SINGLE_BYTES);
        let cpu = run(&masker, &text);
        passes.push(Pass { corpus: definition.name, bytes: Bytes::new(text.len() as u64), cpu });
    }
    Ok(evaluate(passes, clock.moment().wall))
}

fn evaluate(passes: Vec<Pass>, measured: Duration) -> Calibration {
    let rate = |pass: &Pass| Rate::of(pass.bytes, pass.cpu).unwrap_or(Rate::UNMEASURED);
    let mixed: Vec<f64> = passes
        .iter()
        .filter(|pass| pass.corpus == "mixed")
        .map(|pass| rate(pass).get() as f64)
        .collect();
    let variation_percent = stats::variation_percent(&mixed);
    let mut worst = ("mixed", whole(stats::median(&mixed)));
    let mut formats: BTreeMap<String, Rate> = BTreeMap::new();
    for pass in passes.iter().filter(|pass| pass.corpus != "mixed") {
        let rate = rate(pass);
        if rate > worst.1 {
            worst = (pass.corpus, rate);
        }
        if FORMATS.iter().any(|(name, _)| *name == pass.corpus) {
            formats.insert(format_of(pass.corpus).to_owned(), rate);
        }
    }
    let table = Table {
        machine: fingerprint(&Machine::read()),
        measured,
        mixed: whole(stats::median(&mixed)),
        worst: worst.1,
        spread_permille: whole(variation_percent * 10.0).get(),
        formats,
    };
    Calibration { table, slowest: worst.0, variation_percent, passes }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is not negative")]
fn whole(number: f64) -> Rate {
    Rate::picoseconds(number.max(0.0).round() as u64)
}

/// Equal shares of all ordinary corpora, in turns of a few lines: what one processor has in its
/// caches for one kind of text, it has to give up for the next.
fn mixed() -> Vec<u8> {
    const LINES_A_TURN: usize = 16;
    let share = MIXED_BYTES.as_len() / FORMATS.len();
    let corpora: Vec<Vec<u8>> = FORMATS
        .iter()
        .filter_map(|(name, _)| corpus::find(name))
        .map(|definition| some(definition, Bytes::new(share as u64)))
        .collect();
    let mut lines: Vec<_> =
        corpora.iter().map(|text| text.split_inclusive(|byte| *byte == b'\n').peekable()).collect();
    let mut text = Vec::with_capacity(MIXED_BYTES.as_len());
    while lines.iter_mut().any(|lines| lines.peek().is_some()) {
        for lines in &mut lines {
            for line in lines.by_ref().take(LINES_A_TURN) {
                text.extend_from_slice(line);
            }
        }
    }
    text
}

/// About so many bytes of a corpus, with values as in real logs.
pub(super) fn some(definition: &Definition, bytes: Bytes) -> Vec<u8> {
    let lines = bytes.as_len() / definition.line_bytes + 1;
    corpus::generate(definition, lines, Mode::Warm, corpus::SEED).text
}

/// Masks a text and tells the processor time of it.
pub(super) fn run(masker: &Masker, text: &[u8]) -> Duration {
    let mut worker = masker.worker();
    let raw = in_process(text.to_vec());
    let mut masked = Masked::default();
    let before = thread_cpu_time();
    let mut cutter = Cutter::new(PIECE_LEN_MAX);
    cutter.push(raw);
    let mut carry = Carry::default();
    while let Some(piece) = cutter.cut(Upcoming::End) {
        if !piece.needs_carry() {
            carry = Carry::default();
        }
        worker.mask(&piece, &mut carry, &mut masked);
        std::hint::black_box(masked.text.as_bytes().len());
    }
    thread_cpu_time().saturating_sub(before)
}
