//! Which format a file is written in.

use super::Format;
use super::container;
use super::klog;
use super::logfmt;
use super::moment::Moments;
use super::part;
use crate::time::Timestamp;
use crate::time::Zone;

/// Lines that are looked at.
const LINES_MAX: usize = 64;

/// The format that most of the first lines are in, plain where that is none.
pub(super) fn detect(head: &[u8]) -> Format {
    let mut counts = [0_usize; Format::ALL.len()];
    let whole = memchr::memrchr(b'\n', head).map_or(head.len(), |end| end);
    let lines = part(head, 0, whole).split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let mut moments = Moments::new(Zone::UTC, Timestamp::from_nanoseconds(i64::MAX / 2));
    let mut looked_at = 0;
    for line in lines.filter(|line| !super::cut::continues(line)).take(LINES_MAX) {
        looked_at += 1;
        let format = of_line(line, &mut moments);
        if let Some(place) = Format::ALL.iter().position(|known| *known == format)
            && let Some(count) = counts.get_mut(place)
        {
            *count += 1;
        }
    }
    let best = Format::ALL.iter().zip(counts).max_by_key(|(_, count)| *count);
    match best {
        Some((format, count)) if count * 2 > looked_at => *format,
        Some(_) | None => Format::Plain,
    }
}

fn of_line(line: &[u8], moments: &mut Moments) -> Format {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.starts_with(b"{") {
        let docker = line.starts_with(b"{\"log\":\"")
            && memchr::memmem::find(line, b"\"stream\":\"std").is_some();
        return if docker { Format::DockerJson } else { Format::Json };
    }
    if container::line(line).is_some() {
        return Format::Cri;
    }
    if line.starts_with(b"<") {
        let close = memchr::memchr(b'>', part(line, 0, line.len().min(5)));
        return match close.map(|close| part(line, close + 1, close + 3)) {
            Some(b"1 ") => Format::Syslog5424,
            Some(_) => Format::Syslog3164,
            None => Format::Plain,
        };
    }
    if klog::looks_like(line) {
        return Format::Klog;
    }
    if is_access(line, moments) {
        return Format::Access;
    }
    if moments.month_first(line).is_some_and(|(_, len)| line.get(len) == Some(&b' ')) {
        return Format::Syslog3164;
    }
    if logfmt::looks_like(line) { Format::Logfmt } else { Format::Plain }
}

fn is_access(line: &[u8], moments: &mut Moments) -> bool {
    let Some(open) = memchr::memmem::find(line, b" [") else { return false };
    let time = part(line, open + 2, line.len());
    moments.access(time).is_some_and(|(_, len)| part(time, len, len + 3) == b"] \"")
}
