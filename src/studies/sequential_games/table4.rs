//! Table 4 and figures 6 and 7: the makespan and the fairness of Game-quick and the list heuristics.
//!
//! The paper draws one instance of each setting and shows bars. Each figure here is a mean over
//! instances, and what the paper tells of its one instance has the spread of a single one.

use super::STUDY;
use super::drawn::{Kind, Shape};
use super::fairness::{self, Unfairness};
use super::played::{Algorithm, play};
use crate::picture::Drawing;
use crate::played::Record;
use crate::row::Row;
use crate::sample::mean;
use crate::verdict::{Measured, Printed};
use crate::{Bench, StudyError};
use policy::tasks::{Order, least_end, sufferage::Second};
use report::picture::Scale;
use report::picture::rows::{self, Mark, Rows};
use report::picture::svg::REFERENCE;

/// The four settings, and what the paper says of the makespan of Game-quick in that of Min-min.
pub(super) const SETTINGS: [(&str, [f64; 2], f64); 4] = [
    ("HiHi", [1000.0, 100.0], 0.95),
    ("HiLo", [1000.0, 10.0], 0.95),
    ("LoHi", [10.0, 100.0], 0.90),
    ("LoLo", [10.0, 10.0], 0.95),
];

/// Probability that a class waits for an earlier one, in the paper.
pub(super) const EDGES: f64 = 0.1;

/// All players: the seven algorithms, then readings of two of them, then one that the text mentions.
const PLAYERS: [(&str, Algorithm, Order, Second); 10] = {
    use Algorithm::{GameQuick, Heft, MaxMin, Mct, Met, MinMin, Olb, Sufferage};
    [
        ("Game-quick", GameQuick, Order::Random, Second::Site),
        ("MET", Met, Order::Random, Second::Site),
        ("OLB", Olb, Order::Random, Second::Site),
        ("MCT", Mct, Order::Random, Second::Site),
        ("Min-min", MinMin, Order::Random, Second::Site),
        ("Max-min", MaxMin, Order::Random, Second::Site),
        ("Sufferage", Sufferage, Order::Random, Second::Site),
        ("MCT, class by class", Mct, Order::Classes, Second::Site),
        ("Sufferage among processors", Sufferage, Order::Random, Second::Processor),
        ("HEFT", Heft, Order::Random, Second::Site),
    ]
};
const GAME: usize = 0;
const MET: usize = 1;
const OLB: usize = 2;
const MCT: usize = 3;
const MIN_MIN: usize = 4;
const MAX_MIN: usize = 5;
const SUFFERAGE: usize = 6;
const HEFT: usize = 9;
/// Results on one instance.
#[derive(Clone, Debug)]
struct Case {
    /// Makespans and fairness by player.
    makespans: Vec<f64>,
    jains: Vec<f64>,
    /// Other measures of fairness, of Game-quick and Min-min.
    unfair: [Unfairness; 2],
    /// A bound from below.
    bound: f64,
    /// Largest part of all tasks at one site, under MET.
    piled: f64,
}

impl Case {
    fn ratio(&self, player: usize) -> f64 {
        self.makespans[player] / self.makespans[MIN_MIN]
    }

    /// Logarithm of the shortest makespan of the others over this player's.
    fn lead(&self, player: usize, others: &[usize]) -> f64 {
        let of = |other: &usize| self.makespans[*other];
        let best = others.iter().map(of).fold(f64::INFINITY, f64::min);
        libm::log(best / self.makespans[player])
    }

    /// Logarithm of this player's makespan over the longest of the others.
    fn lag(&self, player: usize, others: &[usize]) -> f64 {
        let worst = others.iter().map(|&other| self.makespans[other]).fold(0.0, f64::max);
        libm::log(self.makespans[player] / worst)
    }
}

fn case(shape: &Shape, seed: u64, sample: u64) -> Result<Case, StudyError> {
    let instance = shape.draw(seed, sample)?;
    let mut outcomes = Vec::with_capacity(PLAYERS.len());
    for (_, algorithm, order, second) in PLAYERS {
        outcomes.push(play(&instance, &algorithm.player(order, second), seed ^ sample)?);
    }
    let unfair = [GAME, MIN_MIN].map(|player| Unfairness::of(&instance, &outcomes[player]));
    let at = |site: usize| outcomes[MET].tasks.iter().map(|row| row[site]).sum::<f64>();
    let tasks = instance.work.tasks() as f64;
    Ok(Case {
        makespans: outcomes.iter().map(super::played::Outcome::makespan).collect(),
        jains: outcomes.iter().map(super::played::Outcome::jain).collect(),
        unfair,
        bound: least_end(&instance.problem(), false),
        piled: (0..shape.sites).map(at).fold(0.0, f64::max) / tasks,
    })
}

