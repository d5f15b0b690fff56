//! Tokens: what may stand at a word start inside a long run of token bytes.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::Found;
use super::RuleId;
use super::Rules;
use super::bytes::ALNUM;
use super::bytes::BASE64_URL;
use super::bytes::DIGIT;
use super::bytes::HEX;
use super::bytes::LOWER;
use super::bytes::UPPER;
use super::bytes::WORD;
use super::bytes::before;
use super::bytes::byte;
use super::bytes::follows;
use super::bytes::is;
use super::bytes::run_end;
use super::bytes::run_start;
use super::gates::Gate;
use super::shape::ByteSet;
use super::shape::MATCH_LEN_MAX;
use super::words::BASE58_MIXED;
use super::words::BASE64;
use super::words::BASE64_MIXED;
use super::words::mixes_cases;

/// Shortest run of token bytes that is looked at behind a bare scheme word.
const RUN_LEN_MIN: usize = 14;

/// Literals by their first bytes.
#[derive(Debug)]
pub(super) struct Literals {
    /// One bit for each hash of the first four bytes of some literal, or of the three it has.
    bits: Box<[u64; 1 << (HASH_BITS - 6)]>,
    /// Literals by the hash of three bytes.
    buckets: Vec<Vec<Literal>>,
    /// Literals that end in a slash or a colon: the run of token bytes begins behind them.
    paths: Vec<(Box<[u8]>, RuleId)>,
    /// The bytes before their last one.
    path_ends: ByteSet,
}

/// A literal and its rule.
#[derive(Clone, Debug)]
struct Literal {
    bytes: Box<[u8]>,
    rule: RuleId,
    /// Its first four bytes, or three, and which of their bits count.
    first: u32,
    mask: u32,
}

/// Bits of the hash that the bits are looked up by: one look-up in a hundred hits by chance.
const HASH_BITS: u32 = 15;

#[inline]
fn hash(key: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b1) >> (u32::BITS - HASH_BITS)) as usize
}

/// The low three bytes.
const THREE: u32 = 0xff_ffff;

impl Literals {
    pub(super) fn new() -> Literals {
        Literals {
            bits: Box::new([0; 1 << (HASH_BITS - 6)]),
            buckets: vec![Vec::new(); 256],
            paths: Vec::new(),
            path_ends: ByteSet::EMPTY,
        }
    }

    /// Adds a literal of three bytes or more.
    pub(super) fn add(&mut self, literal: &[u8], rule: RuleId) {
        if literal.ends_with(b"/") || literal.ends_with(b":") {
            self.path_ends.insert(before(literal, literal.len() - 1));
            self.paths.push((literal.into(), rule));
        }
        let three = hash(first_four(literal, 0) & THREE);
        let bit = if literal.len() == 3 { three } else { hash(first_four(literal, 0)) };
        self.bits[bit / 64] |= 1 << (bit % 64);
        let mask = if literal.len() == 3 { THREE } else { u32::MAX };
        let first = first_four(literal, 0) & mask;
        self.buckets[three % 256].push(Literal { bytes: literal.into(), rule, first, mask });
    }

    /// False when no literal begins with these four bytes, the first one lowest.
    #[inline]
    pub(super) fn may_begin(&self, four: u32) -> bool {
        let has = |hash: usize| self.bits[hash / 64] >> (hash % 64) & 1;
        has(hash(four)) | has(hash(four & THREE)) != 0
    }

    /// False when no literal that ends in a slash or a colon has `byte` before it.
    #[inline]
    pub(super) fn ends_path(&self, byte: u8) -> bool {
        self.path_ends.has(byte)
    }

    /// The literals that stand at `at`.
    #[inline]
    fn at<'l>(&'l self, text: &'l [u8], at: usize) -> impl Iterator<Item = &'l Literal> {
        let four = first_four(text, at);
        let bucket: &[Literal] = match self.may_begin(four) {
            true => &self.buckets[hash(four & THREE) % 256],
            false => &[],
        };
        let begun = bucket.iter().filter(move |literal| four & literal.mask == literal.first);
        begun.filter(move |literal| follows(text, at, &literal.bytes))
    }
}

/// Four bytes from `at` on, the first one lowest; line ends where there are none.
#[inline]
fn first_four(text: &[u8], at: usize) -> u32 {
    match text.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(four) => u32::from_le_bytes(*four),
        None => u32::from_le_bytes(std::array::from_fn(|ahead| byte(text, at + ahead))),
    }
}

