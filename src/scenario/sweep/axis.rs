//! A key that varies, and the values that it takes.

use crate::diagnostics::{Diagnostic, show};
use crate::files::{Files, Place};
use crate::tree::{Node, Value as Toml};

/// A value that a key takes at a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// As TOML.
    toml: String,
}

impl Value {
    /// A number: whole numbers are written as such.
    pub(super) fn number(number: f64) -> Value {
        let number = short(number);
        let is_whole = number.fract() == 0.0 && number.abs() < 1e15;
        let toml = if is_whole { format!("{number:.0}") } else { format!("{number:?}") };
        Value { toml }
    }

    /// A number of a range that is not of whole ones.
    fn decimal(number: f64) -> Value {
        Value { toml: format!("{number:?}") }
    }

    /// As TOML.
    pub fn toml(&self) -> &str {
        &self.toml
    }

    /// As a person reads it: text without quotes, and `hedge` for `{ hedge = {} }`.
    pub fn shown(&self) -> &str {
        let inside = |open: char, close: char| self.toml.strip_prefix(open)?.strip_suffix(close);
        let default = || {
            let name = inside('{', '}')?.trim().strip_suffix("{}")?.trim_end().strip_suffix('=')?;
            let name = name.trim_end();
            name.chars().all(|c| c.is_alphanumeric() || c == '_').then_some(name)
        };
        inside('"', '"').or_else(|| inside('\'', '\'')).or_else(default).unwrap_or(&self.toml)
    }

    /// Its number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        self.toml.replace('_', "").parse().ok().filter(|number: &f64| number.is_finite())
    }
}

/// The values of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Source {
    List(Vec<Value>),
    Range { from: f64, to: f64, is_whole: bool, is_log: bool, steps: Option<u32> },
}

/// A key with its values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) key: String,
    pub(super) place: Place,
    pub(super) source: Source,
}

/// Most values of a range.
const MOST_STEPS: i128 = 10_000;

/// Reads the keys of a table with lists or ranges; tables inside are longer keys.
pub(super) fn axes(node: &Node, files: &Files, wrong: &mut Vec<Diagnostic>) -> Vec<Axis> {
    let mut found = Vec::new();
    leaves(node, "", &mut |key, leaf| {
        let place = leaf.key.as_ref().unwrap_or(&leaf.place).clone();
        match source(leaf, files) {
            Ok(source) => found.push(Axis { key, place, source }),
            Err(one) => wrong.push(*one),
        }
    });
    found
}

/// Reads the keys of a table with one value each.
pub(super) fn singles(node: &Node, files: &Files) -> Vec<(String, Place, Value)> {
    let mut found = Vec::new();
    leaves(node, "", &mut |key, leaf| {
        let place = leaf.key.as_ref().unwrap_or(&leaf.place).clone();
        found.push((key, place, value(leaf, files)));
    });
    found
}

/// Visits what is no table, with its path; a range is no table.
fn leaves<'n>(node: &'n Node, path: &str, visit: &mut dyn FnMut(String, &'n Node)) {
    let Toml::Table(entries) = &node.value else { return };
    for (key, inside) in entries {
        let is_bare = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let is_path = |c: char| is_bare(c) || matches!(c, '.' | '[' | ']' | '*' | '"' | '\'');
        let step = if key.chars().all(is_path) { key.clone() } else { format!("\"{key}\"") };
        let path = if path.is_empty() { step } else { format!("{path}.{step}") };
        let is_range = inside.get("from").is_some() && inside.get("to").is_some();
        match &inside.value {
            Toml::Table(entries) if !is_range && !entries.is_empty() => {
                leaves(inside, &path, visit);
            }
            _ => visit(path, inside),
        }
    }
}

/// A value as it is written.
fn value(node: &Node, files: &Files) -> Value {
    let written = files.text(node.place.file).and_then(|text| text.get(node.place.span.clone()));
    let toml = match &node.value {
        Toml::Integer(number) => number.to_string(),
        Toml::Float(number) => format!("{number:?}"),
        Toml::Bool(is) => is.to_string(),
        _ => written.unwrap_or_default().to_owned(),
    };
    Value { toml }
}

fn source(node: &Node, files: &Files) -> Result<Source, Box<Diagnostic>> {
    let at = |message: &str, label: &str| Diagnostic::error(message).at(node.place.clone(), label);
    match &node.value {
        Toml::Array(elements) if elements.is_empty() => {
            Err(at("a key that varies needs values", "this list is empty").into())
        }
        Toml::Array(elements) => {
            let mut values: Vec<Value> = Vec::new();
            for element in elements {
                let value = value(element, files);
                if values.contains(&value) {
                    let message = format!("`{}` is there twice", show(value.shown()));
                    let again = Diagnostic::error(message).at(element.place.clone(), "again here");
                    return Err(again.into());
                }
                values.push(value);
            }
            Ok(Source::List(values))
        }
        Toml::Table(entries) if node.get("from").is_some() => range(node, entries),
        _ => Err(at("a key that varies needs several values", "expected a list or a range")
            .help("write `[0.5, 0.7, 0.9]`, or `{ from = 0.5, to = 0.9, steps = 5 }`")
            .into()),
    }
}