/// Mean of a figure over the instances.
fn over(cases: &[Case], of: impl Fn(&Case) -> f64) -> Measured {
    mean(cases.iter().map(of))
}

/// Figures of the paper's one instance; ours have the spread of one.
pub(super) fn of_one(value: f64, unit: f64, ours: &Measured, samples: usize) -> Printed {
    let one = ours.half_width * (samples as f64).sqrt();
    Printed { value, unit, sampling: one, telling: STUDY.rule.telling }
}

/// The rows of figures 6 and 7, and what the text says of them.
pub(super) fn experiments(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = Vec::new();
    let mut all: Vec<(Kind, usize, bool, Vec<Case>)> = Vec::new();
    for kind in [Kind::Consistent, Kind::Inconsistent] {
        for (number, &(name, heterogeneity, _)) in SETTINGS.iter().enumerate() {
            let all_edges: &[f64] = if bench.effort.quick { &[EDGES] } else { &[EDGES, 0.0] };
            for &edges in all_edges {
                let shape = Shape::of(kind, heterogeneity, edges).quick(bench.effort.quick);
                let how = format!("{kind:?} {name}, {:.0}% of pairs dependent", 100.0 * edges);
                bench.log(Record::drawn(&how, bench, bench.effort.samples));
                let seed = bench.effort.seed;
                let one = |sample| case(&shape, seed, sample);
                let cases = bench.each(bench.effort.samples.into(), one)?;
                all.push((kind, number, edges > 0.0, cases));
            }
        }
    }
    for (kind, number, is_graph, cases) in &all {
        rows.extend(setting(*kind, *number, *is_graph, cases));
    }
    rows.extend(sides(&all));
    rows.extend(sizes(bench)?);
    for (kind, name) in [(Kind::Consistent, "6b"), (Kind::Inconsistent, "7")] {
        draw(bench, kind, name, &all);
    }
    Ok(rows)
}

/// Attempts at differences without a known cause.
const TRIED: &str = "no cause known; tried: graphs and bags, MCT task by task and class by class, Sufferage among sites \
                     and among processors";

/// The rows of one setting.
fn setting(kind: Kind, number: usize, is_graph: bool, cases: &[Case]) -> Vec<Row> {
    let (name, _, paper) = SETTINGS[number];
    let what = |what: &str| format!("{name}, {}: {what}", if is_graph { "graphs" } else { "bags" });
    let is_consistent = kind == Kind::Consistent;
    let (claim, place, fair) = match is_consistent {
        true => ("SG-F6b", "Figure 6b", "Figure 6c"),
        false => ("SG-F7", "Figure 7", "Figure 7"),
    };
    let mut rows = Vec::new();
    let row = |text: &str| Row::new(claim, place, what(text));
    let ratio = over(cases, |case| case.ratio(GAME));
    let text = "makespan of Game-quick in that of Min-min";
    if is_graph && is_consistent {
        let all: Vec<f64> = cases.iter().map(|case| case.ratio(GAME)).collect();
        rows.push(row(text).ranked(paper, 0.01, &all).because(TRIED));
    } else {
        let below = ratio.below(1.0);
        rows.push(row(text).found("below 1", ratio, below));
    }
    let lead = over(cases, |case| case.lead(GAME, &[MET, OLB, MCT, MIN_MIN, MAX_MIN, SUFFERAGE]));
    rows.push(
        row("lead of Game-quick over the best other one, a logarithm")
            .positive(lead)
            .because(TRIED),
    );
    let lag = over(cases, |case| case.lag(MET, &[OLB, MCT, MIN_MIN, MAX_MIN, SUFFERAGE]));
    rows.push(
        row("lag of MET behind the worst other one, a logarithm").positive(lag).because(TRIED),
    );
    if is_consistent {
        let lag = over(cases, |case| case.lag(OLB, &[MCT, MIN_MIN, MAX_MIN, SUFFERAGE]));
        rows.push(row("lag of OLB behind all but MET, a logarithm").positive(lag).because(TRIED));
        let lead = over(cases, |case| case.lead(MIN_MIN, &[MET, OLB, MCT, MAX_MIN, SUFFERAGE]));
        let row = row("lead of Min-min over all but Game-quick, a logarithm").positive(lead);
        let note = "with MCT in a random order, which the paper leaves open";
        rows.push(row.because(TRIED).note(note));
    }
    for (player, label) in [(GAME, "Game-quick"), (MIN_MIN, "Min-min")] {
        let jain = over(cases, |case| case.jains[player]);
        let text = what(&format!("Jain's index of the ends of the classes, {label}"));
        let fairness = Row::new("SG-F6c", fair, text);
        rows.push(match player {
            GAME => {
                let all: Vec<f64> = cases.iter().map(|case| case.jains[GAME]).collect();
                fairness.ranked(0.99, 0.01, &all).because(TRIED)
            }
            _ => fairness.found(
                "lower",
                jain,
                over(cases, |c| c.jains[GAME] - c.jains[MIN_MIN]).above(0.0),
            ),
        });
    }
    let shape = if is_graph { "graphs" } else { "bags" };
    let setting = format!("{} {name}, {shape}", kind.name());
    rows.extend(fairness::rows(&setting, cases.iter().map(|case| &case.unfair)));
    rows
}

