//! A key has no `Display`, no `Clone`, and hands its bytes to nobody.

fn main() {
    let key = locklog::pseudonym::Key::take(&mut [7; 32]);
    println!("{key}");
    let _bytes = key.bytes();
    let _copy = key.clone();
}
