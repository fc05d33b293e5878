//! A small paper of one queue and one coalition, played and judged.

use std::sync::LazyLock;

use super::super::claim::Register;
use super::super::verdict::Rule;
use super::super::{Bench, Effort};
use super::code::{Asked, Code, Figures};

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
    { claim = "T-1", what = "longest run", measure = "makespan", statistic = "largest", above = 4000.0 },
    { claim = "T-1", what = "jobs out of order", measure = "time sharing", statistic = "violations", set = ['output.jobs=true'], printed = "=0" },
    { claim = "T-2", what = "it rises", measure = "wait", order = "rises" },
    { claim = "T-2", what = "it falls", measure = "wait", order = "falls" },
    { claim = "T-2", what = "longest", measure = "wait", best = ["rate", "40"] },
]
"#;
    Register::read("claims.toml", text).played_by(Rule::of(30, "replications"), &[("queue", QUEUE)])
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
        ("longest run", "agrees"),
        ("jobs out of order", "agrees"),
        ("wait at .40", "agrees"),
        ("as misprinted", "the paper errs"),
        ("flow over wait", "agrees"),
        ("longest run", "agrees"),
        ("jobs out of order", "agrees"),
        ("it rises", "agrees"),
        ("it falls", "differs"),
        ("longest", "agrees"),
    ];
    assert_eq!(verdicts, expected, "{rows:#?}");
    assert_eq!(rows[0].figure, "figures.csv: wait of *");
    assert_eq!(rows[4].figure, "gridpact audit: time sharing");
    assert!(rows[4].command.ends_with(" --seed 1 --out it; gridpact audit it"));
    let command = &rows[5].command;
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
        let read = Register::read("claims.toml", &text)
            .played_by(Rule::of(30, "samples"), &[("queue", QUEUE)]);
        let register: &'static Register = Box::leak(Box::new(read));
        let bench = Bench::new(Effort { samples: 30, quick: false, seed: 1, seeds: 1 });
        let rows = register.parts[0].play(&bench, register).unwrap();
        let verdicts: Vec<&str> = rows.iter().map(|row| row.verdict.name()).collect();
        assert_eq!(verdicts, [expected; 3], "{rows:#?}");
    }
}

/// Answers of a line of a paper with one table, or the error.
fn answered(
    line: &str,
    columns: &str,
) -> Result<Vec<super::super::row::Row>, super::super::StudyError> {
    const CODE: &[(&str, Code)] = &[("dice", dice)];
    let text = format!(
        "claims = [{{ id = \"T\", place = \"1\", says = \"it is\" }}]\n[[parts]]\n[[parts.tables]]\n\
         place = \"1\"\n{columns}\nlines = [\n{{ claim = \"T\", what = \"x\", {line} }},\n]"
    );
    let read = Register::parse("claims.toml", &text)?;
    let read = read.played_by(Rule::of(100, "samples"), &[("queue", QUEUE)]).counted_by(CODE);
    let register: &'static Register = Box::leak(Box::new(read));
    let bench = Bench::new(Effort { samples: 2, quick: true, seed: 1, seeds: 1 });
    register.parts[0].play(&bench, register)
}

/// Throws of a die with so many faces, 30 a sample, in turn; every second throw of 1 is no throw.
fn dice(asked: &Asked<'_>) -> Result<Figures, super::super::StudyError> {
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Options {
        faces: u64,
    }
    let Options { faces } = asked.options()?;
    let mut figures = asked.each(30, |sample| {
        let shown = if sample % (2 * faces) == 0 { f64::NAN } else { (sample % faces) as f64 };
        Ok(vec![("face", shown), ("none", 0.0)])
    })?;
    figures.insert("faces".to_owned(), vec![faces as f64]);
    Ok(figures)
}

#[test]
fn code_answers_lines_like_scenarios() {
    let table = "scenario = \"dice\"\nset = ['faces=9', 'faces=<n>']\ncolumns = [\"n\", \"share\"]\nrows = [[\"6\", \"82 of 100\"]]";
    let row = |line: &str| answered(line, table).unwrap().remove(0);
    let judged = |line: &str| {
        let row = row(line);
        (row.verdict.name(), row.ours)
    };
    use super::super::verdict::Figure::Number;
    // Of 60 throws, 5 are none and 5 show 0; the mean of the others is 150 / 55.
    let found = row("measure = \"face\"");
    let Number(value, Some(_)) = found.ours else { panic!("{found:?}") };
    assert!((value - 150.0 / 55.0).abs() < 1e-12);
    assert_eq!(found.figure, "code `dice` (faces=9 faces=6): face");
    assert_eq!(judged("measure = \"face\", statistic = \"total\", printed = \"=150\"").0, "agrees");
    let Number(share, Some(_)) = judged("measure = \"face\", statistic = \"hits\"").1 else {
        panic!("a share has an interval")
    };
    assert!((share - 100.0 * 50.0 / 55.0).abs() < 1e-12);
    // 55 throws are fewer than the paper's hundred, and its own are no fewer than 10.
    assert_eq!(
        judged("measure = \"face\", statistic = \"hits\", printed = \"share\"").0,
        "cannot tell"
    );
    assert_eq!(
        judged("measure = \"face\", statistic = \"hits\", printed = \"9 of 10\"").0,
        "compatible"
    );
    assert_eq!(judged("measure = \"face\", statistic = \"found\", above = 0.0").0, "agrees");
    assert_eq!(judged("measure = \"none\", statistic = \"found\", above = 0.0").0, "cannot tell");
    // What is exact is met or not, also beside another.
    assert_eq!(judged("measure = \"faces\", printed = \"=6\"").0, "agrees");
    assert_eq!(judged("measure = \"faces\", printed = \"=7\"").0, "differs");
    let twice =
        "measure = \"faces\", against = { by = \"over\", set = ['faces=3'] }, printed = \"=2\"";
    assert_eq!(judged(twice).0, "agrees");
}