type All = [(Kind, usize, bool, Vec<Case>)];

/// Claims of the text beside the figures.
fn sides(all: &All) -> Vec<Row> {
    let mut rows = Vec::new();
    let of = |kind: Kind, number: usize, is_graph: bool| {
        let found = all.iter().find(|one| (one.0, one.1, one.2) == (kind, number, is_graph));
        found.map_or(&[][..], |one| &one.3)
    };
    let beside = |case: &Case| case.makespans[HEFT] / case.makespans[MAX_MIN];
    let means = all.iter().map(|one| over(&one.3, beside).value);
    let longest =
        means.fold((f64::INFINITY, 0.0_f64), |(low, high), one| (low.min(one), high.max(one)));
    let kinds = [true, false].into_iter().filter(|is| all.iter().any(|one| one.2 == *is));
    for is_graph in kinds {
        let of_kind = if is_graph { "graphs" } else { "bags" };
        for (number, &(name, ..)) in SETTINGS.iter().enumerate() {
            let (own, other) =
                (of(Kind::Consistent, number, is_graph), of(Kind::Inconsistent, number, is_graph));
            for player in [OLB, MAX_MIN, MCT, SUFFERAGE, MIN_MIN] {
                let label = PLAYERS[player].0;
                let change = |one: &Case, other: &Case| {
                    let log = |case: &Case| libm::log(case.makespans[player] / case.bound);
                    log(other) - log(one)
                };
                let change = mean(own.iter().zip(other).map(|(own, other)| change(own, other)));
                let what = format!(
                    "{name}, {of_kind}: makespan of {label} over the bound, inconsistent less \
                     consistent, a logarithm"
                );
                let row = Row::new("SG-F7", "3.6.2", what);
                rows.push(if player == MIN_MIN {
                    row.negative(change).because(TRIED)
                } else {
                    row.positive(change).because(TRIED)
                });
            }
            let met = over(own, |case| case.piled);
            let what = format!("{name}, {of_kind}: part of all tasks at one site, MET, consistent");
            let all = Row::new("SG-C-02", "3.5", what).found("most", met, met.above(0.5));
            rows.push(all);
            for (kind, cases) in [("consistent", own), ("inconsistent", other)] {
                let heft = over(cases, |case| case.ratio(HEFT));
                let what = format!("{kind} {name}, {of_kind}: makespan of HEFT in that of Min-min");
                let verdict = Printed::calculated(1.0, 0.0).judge(&heft);
                let cause = format!(
                    "HEFT takes the classes with the longest way to the end first, so it becomes Max-min and not \
                     Min-min: it takes {:.2} to {:.2} times as long as Max-min over all settings",
                    longest.0, longest.1
                );
                let row = Row::new("SG-C-02", "3.5", what).found("as Min-min", heft, verdict);
                rows.push(row.because(cause));
            }
            let high = [0, 2].contains(&number);
            let ratio = over(own, |case| case.makespans[MCT] / case.makespans[SUFFERAGE]);
            let what =
                format!("consistent {name}, {of_kind}: makespan of MCT in that of Sufferage");
            let row = Row::new("SG-C-03", "3.6.1", what);
            rows.push(
                match high {
                    true => {
                        row.found("about 1", ratio, Printed::calculated(1.0, 0.05).judge(&ratio))
                    }
                    false => row.found("1.05 to 1.11", ratio, ratio.between(1.05, 1.0 / 0.9)),
                }
                .because(TRIED),
            );
            let classes = over(own, |case| case.makespans[7] / case.makespans[8]);
            let what = format!(
                "consistent {name}, {of_kind}: MCT class by class in Sufferage among processors"
            );
            rows.push(Row::new("SG-C-03", "3.6.1", what).shown(classes));
        }
        let cases = all.iter().filter(|one| one.2 == is_graph).flat_map(|one| &one.3);
        let rank = mean(cases.map(correlation));
        let what =
            format!("{of_kind}: correlation of fairness and makespan over the seven algorithms");
        let row = Row::new("SG-C-04", "3.6.1", what).negative(rank);
        rows.push(row.because(TRIED));
    }
    rows
}

