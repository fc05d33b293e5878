//! Game-cost: table 6 and figures 11 and 12, and how it keeps deadlines.
//!
//! The paper does not tell its deadlines. They are swept here, in the makespan of Min-min.

use super::drawn::{Instance, Kind, Shape};
use super::letter::Letter;
use super::played::{Algorithm, Listing, Outcome, Player, play};
use super::table4::EDGES;
use crate::picture::{Curve, Picture, Points, reach};
use crate::played::Record;
use crate::row::Row;
use crate::sample::mean;
use crate::verdict::{Measured, Verdict};
use crate::{Bench, StudyError};
use policy::tasks::game_cost::{First, GameCost, Options, Rule};
use policy::tasks::{Chooses, Deadlines, Order, least_cost, replay, sufferage::Second};
use report::picture::Scale;

/// Deadlines in the makespan of Min-min.
pub(super) const FACTORS: [f64; 6] = [1.1, 1.25, 1.5, 2.0, 3.0, 5.0];
/// Heuristics in the paper's order, and what Game-cost saves by figure 12, in percent.
const OTHERS: [(Algorithm, Option<f64>); 5] = [
    (Algorithm::Mct, Some(27.0)),
    (Algorithm::Sufferage, Some(45.0)),
    (Algorithm::MinMin, None),
    (Algorithm::MaxMin, None),
    (Algorithm::Olb, None),
];

/// Table 6: low heterogeneity throughout, and about 1300 activities in a class.
pub(super) fn shape(bench: &Bench) -> Shape {
    let shape = Shape::of(Kind::Inconsistent, [10.0, 10.0], 0.0);
    Shape { tasks: (1000, 1650), ..shape }.quick(bench.effort.quick)
}

pub(super) fn factors(bench: &Bench) -> Vec<f64> {
    FACTORS.into_iter().filter(|at| !bench.effort.quick || [1.1, 1.5, 5.0].contains(at)).collect()
}

/// Cause of a difference.
const DUE: &str = "the deadline is not told, and no single one gives all figures; tried: six from 1.1 to 5 makespans \
                   of Min-min, lists by completion and by cost";

fn game(options: Options) -> Player {
    Player::cheapest(GameCost::new(&options))
}

/// Results on one instance with one deadline.
struct Case {
    /// Game-cost, its other rule, after Game-quick, and Game-quick alone.
    games: [Outcome; 4],
    /// The others by completion and by cost.
    others: [[Outcome; 5]; 2],
    /// The smallest cost, of activities that may be divided.
    least: f64,
    deadline: f64,
    /// The game by the equations: stages with a higher cost, and whether it ended.
    course: (usize, bool),
    unplaced: f64,
}

fn case(shape: &Shape, factor: f64, seed: u64, sample: u64) -> Result<Case, StudyError> {
    let instance = shape.draw(seed, sample)?;
    let seed = seed ^ sample;
    let min_min = Algorithm::MinMin.player(Order::Random, Second::Site);
    let deadline = factor * play(&instance, &min_min, seed)?.makespan();
    let instance = instance.due(deadline);
    let of = |player: Player| play(&instance, &player, seed);
    let by = |chooses: Chooses| -> Result<[Outcome; 5], StudyError> {
        let mut all: [Outcome; 5] = Default::default();
        for (one, (algorithm, _)) in all.iter_mut().zip(OTHERS) {
            let listing =
                Listing { order: Order::Random, chooses, deadline: true, ..Listing::default() };
            *one = of(algorithm.with(listing))?;
        }
        Ok(all)
    };
    let course = Letter::of(&instance).play_cost(deadline, 100, |_| ());
    let least = least_cost(&instance.problem(), deadline, false);
    Ok(Case {
        games: [
            of(game(Options::default()))?,
            of(game(Options { rule: Rule::Sound, ..Options::default() }))?,
            of(game(Options { first: First::GameQuick, ..Options::default() }))?,
            of(Algorithm::GameQuick.player(Order::Random, Second::Site))?,
        ],
        others: [by(Chooses::Completion)?, by(Chooses::Cost)?],
        least: least.map_or(f64::NAN, |found| found.value),
        deadline,
        course: (course.rises(), course.ended),
        unplaced: course.unplaced,
    })
}

fn over(cases: &[Case], of: impl Fn(&Case) -> f64) -> Measured {
    mean(cases.iter().map(of))
}

