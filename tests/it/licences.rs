//! Every crate that goes into the binary may be used and passed on.
//!
//! The list of allowed licences is that of `.deny.toml`. Shown to bite by taking `MIT` from it.

use std::collections::BTreeSet;
use std::process::Command;

#[test]
fn each_dependency_has_an_allowed_licence() {
    let deny: toml::Table = include_str!("../../.deny.toml").parse().unwrap();
    let list = deny["licenses"]["allow"].as_array().unwrap();
    let allowed: BTreeSet<&str> = list.iter().map(|name| name.as_str().unwrap()).collect();
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    // Offline: everything was fetched to build this test.
    let output = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--locked", "--offline", "--filter-platform"])
        .arg(host())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let mut broken = Vec::new();
    for package in packages {
        let licence = package["license"].as_str().unwrap_or("none");
        if !is_allowed(licence, &allowed) {
            broken.push(format!("{}: {licence}", package["name"]));
        }
    }
    assert!(packages.len() > 20, "only {} packages", packages.len());
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// True when one way of reading the expression needs allowed licences alone.
fn is_allowed(expression: &str, allowed: &BTreeSet<&str>) -> bool {
    let either = expression.replace('/', " OR ");
    // `(A OR B) AND C`: every part joined by AND needs one that is allowed.
    either.split(" AND ").all(|part| {
        let names = part.trim_matches(|c| c == '(' || c == ')').split(" OR ");
        names.map(|name| name.trim_matches(|c| c == '(' || c == ')' || c == ' ')).any(|name| {
            let plain = name.split(" WITH ").next().unwrap_or(name);
            allowed.contains(plain)
        })
    })
}

/// The compiler's name for this machine.
fn host() -> String {
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(compiler).arg("-vV").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    said.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}
