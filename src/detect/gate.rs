//! Candidates from bitmaps: where a match of some kind could stand.
//!
//! The maps are read in windows of 64 bits that move on by 48, so that every gate sees up to 16
//! bits around a position without carrying anything from window to window. A gate may look back
//! and ahead together no further than that; each names the first bit it answers for.
//!
//! # Promise
//! A gate never misses: wherever a matcher behind it could succeed, the gate gives a candidate. The
//! property test `gates_on_and_gates_off_find_the_same` compares with candidates everywhere.
//!
//! # Not here
//! Whether a candidate is a match: the matchers look at the text again.

use crate::simd::Class;
use crate::simd::Maps;

/// Positions by gate, ascending.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// An at sign.
    pub(super) at: Vec<u32>,
    /// The first dot of at least three between digits, one to three digits apart.
    pub(super) quad: Vec<u32>,
    /// The first of two colons, a hex digit beside them.
    pub(super) double_colon: Vec<u32>,
    /// A colon after a hex digit with three more such colons, two to five bytes apart.
    pub(super) colon_chain: Vec<u32>,
    /// The first of five dashes, each after two hex digits and three bytes apart.
    pub(super) dash_chain: Vec<u32>,
    /// The first of two dots five bytes apart between hex digits.
    pub(super) dot_hex: Vec<u32>,
    /// The first of 13 digits, or of a group of four digits followed by a group of at least four.
    pub(super) card: Vec<u32>,
    /// The first digit of `ddd-dd-dddd`.
    pub(super) ssn: Vec<u32>,
    /// Two letters and two digits at a word start, more behind them.
    pub(super) iban: Vec<u32>,
    /// A plus sign before a digit and not behind a letter or digit.
    pub(super) plus: Vec<u32>,
    /// A word start, or a capital behind a small letter, with 14 or more of `[A-Za-z0-9_~.-]`.
    pub(super) word: Vec<u32>,
    /// The start of 14 or more of `[A-Za-z0-9/+]`.
    pub(super) base64: Vec<u32>,
    /// `=`, `:` or `>` behind what may be a key.
    pub(super) key: Vec<u32>,
    /// The start of a number-like word behind a blank and a letter.
    pub(super) bare: Vec<u32>,
    /// The first digit of `ddd-dddd` or `ddd.dddd`.
    pub(super) phone: Vec<u32>,
    /// A dash behind a blank, before a letter or a second dash and a letter.
    pub(super) flag: Vec<u32>,
    /// A quote behind a word and a blank.
    pub(super) quoted: Vec<u32>,
    /// The first of two angle brackets.
    pub(super) angles: Vec<u32>,
    /// The first of five dashes.
    pub(super) dashes: Vec<u32>,
    /// A byte that may open an encoded character.
    pub(super) rare: Vec<u32>,
    /// A slash that may open `/home/` or `/Users/`.
    pub(super) home: Vec<u32>,
    /// A blank before one capital letter and another blank.
    pub(super) flagged: Vec<u32>,
    /// A colon before two slashes.
    pub(super) authority: Vec<u32>,
}

const STRIDE: usize = 48;
const LOOK_BACK: usize = 8;

/// The bits a gate answers for when it looks back `back` bits at most.
const fn answers(back: u32) -> u64 {
    ((1 << STRIDE) - 1) << back
}

/// The bits that start `N` set bits, as far as the window shows them.
const fn run_of<const N: u32>(bits: u64) -> u64 {
    let mut runs = bits;
    let mut have = 1;
    while have < N {
        let step = if have * 2 <= N { have } else { N - have };
        runs &= runs >> step;
        have += step;
    }
    runs
}

impl Candidates {
    pub(super) fn clear(&mut self) {
        for list in self.lists() {
            list.clear();
        }
    }

    pub(super) fn lists(&mut self) -> [&mut Vec<u32>; 23] {
        [
            &mut self.at,
            &mut self.quad,
            &mut self.double_colon,
            &mut self.colon_chain,
            &mut self.dash_chain,
            &mut self.dot_hex,
            &mut self.card,
            &mut self.ssn,
            &mut self.iban,
            &mut self.plus,
            &mut self.word,
            &mut self.base64,
            &mut self.key,
            &mut self.bare,
            &mut self.phone,
            &mut self.flag,
            &mut self.quoted,
            &mut self.angles,
            &mut self.dashes,
            &mut self.rare,
            &mut self.home,
            &mut self.flagged,
            &mut self.authority,
        ]
    }
}

