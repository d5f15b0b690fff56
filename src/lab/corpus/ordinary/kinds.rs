//! The kinds of ordinary line, in one table.

use crate::lab::corpus::ordinary::Kind;
use crate::lab::rng::Rng;

const HOSTS: &[&str] = &["web-3", "db-primary", "node17.fra.internal", "edge-2", "ci-runner-09"];
const CLASSES: &[&str] = &[
    "com.shop.order.OrderService",
    "org.apache.kafka.clients.NetworkClient",
    "io.netty.channel.AbstractChannel",
    "java.util.concurrent.ThreadPoolExecutor$Worker",
];
const METHODS: &[&str] = &["run", "handle", "invoke0", "lambda$submit$3", "<init>", "readNext"];
const FILES: &[&str] = &["app/orders/views.py", "/usr/lib/python3.12/asyncio/events.py", "main.py"];
const CRATES: &[&str] = &["tokio-1.35.1", "hyper-0.14.28", "serde_json-1.0.111", "axum-0.7.3"];
const GO: &[&str] = &[
    "github.com/gin-gonic/gin@v1.9.1",
    "golang.org/x/net@v0.19.0",
    "google.golang.org/grpc@v1.60.1",
    "k8s.io/client-go@v0.29.0-rc.2",
    "gopkg.in/yaml.v3@v3.0.1",
];
const ASSETS: &[&str] = &["logo@2x.png", "icon@3x.webp", "hero@1.5x.jpg", "sprite@2x.svg"];
const LEVELS: &[&str] = &["INFO", "WARN", "ERROR", "DEBUG", "TRACE"];

fn time(rng: &mut Rng) -> String {
    format!("{:02}:{:02}:{:02}", rng.below(24), rng.below(60), rng.below(60))
}

fn stamp(rng: &mut Rng) -> String {
    let (month, day) = (rng.between(1, 12), rng.between(1, 28));
    format!("2026-{month:02}-{day:02}T{}.{:03}Z", time(rng), rng.below(1_000))
}

fn epoch(rng: &mut Rng) -> u64 {
    rng.between(1_600_000_000, 1_799_999_999)
}

fn version(rng: &mut Rng) -> String {
    format!("{}.{}.{}", rng.below(20), rng.below(40), rng.below(100))
}

fn class_trace(rng: &mut Rng) -> String {
    let (class, method, line) = (rng.pick(CLASSES), rng.pick(METHODS), rng.below(2_000));
    let file = class.rsplit(['.', '$']).next().unwrap_or("Worker");
    format!("\tat {class}.{method}({file}.java:{line}) ~[app-{}.jar!/:?]", version(rng))
}

fn gc(rng: &mut Rng) -> String {
    let (at, pause) = (rng.below(90_000), rng.below(90_000));
    let (used, left) = (rng.between(200, 4_000), rng.between(20, 200));
    format!(
        "[{at}.{:03}s][info][gc] GC({}) Pause Young (Normal) (G1 Evacuation Pause) {used}M->{left}M(8192M) {}.{:03}ms",
        rng.below(1_000),
        rng.below(9_000),
        pause / 1_000,
        pause % 1_000,
    )
}

fn browser(rng: &mut Rng) -> String {
    format!(
        "ua=\"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{}.0.{}.{} Safari/537.36 Edg/{}.0.0.0\" ms={}",
        rng.between(90, 130),
        rng.between(1_000, 7_000),
        rng.below(256),
        rng.between(90, 130),
        rng.below(900),
    )
}

fn kubernetes(rng: &mut Rng) -> String {
    let pod = format!("checkout-{}-{}", rng.hex(10), rng.text("bcdfghjklmnpqrstvwxz2456789", 5));
    format!(
        "I{:02}{:02} {}.{:06} {:7} kuberuntime_manager.go:{}] pod=\"shop/{pod}\" podUID=\"{}\" containerID=\"containerd://{}\"",
        rng.between(1, 12),
        rng.between(1, 28),
        time(rng),
        rng.below(1_000_000),
        rng.between(1, 99_999),
        rng.below(1_500),
        rng.uuid(),
        rng.hex(64),
    )
}

