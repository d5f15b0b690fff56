//! Decoded views of raw text, each byte with a way back to the raw bytes it came from.
//!
//! A view undoes one layer of encoding everywhere at once: percent, HTML entities, backslash
//! escapes, full-width characters, zero-width characters, terminal sequences. Views of views undo
//! deeper layers.
//!
//! # Promise
//! Building one takes time linear in the text. A span of the view maps to a span of the raw text
//! that holds every byte it was decoded from and never cuts an encoded character.
//!
//! # Not here
//! What is worth finding in a view (`detect`).

mod escape;

pub use escape::Escape;
pub use escape::escape_at;

use crate::text::Span;

/// The most layers that are undone, one after another. What is encoded deeper is masked as it is.
pub const DEPTH_MAX: usize = 4;

/// Text with one layer of encoding undone.
#[derive(Clone, Default)]
pub struct View {
    text: Vec<u8>,
    breaks: Vec<Break>,
    /// How many breaks stand before each multiple of [`INDEX_STEP`], so that few are searched.
    index: Vec<u32>,
}

/// Bytes of a view between two entries of its index, as a power of two.
const INDEX_STEP: usize = 8;

/// A place where view and source stop running side by side.
#[derive(Clone, Copy, Debug)]
struct Break {
    /// Where it stands in the view.
    at: u32,
    /// How many bytes of the view it made; none for what was removed.
    len: u32,
    /// Where it stands in the source.
    source: u32,
    /// How many bytes of the source it took.
    source_len: u32,
}

impl std::fmt::Debug for View {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "View({} bytes, {} breaks)", self.text.len(), self.breaks.len())
    }
}

impl View {
    /// An empty view.
    pub fn new() -> View {
        View::default()
    }

    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.breaks.clear();
        self.index.clear();
    }

    /// The decoded bytes. Raw text all the same.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Appends the bytes `from..to` of `source`, decoded, and a line end. `escapes` are the places
    /// in it where an encoded character may begin, ascending.
    pub fn push(&mut self, source: &[u8], from: usize, to: usize, escapes: &[u32]) {
        self.mark(0, from, 0);
        let mut at = from;
        for place in escapes {
            let place = *place as usize;
            if place < at || place >= to {
                continue;
            }
            let Some(escape) = escape_at(source, place, to) else { continue };
            self.copy(source, at, place);
            self.mark(escape.len, place, escape.source_len);
            match escape.bytes() {
                [byte] => self.text.push(*byte),
                bytes => self.text.extend_from_slice(bytes),
            }
            at = place + escape.source_len;
        }
        self.copy(source, at, to);
        self.mark(1, to, usize::from(to < source.len()));
        self.text.push(b'\n');
    }

    fn copy(&mut self, source: &[u8], from: usize, to: usize) {
        if let Some(plain) = source.get(from..to) {
            self.text.extend_from_slice(plain);
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a piece of text is far below 4 GiB")]
    fn mark(&mut self, len: usize, source: usize, source_len: usize) {
        let (at, before) = (self.text.len() >> INDEX_STEP, self.breaks.len() as u32);
        if self.index.len() <= at {
            self.index.resize(at + 1, before);
        }
        self.breaks.push(Break {
            at: self.text.len() as u32,
            len: len as u32,
            source: source as u32,
            source_len: source_len as u32,
        });
    }

    /// The source bytes of the byte at `at`.
    fn source_of(&self, at: usize) -> Span {
        let entry = |step: usize| self.index.get(step).map_or(self.breaks.len(), |at| *at as usize);
        let (low, high) = (entry(at >> INDEX_STEP), entry((at >> INDEX_STEP) + 1));
        let near = self.breaks.get(low..high).unwrap_or(&[]);
        let next = low + near.partition_point(|place| place.at as usize <= at);
        let Some(place) = next.checked_sub(1).and_then(|last| self.breaks.get(last)) else {
            return Span::new(at, at + 1);
        };
        let (start, len) = (place.source as usize, place.source_len as usize);
        let past = at - place.at as usize;
        if past < place.len as usize {
            return Span::new(start, start + len);
        }
        let source = start + len + past - place.len as usize;
        Span::new(source, source + 1)
    }

    /// The source bytes of a part of the view.
    pub fn source_span(&self, span: Span) -> Span {
        if span.is_empty() {
            return Span::new(0, 0);
        }
        Span::new(self.source_of(span.start).start, self.source_of(span.end - 1).end)
    }
}

/// The bytes that may open an encoded character.
#[inline]
fn opens(byte: u8) -> bool {
    matches!(byte, b'%' | b'&' | b'\\' | 0x1b | 0xc2 | 0xe2 | 0xef)
}

/// The place of the next byte that may open an encoded character.
fn next_opening(text: &[u8]) -> usize {
    text.iter().position(|byte| opens(*byte)).unwrap_or(text.len())
}

/// Undoes every layer of encoding of one value, into `out`. Returns the number of layers.
pub fn decode_value(value: &[u8], out: &mut Vec<u8>, spare: &mut Vec<u8>) -> usize {
    out.clear();
    out.extend_from_slice(value);
    for layer in 0..DEPTH_MAX {
        let mut at = next_opening(out);
        // Most layers but the first have nothing to undo.
        if at == out.len() {
            return layer;
        }
        spare.clear();
        spare.extend_from_slice(out.get(..at).unwrap_or(&[]));
        let mut changed = false;
        while at < out.len() {
            match escape_at(out, at, out.len()) {
                Some(escape) => {
                    spare.extend_from_slice(escape.bytes());
                    at += escape.source_len;
                    changed = true;
                }
                None => {
                    spare.extend(out.get(at));
                    at += 1;
                }
            }
            // Bytes that open no encoded character are copied together.
            let rest = out.get(at..).unwrap_or(&[]);
            let plain = next_opening(rest);
            spare.extend_from_slice(rest.get(..plain).unwrap_or(rest));
            at += plain;
        }
        if !changed {
            return layer;
        }
        std::mem::swap(out, spare);
    }
    DEPTH_MAX
}

#[cfg(test)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::string_slice,
    reason = "texts of tests are short and ASCII where they are cut"
)]
mod tests {
    use super::*;

