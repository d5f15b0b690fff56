//! Masked records as bytes to write: NDJSON, JSON, logfmt, text for people, or their lines.
//!
//! # Promise
//! What is called JSON is JSON whatever the log holds: bytes that are no UTF-8 become U+FFFD. Nothing
//! for people holds a byte that steers a terminal.

use std::fmt;
use std::io::Write as _;
use std::str::FromStr;

use super::masked::MaskedField;
use super::masked::MaskedRecord;
use super::masked::MaskedRecords;
use super::masked::slice;
use crate::format::ValueKind;
use crate::format::decode_string;
use crate::record::Level;
use crate::time::Timestamp;
use crate::time::Zone;

/// How records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// An object of JSON a line: `ts`, `level`, `fields`.
    Ndjson,
    /// A list of such objects.
    Json,
    /// `name=value` pairs a line.
    Logfmt,
    /// Lines for people.
    Pretty,
    /// The masked lines.
    Text,
}

/// A text that is not the name of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseLayoutError;

/// Writes records one after the other.
#[derive(Debug)]
pub struct Renderer {
    layout: Layout,
    zone: Zone,
    written: u64,
    value: Vec<u8>,
    /// The last moment's second, and how it is written.
    second: (i64, Vec<u8>),
}

impl Layout {
    /// All layouts.
    pub const ALL: [Layout; 5] =
        [Layout::Ndjson, Layout::Json, Layout::Logfmt, Layout::Pretty, Layout::Text];

    /// Its name, as `--out` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Layout::Ndjson => "ndjson",
            Layout::Json => "json",
            Layout::Logfmt => "logfmt",
            Layout::Pretty => "pretty",
            Layout::Text => "text",
        }
    }
}

impl Renderer {
    /// A renderer that shows moments as seen in `zone`.
    pub fn new(layout: Layout, zone: Zone) -> Renderer {
        Renderer { layout, zone, written: 0, value: Vec::new(), second: (i64::MIN, Vec::new()) }
    }

    /// Appends what stands before the first record.
    pub fn begin(&self, out: &mut Vec<u8>) {
        if self.layout == Layout::Json {
            out.push(b'[');
        }
    }

    /// Appends what stands behind the last record.
    pub fn end(&self, out: &mut Vec<u8>) {
        if self.layout == Layout::Json {
            out.extend_from_slice(b"\n]\n");
        }
    }

    /// Appends all records.
    pub fn all(&mut self, records: &MaskedRecords, out: &mut Vec<u8>) {
        for record in records.iter() {
            self.record(&record, out);
        }
    }

    /// Appends one record.
    pub fn record(&mut self, record: &MaskedRecord<'_>, out: &mut Vec<u8>) {
        match self.layout {
            Layout::Ndjson => {
                self.object(record, out);
                out.push(b'\n');
            }
            Layout::Json => {
                out.extend_from_slice(if self.written == 0 { b"\n" } else { b",\n" });
                self.object(record, out);
            }
            Layout::Logfmt => self.logfmt(record, out),
            Layout::Pretty => self.pretty(record, out),
            Layout::Text => {
                out.extend_from_slice(record.line());
                out.push(b'\n');
            }
        }
        self.written += 1;
    }

    fn object(&mut self, record: &MaskedRecord<'_>, out: &mut Vec<u8>) {
        out.push(b'{');
        if let Some(moment) = record.timestamp() {
            out.extend_from_slice(b"\"ts\":\"");
            self.moment(moment, out);
            out.extend_from_slice(b"\",");
        }
        out.extend_from_slice(b"\"level\":\"");
        out.extend_from_slice(record.level().name().as_bytes());
        out.extend_from_slice(b"\",\"fields\":{");
        let records = record.records();
        for (at, field) in record.own().iter().enumerate() {
            out.extend_from_slice(if at == 0 { b"\"" } else { b",\"" });
            escape(records.name(field.name), out);
            out.extend_from_slice(b"\":");
            self.json_value(field, slice(&records.text, field.value), out);
        }
        out.extend_from_slice(b"}}");
    }

    #[inline]
    fn json_value(&mut self, field: &MaskedField, value: &[u8], out: &mut Vec<u8>) {
        match field.kind {
            ValueKind::Number | ValueKind::Bool | ValueKind::Empty => {
                out.extend_from_slice(value);
            }
            ValueKind::Null => out.extend_from_slice(b"null"),
            ValueKind::Plain | ValueKind::Escaped => {
                out.push(b'"');
                out.extend_from_slice(value);
                out.push(b'"');
            }
            ValueKind::Raw => {
                out.push(b'"');
                escape(value, out);
                out.push(b'"');
            }
            ValueKind::Quoted => {
                self.value.clear();
                decode_string(value, &mut self.value);
                out.push(b'"');
                escape(&self.value, out);
                out.push(b'"');
            }
        }
    }

    /// The value as a reader sees it.
    fn decoded<'v>(&'v mut self, field: &MaskedField, value: &'v [u8]) -> &'v [u8] {
        match field.kind {
            ValueKind::Escaped | ValueKind::Quoted => {
                self.value.clear();
                decode_string(value, &mut self.value);
                &self.value
            }
            ValueKind::Raw
            | ValueKind::Plain
            | ValueKind::Number
            | ValueKind::Bool
            | ValueKind::Null
            | ValueKind::Empty => value,
        }
    }

