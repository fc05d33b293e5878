//! Every bound of the schema is enforced, at its key, and nothing within bounds is refused as out of
//! them; what has no bound takes anything that its unit can hold.

use gridpact::scenario::diagnostics::Diagnostic;
use gridpact::scenario::files::Files;
use gridpact::scenario::path::Path;
use gridpact::scenario::root::Root;
use gridpact::scenario::schema::schema_of;
use gridpact::scenario::{Input, Overrides, load_any, load_sweep};
use serde_json::{Map, Value, json};

/// A step on the way down to a value.
#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Element,
}

/// A value of the schema, and the way down to it.
struct Spot<'a> {
    steps: Vec<Step>,
    schema: &'a Map<String, Value>,
    /// The keys that it needs.
    required: &'a Value,
}

impl Spot<'_> {
    /// Its path in the file that `instance` writes.
    fn path(&self) -> Path {
        self.steps.iter().fold(Path::root(), |path, step| match step {
            Step::Key(key) => path.key(key.clone()),
            Step::Element => path.index(0),
        })
    }

    fn is_whole(&self) -> bool {
        let types = &self.schema["type"];
        types == "integer"
            || types.as_array().is_some_and(|types| types.contains(&json!("integer")))
    }

    /// The number, as an integer where only these fit.
    fn number(&self, number: f64) -> Value {
        if self.is_whole() { json!(number as i64) } else { json!(number) }
    }

    /// A list of so many elements.
    fn list(&self, count: u64) -> Value {
        let element = smallest(&self.schema["items"], &self.required["items"]);
        vec![element; count as usize].into()
    }

    fn limit(&self, keyword: &str) -> Option<f64> {
        self.schema.get(keyword).and_then(Value::as_f64)
    }

    /// Values at its bounds, and values just outside.
    fn values(&self) -> (Vec<Value>, Vec<Value>) {
        let (mut within, mut outside) = (Vec::new(), Vec::new());
        let near = |limit: f64| if self.is_whole() { 1.0 } else { limit.abs().max(1e-9) * 1e-6 };
        for (keyword, away) in [("minimum", -1.0), ("maximum", 1.0)] {
            let Some(limit) = self.limit(keyword) else { continue };
            within.push(self.number(limit));
            outside.push(self.number(limit + away * near(limit)));
        }
        for (keyword, away) in [("exclusiveMinimum", 1.0), ("exclusiveMaximum", -1.0)] {
            let Some(limit) = self.limit(keyword) else { continue };
            within.push(self.number(limit + away * near(limit)));
            outside.push(self.number(limit));
        }
        for (keyword, away) in [("minItems", -1), ("maxItems", 1)] {
            let Some(limit) = self.schema.get(keyword).and_then(Value::as_u64) else { continue };
            within.push(self.list(limit));
            outside.push(self.list(limit.saturating_add_signed(away)));
        }
        (within, outside)
    }
}

/// All numbers and lists of a schema.
fn spots<'a>(
    schema: &'a Map<String, Value>,
    required: &'a Value,
    steps: &[Step],
    found: &mut Vec<Spot<'a>>,
) {
    let below = |step| [steps, &[step]].concat();
    let is_choice = schema.contains_key("maxProperties");
    if !is_choice && schema.get("type").is_some_and(|types| types != "object") {
        found.push(Spot { steps: steps.to_vec(), schema, required });
    }
    for (key, inside) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let needs = &required["properties"][key];
        spots(inside.as_object().unwrap(), needs, &below(Step::Key(key.clone())), found);
    }
    if let Some(items) = schema.get("items").and_then(Value::as_object) {
        spots(items, &required["items"], &below(Step::Element), found);
    }
}

/// The smallest value of a schema; `required` has the keys that its tables need.
fn smallest(schema: &Value, required: &Value) -> Value {
    instance(schema, required, &[], &Value::Null)
}

