//! Runs made-up rounds through every report.

use super::*;
use crate::picture::svg;
use crate::table::Format;
use findings::coalition::course::Course;
use findings::coalition::frame::{Asking, RoundRow};
use findings::coalition::learned::{Learned, MEASURES};
use findings::coalition::timeline::{Timeline, Timelines};
use findings::measure::Metric;
use findings::unit::classes;
use game::stage::{Act, Outcome, Terms};
use kernel::time::Span;
use policy::learn::Stance;
use records::coalition::rounds;
use sim::federation::stakes::Score;
use sim::pool::turn::Turn;
use stats::interval::Level;

const UNIT: i128 = 1_000_000;

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn turn(joined: bool, flow: i128, alone: i128) -> Turn {
    Turn {
        present: true,
        act: if joined { Act::In(Terms::ANY) } else { Act::Out },
        jobs: 10,
        flow: flow * UNIT,
        alone: alone * UNIT,
        balancings: 0,
        sent: if joined { UNIT / 2 } else { 0 },
        received: if joined { 3 * UNIT } else { 0 },
        brought: 900 * UNIT,
        ..Turn::absent()
    }
}

fn row(replication: u32, round: u64, organization: usize, turn: Turn, p: f64) -> RoundRow {
    let stance = Stance { probability: Some(p), ..Stance::default() };
    RoundRow { replication, round, organization, turn, stance, next: Stance::default() }
}

fn frame(rounds: u64, replications: u32) -> Frame {
    let names = names(&["typical-1", "typical-2", "big"]);
    Frame {
        level: Level::default(),
        more: Vec::new(),
        excludes: false,
        lies: false,
        asking: Asking::default(),
        learns: vec![true; names.len()],
        classes: classes(&names, |_, _| true),
        processors: vec![1; names.len()],
        names,
        rounds,
        by_chance: false,
        replications,
        period: Span::units(1000),
        score: Score::Flow,
        counts_seconds: false,
        window: Span::units(600),
    }
}

/// Four rounds or more with two typical organizations and a big one.
///
/// One typical organization is always in, with a score of 1, and the other always out. The big one
/// comes and goes, and is absent in round 0.
fn learned(rounds: u64, replications: u32) -> Learned {
    let mut learned = Learned::new(frame(rounds, replications), false);
    for replication in 0..replications {
        let mut course = Course::new(&learned.frame);
        for round in 0..rounds {
            let is_in = round % 2 == 0;
            let mut big = turn(is_in, if is_in { 200 } else { 100 }, 100);
            big.present = round > 0;
            let p = 0.5 + 0.01 * f64::from(replication);
            let rows = [
                row(replication, round, 0, turn(true, 100, 200), 1.0),
                row(replication, round, 1, turn(false, 100, 100), 0.0),
                row(replication, round, 2, big, p),
            ];
            course.round(&rows);
            if round >= learned.frame.late() {
                course.everyone_in(&rows.map(|row| row.turn));
            }
        }
        learned.add(course);
    }
    learned
}

#[test]
fn neighbours_with_numbered_names_are_a_class() {
    let names = names(&["typical-1", "typical-2", "typical-3", "typical-5", "big", "a-1", "b-2"]);
    let found = classes(&names, |_, _| true);
    let found: Vec<&str> = found.iter().map(|class| &*class.name).collect();
    assert_eq!(found, ["typical-1..3", "typical-5", "big", "a-1", "b-2"]);
    let found = classes(&names, |one, other| (one, other) != (1, 2));
    assert_eq!(found[0].name, "typical-1..2");
    assert_eq!(found[1].name, "typical-3");
}

#[test]
fn lines_of_rounds_hold_what_happened() {
    let (names, last) = (names(&["one, two"]), rounds::Last::None);
    let mut csv = rounds::RoundsCsv::new(Vec::new(), names, Span::units(600), last);
    let mut first = row(0, 7, 0, turn(true, 100, 200), 0.25);
    first.turn.flow = 100 * UNIT + 500_000;
    first.turn.alone = 201 * UNIT;
    first.stance.level = Some(5.5);
    first.next = Stance { probability: Some(0.3), level: Some(5.75), declared: None };
    let terms = Terms { level: Some(Span::units(5)), above: Some(Span::units(12)), lie: 0 };
    first.turn.act = Act::In(terms);
    csv.write(&first, &[0.25, 0.75], &[0.0, f64::INFINITY, -0.5]);
    first.turn.present = false;
    csv.write(&first, &[], &[]);
    let mut second = row(1, 8, 0, turn(false, 0, 0), 0.0);
    second.stance.probability = None;
    second.turn.sent = i128::from(i64::MAX) * 10;
    csv.write(&second, &[], &[]);
    let text = String::from_utf8(csv.lines.into_inner()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2);
    let before =
        "0,7,\"one, two\",in at 5 above 12,1,5,12,0.25,5.5,10,100.5,201,1,0,0.5,3,1.5,0.3,5.75";
    assert_eq!(lines[0], format!("{before},0.25 0.75,0 inf -0.5"));
    assert_eq!(lines[1], "1,8,\"one, two\",out,0,,,,,10,0,0,0,0,92233720368547.75807,0,1.5,,,,");
    assert_eq!(rounds::COLUMNS.len(), lines[1].split(',').count() - 1);
}

