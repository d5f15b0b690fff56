use super::*;
use crate::record::Level;
use crate::simd::Kernel;
use crate::text::RawSlice;
use crate::time::Timestamp;
use crate::time::Zone;

/// 2026-12-01T00:00:00Z.
const NOW: i64 = 1_796_083_200_000_000_000;

fn moments() -> Moments {
    Moments::new(Zone::UTC, Timestamp::from_nanoseconds(NOW))
}

/// A record in a form that can be compared: moment, level, shape, `name=value` pairs.
#[derive(Debug, PartialEq)]
struct Read {
    moment: String,
    level: Level,
    shape: Shape,
    fields: Vec<String>,
    text: String,
}

fn read_with(kernel: Kernel, format: Format, text: &[u8]) -> Vec<Read> {
    let mut parser = Parser::with_kernel(format, moments(), kernel);
    let mut records = Records::new();
    read_block(&mut parser, &mut records, text)
}

fn read_block(parser: &mut Parser, records: &mut Records, text: &[u8]) -> Vec<Read> {
    let block = RawSlice::new(text);
    parser.parse(block, records);
    let text = parser.text(block).expose();
    let lossy =
        |span: crate::text::Span| String::from_utf8_lossy(&text[span.start..span.end]).into_owned();
    let mut end = 0;
    let mut out = Vec::new();
    for entry in records.entries() {
        let span = entry.span();
        assert_eq!(span.start, end, "records follow one another");
        assert!(span.end <= text.len());
        end = span.end;
        let mut place = span.start;
        let mut fields = Vec::new();
        for field in records.fields(entry) {
            let value = field.value();
            assert!(place <= value.start && value.start <= value.end && value.end <= span.end);
            if let Step::Key { start, end } = field.step {
                assert!(place <= start as usize && end as usize <= value.start);
            }
            place = value.end;
            let mark = if field.overwritten { "!" } else { "" };
            fields.push(format!("{mark}{}={}", parser.names().full(field.name), lossy(value)));
        }
        out.push(Read {
            moment: entry.timestamp.map_or("-".to_owned(), |moment| moment.to_string()),
            level: entry.level,
            shape: entry.shape,
            fields,
            text: lossy(span),
        });
    }
    assert_eq!(end, text.len(), "every byte belongs to a record");
    out
}

fn read(format: Format, text: &str) -> Vec<Read> {
    let all: Vec<_> = Kernel::ALL
        .into_iter()
        .filter(|kernel| kernel.is_available())
        .map(|kernel| read_with(kernel, format, text.as_bytes()))
        .collect();
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "kernels agree");
    all.into_iter().next().unwrap()
}

fn one(format: Format, text: &str) -> Read {
    let mut read = read(format, text);
    assert_eq!(read.len(), 1, "{text}");
    read.remove(0)
}

#[track_caller]
fn check(format: Format, text: &str, moment: &str, level: Level, fields: &[&str]) {
    let read = one(format, text);
    assert_eq!(read.fields, fields);
    assert_eq!((read.moment.as_str(), read.level, read.shape), (moment, level, Shape::Fields));
}

#[test]
fn names_of_formats_are_read_back() {
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
    }
    assert_eq!("JSON".parse::<Format>(), Err(ParseFormatError));
}

#[test]
fn json_with_everything_in_it() {
    check(
        Format::Json,
        "{\"ts\":\"2026-11-30T14:00:00.5Z\",\"level\":\"WARN\", \"http\" : {\"url\":\"/a\\\"b\",\"status\":200},\
         \"tags\":[\"a\",{\"k\":null}],\"e\":{},\"n\":-1.5e3,\"ok\":true,\"\\u0061b\":\"é\"}\n",
        "2026-11-30T14:00:00.500Z",
        Level::Warn,
        &[
            "ts=2026-11-30T14:00:00.5Z",
            "level=WARN",
            "http.url=/a\\\"b",
            "http.status=200",
            "tags[]=a",
            "tags[].k=null",
            "e={}",
            "n=-1.5e3",
            "ok=true",
            "ab=é",
        ],
    );
    check(Format::Json, "{}", "-", Level::Unknown, &[]);
    check(Format::Json, "{\t\"a\"\t:\t1\t}\r\n", "-", Level::Unknown, &["a=1"]);
    check(
        Format::Json,
        "{\"time\":1796083200123,\"level\":50,\"a\":1}",
        "2026-12-01T00:00:00.123Z",
        Level::Error,
        &["time=1796083200123", "level=50", "a=1"],
    );
}

