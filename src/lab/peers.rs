//! Peers: other ways to find the commonest values, naming them with the same function.
//!
//! [`RULES`] are 24 rules as one would write them for a regex engine: ASCII classes, bounded
//! repeats, no look-around. Where an expression alone cannot tell, a check of the match follows
//! ([`Rule::holds`]), as in any serious scanner. [`one_by_one`] runs them as 24 expressions of the
//! `regex` crate, one after the other; [`fused()`] as one lazy DFA; [`ceiling`] finds one rare byte
//! with memchr, which is how fast these bytes can be read at all.
//!
//! # Promise
//! A peer that had to clear its cache of states fails instead of being slow: it is given 64 MiB.
//!
//! # Not here
//! Views: a peer finds nothing that is encoded.

mod fused;
mod rules;

use regex::bytes::Regex;

use crate::lab::engine::Call;
use crate::lab::engine::Naming;
use crate::lab::measure::Contender;
use crate::lab::measure::Found;
use crate::text::Span;

pub use fused::Fused;
pub use fused::fused;
pub use rules::RULES;
pub use rules::Rule;

/// The rules as expressions of the `regex` crate.
#[derive(Debug)]
pub struct OneByOne {
    expressions: Vec<Regex>,
}

/// Compiles the rules one by one.
///
/// # Errors
///
/// When one of them is no regular expression.
pub fn one_by_one() -> anyhow::Result<OneByOne> {
    let mut expressions = Vec::with_capacity(RULES.len());
    for rule in RULES {
        expressions.push(Regex::new(&format!("(?-u){}", rule.pattern))?);
    }
    Ok(OneByOne { expressions })
}

impl OneByOne {
    /// A contender that uses them.
    pub fn contender<'a>(&'a self, naming: &'a Naming) -> impl Contender + 'a {
        OneByOnePass { expressions: &self.expressions, naming, hits: Vec::new() }
    }
}

struct OneByOnePass<'a> {
    expressions: &'a [Regex],
    naming: &'a Naming,
    hits: Vec<(Span, usize)>,
}

impl Contender for OneByOnePass<'_> {
    fn pass(&mut self, text: &[u8], found: &mut Found) -> anyhow::Result<()> {
        self.hits.clear();
        for (index, (expression, rule)) in self.expressions.iter().zip(RULES).enumerate() {
            for hit in expression.find_iter(text) {
                let span = Span::new(hit.start(), hit.end());
                if (rule.holds)(text, span) {
                    self.hits.push((span, index));
                }
            }
        }
        // The earliest wins, then the longest, then the first rule: one order for all peers.
        self.hits.sort_unstable_by_key(|(span, rule)| (span.start, usize::MAX - span.end, *rule));
        let mut memory = self.naming.memory();
        let mut call = self.naming.call(&mut memory);
        let mut end = 0;
        for (span, index) in &self.hits {
            if span.start >= end {
                end = span.end;
                name(&mut call, *index, text, *span, found);
            }
        }
        call.finish(&mut found.names);
        Ok(())
    }
}

fn name(call: &mut Call<'_>, rule: usize, text: &[u8], span: Span, found: &mut Found) {
    let kind = RULES.get(rule).map_or("", |rule| rule.kind);
    let value = text.get(span.start..span.end).unwrap_or_default();
    call.add(u16::try_from(rule).unwrap_or(0), kind, value);
    found.spans.push(span);
}

/// Reads the bytes as fast as they can be read: counts one that is rare in logs.
pub fn ceiling() -> impl Contender {
    Ceiling
}

struct Ceiling;

impl Contender for Ceiling {
    fn pass(&mut self, text: &[u8], found: &mut Found) -> anyhow::Result<()> {
        let count = memchr::memchr_iter(0x07, text).count();
        found.names.extend_from_slice(&(count as u64).to_le_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests;
