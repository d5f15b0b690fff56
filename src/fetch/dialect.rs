//! How the records of a file are read.

use std::sync::Mutex;

use crate::format::Format;
use crate::format::Moments;
use crate::format::Parser;
use crate::format::Records;
use crate::source::Times;
use crate::text::RawSlice;
use crate::time::Timestamp;
use crate::time::Zone;

/// How the times of a file that begins with `head` are read: in the format that is named, or in the
/// one that it seems to be written in.
pub fn times(head: RawSlice<'_>, named: Option<Format>, zone: Zone, now: Timestamp) -> Times {
    let format = named.unwrap_or_else(|| Format::detect_in(head));
    let parser = Parser::new(format, Moments::new(zone, now));
    let tools = Mutex::new((parser, Records::new()));
    let stamp = move |line: RawSlice<'_>| {
        let mut tools = tools.lock().ok()?;
        let (parser, records) = &mut *tools;
        parser.parse(line, records);
        records.entries().first()?.timestamp
    };
    Times { format: format.name().to_owned(), stamp: Box::new(stamp) }
}
