//! Summaries, warnings and statements as their readers see them, plain and in colour.
//!
//! The snapshots are in `snapshots/`; `GRIDPACT_BLESS=1` writes them anew. `\e` stands for the escape
//! character, and `[..]` for times of the clock.

use std::fs;
use std::path::Path;

use snapbox::Data;

use super::support::Folder;

/// Too few jobs of two organizations, one of them overloaded.
const GRID: &str = "name = \"Two organizations\"\n\
    [[organization]]\nname = \"physics\"\n\
    cluster.space_shared = { processors = 4, scheduler.easy = {} }\n\
    workload.synthetic = { arrivals.poisson.rate = 0.5, size.exponential.mean = 4.0, jobs = 200 }\n\
    [[organization]]\nname = \"biology\"\n\
    cluster.space_shared = { processors = 1, scheduler.fcfs = {} }\n\
    workload.synthetic = { arrivals.poisson.rate = 0.5, size.exponential.mean = 4.0, jobs = 100 }\n";

/// An organization that always takes part, and some that learn if they should.
const COALITION: &str = "name = \"A small coalition\"\n\
    [run]\nuntil.rounds = 40\nreplications = 4\n\
    [coalition]\nperiod = 100.0\n\
    balancer.averaging = {}\n\
    [[organization]]\nname = \"overloaded\"\ncluster.time_shared = {}\n\
    workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 8.0 }\n\
    learner.always = {}\n\
    [[organization]]\nname = \"typical\"\ncount = 3\ncluster.time_shared = {}\n\
    workload.synthetic = { arrivals.poisson.rate = 0.2, size.exponential.mean = 4.0 }\n\
    learner.ratio = { initial = 0.5, rate = 0.1 }\n";

/// Matching pennies, which has no pure equilibrium.
const GAME: &str = include_str!("../../../scenarios/games/matching-pennies.toml");

/// The command that runs each of them.
const COMMANDS: [(&str, &str, &str); 3] = [
    ("grid", GRID, "run s.toml --out r"),
    ("coalition", COALITION, "run s.toml --out r"),
    ("game", GAME, "game s.toml --out r --replications 3 --set rounds=300"),
];

/// Output on both streams, without times of the clock.
fn shown(scenario: &str, words: &str, width: usize, color: bool) -> String {
    let said = Folder::new(scenario).run_shown(words, width, color);
    assert_eq!(said.code, 0, "{}", said.error);
    let line = |line: &str| {
        let timed = line.starts_with("simulated ") || line.starts_with("played ");
        let end = if timed { line.rfind(" in ") } else { None };
        let line = end.map_or(line.to_owned(), |end| format!("{} in [..]", &line[..end]));
        line.replace('\x1b', "\\e") + "\n"
    };
    (said.error + &said.out).lines().map(line).collect()
}

#[test]
fn summaries_read_as_they_did() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/program/cli/snapshots");
    for (name, scenario, words) in COMMANDS {
        for (width, color) in [(80, false), (80, true)] {
            let color_name = if color { "color" } else { "plain" };
            let file = folder.join(format!("{name}-{width}-{color_name}.txt"));
            let found = shown(scenario, words, width, color);
            if std::env::var_os("GRIDPACT_BLESS").is_some() {
                fs::write(&file, &found).unwrap();
            }
            let expected = fs::read_to_string(&file).unwrap_or_default();
            snapbox::assert_data_eq!(found, Data::text(expected).raw());
        }
    }
}

#[test]
fn colour_only_adds_escapes() {
    let (_, scenario, words) = COMMANDS[0];
    let [plain, color] = [false, true].map(|color| shown(scenario, words, 80, color));
    assert!(!plain.contains("\\e[") && color.contains("\\e[1;33mwarning:\\e[0m "), "{color}");
    assert_eq!(color.replace("\\e[1;33m", "").replace("\\e[0m", ""), plain);
}

/// Terms that the legend explains although they are not the heading of a column.
const TERMS: [&str; 8] = ["score", "slowdown", "final", "sd", "p95", "for", "by", "swap"];

#[test]
fn every_line_fits_and_no_legend_explains_a_column_that_is_not_there() {
    for (_, scenario, words) in COMMANDS {
        for width in [64, 72, 80, 100, 140, 200] {
            let text = shown(scenario, words, width, false);
            for line in text.lines() {
                assert!(line.chars().count() <= width, "{width}: {line}\n{text}");
            }
            let mut blocks = text.split("─\n");
            let heading = blocks.nth(1).unwrap().lines().next().unwrap().to_owned();
            // A blank line begins what has no legend, which went before a sentence.
            let below = blocks.next().unwrap();
            let legend = if below.starts_with('\n') { "" } else { below };
            let legend = legend.split("\n\n").next().unwrap().to_owned();
            let legend = legend.replace("\n  ", " ");
            for note in legend.split([';', '\n']) {
                let Some((terms, _)) = note.trim().split_once(": ") else { continue };
                for term in terms.split(", ") {
                    let is_shown = heading.contains(&format!(" {term} "))
                        || heading.trim_end().ends_with(term)
                        || TERMS.contains(&term) && heading.contains(term);
                    assert!(
                        is_shown || text.matches(term).count() > 1 && term == "±",
                        "{term}\n{text}"
                    );
                }
            }
        }
    }
}
