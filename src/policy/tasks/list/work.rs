//! The classes of a problem as list heuristics see them: what is left, where it may run and what waits.
//!
//! Times are whole ticks from the time of the plan. They are exact while the plan certainly ends within
//! the range of times. Otherwise all of them lose so many of their last bits that it does.

use crate::tasks::{Free, HELD, Problem};
use kernel::time::{Span, Time};

/// A class cannot run at a site, or has no deadline.
pub(in crate::tasks) const NEVER: i64 = i64::MAX;

/// The longest plan that is counted in single ticks.
const LONGEST: i128 = 1 << 61;

/// The tasks that are yet to be assigned.
#[derive(Debug)]
pub(in crate::tasks) struct Work {
    /// Number of sites.
    pub sites: usize,
    /// Number of each class in the campaign.
    pub numbers: Vec<u32>,
    /// Tasks of each class that are not assigned.
    pub left: Vec<u64>,
    /// Release of each class; certain once it is eligible.
    pub release: Vec<i64>,
    /// Deadline of each class.
    pub deadline: Vec<i64>,
    /// Latest completion of the assigned tasks of each class.
    pub ends: Vec<i64>,
    /// Classes with tasks left that wait for none but assigned tasks, in their order, behind `first`
    /// that are done.
    order: Vec<u32>,
    first: usize,
    /// Classes that wait for each class.
    pub followers: Vec<Vec<u32>>,
    /// Number of classes that each class waits for and that are not fully assigned.
    waits: Vec<u32>,
    /// Time of a task by class and site.
    times: Vec<i64>,
    prices: Vec<i64>,
    clock: Clock,
}

/// Counts ticks from the time of the plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    now: i64,
    /// Bits that are lost.
    lost: u32,
}

impl Clock {
    /// Ticks until a time; negative in the past.
    pub fn until(self, time: Time) -> i64 {
        time.ticks().saturating_sub(self.now) >> self.lost
    }

    /// Ticks of a task, at least one.
    fn of(self, span: Span) -> i64 {
        (span.ticks() >> self.lost).max(1)
    }
}

impl Work {
    /// All tasks of a problem. Left out are classes that can run nowhere: those that wait for them
    /// start as if they had no tasks.
    pub fn new(problem: &Problem<'_>) -> Work {
        Work::by(clock(problem, false), problem)
    }

    /// The same where tasks wait for room, so that in the worst case they run one after the other.
    pub fn one_by_one(problem: &Problem<'_>) -> Work {
        Work::by(clock(problem, true), problem)
    }

    fn by(clock: Clock, problem: &Problem<'_>) -> Work {
        let (classes, sites) = (problem.classes.len(), problem.sites.len());
        let processors: Vec<u64> =
            problem.sites.iter().map(|site| processors(&site.free)).collect();
        let mut times = vec![NEVER; classes * sites];
        for (row, class) in times.chunks_exact_mut(sites.max(1)).zip(&problem.classes) {
            for (index, (time, site)) in row.iter_mut().zip(&problem.sites).enumerate() {
                let fits = (0..HELD).all(|held| class.needs[held] <= site.limits[held]);
                if let Some(span) = class.time(index).filter(|_| fits && processors[index] > 0) {
                    *time = clock.of(span);
                }
            }
        }
        let runs = |class: usize| times[class * sites..][..sites].iter().any(|&time| time != NEVER);
        let left = |class: usize| if runs(class) { problem.classes[class].whole() } else { 0 };
        let mut work = Work {
            sites,
            numbers: problem.classes.iter().map(|class| class.number).collect(),
            left: (0..classes).map(left).collect(),
            release: problem.classes.iter().map(|class| clock.until(class.ready).max(0)).collect(),
            deadline: problem
                .classes
                .iter()
                .map(|class| problem.applications.get(class.application as usize))
                .map(|application| application.map_or(Time::NEVER, |found| found.deadline))
                .map(|time| if time == Time::NEVER { NEVER } else { clock.until(time) })
                .collect(),
            ends: vec![0; classes],
            order: Vec::new(),
            first: 0,
            followers: vec![Vec::new(); classes],
            waits: vec![0; classes],
            prices: problem.sites.iter().map(|site| site.price).collect(),
            times,
            clock,
        };
        for (index, class) in problem.classes.iter().enumerate() {
            for &before in class.after.iter().filter(|&&before| (before as usize) < classes) {
                work.followers[before as usize].push(index as u32);
                work.waits[index] += 1;
            }
        }
        let first: Vec<u32> =
            (0..classes as u32).filter(|&class| work.waits[class as usize] == 0).collect();
        first.into_iter().for_each(|class| work.release(class));
        work
    }

