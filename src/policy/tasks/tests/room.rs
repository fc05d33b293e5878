//! Storage and memory of a site by definition: activity by activity.

use crate::tasks::*;

/// A task, or a processor that works when the plan is made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Activity {
    pub end: i64,
    pub needs: [i64; HELD],
}

/// All activities of a site.
#[derive(Clone, Debug)]
pub(super) struct Activities {
    limits: [i64; HELD],
    /// Tasks can have to wait.
    can_wait: bool,
    all: Vec<Activity>,
    last: i64,
}

/// Processors that work at the time of the plan, each alone.
pub(super) fn running(problem: &Problem<'_>, site: usize) -> Vec<Activity> {
    let mut all = Vec::new();
    for free in problem.sites[site].free.iter().filter(|free| free.at > problem.now) {
        let one = Activity { end: free.at.ticks(), needs: free.holds };
        all.extend((0..free.processors).map(|_| one));
    }
    all
}

/// True if a task holds something of which there is a limit.
pub(super) fn is_limited(needs: &[i64; HELD], limits: &[i64; HELD]) -> bool {
    needs.iter().zip(limits).any(|(&need, &limit)| need > 0 && limit != UNLIMITED)
}

/// True if there is room for a task beside those that hold something.
pub(super) fn fits<'a>(
    needs: &[i64; HELD],
    limits: &[i64; HELD],
    beside: impl Iterator<Item = &'a Activity> + Clone,
) -> bool {
    (0..HELD).all(|kind| {
        let held = beside.clone().map(|one| i128::from(one.needs[kind])).sum::<i128>();
        let all = held + i128::from(needs[kind]);
        needs[kind] == 0 || limits[kind] == UNLIMITED || all <= limits[kind].into()
    })
}

impl Activities {
    pub fn new(problem: &Problem<'_>, site: usize) -> Activities {
        let (limits, running) = (problem.sites[site].limits, running(problem, site));
        // Tasks that may come, and the most that each processor can hold.
        let comes = (0..problem.classes.len()).filter(|&class| {
            super::naive::time(problem, class, site).is_some()
                && super::naive::tasks(problem, class) > 0
        });
        let processors: u64 = problem.sites[site].free.iter().map(|free| free.processors).sum();
        let can_wait = (0..HELD).any(|kind| {
            let need = comes.clone().map(|class| problem.classes[class].needs[kind]).max();
            let need = need.unwrap_or(0);
            let busy = running.iter().map(|one| i128::from(one.needs[kind].max(need)));
            let idle = (processors - running.len() as u64) as i128 * i128::from(need);
            need > 0 && limits[kind] != UNLIMITED && busy.sum::<i128>() + idle > limits[kind].into()
        });
        Activities { limits, can_wait, all: running, last: problem.now.ticks() }
    }

    /// First time from `base` on at which a task can start: at once, or when an activity ends.
    pub fn start(&self, needs: &[i64; HELD], base: i64) -> i64 {
        if !self.can_wait || !is_limited(needs, &self.limits) {
            return base;
        }
        let base = base.max(self.last);
        let mut times: Vec<i64> = self.all.iter().map(|one| one.end).collect();
        times.retain(|&time| time > base);
        times.push(base);
        times.sort_unstable();
        let beside = |time: i64| self.all.iter().filter(move |one| one.end > time);
        let first = times.iter().find(|&&time| fits(needs, &self.limits, beside(time)));
        *first.expect("it fits alone")
    }

    pub fn add(&mut self, needs: &[i64; HELD], start: i64, end: i64) {
        if self.can_wait && is_limited(needs, &self.limits) {
            self.last = start;
            self.all.push(Activity { end, needs: *needs });
        }
    }
}
