//! What a scenario can be made of is told by the program itself.

use serde_json::Value;

use crate::support::Folder;

fn list(words: &str) -> String {
    let said = Folder::new("").run(&format!("list {words}"));
    assert_eq!((said.code, &*said.error), (0, ""), "{words}");
    said.out
}

#[test]
fn a_kind_is_listed_with_parameters_and_sources() {
    let expected = "\
arrivals: When drawn jobs come.
written at organization[].workload.synthetic.arrivals or workload.shared.source.synthetic.arrivals

  poisson
      A Poisson process: the gaps are exponential and independent.
      - rate (number, at least 0.000000001, at most 100000; required): Jobs per unit of time.
      source: Kleinrock, Queueing Systems, volume 1, 1975
";
    assert!(list("arrivals").starts_with(expected), "{}", list("arrivals"));
    let schedulers = list("schedulers");
    assert_eq!(list("Scheduler"), schedulers);
    assert!(schedulers.contains("\n  easy\n"), "{schedulers}");
    assert!(schedulers.lines().all(|line| line.chars().count() <= 100), "{schedulers}");
    assert_eq!(list("import_rules"), list("import-rule"));
    let all = list("");
    assert!(all.contains(&schedulers) && all.contains(expected), "{all}");
}

#[test]
fn an_unknown_kind_is_answered_with_the_nearest() {
    let said = Folder::new("").run("list shedulers");
    assert_eq!(said.code, 2);
    let expected = "error: there is no kind of choices called `shedulers`\n\
        help: did you mean `schedulers`?\n";
    assert_eq!(said.error, expected);
    let said = Folder::new("").run("list xyzzy");
    assert!(said.error.contains("the kinds are `clusters`, "), "{}", said.error);
}

#[test]
fn keys_are_listed_in_every_format() {
    let text = list("keys");
    let seed =
        "seed (whole number, at least 0; default 1)\n    The master seed of all random streams.\n";
    assert!(text.contains(seed), "{text}");
    let csv = list("keys --format csv");
    assert!(csv.starts_with("key,value,default,meaning\n"), "{csv}");
    let json: Value = serde_json::from_str(&list("keys --format json")).unwrap();
    let keys = json.as_array().unwrap();
    let rows = csv::Reader::from_reader(csv.as_bytes()).into_records().count();
    assert_eq!(rows, keys.len());
    assert_eq!(list("keys --format markdown").lines().count(), rows + 2);
    let name = keys.iter().find(|key| key["key"] == "name").unwrap();
    assert_eq!((&name["required"], &name["value"]), (&Value::Bool(true), &"string".into()));
}

#[test]
fn choices_are_listed_in_every_format() {
    let kinds: Value = serde_json::from_str(&list("--format json")).unwrap();
    let kinds = kinds.as_array().unwrap();
    let choices = kinds.iter().map(|kind| kind["choices"].as_array().unwrap().len());
    let csv = list("--format csv");
    let rows = csv::Reader::from_reader(csv.as_bytes()).into_records().count();
    assert_eq!(rows, choices.sum::<usize>());
    let markdown = list("--format markdown");
    assert_eq!(markdown.lines().filter(|line| line.starts_with("## ")).count(), kinds.len());
}

#[test]
fn the_schema_is_the_one_that_is_committed() {
    let said = Folder::new("").run("schema");
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/gridpact.schema.json");
    let committed = std::fs::read_to_string(committed).unwrap();
    assert!(said.code == 0 && said.out == committed, "see tests/schema.rs for the difference");
}
