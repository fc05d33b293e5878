//! Schemas of parameters from tables of data.
//!
//! The macros of parameters and registries write down what they are given: names, docs, types, bounds.
//! One function makes a schema of that, for all types, as schemars' derive would: derived code would be
//! compiled for each of them.

use schemars::generate::Contract;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map as Object, Value};

use super::bounds::Describe;
use super::invalid::snake_case;

/// The type of a key: its schema, what its bounds add, and how it is spelled.
pub struct Type {
    /// Makes the schema.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    /// The bounds, if there are any.
    pub bounds: &'static [&'static (dyn Describe + Sync)],
    /// Further keywords of the schema, if there are any.
    pub keywords: &'static [fn() -> Value],
    /// Its spelling in Rust.
    pub spelling: &'static str,
}

impl Type {
    fn told(&self, generator: &mut SchemaGenerator, doc: &str) -> Schema {
        let mut schema = (self.schema)(generator);
        describe(&mut schema, doc);
        self.bounds.iter().for_each(|bounds| bounds.describe(&mut schema));
        for keywords in self.keywords {
            merge(schema.ensure_object(), keywords());
        }
        schema
    }
}

/// Adds keywords to a schema, and to those of its items.
fn merge(schema: &mut Object<String, Value>, keywords: Value) {
    let Value::Object(keywords) = keywords else { return };
    for (keyword, value) in keywords {
        match schema.get_mut(&keyword) {
            Some(Value::Object(items)) if keyword == "items" => merge(items, value),
            _ => drop(schema.insert(keyword, value)),
        }
    }
}

/// A key of a table.
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// The lines of its doc comment.
    pub doc: &'static str,
    /// The type of its value.
    pub value: Type,
    /// The meanings of its attributes, one for each.
    pub attributes: &'static [Attribute],
}

/// The meaning of an attribute for a key or a table.
#[derive(Clone, Copy)]
pub struct Attribute {
    /// The value where none is given; null, where it is told elsewhere or not at all.
    pub default: Option<fn() -> Value>,
    /// True if some values are not written.
    pub skips: bool,
    /// The name of the key, if it is not that of the field.
    pub name: Option<&'static str>,
}

/// Makes the schema of a table.
pub fn table(
    generator: &mut SchemaGenerator,
    doc: &str,
    keys: &[Key],
    attributes: &[Attribute],
) -> Schema {
    let mut schema = keyed(generator, keys, attributes.iter().find_map(|one| one.default));
    describe(&mut schema, doc);
    schema
}

fn keyed(generator: &mut SchemaGenerator, keys: &[Key], defaults: Option<fn() -> Value>) -> Schema {
    let (mut properties, mut required) = (Object::new(), Vec::new());
    let reads = matches!(generator.contract(), Contract::Deserialize);
    let of_table = defaults.map(|defaults| defaults());
    for Key { name, doc, value, attributes } in keys {
        let name = attributes.iter().find_map(|one| one.name).unwrap_or(name);
        let mut schema = value.told(generator, doc);
        let own = attributes.iter().find_map(|one| one.default);
        let has_default = own.is_some() || of_table.is_some();
        let default = own.map(|own| own()).or_else(|| of_table.as_ref()?.get(name).cloned());
        if let Some(default) = default.filter(|default| !default.is_null()) {
            schema.insert("default".to_owned(), default);
        }
        let skips = attributes.iter().any(|one| one.skips);
        let is_optional = match (skips, has_default) {
            (true, true) => true,
            (_, true) if reads => true,
            (false, false) | (true, false) if reads => value.spelling.starts_with("Option<"),
            (skips, _) => skips,
        };
        properties.insert(name.to_owned(), schema.into());
        if !is_optional {
            required.push(Value::from(name));
        }
    }
    let mut schema = Object::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("additionalProperties".to_owned(), json!(false));
    if !properties.is_empty() {
        schema.insert("properties".to_owned(), properties.into());
    }
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.into()
}

/// An alternative of a choice.
pub struct Variant {
    /// Its name in Rust, or as it is written.
    pub name: &'static str,
    /// The lines of its doc comment.
    pub doc: &'static str,
    /// The value or the keys behind its name.
    pub inside: Inside,
}

