#![allow(clippy::all, missing_docs)]
use locklog::simd;
fn main(){
    let file=std::env::args().nth(1).unwrap();
    let n:usize=std::env::args().nth(2).unwrap().parse().unwrap();
    let mut text=std::fs::read(file).unwrap();
    text.truncate(1<<20);
    let k=simd::Kernel::best();
    let mut s=0usize;
    for _ in 0..n { simd::find(k,&text,0,simd::windows(text.len()),&mut |_,_,b| s=s.wrapping_add(b as usize)); }
    println!("{s}");
}
