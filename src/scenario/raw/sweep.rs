//! `[sweep]`: the keys that a parameter study varies, and their values.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use findings::measure::Metric;

/// `[sweep]`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Sweep {
    /// Keys with lists of values, or ranges such as `{ from = 0.5, to = 0.9, steps = 5 }`: every
    /// combination is a point. A range with `scale = "log"` goes by equal factors.
    pub grid: Values,
    /// Points one by one, each a table of keys with one value: keys that vary together.
    pub list: Vec<Values>,
    /// Points drawn so that each key's range is covered evenly.
    pub latin_hypercube: Option<Drawn>,
    /// Points of a scrambled Sobol sequence, laid out so that Sobol indices can be estimated: which
    /// key explains how much of the variance.
    pub sobol: Option<Sobol>,
    /// Keys with a formula each, such as `"1000 * clusters"`, of keys and variables that vary.
    pub computed: Values,
    /// Names in `grid`, `list` or ranges that are no keys and only stand in formulas.
    pub variables: Vec<String>,
    /// Measure that the summary and the picture show; by default flow of grids and coalitions,
    /// welfare of games.
    pub measure: Option<Metric>,
    /// Organization or class that it is shown of; `light` also stands for a class `light-1..9`. By
    /// default all together.
    pub unit: Option<String>,
    /// Key whose values are compared with its first one, all others being equal. By default the
    /// first key with words for values.
    pub compare: Option<String>,
}

/// `sweep.latin_hypercube`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// Number of points.
    #[schemars(range(min = 1, max = 100_000))]
    pub points: u32,
    /// Keys with a range `{ from = 0.5, to = 0.9 }`, or a list of values of equal probability.
    pub ranges: Values,
    /// Seed of the draw.
    #[serde(default = "one")]
    pub seed: u64,
}

/// `sweep.sobol`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sobol {
    /// Number of base points, best a power of two; with k keys there are k + 2 points for each.
    #[schemars(range(min = 1, max = 100_000))]
    pub points: u32,
    /// Keys with a range `{ from = 0.5, to = 0.9 }`, or a list of values of equal probability.
    pub ranges: Values,
    /// False for the base points alone, without indices.
    #[serde(default = "yes")]
    pub indices: bool,
    /// Seed of the scrambling.
    #[serde(default = "one")]
    pub seed: u64,
}

fn one() -> u64 {
    1
}

fn yes() -> bool {
    true
}

/// A table of keys with values of any kind, which are read from the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values;

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Values, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Values)
    }
}

impl JsonSchema for Values {
    fn schema_name() -> Cow<'static, str> {
        "Values".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": true })
    }
}
