//! The file that is scanned.

use std::io;
use std::io::BufWriter;
use std::io::Write;
use std::path::Path;

use super::FileKind;
use crate::lab::corpus;
use crate::lab::corpus::Mode;
use crate::lab::corpus::SEED;
use crate::lab::rng::Rng;
use crate::time::Timestamp;
use crate::units::Bytes;

/// What every planted address ends with: nothing of it may come out.
const DOMAIN: &str = "quillmoor.example";
/// Lines of a corpus that are written again and again.
const LINES: usize = 50_000;
/// 2026-11-30T00:00:00Z, in seconds since 1970.
const FIRST_SECOND: i64 = 1_795_996_800;
/// Records a second: a busy service.
const RECORDS_A_SECOND: u64 = 20_000;
const WRITTEN_BYTES: usize = 1024 * 1024;
const WORDS: &[&str] = &[
    "order", "accepted", "after", "retry", "queue", "worker", "cache", "miss", "on", "shard",
    "payment", "upstream", "timed", "out", "while", "reading", "response", "from", "batch", "slow",
];
const PATHS: &[&str] =
    &["/api/v2/orders/", "/api/v1/cart/", "/checkout/", "/account/", "/search?q="];

/// What was written.
#[derive(Clone, Debug, Default)]
pub(super) struct Made {
    pub(super) records: u64,
    /// Bytes in the values of `msg`, `url` and `error`.
    pub(super) free_text: u64,
    /// What no output may hold.
    pub(super) telling: Option<&'static str>,
}

/// Writes a file of about `size`.
pub(super) fn write(kind: FileKind, size: Bytes, path: &Path) -> anyhow::Result<Made> {
    let file = std::fs::File::create_new(path)?;
    let mut out = BufWriter::with_capacity(WRITTEN_BYTES, file);
    let made = match kind {
        FileKind::Json => json(size, &mut out)?,
        FileKind::Nginx => again("nginx", size, &mut out)?,
        FileKind::Plain => again("syslog", size, &mut out)?,
    };
    out.flush()?;
    Ok(made)
}

/// Nine fields in 200 to 250 bytes, one address in each record.
fn json(size: Bytes, out: &mut impl Write) -> io::Result<Made> {
    let mut rng = Rng::new(SEED);
    let mut made = Made { telling: Some(DOMAIN), ..Made::default() };
    let mut written = 0;
    while written < size.get() {
        let second = FIRST_SECOND + i64::try_from(made.records / RECORDS_A_SECOND).unwrap_or(0);
        let moment = Timestamp::from_nanoseconds(second.saturating_mul(1_000_000_000));
        let level = rng.pick(&["info", "info", "info", "warn", "error"]);
        let mut msg = format!("mail to u{}@{DOMAIN} ", rng.below(50_000));
        words(&mut rng, 64, &mut msg);
        let url = format!("{}{}", rng.pick(PATHS), rng.hex(16));
        let mut error = String::new();
        words(&mut rng, 26, &mut error);
        let record = format!(
            "{{\"ts\":\"{moment}\",\"level\":\"{level}\",\"app\":\"shop\",\"status\":{},\
             \"took\":{},\"pid\":{},\"msg\":\"{msg}\",\"url\":\"{url}\",\"error\":\"{error}\"}}\n",
            rng.pick(&["200", "201", "404", "503"]),
            rng.below(900),
            rng.between(100, 999),
        );
        out.write_all(record.as_bytes())?;
        made.records += 1;
        made.free_text += (msg.len() + url.len() + error.len()) as u64;
        written += record.len() as u64;
    }
    Ok(made)
}

/// Words up to a length.
fn words(rng: &mut Rng, len: usize, to: &mut String) {
    while to.len() + 10 < len {
        to.push_str(rng.pick(WORDS));
        to.push(' ');
    }
    to.push_str("done");
}

/// Lines of a corpus, again and again.
fn again(name: &str, size: Bytes, out: &mut impl Write) -> anyhow::Result<Made> {
    let definition = corpus::find(name).ok_or_else(|| anyhow::anyhow!("no corpus {name}"))?;
    let lines = corpus::generate(definition, LINES, Mode::Warm, SEED);
    let mut made = Made::default();
    let mut written = 0;
    while written < size.get() {
        out.write_all(&lines.text)?;
        written += lines.text.len() as u64;
        made.records += lines.lines as u64;
    }
    Ok(made)
}
