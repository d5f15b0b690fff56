use std::time::Duration;

use super::*;
use crate::mask::Treatment;
use crate::mask::Unknown;
use crate::units::ParseBytesError;

#[test]
fn every_profile_of_the_folder_is_built_in_and_loads() {
    let mut found = 0;
    for entry in fs::read_dir("profiles").unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let profile = Profile::find(stem).unwrap();
            assert_eq!(profile.name(), stem);
            assert!(!profile.summary().is_empty());
            found += 1;
        }
    }
    assert_eq!(found, BUILT_IN.len());
}

#[test]
fn what_is_not_known_is_refused() {
    let (_, standard) = BUILT_IN[0];
    let parse = |text: &str| Profile::parse("x.toml", text);
    for (section, key) in [
        ("[limits]", "lines_max = 5"),
        ("[budgets]", "x = 1"),
        ("[approvals]", "self_approval = true"),
        ("[approvals.break_glass]", "x = 1"),
        ("[requests]", "x = 1"),
        ("[fields]", "trust = []"),
        ("[fields.trusted]", "email = [\"x\"]"),
        ("[detectors]", "x = 1"),
    ] {
        let text = standard.replace(&format!("{section}\n"), &format!("{section}\n{key}\n"));
        assert_ne!(text, standard, "{section}");
        assert!(matches!(parse(&text), Err(ProfileError::Form(..))), "{section} {key}");
    }
    assert!(matches!(parse(&format!("colour = 1\n{standard}")), Err(ProfileError::Form(..))));
    assert!(matches!(
        parse(&standard.replace("\"256 KiB\"", "\"256 KB\"")),
        Err(ProfileError::Quantity(QuantityError::Size(
            "limits.piece_bytes",
            ParseBytesError::UnknownUnit
        )))
    ));
    assert!(matches!(Profile::find("no-such"), Err(ProfileError::Unknown(_))));
    assert!(matches!(Profile::find("./no-such.toml"), Err(ProfileError::Io(..))));
}

#[test]
fn quantities_have_units_and_ranges() {
    let (_, standard) = BUILT_IN[0];
    for (old, new, message) in [
        ("\"256 KiB\"", "\"64 MiB\"", "limits.piece_bytes is 64 MiB, not between 4 KiB and 1 MiB"),
        (
            "\"64 GiB\"",
            "\"65 GiB\"",
            "budgets.call_bytes_ceiling is 65 GiB, not between 0 B and 64 GiB",
        ),
        (
            "\"30 s\"",
            "\"30\"",
            "budgets.call_time_max: expected a whole number, a blank and its unit (s, min, h)",
        ),
        ("\"30 s\"", "\"11 min\"", "budgets.call_time_max is 660 s, not between 1 s and 600 s"),
        (
            "\"1 person\"",
            "\"0 people\"",
            "approvals.approvers is 0 people, not between 1 people and 5 people",
        ),
        (
            "\"1 person\"",
            "\"1\"",
            "approvals.approvers: expected a whole number, a blank and its unit (people)",
        ),
        (
            "\"600 requests/min\"",
            "\"600 /s\"",
            "requests.rate: expected a whole number, a blank and its unit (requests/min)",
        ),
        (
            "lifetime_min = \"30 min\"",
            "lifetime_min = \"5 h\"",
            "approvals.lifetime_min is more than approvals.lifetime_max, expected at most that",
        ),
        (
            "call_bytes_ceiling = \"64 GiB\"",
            "call_bytes_ceiling = \"1 MiB\"",
            "budgets.call_bytes_max is more than budgets.call_bytes_ceiling, expected at most that",
        ),
    ] {
        let text = standard.replace(old, new);
        assert_ne!(text, standard, "{old}");
        let error = Profile::parse("x.toml", &text).unwrap_err();
        assert_eq!(error.to_string(), format!("profile: {message}"));
    }
}

#[test]
fn figures_are_those_of_the_measurements() {
    let gib = |gib: u64| Bytes::kib(gib << 20);
    for name in Profile::built_in() {
        let profile = Profile::find(name).unwrap();
        let budgets = profile.budgets();
        assert_eq!(budgets.call_bytes_max(), Bytes::kib(512 << 10), "{name}");
        assert_eq!(budgets.call_bytes_ceiling(), gib(64), "{name}");
        assert_eq!(budgets.call_time_max(), Duration::from_secs(30), "{name}");
        // No profile that anybody may name opens production.
        assert_eq!(budgets.unapproved_bytes_max(SourceClass::Production), Bytes::new(0), "{name}");
        let approvals = profile.approvals();
        assert!(approvals.approvers() >= 1);
        for (worst, lifetime) in [(1, 30), (20, 40), (100, 200), (1000, 240)] {
            let lifetime = Duration::from_mins(lifetime);
            assert_eq!(approvals.lifetime(Duration::from_mins(worst)), lifetime, "{name}");
        }
        assert_eq!(profile.requests().rate(SourceClass::Production).per_minute(), 240);
        assert_eq!(profile.requests().rate(SourceClass::NonProduction).per_minute(), 600);
    }
    let incident = Profile::find("incident").unwrap();
    assert_eq!(
        incident.budgets().unapproved_bytes_max(SourceClass::NonProduction),
        Bytes::kib(512 << 10)
    );
}

#[test]
fn policies_are_those_of_the_file() {
    let incident = Profile::find("incident").unwrap();
    assert_eq!(incident.policy().unknown(), Unknown::Redact);
    assert_eq!(incident.policy().treatment("password"), Treatment::Withhold);
    assert_eq!(incident.policy().treatment("User"), Treatment::Withhold);
    assert_eq!(incident.policy().treatment("msg"), Treatment::Redact);
    let strict = Profile::find("strict").unwrap();
    assert_eq!(strict.policy().treatment("msg"), Treatment::Withhold);
    let (_, standard) = BUILT_IN[0];
    let twice = standard.replace("redact = []", "redact = [\"level\"]");
    assert!(matches!(Profile::parse("x.toml", &twice), Err(ProfileError::Policy(_))));
    let bare = standard.replace("[fields.allow]\n", "[fields.allow]\nmsg = \"\"\n");
    assert!(matches!(Profile::parse("x.toml", &bare), Err(ProfileError::Policy(_))));
}
