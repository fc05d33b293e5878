//! Figures 3 to 5: learners over 1000 rounds, drawn, and judged by the statements in the text.
//!
//! The paper does not give the learning rate; we use 0.1, and show other rates for comparison.
//! Figures are means over repetitions with different seeds, with Student's t intervals over
//! repetitions. The paper draws a single repetition, and means hide its peaks, so the first
//! repetition is also reported by itself.
//!
//! The probabilities of Figure 3 are explained by the [mean field] of the ratio rule, in the limit
//! of slow learning and at the learning rate.
//!
//! [mean field]: crate::sim::mean_field

use super::play::{Course, Setup, courses, fixed_points};
use super::printed::RULE;
use crate::policy::learn::{LearnerOptions, level, ratio};
use crate::report::chart::Scale;
use crate::sim::mean_field::FixedPoint;
use crate::sim::pool::Sends;
use crate::study::picture::{Curve, Picture, Points};
use crate::study::row::Row;
use crate::study::sample::mean;
use crate::study::verdict::{Figure, Measured, Printed, Verdict};
use crate::study::whole::depend;
use crate::study::{Bench, StudyError};

/// Assumed learning rate.
const RATE: f64 = 0.1;

/// Rounds of a run as drawn in the paper.
const WHOLE: u64 = 1000;

/// Number of rounds and repetitions.
struct Watch {
    rounds: u64,
    seeds: u64,
}

impl Watch {
    fn of(bench: &Bench) -> Watch {
        match bench.effort.quick {
            true => Watch { rounds: u64::from(bench.effort.samples * 10).min(400), seeds: 3 },
            false => Watch { rounds: WHOLE, seeds: 10 },
        }
    }
}

fn joins(rate: f64) -> LearnerOptions {
    LearnerOptions::Ratio(ratio::Options { rate, ..ratio::Options::default() })
}

/// A ratio learner that does not learn from rounds in which it was the only member.
fn joins_alone(rate: f64) -> LearnerOptions {
    let alone = ratio::Alone::StaysOut;
    LearnerOptions::Ratio(ratio::Options { rate, alone, ..ratio::Options::default() })
}

fn levels(rate: f64, round: level::Round) -> LearnerOptions {
    LearnerOptions::Level(level::Options { rate, round, ..level::Options::default() })
}

/// The last quarter of a run, which no longer depends on its start.
fn last(values: &[f64]) -> &[f64] {
    &values[values.len() - values.len().div_ceil(4)..]
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Mean over some clusters of a figure of their runs, with an interval over repetitions.
fn over(
    courses: &[Course],
    clusters: std::ops::Range<usize>,
    of: impl Fn(&Course, usize) -> f64,
) -> Measured {
    mean(courses.iter().map(|course| {
        let each: Vec<f64> = clusters.clone().map(|cluster| of(course, cluster)).collect();
        average(&each)
    }))
}

fn last_p(course: &Course, cluster: usize) -> f64 {
    average(last(&course.probabilities(cluster)))
}

/// Mean probability of a cluster after the first quarter.
fn settled_p(course: &Course, cluster: usize) -> f64 {
    let all = course.probabilities(cluster);
    average(&all[all.len() / 4..])
}

fn last_level(course: &Course, cluster: usize) -> f64 {
    average(last(&course.levels(cluster)))
}

/// Draws a figure: the mean of each group of clusters over all repetitions, and its clusters in the
/// first one, as the paper draws them.
struct Drawing<'a> {
    name: &'static str,
    title: &'a str,
    y: &'static str,
    scale: Scale,
    courses: &'a [Course],
    groups: &'a [(&'a str, std::ops::Range<usize>)],
    /// Values that the text reads from the figure.
    paper: &'a [f64],
}

