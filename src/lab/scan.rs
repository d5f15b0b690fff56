//! How fast an approved scan is, beside `mask` and a bare read of the same file in the same run.
//!
//! The scan and `mask` are the program itself, started anew for each round, with a state directory
//! of their own, a grant that somebody else has approved, and the audit trail. Before a speed is
//! printed the output is checked: all records are there, none holds a planted value, and two runs
//! give the same digest. Rounds alternate, so that a busy machine slows all alike.

use std::fmt::Write as _;
use std::fs;
use std::fs::File;
use std::io;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;

use anyhow::Context as _;
use anyhow::bail;

use crate::grant::GrantStore;
use crate::grant::Mode;
use crate::grant::PlanSummary;
use crate::grant::Request;
use crate::id::ActorId;
use crate::id::GrantId;
use crate::id::PlanDigest;
use crate::lab::stats::median;
use crate::time::Clock;
use crate::units::Bytes;

mod records;
mod stages;

pub use stages::Stage;

/// Threads that mask, in the scan and in `mask`.
pub const WORKERS: usize = 2;
/// How often the memory of a running program is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// What a bare read reads at a time.
const READ_BYTES: usize = 1024 * 1024;
const MIB: f64 = 1024.0 * 1024.0;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the file holds.
    pub kind: FileKind,
    /// Its size, about.
    pub size: Bytes,
    /// Rounds of each contender.
    pub rounds: usize,
    /// The profile of both.
    pub profile: String,
    /// Where the file and the state directory are made, and removed.
    pub folder: PathBuf,
    /// The program.
    pub program: PathBuf,
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A JSON application log: ten fields, half of the bytes and more in redacted free text.
    Json,
    /// An access log in the combined format.
    Nginx,
    /// Lines of text.
    Plain,
}

/// One contender's rounds.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Seconds of each round.
    pub seconds: Vec<f64>,
    /// The most memory that it held, over all rounds.
    pub rss: Option<Bytes>,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was asked for.
    pub kind: FileKind,
    /// Bytes of the file.
    pub bytes: Bytes,
    /// Its records.
    pub records: u64,
    /// Part of its bytes in free text, in percent.
    pub free_text_percent: f64,
    /// The digest of the scan's output.
    pub digest: String,
    /// The scan.
    pub scan: Row,
    /// `mask`.
    pub mask: Row,
    /// A bare read.
    pub read: Row,
    /// Processor time by stage, of a part of the file.
    pub stages: Vec<Stage>,
}

impl Row {
    /// Speed of the middle round, in MiB/s.
    pub fn mib_s(&self, bytes: Bytes) -> f64 {
        let seconds = median(&self.seconds);
        if seconds > 0.0 { bytes.get() as f64 / MIB / seconds } else { 0.0 }
    }

    fn add(&mut self, round: &Round) {
        self.seconds.push(round.elapsed.as_secs_f64());
        self.rss = self.rss.max(round.rss);
    }
}

/// One run of a program.
struct Round {
    elapsed: Duration,
    rss: Option<Bytes>,
}

