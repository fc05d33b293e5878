//! The sites as the next task finds them: when it can start at each.

use super::ground::Ground;
use super::room::Rooms;
use super::score::Rule;
use super::work::Work;
use crate::tasks::{Plan, Problem};

/// Starts of the next task of each class at each site.
#[derive(Debug)]
pub(super) struct Fronts {
    /// Time at which the first processor of each site is free.
    pub free: Vec<i64>,
    /// Room at the sites; `None` if tasks do not wait for it.
    room: Option<Rooms>,
}

/// The tasks, processors and sites of a problem before any task is assigned.
pub(super) fn open(rule: Rule, problem: &Problem<'_>) -> (Work, Ground, Fronts) {
    let waits = rule.waits(problem);
    let work = if waits { Work::one_by_one(problem) } else { Work::new(problem) };
    let ground = Ground::new(problem, &work);
    let room = waits.then(|| Rooms::new(problem, &work));
    let mut fronts = Fronts { free: Vec::new(), room };
    fronts.update(&ground);
    (work, ground, fronts)
}

impl Fronts {
    /// Looks again at all processors.
    pub fn update(&mut self, ground: &Ground) {
        self.free.clear();
        self.free.extend((0..ground.sites.len()).map(|site| ground.front(site).0));
    }

    /// True if tasks may have to wait for room, so that each of them is assigned alone.
    pub fn can_wait(&self) -> bool {
        self.room.is_some()
    }

    /// Writes what the processors do.
    pub fn write(&self, work: &Work, ground: Ground, out: &mut Plan) {
        match &self.room {
            Some(room) => ground.write_apart(work, |site| room.can_wait_at(site), out),
            None => ground.write(work, out),
        }
    }

    /// Start of the next task of a class at a site, on a processor that is free at `free`.
    #[inline]
    pub fn start(&self, work: &Work, class: usize, site: usize, free: i64) -> i64 {
        let base = free.max(work.release[class]);
        self.room.as_ref().map_or(base, |room| room.start(class, site, base))
    }

    /// Gives a task to each of the first `processors` processors of the first group of a site: one if
    /// tasks wait. Returns when these are free again.
    pub fn step(
        &mut self,
        work: &Work,
        ground: &mut Ground,
        class: usize,
        site: usize,
        processors: u64,
    ) -> i64 {
        let start = self.start(work, class, site, self.free[site]);
        let end = ground.step(work, class, site, start, processors);
        if let Some(room) = &mut self.room {
            room.assign(class, site, start, end);
        }
        self.free[site] = ground.front(site).0;
        end
    }
}
