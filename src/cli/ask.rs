//! From the flags of `scan` and `plan` to a plan.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::console;
use super::exit::UsageError;
use super::scan::limits;
use crate::config::Environment;
use crate::config::Profile;
use crate::config::SourceConfig;
use crate::config::Sources;
use crate::fetch::Want;
use crate::fetch::times;
use crate::format::Format;
use crate::mask::Layout;
use crate::plan::Matching;
use crate::plan::Order;
use crate::plan::Plan;
use crate::plan::Request;
use crate::plan::Slice;
use crate::source::HeadKey;
use crate::source::Search;
use crate::source::Siblings;
use crate::source::Survey;
use crate::source::Surveyed;
use crate::source::resolve;
use crate::text::RawSlice;
use crate::time::TimeRange;
use crate::time::Timestamp;
use crate::time::Zone;
use crate::time::parse_time;
use crate::time::since_1970;

/// The profile of a scan that names none.
const PROFILE: &str = "incident";

/// What is asked for.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Ask {
    /// A file (with the files that it was rotated to), a pattern as in 'logs/*.log', or a source
    /// named in locklog.toml.
    #[arg(value_name = "SOURCE")]
    pub(super) source: Option<String>,
    /// From that long ago up to now, as in 2h or 30m.
    #[arg(long, value_name = "TIME", conflicts_with_all = ["from", "to"])]
    since: Option<String>,
    /// First moment: 2h (ago), 'yesterday 14:00', 2026-11-30T14:00:00Z, or seconds since 1970.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    from: Option<String>,
    /// First moment that is not part of it.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    to: Option<String>,
    /// Zone of times that name none, in flags and in records: UTC or as in +02:00.
    #[arg(long, value_name = "ZONE", allow_hyphen_values = true)]
    zone: Option<Zone>,
    /// Records whose trusted fields hold this, as in 'service=checkout,level=error'.
    #[arg(long, value_name = "FIELDS")]
    select: Option<String>,
    /// Records that hold this text after they were masked.
    #[arg(long = "match", value_name = "TEXT", conflicts_with = "match_re")]
    match_text: Option<String>,
    /// Records that this regular expression matches after they were masked.
    #[arg(long, value_name = "REGEX")]
    match_re: Option<String>,
    /// Profile to apply: a name, or a path that ends in .toml.
    #[arg(long, value_name = "NAME|PATH")]
    profile: Option<String>,
    /// Format of the records; without it, it is found out from each file.
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// The latest record first. Packed files keep their own order.
    #[arg(long, conflicts_with = "oldest_first")]
    newest_first: bool,
    /// The earliest record first, as without it.
    #[arg(long)]
    oldest_first: bool,
    /// File of named sources, instead of locklog.toml in its usual places.
    #[arg(long, value_name = "PATH")]
    config: Option<PathBuf>,
}

/// A plan, and what it was made with.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) plan: Plan,
    pub(super) profile: Profile,
    /// Files of which all is read for want of an order of time.
    pub(super) whole: Vec<(PathBuf, Search)>,
}

impl Ask {
    /// True when anything is asked for beside the source: what a cursor or a grant brings along.
    pub(super) fn is_more_than_source(&self) -> bool {
        let Ask { source: _, since, from, to, zone, select, match_text, match_re, .. } = self;
        let texts = [since, from, to, select, match_text, match_re, &self.profile, &self.format];
        texts.into_iter().any(Option::is_some)
            || zone.is_some()
            || self.newest_first
            || self.oldest_first
            || self.config.is_some()
    }

