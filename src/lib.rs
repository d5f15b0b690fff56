//! locklog fetches production logs under budgets and masks every value that identifies a person or
//! opens a door.

pub mod cli;
pub mod config;
pub mod detect;
pub mod lab;
pub mod mask;
pub mod pseudonym;
#[expect(
    unsafe_code,
    clippy::indexing_slicing,
    reason = "vector loads need it; indices are classes, which the arrays are sized for"
)]
pub mod simd;
pub mod source;
pub mod text;
pub mod time;
pub mod units;
pub mod view;