/// The value or the keys of an alternative; neither, if it is only a name.
pub enum Inside {
    /// A value.
    Value(Type),
    /// Keys.
    Keys(&'static [Key]),
    /// Nothing.
    Nothing,
}

/// Makes the schema of a choice.
pub fn choice(generator: &mut SchemaGenerator, doc: &str, variants: &[Variant]) -> Schema {
    let told = variants.iter().map(|Variant { name, doc, inside }| {
        let name = snake_case(name);
        let inside = match inside {
            Inside::Value(value) => Some(value.told(generator, "")),
            Inside::Keys(keys) => Some(keyed(generator, keys, None)),
            Inside::Nothing => None,
        };
        let mut schema = match inside {
            Some(inside) => {
                let mut properties = Object::new();
                properties.insert(name.clone(), inside.into());
                let mut schema = Object::new();
                schema.insert("type".to_owned(), json!("object"));
                schema.insert("properties".to_owned(), properties.into());
                schema.insert("required".to_owned(), json!([name]));
                schema.insert("additionalProperties".to_owned(), json!(false));
                schema.into()
            }
            None => schemars::json_schema!({ "type": "string", "const": name }),
        };
        describe(&mut schema, doc);
        Value::from(schema)
    });
    let told: Vec<Value> = told.collect();
    // Not by `json_schema!`, which writes all that is inside once more, at every level.
    let mut schema = Schema::from(Object::from_iter([("oneOf".to_owned(), Value::Array(told))]));
    describe(&mut schema, doc);
    schema
}

/// Makes the schema of a type within another: itself or, if the generator wants references, one to it.
pub fn within<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    match T::inline_schema() || generator.settings().inline_subschemas {
        true => T::json_schema(generator),
        false => referred(generator, &T::schema_id(), T::json_schema),
    }
}

/// A reference to a type, whose schema is made at its first one. It is compiled once for all types, as
/// schemars' own is not.
fn referred(
    generator: &mut SchemaGenerator,
    id: &str,
    schema: fn(&mut SchemaGenerator) -> Schema,
) -> Schema {
    if !generator.definitions().contains_key(id) {
        generator.definitions_mut().insert(id.to_owned(), Value::Bool(false));
        let schema = schema(generator);
        generator.definitions_mut().insert(id.to_owned(), schema.into());
    }
    Schema::new_ref(format!("#/$defs/{id}"))
}

/// Makes the schema of a single value with a doc comment of its own.
pub fn value(generator: &mut SchemaGenerator, doc: &str, value: &Type) -> Schema {
    value.told(generator, doc)
}

/// Writes a default as JSON.
pub fn written<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// A default that is not told here.
pub fn elsewhere() -> Value {
    Value::Null
}

/// Adds the lines of a doc comment.
fn describe(schema: &mut Schema, doc: &str) {
    let lines: Vec<&str> = doc.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let text = lines.join("\n");
    if !text.trim().is_empty() {
        schema.insert("description".to_owned(), json!(text.trim()));
    }
}

/// Writes down a key's type with its bounds.
#[macro_export]
#[doc(hidden)]
macro_rules! told_type {
    ($type:ty $(, $bounds:expr)? $(; $keywords:tt)?) => {
        $crate::told::Type {
            schema: $crate::told::within::<$type>,
            bounds: &[$(&$bounds)?],
            keywords: &[$(|| $crate::told::json!($keywords))?],
            spelling: stringify!($type),
        }
    };
}

/// Returns a line of a doc comment; nothing for another attribute.
#[macro_export]
#[doc(hidden)]
macro_rules! told_doc {
    (doc = $line:expr) => {
        concat!($line, "\n")
    };
    ($($other:tt)*) => {
        ""
    };
}

/// Writes down what an attribute says of a key of a type, or of a table.
#[macro_export]
#[doc(hidden)]
macro_rules! told_attribute {
    ([$type:ty] serde(default $(, rename_all = $rename:literal)?)) => {
        $crate::told::Attribute {
            default: Some(|| $crate::told::written(&<$type>::default())),
            skips: false,
            name: None,
        }
    };
    // A default that is not written is not told.
    ([$type:ty] serde(default, skip_serializing_if = $skips:literal)) => {
        $crate::told::Attribute { default: Some($crate::told::elsewhere), skips: true, name: None }
    };
    ([$type:ty] serde(default, skip_serializing)) => {
        $crate::told::Attribute { default: Some($crate::told::elsewhere), skips: false, name: None }
    };
    ([$type:ty] serde(default = $elsewhere:literal)) => {
        $crate::told::Attribute { default: Some($crate::told::elsewhere), skips: false, name: None }
    };
    ([$type:ty] serde(default = $elsewhere:literal, skip_serializing_if = $skips:literal)) => {
        $crate::told::Attribute { default: Some($crate::told::elsewhere), skips: true, name: None }
    };
    ([$type:ty] serde(skip_serializing_if = $skips:literal)) => {
        $crate::told::Attribute { default: None, skips: true, name: None }
    };
    ([$type:ty] serde(rename = $name:literal)) => {
        $crate::told::Attribute { default: None, skips: false, name: Some($name) }
    };
    ([$type:ty] $($other:tt)*) => {
        $crate::told::Attribute { default: None, skips: false, name: None }
    };
}

/// Implements `JsonSchema` for a type by a function of what is written down.
#[macro_export]
#[doc(hidden)]
macro_rules! told {
    ($Name:ident, $generator:ident => $schema:expr) => {
        impl schemars::JsonSchema for $Name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($Name).into()
            }
            fn schema_id() -> std::borrow::Cow<'static, str> {
                concat!(module_path!(), "::", stringify!($Name)).into()
            }
            fn json_schema($generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
}

pub use serde_json::json;
pub use {told, told_attribute, told_doc, told_type};
