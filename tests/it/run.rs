//! Masking inside the test's process, whole and in chunks.

use locklog::detect::Rules;
use locklog::detect::Selection;
use locklog::mask::Carry;
use locklog::mask::Cutter;
use locklog::mask::Masked;
use locklog::mask::Masker;
use locklog::mask::PIECE_LEN_MAX;
use locklog::mask::Upcoming;
use locklog::pseudonym::Key;
use locklog::pseudonym::Namer;
use locklog::text::RawText;

/// What is known to come after a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// More, at once.
    More,
    /// Perhaps more, later.
    Idle,
}

/// All detectors.
pub(crate) fn rules() -> Rules {
    Rules::load(&Selection::default()).unwrap()
}

/// All detectors and the key that consists of `key`.
pub(crate) fn masker(key: u8) -> Masker {
    Masker::new(rules(), Namer::new(&Key::take(&mut [key; 32])))
}

/// Masks `text` in as few pieces as possible.
pub(crate) fn mask(masker: &Masker, text: &[u8]) -> Vec<u8> {
    mask_chunks(masker, [(text, Then::More)])
}

/// Masks chunks of a stream.
pub(crate) fn mask_chunks<'t>(
    masker: &Masker,
    chunks: impl IntoIterator<Item = (&'t [u8], Then)>,
) -> Vec<u8> {
    mask_pieces(masker, PIECE_LEN_MAX, chunks)
}

/// Masks chunks of a stream in pieces of about `piece_len` bytes.
pub(crate) fn mask_pieces<'t>(
    masker: &Masker,
    piece_len: usize,
    chunks: impl IntoIterator<Item = (&'t [u8], Then)>,
) -> Vec<u8> {
    let mut worker = masker.worker();
    let mut cutter = Cutter::new(piece_len);
    let (mut carry, mut masked, mut out) = (Carry::default(), Masked::default(), Vec::new());
    let mut drain = |cutter: &mut Cutter, upcoming| {
        while let Some(piece) = cutter.cut(upcoming) {
            if !piece.needs_carry() {
                carry = Carry::default();
            }
            worker.mask(&piece, &mut carry, &mut masked);
            out.extend_from_slice(masked.text.as_bytes());
        }
    };
    for (chunk, then) in chunks {
        cutter.push(RawText::new(chunk.to_vec()));
        let upcoming = if then == Then::More { Upcoming::More } else { Upcoming::Idle };
        drain(&mut cutter, upcoming);
    }
    drain(&mut cutter, Upcoming::End);
    out
}
