//! The gallery: every scenario in `scenarios/` runs whole, passes its audit, and gives the bytes
//! that it gave before. `GRIDPACT_BLESS=1 cargo test --test gallery` writes new digests.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use gridpact::run::{self, Progress, audit, folder};
use gridpact::scenario::diagnostics::render;
use gridpact::scenario::files::Files;
use gridpact::scenario::{self, Input, Overrides};

const GOLDEN: &str = "tests/golden/scenarios.txt";

/// The scenarios, by name.
fn gallery() -> BTreeMap<String, PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.map(|file| (file.file_stem().unwrap().to_str().unwrap().to_owned(), file)).collect()
}

/// Runs and audits a scenario; gives the digest of its results.
fn digest(name: &str, file: &Path) -> String {
    let mut files = Files::new();
    let (plan, _) = scenario::load(Input::File(file), &Overrides::default(), &mut files)
        .unwrap_or_else(|wrong| panic!("{}", render(&wrong, &files, false)));
    let results = tempfile::tempdir().unwrap();
    folder::prepare(results.path(), &plan, false).unwrap();
    run::run(&plan, Some(results.path()), 2, 0.0, &Progress::default()).unwrap();
    if plan.output.jobs {
        let audited = audit::audit(results.path()).unwrap();
        assert!(audited.passed(), "{name}: {}", audited.report);
    }
    let mut hasher = blake3::Hasher::new();
    for file in ["summary.json", "organizations.csv", "jobs.csv"] {
        let path = results.path().join(file);
        if path.exists() {
            hasher.update(&fs::read(path).unwrap());
        }
    }
    hasher.finalize().to_hex().to_string()
}

#[test]
fn every_scenario_runs_is_audited_and_gives_what_it_gave() {
    let mut found = String::new();
    for (name, file) in gallery() {
        let _ = writeln!(found, "{name} {}", digest(&name, &file));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(GOLDEN);
    if std::env::var_os("GRIDPACT_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &found).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        found, golden,
        "results changed; if that is meant, say so in the changelog and run with GRIDPACT_BLESS=1"
    );
}

/// The question is what a reader of the gallery looks for first.
#[test]
fn every_scenario_opens_with_a_question() {
    for (name, file) in gallery() {
        let text = fs::read_to_string(file).unwrap();
        let head: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
        assert!(head.first().is_some_and(|line| line.ends_with('?')), "{name}: no question");
        assert!((3..=7).contains(&head.len()), "{name}: {} lines of comment", head.len());
    }
}
