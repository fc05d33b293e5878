//! The summary of any scenario fits a screen, and says what it leaves out.

use std::path::Path;

use gridpact::report::table::Format;
use gridpact::report::words::screen::View;
use gridpact::report::world::text;
use gridpact::run::Outcome;
use gridpact::run::any::AnyWorld;
use gridpact::run::world::Runnable as _;
use gridpact::scenario::plan::Plan;
use gridpact::stats::shown::Times;

/// The words of a text, however its lines are broken.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks the summary of a run.
pub fn fits(plan: &Plan, outcome: &Outcome, results: &Path) {
    let world = AnyWorld::of(plan).unwrap();
    let report = world.report(&outcome.found);
    for times in [Times::Units, Times::Clock] {
        let [short, whole] = [false, true].map(|is_whole| {
            let view = View { is_whole, times, ..View::default() };
            text(plan, &*report, &outcome.timing, Some(results), view)
        });
        let name = &plan.name;
        assert!(short.lines().all(|line| line.chars().count() <= 80), "{name}:\n{short}");
        assert!(short.lines().count() <= 25, "{name}:\n{short}");
        let told = if plan.counts_seconds() { times } else { Times::Units };
        let warnings = report.warnings().into_iter().map(|one| format!("warning: {one}"));
        let sentences = report.statements(told).into_iter().chain(warnings);
        let rest = report.head(told).into_iter().chain(report.imports(plan));
        let all: Vec<String> = sentences.chain(rest).map(|one| words(&one)).collect();
        let [short, whole] = [short, whole].map(|text| words(&text));
        let is_in = |text: &str| all.iter().all(|one| text.contains(&**one));
        assert!(is_in(&whole), "{name}:\n{whole}\n{all:#?}");
        assert!(is_in(&short) || short.contains("not shown: "), "{name}:\n{short}");
        assert!(!whole.contains("not shown: "), "{name}:\n{whole}");
        let rows = report.table(Format::Markdown).shown().rows;
        assert!(rows.iter().all(|row| whole.contains(&words(&row[0]))), "{name}:\n{whole}");
    }
}
