//! All rules in one lazy DFA.

use anyhow::bail;
use regex_automata::Input;
use regex_automata::hybrid::dfa;
use regex_automata::hybrid::regex::Cache;
use regex_automata::hybrid::regex::Regex;
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;

use super::RULES;
use super::name;
use crate::lab::engine::Naming;
use crate::lab::measure::Contender;
use crate::lab::measure::Found;
use crate::text::Span;

/// Room for the states of one direction.
const CACHE_BYTES: usize = 64 << 20;

/// The rules as one expression.
#[derive(Debug)]
pub struct Fused {
    expression: Regex,
}

/// Compiles the rules into one lazy DFA.
///
/// # Errors
///
/// When they do not compile together.
pub fn fused() -> anyhow::Result<Fused> {
    let patterns: Vec<&str> = RULES.iter().map(|rule| rule.pattern).collect();
    let expression = Regex::builder()
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .thompson(thompson::Config::new().utf8(false))
        .dfa(dfa::Config::new().cache_capacity(CACHE_BYTES))
        .build_many(&patterns)?;
    Ok(Fused { expression })
}

impl Fused {
    /// A contender that uses it, with an empty cache of states.
    pub fn contender<'a>(&'a self, naming: &'a Naming) -> impl Contender + 'a {
        FusedPass { expression: &self.expression, naming, cache: self.expression.create_cache() }
    }
}

struct FusedPass<'a> {
    expression: &'a Regex,
    naming: &'a Naming,
    cache: Cache,
}

impl Contender for FusedPass<'_> {
    fn pass(&mut self, text: &[u8], found: &mut Found) -> anyhow::Result<()> {
        let mut memory = self.naming.memory();
        let mut call = self.naming.call(&mut memory);
        let mut input = Input::new(text);
        while let Some(hit) = self.expression.try_search(&mut self.cache, &input)? {
            let rule = hit.pattern().as_usize();
            let span = Span::new(hit.start(), hit.end());
            if RULES.get(rule).is_some_and(|rule| (rule.holds)(text, span)) {
                name(&mut call, rule, text, span, found);
            }
            input.set_start(hit.end());
        }
        call.finish(&mut found.names);
        let parts = self.cache.as_parts();
        let cleared = parts.0.clear_count() + parts.1.clear_count();
        if cleared > 0 {
            bail!("the cache of {CACHE_BYTES} bytes was cleared {cleared} times");
        }
        Ok(())
    }
}
