//! What masking costs: processor time for bytes, predicted from measurements.
//!
//! A [`Table`] is what a calibration of this machine gave: a rate for each format, one for text of
//! any kind, and the rate of the slowest text. A [`Model`] predicts with it, and learns from finished
//! granules what a source really costs; what it has learned goes before the table. Before anything is
//! measured a byte costs [`Rate::UNMEASURED`].
//!
//! # Promise
//! A prediction says what it rests on and how slow it can get at worst. Rates are of processor time,
//! so that a busy machine does not make a source look expensive; [`wall`] turns them into waiting.
//!
//! # Not here
//! Measuring (`calibrate`), and what a plan may cost (`plan`).

mod model;
mod rate;
mod table;

pub use model::Basis;
pub use model::Learned;
pub use model::Model;
pub use model::Prediction;
pub use model::SLOW_PERCENT;
pub use model::Sample;
pub use model::Seen;
pub use rate::Cores;
pub use rate::Rate;
pub use rate::wall;
pub use table::ParseTableError;
pub use table::TABLE_AGE_MAX;
pub use table::Table;
