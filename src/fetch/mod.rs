//! Runs an admitted plan: source → mask → output, granule by granule.
//!
//! One [`Call`] reads on from a [`Place`](crate::plan::Place). A reader passes the [`Gate`] for each
//! granule before it is read, workers mask, and the calling thread writes what they give in the order
//! of the plan. Each hands over through channels of one place. A call ends with the plan, or with its
//! bytes, its time, its gate, the output's limit or a signal; it then says where to go on.
//!
//! # Promise
//! **Nothing is read before the gate let it pass, and nothing leaves that was not masked.** A granule
//! whose masking fails is withheld and counted. What a call is charged is the text of the granules
//! that it admitted: what is selected, matched or cut off by a limit changes nothing in it. The place
//! that a call gives is behind the last record that the output has taken, and before the next.
//!
//! # Not here
//! What a plan is (`plan`), whether it needs a grant and where its words go (`cli`).

mod call;
mod dialect;
mod gate;
mod lane;
mod mill;
mod plans;
mod pool;
mod read;
mod tally;

pub use call::Call;
pub use call::Ended;
pub use call::FetchError;
pub use call::Incomplete;
pub use call::Output;
pub use dialect::times;
pub use gate::Gate;
pub use gate::GateError;
pub use gate::Granted;
pub use gate::Unapproved;
pub use mill::Want;
pub use mill::WantError;
pub use plans::PLANS_MAX;
pub use plans::PlanStore;
pub use plans::PlanStoreError;
pub use tally::SKIPS_MAX;
pub use tally::Tally;
