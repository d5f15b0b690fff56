//! IP and hardware addresses.

use super::bytes::ALNUM;
use super::bytes::HEX;
use super::bytes::LOWER;
use super::bytes::UPPER;
use super::bytes::before;
use super::bytes::byte;
use super::bytes::follows_folded;
use super::bytes::is;
use super::bytes::run_end;
use super::bytes::run_start;

/// Bytes of an octet and its dot.
const OCTET: usize = 4;
/// Bytes that an address and one byte before and behind it can take, the first octet before its dot.
const AROUND: usize = OCTET + 1 + 3 * OCTET;

/// The IPv4 address whose first dot is at `dot`.
#[inline(never)]
pub(super) fn ipv4(text: &[u8], dot: usize) -> Option<(usize, usize)> {
    if byte(text, dot) != b'.' {
        return None;
    }
    let inside = dot.checked_sub(OCTET).and_then(|from| text.get(from..)?.first_chunk());
    let edge: [u8; AROUND];
    let around = match inside {
        Some(around) => around,
        None => {
            edge = std::array::from_fn(|at| byte(text, (dot + at).wrapping_sub(OCTET)));
            &edge
        }
    };
    let (before_dot, behind_dot, octets) = quad(around)?;
    let (start, end) = (dot - before_dot, dot + behind_dot);
    let after = byte(text, end);
    let joined = match after {
        b'.' => is(byte(text, end + 1), ALNUM),
        b'-' => is(byte(text, end + 1), UPPER | LOWER),
        b'_' => true,
        _ => is(after, ALNUM),
    };
    if joined || names_no_one(octets) || !starts_an_address(text, start) {
        return None;
    }
    Some((start, end))
}

/// Four octets without leading zeros around the dot at [`OCTET`]: how many bytes they take before
/// and behind it, and their values.
///
/// How long an octet is cannot be foreseen, so that nothing branches on it.
#[inline]
fn quad(around: &[u8; AROUND]) -> Option<(usize, usize, [u8; 4])> {
    let digit = |at: usize| around[at].wrapping_sub(b'0');
    let (before, value, mut fits) = {
        let (a, b, c, d) = (digit(0), digit(1), digit(2), digit(3));
        let one = d <= 9;
        let two = one & (c <= 9);
        let three = two & (b <= 9);
        let tens = u32::from(c) * u32::from(two);
        let hundreds = u32::from(b) * u32::from(three);
        let value = u32::from(d) + tens * 10 + hundreds * 100;
        let zero = two & !three & (c == 0) | three & (b == 0);
        let fits = one & !(three & (a <= 9)) & !zero & (value < 256);
        (usize::from(one) + usize::from(two) + usize::from(three), value, fits)
    };
    let mut octets = [value as u8; 4];
    let mut at = OCTET;
    for octet in &mut octets[1..] {
        // The longest octets before it leave room for four bytes behind each dot.
        fits &= around[at] == b'.';
        let (a, b, c, d) = (digit(at + 1), digit(at + 2), digit(at + 3), digit(at + 4));
        let one = a <= 9;
        let two = one & (b <= 9);
        let three = two & (c <= 9);
        // Each further digit moves those before it up by a place.
        let value = u32::from(a);
        let value = if two { value * 10 + u32::from(b) } else { value };
        let value = if three { value * 10 + u32::from(c) } else { value };
        fits &= one & !(three & (d <= 9)) & !((a == 0) & two) & (value < 256);
        *octet = value as u8;
        at += 1 + usize::from(one) + usize::from(two) + usize::from(three);
    }
    fits.then_some((before, at - OCTET, octets))
}

/// Loopback, unspecified, broadcast and net masks name no machine.
fn names_no_one(octets: [u8; 4]) -> bool {
    octets[0] == 255 || octets == [0; 4] || octets == [127, 0, 0, 1]
}

/// Words before four dotted numbers that make them a version.
const VERSION_WORDS: [&[u8]; 10] = [
    b"version",
    b"ver",
    b"release",
    b"build",
    b"firmware",
    b"driver",
    b"revision",
    b"rev",
    b"upgrade",
    b"v",
];

fn starts_an_address(text: &[u8], start: usize) -> bool {
    let last = before(text, start);
    match last {
        b'.' | b'_' => false,
        b'-' => !is(before(text, start.wrapping_sub(1)), UPPER | LOWER),
        b'/' => {
            // `Chrome/118.0.190.47` is a product and its version, `host.example/10.0.0.1` is not.
            let word = run_start(text, start - 1, ALNUM, 64);
            let product = word < start - 1
                && is(byte(text, word), UPPER | LOWER)
                && !matches!(before(text, word), b'.' | b'/' | b'-');
            !product || follows_folded(text, word, b"localhost")
        }
        b' ' | b'=' | b':' | b'"' => {
            // The last letters of the words below; most words before an address end in others.
            let mut end = start;
            while matches!(before(text, end), b' ' | b'=' | b':' | b'"') && start - end < 4 {
                end -= 1;
            }
            if !matches!(before(text, end) | 0x20, b'n' | b'r' | b'e' | b'd' | b'v') {
                return true;
            }
            let word = run_start(text, end, UPPER | LOWER, 16);
            let word = text.get(word..end).unwrap_or(&[]);
            !VERSION_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
        }
        _ => !is(last, ALNUM) || in_escape(text, start),
    }
}

