//! Several figures and quantiles that are all to be known.
//!
//! M/M/1 in the order of arrival at load 0.5, whose flow time is exponential with mean 2, and whose
//! waiting time is 0 with probability 0.5, else exponential with mean 2.

use gridpact::findings::ended::Why;
use gridpact::findings::grid::results::Results;
use gridpact::findings::known::Known;
use gridpact::run::{self, Progress};
use gridpact::scenario::files::Files;
use gridpact::scenario::plan::Plan;
use gridpact::scenario::{self, Input, Overrides};
use gridpact::stats::distribution::QUANTILES;
use gridpact::stats::interval::Level;
use rayon::prelude::*;

pub fn plan(seed: u64, load: f64, until: &str) -> Plan {
    let text = format!(
        "name = \"queue\"\nseed = {seed}\n[run]\nuntil.{until}\n[output]\njobs = false\n\
         timeline = false\nwarm_up.fixed = 100.0\n[[organization]]\nname = \"queue\"\n\
         cluster.space_shared = {{ processors = 1, scheduler.fcfs = {{}} }}\n\
         workload.synthetic = {{ arrivals.poisson.rate = {load:?}, size.exponential.mean = 1.0 }}\n"
    );
    let input = Input::Bytes { name: "queue", bytes: text.into() };
    scenario::load(input, &Overrides::default(), &mut Files::new()).expect("it is right").0
}

pub fn results(plan: &Plan, threads: usize) -> Results {
    run::run(plan, None, threads, 0.0, &Progress::default())
        .expect("nothing fails")
        .grid()
        .expect("a grid")
}

const TRUTHS: [f64; 4] = [2.0, 1.0, 5.991_464_547_1, 4.605_170_186_0];
const ALL: &str = "metric = [\"flow\", \"wait\", \"flow_p95\", \"wait_p95\"]";

/// The printed intervals of these figures.
fn printed(results: &Results) -> Vec<gridpact::stats::interval::Interval> {
    let precision = results.precision(0, &results.accounts.organizations()[0]);
    let [flow, wait, ..] = precision.distributions;
    let p95 = QUANTILES.iter().position(|one| one.0 == "p95").expect("it is one");
    let means = [flow, wait].map(|of| of.mean.expect("it is known").interval);
    let quantiles = [flow, wait].map(|of| of.quantiles[p95].expect("it is known"));
    means.into_iter().chain(quantiles).collect()
}

/// Each is known as well as was asked for, by an interval wider than the printed one.
fn are_known(results: &Results, share: f64) -> &Known {
    let known = results.sample.known.as_ref().expect("it was for precision");
    assert_eq!(known.ended.why, Why::Precision, "{known:?}");
    assert_eq!(known.confidence_each, Level::new(0.9875));
    let names: Vec<&str> = known.figures.iter().map(|one| &*one.metric).collect();
    assert_eq!(names, ["flow", "wait", "flow_p95", "wait_p95"]);
    for (figure, printed) in known.figures.iter().zip(printed(results)) {
        assert!(figure.relative_half_width.expect("it is known") <= share, "{known:?}");
        assert!(figure.half_width.expect("it is known") > printed.half_width() * 1.1, "{known:?}");
        assert!(figure.known_since.expect("it is known") <= known.ended.looks);
    }
    let last = known.figures.iter().max_by_key(|one| one.known_since).expect("there are some");
    let of_last = known.figures.iter().find(|one| one.metric == known.metric).expect("it is one");
    assert_eq!(of_last.known_since, last.known_since, "{known:?}");
    assert_eq!(of_last.half_width, known.half_width);
    known
}

