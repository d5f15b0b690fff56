//! What the user and the machine ask for, read once and checked.
//!
//! # Promise
//! This is the only module that reads the environment. A file that does not mean what it seems to
//! (an unknown key, a key file that others can read) is an error, never a guess, and nothing that
//! exists is overwritten.
//!
//! # Not here
//! Flags (`cli`), and what the options do (the module that takes them).

mod auditkey;
mod detectors;
mod environment;
mod keyfile;
mod profile;
mod sources;

pub use auditkey::audit_key;
pub use auditkey::existing_audit_key;
pub use detectors::DetectorsDirError;
pub use detectors::read_detectors_dir;
pub use environment::Environment;
pub use keyfile::KeyFileError;
pub use keyfile::LoadedKey;
pub use keyfile::create_key;
pub use keyfile::ephemeral_key;
pub use keyfile::load_key;
pub use keyfile::load_or_create_key;
pub use profile::Approvals;
pub use profile::BreakGlass;
pub use profile::Budgets;
pub use profile::Profile;
pub use profile::ProfileError;
pub use profile::QuantityError;
pub use profile::RequestRate;
pub use profile::Requests;
pub use profile::SourceClass;
pub use sources::SourceConfig;
pub use sources::Sources;
pub use sources::SourcesError;
