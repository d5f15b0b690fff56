//! One scan: bitmaps, candidates, matchers, views, overlaps.

use super::Found;
use super::KeyEdge;
use super::Match;
use super::RuleId;
use super::Rules;
use super::bytes::ALNUM;
use super::bytes::DIGIT;
use super::bytes::SPACE;
use super::bytes::UPPER;
use super::bytes::before;
use super::bytes::byte;
use super::bytes::follows;
use super::bytes::is;
use super::email;
use super::gate::Candidates;
use super::gates::Gate;
use super::network;
use super::network::Colons;
use super::number;
use super::shape::MATCH_LEN_MAX;
use super::value::is_placeholder;
use super::value::quoted_end;
use super::web::USERINFO_LEN_MAX;
use crate::simd;
use crate::simd::LOOK_BACK;
use crate::simd::Pattern;
use crate::simd::STRIDE;
use crate::text::RawSlice;
use crate::text::Span;
use crate::view;
use crate::view::DEPTH_MAX;
use crate::view::View;

/// Markers that stand in the text already and are to stay.
pub trait Known {
    /// The four bytes behind the first `_` of each marker.
    fn key_id(&self) -> [u8; 4];
    /// True for a marker made with this key.
    fn is_marker(&self, candidate: &[u8]) -> bool;
}

/// Length of a marker behind its kind: two `_`, the key's id, the value's id, the tag.
const MARKER_TAIL_LEN: usize = 1 + 4 + 1 + 16 + 6;

/// Limits that a scan met; the text is masked wider than needed there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Encoded runs nested deeper than [`DEPTH_MAX`] layers.
    pub nesting: u64,
    /// Matches cut at the longest length.
    pub length: u64,
}

/// Windows whose candidates are looked at together: about 24 KiB of text, which stay in the cache.
const BLOCK_WINDOWS: usize = 512;
/// Letters and digits beside a marker from which on they are a value of their own.
const BESIDE_MARKER_MIN: usize = 4;
/// Lines up to this length are decoded whole, longer ones around their encoded characters.
const VIEW_LINE_LEN_MAX: usize = 8 * 1024;
/// How far around an encoded character a long line is decoded.
const VIEW_AROUND: usize = 2 * 1024;

/// Memory that scans use again, and what the last one found.
#[derive(Debug, Default)]
pub struct Scratch {
    rare: Vec<u32>,
    candidates: Candidates,
    found: Vec<Found>,
    deep: Vec<Found>,
    matches: Vec<Match>,
    markers: Vec<Span>,
    userinfo: Vec<u32>,
    /// The at signs before the hosts of the raw text's URLs, ascending.
    hosts: Vec<u32>,
    edges: Vec<KeyEdge>,
    records: Vec<u32>,
    views: Vec<View>,
    memo: Memo,
    /// How far the candidates of the block reach.
    block_end: usize,
    /// Where decoded parts begin and end that are not whole lines, ascending.
    cut_starts: Vec<u32>,
    cut_ends: Vec<u32>,
    limits: Limits,
    value: Vec<u8>,
    spare: Vec<u8>,
}

