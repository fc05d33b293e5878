//! `gridpact list`: every choice and key of scenarios.

mod text;

use clap::Args;
use findings::measure::Metric;
use kernel::map::Set;
use records::field::Kind as Type;
use report::files::{self, columns::CsvFile};
use report::table::{self, Column, Format, Table, columns};
use scenario::aliases;
use scenario::catalog::{self, Choice, Key, Kind};
use scenario::diagnostics::{listed, show};
use scenario::root::Root;
use serde::Serialize;

use super::tips::meant;
use super::{Failure, format, print};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Kind of choices to list, such as schedulers, or one choice, such as hedge; `keys` lists every
    /// key, `game-keys` those of games, `measures` every figure of results, `columns` those of CSV files
    /// [default: every kind].
    #[arg(value_name = "KIND")]
    kind: Option<String>,
    /// Only this choice of the kind, or this file.
    #[arg(value_name = "CHOICE")]
    one: Option<String>,
    #[command(flatten)]
    choice: format::Choice,
}

/// Words that list the measures.
const MEASURES: [&str; 2] = ["measures", "measure"];
/// Word that lists all keys.
const KEYS: &str = "keys";
/// Words that list the columns of CSV files.
const COLUMNS: [&str; 2] = ["columns", "column"];
/// Words that list all keys of games.
const GAME_KEYS: [&str; 2] = ["game-keys", "game-key"];

pub(super) fn list(arguments: &Arguments) -> Result<(), Failure> {
    let format = arguments.choice.format;
    let Some(name) = arguments.kind.as_deref() else {
        return print(&choices(&catalog::catalog(), format));
    };
    if MEASURES.contains(&&*name.to_lowercase()) {
        return arguments.choice.print(&measures(arguments.one.as_deref())?);
    }
    if COLUMNS.contains(&&*name.to_lowercase()) {
        return arguments.choice.print(&columns(arguments.one.as_deref(), format)?);
    }
    let root = match name.to_lowercase() {
        name if [KEYS, "key"].contains(&&*name) => Some(Root::Grid),
        name if GAME_KEYS.contains(&&*name) => Some(Root::Game),
        _ => None,
    };
    let kind = match (root, catalog::kind(name), &arguments.one) {
        (Some(_), _, Some(one)) => return Err(no_part(name, one)),
        (Some(root), ..) => return print(&keys(catalog::keys_in(root), format)),
        (None, Some(kind), Some(one)) => choice_of(kind, one)?,
        (None, None, Some(_)) => return Err(unknown_kind(name)),
        (None, Some(kind), None) => kind,
        (None, None, None) => only_choice(name)?,
    };
    print(&choices(&[kind], format))
}

/// The register of measures, or one of them.
fn measures(one: Option<&str>) -> Result<Table, Failure> {
    let all = Metric::ALL.iter().map(|metric| metric.measure());
    let table =
        Table::of("measures", all.filter(|measure| one.is_none_or(|one| one == measure.name)))
            .text("measure", |measure| measure.name)
            .text("of", |measure| measure.worlds.join(", "))
            .column(Column::text("unit").rank(2), |measure| measure.unit.name())
            .text("better", |measure| measure.better.name())
            .column(Column::text("kind").rank(1), |measure| measure.kind.name())
            .column(Column::prose("summary"), |measure| measure.summary)
            .table();
    if let Some(one) = one.filter(|_| table.is_empty()) {
        let names = Metric::ALL.iter().map(|metric| metric.name());
        let help = meant(one, names, || "`gridpact list measures` has them all".to_owned());
        let one = show(one);
        return Err(Failure::Input(format!("there is no measure called `{one}`\nhelp: {help}")));
    }
    Ok(table)
}

/// The columns of all CSV files, or of those of a name.
fn columns(one: Option<&str>, format: Format) -> Result<Table, Failure> {
    let files = files::columns::all();
    let is_called = |file: &&CsvFile| one.is_none_or(|one| file.name == one || file.stem() == one);
    let rows = files.iter().filter(is_called);
    let rows = rows.flat_map(|file| {
        let all = match format.is_for_people() {
            true => file.grouped(),
            false => file.columns.iter().map(|one| (&*one.0, one.1.to_string())).collect(),
        };
        let kind = |name: &str| file.columns.iter().find(|one| one.0 == name).map(|one| one.2);
        all.into_iter().map(move |(name, meaning)| (file, name, kind(name), meaning))
    });
    let columns = columns![|(file, name, kind, meaning): &(&CsvFile, &str, Option<Type>, String)|
        Column::text("file") => file.name,
        Column::text("of").rank(1) => file.world,
        Column::text("column") => *name,
        Column::text("type").for_programs() => kind.map(Type::word),
        Column::prose("meaning") => meaning.as_str(),
    ];
    let table = Table::by_columns("columns", rows, columns);
    if let Some(one) = one.filter(|_| table.is_empty()) {
        let names = files.iter().map(|file| file.name);
        let help = meant(one, names, || "`gridpact list columns` has them all".to_owned());
        let one = show(one);
        return Err(Failure::Input(format!("there is no CSV file called `{one}`\nhelp: {help}")));
    }
    Ok(table)
}

/// Leaves a kind with the choice of this name only.
fn choice_of(mut kind: Kind, name: &str) -> Result<Kind, Failure> {
    if kind.choices.iter().any(|choice| is_called(choice, name)) {
        kind.choices.retain(|choice| is_called(choice, name));
        return Ok(kind);
    }
    let names: Vec<&str> = kind.choices.iter().map(|choice| &*choice.name).collect();
    let help = aliases::choice_meant(name, &names)
        .help()
        .unwrap_or_else(|| format!("the {} are {}", kind.plural, listed(&names, "and")));
    let message = format!("there is no `{}` among the {}", show(name), kind.plural);
    Err(Failure::Input(format!("{message}\nhelp: {help}")))
}

