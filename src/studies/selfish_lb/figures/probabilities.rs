//! Figure 3: learners of the probability of taking part, and what the text says of other grids.

use std::ops::Range;

use super::super::play::{Course, Setup, courses};
use super::super::printed::RULE;
use super::drawing::Drawing;
use super::explained::{Case, explained};
use super::{RATE, WHOLE, Watch, average, last, over, quantiles};
use crate::row::Row;
use crate::verdict::{Figure, Measured, Verdict};
use crate::whole::depend;
use crate::{Bench, StudyError};
use policy::learn::{LearnerOptions, ratio};
use report::picture::Scale;
use sim::pool::Sends;

/// Label of the y-axis.
const PROBABILITY: &str = "probability of taking part, p";

const OPEN_CHOICES: &str = "the paper does not say which jobs are sent; if the first ones are sent \
                            instead of the last, the whole figure agrees";

fn joins(rate: f64) -> LearnerOptions {
    LearnerOptions::Ratio(ratio::Options { rate, ..ratio::Options::default() })
}

/// A ratio learner that does not learn from rounds in which it was the only member.
fn joins_alone(rate: f64) -> LearnerOptions {
    let alone = ratio::Alone::StaysOut;
    LearnerOptions::Ratio(ratio::Options { rate, alone, ..ratio::Options::default() })
}

fn last_p(course: &Course, cluster: usize) -> f64 {
    average(last(&course.probabilities(cluster)))
}

/// The 5% and 95% quantiles of some clusters' probabilities in the last quarters.
fn band(courses: &[Course], clusters: Range<usize>) -> [f64; 2] {
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
fn drawn(course: &Course, clusters: Range<usize>) -> (String, f64) {
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

/// Figure 3a, and the text's statements on other numbers of clusters.
pub(crate) fn figure_3a(bench: &Bench) -> Result<Vec<Row>, StudyError> {
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

/// Compares fifty repetitions with each other.
pub(crate) fn repetitions(bench: &Bench) -> Result<Vec<Row>, StudyError> {
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
pub(crate) fn figure_3b(bench: &Bench) -> Result<Vec<Row>, StudyError> {
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