/// SG-T4: what the ranges give, whatever the effort.
fn sizes(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let shape = Shape::of(Kind::Inconsistent, SETTINGS[0].1, EDGES);
    let seed = bench.effort.seed;
    let drawn = bench.each(bench.effort.samples.into(), |sample| {
        let instance = shape.draw(seed, sample)?;
        let edges: usize = instance.work.classes.iter().map(|class| class.after.len()).sum();
        Ok([instance.processors() as f64, instance.work.tasks() as f64, edges as f64])
    })?;
    // Means of the eight instances of the table, and 45 pairs.
    let printed = [("processors", 967.0), ("tasks", 153_899.375), ("pairs that depend", 4.5)];
    let rows = printed.iter().enumerate().map(|(at, &(what, paper))| {
        let ours = mean(drawn.iter().map(|one| one[at]));
        let one = of_one(paper, 0.0, &ours, drawn.len());
        // Eight instances, not one.
        let printed = Printed { sampling: one.sampling / 8.0_f64.sqrt(), ..one };
        Row::new("SG-T4", "Table 4", format!("{what}, mean of an instance")).compared(printed, ours)
    });
    Ok(rows.collect())
}

/// Correlation of Jain's index and the logarithm of the makespan over the seven algorithms.
fn correlation(case: &Case) -> f64 {
    let pairs: Vec<(f64, f64)> =
        (0..7).map(|one| (case.jains[one], libm::log(case.makespans[one]))).collect();
    let count = pairs.len() as f64;
    let (x, y) = pairs.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let (x, y) = (x / count, y / count);
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
    let both = sum(&|one| (one.0 - x) * (one.1 - y));
    let squares = sum(&|one| (one.0 - x) * (one.0 - x)) * sum(&|one| (one.1 - y) * (one.1 - y));
    if squares > 0.0 { both / squares.sqrt() } else { 0.0 }
}

/// Makespans of the seven algorithms in that of Min-min, with their intervals, by setting.
fn draw(bench: &Bench, kind: Kind, name: &'static str, all: &All) {
    let row = |number: usize, &(name, _, paper): &(&str, [f64; 2], f64)| {
        let found = all.iter().find(|one| one.0 == kind && one.1 == number && one.2);
        let cases = found.map_or(&[][..], |one| &one.3);
        let mark = |series, lane, Measured { value, half_width }: Measured| {
            let (from, to, shape) =
                (value - half_width, value + half_width, rows::Shape::Dot(value));
            Mark { series, lane, lanes: 1, from, to, shape }
        };
        let of = |player: usize| mark(player, player, over(cases, |case| case.ratio(player)));
        let mut marks: Vec<Mark> = (0..7).map(of).collect();
        if kind == Kind::Consistent {
            marks.push(mark(REFERENCE, GAME, Measured::exact(paper)));
        }
        rows::Row { name: name.to_owned(), lanes: 7, marks }
    };
    let rows: Vec<_> = SETTINGS.iter().enumerate().map(|(at, one)| row(at, one)).collect();
    let ends = rows.iter().flat_map(|row| row.marks.iter().flat_map(|mark| [mark.from, mark.to]));
    let ends = ends.filter(|end| end.is_finite() && *end > 0.0);
    let (least, most) =
        ends.fold((0.8, 1.0), |(low, high): (f64, f64), end| (low.min(end), high.max(end)));
    let rows = Rows {
        title: "makespan in that of Min-min".to_owned(),
        subtitle: format!(
            "means with 95% intervals of graphs of ten classes, by setting; {}",
            if kind == Kind::Consistent {
                "black: the paper's Game-quick"
            } else {
                "the paper prints no values"
            }
        ),
        x: "makespan in that of Min-min".to_owned(),
        scale: Scale::Log(0.97 * least, 1.05 * most),
        rows,
        series: PLAYERS[..7].iter().map(|one| one.0.to_owned()).collect(),
    };
    bench.draw(Drawing::Rows(name, rows));
}
