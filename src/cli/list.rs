//! `gridpact list`: what a scenario can be made of.

mod text;

use clap::Args;
use gridpact::report::table::{self, Cell, Column, Format, Table};
use gridpact::scenario::catalog::{self, Choice, Key, Kind};
use gridpact::scenario::diagnostics::{listed, nearest, show};
use gridpact::scenario::root::Root;
use serde::Serialize;

use super::{Failure, format, print};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A kind of choices, such as schedulers, `keys` for every key, or `game-keys` for those of
    /// games [default: every kind].
    #[arg(value_name = "KIND")]
    kind: Option<String>,
    #[command(flatten)]
    choice: format::Choice,
}

/// What asks for all keys.
const KEYS: &str = "keys";
/// What asks for all keys of games.
const GAME_KEYS: [&str; 2] = ["game-keys", "game-key"];

pub(super) fn list(arguments: &Arguments) -> Result<(), Failure> {
    let format = arguments.choice.format;
    let kinds = match arguments.kind.as_deref() {
        Some(name) if [KEYS, "key"].contains(&name.to_lowercase().as_str()) => {
            return print(&keys(catalog::keys(), format));
        }
        Some(name) if GAME_KEYS.contains(&name.to_lowercase().as_str()) => {
            return print(&keys(catalog::keys_in(Root::Game), format));
        }
        Some(name) => vec![catalog::kind(name).ok_or_else(|| unknown(name))?],
        None => catalog::catalog(),
    };
    print(&choices(&kinds, format))
}

fn unknown(name: &str) -> Failure {
    let kinds = catalog::catalog();
    let names: Vec<&str> =
        kinds.iter().map(|kind| kind.plural).chain([KEYS, GAME_KEYS[0]]).collect();
    let help = match nearest(name, names.iter().copied()).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the kinds are {}", listed(&names, "and")),
    };
    Failure::Input(format!("there is no kind of choices called `{}`\nhelp: {help}", show(name)))
}

fn choices(kinds: &[Kind], format: Format) -> String {
    match format {
        Format::Text => text::kinds(kinds, format::width()),
        Format::Json => json(kinds),
        Format::Csv => choices_table("choices", kinds).render(format, None),
        Format::Markdown => {
            let one = |kind: &Kind| choices_table(kind.plural, std::slice::from_ref(kind));
            table::markdown(&kinds.iter().map(one).collect::<Vec<_>>())
        }
    }
}

fn choices_table(name: &'static str, kinds: &[Kind]) -> Table {
    let columns = [
        Column::text("kind"),
        Column::text("name"),
        Column::prose("summary"),
        Column::text("key"),
        Column::text("value"),
        Column::prose("parameters"),
        Column::prose("source"),
    ];
    let mut table = Table::new(name, columns);
    for kind in kinds {
        for choice in &kind.choices {
            table.row([
                Cell::from(kind.name),
                Cell::from(choice.name.as_str()),
                Cell::from(choice.summary.as_str()),
                Cell::from(choice.key.as_str()),
                Cell::from(choice.value.as_str()),
                Cell::from(parameters(choice)),
                Cell::from(choice.citation),
            ]);
        }
    }
    table
}

/// `processors (whole number, at least 1; required), ...`.
fn parameters(choice: &Choice) -> Option<String> {
    let each = |key: &Key| format!("{} ({})", key.key, text::takes(key));
    let all: Vec<String> = choice.parameters.iter().map(each).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

fn keys(keys: &[Key], format: Format) -> String {
    match format {
        Format::Text => text::keys(keys, format::width()),
        Format::Json => json(keys),
        Format::Csv | Format::Markdown => {
            let columns = [
                Column::text("key"),
                Column::text("value"),
                Column::text("default"),
                Column::prose("meaning"),
            ];
            let mut table = Table::new("keys", columns);
            for key in keys {
                let default = Some(key.default_or_required()).filter(|text| !text.is_empty());
                table.row([
                    Cell::from(key.key.as_str()),
                    Cell::from(key.value.as_str()),
                    Cell::from(default),
                    Cell::from(key.meaning.as_str()),
                ]);
            }
            table.render(format, None)
        }
    }
}

fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string_pretty(value).expect("plain data serializes into memory") + "\n"
}
