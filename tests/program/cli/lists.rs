//! `gridpact list` and the schema: the parts of a scenario, told by the program itself.

use serde_json::Value;

use crate::cli::support::Folder;

fn list(words: &str) -> String {
    let said = Folder::new("").run(&format!("list {words}"));
    assert_eq!((said.code, &*said.error), (0, ""), "{words}");
    said.out
}

#[test]
fn a_kind_is_listed_with_parameters_and_sources() {
    let expected = "\
arrivals: When drawn jobs come.
written at organization[].workload.synthetic.arrivals and 2 other keys

  poisson
      Poisson process: interarrival times are exponential.
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
fn one_choice_is_listed_alone() {
    let hedge = list("hedge");
    let expected = "\
learners: How an organization decides whether and how far to take part, or a player what to do.
written at organization[].learner and 3 other keys

  hedge
      Exponential weights on what each action would have paid.
      - rate (number, above 0, at most 1000): ";
    assert!(hedge.starts_with(expected), "{hedge}");
    assert!(
        hedge.contains("\n      - horizon (whole number, at least 1; default 1000): "),
        "{hedge}"
    );
    let source = "\n      source: Freund and Schapire, Journal of Computer and System Sciences 55(1), 1997\n";
    assert!(hedge.ends_with(source), "{hedge}");
    assert!(list("learners").contains(hedge.split_once("\n\n").unwrap().1));
    for words in ["learners hedge", "learner Hedge"] {
        assert_eq!(list(words), hedge, "{words}");
    }
    assert!(list("reward-penalty").contains("\n  reward_penalty\n"));
    // What kinds and choices share a name means the kind.
    assert!(list("estimate").starts_with("estimates: "));
    assert!(list("clairvoyance estimate").contains("\n  estimate\n"));
    let json: Value = serde_json::from_str(&list("hedge --format json")).unwrap();
    assert_eq!(json[0]["choices"].as_array().unwrap().len(), 1);
    assert_eq!(list("hedge --format csv").lines().count(), 2);
}

#[test]
fn unknown_and_ambiguous_names_are_answered_with_the_nearest() {
    let none = "there is no kind and no choice called";
    let cases = [
        ("shedulers", format!("{none} `shedulers`\nhelp: did you mean `schedulers`?\n")),
        ("hege", format!("{none} `hege`\nhelp: did you mean `hedge`?\n")),
        ("xyzzy", format!("{none} `xyzzy`\nhelp: the kinds are `clusters`, ")),
        ("processors", "help: `processors` is a key, as in `organization.cluster.".to_owned()),
        ("walltime", "help: Slurm's `walltime` is called `estimate` here\n".to_owned()),
        ("qos", "help: Slurm's `qos` is not modelled: ".to_owned()),
        (
            "q_learning",
            "help: `q_learning` is called `boltzmann_q` here\n\
             help: did you mean `boltzmann_q`?\n"
                .to_owned(),
        ),
        (
            "best_reply",
            "error: `best_reply` is a choice of 2 kinds\nhelp: write `gridpact list learners \
             best_reply` or `gridpact list dynamics best_reply`\n"
                .to_owned(),
        ),
        (
            "learners hege",
            "there is no `hege` among the learners\nhelp: did you mean `hedge`?\n".to_owned(),
        ),
        (
            "schedulers backfilling",
            "help: did you mean `conservative` or `easy`?\nhelp: Slurm's `backfilling` is called "
                .to_owned(),
        ),
        ("schedulers hedge", "help: the schedulers are `fcfs`, `easy`, ".to_owned()),
        (
            "shedulers easy",
            "there is no kind of choices called `shedulers`\nhelp: did you mean `schedulers`?"
                .to_owned(),
        ),
        ("keys seed", "`keys` lists keys, which have no choice `seed`".to_owned()),
    ];
    for (words, expected) in cases {
        let said = Folder::new("").run(&format!("list {words}"));
        assert_eq!((said.code, &*said.out), (2, ""), "{words}: {}", said.error);
        assert!(said.error.contains(&expected), "{words}: {}", said.error);
    }
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
fn the_schema_is_printed() {
    use gridpact::scenario::{root::Root, schema::text_of};
    for (command, root) in [("schema", Root::Grid), ("schema --game", Root::Game)] {
        let said = Folder::new("").run(command);
        assert!(said.code == 0 && said.out == text_of(root), "{command}");
    }
}

#[test]
fn measures_are_listed_with_what_is_better() {
    let folder = Folder::new("");
    let said = folder.run("list measures --format csv");
    assert_eq!((said.code, &*said.error), (0, ""));
    let mut lines = said.out.lines();
    assert_eq!(lines.next(), Some("measure,of,unit,better,kind,summary"));
    let all = gridpact::findings::measure::Metric::ALL;
    assert_eq!(lines.count(), all.len());
    let one = folder.run("list measures utilization --format json");
    assert!(one.out.contains("\"better\":\"more\""), "{}", one.out);
    let wrong = folder.run("list measures utilisation");
    assert_eq!(wrong.code, 2);
    assert!(wrong.error.contains("did you mean `utilization`?"), "{}", wrong.error);
}

#[test]
fn results_have_published_schemas() {
    let folder = Folder::new("");
    for file in ["summary", "manifest", "timing"] {
        let said = folder.run(&format!("schema --results {file}"));
        let schema: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(schema["properties"]["format"]["type"], "integer", "{file}");
    }
    assert_eq!(folder.run("schema --results jobs").code, 2);
}
