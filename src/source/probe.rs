//! Finding a time range in a plain file without reading all of it.
//!
//! The file is looked at in [`PROBES`] places, evenly spread, and then halved towards both ends of
//! the range; each look reads a time of day behind a line's beginning. What the looks see decides:
//!
//! - A place without a time, or one that is more than [`ORDER_SLACK`] earlier than a place before it:
//!   the file is not in order, and **all of it is read**.
//! - Otherwise the range is searched [`ORDER_SLACK`] wider on both sides. So a record may be late or
//!   early by that much, wherever it stands, and is still found.
//!
//! What cannot be seen from a few places is a record further from its neighbours' time than the slack
//! in a file that is otherwise in order. For such a file its source says `ordered = false`.

use std::fs::File;
use std::io;
use std::time::Duration;

use super::granules::GRANULE_BYTES;
use super::granules::read_at;
use crate::text::RawSlice;
use crate::time::TimeRange;
use crate::time::Timestamp;

/// How far records may be out of order: buffers of writers and collectors are flushed within
/// seconds, clocks of machines in a cluster are minutes apart at the worst.
pub const ORDER_SLACK: Duration = Duration::from_mins(5);
/// Places that are looked at before anything is believed.
const PROBES: u64 = 33;
/// How far behind a place a line with a time is looked for.
const LOOK_BYTES: u64 = 64 * 1024;
/// Smaller files are read whole: a few granules cost less than the looks save.
const WHOLE_BYTES: u64 = 4 * GRANULE_BYTES.get();

/// Reads the time of a line.
pub type Stamp<'s> = dyn Fn(RawSlice<'_>) -> Option<Timestamp> + 's;

/// Where a range lies in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Beginning of its first line.
    pub(super) start: u64,
    /// Beginning of the line behind its last.
    pub(super) end: u64,
    /// Why it is that.
    pub(super) how: Search,
}

/// How the part of a file that is read was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// By looking at times in some places.
    Probed,
    /// It is small, or all of time is asked for.
    Whole,
    /// Its records are not in the order of time, or its source says so.
    Unordered,
    /// Somewhere it has no times.
    Untimed,
}

/// A line with a time.
#[derive(Clone, Copy, Debug)]
struct Look {
    /// Where the line begins.
    line: u64,
    time: Timestamp,
}

/// Finds the part of the first `len` bytes of a file that a range may be in.
pub(super) fn find(
    file: &File,
    len: u64,
    range: TimeRange,
    stamp: &Stamp<'_>,
) -> io::Result<Found> {
    let whole = |how| Ok(Found { start: 0, end: len, how });
    if len <= WHOLE_BYTES || range == TimeRange::ALL {
        return whole(Search::Whole);
    }
    let mut looks: Vec<Look> = Vec::new();
    for number in 0..PROBES {
        let at = (len - LOOK_BYTES) / (PROBES - 1) * number;
        match look(file, at, len, stamp)? {
            None => return whole(Search::Untimed),
            Some(seen) => looks.push(seen),
        }
    }
    let from = range.from().saturating_sub(ORDER_SLACK);
    let to = range.to().saturating_add(ORDER_SLACK);
    for wanted in [from, to] {
        if !halve(file, len, wanted, stamp, &mut looks)? {
            return whole(Search::Untimed);
        }
    }
    if !in_order(&looks) {
        return whole(Search::Unordered);
    }
    let start = looks.iter().rev().find(|look| look.time < from).map_or(0, |look| look.line);
    let end = looks.iter().find(|look| look.time >= to).map_or(len, |look| look.line);
    Ok(Found { start, end: end.max(start), how: Search::Probed })
}

/// Adds looks until those around `wanted` are a granule apart. False where there is no time.
fn halve(
    file: &File,
    len: u64,
    wanted: Timestamp,
    stamp: &Stamp<'_>,
    looks: &mut Vec<Look>,
) -> io::Result<bool> {
    // Each round halves a distance of at most 64 bits.
    for _ in 0..u64::BITS {
        let after = looks.partition_point(|look| look.time < wanted);
        let low = after.checked_sub(1).and_then(|at| looks.get(at)).map_or(0, |look| look.line);
        let high = looks.get(after).map_or(len, |look| look.line);
        if high.saturating_sub(low) <= GRANULE_BYTES.get() {
            break;
        }
        let middle = low + (high - low) / 2;
        let Some(seen) = look(file, middle, len, stamp)? else { return Ok(false) };
        if seen.line >= high {
            break; // No line begins between the middle and there.
        }
        let place = looks.partition_point(|look| look.line < seen.line);
        looks.insert(place, seen);
        if !in_order(looks) {
            break;
        }
    }
    Ok(true)
}

/// True when no place is more than the slack earlier than one before it.
fn in_order(looks: &[Look]) -> bool {
    let mut latest = Timestamp::MIN;
    looks.iter().all(|look| {
        latest = latest.max(look.time);
        look.time >= latest.saturating_sub(ORDER_SLACK)
    })
}

