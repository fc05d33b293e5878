//! A site: its lanes, what runs on them, and what running tasks hold.
//!
//! Where tasks wait for storage or memory, they are served in the order in which their processors became
//! free, and nobody overtakes. A run that others wait behind ends with its current tasks, and what is left
//! of it asks again. So runs are long where nothing is short, and one task long where something is.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use serde::{Deserialize, Serialize};

use crate::kernel::time::{Span, Time};
use crate::model::campaign::{Campaign as Work, HELD, Site, UNLIMITED};
use crate::policy::tasks::Run;

/// A run under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Running {
    /// Number of the class.
    pub class: u32,
    /// Tasks of each processor, one after the other.
    pub tasks: u64,
    /// Start of the first.
    pub start: Time,
    /// Length of a task.
    pub time: Span,
    /// End of the last.
    pub end: Time,
}

impl Running {
    fn new(class: u32, tasks: u64, start: Time, time: Span) -> Running {
        let ticks = i64::try_from(tasks).unwrap_or(i64::MAX).saturating_mul(time.ticks());
        Running { class, tasks, start, time, end: start.saturating_add(Span::from_ticks(ticks)) }
    }

    /// Number of its tasks that have ended by a time.
    pub(super) fn finished(&self, now: Time) -> u64 {
        ((now - self.start).ticks() / self.time.ticks()).clamp(0, self.tasks as i64) as u64
    }

    /// Cuts it behind the tasks that have started before a time, and returns the tasks that are cut off.
    pub(super) fn cut(&mut self, now: Time) -> u64 {
        let passed = (now - self.start).ticks();
        let started =
            (passed / self.time.ticks() + i64::from(passed % self.time.ticks() > 0)) as u64;
        let left = self.tasks.saturating_sub(started);
        *self = Running::new(self.class, self.tasks - left, self.start, self.time);
        left
    }
}

/// Processors that do the same at the same times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lane {
    /// Number of processors.
    pub processors: u64,
    /// The class for which they worked last.
    pub class: Option<u32>,
    /// Their current run.
    pub now: Option<Running>,
    /// Their next runs; the last entry comes first.
    pub then: Vec<(u32, u64)>,
    /// Since when they wait for their next run.
    pub asked: Time,
}

impl Lane {
    pub(super) fn idle(processors: u64, now: Time) -> Lane {
        Lane { processors, class: None, now: None, then: Vec::new(), asked: now }
    }

    /// Gives it what it does from now on.
    pub(super) fn set(&mut self, runs: &[Run]) {
        self.then = runs.iter().rev().map(|run| (run.class, run.tasks)).collect();
    }
}

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
    /// Ends of runs, with their lanes; those that a lane no longer has are passed over.
    #[serde(skip)]
    ends: BinaryHeap<Reverse<(Time, u32)>>,
}

impl SiteState {
    pub fn new(processors: u32) -> SiteState {
        SiteState { lanes: vec![Lane::idle(processors.into(), Time::ZERO)], ..SiteState::default() }
    }

    pub fn reopen(&mut self) {
        let ends = self.lanes.iter().enumerate();
        self.ends =
            ends.filter_map(|(at, lane)| Some(Reverse((lane.now?.end, at as u32)))).collect();
    }

    pub fn is_dirty(&self) -> bool {
        self.is_dirty
    }

    pub fn set_dirty(&mut self) {
        self.is_dirty = true;
    }

    /// End of the next run.
    pub fn next(&self) -> Option<Time> {
        self.ends.peek().map(|&Reverse((end, _))| end)
    }

    /// Ends a run that is due, if there is one.
    pub fn end(&mut self, now: Time, work: &Work) -> Option<(u64, Running)> {
        while let Some(&Reverse((end, at))) = self.ends.peek().filter(|next| next.0.0 <= now) {
            self.ends.pop();
            let lane = &mut self.lanes[at as usize];
            if let Some(run) = lane.now.take_if(|run| run.end == end) {
                (lane.class, lane.asked) = (Some(run.class), now);
                self.is_dirty = true;
                let processors = lane.processors;
                self.hold(work, run.class, processors, -1);
                self.tidy();
                return Some((processors, run));
            }
            self.tidy();
        }
        None
    }

    /// Drops ends that no lane has any more, so that the first is one.
    fn tidy(&mut self) {
        while let Some(&Reverse((end, at))) = self.ends.peek() {
            if self.lanes[at as usize].now.is_some_and(|run| run.end == end) {
                break;
            }
            self.ends.pop();
        }
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

    /// Starts the next runs of idle lanes whose classes are ready, and calls `started` with the class and
    /// the tasks of each.
    pub fn start(
        &mut self,
        site: &Site,
        at: usize,
        work: &Work,
        now: Time,
        ready: impl Fn(u32) -> Option<Time>,
        mut started: impl FnMut(u32, u64),
    ) {
        self.is_dirty = false;
        let mut asking: Vec<(Time, u32)> = Vec::new();
        for (number, lane) in self.lanes.iter().enumerate() {
            if let (None, Some(&(class, _))) = (lane.now, lane.then.last())
                && let Some(ready) = ready(class)
            {
                asking.push((lane.asked.max(ready), number as u32));
            }
        }
        asking.sort_unstable();
        let mut is_short = false;
        for (_, number) in asking {
            let lane = &self.lanes[number as usize];
            let Some(&(class, tasks)) = lane.then.last() else { continue };
            let needs = &work.classes[class as usize].needs;
            let room = self.room(site, needs);
            let takes = if is_short && room < u64::MAX { 0 } else { room.min(lane.processors) };
            is_short |= takes < lane.processors;
            if takes == 0 {
                continue;
            }
            let lane = &mut self.lanes[number as usize];
            let rest = (takes < lane.processors)
                .then(|| Lane { processors: lane.processors - takes, ..lane.clone() });
            lane.processors = takes;
            lane.then.pop();
            let leaves = work.classes[class as usize].output > 0 && site.limits[0] != UNLIMITED;
            let tasks = match leaves {
                // The files of each task take room of their own.
                true if tasks > 1 => {
                    lane.then.push((class, tasks - 1));
                    1
                }
                _ => tasks,
            };
            if lane.class.is_some_and(|last| last != class) {
                self.switches += takes;
            }
            let run = Running::new(class, tasks, now, work.times(class)[at]);
            lane.now = Some(run);
            self.ends.push(Reverse((run.end, number)));
            self.hold(work, class, takes, 1);
            started(class, takes * tasks);
            self.lanes.extend(rest);
        }
        if is_short {
            self.yield_to_others(site, work, now, &mut started);
        }
    }

    /// Ends every run that holds something that is limited with its current tasks, since others wait.
    fn yield_to_others(
        &mut self,
        site: &Site,
        work: &Work,
        now: Time,
        started: &mut impl FnMut(u32, u64),
    ) {
        for (number, lane) in self.lanes.iter_mut().enumerate() {
            let Some(run) = &mut lane.now else { continue };
            let needs = &work.classes[run.class as usize].needs;
            if !(0..HELD).any(|kind| needs[kind] > 0 && site.limits[kind] != UNLIMITED) {
                continue;
            }
            // A run that begins now has started its first task.
            let left = run.cut(now.max(run.start + Span::TICK));
            if left > 0 {
                lane.then.push((run.class, left));
                // They are taken back, to be started again.
                started(run.class, 0_u64.wrapping_sub(left * lane.processors));
                self.ends.push(Reverse((run.end, number as u32)));
            }
        }
        self.tidy();
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
