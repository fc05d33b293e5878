//! Files that finished tasks leave: how long they stay, and the storage that they take.

use super::facts::{CampaignFacts, RunFacts, WorldFacts};
use super::found::Found;
use kernel::time::Time;

/// Most tasks of a processor in a run whose files are counted task by task. Those of a longer run count
/// from its start.
const MOST: i128 = 100_000;

/// Lifetime of the files of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stay {
    /// They go with their task.
    None,
    /// They are deleted at this time.
    Until(Time),
    /// They are never deleted.
    Ever,
}

/// Lifetimes of the files of all classes, by the runs.
pub(super) fn stays(world: &WorldFacts, facts: &CampaignFacts, found: &Found) -> Vec<Stay> {
    let mut stays = vec![Stay::None; facts.classes.len()];
    let until = |finish: Option<Time>| finish.map_or(Stay::Ever, Stay::Until);
    if world.keeps_files {
        for (stay, class) in stays.iter_mut().zip(&facts.classes) {
            *stay = until(found.finishes[class.application]);
        }
        return stays;
    }
    for (class, found) in facts.classes.iter().zip(&found.classes) {
        for &before in &class.after {
            stays[before] = match (stays[before], until(found.finish)) {
                (Stay::Ever, _) | (_, Stay::Ever) => Stay::Ever,
                (Stay::Until(one), Stay::Until(other)) => Stay::Until(one.max(other)),
                (Stay::None, stay) | (stay, Stay::None) => stay,
            };
        }
    }
    stays
}

/// Storage that files take from a time on, at the site of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    pub from: Time,
    /// `None` if they are never deleted.
    pub until: Option<Time>,
    /// In millionths of units.
    pub amount: i128,
    /// Index of the run.
    pub run: usize,
}

/// Adds the files that a run leaves.
pub(super) fn holds(
    facts: &CampaignFacts,
    stays: &[Stay],
    number: usize,
    run: &RunFacts,
    out: &mut Vec<Hold>,
) {
    let class = &facts.classes[run.class];
    let until = match stays[run.class] {
        Stay::None => return,
        Stay::Until(time) => Some(time),
        Stay::Ever => None,
    };
    if class.output == 0 || run.processors < 1.0 {
        return;
    }
    let each = run.tasks as i128 / run.processors as i128;
    let amount = i128::from(class.output).saturating_mul(run.processors as i128);
    let mut put = |from: Time, amount: i128| out.push(Hold { from, until, amount, run: number });
    match class.times[run.site] {
        Some(time) if each <= MOST => {
            for task in 1..=each as i64 {
                let from = run.start.ticks().saturating_add(task.saturating_mul(time.ticks()));
                put(Time::from_ticks(from), amount);
            }
        }
        _ => put(run.start, amount.saturating_mul(each)),
    }
}

/// The largest storage that files of finished tasks take at a time, in millionths of units. They only
/// grow between two deletions, so those times and the end are enough. O(runs · log runs), and for runs
/// that last over many deletions as many steps.
pub(super) fn footprint(facts: &CampaignFacts, stays: &[Stay], usable: &[bool]) -> i128 {
    let untils = stays.iter().filter_map(|stay| match stay {
        Stay::Until(time) => Some(*time),
        Stay::None | Stay::Ever => None,
    });
    let last = facts.runs.iter().map(|run| run.finish).max();
    let mut times: Vec<Time> = untils.chain(last).collect();
    times.sort_unstable();
    times.dedup();
    // Differences between the sums at neighbouring times.
    let mut steps = vec![0_i128; times.len() + 1];
    for (run, _) in facts.runs.iter().zip(usable).filter(|&(_, &usable)| usable) {
        let class = &facts.classes[run.class];
        let behind = |time: Time| times.partition_point(|&other| other <= time);
        let end = match stays[run.class] {
            Stay::None => continue,
            Stay::Until(time) => behind(time),
            Stay::Ever => times.len(),
        };
        let Some(time) = class.times[run.site] else { continue };
        let output = i128::from(class.output);
        let first = times.partition_point(|&other| other < run.start);
        let mut before = 0;
        for at in first..end {
            let passed = (times[at].min(run.finish).ticks() - run.start.ticks()) / time.ticks();
            let sum = (i128::from(passed) * run.processors as i128).min(run.tasks as i128);
            steps[at] += output * (sum - before);
            before = sum;
            if times[at] >= run.finish {
                break;
            }
        }
        steps[end] -= output * before;
    }
    let mut sum = 0;
    steps.into_iter().fold(0, |most, step| {
        sum += step;
        most.max(sum)
    })
}
