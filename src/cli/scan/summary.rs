//! What a scan did: for people, and as the last line of its output.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::audit;
use crate::audit::Kind;
use crate::detect::Rules;
use crate::fetch::Tally;
use crate::units::Bytes;

/// What is said at the end.
#[derive(Debug, Serialize)]
pub(super) struct Summary<'s> {
    complete: bool,
    reason: Option<String>,
    cursor: Option<&'s str>,
    bytes: u64,
    granules: u64,
    records: u64,
    served: u64,
    out_of_range: u64,
    without_time: u64,
    unwanted: u64,
    masked: BTreeMap<&'s str, u64>,
    withheld_fields: u64,
    untrusted_fields: u64,
    unread_records: u64,
    withheld_granules: u64,
    withheld_bytes: u64,
    lines_left_out: u64,
    bytes_left_out: u64,
    skipped: u64,
    skips: &'s [String],
    calls: u64,
    seconds: f64,
}

impl<'s> Summary<'s> {
    /// What `tally` says of `calls` calls; `reason` tells why the plan is not done.
    pub(super) fn new(
        tally: &'s Tally,
        rules: &'s Rules,
        reason: Option<String>,
        cursor: Option<&'s str>,
        (calls, elapsed): (u64, Duration),
    ) -> Summary<'s> {
        Summary {
            complete: reason.is_none() && !tally.is_missing_records(),
            reason,
            cursor,
            bytes: tally.bytes,
            granules: tally.granules,
            records: tally.records,
            served: tally.served,
            out_of_range: tally.out_of_range,
            without_time: tally.without_time,
            unwanted: tally.unwanted,
            masked: tally.report.named(rules).collect(),
            withheld_fields: tally.fields.withheld,
            untrusted_fields: tally.fields.untrusted,
            unread_records: tally.fields.unread,
            withheld_granules: tally.withheld_granules,
            withheld_bytes: tally.withheld_bytes,
            lines_left_out: tally.lines_left_out,
            bytes_left_out: tally.bytes_left_out,
            skipped: tally.skipped,
            skips: &tally.skips,
            calls,
            seconds: elapsed.as_secs_f64(),
        }
    }

    /// One JSON object on a line of its own.
    pub(super) fn line(&self) -> String {
        #[derive(Serialize)]
        struct Trailer<'t, 's> {
            locklog: &'t Summary<'s>,
        }
        serde_json::to_string(&Trailer { locklog: self }).unwrap_or_default() + "\n"
    }

    /// For people.
    pub(super) fn text(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "{} records of {}, {} read in {} granules, {} calls, {:.1} s",
            self.served,
            self.records,
            Bytes::new(self.bytes),
            self.granules,
            self.calls,
            self.seconds
        )];
        if !self.masked.is_empty() {
            let kinds: Vec<String> =
                self.masked.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            lines.push(format!("masked: {}", kinds.join(", ")));
        }
        for (count, what) in [
            (self.out_of_range, "records of another time"),
            (self.unwanted, "records not selected or not matching"),
            (self.without_time, "records without a time, given out"),
            (self.withheld_fields, "fields withheld"),
            (self.untrusted_fields, "trusted fields of another form, redacted"),
            (self.unread_records, "records with fields that cannot be read"),
            (self.withheld_granules, "granules withheld: masking them failed"),
            (self.lines_left_out, "lines left out: longer than 1 MiB"),
            (self.skipped, "parts skipped"),
        ] {
            if count > 0 {
                lines.push(format!("{count} {what}"));
            }
        }
        lines.extend(self.skips.iter().map(|skip| format!("skipped: {skip}")));
        lines
    }
}

/// The same for the audit trail.
pub(super) fn counts(tally: &Tally, rules: &Rules) -> audit::Counts {
    let kinds = tally.report.named(rules);
    audit::Counts {
        bytes: tally.bytes,
        records: tally.served,
        withheld: tally.withheld_granules + tally.lines_left_out,
        masked: kinds.filter_map(|(kind, count)| Some((Kind::new(kind)?, count))).collect(),
    }
}
