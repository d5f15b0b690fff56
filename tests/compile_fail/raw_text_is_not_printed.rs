//! Raw text has no `Display`.

fn main() {
    let raw = locklog::text::RawText::new(Vec::new());
    println!("{raw}");
    println!("{}", raw.as_slice());
}
