//! Keeps an outcome: a folder with the summary, all samples, and the machine.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::lab::s4::Outcome;
use crate::lab::s4::report;
use crate::time::civil_date;

/// Writes `<runs>/<date>-<machine>/` and says where it is. A run of the same day and machine is
/// replaced.
///
/// # Errors
///
/// When the folder or a file cannot be written.
pub fn write(
    outcome: &Outcome,
    runs: &Path,
    since_1970: Duration,
    command: &str,
) -> io::Result<PathBuf> {
    let (year, month, day) = civil_date(since_1970);
    let date = format!("{year:04}-{month:02}-{day:02}");
    let folder = runs.join(format!("{date}-{}", outcome.machine.slug()));
    fs::create_dir_all(&folder)?;
    let head = format!("command: {command}\ndate: {date}\nDo not edit.\n");
    fs::write(folder.join("README.md"), readme(outcome, &date, command))?;
    fs::write(folder.join("summary.txt"), format!("{head}\n{}", report::table(outcome)))?;
    fs::write(folder.join("machine.txt"), format!("{head}\n{}", outcome.machine.text()))?;
    fs::write(folder.join("rows.csv"), report::csv(outcome))?;
    fs::write(folder.join("raw.csv"), raw(outcome))?;
    Ok(folder)
}

fn readme(outcome: &Outcome, date: &str, command: &str) -> String {
    format!(
        "# {date}, {}\n\n`{command}`\n\nGenerated: `summary.txt` is the table, `rows.csv` its cells, `raw.csv` every sample in integer\n\
         nanoseconds, `machine.txt` what it ran on.\n",
        outcome.machine.slug()
    )
}

/// Every sample: integers, so that nothing is rounded away.
fn raw(outcome: &Outcome) -> String {
    let mut out = String::from("corpus,column,bytes,round,passes,wall_ns,cpu_ns,error\n");
    for (corpus, timed) in &outcome.samples {
        match &timed.samples {
            Err(error) => put(
                &mut out,
                format_args!("{corpus},{},{},,,,,\"{error}\"\n", timed.label, timed.bytes),
            ),
            Ok(samples) => {
                for sample in samples {
                    put(
                        &mut out,
                        format_args!(
                            "{corpus},{},{},{},{},{},{},\n",
                            timed.label,
                            timed.bytes,
                            sample.round,
                            sample.passes,
                            sample.wall.as_nanos(),
                            sample.cpu.as_nanos(),
                        ),
                    );
                }
            }
        }
    }
    out
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to memory does not fail");
}
