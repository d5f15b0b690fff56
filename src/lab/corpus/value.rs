//! The values that are planted: invented, with right check digits.

use std::collections::BTreeMap;
use std::collections::HashSet;

use crate::lab::corpus::Mode;
use crate::lab::corpus::WARM_VALUES;
use crate::lab::rng::Rng;

/// What a planted value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An e-mail address.
    Email,
    /// An IPv4 address.
    Ipv4,
    /// A payment card number.
    Card,
    /// A bank account number.
    Iban,
    /// A phone number with its country code.
    Phone,
    /// A United States social security number with dashes.
    Ssn,
    /// A secret behind its name.
    Secret,
}

impl Kind {
    /// The kind as markers write it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Email => "EMAIL",
            Kind::Ipv4 => "IPV4",
            Kind::Card => "CARD",
            Kind::Iban => "IBAN",
            Kind::Phone => "PHONE",
            Kind::Ssn => "US_SSN",
            Kind::Secret => "SECRET",
        }
    }

    /// True for kinds that `--without secret` leaves out.
    pub fn is_secret(self) -> bool {
        self == Kind::Secret
    }
}

/// A supply of values, all distinct (cold) or from a small set (warm).
#[derive(Debug)]
pub struct Values {
    mode: Mode,
    rng: Rng,
    seen: HashSet<String>,
    pools: BTreeMap<(Kind, u64), Vec<String>>,
}

impl Values {
    /// Values of one seed.
    pub fn new(mode: Mode, seed: u64) -> Values {
        Values { mode, rng: Rng::new(seed), seen: HashSet::new(), pools: BTreeMap::new() }
    }

    /// The next value of a kind that has one `share`-th of all values of the corpus.
    pub fn next(&mut self, kind: Kind, share: u64) -> String {
        if self.mode == Mode::Cold {
            return self.fresh(kind);
        }
        let size = (WARM_VALUES as u64 / share.max(1)).max(1);
        if !self.pools.contains_key(&(kind, share)) {
            let pool = (0..size).map(|_| self.fresh(kind)).collect();
            self.pools.insert((kind, share), pool);
        }
        let rank = zipf(&mut self.rng, size);
        let pool = self.pools.get(&(kind, share));
        pool.and_then(|pool| pool.get(rank)).cloned().unwrap_or_default()
    }

    fn fresh(&mut self, kind: Kind) -> String {
        loop {
            let value = make(kind, &mut self.rng);
            if self.seen.insert(value.clone()) {
                return value;
            }
        }
    }
}

/// A rank below `size`, the n-th with a weight of 1/n. Integers, so that it is the same anywhere.
fn zipf(rng: &mut Rng, size: u64) -> usize {
    const ONE: u64 = 1 << 32;
    let total: u64 = (1..=size).map(|rank| ONE / rank).sum();
    let mut point = rng.below(total);
    for rank in 1..=size {
        let weight = ONE / rank;
        if point < weight {
            return usize::try_from(rank - 1).unwrap_or(0);
        }
        point -= weight;
    }
    0
}

fn make(kind: Kind, rng: &mut Rng) -> String {
    match kind {
        Kind::Email => email(rng),
        Kind::Ipv4 => ipv4(rng),
        Kind::Card => card(rng),
        Kind::Iban => iban(rng),
        Kind::Phone => phone(rng),
        Kind::Ssn => ssn(rng),
        Kind::Secret => secret(rng),
    }
}

const FIRST: &[&str] = &[
    "ana", "ben", "carla", "dmitri", "elif", "femi", "grace", "hana", "ivan", "jun", "kofi",
    "lena", "mona", "nils", "olga", "petra", "quinn", "rosa", "sami", "tara", "uwe", "vera", "wei",
    "xenia", "yara", "zoe",
];
const LAST: &[&str] = &[
    "abel", "berg", "costa", "dahl", "egan", "faro", "gupta", "haas", "ito", "jones", "kaya",
    "lima", "meyer", "novak", "okoye", "popov", "reyes", "silva", "tanaka", "ueda", "vogel",
    "weber", "young", "zhou",
];
const DOMAIN: &[&str] = &[
    "example.com",
    "example.org",
    "mail.example.net",
    "firma-nord.de",
    "blueharbor.io",
    "tallpines.co.uk",
    "correo-sur.es",
    "orchid-labs.com",
    "meadow.dev",
    "quaymail.net",
    "post.lindenhof.at",
    "redkite.org",
];