/// Reads `{ from, to, steps, scale }`.
fn range(node: &Node, entries: &[(String, Node)]) -> Result<Source, Box<Diagnostic>> {
    let wrong = |message: &str, node: &Node, label: &str| {
        Box::new(Diagnostic::error(message).at(node.place.clone(), label))
    };
    let known = ["from", "to", "steps", "scale"];
    if let Some((key, inside)) = entries.iter().find(|(key, _)| !known.contains(&&**key)) {
        let message = format!("a range has no key `{}`", show(key));
        let place = inside.key.as_ref().unwrap_or(&inside.place).clone();
        let one = Diagnostic::error(message).at(place, "it has `from`, `to`, `steps` and `scale`");
        return Err(one.into());
    }
    let end = |key: &str| {
        let end = node.get(key).expect("it was looked for");
        let number = match end.value {
            Toml::Integer(number) => number as f64,
            Toml::Float(number) if number.is_finite() => number,
            _ => return Err(wrong("an end of a range is a number", end, "expected a number")),
        };
        Ok((number, matches!(end.value, Toml::Integer(_)), end))
    };
    let ((from, from_whole, first), (to, to_whole, last)) = (end("from")?, end("to")?);
    if from >= to {
        return Err(wrong("a range goes up", last, "this is not above `from`"));
    }
    let steps = match node.get("steps") {
        None => None,
        Some(Node { value: Toml::Integer(number @ 2..=MOST_STEPS), .. }) => Some(*number as u32),
        Some(steps) => {
            let label = format!("expected a whole number from 2 to {MOST_STEPS}");
            return Err(wrong("`steps` is the number of values", steps, &label));
        }
    };
    let is_log = match node.get("scale").map(|scale| (&scale.value, scale)) {
        None => false,
        Some((Toml::String(scale), _)) if scale == "linear" => false,
        Some((Toml::String(scale), _)) if scale == "log" => true,
        Some((_, scale)) => {
            return Err(wrong("a scale is linear or logarithmic", scale, "`linear` or `log`"));
        }
    };
    if is_log && from <= 0.0 {
        return Err(wrong("a logarithmic scale begins above 0", first, "this is not above 0"));
    }
    Ok(Source::Range { from, to, is_whole: from_whole && to_whole, is_log, steps })
}

impl Axis {
    /// The values of a key of a grid.
    pub(super) fn values(&self) -> Result<Vec<Value>, Box<Diagnostic>> {
        let steps = match &self.source {
            Source::List(values) => return Ok(values.clone()),
            Source::Range { steps: Some(steps), .. } => *steps,
            Source::Range { steps: None, .. } => {
                let one = Diagnostic::error("the number of values of this range is missing")
                    .at(self.place.clone(), "a grid needs single values");
                return Err(one.help("add `steps = 5`").into());
            }
        };
        let share = |step: u32| f64::from(step) / f64::from(steps - 1);
        let mut values: Vec<Value> = (0..steps).map(|step| self.at(share(step), false)).collect();
        values.dedup();
        Ok(values)
    }

    /// The value at a share of the way, from 0 to 1; `is_drawn` gives every whole number of a range the
    /// same share.
    pub(super) fn at(&self, share: f64, is_drawn: bool) -> Value {
        match &self.source {
            Source::List(values) => {
                let at = (share * values.len() as f64) as usize;
                values[at.min(values.len() - 1)].clone()
            }
            &Source::Range { from, to, is_whole, is_log, .. } => {
                let to = if is_whole && is_drawn { to + 1.0 } else { to };
                let value = match is_log {
                    false => from + share * (to - from),
                    true => from * libm::pow(to / from, share),
                };
                match (is_whole, is_drawn) {
                    (true, true) => Value::number(value.floor().clamp(from, to - 1.0)),
                    (true, false) => Value::number(value.round()),
                    (false, _) => Value::decimal(short(value)),
                }
            }
        }
    }

    /// Number of values, if it is known.
    pub(super) fn count(&self) -> Option<usize> {
        match &self.source {
            Source::List(values) => Some(values.len()),
            Source::Range { steps, .. } => steps.map(|steps| steps as usize),
        }
    }
}

/// A number with twelve digits, so that 0.7 is not 0.7000000000000001.
fn short(number: f64) -> f64 {
    format!("{number:.11e}").parse().unwrap_or(number)
}
