//! Raw text is no bytes and no string to whoever does not say `expose`.

fn main() {
    let raw = locklog::text::RawText::new(Vec::new());
    let _length = raw.to_string().len();
    let _bytes: &[u8] = raw.as_ref();
}
