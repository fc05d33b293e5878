//! Values of a plan's lanes, and the rules that they keep.

use super::naive::{tasks, time};
use crate::tasks::*;
use kernel::time::Time;

/// Site, start, runs and processors of a lane.
type Sorted = (u32, Time, Vec<(u32, u64)>, u64);

/// Lanes of a plan in an order of their own, those that are equal as one.
pub(super) fn sorted(plan: &Plan) -> Vec<Sorted> {
    let mut lanes: Vec<_> = plan
        .lanes
        .iter()
        .map(|lane| {
            let runs = lane.runs.iter().map(|run| (run.class, run.tasks)).collect();
            (lane.site, lane.from, runs, lane.processors)
        })
        .collect();
    lanes.sort_unstable();
    lanes.dedup_by(|one, kept| {
        let is_same = (one.0, one.1, &one.2) == (kept.0, kept.1, &kept.2);
        kept.3 += if is_same { one.3 } else { 0 };
        is_same
    });
    lanes
}

/// Position of a class in the problem.
fn place(problem: &Problem<'_>, number: u32) -> usize {
    problem.classes.binary_search_by_key(&number, |class| class.number).unwrap()
}

/// Plays the lanes. Returns when the last task of each class ends.
pub(super) fn ends(problem: &Problem<'_>, plan: &Plan) -> Vec<i64> {
    let now = problem.now.ticks();
    let mut left: Vec<u64> =
        (0..problem.classes.len()).map(|class| tasks(problem, class)).collect();
    let mut end: Vec<Option<i64>> = vec![None; left.len()];
    let mut latest = vec![now; left.len()];
    let mut lanes: Vec<(&Lane, usize, i64)> =
        plan.lanes.iter().map(|lane| (lane, 0, lane.from.ticks().max(now))).collect();
    loop {
        let mut moved = false;
        let release = |end: &[Option<i64>], class: usize| {
            let after = problem.classes[class].after.iter().map(|&before| end[before as usize]);
            let after: Option<Vec<i64>> = after.collect();
            let ready = problem.classes[class].ready.ticks().max(now);
            after.map(|ends| ends.into_iter().max().unwrap_or(now).max(ready))
        };
        for (lane, next, free) in &mut lanes {
            while let Some(run) = lane.runs.get(*next) {
                let class = place(problem, run.class);
                let Some(release) = release(&end, class) else { break };
                let time = time(problem, class, lane.site as usize).expect("it can run there");
                let length = time.saturating_mul(run.tasks as i64);
                *free = (*free).max(release).saturating_add(length);
                *next += 1;
                left[class] -= run.tasks * lane.processors;
                latest[class] = latest[class].max(*free);
                moved = true;
            }
        }
        for class in 0..left.len() {
            if let Some(release) = release(&end, class)
                && end[class].is_none()
                && left[class] == 0
            {
                let is_empty = tasks(problem, class) == 0;
                end[class] = Some(if is_empty { release } else { latest[class] });
                moved = true;
            }
        }
        if !moved {
            assert!(
                lanes.iter().all(|(lane, next, _)| *next == lane.runs.len()),
                "a lane stands still"
            );
            return end.into_iter().map(|end| end.expect("all tasks are done")).collect();
        }
    }
}

/// Checks what the lanes of every plan keep: all tasks are there and done, when the plan expects it, on
/// processors that exist.
pub(super) fn check(problem: &Problem<'_>, plan: &Plan) {
    let ends: Vec<_> =
        ends(problem, plan).into_iter().map(|end| Some(Time::from_ticks(end))).collect();
    // What waits for a class without a site stands still, and so do lanes in which it comes first.
    let has_site = |at: usize| problem.classes[at].whole() == tasks(problem, at);
    if (0..problem.classes.len()).all(has_site) {
        assert_eq!(plan.ends(problem), ends);
    }
    assert!(plan.shares.is_empty());
    let lanes = sorted(plan);
    assert_eq!(lanes.len(), plan.lanes.len(), "lanes that do the same are one");
    for lane in &plan.lanes {
        assert!(lane.processors > 0 && !lane.runs.is_empty());
        assert!(lane.runs.iter().all(|run| run.tasks > 0));
        assert!(lane.runs.windows(2).all(|runs| runs[0].class != runs[1].class));
        let used =
            plan.lanes.iter().filter(|other| (other.site, other.from) == (lane.site, lane.from));
        let free =
            problem.sites[lane.site as usize].free.iter().filter(|free| free.at == lane.from);
        let free: u64 = free.map(|free| free.processors).sum();
        assert!(used.map(|lane| lane.processors).sum::<u64>() <= free);
    }
}
