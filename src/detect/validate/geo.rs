//! Coordinates of places: degrees with at least three decimals, in range.
//!
//! Three decimals are about a hundred metres; fewer name a town and no person.

/// Fewest decimals of a coordinate that tells where somebody is.
const DECIMALS_MIN: usize = 3;

/// Most bytes of a coordinate.
const LEN_MAX: usize = 24;

/// A latitude from -90 to 90.
pub(super) fn latitude(value: &[u8]) -> bool {
    within(value, 90)
}

/// A longitude from -180 to 180.
pub(super) fn longitude(value: &[u8]) -> bool {
    within(value, 180)
}

/// A latitude, a comma, a semicolon or space, a longitude; brackets around it and an altitude after
/// it may stand.
pub(super) fn geo_pair(value: &[u8]) -> bool {
    if value.len() > 4 * LEN_MAX {
        return false;
    }
    let mut parts = value
        .split(|byte| matches!(byte, b',' | b';' | b' ' | b'(' | b')' | b'[' | b']'))
        .filter(|part| !part.is_empty());
    parts.next().is_some_and(latitude) && parts.next().is_some_and(longitude)
}

fn within(value: &[u8], limit: u32) -> bool {
    if value.len() > LEN_MAX {
        return false;
    }
    let unsigned = value.strip_prefix(b"-").or(value.strip_prefix(b"+")).unwrap_or(value);
    let mut parts = unsigned.split(|byte| *byte == b'.');
    let (Some(whole), Some(decimals), None) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let numeric = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    if !numeric(whole) || !numeric(decimals) || !matches!(whole.len(), 1..=3) {
        return false;
    }
    let degrees = whole.iter().fold(0, |sum, byte| sum * 10 + u32::from(byte - b'0'));
    let rest = decimals.iter().any(|byte| *byte != b'0');
    decimals.len() >= DECIMALS_MIN && (degrees < limit || degrees == limit && !rest)
}

#[cfg(test)]
mod tests {
    use super::geo_pair;
    use super::latitude;
    use super::longitude;

    #[test]
    fn degrees() {
        assert!(latitude(b"59.9139") && latitude(b"-90.000") && longitude(b"-174.0059413"));
        assert!(!latitude(b"90.001") && !latitude(b"412.7127837") && !longitude(b"180.5001"));
        assert!(!latitude(b"59.9") && !latitude(b"59") && !latitude(b"1.2.3") && !latitude(b""));
        assert!(geo_pair(b"59.9139,10.7522") && geo_pair(b"(59.9139, 10.7522)"));
        assert!(!geo_pair(b"59.9139") && !geo_pair(b"159.9139,10.7522"));
    }
}
