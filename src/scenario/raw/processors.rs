//! The processors of a cluster: a number, or those of the traced machine.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The word that stands for the processors of the traced machine.
const TRACE: &str = "trace";

/// The processors of a cluster, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processors {
    /// This many.
    Number(u32),
    /// `"trace"`: as many as the header of a trace says in `MaxProcs`.
    Trace,
}

impl fmt::Display for Processors {
    /// Writes it as in a scenario.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Processors::Number(number) => number.fmt(out),
            Processors::Trace => write!(out, "\"{TRACE}\""),
        }
    }
}

impl Serialize for Processors {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Processors::Number(number) => serializer.serialize_u32(*number),
            Processors::Trace => serializer.serialize_str(TRACE),
        }
    }
}

impl<'de> Deserialize<'de> for Processors {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Processors, D::Error> {
        deserializer.deserialize_any(Written)
    }
}

struct Written;

impl Visitor<'_> for Written {
    type Value = Processors;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "a whole number or \"{TRACE}\"")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Processors, E> {
        let (bound, limit) = if number < 1 { ("at least", 1) } else { ("at most", u32::MAX) };
        // Zero is left to `resolve`, which reports it together with other mistakes.
        u32::try_from(number)
            .map(Processors::Number)
            .map_err(|_| E::custom(format!("must be {bound} {limit}, but is {number}")))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Processors, E> {
        self.visit_i64(i64::try_from(number).unwrap_or(i64::MAX))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Processors, E> {
        let remedy = match number {
            whole if whole.fract() == 0.0 => format!("; write `{whole:.0}`"),
            _ => String::new(),
        };
        Err(E::custom(format!("expected a whole number or \"{TRACE}\", found {number:?}{remedy}")))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Processors, E> {
        if text == TRACE {
            return Ok(Processors::Trace);
        }
        let remedy = match text.trim().parse::<u32>() {
            Ok(number) => format!("; write it without quotes: `{number}`"),
            Err(_) => String::new(),
        };
        let expected = format!("expected a whole number or \"{TRACE}\"");
        Err(E::custom(format!("{expected}, found another string{remedy}")))
    }

    /// A stand-in for a value that could not be read.
    fn visit_unit<E: Error>(self) -> Result<Processors, E> {
        Ok(Processors::Number(1))
    }
}

impl JsonSchema for Processors {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Processors".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["integer", "string"],
            "minimum": 1,
            "maximum": u32::MAX,
            "pattern": format!("^{TRACE}$"),
        })
    }
}
