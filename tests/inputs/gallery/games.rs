//! The games of the gallery: each runs whole, gives the bytes that it gave before, and its header
//! tells what it shows. `GRIDPACT_BLESS=1 cargo test --test inputs gallery` writes new digests.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use gridpact::report::game::solved::{self, Request};
use gridpact::report::table::json;
use gridpact::run::{self, Progress, folder};
use gridpact::scenario::diagnostics::render;
use gridpact::scenario::files::Files;
use gridpact::scenario::{self, Input, Overrides};

use crate::gallery::header::Header;
use serde_json::Value;

const GOLDEN: &str = "tests/golden/games.txt";
/// All result files but those that tell how long it took.
const FILES: [&str; 6] = [
    "summary.json",
    "replications.csv",
    "players.csv",
    "actions.csv",
    "profiles.csv",
    "dynamics.csv",
];

fn project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The digest of what a game leaves, and its figures; or of its solution if it is not played.
fn digest(file: &Path) -> String {
    let mut files = Files::new();
    let (game, _) = scenario::load_to_solve(Input::File(file), &Overrides::default(), &mut files)
        .unwrap_or_else(|wrong| panic!("{}", render(&wrong, &files, false)));
    if game.solved().is_some() {
        let request =
            Request { logit: vec![], alpha: 0.0, population: 2, strategies: vec![], error: 0.0 };
        let solved = json(&solved::solve(&game, &request).tables());
        return blake3::hash(solved.as_bytes()).to_hex().to_string();
    }
    let (plan, _) = scenario::load_game(Input::File(file), &Overrides::default(), &mut files)
        .unwrap_or_else(|wrong| panic!("{}", render(&wrong, &files, false)));
    let results = tempfile::tempdir().unwrap();
    let path = results.path();
    folder::prepare(path, &plan, false).unwrap();
    let outcome = run::run(&plan, Some(path), 2, 0.0, &Progress::default()).unwrap();
    super::screen::fits(&plan, &outcome, path);
    super::golden(path, &FILES)
}

#[test]
fn every_game_of_the_gallery_gives_what_it_gave() {
    let entries = fs::read_dir(project("scenarios/games")).unwrap();
    let mut games: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    games.sort();
    let mut found = String::new();
    for file in games {
        let text = fs::read_to_string(&file).unwrap();
        Header::read(&text).unwrap_or_else(|wrong| panic!("{}: {wrong}", file.display()));
        let name = file.file_stem().unwrap().to_string_lossy();
        let _ = writeln!(found, "{name} {}", digest(&file));
    }
    if std::env::var_os("GRIDPACT_BLESS").is_some() {
        fs::write(project(GOLDEN), &found).unwrap();
    }
    let kept = fs::read_to_string(project(GOLDEN)).unwrap_or_default();
    assert_eq!(found, kept, "{GOLDEN}: if that is meant, run with GRIDPACT_BLESS=1");
}

/// The mean score of a typical cluster of `learners/het-averaging.toml` where so many of the nine
/// take part beside the overloaded one, with the interval of 99.9% over 10 replications of 100
/// rounds: 2.1 times that of 95% (Student's t with 9 degrees of freedom, 4.781 / 2.262).
fn measured(joined: usize) -> (f64, f64) {
    let text = fs::read_to_string(project("scenarios/learners/het-averaging.toml")).unwrap();
    let at = text.find("[[organization]]\nname = \"typical\"").expect("there are typical clusters");
    let (head, typical) = text.split_at(at);
    let head = head
        .replace("rounds = 500", "rounds = 100")
        .replace("replications = 4", "replications = 10");
    let cross = "learner.cross = {}\nchoices.initial = 0.5";
    let of = |name: &str, count: usize, learner: &str| {
        let typical =
            typical.replace("typical", name).replace("count = 9", &format!("count = {count}"));
        typical.replace(cross, learner) + "\n"
    };
    let mut text =
        head.replace(cross, "learner.always = {}") + &of("in", joined, "learner.always = {}");
    if joined < 9 {
        text += &of("out", 9 - joined, "learner.never = {}");
    }
    assert!(!text.contains("cross = {"), "{text}");
    let mut files = Files::new();
    let input = Input::Bytes { name: "joined.toml", bytes: text.into_bytes() };
    let (plan, _) = scenario::load(input, &Overrides::default(), &mut files)
        .unwrap_or_else(|wrong| panic!("{}", render(&wrong, &files, false)));
    let results = tempfile::tempdir().unwrap();
    folder::prepare(results.path(), &plan, false).unwrap();
    run::run(&plan, Some(results.path()), 2, 0.0, &Progress::default()).unwrap();
    let summary = fs::read(results.path().join("summary.json")).unwrap();
    let summary: Value = serde_json::from_slice(&summary).unwrap();
    let name = if joined == 1 { "in".to_owned() } else { format!("in-1..{joined}") };
    let rows = summary["learning"].as_array().unwrap();
    let row = rows.iter().find(|row| row["organization"] == name.as_str()).unwrap();
    let [score, high] = ["score", "score_high"].map(|column| row[column].as_f64().unwrap());
    (score, 2.12 * (high - score))
}

/// By how many of the nine take part, what a typical cluster has that does, in a game file.
fn stated(game: &str) -> Vec<f64> {
    let mut files = Files::new();
    let file = project(&format!("scenarios/games/{game}.toml"));
    let loaded = scenario::load_game(Input::File(&file), &Overrides::default(), &mut files);
    let (plan, _) = loaded.unwrap_or_else(|wrong| panic!("{}", render(&wrong, &files, false)));
    let payoffs = &plan.game().expect("a game").game.payoffs;
    (1..=9)
        .map(|joined| {
            payoffs.payoff(0, &std::array::from_fn::<u32, 9, _>(|at| u32::from(at < joined)))
        })
        .collect()
}

/// The scores that the games of nine clusters state are those of the grid that the gallery ships,
/// to within what a short run can tell and their rounding; and the learners' study states the
/// tipping point that follows from them.
#[test]
fn the_scores_of_the_nine_clusters_are_those_of_the_grid() {
    let scores = stated("membership");
    assert_eq!(stated("log-linear"), scores);
    for joined in [1, 3, 6, 8, 9] {
        let (score, error) = measured(joined);
        println!("{joined}: {score:.3} +- {error:.3}, stated {}", scores[joined - 1]);
        assert!((score - scores[joined - 1]).abs() <= error + 0.005, "{joined}: {score}");
        assert!(error < 0.3 * (1.0 + score.abs()), "{joined}: {error} tells nothing");
    }
    // Each of eight others joins with probability p: what joining brings in the mean.
    let brings = |p: f64| -> f64 {
        let (mut choose, mut sum) = (1.0, 0.0);
        for (others, score) in scores.iter().enumerate() {
            sum += choose * p.powi(others as i32) * (1.0 - p).powi(8 - others as i32) * score;
            choose *= (8 - others) as f64 / (others + 1) as f64;
        }
        sum
    };
    assert!(brings(0.9085) < 0.0 && brings(0.9095) > 0.0);
    let study = fs::read_to_string(project("docs/book/src/studies/learners.md")).unwrap();
    assert!(study.contains("tipping point of 0.909"));
}
