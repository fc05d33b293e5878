//! JSON Schemas of the JSON files of a run, derived from the types that write them.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::columns::{self, Described};
use super::{Manifest, Timing};
use crate::page::Page;
use crate::table::{Table, described};
use crate::world::Common;
use crate::{coalition, comparison, game, grid, sweep};

/// A JSON file that a run leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultFile {
    /// `summary.json`.
    Summary,
    /// `manifest.json`.
    Manifest,
    /// `timing.json`.
    Timing,
    /// `report.json`.
    Page,
}

/// The schema of a file, for all worlds (draft 2020-12).
///
/// A summary has the keys that all worlds have, and those of the world that it names; a world from
/// outside may have any others.
pub fn schema_of(file: ResultFile) -> Value {
    let schema = match file {
        ResultFile::Manifest => derived::<Manifest>(),
        ResultFile::Timing => derived::<Timing>(),
        ResultFile::Page => derived::<Page>(),
        ResultFile::Summary => {
            let mut common = derived::<Common<'_>>();
            let own = [
                ("grid", derived::<grid::json::Summary<'_>>()),
                ("coalition", derived::<coalition::json::Summary>()),
                ("game", derived::<game::json::Summary>()),
                ("dynamics", derived::<game::dynamics::Summary<'_>>()),
                ("comparison", derived::<comparison::Summary>()),
                ("sweep", derived::<sweep::Summary>()),
            ];
            let files = columns::all();
            let rules = own.map(|(world, mut own)| {
                for file in files.iter().filter(|file| file.world == world) {
                    describe_rows(&mut own, file.stem(), &file.columns);
                }
                describe_rows(&mut own, "solution", &described(&game::solved::columns()));
                serde_json::json!({
                    "if": { "properties": { "world": { "const": world } } },
                    "then": own,
                })
            });
            common.insert("allOf".to_owned(), Value::Array(rules.to_vec()));
            common
        }
    };
    schema.into()
}

/// Describes the columns of the table that is called so, if there is one.
fn describe_rows(of_world: &mut Schema, table: &str, columns: &[Described]) {
    let items = of_world.pointer_mut(&format!("/properties/{table}/items"));
    let Some(items) = items else { return };
    let keys = columns.iter().map(|(name, meaning, _)| {
        (name.clone().into_owned(), serde_json::json!({ "description": meaning }))
    });
    items["properties"] = Value::Object(keys.collect());
}

/// A schema without references, which can stand within another.
fn derived<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.contract = schemars::generate::Contract::Serialize;
    });
    settings.into_generator().into_root_schema_for::<T>()
}

/// A table is an array with an object for each row.
impl JsonSchema for Table {
    fn schema_name() -> Cow<'static, str> {
        "Table".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": { "type": "object" } })
    }
}
