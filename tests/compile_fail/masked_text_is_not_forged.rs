//! Only `mask` makes masked text.

use locklog::mask::MaskedText;

fn main() {
    let _built = MaskedText(b"raw".to_vec());
    let _converted: MaskedText = b"raw".to_vec().into();
    let _from_raw = MaskedText::from(locklog::text::RawText::new(Vec::new()));
}
