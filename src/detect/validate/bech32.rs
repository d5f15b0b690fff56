//! Bitcoin addresses for segregated witnesses: bech32 for version 0, bech32m above.

const SYMBOLS: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// An address on the main, test or regression net, in one case.
pub(super) fn bech32(value: &[u8]) -> bool {
    let one_case =
        !value.iter().any(u8::is_ascii_uppercase) || !value.iter().any(u8::is_ascii_lowercase);
    if value.len() > 90 || !one_case {
        return false;
    }
    let Some(split) = value.iter().position(|&byte| byte == b'1') else { return false };
    let Some((net, rest)) = value.split_at_checked(split) else { return false };
    if ![&b"bc"[..], b"tb", b"bcrt"].iter().any(|known| net.eq_ignore_ascii_case(known)) {
        return false;
    }
    let net_low = net.iter().map(u8::to_ascii_lowercase);
    let prefix = net_low.clone().map(|byte| byte >> 5).chain([0]).chain(net_low.map(|b| b & 31));
    let data = rest.iter().skip(1).map(|byte| symbol(byte.to_ascii_lowercase()));
    if data.clone().any(|symbol| symbol.is_none()) {
        return false;
    }
    let sum = prefix.chain(data.clone().flatten()).fold(1, step);
    let version = data.clone().flatten().next();
    // Without the version and the six symbols of the check sum.
    let program = data.count().saturating_sub(7);
    match version {
        Some(0) => sum == 1 && matches!(program, 32 | 52),
        Some(1) => sum == 0x2bc8_30a3 && program == 52,
        Some(2..=16) => sum == 0x2bc8_30a3 && (4..=64).contains(&program),
        _ => false,
    }
}

fn symbol(byte: u8) -> Option<u8> {
    (0..).zip(SYMBOLS).find(|(_, known)| **known == byte).map(|(value, _)| value)
}

/// One symbol into the remainder of the BCH code.
fn step(sum: u32, symbol: u8) -> u32 {
    const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    let top = sum >> 25;
    let shifted = (sum & 0x01ff_ffff) << 5 ^ u32::from(symbol);
    (0..).zip(GENERATOR).fold(
        shifted,
        |sum, (bit, generator)| {
            if top >> bit & 1 == 1 { sum ^ generator } else { sum }
        },
    )
}