impl Drawing<'_> {
    fn draw(&self, bench: &Bench, of: fn(&Course, usize) -> Vec<f64>) {
        let points = |values: Vec<f64>| -> Points {
            values.into_iter().enumerate().map(|(round, value)| (round as f64, value)).collect()
        };
        let curve = |(name, clusters): &(&str, std::ops::Range<usize>)| {
            let runs = self.courses.iter();
            let all = runs.flat_map(|course| clusters.clone().map(|cluster| of(course, cluster)));
            let all: Vec<Vec<f64>> = all.collect();
            let rounds = 0..self.courses[0].rounds();
            let mean =
                rounds.map(|round| average(&all.iter().map(|one| one[round]).collect::<Vec<_>>()));
            let part = |cluster| {
                (format!("cluster {}", cluster + 1), points(of(&self.courses[0], cluster)))
            };
            let parts = clusters.clone().map(part).collect();
            Curve { name: (*name).to_owned(), points: points(mean.collect()), parts }
        };
        let last = self.courses[0].rounds() as f64 - 1.0;
        bench.draw(Picture {
            name: self.name,
            title: self.title.to_owned(),
            caption: format!(
                "thin: clusters in the first of {} repetitions; thick: means of all; learning rate {RATE}",
                self.courses.len()
            ),
            axes: ["round", self.y],
            scale: self.scale,
            curves: self.groups.iter().map(curve).collect(),
            paper: self.paper.iter().map(|&value| vec![(0.0, value), (last, value)]).collect(),
        });
    }
}

/// Labels of the y-axes.
const PROBABILITY: &str = "probability of taking part, p";
const LEVEL: &str = "participation level, l (units)";
/// Scale of levels up to their bound.
const LEVELS: Scale = Scale::Linear(0.0, 1050.0);

/// Quantiles of the values at `shares`.
fn quantiles<const N: usize>(mut values: Vec<f64>, shares: [f64; N]) -> [f64; N] {
    values.sort_unstable_by(f64::total_cmp);
    shares.map(|share| values[((values.len() - 1) as f64 * share).round() as usize])
}

/// The 5% and 95% quantiles of some clusters' probabilities in the last quarters.
fn band(courses: &[Course], clusters: std::ops::Range<usize>) -> [f64; 2] {
    let all = courses.iter().flat_map(|course| {
        clusters.clone().flat_map(|cluster| last(&course.probabilities(cluster)).to_vec())
    });
    quantiles(all.collect(), [0.05, 0.95])
}

fn banded([low, high]: [f64; 2]) -> String {
    format!("90% of all values lie between {low:.2} and {high:.2}")
}

/// Minimum distance of p from its mean for a peak.
const PEAK: f64 = 0.1;

/// Describes a single repetition, as drawn in the paper.
///
/// Returns the band of all values after the first quarter, and how often a cluster's p leaves its
/// own mean by more than [`PEAK`].
fn drawn(course: &Course, clusters: std::ops::Range<usize>) -> (String, f64) {
    let (mut all, mut up, mut down) = (Vec::new(), 0, 0);
    for cluster in clusters.clone() {
        let values = course.probabilities(cluster);
        let own = &values[values.len() / 4..];
        let mean = average(own);
        let begins = |is: &dyn Fn(f64) -> bool| {
            own.windows(2).filter(|pair| !is(pair[0]) && is(pair[1])).count()
        };
        up += begins(&|value| value > mean + PEAK);
        down += begins(&|value| value < mean - PEAK);
        all.extend_from_slice(own);
    }
    let [low, middle, high] = quantiles(all, [0.05, 0.5, 0.95]);
    let note = format!(
        "median {middle:.2}, 90% of the values lie between {low:.2} and {high:.2}; {up} peaks \
         upwards, {down} downwards"
    );
    (note, (up + down) as f64 / clusters.len() as f64)
}

const OPEN_CHOICES: &str = "the paper does not say which jobs are sent; if the first ones are sent \
                            instead of the last, the whole figure agrees";

