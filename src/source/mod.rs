//! Where log text comes from: **the only maker of [`RawText`](crate::text::RawText)**.
//!
//! [`FileSource`] gives one input as a stream, for `mask`. For a scan, [`resolve`] says which files a
//! place means, a [`Survey`] which part of each a time range may be in, and a [`GranuleReader`] gives
//! that part in granules of a mebibyte, in any order.
//!
//! # Promise
//! Text comes in chunks of bounded size, in order, complete: what could not be read is an error
//! that names the input and the offset, after everything before it was handed over. No error holds
//! text.
//!
//! # Not here
//! What a line says (`format`; a survey is told how to read a line's time), and which inputs to read
//! in what order (`cli`, `plan`).

mod files;
mod granules;
mod identity;
mod memory;
mod probe;
mod reader;
mod set;
mod sniff;
mod survey;
mod value;

pub use files::CHUNK_BYTES_MAX;
pub use files::FileSource;
pub use files::OpenError;
pub use files::ReadError;
pub use files::ReadProblem;
pub use files::ZSTD_WINDOW_BYTES_MAX;
pub use granules::GRANULE_BYTES;
pub use granules::GRANULE_BYTES_MAX;
pub use granules::Granule;
pub use granules::LINE_BYTES_MAX;
pub use granules::granule_numbers;
pub use identity::Changed;
pub use identity::HeadKey;
pub use identity::Identity;
pub use memory::in_process;
pub use probe::ORDER_SLACK;
pub use probe::Search;
pub use probe::Stamp;
pub use reader::GranuleError;
pub use reader::GranuleReader;
pub use set::FILES_MAX;
pub use set::ResolveError;
pub use set::Siblings;
pub use set::resolve;
pub use survey::MODIFIED_SLACK;
pub use survey::Stored;
pub use survey::Survey;
pub use survey::SurveyError;
pub use survey::Surveyed;
pub use survey::Times;
pub use value::ReadValueError;
pub use value::VALUE_BYTES_MAX;
pub use value::read_value;
