//! Writes an outcome: as a table for reading, as CSV, as JSON.

use std::fmt::Write as _;

use crate::lab::s4::Outcome;
use crate::lab::s4::Row;

/// JSON with `rows`, `machine` and the rest of the outcome.
///
/// # Errors
///
/// When the outcome has no JSON form.
pub fn json(outcome: &Outcome) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(outcome)
}

/// One line a corpus, peers as columns.
pub fn csv(outcome: &Outcome) -> String {
    let peers = peer_names(outcome);
    let mut out = String::from(
        "corpus,lines,line_bytes,published_matches,planted_matches,found_matches,extra_spans,\
         all_mb_s,all_cold_mb_s,without_secret_mb_s,published_mb_s,published_without_secret_mb_s,\
         ratio_to_fused_dfa,ratio_to_fused_dfa_cold,cv_percent",
    );
    for peer in &peers {
        put(&mut out, format_args!(",{peer}_mb_s,{peer}_cold_mb_s"));
    }
    out.push_str(",error\n");
    for row in &outcome.rows {
        put(
            &mut out,
            format_args!(
                "{},{},{:.1},{:.1},{:.1},{},{},{},{},{},{},{},{},{},{}",
                row.corpus,
                row.lines,
                row.line_bytes,
                row.published_matches,
                row.planted_matches,
                cell(row.found_matches, 1),
                row.extra_spans.map_or(String::new(), |spans| spans.to_string()),
                cell(row.all_mb_s, 1),
                cell(row.all_cold_mb_s, 1),
                cell(row.without_secret_mb_s, 1),
                row.published_mb_s,
                row.published_without_secret_mb_s,
                cell(row.ratio_to_fused_dfa, 2),
                cell(row.ratio_to_fused_dfa_cold, 2),
                cell(row.cv_percent, 1),
            ),
        );
        for peer in &peers {
            let (warm, cold) = peer_speeds(row, peer);
            put(&mut out, format_args!(",{},{}", cell(warm, 1), cell(cold, 1)));
        }
        put(&mut out, format_args!(",{}\n", quoted(&row.errors.join("; "))));
    }
    out
}

/// A table for a terminal or a Markdown file, with what stands beside it.
pub fn table(outcome: &Outcome) -> String {
    let peers = peer_names(outcome);
    let mut out = String::from(
        "MB/s (10^6 bytes) of processor time on one core; warm / cold values\n\n\
         | corpus | bytes/line | matches/line: published, planted, found (extra spans) | all detectors | without secret | published: all, without secret |",
    );
    for peer in &peers {
        put(&mut out, format_args!(" {peer} |"));
    }
    out.push_str(" times the fused DFA | CV % |\n|---|---|---|---|---|---|");
    out.push_str(&"---|".repeat(peers.len() + 2));
    out.push('\n');
    for row in &outcome.rows {
        put(
            &mut out,
            format_args!(
                "| {} | {:.0} | {:.1}, {:.1}, {} ({}) | {} | {} | {}, {} |",
                row.corpus,
                row.line_bytes,
                row.published_matches,
                row.planted_matches,
                dash(row.found_matches, 1),
                row.extra_spans.map_or("–".to_owned(), |spans| spans.to_string()),
                pair(row.all_mb_s, row.all_cold_mb_s, 0),
                dash(row.without_secret_mb_s, 0),
                row.published_mb_s,
                row.published_without_secret_mb_s,
            ),
        );
        for peer in &peers {
            let (warm, cold) = peer_speeds(row, peer);
            put(&mut out, format_args!(" {} |", pair(warm, cold, 0)));
        }
        let ratios = pair(row.ratio_to_fused_dfa, row.ratio_to_fused_dfa_cold, 2);
        put(&mut out, format_args!(" {ratios} | {} |\n", dash(row.cv_percent, 1)));
    }
    beside(outcome, &mut out);
    out
}

fn beside(outcome: &Outcome, out: &mut String) {
    out.push('\n');
    for row in &outcome.parse {
        put(
            out,
            format_args!(
                "parse only, {}: {} MB/s (published {}); simd-json's tape {}, serde_json {}; ours is {} times the tape\n",
                row.corpus,
                dash(row.ours_mb_s, 0),
                row.published_mb_s,
                dash(row.simd_json_tape_mb_s, 0),
                dash(row.serde_json_mb_s, 0),
                dash(row.ratio_to_tape, 2),
            ),
        );
    }
    if let Some(event) = &outcome.event_256k {
        let found = if event.last_kib_found { "found" } else { "NOT FOUND" };
        put(
            out,
            format_args!(
                "one event of {} bytes: {} ms (published {} ms); the value in its last KiB was {found}\n",
                event.bytes,
                dash(event.ms, 3),
                event.published_ms,
            ),
        );
    }
    if let Some(stability) = &outcome.stability {
        put(
            out,
            format_args!(
                "five runs of a mixed corpus: {:?} MB/s, CV {} % (published {} %)\n",
                stability.runs_mb_s, stability.cv_percent, stability.published_cv_percent,
            ),
        );
    }
    if let Some(ns) = outcome.name_ns {
        put(out, format_args!("one name that is not in the cache: {ns} ns\n"));
    }
    for row in &outcome.rows {
        for error in &row.errors {
            put(out, format_args!("ERROR {}: {error}\n", row.corpus));
        }
    }
    for row in &outcome.parse {
        for error in &row.errors {
            put(out, format_args!("ERROR parse only, {}: {error}\n", row.corpus));
        }
    }
    for error in &outcome.errors {
        put(out, format_args!("ERROR {error}\n"));
    }
}

fn peer_names(outcome: &Outcome) -> Vec<String> {
    let mut names: Vec<String> = outcome
        .rows
        .iter()
        .flat_map(|row| row.peers.keys().chain(row.peers_cold.keys()))
        .cloned()
        .collect();
    names.sort();
    names.dedup();
    names
}

fn peer_speeds(row: &Row, peer: &str) -> (Option<f64>, Option<f64>) {
    (row.peers.get(peer).copied().flatten(), row.peers_cold.get(peer).copied().flatten())
}

fn cell(value: Option<f64>, places: usize) -> String {
    value.map_or(String::new(), |value| format!("{value:.places$}"))
}

fn dash(value: Option<f64>, places: usize) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.places$}"))
}

fn pair(warm: Option<f64>, cold: Option<f64>, places: usize) -> String {
    format!("{} / {}", dash(warm, places), dash(cold, places))
}

fn quoted(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to memory does not fail");
}
