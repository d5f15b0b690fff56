//! Call after call, each between two entries of the audit trail.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context as _;

use super::super::console;
use super::super::exit::Exit;
use super::super::exit::NeedsApproval;
use super::super::exit::UsageError;
use super::super::trail;
use super::ScanKeys;
use super::output::List;
use super::output::Records;
use super::output::To;
use super::progress::Progress;
use super::summary;
use super::summary::Summary;
use crate::audit::Action;
use crate::audit::AuditLog;
use crate::audit::Outcome;
use crate::audit::Stop;
use crate::calibrate::Keeper;
use crate::config::Environment;
use crate::cost::Basis;
use crate::cost::Learned;
use crate::cost::Sample;
use crate::fetch::Call;
use crate::fetch::Ended;
use crate::fetch::Gate;
use crate::fetch::GateError;
use crate::fetch::Granted;
use crate::fetch::Incomplete;
use crate::fetch::Tally;
use crate::fetch::Unapproved;
use crate::fetch::Want;
use crate::grant::GrantStore;
use crate::grant::Use;
use crate::id::GrantId;
use crate::id::PlanDigest;
use crate::mask::Masker;
use crate::mask::Note;
use crate::mask::Policy;
use crate::plan::Admitted;
use crate::plan::Place;
use crate::plan::Plan;
use crate::source::read_value;
use crate::time::Clock;
use crate::units::Bytes;

/// What all calls of a scan share.
pub(super) struct Calls<'c> {
    pub(super) plan: &'c Admitted<Plan>,
    pub(super) digest: PlanDigest,
    pub(super) keys: &'c ScanKeys,
    pub(super) masker: &'c Masker,
    pub(super) policy: &'c Policy,
    pub(super) want: &'c Want,
    /// The output is one list of JSON.
    pub(super) list: bool,
    pub(super) threads: usize,
    pub(super) limit: Option<u64>,
    pub(super) grant: Option<GrantId>,
    pub(super) all: bool,
    pub(super) trailer: bool,
    pub(super) quiet: bool,
    pub(super) environment: &'c Environment,
    pub(super) clock: &'c dyn Clock,
    pub(super) stop: &'c AtomicBool,
}

/// Where the scan stands after some calls.
struct State {
    place: Place,
    tally: Tally,
    calls: u64,
    why: Option<Incomplete>,
    refused: Option<GateError>,
}

/// The grant that a plan is read under: none where the profile asks for none.
pub(super) fn needed_grant(
    named: Option<GrantId>,
    bytes: Bytes,
    free: Bytes,
    environment: &Environment,
) -> anyhow::Result<Option<GrantId>> {
    if named.is_some() || bytes <= free {
        return Ok(named);
    }
    let store = GrantStore::open(trail::state_dir(environment)?)?;
    match store.chosen(trail::actor())? {
        Some(chosen) => Ok(Some(chosen)),
        None => Err(NeedsApproval { bytes, free }.into()),
    }
}

