//! `locklog scan`: masked records of a time range, under a budget and, where one is needed, a grant.

pub(super) mod calls;
mod checkpoint;
pub(super) mod limits;
mod output;
mod progress;
mod summary;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::ask::Ask;
use super::ask::lent_rights;
use super::console;
use super::exit::Exit;
use super::exit::UsageError;
use super::key_options::lasting_key;
use super::trail;
use crate::config::Environment;
use crate::config::Profile;
use crate::detect::Rules;
use crate::detect::Selection;
use crate::fetch::PlanStore;
use crate::fetch::Want;
use crate::grant::GrantStore;
use crate::id::GrantId;
use crate::id::PlanDigest;
use crate::id::SourceId;
use crate::mask::Layout;
use crate::mask::Masker;
use crate::plan::Cursor;
use crate::plan::Place;
use crate::plan::Plan;
use crate::plan::Sealer;
use crate::pseudonym::Key;
use crate::pseudonym::Namer;
use crate::source::HeadKey;
use crate::time::Clock;
use crate::time::SystemClock;
use crate::time::Timestamp;
use crate::time::since_1970;
use crate::units::Bytes;
use checkpoint::Checkpointed;
use checkpoint::Keys;
use output::To;

/// What the keys of hashes and seals are derived for.
const HASHES: &str = "locklog 2026-12 heads of files, sources and digests of plans";
const SEALS: &str = "locklog 2026-12 seals of plans, cursors and checkpoints";
/// More threads than any machine has; a larger number is a typing error.
const THREADS_MAX: i64 = 1024;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    ask: Ask,
    /// How records are written: ndjson, json, logfmt, pretty or text.
    #[arg(long, value_name = "LAYOUT", default_value = "ndjson")]
    out: Layout,
    /// Write to a file, with checkpoints, instead of standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Go on with the file of --output from its last checkpoint.
    #[arg(long, requires = "output", conflicts_with = "cursor")]
    resume: bool,
    /// End the output after so many records. What is read and charged stays the same.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Bytes of text that one call reads, instead of the profile's.
    #[arg(long, value_name = "SIZE")]
    max_bytes: Option<Bytes>,
    /// Go on from where a call ended.
    #[arg(long, value_name = "CURSOR")]
    cursor: Option<String>,
    /// Go on call after call until the plan is done.
    #[arg(long)]
    all: bool,
    /// Grant to use; its plan is what is read.
    #[arg(long, value_name = "ID")]
    grant: Option<GrantId>,
    /// Write what was done as the last line of the output, as JSON.
    #[arg(long)]
    trailer: bool,
    /// Do not say on standard error what was done.
    #[arg(long)]
    quiet: bool,
    /// Threads that mask; without it, one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=THREADS_MAX))]
    threads: Option<u16>,
    /// Key file to use; made on first use, like the one in the state directory.
    #[arg(long, value_name = "PATH")]
    key_file: Option<PathBuf>,
}

/// Keys that are derived from the one of the state directory.
#[derive(Debug)]
pub(super) struct ScanKeys {
    pub(super) hash: HeadKey,
    pub(super) sealer: Sealer,
}

impl ScanKeys {
    pub(super) fn of(key: &Key) -> ScanKeys {
        ScanKeys { hash: HeadKey::new(key.derive(HASHES)), sealer: Sealer::new(&key.derive(SEALS)) }
    }

    /// What a plan's source is called where its name may not stand.
    pub(super) fn source(&self, plan: &Plan) -> SourceId {
        let mut source = [0; SourceId::BYTES];
        let hash = self.hash.hash(plan.request().source.as_bytes());
        source.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
        SourceId::from_bytes(source)
    }

    fn of_output(&self) -> Keys<'_> {
        Keys { sealer: &self.sealer, hash: &self.hash }
    }
}

/// What is read, from where on, under which grant, to where.
struct Start {
    plan: Plan,
    digest: PlanDigest,
    profile: Profile,
    place: Place,
    grant: Option<GrantId>,
    file: Option<Checkpointed>,
}