    fn view(text: &str) -> View {
        let escapes: Vec<u32> = (0..text.len() as u32).collect();
        let mut view = View::new();
        view.push(text.as_bytes(), 0, text.len(), &escapes);
        view
    }

    fn decoded(text: &str) -> String {
        String::from_utf8_lossy(view(text).text()).trim_end_matches('\n').to_owned()
    }

    #[test]
    fn each_encoding_is_undone() {
        for (raw, plain) in [
            ("a%40b%2540c", "a@b%40c"),
            ("a&#64;b&#x40;c&commat;d&amp;#64;", "a@b@c@d&#64;"),
            (r"a\u0040b\x40c\ud83d\ude00\/\\u0040", "a@b@c😀/\\u0040"),
            ("４０＠ａ．ｂ", "40@a.b"),
            ("a\u{200b}b\u{feff}c\u{ad}d\u{2011}e\u{a0}f", "abcd-e f"),
            ("\u{1b}[1;33mkey\u{1b}[0m", "key"),
            ("100% & \\q é’", "100% & \\q é’"),
        ] {
            assert_eq!(decoded(raw), plain);
        }
    }

    /// With the length of an entity taken one short, the second span lost its semicolon.
    #[test]
    fn spans_map_to_whole_encoded_characters() {
        let raw = "x a%40b.example&#64; y";
        let view = view(raw);
        let at = view.text().windows(11).position(|part| part == b"a@b.example").unwrap();
        let span = view.source_span(Span::new(at, at + 11));
        assert_eq!(&raw[span.start..span.end], "a%40b.example");
        let span = view.source_span(Span::new(at + 11, at + 12));
        assert_eq!(&raw[span.start..span.end], "&#64;");
    }

    #[test]
    fn values_lose_every_layer() {
        let (mut out, mut spare) = (Vec::new(), Vec::new());
        assert_eq!(decode_value(b"a%252540b", &mut out, &mut spare), 3);
        assert_eq!(out, b"a@b");
    }
}
