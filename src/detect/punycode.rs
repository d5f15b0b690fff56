//! Domain names outside ASCII in their ASCII form (RFC 3492), so that both forms have one name.

/// Longest label that is encoded; a domain's labels have at most 63 bytes.
const LABEL_LEN_MAX: usize = 63;

const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;

/// Lower-cases the text and replaces the labels behind its last at sign by their ASCII form.
pub(super) fn encode_domain(address: &mut Vec<u8>, spare: &mut Vec<u8>) {
    let Ok(text) = std::str::from_utf8(address) else { return };
    let text = text.to_lowercase();
    let (local, domain) = text.rsplit_once('@').unwrap_or(("", &text));
    spare.clear();
    if local.len() < text.len() - domain.len() {
        spare.extend_from_slice(local.as_bytes());
        spare.push(b'@');
    }
    for (index, label) in domain.split('.').enumerate() {
        if index > 0 {
            spare.push(b'.');
        }
        let start = spare.len();
        if label.is_ascii() || label.len() > LABEL_LEN_MAX || encode(label, spare).is_none() {
            spare.truncate(start);
            spare.extend_from_slice(label.as_bytes());
        }
    }
    std::mem::swap(address, spare);
}

/// Appends `xn--` and the encoded label; none when a number gets too large.
fn encode(label: &str, out: &mut Vec<u8>) -> Option<()> {
    out.extend_from_slice(b"xn--");
    let basic = u32::try_from(label.chars().filter(char::is_ascii).count()).ok()?;
    out.extend(label.bytes().filter(u8::is_ascii));
    if basic > 0 {
        out.push(b'-');
    }
    let (mut next, mut delta, mut bias, mut done) = (128_u32, 0_u32, 72, basic);
    let all = u32::try_from(label.chars().count()).ok()?;
    while done < all {
        let smallest = label.chars().map(u32::from).filter(|code| *code >= next).min()?;
        delta = delta.checked_add((smallest - next).checked_mul(done + 1)?)?;
        next = smallest;
        for code in label.chars().map(u32::from) {
            if code < next {
                delta = delta.checked_add(1)?;
            }
            if code == next {
                number(delta, bias, out);
                bias = adapt(delta, done + 1, done == basic);
                delta = 0;
                done += 1;
            }
        }
        delta = delta.checked_add(1)?;
        next += 1;
    }
    Some(())
}

/// Appends one number with digits of varying weight.
fn number(mut value: u32, bias: u32, out: &mut Vec<u8>) {
    let mut step = BASE;
    loop {
        let threshold = step.saturating_sub(bias).clamp(T_MIN, T_MAX);
        if value < threshold {
            out.push(digit(value));
            return;
        }
        out.push(digit(threshold + (value - threshold) % (BASE - threshold)));
        value = (value - threshold) / (BASE - threshold);
        step += BASE;
    }
}

fn digit(value: u32) -> u8 {
    let value = value as u8;
    if value < 26 { b'a' + value } else { b'0' + value - 26 }
}

fn adapt(delta: u32, points: u32, first: bool) -> u32 {
    let mut delta = if first { delta / 700 } else { delta / 2 };
    delta += delta / points;
    let mut bias = 0;
    while delta > (BASE - T_MIN) * T_MAX / 2 {
        delta /= BASE - T_MIN;
        bias += BASE;
    }
    bias + (BASE - T_MIN + 1) * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published pairs; with the skew of the first delta left out the second one fails.
    #[test]
    fn labels_have_their_published_form() {
        for (plain, encoded) in [
            ("ana@müller.example", "ana@xn--mller-kva.example"),
            ("x@bücher.tld", "x@xn--bcher-kva.tld"),
            ("x@пример.испытание", "x@xn--e1afmkfd.xn--80akhbyknj4f"),
            ("x@例え.テスト", "x@xn--r8jz45g.xn--zckzah"),
        ] {
            let mut address = plain.as_bytes().to_vec();
            encode_domain(&mut address, &mut Vec::new());
            assert_eq!(String::from_utf8(address).unwrap(), encoded);
        }
    }
}
