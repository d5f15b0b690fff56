//! Checks the shape of the source tree: who may use whom, who may touch raw text, how long a file
//! may be, what no file may hold. It reads text, not syntax, and needs nothing but the tree.

#![allow(
    clippy::unwrap_used,
    clippy::string_slice,
    clippy::indexing_slicing,
    reason = "a failed check should panic"
)]

#[path = "tidy/documents.rs"]
mod documents;
#[path = "tidy/layers.rs"]
mod layers;
#[path = "tidy/source.rs"]
mod source;

use std::fs;
use std::path::Path;
use std::path::PathBuf;

/// Folders that hold no source of ours.
const SKIPPED: &[&str] = &["target", ".git", "artifacts"];

/// Every file below `dir`, in order.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() {
            if !SKIPPED.contains(&name.as_ref()) {
                all.extend(files(&path));
            }
        } else if name != ".git" {
            all.push(path);
        }
    }
    all.sort();
    all
}

/// The files below `dir` whose names end in `.extension`.
fn files_of(dir: &str, extension: &str) -> Vec<PathBuf> {
    let mut all = files(Path::new(dir));
    all.retain(|path| path.extension().is_some_and(|found| found == extension));
    all
}

fn rust_files(dir: &str) -> Vec<PathBuf> {
    files_of(dir, "rs")
}

/// Fails with every broken place at once.
fn none_broken(broken: &[String]) {
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}
