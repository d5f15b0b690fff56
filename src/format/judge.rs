//! The slow path of JSON: what `serde_json` makes of a record.
//!
//! # Promise
//! A record that passes here has the fields and the values that `serde_json` reads.

use std::collections::HashMap;

use serde_json::Value;

use super::json;
use super::names::Names;
use super::part;
use super::records::Field;
use super::records::Records;
use super::records::Step;
use super::records::ValueKind;

/// True when the fields from `first` on are what `serde_json` reads from the text at `span`. Of
/// fields with the same name all but the last are marked as overwritten.
#[inline(never)]
pub(super) fn agrees(
    text: &[u8],
    (start, end): (usize, usize),
    names: &Names,
    records: &mut Records,
    first: usize,
) -> bool {
    let Ok(Value::Object(object)) = serde_json::from_slice(part(text, start, end)) else {
        return false;
    };
    let mut expected = HashMap::new();
    flatten(&Value::Object(object), &mut String::new(), &mut expected);
    let mut paths = Vec::new();
    for at in first..records.fields.len() {
        let Some(field) = records.fields.get(at) else { return false };
        let mut path = String::new();
        field_path(text, records, field, &mut path);
        paths.push(path);
    }
    let _ = names;
    let mut last = HashMap::new();
    for (at, path) in paths.iter().enumerate() {
        last.insert(path.as_str(), at);
    }
    let mut counted = 0;
    for (at, path) in paths.iter().enumerate() {
        let Some(field) = records.fields.get_mut(first + at) else { return false };
        match expected.get(path.as_str()) {
            Some(value) if last.get(path.as_str()) == Some(&at) => {
                counted += 1;
                if !same(text, field, value) {
                    return false;
                }
            }
            Some(_) | None => field.overwritten = true,
        }
    }
    counted == expected.len()
}

/// The separators are controls, which a decoded key may hold as well; then the record is not
/// agreed on, which is safe.
fn flatten(value: &Value, path: &mut String, out: &mut HashMap<String, Value>) {
    let len = path.len();
    match value {
        Value::Object(object) if !object.is_empty() => {
            for (key, value) in object {
                path.push('\u{1}');
                path.push_str(key);
                flatten(value, path, out);
                path.truncate(len);
            }
        }
        Value::Array(array) if !array.is_empty() => {
            for (index, value) in array.iter().enumerate() {
                path.push('\u{2}');
                path.push_str(&index.to_string());
                flatten(value, path, out);
                path.truncate(len);
            }
        }
        value => {
            out.insert(path.clone(), value.clone());
        }
    }
}

fn field_path(text: &[u8], records: &Records, field: &Field, path: &mut String) {
    let mut steps = vec![field.step];
    let mut around = field.parent;
    while let Some(parent) = around.and_then(|at| records.parents.get(at as usize)) {
        steps.push(parent.step);
        around = parent.parent;
    }
    for step in steps.into_iter().rev() {
        match step {
            Step::Key { start, end } => {
                path.push('\u{1}');
                path.push_str(&json::decoded_key(part(text, start as usize, end as usize)));
            }
            Step::Index(index) => {
                path.push('\u{2}');
                path.push_str(&index.to_string());
            }
            Step::Fixed => {}
        }
    }
}

fn same(text: &[u8], field: &Field, value: &Value) -> bool {
    let bytes = part(text, field.start as usize, field.end as usize);
    match (field.kind, value) {
        (ValueKind::Plain, Value::String(string)) => string.as_bytes() == bytes,
        (ValueKind::Escaped, Value::String(string)) => {
            let mut decoded = Vec::new();
            json::decode(bytes, &mut decoded);
            string.as_bytes() == decoded
        }
        (ValueKind::Number, Value::Number(_)) => true,
        (ValueKind::Bool, Value::Bool(value)) => (bytes == b"true") == *value,
        (ValueKind::Null, Value::Null) => true,
        (ValueKind::Empty, Value::Object(object)) => object.is_empty(),
        (ValueKind::Empty, Value::Array(array)) => array.is_empty(),
        _ => false,
    }
}
