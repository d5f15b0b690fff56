//! Patterns over byte classes, as formulas on words.
//!
//! A formula sees 64 neighbouring bits of each class. It may look back and ahead no further than the
//! 16 bits that windows share; each says how far it looks back, and so which 48 bits are its own.

use super::CLASSES;
use super::Class;
use super::STRIDE;

/// What a candidate place looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Pattern {
    /// An at sign.
    At,
    /// The first dot of at least three between digits, one to three digits apart.
    Quad,
    /// The first of two colons, a hex digit beside them.
    DoubleColon,
    /// A colon after a hex digit with three more such colons, two to five bytes apart.
    ColonChain,
    /// The first of five dashes, each after two hex digits and three bytes apart.
    DashChain,
    /// The first of two dots five bytes apart between hex digits.
    DotHex,
    /// The first of 13 digits, or of a group of four digits followed by a group of at least four.
    Card,
    /// The first digit of `ddd-dd-dddd`.
    Ssn,
    /// Two letters and two digits at a word start, more behind them.
    Iban,
    /// A plus sign before a digit and not behind a letter or digit, one of the places 6 to 8 behind it
    /// being a digit.
    Plus,
    /// A word start, or a capital behind a small letter, with 14 or more of `[A-Za-z0-9_~.-]`.
    Word,
    /// The start of 14 or more of `[A-Za-z0-9/+]`.
    Base64,
    /// `=`, `:` or `>` behind what may be a key.
    Key,
    /// The start of a number-like word behind a blank and a letter.
    Bare,
    /// The first digit of `ddd-dddd` or `ddd.dddd`.
    Phone,
    /// A dash behind a blank, before a letter or a second dash and a letter.
    Flag,
    /// A quote behind a word and a blank.
    Quoted,
    /// The first of two angle brackets.
    Angles,
    /// The first of five dashes.
    Dashes,
    /// A byte that may open an encoded character.
    Rare,
    /// A slash that may open `/home/` or `/Users/`.
    Home,
    /// A blank before one capital letter and another blank.
    Flagged,
    /// A letter at a word start that is no [`Pattern::Word`], with 14 or more of
    /// `[A-Za-z0-9_~.+/=-]`, or with 7 or more of `[A-Za-z0-9_~.-]` and `-` or `_` among the first
    /// ten bytes: tokens whose literal is soon followed by other bytes.
    Short,
}

/// How many patterns there are.
pub const PATTERNS: usize = 23;

/// Words worked side by side. `u64` is the scalar twin of every vector.
pub(super) trait Lanes: Copy {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// `self & !other`.
    fn without(self, other: Self) -> Self;
    /// Towards higher places: what stands `N` bytes before.
    fn behind<const N: i32>(self) -> Self;
    /// Towards lower places: what stands `N` bytes ahead.
    fn ahead<const N: i32>(self) -> Self;
    fn splat(word: u64) -> Self;
}

impl Lanes for u64 {
    #[inline(always)]
    fn and(self, other: u64) -> u64 {
        self & other
    }

    #[inline(always)]
    fn or(self, other: u64) -> u64 {
        self | other
    }

    #[inline(always)]
    fn without(self, other: u64) -> u64 {
        self & !other
    }

    #[inline(always)]
    fn behind<const N: i32>(self) -> u64 {
        self << N
    }

    #[inline(always)]
    fn ahead<const N: i32>(self) -> u64 {
        self >> N
    }

    #[inline(always)]
    fn splat(word: u64) -> u64 {
        word
    }
}

/// The bits a formula answers for when it looks back `BACK` bits at most.
const fn own(back: u32) -> u64 {
    ((1 << STRIDE) - 1) << back
}

macro_rules! runs {
    ($bits:expr, 3) => {{
        let b = $bits;
        b.and(b.ahead::<1>()).and(b.ahead::<2>())
    }};
    ($bits:expr, 4) => {{
        let b = $bits;
        let b = b.and(b.ahead::<1>());
        b.and(b.ahead::<2>())
    }};
    ($bits:expr, 5) => {{
        let b = $bits;
        let f = runs!(b, 4);
        f.and(b.ahead::<4>())
    }};
    ($bits:expr, 7) => {{
        let f = runs!($bits, 4);
        f.and(f.ahead::<3>())
    }};
    ($bits:expr, 8) => {{
        let f = runs!($bits, 4);
        f.and(f.ahead::<4>())
    }};
    ($bits:expr, 13) => {{
        let e = runs!($bits, 8);
        e.and(e.ahead::<5>())
    }};
    ($bits:expr, 14) => {{
        let e = runs!($bits, 8);
        e.and(e.ahead::<6>())
    }};
}

