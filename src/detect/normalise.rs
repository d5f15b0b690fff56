//! One form for all spellings of a value, so that it has one name.

use std::net::Ipv6Addr;

use super::Match;
use super::RuleId;
use super::Rules;
use super::bytes::ALNUM;
use super::bytes::DIGIT;
use super::bytes::HEX;
use super::bytes::is;
use super::punycode;
use super::rule::Normalise;
use crate::text::RawSlice;
use crate::text::Span;
use crate::view;

impl Rules {
    /// The form in which a value of `kind` is named, as the first detector of the kind has it.
    pub fn normal_form(&self, kind: &str, value: RawSlice<'_>) -> Vec<u8> {
        let (mut out, mut spare) = (Vec::new(), Vec::new());
        let rule = self.rules.iter().position(|rule| rule.raw.kind == kind);
        let Some(rule) = rule.and_then(|at| u16::try_from(at).ok()).map(RuleId) else { return out };
        let span = Span::new(0, value.len());
        let found = Match { span, kind: self.rule(rule).kind, rule, joined: false };
        self.normalise(value.expose(), found, &mut out, &mut spare).to_vec()
    }

    /// The decoded, normalised form of `raw`: itself, or what was written to `out`.
    pub(super) fn normalise<'v>(
        &self,
        raw: &'v [u8],
        found: Match,
        out: &'v mut Vec<u8>,
        spare: &mut Vec<u8>,
    ) -> &'v [u8] {
        // A span that several detectors made together has no form of its own.
        let normalise =
            if found.joined { Normalise::Exact } else { self.rule(found.rule).normalise };
        let bytes = raw.iter().fold(0, |all, byte| all | NEEDS[usize::from(*byte)]);
        let changes = match normalise {
            Normalise::Exact => 0,
            Normalise::Lower => CAPITAL,
            Normalise::Compact => SMALL | MARK | COLON,
            Normalise::Digits => SMALL | CAPITAL | MARK | COLON,
            Normalise::Mac => CAPITAL | MARK | COLON,
            Normalise::Ip => COLON,
        };
        if bytes & (changes | ESCAPE) == 0 {
            return raw;
        }
        if bytes & ESCAPE == 0 {
            out.clear();
            out.extend_from_slice(raw);
        } else {
            view::decode_value(raw, out, spare);
        }
        match normalise {
            Normalise::Exact => {}
            Normalise::Lower => {
                out.make_ascii_lowercase();
                if !out.is_ascii() {
                    punycode::encode_domain(out, spare);
                }
            }
            Normalise::Compact => {
                out.retain(|byte| is(*byte, ALNUM));
                out.make_ascii_uppercase();
            }
            Normalise::Digits => out.retain(|byte| is(*byte, DIGIT)),
            Normalise::Mac => {
                out.retain(|byte| is(*byte, HEX));
                out.make_ascii_lowercase();
            }
            Normalise::Ip => shortest_address(out, spare),
        }
        out
    }
}

/// What a byte may need: undoing of escapes, other letter case, leaving out.
const ESCAPE: u8 = 1;
const CAPITAL: u8 = 2;
const SMALL: u8 = 4;
const MARK: u8 = 8;
const COLON: u8 = 16;

static NEEDS: [u8; 256] = needs();

const fn needs() -> [u8; 256] {
    let mut needs = [0; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        needs[at] = match byte {
            b'%' | b'&' | b'\\' | 0x1b | 0x80.. => ESCAPE | MARK,
            b'A'..=b'Z' => CAPITAL,
            b'a'..=b'z' => SMALL,
            b'0'..=b'9' => 0,
            b':' => COLON,
            _ => MARK,
        };
        at += 1;
    }
    needs
}

/// An IPv6 address as RFC 5952 writes it, without its zone.
fn shortest_address(out: &mut Vec<u8>, spare: &mut Vec<u8>) {
    if !out.contains(&b':') {
        return;
    }
    let zone = out.iter().position(|byte| *byte == b'%').unwrap_or(out.len());
    let address = out.get(..zone).and_then(|bytes| std::str::from_utf8(bytes).ok());
    if let Some(address) = address.and_then(|text| text.parse::<Ipv6Addr>().ok()) {
        spare.clear();
        // Writing to a vector cannot fail.
        let written = std::io::Write::write_fmt(spare, format_args!("{address}"));
        if written.is_ok() {
            std::mem::swap(out, spare);
        }
    }
}
