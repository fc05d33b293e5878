//! Section 5 and the claims on periods, simulated on the pool.
//!
//! They are about the distribution of a cluster's queue, players who look at their own queue,
//! long-run work sent and received, and the length of a commitment.
//!
//! Queues are those of section 5: exponential sizes with mean 4 at rate 0.2, so a load of 0.8;
//! times are not rounded. Rounds have 10 000 units here, since the memory of such a queue is
//! hundreds of units long.

use super::over_time::{OverTime, QueueLaw};
use super::play::{By, Course, Does, Setup, courses, each_round, scores};
use crate::row::Row;
use crate::sample::mean;
use crate::verdict::{Measured, Printed, Verdict};
use crate::{Bench, StudyError};
use kernel::state::{Corrupt, State};
use kernel::time::{Span, Time};
use policy::learn::{LearnerOptions, ratio, threshold};
use sim::pool::{Balanced, PoolObserver, Rounds};
use stats::shown::counted;

/// Length of a round here, in units.
const LONG: u32 = 10_000;
/// End of the warm-up, in units: the empty start is forgotten by then.
const WARM: i64 = 2_000;

/// Two clusters as in section 5.
fn pair(by: By, does: Does) -> Setup {
    Setup { whole: false, by, typical: does, leader: does, period: LONG, ..Setup::equal(2, 4.0) }
}

/// Balancings observed after the warm-up and within the period.
#[derive(Debug, Default)]
struct Seen {
    /// Number of balancings, and of those with both clusters as members.
    balancings: f64,
    both: f64,
}

impl State for Seen {
    fn save(&self, _: &mut Vec<u8>) {}
    fn load(&mut self, _: &mut &[u8]) -> Result<(), Corrupt> {
        Ok(())
    }
}

impl PoolObserver for Seen {
    fn sees_balancings(&self) -> bool {
        true
    }

    fn balanced(&mut self, balanced: Balanced<'_>) {
        let from = Time::ZERO + Span::units(WARM);
        if balanced.now < from || balanced.now >= Time::ZERO + Span::units(i64::from(LONG)) {
            return;
        }
        self.balancings += 1.0;
        self.both += f64::from(u8::from(balanced.who.len() == 2));
    }
}

/// Number of long rounds.
fn long_rounds(bench: &Bench) -> u64 {
    u64::from(bench.effort.samples / 5).max(4)
}

/// Time-average distribution of a stand-alone cluster's queue.
pub(super) fn law(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let setup = pair(By::Nothing, Does::Joins);
    let watch = || OverTime::new(WARM, i64::from(LONG) / 10 * 8);
    let seen = each_round(bench, &setup, long_rounds(bench), watch)?;
    let laws: Vec<QueueLaw> = seen.into_iter().map(OverTime::law).collect();
    let over = |of: fn(&QueueLaw) -> f64| mean(laws.iter().map(of));
    let above = |bound: f64| 0.8 * libm::exp(-0.05 * bound);
    let compared = |what: &str, theory: f64, ours: Measured| {
        let what = format!("queue of a cluster that computes alone: {what}");
        Row::new("LB-Q-02", "5", what).compared(Printed::calculated(theory, 0.0), ours)
    };
    Ok(vec![
        compared("share of time it is empty", 0.2, over(|law| law.empty)),
        compared("mean", 16.0, over(|law| law.mean)),
        compared("share of time above 16", above(16.0), over(|law| law.above[0])),
        compared("share of time above 36", above(36.0), over(|law| law.above[1])),
        compared("mean excess over 16", 20.0 * above(16.0), over(|law| law.excess)),
    ])
}

/// Players with more and more steps of reasoning.
pub(super) fn reasoning(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rows = Vec::new();
    let mut before: Option<Measured> = None;
    let mut falls = true;
    for steps in 0..=5 {
        let options = threshold::Options { steps: Some(steps), ..Default::default() };
        let above = options.threshold();
        let setup = pair(By::Averaging, Does::Above(above));
        let seen = each_round(bench, &setup, long_rounds(bench), Seen::default)?;
        let ours = mean(seen.iter().map(|seen| seen.both / seen.balancings));
        let alone = 0.8 * libm::exp(-0.05 * above);
        let what = format!(
            "{}: share of balancings in which both queues are above {above:.0}",
            counted(u64::from(steps), "step of reasoning", "steps of reasoning")
        );
        let note = format!("for two independent queues without balancing: {:.2e}", alone * alone);
        rows.push(Row::new("LB-Q-04", "5", what).shown(ours).note(note));
        falls &= before.is_none_or(|before| ours.value < before.value || ours.value == 0.0);
        before = Some(ours);
    }
    rows.push(
        Row::new("LB-Q-04", "5", "that share falls with each step, to nearly zero").holds(falls),
    );
    Ok(rows)
}

