//! Figures 4 and 5: learners of a participation level.

use super::super::play::{Course, Setup, courses};
use super::drawing::Drawing;
use super::{RATE, WHOLE, Watch, average, last, over, quantiles};
use crate::row::Row;
use crate::verdict::Verdict;
use crate::whole::depend;
use crate::{Bench, StudyError};
use policy::learn::{LearnerOptions, level};
use report::picture::Scale;
use sim::pool::Balances;

/// Label of the y-axis.
const LEVEL: &str = "participation level, l (units)";
/// Scale of levels up to their bound.
const LEVELS: Scale = Scale::Linear(0.0, 1050.0);

fn levels(rate: f64, round: level::Round) -> LearnerOptions {
    LearnerOptions::Level(level::Options { rate, round, ..level::Options::default() })
}

fn last_level(course: &Course, cluster: usize) -> f64 {
    average(last(&course.levels(cluster)))
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
pub(crate) fn figure_4(bench: &Bench) -> Result<Vec<Row>, StudyError> {
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
pub(crate) fn figure_5(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let watch = Watch::of(bench);
    let nearest = |rate| levels(rate, level::Round::Nearest);
    let two = || Setup::mixed(2, 2.0).levels(10);
    let runs = [
        (two(), nearest(RATE), nearest(RATE)),
        (two(), nearest(0.5), nearest(0.5)),
        (Setup { balances: Balances::BeforeSubmission, ..two() }, nearest(RATE), nearest(RATE)),
        (Setup { balances: Balances::BeforeSubmission, ..two() }, nearest(0.5), nearest(0.5)),
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
