//! Credentials in headers, URLs, command lines and SQL.

use super::Found;
use super::Rules;
use super::bytes::ALNUM;
use super::bytes::DIGIT;
use super::bytes::LOWER;
use super::bytes::SPACE;
use super::bytes::UPPER;
use super::bytes::before;
use super::bytes::byte;
use super::bytes::follows_folded;
use super::bytes::is;
use super::bytes::run_end;
use super::bytes::run_start;
use super::gates::Gate;
use super::shape::MATCH_LEN_MAX;
use super::value;

/// The end of one credential: the next blank, quote or closing mark.
pub(super) fn credential_end(text: &[u8], start: usize) -> usize {
    let mut end = start;
    while end - start < MATCH_LEN_MAX {
        match byte(text, end) {
            b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\'' | b'`' | b',' | b';' | b'<' | b'>'
            | b')' | b']' | b'}' | b'|' | b'\\' | b'&' | 0x1b => break,
            _ => end += 1,
        }
    }
    while end > start && matches!(byte(text, end - 1), b'.' | b':') {
        end -= 1;
    }
    end
}

/// The end of the line or of the quoted text that the value at `start` stands in.
fn rest_end(text: &[u8], start: usize, quote: Option<(u8, usize)>) -> usize {
    if let Some((mark, escapes)) = quote {
        return value::quoted_end(text, start, mark, escapes);
    }
    let mut end = start;
    while end - start < MATCH_LEN_MAX {
        match byte(text, end) {
            b'\n' | b'\r' | b'"' | b'\'' | 0x1b => break,
            b'\\' if matches!(byte(text, end + 1), b'n' | b'r' | b'"' | b'\'') => break,
            _ => end += 1,
        }
    }
    while end > start && byte(text, end - 1) == b' ' {
        end -= 1;
    }
    end
}

/// Longest text before the host of a URL.
pub(super) const USERINFO_LEN_MAX: usize = 1024;

/// Schemes with parameters, where all that follows is secret.
const PARAMETER_SCHEMES: [&[u8]; 5] =
    [b"digest", b"aws4-hmac-sha256", b"aws4-ecdsa-p256-sha256", b"hawk", b"oauth"];

impl Rules {
    /// The value of an `Authorization` header behind the separator at `at`: all after the scheme.
    /// Returns the end of what it found.
    pub(super) fn authorization(&self, text: &[u8], at: usize, found: &mut Vec<Found>) -> usize {
        let Some(rule) = self.gate(Gate::Authorization) else { return 0 };
        let Some((start, quote)) = value::start_of(text, at) else { return 0 };
        let word = run_end(text, start, ALNUM, 32);
        let scheme_end = if byte(text, word) == b'-' { run_end_dashed(text, start) } else { word };
        let scheme = text.get(start..scheme_end).unwrap_or(&[]);
        let separator = byte(text, scheme_end);
        let percent = separator == b'%' && follows_folded(text, scheme_end, b"%20");
        if scheme.is_empty() || separator != b' ' && !percent {
            // No scheme: the one word is the credential.
            let end = match quote {
                Some(_) => rest_end(text, start, quote),
                None => credential_end(text, start),
            };
            let Some(value) = text.get(start..end) else { return 0 };
            if end > start && !value::is_placeholder(value) && (value.len() >= 8 || quote.is_some())
            {
                let plain = value.iter().all(|byte| is(*byte, UPPER | LOWER));
                if !plain || value.len() >= 24 {
                    self.push(found, rule, start, end);
                    return end;
                }
            }
            return 0;
        }
        let secret = scheme_end + if percent { 3 } else { 1 };
        let secret = secret
            + text
                .get(secret..)
                .unwrap_or(&[])
                .iter()
                .take(8)
                .take_while(|byte| **byte == b' ')
                .count();
        let with_parameters =
            PARAMETER_SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
        let end = if with_parameters || quote.is_some() {
            rest_end(text, secret, quote)
        } else {
            credential_end(text, secret)
        };
        let Some(value) = text.get(secret..end) else { return 0 };
        let known = [
            &b"bearer"[..],
            b"basic",
            b"token",
            b"negotiate",
            b"ntlm",
            b"apikey",
            b"ssws",
            b"key",
            b"bot",
        ]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
        if end > secret
            && !value::is_placeholder(value)
            && (known || with_parameters || value::looks_secret(value))
        {
            self.push(found, rule, secret, end);
            return end;
        }
        0
    }

