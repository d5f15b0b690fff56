//! Cutting a stream into pieces.
//!
//! A piece is a row of whole lines. It ends where no key block and no split record is open, as far
//! as that can be held back; else the next piece has to wait for its state. A line longer than
//! [`PIECE_LEN_MAX`] is cut into windows at fixed distances from its beginning, each with enough text
//! on both sides to see whole whatever reaches into it. So the cuts never change the output.

use std::ops::Range;

use super::lines::HEADLESS_LEN_MAX;
use super::lines::KEY_LEN_MAX;
use super::lines::is_full_key_line;
use super::lines::line_start;
use super::lines::may_end_key;
use super::record::record;
use crate::text::RawSlice;
use crate::text::RawText;

/// Longest piece of whole lines, and the part of a longer line that one window answers for.
pub const PIECE_LEN_MAX: usize = 512 * 1024;
/// What a window sees before and behind its part: more than a key block on one line may take.
const AROUND: usize = 72 * 1024;
/// Most bytes that are held back because they may turn out to be part of something longer.
const HELD_LEN_MAX: usize = HEADLESS_LEN_MAX;

/// Records looked at from the end to see whether one goes on.
const RECORDS_LOOKED_AT: usize = 64;

/// What will come after the chunks that were pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upcoming {
    /// More, at once: only full pieces are worth cutting.
    More,
    /// Maybe more, later: every line that may go should go.
    Idle,
    /// Nothing.
    End,
}

/// Part of a stream that can be masked at once.
#[derive(Debug)]
pub struct Piece {
    raw: RawText,
    emit: Range<usize>,
    offset: u64,
    lines: bool,
    needs_carry: bool,
}

impl Piece {
    /// Its text, with what is around it.
    pub(super) fn text(&self) -> RawSlice<'_> {
        self.raw.as_slice()
    }

    /// The part of the text that it answers for.
    pub(super) fn emitted(&self) -> Range<usize> {
        self.emit.clone()
    }

    /// Bytes of the stream before it.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Bytes of the stream that it answers for.
    pub fn len(&self) -> usize {
        self.emit.len()
    }

    /// True when it answers for no byte.
    pub fn is_empty(&self) -> bool {
        self.emit.is_empty()
    }

    /// Whole lines, not a window of one.
    pub(super) fn is_lines(&self) -> bool {
        self.lines
    }

    /// True when it must be masked after the piece before, with that one's state.
    pub fn needs_carry(&self) -> bool {
        self.needs_carry
    }
}

/// Splits a stream into pieces.
#[derive(Default)]
pub struct Cutter {
    held: Vec<u8>,
    /// Where in `held` the first byte that was not cut yet stands; before it is a window's past.
    from: usize,
    offset: u64,
    /// How far a long line has been cut, from its beginning.
    long: Option<usize>,
    /// Bytes through which a key block that may have opened is followed.
    waiting: usize,
    piece_len: usize,
}

impl std::fmt::Debug for Cutter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cutter({} bytes held at offset {})", self.held.len() - self.from, self.offset)
    }
}

impl Cutter {
    /// A cutter for pieces of about `piece_len` bytes, at most [`PIECE_LEN_MAX`].
    pub fn new(piece_len: usize) -> Cutter {
        Cutter { piece_len: piece_len.clamp(1, PIECE_LEN_MAX), ..Cutter::default() }
    }

    /// Takes the next bytes of the stream.
    #[expect(clippy::needless_pass_by_value, reason = "raw text that was handed over is gone")]
    pub fn push(&mut self, chunk: RawText) {
        if self.from > AROUND + PIECE_LEN_MAX {
            self.held.drain(..self.from - AROUND);
            self.from = AROUND;
        }
        self.held.extend_from_slice(chunk.as_slice().expose());
    }

