//! The same of game files.

use std::fs;
use std::path::PathBuf;

use gridpact::scenario::files::Files;
use gridpact::scenario::root::Root;
use gridpact::scenario::schema::schema_of;
use gridpact::scenario::{Input, Overrides, load_any, raw, tree};
use jsonschema::Validator;
use toml::{Table, Value};

use super::{is_bound, json, mutants, project, unlike_whole};

/// Games that the gallery does not show.
const OTHERS: [&str; 4] = [
    r#"
        name = "table"
        run = { until.rounds = 5, replications = 2 }
        [game]
        payoffs.table = { choices = [2, 2], payoffs = [[1, 1], [0, 2], [2, 0], [1, 1]] }
        noise.normal.deviation = 0.5
        [[player]]
        name = "a"
        learner.fixed.probability = 0.5
        cooperate = "2"
        [[player]]
        name = "b"
        learner.ratio = {}
        actions = ["up", "down"]
        cooperate = "down"
        first_round = 2
        [output]
        rounds = true
    "#,
    r#"
        name = "bimatrix"
        [game]
        payoffs.bimatrix = { row = [[1, 0], [0, 1]], column = [[1, 0], [0, 1]] }
        noise = "coin"
        [[player]]
        name = "a"
        count = 2
        learner = "cross"
    "#,
    r#"
        name = "imitators"
        [game]
        payoffs.pairwise = [[1, 0], [0, 1]]
        [dynamics.imitation]
        rule.fermi = { intensity = 1 }
        population = 9
        from = 3
        steps = 100
    "#,
    r#"
        name = "sizes"
        [game]
        payoffs.sizes = [1, 4]
    "#,
];

fn games() -> Vec<String> {
    let files = fs::read_dir(project("scenarios/games")).unwrap();
    let files = files.map(|entry| entry.unwrap().path());
    let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "toml"));
    let mut files: Vec<PathBuf> = files.chain([project("src/cli/new/game.toml")]).collect();
    files.sort();
    let texts = files.into_iter().map(|file| fs::read_to_string(file).unwrap());
    texts.chain(OTHERS.map(str::to_owned)).collect()
}

fn validator() -> Validator {
    jsonschema::draft202012::new(&schema_of(Root::Game)).expect("the schema is one")
}

fn reads(text: &str) -> bool {
    let mut files = Files::new();
    let file = files.add_in(project("scenarios/games"), "it", text);
    tree::parse(&files, file, 0).is_ok_and(|tree| raw::Game::read(&tree).0.is_some())
}

fn resolves(text: &str) -> bool {
    let input = Input::Bytes { name: "it", bytes: text.as_bytes().to_vec() };
    load_any(input, &Overrides::default(), &mut Files::new()).is_ok()
}

#[test]
fn every_game_is_valid() {
    let validator = validator();
    for text in games() {
        let json = json(&text);
        let found: Vec<String> = validator.iter_errors(&json).map(|e| e.to_string()).collect();
        assert!(found.is_empty(), "{text}\n{found:#?}");
        assert!(reads(&text) && resolves(&text), "{text}");
    }
}

/// Two rows of numbers show as much as nine.
fn shortened(mut game: Table) -> Table {
    let counts = game.get_mut("game").and_then(|game| game.get_mut("payoffs")?.get_mut("counts"));
    if let Some(Value::Table(counts)) = counts {
        for (_, row) in counts.iter_mut() {
            if let Value::Array(row) = row {
                row.truncate(2);
            }
        }
    }
    game
}

#[test]
fn the_schema_and_the_reader_agree_on_every_mutant_of_every_game() {
    let validator = validator();
    let (mut valid, mut invalid, mut bounds) = (0, 0, 0);
    for text in games() {
        let original: Table = toml::from_str(&text).unwrap();
        for mutant in mutants(&Value::Table(shortened(original))) {
            let Value::Table(_) = mutant else { continue };
            let text = toml::to_string(&mutant).unwrap();
            let json = serde_json::to_value(unlike_whole(mutant)).unwrap();
            match (validator.is_valid(&json), reads(&text)) {
                (true, true) => valid += 1,
                (false, false) => invalid += 1,
                // Whether a value is within its bounds is said by `resolve`, and it does say so.
                (false, true) => {
                    let mut errors = validator.iter_errors(&json);
                    assert!(errors.all(|error| is_bound(error.kind())), "{text}");
                    assert!(!resolves(&text), "{text}\nis right, but not by the schema");
                    bounds += 1;
                }
                (true, false) => panic!("the reader refuses what the schema takes:\n{text}"),
            }
        }
    }
    assert!(valid > 100 && invalid > 1000 && bounds > 20, "{valid} {invalid} {bounds}");
}
