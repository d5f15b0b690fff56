//! Detector files to compiled rules.

use std::collections::BTreeSet;
use std::collections::HashMap;
use std::fmt;

use super::KindId;
use super::Rule;
use super::RuleId;
use super::Rules;
use super::cue::Cues;
use super::gates;
use super::gates::GATES;
use super::gates::Gate;
use super::rule::KIND_LEN_MAX;
use super::rule::RawFile;
use super::rule::RawRule;
use super::shape::Shape;
use super::token::Literals;
use super::validate;
use crate::simd::Kernel;

/// The detector files that are part of the program: name and text.
pub const BUILTIN_FILES: &[(&str, &str)] = &[
    ("contact.toml", include_str!("../../detectors/contact.toml")),
    ("network.toml", include_str!("../../detectors/network.toml")),
    ("payment.toml", include_str!("../../detectors/payment.toml")),
    ("identity.toml", include_str!("../../detectors/identity.toml")),
    ("identity-europe.toml", include_str!("../../detectors/identity-europe.toml")),
    ("identity-world.toml", include_str!("../../detectors/identity-world.toml")),
    ("credential-cloud.toml", include_str!("../../detectors/credential-cloud.toml")),
    ("credential-code.toml", include_str!("../../detectors/credential-code.toml")),
    ("credential-ai.toml", include_str!("../../detectors/credential-ai.toml")),
    ("credential-saas.toml", include_str!("../../detectors/credential-saas.toml")),
    ("credential-generic.toml", include_str!("../../detectors/credential-generic.toml")),
    ("encoding.toml", include_str!("../../detectors/encoding.toml")),
    ("session.toml", include_str!("../../detectors/session.toml")),
];

/// Most detectors in a set.
const RULES_MAX: usize = 4096;
/// Most cues and prefixes of one detector.
const LITERALS_MAX: usize = 512;

/// Names that announce what a gate's own code looks for.
const GATE_CUES: &[(Gate, &[&str])] = &[
    (Gate::Authorization, &["authorization", "proxy_authorization"]),
    (
        Gate::CliFlag,
        &[
            "password",
            "passwd",
            "passphrase",
            "token",
            "secret",
            "api_key",
            "apikey",
            "auth_key",
            "authkey",
            "private_key",
            "access_key",
            "secret_key",
            "credential",
        ],
    ),
    (Gate::Cookie, &["cookie", "set_cookie", "cookies"]),
    (
        Gate::QuerySecret,
        &[
            "code",
            "sig",
            "signature",
            "key",
            "auth",
            "session",
            "sid",
            "sessionid",
            "session_id",
            "otp",
            "ticket",
            "assertion",
            "pwd",
            "pass",
            "token",
            "hash_key",
            "credential",
            "invite",
            "samlresponse",
            "saml_response",
            "client_assertion",
            "device_code",
            "user_code",
        ],
    ),
];

/// Which detectors to take.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Kinds, groups or ids to take; empty for all.
    pub only: Vec<String>,
    /// Kinds, groups or ids to leave out.
    pub without: Vec<String>,
    /// Detector files beside the built-in ones: name and text.
    pub extra: Vec<(String, String)>,
}

