//! Values behind a name: `key=value`, `"key": "value"`, `<key>value</key>`, `name 123`.

use super::Found;
use super::RuleId;
use super::Rules;
use super::bytes::ALNUM;
use super::bytes::DIGIT;
use super::bytes::before;
use super::bytes::byte;
use super::bytes::follows_folded;
use super::bytes::is;
use super::bytes::run_start;
use super::cue::Cue;
use super::cue::name_end;
use super::gates::Gate;
use super::scan::Memo;
use super::value;
use super::value::Value;

/// Query parameters whose value is secret whatever it looks like.
const QUERY_STRONG: [&[u8]; 8] =
    [b"sig", b"signature", b"token", b"pwd", b"pass", b"otp", b"ticket", b"assertion"];

/// Shortest number that is a secret under a name that says so: a PIN.
const SECRET_NUMBER_LEN_MIN: usize = 4;

impl Rules {
    /// Finds the value behind the separator at `at`.
    #[inline]
    pub(super) fn key(&self, text: &[u8], at: usize, memo: &mut Memo, found: &mut Vec<Found>) {
        let separator = byte(text, at);
        let authority = byte(text, at + 1) == b'/' && byte(text, at + 2) == b'/';
        if !matches!(separator, b'=' | b':' | b'>') || separator == b':' && authority {
            return;
        }
        let end = name_end(text, at);
        if at >= memo.covered && self.cues.may_end(text, end) {
            self.named(text, at, end, memo, found);
        }
    }

    #[inline(never)]
    fn named(&self, text: &[u8], at: usize, end: usize, memo: &mut Memo, found: &mut Vec<Found>) {
        let separator = byte(text, at);
        let cue = match separator {
            b':' => self.cues.before_fillers(text, end),
            b'=' | b'>' => self.cues.ending_at(text, end, false),
            _ => None,
        };
        let cue = cue.or_else(|| self.split_pair(text, end, separator));
        let Some(cue) = cue else { return };
        if separator == b'>' && !matches!(before(text, cue.name), b'<' | b':') {
            return;
        }
        // `https://user:…@host` is the user's password, whatever the user is called.
        if separator == b':' && text.get(..cue.name).is_some_and(|head| head.ends_with(b"//")) {
            return;
        }
        for rule in cue.rules() {
            match self.rule(rule).gate {
                Some(Gate::Authorization) => {
                    // What it masked is not looked at again, for it may reach to the line's end.
                    memo.covered = memo.covered.max(self.authorization(text, at, found));
                }
                Some(Gate::Cookie) => {
                    let set = byte(text, cue.start) | 0x20 == b's';
                    self.cookie(text, at, set, found);
                }
                Some(Gate::CliFlag) => {
                    if super::bytes::follows(text, cue.name, b"--") {
                        self.cued(text, at, &cue, rule, memo, found);
                    }
                }
                Some(Gate::QuerySecret) => self.query(text, at, &cue, rule, memo, found),
                _ => self.cued(text, at, &cue, rule, memo, found),
            }
        }
    }