/// The words of every pattern from the words of every class.
#[inline(always)]
pub(super) fn formulas<L: Lanes>(class: &[L; CLASSES], out: &mut [L; PATTERNS]) {
    numbers(class, out);
    words(class, out);
}

/// Patterns of addresses and numbers.
#[inline(always)]
fn numbers<L: Lanes>(class: &[L; CLASSES], out: &mut [L; PATTERNS]) {
    let of = |of: Class| class[of as usize];
    let (digit, letter, blank) = (of(Class::Digit), of(Class::Letter), of(Class::Blank));
    let (dot, dash, colon) = (of(Class::Dot), of(Class::Dash), of(Class::Colon));
    let plus = of(Class::Plus);
    let alnum = digit.or(letter);
    let hex = digit.or(of(Class::HexLetter));
    let behind_alnum = alnum.behind::<1>();
    let mut set = |pattern: Pattern, bits: L, back: u32| {
        out[pattern as usize] = bits.and(L::splat(own(back)));
    };
    set(Pattern::At, of(Class::At), 1);
    set(Pattern::Rare, of(Class::Rare), 1);

    // A dot between digits with two more such dots behind it, and none just before it.
    let between = dot.and(digit.behind::<1>()).and(digit.ahead::<1>());
    let next = |bits: L| bits.ahead::<2>().or(bits.ahead::<3>()).or(bits.ahead::<4>());
    let second = between.and(next(between));
    let earlier = between.behind::<2>().or(between.behind::<3>()).or(between.behind::<4>());
    set(Pattern::Quad, between.and(next(second)).without(earlier), 5);

    let beside = hex.behind::<1>().or(hex.ahead::<2>());
    let double = colon.and(colon.ahead::<1>()).without(colon.behind::<1>());
    set(Pattern::DoubleColon, double.and(beside), 1);
    let behind_hex = colon.and(hex.behind::<1>());
    let near = |bits: L| {
        let pair = bits.or(bits.ahead::<1>());
        pair.ahead::<2>().or(pair.ahead::<4>())
    };
    let third = behind_hex.and(near(behind_hex));
    let second = behind_hex.and(near(third));
    set(Pattern::ColonChain, behind_hex.and(near(second)), 1);
    let pair = dash.and(hex.behind::<1>()).and(hex.behind::<2>());
    let chain = pair.and(pair.ahead::<3>()).and(pair.ahead::<6>());
    set(Pattern::DashChain, chain.and(pair.ahead::<9>()).and(pair.ahead::<12>()), 2);
    let around = hex.behind::<1>().and(hex.ahead::<1>()).and(hex.ahead::<4>());
    set(Pattern::DotHex, dot.and(dot.ahead::<5>()).and(around).and(hex.ahead::<6>()), 1);

    let four = runs!(digit, 4);
    let mark = blank.or(dash);
    let grouped = four.and(mark.ahead::<4>()).and(four.ahead::<5>());
    set(Pattern::Card, runs!(digit, 13).or(grouped).without(behind_alnum), 1);
    let three = runs!(digit, 3).without(behind_alnum);
    let tail = dash.ahead::<3>().and(digit.ahead::<4>()).and(digit.ahead::<5>());
    let tail = tail.and(dash.ahead::<6>()).and(four.ahead::<7>()).without(digit.ahead::<11>());
    set(Pattern::Ssn, three.and(tail), 1);
    let phone = three.and(dash.or(dot).ahead::<3>()).and(four.ahead::<4>());
    set(Pattern::Phone, phone.without(digit.ahead::<8>()), 1);
    let country = letter.and(letter.ahead::<1>()).and(digit.ahead::<2>()).and(digit.ahead::<3>());
    let more = alnum.ahead::<4>().or(mark.ahead::<4>().and(alnum.ahead::<5>()));
    set(Pattern::Iban, country.and(more).without(behind_alnum), 1);
    // A number has eight digits and no three other bytes in a row; `+0000]` is a time zone.
    let goes_on = digit.ahead::<6>().or(digit.ahead::<7>()).or(digit.ahead::<8>());
    set(Pattern::Plus, plus.and(digit.ahead::<1>()).and(goes_on).without(behind_alnum), 1);
}