#[test]
fn what_was_learned_is_told_of_each_class_and_all() {
    let learned = learned(8, 4);
    let names: Vec<&str> = learned.units().map(|unit| &*unit.totals().name).collect();
    assert_eq!(names, ["typical-1", "typical-2", "big", "typical-1..2", "*"]);
    let unit = |name: &str| learned.units().find(|unit| unit.name == name).unwrap();
    assert_eq!(unit("typical-1").mean(Metric::Score), Some(1.0));
    assert_eq!(unit("typical-1..2").mean(Metric::Score), Some(0.5));
    assert_eq!(unit("typical-1..2").mean(Metric::Joined), Some(0.5));
    assert_eq!(learned.range(unit("typical-1..2"), Metric::Score), Some((0.0, 1.0)));
    // It is present in rounds 1 to 7 and in the coalition in 2, 4 and 6, with a score of -1.
    let big = unit("big");
    assert_eq!((big.all.rounds, big.all.joined), (4 * 7, 4 * 3));
    assert!((big.mean(Metric::Score).unwrap() + 3.0 / 7.0).abs() < 1e-12);
    assert_eq!(big.mean(Metric::FinalJoined), Some(0.5));
    assert_eq!(big.mean(Metric::FinalScore), Some(-0.5));
    // Its probabilities are .50, .51, .52 and .53, so they deviate like 0, 1, 2, 3 hundredths.
    assert!((big.mean(Metric::FinalProbability).unwrap() - 0.515).abs() < 1e-12);
    let deviation = (5.0_f64 / 3.0).sqrt() / 100.0;
    assert!((big.deviation(Metric::FinalProbability).unwrap() - deviation).abs() < 1e-12);
    let half = big.interval(Metric::FinalProbability).unwrap().interval.half_width();
    assert!((half - 3.182_446_305_3 * deviation / 2.0).abs() < 1e-9);
    assert_eq!(big.mean(Metric::FinalLevel), None);
    // Rounds 6 and 7: flows 100, 100, 200 and 100, 100, 100 of ten jobs each.
    let outcomes = learned.social.outcomes();
    let means: Vec<(&str, f64)> = outcomes.iter().map(|one| (one.0, one.1)).collect();
    let (was, alone) = (700.0 / 60.0, 800.0 / 60.0);
    assert_eq!(means, [("as_learned", was), ("everyone_alone", alone), ("everyone_in", was)]);
}

#[test]
fn a_single_replication_has_intervals_of_scores_over_batches_of_rounds() {
    let one = learned(4096, 1);
    let big = one.units().nth(2).unwrap();
    let interval = big.interval(Metric::Score).unwrap();
    assert_eq!(interval.method.name(), "round_means");
    assert!(interval.interval.covers(big.mean(Metric::Score).unwrap()));
    assert!(interval.interval.half_width() < 0.01);
    assert_eq!(big.interval(Metric::Joined), None);
    assert_eq!(learned(40, 1).units().nth(2).unwrap().interval(Metric::Score), None);
}