/// What was looked at already in a layer, so that no text is walked over once for each of many
/// candidates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memo {
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

    /// False for a match in which a marker of ours stands, unless it is a whole value of which some
    /// is left beside the marker: a marker hides nothing that was glued to it.
    fn outweighs(&self, text: &[u8], markers: &[Span], found: Match) -> bool {
        let span = found.span;
        let first = markers.partition_point(|marker| marker.end < span.start);
        let inside = markers.get(first..).unwrap_or(&[]).iter();
        let (mut touched, mut at, mut rest) = (false, span.start, 0);
        let count = |from: usize, to: usize| {
            let bytes = text.get(from..to.max(from)).unwrap_or(&[]);
            bytes.iter().filter(|byte| is(**byte, ALNUM)).count()
        };
        for marker in inside.take_while(|marker| marker.start <= span.end) {
            touched = true;
            rest += count(at, marker.start.min(span.end));
            at = marker.end.max(at);
        }
        if !touched {
            return true;
        }
        rest += count(at, span.end);
        let rule = self.rule(found.rule);
        let whole = rule.secret
            && rule.shape.is_none()
            && !rule.raw.weak
            && matches!(rule.gate, None | Some(Gate::UrlUserinfo));
        whole && rest >= BESIDE_MARKER_MIN
    }

    /// Finds the candidates of one layer and looks at each, block by block.
    fn layer(
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
                candidates.everywhere(text.len());
                from = windows;
            } else {
                candidates.find(self.kernel, text, from, to);
                from = to;
            }
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
        self.confirm_addresses(text, candidates, scratch, found);
        if raw {
            scratch.hosts.extend_from_slice(&scratch.userinfo);
        }
        self.confirm_numbers(text, candidates, found);
        for place in candidates.of(Pattern::Word) {
            self.token(text, *place as usize, found);
        }
        for place in candidates.of(Pattern::Base64) {
            self.base64_run(text, *place as usize, found);
        }
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
        for place in candidates.of(Pattern::Short) {
            self.short_token(text, *place as usize, found);
        }
        for place in candidates.of(Pattern::Dashes) {
            let known = scratch.edges.len();
            self.key_block(text, *place as usize, &mut memo, found, &mut scratch.edges);
            if !raw {
                scratch.edges.truncate(known);
            }
        }
        scratch.memo = memo;
        if raw {
            scratch.records.extend_from_slice(candidates.of(Pattern::Flagged));
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
        let ats = candidates.of(Pattern::At);
        for place in candidates.of(Pattern::Authority) {
            // Without an at sign there is no userinfo; what lies behind the block is looked at.
            let next = ats.partition_point(|at| at < place);
            if next == ats.len() && (*place as usize) + USERINFO_LEN_MAX < scratch.block_end {
                continue;
            }
            if let Some(host) = self.userinfo(text, *place as usize, found) {
                scratch.userinfo.push((host - 1) as u32);
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

    /// Decodes the lines that hold encoded characters and looks there, layer by layer.
    fn look_deeper(&self, text: &[u8], scratch: &mut Scratch, found: &mut Vec<Found>) {
        if scratch.rare.is_empty() {
            return;
        }
        for place in &scratch.rare {
            if byte(text, *place as usize) == b'\\' {
                self.windows_home(text, *place as usize, found);
            }
        }
        let mut views = std::mem::take(&mut scratch.views);
        views.resize_with(DEPTH_MAX.max(views.len()), View::new);
        let mut deep = std::mem::take(&mut scratch.deep);
        for depth in 0..=DEPTH_MAX {
            let (before, rest) = views.split_at_mut(depth);
            let source = before.last().map_or(text, |view| view.text());
            if depth == DEPTH_MAX {
                self.mask_nested(source, before, scratch, found);
                break;
            }
            let Some(view) = rest.first_mut() else { break };
            build_view(source, &scratch.rare, view, &mut scratch.cut_starts, &mut scratch.cut_ends);
            if view.text().is_empty() {
                break;
            }
            deep.clear();
            self.layer(view.text(), None, scratch, &mut deep, false);
            if !scratch.cut_starts.is_empty() || !scratch.cut_ends.is_empty() {
                let (starts, ends) = (&scratch.cut_starts, &scratch.cut_ends);
                deep.retain(|part| {
                    starts.binary_search(&part.start).is_err()
                        && ends.binary_search(&part.end).is_err()
                });
            }
            for part in &deep {
                let mut span = Span::new(part.start as usize, part.end as usize);
                for view in views[..=depth].iter().rev() {
                    span = view.source_span(span);
                }
                if self.is_secret(part.rule) {
                    span.end = span.end.min(string_end(text, span.start));
                }
                if !self.misread(text, part.rule, span, &scratch.hosts) {
                    self.push(found, part.rule, span.start, span.end);
                }
            }
        }
        scratch.views = views;
        scratch.deep = deep;
    }

    /// True for a span of a view that the raw text explains better: `secret=%DB_SECRET%` names a
    /// variable, and what stands before a raw `@host` of a URL is no mail address.
    fn misread(&self, text: &[u8], rule: RuleId, span: Span, hosts: &[u32]) -> bool {
        if self.is_secret(rule) {
            return text.get(span.start..span.end).is_some_and(is_placeholder);
        }
        if self.rule(rule).gate != Some(Gate::Email) {
            return false;
        }
        let next = hosts.partition_point(|at| (*at as usize) < span.start);
        hosts.get(next).is_some_and(|at| (*at as usize) < span.end)
    }

    /// Masks what is still encoded after the last layer, as far as it hides characters.
    fn mask_nested(
        &self,
        text: &[u8],
        views: &[View],
        scratch: &mut Scratch,
        found: &mut Vec<Found>,
    ) {
        let Some(rule) = self.gate(Gate::NestedEncoding) else { return };
        let mut done = 0;
        for place in &scratch.rare {
            let place = *place as usize;
            if place < done
                || !view::escape_at(text, place, text.len()).is_some_and(|escape| escape.hides)
            {
                continue;
            }
            let is_run =
                |byte: u8| !is(byte, SPACE) && !matches!(byte, b'"' | b'\'' | b',' | b'<' | b'>');
            let (mut start, mut end) = (place, place);
            while start > done && is_run(before(text, start)) {
                start -= 1;
            }
            while is_run(byte(text, end)) {
                end += 1;
            }
            done = end;
            scratch.limits.nesting += 1;
            let mut span = Span::new(start, end);
            for view in views.iter().rev() {
                span = view.source_span(span);
            }
            self.push(found, rule, span.start, span.end);
        }
    }
}

/// The end of the string that opens right before `at`, where its quote stands in the raw text
/// without a backslash: a view has lost the difference between that quote and an escaped one.
fn string_end(text: &[u8], at: usize) -> usize {
    if before(text, at) != b'"' || byte(text, at.wrapping_sub(2)) == b'\\' {
        return usize::MAX;
    }
    quoted_end(text, at, b'"', 0)
}

/// Decodes every line of `source` that holds an encoded character.
fn build_view(
    source: &[u8],
    rare: &[u32],
    view: &mut View,
    cut_starts: &mut Vec<u32>,
    cut_ends: &mut Vec<u32>,
) {
    view.clear();
    cut_starts.clear();
    cut_ends.clear();
    let mut next = 0;
    while let Some(place) = rare.get(next) {
        let place = *place as usize;
        if view::escape_at(source, place, source.len()).is_none() {
            next += 1;
            continue;
        }
        let line_start = source
            .get(..place)
            .and_then(|head| memchr::memrchr(b'\n', head))
            .map_or(0, |at| at + 1);
        let line_end = source
            .get(place..)
            .and_then(|rest| memchr::memchr(b'\n', rest))
            .map_or(source.len(), |len| place + len);
        let (from, to) = if line_end - line_start <= VIEW_LINE_LEN_MAX {
            (line_start, line_end)
        } else {
            around(source, rare, next, line_start, line_end)
        };
        let until = next
            + rare.get(next..).map_or(0, |rest| rest.partition_point(|at| (*at as usize) < to));
        let start = view.text().len();
        // Places before the first escape of the part are behind its start too.
        let first = rare.partition_point(|at| (*at as usize) < from);
        view.push(source, from, to, rare.get(first..until).unwrap_or(&[]));
        if from > line_start {
            cut_starts.push(start as u32);
        }
        if to < line_end {
            cut_ends.push(view.text().len() as u32 - 1);
        }
        next = until.max(next + 1);
    }
}

/// The part of a long line around the encoded character `rare[next]` and those close behind it.
fn around(
    source: &[u8],
    rare: &[u32],
    next: usize,
    line_start: usize,
    line_end: usize,
) -> (usize, usize) {
    let first = rare[next] as usize;
    let from = first.saturating_sub(VIEW_AROUND).max(line_start);
    let mut last = first;
    for place in &rare[next..] {
        let place = *place as usize;
        if place >= line_end || place - last > VIEW_AROUND {
            break;
        }
        last = place;
    }
    let mut to = (last + VIEW_AROUND).min(line_end);
    // An encoded character is not cut.
    for back in 0..12.min(to - last) {
        if let Some(escape) = view::escape_at(source, to - back, source.len())
            && escape.source_len > back
        {
            to -= back;
            break;
        }
    }
    (from, to.max(last + 1))
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

fn find_markers(text: &[u8], known: &dyn Known, words: &[u32], markers: &mut Vec<Span>) {
    let key_id = known.key_id();
    for place in words {
        let id = *place as usize;
        if before(text, id) != b'_' || !follows(text, id, &key_id) || byte(text, id + 4) != b'_' {
            continue;
        }
        let end = id - 1 + MARKER_TAIL_LEN;
        let mut start = id - 1;
        while id - 1 - start < super::rule::KIND_LEN_MAX {
            let last = before(text, start);
            if !is(last, UPPER | DIGIT) && last != b'_' {
                break;
            }
            start -= 1;
        }
        // Letters may be glued to the kind: the longest name whose tag is right is the marker.
        while start < id - 1 {
            if text.get(start..end).is_some_and(|candidate| known.is_marker(candidate)) {
                markers.push(Span::new(start, end));
                break;
            }
            start += 1;
        }
    }
}
