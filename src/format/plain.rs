//! Lines of text: one message, maybe with a moment and a level at its beginning.

use super::names::NameId;
use super::parser::Head;
use super::parser::Tools;
use super::parser::fixed;
use super::part;
use super::records::Records;
use crate::record::Level;

/// Words at the beginning of a line that may be its level.
const WORDS_MAX: usize = 6;
/// How far a level may stand from the beginning.
const LEVEL_WITHIN: usize = 96;

/// Reads the line `start..stop`.
pub(super) fn read(
    text: &[u8],
    (start, stop): (usize, usize),
    tools: &mut Tools,
    records: &mut Records,
) -> Head {
    records.fields.push(fixed(NameId::MESSAGE, start, stop));
    let line = part(text, start, stop);
    let opened = usize::from(line.first() == Some(&b'['));
    let moment = tools.moments.date(part(line, opened, line.len()));
    let rest = part(line, moment.map_or(0, |(_, len)| len + opened), line.len().min(LEVEL_WITHIN));
    let level = rest
        .split(|byte| matches!(byte, b' ' | b'[' | b']' | b':' | b'|' | b'(' | b')' | b'\t'))
        .filter(|word| !word.is_empty())
        .take(WORDS_MAX)
        .find_map(word_level);
    Head {
        timestamp: moment.map(|(moment, _)| moment),
        level: level.unwrap_or(Level::Unknown),
        ..Head::TEXT
    }
}

/// A level written out in capitals, or as `level=…`; in prose `error` is no level.
fn word_level(word: &[u8]) -> Option<Level> {
    let capitals = word.len() >= 3 && word.iter().all(u8::is_ascii_uppercase);
    let word = match word.strip_prefix(b"level=") {
        Some(word) => word,
        None if capitals => word,
        None => return None,
    };
    Level::read(word)
}