fn email(rng: &mut Rng) -> String {
    let (first, last, domain) = (rng.pick(FIRST), rng.pick(LAST), rng.pick(DOMAIN));
    match rng.below(4) {
        0 => format!("{first}.{last}{}@{domain}", rng.between(1, 99)),
        1 => format!("{first}{}@{domain}", rng.between(10, 9_999)),
        2 => format!("{first}_{last}@{domain}"),
        _ => format!("{first}+{}@{domain}", rng.between(100, 9_999)),
    }
}

fn ipv4(rng: &mut Rng) -> String {
    let mut first = rng.between(1, 223);
    if first == 127 {
        first = 203; // A loopback address names nobody, and a profile may keep it.
    }
    let (b, c, d) = (rng.below(256), rng.below(256), rng.between(1, 254));
    format!("{first}.{b}.{c}.{d}")
}

fn card(rng: &mut Rng) -> String {
    let (prefix, length) = match rng.below(5) {
        0 => ("4", 16),
        1 => ("52", 16),
        2 => ("55", 16),
        3 => ("37", 15),
        _ => ("6011", 16),
    };
    let mut number = String::from(prefix);
    number.push_str(&rng.digits(length - 1 - prefix.len()));
    let check = (10 - luhn_sum(&number, true) % 10) % 10;
    format!("{number}{check}")
}

/// The Luhn sum of a number; `open` when its check digit is still to come.
pub(super) fn luhn_sum(number: &str, open: bool) -> u64 {
    let mut sum = 0;
    for (index, byte) in number.bytes().rev().enumerate() {
        let digit = u64::from(byte.wrapping_sub(b'0'));
        let doubled = (index % 2 == 0) == open;
        sum += if doubled { digit * 2 / 10 + digit * 2 % 10 } else { digit };
    }
    sum
}

fn iban(rng: &mut Rng) -> String {
    const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let (country, account) = match rng.below(4) {
        0 => ("DE", rng.digits(18)),
        1 => ("GB", format!("{}{}", rng.text(UPPER, 4), rng.digits(14))),
        2 => ("NL", format!("{}{}", rng.text(UPPER, 4), rng.digits(10))),
        _ => ("AT", rng.digits(16)),
    };
    let mut rest = 0_u64;
    for byte in format!("{account}{country}00").bytes() {
        rest = match byte {
            b'A'..=b'Z' => rest * 100 + u64::from(byte - b'A') + 10,
            _ => rest * 10 + u64::from(byte.wrapping_sub(b'0')),
        } % 97;
    }
    format!("{country}{:02}{account}", 98 - rest)
}

fn phone(rng: &mut Rng) -> String {
    match rng.below(4) {
        0 => {
            let area = rng.pick(&["206", "212", "312", "415", "512", "617", "702", "808"]);
            let exchange = rng.text("23456789", 2);
            format!("+1{area}{exchange}{}", rng.digits(5))
        }
        1 => format!("+49151{}", rng.digits(8)),
        2 => format!("+447{}", rng.digits(9)),
        _ => format!("+336{}", rng.digits(8)),
    }
}

fn ssn(rng: &mut Rng) -> String {
    let mut area = rng.between(101, 899);
    if area == 666 || area == 219 {
        area = 512; // Never issued, or known as an advertisement's number.
    }
    format!("{area:03}-{:02}-{:04}", rng.between(1, 99), rng.between(1, 9_999))
}

fn secret(rng: &mut Rng) -> String {
    let length = rng.length(28, 44);
    rng.text("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789", length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_are_right() {
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            assert_eq!(luhn_sum(&card(&mut rng), false) % 10, 0);
        }
        assert_eq!(luhn_sum("4000000000000002", false) % 10, 0);
        assert_eq!(luhn_sum("4000000000000003", false) % 10, 1);
    }

    #[test]
    fn cold_values_are_distinct_and_warm_ones_few() {
        let mut cold = Values::new(Mode::Cold, 1);
        let mut warm = Values::new(Mode::Warm, 1);
        let mut seen = (HashSet::new(), HashSet::new());
        for _ in 0..5_000 {
            assert!(seen.0.insert(cold.next(Kind::Ipv4, 1)), "a cold value came twice");
            seen.1.insert(warm.next(Kind::Ipv4, 1));
        }
        assert!((400..=WARM_VALUES).contains(&seen.1.len()), "{} warm values", seen.1.len());
    }
}