/// Patterns of tokens, keys and single marks.
#[inline(always)]
fn words<L: Lanes>(class: &[L; CLASSES], out: &mut [L; PATTERNS]) {
    let of = |of: Class| class[of as usize];
    let (digit, letter, upper) = (of(Class::Digit), of(Class::Letter), of(Class::Upper));
    let (dot, dash, under) = (of(Class::Dot), of(Class::Dash), of(Class::Under));
    let (colon, equals, angle) = (of(Class::Colon), of(Class::Equals), of(Class::Angle));
    let (quote, blank, slash) = (of(Class::Quote), of(Class::Blank), of(Class::Slash));
    let (plus, high) = (of(Class::Plus), of(Class::High));
    let alnum = digit.or(letter);
    let behind_alnum = alnum.behind::<1>();
    let mark = blank.or(dash);
    let mut set = |pattern: Pattern, bits: L, back: u32| {
        out[pattern as usize] = bits.and(L::splat(own(back)));
    };
    let word = alnum.or(dot.or(dash)).or(under);
    let capital = upper.and(letter.without(upper).behind::<1>());
    let starts = alnum.without(behind_alnum).or(capital);
    let eight = runs!(word, 8);
    let long = eight.and(eight.ahead::<6>());
    set(Pattern::Word, long.and(starts), 1);
    let seven = runs!(word, 7);
    let joint = dash.or(under);
    let pairs = joint.ahead::<2>().or(joint.ahead::<3>());
    let early = pairs.or(pairs.ahead::<2>()).or(pairs.ahead::<4>()).or(pairs.ahead::<6>());
    let padded = word.or(plus).or(slash).or(equals);
    let short = runs!(padded, 14).or(seven.and(early));
    set(Pattern::Short, short.and(starts).and(letter).without(long), 1);
    let base64 = alnum.or(slash).or(plus);
    set(Pattern::Base64, runs!(base64, 14).without(base64.behind::<1>()), 1);

    let text = letter.or(high);
    let authority = slash.ahead::<1>().and(slash.ahead::<2>());
    let single = colon.and(text.or(quote).or(blank).behind::<1>()).without(authority);
    let single = single.without(colon.ahead::<1>().or(colon.behind::<1>()));
    // `address1: …`, but no clock.
    let numbered = colon.and(digit.behind::<1>()).and(letter.behind::<2>());
    let numbered = numbered.and(blank.or(quote).ahead::<1>());
    let key = equals.or(single).or(numbered).or(angle.and(letter.behind::<1>()));
    set(Pattern::Key, key, 2);

    let joint = mark.or(dot).or(slash).and(digit.behind::<1>()).and(digit.ahead::<1>());
    let dashed = alnum.or(dash.and(behind_alnum).and(alnum.ahead::<1>()));
    let pairs = digit.or(digit.ahead::<1>());
    let fours = pairs.or(pairs.ahead::<2>());
    let some_digit = fours.or(fours.ahead::<4>());
    let numeric = digit.and(runs!(digit.or(joint), 8)).or(runs!(dashed, 8).and(some_digit));
    set(Pattern::Bare, numeric.and(blank.behind::<1>()).and(text.or(dot).behind::<2>()), 2);

    let option = letter.ahead::<1>().or(dash.ahead::<1>().and(letter.ahead::<2>()));
    set(Pattern::Flag, dash.and(blank.behind::<1>()).and(option), 1);
    set(Pattern::Quoted, quote.and(blank.behind::<1>()).and(letter.behind::<2>()), 2);
    set(Pattern::Angles, angle.and(angle.ahead::<1>()).without(angle.behind::<1>()), 1);
    set(Pattern::Dashes, runs!(dash, 5).without(dash.behind::<1>()), 1);
    let home = slash.and(letter.ahead::<1>()).and(slash.ahead::<5>().or(slash.ahead::<6>()));
    set(Pattern::Home, home, 1);
    let flag = blank.and(upper.ahead::<1>()).and(blank.ahead::<2>());
    set(Pattern::Flagged, flag.and(letter.behind::<1>()), 1);
}
