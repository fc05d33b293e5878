//! Coverage of the printed intervals.
//!
//! Queues of which theory knows the figures are run by the code that `gridpact run` runs, each on
//! seeds of its own, and the intervals that it would print are compared with the truth: for all
//! runs, and for those that warn of nothing.
//!
//! In `cargo test` a few small cells are judged. The whole table of the book takes about half an
//! hour on two cores:
//!
//! ```sh
//! GRIDPACT_SEEDS=2000 cargo test --release --test engine coverage::printed -- --nocapture
//! ```
//!
//! `GRIDPACT_CELLS=dev` takes the queues on which rules are developed; the table's own are for
//! measuring alone. Any other text takes the cells whose name has it. `GRIDPACT_WORK` bounds the
//! jobs of a cell, by fewer seeds.

mod cells;
mod theory;

use cells::{Cell, Of};

/// A text of the environment.
fn wanted(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The whole table, in Markdown.
fn table(seeds: u64) {
    let only = wanted("GRIDPACT_CELLS").unwrap_or_default();
    let work = wanted("GRIDPACT_WORK").map_or(f64::INFINITY, |work| work.parse().expect("jobs"));
    let all = if only.starts_with("dev") { cells::development() } else { cells::table() };
    let only = only.trim_start_matches("dev").trim();
    println!("{}", cells::HEADER);
    for cell in all.iter().filter(|cell| cell.name().contains(only)) {
        let seeds = seeds.min((work / cell.jobs()) as u64).max(100);
        let tally = cell.tally(seeds, 16_384);
        print!("{}", tally.rows(cell));
    }
}

/// With the number of seeds in `GRIDPACT_SEEDS` the table is printed. Else small cells are judged
/// by a hundred seeds: as many cover as 95% within three standard errors, at least 88.5%.
#[test]
fn printed_intervals_cover_the_truth_in_95_of_100_cases() {
    if let Some(seeds) = wanted("GRIDPACT_SEEDS") {
        return table(seeds.parse().expect("a number of seeds"));
    }
    for cell in cells::small() {
        let tally = cell.tally(100, 512);
        for (figure, share) in tally.coverage() {
            assert!((0.885..=1.0).contains(&share), "{}: {figure}: {share}", cell.name());
        }
    }
}

/// Half of what is seen of a mean follows from jobs that are rarer than one in a sample: whoever
/// misses is warned.
#[test]
fn who_misses_the_truth_of_heavy_tails_is_warned() {
    for cell in cells::heavy() {
        let Of { missed, missed_and_warned, .. } = cell.tally(40, 512).figures[0];
        assert!(missed >= 5, "{}: {missed} miss, which tells nothing", cell.name());
        assert!(
            10 * missed_and_warned >= 9 * missed,
            "{}: {missed_and_warned} of {missed}",
            cell.name()
        );
    }
}

/// An interval of another level covers as often as it says.
#[test]
fn a_level_is_kept() {
    for (level, range) in [(0.8, 0.6..=0.95), (0.99, 0.93..=1.0)] {
        let cell = Cell { level, ..cells::small()[0] };
        let share = cell.tally(50, 512).coverage()[0].1;
        assert!(range.contains(&share), "{level}: {share}");
    }
}