#[test]
fn files_have_a_line_for_each_and_a_picture_a_line_for_each_class() {
    let learned = learned(1000, 5);
    let csv = String::from_utf8(learning::table(&learned).csv()).unwrap();
    assert_eq!(csv.lines().count(), 1 + 5);
    assert!(csv.starts_with("organization,members,rounds,joined,joined_low,joined_high,"));
    assert!(MEASURES.iter().all(|measured| csv.contains(measured.metric.name())));
    let text = learning::summary(&learned, Format::Text).render(Format::Text, None);
    assert!(
        text.contains("typical-1..2") && text.contains("Willink's t over 5 replications"),
        "{text}"
    );
    assert!(!text.contains("sd of l"));
    let chart = picture::chart("three <of them>", &learned);
    assert!(
        chart.subtitle.contains("; thin: each organization in the first replication; two lines of"),
        "{}",
        chart.subtitle
    );
    assert_eq!(chart.x, "round (of 1 000 units); each point: mean of 4 rounds");
    assert_eq!(chart.series, ["typical-1..2", "big"]);
    assert_eq!(chart.panels.len(), 1);
    // No probability changes, so the chart shows participation.
    assert_eq!(chart.panels[0].y, "share of rounds in the coalition");
    assert_eq!(chart.panels[0].lines[0].parts.len(), 2);
    assert_eq!(chart.panels[0].lines[1].points.len(), 250);
    assert!(svg::render(&picture::chart("x", &learned), svg::Size::Screen).len() < 200_000);
}

/// Equal replications: the mean is each of them, so the thick line lies on the thin ones.
#[test]
fn the_mean_of_equal_replications_is_drawn_where_each_of_them_is() {
    for rounds in [5, 401, 1000] {
        let frame = frame(rounds, 5);
        let mut timelines = Timelines::new(&frame);
        for _ in 0..5 {
            let mut timeline = Timeline::default();
            for round in 0..rounds {
                let flow = i128::from(round);
                let own = |at: usize| turn(at == 0, flow * (1 + at as i128), 7);
                let rows = [0, 1, 2].map(|at| row(0, round, at, own(at), 0.5));
                timeline.add(round, &rows);
            }
            timelines.add(timeline, frame.period, frame.window);
        }
        let chart = timeline::chart("", &frame, &timelines);
        let lines: Vec<&crate::picture::Line> =
            chart.panels.iter().flat_map(|one| &one.lines).collect();
        assert_eq!(lines.len(), 3);
        for line in lines {
            assert_eq!(line.parts.len(), 5);
            assert_eq!(line.points.len(), line.parts[0].len(), "of {rounds} rounds");
            for (mean, one) in line.points.iter().zip(&line.parts[0]) {
                assert_eq!(mean.0, one.0, "of {rounds} rounds");
                assert!((mean.1 - one.1).abs() <= 1e-12 * one.1.abs(), "of {rounds} rounds");
            }
            assert!(line.points.iter().all(|point| point.0 < rounds as f64));
        }
    }
}

/// Sentences on equilibrium of one organization that is in the coalition in 3 of 100 sampled rounds,
/// where leaving would have gained `gain`. Four replications differ a little.
fn rarely_in(gain: f64) -> Vec<String> {
    let names = names(&["small"]);
    let menu = vec![Act::Out, Act::In(Terms::ANY)];
    let asking = Asking { menus: vec![menu], ..Asking::default() };
    let (classes, learns) = (classes(&names, |_, _| true), vec![true]);
    let frame = Frame { names, classes, learns, processors: vec![1], asking, ..frame(400, 4) };
    let mut learned = Learned::new(frame, false);
    for replication in 0..4 {
        let mut course = Course::new(&learned.frame);
        for round in 0..100 {
            let gain = gain * (1.0 + 0.01 * f64::from(replication));
            let is_in = round % 33 == 1;
            course.asked(&Outcome {
                acts: vec![if is_in { Act::In(Terms::ANY) } else { Act::Out }],
                payoffs: vec![if is_in { -gain } else { 0.0 }],
                instead: vec![vec![0.0, -gain]],
                ..Outcome::default()
            });
        }
        learned.add(course);
    }
    let all = verdicts::of(&learned).into_iter();
    all.filter(|sentence| sentence.contains("equilibrium")).collect()
}

/// One statement, from one gain: that of a rare action counts by how often it is taken.
#[test]
fn a_rare_action_counts_in_the_one_statement_on_equilibrium() {
    let found = rarely_in(9.0);
    assert_eq!(
        found,
        ["not an equilibrium: small took part in 3.0% of the sampled rounds of the last quarter, \
          which is rare; leaving in these would have gained 0.2741 (interval: 0.27 to 0.28) per \
          sampled round"]
    );
    let found = rarely_in(2.0);
    assert_eq!(
        found,
        [
            "at an equilibrium to within 0.0625: in the sampled rounds of the last quarter, replacing \
          an action by another would have gained nobody more than that per round; nearest to it is \
          small by leaving where it takes part, which is rare (3.0% of the rounds), 0.0609 \
          (interval: 0.059 to 0.063)"
        ]
    );
}
