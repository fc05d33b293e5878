//! Programs that decide: the same results as the same rule in Rust, records, replays and errors.

#![cfg(unix)]

use std::process::Command;

use serde_json::Value;

use crate::cli::support::{Folder, kth, of_the_project};

const EASY: &str = include_str!("processes/easy.py");
const RATIO: &str = include_str!("processes/ratio.py");
const GRID: &str = include_str!("processes/grid.py");

/// Two clusters with a rule each, drawn jobs whose users estimate badly, two replications.
const DRAWN: &str = r#"
name = "drawn"
run = { until.jobs = 100, replications = 2, clairvoyance = "estimate" }
output = { page = false, timeline = false, histograms = false }
[[organization]]
name = "a"
count = 2
cluster.space_shared = { processors = 8, scheduler.RULE }
workload.synthetic = { arrivals.poisson.rate = 0.1, size.exponential.mean = 20.0, processors.uniform = { min = 1, max = 6 }, estimates.f_model.factor = 1.7 }
"#;

/// True if there is a Python; without one the tests of this file have nothing to ask.
fn has_python() -> bool {
    let has =
        Command::new("python3").arg("--version").output().is_ok_and(|out| out.status.success());
    if !has {
        eprintln!("skipped: there is no python3");
    }
    has
}

/// A folder with the programs.
fn folder(scenario: &str) -> Folder {
    let folder = Folder::new(scenario);
    let fcfs = folder.run("new process-scheduler --language python").out;
    for (name, text) in [("fcfs", &*fcfs), ("easy", EASY), ("ratio", RATIO), ("grid", GRID)] {
        folder.write(&format!("{name}.py"), text);
    }
    folder
}

/// The part of a scenario that asks a program.
fn python(file: &str, more: &str) -> String {
    format!("process = {{ command = [\"python3\", \"{file}.py\"]{more} }}")
}

/// Runs a scenario whose RULE is replaced into a folder, and returns one of its files.
fn found(folder: &Folder, scenario: &str, rule: &str, out: &str, file: &str) -> String {
    folder.write("s.toml", &scenario.replace("RULE", rule));
    let said = folder.run(&format!("run s.toml -q --force --out {out}"));
    assert_eq!(said.code, 0, "{}", said.error);
    folder.read(&format!("{out}/{file}"))
}

#[test]
fn a_rule_in_python_gives_the_results_of_the_same_rule_in_rust() {
    if !has_python() {
        return;
    }
    let folder = folder("");
    let same = |scenario: &str, rule: &str, program: &str, file: &str| {
        let rust = found(&folder, scenario, rule, "rust", file);
        let python = found(&folder, scenario, program, "python", file);
        let differs = rust.lines().zip(python.lines()).find(|(rust, python)| rust != python);
        assert!(differs.is_none() && rust.len() == python.len(), "{rule}: {differs:?}");
    };
    same(DRAWN, "fcfs = {}", &python("fcfs", ""), "jobs.csv");
    let audit = folder.run("audit python");
    assert!(
        audit.code == 0 && audit.out.contains("nothing is known here of process"),
        "{}",
        audit.out
    );
    let trace = format!("{}\"", kth().display());
    let kth = DRAWN.replace("jobs = 100, replications = 2", "jobs = 1000").replace("8", "100");
    let drawn = kth.find("workload").unwrap();
    let kth =
        format!("{}workload.swf.file = \"{trace}\n", &kth[..drawn]).replace("count = 2\n", "");
    same(&kth, "easy = {}", &python("easy", ", sees = \"expected\""), "jobs.csv");
    let coalition = std::fs::read_to_string(of_the_project("scenarios/selfish-lb-figure-3b.toml"));
    let coalition = coalition.unwrap().replace("until.rounds = 1000", "until.rounds = 6");
    let coalition = coalition.replace("replications = 5", "replications = 1");
    let coalition = coalition.replace("ratio = { initial = 0.5, rate = 0.1 }", "RULE");
    same(&coalition, "ratio = {}", &python("ratio", ", sees = \"stayed_out\""), "rounds.csv");
    let cluster = "cluster.space_shared = { processors = 8, scheduler.RULE }";
    let mut grid =
        DRAWN.replace(cluster, "cluster.space_shared = { processors = 8, scheduler.fcfs = {} }");
    grid.insert_str(grid.find("[[").unwrap(), "grid_scheduler.RULE\n");
    let grid = grid.replace("count = 2", "count = 2\nuses = [\"a-1\", \"a-2\"]");
    same(&grid, "round_robin = {}", &python("grid", ""), "jobs.csv");
    let bare = grid.replace(", scheduler.fcfs = {}", "");
    same(&bare, "best_fit = {}", &python("grid", ", starts = true"), "jobs.csv");
}