/// Counts, over the seeds in `GRIDPACT_SEEDS`, the runs that cover all four truths at once, and each.
/// All at once should be covered by 95% of the runs or more. The intervals judged are those of the
/// rule, rebuilt from the half-widths around the middle of the printed ones (nearly the same).
fn covered(until: &str, share: f64, seeds: u64) -> f64 {
    let all: Vec<[bool; 4]> = (1..=seeds)
        .into_par_iter()
        .map(|seed| {
            let results = results(&plan(seed, 0.5, until), 1);
            let known = are_known(&results, share);
            let printed = printed(&results);
            [0, 1, 2, 3].map(|at| {
                let middle = f64::midpoint(printed[at].low, printed[at].high);
                let half = known.figures[at].half_width.expect("it is known");
                (middle - TRUTHS[at]).abs() <= half
            })
        })
        .collect();
    let share = |count: usize| count as f64 / seeds as f64;
    let joint = share(all.iter().filter(|one| one.iter().all(|&covers| covers)).count());
    let each = [0, 1, 2, 3].map(|at| share(all.iter().filter(|one| one[at]).count()));
    println!("{until}: {seeds} seeds, all {joint:.3}, each {each:.3?}");
    joint
}

/// Without `GRIDPACT_SEEDS`, twelve seeds: three or more that miss come by chance in 2% of cases at
/// a coverage of 95%, and it is above.
fn all_hold(until: &str, share: f64) {
    let wanted = std::env::var("GRIDPACT_SEEDS").ok();
    let seeds: u64 = wanted.map_or(12, |seeds| seeds.parse().expect("a number of seeds"));
    let joint = covered(until, share, seeds);
    let error = (0.05 * 0.95 / seeds as f64).sqrt();
    assert!(joint >= 0.95 - 3.0 * error, "{joint}");
}

#[test]
fn replications_are_added_until_each_of_several_figures_is_known() {
    let until = format!("precision = {{ {ALL}, relative = 0.06, each.jobs = 1200 }}");
    all_hold(&until, 0.06);
}

#[test]
fn one_run_goes_on_until_each_of_several_figures_is_known() {
    let until = format!("precision = {{ {ALL}, relative = 0.1 }}");
    all_hold(&until, 0.1);
}

/// The order in which they are named does not matter, nor do threads; one alone is known sooner.
#[test]
fn the_least_known_figure_decides() {
    let run = |metric: &str, threads| {
        let until =
            format!("precision = {{ metric = {metric}, relative = 0.05, each.jobs = 1200 }}");
        let found = results(&plan(5, 0.5, &until), threads);
        (found.replications.len(), found.sample.known.expect("it was for precision"))
    };
    let both = run("[\"flow\", \"wait_p95\"]", 1);
    assert_eq!(run("[\"flow\", \"wait_p95\"]", 3), both);
    assert_eq!(run("[\"wait_p95\", \"flow\"]", 2).0, both.0);
    assert_eq!(both.1.metric, "wait_p95");
    let alone = run("\"flow\"", 2);
    assert!(alone.0 < both.0, "{alone:?} {both:?}");
    assert_eq!((alone.1.figures.len(), alone.1.confidence_each), (0, None));
    // A list of one is the same.
    assert_eq!(run("[\"flow\"]", 2), alone);
}

/// Fifty jobs must lie beyond a quantile in each section: before, it is not known, however many
/// other figures are.
#[test]
fn a_quantile_without_an_interval_is_unknown() {
    let until = "precision = { metric = [\"flow\", \"wait_p99.9\"], relative = 0.5, \
                 each.jobs = 500, at_most = 40 }";
    let found = results(&plan(1, 0.5, until), 2);
    let known = found.sample.known.expect("it was for precision");
    assert_eq!((known.ended.why, known.replications), (Why::AtMost, 40));
    assert_eq!((known.metric.as_str(), known.half_width), ("wait_p99.9", None));
    assert!(known.figures[0].known_since.is_some() && known.figures[1].known_since.is_none());
    let warning = known.warning().expect("it is not reached");
    assert!(warning.contains("there is no interval for the wait p99.9"), "{warning}");
    assert!(!warning.contains("flow"), "{warning}");
    let line = known.line();
    assert!(
        line.contains("and the wait p99.9 is not known at all (target 50.0% for each"),
        "{line}"
    );
    // Once there are enough jobs, it is known.
    let until = "precision = { metric = \"wait_p99\", relative = 0.5, each.jobs = 2000 }";
    let found = results(&plan(1, 0.5, until), 2);
    let known = found.sample.known.expect("it was for precision");
    assert_eq!(known.ended.why, Why::Precision);
    assert!(known.replications * 2000 >= 20 * 50 * 100, "{known:?}");
}