    /// The name in `{"key":"password","value":…}` and its like: an object that holds name and value
    /// side by side.
    fn split_pair(&self, text: &[u8], end: usize, separator: u8) -> Option<Cue<'_>> {
        const VALUE: [&[u8]; 3] = [b"value", b"stringvalue", b"val"];
        const NAME: [&[u8]; 5] = [b"key", b"name", b"field", b"k", b"attribute"];
        let mut at = end;
        // `"value":{"stringValue":…` has the name before both.
        for _ in 0..2 {
            let start = run_start(text, at, ALNUM, 12);
            let word = text.get(start..at)?;
            if separator != b':' || !VALUE.iter().any(|known| word.eq_ignore_ascii_case(known)) {
                return None;
            }
            at = back_over(text, start, b"\"' \\{");
            if before(text, at) != b':' {
                break;
            }
            at = back_over(text, at - 1, b"\"' \\");
        }
        if before(text, at) != b',' {
            return None;
        }
        let name_end = back_over(text, at - 1, b"\"' \\");
        let mut name = name_end;
        while name_end - name < 64 && !matches!(before(text, name), b'"' | b'\'' | b'\n') {
            name -= 1;
        }
        let colon = back_over(text, name, b"\"' \\");
        if before(text, colon) != b':' {
            return None;
        }
        let key = back_over(text, colon - 1, b"\"' \\");
        let key_start = run_start(text, key, ALNUM, 12);
        let key = text.get(key_start..key)?;
        let names = NAME.iter().any(|known| key.eq_ignore_ascii_case(known));
        names.then(|| self.cues.ending_at(text, name_end, false)).flatten()
    }

    fn cued(
        &self,
        text: &[u8],
        at: usize,
        cue: &Cue<'_>,
        rule: RuleId,
        memo: &mut Memo,
        found: &mut Vec<Found>,
    ) {
        let compiled = self.rule(rule);
        if compiled.shape.is_some() {
            if let Some((start, quote)) = value::start_of(text, at) {
                self.shaped(text, start, quote.map(|(mark, _)| mark), rule, found);
            }
            return;
        }
        let Some(value) = self.whole_value(text, at, compiled.secret, memo) else { return };
        let Some(bytes) = text.get(value.start..value.end) else { return };
        if value::is_placeholder(bytes) || !value.quoted && value::opens_template(text, value.start)
        {
            return;
        }
        let fits = if compiled.secret {
            let prose = text.get(cue.name..cue.start).is_some_and(|words| words.contains(&b' '));
            let random = value::looks_secret(bytes);
            // In prose (`unexpected token: x`) and under ordinary words only what looks like one.
            let told = !compiled.raw.weak && (!prose || value.quoted);
            (told || random) && may_be_secret(text, cue, value, bytes)
        } else {
            !value::is_number(bytes) || compiled.validator.is_some()
        };
        if fits && self.push_checked(text, found, rule, value.start, value.end) && compiled.secret {
            memo.covered = value.end;
        }
    }

    fn whole_value(&self, text: &[u8], at: usize, secret: bool, memo: &mut Memo) -> Option<Value> {
        if byte(text, at) == b'>' && byte(text, at - 1) != b'=' {
            let rest = text.get(at + 1..)?;
            let rest = rest.get(..super::shape::MATCH_LEN_MAX).unwrap_or(rest);
            let len = rest.iter().position(|byte| matches!(byte, b'<' | b'\n'))?;
            return (len > 0).then_some(Value { start: at + 1, end: at + 1 + len, quoted: true });
        }
        let value = value::behind(text, at, memo)?;
        if !secret && !value.quoted && byte(text, at) == b':' {
            let end = value::phrase_end(text, value.start);
            return (end > value.start).then_some(Value { end, ..value });
        }
        Some(value)
    }

    /// A value of a known shape that starts at `start`, behind the quote `mark` or none.
    fn shaped(
        &self,
        text: &[u8],
        start: usize,
        mark: Option<u8>,
        rule: RuleId,
        found: &mut Vec<Found>,
    ) {
        let compiled = self.rule(rule);
        let Some(shape) = &compiled.shape else { return };
        let Some(mut end) = shape.match_at(text, start) else { return };
        // A secret's shape may take any byte, but what closes a value does not stand inside it.
        let quote = text.get(start..end).and_then(|value| {
            value.iter().position(|byte| match mark {
                Some(mark) => *byte == mark || *byte == b'\\',
                None => matches!(byte, b'"' | b'\'' | b' ' | b'\\'),
            })
        });
        if let Some(quote) = quote.filter(|_| compiled.secret) {
            let value = text.get(..start + quote).unwrap_or(text);
            let Some(shorter) = shape.match_at(value, start) else { return };
            end = shorter;
        }
        let (after, next) = (byte(text, end), byte(text, end + 1));
        let goes_on = is(after, ALNUM)
            || after == b'_'
            || !compiled.secret && matches!(after, b'-' | b'.') && is(next, ALNUM);
        if !goes_on {
            self.push_checked(text, found, rule, start, end);
        }
    }

    /// A password behind its name and a blank, as `.netrc` has it: only what looks drawn at random,
    /// for in prose any word may follow.
    fn spoken(&self, text: &[u8], at: usize, cue: &Cue<'_>, rule: RuleId, found: &mut Vec<Found>) {
        let named = [&b"pass"[..], b"pwd", b"secret_access_key", b"aws_secret"]
            .iter()
            .any(|known| follows_folded(text, cue.start, known));
        let end = super::web::credential_end(text, at);
        let Some(value) = text.get(at..end) else { return };
        let mark = value.iter().any(|byte| matches!(byte, b'=' | b':' | b'('));
        if named && !mark && value.len() >= 8 && value::looks_secret(value) {
            self.push(found, rule, at, end);
        }
    }

    fn query(
        &self,
        text: &[u8],
        at: usize,
        cue: &Cue<'_>,
        rule: RuleId,
        memo: &mut Memo,
        found: &mut Vec<Found>,
    ) {
        let opener = before(text, cue.name);
        let entity =
            opener == b';' && cue.name >= 5 && text.get(cue.name - 5..cue.name) == Some(b"&amp;");
        if byte(text, at) != b'=' || !(matches!(opener, b'?' | b'&' | b'#') || entity) {
            return;
        }
        let stop = value::plain_end(text, at + 1, memo);
        let Some(value) = text.get(at + 1..stop) else { return };
        let name = text.get(cue.start..name_end(text, at)).unwrap_or(&[]);
        let strong = QUERY_STRONG.iter().any(|known| name.eq_ignore_ascii_case(known));
        if !value.is_empty()
            && !value::is_placeholder(value)
            && (strong || value::looks_secret(value))
        {
            self.push(found, rule, at + 1, stop);
        }
    }

    /// Finds an identifier at `at` behind bare words that name it.
    #[inline(never)]
    pub(super) fn bare(&self, text: &[u8], at: usize, found: &mut Vec<Found>) {
        let digits =
            text.get(at..).is_some_and(|rest| rest.iter().take(8).any(|byte| is(*byte, DIGIT)));
        if before(text, at) != b' ' || !digits {
            return;
        }
        let mut end = at;
        while at - end < 3 && matches!(before(text, end), b' ' | b'#' | b'(' | b'.') {
            end -= 1;
        }
        if !self.cues.may_end(text, end) {
            return;
        }
        let Some(cue) = self.cues.before_fillers(text, end) else { return };
        for rule in cue.rules() {
            let compiled = self.rule(rule);
            if compiled.raw.bare && compiled.shape.is_some() {
                self.shaped(text, at, None, rule, found);
            } else if compiled.secret && compiled.shape.is_none() && compiled.gate.is_none() {
                self.spoken(text, at, &cue, rule, found);
            }
        }
    }
}

