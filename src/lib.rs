//! locklog fetches production logs under budgets and masks every value that identifies a person or
//! opens a door.
//!
//! # Map
//!
//! Modules stand in layers; each may use only what stands above it.
//!
//! | layer | module | one sentence |
//! |---|---|---|
//! | words | [`units`] | Quantities with a unit, parsing and printing them. |
//! | | [`time`] | The clock, moments, ranges, and times as people write them. |
//! | | [`id`] | Typed ids: source, plan, granule, grant, call, actor. |
//! | | [`private`] | Folders and files that only their owner may read. |
//! | | [`crash`] | Places where a test can kill the process. |
//! | | [`text`] | Raw text: what came from a source and may not leave. |
//! | | [`simd`] | Byte-class kernels: slices in, bitmaps out, each with a scalar twin. |
//! | engines | [`budget`] | Bytes held at one time, and bytes read altogether. |
//! | | [`view`] | Decoded views of raw text, with a map back to raw offsets. |
//! | | [`detect`] | Rules from data to spans. |
//! | | [`pseudonym`] | A value to its stable, keyed name. |
//! | | [`mask`] | Raw text in, masked text out. |
//! | | [`cost`] | What masking costs, predicted from measurements. |
//! | edges | [`source`] | Where raw text comes from. |
//! | | [`plan`] | A request becomes granules, bytes and a digest to agree to. |
//! | | [`grant`] | Approvals: who may be served how much of which plan, until when. |
//! | | [`audit`] | The trail of who saw what, in lines that cannot be changed unnoticed. |
//! | uses | [`fetch`] | Runs an admitted plan: read, mask, write, granule by granule. |
//! | faces | [`config`] | What the user and the machine ask for, read once and checked. |
//! | | [`lab`] | Corpora, peers and measurements whose answer is checked first. |
//! | | [`calibrate`] | Measures this machine, and keeps what was measured. |
//! | | [`cli`] | One file a verb. |
//!
//! A call of `locklog mask` goes down and up again: `cli` asks `config` for a profile and a key,
//! takes chunks from `source`, lets a [`mask::Cutter`] make pieces of whole lines and a
//! [`mask::Worker`] mask them; the worker finds spans with [`detect::Rules`], which reads bitmaps of
//! `simd` and views of `view`, and names what was found with a [`pseudonym::Namer`].
//!
//! # Invariants
//!
//! Each with what checks it.
//!
//! - Raw text lives between `source` and `mask` only: [`text::RawText`] has no `Display`, no
//!   `Serialize` and a `Debug` without text. (`tests/compile_fail/`; `RawText::new` and `.expose()`
//!   by a list of modules: `tests/tidy.rs`)
//! - Only `mask` makes [`mask::MaskedText`]. (type; `tests/compile_fail/`)
//! - Nothing that the process emits holds a value or a telling piece of one: not its output, not a
//!   report, an error, an event or the message of a panic. (`tests/it/canary.rs`)
//! - The same stream gives the same output however it was cut, on every instruction set, with gates
//!   or without; masking masked text changes nothing. (`tests/it/fuzz_replay.rs`, `tests/fuzz/`)
//! - Nothing is served or decided without an audit entry before it; a killed call is in flight, and
//!   what it held of a grant is lost, never served twice. (`audit::AuditLog`, `grant::Lease`;
//!   `tests/it/crash.rs`)
//! - What is kept of a request, a plan or a call is a number, an id or a [`mask::Note`]. (type;
//!   `tests/it/grant.rs`)
//! - Only `config` reads the environment, only `time` the clock, only `simd` is `unsafe`, only
//!   `grant` knows SQL. (clippy, `tests/tidy.rs`)
//! - A module uses only modules above it, and product code never uses `lab`. (`tests/tidy.rs`)
//! - What a value costs in one call says nothing about another call: names are remembered for one
//!   call of one caller. (instruction counts: `benches/kernels.rs`)
//! - No kernel takes more instructions than were accepted in text.
//!   (`benches/baselines/instructions.toml`)
//!
//! # Glossary
//!
//! - *value*: what identifies a person or opens a door, as it stands in a log.
//! - *kind*: what a value is, `EMAIL` or `SECRET`; what its names begin with.
//! - *detector*, *rule*: the data that describes how values of a kind look · its compiled form.
//! - *gate*: the cheap test that picks the places where a rule is tried.
//! - *cue*: a name beside a value that makes it believable.
//! - *view*: text with one layer of encoding undone.
//! - *span*: a pair of byte offsets into raw text; *match*: a span with its rule and kind.
//! - *name*, *marker*: the stable keyed id of a value · its form in the output.
//! - *piece*: what is masked at a time; *carry*: what a piece leaves for the next.
//! - *granule*: a part of a plan, the least that is admitted, checked, served and measured.
//! - *grant*: what others have approved · *permit*: proof that it holds, for one granule · *lease*:
//!   bytes debited from it before they are served.
//! - *trail*: the audit entries, chained · *checkpoint*, *head*: what seals them · *anchor*: a hash of
//!   the trail that is kept elsewhere.
//! - *mask*: to put markers in the place of values. *Redact*, *allow* and *withhold* are policies
//!   for text that no detector knows.

pub mod audit;
pub mod budget;
pub mod calibrate;
pub mod cli;
pub mod config;
pub mod cost;
pub mod crash;
pub mod detect;
pub mod fetch;
pub mod format;
pub mod grant;
pub mod id;
pub mod lab;
pub mod mask;
pub mod plan;
pub mod private;
pub mod pseudonym;
pub mod record;
#[expect(
    unsafe_code,
    clippy::indexing_slicing,
    reason = "vector loads need it; indices are classes, which the arrays are sized for"
)]
pub mod simd;
pub mod source;
pub mod text;
pub mod time;
pub mod units;
pub mod view;
