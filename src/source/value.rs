//! One value from standard input.

use std::fmt;
use std::io;
use std::io::Read;

use crate::text::RawText;
use crate::units::Bytes;

/// Longest value: as long as the longest match.
pub const VALUE_BYTES_MAX: Bytes = Bytes::kib(16);

/// A value could not be read.
#[derive(Debug)]
pub enum ReadValueError {
    /// The input failed.
    Io(io::Error),
    /// There is nothing but perhaps a line break.
    Empty,
    /// It is longer than [`VALUE_BYTES_MAX`].
    TooLong,
}

/// Reads a value up to the end of the input; one line break at its end is not part of it.
///
/// # Errors
///
/// [`ReadValueError`] when reading fails, and when there is no value or too much of it.
pub fn read_value(input: impl Read) -> Result<RawText, ReadValueError> {
    let mut bytes = Vec::new();
    let limit = VALUE_BYTES_MAX.get();
    // Two bytes more than a value may have: a line break.
    input.take(limit + 3).read_to_end(&mut bytes).map_err(ReadValueError::Io)?;
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
    }
    match bytes.len() as u64 {
        0 => Err(ReadValueError::Empty),
        len if len > limit => Err(ReadValueError::TooLong),
        _ => Ok(RawText::new(bytes)),
    }
}

impl fmt::Display for ReadValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadValueError::Io(error) => write!(f, "cannot read standard input: {error}"),
            ReadValueError::Empty => f.write_str("standard input holds no value"),
            ReadValueError::TooLong => write!(f, "a value has at most {VALUE_BYTES_MAX}"),
        }
    }
}

impl std::error::Error for ReadValueError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_break_is_not_part_of_the_value() {
        for (input, len) in [(&b"ab"[..], 2), (b"ab\n", 2), (b"ab\r\n", 2), (b"ab\n\n", 3)] {
            assert_eq!(read_value(input).unwrap().len(), len);
        }
    }

    #[test]
    fn empty_and_endless_inputs_are_refused() {
        assert!(matches!(read_value(&b"\n"[..]), Err(ReadValueError::Empty)));
        assert!(matches!(read_value(io::repeat(b'x')), Err(ReadValueError::TooLong)));
        let mut longest = vec![b'x'; VALUE_BYTES_MAX.as_len()];
        longest.extend(b"\r\n");
        assert!(read_value(&longest[..]).is_ok());
    }
}
