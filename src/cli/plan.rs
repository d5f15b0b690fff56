//! `locklog plan`: what a scan would read, take and need.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;

use super::ask::Ask;
use super::ask::Asked;
use super::console;
use super::exit::Exit;
use super::exit::UsageError;
use super::key_options::lasting_key;
use super::scan::ScanKeys;
use super::scan::calls::note;
use super::scan::limits;
use super::trail;
use crate::calibrate::Keeper;
use crate::calibrate::cores;
use crate::config::Environment;
use crate::cost::Basis;
use crate::cost::Model;
use crate::cost::wall;
use crate::detect::Rules;
use crate::detect::Selection;
use crate::fetch::PlanStore;
use crate::grant::PlanSummary;
use crate::grant::lifetime;
use crate::id::SourceId;
use crate::mask::Masker;
use crate::plan::Admitted;
use crate::plan::Plan;
use crate::pseudonym::Namer;
use crate::source::Search;
use crate::time::Clock;
use crate::time::SystemClock;
use crate::time::TimeRange;
use crate::time::Timestamp;
use crate::time::Zone;
use crate::time::parse_duration;
use crate::units::Bytes;

/// Files that are listed one by one.
const FILES_SHOWN_MAX: usize = 20;
const MIB: f64 = 1024.0 * 1024.0;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    ask: Ask,
    /// Time in which all of it shall be done: says how fast that is.
    #[arg(long, value_name = "TIME", default_value = "30m", value_parser = parse_duration)]
    within: Duration,
    /// Print one JSON object, as 'locklog grant request --plan' takes it.
    #[arg(long)]
    json: bool,
    /// Key file to use; made on first use, like the one in the state directory.
    #[arg(long, value_name = "PATH")]
    key_file: Option<PathBuf>,
}

/// What it takes, on the wall clock.
struct Takes {
    likely: Duration,
    worst: Duration,
    basis: Basis,
}

impl Takes {
    /// The sum over the plan's files, each in its format; it rests on the least that one rests on.
    fn of(plan: &Plan, model: &Model, source: SourceId) -> Takes {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let (mut likely, mut worst) = (Duration::ZERO, Duration::ZERO);
        let mut basis = Basis::Learned;
        for slice in plan.slices() {
            let predicted = model.predict(source, &slice.format, slice.bytes());
            likely = likely.saturating_add(predicted.likely);
            worst = worst.saturating_add(predicted.worst);
            basis = match (basis, predicted.basis) {
                (Basis::Unmeasured, _) | (_, Basis::Unmeasured) => Basis::Unmeasured,
                (Basis::Calibrated, _) | (_, Basis::Calibrated) => Basis::Calibrated,
                (Basis::Learned, Basis::Learned) => Basis::Learned,
            };
        }
        let time = |cpu| wall(cpu, threads, cores());
        Takes { likely: time(likely), worst: time(worst), basis }
    }
}

pub(super) fn run(args: Args, environment: &Environment) -> anyhow::Result<Exit> {
    let clock = SystemClock::start();
    if args.within.is_zero() {
        return Err(UsageError("--within is 0 s, expected at least 1 s".to_owned()).into());
    }
    let key = lasting_key(args.key_file, environment)?;
    let keys = ScanKeys::of(&key);
    let state_dir = trail::state_dir(environment)?;
    let store = PlanStore::open(state_dir)?;
    let Asked { plan, profile, whole } = args.ask.plan(environment, &keys.hash)?;
    let plan = plan.admit(limits::of_call(&profile))?;
    let digest = store.keep(&plan, &keys.hash, &keys.sealer)?;
    let (model, doubt) = Keeper::new(state_dir).model(&clock as &dyn Clock)?;
    let source = keys.source(&plan);
    let takes = Takes::of(&plan, &model, source);
    if let Some(doubt) = doubt {
        console::say(format_args!("{doubt}"));
    }
    if args.json {
        let rules = Rules::load(&Selection::default())?;
        let masker = Masker::new(rules, Namer::new(&key));
        let summary = summary(&plan, &takes, &masker)?;
        let answer = json!({ "digest": digest, "summary": summary });
        console::answer(format_args!("{answer}"))?;
        return Ok(Exit::Done);
    }
    let free = limits::unapproved(&profile, plan.request().production);
    let mut rows = vec![("plan", digest.to_string())];
    rows.extend(what(&plan));
    rows.extend(how_long(&plan, &takes));
    rows.push(("admission", "fits".to_owned()));
    rows.push(("approval", approval(&plan, free, profile.approvals().approvers(), &takes)));
    rows.push(("gate", gate(&plan, args.within, &takes)));
    for (name, text) in rows {
        console::answer(format_args!("{name:<10} {text}"))?;
    }
    for (path, search) in whole.iter().take(FILES_SHOWN_MAX) {
        console::answer(format_args!(
            "{:<10} {}: {}",
            "read whole",
            path.display(),
            why_whole(*search)
        ))?;
    }
    Ok(Exit::Done)
}