    /// The values of a `Cookie` or `Set-Cookie` header behind the separator at `at`: of each
    /// `name=value` up to the first blank that no semicolon precedes.
    pub(super) fn cookie(&self, text: &[u8], at: usize, set: bool, found: &mut Vec<Found>) {
        let Some(rule) = self.gate(Gate::Cookie) else { return };
        let Some((start, quote)) = value::start_of(text, at) else { return };
        let quoted = quote.map(|(mark, escapes)| value::quoted_end(text, start, mark, escapes));
        let limit = quoted.unwrap_or(text.len()).min(start + MATCH_LEN_MAX);
        let ends = |byte: u8| {
            matches!(byte, b';' | b'\n' | b'\r')
                || quoted.is_none() && matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b'\\' | 0x1b)
        };
        let until = |from: usize, stop: &dyn Fn(u8) -> bool| {
            let rest = text.get(from..limit).unwrap_or(&[]);
            from + rest.iter().position(|byte| stop(*byte)).unwrap_or(rest.len())
        };
        let mut from = start;
        while from < limit {
            let name = until(from, &|byte| byte == b'=' || ends(byte));
            let mut end = name;
            if name < limit && byte(text, name) == b'=' {
                end = until(name + 1, &ends);
                let value = text.get(name + 1..end).unwrap_or(&[]);
                // Quotes around a value belong to the cookie, not to the header.
                let inner = value.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
                let inset = usize::from(inner.is_some());
                let value = inner.unwrap_or(value);
                if !value.is_empty() && !value::is_placeholder(value) {
                    self.push(found, rule, name + 1 + inset, end - inset);
                }
            } else if from == start && !set && text.get(from..name).is_some_and(value::looks_secret)
            {
                // One opaque value without a name.
                self.push(found, rule, from, name);
            }
            // What follows in `Set-Cookie` are attributes.
            if set || end >= limit || byte(text, end) != b';' {
                return;
            }
            from = end + 1;
            while byte(text, from) == b' ' && from - end < 3 {
                from += 1;
            }
        }
    }

    /// The password in `scheme://user:password@host`, with the colon of `://` at `at`. Returns where
    /// the host begins, so that what is before it is not taken for a mail address.
    #[inline(never)]
    pub(super) fn userinfo(&self, text: &[u8], at: usize, found: &mut Vec<Found>) -> Option<usize> {
        let rule = self.gate(Gate::UrlUserinfo)?;
        if !super::bytes::follows(text, at, b"://") || !is(before(text, at), ALNUM) {
            return None;
        }
        let start = at + 3;
        let scheme = run_start(text, at, ALNUM, 16);
        let web = text.get(scheme..at).is_some_and(|scheme| {
            [&b"http"[..], b"https", b"ws", b"wss"]
                .iter()
                .any(|web| scheme.eq_ignore_ascii_case(web))
        });
        let (mut slash, mut first_at, mut last_at, mut colon) = (None, None, None, None);
        let mut end = start;
        while end - start < USERINFO_LEN_MAX {
            match byte(text, end) {
                b' ' | b'\t' | b'\r' | b'\n' | b'"' | b'\'' | b'`' | b'<' | b'>' => break,
                b'?' | b'#' if last_at.is_some() || slash.is_some() => break,
                b'\\' if !is(byte(text, end + 1), DIGIT) => break,
                b',' if last_at.is_some() => break,
                b'/' if slash.is_none() => slash = Some(end),
                // The next URL is looked at on its own.
                b':' if super::bytes::follows(text, end, b"://") => break,
                b':' if colon.is_none() => colon = Some(end),
                b'@' => {
                    last_at = Some(end);
                    if slash.is_none() {
                        first_at = Some(end);
                    }
                }
                _ => {}
            }
            end += 1;
        }
        let last_at = last_at?;
        let slash = slash.unwrap_or(end);
        let host = match first_at {
            // Behind the userinfo a host and a port: then a later `@` belongs to the path.
            Some(at) if web && is_host(text, at + 1, slash) || last_at == at => at,
            Some(_) => last_at,
            // A password with a slash: `user:pass/word@host`, told from a port by its letters.
            None => {
                let colon = colon.filter(|colon| *colon < slash)?;
                let port = run_end(text, colon + 1, DIGIT, 6) == slash && slash > colon + 1;
                if port || !is_host_start(text, last_at + 1) {
                    return None;
                }
                last_at
            }
        };
        let secret = match colon.filter(|colon| *colon < host) {
            Some(colon) => {
                // A colon in a mail address of a user would be odd; the last `@` before it is not.
                colon + 1
            }
            None => start,
        };
        let value = text.get(secret..host)?;
        if value.is_empty() || value::is_placeholder(value) || value == b"git" {
            return Some(host + 1);
        }
        self.push(found, rule, secret, host);
        Some(host + 1)
    }

    /// The secret of a command-line option whose dash is at `at`.
    #[inline(never)]
    pub(super) fn flag(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        let Some(rule) = self.gate(Gate::CliFlag) else { return };
        if byte(text, at) != b'-' || before(text, at) != b' ' {
            return;
        }
        if byte(text, at + 1) == b'-' {
            let end = flag_end(text, at + 2);
            if byte(text, end) != b' ' || !self.cues.may_end(text, end) {
                return;
            }
            let Some(cue) = self.cues.ending_at(text, end, false) else { return };
            if !cue.rules().any(|rule| self.is_secret(rule)) {
                return;
            }
            let start = end + 1;
            self.option_value(text, start, rule, found);
            return;
        }
        let (letter, next) = (byte(text, at + 1), byte(text, at + 2));
        match letter {
            b'u' | b'U' if next == b' ' => {
                // `-u user:password`, as curl takes it.
                let start = at + 3 + usize::from(matches!(byte(text, at + 3), b'"' | b'\''));
                let end = credential_end(text, start);
                let colon = text
                    .get(start..end)
                    .and_then(|value| value.iter().position(|byte| *byte == b':'));
                if let Some(colon) = colon {
                    let secret = start + colon + 1;
                    let value = text.get(secret..end).unwrap_or(&[]);
                    let is_url = value.starts_with(b"//");
                    let numbers = value.iter().all(|byte| is(*byte, DIGIT)) && value.len() < 6;
                    if !value.is_empty() && !is_url && !numbers && !value::is_placeholder(value) {
                        self.push(found, rule, secret, end);
                    }
                }
            }
            b'p' if next == b' ' && names_user(text, at) => {
                self.option_value(text, at + 3, rule, found);
            }
            // `mysql -u root -ppassword`: glued on, as only that client takes it.
            b'p' if is(next, ALNUM) && names_mysql(text, at) => {
                let end = credential_end(text, at + 2);
                if text.get(at + 2..end).is_some_and(value::looks_secret) {
                    self.push(found, rule, at + 2, end);
                }
            }
            _ => {}
        }
    }

    fn option_value(&self, text: &[u8], start: usize, rule: super::RuleId, found: &mut Vec<Found>) {
        let mark = byte(text, start);
        let (start, end) = if matches!(mark, b'"' | b'\'') {
            (start + 1, value::quoted_end(text, start + 1, mark, 0))
        } else {
            (start, credential_end(text, start))
        };
        let Some(value) = text.get(start..end) else { return };
        let option = mark == b'-';
        if !value.is_empty()
            && !option
            && !value::is_placeholder(value)
            && !value::opens_template(text, start)
        {
            self.push(found, rule, start, end);
        }
    }

    /// `PASSWORD '…'` and `IDENTIFIED BY '…'`, with the quote at `at`.
    #[inline(never)]
    pub(super) fn sql(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        let Some(rule) = self.gate(Gate::SqlLiteral) else { return };
        if !matches!(byte(text, at), b'"' | b'\'') || before(text, at) != b' ' || at < 2 {
            return;
        }
        let word = run_start(text, at - 1, UPPER | LOWER, 12);
        let Some(name) = text.get(word..at - 1) else { return };
        let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
        let by = is(b"by") && word >= 11 && follows_folded(text, word - 11, b"identified ");
        if !is(b"password") && !is(b"passwd") && !is(b"passphrase") && !by {
            return;
        }
        let mark = byte(text, at);
        let end = value::quoted_end(text, at + 1, mark, 0);
        let Some(value) = text.get(at + 1..end) else { return };
        if !value.is_empty() && byte(text, end) == mark && !value::is_placeholder(value) {
            self.push(found, rule, at + 1, end);
        }
    }

    /// The user in `/home/user/` and `/Users/user/`, with the first slash at `at`.
    #[inline(never)]
    pub(super) fn home(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        let Some(rule) = self.gate(Gate::HomePath) else { return };
        let start = if super::bytes::follows(text, at, b"/home/") {
            at + 6
        } else if super::bytes::follows(text, at, b"/Users/") {
            at + 7
        } else {
            return;
        };
        if is(before(text, at), ALNUM) && !matches!(before(text, at), b':') {
            return;
        }
        self.user_name(text, start, b'/', rule, found);
    }

    /// The user in `C:\Users\user\`, with the first backslash at `at`.
    pub(super) fn windows_home(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        let Some(rule) = self.gate(Gate::HomePath) else { return };
        if before(text, at) != b':' {
            return;
        }
        let slashes = run_of_backslashes(text, at);
        if !follows_folded(text, at + slashes, b"users\\") {
            return;
        }
        let name = at + slashes + 5 + run_of_backslashes(text, at + slashes + 5);
        self.user_name(text, name, b'\\', rule, found);
    }

    fn user_name(
        &self,
        text: &[u8],
        start: usize,
        close: u8,
        rule: super::RuleId,
        found: &mut Vec<Found>,
    ) {
        /// Accounts of machines, and what is no account.
        const NO_ONE: [&[u8]; 24] = [
            b"root",
            b"ubuntu",
            b"runner",
            b"admin",
            b"administrator",
            b"public",
            b"default",
            b"shared",
            b"vagrant",
            b"ec2-user",
            b"centos",
            b"debian",
            b"jenkins",
            b"node",
            b"app",
            b"user",
            b"www",
            b"git",
            b"gitlab-runner",
            b"vscode",
            b"circleci",
            b"travis",
            b"all",
            b"www-data",
        ];
        let mut end = start;
        let is_name = |byte: u8| {
            // An encoded name is one too.
            is(byte, ALNUM)
                || byte >= 0x80
                || matches!(byte, b'.' | b'_' | b'-' | b'%' | b'&' | b'#' | b';')
        };
        while end - start < 64 && is_name(byte(text, end)) {
            end += 1;
        }
        let Some(name) = text.get(start..end) else { return };
        let closed = byte(text, end) == close
            || is(byte(text, end), SPACE)
            || matches!(byte(text, end), b'"' | b'\'' | b':');
        let letters = name.iter().any(|byte| is(*byte, UPPER | LOWER) || *byte >= 0x80);
        if letters
            && closed
            && name.len() >= 2
            && !NO_ONE.iter().any(|known| name.eq_ignore_ascii_case(known))
        {
            self.push(found, rule, start, end);
        }
    }
}

