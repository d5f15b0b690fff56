//! What stands around a made-up value.

use super::Dice;
use super::Sample;
use crate::detect::rule::RawRule;

/// A line that says nothing about the value, which begins with a prefix of its own.
pub(super) fn plain(raw: &RawRule, value: &str, turn: usize) -> Sample {
    let (before, after) = match turn % 3 {
        0 => ("worker 4 got ", " from upstream"),
        1 => ("{\"level\":\"info\",\"note\":\"", "\",\"took\":12}"),
        _ => ("GET /v1/items?ref=", "&page=2 200"),
    };
    let prefix = raw
        .prefixes
        .iter()
        .filter(|prefix| value.starts_with(prefix.as_str()))
        .map(String::len)
        .max();
    let kept = if raw.keep_prefix { prefix.unwrap_or(0) } else { 0 };
    let (head, rest) = value.split_at(kept);
    Sample { before: format!("{before}{head}"), value: rest.to_owned(), after: after.to_owned() }
}

/// A line in which a cue of the detector announces the value.
pub(super) fn behind_cue(raw: &RawRule, value: String, turn: usize, dice: &mut Dice) -> Sample {
    let cue = dice.pick(&raw.cues).map_or("", String::as_str);
    let plain = !value
        .contains(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '&' | '|' | '"' | '\''));
    let ways = if raw.bare { 4 } else { 3 };
    let (before, after) = match turn % ways {
        0 if plain => (format!("job 7 {cue}="), " done".to_owned()),
        0 | 1 => (format!("{{\"step\":3,\"{cue}\":\""), "\",\"ok\":true}".to_owned()),
        2 if plain => (format!("{cue}: "), String::new()),
        2 => (format!("x {cue}: \""), "\"".to_owned()),
        _ => (format!("record with {} ", cue.replace('_', " ")), " checked".to_owned()),
    };
    Sample { before, value, after }
}

/// Lines in which a cue has no value, or is only part of another word.
pub(super) fn without_value(raw: &RawRule, count: usize, dice: &mut Dice) -> Vec<Sample> {
    let mut samples = Vec::new();
    for turn in 0..count.max(3) {
        let cue = dice.pick(&raw.cues).map_or("", String::as_str);
        let (before, value, after) = match turn % 4 {
            0 => (format!("{cue}="), "null", " x=1"),
            1 => (format!("{{\"{cue}\":\""), "***", "\"}"),
            2 => (format!("{cue}="), "${VALUE_FROM_ENV}", ""),
            _ => (format!("qx{cue}qx="), "Wren42otterLane", ""),
        };
        samples.push(Sample { before, value: value.to_owned(), after: after.to_owned() });
    }
    samples
}
