//! Checks that a shape alone cannot make: check digits, ranges, dates, address encodings.
//!
//! # Promise
//! Each check is total: any bytes in, a verdict out, in time linear in the length.
//!
//! # Not here
//! Where a value starts and ends, and whether a cue stands before it (`detect`).

/// A check of one value as it stands in the text, separators included.
pub type Validator = fn(&[u8]) -> bool;

/// The checks by name, in the order of [`find`].
pub const VALIDATORS: &[(&str, Validator)] = &[];

/// The check of that name.
pub fn find(name: &str) -> Option<Validator> {
    VALIDATORS.iter().find(|(known, _)| *known == name).map(|(_, check)| *check)
}
