//! Studies: every claim of a paper is answered, by rows or by tests that exist, and the rows are
//! the same for any number of threads.

use std::fs;
use std::path::{Path, PathBuf};

use gridpact::report::table::Format;
use gridpact_studies::resume::Parts;
use gridpact_studies::row::{self, Row};
use gridpact_studies::verdict::Figure;
use gridpact_studies::{Bench, Effort, PAPERS, Study, Wanted};

/// Prefix of the claims of each paper.
const PREFIXES: [(&str, &str); 5] = [
    ("selfish-lb", "LB-"),
    ("online-grids", "OG-"),
    ("mosp", "MO-"),
    ("dedicated-grids", "DG-"),
    ("sequential-games", "SG-"),
];

fn root() -> &'static Path {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    folders.into_iter().nth(2).expect("the studies are a folder in a folder of the project")
}

fn studies() -> impl Iterator<Item = (&'static str, &'static Study)> {
    PAPERS.into_iter().filter_map(|paper| Some((paper.name, paper.study?)))
}

fn play(study: &Study, wanted: &Wanted, threads: usize) -> Vec<Row> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let bench = Bench::new(Effort { samples: 2, quick: true, seed: 1, seeds: 2 });
    pool.install(|| study.play(wanted, &bench, &Parts::default(), |_, _| ())).unwrap().rows
}

