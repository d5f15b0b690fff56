//! What a figure was measured on.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use rustix::thread::CpuSet;
use rustix::thread::sched_getaffinity;
use rustix::thread::sched_setaffinity;
use serde::Serialize;

/// A machine and the code that ran on it; `None` where it does not say.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The processor's own name.
    pub cpu: Option<String>,
    /// Family, model and stepping, for processors whose name says little.
    pub cpu_model: Option<String>,
    /// Processors that this process may use.
    pub cpus: usize,
    /// Instruction sets that matter here, those present.
    pub features: Vec<&'static str>,
    /// Kernel release.
    pub kernel: Option<String>,
    /// Load averages when the run began.
    pub load: Option<String>,
    /// The processor that the run was pinned to.
    pub pinned_to: Option<usize>,
    /// Version of this program.
    pub version: &'static str,
    /// The oldest compiler that the source allows.
    pub rust_version: &'static str,
    /// Built with optimisations.
    pub optimised: bool,
    /// Commit of the source tree in the working directory.
    pub commit: Option<String>,
}

impl Machine {
    /// Asks the machine.
    pub fn read() -> Machine {
        let field = |name| {
            let info = fs::read_to_string("/proc/cpuinfo").ok()?;
            let line = info.lines().find(|line| line.starts_with(name))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let numbers = || {
            Some(format!("{}/{}/{}", field("cpu family")?, field("model\t")?, field("stepping")?))
        };
        let first_line = |path| Some(fs::read_to_string(path).ok()?.lines().next()?.to_owned());
        Machine {
            cpu: field("model name"),
            cpu_model: numbers(),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            features: features(),
            kernel: first_line("/proc/sys/kernel/osrelease"),
            load: first_line("/proc/loadavg"),
            pinned_to: None,
            version: env!("CARGO_PKG_VERSION"),
            rust_version: env!("CARGO_PKG_RUST_VERSION"),
            optimised: !cfg!(debug_assertions),
            commit: commit(Path::new(".")),
        }
    }

    /// A short name for a folder: processor and count.
    pub fn slug(&self) -> String {
        let mut slug = String::new();
        for c in self.cpu.as_deref().unwrap_or("unknown").chars() {
            match c {
                'A'..='Z' | 'a'..='z' | '0'..='9' => slug.push(c.to_ascii_lowercase()),
                _ if !slug.ends_with('-') && !slug.is_empty() => slug.push('-'),
                _ => {}
            }
        }
        format!("{}-{}cpu", slug.trim_end_matches('-'), self.cpus)
    }

    /// One line a fact.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let unknown = || "unknown".to_owned();
        let facts = [
            ("cpu", self.cpu.clone().unwrap_or_else(unknown)),
            ("family/model/stepping", self.cpu_model.clone().unwrap_or_else(unknown)),
            ("cpus", self.cpus.to_string()),
            ("features", self.features.join(" ")),
            ("kernel", self.kernel.clone().unwrap_or_else(unknown)),
            ("load at start", self.load.clone().unwrap_or_else(unknown)),
            ("pinned to", self.pinned_to.map_or("no processor".to_owned(), |cpu| cpu.to_string())),
            ("locklog", self.version.to_owned()),
            ("rust, at least", self.rust_version.to_owned()),
            ("optimised", self.optimised.to_string()),
            ("commit", self.commit.clone().unwrap_or_else(unknown)),
        ];
        for (name, fact) in facts {
            writeln!(text, "{name}: {fact}").expect("writing to memory does not fail");
        }
        text
    }
}

/// Keeps this thread on one processor, the last that it may use; `None` where that is refused.
pub fn pin_to_one_cpu() -> Option<usize> {
    let allowed = sched_getaffinity(None).ok()?;
    let cpu = (0..CpuSet::MAX_CPU).rev().find(|cpu| allowed.is_set(*cpu))?;
    let mut one = CpuSet::new();
    one.set(cpu);
    sched_setaffinity(None, &one).ok()?;
    Some(cpu)
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    let known = [
        ("avx2", std::arch::is_x86_feature_detected!("avx2")),
        ("avx512f", std::arch::is_x86_feature_detected!("avx512f")),
        ("avx512bw", std::arch::is_x86_feature_detected!("avx512bw")),
        ("avx512vbmi", std::arch::is_x86_feature_detected!("avx512vbmi")),
        ("bmi2", std::arch::is_x86_feature_detected!("bmi2")),
        ("gfni", std::arch::is_x86_feature_detected!("gfni")),
        ("sha", std::arch::is_x86_feature_detected!("sha")),
        ("vaes", std::arch::is_x86_feature_detected!("vaes")),
    ];
    known.iter().filter(|(_, present)| *present).map(|(name, _)| *name).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    vec![std::env::consts::ARCH]
}

/// The commit that is checked out in `tree`, read from its files.
fn commit(tree: &Path) -> Option<String> {
    let dot_git = tree.join(".git");
    let git: PathBuf = if dot_git.is_file() {
        // A linked worktree: the file says where its folder is.
        tree.join(fs::read_to_string(&dot_git).ok()?.strip_prefix("gitdir:")?.trim())
    } else {
        dot_git
    };
    let head = fs::read_to_string(git.join("HEAD")).ok()?;
    let Some(reference) = head.trim().strip_prefix("ref: ") else {
        return Some(head.trim().to_owned());
    };
    let common = fs::read_to_string(git.join("commondir"))
        .map_or(git.clone(), |common| git.join(common.trim()));
    if let Ok(commit) = fs::read_to_string(common.join(reference)) {
        return Some(commit.trim().to_owned());
    }
    let packed = fs::read_to_string(common.join("packed-refs")).ok()?;
    packed.lines().find_map(|line| Some(line.strip_suffix(reference)?.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slug_is_a_folder_name() {
        let machine =
            Machine { cpu: Some("Vendor(R) CPU @ 2.4GHz ".to_owned()), cpus: 2, ..Machine::read() };
        assert_eq!(machine.slug(), "vendor-r-cpu-2-4ghz-2cpu");
        assert!(machine.text().lines().count() > 8);
    }
}