fn run_of_backslashes(text: &[u8], at: usize) -> usize {
    text.get(at..).unwrap_or(&[]).iter().take(16).take_while(|byte| **byte == b'\\').count()
}

fn run_end_dashed(text: &[u8], start: usize) -> usize {
    let mut end = start;
    while end - start < 32 && (is(byte(text, end), ALNUM) || byte(text, end) == b'-') {
        end += 1;
    }
    end
}

fn flag_end(text: &[u8], start: usize) -> usize {
    let mut end = start;
    while end - start < 48
        && (is(byte(text, end), ALNUM) || matches!(byte(text, end), b'-' | b'_' | b'.'))
    {
        end += 1;
    }
    end
}

/// True when `-u` or `--user` stands before `at` on the same line: then `-p` is a password.
fn names_user(text: &[u8], at: usize) -> bool {
    let from = at.saturating_sub(96);
    let head = text.get(from..at).unwrap_or(&[]);
    let line = head
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(head, |end| head.get(end..).unwrap_or(&[]));
    line.windows(4).any(|part| part == b" -u " || part == b" --u")
        || line.windows(6).any(|part| part == b"mysql " || part == b"login ")
}

/// True when `mysql` or one of its tools stands before `at` on the same line.
fn names_mysql(text: &[u8], at: usize) -> bool {
    let head = text.get(at.saturating_sub(96)..at).unwrap_or(&[]);
    let line = head.rsplit(|byte| *byte == b'\n').next().unwrap_or(head);
    line.windows(5).any(|part| part == b"mysql")
}

/// True when a host name and an optional port fill the text from `start` to `end`.
fn is_host(text: &[u8], start: usize, end: usize) -> bool {
    let host = text.get(start..end).unwrap_or(&[]);
    if host.first() == Some(&b'[') {
        return true;
    }
    let colon = host.iter().position(|byte| *byte == b':').unwrap_or(host.len());
    let (name, port) = host.split_at(colon);
    !name.is_empty()
        && name
            .iter()
            .all(|byte| is(*byte, ALNUM) || matches!(byte, b'.' | b'-' | b'_') || *byte >= 0x80)
        && port.iter().skip(1).all(|byte| is(*byte, DIGIT))
}

fn is_host_start(text: &[u8], start: usize) -> bool {
    let end = flag_end(text, start);
    end > start
        && matches!(
            byte(text, end),
            b':' | b'/' | b'?' | b' ' | b'\n' | b'"' | b'\'' | b'\r' | b','
        )
}
