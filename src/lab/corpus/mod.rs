//! Log text made from a seed, with the list of what was planted in it.
//!
//! [`S4`] is the table of the ten corpora of the masking spike: their average line, their matches
//! a line and the speed that was published for each. [`generate`] makes one of them; [`ordinary`]
//! makes lines that hold nothing to find; [`hostile`] makes single lines that are meant to be slow.
//!
//! # Promise
//! The same name, line count, mode and seed give the same bytes and the same list on any machine;
//! a test holds the digests. All values are invented. Documentation ranges are used like any other
//! range, because a detector that treats them differently is wrong.
//!
//! # Not here
//! What a detector finds. The list says what was planted, and a corpus that is `clean` holds
//! nothing else; in the others a detector may find more.

mod application;
pub mod hostile;
pub mod ordinary;

mod sheet;
mod value;
mod worst;

pub use sheet::Planted;
pub use sheet::Sheet;
pub use value::Kind;
pub use value::Values;

use crate::lab::rng::Rng;

/// The seed of every recorded run.
pub const SEED: u64 = 0x006c_6f63_6b6c_6f67;

/// How many different values a warm corpus draws from.
pub const WARM_VALUES: usize = 1_000;

/// Where planted values come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every planted value is distinct.
    Cold,
    /// Values are drawn from [`WARM_VALUES`], the n-th with a weight of 1/n, as in real logs.
    Warm,
}

/// One row of the S4 table.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// Average bytes a line, newline included.
    pub line_bytes: usize,
    /// Published matches a line, in tenths.
    pub published_tenths: u64,
    /// Published MB/s with every detector.
    pub published_mb_s: f64,
    /// Published MB/s without secrets.
    pub published_without_secret_mb_s: f64,
    /// Nothing but the planted values may be found.
    pub clean: bool,
    fill: fn(&mut Sheet, &mut Values, &mut Rng),
}

/// Generated text and what was planted in it.
#[derive(Clone)]
pub struct Corpus {
    /// The bytes, each line ended by a newline.
    pub text: Vec<u8>,
    /// What was planted, in order.
    pub planted: Vec<Planted>,
    /// How many lines there are.
    pub lines: usize,
}

impl std::fmt::Debug for Corpus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Corpus({} lines, {} planted)", self.lines, self.planted.len())
    }
}

impl Corpus {
    /// A digest of the bytes.
    pub fn text_digest(&self) -> String {
        blake3::hash(&self.text).to_hex().to_string()
    }

    /// A digest of the list of planted values.
    pub fn planted_digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for planted in &self.planted {
            for number in [planted.line, planted.span.start, planted.span.end] {
                hasher.update(&(number as u64).to_le_bytes());
            }
            hasher.update(planted.kind.name().as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }
}

/// The corpus of one name.
pub fn find(name: &str) -> Option<&'static Definition> {
    S4.iter().find(|definition| definition.name == name)
}

/// Makes `lines` lines of a corpus.
pub fn generate(definition: &Definition, lines: usize, mode: Mode, seed: u64) -> Corpus {
    let mut rng = Rng::new(seed ^ (definition.line_bytes as u64).rotate_left(32));
    let mut values = Values::new(mode, rng.bits());
    let mut sheet = Sheet::new(definition.line_bytes, definition.published_tenths);
    for _ in 0..lines {
        (definition.fill)(&mut sheet, &mut values, &mut rng);
        sheet.end_line();
    }
    sheet.finish()
}

/// The ten corpora of the S4 table, with the figures that were published for them.
pub const S4: &[Definition] = &[
    Definition {
        name: "nginx",
        title: "nginx combined",
        line_bytes: 211,
        published_tenths: 10,
        published_mb_s: 0.9,
        published_without_secret_mb_s: 5.3,
        clean: false,
        fill: application::nginx,
    },
    Definition {
        name: "json",
        title: "JSON application log",
        line_bytes: 253,
        published_tenths: 10,
        published_mb_s: 1.0,
        published_without_secret_mb_s: 6.1,
        clean: false,
        fill: application::json,
    },
    Definition {
        name: "syslog",
        title: "plain syslog text, no PII",
        line_bytes: 114,
        published_tenths: 0,
        published_mb_s: 1.0,
        published_without_secret_mb_s: 7.2,
        clean: true,
        fill: application::syslog,
    },
    Definition {
        name: "dense",
        title: "dense PII",
        line_bytes: 147,
        published_tenths: 60,
        published_mb_s: 0.9,
        published_without_secret_mb_s: 5.2,
        clean: false,
        fill: application::dense,
    },
    Definition {
        name: "encoded",
        title: "percent / HTML / \\u encoded",
        line_bytes: 138,
        published_tenths: 30,
        published_mb_s: 0.2,
        published_without_secret_mb_s: 1.3,
        clean: false,
        fill: application::encoded,
    },
    Definition {
        name: "worst-digits",
        title: "worst: 4 KiB digit runs",
        line_bytes: 4_096,
        published_tenths: 206,
        published_mb_s: 1.1,
        published_without_secret_mb_s: 7.9,
        clean: false,
        fill: worst::digits,
    },
    Definition {
        name: "worst-mail",
        title: "worst: 4 KiB of a@b.c",
        line_bytes: 4_096,
        published_tenths: 0,
        published_mb_s: 1.2,
        published_without_secret_mb_s: 8.3,
        clean: true,
        fill: worst::mail,
    },
    Definition {
        name: "worst-percent",
        title: "worst: 4 KiB of %41%2540AA",
        line_bytes: 4_096,
        published_tenths: 0,
        published_mb_s: 0.3,
        published_without_secret_mb_s: 1.4,
        clean: true,
        fill: worst::percent,
    },
    Definition {
        name: "worst-hex",
        title: "worst: 4 KiB hex runs",
        line_bytes: 4_096,
        published_tenths: 0,
        published_mb_s: 0.8,
        published_without_secret_mb_s: 3.6,
        clean: true,
        fill: worst::hex,
    },
    Definition {
        name: "worst-keys",
        title: "worst: 4 KiB api_key= / Bearer pairs",
        line_bytes: 4_096,
        published_tenths: 20,
        published_mb_s: 1.4,
        published_without_secret_mb_s: 5.1,
        clean: false,
        fill: worst::keys,
    },
];

#[cfg(test)]
mod tests;