impl Rules {
    /// Finds tokens at the word start `at`.
    #[inline(never)]
    pub(super) fn token(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        if !starts_word(text, at) {
            return;
        }
        for literal in self.literals.at(text, at) {
            self.literal(text, at, literal.bytes.len(), literal.rule, found);
        }
        let last = before(text, at);
        if !is(last, WORD) {
            self.run(text, at, found);
        }
        if matches!(last, b'/' | b':') && self.literals.path_ends.has(before(text, at - 1)) {
            for (literal, rule) in &self.literals.paths {
                if text.get(..at).is_some_and(|head| head.ends_with(literal)) {
                    self.literal(text, at - literal.len(), literal.len(), *rule, found);
                }
            }
        }
        let first = byte(text, at);
        if last == b' ' || last == b'"' {
            self.behind_scheme(text, at, found);
        }
        match first {
            b'e' | b'I' | b'C' => self.jwt(text, at, found),
            b'a' if last == b'.' => self.terraform(text, at, found),
            _ => {}
        }
    }

    /// Finds tokens whose literal is followed by marks other than those of words, at the word start
    /// `at`.
    #[inline(never)]
    pub(super) fn short_token(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        if !starts_word(text, at) {
            return;
        }
        for literal in self.literals.at(text, at) {
            self.literal(text, at, literal.bytes.len(), literal.rule, found);
        }
        if byte(text, at + 12) == b'$' {
            self.braintree(text, at, found);
        }
    }

    fn literal(&self, text: &[u8], at: usize, len: usize, rule: RuleId, found: &mut Vec<Found>) {
        let compiled = self.rule(rule);
        if is(before(text, at), ALNUM) && !compiled.glued && !behind_escape(text, at) {
            return;
        }
        let Some(shape) = &compiled.shape else { return };
        let Some(end) = shape.match_at(text, at) else { return };
        if is(byte(text, end), ALNUM) && end - at < MATCH_LEN_MAX {
            return;
        }
        if !compiled.validator.is_none_or(|check| text.get(at..end).is_some_and(check)) {
            return;
        }
        let start = if compiled.keep_prefix { at + len } else { at };
        self.push(found, rule, start, end);
    }

    /// Shapes without a literal, at the start of a run.
    fn run(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        match byte(text, at) {
            b'0' => {
                self.salesforce(text, at, found);
                self.ethereum(text, at, found);
                self.google_refresh(text, at, found);
            }
            b'1' | b'3' | b'4' | b'5' | b'8' | b'K' | b'L' => self.base58(text, at, found),
            b'M' | b'N' | b'O' => self.discord(text, at, found),
            b'A' if before(text, at) == b':' => self.telegram(text, at, found),
            _ => {}
        }
        if byte(text, at + 5) == b'~' {
            self.entra(text, at, found);
        }
        if byte(text, at + 6) == b'_' {
            self.maxmind(text, at, found);
        }
        if byte(text, at + 32) == b'-' {
            self.mailchimp(text, at, found);
        }
    }

    /// The end of the run of base64 bytes at `at`.
    fn whole(
        &self,
        text: &[u8],
        at: usize,
        len: core::ops::RangeInclusive<usize>,
        classes: u8,
    ) -> Option<usize> {
        let end = run_end(text, at, classes, *len.end() + 1);
        (len.contains(&(end - at)) && !is(byte(text, end), ALNUM)).then_some(end)
    }

    fn salesforce(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        let Some(rule) = self.gate(Gate::SalesforceSession) else { return };
        if !follows(text, at, b"00D") {
            return;
        }
        let mark = run_end(text, at, ALNUM, 24);
        if byte(text, mark) == b'!' && (15..=18).contains(&(mark - at)) {
            let end = run_end(text, mark + 1, WORD, 512);
            if end - mark > 30 {
                self.push(found, rule, at, end);
            }
        }
    }

    fn ethereum(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        if !matches!(byte(text, at + 1), b'x' | b'X') {
            return;
        }
        let end = run_end(text, at + 2, HEX, 41);
        if end - at != 42 || is(byte(text, end), ALNUM) {
            return;
        }
        self.push_gate(text, found, Gate::Ethereum, at, end);
    }

