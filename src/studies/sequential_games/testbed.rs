//! The testbed of table 5 with WIEN2k and ASTRO: figures 8 and 13.
//!
//! Neither the times of the activities nor their numbers are printed. Times and numbers that give the
//! printed figures were found by a search, for each figure its own. What the paper says of all plans is
//! tried on drawn times: classes of 250 activities, whose times follow the clocks of the sites within a
//! fifth.

use std::sync::Arc;

use super::drawn::Instance;
use super::gantt;
use super::played::{Algorithm, Listing, Outcome, Player, play};
use crate::picture::Drawing;
use crate::played::Record;
use crate::row::Row;
use crate::sample::mean;
use crate::verdict::{Measured, Printed, Verdict};
use crate::{Bench, StudyError};
use game::fairness::jain;
use kernel::rng::Streams;
use model::campaign::{Application, Site};
use policy::tasks::game_cost::{GameCost, Options};
use policy::tasks::{Order, sufferage::Second};
use workload::draw::fraction;

/// The sites, of which four processors each are used, with their clocks and prices.
const SITES: [(f64, i64); 4] = [(2.4, 4), (2.2, 2), (1.6, 2), (1.6, 1)];
/// Classes: activities, time at one GHz, and what they wait for. WIEN2k has lapw1, lapw2 and the test of
/// convergence, ASTRO pgroups, poten and a last step.
const CLASSES: [(u64, f64, &[u32]); 6] = [
    (250, 16.0, &[]),
    (250, 5.0, &[0]),
    (1, 3.0, &[1]),
    (250, 10.0, &[]),
    (250, 8.0, &[3]),
    (1, 2.0, &[4]),
];
/// Classes of the first application.
const FIRST: u32 = 3;
/// Names of the sites and of the classes.
const NAMES: (&[&str], &[&str]) = (
    &["karwendel", "hc-ma", "schafberg", "altix1"],
    &["lapw1", "lapw2", "converged", "pgroups", "poten", "last step"],
);
/// The deadline of figure 13.
const DEADLINE: f64 = 300.0;

/// Activities of each class, and their times by class and site in tenths of a unit.
type Found = ([u64; 6], [[u32; 4]; 6]);

/// Found by annealing for the figures of Figure 8.
const FIGURE_8: Found = (
    [38, 161, 1, 299, 126, 1],
    [
        [141, 143, 144, 196],
        [43, 36, 70, 52],
        [121, 121, 137, 147],
        [47, 51, 90, 91],
        [38, 38, 49, 40],
        [26, 34, 47, 32],
    ],
);

/// Found by annealing for the figures of Figure 13.
const FIGURE_13: Found = (
    [30, 186, 1, 168, 261, 1],
    [
        [108, 63, 185, 162],
        [62, 34, 96, 103],
        [150, 153, 175, 225],
        [44, 38, 55, 65],
        [50, 57, 44, 32],
        [138, 66, 137, 204],
    ],
);

fn found((tasks, tenths): &Found) -> Instance {
    with(*tasks, &tenths.map(|row| row.map(|time| f64::from(time) / 10.0)))
}

fn instance(seed: u64, sample: u64) -> Instance {
    let rng = &mut Streams::new(seed).in_replication(sample).stream("sequential-games/testbed");
    let times = CLASSES
        .map(|(_, time, _)| SITES.map(|(clock, _)| time / clock * (0.8 + 0.4 * fraction(rng))));
    with(CLASSES.map(|class| class.0), &times)
}

/// Both applications with these numbers and times of activities.
fn with(tasks: [u64; 6], times: &[[f64; 4]; 6]) -> Instance {
    let rows = times.each_ref().map(|row| &row[..]);
    let after = CLASSES.map(|class| class.2.to_vec());
    let mut instance = Instance::graph(&[4; 4], &tasks, &rows, &after);
    let sites = instance.sites.iter().zip(SITES);
    instance.sites =
        sites.map(|(site, (_, price))| Site { price: price * 1_000_000, ..*site }).collect();
    let work = Arc::make_mut(&mut instance.work);
    let whole = work.applications.remove(0);
    work.applications = vec![
        Application { name: "wien2k".to_owned(), end: FIRST, ..whole.clone() },
        Application { name: "astro".to_owned(), first: FIRST, ..whole },
    ];
    for (class, one) in (0..).zip(&mut work.classes) {
        one.application = u32::from(class >= FIRST);
    }
    instance
}

