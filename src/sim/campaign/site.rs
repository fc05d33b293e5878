//! A site: its lanes, what runs on them, and what running tasks hold.
//!
//! Tasks that wait for storage or memory are served in the order in which their processors became
//! free, and nobody overtakes. A run that others wait behind ends with its current tasks, and what is
//! left of it asks again. So runs are long where nothing is short, and one task long where something is.
//! The lanes that wait are kept in line, so that the end of a task costs the same however many lanes a
//! site has.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::hash::BuildHasherDefault;

use priority_queue::PriorityQueue;
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};

use super::lane::{Lane, Running};
use kernel::time::{Span, Time};
use model::campaign::{Campaign as Work, HELD, Site, UNLIMITED};

/// Lanes by a time and their number, the earliest first.
type Ends = PriorityQueue<u32, Reverse<(Time, u32)>, BuildHasherDefault<FxHasher>>;

/// A site in the course of a campaign.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct SiteState {
    pub lanes: Vec<Lane>,
    /// Resources that running tasks hold.
    held: [i64; HELD],
    /// Finished tasks whose files are here, by class.
    files: BTreeMap<u32, u64>,
    /// Storage of these files.
    stored: i64,
    /// Changes of its processors from the tasks of one class to those of another.
    switches: u64,
    /// Lanes that have ended a run since lanes were last started.
    is_dirty: bool,
    /// Lanes that run, by the ends of their runs.
    #[serde(skip)]
    ends: Ends,
    #[serde(skip)]
    line: Line,
}

/// A site, and a time.
#[derive(Clone, Copy)]
pub(super) struct Here<'a> {
    pub site: &'a Site,
    /// Number of the site.
    pub at: usize,
    pub work: &'a Work,
    pub now: Time,
}

/// Lanes in the order in which they are served. It follows from the lanes, and is not saved.
#[derive(Clone, Debug, Default)]
struct Line {
    /// True if it has to be made from all lanes.
    is_stale: bool,
    /// Lanes that have ended a run since lanes were last started.
    ended: Vec<u32>,
    /// Lanes whose next run needs something that is limited, since when they wait for it, first come
    /// first.
    waiting: BinaryHeap<Reverse<(Time, u32)>>,
    /// Lanes whose run needs something that is limited, and may have more tasks than those that run.
    long: Vec<u32>,
}

impl SiteState {
    pub fn new(processors: u32) -> SiteState {
        SiteState { lanes: vec![Lane::idle(processors.into(), Time::ZERO)], ..SiteState::default() }
    }

    pub fn reopen(&mut self) {
        self.ends = Ends::default();
        for (at, lane) in self.lanes.iter().enumerate() {
            if let Some(run) = lane.now {
                self.ends.push(at as u32, Reverse((run.end, at as u32)));
            }
        }
        self.line.is_stale = true;
    }

    /// A class became ready, so that lanes may wait for room that waited for the class.
    pub fn became_ready(&mut self) {
        self.line.is_stale = true;
    }

    pub fn is_dirty(&self) -> bool {
        self.is_dirty
    }

    pub fn set_dirty(&mut self) {
        self.is_dirty = true;
    }

    /// End of the next run.
    pub fn next(&self) -> Option<Time> {
        self.ends.peek().map(|(_, &Reverse((end, _)))| end)
    }

    /// Ends a run that is due, if there is one.
    pub fn end(&mut self, now: Time, work: &Work) -> Option<(u64, Running)> {
        let (&at, _) = self.ends.peek().filter(|next| next.1.0.0 <= now)?;
        self.ends.pop();
        let lane = &mut self.lanes[at as usize];
        let run = lane.now.take()?;
        (lane.class, lane.asked) = (Some(run.class), now);
        self.is_dirty = true;
        self.line.ended.push(at);
        let processors = lane.processors;
        self.hold(work, run.class, processors, -1);
        Some((processors, run))
    }

    fn hold(&mut self, work: &Work, class: u32, processors: u64, sign: i64) {
        let needs = &work.classes[class as usize].needs;
        for (held, need) in self.held.iter_mut().zip(needs) {
            *held = held.saturating_add(sign * need.saturating_mul(processors as i64));
        }
    }

    pub fn switches(&self) -> u64 {
        self.switches
    }

    /// Stores the files of tasks.
    pub fn store(&mut self, class: u32, tasks: u64, output: i64) {
        *self.files.entry(class).or_default() += tasks;
        let amount = output.saturating_mul(tasks as i64);
        self.stored = self.stored.saturating_add(amount);
    }

    /// Deletes the files of a class, and returns the number of tasks whose files they were.
    pub fn delete(&mut self, class: u32, output: i64) -> u64 {
        let tasks = self.files.remove(&class).unwrap_or(0);
        self.stored -= output.saturating_mul(tasks as i64);
        self.is_dirty |= tasks > 0;
        tasks
    }

    /// Limits for all running tasks together, with the files that are here.
    pub fn limits_beside_files(&self, site: &Site) -> [i64; HELD] {
        let mut limits = site.limits;
        if limits[0] != UNLIMITED {
            limits[0] = (limits[0] - self.stored).max(0);
        }
        limits
    }

    /// Number of tasks of a class that there is room for.
    fn room(&self, site: &Site, needs: &[i64; HELD]) -> u64 {
        let limits = self.limits_beside_files(site);
        let rooms = (0..HELD).filter(|&kind| needs[kind] > 0 && limits[kind] != UNLIMITED);
        let rooms = rooms.map(|kind| (limits[kind] - self.held[kind]).max(0) / needs[kind]);
        rooms.min().map_or(u64::MAX, |room| room as u64)
    }