    /// The next piece, if there is one yet. To be called until there is none.
    pub fn cut(&mut self, upcoming: Upcoming) -> Option<Piece> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        if let Some(done) = self.long {
            return self.window(done, upcoming);
        }
        let len = rest.len();
        if upcoming == Upcoming::More && len < self.piece_len {
            return None;
        }
        let head = rest.get(..self.piece_len.min(len)).unwrap_or(rest);
        let Some(end) = memchr::memrchr(b'\n', head).map(|at| at + 1) else {
            return self.one_line(upcoming);
        };
        if upcoming == Upcoming::End && end == len {
            return Some(self.lines(end));
        }
        let kept = hold_from(head.get(..end).unwrap_or(head));
        if kept > 0 {
            return Some(self.lines(kept));
        }
        // All of it is held. What ends beyond the limit, or with the stream, goes all the same.
        self.beyond(end, upcoming)
    }

    fn rest(&self) -> &[u8] {
        self.held.get(self.from..).unwrap_or(&[])
    }

    /// Cuts behind the first place where nothing is held, further on than one piece.
    fn beyond(&mut self, end: usize, upcoming: Upcoming) -> Option<Piece> {
        let rest = self.rest();
        let reach = rest.get(..HELD_LEN_MAX.min(rest.len())).unwrap_or(rest);
        let last = memchr::memrchr(b'\n', reach).map_or(end, |at| at + 1);
        let kept = hold_from(reach.get(..last).unwrap_or(reach));
        if kept > 0 {
            return Some(self.lines(kept));
        }
        if rest.len() >= HELD_LEN_MAX || upcoming == Upcoming::End {
            return Some(self.lines(last));
        }
        None
    }

    /// Cuts a line that is longer than a piece, or the last one, which has no line end.
    fn one_line(&mut self, upcoming: Upcoming) -> Option<Piece> {
        let rest = self.rest();
        let reach = rest.get(..PIECE_LEN_MAX.min(rest.len())).unwrap_or(rest);
        if let Some(end) = memchr::memchr(b'\n', reach).map(|at| at + 1) {
            let held = hold_from(reach.get(..end).unwrap_or(reach)) < end;
            return if held { self.beyond(end, upcoming) } else { Some(self.lines(end)) };
        }
        if rest.len() > PIECE_LEN_MAX {
            self.long = Some(0);
            return self.window(0, upcoming);
        }
        let len = rest.len();
        (upcoming == Upcoming::End).then(|| self.lines(len))
    }

    fn lines(&mut self, len: usize) -> Piece {
        let raw = RawText::from_slice(RawSlice::new(self.rest().get(..len).unwrap_or(&[])));
        let needs_carry = self.waiting > 0;
        self.waiting = if may_open_key(raw.as_slice().expose()) {
            KEY_LEN_MAX + PIECE_LEN_MAX
        } else {
            self.waiting.saturating_sub(len)
        };
        let piece = Piece { emit: 0..len, raw, offset: self.offset, lines: true, needs_carry };
        self.advance(len);
        piece
    }

    /// The window of a long line that begins `done` bytes behind the line's beginning.
    fn window(&mut self, done: usize, upcoming: Upcoming) -> Option<Piece> {
        let rest = self.rest();
        let reach = rest.get(..(PIECE_LEN_MAX + AROUND).min(rest.len())).unwrap_or(rest);
        let line_end = memchr::memchr(b'\n', reach).map(|at| at + 1);
        let known = line_end.or((upcoming == Upcoming::End).then_some(rest.len()));
        let (len, seen) = match known {
            Some(end) if end <= PIECE_LEN_MAX => (end, end),
            Some(end) => (PIECE_LEN_MAX, end.min(PIECE_LEN_MAX + AROUND)),
            None if rest.len() >= PIECE_LEN_MAX + AROUND => (PIECE_LEN_MAX, PIECE_LEN_MAX + AROUND),
            None => return None,
        };
        let past = AROUND.min(done).min(self.from);
        let part = self.held.get(self.from - past..self.from + seen).unwrap_or(&[]);
        let piece = Piece {
            raw: RawText::from_slice(RawSlice::new(part)),
            emit: past..past + len,
            offset: self.offset,
            lines: false,
            needs_carry: false,
        };
        let ends = known.is_some_and(|end| end == len);
        self.long = (!ends).then_some(done + len);
        self.advance(len);
        Some(piece)
    }

    fn advance(&mut self, len: usize) {
        self.from += len;
        self.offset += len as u64;
        if self.long.is_none() && self.from == self.held.len() {
            self.held.clear();
            self.from = 0;
        } else if self.long.is_none() && self.from > PIECE_LEN_MAX {
            self.held.drain(..self.from);
            self.from = 0;
        }
    }
}

