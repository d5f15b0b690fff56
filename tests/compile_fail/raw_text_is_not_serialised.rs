//! Raw text has no `Serialize`.

fn main() {
    let raw = locklog::text::RawText::new(Vec::new());
    drop(serde_json::to_string(&raw));
}
