//! Measures what masking costs on this machine, and keeps what was measured.
//!
//! [`measure()`] masks a fixed corpus of 1 MiB that mixes all ordinary kinds of text, three times, and
//! each corpus of the masking spike once: the slowest one is the worst case. [`Keeper`] keeps the
//! table and what the model has learned in the state directory, and says when a table is not to be
//! believed: made on another machine, too old, or damaged. Until there is one that is, the
//! conservative rate counts.
//!
//! # Promise
//! A table is never used on a machine that it was not measured on. A new measurement that differs by
//! less than [`DEVIATION_PERCENT`] changes nothing: that is noise.
//!
//! # Not here
//! Predicting (`cost`).

mod keep;
mod measure;
mod quota;
mod record;

pub use keep::DEVIATION_PERCENT;
pub use keep::Doubt;
pub use keep::KeepError;
pub use keep::Keeper;
pub use keep::RECALIBRATE_AFTER;
pub use keep::Settled;
pub use measure::Calibration;
pub use measure::FORMATS;
pub use measure::Pass;
pub use measure::fingerprint;
pub use measure::format_of;
pub use measure::measure;
pub use quota::cores;
pub use record::record;

#[cfg(test)]
mod tests;
