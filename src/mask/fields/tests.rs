use std::collections::BTreeMap;

use super::*;
use crate::detect::Rules;
use crate::detect::Selection;
use crate::format::Format;
use crate::format::Moments;
use crate::format::Parser;
use crate::mask::Counts;
use crate::mask::Cutter;
use crate::mask::Layout;
use crate::mask::Masked;
use crate::mask::Renderer;
use crate::mask::Upcoming;
use crate::pseudonym::Key;
use crate::pseudonym::Namer;
use crate::text::RawText;
use crate::time::Timestamp;
use crate::time::Zone;

const NOW: i64 = 1_796_083_200_000_000_000;

fn masker() -> Masker {
    let key = Key::take(&mut b"the lab masks invented text only".to_owned());
    Masker::new(Rules::load(&Selection::default()).unwrap(), Namer::new(&key))
}

fn policy(unknown: Unknown, names: &[(&str, Treatment)]) -> Policy {
    let mut policy = Policy::new(unknown);
    for (name, treatment) in names {
        policy.set(name, treatment.clone()).unwrap();
    }
    policy
}

struct Out {
    lines: Vec<String>,
    fields: Vec<BTreeMap<String, String>>,
    counts: Counts,
    ndjson: Vec<u8>,
}

fn mask_with(masker: &mut RecordMasker<'_>, format: Format, text: &[u8]) -> Out {
    let moments = Moments::new(Zone::UTC, Timestamp::from_nanoseconds(NOW));
    let mut parser = Parser::new(format, moments);
    let (mut records, mut out) = (Records::new(), MaskedRecords::new());
    let block = RawSlice::new(text);
    parser.parse(block, &mut records);
    let mut carry = Carry::default();
    masker.mask(parser.text(block), parser.names(), &records, &mut carry, &mut out);
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut ndjson = Vec::new();
    Renderer::new(Layout::Ndjson, Zone::UTC).all(&out, &mut ndjson);
    for line in ndjson.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let object: Result<serde_json::Value, _> = serde_json::from_slice(line);
        assert!(object.is_ok(), "not JSON: {}", lossy(line));
    }
    Out {
        lines: out.iter().map(|record| lossy(record.line())).collect(),
        fields: out
            .iter()
            .map(|record| {
                record.fields().map(|field| (lossy(field.name), lossy(field.value))).collect()
            })
            .collect(),
        counts: out.counts(),
        ndjson,
    }
}

fn mask(policy: &Policy, format: Format, text: &str) -> Out {
    mask_with(&mut masker().record_masker(policy), format, text.as_bytes())
}

fn trusting() -> Policy {
    policy(
        Unknown::Redact,
        &[
            ("level", Treatment::Trusted(Check::Level)),
            ("ts", Treatment::Trusted(Check::Timestamp)),
            ("service", Treatment::Trusted(Check::Name)),
            ("n", Treatment::Trusted(Check::Count)),
            ("raw", Treatment::Allow { reason: "for the test".to_owned() }),
            ("password", Treatment::Withhold),
            ("http.headers", Treatment::Withhold),
        ],
    )
}

#[test]
fn each_field_gets_its_treatment() {
    let text = "{\"ts\":1796083200123,\"level\":\"warn\",\"service\":\"alice@example.com\",\
                \"raw\":\"bob@example.com\",\"msg\":\"mail \\\"carol@example.com\\\" now\",\
                \"password\":\"hunter2\",\"http\":{\"headers\":{\"x\":\"y\",\"z\":[1]},\"status\":200},\
                \"n\":4111111111111111}\n";
    let out = mask(&trusting(), Format::Json, text);
    let fields = &out.fields[0];
    assert_eq!(fields["ts"], "1796083200123");
    assert_eq!(fields["level"], "warn");
    assert!(fields["service"].starts_with("EMAIL_"));
    assert_eq!(fields["raw"], "bob@example.com");
    assert!(fields["msg"].starts_with("mail \\\"EMAIL_") && fields["msg"].ends_with("\\\" now"));
    assert_eq!(fields["password"], "[withheld]");
    assert_eq!(fields["http.headers"], "[withheld]");
    assert_eq!(fields["http.status"], "200");
    assert!(fields["n"].starts_with("CARD_"), "{}", fields["n"]);
    assert_eq!(fields.len(), 9);
    assert_eq!(out.counts, Counts { records: 1, withheld: 2, untrusted: 2, unread: 0 });
    // The line says the same, and is still JSON.
    let line: serde_json::Value = serde_json::from_str(&out.lines[0]).unwrap();
    assert_eq!(line["password"], "[withheld]");
    assert_eq!(line["http"]["headers"], "[withheld]");
    assert_eq!(line["n"], fields["n"].as_str());
    let object: serde_json::Value = serde_json::from_slice(&out.ndjson).unwrap();
    assert_eq!(object["ts"], "2026-12-01T00:00:00.123Z");
    assert_eq!(object["fields"]["http.status"], 200);
    assert!(object["fields"]["msg"].as_str().unwrap().starts_with("mail \"EMAIL_"));
}