/// Shown to bite by leaving the marks of a key twice out of the walker.
#[test]
fn the_last_of_a_name_counts() {
    let fields = |text| one(Format::Json, text).fields;
    assert_eq!(fields(r#"{"a":1,"b":2,"a":3}"#), ["!a=1", "b=2", "a=3"]);
    assert_eq!(fields(r#"{"a":{"x":1},"a":{"y":1}}"#), ["!a.x=1", "a.y=1"]);
    assert_eq!(fields(r#"{"a":{"x":1},"a":2}"#), ["!a.x=1", "a=2"]);
    assert_eq!(fields(r#"{"a":1,"\u0061":2}"#), ["!a=1", "a=2"]);
    assert_eq!(fields(r#"{"a":[{"x":1},{"x":2}]}"#), ["a[].x=1", "a[].x=2"]);
}

#[test]
fn json_that_cannot_be_read_is_text_with_fields_in_it() {
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(DEPTH_MAX), "]".repeat(DEPTH_MAX));
    let many: Vec<String> = (0..=FIELDS_MAX).map(|at| format!("\"f{at}\":1")).collect();
    let many = format!("{{{}}}", many.join(","));
    for text in [
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{\"a\":1}}",
        "{\"a\":1} x",
        "{\"a\":1}{\"b\":2}",
        "{a:1}",
        "{\"a\" 1}",
        "{\"a\":01}",
        "{\"a\":1.}",
        "{\"a\":-}",
        "{\"a\":1e}",
        "{\"a\":1e999}",
        "{\"a\":+1}",
        "{\"a\":tru}",
        "{\"a\":\"x}",
        "{\"a\":\"x\ty\"}",
        "{\"a\":\"\\q\"}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\\u00g0\"}",
        "{\"a\":[1,2}",
        "{\"a\":{\"b\":1]}",
        "{\"a\":'x'}",
        "{\"a\\\":1}",
        "{\"\\ud800\":1}",
        "{\"a\":1}\u{0}",
        &deep,
        &many,
    ] {
        let read = one(Format::Json, text);
        assert_eq!(read.shape, Shape::Unread, "{text}");
        assert_eq!(read.fields, [format!("message={text}")]);
    }
    let text = b"{\"a\":\"\xff\"}";
    assert_eq!(read_with(Kernel::best(), Format::Json, text)[0].shape, Shape::Unread);
    // What does not seem to have fields is text.
    for text in ["", "panic: x", "[1]", "\"x\"", "12"] {
        let text = format!("{text}\n");
        assert_eq!(one(Format::Json, &text).shape, Shape::Text, "{text}");
    }
    // A broken line does not break the next one.
    let read = read(Format::Json, "{\"a\":\"x\n{\"b\":1}\n{\"c\":\"\\\n{\"d\":\"e\"}\n");
    let shapes: Vec<Shape> = read.iter().map(|read| read.shape).collect();
    assert_eq!(shapes, [Shape::Unread, Shape::Fields, Shape::Unread, Shape::Fields]);
}

#[test]
fn logfmt_with_and_without_quotes() {
    check(
        Format::Logfmt,
        "ts=2026-11-30T14:00:00Z level=error msg=\"a \\\"b\\\" c\" url=http://x?a=b empty= q=\"\" d=1.5s\n",
        "2026-11-30T14:00:00Z",
        Level::Error,
        &[
            "ts=2026-11-30T14:00:00Z",
            "level=error",
            "msg=a \\\"b\\\" c",
            "url=http://x?a=b",
            "empty=",
            "q=",
            "d=1.5s",
        ],
    );
    check(
        Format::Logfmt,
        "level=info msg=hello big world x=\"open a=b y=\"a\"b c",
        "-",
        Level::Info,
        &["level=info", "msg=hello big world", "x=\"open", "a=b", "y=\"a\"b c"],
    );
    assert_eq!(one(Format::Logfmt, "no pairs here").shape, Shape::Text);
}

#[test]
fn access_logs_of_both_kinds() {
    let common = "203.0.113.9 - frank [30/Nov/2026:14:00:00 +0100] \"GET /a?b=c HTTP/1.1\" 200 512";
    let fields = [
        "client=203.0.113.9",
        "ident=-",
        "user=frank",
        "time=30/Nov/2026:14:00:00 +0100",
        "method=GET",
        "url=/a?b=c",
        "protocol=HTTP/1.1",
        "status=200",
        "bytes=512",
    ];
    check(Format::Access, common, "2026-11-30T13:00:00Z", Level::Info, &fields);
    let combined = format!("{common} \"https://a.example/\" \"curl \\\"8\\\"\" rt=0.1 \"x\"\n");
    let more = ["referer=https://a.example/", "user_agent=curl \\\"8\\\"", "rest=rt=0.1 \"x\""];
    let all: Vec<&str> = fields.into_iter().chain(more).collect();
    check(Format::Access, &combined, "2026-11-30T13:00:00Z", Level::Info, &all);
    let odd = one(
        Format::Access,
        "::1 - a b [30/Nov/2026:14:00:00 +0100] \"\\x16\\x03\" 400 0 \"-\" \"-\"",
    );
    assert_eq!(
        odd.fields[2..5],
        ["user=a b", "time=30/Nov/2026:14:00:00 +0100", "request=\\x16\\x03"]
    );
    assert_eq!(odd.level, Level::Warn);
    for text in ["", "x", "a b c [", "1.2.3.4 - - [30/Nov/2026:14:00:00 +0100] \"GET"] {
        assert_eq!(one(Format::Access, &format!("{text}\n")).shape, Shape::Text, "{text}");
    }
}

#[test]
fn syslog_of_both_kinds() {
    check(
        Format::Syslog3164,
        "<11>Nov 30 14:00:00 web-3 sshd[812]: Accepted key for root",
        "2026-11-30T14:00:00Z",
        Level::Error,
        &[
            "priority=11",
            "time=Nov 30 14:00:00",
            "host=web-3",
            "appname=sshd",
            "procid=812",
            "message=Accepted key for root",
        ],
    );
    check(
        Format::Syslog3164,
        "Nov  3 14:00:00 web-3 kernel: eth0 up",
        "2026-11-03T14:00:00Z",
        Level::Unknown,
        &["time=Nov  3 14:00:00", "host=web-3", "appname=kernel", "message=eth0 up"],
    );
    check(
        Format::Syslog3164,
        "Nov  3 14:00:00 web-3 last message repeated",
        "2026-11-03T14:00:00Z",
        Level::Unknown,
        &["time=Nov  3 14:00:00", "host=web-3", "message=last message repeated"],
    );
    check(
        Format::Syslog5424,
        "<165>1 2026-11-30T14:00:00.003Z host.example app - ID47 [ex@1 iut=\"3\" q=\"a\\\"]\"][b@1] \u{feff}msg",
        "2026-11-30T14:00:00.003Z",
        Level::Info,
        &[
            "priority=165",
            "time=2026-11-30T14:00:00.003Z",
            "host=host.example",
            "appname=app",
            "msgid=ID47",
            "ex@1.iut=3",
            "ex@1.q=a\\\"]",
            "message=msg",
        ],
    );
    check(
        Format::Syslog5424,
        "<34>1 - - su - - - 'su root' failed",
        "-",
        Level::Fatal,
        &["priority=34", "appname=su", "message='su root' failed"],
    );
    for text in ["<999>Nov 30 14:00:00 a b", "<34>1 -", "<34>1 - - - - - [x a=\"1", "<", "<1>"] {
        assert_eq!(one(Format::Syslog5424, text).shape, Shape::Text, "{text}");
        assert_eq!(one(Format::Syslog3164, text).shape, Shape::Text, "{text}");
    }
}

#[test]
fn klog_and_plain_text() {
    check(
        Format::Klog,
        "E1130 14:00:00.123456   12345 pod_workers.go:951] \"Error syncing\" pod=\"a/b\"",
        "2026-11-30T14:00:00.123456Z",
        Level::Error,
        &[
            "level=E",
            "time=1130 14:00:00.123456",
            "tid=12345",
            "file=pod_workers.go",
            "line=951",
            "message=\"Error syncing\" pod=\"a/b\"",
        ],
    );
    for text in ["E1130", "E1130 14:00:00.1 1 a.go 1] x", "I9999 99:99:99 1 a.go:1] x"] {
        assert_eq!(one(Format::Klog, text).shape, Shape::Text, "{text}");
    }
    let plain = one(Format::Plain, "[2026-11-30 14:00:00,250] ERROR [main] error in it\n");
    assert_eq!((plain.moment.as_str(), plain.level), ("2026-11-30T14:00:00.250Z", Level::Error));
    let plain = one(Format::Plain, "an error that is none");
    assert_eq!((plain.moment.as_str(), plain.level), ("-", Level::Unknown));
}

const CRI: &str = "2026-11-30T14:00:00.018223901Z";

#[test]
fn parts_of_container_lines_are_joined() {
    let text = format!(
        "{CRI} stdout P {{\"level\":\"in\n{CRI} stderr F oops\n{CRI} stdout P fo\",\"mail\":\"alice@exa\n\
         {CRI} stdout F mple.com\"}}\n{CRI} stderr F \tat x\n{CRI} stdout F last\n"
    );
    let read = read(Format::Cri, &text);
    let fields: Vec<&[String]> = read.iter().map(|read| &read.fields[2..]).collect();
    assert_eq!(fields.len(), 4);
    assert_eq!(fields[0], ["message=oops"]);
    assert_eq!(fields[1], ["level=info", "mail=alice@example.com"]);
    assert_eq!(fields[2], ["message=\tat x"]);
    assert_eq!(fields[3], ["message=last"]);
    assert_eq!(read[1].level, Level::Info);
    assert_eq!(read[1].moment, "2026-11-30T14:00:00.018223901Z");
}

#[test]
fn docker_is_read_as_the_program_wrote_it() {
    let line = |log: &str, stream: &str| {
        format!("{{\"log\":\"{log}\",\"stream\":\"{stream}\",\"time\":\"{CRI}\"}}\n")
    };
    let text = [
        line(r#"{\"level\":\"warn\",\"msg\":\"a\\nb\"}\n"#, "stdout"),
        line("half of alice@exa", "stderr"),
        line("mple.com\\n", "stderr"),
        line("\\tat x\\n", "stderr"),
        line("a\\nb \\u0040 \\\\n", "stdout"),
    ];
    let read = read(Format::DockerJson, &text.concat());
    let fields: Vec<&[String]> = read.iter().map(|read| &read.fields[1..]).collect();
    assert_eq!(fields[0], ["stream=stdout", "level=warn", "msg=a\\nb"]);
    assert_eq!(fields[1], ["stream=stderr", "message=half of alice@example.com\n\tat x"]);
    // The last line has no end: it is a part, whose other parts never came.
    assert_eq!(fields[2], ["stream=stdout", "message=a\\nb @ \\n"]);
}

#[test]
fn parts_without_an_end_are_withheld() {
    let body = "x".repeat(16 * 1024);
    let part = format!("{CRI} stdout P {body}\n");
    let text = format!("{}{CRI} stdout F end alice\n{CRI} stdout F next\n", part.repeat(100));
    let mut parser = Parser::new(Format::Cri, moments());
    let mut records = Records::new();
    let read = read_block(&mut parser, &mut records, text.as_bytes());
    assert_eq!(read.len(), 2);
    assert_eq!(read[0].fields[2], "message=[withheld: parts of a line beyond 1 MiB]");
    assert_eq!(read[1].fields[2], "message=next");
    assert_eq!(parser.too_long_to_join(), 1);
    // The same when the block ends inside.
    let (head, tail) = text.split_at(part.len() * 90);
    let read = read_block(&mut parser, &mut records, head.as_bytes());
    assert_eq!(read[0].fields[2], "message=[withheld: parts of a line beyond 1 MiB]");
    let read = read_block(&mut parser, &mut records, tail.as_bytes());
    assert_eq!(read.len(), 1);
    assert_eq!(read[0].fields[2], "message=next");
}

#[test]
fn stack_traces_belong_to_their_record() {
    let trace = "\tat a.b(C.java:1)\nCaused by: x\n\t... 3 more\n";
    let text = format!("{{\"a\":1}}\n{trace}{{\"b\":2}}\n");
    let read = read(Format::Json, &text);
    assert_eq!(read.len(), 2);
    assert_eq!(read[0].fields, ["a=1".to_owned(), format!("stack_trace={}", trace.trim_end())]);
    let plain = one(Format::Plain, &format!("ERROR it broke\n{trace}"));
    assert_eq!(plain.fields, [format!("message=ERROR it broke\n{}", trace.trim_end())]);
    let python = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n";
    assert_eq!(one(Format::Plain, &format!("oops\n{python}")).shape, Shape::Text);
}

#[test]
fn joined_lines_have_a_limit() {
    let text = format!("first\n{}", " x\n".repeat(RECORD_LINES_MAX as usize * 2));
    let read = read(Format::Plain, &text);
    let lines: Vec<usize> = read.iter().map(|read| read.text.lines().count()).collect();
    let most = RECORD_LINES_MAX as usize;
    assert_eq!(lines, [most, most, 1]);
}

#[test]
fn formats_are_detected() {
    for (format, text) in [
        (Format::Json, "{\"a\":1}\npanic: x\n\tat y\n{\"a\":2}\n{\"a\":3}\n".to_owned()),
        (Format::Logfmt, "level=info msg=x\nlevel=info msg=\"a b\"\n".to_owned()),
        (
            Format::Access,
            "1.2.3.4 - - [30/Nov/2026:14:00:00 +0100] \"GET / HTTP/1.1\" 200 1\n".to_owned(),
        ),
        (Format::Syslog3164, "Nov 30 14:00:00 h a: b\n<13>Nov 30 14:00:00 h a: b\n".to_owned()),
        (Format::Syslog5424, "<34>1 - - su - - - x\n".to_owned()),
        (Format::Cri, format!("{CRI} stdout F {{\"a\":1}}\n{CRI} stderr P x\n")),
        (
            Format::DockerJson,
            format!("{{\"log\":\"x\\n\",\"stream\":\"stdout\",\"time\":\"{CRI}\"}}\n"),
        ),
        (Format::Klog, "I1130 14:00:00.123456 1 a.go:1] x\n".to_owned()),
        (Format::Plain, "2026-11-30 14:00:00 INFO x\nand more\n".to_owned()),
        (Format::Plain, String::new()),
    ] {
        assert_eq!(Format::detect(text.as_bytes()), format, "{text}");
        // A last line that is cut does not matter.
        let cut = format!("{text}{{\"half");
        if !text.is_empty() {
            assert_eq!(Format::detect(cut.as_bytes()), format, "{cut}");
        }
    }
}

/// Reads `text` in blocks of about `len` bytes, as a caller would.
fn in_blocks(format: Format, text: &[u8], len: usize) -> Vec<Read> {
    let mut parser = Parser::new(format, moments());
    let mut records = Records::new();
    let mut held = Vec::new();
    let mut out = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (block, more) = rest.split_at(len.min(rest.len()));
        held.extend_from_slice(block);
        rest = more;
        let upcoming = if rest.is_empty() { More::Never } else { More::Coming };
        let whole = cut(format, &held, upcoming);
        out.extend(read_block(&mut parser, &mut records, &held[..whole]));
        held.drain(..whole);
    }
    out
}

/// Shown to bite by letting `cut` end at the last line, whatever may go on with it.
#[test]
fn blocks_do_not_change_records() {
    let mut seed = 7_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    let lines = [
        "{\"a\":1,\"b\":\"x\\\"y\"}\n".to_owned(),
        "\tat a.b.c\n".to_owned(),
        "Caused by: x\n".to_owned(),
        "level=info msg=\"a b\"\n".to_owned(),
        "{\"broken\":\"\n".to_owned(),
        format!("{CRI} stdout P half\n"),
        format!("{CRI} stdout F whole\n"),
        format!("{CRI} stderr P half\n"),
        format!("{CRI} stderr F \tat x\n"),
        format!("{{\"log\":\"x\\n\",\"stream\":\"stdout\",\"time\":\"{CRI}\"}}\n"),
        format!("{{\"log\":\"\\tx\\n\",\"stream\":\"stderr\",\"time\":\"{CRI}\"}}\n"),
        format!("{{\"log\":\"x\",\"stream\":\"stdout\",\"time\":\"{CRI}\"}}\n"),
        "\n".to_owned(),
        "1.2.3.4 - - [30/Nov/2026:14:00:00 +0100] \"GET / HTTP/1.1\" 200 1\n".to_owned(),
        "I1130 14:00:00.123456 1 a.go:1] x\r\n".to_owned(),
    ];
    for _ in 0..40 {
        let mut text: String = (0..next(40)).map(|_| lines[next(lines.len())].as_str()).collect();
        if next(2) == 0 {
            text.push_str("no line end");
        }
        for format in Format::ALL {
            let whole = in_blocks(format, text.as_bytes(), usize::MAX);
            for len in [1, 7, 64, 1000] {
                let parts = in_blocks(format, text.as_bytes(), len);
                let differs = parts.iter().zip(&whole).position(|(one, other)| one != other);
                let at = differs.unwrap_or(parts.len().min(whole.len()));
                assert!(
                    parts == whole,
                    "{format} {len}, record {at}: {:?} in parts, {:?} as a whole\n{text}",
                    parts.get(at),
                    whole.get(at)
                );
            }
        }
    }
}

/// Any bytes at all: `read_block` checks that spans lie inside and ascend.
#[test]
fn any_bytes_can_be_read() {
    let mut seed = 99_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize
    };
    let some = b"{}[]\":,\\ \n\t=<>0123eE.-+tfnu/abZ\xff\xc3\xa9stdoutFP";
    for _ in 0..3000 {
        let len = next() % 120;
        let text: Vec<u8> = (0..len).map(|_| some[next() % some.len()]).collect();
        for format in Format::ALL {
            let best = read_with(Kernel::best(), format, &text);
            assert!(best == read_with(Kernel::Scalar, format, &text), "{format}");
        }
    }
}
