//! The gallery: every scenario in `scenarios/` and `scenarios/learners/` runs whole, passes its
//! audit, gives the bytes that it gave before, and its header tells what it shows.
//!
//! `GRIDPACT_BLESS=1 cargo test --test inputs gallery` writes new digests and the index,
//! `scenarios/README.md`. The figures that a header states are compared with the run's, one by one,
//! by `tests/inputs/gallery/figures.toml`; those are written by hand.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use gridpact::review::audit;
use gridpact::run::{self, Progress, folder};
use gridpact::scenario::diagnostics::render;
use gridpact::scenario::files::Files;
use gridpact::scenario::plan::Plan;
use gridpact::scenario::{self, Input, Overrides};
use rayon::prelude::*;
use serde_json::Value;

mod figures;
mod games;
mod header;
mod index;
mod screen;

use header::Header;

/// A scenario and what its run showed.
struct Shown {
    header: Header,
    plan: Plan,
    digest: String,
    summary: Value,
    /// By number of the job, where it is told for a few jobs only, when it started.
    starts: BTreeMap<u64, f64>,
}

/// All scenarios, by file name without its ending; run once for all tests.
static GALLERY: LazyLock<BTreeMap<String, Shown>> = LazyLock::new(|| {
    let scenarios = root().join("scenarios");
    let folders = [scenarios.clone(), scenarios.join("learners")];
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = files.map(|entry| entry.unwrap().path());
    let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "toml"));
    // Tests that wait for it leave processors idle.
    let shown = |file: PathBuf| (name(&file, &scenarios), show(&file));
    files.collect::<Vec<_>>().into_par_iter().map(shown).collect()
});