/// Measures.
///
/// # Errors
///
/// When the program cannot be run, or when its answer is wrong.
pub fn run(options: &Options, clock: &dyn Clock) -> anyhow::Result<Outcome> {
    let folder = options.folder.join(format!("locklog-spike-scan-{}", std::process::id()));
    fs::create_dir(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let outcome = measure(options, &folder, clock);
    let removed = fs::remove_dir_all(&folder);
    let outcome = outcome?;
    removed.with_context(|| format!("cannot remove {}", folder.display()))?;
    Ok(outcome)
}

fn measure(options: &Options, folder: &Path, clock: &dyn Clock) -> anyhow::Result<Outcome> {
    let path = folder.join("app.log");
    let made = records::write(options.kind, options.size, &path)?;
    let bytes = Bytes::new(fs::metadata(&path)?.len());
    let tools = Tools { options, folder, path: &path };
    let rounds = options.rounds.max(1) + 2;
    let grants: Vec<GrantId> =
        (0..rounds).map(|_| tools.grant(clock)).collect::<anyhow::Result<_>>()?;
    let mut grants = grants.into_iter();
    let mut next = move || grants.next().context("a grant for each round");
    let digest = tools.check(next()?, &made)?;
    let mut outcome = Outcome {
        kind: options.kind,
        bytes,
        records: made.records,
        free_text_percent: made.free_text as f64 * 100.0 / bytes.get().max(1) as f64,
        digest: digest.clone(),
        scan: Row::default(),
        mask: Row::default(),
        read: Row::default(),
        stages: stages::measure(&path, options.kind, &options.profile)?,
    };
    for round in 0..options.rounds.max(1) {
        let grant = next()?;
        let mut scan = || tools.time(tools.scan(grant), clock).map(|done| outcome.scan.add(&done));
        let mut mask = || tools.time(tools.mask(), clock).map(|done| outcome.mask.add(&done));
        if round % 2 == 0 {
            scan()?;
            mask()?;
        } else {
            mask()?;
            scan()?;
        }
        outcome.read.add(&bare_read(&path, clock)?);
    }
    if tools.check(next()?, &made)? != digest {
        bail!("two scans of the same file gave different output");
    }
    Ok(outcome)
}

/// How the program is run.
struct Tools<'o> {
    options: &'o Options,
    folder: &'o Path,
    path: &'o Path,
}