/// Figure 3a, and the text's statements on other numbers of clusters.
pub(super) fn figure_3a(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let watch = Watch::of(bench);
    let equal = |clusters| Setup::equal(clusters, 2.0);
    let run = |setup: Setup, rate| (setup, joins(rate), joins(rate));
    let runs = [
        run(equal(2), RATE),
        run(equal(5), RATE),
        run(equal(10), RATE),
        run(equal(30), RATE),
        run(Setup { sends: Sends::Head, ..equal(10) }, RATE),
        run(equal(10), 0.5),
        run(equal(10), 0.02),
    ];
    let played = courses(bench, &runs, |_| watch.rounds, watch.seeds)?;
    let all = |number: usize| {
        let courses = &played[number];
        over(courses, 0..runs[number].0.clusters, last_p)
    };
    let place = "Figure 3a";
    let judged = |number: usize| {
        let mean = all(number);
        let highest = over(&played[number], 0..10, |course, cluster| {
            last(&course.probabilities(cluster)).iter().copied().fold(0.0, f64::max)
        });
        let what = "ten equal clusters: mean p in the last quarter, learning rate 0.1";
        vec![
            Row::new("LB-F3a", place, what)
                .found("0.8 to 0.9", mean, mean.between(0.8, 0.9))
                .note(banded(band(&played[number], 0..10))),
            Row::new("LB-F3a", place, "highest p of a cluster in the last quarter").found(
                "below 1",
                highest,
                highest.below(1.0),
            ),
        ]
    };
    let mut rows = judged(2);
    depend(&mut rows, &judged(4), OPEN_CHOICES);
    let others = [
        (4, "the same, but the first jobs are sent"),
        (5, "the same, learning rate 0.5"),
        (6, "the same, learning rate 0.02"),
    ];
    for (number, what) in others {
        rows.push(
            Row::new("LB-F3a", place, what)
                .found("0.8 to 0.9", all(number), Verdict::Shown)
                .note(banded(band(&played[number], 0..10))),
        );
    }
    let (note, peaks) = drawn(&played[2][0], 0..10);
    let what = "first repetition, as in the figure: peaks above 0.1 per cluster";
    rows.push(Row::new("LB-F3a", place, what).found("a few", peaks, Verdict::Shown).note(note));
    for (number, (setup, ..)) in runs.iter().enumerate().take(4) {
        let clusters = setup.clusters;
        let what = format!("{clusters} equal clusters: mean p in the last quarter");
        rows.push(Row::new("LB-F3a2", "4.2.2", what).shown(all(number)));
    }
    let values = [0, 1, 2, 3].map(|number| all(number).value);
    let grows = values.windows(2).all(|pair| pair[0] < pair[1]);
    rows.push(
        Row::new("LB-F3a2", "4.2.2", "mean p grows with the number of clusters").holds(grows),
    );
    let drawing = Drawing {
        name: "3a",
        title: "ten equal clusters learn whether to take part",
        y: PROBABILITY,
        scale: Scale::Linear(0.0, 1.0),
        courses: &played[2],
        groups: &[("equal clusters", 0..10)],
        paper: &[0.8, 0.9],
    };
    drawing.draw(bench, Course::probabilities);
    let cases: Vec<Case<'_>> =
        [0, 1, 2, 3].map(|number| Case { setup: &runs[number].0, courses: &played[number] }).into();
    for (case, class) in cases.iter().zip(explained(bench, &cases)?) {
        let clusters = case.setup.clusters;
        let claim = if clusters == 10 { "LB-F3a" } else { "LB-F3a2" };
        let place = if clusters == 10 { place } else { "4.2.2" };
        rows.extend(
            class
                .into_iter()
                .flat_map(|class| class.rows(claim, place, &format!("{clusters} equal clusters"))),
        );
    }
    Ok(rows)
}

/// Learners whose final probabilities are to be explained.
struct Case<'a> {
    setup: &'a Setup,
    courses: &'a [Course],
}

/// A class of equal clusters: its final probability, and the mean-field predictions.
struct Class {
    live: Measured,
    /// Fixed point p = E[q | joined] for slow learning.
    slow: Printed,
    /// Fixed point at the learners' rate.
    at_rate: Printed,
}

