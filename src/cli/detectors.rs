//! `locklog detectors`: what is detected, whether the detectors keep what they promise, and how well
//! they do on values and lines that are made up.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Subcommand;
use clap::ValueEnum;
use serde_json::json;

use super::console;
use super::exit::Exit;
use super::exit::UsageError;
use crate::config::read_detectors_dir;
use crate::detect;
use crate::detect::Rules;
use crate::detect::Scratch;
use crate::detect::Selection;
use crate::detect::rule::RawRule;
use crate::detect::rule::Tier;
use crate::detect::sample;
use crate::detect::sample::Sample;
use crate::lab::corpus::SEED;
use crate::lab::corpus::ordinary;
use crate::text::RawSlice;

/// Values and near misses that are made for one detector.
const SAMPLES: usize = 5;
/// Ordinary lines in which every span is a false one.
const ORDINARY_LINES: usize = 100_000;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
    /// Folder of detector files to take beside the built-in ones.
    #[arg(long, global = true, value_name = "DIR")]
    detectors: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Lists every detector, and how many there are of each kind.
    List {
        /// How to print.
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// Shows all that one detector says about itself.
    Show {
        /// Its id, `group.name`.
        id: String,
    },
    /// Holds every detector against its own examples and counter-examples.
    Check,
    /// Makes values and near misses from the detectors, and counts what is found.
    Test {
        /// Ids of detectors.
        #[arg(value_name = "ID", required_unless_present = "all")]
        ids: Vec<String>,
        /// All of them, and the ordinary lines too.
        #[arg(long, conflicts_with = "ids")]
        all: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Json,
}

type Written = Vec<(String, RawRule)>;

pub(super) fn run(args: Args) -> anyhow::Result<Exit> {
    let extra = match &args.detectors {
        Some(dir) => read_detectors_dir(dir)?,
        None => Vec::new(),
    };
    match args.action {
        Action::Check => check(&extra),
        Action::List { format } => list(&detect::written(&extra)?, format),
        Action::Show { id } => show(&detect::written(&extra)?, &id),
        Action::Test { ids, all } => test(&detect::written(&extra)?, &ids, all, extra),
    }
}

fn gate(raw: &RawRule) -> String {
    match &raw.gate {
        Some(gate) => gate.clone(),
        None if raw.prefixes.is_empty() => format!("{} cues", raw.cues.len()),
        None => raw.prefixes.join(" "),
    }
}

fn tier(raw: &RawRule) -> &'static str {
    match raw.tier {
        Tier::SelfIdentifying => "self-identifying",
        Tier::Checksum => "checksum",
        Tier::Cue => "cue",
    }
}

fn list(all: &Written, format: Format) -> anyhow::Result<Exit> {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, raw) in all {
        *kinds.entry(&raw.kind).or_default() += 1;
    }
    if format == Format::Json {
        let row = |raw: &RawRule| {
            json!({
                "id": raw.id, "kind": raw.kind, "tier": tier(raw), "gate": gate(raw),
                "summary": raw.summary,
            })
        };
        let rows: Vec<_> = all.iter().map(|(_, raw)| row(raw)).collect();
        let answer = json!({ "detectors": rows, "kinds": kinds });
        console::answer(format_args!("{answer}"))?;
        return Ok(Exit::Done);
    }
    let mut out = String::new();
    for (_, raw) in all {
        let gate = gate(raw);
        let gate: String = if gate.chars().count() > 24 {
            gate.chars().take(23).chain(['…']).collect()
        } else {
            gate
        };
        let (id, kind, tier, summary) = (&raw.id, &raw.kind, tier(raw), &raw.summary);
        out.push_str(&format!("{id:36} {kind:12} {tier:16} {gate:24} {summary}\n"));
    }
    out.push_str(&format!("\n{} detectors of {} kinds\n", all.len(), kinds.len()));
    for (kind, count) in kinds {
        out.push_str(&format!("{kind:12} {count:4}\n"));
    }
    console::answer(format_args!("{}", out.trim_end()))?;
    Ok(Exit::Done)
}

fn show(all: &Written, id: &str) -> anyhow::Result<Exit> {
    let (file, raw) = find(all, id)?;
    let mut rows = vec![
        ("id", raw.id.clone()),
        ("file", file.clone()),
        ("kind", raw.kind.clone()),
        ("summary", raw.summary.clone()),
        ("tier", tier(raw).to_owned()),
    ];
    rows.extend(raw.gate.iter().map(|gate| ("gate", gate.clone())));
    for (name, list) in [("prefixes", &raw.prefixes), ("cues", &raw.cues)] {
        if !list.is_empty() {
            rows.push((name, list.join(", ")));
        }
    }
    rows.extend(raw.pattern.iter().map(|pattern| ("pattern", pattern.clone())));
    rows.extend(raw.validator.iter().map(|check| ("validator", check.clone())));
    rows.push(("normalise", format!("{:?}", raw.normalise).to_lowercase()));
    rows.push(("precedence", format!("{:?}", raw.precedence).to_lowercase()));
    for (name, is) in [
        ("glued", raw.glued),
        ("keep_prefix", raw.keep_prefix),
        ("bare", raw.bare),
        ("weak", raw.weak),
    ] {
        if is {
            rows.push((name, "yes".to_owned()));
        }
    }
    for (name, list) in [
        ("example", &raw.examples),
        ("counterexample", &raw.counterexamples),
        ("reference", &raw.references),
    ] {
        rows.extend(list.iter().map(|line| (name, line.replace('\n', "\\n"))));
    }
    let lines: Vec<String> = rows.iter().map(|(name, text)| format!("{name:15} {text}")).collect();
    console::answer(format_args!("{}", lines.join("\n")))?;
    Ok(Exit::Done)
}

