//! The table against published samples, near misses, chance, and the detectors that name it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use regex::bytes::Regex;

use crate::detect::rule::KIND_LEN_MAX;
use crate::detect::rule::RawFile;
use crate::detect::rule::RawRule;

use super::VALIDATORS;
use super::find;

/// Values that pass, by check. All are synthetic.
const SAMPLES: &[(&str, &[&str])] = &[
    (
        "card",
        &[
            "4000000000000002",
            "4000000000006",
            "4000000000000000006",
            "5555550000000002",
            "2223000000000007",
            "370000000000002",
            "6011000000000004",
            "30500000000003",
            "3528000000000007",
            "6200000000000005",
            "676770000000000005",
            "2200000000000004",
            "4716 2795 3553 2755",
            "5307-4969-5039-8239",
            "630487114345559434",
            "6511996686719806",
            "3566872661994931",
            "6212642363238193339",
        ],
    ),
    (
        "iban",
        &[
            "GB58WEST21150967824533",
            "DE07428851749836085935",
            "FR1493192858385863931187240",
            "NL16ABNA0768256471",
            "NO6815034000007",
            "MT71MALT96216B525A93A4C428730F3",
            "gb13 midl 9025 0715 1371 61",
            "ES69-7544-1109-0340-1715-0173",
            "CH39 0501 377M YYPQ MQGS 0",
            "AT39 9220 4767 7503 5886",
        ],
    ),
    ("us-itin", &["955-62-1055"]),
    ("uk-nino", &["LM965387C", "LM 96 53 87 C"]),
    ("fr-nif", &["3065048241234"]),
    ("es-nuss", &["288291224981", "281234567840"]),
    ("lu-nin", &["1978122945550", "1893120105732"]),
    ("gr-afm", &["288565652"]),
    ("lv-code", &["050185-12323", "161175-19997"]),
    ("pl-regon", &["293624992", "12345678512347"]),
    ("hu-tin", &["8289348231", "8071592153"]),
    ("si-tin", &["58880895"]),
    ("ru-snils", &["526-530-648 81", "112-233-445 95"]),
    ("in-pan", &["UUCPY6334I"]),
    ("jp-my-number", &["110644489256", "123456789018"]),
    ("imsi", &["242015085022311"]),
    ("de-kvnr", &["K204119710", "A123456780"]),
    ("kr-rrn-date", &["120823-4114785"]),
    ("us-ssn", &["512-48-3097", "822974886"]),
    (
        "monero",
        &[
            "42fFc6YvaLgYh7nt4Y1aui3m1tfUaB52nfeY46BUMK2hKGPYbq1q2yW1WQ3iR6StDzHZ5inetTvudThjkP6RNNRDNF1bTwb",
        ],
    ),
    ("android-id", &["9b0721255014c3e8"]),
    ("uuid", &["3F2B8C1E-70B3-4D2A-9F96-9B0721255014"]),
    ("date-of-birth", &["1987-04-23"]),
    ("document", &["K7204119X"]),
    ("account", &["8204 1199 307"]),
    ("postcode", &["BS4 3DJ"]),
    ("us-aba", &["011000015", "067572513", "211668891"]),
    ("us-npi", &["1234567893", "1363268016", "2246745949"]),
    ("us-dea", &["BK1021170", "MR8891106"]),
    ("us-mbi", &["3KT7-PW2-QH58", "7R49CX3DJ61"]),
    ("ca-sin", &["460991987", "111-538-195"]),
    ("uk-nhs", &["9652805297"]),
    ("uk-utr", &["7436581796", "2051084688", "6179088305"]),
    ("fr-nir", &["152097591687648"]),
    ("de-tax-id", &["81342405698", "23 615 482 299", "21538796025"]),
    ("de-svnr", &["15070649C103"]),
    ("de-id-card", &["T220001293"]),
    ("at-svnr", &["7145211193", "1092 201292"]),
    ("ch-ahv", &["7560930004064", "756.5616.0773.87"]),
    ("be-nn", &["70041627762", "67.05.27-802.24"]),
    ("nl-bsn", &["925710726", "188257482"]),
    ("es-dni", &["73288979P", "17988878-A"]),
    ("es-nie", &["Y8020998S", "X9711436P"]),
    ("pt-nif", &["679473203"]),
    ("it-cf", &["GBNGMB87E07H501D", "VRNVLD66E12L219T"]),
    ("ie-pps", &["5196418E", "6347861S"]),
    ("gr-amka", &["10038045968", "17027281736"]),
    ("fi-hetu", &["201174-5620", "021276-280L"]),
    ("se-pnr", &["781204-4076", "830826-6298"]),
    ("no-fnr", &["06046773339", "260979 60533"]),
    ("dk-cpr", &["070490-2964"]),
    ("dk-cpr-date", &["2805644249"]),
    ("is-kt", &["2004884159"]),
    ("ee-lt-code", &["49606238928", "47001250582", "48407054917"]),
    ("pl-pesel", &["90022514935", "80110851718"]),
    ("pl-nip", &["9930568886"]),
    ("cz-sk-rc", &["9211190296", "900801/1386"]),
    ("ro-cnp", &["2941024403502"]),
    ("bg-egn", &["8506073007"]),
    ("jmbg", &["0804972506704", "1204996506230"]),
    ("hr-oib", &["66428686594"]),
    ("tr-tckn", &["98421636144", "44286120984"]),
    ("ru-inn", &["131029513351"]),
    ("ua-rntrc", &["4081762622"]),
    ("il-id", &["329868012", "197649981"]),
    ("za-id", &["9506045288187", "6602185047088"]),
    ("in-aadhaar", &["871951790664"]),
    ("in-gstin", &["27AAPFU0939F1ZV"]),
    ("cn-id", &["110101199506084167"]),
    ("kr-rrn", &["6402212570046", "870304-2760442"]),
    ("th-id", &["3967472104473"]),
    ("tw-id", &["A123456789"]),
    ("sg-nric", &["S1234567D"]),
    ("au-tfn", &["675892864", "137 771 064"]),
    ("au-abn", &["34369436253"]),
    ("au-acn", &["854204890"]),
    ("br-cpf", &["28047943189", "455.701.878-55"]),
    ("br-cnpj", &["92631460000136"]),
    ("mx-curp", &["COPC880812HDFNFG01", "BONS960402MJCGMG01"]),
    ("ar-cuit", &["20702468019"]),
    ("cl-rut", &["169691886"]),
    ("vin", &["1HGCM82673A000000"]),
    ("imei", &["352099000000006"]),
    ("iccid", &["8947371522402314064"]),
    ("btc-base58", &["16Boy1Nwmvth54Et5rSJ2gwLpp8eU8oM4D", "36sptYsPKqD5ADwKCx6tTKJGyLRN1LVhBk"]),
    (
        "bech32",
        &[
            "bc1q8r3lu4qwc8xlwhkv6mcq0v6h8d4hyc6g3phmpf",
            "bc1p587wgd3c2nlc3r8lfw88sawkqrpxsgusgy4geaumxlgtzy2gkraqhm8ue5",
        ],
    ),
    (
        "eth",
        &[
            "0x38e3Fe540EC1cDF75ECcd6f007b3573B6B726348",
            "0x31811938DA9391983A38b574c4546387d873338c",
        ],
    ),
];

