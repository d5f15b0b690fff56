//! The five ordinary corpora: access log, JSON, syslog, dense PII, encoded PII.
//!
//! Each line is made of a fixed frame and a last part that is cut to the room that is left, so that
//! the average length comes out whatever the values were.

use crate::lab::corpus::Kind;
use crate::lab::corpus::Sheet;
use crate::lab::corpus::Values;
use crate::lab::rng::Rng;

const PATHS: &[&str] = &[
    "/",
    "/api/v2/orders",
    "/api/v2/orders/10482/items",
    "/static/app.3f9c2b1e.js",
    "/healthz",
    "/img/logo@2x.png",
    "/search?q=blue%20lamp&page=2",
    "/cart",
    "/account/settings",
    "/api/v1/products/88213?fields=name,price",
    "/feeds/news.xml",
    "/docs/getting%20started.html",
    "/api/v2/metrics/range?start=1796072690&step=60",
    "/fonts/inter-v13.woff2",
    "/assets/vendor-5d41402abc4b2a76.css",
    "/login?next=%2Faccount",
    "/wp-login.php",
];
const REFERERS: &[&str] = &[
    "-",
    "https://shop.example/",
    "https://shop.example/cart",
    "https://www.search.example/",
    "https://news.example/2026/11/30/lamps.html",
    "https://shop.example/products/88213",
];
const AGENTS_LONG: &[&str] = &[
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
     Chrome/120.0.6099.216 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) \
     Version/17.2 Safari/605.1.15",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.0.0 \
     Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like \
     Gecko) Version/17.2 Mobile/15E148 Safari/604.1",
];
const AGENTS_SHORT: &[&str] = &[
    "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0",
    "Mozilla/5.0 (compatible; crawler/2.1; +https://crawler.example/bot.html)",
    "curl/8.5.0",
    "kube-probe/1.29",
    "okhttp/4.12.0",
    "python-requests/2.31.0",
];
const WORDS: &[&str] = &[
    "request",
    "finished",
    "after",
    "retry",
    "queue",
    "worker",
    "started",
    "for",
    "cache",
    "miss",
    "on",
    "shard",
    "order",
    "created",
    "payment",
    "accepted",
    "upstream",
    "timed",
    "out",
    "while",
    "reading",
    "response",
    "header",
    "from",
    "connection",
    "pool",
    "is",
    "full",
    "waiting",
    "batch",
    "flushed",
    "in",
    "index",
    "rebuilt",
    "slow",
    "query",
    "took",
    "longer",
    "than",
    "limit",
    "dropping",
    "message",
    "without",
    "consumer",
    "leader",
    "elected",
    "term",
    "snapshot",
    "written",
    "to",
    "disk",
    "checkpoint",
    "complete",
];
const MONTHS: &[&str] = &["Jan", "Mar", "Jun", "Sep", "Nov"];

/// One line of an access log in the combined format; the client address is planted.
pub(super) fn nginx(sheet: &mut Sheet, values: &mut Values, rng: &mut Rng) {
    sheet.plant(Kind::Ipv4, values.next(Kind::Ipv4, 1));
    let (day, month) = (rng.between(1, 30), rng.pick(MONTHS));
    let (hour, minute, second) = clock(rng);
    let method = rng.pick(&["GET", "GET", "GET", "POST", "HEAD", "PUT"]);
    let status = rng.pick(&["200", "200", "200", "301", "304", "404", "500", "502"]);
    sheet.put(format_args!(
        " - - [{day:02}/{month}/2026:{hour:02}:{minute:02}:{second:02} +0000] \"{method} {} \
         HTTP/1.1\" {status} {} \"",
        rng.pick(PATHS),
        rng.between(0, 98_304),
    ));
    let agents = if sheet.is_ahead() { AGENTS_SHORT } else { AGENTS_LONG };
    let agent = rng.pick(agents);
    let referer = rng.pick(REFERERS);
    sheet.put(referer);
    let rest = agent.len() + "\" \"\"".len();
    if referer.len() > 1 && sheet.room() > rest + 24 {
        sheet.put("?utm_source=mail&ref=");
        let free = sheet.room().saturating_sub(rest);
        sheet.put(rng.text("abcdefghijklmnopqrstuvwxyz", free.min(12)));
    }
    sheet.put(format_args!("\" \"{agent}\""));
}

/// One record of a JSON application log; the address of the customer is planted.
pub(super) fn json(sheet: &mut Sheet, values: &mut Values, rng: &mut Rng) {
    let (hour, minute, second) = clock(rng);
    let level = rng.pick(&["INFO", "INFO", "INFO", "WARN", "ERROR", "DEBUG"]);
    let logger = rng.pick(&["shop.orders", "shop.cart", "mailer.queue", "auth.session"]);
    sheet.put(format_args!(
        "{{\"ts\":\"2026-11-30T{hour:02}:{minute:02}:{second:02}.{:03}Z\",\"level\":\"{level}\",\
         \"logger\":\"{logger}\",\"trace_id\":\"{}\",\"customer\":\"",
        rng.below(1_000),
        rng.hex(32),
    ));
    sheet.plant(Kind::Email, values.next(Kind::Email, 1));
    sheet.put(format_args!(
        "\",\"status\":{},\"duration_ms\":{}.{:02},\"msg\":\"",
        rng.pick(&["200", "201", "404", "503"]),
        rng.below(900),
        rng.below(100),
    ));
    words(sheet, rng, "\"}".len());
    sheet.put("\"}");
}

