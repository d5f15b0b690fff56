//! Addresses of machines: IPv4, IPv6, hardware addresses.

use std::net::Ipv4Addr;
use std::net::Ipv6Addr;

/// Four octets without leading zeros.
pub(super) fn ipv4(value: &[u8]) -> bool {
    value.len() <= 15 && parse::<Ipv4Addr>(value)
}

/// An IPv6 address that is more than a `::` in code: eight groups, or at least two groups of which
/// one has a digit. A zone (`%eth0`) may follow.
pub(super) fn ipv6(value: &[u8]) -> bool {
    let address = value.split(|&byte| byte == b'%').next().unwrap_or_default();
    let groups = address.split(|&byte| byte == b':').filter(|group| !group.is_empty()).count();
    let strong = groups >= 2 && address.iter().any(u8::is_ascii_digit);
    value.len() <= 64 && strong && parse::<Ipv6Addr>(address)
}

/// Six or eight pairs after `:` or `-`, or three or four groups of four after `.`. Neither all
/// zeros nor all ones, which name no machine.
pub(super) fn mac(value: &[u8]) -> bool {
    let (separator, width) = match value.len() {
        17 | 23 => (value.get(2), 3),
        14 | 19 => (value.get(4), 5),
        _ => return false,
    };
    let fits = match separator {
        Some(b':' | b'-') => width == 3,
        Some(b'.') => width == 5,
        _ => false,
    };
    let shaped = value.iter().enumerate().all(|(at, byte)| {
        if at % width == width - 1 { Some(byte) == separator } else { byte.is_ascii_hexdigit() }
    });
    let mut hex = value.iter().filter(|byte| byte.is_ascii_hexdigit());
    let silent =
        hex.clone().all(|&byte| byte == b'0') || hex.all(|byte| matches!(byte, b'f' | b'F'));
    fits && shaped && !silent
}

fn parse<Address: std::str::FromStr>(value: &[u8]) -> bool {
    std::str::from_utf8(value).is_ok_and(|text| text.parse::<Address>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::ipv4;
    use super::ipv6;
    use super::mac;

    #[test]
    fn addresses() {
        assert!(ipv4(b"192.0.2.9"));
        assert!(!ipv4(b"192.0.2.09") && !ipv4(b"192.0.2.256") && !ipv4(b"1.2.3"));
        assert!(ipv6(b"2001:db8::1") && ipv6(b"fe80::1%eth0") && ipv6(b"::ffff:192.0.2.9"));
        assert!(!ipv6(b"::") && !ipv6(b"bad::fade") && !ipv6(b"12:30:45") && !ipv6(b"::1"));
        assert!(mac(b"dc:a6:32:4f:19:be") && mac(b"9C-B6-D0-1E-77-A2") && mac(b"3c52.82ab.91f4"));
        assert!(mac(b"00:11:22:ff:fe:33:44:55"));
        assert!(!mac(b"00:00:00:00:00:00") && !mac(b"ff:ff:ff:ff:ff:ff"));
        assert!(!mac(b"dc:a6:32:4f:19:bg") && !mac(b"dc:a6-32:4f:19:be") && !mac(b"dc:a6:32"));
    }
}
