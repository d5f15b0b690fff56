//! Mail addresses (RFC 5321), letters beyond ASCII included.

/// Longest address and longest local part.
const LEN_MAX: usize = 254;
const LOCAL_LEN_MAX: usize = 64;

/// Endings of file names that look like domains of their own: `logo@2x.png`.
const FILE_ENDINGS: [&[u8]; 10] =
    [b"png", b"jpg", b"jpeg", b"gif", b"svg", b"webp", b"css", b"js", b"ico", b"avif"];

/// An address with at least two labels in its domain, of which the last is a word.
pub(super) fn email(value: &[u8]) -> bool {
    let Some(at) = value.iter().rposition(|byte| *byte == b'@') else { return false };
    let Some((local, domain)) = value.split_at_checked(at) else { return false };
    let domain = domain.strip_prefix(b"@").unwrap_or(domain);
    value.len() <= LEN_MAX && local_part(local) && domain_name(domain)
}

fn local_part(local: &[u8]) -> bool {
    if !(1..=LOCAL_LEN_MAX).contains(&local.len()) {
        return false;
    }
    if let [b'"', inner @ .., b'"'] = local {
        return !inner.is_empty() && !inner.iter().any(u8::is_ascii_control);
    }
    let atom = |byte: &u8| {
        byte.is_ascii_alphanumeric() || *byte >= 0x80 || b"!#$%&'*+-/=?^_`{|}~.".contains(byte)
    };
    let dots =
        local.starts_with(b".") || local.ends_with(b".") || local.windows(2).any(|w| w == b"..");
    local.iter().all(atom) && !dots
}

fn domain_name(domain: &[u8]) -> bool {
    let labels = domain.split(|byte| *byte == b'.');
    let fits = |label: &[u8]| {
        (1..=63).contains(&label.len())
            && !label.starts_with(b"-")
            && !label.ends_with(b"-")
            && label
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | 0x80..))
    };
    let Some(last) = labels.clone().next_back() else { return false };
    let word = last.len() >= 2
        && last.iter().all(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80)
        || last.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"xn--"));
    let file = FILE_ENDINGS.iter().any(|ending| last.eq_ignore_ascii_case(ending));
    labels.clone().count() >= 2 && labels.clone().all(fits) && word && !file
}

#[cfg(test)]
mod tests {
    use super::email;

    #[test]
    fn addresses() {
        for good in [
            "a@b.example",
            "desk-7@tallgrass-logistics.io",
            "per.dale+news@example.com",
            "\"a b\"@example.org",
            "å.ø@blåbær.example",
            "a@b.xn--p1ai",
            "o'neil@example.co.uk",
        ] {
            assert!(email(good.as_bytes()), "{good}");
        }
        for bad in [
            "",
            "@",
            "a@",
            "@b.example",
            "a@b",
            "a@b.c",
            "a@10.0.0.1",
            "x@v0.38.0",
            "hero-banner@3x.webp",
            ".a@b.example",
            "a..b@c.example",
            "a@-b.example",
            "a@b..example",
        ] {
            assert!(!email(bad.as_bytes()), "{bad}");
        }
    }
}