/// One line of syslog text in which nothing is planted.
pub(super) fn syslog(sheet: &mut Sheet, _values: &mut Values, rng: &mut Rng) {
    let (hour, minute, second) = clock(rng);
    let host = rng.pick(&["web-3", "db-primary", "node17", "edge-fra-2", "build-09"]);
    let program =
        rng.pick(&["kernel", "systemd", "cron", "postfix/qmgr", "dockerd", "kubelet", "haproxy"]);
    sheet.put(format_args!(
        "{} {:2} {hour:02}:{minute:02}:{second:02} {host} {program}[{}]: ",
        rng.pick(MONTHS),
        rng.between(1, 30),
        rng.between(200, 65_000),
    ));
    match rng.below(6) {
        0 => sheet.put(format_args!("unit-{}.service: state ", rng.hex(8))),
        1 => sheet.put(format_args!("took {}.{:03}s ", rng.below(90), rng.below(1_000))),
        2 => sheet.put(format_args!("v{}.{}.{} ", rng.below(9), rng.below(30), rng.below(20))),
        3 => sheet.put(format_args!("pid={} rc={} ", rng.below(65_000), rng.below(3))),
        4 => sheet.put(format_args!("[{:5}.{:06}] ", rng.below(99_999), rng.below(1_000_000))),
        _ => sheet.put(format_args!("id={} ", rng.uuid())),
    }
    words(sheet, rng, 0);
}

/// One line with six values of six kinds.
pub(super) fn dense(sheet: &mut Sheet, values: &mut Values, rng: &mut Rng) {
    let (hour, minute, second) = clock(rng);
    sheet.put(format_args!("{hour:02}:{minute:02}:{second:02} "));
    let order = [
        ("mail=", Kind::Email),
        ("ip=", Kind::Ipv4),
        ("card=", Kind::Card),
        ("iban=", Kind::Iban),
        ("tel=", Kind::Phone),
        ("ssn=", Kind::Ssn),
    ];
    let first = rng.length(0, 5);
    for (index, (label, kind)) in order.iter().cycle().skip(first).take(6).enumerate() {
        if index > 0 {
            sheet.put(" ");
        }
        sheet.put(label);
        sheet.plant(*kind, values.next(*kind, 6));
    }
    sheet.put(" ");
    words(sheet, rng, 0);
}

/// One line with three values, one in each of three encodings.
pub(super) fn encoded(sheet: &mut Sheet, values: &mut Values, rng: &mut Rng) {
    sheet.put("GET /cb?m=");
    let value = values.next(Kind::Email, 2);
    sheet.plant(Kind::Email, percent(&value, rng));
    sheet.put(format_args!("&r={} ", rng.below(1_000)));
    let value = values.next(Kind::Email, 2);
    sheet.put("<b>");
    sheet.plant(Kind::Email, entities(&value, rng));
    sheet.put("</b> {\"c\":\"");
    if rng.chance(25) {
        let value = values.next(Kind::Card, 4);
        sheet.plant(Kind::Card, unicode(&value, rng));
    } else {
        let value = values.next(Kind::Email, 2);
        sheet.plant(Kind::Email, unicode(&value, rng));
    }
    sheet.put("\"} ");
    words(sheet, rng, 0);
}

fn clock(rng: &mut Rng) -> (u64, u64, u64) {
    (rng.below(24), rng.below(60), rng.below(60))
}

/// Ordinary words up to the average length, leaving room for `rest` bytes.
fn words(sheet: &mut Sheet, rng: &mut Rng, rest: usize) {
    sheet.put(rng.pick(WORDS));
    loop {
        let word = rng.pick(WORDS);
        if sheet.room() < rest + word.len() + 1 {
            return;
        }
        sheet.put(format_args!(" {word}"));
    }
}

/// Percent-encoded once or twice; always the mark that a reader without views needs.
fn percent(value: &str, rng: &mut Rng) -> String {
    let twice = rng.chance(20);
    let dots = rng.chance(30);
    let mut out = String::with_capacity(value.len() + 8);
    for c in value.chars() {
        match c {
            '@' if twice => out.push_str("%2540"),
            '@' => out.push_str("%40"),
            '+' => out.push_str("%2B"),
            '.' if dots => out.push_str("%2E"),
            c => out.push(c),
        }
    }
    out
}

/// Written with HTML entities.
fn entities(value: &str, rng: &mut Rng) -> String {
    let at = rng.pick(&["&#64;", "&#x40;", "&commat;", "&#064;"]);
    let dot = if rng.chance(30) { "&#46;" } else { "." };
    value.replace('@', at).replace('.', dot)
}

/// Written with the escapes of a JSON string.
fn unicode(value: &str, rng: &mut Rng) -> String {
    let first = value.bytes().next().unwrap_or(b'a');
    if !value.contains('@') || rng.chance(30) {
        return format!("\\u{:04x}{}", u32::from(first), value.chars().skip(1).collect::<String>());
    }
    value.replace('@', "\\u0040")
}