impl Tools<'_> {
    fn program(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.options.program);
        command.args(args).env("LOCKLOG_STATE_DIR", self.folder.join("state"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// A grant for one scan of the file, approved by somebody else.
    fn grant(&self, clock: &dyn Clock) -> anyhow::Result<GrantId> {
        #[derive(serde::Deserialize)]
        struct PlanFile {
            digest: PlanDigest,
            summary: PlanSummary,
        }
        let path = self.path.display().to_string();
        let mut plan = self.program(&["plan", &path, "--json"]);
        plan.args(["--profile", &self.options.profile]).stdout(Stdio::piped());
        let planned = plan.output()?;
        if !planned.status.success() {
            bail!("locklog plan: {}", String::from_utf8_lossy(&planned.stderr).trim());
        }
        let PlanFile { digest, summary } = serde_json::from_slice(&planned.stdout)?;
        let this = rustix::process::getuid().as_raw();
        let note = |text: &str| serde_json::from_value(text.into());
        let request = Request {
            requester: ActorId::of_uid(this),
            reason: note("measurement")?,
            ticket: None,
            plan: digest,
            bytes: summary.bytes,
            summary,
            lifetime: None,
            approvers: 1,
            mode: Mode::Approved,
        };
        let mut store = GrantStore::open(&self.folder.join("state"))?;
        let grant = store.request(&request, clock)?.id;
        store.approve(grant, ActorId::of_uid(this.wrapping_add(1)), clock)?;
        Ok(grant)
    }

    fn scan(&self, grant: GrantId) -> Command {
        let (grant, threads) = (grant.to_string(), WORKERS.to_string());
        self.program(&["scan", "--all", "--quiet", "--grant", &grant, "--threads", &threads])
    }

    fn mask(&self) -> Command {
        let (path, threads) = (self.path.display().to_string(), WORKERS.to_string());
        self.program(&["mask", &path, "--profile", &self.options.profile, "--threads", &threads])
    }

    /// Runs a program to its end.
    fn time(&self, mut command: Command, clock: &dyn Clock) -> anyhow::Result<Round> {
        let began = clock.elapsed();
        let mut child = command.spawn()?;
        let status = format!("/proc/{}/status", child.id());
        let mut rss = None;
        loop {
            rss = rss.max(most_memory(&status));
            if let Some(ended) = child.try_wait()? {
                let elapsed = clock.elapsed().saturating_sub(began);
                if !ended.success() {
                    let mut said = String::new();
                    let limit = child.stderr.take().map(|stderr| stderr.take(4096));
                    if let Some(mut stderr) = limit {
                        stderr.read_to_string(&mut said)?;
                    }
                    bail!("a round ended with {ended}: {}", said.trim());
                }
                return Ok(Round { elapsed, rss });
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }

    /// Scans once, looks at the output, and gives its digest.
    fn check(&self, grant: GrantId, made: &records::Made) -> anyhow::Result<String> {
        let mut child = self.scan(grant).stdout(Stdio::piped()).spawn()?;
        let mut out = child.stdout.take().context("standard output")?;
        let (mut hasher, mut lines, mut leaks) = (blake3::Hasher::new(), 0, 0);
        let mut bytes = vec![0; READ_BYTES];
        loop {
            let len = out.read(&mut bytes)?;
            let Some(part) = bytes.get(..len).filter(|part| !part.is_empty()) else { break };
            hasher.update(part);
            lines += memchr::memchr_iter(b'\n', part).count() as u64;
            if let Some(telling) = made.telling {
                leaks += memchr::memmem::find_iter(part, telling.as_bytes()).count();
            }
        }
        let ended = child.wait_with_output()?;
        if !ended.status.success() {
            let said = String::from_utf8_lossy(&ended.stderr).into_owned();
            bail!("the scan ended with {}: {}", ended.status, said.trim());
        }
        if lines != made.records || leaks > 0 {
            bail!("{lines} of {} records came, and {leaks} planted values", made.records);
        }
        Ok(hasher.finalize().to_hex().to_string())
    }
}

/// The most memory that a running program has held.
fn most_memory(status: &str) -> Option<Bytes> {
    let text = fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(Bytes::kib(kib))
}

fn bare_read(path: &Path, clock: &dyn Clock) -> io::Result<Round> {
    let began = clock.elapsed();
    let mut file = File::open(path)?;
    let mut bytes = vec![0; READ_BYTES];
    let mut sum = 0_u64;
    loop {
        let len = file.read(&mut bytes)?;
        if len == 0 {
            break;
        }
        sum = std::hint::black_box(sum + len as u64);
    }
    Ok(Round { elapsed: clock.elapsed().saturating_sub(began), rss: None })
}

/// The outcome as a table.
pub fn table(outcome: &Outcome) -> String {
    let bytes = outcome.bytes;
    let mut text = format!(
        "{:?}: {} bytes, {} records of {} bytes, {:.0} % free text, digest {}\n\n",
        outcome.kind,
        bytes.get(),
        outcome.records,
        bytes.get() / outcome.records.max(1),
        outcome.free_text_percent,
        outcome.digest.get(..16).unwrap_or(""),
    );
    text.push_str("| what | MiB/s | rounds (s) | RSS |\n|---|---|---|---|\n");
    let scan = outcome.scan.mib_s(bytes);
    for (name, row) in [
        ("approved scan, 2 workers", &outcome.scan),
        ("mask, 2 workers", &outcome.mask),
        ("bare read", &outcome.read),
    ] {
        let rounds: Vec<String> = row.seconds.iter().map(|time| format!("{time:.2}")).collect();
        let rss =
            row.rss.map_or("-".to_owned(), |rss| format!("{:.0} MiB", rss.get() as f64 / MIB));
        let speed = row.mib_s(bytes);
        // Writing to a string does not fail.
        writeln!(text, "| {name} | {speed:.0} | {} | {rss} |", rounds.join(" ")).unwrap_or(());
    }
    text.push_str("| published: an approved scan of such a log | 6.1, then 11-15 | | |\n\n");
    let ratio = scan / outcome.mask.mib_s(bytes).max(f64::MIN_POSITIVE);
    writeln!(text, "scan / mask: {ratio:.2} (floor 0.5); floor 500 MiB/s, aim 1024 MiB/s")
        .unwrap_or(());
    let whole: f64 = outcome.stages.iter().map(|stage| stage.cpu.as_secs_f64()).sum();
    for Stage { name, cpu } in &outcome.stages {
        let part = cpu.as_secs_f64() * 100.0 / whole.max(f64::MIN_POSITIVE);
        writeln!(text, "{name:<10} {part:5.1} % of processor time").unwrap_or(());
    }
    text
}