/// Long-run work sent and received by each cluster.
pub(super) fn balance_of_trade(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let played = scores(bench, &[pair(By::Averaging, Does::Joins)])?;
    let mut rows = Vec::new();
    let [net, received] = [
        played[0].figures(|seat| seat.sent - seat.received),
        played[0].figures(|seat| seat.received),
    ];
    for cluster in 0..2 {
        let own = cluster..cluster + 1;
        let (net, received) = (net.of(own.clone()).mean(), received.of(own).mean().value);
        // To first order, the ratio has the error of the net work.
        let ours =
            Measured { value: 1.0 + net.value / received, half_width: net.half_width / received };
        let what = format!("cluster {}: work sent / work received in the long run", cluster + 1);
        rows.push(Row::new("LB-Q-05", "5", what).compared(Printed::calculated(1.0, 0.0), ours));
    }
    let gain = mean(
        played[0]
            .figures(|seat| seat.flow / seat.alone)
            .by_round()
            .map(|round| round.iter().sum::<f64>() / round.len() as f64),
    );
    rows.push(Row::new("LB-Q-05", "5", "flow time in the coalition / flow time alone").found(
        "below 1",
        gain,
        gain.below(1.0),
    ));
    Ok(rows)
}

/// Effect of the commitment's length, and of the difference between loads.
pub(super) fn periods(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let periods: &[u32] = match bench.effort.quick {
        true => &[10, 100, 1000],
        false => &[5, 10, 20, 50, 100, 300, 1000, 3000, 10_000],
    };
    let firsts = [1.0, 1.5, 2.0, 2.25, 2.5, 3.0];
    let mut setups: Vec<Setup> =
        periods.iter().map(|&period| Setup { period, ..Setup::equal(2, 2.0) }).collect();
    setups.extend(firsts.map(|first| Setup { first, ..Setup::equal(2, 2.0) }));
    let played = scores(bench, &setups)?;
    let (by_period, by_load) = played.split_at(periods.len());
    let mut rows = Vec::new();
    let mut losing = Vec::new();
    for (&period, scores) in periods.iter().zip(by_period) {
        let all = scores.all();
        let share = |of: fn(f64) -> bool| {
            mean(all.by_round().map(|round| {
                round.iter().filter(|&&score| of(score)).count() as f64 / round.len() as f64
            }))
        };
        let (loses, score) = (share(|score| score < 0.0), all.mean());
        losing.push(loses);
        let what =
            format!("two equal clusters, period {period}: share of rounds with a negative score");
        rows.push(
            Row::new("LB-G-05", "4.1", what)
                .shown(loses)
                .note(format!("mean score {:.3} ± {:.3}", score.value, score.half_width)),
        );
    }
    let highest = losing.iter().map(|share| share.value).fold(0.0, f64::max);
    let longest = *losing.last().expect("there are periods");
    let what =
        "a negative score is less than half as likely over the longest period as over the worst";
    rows.push(Row::new("LB-G-05", "4.1", what).found(true, longest.value < highest / 2.0, {
        Verdict::of(longest.value < highest / 2.0)
    }));
    for (first, scores) in firsts.into_iter().zip(by_load) {
        let (typical, leader) = (scores.of(1..2).mean(), scores.first().mean());
        let what = format!("score of a cluster whose partner has alpha = beta = {first}");
        rows.push(
            Row::new("LB-G-05", "1", what)
                .shown(typical)
                .note(format!("score of the partner {:.3}", leader.value)),
        );
    }
    let (equal, worst) = (by_load[2].of(1..2).mean(), by_load[5].of(1..2).mean());
    rows.push(Row::new("LB-G-05", "1", "score with an equal partner").positive(equal));
    rows.push(
        Row::new("LB-G-05", "1", "score with a partner of more than twice the load")
            .negative(worst),
    );
    Ok(rows)
}

