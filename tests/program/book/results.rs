//! The page on result files names every column and every key that a run writes, and no other.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use gridpact::records::{coalition, decisions, jobs, plans};
use gridpact::report::coalition as of_coalition;
use gridpact::report::grid::{alone, organizations, timeline, welch};
use gridpact::report::table::names;
use serde_json::Value;

use crate::book::page::{Book, Page, root};

const PAGE: &str = "reference/results.md";

/// The names in the first column of the tables below a heading, up to the next heading.
fn documented(page: &Page, heading: &str) -> Vec<String> {
    let mut lines = page.text.lines().skip_while(|line| *line != heading);
    assert!(lines.next().is_some(), "{PAGE} has no heading `{heading}`");
    let rows = lines.take_while(|line| !line.starts_with('#')).filter(|line| line.starts_with('|'));
    let names = rows.flat_map(|row| {
        let first = row.split('|').nth(1).unwrap_or_default();
        first.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
    });
    names.collect()
}

fn read_page(book: &Book) -> &Page {
    book.page(PAGE)
}

#[test]
fn every_column_of_the_tables_is_documented() {
    let book = Book::read();
    let page = read_page(&book);
    assert_eq!(documented(page, "## `jobs.csv`"), jobs::COLUMNS);
    assert_eq!(documented(page, "## `decisions.csv`"), decisions::COLUMNS);
    assert_eq!(documented(page, "## `plans.csv`"), plans::COLUMNS);
    assert_eq!(documented(page, "## `timeline.csv`"), timeline::csv::COLUMNS);
    assert_eq!(documented(page, "## `warm-up.csv`"), welch::COLUMNS);
    let (own, of_metrics): (Vec<_>, Vec<_>) = documented(page, "## `organizations.csv`")
        .into_iter()
        .partition(|name| !name.starts_with("METRIC_"));
    let metrics = ["flow", "wait", "slowdown", "bounded_slowdown"];
    let of_metrics = metrics
        .iter()
        .flat_map(|metric| of_metrics.iter().map(move |name| name.replace("METRIC", metric)));
    let all: Vec<String> = own.into_iter().chain(of_metrics).collect();
    assert_eq!(all, names(&organizations::columns()));
    assert_eq!(documented(page, "### Recorded waits"), names(&organizations::recorded()));
    assert_eq!(documented(page, "### Organizations alone"), names(&alone::columns()));
}

#[test]
fn every_column_of_a_coalitions_tables_is_documented() {
    let book = Book::read();
    let page = book.page("reference/rounds.md");
    assert_eq!(documented(page, "## `rounds.csv`"), coalition::rounds::COLUMNS);
    assert_eq!(documented(page, "## `moves.csv`"), coalition::moves::COLUMNS);
    assert_eq!(documented(page, "## `timeline.csv`"), names(&of_coalition::timeline::columns()));
    assert_eq!(documented(page, "## `jobs.csv`"), coalition::jobs::COLUMNS);
    let organizations = names(&of_coalition::organizations::columns());
    assert_eq!(documented(page, "## `organizations.csv`"), organizations);
    let figures = ["unit", "measure", "mean", "low", "high", "method", "n"];
    assert_eq!(documented(read_page(&book), "## `figures.csv`"), figures);
    let values = ["replication", "unit", "measure", "value", "weight"];
    assert_eq!(documented(read_page(&book), "## `replications.csv`"), values);
    // The ends of intervals and the deviations are told of together.
    let is_figure =
        |name: &String| !["_low", "_high", "_deviation"].iter().any(|end| name.ends_with(end));
    let learning = names(&of_coalition::learning::columns());
    let learning: Vec<String> = learning.into_iter().filter(is_figure).collect();
    assert_eq!(documented(page, "## `learning.csv`"), learning);
}

#[test]
fn every_column_of_a_campaigns_records_is_documented() {
    use gridpact::records::campaign::records::{applications, classes, runs};
    let book = Book::read();
    let page = book.page("reference/campaigns.md");
    assert_eq!(documented(page, "## `applications.csv`"), applications::COLUMNS);
    assert_eq!(documented(page, "## `classes.csv`"), classes::COLUMNS);
    assert_eq!(documented(page, "## `runs.csv`"), runs::COLUMNS);
}