/// Every line that is said fits the schema, and the record without the program gives the same results.
#[test]
fn the_record_fits_the_schema_and_replays() {
    if !has_python() {
        return;
    }
    let folder = folder("");
    let schema: Value = serde_json::from_str(&folder.run("schema --process").out).unwrap();
    let part = |name: &str| {
        let mut part = schema.clone();
        part.as_object_mut().unwrap().remove("oneOf");
        part["$ref"] = format!("#/$defs/{name}").into();
        jsonschema::validator_for(&part).unwrap()
    };
    let (question, answer) = (part("question"), part("answer"));
    let record = found(&folder, DRAWN, &python("fcfs", ""), "r", "processes.tsv");
    let mut lines = record.lines();
    assert_eq!(lines.next(), Some("replication\tprocess\task\tanswer"));
    for line in lines {
        let parts: Vec<&str> = line.split('\t').collect();
        let json = |text: &str| serde_json::from_str(text).unwrap();
        assert!(question.is_valid(&json(parts[2])) && answer.is_valid(&json(parts[3])), "{line}");
    }
    folder.write("fcfs.py", "raise SystemExit(\"this program must not be started\")");
    let said = folder.run("run s.toml -q --out again --replay r --threads 1");
    assert_eq!(said.code, 0, "{}", said.error);
    for file in ["jobs.csv", "processes.tsv", "summary.json"] {
        assert_eq!(
            folder.read(&format!("again/{file}")),
            folder.read(&format!("r/{file}")),
            "{file}"
        );
    }
    let said = folder.run("run s.toml -q --no-files --replay r/processes.tsv --seed 2");
    assert!(
        said.code == 2 && said.error.contains("was asked something else in "),
        "{}",
        said.error
    );
    let said = folder.run("run s.toml -q --no-files");
    assert!(
        said.code == 2 && said.error.contains("this program must not be started"),
        "{}",
        said.error
    );
}

/// The program stops the run after every 30 questions, as Ctrl-C does; it ends with the same bytes.
#[test]
fn an_interrupted_run_goes_on_with_a_program_that_hears_all_again() {
    if !has_python() {
        return;
    }
    let folder = folder("");
    let rule = python("fcfs", "");
    found(&folder, &DRAWN.replace("jobs = 100", "jobs = 60"), &rule, "whole", "jobs.csv");
    let stops = "import os, signal\nnew = 0\n";
    let fcfs = folder.read("fcfs.py");
    let stop = "    new += 1\n    if new == NUMBER:\n        os.kill(os.getppid(), signal.SIGINT)\n    print(";
    let mut code = 75;
    for number in 1..20 {
        let stop = stop.replace("NUMBER", &(30 * number).to_string());
        folder.write("fcfs.py", &(stops.to_owned() + &fcfs.replace("    print(", &stop)));
        let words = if number == 1 {
            "run s.toml -q --out r --threads 1"
        } else {
            "resume r -q --threads 1"
        };
        let said = folder.run(words);
        code = said.code;
        if code != 75 {
            assert!(number > 2, "it was stopped");
            break;
        }
        let is_there = said.error.contains("gridpact resume");
        assert!(is_there, "{}", said.error);
    }
    assert_eq!(code, 0);
    for file in ["jobs.csv", "processes.tsv", "summary.json"] {
        assert_eq!(
            folder.read(&format!("r/{file}")),
            folder.read(&format!("whole/{file}")),
            "{file}"
        );
    }
}

#[test]
fn a_program_that_fails_ends_the_run_and_is_told_with_its_line() {
    if !has_python() {
        return;
    }
    let folder = folder("");
    let hello =
        "import sys, time\nprint('{\"hello\": 1}' if 'hello' in input() else '', flush=True)\n";
    let answers =
        |answer: &str| format!("{hello}input()\nprint('{answer}', flush=True)\ninput()\n");
    let one = DRAWN.replace("replications = 2", "replications = 1");
    let cases = [
        ("raise SystemExit('I cannot')".to_owned(), "its stderr: I cannot"),
        (
            "import time; time.sleep(9)".to_owned(),
            "gave no answer within 0.2 s; `timeout` sets the limit",
        ),
        ("input(); print('{\"hello\": 7}')".to_owned(), "does not greet"),
        (answers("{\"start\": [0, 0]}"), "starts job 0, which does not wait"),
        (
            answers("{\"start\": [9]}"),
            "starts job 9, which does not wait\n  line 2 to it: {\"to\":0,",
        ),
        (answers("starting"), "gave an answer that is no JSON"),
        (answers("{\"begin\": [0]}"), "unknown field `begin`"),
        (answers("{\"wake\": 0}"), "asks to be woken at a time that has come already"),
        (format!("{hello}input()"), "ended before it answered (exit status: 0)"),
        (format!("{hello}sys.stdout.close(); time.sleep(9)"), "gave no answer within 0.2 s"),
    ];
    for (text, wrong) in cases {
        // A program needs some time to begin, where others run.
        let limit = if wrong.contains("0.2 s") { "0.2" } else { "20" };
        folder.write("wrong.py", &text);
        folder.write(
            "s.toml",
            &one.replace("RULE", &python("wrong", &format!(", timeout = {limit}"))),
        );
        let said = folder.run("run s.toml -q --no-files");
        assert!(said.code == 2 && said.error.contains(wrong), "{text}\n{}", said.error);
        assert!(said.error.contains("error: the process `python3 wrong.py` "), "{}", said.error);
    }
    folder.write("s.toml", &DRAWN.replace("RULE", "process = { command = [\"./nothing\"] }"));
    let said = folder.run("run s.toml -q --no-files");
    assert!(said.code == 2 && said.error.contains("cannot be started"), "{}", said.error);
    folder.write("s.toml", &DRAWN.replace("RULE", "process = {}"));
    let said = folder.run("check s.toml -q");
    assert!(
        said.code == 2 && said.error.contains("there is no program; give it"),
        "{}",
        said.error
    );
}
