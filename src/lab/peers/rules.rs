//! The 24 rules.

use crate::text::Span;

/// One rule of the peers.
#[derive(Clone, Copy)]
pub struct Rule {
    /// What it looks for.
    pub name: &'static str,
    /// The kind under which a match is named.
    pub kind: &'static str,
    /// An expression over bytes.
    pub pattern: &'static str,
    /// Whether a match holds: bounds and check digits, where the expression cannot tell.
    pub holds: fn(&[u8], Span) -> bool,
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rule({})", self.name)
    }
}

const fn rule(
    name: &'static str,
    kind: &'static str,
    pattern: &'static str,
    holds: fn(&[u8], Span) -> bool,
) -> Rule {
    Rule { name, kind, pattern, holds }
}

/// The 24 commonest rules, the earlier first where two begin at the same byte.
pub const RULES: &[Rule] = &[
    rule(
        "email",
        "EMAIL",
        r"[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}",
        always,
    ),
    rule(
        "ipv4",
        "IPV4",
        r"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])",
        alone,
    ),
    rule(
        "ipv6",
        "IPV6",
        r"(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}|(?:[0-9A-Fa-f]{1,4}:){1,6}(?::[0-9A-Fa-f]{1,4}){1,6}",
        alone,
    ),
    rule("mac", "MAC", r"(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}", alone),
    rule("card", "CARD", r"[0-9]{13,19}|[0-9]{4}(?:[ -][0-9]{4}){3}", card),
    rule("ssn", "US_SSN", r"[0-9]{3}-[0-9]{2}-[0-9]{4}", alone),
    rule("e164", "PHONE", r"\+[1-9][0-9]{7,14}", alone),
    rule("iban", "IBAN", r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", iban),
    rule(
        "jwt",
        "JWT",
        r"eyJ[A-Za-z0-9_-]{8,512}\.[A-Za-z0-9_-]{8,512}\.[A-Za-z0-9_-]{8,512}",
        always,
    ),
    rule("aws-key-id", "SECRET", r"(?:AKIA|ASIA)[A-Z2-7]{16}", alone),
    rule(
        "aws-secret",
        "SECRET",
        r#"(?i:aws_secret_access_key|secretaccesskey)["' ]{0,3}[:=]["' ]{0,3}[A-Za-z0-9/+=]{40}"#,
        always,
    ),
    rule(
        "github",
        "SECRET",
        r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}",
        alone,
    ),
    rule("gitlab", "SECRET", r"glpat-[A-Za-z0-9_-]{20,64}", always),
    rule("slack", "SECRET", r"xox[abprs]-[A-Za-z0-9-]{10,128}", always),
    rule("stripe", "SECRET", r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,128}", alone),
    rule("google-key", "SECRET", r"AIza[A-Za-z0-9_-]{35}", always),
    rule("google-oauth", "SECRET", r"ya29\.[A-Za-z0-9_-]{10,255}", always),
    rule("sendgrid", "SECRET", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}", always),
    rule("npm", "SECRET", r"npm_[A-Za-z0-9]{36}", alone),
    rule("pypi", "SECRET", r"pypi-[A-Za-z0-9_-]{50,255}", always),
    rule(
        "key-value",
        "SECRET",
        r#"(?i:api_?key|secret|token|passw(?:or)?d|pwd)["' ]{0,2}[:=]["' ]{0,2}[A-Za-z0-9_./+=~-]{6,255}"#,
        always,
    ),
    rule("bearer", "SECRET", r"(?i:bearer) [A-Za-z0-9._~+/=-]{8,512}", always),
    rule(
        "url-user",
        "SECRET",
        r"(?:https?|ftps?|ssh|git|ldaps?|smtps?|amqps?|rediss?|mysql|mongodb(?:\+srv)?|postgres(?:ql)?)://[A-Za-z0-9._~%!$&*+=-]{1,64}:[A-Za-z0-9._~%!$&*+=-]{1,128}@",
        always,
    ),
    rule("private-key", "PRIVATE_KEY", r"-----BEGIN [A-Z ]{0,24}PRIVATE KEY-----", always),
];

fn always(_: &[u8], _: Span) -> bool {
    true
}

/// No letter, digit, dot or slash touches it on the left, no letter or digit on the right.
fn alone(text: &[u8], span: Span) -> bool {
    let before = span.start.checked_sub(1).and_then(|at| text.get(at));
    let after = text.get(span.end);
    let joined = |byte: &u8| byte.is_ascii_alphanumeric();
    !before.is_some_and(|byte| joined(byte) || matches!(byte, b'.' | b'/' | b'+'))
        && !after.is_some_and(joined)
}

fn card(text: &[u8], span: Span) -> bool {
    if !alone(text, span) {
        return false;
    }
    let mut sum = 0_u32;
    let digits = text.get(span.start..span.end).unwrap_or_default();
    for (index, byte) in digits.iter().rev().filter(|byte| byte.is_ascii_digit()).enumerate() {
        let digit = u32::from(byte - b'0');
        sum += match (index % 2, digit) {
            (0, digit) => digit,
            (_, digit @ 0..5) => digit * 2,
            (_, digit) => digit * 2 - 9,
        };
    }
    sum.is_multiple_of(10)
}

fn iban(text: &[u8], span: Span) -> bool {
    if !alone(text, span) {
        return false;
    }
    let value = text.get(span.start..span.end).unwrap_or_default();
    let (head, tail) = value.split_at(4.min(value.len()));
    let rest = tail.iter().chain(head).fold(0_u32, |rest, byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        _ => (rest * 100 + u32::from(byte.saturating_sub(b'A')) + 10) % 97,
    });
    rest == 1
}