/// The paths of all keys. Distributions and intervals, which have tables of their own, count as one.
fn keys(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields)
            if !["sum", "sections"].iter().any(|own| fields.contains_key(*own))
                && at != "files"
                && at != "grid" =>
        {
            for (key, value) in fields {
                let dot = if at.is_empty() { "" } else { "." };
                keys(value, &format!("{at}{dot}{key}"), found);
            }
        }
        // What would be in it another run shows.
        Value::Array(all) if all.is_empty() => {}
        Value::Array(all) if all.first().is_some_and(Value::is_object) => {
            all.iter().for_each(|value| keys(value, &format!("{at}[]"), found));
        }
        _ => {
            found.insert(at.to_owned());
        }
    }
}

#[test]
fn every_key_of_the_json_files_is_documented() {
    let book = Book::read();
    let page = read_page(&book);
    let results = tempfile::tempdir().unwrap();
    // Together they have every key that there can be.
    const RUNS: [&str; 8] = [
        "three-schedulers",
        "zipf-owners",
        "lublin",
        "who-gains",
        "mm1-precision",
        "absolute",
        "several",
        "partitions",
    ];
    let text = fs::read_to_string(root().join("scenarios/mm1-precision.toml")).unwrap();
    let absolute = "absolute = 0.5, organization = \"queue\"";
    let other = results.path().join("absolute.toml");
    fs::write(&other, text.replace("relative = 0.05", absolute)).unwrap();
    let several = results.path().join("several.toml");
    let both = "each.jobs = 4000, metric = [\"flow\", \"wait_p95\"], relative = 0.3";
    let text = text.replace("metric = \"flow\", ", "").replace("relative = 0.05", both);
    fs::write(&several, text).unwrap();
    let partitions = results.path().join("partitions.toml");
    let trace = root().join("scenarios/traces/KTH-SP2-1996-2.1-cln.swf.gz");
    fs::write(
        &partitions,
        format!(
            "name = \"p\"\n[[organization]]\nname = \"kth\"\n\
             cluster.space_shared = {{ processors = \"trace\", scheduler.fcfs = {{}}, speed = 2.0 }}\n\
             workload.swf = {{ file = {:?}, import.first = 9, partitions = {{ -1 = \"kth\" }} }}\n",
            trace.display().to_string()
        ),
    )
    .unwrap();
    for run in RUNS {
        let scenario = match run {
            "absolute" => other.clone(),
            "several" => several.clone(),
            "partitions" => partitions.clone(),
            run => root().join(format!("scenarios/{run}.toml")),
        };
        let status = Command::new(env!("CARGO_BIN_EXE_gridpact"))
            .args(["run", "-q"])
            .arg(scenario)
            .arg("--out")
            .arg(results.path().join(run))
            .current_dir(root())
            .env_remove("GRIDPACT_LOG")
            .stderr(std::process::Stdio::null())
            .status();
        assert!(status.unwrap().success());
    }
    let read = |run: &str, name: &str| -> Value {
        let text = fs::read(results.path().join(run).join(name)).unwrap();
        serde_json::from_slice(&text).unwrap()
    };
    for file in ["summary.json", "manifest.json", "timing.json"] {
        let mut found = BTreeSet::new();
        RUNS.iter().for_each(|run| keys(&read(run, file), "", &mut found));
        let said: BTreeSet<String> =
            documented(page, &format!("## `{file}`")).into_iter().collect();
        let missing: Vec<_> = found.difference(&said).collect();
        let invented: Vec<_> = said.difference(&found).collect();
        assert!(missing.is_empty(), "{file}: not documented: {missing:?}");
        assert!(invented.is_empty(), "{file}: documented, but not there: {invented:?}");
    }
    let summary = read(RUNS[0], "summary.json");
    let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(names(&summary["grid"]), names(&summary["organizations"][0]), "`grid` is alike");
    let said: BTreeSet<String> = documented(page, "### A distribution").into_iter().collect();
    assert_eq!(said, names(&summary["grid"]["flow"]));
    let said: BTreeSet<String> = documented(page, "### An interval").into_iter().collect();
    assert_eq!(said, names(&summary["grid"]["flow"]["interval"]));
}
