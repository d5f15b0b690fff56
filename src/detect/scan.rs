//! One scan: bitmaps, candidates, matchers, views, overlaps.

use super::Found;
use super::KeyEdge;
use super::Match;
use super::Rules;
use super::bytes::DIGIT;
use super::bytes::UPPER;
use super::bytes::before;
use super::bytes::byte;
use super::bytes::follows;
use super::bytes::is;
use super::email;
use super::gate::BLOCK_WINDOWS;
use super::gate::Candidates;
use super::gates::Gate;
use super::markers::Known;
use super::markers::find_markers;
use super::network;
use super::network::Colons;
use super::number;
use super::shape::MATCH_LEN_MAX;
use super::web::USERINFO_LEN_MAX;
use crate::simd;
use crate::simd::LOOK_BACK;
use crate::simd::Pattern;
use crate::simd::STRIDE;
use crate::text::RawSlice;
use crate::text::Span;
use crate::view::View;

/// Limits that a scan met; the text is masked wider than needed there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Encoded runs nested deeper than [`crate::view::DEPTH_MAX`] layers.
    pub nesting: u64,
    /// Matches cut at the longest length.
    pub length: u64,
}

/// Memory that scans use again, and what the last one found.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(super) rare: Vec<u32>,
    pub(super) candidates: Candidates,
    pub(super) found: Vec<Found>,
    pub(super) deep: Vec<Found>,
    pub(super) matches: Vec<Match>,
    pub(super) markers: Vec<Span>,
    pub(super) userinfo: Vec<u32>,
    /// The at signs before the hosts of the raw text's URLs, ascending.
    pub(super) hosts: Vec<u32>,
    pub(super) edges: Vec<KeyEdge>,
    pub(super) records: Vec<u32>,
    pub(super) views: Vec<View>,
    pub(super) memo: Memo,
    /// How far the candidates of the block reach.
    pub(super) block_end: usize,
    /// Where decoded parts begin and end that are not whole lines, ascending.
    pub(super) cut_starts: Vec<u32>,
    pub(super) cut_ends: Vec<u32>,
    pub(super) limits: Limits,
    pub(super) value: Vec<u8>,
    pub(super) spare: Vec<u8>,
}

/// What was looked at already in a layer, so that no text is walked over once for each of many
/// candidates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memo {
    /// The last at sign before which URLs have been looked for.
    pub(super) authorities: usize,
    /// How far key blocks have been dealt with.
    pub(super) blocks: usize,
    /// Where the next edge of a key block was looked for in vain.
    pub(super) no_closing: usize,
    /// The end of the last whole value: keys inside it are part of it.
    pub(super) covered: usize,
    /// The last value without quotes, placeholder or not: one that begins inside ends there too.
    pub(super) plain: Span,
}

impl Scratch {
    /// Empty memory.
    pub fn new() -> Scratch {
        Scratch::default()
    }

    /// What the last scan found, ascending and without overlaps.
    pub fn matches(&self) -> &[Match] {
        &self.matches
    }

    /// The markers that stay.
    pub fn markers(&self) -> &[Span] {
        &self.markers
    }

    /// Edges of key blocks that do not begin and end on one line, ascending.
    pub fn edges(&self) -> &[KeyEdge] {
        &self.edges
    }

    /// Where a record may say that the next one continues it: the blank before a flag, or the
    /// colon behind a `log` key, ascending.
    pub fn records(&self) -> &[u32] {
        &self.records
    }

    /// The limits that the last scan met.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The value of a match in the form that is named: decoded and normalised.
    pub fn value<'v>(&'v mut self, rules: &Rules, text: RawSlice<'v>, found: Match) -> &'v [u8] {
        let raw = text.expose().get(found.span.start..found.span.end).unwrap_or(&[]);
        rules.normalise(raw, found, &mut self.value, &mut self.spare)
    }
}

impl Rules {
    /// Finds every value in `text`, which begins and ends at line ends or at the ends of the stream.
    pub fn scan(&self, text: RawSlice<'_>, scratch: &mut Scratch) {
        self.scan_beside(text, None, scratch);
    }

