//! From a block of whole lines to records.

use super::Format;
use super::access;
use super::container;
use super::container::Joiner;
use super::cut::Run;
use super::cut::continues;
use super::json;
use super::json::Outcome;
use super::json::Walker;
use super::klog;
use super::logfmt;
use super::moment::Moments;
use super::moment::epoch;
use super::names::NameId;
use super::names::Names;
use super::names::Role;
use super::part;
use super::plain;
use super::records::BLOCK_LEN_MAX;
use super::records::Entry;
use super::records::Field;
use super::records::Records;
use super::records::Shape;
use super::records::Step;
use super::records::ValueKind;
use super::syslog;
use crate::record::Level;
use crate::simd::Kernel;
use crate::simd::Marks;
use crate::text::RawSlice;
use crate::time::Timestamp;

/// Reads the blocks of one source, in their order.
#[derive(Debug)]
pub struct Parser {
    format: Format,
    kernel: Kernel,
    marks: Marks,
    walker: Walker,
    joiner: Joiner,
    tools: Tools,
    run: Run,
}

/// What every format needs.
#[derive(Debug)]
pub(super) struct Tools {
    pub(super) names: Names,
    pub(super) moments: Moments,
    /// The last word that was read as a level.
    level: (Vec<u8>, Level),
}

/// What a format finds on a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) timestamp: Option<Timestamp>,
    pub(super) level: Level,
    pub(super) shape: Shape,
}

impl Head {
    /// Text of which nothing is known.
    pub(super) const TEXT: Head =
        Head { timestamp: None, level: Level::Unknown, shape: Shape::Text };
    /// What seems to have fields, but they cannot be read.
    pub(super) const UNREAD: Head = Head { shape: Shape::Unread, ..Head::TEXT };

    pub(super) fn fields(timestamp: Option<Timestamp>, level: Level) -> Head {
        Head { timestamp, level, shape: Shape::Fields }
    }
}

impl Parser {
    /// A parser for a source of that format.
    pub fn new(format: Format, moments: Moments) -> Parser {
        Parser::with_kernel(format, moments, Kernel::best())
    }

