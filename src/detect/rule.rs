//! What a detector file may say, and what it means once checked.

use serde::Deserialize;

/// One `[[detector]]` as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawRule {
    /// `group.name`, lower case, dashes inside a part.
    pub id: String,
    /// The word that opens its markers: upper case, digits and `_`, at most [`KIND_LEN_MAX`] bytes.
    pub kind: String,
    /// What the value is, in one sentence.
    pub summary: String,
    /// What makes a match believable.
    pub tier: Tier,
    /// Literals that a match starts with, at a word start. One of the three gates.
    #[serde(default)]
    pub prefixes: Vec<String>,
    /// Name of a structural gate that the engine has code for. One of the three gates.
    #[serde(default)]
    pub gate: Option<String>,
    /// Names that announce the value: keys and words before it. One of the three gates.
    #[serde(default)]
    pub cues: Vec<String>,
    /// Shape of the whole match (prefix included) or, with cues, of the value. ASCII bytes.
    #[serde(default)]
    pub pattern: Option<String>,
    /// Name of a check in `detect::validate`.
    #[serde(default)]
    pub validator: Option<String>,
    /// Which spellings of a value are one value.
    #[serde(default)]
    pub normalise: Normalise,
    /// Who wins when two detectors claim the same bytes.
    #[serde(default)]
    pub precedence: Precedence,
    /// The prefix may stand right after a letter or digit (`keyAKIA…`).
    #[serde(default)]
    pub glued: bool,
    /// Only what follows the prefix is masked.
    #[serde(default)]
    pub keep_prefix: bool,
    /// With cues: the cue may be a bare word before the value, not only a key before `=` or `:`.
    #[serde(default)]
    pub bare: bool,
    /// With cues: the cue is an ordinary word too, so the value must look like a secret.
    #[serde(default)]
    pub weak: bool,
    /// Lines in which the detector finds something.
    pub examples: Vec<String>,
    /// Lines in which it finds nothing.
    pub counterexamples: Vec<String>,
    /// Where the shape was published.
    #[serde(default)]
    pub references: Vec<String>,
}

/// A detector file as written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawFile {
    /// Its detectors.
    #[serde(default)]
    pub detector: Vec<RawRule>,
}

/// Longest name of a kind, so that a marker has at most 40 bytes.
pub const KIND_LEN_MAX: usize = 12;

/// What makes a match believable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// The shape alone says what it is.
    SelfIdentifying,
    /// A check digit or range confirms the shape.
    Checksum,
    /// The value counts only beside its name.
    Cue,
}

/// Which spellings of a value are one value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Normalise {
    /// Each byte counts.
    #[default]
    Exact,
    /// Letter case does not count.
    Lower,
    /// Only letters and digits count, in upper case.
    Compact,
    /// Only digits count.
    Digits,
    /// An IP address in its shortest form.
    Ip,
    /// A hardware address: hex digits in lower case.
    Mac,
}

/// Who wins when two detectors claim the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precedence {
    /// Loses against a specific one.
    Generic,
    /// The usual.
    #[default]
    Specific,
}
