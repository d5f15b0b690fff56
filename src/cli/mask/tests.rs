//! Order, loss and memory of the pipeline, with workers that misbehave.

use std::io::Read;
use std::io::Seek;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::*;
use crate::detect::Rules;
use crate::detect::Selection;
use crate::mask::Cutter;
use crate::mask::Masker;
use crate::mask::Upcoming;
use crate::pseudonym::Key;
use crate::pseudonym::Namer;
use crate::text::RawText;

const LINES: usize = 3000;

fn masker() -> Masker {
    let key = Key::take(&mut [5; 32]);
    Masker::new(Rules::load(&Selection::default()).unwrap(), Namer::new(&key))
}

/// Sends numbered lines, cut to a piece each, and gives what was written.
fn run_lines<M>(
    masker: &Masker,
    threads: usize,
    worker: impl Fn() -> M + Sync,
) -> (Vec<usize>, Written)
where
    M: FnMut(&Piece, &mut Carry, &mut Masked),
{
    let mut file = tempfile::tempfile().unwrap();
    let output = Output::to(file.try_clone().unwrap(), masker.rules(), false);
    let source: Arc<str> = Arc::from("sample.log");
    let feed = |lane: &mut Lane| {
        let mut cutter = Cutter::new(1);
        lane.start_input();
        for number in 0..LINES {
            cutter.push(RawText::new(format!("{number:09}\n").into_bytes()));
            while let Some(piece) = cutter.cut(Upcoming::Idle) {
                lane.send(&source, piece).unwrap();
            }
        }
        while let Some(piece) = cutter.cut(Upcoming::End) {
            lane.send(&source, piece).unwrap();
        }
    };
    let ((), written) = run(worker, threads, feed, output).unwrap();
    let mut text = String::new();
    file.rewind().unwrap();
    file.read_to_string(&mut text).unwrap();
    (text.lines().map(|line| line.parse().unwrap()).collect(), written)
}

#[test]
fn order_is_kept_whoever_is_slow() {
    let masker = masker();
    for threads in [1, 2, 7] {
        let worker = || {
            let mut worker = masker.worker();
            move |piece: &Piece, carry: &mut Carry, out: &mut Masked| {
                if piece.offset().is_multiple_of(70) {
                    std::thread::sleep(Duration::from_micros(200));
                }
                worker.mask(piece, carry, out);
            }
        };
        let (numbers, written) = run_lines(&masker, threads, worker);
        assert_eq!(numbers, (0..LINES).collect::<Vec<_>>(), "{threads} threads");
        assert_eq!(written.report.lines, LINES as u64);
        assert_eq!(written.withheld_pieces, 0);
    }
}

/// Shown to bite by masking the piece again in place of withholding it: its line then appears.
#[test]
fn a_piece_that_panics_is_withheld_whole_and_counted() {
    let masker = masker();
    let made = AtomicUsize::new(0);
    let worker = || {
        made.fetch_add(1, Ordering::Relaxed);
        let mut worker = masker.worker();
        move |piece: &Piece, carry: &mut Carry, out: &mut Masked| {
            worker.mask(piece, carry, out);
            assert!(piece.offset() % 1000 != 500, "on purpose");
        }
    };
    let (numbers, written) = run_lines(&masker, 3, worker);
    assert_eq!(numbers, (0..LINES).filter(|number| number % 100 != 50).collect::<Vec<_>>());
    assert_eq!((written.withheld_pieces, written.withheld_bytes), (30, 300));
    assert_eq!(made.into_inner(), 3 + 30, "memory that saw a panic is not used again");
}

/// Shown to bite by giving such pieces a fresh state: key lines then leave.
#[test]
fn pieces_that_need_the_state_of_a_withheld_one_are_withheld_too() {
    let masker = masker();
    let mut file = tempfile::tempfile().unwrap();
    let output = Output::to(file.try_clone().unwrap(), masker.rules(), false);
    let source: Arc<str> = Arc::from("sample.log");
    let worker = || {
        let mut worker = masker.worker();
        move |piece: &Piece, carry: &mut Carry, out: &mut Masked| {
            worker.mask(piece, carry, out);
            assert!(piece.len() != 32, "on purpose, at the opening line");
        }
    };
    let feed = |lane: &mut Lane| {
        let mut cutter = Cutter::new(1);
        let mut dependent = 0;
        let opening = concat!("-----BEGIN RSA PRI", "VATE KEY-----");
        for line in [opening, "first", "second", "third"] {
            cutter.push(RawText::new(format!("{line}\n").into_bytes()));
            while let Some(piece) = cutter.cut(Upcoming::Idle) {
                dependent += u64::from(piece.needs_carry());
                lane.send(&source, piece).unwrap();
            }
        }
        lane.start_input();
        let mut other = Cutter::new(1);
        other.push(RawText::new(b"other input\nmore of it\n".to_vec()));
        while let Some(piece) = other.cut(Upcoming::End) {
            lane.send(&source, piece).unwrap();
        }
        dependent
    };
    let (dependent, written) = run(worker, 2, feed, output).unwrap();
    assert!(dependent > 0, "nothing waits for the state of a key block");
    let mut text = String::new();
    file.rewind().unwrap();
    file.read_to_string(&mut text).unwrap();
    assert_eq!(text, "other input\nmore of it\n", "another input does not depend on it");
    assert_eq!(written.withheld_pieces, 1 + dependent);
}

#[test]
fn a_closed_output_stops_the_feed() {
    let masker = masker();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let out = std::fs::File::from(std::os::fd::OwnedFd::from(writer));
    let output = Output::to(out, masker.rules(), false);
    let worker = || {
        let mut worker = masker.worker();
        move |piece: &Piece, carry: &mut Carry, out: &mut Masked| worker.mask(piece, carry, out)
    };
    let source: Arc<str> = Arc::from("endless");
    let feed = |lane: &mut Lane| {
        let mut cutter = Cutter::new(1);
        loop {
            cutter.push(RawText::new(b"line\n".to_vec()));
            while let Some(piece) = cutter.cut(Upcoming::Idle) {
                if lane.send(&source, piece).is_err() {
                    return;
                }
            }
        }
    };
    let ((), written) = run(worker, 2, feed, output).unwrap();
    assert!(written.error.is_none(), "a reader that has left is no error");
}
