//! Where log text comes from: **the only maker of [`RawText`](crate::text::RawText)**.
//!
//! # Promise
//! Text comes in chunks of bounded size, in order, complete: what could not be read is an error
//! that names the input and the offset, after everything before it was handed over. No error holds
//! text.
//!
//! # Not here
//! Lines (`mask`), and which inputs to read in what order (`cli`).

mod files;
mod memory;
mod sniff;
mod value;

pub use files::CHUNK_BYTES_MAX;
pub use files::FileSource;
pub use files::OpenError;
pub use files::ReadError;
pub use files::ReadProblem;
pub use files::ZSTD_WINDOW_BYTES_MAX;
pub use memory::in_process;
pub use value::ReadValueError;
pub use value::VALUE_BYTES_MAX;
pub use value::read_value;
