//! What each fuzz target checks, shared by libFuzzer (`fuzz_targets/`) and by the short run in
//! `cargo test` (`tests/it/fuzz_replay.rs`).
//!
//! A target takes any bytes and panics when a promise is broken. None of them knows what a value is.

use std::sync::OnceLock;

use locklog::detect::KindId;
use locklog::detect::Rules;
use locklog::detect::Scratch;
use locklog::detect::Selection;
use locklog::mask::Carry;
use locklog::mask::Cutter;
use locklog::mask::Masked;
use locklog::mask::Masker;
use locklog::mask::Upcoming;
use locklog::pseudonym::Key;
use locklog::pseudonym::Namer;
use locklog::simd;
use locklog::simd::Kernel;
use locklog::text::RawSlice;
use locklog::text::RawText;
use locklog::text::Span;
use locklog::view;
use locklog::view::View;

/// A target: it panics when a promise is broken.
pub(crate) type Target = fn(&[u8]);

/// The targets by name.
pub(crate) const ALL: &[(&str, Target)] =
    &[("kernels", kernels), ("scan", scan), ("gates", gates), ("mask", mask), ("view", view)];

/// Longest input that is scanned without gates: that looks at every place with every matcher.
const GATELESS_LEN_MAX: usize = 2048;

/// Vectors are used for whole batches of windows alone: a shorter text never meets them.
const BATCHED_LEN: usize = 7_000;

/// Every kernel that this machine can run gives the words of the scalar one.
pub(crate) fn kernels(data: &[u8]) {
    same_words(data);
    let batched: Vec<u8> = data.iter().copied().cycle().take(BATCHED_LEN).collect();
    same_words(&batched);
}

fn same_words(data: &[u8]) {
    let words = |kernel: Kernel| {
        let mut words = Vec::new();
        let mut found = |pattern: usize, place: usize, lanes: &[u64; simd::LANES]| {
            let words_of = lanes.iter().enumerate().filter(|(_, bits)| **bits != 0);
            words.extend(words_of.map(|(lane, bits)| (place, lane, pattern, *bits)));
        };
        let (windows, mut memory) = (simd::windows(data.len()), simd::Memory::default());
        simd::find(kernel, data, 0, windows, &mut memory, &mut found);
        words.sort_unstable();
        words
    };
    let expected = words(Kernel::Scalar);
    for kernel in Kernel::ALL {
        if kernel != Kernel::Scalar && kernel.is_available() {
            assert_eq!(words(kernel), expected, "{kernel:?} differs from the scalar kernel");
        }
    }
}

/// Spans are sorted, apart, inside the text and on the edges of characters, whatever the kernel.
pub(crate) fn scan(data: &[u8]) {
    static RULES: OnceLock<[Rules; 2]> = OnceLock::new();
    let [rules, scalar] = RULES.get_or_init(|| {
        let [rules, mut scalar] = std::array::from_fn(|_| built_in());
        scalar.set_kernel(Kernel::Scalar);
        [rules, scalar]
    });
    let spans = spans(rules, data);
    let mut end = 0;
    for (span, _) in &spans {
        assert!(
            span.start >= end && span.end > span.start,
            "spans overlap or are empty: {spans:?}"
        );
        assert!(span.end <= data.len(), "a span ends outside of the text: {spans:?}");
        end = span.end;
    }
    if let Ok(text) = std::str::from_utf8(data) {
        for (span, _) in &spans {
            let on_edges = text.is_char_boundary(span.start) && text.is_char_boundary(span.end);
            assert!(on_edges, "a span cuts a character: {span:?}");
        }
    }
    let mut batched = data.to_vec();
    batched.extend(b"\n ".iter().cycle().take(BATCHED_LEN));
    let (fast, slow) = (self::spans(rules, &batched), self::spans(scalar, &batched));
    assert_eq!(fast, slow, "the scalar kernel finds something else");
}

/// Looking at every place finds what looking at candidates finds.
pub(crate) fn gates(data: &[u8]) {
    static RULES: OnceLock<[Rules; 2]> = OnceLock::new();
    let [rules, gateless] = RULES.get_or_init(|| {
        let [rules, mut gateless] = std::array::from_fn(|_| built_in());
        gateless.ignore_gates();
        [rules, gateless]
    });
    let data = data.get(..GATELESS_LEN_MAX).unwrap_or(data);
    let (with, without) = (spans(rules, data), spans(gateless, data));
    assert_eq!(without, with, "without gates something else is found");
}