    /// As [`Rules::scan`], leaving the markers that `known` knows.
    pub fn scan_beside(
        &self,
        text: RawSlice<'_>,
        known: Option<&dyn Known>,
        scratch: &mut Scratch,
    ) {
        let text = text.expose();
        scratch.found.clear();
        scratch.matches.clear();
        scratch.markers.clear();
        scratch.edges.clear();
        scratch.hosts.clear();
        scratch.records.clear();
        scratch.limits = Limits::default();
        let mut found = std::mem::take(&mut scratch.found);
        self.layer(text, known, scratch, &mut found, true);
        // Edges of both kinds of key blocks, in order.
        scratch.edges.sort_unstable_by_key(|edge| edge.at);
        self.look_deeper(text, scratch, &mut found);
        self.sweep(&mut found, &mut scratch.matches);
        scratch.found = found;
        let cut = scratch.matches.iter().filter(|found| found.span.len() >= MATCH_LEN_MAX).count();
        scratch.limits.length = cut as u64;
        if !scratch.markers.is_empty() {
            let markers = &scratch.markers;
            scratch.matches.retain(|found| self.outweighs(text, markers, *found));
        }
    }

    /// Finds the candidates of one layer and looks at each, block by block.
    pub(super) fn layer(
        &self,
        text: &[u8],
        known: Option<&dyn Known>,
        scratch: &mut Scratch,
        found: &mut Vec<Found>,
        raw: bool,
    ) {
        scratch.rare.clear();
        scratch.memo = Memo::default();
        let windows = simd::windows(text.len());
        let mut candidates = std::mem::take(&mut scratch.candidates);
        let mut from = 0;
        while from < windows {
            let to = windows.min(from + BLOCK_WINDOWS);
            if self.everywhere {
                candidates.everywhere(text.len(), from, to);
            } else {
                candidates.find(self.kernel, text, from, to);
            }
            from = to;
            if let Some(known) = known {
                find_markers(text, known, candidates.of(Pattern::Word), &mut scratch.markers);
            }
            // The last window's own bits end before those it shares with the next one.
            scratch.block_end = (to * STRIDE).saturating_sub(LOOK_BACK);
            self.confirm(text, &candidates, scratch, found, raw);
            scratch.rare.extend_from_slice(candidates.of(Pattern::Rare));
        }
        scratch.candidates = candidates;
    }

    /// Runs the matchers over the candidates of one block.
    fn confirm(
        &self,
        text: &[u8],
        candidates: &Candidates,
        scratch: &mut Scratch,
        found: &mut Vec<Found>,
        raw: bool,
    ) {
        let known = found.len();
        self.confirm_addresses(text, candidates, scratch, found);
        if raw {
            scratch.hosts.extend_from_slice(&scratch.userinfo);
        }
        self.confirm_numbers(text, candidates, found);
        self.tokens(text, candidates, found);
        let mut memo = scratch.memo;
        for place in candidates.of(Pattern::Key) {
            let place = *place as usize;
            self.key(text, place, &mut memo, found);
            if raw {
                self.putty_key(text, place, found, &mut scratch.edges);
            }
        }
        for place in candidates.of(Pattern::Bare) {
            self.bare(text, *place as usize, found);
        }
        for place in candidates.of(Pattern::Flag) {
            self.flag(text, *place as usize, found);
        }
        for place in candidates.of(Pattern::Quoted) {
            self.sql(text, *place as usize, found);
        }
        for place in candidates.of(Pattern::Home) {
            self.home(text, *place as usize, found);
        }
        for place in candidates.of(Pattern::Dashes) {
            let edges = scratch.edges.len();
            self.key_block(text, *place as usize, &mut memo, found, &mut scratch.edges);
            if !raw {
                scratch.edges.truncate(edges);
            }
        }
        scratch.memo = memo;
        if raw {
            scratch.records.extend_from_slice(candidates.of(Pattern::Flagged));
        }
        // Each matcher went from left to right; the few that found something are merged now, while
        // there is little to merge.
        if let Some(new) = found.get_mut(known..)
            && !new.is_sorted_by_key(|part| part.start)
        {
            new.sort_by_key(|part| part.start);
        }
    }

