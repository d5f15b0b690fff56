//! Where a call ended, as a text to go on with.

use std::fmt;

use super::seal::SealError;
use super::seal::Sealer;
use super::slice::Place;
use crate::id::GrantId;
use crate::id::PlanDigest;

/// What cursors are sealed for.
const USAGE: &str = "cursor 1";
/// What a cursor begins with.
const PREFIX: &str = "cur_";
/// A cursor's bytes: plan, slice, granule, records, whether there is a grant, grant.
const BYTES: usize = PlanDigest::BYTES + 4 + 8 + 8 + 1 + GrantId::BYTES;
/// Longest text that is taken for a cursor.
const TEXT_BYTES_MAX: usize = 512;

/// A place in a plan, and the grant under which it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The plan.
    pub plan: PlanDigest,
    /// What comes next.
    pub place: Place,
    /// The grant: going on needs no other.
    pub grant: Option<GrantId>,
}

/// A text is no cursor of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CursorError {
    /// It does not look like one.
    Form,
    /// It cannot be opened.
    Seal(SealError),
}

impl Cursor {
    /// The cursor as a text that tells nothing and cannot be changed.
    ///
    /// # Errors
    ///
    /// [`CursorError::Seal`] when the system gives no randomness.
    pub fn seal(&self, sealer: &Sealer) -> Result<String, CursorError> {
        let mut bytes = Vec::with_capacity(BYTES);
        bytes.extend_from_slice(self.plan.as_bytes());
        bytes.extend_from_slice(&self.place.slice.to_le_bytes());
        bytes.extend_from_slice(&self.place.granule.to_le_bytes());
        bytes.extend_from_slice(&self.place.records.to_le_bytes());
        bytes.push(u8::from(self.grant.is_some()));
        bytes.extend_from_slice(&self.grant.map_or([0; GrantId::BYTES], |id| *id.as_bytes()));
        let sealed = sealer.seal(USAGE, &bytes).map_err(CursorError::Seal)?;
        let mut text = String::with_capacity(PREFIX.len() + 2 * sealed.len());
        text.push_str(PREFIX);
        for byte in sealed {
            text.push_str(&format!("{byte:02x}"));
        }
        Ok(text)
    }

    /// Opens a cursor's text.
    ///
    /// # Errors
    ///
    /// [`CursorError`] when it is none, or sealed with another key.
    pub fn open(text: &str, sealer: &Sealer) -> Result<Cursor, CursorError> {
        let digits = text.trim().strip_prefix(PREFIX).ok_or(CursorError::Form)?.as_bytes();
        if digits.len() > TEXT_BYTES_MAX || digits.len() % 2 != 0 {
            return Err(CursorError::Form);
        }
        let pair = |pair: &[u8]| {
            let text = std::str::from_utf8(pair).ok()?;
            u8::from_str_radix(text, 16).ok()
        };
        let sealed: Option<Vec<u8>> = digits.chunks(2).map(pair).collect();
        let bytes = sealer.open(USAGE, &sealed.ok_or(CursorError::Form)?);
        Cursor::read(&bytes.map_err(CursorError::Seal)?).ok_or(CursorError::Form)
    }

    fn read(bytes: &[u8]) -> Option<Cursor> {
        let (plan, rest) = bytes.split_first_chunk::<{ PlanDigest::BYTES }>()?;
        let (slice, rest) = rest.split_first_chunk::<4>()?;
        let (granule, rest) = rest.split_first_chunk::<8>()?;
        let (records, rest) = rest.split_first_chunk::<8>()?;
        let (has_grant, rest) = rest.split_first()?;
        let grant: [u8; GrantId::BYTES] = rest.try_into().ok()?;
        Some(Cursor {
            plan: PlanDigest::from_bytes(*plan),
            place: Place {
                slice: u32::from_le_bytes(*slice),
                granule: u64::from_le_bytes(*granule),
                records: u64::from_le_bytes(*records),
            },
            grant: (*has_grant == 1).then(|| GrantId::from_bytes(grant)),
        })
    }
}

impl fmt::Display for CursorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CursorError::Form => {
                f.write_str("a cursor begins with cur_ and is one that a scan printed, whole")
            }
            CursorError::Seal(error) => write!(f, "the cursor cannot be used: {error}"),
        }
    }
}

impl std::error::Error for CursorError {}
