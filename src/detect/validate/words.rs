//! Values whose key already says what they are: is there a value at all, and does it name somebody?
//!
//! No name lists and no language: a reader of logs knows that `first_name=` is followed by a name,
//! so what is left to sort out are placeholders, structures and the accounts of machines.

use super::extract::Run;
use super::extract::all_same;
use super::extract::digit_run;
use super::extract::significant;

/// What stands where there is no value.
const PLACEHOLDERS: [&[u8]; 14] = [
    b"null",
    b"nil",
    b"none",
    b"undefined",
    b"unknown",
    b"empty",
    b"unset",
    b"true",
    b"false",
    b"n/a",
    b"na",
    b"default",
    b"string",
    b"nan",
];

/// Accounts that come with a system and belong to no person.
const SYSTEM_ACCOUNTS: [&[u8]; 44] = [
    b"root",
    b"admin",
    b"administrator",
    b"system",
    b"daemon",
    b"nobody",
    b"guest",
    b"anonymous",
    b"public",
    b"default",
    b"shared",
    b"all users",
    b"user",
    b"users",
    b"service",
    b"svc",
    b"ubuntu",
    b"debian",
    b"centos",
    b"fedora",
    b"ec2-user",
    b"azureuser",
    b"vagrant",
    b"runner",
    b"runneradmin",
    b"jenkins",
    b"gitlab-runner",
    b"circleci",
    b"travis",
    b"git",
    b"www-data",
    b"nginx",
    b"apache",
    b"postgres",
    b"mysql",
    b"redis",
    b"mongodb",
    b"elasticsearch",
    b"kafka",
    b"hadoop",
    b"hdfs",
    b"node",
    b"app",
    b"linuxbrew",
];

/// The name of a person: some letter, no path, no structure, no placeholder.
pub(super) fn person_name(value: &[u8]) -> bool {
    free_text(value) && value.len() <= 200 && !value.contains(&b'/')
}

/// An account that a person has: neither of the system nor a placeholder.
pub(super) fn account_name(value: &[u8]) -> bool {
    let system = SYSTEM_ACCOUNTS.iter().any(|account| value.eq_ignore_ascii_case(account));
    let telling = value.iter().any(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
    value.len() >= 2 && telling && !system && !placeholder(value)
}

/// Text of at least two bytes with a letter in it that opens no structure.
pub(super) fn free_text(value: &[u8]) -> bool {
    let letter = value.iter().any(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80);
    let structure = matches!(value.first(), Some(b'{' | b'[' | b'<' | b'$' | b'('));
    value.len() >= 2 && letter && !structure && !placeholder(value)
}

fn placeholder(value: &[u8]) -> bool {
    PLACEHOLDERS.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// A postal code: four to ten digits, or letters and digits in the order of a country that has such
/// codes. Words with a number in them (`amd64`) are none.
pub(super) fn postcode(value: &[u8]) -> bool {
    let Some(run) = Run::<10>::collect(significant(value).take(11)) else { return false };
    let mut shape = run;
    shape.map(|byte| match byte {
        0 => 0,
        b'0'..=b'9' => b'9',
        _ if byte.is_ascii_alphabetic() => b'A',
        _ => b'?',
    });
    let shape = shape.as_slice();
    let digits = shape.iter().take_while(|byte| **byte == b'9').count();
    // Digits alone, or with the two letters of the Netherlands.
    (4..=10).contains(&shape.len()) && (digits == shape.len() || digits == 4 && shape == b"9999AA")
        || LETTERED_POSTCODES.contains(&shape)
}

/// Britain, Canada, Ireland, Argentina, Andorra and Latvia, Malta, Brunei.
const LETTERED_POSTCODES: [&[u8]; 13] = [
    b"A99AA",
    b"A999AA",
    b"AA99AA",
    b"AA999AA",
    b"A9A9AA",
    b"AA9A9AA",
    b"A9A9A9",
    b"A99A9A9",
    b"A999999",
    b"A9999AAA",
    b"AA999",
    b"AA9999",
    b"AAA9999",
];

/// A driving licence, passport or other number of a document: at least five digits among at most
/// twenty letters and digits.
pub(super) fn document(value: &[u8]) -> bool {
    let Some(run) = Run::<20>::collect(significant(value).take(21)) else { return false };
    let symbols = run.as_slice();
    let digits = symbols.iter().filter(|byte| byte.is_ascii_digit()).count();
    symbols.iter().all(u8::is_ascii_alphanumeric) && digits >= 5 && !all_same(symbols)
}

/// An account number: six to seventeen digits, not all the same.
pub(super) fn account(value: &[u8]) -> bool {
    digit_run::<17>(value, 6).is_some_and(|run| !all_same(run.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::account_name;
    use super::document;
    use super::free_text;
    use super::person_name;
    use super::postcode;

    #[test]
    fn names() {
        assert!(person_name(b"Ingrid") && person_name("Åse Ødegård".as_bytes()));
        assert!(
            !person_name(b"null")
                && !person_name(b"acme/site")
                && !person_name(b"{")
                && !person_name(b"")
        );
        assert!(account_name(b"gro.hval") && account_name(b"4711"));
        assert!(!account_name(b"ROOT") && !account_name(b"--") && !account_name(b"none"));
        assert!(free_text(b"Storgata 14 B") && !free_text(b"10.0.0.1") && !free_text(b"{\"a\":1}"));
    }

    #[test]
    fn codes() {
        assert!(postcode(b"BS4 3DJ") && postcode(b"60614-2201") && postcode(b"50667"));
        assert!(
            postcode(b"K1A 0B1")
                && postcode(b"1012AB")
                && !postcode(b"amd64")
                && !postcode(b"linux64")
        );
        assert!(!postcode(b"archive") && !postcode(b"12") && !postcode(b"123456789012"));
        assert!(document(b"K7204119X") && document(b"181/815/08155"));
        assert!(!document(b"renewed") && !document(b"0000000") && !document(b"1234"));
    }
}