    fn google_refresh(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        let Some(rule) = self.gate(Gate::GoogleRefresh) else { return };
        let start = at.wrapping_sub(3);
        if follows(text, start, b"1//0") && !is(before(text, start), ALNUM) {
            let end = run_end(text, at, BASE64_URL, 512);
            if end - at >= 40 {
                self.push(found, rule, start, end);
            }
        }
    }

    fn base58(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        const BASE58: ByteSet =
            ByteSet::of(b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
        let end = run_end(text, at, ALNUM, 96);
        if !matches!(end - at, 26..=35 | 51..=52 | 95) {
            return;
        }
        let Some(run) = text.get(at..end) else { return };
        // A hex digest has letters of one case only, an address practically never.
        if !mixes_cases(run.get(..BASE58_MIXED).unwrap_or(run))
            || is(byte(text, end), ALNUM)
            || !run.iter().all(|byte| BASE58.has(*byte))
        {
            return;
        }
        self.push_gate(text, found, Gate::Base58, at, end);
    }

    fn discord(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        let Some(rule) = self.gate(Gate::DiscordBot) else { return };
        let first = run_end(text, at, BASE64_URL, 29);
        let second = run_end(text, first + 1, BASE64_URL, 8);
        let end = run_end(text, second + 1, BASE64_URL, 64);
        if (24..=28).contains(&(first - at))
            && byte(text, first) == b'.'
            && second - first == 7
            && byte(text, second) == b'.'
            && end - second >= 28
        {
            self.push(found, rule, at, end);
        }
    }

    fn telegram(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        let Some(rule) = self.gate(Gate::TelegramBot) else { return };
        let start = run_start(text, at.wrapping_sub(1), DIGIT, 11);
        if (8..=10).contains(&(at - 1 - start))
            && !is(before(text, start), DIGIT)
            && let Some(end) = self.whole(text, at, 34..=36, BASE64_URL)
        {
            self.push(found, rule, start, end);
        }
    }

    fn entra(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        let Some(rule) = self.gate(Gate::EntraSecret) else { return };
        if is(byte(text, at + 3), DIGIT)
            && byte(text, at + 4) == b'Q'
            && let Some(end) = self.whole(text, at, 37..=40, WORD)
        {
            self.push(found, rule, at, end);
        }
    }

    fn maxmind(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        let Some(rule) = self.gate(Gate::MaxmindKey) else { return };
        if follows(text, at + 36, b"_mmk")
            && self.whole(text, at, 40..=40, ALNUM | BASE64_URL).is_some()
        {
            self.push(found, rule, at, at + 40);
        }
    }

    fn mailchimp(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        let Some(rule) = self.gate(Gate::MailchimpKey) else { return };
        if run_end(text, at, HEX, 33) == at + 32 && follows(text, at + 33, b"us") {
            let end = run_end(text, at + 35, DIGIT, 3);
            if (1..=2).contains(&(end - at - 35)) && !is(byte(text, end), ALNUM) {
                self.push(found, rule, at, end);
            }
        }
    }

    fn braintree(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        let Some(rule) = self.gate(Gate::Braintree) else { return };
        let kind = [&b"access_token$production$"[..], b"access_token$sandbox$"]
            .into_iter()
            .find(|kind| follows(text, at, kind));
        let Some(kind) = kind else { return };
        let id = run_end(text, at + kind.len(), ALNUM, 32);
        let end = run_end(text, id + 1, HEX, 64);
        if byte(text, id) == b'$' && end - id > 32 {
            self.push(found, rule, at, end);
        }
    }

    fn terraform(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        let Some(rule) = self.gate(Gate::TerraformToken) else { return };
        if !follows(text, at, b"atlasv1.") {
            return;
        }
        let mut start = run_start(text, at - 1, ALNUM, 20);
        if before(text, start) == b'\\' {
            start += 1; // In `\tabc…` the letter belongs to the escape.
        }
        let end = run_end(text, at + 8, BASE64_URL, 128);
        if at - 1 - start >= 10 && end - at >= 60 {
            self.push(found, rule, start, end);
        }
    }

    /// A JSON Web Token: a header that decodes to JSON with `alg` or `enc`, and further parts.
    fn jwt(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        const OPENINGS: [&[u8]; 8] =
            [b"eyJ", b"eyA", b"ewo", b"ew0", b"ewk", b"IHs", b"Cns", b"eyI"];
        let Some(rule) = self.gate(Gate::Jwt) else { return };
        if !OPENINGS.iter().any(|opening| follows(text, at, opening)) {
            return;
        }
        let header = run_end(text, at, BASE64_URL, 4096);
        if byte(text, header) != b'.' || !is(byte(text, header + 1), BASE64_URL) {
            return;
        }
        let mut head = [0; 192];
        let len = decode_base64(text.get(at..header).unwrap_or(&[]), &mut head);
        let head = head.get(..len).unwrap_or(&[]);
        let names = |name: &[u8]| head.windows(name.len()).any(|part| part == name);
        if !names(b"\"alg\"") && !names(b"\"enc\"") && !names(b"\"typ\"") && !names(b"\"kid\"") {
            return;
        }
        let mut end = header;
        for _ in 0..4 {
            if byte(text, end) != b'.' || end - at > MATCH_LEN_MAX {
                break;
            }
            let part = run_end(text, end + 1, BASE64_URL, MATCH_LEN_MAX);
            // An unsigned token ends in its dot; a sentence may too.
            if part == end + 1 && !is(byte(text, part), b'.') && byte(text, part) != b'.' {
                break;
            }
            end = part;
        }
        // A token may stand inside a longer word: what glues it on is part of another match.
        self.push(found, rule, at, end);
    }

    /// A credential behind a bare scheme word: `Bearer …`, the header's name being cut off.
    fn behind_scheme(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        const SCHEMES: [&[u8]; 4] = [b"bearer", b"basic", b"negotiate", b"ssws"];
        let Some(rule) = self.gate(Gate::Authorization) else { return };
        let end = at - usize::from(before(text, at) == b'"');
        let end = end - usize::from(before(text, end) == b'\\');
        if before(text, end) != b' ' || !b"rces".contains(&(before(text, end - 1) | 0x20)) {
            return;
        }
        let word = run_start(text, end - 1, UPPER | LOWER, 12);
        let Some(scheme) = text.get(word..end - 1) else { return };
        if !SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known))
            || is(before(text, word), ALNUM)
        {
            return;
        }
        if run_end(text, at, WORD, RUN_LEN_MIN) - at < RUN_LEN_MIN {
            return;
        }
        let end = super::web::credential_end(text, at);
        let Some(value) = text.get(at..end) else { return };
        // `realm="…"` is a challenge, not a credential.
        let tail = value.iter().rev().skip_while(|byte| **byte == b'=');
        let assigns = tail.copied().any(|byte| byte == b'=');
        let fits = if scheme.eq_ignore_ascii_case(b"basic") {
            // In prose `basic` is a word; a credential decodes to `user:password`.
            let mut head = [0; 96];
            let len = decode_base64(value, &mut head);
            head.get(..len).is_some_and(|head| head.contains(&b':') && head.is_ascii())
        } else if scheme.eq_ignore_ascii_case(b"negotiate") {
            value.starts_with(b"YII") || value.starts_with(b"TlRM") || value.starts_with(b"oYI")
        } else {
            value.len() >= 16 || super::value::looks_secret(value)
        };
        if value.len() >= 8 && !assigns && fits {
            self.push(found, rule, at, end);
        }
    }

    /// Azure keys and other base64 of a fixed length with a signature inside.
    #[inline(never)]
    pub(super) fn base64_run(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        const SIGNATURES: [&[u8]; 16] = [
            b"+ASt", b"ACDb", b"+ABa", b"+AMC", b"APIM", b"+ASb", b"+AEh", b"+ARm", b"AIoT",
            b"AzSe", b"AzFu", b"AzCa", b"+ACR", b"AZEG", b"JQQJ99", b"AZDO",
        ];
        if starts_word(text, at) {
            for literal in self.literals.at(text, at) {
                self.literal(text, at, literal.bytes.len(), literal.rule, found);
            }
        }
        if before_is_base64(text, at) {
            return;
        }
        // Shorter runs are left early.
        if ![39, 31, 23, 15].iter().all(|ahead| BASE64.has(byte(text, at + ahead))) {
            return;
        }
        let rest = text.get(at..).unwrap_or(&[]);
        let rest = rest.get(..4096).unwrap_or(rest);
        let len = rest.iter().position(|byte| !BASE64.has(*byte)).unwrap_or(rest.len());
        let Some(run) = rest.get(..len) else { return };
        // A digest in hex has letters of one case only.
        if !mixes_cases(run.get(..BASE64_MIXED).unwrap_or(run)) {
            return;
        }
        if let Some(rule) = self.gate(Gate::AzureKey) {
            let padding = run_of(text, at + len, b'=');
            let fits = (40..=100).contains(&(len + padding));
            let tail = run.get(len.saturating_sub(20)..).unwrap_or(run);
            let signed = |part: &[u8]| {
                // Every signature begins with one of three bytes.
                (0..part.len())
                    .filter(|at| matches!(part[*at], b'+' | b'A' | b'J'))
                    .any(|at| SIGNATURES.iter().any(|sign| follows(part, at, sign)))
            };
            // A digest as package managers write it, `sha512-…`, is public.
            let digest = before(text, at) == b'-'
                && text.get(at.saturating_sub(7)..at).is_some_and(|head| head.starts_with(b"sha"));
            if fits && !digest && (signed(tail) || run.get(50..60).is_some_and(signed)) {
                self.push(found, rule, at, at + len + padding);
            }
        }
        if let Some(rule) = self.gate(Gate::Base64KeyPhase)
            && opens_key_in_base64(run)
            && len >= 40
        {
            self.push(found, rule, at, at + len + run_of(text, at + len, b'='));
        }
    }
}

