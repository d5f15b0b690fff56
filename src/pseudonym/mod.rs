//! A value to its stable, keyed name: what stands in the output where the value stood.
//!
//! A [`Namer`] holds what one [`Key`] gives: the saved pads of HMAC-SHA-256, the key id, the subkey
//! of the tag. It writes a *marker*, `KIND_<key id, 4>_<id, 16><tag, 6>`, with lower-case base32
//! after the kind. The id is HMAC-SHA-256 over kind and value, cut to 80 bits: the same value has
//! the same name for as long as the key lives, and without the key a name says nothing about its
//! value. The tag is a short MAC over the marker itself: a marker that somebody else wrote into a
//! log does not pass [`Namer::verify`] and hides nothing. A [`Cache`] makes repeats cheap within
//! one call of one caller.
//!
//! # Promise
//! A marker has at most [`MARKER_LEN_MAX`] bytes of `[A-Za-z0-9_]`, so that it is one word to a
//! shell, a URL, a query language and a tokenizer. With the cache or without it, a value has the
//! same name. No key, subkey or value is printed, and keys are wiped when dropped.
//!
//! # Not here
//! Which spellings of a value are one value (`detect`), where values stand in a text (`mask`), and
//! where the key comes from (`config`).

mod batch;
mod bytes;
mod cache;
mod hmac;
mod key;
mod marker;
mod namer;
mod siphash;

pub use batch::Named;
pub use batch::Names;
pub use batch::Naming;
pub use cache::CACHED_VALUE_BYTES_MAX;
pub use cache::Cache;
pub use key::KEY_BYTES;
pub use key::Key;
pub use key::WrongKeyLength;
pub use marker::KIND_BYTES_MAX;
pub use marker::MARKER_LEN_MAX;
pub use marker::MARKER_LEN_MIN;
pub use namer::Namer;