/// Checks that let some single digit change pass, each for the reason beside it.
const LENIENT: &[&str] = &[
    "us-itin",       // no check digit
    "uk-nino",       // no check digit
    "in-pan",        // no check digit
    "imsi",          // no check digit
    "kr-rrn-date",   // no check digit
    "us-ssn",        // no check digit
    "android-id",    // no check digit
    "uuid",          // no check digit
    "date-of-birth", // no check digit
    "document",      // no check digit
    "account",       // no check digit
    "postcode",      // no check digit
    "es-nuss",       // two ways to divide
    "jp-my-number",  // rests of zero and one have the same check digit
    "ar-cuit",       // ten is written as nine
    "au-acn",        // even weights by ten
    "be-nn",         // either century may fit
    "dk-cpr-date",   // no check digit
    "ee-lt-code",    // a second sum where the first is ten
    "eth",           // seven letters are seven bits of check sum
    "is-kt",         // the century stands outside the sum
    "jmbg",          // ten is written as zero
    "lv-code",       // codes from 32 have no check digit
    "pl-regon",      // one weight of the long form is zero
    "mx-curp",       // even weights by ten
    "th-id",         // eleven is a weight by eleven
    "tw-id",         // even weights by ten
    "uk-utr",        // two sums have the same check digit
    "us-dea",        // twice five is nothing by ten
    "us-mbi",        // no check digit
];

