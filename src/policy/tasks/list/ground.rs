//! The processors of the sites: groups that have done the same so far, with what they have done.
//!
//! A group is a range of processors of a site that will be free at the same time. Groups split where
//! only some of their processors get a task, the first ones before the others. A group carries its
//! history, so that a split copies a number and the plan is read off at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::work::{NEVER, Work};
use crate::tasks::{Lane, Plan, Problem, Run};
use kernel::time::Time;

/// No past runs.
const NOTHING: u32 = u32::MAX;

/// Processors that are free at the same time and have done the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// Time at which they are free.
    pub at: i64,
    /// Number of the first one at its site. The others follow.
    pub first: u64,
    /// Number of processors.
    pub processors: u64,
    /// Index in [`Ground::starts`] of the time they were free from.
    start: u32,
    /// Class of the last run.
    class: u32,
    /// Tasks of the last run of each.
    tasks: u64,
    /// The run before it, in [`Ground::past`].
    before: u32,
}

impl Group {
    /// Time and first processor as one number, which compares without a branch.
    #[inline]
    fn order(&self) -> Reverse<i128> {
        Reverse((i128::from(self.at) << 64) | i128::from(self.first))
    }
}

impl PartialEq for Group {
    fn eq(&self, other: &Group) -> bool {
        self.order() == other.order()
    }
}

impl Eq for Group {}

impl PartialOrd for Group {
    fn partial_cmp(&self, other: &Group) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Group {
    fn cmp(&self, other: &Group) -> std::cmp::Ordering {
        self.order().cmp(&other.order())
    }
}

/// A run that is followed by others.
#[derive(Clone, Copy, Debug)]
struct Past {
    class: u32,
    tasks: u64,
    before: u32,
}

/// Processors of one lane have these in common: start, number where tasks can wait, and runs.
type Same = (Time, Option<u64>, Vec<(u32, u64)>);

/// All processors.
#[derive(Debug)]
pub(in crate::tasks) struct Ground {
    /// Groups of each site, the earliest on top and of these the one with the first processors.
    pub(super) sites: Vec<BinaryHeap<Group>>,
    past: Vec<Past>,
    /// Times at which groups were free at first.
    starts: Vec<Time>,
}

impl Ground {
    /// The processors of a problem without tasks.
    pub fn new(problem: &Problem<'_>, work: &Work) -> Ground {
        let mut starts = Vec::new();
        let mut sites = Vec::with_capacity(problem.sites.len());
        for site in &problem.sites {
            let (mut first, mut groups) = (0_u64, Vec::with_capacity(site.free.len()));
            for free in site.free.iter().filter(|free| free.processors > 0) {
                let at = work.clock().until(free.at).max(0);
                let (processors, start) = (free.processors, starts.len() as u32);
                groups.push(Group {
                    at,
                    first,
                    processors,
                    start,
                    class: 0,
                    tasks: 0,
                    before: NOTHING,
                });
                starts.push(free.at);
                first = first.saturating_add(processors);
            }
            sites.push(BinaryHeap::from(groups));
        }
        Ground { sites, past: Vec::new(), starts }
    }

    /// Time at which the first processor of a site is free, and the number with the same history.
    #[inline]
    pub fn front(&self, site: usize) -> (i64, u64) {
        self.sites[site].peek().map_or((NEVER, 0), |group| (group.at, group.processors))
    }

    /// Time at which the second processor of a site is free.
    pub fn second(&self, site: usize) -> Option<i64> {
        let groups = self.sites[site].as_slice();
        match groups.first()? {
            top if top.processors > 1 => Some(top.at),
            // The second smallest element of a heap is a child of the smallest.
            _ => groups[1..].iter().take(2).map(|group| group.at).min(),
        }
    }

    /// Gives a task that begins at `start` to each of the first `processors` processors of the first
    /// group of a site. Returns when these are free again.
    pub fn step(
        &mut self,
        work: &Work,
        class: usize,
        site: usize,
        start: i64,
        processors: u64,
    ) -> i64 {
        let time = work.time(class, site);
        let groups = &mut self.sites[site];
        let Some(mut top) = groups.peek_mut() else { return NEVER };
        let mut given = *top;
        given.processors = processors.min(top.processors);
        given.at = start.saturating_add(time);
        append(&mut self.past, &mut given, class, 1);
        if given.processors == top.processors {
            *top = given;
        } else {
            top.first += given.processors;
            top.processors -= given.processors;
            drop(top);
            groups.push(given);
        }
        given.at
    }

    /// Gives each processor of a group so many tasks, which it ends at `at`.
    pub(super) fn give(&mut self, group: &mut Group, class: usize, tasks: u64, at: i64) {
        if tasks > 0 {
            group.at = at;
            append(&mut self.past, group, class, tasks);
        }
    }

    /// Writes what the processors do. Those of a site that do the same from the same time are one lane.
    pub fn write(self, work: &Work, out: &mut Plan) {
        self.write_apart(work, |_| false, out);
    }

    /// The same, with a lane for each processor of the sites where tasks can wait for room.
    ///
    /// Lanes do not name starts. The executor serves tasks that wait in the order in which their
    /// processors became free, and of equal ones in the order of the lanes. It may start a part of a
    /// lane only, whose rest then comes behind other lanes. Lanes of one processor, in the order of the
    /// processors, start their tasks as the plan expects.
    pub fn write_apart(self, work: &Work, can_wait: impl Fn(usize) -> bool, out: &mut Plan) {
        let mut known = FxHashMap::<Same, usize>::default();
        for (site, groups) in self.sites.into_iter().enumerate() {
            let mut groups = groups.into_vec();
            groups.retain(|group| group.tasks > 0);
            groups.sort_unstable_by_key(|group| group.first);
            for group in groups {
                let mut runs = Vec::new();
                let (mut class, mut tasks, mut before) = (group.class, group.tasks, group.before);
                loop {
                    runs.push((work.numbers[class as usize], tasks));
                    let Some(past) = self.past.get(before as usize) else { break };
                    (class, tasks, before) = (past.class, past.tasks, past.before);
                }
                runs.reverse();
                let (from, processors) = (self.starts[group.start as usize], group.processors);
                let alone = can_wait(site).then_some(group.first);
                let place = *known.entry((from, alone, runs)).or_insert(out.lanes.len());
                match out.lanes.get_mut(place) {
                    Some(lane) => lane.processors += processors,
                    None => out.lanes.push(Lane {
                        site: site as u32,
                        from,
                        processors,
                        runs: Vec::new(),
                    }),
                }
            }
            for ((.., runs), place) in known.drain() {
                let runs = runs.into_iter().map(|(class, tasks)| Run { class, tasks });
                out.lanes[place].runs = runs.collect();
            }
        }
    }
}

/// Adds tasks to the history of a group.
fn append(past: &mut Vec<Past>, group: &mut Group, class: usize, tasks: u64) {
    if group.tasks > 0 && group.class == class as u32 {
        group.tasks += tasks;
        return;
    }
    if group.tasks > 0 {
        past.push(Past { class: group.class, tasks: group.tasks, before: group.before });
        group.before = past.len() as u32 - 1;
    }
    (group.class, group.tasks) = (class as u32, tasks);
}