/// Appends the positions of the set bits; bit 0 is position `base - LOOK_BACK`.
#[inline]
fn push(list: &mut Vec<u32>, mut bits: u64, base: usize) {
    while bits != 0 {
        // The gates answer for no position before the text, so the sum is at least LOOK_BACK.
        list.push((base + bits.trailing_zeros() as usize - LOOK_BACK) as u32);
        bits &= bits - 1;
    }
}

/// Fills `found` with the candidates of the text behind `maps`.
pub(super) fn candidates(maps: &Maps, found: &mut Candidates) {
    found.clear();
    let windows = (maps.len() + LOOK_BACK).div_ceil(STRIDE) + 1;
    let map = |class| maps.bytes(class).get(Maps::PAD_BITS / 8 - LOOK_BACK / 8..).unwrap_or(&[]);
    let window = |map: &[u8], index: usize| -> u64 {
        let at = index * (STRIDE / 8);
        map.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes)
    };
    let (digit, letter, upper) = (map(Class::Digit), map(Class::Letter), map(Class::Upper));
    let (hex, dot, dash) = (map(Class::HexLetter), map(Class::Dot), map(Class::Dash));
    let (under, colon, equals) = (map(Class::Under), map(Class::Colon), map(Class::Equals));
    let (angle, quote, blank) = (map(Class::Angle), map(Class::Quote), map(Class::Blank));
    let (slash, at, plus) = (map(Class::Slash), map(Class::At), map(Class::Plus));
    let (rare, high) = (map(Class::Rare), map(Class::High));
    for index in 0..windows {
        let w = Window {
            digit: window(digit, index),
            letter: window(letter, index),
            upper: window(upper, index),
            hex: window(hex, index),
            dot: window(dot, index),
            dash: window(dash, index),
            under: window(under, index),
            colon: window(colon, index),
            equals: window(equals, index),
            angle: window(angle, index),
            quote: window(quote, index),
            blank: window(blank, index),
            slash: window(slash, index),
            at: window(at, index),
            plus: window(plus, index),
            rare: window(rare, index),
            high: window(high, index),
        };
        w.numbers(index * STRIDE, found);
        w.words(index * STRIDE, found);
        w.marks(index * STRIDE, found);
    }
}

/// 64 neighbouring bits of each map.
#[derive(Clone, Copy)]
struct Window {
    digit: u64,
    letter: u64,
    upper: u64,
    hex: u64,
    dot: u64,
    dash: u64,
    under: u64,
    colon: u64,
    equals: u64,
    angle: u64,
    quote: u64,
    blank: u64,
    slash: u64,
    at: u64,
    plus: u64,
    rare: u64,
    high: u64,
}