/// A scenario's name: its path below the folder, without the ending.
fn name(file: &Path, scenarios: &Path) -> String {
    let path = file.strip_prefix(scenarios).unwrap().with_extension("");
    path.components().map(|part| part.as_os_str().to_str().unwrap()).collect::<Vec<_>>().join("/")
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a scenario whose bytes are kept by their digest.
const FILES: [&str; 10] = [
    "summary.json",
    "replications.csv",
    "organizations.csv",
    "jobs.csv",
    "rounds.csv",
    "learning.csv",
    "applications.csv",
    "classes.csv",
    "runs.csv",
    "stages.csv",
];

/// Checks the JSON files of a run against their published schemas.
fn conform(results: &Path) {
    use gridpact::report::files::schema::{ResultFile, schema_of};
    static SCHEMAS: LazyLock<[(&str, jsonschema::Validator); 4]> = LazyLock::new(|| {
        let files = [
            ("summary.json", ResultFile::Summary),
            ("manifest.json", ResultFile::Manifest),
            ("timing.json", ResultFile::Timing),
            ("report.json", ResultFile::Page),
        ];
        files.map(|(name, file)| (name, jsonschema::validator_for(&schema_of(file)).unwrap()))
    });
    for (name, schema) in &*SCHEMAS {
        let json: Value = serde_json::from_slice(&fs::read(results.join(name)).unwrap()).unwrap();
        let wrong: Vec<String> = schema
            .iter_errors(&json)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(wrong.is_empty(), "{}: {name}:\n  {}", results.display(), wrong.join("\n  "));
        // The schemas are not so wide that they hold everything.
        assert!(!schema.is_valid(&serde_json::json!({ "format": 2 })));
    }
}

/// The digest of these files of a run, and in clear text the figures of all organizations together.
fn golden(results: &Path, files: &[&str]) -> String {
    conform(results);
    let mut hasher = blake3::Hasher::new();
    for path in files.iter().map(|file| results.join(file)).filter(|path| path.exists()) {
        hasher.update(&fs::read(path).unwrap());
    }
    let mut golden = hasher.finalize().to_hex().to_string();
    let mut figures = csv::Reader::from_path(results.join("figures.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = figures.records().map(Result::unwrap).collect();
    let has_all = rows.iter().any(|row| &row[0] == "*");
    // Of the quantiles one is enough.
    let is_shown = |row: &&csv::StringRecord| {
        let quantile = row[1].rsplit_once("_p").and_then(|(_, rest)| rest.parse::<f64>().ok());
        quantile.is_none_or(|quantile| quantile == 95.0)
    };
    for row in rows.iter().filter(|row| &row[0] == "*" || !has_all).filter(is_shown) {
        let mean: f64 = row[2].parse().unwrap();
        let unit = if has_all { String::new() } else { format!("{} ", &row[0]) };
        let _ = write!(golden, "\n  {unit}{} {mean:.6}", &row[1]);
    }
    golden
}

/// Runs and audits a scenario.
fn show(file: &PathBuf) -> Shown {
    let name = file.display();
    let mut files = Files::new();
    let (plan, _) = scenario::load(Input::File(file), &Overrides::default(), &mut files)
        .unwrap_or_else(|wrong| panic!("{}", render(&wrong, &files, false)));
    let results = tempfile::tempdir().unwrap();
    folder::prepare(results.path(), &plan, false).unwrap();
    let outcome = run::run(&plan, Some(results.path()), 2, 0.0, &Progress::default()).unwrap();
    screen::fits(&plan, &outcome, results.path());
    let has_records =
        if plan.coalition().is_some() { plan.output.rounds } else { plan.writes_jobs() };
    if has_records {
        let audited = audit::audit(results.path()).unwrap();
        assert!(audited.passed(), "{name}: {}", audited.report);
    }
    Shown {
        header: Header::read(&fs::read_to_string(file).unwrap())
            .unwrap_or_else(|wrong| panic!("{name}: {wrong}")),
        digest: golden(results.path(), &FILES),
        summary: serde_json::from_slice(&fs::read(results.path().join("summary.json")).unwrap())
            .unwrap(),
        starts: starts(&results.path().join("jobs.csv")),
        plan,
    }
}

/// When each job started, in a file of up to 20 kB.
fn starts(file: &Path) -> BTreeMap<u64, f64> {
    if fs::metadata(file).map_or(u64::MAX, |file| file.len()) > 20_000 {
        return BTreeMap::new();
    }
    let mut reader = csv::Reader::from_path(file).unwrap();
    let column = |name| gridpact::records::jobs::COLUMNS.iter().position(|&at| at == name).unwrap();
    let (number, start) = (column("job_id"), column("starting_time"));
    let rows = reader.records().map(|row| row.unwrap());
    rows.map(|row| (row[number].parse().unwrap(), row[start].parse().unwrap())).collect()
}

/// Compares a kept file with what it should hold, or writes it.
fn keeps(file: &str, found: &str, remedy: &str) {
    let path = root().join(file);
    if std::env::var_os("GRIDPACT_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, found).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, kept, "{file}: {remedy}");
}

#[test]
fn every_scenario_runs_is_audited_and_gives_what_it_gave() {
    let mut found = String::new();
    for (name, shown) in &*GALLERY {
        let _ = writeln!(found, "{name} {}", shown.digest);
    }
    let remedy = "results changed; if that is meant, say so in the changelog and run with \
                  GRIDPACT_BLESS=1";
    keeps("tests/golden/scenarios.txt", &found, remedy);
}

#[test]
fn the_index_is_what_the_headers_say() {
    let found = index::render(&GALLERY);
    keeps("scenarios/README.md", &found, "a header changed; run with GRIDPACT_BLESS=1");
}

/// Every number in a header is compared with the run, with the scenario, or known to be no figure.
#[test]
fn every_figure_in_a_header_is_the_run_s() {
    let table = fs::read_to_string(root().join("tests/inputs/gallery/figures.toml")).unwrap();
    let wrong = figures::compare(&GALLERY, &toml::from_str(&table).unwrap());
    assert!(wrong.is_empty(), "tests/inputs/gallery/figures.toml:\n  {}", wrong.join("\n  "));
}
