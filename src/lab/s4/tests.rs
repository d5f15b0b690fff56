use super::*;
use crate::time::SystemClock;

fn small(corpus: &str, peers: Peers) -> Outcome {
    let corpora = vec![corpus::find(corpus).unwrap()];
    let options = Options { corpora, lines: 20, detectors: Detectors::All, peers };
    run(&options, &SystemClock::start(), &mut |_| {}).unwrap()
}

#[test]
fn a_small_run_has_all_its_columns() {
    let outcome = small("nginx", Peers::Beside);
    assert!(!outcome.failed(), "{}", report::table(&outcome));
    let json: serde_json::Value = serde_json::from_str(&report::json(&outcome).unwrap()).unwrap();
    let row = &json["rows"][0];
    assert_eq!(row["corpus"], "nginx");
    for column in ["all_mb_s", "all_cold_mb_s", "without_secret_mb_s", "published_mb_s"] {
        assert!(row[column].as_f64().unwrap() > 0.0, "{column}");
    }
    for peer in ["fused-dfa-24", "regex-24", "memchr"] {
        assert!(row["peers"][peer].as_f64().unwrap() > 0.0, "{peer}");
    }
    assert!(json["machine"]["cpus"].as_u64().unwrap() >= 1);
    assert_eq!(json["event_256k"]["last_kib_found"], true);
    assert_eq!(json["stability"]["runs_mb_s"].as_array().unwrap().len(), 5);
    assert!(json["name_ns"].as_f64().unwrap() > 0.0);
    assert_eq!(report::csv(&outcome).lines().count(), 2);
}

#[test]
fn a_run_can_be_kept() {
    let outcome = small("syslog", Peers::Absent);
    let folder = std::env::temp_dir().join(format!("locklog-record-{}", std::process::id()));
    let written =
        record::write(&outcome, &folder, std::time::Duration::from_secs(86_400), "spike s4")
            .unwrap();
    assert!(written.file_name().unwrap().to_str().unwrap().starts_with("1970-01-02-"));
    for file in ["README.md", "summary.txt", "raw.csv", "rows.csv", "machine.txt"] {
        assert!(std::fs::metadata(written.join(file)).unwrap().len() > 50, "{file}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
