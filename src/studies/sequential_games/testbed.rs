//! The testbed of table 5 with WIEN2k and ASTRO: figures 8 and 13.
//!
//! Neither the times of the activities nor their numbers are printed. Times and numbers that give the
//! printed figures were found by a search, for each figure its own. What the paper says of all plans is
//! tried on drawn times: classes of 250 activities, whose times follow the clocks of the sites within a
//! fifth.

use std::sync::Arc;

use super::drawn::Instance;
use super::gantt;
use super::played::{Outcome, play, player};
use crate::StudyError;
use crate::lines::code::{Asked, Figures, exact};
use crate::picture::Drawing;
use game::fairness::jain;
use kernel::rng::Streams;
use model::campaign::{Application, Site};
use policy::tasks::TaskPlanned;
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

/// Min-min and Game-quick.
fn players() -> [TaskPlanned; 2] {
    ["min_min={}", "game_quick={}"].map(player)
}

/// Both workflows with drawn times, by Game-quick and Min-min: classes that are ready too early, and the
/// changes of the class on a processor and the errors with other times than expected that Game-quick has
/// more.
pub(super) fn testbed(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let seed = asked.seed;
    asked.each(1, |sample| {
        let instance = instance(seed, sample);
        let noisy = noisy(&instance, seed, sample);
        let [min_min, quick] = players().map(|player| {
            let outcome = play(&instance, &player, seed)?;
            let error = error(&outcome, &play(&noisy, &player, seed)?);
            Ok::<_, StudyError>((outcome, error))
        });
        let ((list, list_error), (game, game_error)) = (min_min?, quick?);
        let waits = CLASSES
            .iter()
            .enumerate()
            .flat_map(|(class, one)| one.2.iter().map(move |before| (class, *before as usize)));
        let early = waits.filter(|(class, before)| game.ends[*before] > game.readies[*class]);
        Ok(vec![
            ("early", early.count() as f64),
            ("processors", instance.processors() as f64),
            ("switches", game.switches - list.switches),
            ("error", 100.0 * (game_error - list_error)),
        ])
    })
}

/// Figure 8 on times that were found for it.
pub(super) fn figure_8(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let (instance, [min_min, quick]) = (found(&FIGURE_8), players());
    let [list, game] = [play(&instance, &min_min, 1)?, play(&instance, &quick, 1)?];
    let both = [("Min-min", &min_min), ("Game-quick", &quick)];
    let subtitle = "times and numbers found for the purpose";
    let chart = gantt::chart("two applications", subtitle, NAMES, &instance, &both)?;
    asked.bench.draw(Drawing::Rows("8", chart));
    Ok(exact([
        ("Min-min", list.makespan()),
        ("shorter", 100.0 * (1.0 - game.makespan() / list.makespan())),
        ("fairness of Min-min", fairness(&list)),
        ("fairness of Game-quick", fairness(&game)),
    ]))
}

/// Figure 13 on times that were found for it, and what all processors of the towns that section 4.7 names
/// cost within the deadline: hc-ma and altix1, four processors each.
pub(super) fn figure_13(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let due = found(&FIGURE_13).due(DEADLINE);
    let [min_min, cost] = ["min_min={deadline=true}", "game_cost={}"].map(player);
    let [list, game] = [play(&due, &min_min, 1)?, play(&due, &cost, 1)?];
    let both = [("Min-min", &min_min), ("Game-cost", &cost)];
    let subtitle = "due at 300; times and numbers found for the purpose";
    let chart = gantt::chart("two applications with prices", subtitle, NAMES, &due, &both)?;
    asked.bench.draw(Drawing::Rows("13", chart));
    Ok(exact([
        ("Min-min", list.cost),
        ("cheaper", 100.0 * (1.0 - game.cost / list.cost)),
        ("fairness of Min-min", fairness(&list)),
        ("fairness of Game-cost", fairness(&game)),
        ("beyond the deadline", (game.makespan() - DEADLINE).max(0.0)),
        ("activities on karwendel", game.tasks.iter().map(|row| row[0]).sum()),
        ("two towns", 4.0 * DEADLINE * (SITES[1].1 + SITES[3].1) as f64),
    ]))
}