    /// Starts the next runs of idle lanes whose classes are ready, and calls `started` with the class
    /// and the tasks of each.
    pub fn start(
        &mut self,
        here: Here<'_>,
        ready: impl Fn(u32) -> Option<Time>,
        mut started: impl FnMut(u32, u64),
    ) {
        self.is_dirty = false;
        let looked_at = std::mem::take(&mut self.line.ended);
        if std::mem::take(&mut self.line.is_stale) {
            self.line = Line::default();
            for number in 0..self.lanes.len() as u32 {
                self.ask(number, here, &ready, &mut started);
            }
        } else {
            for &number in &looked_at {
                self.ask(number, here, &ready, &mut started);
            }
            self.line.ended = looked_at;
            self.line.ended.clear();
        }
        while let Some(&Reverse((since, number))) = self.line.waiting.peek() {
            let lane = &self.lanes[number as usize];
            let Some(&(class, _)) = lane.then.last() else { break };
            let needs = &here.work.classes[class as usize].needs;
            let takes = self.room(here.site, needs).min(lane.processors);
            if takes > 0 {
                self.line.waiting.pop();
                let rest = lane.processors - takes;
                if rest > 0 {
                    let next = self.lanes.len() as u32;
                    self.lanes.push(Lane { processors: rest, ..lane.clone() });
                    self.lanes[number as usize].processors = takes;
                    self.line.waiting.push(Reverse((since, next)));
                }
                self.begin(number, here, &mut started);
                self.line.long.push(number);
                if rest == 0 {
                    continue;
                }
            }
            self.yield_to_others(here.now, &mut started);
            break;
        }
    }

    /// Starts the next run of an idle lane if nothing that it needs is limited, else lets it wait for
    /// room.
    fn ask(
        &mut self,
        number: u32,
        here: Here<'_>,
        ready: &impl Fn(u32) -> Option<Time>,
        started: &mut impl FnMut(u32, u64),
    ) {
        let lane = &self.lanes[number as usize];
        let class = lane.now.map(|run| run.class).or_else(|| lane.then.last().map(|next| next.0));
        let Some(class) = class else { return };
        let needs = &here.work.classes[class as usize].needs;
        let limits = &here.site.limits;
        let is_limited = (0..HELD).any(|kind| needs[kind] > 0 && limits[kind] != UNLIMITED);
        match (lane.now, ready(class)) {
            (Some(_), _) if is_limited => self.line.long.push(number),
            (None, Some(ready)) if is_limited => {
                self.line.waiting.push(Reverse((lane.asked.max(ready), number)));
            }
            (None, Some(_)) => self.begin(number, here, started),
            _ => {}
        }
    }

    /// Starts the next run of an idle lane, which has room.
    fn begin(&mut self, number: u32, here: Here<'_>, started: &mut impl FnMut(u32, u64)) {
        let Here { site, at, work, now } = here;
        let lane = &mut self.lanes[number as usize];
        let Some((class, tasks)) = lane.then.pop() else { return };
        let leaves = work.classes[class as usize].output > 0 && site.limits[0] != UNLIMITED;
        let tasks = match leaves {
            // The files of each task take room of their own.
            true if tasks > 1 => {
                lane.then.push((class, tasks - 1));
                1
            }
            _ => tasks,
        };
        let processors = lane.processors;
        if lane.class.is_some_and(|last| last != class) {
            self.switches += processors;
        }
        let run = Running::new(class, tasks, now, work.times(class)[at]);
        lane.now = Some(run);
        self.ends.push(number, Reverse((run.end, number)));
        self.hold(work, class, processors, 1);
        started(class, processors * tasks);
    }

    /// Ends every run that holds something that is limited with its current tasks, since others wait.
    fn yield_to_others(&mut self, now: Time, started: &mut impl FnMut(u32, u64)) {
        for number in std::mem::take(&mut self.line.long) {
            let lane = &mut self.lanes[number as usize];
            let Some(run) = &mut lane.now else { continue };
            // A run that begins now has started its first task.
            let left = run.cut(now.max(run.start + Span::TICK));
            if left > 0 {
                lane.then.push((run.class, left));
                // They are taken back, to be started again.
                started(run.class, 0_u64.wrapping_sub(left * lane.processors));
                self.ends.change_priority(&number, Reverse((run.end, number)));
            }
        }
    }

    /// Ends all plans: runs end with the tasks that have started. Returns for each run the class and the
    /// tasks that are taken back, and the runs that thereby have ended.
    pub fn recall(&mut self, now: Time, work: &Work) -> Recalled {
        let mut recalled = Recalled::default();
        for at in 0..self.lanes.len() {
            let lane = &mut self.lanes[at];
            lane.then.clear();
            let Some(run) = &mut lane.now else { continue };
            let left = run.cut(now);
            let (class, processors) = (run.class, lane.processors);
            if left > 0 {
                recalled.tasks.push((class, left * processors));
            }
            let run = *run;
            if run.end <= now {
                lane.now = None;
                (lane.class, lane.asked) = (Some(class), now);
                self.hold(work, class, processors, -1);
                if run.tasks > 0 {
                    recalled.ended.push((processors, run));
                }
            }
        }
        recalled
    }
}

/// Tasks that a site gives back before a new plan.
#[derive(Debug, Default)]
pub(super) struct Recalled {
    /// Tasks that have not started, by class.
    pub tasks: Vec<(u32, u64)>,
    /// Runs that have ended now: processors and run.
    pub ended: Vec<(u64, Running)>,
}