/// Table 6 and figures 11 and 12.
pub(super) fn sweep(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let shape = shape(bench);
    let mut all = Vec::new();
    for factor in factors(bench) {
        let how = format!("bags of table 6, deadline {factor} makespans of Min-min");
        bench.log(Record::drawn(&how, bench, bench.effort.samples));
        let seed = bench.effort.seed;
        let cases =
            bench.each(bench.effort.samples.into(), |one| case(&shape, factor, seed, one))?;
        all.push((factor, cases));
    }
    let mut rows = Vec::new();
    let mut met = Vec::new();
    for (factor, cases) in &all {
        let (some, verdict) = figure_12(*factor, cases);
        rows.extend(some);
        rows.extend(course(*factor, cases));
        met.push((*factor, verdict));
    }
    let with = |verdict: &Verdict| {
        let found = met.iter().filter(|one| one.1 == *verdict);
        found.map(|one| format!("{}", one.0)).collect::<Vec<_>>().join(", ")
    };
    let (agree, open) = (with(&Verdict::Agrees), with(&Verdict::Open));
    let note = "the deadline is not told; those named meet all figures, or may do so";
    let row = Row::new("SG-F12", "Figure 12", "one deadline of the sweep gives all figures");
    let (named, verdict) = match (agree.is_empty(), open.is_empty()) {
        (false, _) => (agree, Verdict::Agrees),
        (true, false) => (open, Verdict::Open),
        (true, true) => ("none".to_owned(), Verdict::Differs),
    };
    rows.push(row.found("one", named, verdict).because(DUE).note(note));
    let tasks = over(&all[0].1, |case| case.games[0].tasks.iter().flatten().sum());
    rows.push(
        Row::new("SG-T6", "Table 6", "activities of ten classes; 13272 in the paper").shown(tasks),
    );
    for pair in all.windows(2) {
        let [(one, before), (other, after)] = pair else { continue };
        let change = |of: &dyn Fn(&Outcome) -> f64| {
            let pairs = before.iter().zip(after);
            mean(pairs.map(|(b, a)| libm::log(of(&a.games[0]) / of(&b.games[0]))))
        };
        let what =
            format!("deadline {one} to {other}: change of the cost of Game-cost, a logarithm");
        rows.push(Row::new("SG-C-07", "4.7", what).negative(change(&|one| one.cost)));
        let what = format!("deadline {one} to {other}: change of its makespan, a logarithm");
        rows.push(Row::new("SG-C-07", "4.7", what).positive(change(&Outcome::makespan)));
    }
    draw(bench, &all);
    Ok(rows)
}

/// Savings with one deadline, and whether all three figures of the paper may be these.
fn figure_12(factor: f64, cases: &[Case]) -> (Vec<Row>, Verdict) {
    let row = |claim, place: &str, what: &str| {
        Row::new(claim, place, format!("deadline {factor}: {what}"))
    };
    let mut rows = Vec::new();
    let mut met = Vec::new();
    let share = |case: &Case, by: usize, at: usize| {
        100.0 * (1.0 - case.games[0].cost / case.others[by][at].cost)
    };
    let saved = |by: usize, at: usize| over(cases, |case| share(case, by, at));
    for (at, (algorithm, paper)) in OTHERS.into_iter().enumerate() {
        let ours = saved(0, at);
        let what = format!("% that Game-cost saves of {}", algorithm.name());
        let new = row("SG-F12", "Figure 12", &what);
        let new = match paper {
            Some(paper) => {
                let all: Vec<f64> = cases.iter().map(|case| share(case, 0, at)).collect();
                new.ranked(paper, 1.0, &all)
            }
            None => new.found("50 or more", ours, ours.above(50.0)),
        };
        met.push(new.verdict.clone());
        rows.push(new.because(DUE));
        let what = format!("% that Game-cost saves of {} by cost", algorithm.name());
        if algorithm != Algorithm::Olb {
            rows.push(row("SG-F12", "Figure 12", &what).shown(saved(1, at)));
        }
    }
    // Game-cost, then the others in the paper's order: no pair may be the other way round.
    let cost = |case: &Case, at: usize| match at {
        0 => case.games[0].cost,
        at => case.others[0][at - 1].cost,
    };
    let pairs = (0..5).map(|at| over(cases, |case| libm::log(cost(case, at + 1) / cost(case, at))));
    let verdicts: Vec<Verdict> = pairs.map(|pair| pair.above(0.0)).collect();
    let verdict = all_of(&verdicts);
    let named: Vec<String> = (0..6)
        .map(|at| {
            let name = if at == 0 { "Game-cost" } else { OTHERS[at - 1].0.name() };
            format!("{name} {:.2}", over(cases, |case| cost(case, at) / cost(case, 0)).value)
        })
        .collect();
    let what = "costs: Game-cost, MCT, Sufferage, Min-min, Max-min, OLB";
    rows.push(
        row("SG-F12", "Figure 12", what).found("rising", named.join(", "), verdict).because(DUE),
    );
    let names = ["Game-cost", "its deferred acceptance", "Game-cost after Game-quick"];
    for (at, name) in names.into_iter().enumerate() {
        let least = over(cases, |case| case.games[at].cost / case.least);
        let what = format!("cost of {name} over the least");
        rows.push(
            row(if at == 2 { "SG-A-04" } else { "SG-A-03" }, "Algorithm 2", &what).shown(least),
        );
    }
    (rows, all_of(&met))
}

