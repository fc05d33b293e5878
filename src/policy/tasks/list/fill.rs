//! Many tasks of a class at once, on several sites: the closed form of giving them out one by one.
//!
//! A processor that is free at `a` ends tasks of a class at `a + p`, `a + 2p`, and so on. Tasks that go
//! to the earliest of these times therefore all end by the first time by which so many can end. A
//! search finds it, and only the tasks that end at that very time need an order.

use super::ground::{Ground, Group};
use super::work::{NEVER, Work};

/// Up to this number of times is compared one by one instead of searched by halves.
const FEW: u64 = 128;

/// The time that decides who gets the next task of a class. Of equal ones the lowest site counts, then
/// the processor that was free first, then the first processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tasks) enum By {
    /// End of the task.
    End,
    /// Time at which the processor is free.
    Free,
}

/// The tasks of a class on a processor of a site, one after the other.
#[derive(Clone, Copy, Debug)]
struct Pace {
    by: By,
    release: i64,
    time: i64,
    /// No task ends later.
    until: i64,
}

impl Pace {
    /// Tasks of a processor that count up to a time.
    #[inline]
    fn tasks(&self, at: i64, time: i64) -> u64 {
        let base = at.max(self.release);
        match self.by {
            By::End => self.end_by(base, time.min(self.until)),
            By::Free if time < at => 0,
            By::Free => (1 + self.end_by(base, time)).min(self.end_by(base, self.until)),
        }
    }

    #[inline]
    fn end_by(&self, base: i64, time: i64) -> u64 {
        if time <= base { 0 } else { (time.saturating_sub(base) / self.time) as u64 }
    }

    /// Time that counts for a task of a processor; the first is task 1.
    #[inline]
    fn time_of(&self, at: i64, task: u64) -> i64 {
        match self.by {
            By::End => self.after(at, task),
            By::Free => self.after(at, task - 1),
        }
    }

    /// Time at which a processor is free after that number of tasks.
    #[inline]
    fn after(&self, at: i64, tasks: u64) -> i64 {
        let ticks = i64::try_from(tasks).unwrap_or(NEVER).saturating_mul(self.time);
        if tasks == 0 { at } else { at.max(self.release).saturating_add(ticks) }
    }
}

/// The tasks of a class that are given out.
#[derive(Clone, Copy, Debug)]
pub(in crate::tasks) struct Fill<'s> {
    /// The class.
    pub class: usize,
    /// The sites, in their order.
    pub sites: &'s [u32],
    /// Time that decides: start or end.
    pub by: By,
    /// No task ends later.
    pub until: i64,
}