pub(super) fn run(args: Args, environment: &Environment) -> anyhow::Result<Exit> {
    let clock = SystemClock::start();
    let stop = stop_flag()?;
    if args.output.is_some() && lent_rights() {
        let message =
            "--output cannot be used with somebody else's rights: redirect standard output";
        return Err(UsageError(message.to_owned()).into());
    }
    let key = lasting_key(args.key_file.clone(), environment)?;
    let keys = ScanKeys::of(&key);
    let store = PlanStore::open(trail::state_dir(environment)?)?;
    let Args { ask, out, output, resume, limit, max_bytes, cursor, all, grant, .. } = args;
    let start =
        start(Begin { ask, output, resume, cursor, grant }, environment, &keys, &store, &clock)?;
    let Start { plan, digest, profile, place, grant, file } = start;
    let mut limits = limits::of_call(&profile);
    if let Some(bytes) = max_bytes {
        limits = limits.with_bytes(bytes)?;
    }
    if args.trailer && out != Layout::Ndjson {
        return Err(UsageError("--trailer goes with --out ndjson alone".to_owned()).into());
    }
    let now = Timestamp::since_1970(since_1970());
    // Each record of JSON's list is written like one of NDJSON; the list is put around them.
    let layout = if out == Layout::Json { Layout::Ndjson } else { out };
    let want = Want::of(&plan, profile.policy(), layout, now)
        .map_err(|error| UsageError(error.to_string()))?;
    let plan = plan.admit(limits)?;
    let free = limits::unapproved(&profile, plan.request().production);
    let grant = calls::needed_grant(grant, plan.bytes(), free, environment)?;
    let selection = Selection {
        only: profile.only().to_vec(),
        without: profile.without().to_vec(),
        extra: Vec::new(),
    };
    let masker = Masker::new(Rules::load(&selection)?, Namer::new(&key));
    let threads = match args.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
    };
    let to = match file {
        Some(file) => To::File(file),
        None => To::stdout()?,
    };
    calls::Calls {
        plan: &plan,
        digest,
        keys: &keys,
        masker: &masker,
        policy: profile.policy(),
        want: &want,
        list: out == Layout::Json,
        threads,
        limit,
        grant,
        all,
        trailer: args.trailer,
        quiet: args.quiet,
        environment,
        clock: &clock,
        stop: &stop,
    }
    .run(place, to)
}

/// The flags that say where a scan begins.
struct Begin {
    ask: Ask,
    output: Option<PathBuf>,
    resume: bool,
    cursor: Option<String>,
    grant: Option<GrantId>,
}

fn start(
    begin: Begin,
    environment: &Environment,
    keys: &ScanKeys,
    store: &PlanStore,
    clock: &dyn Clock,
) -> anyhow::Result<Start> {
    let Begin { ask, output, resume, cursor, grant } = begin;
    let mut file = None;
    let mut at = cursor.map(|text| Cursor::open(&text, &keys.sealer)).transpose()?;
    if let Some(path) = output.as_deref().filter(|_| resume) {
        let (resumed, cursor) = Checkpointed::resume(path, keys.of_output())?;
        (file, at) = (Some(resumed), Some(cursor));
    }
    let planned = match (&at, grant) {
        (Some(cursor), _) => Some(cursor.plan),
        (None, Some(grant)) => {
            let granted = GrantStore::open(trail::state_dir(environment)?)?.find(grant, clock)?;
            Some(granted.plan)
        }
        (None, None) => None,
    };
    let (plan, profile) = match planned {
        Some(digest) => {
            let plan = store.find(digest, &keys.hash, &keys.sealer)?;
            let name = ask.source.as_deref();
            if ask.is_more_than_source() || name.is_some_and(|name| name != plan.request().source) {
                let message = "a cursor, a checkpoint and a grant bring their own plan: leave \
                               source, times, filters and profile out";
                return Err(UsageError(message.to_owned()).into());
            }
            let profile = Profile::find(&plan.request().profile)?;
            if limits::digest(&profile, &keys.hash) != plan.request().profile_digest {
                let message = "the profile has changed since this was planned: plan again";
                return Err(UsageError(message.to_owned()).into());
            }
            (plan, profile)
        }
        None => {
            let asked = ask.plan(environment, &keys.hash)?;
            for (path, search) in &asked.whole {
                console::say(format_args!(
                    "{} is read whole: {}",
                    path.display(),
                    super::plan::why_whole(*search)
                ));
            }
            (asked.plan, asked.profile)
        }
    };
    let place = at.map_or_else(Place::default, |cursor| cursor.place);
    let grant = grant.or_else(|| at.and_then(|cursor| cursor.grant));
    // Before anything that is gone on with: a cursor and a checkpoint need their plan.
    let digest = store.keep(&plan, &keys.hash, &keys.sealer)?;
    if let Some(path) = output.filter(|_| file.is_none()) {
        let cursor = Cursor { plan: digest, place, grant };
        file = Some(Checkpointed::create(&path, &cursor, keys.of_output())?);
    }
    Ok(Start { plan, digest, profile, place, grant, file })
}

/// Set by Ctrl-C and by a request to end: the call ends with a cursor. A second one ends at once.
fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register_conditional_default(signal, Arc::clone(&stop))?;
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}