/// A detector file that cannot be used.
#[derive(Debug)]
pub struct LoadError {
    /// The file's name.
    pub file: String,
    /// The detector, where it is one.
    pub detector: Option<String>,
    /// What is wrong with it; detector files hold no log text.
    pub problem: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "detector file '{}'", self.file)?;
        if let Some(detector) = &self.detector {
            write!(f, ", detector '{detector}'")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for LoadError {}

impl Selection {
    fn takes(&self, rule: &RawRule) -> bool {
        let names = |list: &[String]| {
            list.iter().any(|name| {
                name.eq_ignore_ascii_case(&rule.kind)
                    || *name == rule.id
                    || rule.id.split_once('.').is_some_and(|(group, _)| group == name)
            })
        };
        (self.only.is_empty() || names(&self.only)) && !names(&self.without)
    }
}

/// Reads one detector file.
///
/// # Errors
///
/// [`LoadError`] when it is not TOML of the form that [`RawFile`] describes.
pub(super) fn read(file: &str, text: &str) -> Result<Vec<RawRule>, LoadError> {
    let raw: RawFile = toml::from_str(text).map_err(|error| LoadError {
        file: file.to_owned(),
        detector: None,
        problem: error.to_string(),
    })?;
    Ok(raw.detector)
}

impl Rules {
    /// Compiles the built-in detectors and the extra ones, as far as they are selected.
    ///
    /// # Errors
    ///
    /// [`LoadError`] names the first file or detector that cannot be used, or a selected name that
    /// no detector has.
    pub fn load(selection: &Selection) -> Result<Rules, LoadError> {
        let builtin = BUILTIN_FILES.iter().map(|(name, text)| (*name, *text));
        let extra = selection.extra.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        let mut all = Vec::new();
        for (file, text) in builtin.chain(extra) {
            all.extend(read(file, text)?.into_iter().map(|raw| (file, raw)));
        }
        check_names(selection, &all)?;
        let mut builder = Builder::new();
        for (file, raw) in all {
            if selection.takes(&raw) {
                builder.add(file, raw)?;
            }
        }
        Ok(builder.finish())
    }

    /// Compiles one detector alone, to test it.
    ///
    /// # Errors
    ///
    /// [`LoadError`] when it cannot be used.
    pub fn single(file: &str, raw: RawRule) -> Result<Rules, LoadError> {
        let mut builder = Builder::new();
        builder.add(file, raw)?;
        Ok(builder.finish())
    }
}

fn check_names(selection: &Selection, all: &[(&str, RawRule)]) -> Result<(), LoadError> {
    for name in selection.only.iter().chain(&selection.without) {
        let one = Selection { only: vec![name.clone()], ..Selection::default() };
        if !all.iter().any(|(_, rule)| one.takes(rule)) {
            return Err(LoadError {
                file: "selection".to_owned(),
                detector: None,
                problem: format!("no detector, kind or group is called '{name}'"),
            });
        }
    }
    Ok(())
}

struct Builder {
    rules: Vec<Rule>,
    ids: BTreeSet<String>,
    kinds: Vec<Box<str>>,
    kind_ids: HashMap<String, KindId>,
    literals: Literals,
    cues: Cues,
    gates: [Vec<RuleId>; GATES],
}

impl Builder {
    fn new() -> Builder {
        Builder {
            rules: Vec::new(),
            ids: BTreeSet::new(),
            kinds: Vec::new(),
            kind_ids: HashMap::new(),
            literals: Literals::new(),
            cues: Cues::new(),
            gates: std::array::from_fn(|_| Vec::new()),
        }
    }

    fn kind(&mut self, name: &str) -> KindId {
        let kinds = &mut self.kinds;
        *self.kind_ids.entry(name.to_owned()).or_insert_with(|| {
            kinds.push(name.into());
            KindId((kinds.len() - 1) as u16)
        })
    }

    fn add(&mut self, file: &str, raw: RawRule) -> Result<(), LoadError> {
        let fail = |problem: String| LoadError {
            file: file.to_owned(),
            detector: Some(raw.id.clone()),
            problem,
        };
        if self.rules.len() == RULES_MAX {
            return Err(fail(format!("more than {RULES_MAX} detectors")));
        }
        check_form(&raw).map_err(fail)?;
        if !self.ids.insert(raw.id.clone()) {
            return Err(fail("the id is taken".to_owned()));
        }
        let gate = match &raw.gate {
            Some(name) => {
                Some(gates::find(name).ok_or_else(|| fail(format!("there is no gate '{name}'")))?)
            }
            None => None,
        };
        let validator = match &raw.validator {
            Some(name) => Some(
                validate::find(name)
                    .ok_or_else(|| fail(format!("there is no validator '{name}'")))?,
            ),
            None => None,
        };
        let shape = match &raw.pattern {
            Some(pattern) => Some(Shape::new(pattern).map_err(|error| fail(error.message))?),
            None => None,
        };
        let id = RuleId(self.rules.len() as u16);
        if let Some(gate) = gate {
            self.gates[gate as usize].push(id);
            for (_, cues) in GATE_CUES.iter().filter(|(known, _)| *known == gate) {
                cues.iter().for_each(|cue| self.cues.add(cue, id));
            }
        }
        raw.prefixes.iter().for_each(|prefix| self.literals.add(prefix.as_bytes(), id));
        raw.cues.iter().for_each(|cue| self.cues.add(cue, id));
        let kind = self.kind(&raw.kind);
        self.rules.push(Rule {
            kind,
            shape,
            validator,
            gate,
            glued: raw.glued,
            keep_prefix: raw.keep_prefix,
            secret: matches!(raw.kind.as_str(), "SECRET" | "JWT" | "PRIVATE_KEY"),
            precedence: raw.precedence,
            normalise: raw.normalise,
            raw,
        });
        Ok(())
    }

    fn finish(mut self) -> Rules {
        self.cues.add_fillers();
        Rules {
            rules: self.rules,
            kinds: self.kinds,
            literals: self.literals,
            cues: self.cues,
            gates: self.gates,
            kernel: Kernel::best(),
            everywhere: false,
        }
    }
}

/// Checks what the form of a detector promises, apart from names that must exist.
fn check_form(raw: &RawRule) -> Result<(), String> {
    let part = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    if !raw.id.split_once('.').is_some_and(|(group, name)| part(group) && part(name)) {
        return Err("the id is not 'group.name' in lower case and dashes".to_owned());
    }
    let kind = raw.kind.as_bytes();
    let letters = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    if kind.len() > KIND_LEN_MAX
        || !kind.iter().all(letters)
        || !raw.kind.starts_with(|first: char| first.is_ascii_uppercase())
    {
        return Err(format!(
            "the kind is not 1 to {KIND_LEN_MAX} bytes of upper-case letters, digits and '_'"
        ));
    }
    let gates = usize::from(!raw.prefixes.is_empty())
        + usize::from(raw.gate.is_some())
        + usize::from(!raw.cues.is_empty());
    if gates == 0 {
        return Err("there is no prefix, gate or cue".to_owned());
    }
    if !raw.prefixes.is_empty() && raw.pattern.is_none() {
        return Err("a prefix needs a pattern".to_owned());
    }
    let starts =
        |prefix: &String| prefix.len() >= 3 && prefix.as_bytes()[0].is_ascii_alphanumeric();
    if !raw.prefixes.iter().all(starts) {
        return Err("a prefix is shorter than 3 bytes or starts with a mark".to_owned());
    }
    let most = raw.prefixes.len().max(raw.cues.len());
    if most > LITERALS_MAX {
        return Err(format!("{most} prefixes or cues, at most {LITERALS_MAX}"));
    }
    Ok(())
}
