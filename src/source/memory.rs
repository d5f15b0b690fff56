//! Bytes that were made in this process: corpora and texts of the command line.

use crate::text::RawText;

/// Takes bytes that were made here as text that was not masked.
pub fn in_process(bytes: Vec<u8>) -> RawText {
    RawText::new(bytes)
}
