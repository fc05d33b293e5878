//! The games of the gallery: each runs whole, gives the bytes that it gave before, and its header
//! tells what it shows. `GRIDPACT_BLESS=1 cargo test --test gallery` writes new digests.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use gridpact::run::{Progress, dynamics, folder, game};
use gridpact::scenario::diagnostics::render;
use gridpact::scenario::files::Files;
use gridpact::scenario::{self, Input, Overrides};

use crate::header::Header;

const GOLDEN: &str = "tests/golden/games.txt";
/// All result files but those that tell how long it took.
const FILES: [&str; 5] =
    ["summary.json", "players.csv", "actions.csv", "profiles.csv", "dynamics.csv"];

fn project(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The digest of what a game leaves.
fn digest(file: &Path) -> String {
    let mut files = Files::new();
    let (plan, _) = scenario::load_game(Input::File(file), &Overrides::default(), &mut files)
        .unwrap_or_else(|wrong| panic!("{}", render(&wrong, &files, false)));
    let results = tempfile::tempdir().unwrap();
    let path = results.path();
    folder::prepare(path, &plan, false).unwrap();
    let progress = Progress::default();
    match &plan.dynamics {
        Some(moving) => {
            dynamics::run(&plan, moving, Some(path), 2, 0.0, &progress).unwrap();
        }
        None => {
            game::run(&plan, Some(path), 2, 0.0, &progress).unwrap();
        }
    }
    let mut hasher = blake3::Hasher::new();
    for name in FILES.map(|name| path.join(name)).iter().filter(|path| path.exists()) {
        hasher.update(&fs::read(name).unwrap());
    }
    hasher.finalize().to_hex().to_string()
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