/// An interrupted study goes on with the parts that ended: the same rows, pictures and records.
/// Among them are figures without an interval and with an infinite one.
#[test]
fn a_study_goes_on_with_the_parts_that_ended() {
    let study = studies().find(|(name, _)| *name == "online-grids").unwrap().1;
    let folder = tempfile::tempdir().unwrap();
    let play = |kept: &Parts| {
        let bench = Bench::new(Effort { samples: 4, quick: true, seed: 1, seeds: 2 });
        let found = study.play(&Wanted::default(), &bench, kept, |_, _| ()).unwrap();
        (found.rows, found.pictures, found.played)
    };
    let whole = play(&Parts::default());
    let kept = Parts::of(folder.path(), "online-grids", "stamp");
    assert!(play(&kept) == whole);
    let parts = || {
        let mut files: Vec<PathBuf> = fs::read_dir(folder.path().join("parts/online-grids"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        files
    };
    let files = parts();
    assert_eq!(files.len(), 2 * study.parts().len());
    // As if it had been killed while it wrote, and before it ended.
    fs::write(&files[0], "{\"stamp\": \"st").unwrap();
    fs::remove_file(&files[1]).unwrap();
    let other = fs::metadata(&files[2]).unwrap().modified().unwrap();
    assert!(play(&kept) == whole);
    assert_eq!(
        fs::metadata(&files[2]).unwrap().modified().unwrap(),
        other,
        "it was not played again"
    );
    // Of another effort nothing is taken.
    let text = fs::read_to_string(&files[2]).unwrap();
    assert!(play(&Parts::of(folder.path(), "online-grids", "another")) == whole);
    assert_ne!(fs::read_to_string(&files[2]).unwrap(), text);
    kept.clear();
    assert!(!folder.path().join("parts").exists());
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
        let ours: Vec<&str> = study.claims().iter().map(|claim| &*claim.id).collect();
        assert_eq!(ours, theirs, "{name}");
    }
}

#[test]
fn claims_have_names_of_their_own() {
    for (name, study) in studies() {
        let mut ids: Vec<&str> = study.claims().iter().map(|claim| &*claim.id).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{name}: {ids:?}");
        for part in study.parts() {
            for id in part.claims() {
                assert!(study.claim(id).is_some(), "{name}: there is no claim {id}");
            }
        }
        for claim in study.claims() {
            let parts = study.parts().iter().filter(|part| part.claims().contains(&&*claim.id));
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
        for claim in study.claims() {
            for name in &claim.checked {
                let test = format!("fn {name}(");
                assert!(source.contains(&test), "{}: there is no test {name}", claim.id);
            }
        }
    }
}

/// Every claim has a row, every row a claim; and the first part of a paper, played alone by one thread,
/// gives the rows that it gives among all by two.
#[test]
fn every_claim_is_answered() {
    for (_, study) in studies() {
        let rows = play(study, &Wanted::default(), 2);
        for claim in study.claims() {
            assert!(rows.iter().any(|row| row.claim == claim.id), "no row of {}", claim.id);
        }
        let id = study.parts()[0].claims()[0];
        let wanted = Wanted { claim: Some(id.to_lowercase()), ..Wanted::default() };
        let alone = play(study, &wanted, 1);
        let among: Vec<Row> = rows.iter().filter(|row| row.claim == id).cloned().collect();
        assert!(!alone.is_empty(), "{id}");
        let shown = |rows: &[Row]| row::table(rows).render(Format::Csv, None);
        assert_eq!(shown(&alone), shown(&among), "{id}");
    }
}

/// LB-Q-02: exact theory, which has no error of its own, has to be met, by the wait of who comes (PASTA).
#[test]
fn the_law_of_a_queue_is_measured_by_who_comes() {
    let study = PAPERS[0].study.unwrap();
    let wanted = Wanted { claim: Some("LB-Q-02".to_owned()), ..Wanted::default() };
    let bench = Bench::new(Effort { samples: 1000, quick: false, seed: 1, seeds: 1 });
    let rows = study.play(&wanted, &bench, &Parts::default(), |_, _| ()).unwrap().rows;
    assert_eq!(rows.len(), 5);
    for row in rows {
        let (Figure::Number(theory, None), Figure::Number(ours, Some(half_width))) =
            (&row.paper, &row.ours)
        else {
            panic!("{row:?}");
        };
        // Twice the 95% interval: four standard errors.
        assert!((theory - ours).abs() < 2.0 * half_width, "{row:?}");
        assert!(*half_width < 0.05 * theory, "{row:?}");
        let expected = if (theory - ours).abs() <= *half_width { "agrees" } else { "differs" };
        assert_eq!(row.verdict.name(), expected);
        assert!(row.command.starts_with("gridpact run queue.toml --set replications="), "{row:?}");
    }
}

/// The seeds after the first change no verdict, and are told where they disagree.
#[test]
fn verdicts_that_flip_with_the_seed_say_so() {
    let study = PAPERS[0].study.unwrap();
    let wanted = Wanted { claim: Some("LB-Q-02".to_owned()), ..Wanted::default() };
    let play = |seed, seeds| {
        let bench = Bench::new(Effort { samples: 40, quick: true, seed, seeds });
        study.play(&wanted, &bench, &Parts::default(), |_, _| ()).unwrap().rows
    };
    let together = play(1, 8);
    let alone: Vec<Vec<Row>> = (1..=8).map(|seed| play(seed, 1)).collect();
    let mut flips = 0;
    for (place, row) in together.iter().enumerate() {
        assert_eq!(row.verdict, alone[0][place].verdict);
        assert_eq!(row.ours, alone[0][place].ours);
        let others = alone.iter().any(|rows| rows[place].verdict != row.verdict);
        assert_eq!(!row.flips.is_empty(), others, "{row:?}");
        flips += usize::from(others);
        let text = row::table(std::slice::from_ref(row)).render(Format::Csv, None);
        assert_eq!(text.contains("another seed gives"), others);
    }
    assert!(flips > 0, "forty intervals of 95% all cover");
}

fn mosp(claim: &str, samples: u32) -> Vec<Row> {
    let study = PAPERS[2].study.unwrap();
    let wanted = Wanted { claim: Some(claim.to_owned()), ..Wanted::default() };
    let bench = Bench::new(Effort { samples, quick: true, seed: 1, seeds: 1 });
    study.play(&wanted, &bench, &Parts::default(), |_, _| ()).unwrap().rows
}

/// The figures of Pascual, Rzadca and Trystram that can be drawn by hand: all that they say is so.
#[test]
fn the_examples_of_plans_are_as_the_paper_says() {
    for (claim, count) in [("MO-F1", 4), ("MO-F2", 1), ("MO-F3", 3), ("MO-F5", 1), ("MO-A-01", 1)] {
        let rows = mosp(claim, 2);
        assert_eq!(rows.len(), count, "{claim}");
        for row in rows {
            assert_eq!(row.verdict.name(), "agrees", "{row:?}");
        }
    }
}

/// Lemma 1 of the same paper is false: on one of five clusters, the low zone lasts longer than the
/// longest of 17 jobs, of 46 units.
#[test]
fn a_lemma_has_a_counterexample() {
    let rows = mosp("MO-L-1", 2);
    let row = rows.iter().find(|row| row.what.starts_with("17 jobs")).unwrap();
    assert_eq!(row.verdict.name(), "the paper errs");
    let Figure::Number(longest, None) = row.ours else { panic!("{row:?}") };
    assert!(longest > 46.0 && row.paper == Figure::from("below 46"), "{row:?}");
}

/// Mean scores of 20 x 4800 instances by an independent program, with the deviation of a mean of 4800.
/// Those of five samples have to be within four standard errors of theirs, which our intervals tell.
#[test]
fn mean_scores_are_those_of_an_independent_program() {
    const SAMPLES: u32 = 5;
    let expected = [
        ("uni: mean score of MOLBA(2)", 1.966, 0.004),
        ("uni: mean score of ILBA", 1.245, 0.002),
        ("swf: mean score of MOLBA(2)", 1.089, 0.003),
        ("swf: mean score of ILBA", 1.025, 0.001),
        ("uni without n = 10, N = 2: mean score of local", 1.567, 0.006),
        ("uni without n = 10, N = 5: mean score of local", 2.968, 0.017),
        ("uni without n = 10, N = 10: mean score of local", 4.868, 0.035),
        ("uni without n = 10, N = 20: mean score of local", 7.337, 0.046),
        ("uni: correlation of N and the score of local", 0.697, 0.004),
        ("both sets: correlation of N and the score of local", 0.382, 0.003),
        ("both sets: share of instances with score 1: MOLBA(2)", 0.270, 0.003),
        ("both sets: share of instances with score 1: ILBA", 0.376, 0.002),
    ];
    let claims = ["MO-N-01", "MO-N-02", "MO-N-04", "MO-N-05"];
    let rows: Vec<Row> = claims.into_iter().flat_map(|claim| mosp(claim, SAMPLES)).collect();
    for (what, mean, deviation) in expected {
        let row = rows.iter().find(|row| row.what == what);
        let row = row.unwrap_or_else(|| panic!("there is no row {what}"));
        let Figure::Number(ours, Some(half_width)) = row.ours else { panic!("{row:?}") };
        let error = f64::hypot(deviation / 20_f64.sqrt(), half_width / 1.96);
        assert!((ours - mean).abs() < 4.0 * error, "{what}: {ours} for {mean}");
    }
    // What the paper proves is not broken, and its figure is drawn.
    let promises = mosp("MO-N-11", SAMPLES);
    let promises = promises.iter().filter(|row| row.what.contains("than alone"));
    assert_eq!(promises.clone().count(), 4);
    for row in promises {
        assert_eq!(row.verdict.name(), "agrees", "{row:?}");
    }
    let wanted = Wanted { figure: Some("7".to_owned()), ..Wanted::default() };
    let bench = Bench::new(Effort { samples: 2, quick: true, seed: 1, seeds: 1 });
    let found = PAPERS[2].study.unwrap().play(&wanted, &bench, &Parts::default(), |_, _| ());
    assert_eq!(found.unwrap().pictures.len(), 4);
}
