//! Keys: made once, never replaced, refused when others can read them.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use crate::support::Scratch;
use crate::support::as_str;

fn mode(path: &std::path::Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn set_mode(path: &std::path::Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn the_first_call_makes_a_key_and_says_where() {
    let scratch = Scratch::new();
    let first = scratch.run_with_input(&["mask"], b"ann@example.com\n");
    assert_eq!(first.code, 0, "{}", first.err);
    assert!(first.err.contains(as_str(&scratch.key())), "{}", first.err);
    assert_eq!(fs::read(scratch.key()).unwrap().len(), 32);
    assert_eq!(mode(&scratch.key()), 0o600);
    assert_eq!(mode(&scratch.path("state")), 0o700);
    assert_eq!(fs::read_dir(scratch.path("state")).unwrap().count(), 1, "no other file stays");

    let second = scratch.run_with_input(&["mask"], b"ann@example.com\n");
    assert_eq!((second.code, second.err.as_str()), (0, ""));
    assert_eq!(first.out, second.out);
}

/// Shown to bite by renaming the key in place of linking it: there are several keys then.
#[test]
fn processes_that_start_at_once_use_one_key() {
    for _ in 0..5 {
        let scratch = Scratch::new();
        let children: Vec<_> = (0..8)
            .map(|_| {
                let mut command = scratch.locklog(&["pseudonym", "EMAIL"]);
                command.stdin(Stdio::piped()).spawn().unwrap()
            })
            .collect();
        let mut names = BTreeSet::new();
        let mut notices = 0;
        for mut child in children {
            std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"ann@example.com")
                .unwrap();
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            notices += usize::from(!output.stderr.is_empty());
            names.insert(output.stdout);
        }
        assert_eq!((names.len(), notices), (1, 1));
        assert_eq!(fs::read_dir(scratch.path("state")).unwrap().count(), 1);
    }
}

#[test]
fn a_key_that_is_not_in_order_is_an_error_and_stays() {
    for len in [0, 1, 31, 33, 4096] {
        let scratch = Scratch::new();
        fs::create_dir(scratch.path("state")).unwrap();
        let key = scratch.file("state/key", vec![7; len]);
        set_mode(&key, 0o600);
        let ran = scratch.run_with_input(&["mask"], b"ann@example.com\n");
        assert_eq!((ran.code, ran.out.len()), (1, 0));
        assert!(ran.err.contains(&format!("has {len} bytes, not 32")), "{}", ran.err);
        assert_eq!(fs::read(&key).unwrap(), vec![7; len]);
    }
    for open in [0o640, 0o604, 0o620, 0o666, 0o601] {
        let scratch = Scratch::new();
        let key = scratch.file("key", [7; 32]);
        set_mode(&key, open);
        let ran = scratch.run(&["key", "show-id", "--key-file", "key"]);
        assert_eq!(ran.code, 1);
        assert!(ran.err.contains(&format!("mode {open:04o}")), "{}", ran.err);
        assert_eq!(mode(&key), open);
    }
}

#[test]
fn folders_links_and_open_folders() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("folder")).unwrap();
    let ran = scratch.run(&["key", "show-id", "--key-file", "folder"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("not a regular file"), "{}", ran.err);

    // A link to a good key is fine (that is how secrets are mounted), one to nothing is no place
    // to make a key at.
    let key = scratch.file("real", [7; 32]);
    set_mode(&key, 0o600);
    std::os::unix::fs::symlink("real", scratch.path("link")).unwrap();
    assert_eq!(scratch.run(&["key", "show-id", "--key-file", "link"]).code, 0);
    std::os::unix::fs::symlink("nothing", scratch.path("dangling")).unwrap();
    assert_eq!(scratch.run(&["key", "new", "--key-file", "dangling"]).code, 1);
    assert!(!scratch.path("nothing").exists());

    fs::create_dir(scratch.path("open")).unwrap();
    set_mode(&scratch.path("open"), 0o777);
    let ran = scratch.run(&["key", "new", "--key-file", "open/key"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("mode 0777"), "{}", ran.err);
    assert_eq!(fs::read_dir(scratch.path("open")).unwrap().count(), 0);
}

#[test]
fn key_new_does_not_overwrite_and_show_id_does_not_make() {
    let scratch = Scratch::new();
    let ran = scratch.run(&["key", "show-id"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("locklog key new"), "{}", ran.err);
    assert!(!scratch.key().exists());

    let made = scratch.run(&["key", "new"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let before = fs::read(scratch.key()).unwrap();
    let again = scratch.run(&["key", "new"]);
    assert_eq!(again.code, 1);
    assert!(again.err.contains("not overwritten"), "{}", again.err);
    assert_eq!(fs::read(scratch.key()).unwrap(), before);

    let shown = scratch.run(&["key", "show-id"]);
    let id = shown.text().trim_end();
    assert_eq!(id.len(), 4);
    assert!(made.text().starts_with(&format!("{id} ")));
    let marker = scratch.run_with_input(&["pseudonym", "EMAIL"], b"ann@example.com\n");
    assert!(marker.text().starts_with(&format!("EMAIL_{id}_")), "{}", marker.text());
}

#[test]
fn an_ephemeral_key_is_written_nowhere() {
    let scratch = Scratch::new();
    let run = || scratch.run_with_input(&["mask", "--ephemeral-key"], b"ann@example.com\n");
    let (one, two) = (run(), run());
    assert_eq!((one.code, one.err.as_str()), (0, ""));
    assert_ne!(one.out, two.out);
    assert!(!scratch.path("state").exists());
}

#[test]
fn a_pseudonym_is_the_one_that_mask_gives() {
    let scratch = Scratch::new();
    let name = scratch.run_with_input(&["pseudonym", "EMAIL"], b"Ann@Example.com\n");
    let masked = scratch.run_with_input(&["mask"], b"from ann@example.com to\n");
    assert_eq!(format!("from {} to\n", name.text().trim_end()), masked.text());
}

#[test]
fn a_value_on_the_command_line_is_refused_and_not_repeated() {
    let scratch = Scratch::new();
    let ran = scratch.run(&["pseudonym", "EMAIL", "ann@example.com"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("standard input") && !ran.err.contains("example"), "{}", ran.err);
    assert_eq!(scratch.run_with_input(&["pseudonym", "NO_SUCH"], b"x").code, 2);
    assert_eq!(scratch.run_with_input(&["pseudonym", "EMAIL"], b"").code, 1);
}
