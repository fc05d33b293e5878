//! Studies: every claim of a paper is answered, by rows or by tests that exist, and the rows are
//! the same for any number of threads.

use std::fs;
use std::path::{Path, PathBuf};

use gridpact::report::table::Format;
use gridpact::study::claim::Answer;
use gridpact::study::row::{self, Row};
use gridpact::study::{Bench, Effort, PAPERS, Study, Wanted};

/// What the claims of each paper begin with.
const PREFIXES: [(&str, &str); 5] = [
    ("selfish-lb", "LB-"),
    ("online-grids", "OG-"),
    ("mosp", "MO-"),
    ("dedicated-grids", "DG-"),
    ("sequential-games", "SG-"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn studies() -> impl Iterator<Item = (&'static str, &'static Study)> {
    PAPERS.into_iter().filter_map(|paper| Some((paper.name, paper.study?)))
}

fn play(study: &Study, wanted: &Wanted, threads: usize) -> Vec<Row> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let bench = Bench::new(Effort { rounds: 4, quick: true, seed: 1 });
    pool.install(|| study.play(wanted, &bench, |_, _| ())).unwrap()
}

/// The register from which the papers' claims were taken, where it is a neighbour.
#[test]
fn every_claim_of_the_papers_is_known() {
    let register = root().join("../shared/claims.md");
    let Ok(text) = fs::read_to_string(&register) else {
        eprintln!("skipped: there is no register of claims beside the project");
        return;
    };
    for (name, study) in studies() {
        let prefix = PREFIXES.iter().find(|(paper, _)| *paper == name).unwrap().1;
        let lines = text.lines().filter_map(|line| line.strip_prefix("| "));
        let ids =
            lines.filter_map(|line| line.split(" |").next()).filter(|id| id.starts_with(prefix));
        let theirs: Vec<&str> = ids.collect();
        let ours: Vec<&str> = study.claims.iter().map(|claim| claim.id).collect();
        assert_eq!(ours, theirs, "{name}");
    }
}

#[test]
fn claims_have_names_of_their_own() {
    for (name, study) in studies() {
        let mut ids: Vec<&str> = study.claims.iter().map(|claim| claim.id).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{name}: {ids:?}");
        for part in study.parts {
            for id in part.claims {
                let claim = study.claim(id);
                let claim = claim.unwrap_or_else(|| panic!("{name}: there is no claim {id}"));
                assert!(matches!(claim.answer, Answer::Rows), "{id} is answered elsewhere too");
            }
        }
        for claim in study.answered_in_rows() {
            let parts = study.parts.iter().filter(|part| part.claims.contains(&claim.id));
            assert!(parts.count() > 0, "no part answers {}", claim.id);
        }
    }
}

fn collect(folder: PathBuf, text: &mut String) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(path, text);
        } else if path.extension().is_some_and(|end| end == "rs") {
            text.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn the_tests_that_answer_claims_exist() {
    let mut source = String::new();
    collect(root().join("tests"), &mut source);
    collect(root().join("src"), &mut source);
    for (_, study) in studies() {
        for claim in study.claims {
            let Answer::Tests(names) = claim.answer else { continue };
            assert!(!names.is_empty(), "{}: no test is named", claim.id);
            for name in names {
                let test = format!("fn {name}(");
                assert!(source.contains(&test), "{}: there is no test {name}", claim.id);
            }
        }
    }
}

/// Every claim has a row, every row a claim; and a part played alone gives the rows that it gives
/// among all.
#[test]
fn every_claim_is_answered() {
    for (_, study) in studies() {
        let rows = play(study, &Wanted::default(), 2);
        for claim in study.claims {
            assert!(rows.iter().any(|row| row.claim == claim.id), "no row of {}", claim.id);
        }
        for part in study.parts {
            let id = part.claims[0];
            let wanted = Wanted { claim: Some(id.to_lowercase()), ..Wanted::default() };
            let alone = play(study, &wanted, 1);
            let among: Vec<Row> = rows.iter().filter(|row| row.claim == id).cloned().collect();
            assert!(!alone.is_empty(), "{id}");
            let shown = |rows: &[Row]| row::table(rows).render(Format::Csv, None);
            assert_eq!(shown(&alone), shown(&among), "{id}");
        }
    }
}
