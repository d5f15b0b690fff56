//! One form for all spellings of a value, so that it has one name.

use std::net::Ipv6Addr;

use super::Match;
use super::RuleId;
use super::Rules;
use super::bytes::ALNUM;
use super::bytes::DIGIT;
use super::bytes::HEX;
use super::bytes::is;
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
        self.normalise(value.expose(), found, &mut out, &mut spare);
        out
    }

    /// Writes the decoded, normalised form of `raw` to `out`.
    pub(super) fn normalise(&self, raw: &[u8], found: Match, out: &mut Vec<u8>, spare: &mut Vec<u8>) {
        let encoded = raw.iter().any(|byte| *byte >= 0x80 || matches!(byte, b'%' | b'&' | b'\\' | 0x1b));
        if encoded {
            view::decode_value(raw, out, spare);
        } else {
            out.clear();
            out.extend_from_slice(raw);
        }
        // A span that several detectors made together has no form of its own.
        let normalise = if found.joined { Normalise::Exact } else { self.rule(found.rule).normalise };
        match normalise {
            Normalise::Exact => {}
            Normalise::Lower => out.make_ascii_lowercase(),
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
    }
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
