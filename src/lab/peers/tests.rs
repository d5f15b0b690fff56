use super::*;
use crate::lab::corpus;
use crate::lab::corpus::Mode;
use crate::lab::s4::check;

#[test]
fn there_are_24_rules_and_each_finds_its_example() {
    assert_eq!(RULES.len(), 24);
    let tail = |length: usize| "Ab3".chars().cycle().take(length).collect::<String>();
    let examples = [
        "ana.lima+x@mail.example.com".to_owned(),
        "10.20.30.255".to_owned(),
        "2001:db8::8a2e:370:7334".to_owned(),
        "00:1b:44:11:3a:b7".to_owned(),
        "4000000000000002".to_owned(),
        "512-34-5678".to_owned(),
        "+14155552671".to_owned(),
        "DE07428851749836085935".to_owned(),
        format!("{}{}.{}.{}", "ey", "J0eXAiOiJ9", "abcdefgh12", "ABCDEFGH-_"),
        format!("{}{}", "AK", "IAABCDEFGH234567AB"),
        format!("aws_secret_access_key = {}", tail(40)),
        format!("{}{}", "gh", &format!("p_{}", tail(36))),
        format!("{}{}", "glp", &format!("at-{}", tail(20))),
        format!("{}{}", "xo", &format!("xb-{}", tail(24))),
        format!("{}{}", "sk_", &format!("live_{}", tail(24))),
        format!("{}{}", "AI", &format!("za{}", tail(35))),
        format!("{}{}", "ya", &format!("29.{}", tail(35))),
        format!("{}{}.{}", "S", &format!("G.{}", tail(22)), tail(43)),
        format!("{}{}", "np", &format!("m_{}", tail(36))),
        format!("{}{}", "py", &format!("pi-{}", tail(60))),
        "API_KEY='s3cr3t-value".to_owned(),
        "bearer abcdef123456".to_owned(),
        "postgres://app:pw%21x@".to_owned(),
        format!("-----BEGIN {} KEY-----", "RSA PRIVATE"),
    ];
    let naming = Naming::new();
    let (rules, fused) = (one_by_one().unwrap(), fused().unwrap());
    for (rule, example) in RULES.iter().zip(&examples) {
        let text = format!("< {example} >");
        let mut found = Found::default();
        rules.contender(&naming).pass(text.as_bytes(), &mut found).unwrap();
        let covers =
            |found: &Found| found.spans.iter().any(|s| s.start == 2 && s.end == text.len() - 2);
        assert!(covers(&found), "'{}' one by one", rule.name);
        let mut found = Found::default();
        fused.contender(&naming).pass(text.as_bytes(), &mut found).unwrap();
        assert!(covers(&found), "'{}' fused", rule.name);
    }
}

#[test]
fn peers_find_what_is_planted_in_plain_corpora() {
    let naming = Naming::new();
    let (rules, fused) = (one_by_one().unwrap(), fused().unwrap());
    for name in ["nginx", "json", "syslog", "dense", "worst-keys", "worst-mail"] {
        let definition = corpus::find(name).unwrap();
        let text = corpus::generate(definition, 100, Mode::Cold, corpus::SEED);
        let mut found = [Found::default(), Found::default()];
        rules.contender(&naming).pass(&text.text, &mut found[0]).unwrap();
        fused.contender(&naming).pass(&text.text, &mut found[1]).unwrap();
        for found in &found {
            let checked = check::compare(&text, found, |_| true);
            assert_eq!(checked.missed, 0, "{name}");
        }
    }
}

#[test]
fn checks_of_a_match_bite() {
    let naming = Naming::new();
    let rules = one_by_one().unwrap();
    for text in ["4000000000000003", "x10.1.2.3", "Chrome/120.0.0.0", "DE08428851749836085935"] {
        let mut found = Found::default();
        rules.contender(&naming).pass(text.as_bytes(), &mut found).unwrap();
        assert!(found.spans.is_empty(), "{text}");
    }
}
