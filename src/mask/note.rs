//! Short masked text that may be kept: a reason, a selector, a source's name.

use std::fmt;

use serde::Deserialize;
use serde::Serialize;

use super::Carry;
use super::Cutter;
use super::Masked;
use super::Masker;
use super::PIECE_LEN_MAX;
use super::Upcoming;
use crate::text::RawText;

/// Longest note: a few sentences. What is longer ends with `…`.
pub const NOTE_BYTES_MAX: usize = 1024;

/// Masked text of at most [`NOTE_BYTES_MAX`] bytes on one line, without a character that moves the
/// cursor or turns the reading direction.
///
/// It may be written to a store and read back from there: a store of the state directory holds what
/// was a note before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Note(String);

impl Note {
    /// What is kept of masked text.
    pub fn of(masked: &Masked) -> Note {
        Note::fit(&String::from_utf8_lossy(masked.text.as_bytes()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True when nothing can be read.
    pub fn is_empty(&self) -> bool {
        self.0.trim().is_empty()
    }

    fn fit(text: &str) -> Note {
        let mut fitted = String::new();
        for c in text.trim().chars() {
            let c = if moves_the_reader(c) { ' ' } else { c };
            if fitted.len() + c.len_utf8() + '…'.len_utf8() > NOTE_BYTES_MAX {
                fitted.push('…');
                break;
            }
            fitted.push(c);
        }
        Note(fitted)
    }
}

/// Controls, line separators, marks of reading direction, invisible characters.
fn moves_the_reader(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

impl Masker {
    /// Masks a text and keeps it as a note.
    pub fn note(&self, raw: RawText) -> Note {
        let mut cutter = Cutter::new(PIECE_LEN_MAX);
        cutter.push(raw);
        let (mut worker, mut carry) = (self.worker(), Carry::default());
        let (mut masked, mut text) = (Masked::default(), Vec::new());
        while let Some(piece) = cutter.cut(Upcoming::End) {
            if !piece.needs_carry() {
                carry = Carry::default();
            }
            worker.mask(&piece, &mut carry, &mut masked);
            text.extend_from_slice(masked.text.as_bytes());
        }
        Note::fit(&String::from_utf8_lossy(&text))
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::Rules;
    use crate::detect::Selection;
    use crate::pseudonym::Key;
    use crate::pseudonym::Namer;

    fn note(text: &str) -> String {
        let rules = Rules::load(&Selection::default()).unwrap();
        let masker = Masker::new(rules, Namer::new(&Key::take(&mut [7; 32])));
        masker.note(RawText::new(text.as_bytes().to_vec())).to_string()
    }

    #[test]
    fn a_note_is_masked_short_and_on_one_line() {
        let said = note("checkout fails for ann@example.com\nsince\u{1b}[31m 14:00\u{202e}");
        assert!(said.starts_with("checkout fails for EMAIL_"), "{said}");
        assert!(
            !said.contains("example") && !said.contains(['\n', '\u{1b}', '\u{202e}']),
            "{said}"
        );
        let long = note(&"word ".repeat(1_000));
        assert!(long.len() <= NOTE_BYTES_MAX && long.ends_with('…'), "{}", long.len());
    }
}
