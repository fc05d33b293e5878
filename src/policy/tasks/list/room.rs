//! Room at the sites: the time from which there is storage and memory for one more task.
//!
//! Tasks of a site are served in the order in which they are assigned, and nobody overtakes. Starts
//! at a site therefore never fall, and what its tasks hold only falls behind the last start. That
//! makes the first time at which a task fits a search in a sorted list. A task that holds nothing of
//! which the site has a limit does not wait, and nobody waits for it.

use std::collections::VecDeque;

use super::work::Work;
use crate::tasks::{Problem, Site};
use model::campaign::{HELD, UNLIMITED};

/// An end of tasks.
#[derive(Clone, Copy, Debug)]
struct End {
    at: i64,
    /// Amounts that the tasks that end then or later hold until then.
    held: [i64; HELD],
}

/// A site where a limit can bind.
#[derive(Debug)]
struct Room {
    limits: [i64; HELD],
    /// Start of the task that was assigned last.
    last: i64,
    /// Ends behind the last start, the earliest first: at most one for each processor.
    ends: VecDeque<End>,
}

/// All sites.
#[derive(Debug)]
pub(super) struct Rooms {
    /// Needs of a task, by class.
    needs: Vec<[i64; HELD]>,
    /// `None` where no limit can bind.
    sites: Vec<Option<Room>>,
}

/// True if a limit can bind at some site, so that tasks may wait there.
pub(super) fn can_bind(problem: &Problem<'_>) -> bool {
    (0..problem.sites.len()).any(|site| can_bind_at(problem, site))
}

/// True unless the site has room for the most that all its processors together can hold.
fn can_bind_at(problem: &Problem<'_>, site: usize) -> bool {
    let Site { limits, free, .. } = &problem.sites[site];
    let mut most = [0; HELD];
    for class in &problem.classes {
        let fits = (0..HELD).all(|kind| class.needs[kind] <= limits[kind]);
        if fits && class.whole() > 0 && class.time(site).is_some() {
            most = std::array::from_fn(|kind| class.needs[kind].max(most[kind]));
        }
    }
    (0..HELD).any(|kind| {
        let holds = free.iter().map(|free| {
            let each = if free.at > problem.now { free.holds[kind] } else { 0 };
            i128::from(free.processors).saturating_mul(each.max(most[kind]).into())
        });
        let all = holds.fold(0, i128::saturating_add);
        most[kind] > 0 && limits[kind] != UNLIMITED && all > limits[kind].into()
    })
}

impl Rooms {
    /// The sites before any task is assigned, with what running tasks hold.
    pub fn new(problem: &Problem<'_>, work: &Work) -> Rooms {
        let room = |site: usize| {
            let mut room =
                Room { limits: problem.sites[site].limits, last: 0, ends: VecDeque::new() };
            for free in problem.sites[site].free.iter().filter(|free| free.at > problem.now) {
                let processors = i64::try_from(free.processors).unwrap_or(i64::MAX);
                let held = free.holds.map(|holds| holds.saturating_mul(processors));
                room.hold(held, work.clock().until(free.at));
            }
            room
        };
        let sites = 0..problem.sites.len();
        Rooms {
            needs: problem.classes.iter().map(|class| class.needs).collect(),
            sites: sites.map(|site| can_bind_at(problem, site).then(|| room(site))).collect(),
        }
    }

    /// True if a limit can bind at a site.
    pub fn can_wait_at(&self, site: usize) -> bool {
        self.sites[site].is_some()
    }

    /// First time from `base` on at which a task of a class can start at a site. It never falls while
    /// tasks are assigned. O(log running tasks).
    pub fn start(&self, class: usize, site: usize, base: i64) -> i64 {
        let needs = &self.needs[class];
        match &self.sites[site] {
            Some(room) if room.concerns(needs) => room.start(needs, base),
            _ => base,
        }
    }

    /// Assigns a task of a class that runs at a site from `start` until `end`. O(running tasks).
    pub fn assign(&mut self, class: usize, site: usize, start: i64, end: i64) {
        let needs = self.needs[class];
        if let Some(room) = self.sites[site].as_mut().filter(|room| room.concerns(&needs)) {
            room.last = start;
            while room.ends.front().is_some_and(|end| end.at <= start) {
                room.ends.pop_front();
            }
            room.hold(needs, end);
        }
    }
}

impl Room {
    /// True if a task holds something of which there is a limit.
    fn concerns(&self, needs: &[i64; HELD]) -> bool {
        (0..HELD).any(|kind| needs[kind] > 0 && self.limits[kind] != UNLIMITED)
    }

    fn start(&self, needs: &[i64; HELD], base: i64) -> i64 {
        let is_short = |end: &End| {
            (0..HELD).any(|kind| {
                needs[kind] > 0 && end.held[kind].saturating_add(needs[kind]) > self.limits[kind]
            })
        };
        // Until the last of these ends there is no room.
        let short = self.ends.partition_point(is_short);
        let room = short.checked_sub(1).map_or(self.last, |end| self.ends[end].at);
        base.max(self.last).max(room)
    }

    /// Adds what tasks hold from the last start until an end.
    fn hold(&mut self, held: [i64; HELD], at: i64) {
        let place = self.ends.partition_point(|end| end.at < at);
        let is_new = self.ends.get(place).is_none_or(|end| end.at > at);
        if is_new {
            let held = self.ends.get(place).map_or([0; HELD], |end| end.held);
            self.ends.insert(place, End { at, held });
        }
        for end in self.ends.iter_mut().take(place + 1) {
            for (sum, held) in end.held.iter_mut().zip(held) {
                *sum = sum.saturating_add(held);
            }
        }
    }
}
