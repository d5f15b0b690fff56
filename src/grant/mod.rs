//! Approvals: who may be served how much of which plan, until when.
//!
//! A [`Request`] becomes a grant when enough people other than its requester approve the
//! [`PlanSummary`] they are shown; with [`Mode::BreakGlass`] it is one at once, for a short time, and
//! somebody else has to review it. A call then holds two things. [`GrantStore::check`] gives a
//! [`Permit`] **for one granule**: it reads the store each time, so that revoking stops a running
//! call. [`GrantStore::lease`] debits bytes before they are served and gives a [`Lease`], of which
//! [`Lease::serve`] takes each granule's bytes; [`GrantStore::settle`] gives back what was not used.
//!
//! # Promise
//! A grant never serves more bytes than it says, whatever is killed when: bytes are debited durably
//! before they are served, and a lease that is never settled is lost, not served again. Time is
//! measured on the clock that counts sleep, within one run of the machine; what is left at a reboot
//! is gone, and setting the wall clock changes nothing. Nobody approves their own request.
//!
//! # What it cannot stop
//! Somebody who may write the state directory, or read the log files themselves, needs no grant.
//! Approvals bind where a service account owns both.
//!
//! # Not here
//! What a plan is (`plan`), when one needs a grant (the profile), and the trail (`audit`).

mod decide;
mod error;
mod lease;
mod request;
mod state;
mod store;

pub use error::GrantError;
pub use error::Refusal;
pub use lease::LEASE_BYTES;
pub use lease::Lease;
pub use lease::Permit;
pub use lease::Use;
pub use request::APPROVERS_MAX;
pub use request::BREAK_GLASS_LIFETIME_MAX;
pub use request::LIFETIME_MAX;
pub use request::LIFETIME_MIN;
pub use request::Mode;
pub use request::PlanSummary;
pub use request::REQUEST_LIFETIME;
pub use request::Request;
pub use request::lifetime;
pub use state::Approval;
pub use state::Decision;
pub use state::Grant;
pub use state::State;
pub use store::GrantStore;

#[cfg(test)]
mod tests;
