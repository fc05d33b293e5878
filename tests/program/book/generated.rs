//! Pages that are written from the catalog of the program: every key, and every part by its kind.
//! `GRIDPACT_BLESS=1` writes them; otherwise they must be what would be written.

use std::fmt::Write as _;
use std::fs;

use gridpact::scenario::catalog::{self, Choice, Key, Kind};
use gridpact::scenario::root::Root;

use crate::book::blessing;
use crate::book::page::{GENERATED, source};

/// Compares a page with what it should be, or writes it.
#[track_caller]
fn same(name: &str, wanted: &str) {
    let path = source().join(name);
    if blessing() {
        fs::write(&path, wanted).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "{name} is out of date: run with GRIDPACT_BLESS=1");
}

fn head(title: &str, what: &str) -> String {
    format!("{GENERATED}; GRIDPACT_BLESS=1 writes it anew -->\n\n# {title}\n\n{what}\n")
}

/// Within a cell of a table.
fn cell(text: &str) -> String {
    text.replace("\n\n", " ").replace('\n', " ").replace('|', "\\|")
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{}`", cell(text)) }
}

fn row(out: &mut String, key: &str, entry: &Key) {
    let default = match (entry.required, &entry.default) {
        (true, _) => "required".to_owned(),
        (false, default) => code(default.as_deref().unwrap_or_default()),
    };
    let (value, meaning) = (cell(&entry.value), cell(&entry.meaning));
    let _ = writeln!(out, "| `{key}` | {value} | {default} | {meaning} |");
}

const HEADER: &str = "\n| key | value | default | meaning |\n|---|---|---|---|\n";

/// The section of a key (its table) and the key's name within it.
fn parted(key: &str) -> (&str, &str) {
    match key.rsplit_once('.') {
        Some((table, name)) => (table, name),
        None => ("", key),
    }
}

#[test]
fn the_page_of_keys_is_that_of_the_program() {
    let mut page = head(
        "The keys of a scenario",
        "Every key that a scenario may have, by the table that it stands in. `[]` stands behind a list of \
         tables:\n`organization[].name` is the key `name` below `[[organization]]`. A key without a \
         default may be left\nout unless it is required. `gridpact list keys` prints the same.\n\n\
         Times are in units: in seconds, where jobs come from traces.",
    );
    sections(&mut page, catalog::keys());
    same("reference/keys.md", &page);
}

#[test]
fn the_page_of_a_game_s_keys_is_that_of_the_program() {
    let mut page = head(
        "The keys of a game",
        "Every key that a game file may have, which `gridpact game` plays, by the table that it stands \
         in.\n`gridpact list game-keys` prints the same; [Let learners play a \
         game](../how-to/game.md) shows them at work.",
    );
    sections(&mut page, catalog::keys_in(Root::Game));
    same("reference/game-keys.md", &page);
}

/// A section for each table.
fn sections(page: &mut String, keys: &[Key]) {
    let mut tables: Vec<&str> = Vec::new();
    for key in keys {
        let (table, _) = parted(&key.key);
        if !tables.contains(&table) {
            tables.push(table);
        }
    }
    for table in tables {
        let title = if table.is_empty() { "At the top".to_owned() } else { format!("`{table}`") };
        let _ = write!(page, "\n## {title}\n{HEADER}");
        for key in keys {
            let (of, name) = parted(&key.key);
            if of == table {
                row(page, name, key);
            }
        }
    }
}

#[test]
fn the_page_of_parts_is_that_of_the_program() {
    let mut page = head(
        "Schedulers, workloads and other parts",
        "Everything that a scenario can choose from, by kind. `gridpact list` prints the same, and\n\
         `gridpact list schedulers` one kind. A choice is written as a table, `scheduler.easy = {}`, or, \
         where it needs\nno parameters, by its name alone: `scheduler = \"easy\"`.",
    );
    for kind in catalog::catalog() {
        part(&mut page, &kind);
    }
    same("reference/parts.md", &page);
}

fn part(page: &mut String, kind: &Kind) {
    let mut title = kind.plural.replace('-', " ");
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let keys: Vec<String> = kind.keys.iter().map(|key| format!("`{key}`")).collect();
    let _ = writeln!(page, "\n## {title}\n\n{}\n", kind.meaning);
    let _ = writeln!(page, "Written at {}.", keys.join(", "));
    let (plain, large): (Vec<_>, Vec<_>) =
        kind.choices.iter().partition(|choice| choice.parameters.is_empty());
    if !plain.is_empty() {
        page.push_str("\n| choice | value | meaning | source |\n|---|---|---|---|\n");
        for Choice { name, value, summary, citation, .. } in plain {
            let citation = cell(citation.unwrap_or_default());
            let (value, summary) = (cell(value), cell(summary));
            let _ = writeln!(page, "| `{name}` | {value} | {summary} | {citation} |");
        }
    }
    for choice in large {
        let _ = writeln!(page, "\n### `{}`\n\n{}", choice.name, choice.summary);
        if let Some(citation) = choice.citation {
            let _ = writeln!(page, "\nSource: {citation}.");
        }
        page.push_str(HEADER);
        for parameter in &choice.parameters {
            row(page, &parameter.key, parameter);
        }
    }
}
