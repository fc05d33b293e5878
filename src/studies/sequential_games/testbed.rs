//! The testbed of table 5 with WIEN2k and ASTRO: figures 8 and 13.
//!
//! Neither the times of the activities nor their numbers are printed. Here each application has classes
//! of 250 activities, whose times follow the clocks of the sites within a fifth. So the makespans
//! themselves mean nothing, and only their ratios are shown beside the paper's.

use std::sync::Arc;

use super::drawn::Instance;
use super::gantt::{self, nearest};
use super::played::{Algorithm, Outcome, Player, play};
use crate::played::Record;
use crate::row::Row;
use crate::sample::mean;
use crate::verdict::{Measured, Verdict};
use crate::{Bench, StudyError};
use game::fairness::jain;
use kernel::rng::Streams;
use model::campaign::{Application, Site};
use policy::tasks::game_cost::{GameCost, Options};
use policy::tasks::{Order, sufferage::Second};
use workload::draw::fraction;

/// Clocks and prices of karwendel, hc-ma, schafberg and altix1, of which four processors each are used.
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
/// The deadline of figure 13 in the makespan that Min-min has in figure 8.
const DEADLINE: f64 = 300.0 / 258.0;

fn instance(seed: u64, sample: u64) -> Instance {
    let rng = &mut Streams::new(seed).in_replication(sample).stream("sequential-games/testbed");
    let times: Vec<Vec<f64>> = CLASSES
        .iter()
        .map(|(_, time, _)| {
            SITES.iter().map(|(clock, _)| time / clock * (0.8 + 0.4 * fraction(rng))).collect()
        })
        .collect();
    let rows: Vec<&[f64]> = times.iter().map(Vec::as_slice).collect();
    let tasks = CLASSES.map(|class| class.0);
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

struct Case {
    /// Min-min, Game-quick and Game-cost, and the first two with other times than expected.
    outcomes: [Outcome; 3],
    errors: [f64; 2],
    deadline: f64,
}

fn case(seed: u64, sample: u64) -> Result<Case, StudyError> {
    let instance = instance(seed, sample);
    let noisy = noisy(&instance, seed, sample);
    let list = |one: Algorithm| one.player(Order::Random, Second::Site);
    let (min_min, quick) = (list(Algorithm::MinMin), list(Algorithm::GameQuick));
    let known = [play(&instance, &min_min, seed)?, play(&instance, &quick, seed)?];
    let errors = [
        error(&known[0], &play(&noisy, &min_min, seed)?),
        error(&known[1], &play(&noisy, &quick, seed)?),
    ];
    let deadline = DEADLINE * known[0].makespan();
    let cost = Player::game(GameCost::new(&Options::default()));
    let cost = play(&instance.due(deadline), &cost, seed)?;
    let [one, other] = known;
    Ok(Case { outcomes: [one, other, cost], errors, deadline })
}

/// Table 5, and figures 1, 8 and 13.
pub(super) fn testbed(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    const TIMES: &str = "the times of the activities are not printed";
    let (seed, samples) = (bench.effort.seed, bench.effort.samples);
    bench.log(Record::drawn("WIEN2k and ASTRO on the testbed, times drawn", bench, samples));
    let cases = bench.each(samples.into(), |sample| case(seed, sample))?;
    let over = |of: &dyn Fn(&Case) -> f64| -> Measured { mean(cases.iter().map(of)) };
    let row = |claim, place: &str, what: &str| Row::new(claim, place, what);
    let near =
        |row: Row, paper: f64, ours: Measured| row.found(paper, ours, Verdict::Shown).note(TIMES);
    let mut rows = Vec::new();
    let early = |case: &Case| {
        let waits = CLASSES
            .iter()
            .enumerate()
            .flat_map(|(class, one)| one.2.iter().map(move |before| (class, *before as usize)));
        let [quick, ready] = [&case.outcomes[1].ends, &case.outcomes[1].readies];
        waits.filter(|(class, before)| quick[*before] > ready[*class]).count() as u64
    };
    let early: u64 = cases.iter().map(early).sum();
    rows.push(
        row("SG-M-03", "Figure 1", "classes of both workflows that are ready too early")
            .never(early),
    );
    let processors: u64 = instance(seed, 0).processors();
    let what = "processors of the testbed, four of each of the four sites";
    rows.push(row("SG-T5", "Table 5", what).found(
        16.0,
        processors as f64,
        Verdict::of(processors == 16),
    ));
    let saved =
        over(&|case| 100.0 * (1.0 - case.outcomes[1].makespan() / case.outcomes[0].makespan()));
    let what = "% that Game-quick is shorter than Min-min";
    rows.push(near(row("SG-F8", "Figure 8", what), 100.0 * gantt::SHORTER, saved));
    let fair = over(&|case| fairness(&case.outcomes[1]));
    let what = "fairness of Game-quick for both applications";
    rows.push(near(row("SG-F8", "Figure 8", what), 0.9979, fair));
    let fair = over(&|case| fairness(&case.outcomes[0]));
    let what = "fairness of Min-min for both applications";
    rows.push(near(row("SG-F8", "Figure 8", what), 0.9466, fair));
    let less = over(&|case| case.outcomes[1].switches - case.outcomes[0].switches);
    let what = "changes of the class on a processor, Game-quick less Min-min";
    rows.push(row("SG-C-06", "3.7", what).negative(less));
    let less = over(&|case| 100.0 * (case.errors[1] - case.errors[0]));
    let what =
        "error of the ends of classes if times are off by a tenth, Game-quick less Min-min, in %";
    rows.push(row("SG-C-06", "3.7", what).negative(less));
    let saved = over(&|case| 100.0 * (1.0 - case.outcomes[2].cost / case.outcomes[0].cost));
    let what = "% that Game-cost is cheaper than Min-min";
    rows.push(near(row("SG-F13", "Figure 13", what), 100.0 * gantt::CHEAPER, saved));
    let fair = over(&|case| fairness(&case.outcomes[2]));
    let what = "fairness of Game-cost for both applications";
    rows.push(near(row("SG-F13", "Figure 13", what), 0.9976, fair));
    let end = over(&|case| case.outcomes[2].makespan() / case.deadline);
    let what = "makespan of Game-cost in the deadline";
    rows.push(row("SG-F13", "Figure 13", what).found("at most 1", end, end.below(1.0)));
    let dear = over(&|case| {
        let tasks = &case.outcomes[2].tasks;
        let all: f64 = tasks.iter().flatten().sum();
        100.0 * tasks.iter().map(|row| row[0]).sum::<f64>() / all
    });
    let what = "% of the activities of Game-cost on karwendel, the dearest site";
    rows.push(near(row("SG-F13", "Figure 13", what), 0.0, dear));
    draw(bench, &cases)?;
    Ok(rows)
}

/// Figures 8 and 13, each of the instance that is nearest to the paper's.
fn draw(bench: &Bench, cases: &[Case]) -> Result<(), StudyError> {
    let seed = bench.effort.seed;
    let gain = |case: &Case| 1.0 - case.outcomes[1].makespan() / case.outcomes[0].makespan();
    let sample = nearest(cases.iter().map(gain), gantt::SHORTER);
    let list = |one: Algorithm| one.player(Order::Random, Second::Site);
    let (min_min, quick) = (list(Algorithm::MinMin), list(Algorithm::GameQuick));
    let players = [("Min-min", &min_min), ("Game-quick", &quick)];
    gantt::figure_8(bench, &instance(seed, sample), players, seed)?;
    let gain = |case: &Case| 1.0 - case.outcomes[2].cost / case.outcomes[0].cost;
    let sample = nearest(cases.iter().map(gain), gantt::CHEAPER);
    let [min_min, _, cost] = &cases[sample as usize].outcomes;
    let outcomes = [("Min-min", min_min), ("Game-cost", cost)];
    gantt::figure_13(bench, &instance(seed, sample), outcomes);
    Ok(())
}