/// The course of the game with one deadline, and what is late.
fn course(factor: f64, cases: &[Case]) -> Vec<Row> {
    const RISES: Verdict = Verdict::Errs(
        "the first distribution is the cheapest there is and fits no site, so that every repair costs; the \
         text of figure 11 says so too",
    );
    let row = |claim, place: &str, what: &str| {
        Row::new(claim, place, format!("deadline {factor}: {what}"))
    };
    let rises = over(cases, |case| case.course.0 as f64);
    let verdict = Verdict::of(rises.value == 0.0).or(RISES);
    let late = over(cases, |case| 100.0 * case.games[0].late);
    let unplaced = over(cases, |case| 100.0 * case.unplaced);
    let ended = cases.iter().filter(|case| case.course.1).count();
    let quick = over(cases, |case| case.games[3].makespan() / case.deadline);
    let together = over(cases, |case| 100.0 * case.games[2].late);
    let all = ended == cases.len();
    vec![
        row("SG-E-06", "equation 16", "stages in which the cost rises").found(0.0, rises, verdict),
        row("SG-N-01", "4.3", "% of the activities that end late")
            .found("below 1", late, late.below(1.0))
            .because("whole tasks: shares of a fluid are rounded, and the deadline is tight"),
        row("SG-N-01", "4.3", "% of the activities without room after the last stage").found(
            "below 1",
            unplaced,
            unplaced.below(1.0),
        ),
        row("SG-F11", "4.5", "% of the games that end within 100 stages").found(
            100.0,
            super::share(ended, cases.len()),
            Verdict::of(all),
        ),
        row("SG-A-04", "4.6", "% of the activities that end late, Game-cost after Game-quick")
            .found(
                "less",
                together,
                over(cases, |case| case.games[2].late - case.games[0].late).below(1e-12),
            ),
        row("SG-A-04", "4.6", "makespan of Game-quick alone in the deadline").shown(quick),
    ]
}

/// The verdict on several that must all agree.
pub(super) fn all_of(verdicts: &[Verdict]) -> Verdict {
    let is = |verdict: &Verdict| verdicts.contains(verdict);
    match (is(&Verdict::Differs), is(&Verdict::Open)) {
        (true, _) => Verdict::Differs,
        (false, true) => Verdict::Open,
        (false, false) => Verdict::Agrees,
    }
}

/// Costs in that of Game-cost, by deadline.
fn draw(bench: &Bench, all: &[(f64, Vec<Case>)]) {
    let curve = |at: usize| {
        let point = |(factor, cases): &(f64, Vec<Case>)| {
            let ratio = over(cases, |case| case.others[0][at].cost / case.games[0].cost);
            (*factor, ratio.value)
        };
        Curve::new(OTHERS[at].0.name(), all.iter().map(point).collect())
    };
    let line = |saved: f64| {
        let at = |factor: f64| (factor, 1.0 / (1.0 - saved / 100.0));
        vec![at(FACTORS[0]), at(FACTORS[5])]
    };
    let curves: Vec<Curve> = (0..5).map(curve).collect();
    let paper: Vec<Points> = vec![line(27.0), line(45.0), line(50.0)];
    bench.draw(Picture {
        name: "12",
        title: "cost in that of Game-cost".to_owned(),
        caption: "deadlines in the makespan of Min-min, which the paper does not tell".to_owned(),
        axes: ["deadline", "cost in that of Game-cost"],
        scale: Scale::Linear(0.0, reach(&curves, &paper)),
        curves,
        paper,
    });
}

