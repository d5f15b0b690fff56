//! Links that lead somewhere, and a change log in its form.

use std::fs;
use std::path::Path;

use super::files_of;
use super::none_broken;

/// The groups of a change log entry, in their order.
const GROUPS: &[&str] =
    &["Security and privacy", "Breaking", "Detectors", "Added", "Changed", "Fixed", "Performance"];

/// Shown to bite by a link to `no-such.md` in `README.md`.
#[test]
fn links_between_documents_lead_somewhere() {
    let mut broken = Vec::new();
    let mut links = 0;
    for path in files_of(".", "md") {
        let text = fs::read_to_string(&path).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            links += 1;
            if !path.parent().unwrap_or(Path::new(".")).join(target).exists() {
                broken.push(format!("{}: '{target}' does not exist", path.display()));
            }
        }
    }
    none_broken(&broken);
    assert!(links > 0, "no link was found at all");
}

/// Shown to bite by swapping two groups, and by a bullet that wraps without its indent.
#[test]
fn the_change_log_has_its_form() {
    let text = fs::read_to_string("CHANGELOG.md").unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("# Changes"));
    let mut broken = Vec::new();
    let mut versions = Vec::new();
    let mut group = None;
    for (at, line) in text.lines().enumerate().skip(1) {
        let mut fail = |problem: &str| broken.push(format!("CHANGELOG.md:{}: {problem}", at + 1));
        if let Some(version) = line.strip_prefix("## ") {
            let dated = version.split_once(", ").is_some_and(|(number, date)| {
                number.split('.').filter(|part| part.parse::<u32>().is_ok()).count() == 3
                    && date.len() == 10
                    && date.split('-').all(|part| part.parse::<u32>().is_ok())
            });
            if version != "Unreleased" && !dated {
                fail("a version is 'Unreleased' or '1.2.3, 2026-01-31'");
            }
            versions.push(version);
            group = None;
        } else if let Some(name) = line.strip_prefix("### ") {
            match GROUPS.iter().position(|known| *known == name) {
                Some(place) if group.is_none_or(|last| last < place) => group = Some(place),
                Some(_) => fail("the group is out of order"),
                None => fail("there is no such group"),
            }
        } else if line.starts_with('#') {
            fail("no other heading");
        } else if group.is_some()
            && !line.is_empty()
            && !line.starts_with("- ")
            && !line.starts_with("  ")
        {
            fail("a group holds bullets alone");
        }
    }
    none_broken(&broken);
    assert_eq!(versions.first(), Some(&"Unreleased"));
}