    /// Time that counts: start or end.
    pub(super) fn clock(&self) -> Clock {
        self.clock
    }

    /// Classes with tasks left that wait for none but assigned tasks, in their order.
    #[inline]
    pub fn eligible(&self) -> &[u32] {
        &self.order[self.first..]
    }

    /// Times of a task of a class, by site.
    #[inline]
    pub fn times(&self, class: usize) -> &[i64] {
        &self.times[class * self.sites..][..self.sites]
    }

    /// Time of a task of a class at a site, or [`NEVER`].
    #[inline]
    pub fn time(&self, class: usize, site: usize) -> i64 {
        self.times[class * self.sites + site]
    }

    /// Price of a task of a class at a site where it can run.
    #[inline]
    pub fn cost(&self, class: usize, site: usize) -> i128 {
        i128::from(self.prices[site]) * i128::from(self.time(class, site))
    }

    /// Sites where a class can run.
    pub fn places(&self, class: usize) -> impl Iterator<Item = u32> + '_ {
        let times = self.times(class).iter().enumerate();
        times.filter(|&(_, &time)| time != NEVER).map(|(site, _)| site as u32)
    }

    /// Counts tasks of a class as assigned, of which the last completes at `end`. Returns true if these
    /// were the last ones of the class; then those that wait for it alone are eligible.
    pub fn assign(&mut self, class: usize, tasks: u64, end: i64) -> bool {
        self.ends[class] = self.ends[class].max(end);
        self.left[class] = self.left[class].saturating_sub(tasks);
        self.left[class] == 0 && {
            self.leave(class);
            true
        }
    }

    /// Ends a class.
    fn leave(&mut self, class: usize) {
        match self.eligible().binary_search(&(class as u32)) {
            // Classes that take turns in their order all leave at the front.
            Ok(0) => self.first += 1,
            Ok(place) => _ = self.order.remove(self.first + place),
            Err(_) => {}
        }
        for place in 0..self.followers[class].len() {
            let follower = self.followers[class][place];
            let waits = follower as usize;
            self.release[waits] = self.release[waits].max(self.ends[class]);
            self.waits[waits] -= 1;
            if self.waits[waits] == 0 {
                self.release(follower);
            }
        }
    }

    /// Makes a class eligible that waits for nothing. A class without tasks is done when it could start.
    fn release(&mut self, class: u32) {
        let index = class as usize;
        if self.left[index] == 0 {
            self.ends[index] = self.release[index];
            self.leave(index);
        } else if let Err(place) = self.eligible().binary_search(&class) {
            self.order.insert(self.first + place, class);
        }
    }
}

/// Number of processors.
fn processors(free: &[Free]) -> u64 {
    free.iter().map(|group| group.processors).fold(0, u64::saturating_add)
}

/// The finest clock by which every list of the tasks ends in time. Each class takes a site at most the
/// tasks of a processor, rounded up, or all its tasks if they may run `one_by_one`. Processors may
/// differ by a task whenever a class ends.
fn clock(problem: &Problem<'_>, one_by_one: bool) -> Clock {
    let mut clock = Clock { now: problem.now.ticks(), lost: 0 };
    let free = problem.sites.iter().flat_map(|site| site.free.iter().map(|free| free.at));
    let ready = problem.classes.iter().map(|class| class.ready);
    let first = free.chain(ready).map(|time| clock.until(time)).max().unwrap_or(0).max(0);
    let (mut sum, mut longest) = (i128::from(first), 0);
    for class in &problem.classes {
        let mut most = 0;
        for (index, site) in problem.sites.iter().enumerate() {
            let Some(time) = class.time(index) else { continue };
            let time = i128::from(time.ticks().max(1));
            let lanes = if one_by_one { 1 } else { processors(&site.free).max(1) };
            let each = class.whole().div_ceil(lanes);
            most = most.max(time.saturating_mul(i128::from(each)));
            longest = longest.max(time);
        }
        sum = sum.saturating_add(most);
    }
    sum = sum.saturating_add(longest.saturating_mul(problem.classes.len() as i128 + 1));
    while sum >> clock.lost > LONGEST {
        clock.lost += 1;
    }
    clock
}
