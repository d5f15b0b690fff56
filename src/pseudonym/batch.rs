//! The names of a text's values, in the order of the values.
//!
//! Names that the cache does not hold are made [`MACS`] at a time, for so many hashes side by side
//! take little longer than one. [`Naming`] takes values in, and [`Named`], which it ends as, gives
//! the names out: no name can be asked for before it is made.

use super::cache::Cache;
use super::cache::Digest;
use super::hmac::Block;
use super::marker::Name;
use super::marker::TAG_CHARS;
use super::namer::Namer;
use crate::simd::sha256::MACS;

/// Memory for the names of one text, used again.
#[derive(Default)]
pub struct Names(Vec<Name>);

impl std::fmt::Debug for Names {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Names({})", self.0.len())
    }
}

/// A name that the cache did not hold.
#[derive(Clone, Copy)]
struct Missing<'n> {
    kind: &'n str,
    digest: Option<Digest>,
    at: usize,
}

/// Values on their way to names.
pub struct Naming<'n> {
    namer: &'n Namer,
    cache: &'n mut Cache,
    names: &'n mut Vec<Name>,
    missing: [Option<Missing<'n>>; MACS],
    blocks: [Block; MACS],
    waiting: usize,
}

/// Names of values, by the order in which the values came.
#[derive(Clone, Copy)]
pub struct Named<'n> {
    namer: &'n Namer,
    names: &'n [Name],
}

impl Namer {
    /// Begins to name the values of one text.
    pub fn begin<'n>(&'n self, cache: &'n mut Cache, names: &'n mut Names) -> Naming<'n> {
        let names = &mut names.0;
        names.clear();
        Naming {
            namer: self,
            cache,
            names,
            missing: [None; MACS],
            blocks: [[0; size_of::<Block>()]; MACS],
            waiting: 0,
        }
    }
}

impl<'n> Naming<'n> {
    /// Takes the next normalised value in.
    ///
    /// `kind_index` stands for `kind` in the cache: within one cache, one index means one kind.
    #[inline]
    pub fn add(&mut self, kind_index: u16, kind: &'n str, value: &[u8]) {
        let digest = self.cache.digest(kind_index, value);
        if let Some(name) = digest.and_then(|digest| self.cache.get(digest)) {
            self.names.push(name);
            return;
        }
        let missing = Missing { kind, digest, at: self.names.len() };
        let (Some(place), Some(block)) =
            (self.missing.get_mut(self.waiting), self.blocks.get_mut(self.waiting))
        else {
            return;
        };
        if !self.namer.block_of(kind, value, block) {
            // A long value takes more than one block and goes alone.
            self.names.push(self.namer.make(kind, value));
            return;
        }
        // Only until the batch is full, and never seen before: `finish` makes what is left.
        self.names.push(Name { id: [[0; 8]; 2], tag: [0; TAG_CHARS] });
        *place = Some(missing);
        self.waiting += 1;
        if self.waiting == MACS {
            self.make();
        }
    }

    #[inline(never)]
    fn make(&mut self) {
        // Places of a batch that is not full hold an older value, whose name is made for nothing.
        let kinds = self.missing.map(|missing| missing.map_or("", |missing| missing.kind));
        let made = self.namer.names_of(kinds, self.namer.macs(&self.blocks));
        for (missing, name) in self.missing.iter_mut().take(self.waiting).zip(made) {
            let Some(Missing { digest, at, .. }) = missing.take() else { continue };
            if let Some(place) = self.names.get_mut(at) {
                *place = name;
            }
            if let Some(digest) = digest {
                self.cache.put(digest, name);
            }
        }
        self.waiting = 0;
    }

    /// Makes what is left to make.
    pub fn finish(mut self) -> Named<'n> {
        if self.waiting > 0 {
            self.make();
        }
        Named { namer: self.namer, names: self.names }
    }
}

impl std::fmt::Debug for Naming<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Naming({} values, {} waiting)", self.names.len(), self.waiting)
    }
}

impl Named<'_> {
    /// Appends the name of the value that came as number `at`, counted from zero, of that kind.
    #[inline]
    pub fn write(&self, at: usize, kind: &str, out: &mut Vec<u8>) {
        // What was not taken in has no name; nothing is written for it.
        if let Some(name) = self.names.get(at) {
            self.namer.write(kind, name, out);
        }
    }
}

impl std::fmt::Debug for Named<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Named({})", self.names.len())
    }
}