/// True when the letter before `at` belongs to an escape such as `\n`.
fn in_escape(text: &[u8], at: usize) -> bool {
    matches!(before(text, at), b'n' | b'r' | b't') && before(text, at.wrapping_sub(1)) == b'\\'
}

/// What a group of hex digits and colons is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colons {
    /// An IPv6 address.
    Ipv6(usize, usize),
    /// A hardware address.
    Mac(usize, usize),
    /// Neither; the end of the group, so that it is looked at once.
    Nothing(usize),
}

/// Longest text of hex digits, colons and dots around a colon that is looked at.
const COLONS_LEN_MAX: usize = 64;

/// The IPv6 or hardware address around the colon at `colon`.
#[inline(never)]
pub(super) fn colons(text: &[u8], colon: usize) -> Colons {
    if byte(text, colon) != b':' {
        return Colons::Nothing(colon + 1);
    }
    let mut start = colon;
    while start > 0 && colon - start < COLONS_LEN_MAX && is_address(before(text, start)) {
        start -= 1;
    }
    let mut end = colon;
    while end - colon < COLONS_LEN_MAX && is_address(byte(text, end)) {
        end += 1;
    }
    let nothing = Colons::Nothing(end);
    if colon - start == COLONS_LEN_MAX || end - colon == COLONS_LEN_MAX {
        return nothing;
    }
    // A sentence may end in a dot, a label before the address in a colon (`peer: …`).
    while end > start && matches!(byte(text, end - 1), b'.') {
        end -= 1;
    }
    if byte(text, start) == b'.' {
        return nothing;
    }
    if byte(text, start) == b':' && byte(text, start + 1) != b':' {
        start += 1;
    }
    if end > start && byte(text, end - 1) == b':' && byte(text, end.wrapping_sub(2)) != b':' {
        end -= 1;
    }
    let (last, after) = (before(text, start), byte(text, end));
    if is(last, ALNUM) && !in_escape(text, start)
        || last == b'_'
        || is(after, ALNUM)
        || after == b'_'
    {
        return nothing;
    }
    let Some(group) = text.get(start..end) else { return nothing };
    if is_mac(group, b':') {
        return if names_no_machine(group) { nothing } else { Colons::Mac(start, end) };
    }
    match ipv6_len(group) {
        Some(len) => Colons::Ipv6(start, start + len + zone_len(text, start + len)),
        None => nothing,
    }
}

fn is_address(byte: u8) -> bool {
    is(byte, HEX) || matches!(byte, b':' | b'.')
}

/// `%` and an interface name.
fn zone_len(text: &[u8], at: usize) -> usize {
    if byte(text, at) != b'%' || !is(byte(text, at + 1), UPPER | LOWER) {
        return 0;
    }
    // `%2F` behind an address is an escape.
    if is(byte(text, at + 1), HEX) && is(byte(text, at + 2), HEX) {
        return 0;
    }
    run_end(text, at + 1, ALNUM, 16) - at
}

/// The length of the IPv6 address that `group` begins with: all of it, or all but `:port`.
fn ipv6_len(group: &[u8]) -> Option<usize> {
    if group.iter().filter(|byte| **byte == b':').count() < 2 || group == b"::1" {
        return None;
    }
    let text = std::str::from_utf8(group).ok()?;
    let is_ipv6 = |text: &str| {
        let address: std::net::Ipv6Addr = text.parse().ok()?;
        let digits = text.bytes().any(|byte| byte.is_ascii_digit());
        let groups = text.split(':').filter(|part| !part.is_empty()).count();
        (digits && groups >= 2 && !address.is_unspecified()).then_some(text.len())
    };
    if let Some(len) = is_ipv6(text) {
        return Some(len);
    }
    let (head, port) = text.rsplit_once(':')?;
    let is_port = (4..=5).contains(&port.len()) && port.bytes().all(|byte| byte.is_ascii_digit());
    if is_port { is_ipv6(head) } else { None }
}

/// Six or eight pairs of hex digits.
fn is_mac(group: &[u8], separator: u8) -> bool {
    (group.len() == 17 || group.len() == 23)
        && group.chunks(3).all(|pair| {
            is(byte(pair, 0), HEX)
                && is(byte(pair, 1), HEX)
                && pair.get(2).is_none_or(|last| *last == separator)
        })
}