/// The classes of each case, with their mean-field predictions.
fn explained(bench: &Bench, cases: &[Case<'_>]) -> Result<Vec<Vec<Class>>, StudyError> {
    // Small grids give fewer responses per round, so they need more rounds.
    let rounds = |setup: &Setup| {
        let all: u64 = match setup.clusters {
            _ if setup.first != setup.size => 2000,
            2 => 2000,
            5 => 1000,
            10 => 500,
            _ => 150,
        };
        (all * u64::from(bench.effort.samples) / 1000).max(20)
    };
    let searched: Vec<(Setup, f64)> =
        cases.iter().flat_map(|case| [0.0, RATE].map(|rate| (case.setup.clone(), rate))).collect();
    let found = fixed_points(bench, &searched, rounds)?;
    let classes = |(case, found): (&Case<'_>, &[FixedPoint])| {
        let clusters = case.setup.clusters;
        let bounds = match found[0].probabilities.len() {
            1 => vec![(0, clusters)],
            _ => vec![(0, 1), (1, clusters)],
        };
        let class = |(number, (from, to)): (usize, (usize, usize))| {
            let [slow, at_rate] = [0, 1].map(|rate: usize| {
                let (found, desired) = (&found[rate], &found[rate].desired[number]);
                // A search that did not converge is no prediction.
                let sampling = match desired.error {
                    Some(error) if found.found => error.half_width(),
                    _ => f64::INFINITY,
                };
                let value = found.probabilities[number];
                Printed { value, unit: 2.0 * TOLERANCE, sampling, telling: RULE.telling }
            });
            Class { live: over(case.courses, from..to, settled_p), slow, at_rate }
        };
        bounds.into_iter().enumerate().map(class).collect()
    };
    Ok(cases.iter().zip(found.chunks_exact(2)).map(classes).collect())
}

/// Precision of the search for a fixed point.
const TOLERANCE: f64 = 0.002;

impl Class {
    /// The simulation beside the predictions, which are ours and judged by the same rule.
    fn rows(&self, claim: &'static str, place: &str, who: &str) -> [Row; 2] {
        let row = |what: &str, from: &Printed| {
            let Measured { value, half_width } = self.live;
            let note =
                format!("simulated {value:.3} ± {half_width:.3}, predicted {:.3}", from.value);
            (
                Row::new(claim, place, format!("{who}: {what}")).note(note),
                from.difference(&self.live),
            )
        };
        let (slow, off) =
            row("simulated p - mean-field p for slow learning, p = E[q | joined]", &self.slow);
        let slow = slow.shown(off);
        let (at_rate, off) =
            row("simulated p - mean-field p at the same learning rate", &self.at_rate);
        [slow, at_rate.found("0 if explained", off, self.at_rate.judge(&self.live))]
    }
}

/// Compares fifty repetitions with each other.
pub(super) fn repetitions(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let watch = Watch::of(bench);
    let seeds = if bench.effort.quick { 5 } else { 50 };
    // Half of a run is enough for its last quarter to be in equilibrium.
    let rounds = watch.rounds.min(WHOLE / 2);
    let run = (Setup::equal(10, 2.0), joins(RATE), joins(RATE));
    let played = courses(bench, &[run], |_| rounds, seeds)?;
    let one = |course: &Course| {
        average(&(0..10).map(|cluster| last_p(course, cluster)).collect::<Vec<_>>())
    };
    let means: Vec<f64> = played[0].iter().map(one).collect();
    let [low, high] = quantiles(means, [0.0, 1.0]);
    let what =
        format!("{seeds} repetitions: range of mean p in the last quarter, alike if below 0.1");
    let ours = high - low;
    Ok(vec![
        Row::new("LB-X-01", "4.2.2", what)
            .found("alike", ours, Verdict::of(high - low < 0.1))
            .note(format!("from {low:.3} to {high:.3}")),
    ])
}

/// Figure 3b: one overloaded cluster.
pub(super) fn figure_3b(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let watch = Watch::of(bench);
    let mixed = || Setup::mixed(10, 2.0);
    let runs = [
        (mixed(), joins(RATE), joins(RATE)),
        (mixed(), joins_alone(RATE), joins_alone(RATE)),
        (Setup::equal(10, 2.0), joins(RATE), joins(RATE)),
    ];
    let played = courses(bench, &runs, |_| watch.rounds, watch.seeds)?;
    let place = "Figure 3b";
    let typical = |number: usize| over(&played[number], 1..10, last_p);
    let first = |number: usize| over(&played[number], 0..1, last_p);
    let equal = over(&played[2], 0..10, last_p);
    let tie = "the paper does not say whether a member learns from a round in which it was the only one; if it \
               does not, the whole figure agrees";
    let above = |number: usize| {
        let own = first(number);
        let half_width = own.half_width + equal.half_width;
        Measured { value: own.value - equal.value, half_width }
    };
    let judged = |number: usize| {
        let what = "typical clusters: mean p in the last quarter, which the text has around 0.1";
        let first = first(number).value;
        vec![
            Row::new("LB-F3b", place, what)
                .compared(RULE.estimated(0.1, 0.1, 0.0), typical(number))
                .note(banded(band(&played[number], 1..10))),
            Row::new("LB-F3b", place, "overloaded cluster: mean p - mean p of equal clusters")
                .found("slightly above 0", above(number), above(number).above(0.0))
                .note(format!("mean p of the overloaded cluster {first:.3}")),
        ]
    };
    let mut rows = judged(0);
    depend(&mut rows, &judged(1), tie);
    rows.extend([
        Row::new("LB-F3b", place, "no learning from rounds as the only member: typical mean p")
            .found("around 0.1", typical(1), Verdict::Shown),
        Row::new(
            "LB-F3b",
            place,
            "no learning from rounds as the only member: overloaded p - p of equal clusters",
        )
        .found("slightly above 0", above(1), Verdict::Shown),
    ]);
    let drawing = Drawing {
        name: "3b",
        title: "nine clusters and an overloaded one learn whether to take part",
        y: PROBABILITY,
        scale: Scale::Linear(0.0, 1.0),
        courses: &played[0],
        groups: &[("typical clusters", 1..10), ("overloaded cluster", 0..1)],
        paper: &[0.1],
    };
    drawing.draw(bench, Course::probabilities);
    let (note, peaks) = drawn(&played[0][0], 1..10);
    let what = "first repetition, as in the figure: peaks above 0.1 per typical cluster";
    let row = Row::new("LB-F3b", place, what).found("sharp increases", peaks, Verdict::Shown);
    rows.push(row.note(note));
    let case = Case { setup: &runs[0].0, courses: &played[0] };
    for class in explained(bench, &[case])? {
        for (class, who) in class.iter().zip(["overloaded cluster", "typical clusters"]) {
            rows.extend(class.rows("LB-F3b", place, who));
        }
    }
    rows.extend(jumps(&played[0]));
    Ok(rows)
}

/// Sudden rises and slow decay of the typical clusters' probabilities.
fn jumps(played: &[Course]) -> [Row; 2] {
    let step = |of: fn(f64, f64) -> f64| {
        over(played, 1..10, move |course, cluster| {
            let all = course.probabilities(cluster);
            let own = &all[all.len() / 4..];
            own.windows(2).map(|pair| of(pair[0], pair[1])).fold(0.0, f64::max)
        })
    };
    let (rise, fall) = (step(|before, after| after - before), step(|before, after| before - after));
    let what = "typical p after the first quarter: largest rise in a round / largest fall";
    let quotient = rise.value / fall.value;
    let half_lives = played.iter().flat_map(|course| {
        (1..10).flat_map(|cluster| decays(&course.probabilities(cluster))).collect::<Vec<_>>()
    });
    let half_lives: Vec<f64> = half_lives.collect();
    let half_life = match half_lives.is_empty() {
        true => Figure::None,
        false => quantiles(half_lives, [0.5])[0].into(),
    };
    [
        Row::new("LB-F3b2", "4.2.2", what).found(
            "above 1",
            quotient,
            Verdict::of(rise.value > fall.value),
        ),
        Row::new("LB-F3b2", "4.2.2", "median half-life of peaks above 0.2, in rounds").found(
            "gradual",
            half_life,
            Verdict::Shown,
        ),
    ]
}

/// Half-life of each peak above 0.2, in rounds.
fn decays(probabilities: &[f64]) -> Vec<f64> {
    let mut all = Vec::new();
    let mut at = probabilities.len() / 4;
    while at + 1 < probabilities.len() {
        let peak = probabilities[at];
        let is_peak = peak > 0.2 && probabilities[at + 1] < peak;
        let half = probabilities[at..].iter().position(|&value| value < peak / 2.0);
        match half.filter(|_| is_peak) {
            Some(rounds) => {
                all.push(rounds as f64);
                at += rounds;
            }
            None => at += 1,
        }
    }
    all
}

/// Judges levels that should reach the bound; a short run cannot show that they do not.
fn reached(row: Row, all: bool, watch: &Watch) -> Row {
    let row = row.holds(all);
    let is_short = !all && watch.rounds < WHOLE;
    if is_short { Row { verdict: Verdict::Open, ..row } } else { row }
}

/// First round in which a level is at least 990; the number of rounds if there is none.
fn reaches(course: &Course, cluster: usize) -> f64 {
    let levels = course.levels(cluster);
    levels.iter().position(|&level| level >= 990.0).unwrap_or(levels.len()) as f64
}

/// Levels in a single repetition, as drawn in the paper.
fn drawn_levels(claim: &'static str, place: &str, course: &Course, clusters: usize) -> Row {
    let first = (0..clusters).map(|cluster| reaches(course, cluster));
    let late = first.fold(0.0, f64::max);
    let settled: Vec<f64> =
        (0..clusters).flat_map(|cluster| last(&course.levels(cluster)).to_vec()).collect();
    let [low, middle, high] = quantiles(settled, [0.0, 0.5, 1.0]);
    let what = format!(
        "first repetition, as in the figure: round by which all {clusters} levels had reached 990"
    );
    let note = format!("levels in the last quarter: {low:.0} to {high:.0}, median {middle:.0}");
    Row::new(claim, place, what).shown(late).note(note)
}

/// Figure 4: levels of equal clusters.
pub(super) fn figure_4(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let watch = Watch::of(bench);
    let learner = |rate| levels(rate, level::Round::Nearest);
    let figures = [("LB-F4a", "Figure 4a", 2), ("LB-F4b", "Figure 4b", 10)];
    let runs = figures.map(|(.., clusters)| {
        (Setup::equal(clusters, 2.0).levels(10), learner(RATE), learner(RATE))
    });
    let played = courses(bench, &runs, |_| watch.rounds, watch.seeds)?;
    let mut rows = Vec::new();
    for ((claim, place, clusters), courses) in figures.into_iter().zip(&played) {
        let rounds = over(courses, 0..clusters, reaches);
        let all = courses.iter().all(|course| {
            (0..clusters).all(|cluster| reaches(course, cluster) < course.rounds() as f64)
        });
        let what = format!("{clusters} equal clusters: every level reaches the bound of 1000");
        let seeds = format!("within {} rounds, starting at level 10", watch.rounds);
        rows.push(reached(Row::new(claim, place, what), all, &watch).note(seeds));
        let what = format!("{clusters} equal clusters: first round with a level of 990");
        rows.push(Row::new(claim, place, what).found("quickly", rounds, Verdict::Shown));
        rows.push(drawn_levels(claim, place, &courses[0], clusters));
        let drawing = Drawing {
            name: if clusters == 2 { "4a" } else { "4b" },
            title: &format!("{clusters} equal clusters learn their level"),
            y: LEVEL,
            scale: LEVELS,
            courses,
            groups: &[("equal clusters", 0..clusters)],
            paper: &[1000.0],
        };
        drawing.draw(bench, Course::levels);
    }
    Ok(rows)
}

/// Figure 5: levels beside an overloaded cluster.
pub(super) fn figure_5(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let watch = Watch::of(bench);
    let nearest = |rate| levels(rate, level::Round::Nearest);
    let two = || Setup::mixed(2, 2.0).levels(10);
    let runs = [
        (two(), nearest(RATE), nearest(RATE)),
        (two(), nearest(0.5), nearest(0.5)),
        (Setup { submit_first: false, ..two() }, nearest(RATE), nearest(RATE)),
        (Setup { submit_first: false, ..two() }, nearest(0.5), nearest(0.5)),
        (Setup::mixed(10, 2.0).levels(10), nearest(RATE), nearest(RATE)),
    ];
    let played = courses(bench, &runs, |_| watch.rounds, watch.seeds)?;
    let level = |number: usize| over(&played[number], 1..2, last_level);
    let all = |number: usize, clusters: usize| {
        played[number].iter().all(|course| {
            (0..clusters).all(|cluster| reaches(course, cluster) < course.rounds() as f64)
        })
    };
    let row = |place: &str, what: &str| Row::new("LB-F5a", place, what);
    let end = |number: usize| {
        over(&played[number], 1..2, |course, cluster| {
            course.levels(cluster).last().copied().unwrap_or(f64::NAN)
        })
    };
    let judged = |number: usize, rate: &str| {
        let (ours, end) = (level(number), end(number + 2));
        let share = over(&played[number], 1..2, |course, cluster| {
            let levels = course.levels(cluster);
            let last = last(&levels);
            last.iter().filter(|&&level| level < 1.5).count() as f64 / last.len() as f64
        });
        let what = format!("two clusters: mean l_2 in the last quarter, learning rate {rate}");
        let what_end = format!("balancing before submission: final l_2, learning rate {rate}");
        let leader = row("Figure 5a", "two clusters: l_1 reaches the bound");
        vec![
            row("Figure 5a", &what)
                .found("below 1.5", ours, ours.below(1.5))
                .note(format!("below 1.5 in {:.0}% of these rounds", 100.0 * share.value)),
            Row::new("LB-F5a2", "6.3", what_end)
                .found("0", end, end.below(0.5))
                .note("levels below 0.5 are declared as 0"),
            reached(leader, all(number, 1), &watch),
        ]
    };
    let slow = "the paper does not give the learning rate; with 0.5 the whole figure agrees";
    let (mut rows, mut faster) = (judged(0, "0.1"), judged(1, "0.5"));
    depend(&mut rows, &faster, slow);
    faster.truncate(2);
    rows.extend(faster);
    let levels = played[0][0].levels(1);
    let [low, middle, high] = quantiles(last(&levels).to_vec(), [0.0, 0.5, 1.0]);
    let what =
        "first repetition, as in the figure: lowest l_2 in the last quarter, learning rate 0.1";
    let note = format!("median {middle:.2}, highest {high:.2}");
    rows.push(row("Figure 5a", what).found("below 1.5", low, Verdict::Shown).note(note));
    for (number, clusters, name, scale, paper) in [
        (0, 2, "5a", Scale::Log(1.0, 1200.0), &[1.5, 1000.0][..]),
        (4, 10, "5b", LEVELS, &[1000.0]),
    ] {
        let drawing = Drawing {
            name,
            title: &format!("{clusters} clusters, one of them overloaded, learn their level"),
            y: LEVEL,
            scale,
            courses: &played[number],
            groups: &[("typical", 1..clusters), ("overloaded cluster", 0..1)],
            paper,
        };
        drawing.draw(bench, Course::levels);
    }
    let what = "ten clusters: every level reaches the bound of 1000";
    rows.push(reached(Row::new("LB-F5b", "Figure 5b", what), all(4, 10), &watch));
    rows.push(drawn_levels("LB-F5b", "Figure 5b", &played[4][0], 10));
    let typical = over(&played[4], 1..10, last_level);
    let score = over(&played[4], 1..10, |course, cluster| average(last(&course.scores(cluster))));
    rows.push(
        Row::new("LB-F5b", "Figure 5b", "ten clusters: mean typical level in the last quarter")
            .shown(typical)
            .note(format!("mean typical score in these rounds {:.3}", score.value)),
    );
    Ok(rows)
}