impl Calls<'_> {
    /// Runs calls until the plan is done, or one has ended for a reason that another one would too.
    pub(super) fn run(&self, place: Place, to: To) -> anyhow::Result<Exit> {
        let to_stdout = matches!(to, To::Stdout(_));
        let granules = self.plan.steps(place).count() as u64;
        let list = self.list.then(|| List::of(&to));
        let mut records = Records {
            to,
            list,
            keys: self.keys.of_output(),
            plan: self.digest,
            grant: self.grant,
            progress: Progress::start(self.clock, self.masker.rules(), granules, to_stdout),
        };
        let mut state =
            State { place, tally: Tally::default(), calls: 0, why: None, refused: None };
        let mut log = trail::open(self.environment)?;
        loop {
            let ended = self.call(&state, &mut log, &mut records)?;
            state.calls += 1;
            state.place = ended.place;
            state.tally.merge(&ended.tally);
            records.progress.end_call();
            records.checkpoint(ended.place)?;
            (state.why, state.refused) = (ended.why, ended.refused);
            if let Some(error) = ended.output
                && error.kind() != std::io::ErrorKind::BrokenPipe
            {
                records.progress.erase();
                console::say(format_args!("cannot write the output: {error}"));
            }
            let goes_on = matches!(state.why, Some(Incomplete::Bytes | Incomplete::Time));
            if !(self.all && goes_on) {
                break;
            }
        }
        log.close(self.clock).context("the audit trail could not be closed")?;
        records.progress.erase();
        if let Err(error) = self.learn(&state.tally) {
            // What a scan costs is learned another time.
            console::say(format_args!("warning: {error}"));
        }
        self.finish(&state, records)
    }

    /// Keeps what the granules have cost, for the plans to come.
    fn learn(&self, tally: &Tally) -> anyhow::Result<()> {
        let keeper = Keeper::new(trail::state_dir(self.environment)?);
        let (mut model, _) = keeper.model(self.clock)?;
        let source = self.keys.source(self.plan);
        let mut slow = false;
        for (format, (bytes, cpu)) in &tally.costs {
            let sample = Sample { source, format, bytes: *bytes, cpu: *cpu };
            let known = model.predict(source, format, *bytes).basis != Basis::Unmeasured;
            slow |= model.learn(sample) == Learned::Slow && known;
        }
        keeper.keep_learned(&model)?;
        if slow && !self.quiet {
            console::say(format_args!(
                "it took more than one and a half times what was predicted: 'locklog calibrate' \
                 measures this machine again"
            ));
        }
        Ok(())
    }

    /// One call, between its two entries.
    fn call(
        &self,
        state: &State,
        log: &mut AuditLog,
        records: &mut Records<'_, '_>,
    ) -> anyhow::Result<Ended> {
        let mut gate: Box<dyn Gate + '_> = match self.grant {
            Some(grant) => {
                let store = GrantStore::open(trail::state_dir(self.environment)?)?;
                let used = Use { grant, actor: trail::actor(), plan: self.digest };
                Box::new(Granted::new(store, used, self.clock))
            }
            None => Box::new(Unapproved),
        };
        let begun = log.begin(&self.action()?, self.clock)?;
        let limit = self.limit.map(|limit| limit.saturating_sub(state.tally.served));
        let call = Call {
            plan: self.plan,
            key: &self.keys.hash,
            masker: self.masker,
            policy: self.policy,
            want: self.want,
            threads: self.threads,
            limit,
            clock: self.clock,
            stop: self.stop,
        };
        let ended = call.run(state.place, &mut *gate, records);
        let rules = self.masker.rules();
        let outcome = match &ended {
            Err(_) => Outcome::Failed { counts: crate::audit::Counts::default() },
            Ok(ended) => {
                let counts = summary::counts(&ended.tally, rules);
                match stop_of(ended) {
                    Some(reason) => Outcome::Incomplete { counts, reason },
                    None => Outcome::Done { counts, grant: None },
                }
            }
        };
        log.end(begun, &outcome, self.clock)
            .context("it was served, but its end is not in the audit trail")?;
        Ok(ended?)
    }

    fn action(&self) -> anyhow::Result<Action> {
        let request = self.plan.request();
        let selector = request.selector().map(|text| note(self.masker, &text)).transpose()?;
        let limits = self.plan.limits();
        Ok(Action::Scan {
            source: self.keys.source(self.plan),
            plan: self.digest,
            grant: self.grant,
            profile: note(self.masker, &request.profile)?,
            selector,
            bytes_max: self.plan.bytes().min(limits.bytes).get(),
        })
    }

    /// Says what was done and how to go on, and picks the exit code.
    fn finish(&self, state: &State, mut records: Records<'_, '_>) -> anyhow::Result<Exit> {
        let cursor = match state.why {
            Some(_) => Some(records.cursor(state.place).seal(&self.keys.sealer)?),
            None => None,
        };
        let reason = match (&state.refused, state.why) {
            (Some(error), _) => Some(error.to_string()),
            (None, Some(why)) => Some(why.to_string()),
            (None, None) => None,
        };
        let elapsed: Duration = self.clock.elapsed();
        let rules = self.masker.rules();
        let done = (state.calls, elapsed);
        let summary = Summary::new(&state.tally, rules, reason.clone(), cursor.as_deref(), done);
        if records.list.is_some() {
            records.end_list()?;
        }
        if self.trailer {
            records.to.trailer(summary.line().as_bytes())?;
        }
        if !self.quiet {
            summary.text().into_iter().for_each(|line| console::say(format_args!("{line}")));
        }
        if let (Some(reason), Some(cursor)) = (reason, cursor) {
            console::say(format_args!("incomplete: {reason}; go on with --cursor {cursor}"));
        } else if let To::File(file) = records.to {
            file.complete()?;
        }
        Ok(exit(state))
    }
}

/// Text of the command line or of a plan, masked.
pub(in crate::cli) fn note(masker: &Masker, text: &str) -> anyhow::Result<Note> {
    let raw = read_value(text.as_bytes());
    let raw = raw.map_err(|_| UsageError("a selector has between 1 B and 16 KiB".to_owned()))?;
    Ok(masker.note(raw))
}

fn stop_of(ended: &Ended) -> Option<Stop> {
    match ended.why {
        Some(Incomplete::Bytes | Incomplete::Memory) => Some(Stop::Budget),
        Some(Incomplete::Time) => Some(Stop::Deadline),
        Some(Incomplete::Grant) => Some(Stop::Grant),
        Some(Incomplete::Stopped | Incomplete::Limit | Incomplete::Output) => Some(Stop::User),
        None if ended.tally.skipped > 0 => Some(Stop::Source),
        None if ended.tally.is_missing_records() => Some(Stop::Records),
        None => None,
    }
}

fn exit(state: &State) -> Exit {
    match (&state.refused, state.why) {
        (Some(GateError::Grant(error)), _) => Exit::of_grant(error),
        (Some(GateError::NotOpen), _) => Exit::Failed,
        (None, Some(_)) => Exit::Incomplete,
        (None, None) if state.tally.is_missing_records() => Exit::Incomplete,
        (None, None) => Exit::Done,
    }
}