/// The smallest value of a schema that has `value` at the end of these steps.
fn instance(schema: &Value, required: &Value, steps: &[Step], value: &Value) -> Value {
    let (step, rest) = match steps.split_first() {
        None if !value.is_null() => return value.clone(),
        None => (None, steps),
        Some((step, rest)) => (Some(step), rest),
    };
    let keys = schema.get("properties").and_then(Value::as_object);
    if let (Some(keys), false) = (keys, schema.get("type") == Some(&json!("array"))) {
        let on_the_way = match step {
            Some(Step::Key(key)) => Some(key.clone()),
            _ => None,
        };
        let is_choice = schema.get("maxProperties").is_some();
        let first = || keys.keys().next().cloned();
        let needed = required["required"].as_array().into_iter().flatten();
        let mut names: Vec<String> = needed.map(|name| name.as_str().unwrap().to_owned()).collect();
        if is_choice {
            names.clear();
            names.extend(on_the_way.clone().or_else(first));
        } else {
            names.extend(on_the_way.clone().filter(|key| !names.contains(key)));
        }
        let table = names.into_iter().map(|name| {
            let (inside, needs) = (&keys[&name], &required["properties"][&name]);
            let inside = if Some(&name) == on_the_way.as_ref() {
                instance(inside, needs, rest, value)
            } else {
                smallest(inside, needs)
            };
            (name, inside)
        });
        return Value::Object(table.collect());
    }
    let types = &schema["type"];
    let is =
        |name: &str| types == name || types.as_array().is_some_and(|t| t.contains(&json!(name)));
    if is("array") {
        let (items, needs) = (&schema["items"], &required["items"]);
        let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
        let mut list = vec![smallest(items, needs); least as usize];
        if step.is_some() {
            list.truncate(list.len().saturating_sub(1));
            list.insert(0, instance(items, needs, rest, value));
        }
        return list.into();
    }
    let limit = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let most = limit("maximum").unwrap_or(f64::INFINITY);
    let number = limit("minimum").or(limit("exclusiveMinimum").map(|limit| most.min(limit + 1.0)));
    match () {
        () if is("integer") => json!(number.unwrap_or(1.0) as i64),
        () if is("number") => json!(number.unwrap_or(1.0)),
        () if is("boolean") => json!(true),
        () if is("string") => json!("x"),
        () => json!({}),
    }
}

/// Mistakes told of the value at the end of these steps, if it is this one.
fn said(schema: &Value, spot: &Spot<'_>, value: &Value) -> Vec<String> {
    let file = instance(schema, &schema["else"], &spot.steps, value);
    let text = toml::to_string(&file).unwrap();
    let input = Input::Bytes { name: "it", bytes: text.clone().into_bytes() };
    let at = spot.path();
    let (overrides, mut files) = (Overrides::default(), Files::new());
    // A sweep is read before its points.
    let wrong = match at.to_string().starts_with("sweep") {
        true => load_sweep(input, &overrides, &mut files).err(),
        false => load_any(input, &overrides, &mut files).err(),
    };
    let about = |one: Diagnostic| (one.path == Some(at.clone())).then_some(one.message);
    wrong.into_iter().flatten().filter_map(about).collect()
}

/// True of what is said of a value that is out of bounds, of another type or of no unit.
fn is_refusal(message: &str) -> bool {
    let is_not = message.contains(" is not a") || message.contains(" is not the");
    // How large a size may be is said by the machine, and what has a fixed length by its type.
    let is_relation = message.contains(" of a size on ");
    let refusals = [" is too small; give ", " is too large; give ", "this list ", "must be at "];
    let of_type = ["invalid length", " values, and here "];
    refusals.iter().chain(&of_type).any(|refusal| message.contains(refusal))
        || is_not && message.contains("; give ") && !is_relation
}

#[test]
fn every_bound_is_enforced_at_its_key_and_says_no_more_than_it_should() {
    let (mut bounds, mut free, mut mistakes) = (0, 0, Vec::new());
    for schema in [Root::Grid, Root::Game].map(schema_of) {
        let mut all = Vec::new();
        spots(schema.as_object().unwrap(), &schema["else"], &[], &mut all);
        for spot in all {
            let (within, outside) = spot.values();
            bounds += outside.len();
            for value in within {
                let found = said(&schema, &spot, &value);
                let wrong = found.iter().find(|message| is_refusal(message));
                mistakes.extend(wrong.map(|wrong| format!("{} = {value}: {wrong}", spot.path())));
            }
            for value in outside {
                let found = said(&schema, &spot, &value);
                let is_refused = found.iter().any(|message| is_refusal(message));
                if !is_refused {
                    mistakes.push(format!("{} = {value} is taken: {found:?}", spot.path()));
                }
            }
            let is_number = spot.is_whole() || spot.schema["type"] == "number";
            let has = |keywords: [&str; 2]| keywords.iter().any(|word| spot.limit(word).is_some());
            for (keywords, huge) in
                [(["minimum", "exclusiveMinimum"], -1e15), (["maximum", "exclusiveMaximum"], 1e12)]
            {
                if is_number && !has(keywords) {
                    let found = said(&schema, &spot, &spot.number(huge));
                    let wrong = found.iter().find(|message| is_refusal(message));
                    mistakes.extend(wrong.map(|wrong| format!("{}: {wrong}", spot.path())));
                    free += 1;
                }
            }
        }
    }
    assert_eq!(mistakes, [""; 0]);
    assert!(bounds > 800 && free > 50, "{bounds} {free}");
}
