//! How many processors this process may use: affinity, and the quota of its control group.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use crate::cost::Cores;

/// Where control groups are mounted.
const MOUNT: &str = "/sys/fs/cgroup";
/// Which ones this process is in.
const OWN: &str = "/proc/self/cgroup";
/// Control groups above one another that are looked at.
const DEPTH_MAX: usize = 64;

/// Processors that this process may use.
pub fn cores() -> Cores {
    let allowed = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let own = fs::read_to_string(OWN).unwrap_or_default();
    let quota = quota(&own, Path::new(MOUNT), &|path| fs::read_to_string(path).ok());
    let allowed = Cores::thousandths(allowed * 1_000);
    // What the standard library takes off for a quota it rounds down; the quota itself is exact.
    match quota {
        Some(quota) if affinity() > 0 => quota.min(Cores::thousandths(affinity() * 1_000)),
        Some(quota) => quota.min(allowed),
        None => allowed,
    }
}

/// Processors of the affinity mask; 0 where the system does not tell.
fn affinity() -> u64 {
    rustix::thread::sched_getaffinity(None).map_or(0, |set| u64::from(set.count()))
}

/// The least quota of the groups in `own` (the text of `/proc/self/cgroup`) and those above them.
fn quota(own: &str, mount: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Option<Cores> {
    let mut least = None;
    for line in own.lines() {
        let mut fields = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(group)) =
            (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let found = if controllers.is_empty() {
            above(mount, group).find_map_least(|folder| v2(&read(&folder.join("cpu.max"))?))
        } else if controllers.split(',').any(|controller| controller == "cpu") {
            let named = above(&mount.join(controllers), group);
            let v1 = |folder: PathBuf| {
                let number = |name| read(&folder.join(name))?.trim().parse::<i64>().ok();
                v1(number("cpu.cfs_quota_us")?, number("cpu.cfs_period_us")?)
            };
            let short = above(&mount.join("cpu"), group);
            named.find_map_least(v1).or_else(|| short.find_map_least(v1))
        } else {
            None
        };
        least = match (least, found) {
            (Some(one), Some(other)) => Some(std::cmp::min::<Cores>(one, other)),
            (one, other) => one.or(other),
        };
    }
    least
}

/// A group's folder and those above it, up to the mount.
struct Above {
    mount: PathBuf,
    group: PathBuf,
}

fn above(mount: &Path, group: &str) -> Above {
    let group = Path::new(group.trim_start_matches('/'));
    // In a container, the path is that of the host, and the mount shows the group itself.
    let inside = group.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let group = if inside { group.to_owned() } else { PathBuf::new() };
    Above { mount: mount.to_owned(), group }
}

impl Above {
    fn find_map_least(&self, quota: impl Fn(PathBuf) -> Option<Cores>) -> Option<Cores> {
        let groups = self.group.ancestors().take(DEPTH_MAX);
        groups.filter_map(|group| quota(self.mount.join(group))).min()
    }
}

/// `150000 100000`, or `max 100000` for none.
fn v2(text: &str) -> Option<Cores> {
    let mut fields = text.split_whitespace();
    let quota = fields.next()?.parse().ok()?;
    v1(quota, fields.next()?.parse().ok()?)
}

/// A quota and its period in microseconds; −1 for none.
fn v1(quota: i64, period: i64) -> Option<Cores> {
    let (quota, period) = (u64::try_from(quota).ok()?, u64::try_from(period).ok()?);
    quota.saturating_mul(1_000).checked_div(period).map(Cores::thousandths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(own: &str, files: &[(&str, &str)]) -> Option<u64> {
        let read = |path: &Path| {
            let found = files.iter().find(|(name, _)| Path::new(name) == path);
            found.map(|(_, text)| (*text).to_owned())
        };
        quota(own, Path::new("/cg"), &read).map(Cores::get)
    }

    #[test]
    fn the_least_quota_counts() {
        let v2 = "0::/system/locklog\n";
        assert_eq!(with(v2, &[("/cg/system/locklog/cpu.max", "150000 100000\n")]), Some(1_500));
        let above = [
            ("/cg/system/locklog/cpu.max", "150000 100000\n"),
            ("/cg/system/cpu.max", "50000 100000\n"),
        ];
        assert_eq!(with(v2, &above), Some(500));
        assert_eq!(with(v2, &[("/cg/system/locklog/cpu.max", "max 100000\n")]), None);
        assert_eq!(with("0::/\n", &[("/cg/cpu.max", "200000 100000")]), Some(2_000));
        assert_eq!(with(v2, &[]), None);
        // The group of the host, seen from a container.
        assert_eq!(with("0::/../../outside\n", &[("/cg/cpu.max", "25000 100000")]), Some(250));
    }

    #[test]
    fn quotas_of_the_first_version() {
        let own = "5:cpu,cpuacct:/docker/1\n4:memory:/docker/1\n";
        let files = |folder: &str| {
            [
                (format!("/cg/{folder}/docker/1/cpu.cfs_quota_us"), "75000\n"),
                (format!("/cg/{folder}/docker/1/cpu.cfs_period_us"), "50000\n"),
            ]
        };
        for folder in ["cpu,cpuacct", "cpu"] {
            let files = files(folder);
            let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
            assert_eq!(with(own, &files), Some(1_500), "{folder}");
        }
        let none =
            [("/cg/cpu/cpu.cfs_quota_us", "-1\n"), ("/cg/cpu/cpu.cfs_period_us", "100000\n")];
        assert_eq!(with("5:cpu:/\n", &none), None);
    }

    #[test]
    fn this_machine_has_some() {
        assert!(cores().get() > 0);
    }
}