fn find<'a>(all: &'a Written, id: &str) -> Result<&'a (String, RawRule), UsageError> {
    all.iter().find(|(_, raw)| raw.id == id).ok_or_else(|| {
        UsageError(format!("no detector has the id '{id}'; see 'locklog detectors list'"))
    })
}

fn check(extra: &[(String, String)]) -> anyhow::Result<Exit> {
    let problems = detect::check(extra);
    for problem in &problems {
        console::answer(format_args!("{problem}"))?;
    }
    if problems.is_empty() {
        let count = detect::written(extra)?.len();
        console::answer(format_args!("{count} detectors, no problem"))?;
        return Ok(Exit::Done);
    }
    console::say(format_args!("{} problems", problems.len()));
    Ok(Exit::Failed)
}

/// What was found of what was made up.
#[derive(Default)]
struct Score {
    found: usize,
    made: usize,
    missed: usize,
    near: usize,
}

fn test(
    all: &Written,
    ids: &[String],
    every: bool,
    extra: Vec<(String, String)>,
) -> anyhow::Result<Exit> {
    let mut chosen: Vec<&(String, RawRule)> = if every { all.iter().collect() } else { Vec::new() };
    for id in ids {
        chosen.push(find(all, id)?);
    }
    let mut kinds: BTreeMap<&str, Score> = BTreeMap::new();
    let mut is_clean = true;
    for (file, raw) in chosen {
        let score = score(file, raw)?;
        if score.found < score.made || score.missed > 0 {
            is_clean = false;
            console::answer(format_args!(
                "{}: found {} of {} values, and {} of {} near misses",
                raw.id, score.found, score.made, score.missed, score.near
            ))?;
        }
        let sum = kinds.entry(&raw.kind).or_default();
        sum.found += score.found;
        sum.made += score.made;
        sum.missed += score.missed;
        sum.near += score.near;
    }
    let false_spans = if every { false_spans(extra)? } else { BTreeMap::new() };
    console::answer(format_args!(
        "{:12} {:>14} {:>16} {:>12}",
        "kind", "values found", "near misses hit", "false spans"
    ))?;
    for (kind, score) in &kinds {
        let values = format!("{} of {}", score.found, score.made);
        let near = format!("{} of {}", score.missed, score.near);
        let wrong = false_spans
            .get(*kind)
            .map_or_else(|| if every { "0".to_owned() } else { "-".to_owned() }, usize::to_string);
        console::answer(format_args!("{kind:12} {values:>14} {near:>16} {wrong:>12}"))?;
    }
    if every {
        let sum: usize = false_spans.values().sum();
        console::answer(format_args!("{sum} false spans in {ORDINARY_LINES} ordinary lines"))?;
        is_clean &= sum == 0;
    }
    Ok(if is_clean { Exit::Done } else { Exit::Failed })
}

fn score(file: &str, raw: &RawRule) -> anyhow::Result<Score> {
    let rules = Rules::single(file, raw.clone())?;
    let mut scratch = Scratch::new();
    let mut finds = |made: &Sample, whole: bool| {
        rules.scan(RawSlice::new(made.line().as_bytes()), &mut scratch);
        let (start, end) = (made.before.len(), made.before.len() + made.value.len());
        let covers = scratch
            .matches()
            .iter()
            .any(|found| !whole || found.span.start <= start && found.span.end >= end);
        // A key block over several lines is put together by the masker.
        covers || !scratch.edges().is_empty()
    };
    let (values, near) =
        (sample::positives(raw, SAMPLES, SEED), sample::near_misses(raw, SAMPLES, SEED));
    Ok(Score {
        found: values.iter().filter(|made| finds(made, true)).count(),
        made: values.len(),
        missed: near.iter().filter(|made| finds(made, false)).count(),
        near: near.len(),
    })
}

/// What all detectors find in ordinary lines, by kind.
fn false_spans(extra: Vec<(String, String)>) -> anyhow::Result<BTreeMap<String, usize>> {
    let rules = Rules::load(&Selection { extra, ..Selection::default() })?;
    let lines = ordinary::lines(ORDINARY_LINES, SEED);
    let mut scratch = Scratch::new();
    rules.scan(RawSlice::new(&lines.text), &mut scratch);
    let mut kinds = BTreeMap::new();
    for found in scratch.matches() {
        *kinds.entry(rules.kind_name(found.kind).to_owned()).or_default() += 1;
    }
    Ok(kinds)
}
