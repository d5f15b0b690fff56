//! The perf lab: corpora, peers and measurements with an answer that is checked first.
//!
//! A measurement here is a pair of an answer and a time. The corpora are generated from a seed
//! and come with the list of what was planted in them; the engine and its peers work on the same
//! bytes, in the same run, in rounds whose order rotates; what they found is compared with what
//! was planted before any speed is printed.
//!
//! # Promise
//! **A wrong answer is an error row, never a speed.** All figures can be made again from the
//! command, the seed and the commit that stand beside them.
//!
//! # Not here
//! The product does not depend on this module. It knows no daemon and reads no environment.

pub mod corpus;
pub mod engine;
pub mod machine;
pub mod measure;
pub mod peers;
pub mod rng;
pub mod s4;
pub mod scan;
pub mod stats;
