//! Each bad input with its message and its exit code.

use std::os::unix::fs::symlink;

use super::DAY;
use super::cursor;
use super::records;
use crate::support::Scratch;

/// Arguments, exit code, and what the message says.
const BAD: &[(&[&str], i32, &str)] = &[
    (&["scan"], 2, "name a file, a pattern or a source"),
    (&["scan", "none.log"], 2, "no file none.log"),
    (&["scan", "*.none"], 2, "no file *.none"),
    (&["scan", "[*"], 2, "pattern [*"),
    (&["scan", "folder"], 2, "name a file, or a pattern"),
    (&["scan", "loop"], 2, "symbolic links lead in a circle"),
    (&["scan", "app.log", "--since", "soon"], 2, "--since: a time is as in 2h (ago)"),
    (&["scan", "app.log", "--from", "2026-02-30"], 2, "--from: there is no such day"),
    (&["scan", "app.log", "--to", "9999999999999999999999"], 2, "--to: a time lies between"),
    (&["scan", "app.log", "--from", "1h", "--to", "2h"], 2, "which is not after its beginning"),
    (&["scan", "app.log", "--since", "1h", "--to", "now"], 2, "cannot be used with"),
    (&["scan", "app.log", "--zone", "CET"], 2, "a zone is UTC or a distance from it"),
    (&["scan", "app.log", "--profile", "none"], 2, "no profile 'none'"),
    (&["scan", "app.log", "--match", ""], 2, "the text to match has 0 bytes, expected 1 to 1024"),
    (&["scan", "app.log", "--match-re", "("], 2, "--match-re is not a regular expression"),
    (&["scan", "app.log", "--max-bytes", "64 MB"], 2, "a size ends with B, KiB, MiB, GiB or TiB"),
    (&["scan", "app.log", "--max-bytes", "1KiB"], 4, "at least 2 MiB are needed"),
    (&["scan", "app.log", "--max-bytes", "65GiB"], 4, "at most 64 GiB are allowed: ask for less"),
    (&["scan", "app.log", "--limit", "0"], 2, "--limit"),
    (&["scan", "app.log", "--resume"], 2, "--output"),
    (&["scan", "app.log", "--output", "app.log"], 2, "app.log exists and is not overwritten"),
    (&["scan", "--output", "new.txt", "--resume"], 2, "new.txt has no checkpoint"),
    (&["scan", "--cursor", "x"], 2, "a cursor begins with cur_"),
    (&["scan", "--cursor", "cur_00"], 2, "made with another key, or changed since"),
    (&["scan", "--grant", "gr_0000000000000000"], 2, "no grant gr_0000000000000000"),
    (&["scan", "--grant", "x"], 2, "a grant id: gr_ and 16 hexadecimal digits"),
    (&["scan", "app.log", "--config", "none.toml"], 2, "none.toml: No such file"),
    (&["scan", "app.log", "--config", "bad.toml"], 2, "missing field `production`"),
    (&["scan", "shop", "--config", "shop.toml"], 5, "0 B need no approval"),
    (&["scan", "app.log", "--config", "shop.toml"], 5, "0 B need no approval"),
    (
        &["scan", "shop", "--config", "shop.toml", "--profile", "./own.toml"],
        2,
        "a built-in profile",
    ),
    (&["plan", "app.log", "--within", "0s"], 2, "--within is 0 s"),
    (&["plan", "none.log"], 2, "no file none.log"),
];

#[test]
fn each_bad_input_has_its_message_and_its_code() {
    let scratch = Scratch::new();
    scratch.file("app.log", records(DAY, 10));
    std::fs::create_dir(scratch.path("folder")).unwrap();
    symlink("loop", scratch.path("loop")).unwrap();
    scratch.file("bad.toml", "[sources.shop]\npaths = ['app.log']\n");
    scratch.file("shop.toml", "[sources.shop]\npaths = ['app.log']\nproduction = true\n");
    for (args, code, message) in BAD {
        let ran = scratch.run(args);
        assert!(ran.err.contains(message), "{args:?} says {:?}, not {message:?}", ran.err);
        assert_eq!(ran.code, *code, "{args:?}: {}", ran.err);
        assert!(ran.out.is_empty(), "{args:?} gives output");
    }
}

#[test]
fn a_cursor_belongs_to_its_plan_its_key_and_its_program() {
    let scratch = Scratch::new();
    scratch.file("app.log", records(DAY, 20_000));
    let ran = scratch.run(&["scan", "app.log", "--max-bytes", "2MiB"]);
    let at = cursor(&ran);
    let refused = |args: &[&str], message: &str| {
        let ran = scratch.run(args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
        assert!(ran.err.contains(message) && ran.out.is_empty(), "{args:?}: {}", ran.err);
    };
    let own = "bring their own plan";
    refused(&["scan", "app.log", "--cursor", &at, "--since", "1h"], own);
    refused(&["scan", "other.log", "--cursor", &at], own);
    let changed = format!("{}{}", &at[..at.len() - 1], if at.ends_with('0') { '1' } else { '0' });
    refused(&["scan", "--cursor", &changed], "changed since");
    refused(&["scan", "--cursor", &at, "--key-file", "other.key"], "another key");
    for entry in std::fs::read_dir(scratch.path("state/plans")).unwrap() {
        std::fs::remove_file(entry.unwrap().path()).unwrap();
    }
    refused(&["scan", "--cursor", &at], "is not kept any more: plan again");
}

#[test]
fn a_checkpoint_belongs_to_its_file() {
    let scratch = Scratch::new();
    scratch.file("app.log", records(DAY, 20_000));
    let begin = |name: &str| {
        let ran = scratch.run(&["scan", "app.log", "--max-bytes", "2MiB", "--output", name]);
        assert_eq!(ran.code, 3, "{}", ran.err);
    };
    let refused = |name: &str, message: &str| {
        let ran = scratch.run(&["scan", "--output", name, "--resume"]);
        assert_eq!(ran.code, 2, "{name}: {}", ran.err);
        assert!(ran.err.contains(message), "{name}: {}", ran.err);
    };
    begin("short.txt");
    scratch.file("short.txt", "x");
    refused("short.txt", "is not the file that its checkpoint counted");
    begin("other.txt");
    let text = std::fs::read(scratch.path("other.txt")).unwrap();
    std::fs::rename(scratch.path("other.txt"), scratch.path("kept.txt")).unwrap();
    scratch.file("other.txt", &text);
    refused("other.txt", "is not the file that its checkpoint counted");
    begin("changed.txt");
    let mut text = std::fs::read(scratch.path("changed.txt")).unwrap();
    let end = text.len();
    text[end - 5] ^= 1;
    scratch.file("changed.txt", &text);
    refused("changed.txt", "was changed since its checkpoint");
    begin("seal.txt");
    scratch.file("seal.txt.checkpoint", "x".repeat(100));
    refused("seal.txt", "seal.txt.checkpoint cannot be used");
}