/// Shown to bite by scanning the raw block in the place of the prepared one.
#[test]
fn what_is_withheld_is_out_before_anything_looks() {
    let masker = masker();
    let policy = trusting();
    let mut records = masker.record_masker(&policy);
    let text =
        "{\"password\":\"Xk29fQ7\",\"http\":{\"headers\":{\"cookie\":\"Xk29fQ7\"}},\"a\":\"b\"}\n";
    let out = mask_with(&mut records, Format::Json, text.as_bytes());
    let seen = String::from_utf8_lossy(&records.prepared).into_owned();
    assert!(!seen.contains("Xk29fQ7"));
    assert_eq!(
        seen,
        "{\"password\":\"[withheld]\",\"http\":{\"headers\":\"[withheld]\"},\"a\":\"b\"}\n"
    );
    assert!(!out.lines[0].contains("SECRET_"), "a constant has no name");
    // Of a name that comes twice both values are withheld.
    let text = "{\"password\":\"Xk29fQ7\",\"password\":\"Xk29fQ8\",\"\\u0070assword\":\"Xk29fQ9\"}";
    let out = mask_with(&mut records, Format::Json, text.as_bytes());
    assert!(!out.lines[0].contains("Xk29"), "{}", out.lines[0]);
}

#[test]
fn unknown_fields_are_withheld_when_the_policy_says_so() {
    let policy = policy(
        Unknown::Withhold,
        &[("level", Treatment::Trusted(Check::Level)), ("n", Treatment::Trusted(Check::Count))],
    );
    let text = "{\"level\":\"info\",\"user\":\"frank\",\"deep\":{\"a\":[true,null]},\"n\":7}\nfrank was here\n{\"user\":\"fra\n";
    let out = mask(&policy, Format::Json, text);
    assert_eq!(
        out.lines,
        [
            "{\"level\":\"info\",\"user\":\"[withheld]\",\"deep\":{\"a\":[\"[withheld]\",\"[withheld]\"]},\"n\":7}",
            "[withheld]",
            "[withheld]",
        ]
    );
    assert_eq!(out.counts.unread, 1);
    assert_eq!(out.fields[0]["deep.a[1]"], "[withheld]");
    let out = mask(&policy, Format::Logfmt, "level=info user=\"frank x\" n=12345678 a=\n");
    assert_eq!(out.lines[0], "level=info user=\"[withheld]\" n=12345678 a=[withheld]");
}

/// A record that cannot be read may hold a field that must be withheld.
#[test]
fn records_that_cannot_be_read_are_withheld_where_a_name_is() {
    let text = "{\"password\":\"frank\",\"a\":\n";
    assert_eq!(mask(&trusting(), Format::Json, text).lines, ["[withheld]"]);
    let open = policy(Unknown::Redact, &[]);
    let out = mask(&open, Format::Json, "{\"mail\":\"alice@example.com\",\"a\":\n");
    assert!(out.lines[0].starts_with("{\"mail\":\"EMAIL_"), "{}", out.lines[0]);
}

