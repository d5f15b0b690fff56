//! locklog fetches production logs under budgets and masks every value that identifies a person or
//! opens a door.

pub mod detect;
pub mod pseudonym;
pub mod text;
