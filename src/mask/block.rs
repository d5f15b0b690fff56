//! The records that a part of a file answers for.
//!
//! A file is read in granules, each by itself and in any order, and records do not end where granules
//! do: lines follow them, parts are put together, a key has many lines. Where the records of a granule
//! may go on, they are left to the next one. What is left depends on the granule alone, so each record
//! is in one block whatever was read first.

use super::cut::hold_from;
use super::cut::may_open_key;
use crate::format::Format;
use crate::format::More;
use crate::format::cut;
use crate::text::RawSlice;
use crate::text::RawText;

/// The text whose records a granule answers for: what the one before it has left, and its own lines up
/// to what it leaves to the one behind. `last` says that there is none behind.
/// It is put into `block`.
pub fn block_of(
    format: Format,
    before: Option<&RawText>,
    body: &RawText,
    last: bool,
    block: &mut RawText,
) {
    let own = body.as_slice().expose();
    let more = if last { More::Never } else { More::Coming };
    let own = own.get(..whole_records(format, own, more)).unwrap_or(own);
    let left = before.map_or(&[][..], |before| {
        let before = before.as_slice().expose();
        before.get(whole_records(format, before, More::Coming)..).unwrap_or(&[])
    });
    block.replace(&[RawSlice::new(left), RawSlice::new(own)]);
}

/// True when a key block may be open behind `text`: what comes next must be masked with its state.
pub fn leaves_open(text: &RawText) -> bool {
    may_open_key(text.as_slice().expose())
}

/// How much of a granule is records that surely end in it.
fn whole_records(format: Format, text: &[u8], more: More) -> usize {
    let end = cut(format, text, more);
    match text.get(..end) {
        Some(whole) if more == More::Coming && !whole.is_empty() => hold_from(whole),
        _ => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &[u8]) -> RawText {
        RawText::from_slice(RawSlice::new(text))
    }

    /// All blocks of a text that is cut into granules at these places.
    fn blocks(format: Format, text: &[u8], places: &[usize]) -> Vec<Vec<u8>> {
        let mut ends = places.to_vec();
        ends.push(text.len());
        let mut start = 0;
        let mut granules = Vec::new();
        for end in ends {
            granules.push(raw(&text[start..end]));
            start = end;
        }
        (0..granules.len())
            .map(|at| {
                let before = at.checked_sub(1).map(|at| &granules[at]);
                let mut block = raw(b"what was there before");
                let last = at + 1 == granules.len();
                block_of(format, before, &granules[at], last, &mut block);
                block.as_slice().expose().to_vec()
            })
            .collect()
    }

    /// Shown to bite by leaving what a granule holds back to nobody.
    #[test]
    fn blocks_add_up_and_no_record_is_torn() {
        let body = "q7uujhN63ij11fRXmCxZfnODR36hMn7SSIOJ5C7GrR/1r5fvElAWAnz3bowzz7JZ\n";
        let text = format!(
            "one\ntwo\n\tat some.place(File.java:1)\n\tat other.place(File.java:2)\nthree\n{}end\n\
             2026-05-18T09:21:44.018223901Z stdout P half \n\
             2026-05-18T09:21:44.018223902Z stdout F whole\nlast\n",
            body.repeat(3)
        );
        let text = text.as_bytes();
        let lines: Vec<usize> = memchr::memchr_iter(b'\n', text).map(|at| at + 1).collect();
        for format in [Format::Plain, Format::Cri] {
            for first in 0..lines.len() {
                for second in first + 1..lines.len() {
                    // A granule has a mebibyte, so that a record begins in it.
                    let middle = &text[lines[first]..lines[second]];
                    if middle
                        .split(|byte| *byte == b'\n')
                        .all(|line| line.is_empty() || line.starts_with(b"\t"))
                    {
                        continue;
                    }
                    let blocks = blocks(format, text, &[lines[first], lines[second]]);
                    assert_eq!(blocks.concat(), text, "{format} {first} {second}");
                    for block in &blocks {
                        assert!(!block.starts_with(b"\tat"), "{format} {first} {second}");
                    }
                }
            }
        }
    }
}
