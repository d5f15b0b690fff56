//! locklog fetches production logs under budgets and masks every value that identifies a person or
//! opens a door.

pub mod cli;
pub mod config;
pub mod detect;
pub mod mask;
pub mod pseudonym;
pub mod source;
pub mod text;
pub mod time;
pub mod units;
