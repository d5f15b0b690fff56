//! Running the program in a folder of its own.

use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Output;
use std::process::Stdio;

/// A folder that is gone after the test, with a state directory in it.
pub(crate) struct Scratch {
    dir: tempfile::TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        Scratch { dir: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file and gives its path.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn key(&self) -> PathBuf {
        self.path("state/key")
    }

    /// The program, in the folder, with nothing of the user's environment.
    pub(crate) fn locklog(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_locklog"));
        command
            .args(args)
            .current_dir(self.dir.path())
            .env_clear()
            .env("LOCKLOG_STATE_DIR", self.path("state"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::from(self.locklog(args).output().unwrap())
    }

    pub(crate) fn run_with_input(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut child = self.locklog(args).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::thread::scope(|scope| {
            // The program may end before it has read everything.
            scope.spawn(move || drop(stdin.write_all(input)));
            Ran::from(child.wait_with_output().unwrap())
        })
    }
}

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code().expect("it ends by itself"),
            out: output.stdout,
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    /// Standard output as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }
}

pub(crate) fn as_str(path: &Path) -> &str {
    path.to_str().unwrap()
}