    fn confirm_addresses(
        &self,
        text: &[u8],
        candidates: &Candidates,
        scratch: &mut Scratch,
        found: &mut Vec<Found>,
    ) {
        scratch.userinfo.clear();
        for at in candidates.of(Pattern::At) {
            let at = *at as usize;
            if byte(text, at) == b'@' {
                self.authorities(text, at, scratch, found);
            }
        }
        scratch.userinfo.sort_unstable();
        if let Some(rule) = self.gate(Gate::Email) {
            for place in candidates.of(Pattern::At) {
                if let Some((start, end)) = email::address(text, *place as usize)
                    && scratch.userinfo.binary_search(place).is_err()
                {
                    self.push(found, rule, start, end);
                }
            }
        }
        if let Some(rule) = self.gate(Gate::Ipv4) {
            for place in candidates.of(Pattern::Quad) {
                if let Some((start, end)) = network::ipv4(text, *place as usize) {
                    self.push(found, rule, start, end);
                }
            }
        }
        let mut colons = |places: &[u32]| {
            let mut done = 0;
            for place in places {
                let place = *place as usize;
                if place < done {
                    continue;
                }
                let (rule, start, end) = match network::colons(text, place) {
                    Colons::Ipv6(start, end) => (self.gate(Gate::Ipv6), start, end),
                    Colons::Mac(start, end) => (self.gate(Gate::Mac), start, end),
                    Colons::Nothing(end) => (None, end, end),
                };
                done = end;
                if let Some(rule) = rule {
                    self.push(found, rule, start, end);
                }
            }
        };
        colons(candidates.of(Pattern::DoubleColon));
        colons(candidates.of(Pattern::ColonChain));
        if let Some(rule) = self.gate(Gate::Mac) {
            let dashes = candidates
                .of(Pattern::DashChain)
                .iter()
                .map(|at| network::mac_dashes(text, *at as usize));
            let dots = candidates
                .of(Pattern::DotHex)
                .iter()
                .map(|at| network::mac_dots(text, *at as usize));
            for (start, end) in dashes.chain(dots).flatten() {
                self.push(found, rule, start, end);
            }
        }
    }

    /// Looks at each `://` that has the at sign at `at` as the first one behind it.
    fn authorities(&self, text: &[u8], at: usize, scratch: &mut Scratch, found: &mut Vec<Found>) {
        let from = at.saturating_sub(USERINFO_LEN_MAX + 3).max(scratch.memo.authorities);
        scratch.memo.authorities = at;
        let Some(mut head) = text.get(from..at) else { return };
        // At signs close to each other have no URL between them.
        if head.len() < b"s://".len() || head.len() <= 16 && !head.contains(&b':') {
            return;
        }
        if let Some(stop) = memchr::memrchr3(b' ', b'"', b'\n', head) {
            head = head.get(stop..).unwrap_or(&[]);
        }
        let start = at - head.len();
        for colon in memchr::memchr_iter(b':', head) {
            if head.get(colon..).is_some_and(|rest| rest.starts_with(b"://"))
                && let Some(host) = self.userinfo(text, start + colon, found)
            {
                scratch.userinfo.push((host - 1) as u32);
            }
        }
    }

    fn confirm_numbers(&self, text: &[u8], candidates: &Candidates, found: &mut Vec<Found>) {
        type Extent = fn(&[u8], usize) -> Option<(usize, usize)>;
        let plain: [(Gate, &[u32], Extent); 4] = [
            (Gate::Card, candidates.of(Pattern::Card), number::card),
            (Gate::Iban, candidates.of(Pattern::Iban), number::iban),
            (Gate::Ssn, candidates.of(Pattern::Ssn), number::ssn),
            (Gate::Phone, candidates.of(Pattern::Plus), number::phone_plus),
        ];
        for (gate, places, extent) in plain {
            for place in places {
                if let Some((start, end)) = extent(text, *place as usize) {
                    self.push_gate(text, found, gate, start, end);
                }
            }
        }
        for place in candidates.of(Pattern::Phone) {
            if let Some((start, end)) = number::phone_nanp(text, *place as usize) {
                self.push_gate(text, found, Gate::Phone, start, end);
            }
        }
        for place in candidates.of(Pattern::Angles) {
            if let Some((start, end)) = machine_readable(text, *place as usize) {
                self.push_gate(text, found, Gate::Mrz, start, end);
            }
        }
    }
}

/// The line of a machine-readable passport around the `<<` at `at`.
fn machine_readable(text: &[u8], at: usize) -> Option<(usize, usize)> {
    if !follows(text, at, b"<<") {
        return None;
    }
    let is_mrz = |byte: u8| is(byte, UPPER | DIGIT) || byte == b'<';
    let mut start = at;
    while at - start < 45 && is_mrz(before(text, start)) {
        start -= 1;
    }
    let mut end = at;
    while end - at < 45 && is_mrz(byte(text, end)) {
        end += 1;
    }
    matches!(end - start, 30 | 36 | 44).then_some((start, end))
}