/// The same with true times that differ from what is expected, by a tenth at most.
fn noisy(instance: &Instance, seed: u64, sample: u64) -> Instance {
    let rng = &mut Streams::new(seed).in_replication(sample).stream("sequential-games/noise");
    let mut noisy = Instance::clone(instance);
    for time in &mut Arc::make_mut(&mut noisy.work).times {
        *time = super::drawn::span(time.as_units() * (0.9 + 0.2 * fraction(rng)));
    }
    noisy
}

/// Fairness of the ends of both applications.
fn fairness(outcome: &Outcome) -> f64 {
    let of = |ends: &[f64]| ends.iter().copied().fold(0.0, f64::max);
    let (first, second) = outcome.ends.split_at(FIRST as usize);
    jain([of(first), of(second)]).unwrap_or(1.0)
}

/// Mean error of the ends of the classes, in parts of what was expected.
fn error(expected: &Outcome, found: &Outcome) -> f64 {
    let pairs = expected.ends.iter().zip(&found.ends);
    pairs.map(|(one, other)| (other / one - 1.0).abs()).sum::<f64>() / expected.ends.len() as f64
}

/// Results on an instance with drawn times.
struct Case {
    /// Min-min and Game-quick.
    outcomes: [Outcome; 2],
    /// Errors of both with other times than expected.
    errors: [f64; 2],
}

fn case(seed: u64, sample: u64) -> Result<Case, StudyError> {
    let instance = instance(seed, sample);
    let noisy = noisy(&instance, seed, sample);
    let [min_min, quick] = players();
    let outcomes = [play(&instance, &min_min, seed)?, play(&instance, &quick, seed)?];
    let errors = [
        error(&outcomes[0], &play(&noisy, &min_min, seed)?),
        error(&outcomes[1], &play(&noisy, &quick, seed)?),
    ];
    Ok(Case { outcomes, errors })
}

/// Min-min and Game-quick.
fn players() -> [Player; 2] {
    [Algorithm::MinMin, Algorithm::GameQuick].map(|one| one.player(Order::Random, Second::Site))
}

/// Table 5, and figures 1, 8 and 13.
pub(super) fn testbed(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (seed, samples) = (bench.effort.seed, bench.effort.samples);
    bench.log(Record::drawn("WIEN2k and ASTRO on the testbed, times drawn", bench, samples));
    let cases = bench.each(samples.into(), |sample| case(seed, sample))?;
    let over = |of: &dyn Fn(&Case) -> f64| -> Measured { mean(cases.iter().map(of)) };
    let early = |case: &Case| {
        let waits = CLASSES
            .iter()
            .enumerate()
            .flat_map(|(class, one)| one.2.iter().map(move |before| (class, *before as usize)));
        let [quick, ready] = [&case.outcomes[1].ends, &case.outcomes[1].readies];
        waits.filter(|(class, before)| quick[*before] > ready[*class]).count() as u64
    };
    let early: u64 = cases.iter().map(early).sum();
    let what = "classes of both workflows that are ready too early";
    let mut rows = vec![Row::new("SG-M-03", "Figure 1", what).never(early)];
    let processors = Measured::exact(instance(seed, 0).processors() as f64);
    let what = "processors of the testbed, four of each of the four sites";
    let sixteen = Printed::calculated(16.0, 0.0);
    rows.push(Row::new("SG-T5", "Table 5", what).compared(sixteen, processors));
    rows.push(figure_8(bench)?);
    let less = over(&|case| case.outcomes[1].switches - case.outcomes[0].switches);
    let what = "changes of the class on a processor, Game-quick less Min-min";
    rows.push(Row::new("SG-C-06", "3.7", what).negative(less));
    let less = over(&|case| 100.0 * (case.errors[1] - case.errors[0]));
    let what =
        "error of the ends of classes if times are off by a tenth, Game-quick less Min-min, in %";
    rows.push(Row::new("SG-C-06", "3.7", what).negative(less));
    rows.extend(figure_13(bench)?);
    Ok(rows)
}