/// SG-D-04 and SG-E-05: deadlines of classes that wait for others, and the weights with prices.
pub(super) fn phases(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    const SHORT: Verdict = Verdict::Errs(
        "stand-alone times assume that each class has the grid to itself; late phases are then too short for \
         the classes that share them, and a longer deadline makes only the first phase longer",
    );
    let shape = Shape::of(Kind::Inconsistent, [10.0, 10.0], EDGES).quick(bench.effort.quick);
    let mut rows = Vec::new();
    let (seed, samples) = (bench.effort.seed, bench.effort.samples);
    bench.log(Record::drawn("graphs, inconsistent LoLo, with deadlines", bench, samples));
    for factor in [1.5, 2.0, 3.0] {
        let all = bench.each(samples.into(), |sample| {
            let instance = shape.draw(seed, sample)?;
            let quick = Algorithm::GameQuick.player(Order::Random, Second::Site);
            let quick = play(&instance, &quick, seed)?.makespan();
            let due = instance.due(factor * quick);
            let by = |deadlines: Deadlines| {
                let options = Options { deadlines, ..Options::default() };
                let game = GameCost::new(&options);
                let fluid = replay(&due.problem(), &game).makespan() / (factor * quick);
                Ok::<_, StudyError>((fluid, play(&due, &Player::game(game), seed)?))
            };
            let least =
                least_cost(&due.problem(), factor * quick, false).map_or(f64::NAN, |one| one.value);
            let found = [by(Deadlines::Literal)?, by(Deadlines::Proportional)?];
            Ok(found.map(|(fluid, one)| (one.late, one.cost / least, fluid)))
        })?;
        for (at, name) in ["even, as written", "in proportion"].into_iter().enumerate() {
            let row = |what: &str| {
                let what = format!("deadline {factor} makespans of Game-quick, {name}: {what}");
                Row::new("SG-D-04", "4.1", what)
            };
            let kept = all.iter().filter(|one| one[at].2 <= 1.0 + 1e-6).count();
            let share = super::share(kept, all.len());
            let new = row("% of the graphs that are done within the deadline as a fluid");
            rows.push(match at {
                0 => new.found(100.0, share, Verdict::of(kept == all.len())).or(SHORT),
                _ => new.shown(share),
            });
            rows.push(
                row("makespan of the fluid in the deadline")
                    .shown(mean(all.iter().map(|one| one[at].2))),
            );
            let late = mean(all.iter().map(|one| 100.0 * one[at].0));
            rows.push(row("% of the activities that end late, rounded").shown(late));
            rows.push(
                row("cost over the least of a bag").shown(mean(all.iter().map(|one| one[at].1))),
            );
        }
    }
    rows.extend(weights());
    Ok(rows)
}

/// Why Definition 4 errs.
const TWO_COSTS: Verdict = Verdict::Errs(
    "Definition 4 charges a class for its time at a site, however many processors it takes; equation 11 and all \
     figures charge for the time of its activities, which is as many times as much as it has processors",
);

/// SG-E-05 and Definition 4: equations 11, 13 and 14 by hand, on the inconsistent half of table 2 with
/// prices 10 and 4.
fn weights() -> Vec<Row> {
    let mut instance = Instance::bag(&[3, 2], &[5, 5], &[&[15.0, 10.0], &[8.0, 9.0]]);
    let prices = [10_000_000, 4_000_000];
    let sites = instance.sites.iter().zip(prices);
    instance.sites = sites.map(|(site, price)| model::campaign::Site { price, ..*site }).collect();
    let letter = Letter::of(&instance);
    let weights = letter.cost_weights();
    // 1/150 and 1/40; 1/80 and 1/36.
    let by_hand = [[40.0 / 190.0, 150.0 / 190.0], [36.0 / 116.0, 80.0 / 116.0]];
    let pairs = weights.iter().flatten().zip(by_hand.iter().flatten());
    let off = pairs.map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
    let delta = vec![vec![2.0, 3.0], vec![5.0, 0.0]];
    let cost = (letter.cost(&delta) / (2.0 * 150.0 + 3.0 * 40.0 + 5.0 * 80.0) - 1.0).abs();
    // Definition 4: the remaining time of each class at each site, times the price.
    let theta = letter.divided(&delta, &weights);
    let times = |k: usize, i: usize| match theta[k][i] > 0.0 {
        true => letter.times[k][i] * delta[k][i] / theta[k][i] * letter.prices[i],
        false => 0.0,
    };
    let remaining: f64 = (0..2).map(|k| times(k, 0) + times(k, 1)).sum();
    let what = "cost by Definition 4, the time of each class at each site times the price, in that of equation 11";
    let ratio = remaining / letter.cost(&delta);
    let verdict = Verdict::of((ratio - 1.0).abs() <= 1e-9).or(TWO_COSTS);
    let definition = Row::new("SG-D-04", "Definition 4", what).found(1.0, ratio, verdict);
    // The price of a site cancels there: with its weight over the price, shares are the same.
    let dear = Letter { prices: vec![20.0, 4.0], ..letter.clone() };
    let alone = dear.cost_weights();
    let scaled: Vec<f64> = (0..2).map(|k| alone[k][0] / weights[k][0]).collect();
    let mut changed = weights.clone();
    changed.iter_mut().for_each(|row| row[0] *= 0.5);
    let other = letter.divided(&delta, &changed);
    let cancels = (theta[0][0] - other[0][0]).abs();
    let note = format!(
        "through the sums of equation 14 a price twice as high changes the weights by {:.3} and {:.3}",
        scaled[0], scaled[1]
    );
    vec![
        definition,
        super::theory::same("SG-E-05", "equation 14", "weights with prices", off),
        super::theory::same("SG-E-05", "equation 11", "cost of a distribution", cost),
        super::theory::same(
            "SG-E-05",
            "equation 13",
            "shares of a site whose weights are all halved",
            cancels,
        )
        .note(note),
    ]
}