    fn logfmt(&mut self, record: &MaskedRecord<'_>, out: &mut Vec<u8>) {
        if let Some(moment) = record.timestamp() {
            out.extend_from_slice(b"ts=");
            self.moment(moment, out);
            out.push(b' ');
        }
        out.extend_from_slice(b"level=");
        out.extend_from_slice(record.level().name().as_bytes());
        let records = record.records();
        for field in record.own() {
            out.push(b' ');
            let name = records.name(field.name);
            let plain = |byte: &u8| {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b'_' | b'.' | b'-' | b'@' | b'/' | b'[' | b']')
            };
            out.extend(name.iter().map(|byte| if plain(byte) { *byte } else { b'_' }));
            out.push(b'=');
            let value = self.decoded(field, slice(&records.text, field.value));
            if !value.is_empty()
                && value
                    .iter()
                    .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'=' | b'\\'))
            {
                out.extend_from_slice(value);
            } else {
                out.push(b'"');
                escape(value, out);
                out.push(b'"');
            }
        }
        out.push(b'\n');
    }

    fn pretty(&mut self, record: &MaskedRecord<'_>, out: &mut Vec<u8>) {
        match record.timestamp() {
            Some(moment) => self.moment(moment, out),
            None => out.push(b'-'),
        }
        let level = match record.level() {
            Level::Unknown => "  -  ",
            Level::Trace => "TRACE",
            Level::Debug => "DEBUG",
            Level::Info => "INFO ",
            Level::Warn => "WARN ",
            Level::Error => "ERROR",
            Level::Fatal => "FATAL",
        };
        out.push(b' ');
        out.extend_from_slice(level.as_bytes());
        let records = record.records();
        for field in record.own() {
            let name = records.name(field.name);
            let text = matches!(name, b"message" | b"msg" | b"stack_trace");
            out.push(b' ');
            if !text {
                printable(name, out);
                out.push(b'=');
            }
            let value = self.decoded(field, slice(&records.text, field.value));
            printable(value, out);
        }
        out.push(b'\n');
    }

    /// RFC 3339 with as many digits as are needed, in threes.
    fn moment(&mut self, moment: Timestamp, out: &mut Vec<u8>) {
        let second = moment.nanoseconds().div_euclid(1_000_000_000);
        if self.second.0 != second || self.second.1.is_empty() {
            self.second.0 = second;
            let whole = Timestamp::from_nanoseconds(second.saturating_mul(1_000_000_000));
            self.second.1.clear();
            write!(&mut self.second.1, "{}", whole.in_zone(self.zone)).unwrap_or(());
        }
        // `2026-11-30T14:00:00` and the zone.
        let (head, zone) = self.second.1.split_at_checked(19).unwrap_or((&self.second.1, &[]));
        out.extend_from_slice(head);
        let fraction = moment.nanoseconds().rem_euclid(1_000_000_000);
        if fraction != 0 {
            let len = if fraction % 1_000_000 == 0 {
                3
            } else if fraction % 1_000 == 0 {
                6
            } else {
                9
            };
            out.push(b'.');
            let mut scale = 100_000_000;
            for _ in 0..len {
                out.push(b'0' + u8::try_from(fraction / scale % 10).unwrap_or(0));
                scale /= 10;
            }
        }
        out.extend_from_slice(zone);
    }
}

/// Appends text as it stands between the quotes of a JSON string.
pub(super) fn escape(text: &[u8], out: &mut Vec<u8>) {
    let special = |byte: &u8| *byte < b' ' || *byte >= 0x7f || matches!(byte, b'"' | b'\\');
    if !text.iter().fold(false, |any, byte| any | special(byte)) {
        out.extend_from_slice(text);
        return;
    }
    for chunk in text.utf8_chunks() {
        let mut rest = chunk.valid().as_bytes();
        while let Some(at) =
            rest.iter().position(|byte| *byte < b' ' || matches!(byte, b'"' | b'\\' | 0x7f))
        {
            let (plain, tail) = rest.split_at_checked(at).unwrap_or((rest, &[]));
            out.extend_from_slice(plain);
            let Some((byte, tail)) = tail.split_first() else { break };
            match byte {
                b'\n' => out.extend_from_slice(b"\\n"),
                b'\r' => out.extend_from_slice(b"\\r"),
                b'\t' => out.extend_from_slice(b"\\t"),
                b'"' => out.extend_from_slice(b"\\\""),
                b'\\' => out.extend_from_slice(b"\\\\"),
                byte => {
                    let hex = |half: u8| b"0123456789abcdef".get(usize::from(half)).copied();
                    out.extend_from_slice(b"\\u00");
                    out.extend(hex(byte >> 4));
                    out.extend(hex(byte & 15));
                }
            }
            rest = tail;
        }
        out.extend_from_slice(rest);
        if !chunk.invalid().is_empty() {
            out.extend_from_slice("\u{fffd}".as_bytes());
        }
    }
}

/// Appends text for a terminal: what could steer it, or turn the direction of text, is written as
/// its number; line ends are followed by an indent.
fn printable(text: &[u8], out: &mut Vec<u8>) {
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            let steers = c.is_control()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
            match c {
                '\n' => out.extend_from_slice(b"\n    "),
                '\t' => out.extend_from_slice(b"  "),
                c if steers => {
                    write!(&mut *out, "\\u{{{:x}}}", u32::from(c)).unwrap_or(());
                }
                c => {
                    let mut utf8 = [0; 4];
                    out.extend_from_slice(c.encode_utf8(&mut utf8).as_bytes());
                }
            }
        }
        if !chunk.invalid().is_empty() {
            out.extend_from_slice("\u{fffd}".as_bytes());
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Layout {
    type Err = ParseLayoutError;

    fn from_str(text: &str) -> Result<Layout, ParseLayoutError> {
        Layout::ALL.into_iter().find(|layout| layout.name() == text).ok_or(ParseLayoutError)
    }
}

impl fmt::Display for ParseLayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a layout is one of")?;
        Layout::ALL.iter().try_for_each(|layout| write!(f, " {layout}"))
    }
}

impl std::error::Error for ParseLayoutError {}