#[test]
fn the_table_is_sorted() {
    assert!(VALIDATORS.is_sorted_by(|left, right| left.0 < right.0));
    assert!(find("card").is_some() && find("no-such-check").is_none());
}

#[test]
fn samples_pass() {
    for (name, values) in SAMPLES {
        let check = find(name).unwrap();
        for value in *values {
            assert!(check(value.as_bytes()), "{name} {value}");
        }
    }
    for value in ["236066618", "2360666181", "4982 19641 2"] {
        assert!(find("au-medicare").unwrap()(value.as_bytes()));
    }
}

/// A single wrong digit is what check digits are for. Broken on purpose once: without the Luhn
/// comparison in `card` this test names 18 cards.
#[test]
fn one_changed_digit_fails() {
    let mut missed = Vec::new();
    for (name, values) in SAMPLES.iter().filter(|(name, _)| !LENIENT.contains(name)) {
        let check = find(name).unwrap();
        for value in *values {
            let (mut passed, mut tried) = (0, 0);
            for at in (0..value.len()).filter(|&at| value.as_bytes()[at].is_ascii_digit()) {
                for other in (b'0'..=b'9').filter(|&other| other != value.as_bytes()[at]) {
                    let mut changed = value.as_bytes().to_vec();
                    changed[at] = other;
                    tried += 1;
                    passed += usize::from(check(&changed));
                }
            }
            if passed > 0 {
                missed.push(format!("{name} {value}: {passed} of {tried}"));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// Small and reproducible random numbers.
struct XorShift(u64);

impl XorShift {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn digits(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| b'0' + u8::try_from(self.next() % 10).unwrap()).collect()
    }
}

/// Each rate follows from the rule: one in so many by the check digit, times the share of numbers
/// whose first digits, date or issuer range fit. 20,000 numbers from a fixed seed, so a band around
/// each.
#[test]
fn chance_passes_as_often_as_computed() {
    let rates = [
        ("us-ssn", 9, 0.887),
        ("luhn", 16, 0.101),
        ("card", 16, 0.030),
        ("us-aba", 9, 0.038),
        ("ca-sin", 9, 0.081),
        ("uk-nhs", 10, 0.092),
        ("de-tax-id", 11, 0.0036),
        ("nl-bsn", 9, 0.091),
        ("pt-nif", 9, 0.070),
        ("gr-amka", 11, 0.0038),
        ("pl-pesel", 11, 0.018),
        ("pl-nip", 10, 0.080),
        ("cz-sk-rc", 10, 0.013),
        ("bg-egn", 10, 0.011),
        ("hr-oib", 11, 0.101),
        ("tr-tckn", 11, 0.0089),
        ("ua-rntrc", 10, 0.0999),
        ("il-id", 9, 0.1),
        ("in-aadhaar", 12, 0.08),
        ("kr-rrn", 13, 0.0030),
        ("au-tfn", 9, 0.091),
        ("au-abn", 11, 0.0096),
        ("br-cpf", 11, 0.010),
        ("imei", 15, 0.099),
        ("no-fnr", 11, 0.0008),
    ];
    let mut random = XorShift(0x5EED_0F10_C106);
    let mut off = Vec::new();
    for (name, len, computed) in rates {
        let check = find(name).unwrap();
        let passed = (0..20_000).filter(|_| check(&random.digits(len))).count();
        let rate = f64::from(u32::try_from(passed).unwrap()) / 20_000.0;
        let band = computed * 0.15 + 0.0015;
        if (rate - computed).abs() > band {
            off.push(format!("{name}: {rate} where {computed} is computed"));
        }
    }
    assert!(off.is_empty(), "{}", off.join("\n"));
}

/// Any bytes in, a verdict out: no check panics, whatever the length or the bytes.
#[test]
fn checks_are_total() {
    let mut random = XorShift(0x0DD_B17E5);
    let alphabet = b"0123456789ABCXYZabcxyz<>@:.-/+ ()%,;\xC2\xA0\xE2\x80\x91\xFF\x00TW";
    for (name, check) in VALIDATORS {
        let mut refused = 0;
        for trial in 0..3_000 {
            let len = usize::try_from(random.next() % 130).unwrap();
            let pick = |random: &mut XorShift| {
                let at = random.next() % u64::try_from(alphabet.len()).unwrap();
                alphabet[usize::try_from(at).unwrap()]
            };
            let value: Vec<u8> = match trial % 3 {
                0 => random.digits(len % 25),
                1 => (0..len).map(|_| random.next().to_le_bytes()[0]).collect(),
                _ => (0..len).map(|_| pick(&mut random)).collect(),
            };
            refused += usize::from(!check(&value));
        }
        assert!(refused > 100, "{name}");
        for long in [b'1', b'A', b' ', b'<', b'.', b'@', b':'] {
            check(&[long; 100_000]);
        }
    }
}

/// Every rule of every file in `detectors/`.
fn rules() -> Vec<RawRule> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("detectors");
    let mut rules = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let text = fs::read_to_string(&path).unwrap();
            let file: RawFile =
                toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            rules.extend(file.detector);
        }
    }
    rules
}