/// Masking twice is masking once, lines stay lines, and no way of cutting the stream shows.
pub(crate) fn mask(data: &[u8]) {
    static MASKER: OnceLock<Masker> = OnceLock::new();
    let masker = MASKER.get_or_init(|| {
        Masker::new(
            built_in(),
            Namer::new(&Key::take(&mut b"fuzzed text has no secret in it.".to_owned())),
        )
    });
    let whole = masked(masker, data, 256 * 1024, |_| (data.len(), Upcoming::More));
    let again = masked(masker, &whole, 256 * 1024, |_| (whole.len(), Upcoming::More));
    assert_eq!(shown(&again), shown(&whole), "masking again changes something");
    let lines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(lines(&whole), lines(data), "lines are lost or added");
    // How it is cut follows from the bytes, so that an input is all that a find needs.
    let mut state = data
        .iter()
        .fold(0x9e37_79b9_u64, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    for piece_len in [1, 64, 4096] {
        let cut = masked(masker, data, piece_len, |left| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let len = usize::try_from(state >> 56).unwrap_or(1) % left + 1;
            let idle = state >> 40 & 3 == 0;
            (len, if idle { Upcoming::Idle } else { Upcoming::More })
        });
        assert_eq!(shown(&cut), shown(&whole), "pieces of {piece_len} bytes change something");
    }
}

/// Each byte of a view comes from bytes inside the source, in order, and decoding comes to an end.
pub(crate) fn view(data: &[u8]) {
    let Ok(len) = u32::try_from(data.len()) else { return };
    let escapes: Vec<u32> = (0..len).collect();
    let mut view = View::new();
    view.push(data, 0, data.len(), &escapes);
    let mut last = Span::new(0, 0);
    // The last byte is the line end that a view adds.
    for at in 0..view.text().len().saturating_sub(1) {
        let span = view.source_span(Span::new(at, at + 1));
        assert!(span.start < span.end && span.end <= data.len(), "byte {at} comes from {span:?}");
        assert!(span.start >= last.end || span == last, "byte {at} goes back: {last:?}, {span:?}");
        last = span;
    }
    for at in 0..data.len() {
        if let Some(escape) = view::escape_at(data, at, data.len()) {
            let fits = escape.source_len > 0 && at + escape.source_len <= data.len();
            assert!(fits, "an encoded character at {at} takes {} bytes", escape.source_len);
        }
    }
    let (mut out, mut spare) = (Vec::new(), Vec::new());
    let layers = view::decode_value(data, &mut out, &mut spare);
    assert!(layers <= view::DEPTH_MAX, "{layers} layers");
}

fn built_in() -> Rules {
    Rules::load(&Selection::default()).expect("the built-in detectors load")
}

fn spans(rules: &Rules, data: &[u8]) -> Vec<(Span, KindId)> {
    let mut scratch = Scratch::new();
    rules.scan(RawSlice::new(data), &mut scratch);
    scratch.matches().iter().map(|found| (found.span, found.kind)).collect()
}

/// Masks `data` in pieces; `next` says how much of what is left comes at once, and what then.
fn masked(
    masker: &Masker,
    data: &[u8],
    piece_len: usize,
    mut next: impl FnMut(usize) -> (usize, Upcoming),
) -> Vec<u8> {
    let (mut worker, mut carry) = (masker.worker(), Carry::default());
    let (mut masked, mut out) = (Masked::default(), Vec::new());
    let mut cutter = Cutter::new(piece_len);
    let mut rest = data;
    loop {
        let (len, upcoming) = match rest.len() {
            0 => (0, Upcoming::End),
            left => next(left),
        };
        let (head, tail) = rest.split_at(len);
        rest = tail;
        cutter.push(RawText::new(head.to_vec()));
        while let Some(piece) = cutter.cut(upcoming) {
            if !piece.needs_carry() {
                carry = Carry::default();
            }
            worker.mask(&piece, &mut carry, &mut masked);
            out.extend_from_slice(masked.text.as_bytes());
        }
        if upcoming == Upcoming::End {
            return out;
        }
    }
}

fn shown(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}
