//! Masking: raw text in, text that may leave out.
//!
//! [`Cutter`] splits a stream into [`Piece`]s of whole lines, or into windows of a line that is too
//! long to hold. A [`Worker`] of a [`Masker`] finds what a piece holds (`detect`), follows key blocks
//! and split records over its lines, and writes the piece again with a marker in the place of each
//! value (`pseudonym`).
//!
//! A [`RecordMasker`] does the same for the records of a block under a [`Policy`]: it withholds and
//! masks field by field into [`MaskedRecords`], which a [`Renderer`] writes.
//!
//! # Promise
//! **This module alone makes [`MaskedText`].** Bytes outside matches are copied as they are. The same
//! stream gives the same output however it was cut into chunks.
//!
//! # Not here
//! Where text comes from (`source`) and where it goes.

#![warn(clippy::wildcard_enum_match_arm)]

mod apply;
mod block;
mod check;
mod cut;
mod fields;
mod lines;
mod masked;
mod note;
mod policy;
mod record;
mod render;
mod report;

pub use apply::Masked;
pub use apply::MaskedText;
pub use apply::Masker;
pub use apply::Worker;
pub use block::block_of;
pub use block::leaves_open;
pub use check::Check;
pub use cut::Cutter;
pub use cut::PIECE_LEN_MAX;
pub use cut::Piece;
pub use cut::Upcoming;
pub use fields::RecordMasker;
pub use lines::Carry;
pub use masked::Counts;
pub use masked::MaskedPair;
pub use masked::MaskedRecord;
pub use masked::MaskedRecords;
pub use masked::WITHHELD;
pub use note::NOTE_BYTES_MAX;
pub use note::Note;
pub use policy::Policy;
pub use policy::PolicyError;
pub use policy::Treatment;
pub use policy::Unknown;
pub use render::Layout;
pub use render::ParseLayoutError;
pub use render::Renderer;
pub use report::Finding;
pub use report::Report;
