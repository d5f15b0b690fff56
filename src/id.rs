//! Typed ids: what a plan, a source, a granule, a grant, a call and an actor are called.
//!
//! # Promise
//! An id is a number, a digest or random: never a name, a path or a text that somebody chose, so
//! that an id may stand in an audit line. Each prints with a prefix of its own and reads back to the
//! same id; one kind is never taken for another.
//!
//! # Not here
//! How an id comes about: who makes one hashes or draws its bytes.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use serde::Deserializer;
use serde::Serialize;
use serde::Serializer;
use serde::de;

/// A text that is not the id it should be. It does not hold the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseIdError {
    /// What an id of this kind looks like.
    pub expected: &'static str,
}

impl fmt::Display for ParseIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

impl std::error::Error for ParseIdError {}

/// Reads and writes a kind of id as its text, for serde.
macro_rules! as_text {
    ($name:ident) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$name, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(from)?;
                text.parse().map_err(de::Error::custom)
            }
        }
    };
}

/// A kind of id that is bytes, printed as a prefix and hexadecimal digits.
macro_rules! of_bytes {
    ($(#[$doc:meta])* $name:ident, $bytes:literal, $prefix:literal, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; $bytes]);

        impl $name {
            /// How many bytes it has.
            pub const BYTES: usize = $bytes;

            /// The id of these bytes: a digest or randomness, nothing that can be read.
            pub const fn from_bytes(bytes: [u8; $bytes]) -> $name {
                $name(bytes)
            }

            /// Its bytes.
            pub const fn as_bytes(&self) -> &[u8; $bytes] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($prefix)?;
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIdError;

            fn from_str(text: &str) -> Result<$name, ParseIdError> {
                let wrong = ParseIdError { expected: $expected };
                let mut bytes = [0; $bytes];
                read_hex(text.strip_prefix($prefix).ok_or(wrong)?, &mut bytes).ok_or(wrong)?;
                Ok($name(bytes))
            }
        }

        as_text!($name);
    };
}

of_bytes!(
    /// A source, by a keyed digest of what names it: a path may itself tell whose it is.
    SourceId,
    16,
    "src_",
    "a source id: src_ and 32 hexadecimal digits"
);
of_bytes!(
    /// A plan, by the digest of everything that an approver agrees to.
    PlanDigest,
    32,
    "plan_",
    "a plan digest: plan_ and 64 hexadecimal digits"
);
of_bytes!(
    /// A grant, by random bytes.
    GrantId,
    8,
    "gr_",
    "a grant id: gr_ and 16 hexadecimal digits"
);
of_bytes!(
    /// One call of one process, by random bytes: what ties audit lines together.
    CallId,
    8,
    "call_",
    "a call id: call_ and 16 hexadecimal digits"
);

/// The place of a granule in its plan, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GranuleId(pub u64);

impl fmt::Display for GranuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "g{}", self.0)
    }
}

impl FromStr for GranuleId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<GranuleId, ParseIdError> {
        number(text, "g", "a granule id: g and a number").map(GranuleId)
    }
}

as_text!(GranuleId);

/// Who did something: a user of the operating system, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActorId(u32);

impl ActorId {
    /// The actor that runs under a user id.
    pub const fn of_uid(uid: u32) -> ActorId {
        ActorId(uid)
    }

    /// Its user id.
    pub const fn uid(self) -> u32 {
        self.0
    }
}

impl fmt::Display for ActorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "uid:{}", self.0)
    }
}

impl FromStr for ActorId {
    type Err = ParseIdError;

    fn from_str(text: &str) -> Result<ActorId, ParseIdError> {
        number(text, "uid:", "an actor: uid: and a number").map(ActorId)
    }
}

as_text!(ActorId);

/// A number behind a prefix, in the one way to write it.
fn number<N: FromStr + ToString>(
    text: &str,
    prefix: &str,
    expected: &'static str,
) -> Result<N, ParseIdError> {
    let digits = text.strip_prefix(prefix).ok_or(ParseIdError { expected })?;
    let number: N = digits.parse().map_err(|_| ParseIdError { expected })?;
    if number.to_string() == digits { Ok(number) } else { Err(ParseIdError { expected }) }
}

/// Fills `bytes` from as many lower-case hexadecimal digits as they need, no more and no less.
fn read_hex(text: &str, bytes: &mut [u8]) -> Option<()> {
    let digits = text.as_bytes();
    if digits.len() != 2 * bytes.len() {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let mut value = 0;
        for digit in pair {
            value = value * 16
                + match digit {
                    b'0'..=b'9' => digit - b'0',
                    b'a'..=b'f' => digit - b'a' + 10,
                    _ => return None,
                };
        }
        *byte = value;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads_back<I>(id: &I)
    where
        I: fmt::Display + fmt::Debug + FromStr<Err = ParseIdError> + PartialEq + Serialize,
        I: for<'de> Deserialize<'de>,
    {
        let text = id.to_string();
        assert_eq!(text.parse::<I>().unwrap(), *id);
        let json = serde_json::to_string(id).unwrap();
        assert_eq!(json, format!("\"{text}\""));
        assert_eq!(serde_json::from_str::<I>(&json).unwrap(), *id);
        for wrong in [format!("{text}0"), text.to_uppercase(), format!(" {text}"), String::new()] {
            assert!(wrong.parse::<I>().is_err(), "{wrong}");
        }
    }

    /// Shown to bite by leaving the check of the length out of `read_hex`.
    #[test]
    fn ids_read_back_and_nothing_else_does() {
        reads_back(&SourceId::from_bytes([0xa5; 16]));
        reads_back(&PlanDigest::from_bytes([0x0f; 32]));
        reads_back(&GrantId::from_bytes([0xf0; 8]));
        reads_back(&CallId::from_bytes([1; 8]));
        assert!("g01".parse::<GranuleId>().is_err());
        assert!("uid:+1".parse::<ActorId>().is_err());
        assert_eq!("g12".parse(), Ok(GranuleId(12)));
        assert_eq!("uid:1000".parse(), Ok(ActorId::of_uid(1000)));
    }

    #[test]
    fn one_kind_is_not_taken_for_another() {
        let call = CallId::from_bytes([1; 8]).to_string();
        let error = call.parse::<GrantId>().unwrap_err();
        assert_eq!(error.to_string(), "expected a grant id: gr_ and 16 hexadecimal digits");
    }
}