/// Joining rate of learners by period and by load, on a grid with continuing rounds.
///
/// All periods have the same total time. No single cluster is overloaded, since its queue would
/// grow without limit.
pub(super) fn learned(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let is_quick = bench.effort.quick;
    let periods: &[u32] = match is_quick {
        true => &[10, 1000],
        false => &[5, 10, 20, 50, 100, 300, 1000, 3000, 10_000],
    };
    // Shape and scale of the other cluster's sizes; a typical one has 1.5, a load of 0.55.
    let firsts: &[f64] = if is_quick { &[1.5, 2.0] } else { &[1.0, 1.25, 1.5, 1.75, 2.0] };
    let (time, seeds) = if is_quick { (20_000, 2) } else { (400_000, 6) };
    let setup = |size, first, period| Setup {
        first,
        period,
        rounds: Rounds::Continuing,
        ..Setup::equal(2, size)
    };
    let by_period = periods.iter().map(|&period| setup(2.0, 2.0, period));
    let by_load = firsts.iter().map(|&first| setup(1.5, first, 1000));
    let learner = || LearnerOptions::Ratio(ratio::Options::default());
    let runs: Vec<_> =
        by_period.chain(by_load).map(|setup| (setup, learner(), learner())).collect();
    let rounds = |setup: &Setup| (time / u64::from(setup.period)).max(20);
    let played = courses(bench, &runs, rounds, seeds)?;
    let half = |values: Vec<f64>| {
        let last = &values[values.len() / 2..];
        last.iter().sum::<f64>() / last.len() as f64
    };
    let p = |courses: &[Course], cluster: usize| {
        mean(courses.iter().map(|course| half(course.probabilities(cluster))))
    };
    let score = |courses: &[Course], cluster: usize| {
        mean(courses.iter().map(|course| half(course.scores(cluster))))
    };
    let note = |score: Measured| format!("score {:.3} ± {:.3}", score.value, score.half_width);
    let mut rows = Vec::new();
    let (by_period, by_load) = played.split_at(periods.len());
    for (period, courses) in periods.iter().zip(by_period) {
        let what =
            format!("two equal learners, continuing rounds, period {period}: p of the second");
        rows.push(
            Row::new("LB-G-05", "4.1", what).shown(p(courses, 1)).note(note(score(courses, 1))),
        );
    }
    for (first, courses) in firsts.iter().zip(by_load) {
        let what = format!(
            "two learners, continuing rounds of 1000, alpha = beta = 1.5 with a partner of {first}: p of the first"
        );
        let (other, its_score) = (p(courses, 0), score(courses, 0));
        rows.push(Row::new("LB-G-05", "1", what).shown(p(courses, 1)).note(format!(
            "{}; partner: p {:.3}, {}",
            note(score(courses, 1)),
            other.value,
            note(its_score)
        )));
    }
    let (shortest, thousand) = (periods[0], periods.iter().position(|&period| period == 1000));
    let sides = [
        (format!("equal learners, period {shortest}"), "negative", score(&by_period[0], 1)),
        (
            "equal learners, period 1000".to_owned(),
            "positive",
            score(&by_period[thousand.expect("it is one of them")], 1),
        ),
        (
            "a learner whose partner has a load two thirds higher".to_owned(),
            "negative",
            score(&by_load[by_load.len() - 1], 1),
        ),
    ];
    for (who, paper, ours) in sides {
        let verdict = if paper == "negative" { ours.below(0.0) } else { ours.above(0.0) };
        let what = format!("score of {who}, continuing rounds");
        rows.push(Row::new("LB-G-05", "1, 4.1", what).found(paper, ours, verdict));
    }
    Ok(rows)
}

/// Number of jobs that count in a round.
pub(super) fn window(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let played = scores(bench, &[Setup::equal(10, 2.0)])?;
    let ours = played[0].figures(|seat| seat.jobs).mean();
    let what = "counted jobs of a cluster per round: 0.2 x 600";
    Ok(vec![Row::new("LB-A-04", "4.2.2", what).compared(Printed::calculated(120.0, 0.0), ours)])
}