fn access(rng: &mut Rng) -> String {
    format!(
        "{} - - [{:02}/Nov/2026:{} +0000] \"GET /items/{}?page={}&sort=price%20asc HTTP/1.1\" {} {} \"-\" \"curl/8.5.0\" rt={}.{:03}",
        rng.pick(HOSTS),
        rng.between(1, 30),
        time(rng),
        rng.below(1_000_000),
        rng.below(50),
        rng.pick(&["200", "304", "404"]),
        rng.below(100_000),
        rng.below(3),
        rng.below(1_000),
    )
}

fn record(rng: &mut Rng) -> String {
    format!(
        "{{\"ts\":\"{}\",\"level\":\"{}\",\"trace_id\":\"{}\",\"span_id\":\"{}\",\"took_ms\":{}.{},\"status\":{},\"msg\":\"order stored\",\"attempt\":{}}}",
        stamp(rng),
        rng.pick(LEVELS),
        rng.hex(32),
        rng.hex(16),
        rng.below(900),
        rng.below(100),
        rng.between(200, 504),
        rng.below(5),
    )
}

fn model_usage(rng: &mut Rng) -> String {
    format!(
        "completion done max_tokens={} total_tokens={} token_count: {} tokens_used={} token_type=bpe \"prompt_tokens\":{}",
        rng.between(16, 8_192),
        rng.below(90_000),
        rng.below(9_000),
        rng.below(9_000),
        rng.below(9_000),
    )
}

fn hdfs(rng: &mut Rng) -> String {
    let block = rng.between(1_000_000_000_000_000_000, 9_000_000_000_000_000_000);
    format!(
        "{:02}11{:02} {:02}{:02}{:02} {} INFO dfs.DataNode$PacketResponder: PacketResponder {} for block blk_-{block} terminating",
        rng.below(30),
        rng.between(1, 30),
        rng.below(24),
        rng.below(60),
        rng.below(60),
        rng.below(20_000),
        rng.below(3),
    )
}

fn hadoop(rng: &mut Rng) -> String {
    format!(
        "{} INFO [IPC Server handler {}] mapred.TaskAttemptListenerImpl: Progress of TaskAttempt attempt_{}{}_{:04}_m_{:06}_0 is : 0.{}",
        stamp(rng),
        rng.below(30),
        epoch(rng),
        rng.digits(3),
        rng.below(9_999),
        rng.below(999_999),
        rng.digits(8),
    )
}

fn metrics(rng: &mut Rng) -> String {
    format!(
        "http_request_duration_seconds_bucket{{le=\"{}\",code=\"200\"}} {}.{}e+{:02} {}{}",
        rng.pick(&["0.005", "0.25", "2.5", "+Inf"]),
        rng.between(1, 9),
        rng.digits(15),
        rng.below(12),
        epoch(rng),
        rng.digits(3),
    )
}

fn layer(rng: &mut Rng) -> String {
    let state = rng.pick(&["Pulling fs layer", "Verifying Checksum", "Pull complete"]);
    format!("{}: {state} sha256:{} size={}", rng.hex(12), rng.hex(64), rng.below(900_000_000))
}

