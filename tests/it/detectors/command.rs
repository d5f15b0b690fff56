//! `locklog detectors` as a program.

use crate::support::Scratch;
use crate::support::as_str;

const SITE: &str = r#"[[detector]]
id = "site.ticket"
kind = "TICKET"
summary = "Ticket of the support desk."
tier = "self-identifying"
prefixes = ["TCK-"]
pattern = 'TCK-[0-9]{10}'
examples = ["opened TCK-1209341177 today"]
counterexamples = ["opened TCK-12 today"]
"#;

#[test]
fn list_and_show_tell_what_a_detector_is() {
    let scratch = Scratch::new();
    let list = scratch.run(&["detectors", "list"]);
    assert_eq!(list.code, 0, "{}", list.err);
    assert!(
        list.text()
            .lines()
            .any(|line| line.starts_with("contact.email ") && line.contains("EMAIL"))
    );
    let json = scratch.run(&["detectors", "list", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(json.text()).unwrap();
    let detectors = json["detectors"].as_array().unwrap();
    let kinds: u64 =
        json["kinds"].as_object().unwrap().values().filter_map(|count| count.as_u64()).sum();
    assert_eq!(kinds, detectors.len() as u64);
    let show = scratch.run(&["detectors", "show", "payment.iban"]);
    assert!(show.text().contains("mod 97") || show.text().contains("IBAN"), "{}", show.text());
    assert_eq!(scratch.run(&["detectors", "show", "payment.nothing"]).code, 2);
}

/// Shown to bite by a check that looks at the built-in detectors alone.
#[test]
fn detectors_of_a_site_are_checked_and_tested() {
    let scratch = Scratch::new();
    let dir = scratch.path("site");
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(dir.join("site.toml"), SITE).unwrap();
    let test = scratch.run(&["detectors", "test", "site.ticket", "--detectors", as_str(&dir)]);
    assert_eq!(test.code, 0, "{}{}", test.text(), test.err);
    assert!(test.text().contains("5 of 5"), "{}", test.text());
    std::fs::write(dir.join("site.toml"), SITE.replace("TCK-12 ", "TCK-1209341177 ")).unwrap();
    let check = scratch.run(&["detectors", "check", "--detectors", as_str(&dir)]);
    assert_eq!(check.code, 1, "{}", check.err);
    let told = |line: &str| line.starts_with("site.ticket: ") && line.contains("counter-example");
    assert!(check.text().lines().any(told), "{}", check.text());
}
