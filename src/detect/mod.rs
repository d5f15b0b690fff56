//! Rules from data to spans.

pub mod rule;
pub mod validate;
