//! One pass of one kernel, with an answer that is checked.

use std::hint::black_box;
use std::process::ExitCode;

use locklog::detect::Rules;
use locklog::detect::Scratch;
use locklog::detect::Selection;
use locklog::lab::corpus;
use locklog::lab::corpus::Mode;
use locklog::mask::Carry;
use locklog::mask::Cutter;
use locklog::mask::Masked;
use locklog::mask::Masker;
use locklog::mask::Upcoming;
use locklog::mask::Worker;
use locklog::pseudonym::Key;
use locklog::pseudonym::Namer;
use locklog::pseudonym::Names;
use locklog::simd;
use locklog::simd::Kernel;
use locklog::text::RawSlice;
use locklog::text::RawText;
use locklog::view::View;

/// Bytes that a kernel over text reads.
const TEXT_BYTES: usize = 1 << 20;
/// Values that a kernel over values names.
const VALUES: usize = 2_000;

/// The kernels, in the order of the report.
pub(crate) const KERNELS: &[&str] = &[
    "gates-nginx",
    "gates-json",
    "gates-syslog",
    "gates-hex",
    "gates-digits",
    "scan-nginx",
    "scan-json",
    "view-encoded",
    "name-fresh",
    "name-cached",
    "verify",
    "call-fresh",
    "call-seen",
    "call-repeat",
];

/// What callgrind counts: everything that runs below this function, and nothing else.
#[inline(never)]
fn counted_kernel<T>(kernel: impl FnOnce() -> T) -> T {
    black_box(kernel())
}

/// Runs one kernel once and prints the bytes it worked on.
pub(crate) fn run(name: &str) -> ExitCode {
    let bytes = match name.split_once('-') {
        Some(("gates", corpus)) => gates(&text(corpus)),
        Some(("scan", corpus)) => scan(&text(corpus)),
        Some(("view", corpus)) => view(&text(corpus)),
        Some(("name", how)) => names(how),
        Some(("call", how)) => call(how),
        _ if name == "verify" => verify(),
        _ => {
            println!("no kernel is called '{name}'");
            return ExitCode::from(2);
        }
    };
    println!("{name}: {bytes} bytes, answer checked");
    ExitCode::SUCCESS
}

fn text(corpus: &str) -> Vec<u8> {
    let definition =
        corpus::find(corpus).or_else(|| corpus::find(&format!("worst-{corpus}"))).unwrap();
    let lines = TEXT_BYTES / definition.line_bytes * 2;
    let mut text = corpus::generate(definition, lines, Mode::Cold, corpus::SEED).text;
    assert!(text.len() >= TEXT_BYTES, "the corpus is too short");
    text.truncate(TEXT_BYTES);
    text
}

