//! Pieces of a part of a stream that is masked by itself, with what stands around it.
//!
//! A part in the middle of a file may begin inside of a key block or a split record, and end inside
//! of one. What comes before and behind is looked at where that can matter, and not written.

use super::cut::Cutter;
use super::cut::Piece;
use super::cut::Upcoming;
use super::cut::is_closed;
use crate::text::RawText;

/// The pieces that answer for `body`, a row of whole lines, with the lines `before` and `behind` it
/// in sight where they can change what is found in it. In order; each but the first takes the state
/// of the one before it.
pub fn pieces_between(
    before: Option<&RawText>,
    body: &RawText,
    behind: Option<&RawText>,
    piece_len: usize,
) -> Vec<Piece> {
    let open = |part: &&RawText| !is_closed(part.as_slice().expose());
    let before = before.filter(open);
    // Text of a key whose first line is far away shows by its last line, which may come behind.
    let behind = behind.filter(|_| open(&body));
    let lead = before.map_or(0, |part| part.len() as u64);
    let end = lead + body.len() as u64;
    let mut cutter = Cutter::new(piece_len);
    for part in [before, Some(body), behind].into_iter().flatten() {
        cutter.push(RawText::from_slice(part.as_slice()));
    }
    let mut pieces = Vec::new();
    while let Some(mut piece) = cutter.cut(Upcoming::End) {
        piece.clip(lead, end);
        pieces.push(piece);
    }
    // Behind the body nothing is answered for, and no state is needed.
    while pieces.last().is_some_and(|piece| piece.offset() >= end) {
        pieces.pop();
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::Rules;
    use crate::detect::Selection;
    use crate::mask::Carry;
    use crate::mask::Masked;
    use crate::mask::Masker;
    use crate::pseudonym::Key;
    use crate::pseudonym::Namer;
    use crate::text::RawSlice;

    /// A key block as a log shows it, between other lines.
    fn text() -> Vec<u8> {
        let body = "q7uujhN63ij11fRXmCxZfnODR36hMn7SSIOJ5C7GrR/1r5fvElAWAnz3bowzz7JZ\n";
        let kind = concat!("RSA PRIV", "ATE KEY-----\n");
        let mut text = String::from("before ann@example.com\n");
        text.push_str(&format!("-----BEGIN {kind}{}", body.repeat(9)));
        text.push_str(&format!("u6Q==\n-----END {kind}after bob@example.org\n"));
        text.into_bytes()
    }

    fn mask(masker: &Masker, pieces: &[Piece]) -> Vec<u8> {
        let (mut worker, mut carry) = (masker.worker(), Carry::default());
        let (mut masked, mut out) = (Masked::default(), Vec::new());
        for piece in pieces {
            worker.mask(piece, &mut carry, &mut masked);
            out.extend_from_slice(masked.text.as_bytes());
        }
        out
    }

    /// Shown to bite by leaving out what is before, and what is behind.
    #[test]
    fn parts_masked_by_themselves_show_no_more_than_the_whole() {
        let rules = Rules::load(&Selection::default()).unwrap();
        let masker = Masker::new(rules, Namer::new(&Key::take(&mut [7; 32])));
        let text = text();
        let raw = |part: &[u8]| RawText::from_slice(RawSlice::new(part));
        let ends: Vec<usize> = memchr::memchr_iter(b'\n', &text).map(|at| at + 1).collect();
        for (at, first) in ends.iter().enumerate() {
            for second in ends.iter().skip(at) {
                let (before, rest) = text.split_at(*first);
                let (body, behind) = rest.split_at(second - first);
                let (before, body, behind) = (raw(before), raw(body), raw(behind));
                let pieces = pieces_between(Some(&before), &body, Some(&behind), 4096);
                let out = String::from_utf8(mask(&masker, &pieces)).unwrap();
                assert!(
                    !out.contains("q7uuj") && !out.contains("example"),
                    "from {first} to {second}: {out}"
                );
            }
        }
    }
}
