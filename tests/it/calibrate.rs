//! `locklog calibrate` as a program.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::Scratch;

#[test]
fn a_calibration_is_kept_shown_and_not_changed_by_noise() {
    let scratch = Scratch::new();
    let none = scratch.run(&["calibrate", "--show"]);
    assert_eq!(none.code, 3);
    assert!(none.err.contains("was not calibrated; predictions use 5 µs a byte"), "{}", none.err);
    let first = scratch.run(&["calibrate"]);
    assert_eq!(first.code, 0, "{}", first.err);
    for said in ["mixed 3 ", "nginx ", "CV ", "worst case ", "cores", "written to "] {
        assert!(first.text().contains(said), "{said}: {}", first.text());
    }
    let path = scratch.path("state/cost.toml");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
    let shown = scratch.run(&["calibrate", "--show"]);
    assert_eq!((shown.code, shown.text()), (0, fs::read_to_string(&path).unwrap().as_str()));

    // The table of another machine is reported and not used.
    let elsewhere = fs::read_to_string(&path).unwrap().replacen("machine = \"", "machine = \"x", 1);
    fs::write(&path, elsewhere).unwrap();
    let other = scratch.run(&["calibrate", "--show"]);
    assert_eq!(other.code, 3);
    assert!(other.err.contains("of another machine or version, x"), "{}", other.err);
    let outside = scratch.run(&["calibrate", "--record"]);
    assert_eq!(outside.code, 2, "{}", outside.err);
}