    /// As [`Parser::new`], with a kernel of one's own choice.
    pub fn with_kernel(format: Format, moments: Moments, kernel: Kernel) -> Parser {
        Parser {
            format,
            kernel,
            marks: Marks::new(),
            walker: Walker::default(),
            joiner: Joiner::default(),
            tools: Tools { names: Names::new(), moments, level: (Vec::new(), Level::Unknown) },
            run: Run::new(),
        }
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The names of the fields so far.
    pub fn names(&self) -> &Names {
        &self.tools.names
    }

    /// Records that were withheld because their parts were more than are joined.
    pub fn too_long_to_join(&self) -> u64 {
        self.joiner.withheld()
    }

    /// Reads `block`, which is whole records as [`cut`](super::cut()) says, into `records`, which are
    /// cleared first. Their places are in the text of [`Parser::text`]. Beyond [`BLOCK_LEN_MAX`]
    /// nothing is read.
    pub fn parse(&mut self, block: RawSlice<'_>, records: &mut Records) {
        records.clear();
        let block = block.expose();
        let block = block.get(..BLOCK_LEN_MAX.min(block.len())).unwrap_or(&[]);
        let mut joiner = std::mem::take(&mut self.joiner);
        joiner.join(self.format, block);
        let (text, format) = match joiner.text() {
            Some(text) => (text, Format::Cri),
            None => (block, self.format),
        };
        self.read(format, text, records);
        self.joiner = joiner;
    }

    /// The text that the last records are places in: `block` itself, unless parts of records had to
    /// be joined.
    pub fn text<'t>(&'t self, block: RawSlice<'t>) -> RawSlice<'t> {
        self.joiner.text().map_or(block, RawSlice::new)
    }

    fn read(&mut self, format: Format, text: &[u8], records: &mut Records) {
        self.marks.find(self.kernel, text);
        self.run = Run::new();
        let mut marks = std::mem::take(&mut self.marks);
        let mut places = marks.places();
        let mut start = 0;
        let last = (text.len() > marks.lines().last().map_or(0, |at| *at as usize + 1))
            .then_some(text.len() as u32);
        for stop in marks.lines().iter().copied().chain(last) {
            let stop = stop as usize;
            let next = (stop + 1).min(text.len());
            if !self.goes_on(text, start, next, records) {
                self.line(format, text, (start, stop), (&marks, places), records);
                if let Some(entry) = records.entries.last_mut() {
                    entry.end = next as u32;
                }
                self.run = Run::new();
                self.run.add(next - start);
            }
            // The marks of this line are done with. Most of them were stepped over already.
            places = skip(places, stop as u32);
            start = next;
        }
        self.marks = std::mem::take(&mut marks);
    }

    /// Adds a line to the record before, if it goes on with that.
    #[inline]
    fn goes_on(&mut self, text: &[u8], start: usize, next: usize, records: &mut Records) -> bool {
        if !continues(part(text, start, next)) || !self.run.takes(next - start) {
            return false;
        }
        let Some(entry) = records.entries.last_mut() else { return false };
        self.run.add(next - start);
        let end = next - usize::from(part(text, start, next).ends_with(b"\n"));
        let end = end as u32;
        entry.end = next as u32;
        entry.lines = self.run.lines();
        let text_field = records
            .fields
            .get_mut(entry.first as usize..)
            .and_then(<[Field]>::last_mut)
            .filter(|field| field.step == Step::Fixed)
            .filter(|field| matches!(field.name, NameId::MESSAGE | NameId::TRACE));
        if let Some(field) = text_field {
            field.end = end;
        } else {
            records.fields.push(fixed(NameId::TRACE, start, end as usize));
            entry.last += 1;
        }
        true
    }

    /// Reads the line `start..stop`, without its end.
    #[inline]
    fn line(
        &mut self,
        format: Format,
        text: &[u8],
        (start, stop): (usize, usize),
        (marks, places): (&Marks, &[u32]),
        records: &mut Records,
    ) {
        let first = records.fields.len() as u32;
        let stop = stop - usize::from(part(text, start, stop).ends_with(b"\r") && stop > start);
        let head = match format {
            Format::Json | Format::DockerJson => {
                self.object(text, (start, stop), (marks, places), records)
            }
            Format::Access => access::read(text, (start, stop), places, &mut self.tools, records),
            Format::Logfmt => logfmt::read(text, (start, stop), &mut self.tools, records),
            Format::Syslog3164 => syslog::read_3164(text, (start, stop), &mut self.tools, records),
            Format::Syslog5424 => syslog::read_5424(text, (start, stop), &mut self.tools, records),
            Format::Klog => klog::read(text, (start, stop), &mut self.tools, records),
            Format::Plain => plain::read(text, (start, stop), &mut self.tools, records),
            Format::Cri => self.container(text, (start, stop), (marks, places), records),
        };
        if matches!(head.shape, Shape::Unread) {
            records.fields.truncate(first as usize);
            records.fields.push(fixed(NameId::MESSAGE, start, stop));
        }
        records.entries.push(Entry {
            start: start as u32,
            end: stop as u32,
            first,
            last: records.fields.len() as u32,
            lines: 1,
            timestamp: head.timestamp,
            level: head.level,
            shape: head.shape,
        });
    }

    #[inline]
    fn object(
        &mut self,
        text: &[u8],
        (start, stop): (usize, usize),
        marks: (&Marks, &[u32]),
        records: &mut Records,
    ) -> Head {
        let first = records.fields.len();
        if text.get(start) != Some(&b'{') {
            return plain::read(text, (start, stop), &mut self.tools, records);
        }
        let names = &mut self.tools.names;
        match self.walker.walk(text, (start, stop), marks, names, records) {
            Outcome::Fields => self.tools.head(text, records.fields.get(first..).unwrap_or(&[])),
            Outcome::Unread => Head::UNREAD,
        }
    }

    /// A line of a container runtime: its own fields, then those of the program's line.
    fn container(
        &mut self,
        text: &[u8],
        (start, stop): (usize, usize),
        (marks, places): (&Marks, &[u32]),
        records: &mut Records,
    ) -> Head {
        let Some(line) = container::line(part(text, start, stop)) else {
            return plain::read(text, (start, stop), &mut self.tools, records);
        };
        let timestamp = self.tools.moments.read(part(text, start, start + line.time));
        records.fields.push(fixed(NameId::TIME, start, start + line.time));
        let stream = start + line.time + 1;
        records.fields.push(fixed(NameId::STREAM, stream, stream + 6));
        let body = (start + line.body, stop);
        let inner = part(text, body.0, body.1);
        let inner = if inner.starts_with(b"{") {
            let places = skip_to(places, body.0 as u32);
            self.object(text, body, (marks, places), records)
        } else if logfmt::looks_like(inner) {
            logfmt::read(text, body, &mut self.tools, records)
        } else if klog::looks_like(inner) {
            klog::read(text, body, &mut self.tools, records)
        } else {
            plain::read(text, body, &mut self.tools, records)
        };
        if inner.shape == Shape::Unread {
            return Head { timestamp, ..inner };
        }
        Head { timestamp: inner.timestamp.or(timestamp), level: inner.level, shape: Shape::Fields }
    }
}

impl Tools {
    /// The moment and the level that fields tell.
    #[inline]
    pub(super) fn head(&mut self, text: &[u8], fields: &[Field]) -> Head {
        let mut head = Head::fields(None, Level::Unknown);
        for field in fields {
            let Some(role) = json::role(&self.names, field) else { continue };
            let value = part(text, field.start as usize, field.end as usize);
            match role {
                Role::Time if head.timestamp.is_none() => {
                    head.timestamp = self.moment(value);
                }
                Role::Level if head.level == Level::Unknown => head.level = self.level(value),
                Role::Time | Role::Level | Role::Nothing => {}
            }
        }
        head
    }

    fn moment(&mut self, value: &[u8]) -> Option<Timestamp> {
        match self.moments.date(value) {
            Some((moment, len)) => (len == value.len()).then_some(moment),
            None => epoch(value).filter(|(_, len)| *len == value.len()).map(|(moment, _)| moment),
        }
    }

    /// The level that a word is, unknown where it is none.
    #[inline]
    pub(super) fn level(&mut self, word: &[u8]) -> Level {
        if self.level.0 != word {
            let level = Level::read(word).unwrap_or(Level::Unknown);
            self.level.0.clear();
            self.level.0.extend_from_slice(word.get(..16).unwrap_or(word));
            self.level.1 = level;
        }
        self.level.1
    }
}

/// A field whose name the format gives.
#[inline]
pub(super) fn fixed(name: NameId, start: usize, end: usize) -> Field {
    Field {
        name,
        step: Step::Fixed,
        parent: None,
        start: start as u32,
        end: end as u32,
        kind: ValueKind::Raw,
        overwritten: false,
    }
}

/// The places behind `stop`.
#[inline]
fn skip(mut places: &[u32], stop: u32) -> &[u32] {
    while let Some((place, rest)) = places.split_first() {
        if *place > stop {
            break;
        }
        places = rest;
    }
    places
}

/// The places from `start` on.
fn skip_to(places: &[u32], start: u32) -> &[u32] {
    start.checked_sub(1).map_or(places, |before| skip(places, before))
}