fn what(plan: &Plan) -> Vec<(&'static str, String)> {
    let request = plan.request();
    let zone: Zone = request.zone.parse().unwrap_or(Zone::UTC);
    let class = if request.production { "production" } else { "not production" };
    let mut rows = vec![
        ("source", format!("{} ({class})", request.source)),
        ("range", format!("{}, zone {zone}", plan.range().in_zone(zone))),
        ("files", plan.slices().len().to_string()),
    ];
    for slice in plan.slices().iter().take(FILES_SHOWN_MAX) {
        let (path, bytes) = (slice.path.display(), about(slice.bytes()));
        let first = Timestamp::from_nanoseconds(slice.first_ns).in_zone(zone);
        rows.push(("", format!("{path}: {bytes} from byte {} on, begins {first}", slice.start)));
    }
    rows.push(("granules", plan.granules().to_string()));
    rows.push(("bytes", format!("{} ({})", about(plan.bytes()), plan.bytes())));
    rows
}

fn how_long(plan: &Admitted<Plan>, takes: &Takes) -> Vec<(&'static str, String)> {
    let limits = plan.limits();
    let Takes { likely, worst, .. } = takes;
    let basis = match takes.basis {
        Basis::Learned => "learned from this source",
        Basis::Calibrated => "from the calibration of this machine",
        Basis::Unmeasured => "nothing was measured: 'locklog calibrate' does",
    };
    let by_time = likely.as_secs().div_ceil(limits.time.as_secs().max(1));
    let calls = plan.calls().max(by_time).max(u64::from(plan.granules() > 0));
    vec![
        (
            "predicted",
            format!(
                "{:.1} s, at worst {:.1} s ({basis})",
                likely.as_secs_f64(),
                worst.as_secs_f64()
            ),
        ),
        (
            "calls",
            format!("{calls}, each at most {} and {} s", limits.bytes, limits.time.as_secs()),
        ),
    ]
}

fn approval(plan: &Plan, free: Bytes, approvers: u32, takes: &Takes) -> String {
    if plan.bytes() <= free {
        return format!("none needed: {free} are free");
    }
    let minutes = lifetime(takes.worst).as_secs() / 60;
    let people = if approvers == 1 { "person" } else { "people" };
    format!("of {approvers} other {people}, for {minutes} min: {free} are free")
}

/// `finishing in 1800 s needs 11.38 MiB/s; predicted 140.2 MiB/s, at worst 7.1 MiB/s`.
#[expect(clippy::cast_precision_loss, reason = "a speed is shown with a few digits")]
fn gate(plan: &Plan, within: Duration, takes: &Takes) -> String {
    let mib = plan.bytes().get() as f64 / MIB;
    let speed = |time: Duration| mib / time.as_secs_f64().max(f64::MIN_POSITIVE);
    let Takes { likely, worst, .. } = takes;
    let verdict = match (*likely <= within, *worst <= within) {
        (_, true) => "fits",
        (true, false) => "fits, but not at worst",
        (false, false) => "does not fit: ask for a shorter range or more time",
    };
    let of = match takes.basis {
        Basis::Learned | Basis::Calibrated => "measured",
        Basis::Unmeasured => "assumed",
    };
    format!(
        "finishing in {} s needs {:.2} MiB/s; {of} {:.2} MiB/s, at worst {:.2} MiB/s: {verdict}",
        within.as_secs(),
        speed(within),
        speed(*likely),
        speed(*worst)
    )
}

/// The plan for an approver's eyes.
fn summary(plan: &Plan, takes: &Takes, masker: &Masker) -> anyhow::Result<PlanSummary> {
    let request = plan.request();
    let open = |moment: Timestamp, end: Timestamp| {
        let since = u64::try_from(moment.nanoseconds()).unwrap_or(0);
        (moment != end).then(|| Duration::from_nanos(since))
    };
    let range = plan.range();
    let selector = request.selector();
    Ok(PlanSummary {
        source: note(masker, &request.source)?,
        selector: selector.map(|text| note(masker, &text)).transpose()?,
        from: open(range.from(), TimeRange::ALL.from()),
        to: open(range.to(), TimeRange::ALL.to()),
        granules: plan.granules(),
        bytes: plan.bytes(),
        predicted: takes.likely,
        worst: takes.worst,
        profile: note(masker, &request.profile)?,
    })
}

/// Why all of a file is read.
pub(super) fn why_whole(search: Search) -> &'static str {
    match search {
        Search::Probed => "its range was found",
        Search::Whole => "it is small, or all of it is asked for",
        Search::Unordered => "its records are not in the order of time",
        Search::Untimed => "it has places without a time",
    }
}

/// A number of bytes with three or four digits, for people.
#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
pub(super) fn about(bytes: Bytes) -> String {
    let mut number = bytes.get() as f64;
    for unit in ["B", "KiB", "MiB", "GiB"] {
        if number < 1024.0 {
            let digits = usize::from(unit != "B" && number < 100.0);
            return format!("{number:.digits$} {unit}");
        }
        number /= 1024.0;
    }
    format!("{number:.1} TiB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_for_people_are_short() {
        for (bytes, text) in
            [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (512 << 20, "512 MiB")]
        {
            assert_eq!(about(Bytes::new(bytes)), text);
        }
    }
}
