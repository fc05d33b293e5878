//! A small paper of one queue and one coalition, played and judged.

use std::sync::LazyLock;

use super::super::claim::Register;
use super::super::verdict::Rule;
use super::super::{Bench, Effort};

/// Work of mean 2 at rate 0.25 on a queue alone: a load of 0.5, a mean wait of 2.
const QUEUE: &str = "
name = \"a queue\"
run.until.jobs = 4000
output = { jobs = false, warm_up.fixed = 100.0 }
[[organization]]
name = \"queue\"
cluster.time_shared = {}
workload.synthetic = { arrivals.poisson.rate = 0.25, size.exponential.mean = 2.0 }
";

static REGISTER: LazyLock<Register> = LazyLock::new(|| {
    let text = r#"
claims = [
    { id = "T-1", place = "1", says = "the wait by rate" },
    { id = "T-2", place = "1", says = "it rises" },
]
errata = [{ id = "half", says = "half of the wait is printed" }]

[[parts]]
table = "1"
[[parts.tables]]
place = "Table 1"
scenario = "queue"
set = ['rate=0.<rate>']
columns = ["rate", "wait", "misprint"]
rows = [["25", "2.0", "1.0"], ["40", "8.0", "4.0"]]
lines = [
    { claim = "T-1", what = "wait at .<rate>", measure = "wait", printed = "wait" },
    { claim = "T-1", what = "as misprinted", measure = "wait", printed = "misprint", erratum = "half" },
    { claim = "T-1", what = "flow over wait", measure = "flow", against = { by = "over", measure = "wait" }, above = 1.0 },
    { claim = "T-2", what = "it rises", measure = "wait", order = "rises" },
    { claim = "T-2", what = "it falls", measure = "wait", order = "falls" },
    { claim = "T-2", what = "longest", measure = "wait", best = ["rate", "40"] },
]
"#;
    Register::read(text).played_by(Rule::of(30, "replications"), &[("queue", QUEUE)])
});

#[test]
fn lines_are_played_and_judged() {
    let bench = Bench::new(Effort { samples: 30, quick: false, seed: 1, seeds: 1 });
    let register: &'static Register = &REGISTER;
    let rows = register.parts[0].play(&bench, register).unwrap();
    let verdicts: Vec<(&str, &str)> =
        rows.iter().map(|row| (row.what.as_str(), row.verdict.name())).collect();
    let expected = [
        ("wait at .25", "agrees"),
        ("as misprinted", "the paper errs"),
        ("flow over wait", "agrees"),
        ("wait at .40", "agrees"),
        ("as misprinted", "the paper errs"),
        ("flow over wait", "agrees"),
        ("it rises", "agrees"),
        ("it falls", "differs"),
        ("longest", "agrees"),
    ];
    assert_eq!(verdicts, expected, "{rows:#?}");
    assert_eq!(rows[0].figure, "figures.csv: wait of *");
    let command = &rows[3].command;
    assert!(command.starts_with("gridpact run queue.toml --set rate=0.40 --set "), "{command}");
    assert!(command.ends_with(" --seed 1"), "{command}");
    assert_eq!(register.parts[0].claims(), ["T-1", "T-2"]);
}

/// A table that is missed, and another reading that meets it or misses it too: only the one that meets
/// it explains its rows.
#[test]
fn a_missed_table_depends_on_a_reading_that_meets_it() {
    for (rate, expected) in [("0.40", "depends"), ("0.30", "differs")] {
        let text = format!(
            r#"
claims = [{{ id = "T-1", place = "1", says = "the wait" }}]
[[parts]]
table = "1"
whole = "T-1"
readings = [{{ says = "more comes", set = ['rate={rate}'] }}]
[[parts.tables]]
place = "Table 1"
scenario = "queue"
columns = ["wait", "sd"]
rows = [["7.9", "1.3"]]
lines = [{{ claim = "T-1", what = "wait", measure = "wait", moments = ["wait", "sd"] }}]
"#
        );
        let read = Register::read(&text).played_by(Rule::of(30, "samples"), &[("queue", QUEUE)]);
        let register: &'static Register = Box::leak(Box::new(read));
        let bench = Bench::new(Effort { samples: 30, quick: false, seed: 1, seeds: 1 });
        let rows = register.parts[0].play(&bench, register).unwrap();
        let verdicts: Vec<&str> = rows.iter().map(|row| row.verdict.name()).collect();
        assert_eq!(verdicts, [expected; 3], "{rows:#?}");
    }
}

#[test]
fn a_line_that_nothing_answers_is_an_error() {
    let wrong = |line: &str| {
        let text = format!(
            "claims = []\n[[parts]]\n[[parts.tables]]\nplace = \"1\"\nscenario = \"queue\"\nlines = [{{ claim = \"T\", what = \"x\", {line} }}]"
        );
        let read = Register::read(&text).played_by(Rule::of(2, "samples"), &[("queue", QUEUE)]);
        let register: &'static Register = Box::leak(Box::new(read));
        let bench = Bench::new(Effort { samples: 2, quick: true, seed: 1, seeds: 1 });
        register.parts[0].play(&bench, register).unwrap_err().to_string()
    };
    assert!(wrong("measure = \"weight\"").contains("there is no measure `weight`"));
    assert!(wrong("measure = \"wait\", of = \"us\"").contains("there is no `us`"));
    assert!(wrong("measure = \"wait\", printed = \"two\"").contains("no number or column `two`"));
    assert!(wrong("measure = \"wait\", erratum = \"e\"").contains("no erratum `e`"));
}