/// Returns the one kind that has a choice of this name, with that choice only.
fn only_choice(name: &str) -> Result<Kind, Failure> {
    let mut kinds = catalog::catalog();
    kinds.retain(|kind| kind.choices.iter().any(|choice| is_called(choice, name)));
    if kinds.len() > 1 {
        let one = |kind: &Kind| format!("gridpact list {} {}", kind.plural, show(name));
        let commands: Vec<String> = kinds.iter().map(one).collect();
        return Err(Failure::Input(format!(
            "`{}` is a choice of {} kinds\nhelp: write {}",
            show(name),
            kinds.len(),
            listed(&commands, "or")
        )));
    }
    kinds.pop().map_or_else(|| Err(unknown(name)), |kind| choice_of(kind, name))
}

/// Case and the kind of dash do not matter.
fn is_called(choice: &Choice, name: &str) -> bool {
    choice.name == name.to_lowercase().replace(['-', ' '], "_")
}

fn no_part(name: &str, one: &str) -> Failure {
    let name = show(name);
    Failure::Input(format!(
        "`{name}` lists keys, which have no choice `{}`\nhelp: write `gridpact list {name}`",
        show(one)
    ))
}

/// Names of all kinds, and the words that list keys.
fn kind_names(kinds: &[Kind]) -> Vec<&'static str> {
    kinds
        .iter()
        .map(|kind| kind.plural)
        .chain([KEYS, GAME_KEYS[0], MEASURES[0], COLUMNS[0]])
        .collect()
}

fn unknown_kind(name: &str) -> Failure {
    let names = kind_names(&catalog::catalog());
    let all = || format!("the kinds are {}", listed(&names, "and"));
    let help = meant(name, names.iter().copied(), all);
    Failure::Input(format!("there is no kind of choices called `{}`\nhelp: {help}", show(name)))
}

/// Refuses a name that is neither a kind nor a choice: a word of another field, a key, or a name
/// spelled wrongly.
fn unknown(name: &str) -> Failure {
    let kinds = catalog::catalog();
    let kind_names = kind_names(&kinds);
    let mut names = kind_names.clone();
    names.extend(kinds.iter().flat_map(|kind| &kind.choices).map(|choice| &*choice.name));
    let mut seen = Set::new();
    names.retain(|name| seen.insert(*name));
    let mut help = aliases::sentences(name);
    let near = aliases::choice_meant(name, &names).names;
    if !near.is_empty() {
        help.push(format!("did you mean {}?", listed(&near, "or")));
    }
    if let Some(key) = keys_called(name) {
        help.push(format!(
            "`{}` is a key, as in `{key}`; `gridpact list keys` has them all",
            show(name)
        ));
    }
    if help.is_empty() {
        help.push(format!("the kinds are {}", listed(&kind_names, "and")));
    }
    Failure::Input(format!(
        "there is no kind and no choice called `{}`\nhelp: {}",
        show(name),
        help.join("\nhelp: ")
    ))
}

/// The first key that ends in this name.
fn keys_called(name: &str) -> Option<String> {
    let all = [Root::Grid, Root::Game].into_iter().flat_map(catalog::keys_in);
    let plain = |key: &Key| key.key.replace("[]", "");
    all.map(plain).find(|key| key.rsplit('.').next() == Some(name))
}

fn choices(kinds: &[Kind], format: Format) -> String {
    match format {
        Format::Text => text::kinds(kinds, format::width()),
        Format::Json => json(&kinds),
        Format::Csv => choices_table("choices", kinds).render(format, None),
        Format::Markdown | Format::Latex => {
            let one = |kind: &Kind| choices_table(kind.plural, std::slice::from_ref(kind));
            table::several(&kinds.iter().map(one).collect::<Vec<_>>(), format)
        }
    }
}

fn choices_table(name: &'static str, kinds: &[Kind]) -> Table {
    let choices = kinds.iter().flat_map(|kind| kind.choices.iter().map(move |one| (kind, one)));
    Table::of(name, choices)
        .text("kind", |(kind, _)| kind.name)
        .text("name", |(_, choice)| &*choice.name)
        .column(Column::prose("summary"), |(_, choice)| &*choice.summary)
        .text("key", |(_, choice)| &*choice.key)
        .text("value", |(_, choice)| &*choice.value)
        .column(Column::prose("parameters"), |(_, choice)| parameters(choice))
        .column(Column::prose("source"), |(_, choice)| choice.citation)
        .table()
}

/// The parameters of a choice: `processors (whole number, at least 1; required), ...`.
fn parameters(choice: &Choice) -> Option<String> {
    let each = |key: &Key| format!("{} ({})", key.key, text::takes(key));
    let all: Vec<String> = choice.parameters.iter().map(each).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

fn keys(keys: &[Key], format: Format) -> String {
    match format {
        Format::Text => text::keys(keys, format::width()),
        Format::Json => json(&keys),
        Format::Csv | Format::Markdown | Format::Latex => Table::of("keys", keys)
            .text("key", |key| &*key.key)
            .text("value", |key| &*key.value)
            .text("default", |key| Some(key.default_or_required()).filter(|text| !text.is_empty()))
            .column(Column::prose("meaning"), |key| &*key.meaning)
            .table()
            .render(format, None),
    }
}

fn json(value: &impl Serialize) -> String {
    String::from_utf8(scenario::json::pretty(value)).expect("JSON is UTF-8")
}