    /// Looks at the source and plans.
    pub(super) fn plan(self, environment: &Environment, key: &HeadKey) -> anyhow::Result<Asked> {
        let Some(name) = self.source.clone() else {
            return Err(UsageError("name a file, a pattern or a source".to_owned()).into());
        };
        if self.config.is_some() && lent_rights() {
            let message = "--config cannot be used with somebody else's rights";
            return Err(UsageError(message.to_owned()).into());
        }
        let named = self.config.as_deref().or(environment.config_named.as_deref());
        let sources = Sources::read(named, &environment.config_files)?;
        let config = sources.by_name.get(&name);
        let paths = match config {
            Some(config) => resolve(&config.paths, Siblings::Rotated)?,
            None => resolve(std::slice::from_ref(&name), Siblings::Rotated)?,
        };
        let production = match config {
            Some(config) => config.production,
            None => is_production(&paths, &sources),
        };
        let profile = self.profile(config, production)?;
        let zone = self.zone.or(config.map(|config| config.zone)).unwrap_or(Zone::UTC);
        let range = self.range(zone)?;
        let ordered = config.is_none_or(|config| config.ordered);
        let format = self.format.clone().or(config.and_then(|config| config.format.clone()));
        let named = match &format {
            Some(name) => {
                Some(name.parse::<Format>().map_err(|error| UsageError(error.to_string()))?)
            }
            None => None,
        };
        let now = Timestamp::since_1970(since_1970());
        let times = |head: RawSlice<'_>| times(head, named, zone, now);
        let survey = Survey { range, times: &times, key, ordered };
        let mut found: Vec<Surveyed> = Vec::new();
        for path in &paths {
            found.extend(survey.file(path)?);
        }
        let whole = found
            .iter()
            .filter(|file| matches!(file.search, Search::Unordered | Search::Untimed))
            .map(|file| (file.path.clone(), file.search))
            .collect();
        let order = if self.newest_first { Order::NewestFirst } else { Order::OldestFirst };
        let matching = self.match_text.map(Matching::Text);
        let request = Request {
            source: name,
            production,
            from_ns: range.from().nanoseconds(),
            to_ns: range.to().nanoseconds(),
            order,
            format,
            zone: zone.to_string(),
            select: self.select,
            matching: matching.or(self.match_re.map(Matching::Regex)),
            profile: profile.name().to_owned(),
            profile_digest: limits::digest(&profile, key),
        };
        let plan = Plan::new(request, found.into_iter().map(Slice::from).collect());
        Want::of(&plan, profile.policy(), Layout::Ndjson, now)
            .map_err(|error| UsageError(error.to_string()))?;
        Ok(Asked { plan, profile, whole })
    }

    fn profile(&self, config: Option<&SourceConfig>, production: bool) -> anyhow::Result<Profile> {
        let configured = config.and_then(|config| config.profile.as_deref());
        let name = self.profile.as_deref().or(configured).unwrap_or(PROFILE);
        let own = self.profile.as_deref().is_some_and(|name| Some(name) != configured);
        if own && production && (name.contains('/') || name.contains(".toml")) {
            let message = "a source of production takes a built-in profile or the one that its \
                           configuration names";
            return Err(UsageError(message.to_owned()).into());
        }
        Ok(Profile::find(name)?)
    }

    fn range(&self, zone: Zone) -> anyhow::Result<TimeRange> {
        let now = Timestamp::since_1970(since_1970());
        let read = |flag: &str, text: &str| {
            parse_time(text, now, zone).map_err(|error| UsageError(format!("{flag}: {error}")))
        };
        let (from, to) = match &self.since {
            Some(text) => (Some(read("--since", text)?), Some(now)),
            None => {
                let from = self.from.as_deref().map(|text| read("--from", text)).transpose()?;
                (from, self.to.as_deref().map(|text| read("--to", text)).transpose()?)
            }
        };
        let range = TimeRange::new(from.unwrap_or(Timestamp::MIN), to.unwrap_or(Timestamp::MAX));
        Ok(range.map_err(|error| UsageError(error.to_string()))?)
    }
}

/// True when the program runs with the rights of another user than the one who started it.
pub(super) fn lent_rights() -> bool {
    rustix::process::getuid() != rustix::process::geteuid()
}

/// A file of a production source is production, whatever name it is asked for by.
fn is_production(paths: &[PathBuf], sources: &Sources) -> bool {
    let asked: BTreeSet<&PathBuf> = paths.iter().collect();
    let production = sources.by_name.iter().filter(|(_, config)| config.production);
    for (name, config) in production {
        match resolve(&config.paths, Siblings::Rotated) {
            Ok(files) if files.iter().any(|file| asked.contains(file)) => return true,
            Ok(_) => {}
            // What cannot be looked at may hold any file; it is told, since it decides.
            Err(error) => console::say(format_args!("warning: source '{name}': {error}")),
        }
    }
    false
}