impl Fill<'_> {
    fn pace(&self, work: &Work, site: u32) -> Pace {
        let (release, time) = (work.release[self.class], work.time(self.class, site as usize));
        Pace { by: self.by, release, time, until: self.until }
    }

    /// Tasks that count up to a time, of all processors and of one processor of each group.
    fn count(&self, work: &Work, ground: &Ground, time: i64) -> (u64, u64) {
        let (mut all, mut slots) = (0_u64, 0_u64);
        for &site in self.sites {
            let pace = self.pace(work, site);
            for group in &ground.sites[site as usize] {
                let tasks = pace.tasks(group.at, time);
                all = all.saturating_add(tasks.saturating_mul(group.processors));
                slots = slots.saturating_add(tasks);
            }
        }
        (all, slots)
    }

    /// The first time up to which `wanted` tasks count, or [`NEVER`].
    pub fn time_of(&self, work: &Work, ground: &Ground, wanted: u64) -> i64 {
        let fronts = self.sites.iter().map(|&site| ground.front(site as usize).0);
        let mut low = fronts.min().unwrap_or(NEVER).max(0) - 1;
        let mut step = self.step(work, ground, wanted);
        let mut high = low.saturating_add(step);
        let (mut before, mut until) = ((0, 0), self.count(work, ground, high));
        while until.0 < wanted {
            if high == NEVER {
                return NEVER;
            }
            (low, before) = (high, until);
            step = step.saturating_mul(2);
            high = high.saturating_add(step);
            until = self.count(work, ground, high);
        }
        while low + 1 < high && until.1 - before.1 > FEW {
            let middle = low + (high - low) / 2;
            let count = self.count(work, ground, middle);
            if count.0 < wanted {
                (low, before) = (middle, count);
            } else {
                (high, until) = (middle, count);
            }
        }
        if low + 1 == high {
            high
        } else {
            self.time_between(work, ground, low, high, wanted - before.0)
        }
    }

    /// The first time behind `low` and up to `high` up to which `wanted` more tasks count than at `low`.
    fn time_between(&self, work: &Work, ground: &Ground, low: i64, high: i64, wanted: u64) -> i64 {
        let mut counts: Vec<(i64, u64)> = Vec::new();
        for &site in self.sites {
            let pace = self.pace(work, site);
            for group in &ground.sites[site as usize] {
                let more = pace.tasks(group.at, low) + 1..=pace.tasks(group.at, high);
                counts.extend(more.map(|task| (pace.time_of(group.at, task), group.processors)));
            }
        }
        counts.sort_unstable();
        let mut rest = wanted;
        for (time, processors) in counts {
            if rest <= processors {
                return time;
            }
            rest -= processors;
        }
        high
    }

    /// About how long the tasks take.
    fn step(&self, work: &Work, ground: &Ground, wanted: u64) -> i64 {
        let mut rate = 0.0;
        for &site in self.sites {
            let groups = ground.sites[site as usize].iter().map(|group| group.processors as f64);
            rate += groups.sum::<f64>() / work.time(self.class, site as usize) as f64;
        }
        ((wanted as f64 / rate) as i64).max(1)
    }

    /// Gives out up to `wanted` tasks. Returns how many and when the last one ends.
    pub fn give(&self, work: &Work, ground: &mut Ground, wanted: u64) -> (u64, i64) {
        if wanted == 0 {
            return (0, 0);
        }
        if self.count(work, ground, NEVER).0 < wanted {
            return self.give_all(work, ground, NEVER);
        }
        let time = self.time_of(work, ground, wanted);
        let (given, mut end) = self.give_all(work, ground, time - 1);
        let mut rest = wanted - given;
        for &site in self.sites {
            if rest > 0 {
                end = end.max(self.give_last(work, ground, site, time, &mut rest));
            }
        }
        (wanted - rest, end)
    }

    /// Gives out all tasks that count up to a time. Returns how many and when the last one ends.
    pub fn give_all(&self, work: &Work, ground: &mut Ground, time: i64) -> (u64, i64) {
        let (mut sum, mut end) = (0_u64, 0);
        for &site in self.sites {
            let pace = self.pace(work, site);
            let mut groups = std::mem::take(&mut ground.sites[site as usize]).into_vec();
            for group in &mut groups {
                let tasks = pace.tasks(group.at, time);
                if tasks > 0 {
                    let at = pace.after(group.at, tasks);
                    ground.give(group, self.class, tasks, at);
                    sum = sum.saturating_add(tasks.saturating_mul(group.processors));
                    end = end.max(at);
                }
            }
            ground.sites[site as usize] = groups.into();
        }
        (sum, end)
    }

    /// Gives out the tasks of a site that count at a time, one for each processor, after all that count
    /// before it. Returns when they end.
    fn give_last(
        &self,
        work: &Work,
        ground: &mut Ground,
        site: u32,
        time: i64,
        rest: &mut u64,
    ) -> i64 {
        let (pace, mut end) = (self.pace(work, site), 0);
        let groups = &mut ground.sites[site as usize];
        let mut turn: Vec<Group> = Vec::new();
        let mut others = std::mem::take(groups).into_vec();
        others.retain(|group| {
            let counts = pace.tasks(group.at, time) > 0;
            turn.extend(counts.then_some(*group));
            !counts
        });
        turn.sort_unstable_by_key(|group| (group.at, group.first));
        for mut group in turn {
            let (at, number) = (pace.after(group.at, 1), group.processors.min(*rest));
            if number < group.processors {
                let mut later = group;
                later.first += number;
                later.processors -= number;
                others.push(later);
            }
            if number > 0 {
                group.processors = number;
                ground.give(&mut group, self.class, 1, at);
                others.push(group);
                *rest -= number;
                end = at;
            }
        }
        ground.sites[site as usize] = others.into();
        end
    }
}