/// True when the run of base64 began before `at`.
fn before_is_base64(text: &[u8], at: usize) -> bool {
    let last = before(text, at);
    is(last, ALNUM) || matches!(last, b'+' | b'/')
}

/// True when a base64 run decodes to a text that begins with a private key, a token or the like.
fn opens_key_in_base64(run: &[u8]) -> bool {
    // `type.googleapis.com/google.crypto.tink` in each of its three phases: a Tink key set.
    const TINK: [&[u8]; 3] = [
        b"dHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUuY3J5cHRvLnRpbm",
        b"R5cGUuZ29vZ2xlYXBpcy5jb20vZ29vZ2xlLmNyeXB0by50aW5r",
        b"0eXBlLmdvb2dsZWFwaXMuY29tL2dvb2dsZS5jcnlwdG8udGlua",
    ];
    static FINDERS: LazyLock<[Finder<'static>; 3]> = LazyLock::new(|| TINK.map(Finder::new));
    if run.len() > 100 && FINDERS.iter().any(|phase| phase.find(run).is_some()) {
        return true;
    }
    // Base64 of `-----BEGIN `, of a JWT, of `openssh-key-v1`.
    const OPENINGS: [&[u8]; 3] = [b"LS0tLS1CRUdJT", b"ZXlKaGJHY2lP", b"b3BlbnNzaC1rZXktdjE"];
    let Some(opening) = OPENINGS.iter().position(|opening| run.starts_with(opening)) else {
        return false;
    };
    if opening != 0 {
        return true;
    }
    let mut head = [0; 48];
    let len = decode_base64(run, &mut head);
    head.get(..len).is_some_and(|head| head.windows(11).any(|part| part == b"PRIVATE KEY"))
}

fn run_of(text: &[u8], at: usize, wanted: u8) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    rest.iter().take(2).take_while(|byte| **byte == wanted).count()
}

/// True when a word starts at `at`, or a capital behind a small letter.
#[inline]
fn starts_word(text: &[u8], at: usize) -> bool {
    let (last, first) = (before(text, at), byte(text, at));
    !is(last, ALNUM) || is(last, LOWER) && is(first, UPPER)
}

/// True when the letter before `at` belongs to an escape such as `\n`.
fn behind_escape(text: &[u8], at: usize) -> bool {
    matches!(before(text, at), b'n' | b'r' | b't') && at >= 2 && byte(text, at - 2) == b'\\'
}

/// Decodes the beginning of a base64 text, in either alphabet, as far as `out` takes it.
pub(super) fn decode_base64(text: &[u8], out: &mut [u8]) -> usize {
    let (mut bits, mut have, mut len) = (0_u32, 0, 0);
    for byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        bits = bits << 6 | u32::from(value);
        have += 6;
        if have >= 8 {
            have -= 8;
            let Some(place) = out.get_mut(len) else { break };
            *place = (bits >> have & 0xff) as u8;
            len += 1;
        }
    }
    len
}
