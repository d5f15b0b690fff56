//! Text from the tree of a pattern.

use regex_syntax::hir::Class;
use regex_syntax::hir::Hir;
use regex_syntax::hir::HirKind;

use super::Dice;

/// How far above its lower bound a repeat goes at most.
const ABOVE_MIN: usize = 6;

/// The shortest text of a pattern.
pub(super) struct Shortest(pub(super) String);

impl Shortest {
    /// The text without its last character, or with another in its place.
    pub(super) fn map_last(mut self, to: Option<char>) -> String {
        self.0.pop();
        self.0.extend(to);
        self.0
    }
}

/// A text that the pattern matches, a little longer than it has to be.
pub(super) fn random(tree: &Hir, dice: &mut Dice) -> String {
    let mut out = Vec::new();
    write(tree, dice, ABOVE_MIN, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

/// A text that the pattern matches, with each repeat at its lower bound.
pub(super) fn shortest(tree: &Hir, dice: &mut Dice) -> Shortest {
    let mut out = Vec::new();
    write(tree, dice, 0, &mut out);
    Shortest(String::from_utf8(out).unwrap_or_default())
}

fn write(tree: &Hir, dice: &mut Dice, above: usize, out: &mut Vec<u8>) {
    match tree.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.extend_from_slice(&literal.0),
        HirKind::Class(class) => out.extend(member(class, dice)),
        HirKind::Repetition(repetition) => {
            let min = repetition.min as usize;
            let max = repetition.max.map_or(usize::MAX, |max| max as usize);
            let times = min + dice.below((max - min).min(above) + 1);
            for _ in 0..times {
                write(&repetition.sub, dice, above, out);
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, dice, above, out),
        HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, dice, above, out)),
        HirKind::Alternation(ways) => {
            if let Some(way) = dice.pick(ways) {
                write(way, dice, above, out);
            }
        }
    }
}

/// A printable byte of the class.
fn member(class: &Class, dice: &mut Dice) -> Option<u8> {
    let mut bytes = Vec::new();
    match class {
        Class::Bytes(class) => {
            class.ranges().iter().for_each(|range| bytes.extend(range.start()..=range.end()));
        }
        Class::Unicode(class) => {
            let ascii = |at: char| u8::try_from(at).unwrap_or(0x7f).min(0x7f);
            let ranges = class.ranges().iter();
            ranges.for_each(|range| bytes.extend(ascii(range.start())..=ascii(range.end())));
        }
    }
    bytes.retain(|byte| (0x20..0x7f).contains(byte));
    dice.pick(&bytes).copied()
}
