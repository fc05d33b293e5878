//! The subject of a file: a grid, or a game without one. Each has its own keys.

use schemars::generate::SchemaSettings;
use serde::de::value::Error as AnyError;
use serde::de::{Deserialize, Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value as Json;

use super::diagnostics::Diagnostic;
use super::raw;
use super::tree::{Node, Value};

/// The subject of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// A grid, alone or with a coalition.
    Grid,
    /// A game: players, and the payoffs of each profile of their actions.
    Game,
}

/// Top-level keys that only a game has.
const OF_GAMES: [&str; 3] = ["game", "player", "dynamics"];
/// Top-level keys that only a grid has.
const OF_GRIDS: [&str; 7] =
    ["organization", "coalition", "cluster", "workload", "job", "application", "task_planner"];

impl Root {
    /// Returns the subject of a text and the node that decides it: the first top-level key that
    /// only one of the two kinds has.
    pub fn of(tree: &Node) -> Option<(Root, &Node)> {
        let Value::Table(entries) = &tree.value else { return None };
        entries.iter().find_map(|(key, node)| match &**key {
            key if OF_GAMES.contains(&key) => Some((Root::Game, node)),
            key if OF_GRIDS.contains(&key) => Some((Root::Grid, node)),
            _ => None,
        })
    }

    /// Returns an error if a file of the other kind was given.
    pub(super) fn mismatch(self, tree: &Node) -> Option<Diagnostic> {
        let (found, node) = Root::of(tree).filter(|(found, _)| *found != self)?;
        let (message, label, help) = match found {
            Root::Game => (
                "this is a game, without a grid",
                "only a game has this",
                // Nobody plays a game of coalitions; it has a value for each of them.
                match ["coalitions", "sizes"]
                    .iter()
                    .any(|worth| tree.find(&format!("game.payoffs.{worth}")).is_some())
                {
                    true => "`gridpact game solve FILE` solves it",
                    false => "`gridpact game FILE` plays it",
                },
            ),
            Root::Grid => (
                "this is a scenario of a grid, not a game",
                "only a grid has this",
                "`gridpact run FILE` simulates it; a game has `[game]` and a `[[player]]` for each \
                 who plays (`gridpact new game`)",
            ),
        };
        let place = node.key.as_ref().unwrap_or(&node.place).clone();
        Some(Diagnostic::error(message).at(place, label).help(help))
    }

    /// Returns the derived schema.
    pub(super) fn derived(self) -> Json {
        self.generated(true)
    }

    /// Returns the same with references: each type stands once, under `$defs`.
    pub(super) fn parts(self) -> Json {
        self.generated(false)
    }

    fn generated(self, is_inlined: bool) -> Json {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.inline_subschemas = is_inlined;
        });
        let generator = settings.into_generator();
        Json::from(match self {
            Root::Grid => generator.into_root_schema_for::<raw::Scenario>(),
            Root::Game => generator.into_root_schema_for::<raw::Game>(),
        })
    }

    /// Returns the root's keys, as its type names them.
    pub(super) fn keys(self) -> &'static [&'static str] {
        let mut keys: &[&str] = &[];
        // It ends as soon as the keys are known; that error is expected.
        let _ = match self {
            Root::Grid => raw::Scenario::deserialize(KeysOf(&mut keys)).map(drop),
            Root::Game => raw::Game::deserialize(KeysOf(&mut keys)).map(drop),
        };
        keys
    }
}

/// A deserializer that asks a type for its keys.
struct KeysOf<'k>(&'k mut &'static [&'static str]);

impl<'de> Deserializer<'de> for KeysOf<'_> {
    type Error = AnyError;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, AnyError> {
        Err(serde::de::Error::custom("only keys are asked for"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, AnyError> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
