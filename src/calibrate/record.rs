//! Keeps a calibration as a folder of the source tree.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use super::measure::Calibration;
use crate::cost::Cores;
use crate::lab::machine::Machine;
use crate::time::civil_date;

/// Writes `<runs>/<date>-<machine>/` and says where it is. A calibration of the same day and machine
/// is replaced.
///
/// # Errors
///
/// When the folder or a file cannot be written.
pub fn record(
    calibration: &Calibration,
    cores: Cores,
    runs: &Path,
    command: &str,
) -> io::Result<PathBuf> {
    let machine = Machine::read();
    let (year, month, day) = civil_date(calibration.table.measured);
    let date = format!("{year:04}-{month:02}-{day:02}");
    let folder = runs.join(format!("{date}-{}", machine.slug()));
    fs::create_dir_all(&folder)?;
    let commit = machine.commit.as_deref().unwrap_or("unknown");
    let head = format!(
        "# command: {command}\n# version {}, commit {commit}, {date}. Do not edit.\n",
        machine.version
    );
    fs::write(folder.join("cost.toml"), format!("{head}{}", calibration.table.text()))?;
    fs::write(folder.join("machine.txt"), format!("{head}quota: {cores}\n{}", machine.text()))?;
    let mut raw = format!("{head}corpus,bytes,cpu_ns\n");
    for pass in &calibration.passes {
        writeln!(raw, "{},{},{}", pass.corpus, pass.bytes.get(), pass.cpu.as_nanos()).unwrap_or(());
    }
    fs::write(folder.join("raw.csv"), raw)?;
    Ok(folder)
}