/// Shown to bite by giving every name the number of the known one.
#[test]
fn names_are_masked_as_well() {
    let text =
        "{\"alice@example.com\":1,\"x\":{\"bob@example.com\":{\"y\":[{\"z\":2}]}},\"plain\":3}\n";
    let out = mask(&trusting(), Format::Json, text);
    let text = String::from_utf8_lossy(&out.ndjson);
    assert!(!text.contains("example.com"), "{text}");
    let names: Vec<&str> = out.fields[0].keys().map(String::as_str).collect();
    assert_eq!(names.len(), 3);
    assert!(names[0].starts_with("EMAIL_"));
    assert!(names[2].starts_with("x.EMAIL_") && names[2].ends_with(".y[0].z"), "{names:?}");
}

#[test]
fn a_value_over_two_fields_is_masked_in_both() {
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    let (begin, end) = (concat!("-----BEGIN ", "PRIVATE KEY-----"), "-----END PRIVATE KEY-----");
    let text = format!("{{\"a\":\"x {begin}\\n{body}\",\"b\":\"{body}\\n{end} y\",\"c\":\"d\"}}\n");
    let out = mask(&trusting(), Format::Json, &text);
    let text = String::from_utf8_lossy(&out.ndjson);
    assert!(!text.contains("MIIE") && !out.lines[0].contains("MIIE"), "{text}");
    let fields = &out.fields[0];
    assert!(fields["a"].starts_with("x PRIVATE_KEY_"), "{fields:?}");
    assert!(fields["b"].contains("PRIVATE_KEY_") && fields["b"].ends_with(" y"), "{fields:?}");
    assert_eq!(fields["c"], "d");
}

fn samples() -> Vec<u8> {
    let mut text = Vec::new();
    for line in [
        "{\"msg\":\"from alice@example.com to 203.0.113.9\",\"card\":\"4111111111111111\",\"x\":[1,\"a\"]}",
        "{\"url\":\"/cb?m=alice%40example.com\",\"m\":\"alice\\u0040example.com\",\"p\":{\"q\":\"b\"}}",
        "{\"authorization\":\"Bearer abcdefghijklmnopqrstuvwxyz012345\",\"e\":\"\\\"bob@example.com\\\"\"}",
        "level=error msg=\"mail alice@example.com failed\" password=hunter2hunter2 ip=10.1.2.3",
        "203.0.113.9 - frank [30/Nov/2026:14:00:00 +0100] \"GET /a?t=bob@example.com HTTP/1.1\" 200 5",
        "<13>Nov 30 14:00:00 web-3 app[12]: login of alice@example.com from 2001:db8::7",
        "plain text with a phone +49 151 23456789 and a card 4111 1111 1111 1111",
        "{\"broken\":\"alice@example.com",
        "\tat com.example.Mail(alice@example.com)",
        "",
    ] {
        text.extend_from_slice(line.as_bytes());
        text.push(b'\n');
    }
    text.extend_from_slice(
        b"{\"bytes\":\"\xff alice@example.com\"}\n\xc3 \x1b[31mbob@example.com\x1b[0m\n",
    );
    text
}

fn as_mask_does(masker: &Masker, text: &[u8]) -> Vec<u8> {
    let mut cutter = Cutter::new(1 << 18);
    cutter.push(RawText::from_slice(RawSlice::new(text)));
    let (mut worker, mut carry) = (masker.worker(), Carry::default());
    let (mut masked, mut all) = (Masked::default(), Vec::new());
    while let Some(piece) = cutter.cut(Upcoming::End) {
        worker.mask(&piece, &mut carry, &mut masked);
        all.extend_from_slice(masked.text.as_bytes());
    }
    all
}

/// Where nothing is trusted or withheld, the lines are those of `locklog mask`.
#[test]
fn lines_are_masked_as_mask_does() {
    let masker = masker();
    let policy = policy(Unknown::Redact, &[]);
    let text = samples();
    let expected = as_mask_does(&masker, &text);
    for format in Format::ALL {
        if format == Format::DockerJson {
            continue; // It is written again as the program's lines.
        }
        let mut records = masker.record_masker(&policy);
        let moments = Moments::new(Zone::UTC, Timestamp::from_nanoseconds(NOW));
        let mut parser = Parser::new(format, moments);
        let (mut found, mut out) = (Records::new(), MaskedRecords::new());
        parser.parse(RawSlice::new(&text), &mut found);
        let block = parser.text(RawSlice::new(&text));
        records.mask(block, parser.names(), &found, &mut Carry::default(), &mut out);
        let mut lines = Vec::new();
        Renderer::new(Layout::Text, Zone::UTC).all(&out, &mut lines);
        assert_eq!(String::from_utf8_lossy(&lines), String::from_utf8_lossy(&expected), "{format}");
    }
}