/// The first line with a time that begins at `at` or behind it.
fn look(file: &File, at: u64, len: u64, stamp: &Stamp<'_>) -> io::Result<Option<Look>> {
    let from = at.saturating_sub(1);
    let mut bytes = Vec::new();
    read_at(file, from, LOOK_BYTES.min(len.saturating_sub(from)), &mut bytes)?;
    let mut start =
        if at == 0 { 0 } else { memchr::memchr(b'\n', &bytes).map_or(bytes.len(), |end| end + 1) };
    while let Some(rest) = bytes.get(start..).filter(|rest| !rest.is_empty()) {
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = rest.get(..end).unwrap_or(rest);
        if let Some(time) = stamp(RawSlice::new(line)) {
            return Ok(Some(Look { line: from + start as u64, time }));
        }
        start += end + 1;
    }
    Ok(None)
}

/// The first time in the beginning of a text.
pub(super) fn first_time(head: &[u8], stamp: &Stamp<'_>) -> Option<Timestamp> {
    head.split(|byte| *byte == b'\n').find_map(|line| stamp(RawSlice::new(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines that begin with their second; `late` ones say an earlier one.
    fn file(count: i64, late: impl Fn(i64) -> i64) -> (File, Vec<u8>) {
        let mut text = Vec::new();
        for second in 0..count {
            let said = second - late(second);
            text.extend_from_slice(format!("{said} {}\n", "x".repeat(90)).as_bytes());
        }
        let file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut &file, &text).unwrap();
        (file, text)
    }

    fn stamp(line: RawSlice<'_>) -> Option<Timestamp> {
        let text = std::str::from_utf8(line.expose()).ok()?;
        let seconds: i64 = text.split(' ').next()?.parse().ok()?;
        Some(Timestamp::from_nanoseconds(seconds * 1_000_000_000))
    }

    fn range(from: i64, to: i64) -> TimeRange {
        let at = |second: i64| Timestamp::from_nanoseconds(second * 1_000_000_000);
        TimeRange::new(at(from), at(to)).unwrap()
    }

    fn seconds(text: &[u8]) -> Vec<i64> {
        text.split(|byte| *byte == b'\n')
            .filter_map(|line| std::str::from_utf8(line).ok()?.split(' ').next()?.parse().ok())
            .collect()
    }

    #[test]
    fn a_range_is_found_with_little_around_it() {
        let (file, text) = file(200_000, |_| 0);
        let found = find(&file, text.len() as u64, range(100_000, 101_000), &stamp).unwrap();
        assert_eq!(found.how, Search::Probed);
        let part =
            &text[usize::try_from(found.start).unwrap()..usize::try_from(found.end).unwrap()];
        let inside = seconds(part);
        assert!((100_000..101_000).all(|second| inside.contains(&second)));
        assert!(part.len() < 4 * 1024 * 1024, "{}", part.len());
        for (from, to) in [(-10, -1), (0, 5), (199_990, 300_000), (300_000, 400_000)] {
            let found = find(&file, text.len() as u64, range(from, to), &stamp).unwrap();
            let part =
                &text[usize::try_from(found.start).unwrap()..usize::try_from(found.end).unwrap()];
            let inside = seconds(part);
            assert!((from.max(0)..to.min(200_000)).all(|second| inside.contains(&second)));
        }
    }

    /// Shown to bite by searching without the slack.
    #[test]
    fn records_late_within_the_slack_are_found() {
        // Fifty lines a second, so that the slack is more than a granule.
        let late = |line: i64| line - line / 50 + if line % 7 == 3 { 280 } else { 0 };
        let (file, text) = file(300_000, late);
        let all = seconds(&text);
        for from in (500..5_500).step_by(499) {
            let wanted = range(from, from + 50);
            let found = find(&file, text.len() as u64, wanted, &stamp).unwrap();
            assert_eq!(found.how, Search::Probed);
            let (start, end) = (usize::try_from(found.start), usize::try_from(found.end));
            let part = seconds(&text[start.unwrap()..end.unwrap()]);
            let count =
                |all: &[i64]| all.iter().filter(|at| (from..from + 50).contains(*at)).count();
            assert_eq!(count(&part), count(&all), "from {from}");
        }
    }

    #[test]
    fn a_file_out_of_order_or_without_times_is_read_whole() {
        let (disordered, text) = file(100_000, |second| second % 50_000 * 2);
        let found = find(&disordered, text.len() as u64, range(10, 20), &stamp).unwrap();
        assert_eq!((found.start, found.end, found.how), (0, text.len() as u64, Search::Unordered));
        let (ordered, text) = file(100_000, |_| 0);
        let found = find(&ordered, text.len() as u64, range(10, 20), &|_| None).unwrap();
        assert_eq!((found.end, found.how), (text.len() as u64, Search::Untimed));
    }
}
