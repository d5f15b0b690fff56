#![allow(clippy::all, missing_docs)]
use std::time::Instant;
use locklog::simd;
use locklog::detect::*;
use locklog::text::RawSlice;
fn main(){
    let file=std::env::args().nth(1).unwrap();
    let mut text=std::fs::read(file).unwrap();
    text.truncate(2<<20);
    let end=text.iter().rposition(|b|*b==b'\n').unwrap()+1; text.truncate(end);
    let n=text.len() as f64/1e6;
    let best=|name:&str,f:&mut dyn FnMut()->usize|{ let mut b=f64::MAX; let mut r=0; for _ in 0..15 { let t=Instant::now(); r=f(); b=b.min(t.elapsed().as_secs_f64()); } println!("{name:30} {:8.0} MB/s  {:6.1} ns/216B  {r}", n/b, b*1e9/(n*1e6)*216.0); };
    let k=simd::Kernel::best();
    let mut counts=[0usize;simd::PATTERNS];
    simd::find(k,&text,0,simd::windows(text.len()),&mut |p,_,b| counts[p]+=b.count_ones() as usize);
    let lines=text.iter().filter(|b|**b==b'\n').count();
    println!("lines {lines} candidates/line:"); for (i,c) in counts.iter().enumerate(){ print!(" {i}:{:.2}", *c as f64/lines as f64); } println!();
    best("simd::find",&mut ||{let mut s=0; simd::find(k,&text,0,simd::windows(text.len()),&mut |_,_,b| s+=b as usize); s});
    let mut scratch=Scratch::new();
    let rules=Rules::load(&Selection::default()).unwrap();
    best("scan",&mut ||{rules.scan(RawSlice::new(&text),&mut scratch); scratch.matches().len()});
    let key=locklog::pseudonym::Key::take(&mut [7;32]);
    let namer=locklog::pseudonym::Namer::new(&key);
    let mut out=Vec::new();
    best("scan + values",&mut ||{rules.scan(RawSlice::new(&text),&mut scratch); let m=scratch.matches().to_vec(); let mut s=0; for x in m { s+=scratch.value(&rules,RawSlice::new(&text),x).len(); } s});
    let mut cache=namer.new_cache();
    best("scan + warm names",&mut ||{rules.scan(RawSlice::new(&text),&mut scratch); let m=scratch.matches().to_vec(); out.clear(); for x in m { let v=scratch.value(&rules,RawSlice::new(&text),x); namer.name_cached(&mut cache,x.kind.0,rules.kind_name(x.kind),v,&mut out); } out.len()});
    for only in ["EMAIL","IPV4","CARD","SECRET","PHONE","IBAN"] { let r=Rules::load(&Selection{only:vec![only.into()],..Default::default()}).unwrap(); best(only,&mut ||{r.scan(RawSlice::new(&text),&mut scratch); scratch.matches().len()}); }
}
