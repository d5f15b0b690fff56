//! Keccak-256 with the padding of 2011, as Ethereum and Monero use it, and Ethereum addresses.
//!
//! The standard of 2015 (SHA-3) pads with another byte, so no SHA-3 crate gives these sums.
#![expect(clippy::indexing_slicing, reason = "indexes are remainders by 5, 25 or constants")]

/// `0x` and 40 hex digits in mixed case that carries the check sum of EIP-55.
pub(super) fn eth(value: &[u8]) -> bool {
    let Some(hex) = hex_40(value) else { return false };
    let sum = keccak_256(&hex.map(|byte| byte.to_ascii_lowercase()));
    let mixed = hex.iter().any(u8::is_ascii_uppercase) && hex.iter().any(u8::is_ascii_lowercase);
    mixed
        && hex.iter().enumerate().all(|(at, byte)| {
            let nibble = sum[at / 2] >> (4 * (1 - at % 2)) & 15;
            byte.is_ascii_digit() || byte.is_ascii_uppercase() == (nibble >= 8)
        })
}

/// `0x` and 40 hex digits in one case or with a right check sum; not the null address.
pub(super) fn eth_any(value: &[u8]) -> bool {
    hex_40(value).is_some_and(|hex| {
        let mixed =
            hex.iter().any(u8::is_ascii_uppercase) && hex.iter().any(u8::is_ascii_lowercase);
        hex.iter().any(|&byte| byte != b'0') && (!mixed || eth(value))
    })
}

fn hex_40(value: &[u8]) -> Option<[u8; 40]> {
    let (b"0x" | b"0X", hex) = value.split_at_checked(2)? else { return None };
    let hex: [u8; 40] = hex.try_into().ok()?;
    hex.iter().all(u8::is_ascii_hexdigit).then_some(hex)
}

/// Bytes taken in by one permutation: 1600 bits less twice the size of the sum.
const RATE: usize = 136;

/// The Keccak-256 sum.
pub(super) fn keccak_256(input: &[u8]) -> [u8; 32] {
    let mut state = [0_u64; 25];
    let mut blocks = input.chunks_exact(RATE);
    for block in blocks.by_ref() {
        absorb(&mut state, block);
    }
    let mut last = [0; RATE];
    let rest = blocks.remainder();
    last[..rest.len()].copy_from_slice(rest);
    last[rest.len()] ^= 0x01;
    last[RATE - 1] ^= 0x80;
    absorb(&mut state, &last);
    let mut sum = [0; 32];
    for (out, lane) in sum.chunks_exact_mut(8).zip(state) {
        out.copy_from_slice(&lane.to_le_bytes());
    }
    sum
}

fn absorb(state: &mut [u64; 25], block: &[u8]) {
    for (lane, bytes) in state.iter_mut().zip(block.as_chunks::<8>().0) {
        *lane ^= u64::from_le_bytes(*bytes);
    }
    permute(state);
}

/// The 24 rounds of Keccak-f on 1600 bits.
fn permute(state: &mut [u64; 25]) {
    let mut constants = 1_u8;
    for _ in 0..24 {
        // Theta: each column takes in the parity of its two neighbours.
        let mut parity = [0; 5];
        for (at, lane) in state.iter().enumerate() {
            parity[at % 5] ^= lane;
        }
        for (at, lane) in state.iter_mut().enumerate() {
            *lane ^= parity[(at + 4) % 5] ^ parity[(at + 1) % 5].rotate_left(1);
        }
        // Rho and pi: lanes turn and move along one cycle of 24.
        let (mut x, mut y) = (1, 0);
        let mut carried = state[1];
        for turn in 1..=24_u32 {
            (x, y) = (y, (2 * x + 3 * y) % 5);
            let place = &mut state[x + 5 * y];
            (*place, carried) = (carried.rotate_left(turn * (turn + 1) / 2 % 64), *place);
        }
        // Chi: the only step that is not linear.
        for row in state.as_chunks_mut::<5>().0 {
            let old = *row;
            for (x, lane) in row.iter_mut().enumerate() {
                *lane = old[x] ^ (!old[(x + 1) % 5] & old[(x + 2) % 5]);
            }
        }
        // Iota: the bits come from a shift register.
        for power in 0..7 {
            if constants & 1 == 1 {
                state[0] ^= 1 << ((1 << power) - 1);
            }
            constants = constants << 1 ^ if constants & 0x80 == 0 { 0 } else { 0x71 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::eth;
    use super::eth_any;
    use super::keccak_256;

    /// The sum of nothing and of one block and a byte, as published with the proposal.
    #[test]
    fn known_sums() {
        assert_eq!(keccak_256(b"")[..4], [0xc5, 0xd2, 0x46, 0x01]);
        assert_eq!(keccak_256(b"abc")[..4], [0x4e, 0x03, 0x65, 0x7a]);
        // A block that is exactly full takes a whole block of padding.
        assert_ne!(keccak_256(&[0; 136]), keccak_256(&[0; 135]));
    }

    #[test]
    fn case_is_the_check() {
        assert!(eth(b"0x38e3Fe540EC1cDF75ECcd6f007b3573B6B726348"));
        assert!(!eth(b"0x38e3fe540EC1cDF75ECcd6f007b3573B6B726348"));
        assert!(!eth(b"0x38e3fe540ec1cdf75eccd6f007b3573b6b726348"));
        assert!(eth_any(b"0x38e3fe540ec1cdf75eccd6f007b3573b6b726348"));
        assert!(!eth_any(b"0x0000000000000000000000000000000000000000"));
        assert!(!eth_any(b"0x38e3fe540EC1cDF75ECcd6f007b3573B6B726348"));
        assert!(!eth_any(b"38e3fe540ec1cdf75eccd6f007b3573b6b726348"));
    }
}