/// True when a key block may be open at the end of `text`.
pub(super) fn may_open_key(text: &[u8]) -> bool {
    memchr::memmem::find(text, b"PRIVATE").is_some()
        || memchr::memmem::find(text, b"Private-").is_some()
}

/// Where the lines begin that may be part of something that goes on behind `text`, which ends with
/// a line end: key text without its first line, or records that go on. The text's length if none.
pub(super) fn hold_from(text: &[u8]) -> usize {
    let last = line_start(text, text.len() - 1);
    let line = |start: usize, end: usize| text.get(start..end - 1).unwrap_or(&[]);
    // Another stream may write between the parts of a record, so the last record of each counts.
    let (mut start, mut end) = (last, text.len());
    let mut held = text.len();
    let mut closed = [false; 2];
    for _ in 0..RECORDS_LOOKED_AT {
        let Some(record) = record(text, start, end - 1) else { break };
        let [output, error] = &mut closed;
        let closed = if record.is_error() { error } else { output };
        if record.partial && !*closed {
            held = start;
        } else {
            *closed = true;
        }
        if start == 0 {
            break;
        }
        end = start;
        start = line_start(text, end - 1);
    }
    let (mut start, mut end) = (last, text.len());
    if !is_full_key_line(line(start, end)) {
        if start == 0 {
            return held;
        }
        let last = line(start, end);
        end = start;
        start = line_start(text, end - 1);
        if !is_full_key_line(line(start, end)) || !may_end_key(last, line(start, end)) {
            return held;
        }
    }
    while is_full_key_line(line(start, end)) {
        held = held.min(start);
        if start == 0 {
            break;
        }
        end = start;
        start = line_start(text, end - 1);
    }
    held
}

#[cfg(test)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "texts of tests are short and ASCII where they are cut"
)]
mod tests {
    use super::*;

    fn cut_all(text: &[u8], chunk: usize, upcoming: Upcoming) -> Vec<u8> {
        let mut cutter = Cutter::new(4096);
        let mut out = Vec::new();
        let mut take = |piece: Piece| {
            assert_eq!(piece.offset() as usize, out.len());
            out.extend_from_slice(&piece.text().expose()[piece.emitted()]);
        };
        for part in text.chunks(chunk) {
            cutter.push(RawText::from_slice(RawSlice::new(part)));
            while let Some(piece) = cutter.cut(upcoming) {
                take(piece);
            }
        }
        while let Some(piece) = cutter.cut(Upcoming::End) {
            take(piece);
        }
        out
    }

    #[test]
    fn pieces_add_up_to_the_stream() {
        let mut text = Vec::new();
        for index in 0..3000 {
            text.extend_from_slice(format!("line {index}\n").as_bytes());
        }
        text.extend(std::iter::repeat_n(b'x', 2_000_000));
        text.extend_from_slice(b"\nend\nno line end");
        for chunk in [1000, 65_536, 3_000_000] {
            for upcoming in [Upcoming::More, Upcoming::Idle] {
                assert!(cut_all(&text, chunk, upcoming) == text, "{chunk} {upcoming:?}");
            }
        }
    }

    #[test]
    fn lines_that_may_go_on_are_held() {
        let body = "q7uujhN63ij11fRXmCxZfnODR36hMn7SSIOJ5C7GrR/1r5fvElAWAnz3bowzz7JZ\n";
        let text = format!("plain\n{body}{body}");
        assert_eq!(hold_from(text.as_bytes()), 6);
        let text = format!("plain\n{body}u6Q==\n");
        assert_eq!(hold_from(text.as_bytes()), 6);
        let text = format!("plain\n{body}other words\n");
        assert_eq!(hold_from(text.as_bytes()), text.len());
        let partial = "x y\n2026-05-18T09:21:44.018223901Z stdout P half\n";
        assert_eq!(hold_from(partial.as_bytes()), 4);
    }
}
