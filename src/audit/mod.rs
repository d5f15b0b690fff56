//! The trail: who saw what, under which grant, in lines that cannot be changed unnoticed.
//!
//! [`AuditLog::begin`] writes what is about to happen and gives an [`Open`] entry; only then may
//! anything be served, and [`AuditLog::end`] writes how it went. Each line is JSON and holds the hash
//! of the bytes of the line before it, so that a changed line breaks the chain behind it. Every
//! [`CHECKPOINT_LINES`] lines and at [`AuditLog::close`] a checkpoint is written whose keyed hash only
//! the holder of the audit key can make, and the *head*, a small file that says how long the trail
//! must be: without the key, a trail that was written anew or cut off does not verify ([`verify()`]).
//! Somebody who holds the key and the folder can still write another trail; an anchor that was kept
//! elsewhere tells.
//!
//! # Promise
//! **No entry, no serving**: when no sink takes the line, begin is an error. A line is on disk before
//! begin returns. Lines of several processes follow one another without gaps. A line that was cut off
//! by a crash stays where it is, is followed by an entry that says so, and its call is reported as
//! in flight. No entry holds a value: entries are numbers, ids and notes that were masked.
//!
//! # Not here
//! Whether something may be served (`grant`), and where the key is kept (`config`).

mod entry;
mod error;
mod line;
mod sink;
mod verify;
mod write;

pub use entry::Action;
pub use entry::Counts;
pub use entry::GrantAction;
pub use entry::Kind;
pub use entry::Outcome;
pub use entry::Stop;
pub use error::AuditError;
pub use line::Hash;
pub use line::LINE_BYTES_MAX;
pub use sink::AuditKey;
pub use sink::FILE_BYTES_MAX;
pub use verify::Broken;
pub use verify::InFlight;
pub use verify::Problem;
pub use verify::Verified;
pub use verify::files;
pub use verify::verify;
pub use write::AuditLog;
pub use write::CHECKPOINT_LINES;
pub use write::Open;
pub use write::Sinks;

#[cfg(test)]
mod tests;
