#![allow(clippy::all, missing_docs)]
use locklog::detect::*;
use locklog::text::RawSlice;
fn main(){
    let file=std::env::args().nth(1).unwrap();
    let n:usize=std::env::args().nth(2).unwrap().parse().unwrap();
    let mut text=std::fs::read(file).unwrap();
    text.truncate(1<<20);
    let rules=Rules::load(&Selection::default()).unwrap();
    let mut scratch=Scratch::new();
    let mut s=0;
    for _ in 0..n { rules.scan(RawSlice::new(&text),&mut scratch); s+=scratch.matches().len(); }
    println!("{s}");
}