/// The kinds, in the order in which lines take turns.
pub const KINDS: &[Kind] = &[
    Kind { name: "access", make: access },
    Kind { name: "json", make: record },
    Kind { name: "java-trace", make: class_trace },
    Kind { name: "gc", make: gc },
    Kind { name: "browser", make: browser },
    Kind { name: "kubernetes", make: kubernetes },
    Kind { name: "model-usage", make: model_usage },
    Kind { name: "hdfs", make: hdfs },
    Kind { name: "hadoop", make: hadoop },
    Kind { name: "metrics", make: metrics },
    Kind { name: "docker-layer", make: layer },
    Kind {
        name: "syslog",
        make: |r| {
            format!(
                "Nov {:2} {} {} systemd[1]: session-{}.scope: Deactivated successfully, consumed {}.{:03}s CPU time.",
                r.between(1, 30),
                time(r),
                r.pick(HOSTS),
                r.below(9_999),
                r.below(90),
                r.below(1_000),
            )
        },
    },
    Kind {
        name: "systemd-unit",
        make: |r| {
            format!(
                "systemd[1]: Started getty@tty{}.service, dev-disk-by\\x2duuid-{}.device, user@{}.service",
                r.between(1, 6),
                r.uuid(),
                r.between(1_000, 1_999),
            )
        },
    },
    Kind {
        name: "python-trace",
        make: |r| {
            let (file, line) = (r.pick(FILES), r.below(900));
            format!("  File \"{file}\", line {line}, in <module> # 0x{}", r.hex(12))
        },
    },
    Kind {
        name: "go-trace",
        make: |r| {
            format!(
                "\t/go/pkg/mod/{}/server.go:{} +0x{} (goroutine {} [chan receive, {} minutes])",
                r.pick(GO),
                r.below(900),
                r.hex(3),
                r.below(9_000),
                r.below(90),
            )
        },
    },
    Kind {
        name: "rust-trace",
        make: |r| {
            format!(
                "  {:2}: 0x{} - <{}>::poll::h{}\n             at registry/src/{}/src/lib.rs:{}:{}",
                r.below(60),
                r.hex(12),
                "core::future::Future",
                r.hex(16),
                r.pick(CRATES),
                r.below(900),
                r.below(80),
            )
            .replace('\n', " ")
        },
    },
    Kind {
        name: "git",
        make: |r| {
            format!(
                "HEAD is now at {} merge {} into main; remote git@github.com:shop/web.git index {}..{} 100644",
                r.hex(9),
                r.hex(40),
                r.hex(7),
                r.hex(7),
            )
        },
    },
    Kind {
        name: "scp-remote",
        make: |r| {
            let repository = r.pick(&["infra/ansible", "shop/web", "libs/core"]);
            format!(
                "Cloning into 'work'... git@gitlab.internal:{repository}.git depth={}",
                r.below(9)
            )
        },
    },
    Kind {
        name: "digests",
        make: |r| {
            let integrity =
                r.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz012345", 86);
            format!("md5 {} sha1 {} integrity sha512-{integrity}==", r.hex(32), r.hex(40))
        },
    },
    Kind {
        name: "uuids",
        make: |r| format!("request_id={} parent={} etag=W/\"{}\"", r.uuid(), r.uuid(), r.hex(20)),
    },
    Kind {
        name: "traceparent",
        make: |r| format!("traceparent: 00-{}-{}-01 b3={}", r.hex(32), r.hex(16), r.hex(16)),
    },
    Kind {
        name: "epochs",
        make: |r| {
            let (a, b, c) = (epoch(r), epoch(r), epoch(r));
            let (ms, ns) = (r.digits(3), r.digits(9));
            format!("tick ts={a} at {b}{ms} time_ns={c}{ns} uptime {}s", r.below(9_999_999))
        },
    },
    Kind {
        name: "versions",
        make: |r| {
            let (a, b, c) = (version(r), version(r), version(r));
            format!(
                "upgraded openssl {a}-1ubuntu{} to v{b} (version {c}.{}) kernel 6.{}.0-{}-generic",
                r.below(20),
                r.below(256),
                r.below(12),
                r.below(99),
            )
        },
    },
    Kind {
        name: "clocks",
        make: |r| {
            let (a, b, c) = (time(r), time(r), time(r));
            format!(
                "window {a}-{b} took 00:{c}.{:06} eta 1h{}m{}s",
                r.below(1_000_000),
                r.below(60),
                r.below(60)
            )
        },
    },
    Kind {
        name: "floats",
        make: |r| {
            format!(
                "loss=0.{} lr={}.{}e-05 acc={}.{} grad=-0.{} p99=3.{}",
                r.digits(16),
                r.between(1, 9),
                r.digits(6),
                r.below(99),
                r.digits(13),
                r.digits(17),
                r.digits(15),
            )
        },
    },
    Kind {
        name: "kafka",
        make: |r| {
            format!(
                "[Consumer clientId=consumer-{}, groupId=billing] Setting offset for partition orders-{} to FetchPosition{{offset={}, epoch={}}}",
                r.below(9),
                r.below(64),
                r.below(9_999_999_999),
                r.below(90),
            )
        },
    },
    Kind {
        name: "sql",
        make: |r| {
            format!(
                "LOG:  duration: {}.{:03} ms  plan: Index Scan using orders_pkey on orders  (cost=0.{}..{}.{} rows={} width={})",
                r.below(9_000),
                r.below(1_000),
                r.digits(2),
                r.below(90_000),
                r.digits(2),
                r.below(90_000),
                r.below(900),
            )
        },
    },
    Kind {
        name: "assets",
        make: |r| {
            format!(
                "GET /static/{} 200 /static/main.{}.chunk.js /static/vendors~app.{}.css {}ms",
                r.pick(ASSETS),
                r.hex(8),
                r.hex(20),
                r.below(90),
            )
        },
    },
    Kind {
        name: "go-modules",
        make: |r| {
            let module = r.pick(GO);
            let pseudo = format!("v0.0.0-{}{}-{}", 20_261_130, r.digits(6), r.hex(12));
            format!("go: downloading {module} replaced by example.org/fork@{pseudo}")
        },
    },
    Kind {
        name: "npm",
        make: |r| {
            let package = r.pick(&["@types/node@20.10.6", "@babel/core@7.23.7", "left-pad@1.3.0"]);
            format!(
                "npm http fetch GET 200 https://registry.internal/{package} {}ms (cache hit)",
                r.below(900)
            )
        },
    },
    Kind {
        name: "object-hash",
        make: |r| {
            let class = r.pick(&["Object", "Request", "java.util.HashMap$Node", "[B"]);
            format!(
                "leaked {class}@{} held by Thread[#{},pool-{}-thread-1,5,main]",
                r.hex(8),
                r.below(99),
                r.below(9)
            )
        },
    },
    Kind {
        name: "memory",
        make: |r| {
            let (from, to) = (r.hex(12), r.hex(12));
            format!(
                "{from}-{to} r-xp {} fd:01 {} /usr/lib/libc.so.6 rss={}kB",
                r.hex(8),
                r.below(9_999_999),
                r.below(9_999_999)
            )
        },
    },
    Kind {
        name: "counters",
        make: |r| {
            format!(
                "rx_bytes={} tx_packets={} heap_bytes={} inode={} seq {} of {}",
                r.below(99_999_999_999),
                r.below(9_999_999_999),
                r.below(99_999_999_999),
                r.below(99_999_999),
                r.below(1_000_000),
                r.below(1_000_000),
            )
        },
    },
    Kind {
        name: "words-of-secrets",
        make: |r| {
            let text = r.pick(&[
                "author=unknown compass: north monkey=banana keyboard=us",
                "auth:SIMPLE authentication method is none, token expired",
                "password changed, secret rotated, no api key configured",
                "key: value pairs were read; primary key id, sort key ts",
                "tokenizer loaded, bearer of bad news, passport control is a page",
            ]);
            format!("{} {text} ({}ms)", r.pick(LEVELS), r.below(900))
        },
    },
    Kind {
        name: "oid",
        make: |r| {
            format!(
                "asn1 oid 1.3.6.1.4.1.{}.{}.{} ext 1.2.840.113549.1.1.{}",
                r.below(60_000),
                r.below(20),
                r.below(9),
                r.below(60)
            )
        },
    },
    Kind {
        name: "dates",
        make: |r| {
            format!(
                "backup 2026{:02}{:02}{:02}{:02}{:02}.tar.gz from 2026-{:02}-{:02} kept {} days",
                r.between(1, 12),
                r.between(1, 28),
                r.below(24),
                r.below(60),
                r.below(60),
                r.between(1, 12),
                r.between(1, 28),
                r.below(400),
            )
        },
    },
    Kind {
        name: "code",
        make: |r| {
            let code = r.pick(&[
                "if (a && b) { return c?.d ?? e; } // @Override",
                "std::collections::HashMap<K, V>::new() -> Self",
                "fe80 is not an address, ::before { content: '' }",
                "SELECT count(*) FROM t WHERE a = $1 AND b IN ($2, $3)",
                "Cannot read property 'x' of undefined at Object.<anonymous>",
            ]);
            format!("{code} line {}:{}", r.below(900), r.below(120))
        },
    },
    Kind {
        name: "aws-ids",
        make: |r| {
            format!(
                "vpc-{} subnet-{} i-{} ami-{} in eu-central-1{}",
                r.hex(17),
                r.hex(17),
                r.hex(17),
                r.hex(17),
                r.text("abc", 1),
            )
        },
    },
];
