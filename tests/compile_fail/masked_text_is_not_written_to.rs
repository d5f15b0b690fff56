//! Nothing is added to masked text afterwards.

use std::io::Write;

use locklog::mask::Masked;

fn main() {
    let mut masked = Masked::default();
    masked.text.write_all(b"raw").unwrap();
    masked.text.as_bytes()[0] = b'r';
    masked.text.0.push(b'r');
}