impl Window {
    /// Gates for addresses and numbers.
    #[inline]
    fn numbers(self, base: usize, found: &mut Candidates) {
        let Window { digit, letter, dot, dash, colon, blank, plus, .. } = self;
        let alnum = digit | letter;
        let hexdigit = digit | self.hex;

        // A dot between digits with two more such dots behind it, and none just before it.
        let between = dot & digit << 1 & digit >> 1;
        let next = |bits: u64| bits >> 2 | bits >> 3 | bits >> 4;
        let second = between & next(between);
        let quad = between & next(second) & !(between << 2 | between << 3 | between << 4);
        push(&mut found.quad, quad & answers(5), base);

        let double = colon & colon >> 1 & !(colon << 1) & (hexdigit << 1 | hexdigit >> 2);
        push(&mut found.double_colon, double & answers(1), base);

        let behind_hex = colon & hexdigit << 1;
        let near = |bits: u64| bits >> 2 | bits >> 3 | bits >> 4 | bits >> 5;
        let third = behind_hex & near(behind_hex);
        let second = behind_hex & near(third);
        push(&mut found.colon_chain, behind_hex & near(second) & answers(1), base);

        let pair = dash & hexdigit << 1 & hexdigit << 2;
        let chain = pair & pair >> 3 & pair >> 6 & pair >> 9 & pair >> 12;
        push(&mut found.dash_chain, chain & answers(2), base);

        let dot_hex = dot & dot >> 5 & hexdigit << 1 & hexdigit >> 1 & hexdigit >> 4 & hexdigit >> 6;
        push(&mut found.dot_hex, dot_hex & answers(1), base);

        let four = run_of::<4>(digit);
        let grouped = four & (blank | dash) >> 4 & four >> 5;
        let card = (run_of::<13>(digit) | grouped) & !(alnum << 1);
        push(&mut found.card, card & answers(1), base);

        let three = run_of::<3>(digit) & !(alnum << 1);
        let tail = dash >> 3 & digit >> 4 & digit >> 5 & dash >> 6 & four >> 7 & !(digit >> 11);
        push(&mut found.ssn, three & tail & answers(1), base);
        let phone = three & (dash | dot) >> 3 & four >> 4 & !(digit >> 8);
        push(&mut found.phone, phone & answers(1), base);

        let country = letter & letter >> 1 & digit >> 2 & digit >> 3 & !(alnum << 1);
        let more = alnum >> 4 | (blank | dash) >> 4 & alnum >> 5;
        push(&mut found.iban, country & more & answers(1), base);

        push(&mut found.plus, plus & digit >> 1 & !(alnum << 1) & answers(1), base);
    }

    /// Gates for tokens, keys and words before values.
    #[inline]
    fn words(self, base: usize, found: &mut Candidates) {
        let Window { digit, letter, dot, dash, colon, quote, blank, slash, .. } = self;
        let alnum = digit | letter;
        let word = alnum | dot | dash | self.under;
        let starts = alnum & !(alnum << 1) | self.upper & (letter & !self.upper) << 1;
        push(&mut found.word, run_of::<14>(word) & starts & answers(1), base);
        let base64 = alnum | slash | self.plus;
        push(&mut found.base64, run_of::<14>(base64) & !(base64 << 1) & answers(1), base);

        let text = letter | self.high;
        let colon_key = colon & (text | quote | blank) << 1 & !(slash >> 1);
        let single = colon_key & !(colon >> 1) & !(colon << 1);
        let key = self.equals | single | self.angle & letter << 1;
        push(&mut found.key, key & answers(1), base);

        let joined = digit | (blank | dash | dot | slash) & digit << 1 & digit >> 1;
        let dashed = alnum | dash & alnum << 1 & alnum >> 1;
        let pairs = digit | digit >> 1;
        let fours = pairs | pairs >> 2;
        let some_digit = fours | fours >> 4;
        let numeric = digit & run_of::<8>(joined) | run_of::<8>(dashed) & some_digit;
        let bare = numeric & blank << 1 & (text | dot) << 2;
        push(&mut found.bare, bare & answers(2), base);

        let flag = dash & blank << 1 & (letter >> 1 | dash >> 1 & letter >> 2);
        push(&mut found.flag, flag & answers(1), base);
        push(&mut found.quoted, quote & blank << 1 & letter << 2 & answers(2), base);
    }

    /// Gates for single marks.
    #[inline]
    fn marks(self, base: usize, found: &mut Candidates) {
        let Window { letter, dash, colon, slash, angle, blank, .. } = self;
        push(&mut found.at, self.at & answers(1), base);
        push(&mut found.rare, self.rare & answers(1), base);
        push(&mut found.angles, angle & angle >> 1 & !(angle << 1) & answers(1), base);
        push(&mut found.dashes, run_of::<5>(dash) & !(dash << 1) & answers(1), base);
        let home = slash & letter >> 1 & (slash >> 5 | slash >> 6);
        push(&mut found.home, home & answers(1), base);
        let flagged = blank & self.upper >> 1 & blank >> 2 & letter << 1;
        push(&mut found.flagged, flagged & answers(1), base);
        push(&mut found.authority, colon & slash >> 1 & slash >> 2 & answers(1), base);
    }
}