/// The place before `at` behind which only bytes of `marks` stand.
fn back_over(text: &[u8], at: usize, marks: &[u8]) -> usize {
    let mut start = at;
    while at - start < 16 && marks.contains(&before(text, start)) {
        start -= 1;
    }
    start
}

/// False for what stands under a secret's name without being one.
fn may_be_secret(text: &[u8], cue: &Cue<'_>, value: Value, bytes: &[u8]) -> bool {
    if value::is_number(bytes) && bytes.len() < SECRET_NUMBER_LEN_MIN {
        return false;
    }
    if value.quoted {
        return true;
    }
    // `token=Token{…`, `secret: Secret(…`: a structure is printed, not its secret.
    let word = bytes.iter().position(|byte| !is(*byte, ALNUM)).unwrap_or(bytes.len());
    if word > 0 && matches!(byte(bytes, word), b'{' | b'(') {
        return false;
    }
    if !bytes.iter().any(|byte| is(*byte, ALNUM) || *byte >= 0x80) && bytes.len() < 4 {
        return false;
    }
    // The shell's PWD is a folder; in a list with semicolons it is a password.
    let name = text.get(cue.start..cue.start + 3);
    let shell = name == Some(b"PWD")
        && matches!(byte(bytes, 0), b'/' | b'~')
        && before(text, cue.name) != b';'
        && byte(text, value.end) != b';';
    !shell
}
