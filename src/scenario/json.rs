//! JSON files of results, written compactly or indented, and read by the reader of scenarios.
//!
//! Serde compiles a reader and a writer for every type and format, so there is one format for each.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::de::read_known;
use crate::files::{FileId, Place};
use crate::tree::{Node, Value};

/// Reads a value; keys that its type does not know are passed over.
///
/// # Errors
/// The first mistake, if the text is not JSON or not such a value.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    let parsed = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let (value, wrong) = read_known(&node(parsed));
    value.ok_or_else(|| wrong.into_iter().next().map_or(String::new(), |first| first.message))
}

/// A value of JSON as a node, without the keys that are null.
fn node(json: serde_json::Value) -> Node {
    let value = match json {
        serde_json::Value::Null => Value::Table(Vec::new()),
        serde_json::Value::Bool(flag) => Value::Bool(flag),
        serde_json::Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => Value::Integer(whole.into()),
            (_, Some(whole)) => Value::Integer(whole.into()),
            _ => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        serde_json::Value::String(text) => Value::String(text),
        serde_json::Value::Array(elements) => {
            Value::Array(elements.into_iter().map(node).collect())
        }
        serde_json::Value::Object(entries) => {
            let given = entries.into_iter().filter(|(_, value)| !value.is_null());
            Value::Table(given.map(|(key, value)| (key, node(value))).collect())
        }
    };
    Node { value, place: Place::new(FileId::default(), 0..0), key: None, layer: 0 }
}

/// Writes a value in one line, without a newline at its end.
///
/// # Panics
/// If a key of a map is not text; ours are.
pub fn compact(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain data serializes into memory")
}

/// Writes a value with a line for each element, indented by two blanks a level, with a newline at its
/// end.
///
/// # Panics
/// As [`compact`].
pub fn pretty(value: &impl Serialize) -> Vec<u8> {
    indented(&compact(value))
}

/// Breaks compact JSON into lines.
fn indented(compact: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(compact.len() * 2);
    let mut depth = 0;
    let mut is_text = false;
    let line = |out: &mut Vec<u8>, depth: usize| {
        out.push(b'\n');
        out.resize(out.len() + 2 * depth, b' ');
    };
    let mut bytes = compact.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => is_text = !is_text,
            b'\\' => {
                out.push(byte);
                out.extend(bytes.next());
                continue;
            }
            _ if is_text => {}
            b'[' | b'{' if bytes.peek().is_some_and(|next| !matches!(next, b']' | b'}')) => {
                depth += 1;
                out.push(byte);
                line(&mut out, depth);
                continue;
            }
            b'[' | b'{' => {
                out.push(byte);
                out.extend(bytes.next());
                continue;
            }
            b']' | b'}' => {
                depth -= 1;
                line(&mut out, depth);
            }
            b',' => {
                out.push(byte);
                line(&mut out, depth);
                continue;
            }
            b':' => {
                out.extend(b": ");
                continue;
            }
            _ => {}
        }
        out.push(byte);
    }
    out.push(b'\n');
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[test]
    fn it_is_indented_as_serde_json_does() {
        let hard = json!({
            "a\"{[,:\\": [], "b": {}, "c": [[], {}, [1, -2.5e-300], {"d": "\\\"]"}], "e": null, "\u{1}": true
        });
        for value in [json!([]), json!({}), json!("x"), json!([[[]]]), hard] {
            let mut expected = serde_json::to_vec_pretty(&value).unwrap();
            expected.push(b'\n');
            assert_eq!(pretty(&value), expected);
        }
    }

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    enum Choice {
        Plain,
        Of(u32),
        With { word: String },
    }

    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct All {
        number: f64,
        large: u64,
        least: i64,
        maybe: Option<f64>,
        list: Vec<(String, bool)>,
        map: BTreeMap<String, u8>,
        choices: Vec<Choice>,
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(
            number in any::<f64>().prop_filter("finite", |number| number.is_finite()),
            large: u64,
            least: i64,
            maybe in proptest::option::of(0.0..1.0),
            list: Vec<(String, bool)>,
            map: BTreeMap<String, u8>,
            word: String,
        ) {
            let choices = vec![Choice::Plain, Choice::Of(large as u32), Choice::With { word }];
            let all = All { number, large, least, maybe, list, map, choices };
            prop_assert_eq!(&read::<All>(&pretty(&all)).unwrap(), &all);
            prop_assert_eq!(&read::<All>(&compact(&all)).unwrap(), &all);
        }
    }

    #[test]
    fn unknown_keys_are_passed_over_and_others_are_told() {
        #[derive(Debug, Deserialize)]
        struct One {
            key: u8,
        }
        assert_eq!(read::<One>(br#"{"other": 1, "key": 2}"#).unwrap().key, 2);
        assert_eq!(
            read::<One>(br#"{"key": 256}"#).unwrap_err(),
            "`key` must be at most 255, but is 256"
        );
        assert!(read::<One>(b"{}").unwrap_err().contains("key"));
        assert!(read::<One>(b"{").unwrap_err().contains("EOF"));
    }
}
