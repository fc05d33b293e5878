//! Pages that are written from what the program knows: every key of scenarios, every part by its kind,
//! every column and key of result files. They are not committed: whatever reads the book writes them
//! first.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::sync::Once;

use gridpact::report::files::columns::{self, CsvFile};
use gridpact::report::files::schema::{ResultFile, schema_of};
use gridpact::scenario::catalog::{self, Choice, Key, Kind};
use gridpact::scenario::root::Root;
use serde_json::Value;

use crate::book::page::{GENERATED, source};

/// Writes the pages, once a process.
pub fn write() {
    static WRITTEN: Once = Once::new();
    WRITTEN.call_once(|| {
        let parts = Parts { kinds: catalog::catalog() };
        for (name, page) in parts.pages().into_iter().chain([("files.md", files())]) {
            let path = source().join("reference").join(name);
            if fs::read_to_string(&path).unwrap_or_default() != page {
                fs::write(&path, page).unwrap();
            }
        }
    });
}

fn head(title: &str, about: &str) -> String {
    format!("{GENERATED} -->\n\n# {title}\n\n{about}\n")
}

/// Within a cell of a table.
fn cell(text: &str) -> String {
    text.replace("\n\n", " ").replace('\n', " ").replace('|', "\\|")
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{}`", cell(text)) }
}

const HEADER: &str = "\n| key | value | default | meaning |\n|---|---|---|---|\n";

/// The page of all columns and keys of result files.
fn files() -> String {
    let mut page = head(
        "Columns and keys of the result files",
        "Every column of every CSV file and every key of the JSON files. [Result files](results.md), \
         [those of a\ncoalition](rounds.md), [of a campaign](campaigns.md) and [of a game](games.md) say \
         what the files are for.\n`gridpact list columns jobs` prints the columns of a file, `gridpact schema \
         --results summary` a JSON Schema.\n\nTimes and work are in units, in manifest.json in ticks. What \
         does not apply, or is not known, is an empty\ncell in CSV and `null` in JSON.",
    );
    let files = columns::all();
    let mut world = "";
    for file in &files {
        if file.world != world {
            world = file.world;
            let title = world[..1].to_uppercase() + &world[1..];
            let _ = write!(page, "\n## {title}\n");
        }
        let (name, about) = (file.name, file.about);
        let of = match world {
            "every run" => String::new(),
            "dynamics" => " of dynamics".to_owned(),
            world => format!(" of a {world}"),
        };
        let _ = write!(page, "\n### `{name}`{of}\n\nA line for every {about}.\n\n");
        page.push_str("| column | meaning |\n|---|---|\n");
        for (name, meaning) in file.grouped() {
            let _ = writeln!(page, "| `{name}` | {} |", cell(&meaning));
        }
    }
    page.push_str("\n## Keys\n");
    for (title, rows) in json_files(&files) {
        let _ = write!(page, "\n### {title}\n\n| key | meaning |\n|---|---|\n");
        for (key, meaning) in rows {
            let _ = writeln!(page, "| `{key}` | {} |", cell(&meaning));
        }
    }
    page
}

/// The keys of the JSON files, with what they mean; what only a world has by itself.
fn json_files(files: &[CsvFile]) -> Vec<(String, Vec<(String, String)>)> {
    let is_table = |world: &str, key: &str| {
        files.iter().any(|one| [world, "every run"].contains(&one.world) && one.stem() == key)
    };
    let all = [
        ("summary.json", ResultFile::Summary),
        ("manifest.json", ResultFile::Manifest),
        ("timing.json", ResultFile::Timing),
        ("report.json", ResultFile::Page),
    ];
    let mut found = Vec::new();
    for (name, file) in all {
        let schema = schema_of(file);
        let worlds = schema["allOf"].as_array().cloned().unwrap_or_default();
        let own = worlds.iter().map(|rule| {
            let world = rule["if"]["properties"]["world"]["const"].as_str().unwrap_or_default();
            let title = format!("`{name}` of a {world}").replace("a dynamics", "dynamics");
            (world, title, &rule["then"])
        });
        let common = ("", format!("`{name}`"), &schema);
        for (world, title, schema) in std::iter::once(common).chain(own) {
            let mut rows = Vec::new();
            keys(schema, "", &|key| is_table(world, key), &mut rows);
            found.push((title, rows));
        }
    }
    found
}

/// The keys that are told of in each JSON file.
pub fn told_keys() -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (title, rows) in json_files(&columns::all()) {
        let name = title.split('`').nth(1).unwrap_or_default().to_owned();
        all.entry(name).or_default().extend(rows.into_iter().map(|(key, _)| key));
    }
    all
}