/// Broken on purpose once: `validator = "us-abba"` is named here.
#[test]
fn every_check_that_a_detector_names_exists() {
    let (mut ids, mut kinds) = (BTreeSet::new(), BTreeSet::new());
    for rule in rules() {
        assert!(ids.insert(rule.id.clone()), "{} twice", rule.id);
        assert!(rule.kind.len() <= KIND_LEN_MAX, "{}", rule.id);
        if let Some(name) = &rule.validator {
            assert!(find(name).is_some(), "{}: no check '{name}'", rule.id);
        }
        kinds.insert(rule.kind);
    }
    assert!(kinds.len() >= 40, "{} kinds", kinds.len());
}

/// What the engine does with a cue rule, in slow: each example has a value of the rule's shape that
/// passes its check, and no counter-example has one beside a cue.
#[test]
fn examples_of_cue_rules_hold_a_value_that_passes() {
    let mut wrong = Vec::new();
    for rule in rules() {
        let (Some(pattern), Some(name)) = (&rule.pattern, &rule.validator) else { continue };
        let shape = Regex::new(&format!("(?-u:{pattern})")).unwrap();
        let check = find(name).unwrap();
        let holds = |line: &str| {
            let line = line.as_bytes();
            (0..line.len()).any(|at| {
                let inside = at > 0 && line[at - 1].is_ascii_alphanumeric();
                !inside
                    && shape.find_at(line, at).is_some_and(|found| {
                        let after = line.get(found.end()).copied().unwrap_or(b' ');
                        found.start() == at
                            && !after.is_ascii_alphanumeric()
                            && check(found.as_bytes())
                    })
            })
        };
        for line in &rule.examples {
            if !holds(line) {
                wrong.push(format!("{} should match: {line}", rule.id));
            }
        }
        for line in &rule.counterexamples {
            let words = format!(" {} ", line.to_ascii_lowercase().replace([' ', '-'], "_"));
            let cued = rule.cues.iter().any(|cue| words.contains(cue.as_str()));
            let bare = !rule.prefixes.is_empty() || cued;
            if bare && holds(line) {
                wrong.push(format!("{} should not match: {line}", rule.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A gate rule has no pattern, so any part of its first example may be the value.
#[test]
fn examples_of_gate_rules_hold_a_value_that_passes() {
    for rule in rules().into_iter().filter(|rule| rule.gate.is_some() && rule.pattern.is_none()) {
        let Some(check) = rule.validator.as_deref().and_then(find) else { continue };
        let line = rule.examples[0].as_bytes();
        let parts =
            (0..line.len()).flat_map(|start| (start + 1..=line.len()).map(move |end| (start, end)));
        let holds = parts.into_iter().any(|(start, end)| check(&line[start..end]));
        assert!(holds, "{}", rule.id);
    }
}
