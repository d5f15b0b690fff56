//! What a request comes to: which part of which file, how many granules, how many bytes.
//!
//! A [`Request`] and what a survey found become a [`Plan`] of [`Slice`]s, which are read granule by
//! granule in the plan's order. [`Plan::admit`] holds it against the limits of a call and gives the
//! [`Admitted`] plan, the only one that can be fetched. Its [`digest`](Plan::digest) is what an
//! approver agrees to. A [`Cursor`] is a [`Place`] in a plan, sealed.
//!
//! # Promise
//! What a plan is charged depends on its time range and its files alone: the bytes of text of its
//! granules, never what is selected from them or found in them.
//!
//! # Not here
//! How long it takes (`cost`), who may have it (`grant`), and reading it (`fetch`).

mod admit;
mod cursor;
mod request;
mod seal;
mod slice;

pub use admit::Admitted;
pub use admit::CallLimits;
pub use admit::OverLimit;
pub use cursor::Cursor;
pub use cursor::CursorError;
pub use request::Matching;
pub use request::Order;
pub use request::Plan;
pub use request::PlanError;
pub use request::Request;
pub use seal::SealError;
pub use seal::Sealer;
pub use slice::Place;
pub use slice::Slice;
pub use slice::Step;

#[cfg(test)]
mod tests;
