//! The masking engine as a contender, and the pseudonym function that all contenders share.
//!
//! One pass is one call of the product: a scan of the whole text over all views, then a name for
//! each match out of a cache that lives for that call alone.
//!
//! # Not here
//! The rewrite: what is timed is finding and naming, as in the published table.

use crate::detect::Rules;
use crate::detect::Scratch;
use crate::detect::Selection;
use crate::lab::measure::Contender;
use crate::lab::measure::Found;
use crate::pseudonym;
use crate::pseudonym::Cache;
use crate::pseudonym::Key;
use crate::pseudonym::Namer;
use crate::pseudonym::Names;
use crate::text::RawSlice;

/// The kinds that `--without secret` leaves out.
pub const SECRET_KINDS: &[&str] = &["SECRET", "JWT", "PRIVATE_KEY"];

/// Compiled detectors.
#[derive(Debug)]
pub struct Engine {
    rules: Rules,
}

impl Engine {
    /// All detectors but those of some kinds.
    ///
    /// # Errors
    ///
    /// When the detectors that are compiled in do not load.
    pub fn load(without: &[&str]) -> anyhow::Result<Engine> {
        let without = without.iter().map(|kind| (*kind).to_owned()).collect();
        let selection = Selection { only: Vec::new(), without, extra: Vec::new() };
        Ok(Engine { rules: Rules::load(&selection)? })
    }

    /// A contender that uses them.
    pub fn contender<'a>(&'a self, naming: &'a Naming) -> EnginePass<'a> {
        EnginePass { engine: self, naming, scratch: Scratch::new() }
    }
}

/// The engine at work.
#[derive(Debug)]
pub struct EnginePass<'a> {
    engine: &'a Engine,
    naming: &'a Naming,
    scratch: Scratch,
}

impl Contender for EnginePass<'_> {
    fn pass(&mut self, text: &[u8], found: &mut Found) -> anyhow::Result<()> {
        let text = RawSlice::new(text);
        let rules = &self.engine.rules;
        rules.scan(text, &mut self.scratch);
        let mut memory = self.naming.memory();
        let mut call = self.naming.call(&mut memory);
        let mut at = 0;
        while let Some(hit) = self.scratch.matches().get(at).copied() {
            let value = self.scratch.value(rules, text, hit);
            call.add(hit.kind.0, rules.kind_name(hit.kind), value);
            found.spans.push(hit.span);
            at += 1;
        }
        call.finish(&mut found.names);
        Ok(())
    }
}

/// The pseudonym function, under a key that is no secret.
#[derive(Debug)]
pub struct Naming {
    namer: Namer,
}

/// Memory for the names of one call.
#[derive(Debug)]
pub struct Memory {
    cache: Cache,
    names: Names,
}

/// The names of one call.
#[derive(Debug)]
pub struct Call<'a> {
    naming: pseudonym::Naming<'a>,
    kinds: Vec<&'a str>,
}

impl Naming {
    /// The key of the lab is the same in every run, so that digests can be compared.
    pub fn new() -> Naming {
        Naming {
            namer: Namer::new(&Key::take(&mut b"the lab masks invented text only".to_owned())),
        }
    }

    /// Memory for a call.
    pub fn memory(&self) -> Memory {
        Memory { cache: self.namer.new_cache(), names: Names::default() }
    }

    /// Begins a call.
    pub fn call<'a>(&'a self, memory: &'a mut Memory) -> Call<'a> {
        let naming = self.namer.begin(&mut memory.cache, &mut memory.names);
        Call { naming, kinds: Vec::new() }
    }

    /// Appends a name that is worked out anew.
    pub fn name(&self, kind: &str, value: &[u8], out: &mut Vec<u8>) {
        self.namer.name(kind, value, out);
    }
}

impl Default for Naming {
    fn default() -> Naming {
        Naming::new()
    }
}

impl<'a> Call<'a> {
    /// Takes the next value in.
    pub fn add(&mut self, kind_index: u16, kind: &'a str, value: &[u8]) {
        self.naming.add(kind_index, kind, value);
        self.kinds.push(kind);
    }

    /// Appends the names of all values.
    pub fn finish(self, out: &mut Vec<u8>) {
        let named = self.naming.finish();
        for (at, kind) in self.kinds.iter().enumerate() {
            named.write(at, kind, out);
        }
    }
}
