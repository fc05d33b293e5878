//! Pictures of the testbed: figures 8 and 13, which are Gantt charts in the paper.
//!
//! Charts here are lines, so figure 8 becomes the part of each application that is done by time, and
//! figure 13 the cost by site and class. The times of the activities are not printed: of the instances
//! drawn, the one whose gain is nearest to the paper's is shown, scaled to the paper's figure of
//! Min-min.

use super::drawn::Instance;
use super::played::{Outcome, Player, watch};
use crate::picture::{Curve, Picture};
use crate::{Bench, StudyError};
use kernel::time::Time;
use report::picture::Scale;
use sim::campaign::Ran;

/// Makespan and cost of Min-min in the paper.
const MAKESPAN: f64 = 258.0;
const COST: f64 = 7689.0;
/// Parts by which figures of the paper are lower: the makespan of Game-quick, and the cost of Game-cost.
pub(super) const SHORTER: f64 = 0.1217;
pub(super) const CHEAPER: f64 = 0.4535;
/// Times in the picture.
const STEPS: usize = 150;

/// Runs of an instance under a planner.
fn runs(instance: &Instance, player: &Player, seed: u64) -> Result<Vec<Ran>, StudyError> {
    let mut runs = Vec::new();
    watch(instance, player, seed, |ran| runs.push(*ran))?;
    Ok(runs)
}

/// Activities of a run that are done at a time.
fn done(ran: &Ran, time: f64) -> f64 {
    let (start, end) = (ran.start.as_units(), ran.finish.as_units());
    let each = (ran.tasks / ran.processors).round();
    let length = (end - start) / each;
    // The last one counts at its end, which rounding must not put off.
    (((time - start) / length + 1e-9).floor()).clamp(0.0, each) * ran.processors
}

/// Part of an application that is done by time, given times in units.
fn progress(instance: &Instance, runs: &[Ran], application: u32, times: &[f64]) -> Vec<f64> {
    let of = |ran: &&Ran| instance.work.classes[ran.class as usize].application == application;
    let own: Vec<&Ran> = runs.iter().filter(of).collect();
    let all: f64 = own.iter().map(|ran| ran.tasks).sum();
    times.iter().map(|&time| own.iter().map(|ran| done(ran, time)).sum::<f64>() / all).collect()
}

/// The last end.
fn makespan(runs: &[Ran]) -> f64 {
    runs.iter().map(|ran| ran.finish).max().unwrap_or(Time::ZERO).as_units()
}

/// Figure 8: an instance under Min-min and Game-quick.
pub(super) fn figure_8(
    bench: &Bench,
    instance: &Instance,
    players: [(&str, &Player); 2],
    seed: u64,
) -> Result<(), StudyError> {
    let mut played = Vec::new();
    for (name, player) in players {
        played.push((name, runs(instance, player, seed)?));
    }
    let unit = MAKESPAN / makespan(&played[0].1);
    let last = played.iter().map(|one| makespan(&one.1)).fold(0.0, f64::max);
    let times: Vec<f64> = (0..=STEPS).map(|at| last * at as f64 / STEPS as f64).collect();
    let mut curves = Vec::new();
    for (name, runs) in &played {
        for (application, known) in (0..).zip(&instance.work.applications) {
            let parts = progress(instance, runs, application, &times);
            let points = times.iter().map(|time| time * unit).zip(parts).collect();
            curves.push(Curve::new(format!("{name}, {}", known.name), points));
        }
    }
    bench.draw(Picture {
        name: "8",
        title: "completion of two applications".to_owned(),
        caption: format!(
            "nearest drawn instance: Game-quick {:.1}% shorter; Min-min scaled to {MAKESPAN}",
            100.0 * (1.0 - makespan(&played[1].1) / makespan(&played[0].1))
        ),
        axes: ["time", "part of the activities that is done"],
        scale: Scale::Linear(0.0, 1.0),
        curves,
        paper: vec![vec![(MAKESPAN, 1.0)], vec![(MAKESPAN * (1.0 - SHORTER), 1.0)]],
    });
    Ok(())
}

/// Cost by class and site.
fn costs(instance: &Instance, outcome: &Outcome) -> Vec<Vec<f64>> {
    let of = |(class, tasks): (u32, &Vec<f64>)| {
        let each = instance.work.times(class).iter().zip(&*instance.sites);
        let each = each.map(|(time, site)| time.as_units() * site.price as f64 / 1e6);
        tasks.iter().zip(each).map(|(tasks, each)| tasks * each).collect()
    };
    (0..).zip(&outcome.tasks).map(of).collect()
}

/// Figure 13: the cost of an instance by site under Min-min and Game-cost.
pub(super) fn figure_13(bench: &Bench, instance: &Instance, outcomes: [(&str, &Outcome); 2]) {
    let unit = COST / outcomes[0].1.cost;
    let curve = |(name, outcome): (&str, &Outcome)| {
        let costs = costs(instance, outcome);
        let point = |site: usize, cost: f64| (site as f64 + 1.0, cost * unit);
        let sites = 0..instance.sites.len();
        let total = |site: usize| point(site, costs.iter().map(|row| row[site]).sum());
        let part = |(class, row): (usize, &Vec<f64>)| {
            let points = row.iter().enumerate().map(|(site, cost)| point(site, *cost)).collect();
            (format!("{name}, class {}", class + 1), points)
        };
        Curve {
            name: name.to_owned(),
            points: sites.map(total).collect(),
            parts: costs.iter().enumerate().map(part).collect(),
        }
    };
    let curves: Vec<Curve> = outcomes.into_iter().map(curve).collect();
    let points = curves.iter().flat_map(|curve| &curve.points);
    let most = points.map(|point| point.1).fold(0.0, f64::max);
    bench.draw(Picture {
        name: "13",
        title: "cost by site".to_owned(),
        caption: format!(
            "nearest drawn instance: Game-cost {:.1}% cheaper; sites as in table 5; thin: classes",
            100.0 * (1.0 - outcomes[1].1.cost / outcomes[0].1.cost)
        ),
        axes: ["site", "cost"],
        scale: Scale::Linear(0.0, (most / 500.0).ceil() * 500.0),
        curves,
        // Nothing of Game-cost is on the dearest site.
        paper: vec![vec![(1.0, 0.0)]],
    });
}

/// The sample whose gain, by outcomes of Min-min and another, is nearest to the paper's.
pub(super) fn nearest(gains: impl Iterator<Item = f64>, paper: f64) -> u64 {
    let off = |(sample, gain): (u64, f64)| ((gain - paper).abs(), sample);
    let by_off = |one: &(f64, u64), other: &(f64, u64)| one.0.total_cmp(&other.0);
    (0..).zip(gains).map(off).min_by(by_off).map_or(0, |one| one.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six activities on two processors, three each of two units, from 4 to 10.
    #[test]
    fn a_run_is_done_activity_by_activity() {
        let at = |units: f64| Time::ZERO.saturating_add(super::super::drawn::span(units));
        let (start, finish) = (at(4.0), at(10.0));
        let ran = Ran { class: 0, site: 0, processors: 2.0, tasks: 6.0, start, finish };
        let found = [3.0, 5.9, 6.0, 8.5, 10.0, 12.0].map(|time| done(&ran, time));
        assert_eq!(found, [0.0, 0.0, 2.0, 4.0, 6.0, 6.0]);
    }

    #[test]
    fn the_nearest_gain_is_found() {
        assert_eq!(nearest([0.5, 0.1, 0.2].into_iter(), 0.14), 1);
    }
}