/// Any bytes in any format and layout: no value is left, and JSON is JSON.
#[test]
fn any_bytes_give_valid_output() {
    let mut seed = 5_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize
    };
    let masker = masker();
    let policies = [trusting(), policy(Unknown::Redact, &[]), policy(Unknown::Withhold, &[])];
    let samples = samples();
    let pieces: [&[u8]; 10] = [
        b"alice@example.com",
        b"{\"a\":",
        b"\"",
        b"}",
        b"\\u0040",
        b"4111111111111111",
        b",\"password\":\"x\"",
        b"\xff",
        b"\n",
        b" level=info ",
    ];
    for round in 0..400 {
        let mut text = Vec::new();
        if round % 2 == 0 {
            text.extend_from_slice(&samples);
            for _ in 0..6 {
                let at = next() % text.len();
                text[at] = (next() >> 3).to_le_bytes()[0];
            }
        } else {
            for _ in 0..next() % 40 {
                text.extend_from_slice(pieces[next() % pieces.len()]);
            }
        }
        let format = Format::ALL[next() % Format::ALL.len()];
        let policy = &policies[next() % policies.len()];
        let moments = Moments::new(Zone::UTC, Timestamp::from_nanoseconds(NOW));
        let mut parser = Parser::new(format, moments);
        let (mut records, mut out) = (Records::new(), MaskedRecords::new());
        parser.parse(RawSlice::new(&text), &mut records);
        let block = parser.text(RawSlice::new(&text));
        let mut masker = masker.record_masker(policy);
        masker.mask(block, parser.names(), &records, &mut Carry::default(), &mut out);
        assert_eq!(out.len(), records.entries().len());
        for layout in Layout::ALL {
            let mut renderer = Renderer::new(layout, Zone::UTC);
            let mut written = Vec::new();
            renderer.begin(&mut written);
            renderer.all(&out, &mut written);
            renderer.end(&mut written);
            assert_form(layout, &written, out.len());
            assert!(
                round % 2 == 0 || memchr::memmem::find(&written, b" alice@example.com ").is_none(),
                "{format}"
            );
        }
    }
}

/// What is written of `records` records has the form of the layout.
fn assert_form(layout: Layout, written: &[u8], records: usize) {
    match layout {
        Layout::Json => {
            let list: Vec<serde_json::Value> = serde_json::from_slice(written).unwrap();
            assert_eq!(list.len(), records);
        }
        Layout::Ndjson => {
            for line in written.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                let object: Result<serde_json::Value, _> = serde_json::from_slice(line);
                assert!(object.is_ok(), "{}", String::from_utf8_lossy(line));
            }
        }
        Layout::Pretty => {
            assert!(written.iter().all(|byte| *byte >= b' ' || *byte == b'\n'));
            assert!(std::str::from_utf8(written).is_ok());
        }
        Layout::Logfmt => assert!(std::str::from_utf8(written).is_ok()),
        Layout::Text => {}
    }
}

/// What is remembered after a block does not depend on its values: the same names with other values
/// leave the same memory, apart from the names of this call.
#[test]
fn no_value_is_remembered() {
    let masker = masker();
    let policy = trusting();
    let mut records = masker.record_masker(&policy);
    let moments = Moments::new(Zone::UTC, Timestamp::from_nanoseconds(NOW));
    let mut parser = Parser::new(Format::Json, moments);
    let (mut found, mut out) = (Records::new(), MaskedRecords::new());
    let mut known = Vec::new();
    for value in ["harmless words", "other words", "harmless words", "more"] {
        let text = format!("{{\"msg\":\"{value}\",\"level\":\"info\",\"n\":1}}\n");
        let block = RawSlice::new(text.as_bytes());
        parser.parse(block, &mut found);
        let carry = &mut Carry::default();
        records.mask(parser.text(block), parser.names(), &found, carry, &mut out);
        known.push((parser.names().len(), records.handlings.len(), out.known.len()));
    }
    assert!(known.windows(2).all(|pair| pair[0] == pair[1]), "{known:?}");
}
