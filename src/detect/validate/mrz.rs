//! Machine readable zones of travel documents (ICAO 9303), one line at a time.
//!
//! A line is 44 (passport), 36 (old card) or 30 symbols long (card). Lines with names have no check
//! digit and count by their shape; lines with numbers have three to five check digits with weights
//! 7 3 1. The sum over several lines of a card is not looked at, for one line is all there is.

use super::extract::base36;

/// Any one line of a machine readable zone.
pub(super) fn mrz(value: &[u8]) -> bool {
    let shaped = |byte: &u8| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'<');
    if !value.iter().all(shaped) {
        return false;
    }
    match value.len() {
        44 | 36 => names(value, 5) || passport(value),
        30 => names(value, 0) || card_first(value) || card_second(value),
        _ => false,
    }
}

/// Names after a head: letters and fillers alone, a double filler between surname and given name,
/// and no more than two fillers in a row before the padding.
fn names(value: &[u8], head: usize) -> bool {
    let Some((head, names)) = value.split_at_checked(head) else { return false };
    let opens = match head {
        [] => true,
        [b'P' | b'V' | b'A' | b'C' | b'I', kind, state @ ..] => {
            (kind.is_ascii_uppercase() || *kind == b'<')
                && letters(state)
                && head.first() != Some(kind)
                || *head == *b"P<D<<"
        }
        _ => false,
    };
    let separated = names.windows(2).any(|pair| pair == b"<<");
    opens && separated && letters(names) && names.first().is_some_and(u8::is_ascii_uppercase)
}

fn letters(value: &[u8]) -> bool {
    value.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'<')
}

/// Document number, nationality, birth, sex, expiry, then optional data and a sum over all.
fn passport(value: &[u8]) -> bool {
    let long = value.len() == 44;
    let person =
        letters(part(value, 10, 13)) && matches!(value.get(20), Some(b'M' | b'F' | b'X' | b'<'));
    let end = value.len() - 1;
    let all = part(value, 0, 10).iter().chain(part(value, 13, 20)).chain(part(value, 21, end));
    person
        && checked(value, 0, 9)
        && checked(value, 13, 19)
        && checked(value, 21, 27)
        && (!long || part(value, 28, 43).iter().all(|byte| *byte == b'<') || checked(value, 28, 42))
        && check(all) == value.last().copied()
}

/// Kind, state, document number and its check digit.
fn card_first(value: &[u8]) -> bool {
    matches!(value.first(), Some(b'A' | b'C' | b'I'))
        && letters(part(value, 2, 5))
        && checked(value, 5, 14)
}

/// Birth, sex, expiry, nationality.
fn card_second(value: &[u8]) -> bool {
    letters(part(value, 15, 18))
        && matches!(value.get(7), Some(b'M' | b'F' | b'X' | b'<'))
        && checked(value, 0, 6)
        && checked(value, 8, 14)
}

fn part(value: &[u8], start: usize, end: usize) -> &[u8] {
    value.get(start..end).unwrap_or_default()
}

/// Whether the symbol at `end` checks those from `start` to it.
fn checked(value: &[u8], start: usize, end: usize) -> bool {
    check(part(value, start, end).iter()) == value.get(end).copied()
}

fn check<'a>(symbols: impl Iterator<Item = &'a u8>) -> Option<u8> {
    let weights = [7, 3, 1].iter().cycle();
    let sum: u32 =
        symbols.zip(weights).map(|(&symbol, weight)| base36(symbol).unwrap_or(0) * weight).sum();
    u8::try_from(sum % 10).ok().map(|digit| b'0' + digit)
}

#[cfg(test)]
mod tests {
    use super::mrz;

    #[test]
    fn lines_of_a_specimen() {
        // The specimen of the standard, "Utopia".
        assert!(mrz(b"P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<"));
        assert!(mrz(b"L898902C36UTO7408122F1204159ZE184226B<<<<<10"));
        assert!(mrz(b"I<UTOD231458907<<<<<<<<<<<<<<<"));
        assert!(mrz(b"7408122F1204159UTO<<<<<<<<<<<6"));
        assert!(mrz(b"ERIKSSON<<ANNA<MARIA<<<<<<<<<<"));
        assert!(mrz(b"I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<"));
        assert!(mrz(b"D231458907UTO7408122F1204159<<<<<<<6"));
    }

    #[test]
    fn near_misses() {
        assert!(!mrz(b"L898902C37UTO7408122F1204159ZE184226B<<<<<10"));
        assert!(!mrz(b"L898902C36UTO7408122F1204159ZE184226B<<<<<11"));
        assert!(!mrz(b"P<<"));
        assert!(!mrz(b"P<UTOERIKSSON<ANNA<MARIA<<ROW7<<<<<<<<<<<<<<"));
        assert!(!mrz(b"<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<"));
    }
}