/// Figure 8 on times that were found for it.
fn figure_8(bench: &Bench) -> Result<Row, StudyError> {
    let (instance, [min_min, quick]) = (found(&FIGURE_8), players());
    let [list, game] = [play(&instance, &min_min, 1)?, play(&instance, &quick, 1)?];
    let shorter = 100.0 * (1.0 - game.makespan() / list.makespan());
    let (ends, both) = (list.makespan(), [("Min-min", &min_min), ("Game-quick", &quick)]);
    let subtitle = format!(
        "found for the purpose: Min-min ends at {ends:.1} (paper 258), Game-quick {shorter:.2}% sooner (12.17%)"
    );
    let chart = gantt::chart("two applications", subtitle, NAMES, &instance, &both)?;
    bench.draw(Drawing::Rows("8", chart));
    let figures = [
        ("makespan of Min-min", 258.0, 1.0, ends),
        ("% that Game-quick is shorter", 12.17, 0.01, shorter),
        ("fairness of Min-min", 0.9466, 0.0001, fairness(&list)),
        ("fairness of Game-quick", 0.9979, 0.0001, fairness(&game)),
    ];
    Ok(super::found_for("SG-F8", "Figure 8", &figures))
}

/// Figure 13 on times that were found for it, and which sites section 4.7 can mean.
fn figure_13(bench: &Bench) -> Result<[Row; 2], StudyError> {
    const CLUSTERS: Verdict = Verdict::Errs(
        "section 4.7 speaks of two clusters, at Innsbruck and Linz; without karwendel all processors of \
         these towns cost 3600 within 300 seconds, and Game-cost costs 4202 there: all four sites of \
         table 5 work",
    );
    let due = found(&FIGURE_13).due(DEADLINE);
    let listing = Listing { order: Order::Random, deadline: true, ..Listing::default() };
    let min_min = Algorithm::MinMin.with(listing);
    let cost = Player::cheapest(GameCost::new(&Options::default()));
    let [list, game] = [play(&due, &min_min, 1)?, play(&due, &cost, 1)?];
    let cheaper = 100.0 * (1.0 - game.cost / list.cost);
    let (costs, both) = (list.cost, [("Min-min", &min_min), ("Game-cost", &cost)]);
    let subtitle = format!(
        "due at 300, found for the purpose: Min-min costs {costs:.0} (paper 7689), Game-cost {cheaper:.2}% less \
         (45.35%)"
    );
    let chart = gantt::chart("two applications with prices", subtitle, NAMES, &due, &both)?;
    bench.draw(Drawing::Rows("13", chart));
    let figures = [
        ("cost of Min-min", 7689.0, 1.0, costs),
        ("% that Game-cost is cheaper", 45.35, 0.01, cheaper),
        ("fairness of Min-min", 0.9427, 0.0001, fairness(&list)),
        ("fairness of Game-cost", 0.9976, 0.0001, fairness(&game)),
        ("time beyond the deadline", 0.0, 0.0, (game.makespan() - DEADLINE).max(0.0)),
        ("activities on karwendel", 0.0, 0.0, game.tasks.iter().map(|row| row[0]).sum()),
    ];
    // hc-ma and altix1, four processors each; the least cost that rounds to the printed figures.
    let most = 4.0 * DEADLINE * (SITES[1].1 + SITES[3].1) as f64;
    let verdict = Verdict::of(most >= 7688.5 * (1.0 - 0.453_55)).or(CLUSTERS);
    let what = "cost of all processors of Innsbruck and Linz but karwendel's within 300 seconds";
    let row = Row::new("SG-F13", "4.7", what).found("4202 or more", most, verdict);
    Ok([super::found_for("SG-F13", "Figure 13", &figures), row])
}