/// The zero and the broadcast address.
fn names_no_machine(group: &[u8]) -> bool {
    let digits = || group.iter().filter(|byte| is(**byte, HEX));
    digits().all(|byte| *byte == b'0') || digits().all(|byte| matches!(byte, b'f' | b'F'))
}

/// The hardware address with dashes whose first dash is at `dash`.
pub(super) fn mac_dashes(text: &[u8], dash: usize) -> Option<(usize, usize)> {
    let start = dash.checked_sub(2)?;
    let is_end = |at: usize| {
        let after = byte(text, at);
        !(is(after, ALNUM) || after == b'_' || after == b'-' && is(byte(text, at + 1), HEX))
    };
    let last = before(text, start);
    if is(last, ALNUM) || matches!(last, b'_' | b'-') {
        return None;
    }
    [start + 17, start + 23].into_iter().find_map(|end| {
        let group = text.get(start..end)?;
        (is_mac(group, b'-') && is_end(end) && !names_no_machine(group)).then_some((start, end))
    })
}

/// The hardware address `aabb.ccdd.eeff` whose first dot is at `dot`.
pub(super) fn mac_dots(text: &[u8], dot: usize) -> Option<(usize, usize)> {
    let start = dot.checked_sub(4)?;
    let end = start + 14;
    let group = text.get(start..end)?;
    let shape = group.chunks(5).all(|part| {
        part.iter().take(4).all(|byte| is(*byte, HEX))
            && part.get(4).is_none_or(|byte| *byte == b'.')
    });
    let (last, after) = (before(text, start), byte(text, end));
    let joined = is(last, ALNUM)
        || matches!(last, b'_' | b'-' | b'.')
        || is(after, ALNUM)
        || matches!(after, b'_' | b'-')
        || after == b'.' && is(byte(text, end + 1), ALNUM);
    // Digits alone are a number with separators as likely as not.
    let letters = group.iter().any(|byte| is(*byte, UPPER | LOWER));
    (shape && !joined && letters && !names_no_machine(group)).then_some((start, end))
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "texts of tests are short and ASCII where they are cut")]
mod tests {
    use super::*;

    fn ipv4_in(text: &str) -> Option<&str> {
        let (start, end) = ipv4(text.as_bytes(), text.find('.')?)?;
        text.get(start..end)
    }

    #[test]
    fn addresses_and_versions() {
        for text in [
            "from 203.0.113.9:443 ok",
            "=203.0.113.9,",
            "host.example/203.0.113.9",
            "//203.0.113.9/",
        ] {
            let dots = text.find("203").unwrap() + 3;
            assert_eq!(ipv4(text.as_bytes(), dots).map(|(a, b)| &text[a..b]), Some("203.0.113.9"));
        }
        for text in [
            "v10.4.2.1",
            "version 10.4.2.1",
            "Chrome/118.0.190.47",
            "lib-10.2.14.1.min.js",
            "27.301.8.512",
            "1.3.6.1.4.1",
            "127.0.0.1",
            "0.0.0.0:80",
            "255.255.255.0",
            "10.01.2.3",
        ] {
            assert_eq!(ipv4_in(text), None, "{text}");
        }
    }

    fn colons_in(text: &str) -> Colons {
        colons(text.as_bytes(), text.find("::").or_else(|| text.find(':')).unwrap())
    }

    #[test]
    fn colons_are_told_apart() {
        assert_eq!(colons_in("peer 2001:db8:51::7:51322 x"), Colons::Ipv6(5, 19));
        assert_eq!(colons_in("fe80::1%eth0 x"), Colons::Ipv6(0, 12));
        assert_eq!(colons_in("::ffff:192.0.2.9"), Colons::Ipv6(0, 16));
        assert_eq!(colons_in("hw 00:1a:2b:3c:4d:5e"), Colons::Mac(3, 20));
        for text in [
            "driver::bad::f00d",
            "li::before",
            "std::string",
            "12:30:45",
            "10:20:30:40",
            "fp 9a:4f:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee",
            "::1",
            "ff:ff:ff:ff:ff:ff",
        ] {
            assert!(matches!(colons_in(text), Colons::Nothing(_)), "{text}");
        }
    }

    #[test]
    fn other_forms_of_hardware_addresses() {
        assert_eq!(mac_dashes(b"x 9C-B6-D0-1E-77-A2.", 4), Some((2, 19)));
        assert_eq!(mac_dashes(b"9C-B6-D0-1E-77-A2-00", 2), None);
        assert_eq!(mac_dots(b"3c52.82ab.91f4", 4), Some((0, 14)));
        assert_eq!(mac_dots(b"1234.5678.9012", 4), None);
    }
}
