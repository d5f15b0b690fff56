//! Base58 with a check sum: Bitcoin addresses and private keys, Monero addresses.

use super::keccak::keccak_256;
use sha2::Digest;
use sha2::Sha256;

const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// The longest payload that is decoded as one number: a private key with its marks.
const BYTES_MAX: usize = 38;

/// A Bitcoin address that pays to a key (from 1) or to a script (from 3).
pub(super) fn btc_base58(value: &[u8]) -> bool {
    matches!(decode::<25>(value), Some([0x00 | 0x05, ..]))
}

/// A Bitcoin private key as wallets export it, for a compressed public key or not.
pub(super) fn btc_wif(value: &[u8]) -> bool {
    matches!(decode::<37>(value), Some([0x80, ..]))
        || decode::<38>(value).is_some_and(|bytes| bytes[0] == 0x80 && bytes[33] == 1)
}

/// The bytes of a text with a double SHA-256 check sum, when there are exactly `N` of them.
fn decode<const N: usize>(value: &[u8]) -> Option<[u8; N]> {
    // A byte is worth 1.37 symbols; the bound keeps the square of the length a constant.
    if value.len() > N * 7 / 5 || N > BYTES_MAX {
        return None;
    }
    let mut bytes = [0; N];
    for &symbol in value {
        let mut carry = symbol_value(symbol)?;
        for byte in bytes.iter_mut().rev() {
            carry += u64::from(*byte) * 58;
            *byte = low_byte(carry);
            carry >>= 8;
        }
        if carry != 0 {
            return None;
        }
    }
    // Leading zero bytes are written as leading ones, one for one.
    let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
    let ones = value.iter().take_while(|&&byte| byte == b'1').count();
    let (body, check) = bytes.split_last_chunk::<4>()?;
    let digest = Sha256::digest(Sha256::digest(body));
    (zeros == ones && digest.starts_with(check)).then_some(bytes)
}

/// A Monero address: blocks of eleven symbols for eight bytes, seven for the last five, Keccak.
pub(super) fn monero(value: &[u8]) -> bool {
    match value.len() {
        95 => monero_bytes::<69>(value),
        106 => monero_bytes::<77>(value),
        _ => false,
    }
}

fn monero_bytes<const N: usize>(value: &[u8]) -> bool {
    let mut bytes = [0; N];
    for (symbols, out) in value.chunks(11).zip(bytes.chunks_mut(8)) {
        let mut number = 0_u128;
        for &symbol in symbols {
            let Some(value) = symbol_value(symbol) else { return false };
            number = number * 58 + u128::from(value);
        }
        let whole = number.to_be_bytes();
        let Some(start) = whole.len().checked_sub(out.len()) else { return false };
        let Some((zeros, block)) = whole.split_at_checked(start) else { return false };
        if zeros.iter().any(|&byte| byte != 0) {
            return false;
        }
        out.copy_from_slice(block);
    }
    let Some((body, check)) = bytes.split_last_chunk::<4>() else { return false };
    // Main net: standard, integrated, sub-address.
    matches!(bytes.first(), Some(18 | 19 | 42)) && keccak_256(body).starts_with(check)
}

fn symbol_value(symbol: u8) -> Option<u64> {
    ALPHABET.iter().position(|&known| known == symbol).map(|at| at as u64)
}

fn low_byte(number: u64) -> u8 {
    number.to_le_bytes()[0]
}