/// File, line and remedy of what is wrong.
/// Runs keep every replication of 64 organizations; the figure of all together is there for more.
#[test]
fn a_sampled_figure_of_many_organizations_is_judged() {
    let table = "scenario = \"queue\"\nset = ['organization.queue.count=65']";
    let rows = answered("measure = \"wait\", printed = \"2.0 of 1\"", table).unwrap();
    assert_eq!(rows[0].figure, "figures.csv: wait of *");
}

#[test]
fn a_line_that_nothing_answers_is_an_error() {
    let queue = "scenario = \"queue\"";
    let wrong = |line: &str, table: &str, expected: &str| {
        let wrong = answered(line, table).unwrap_err().to_string();
        assert!(wrong.contains(expected), "{wrong}");
    };
    wrong(
        "measure = \"weight\"",
        queue,
        "claims.toml, line 7: there is no measure `weight`; `gridpact list",
    );
    wrong(
        "measure = \"wait\", of = \"us\"",
        queue,
        "line 7: there is no organization or class `us`; known: `queue`",
    );
    wrong(
        "measure = \"wait\", printed = \"two\"",
        queue,
        "line 7: there is no number or column `two`; known: none",
    );
    wrong(
        "measure = \"wait\", printed = \"2.0\", erratum = \"e\"",
        queue,
        "line 7: there is no erratum `e`; known: none",
    );
    wrong("measur = \"wait\"", queue, "TOML parse error at line 7, column 28");
    wrong("measur = \"wait\"", queue, "unknown field `measur`, expected one of");
    wrong(
        "measure = \"wait\"",
        "scenario = \"line\"",
        "line 5: there is no scenario or code `line`; known: `queue`, `dice`",
    );
    wrong(
        "measure = \"face\"",
        "scenario = \"dice\"\nset = ['sides=6']",
        "line 5: `set = [\"sides=6\"]`: unknown field `sides`, expected `faces`",
    );
    wrong("measure = \"wait\"", "scenario = \"queue\"\nset = ['load=9']", "line 5: ");
    let two = "scenario = \"queue\"\ncolumns = [\"n\", \"m\"]\nrows = [[\"1\"]]";
    wrong("measure = \"wait\"", two, "line 7: the values `1` are not one for each of `n m`");
}

#[test]
fn a_claim_that_is_not_there_is_an_error() {
    let wrong = Register::parse(
        "claims.toml",
        "claims = []\ntold = [\n{ says = \"\", claims = [\"T-9\"] }]",
    );
    let wrong = wrong.unwrap_err().to_string();
    assert_eq!(wrong, "claims.toml, line 3: no claim `T-9`; add it to `claims`");
}

/// A sweep of what the paper does not tell: the row that gives all figures is named; quick trials play the
/// first rows.
#[test]
fn one_row_of_a_sweep_gives_all_figures_or_none_does() {
    let sweep = |printed: [&str; 3], more: &str| {
        let rows: Vec<String> =
            (2..).zip(printed).map(|(n, p)| format!("[\"{n}\", \"{p}\"]")).collect();
        let table = format!(
            "scenario = \"dice\"\nset = ['faces=<n>']\ncolumns = [\"n\", \"printed\"]\nrows = [{}]\n{more}\n\
             one = {{ claim = \"T\", what = \"one\", column = \"n\", cause = \"none\" }}",
            rows.join(", ")
        );
        let rows = answered("measure = \"faces\", printed = \"printed\"", &table).unwrap();
        let last = rows.last().unwrap();
        (rows.len(), last.ours.clone(), last.verdict.name(), last.cause.clone())
    };
    use super::super::verdict::Figure;
    let met = sweep(["=2", "=9", "=4"], "");
    assert_eq!(met, (4, Figure::from("2, 4"), "agrees", String::new()));
    let missed = sweep(["=9", "=9", "=4"], "quick_rows = 2");
    assert_eq!(missed, (3, Figure::from("none"), "differs", "none".to_owned()));
}

/// A contradiction of the text is an erratum's row, for which nothing is played.
#[test]
fn a_slip_of_the_text_is_told_in_its_words() {
    let text = r#"
claims = [{ id = "T", place = "1", says = "it is" }]
errata = [{ id = "sign", says = "the sign is wrong" }]
[[parts]]
slips = [{ claim = "T", place = "2", what = "the sign", says = "plus", means = "minus", erratum = "sign" }]
"#;
    let read = Register::read("claims.toml", text).played_by(Rule::of(2, "samples"), &[]);
    let register: &'static Register = Box::leak(Box::new(read));
    let bench = Bench::new(Effort { samples: 2, quick: true, seed: 1, seeds: 1 });
    let rows = register.parts[0].play(&bench, register).unwrap();
    assert_eq!(register.parts[0].claims(), ["T"]);
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(
        (row.ours.clone(), row.verdict.reason()),
        ("minus".into(), Some("the sign is wrong".into()))
    );
    assert_eq!(bench.samples(), 0);
}