fn gates(text: &[u8]) -> usize {
    let sum = |kernel: Kernel| {
        let mut sum = 0_u64;
        let mut found = |pattern: usize, place: usize, lanes: &[u64; simd::LANES]| {
            for (lane, bits) in lanes.iter().enumerate().filter(|(_, bits)| **bits != 0) {
                let word = *bits ^ (place as u64) << 8 ^ (lane as u64) << 5 ^ pattern as u64;
                sum = sum.wrapping_add(word.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            }
        };
        let (windows, mut memory) = (simd::windows(text.len()), simd::Memory::default());
        simd::find(kernel, text, 0, windows, &mut memory, &mut found);
        sum
    };
    let answer = counted_kernel(|| sum(Kernel::best()));
    assert_eq!(answer, sum(Kernel::Scalar), "the kernels do not agree");
    text.len()
}

fn rules() -> Rules {
    Rules::load(&Selection::default()).unwrap()
}

fn namer() -> Namer {
    Namer::new(&Key::take(&mut b"counted, and nobody's own secret".to_owned()))
}

fn scan(text: &[u8]) -> usize {
    let rules = rules();
    let mut scratch = Scratch::new();
    counted_kernel(|| rules.scan(RawSlice::new(text), &mut scratch));
    let found: Vec<_> = scratch.matches().iter().map(|found| found.span).collect();
    let ordered = found.is_sorted_by(|one, next| one.end <= next.start);
    assert!(ordered && found.len() > text.len() / 1_000, "{} spans", found.len());
    text.len()
}

fn view(text: &[u8]) -> usize {
    let escapes: Vec<u32> =
        (0_u32..).zip(text).filter(|(_, byte)| b"%&\\".contains(byte)).map(|(at, _)| at).collect();
    let mut view = View::new();
    counted_kernel(|| view.push(text, 0, text.len(), &escapes));
    let at_signs = |text: &[u8]| text.iter().filter(|byte| **byte == b'@').count();
    assert!(
        view.text().len() < text.len() && at_signs(view.text()) > at_signs(text),
        "nothing was decoded"
    );
    text.len()
}

fn value(number: usize) -> String {
    format!("person.{number:06}@example.com")
}

fn names(how: &str) -> usize {
    let (namer, values): (_, Vec<String>) = (namer(), (0..VALUES).map(value).collect());
    let bytes = values.iter().map(String::len).sum();
    let mut cache = namer.new_cache();
    let (mut out, mut plain) = (Vec::new(), Vec::new());
    out.reserve(VALUES * 64);
    values.iter().for_each(|value| namer.name("EMAIL", value.as_bytes(), &mut plain));
    match how {
        "fresh" => counted_kernel(|| {
            values.iter().for_each(|value| namer.name("EMAIL", value.as_bytes(), &mut out));
        }),
        _ => {
            let mut names = Names::default();
            let mut ask = |times: usize, out: &mut Vec<u8>| {
                let mut naming = namer.begin(&mut cache, &mut names);
                (0..times).for_each(|_| naming.add(0, "EMAIL", values[0].as_bytes()));
                let named = naming.finish();
                (0..times).for_each(|at| named.write(at, "EMAIL", out));
            };
            // One value, so that each look-up is a hit wherever the random key puts it.
            ask(1, &mut out);
            out.clear();
            counted_kernel(|| ask(VALUES, &mut out));
            let len = plain.len() / VALUES;
            plain = plain[..len].repeat(VALUES);
        }
    }
    assert!(out == plain, "the names differ");
    bytes
}

fn verify() -> usize {
    let namer = namer();
    let mut markers = Vec::new();
    (0..VALUES).for_each(|number| namer.name("EMAIL", value(number).as_bytes(), &mut markers));
    let parts: Vec<&[u8]> = markers.chunks(markers.len() / VALUES).collect();
    let right = counted_kernel(|| parts.iter().filter(|part| namer.verify(part)).count());
    assert_eq!(right, VALUES);
    markers.len()
}

/// What a call costs whose values another call of the same masker has seen, and has not seen.
fn call(how: &str) -> usize {
    let masker = Masker::new(rules(), namer());
    let lines = |from: usize| -> Vec<u8> {
        (from..from + VALUES)
            .flat_map(|number| format!("seen {}\n", value(number)).into_bytes())
            .collect()
    };
    let (first, other) = (lines(0), lines(VALUES));
    let once = lines(0)[..first.len() / VALUES].repeat(VALUES);
    let text = match how {
        "fresh" => other,
        "seen" => first.clone(),
        _ => once,
    };
    mask(&mut masker.worker(), &first);
    // The worker's own memory is made before, so that its allocation does not count.
    let mut worker = masker.worker();
    mask(&mut worker, b"no value\n");
    let masked = counted_kernel(|| mask(&mut worker, &text));
    assert_eq!(masked, VALUES as u64);
    text.len()
}

fn mask(worker: &mut Worker<'_>, text: &[u8]) -> u64 {
    let mut cutter = Cutter::new(text.len());
    cutter.push(RawText::new(text.to_vec()));
    let (mut carry, mut masked, mut values) = (Carry::default(), Masked::default(), 0);
    while let Some(piece) = cutter.cut(Upcoming::End) {
        worker.mask(&piece, &mut carry, &mut masked);
        values += masked.findings.len() as u64;
    }
    values
}