/// The paths of a schema with what they mean. Nothing is told of what stands below tables that are CSV
/// files, and below choices, which the pages on keys tell of.
fn keys(
    schema: &Value,
    at: &str,
    is_table: &dyn Fn(&str) -> bool,
    rows: &mut Vec<(String, String)>,
) {
    let Some(properties) = schema["properties"].as_object() else { return };
    for (key, value) in properties {
        let path = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
        let meaning = value["description"].as_str().unwrap_or_default();
        let (path, below) = match value.get("items").filter(|items| items.is_object()) {
            Some(items) if items.get("properties").is_some() => (format!("{path}[]"), items),
            _ => (path, value),
        };
        if !meaning.is_empty() {
            rows.push((path.clone(), meaning.to_owned()));
        }
        if !is_table(key) {
            keys(below, &path, is_table, rows);
        }
    }
}

/// The kinds of parts, each described in one place, to which everything else links.
struct Parts {
    kinds: Vec<Kind>,
}

impl Parts {
    fn pages(&self) -> [(&'static str, String); 3] {
        let mut keys = head(
            "The keys of a scenario",
            "Every key that a scenario may have, by the table that it stands in. `[]` stands behind a list \
             of tables:\n`organization[].name` is the key `name` below `[[organization]]`. A key without a \
             default may be left\nout unless it is required. What can be chosen is a link, and described \
             with [the parts](parts.md).\n`gridpact list keys` prints every path in full.\n\n\
             Times are in units: in seconds, where jobs come from traces.",
        );
        self.sections(&mut keys, catalog::keys());
        let mut game_keys = head(
            "The keys of a game",
            "Every key that a game file may have, which `gridpact game` plays, by the table that it stands \
             in.\nWhat can be chosen is described with [the parts](parts.md). `gridpact list game-keys` \
             prints every path\nin full; [Let learners play a game](../how-to/game.md) shows them at work.",
        );
        self.sections(&mut game_keys, catalog::keys_in(Root::Game));
        let mut parts = head(
            "Schedulers, workloads and other parts",
            "Everything that a scenario can choose from, by kind. `gridpact list` prints the same, and\n\
             `gridpact list schedulers` one kind. A choice is written as a table, `scheduler.easy = {}`, \
             or, where it needs\nno parameters, by its name alone: `scheduler = \"easy\"`.",
        );
        for kind in &self.kinds {
            self.kind(&mut parts, kind);
        }
        [("keys.md", keys), ("game-keys.md", game_keys), ("parts.md", parts)]
    }

    /// The kind that is chosen at a key.
    fn chosen_at(&self, key: &str) -> Option<&Kind> {
        self.kinds.iter().find(|kind| kind.keys.iter().any(|at| at == key))
    }

    /// True if a key stands below one at which a part is chosen, itself below `table`.
    fn is_of_a_part(&self, key: &str, table: &str) -> bool {
        key.match_indices('.')
            .filter(|&(at, _)| at > table.len())
            .any(|(at, _)| self.chosen_at(key[..at].trim_end_matches("[]")).is_some())
    }

    /// A key as a row of a table, called by the rest of its path.
    fn row(&self, table: &str, key: &Key) -> String {
        let name = key.key[table.len()..].trim_start_matches('.');
        let default = match (key.required, &key.default) {
            (true, _) => "required".to_owned(),
            (false, default) => code(default.as_deref().unwrap_or_default()),
        };
        let value = match self.chosen_at(&key.key) {
            Some(Kind { plural, .. }) => {
                format!("one of the [{}](parts.md#{plural})", plural.replace('-', " "))
            }
            None => cell(&key.value),
        };
        format!("| `{name}` | {value} | {default} | {} |\n", cell(&key.meaning))
    }

    /// A section for each table that belongs to no part.
    fn sections(&self, page: &mut String, keys: &[Key]) {
        let table_of = |key: &Key| {
            key.key.rsplit_once('.').map(|(table, _)| table.to_owned()).unwrap_or_default()
        };
        let keys: Vec<&Key> = keys.iter().filter(|key| !self.is_of_a_part(&key.key, "")).collect();
        let mut tables: Vec<String> = Vec::new();
        for key in &keys {
            if !tables.contains(&table_of(key)) {
                tables.push(table_of(key));
            }
        }
        for table in tables {
            let title =
                if table.is_empty() { "At the top".to_owned() } else { format!("`{table}`") };
            let _ = write!(page, "\n## {title}\n{HEADER}");
            for key in keys.iter().filter(|key| table_of(key) == table) {
                page.push_str(&self.row(&table, key));
            }
        }
    }

    /// A section for each kind, with the keys of its choices and of the tables in these.
    fn kind(&self, page: &mut String, kind: &Kind) {
        let keys: Vec<String> = kind.keys.iter().map(|key| format!("`{key}`")).collect();
        let title = kind.plural.replace('-', " ");
        let title = title[..1].to_uppercase() + &title[1..];
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
        let tables: Vec<(&Choice, Vec<String>)> =
            large.into_iter().map(|choice| (choice, self.rows(choice))).collect();
        let common = common(&tables);
        if !common.is_empty() {
            let _ = writeln!(
                page,
                "\nMost have these keys besides their own.\n{HEADER}{}",
                common.concat()
            );
        }
        for (choice, rows) in &tables {
            let _ = writeln!(page, "\n### `{}`\n\n{}", choice.name, choice.summary);
            if let Some(citation) = choice.citation {
                let _ = writeln!(page, "\nSource: {citation}.");
            }
            let has_common = !common.is_empty() && common.iter().all(|row| rows.contains(row));
            let own: Vec<&str> = (rows.iter().map(String::as_str))
                .filter(|row| !has_common || !common.iter().any(|other| other == row))
                .collect();
            if !own.is_empty() {
                let _ = write!(page, "{HEADER}{}", own.concat());
            }
            if has_common {
                let _ = writeln!(page, "\nIt has [the common keys](#{}).", kind.plural);
            }
        }
    }

    /// The rows of a choice: its keys, and those of the tables in it that are no parts.
    fn rows(&self, choice: &Choice) -> Vec<String> {
        let below = format!("{}.", choice.key);
        let all = catalog::keys().iter().chain(catalog::keys_in(Root::Game));
        let own = all
            .filter(|key| key.key.starts_with(&below) && !self.is_of_a_part(&key.key, &choice.key));
        let mut rows: Vec<String> = own.map(|key| self.row(&choice.key, key)).collect();
        // Grids and games share some parts.
        rows.dedup();
        rows
    }
}

/// The rows that at least half of the tables of a kind have, if they are several.
fn common(tables: &[(&Choice, Vec<String>)]) -> Vec<String> {
    let Some((_, most)) = tables.iter().max_by_key(|(_, rows)| rows.len()) else {
        return Vec::new();
    };
    let in_half = |row: &&String| {
        let count = tables.iter().filter(|(_, rows)| rows.contains(row)).count();
        count >= 3 && 2 * count >= tables.len()
    };
    most.iter().filter(in_half).cloned().collect()
}

#[test]
fn every_column_and_every_key_of_a_file_has_a_meaning() {
    for file in columns::all() {
        for (name, meaning, _) in &file.columns {
            assert!(!meaning.is_empty(), "{} {}: {name}", file.world, file.name);
        }
    }
    fn bare(schema: &Value, at: &str, found: &mut Vec<String>) {
        for (key, value) in schema["properties"].as_object().into_iter().flatten() {
            let path = format!("{at}.{key}");
            let below = value.get("items").unwrap_or(value);
            let has_keys = below.get("properties").is_some();
            if value.get("description").is_none() && !has_keys {
                found.push(path.clone());
            }
            // These are explanations themselves.
            if key != "definitions" {
                bare(below, &path, found);
            }
        }
        for rule in schema["allOf"].as_array().into_iter().flatten() {
            let world = &rule["if"]["properties"]["world"]["const"];
            bare(&rule["then"], &format!("{at}({world})"), found);
        }
    }
    let mut found = Vec::new();
    for file in [ResultFile::Summary, ResultFile::Manifest, ResultFile::Timing, ResultFile::Page] {
        bare(&schema_of(file), &format!("{file:?}"), &mut found);
    }
    assert!(found.is_empty(), "without a meaning: {found:#?}");
}

#[test]
fn every_key_stands_on_one_page_once() {
    let parts = Parts { kinds: catalog::catalog() };
    let [(_, keys), (_, games), (_, choices)] = parts.pages();
    assert!(keys.contains("| `learner` | one of the [learners](parts.md#learners) |"), "{keys}");
    assert!(!keys.contains("`organization[].learner.ratio`") && games.contains("## `player[]`"));
    for key in catalog::keys().iter().filter(|key| parts.is_of_a_part(&key.key, "")) {
        let name = key.key.rsplit('.').next().unwrap_or_default();
        // A choice with parameters has a section, any other key a row.
        let told = [format!("{name}` |"), format!("### `{name}`\n")];
        assert!(told.iter().any(|one| choices.contains(one)), "{}", key.key);
    }
}
