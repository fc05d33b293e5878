//! The table of live jobs: one slot each, reused when the job is gone.
//!
//! Memory grows with the peak number of live jobs, never with the number of jobs processed.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use super::correction::corrected;
use super::ids::{ClusterId, JobId, OrganizationId};
use super::job::Job;
use super::speed::Speed;
use super::view::{Blind, Submission, View};
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};

/// Marks the absence of a slot.
const NONE: u32 = u32::MAX;

/// The cluster of an empty slot.
const NOWHERE: ClusterId = ClusterId(u32::MAX);
/// The cluster of a job that waits in the grid.
const GRID: ClusterId = ClusterId(u32::MAX - 1);

/// A job that is waiting or running.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Alive {
    /// Its properties.
    pub job: Job,
    /// Runtime at unit speed that a scheduler may expect at submission; `None` without clairvoyance.
    pub expected: Option<Span>,
    /// Start time; [`Time::NEVER`] while it waits.
    pub started: Time,
    /// Cluster where it waits or runs, or to which it is under way.
    cluster: ClusterId,
    /// Neighbours in its cluster's list of running jobs; `next` also chains the empty slots.
    previous: u32,
    next: u32,
    /// Number of corrections of its expected runtime.
    corrections: u32,
    /// Speed of its cluster; unit speed while it waits in the grid.
    speed: Speed,
    /// Work that its cluster adds to it. It follows from the cluster, and is not saved.
    #[serde(skip)]
    added: Span,
}

impl Alive {
    /// Returns the cluster where it waits or runs, or to which it is under way; `None` while it waits
    /// in the grid.
    #[inline]
    pub fn cluster(&self) -> Option<ClusterId> {
        (self.cluster != GRID).then_some(self.cluster)
    }

    /// Returns how long a scheduler may currently expect it to run on its cluster.
    #[inline]
    pub fn expected_now(&self) -> Option<Span> {
        self.expected_after(self.corrections)
    }

    /// Returns how long a scheduler may expect it to run on its cluster after so many corrections.
    #[inline]
    pub fn expected_after(&self, corrections: u32) -> Option<Span> {
        let expected = self.speed.runs(self.expected? + self.added);
        Some(match corrections {
            0 => expected,
            times => corrected(expected, self.estimate(), times),
        })
    }

    /// Returns how long it runs on its cluster if its estimate is right.
    #[inline]
    pub fn estimate(&self) -> Span {
        self.speed.runs(self.job.estimate + self.added)
    }

    /// Returns the work that its cluster adds to it, at unit speed.
    #[inline]
    pub fn added(&self) -> Span {
        self.added
    }

    /// Returns the data that the world passes to the job's scheduler.
    #[inline]
    pub fn submission(&self, id: JobId) -> Submission {
        let Job { submit, processors, user, organization, .. } = self.job;
        let job = Blind { id, submit, processors, user, organization };
        Submission { job, expected: self.expected_now() }
    }
}

/// The table of live jobs.
#[derive(Clone, Debug)]
pub struct Jobs {
    slots: Vec<Alive>,
    empty: u32,
    alive: usize,
}

impl Default for Jobs {
    fn default() -> Jobs {
        Jobs { slots: Vec::new(), empty: NONE, alive: 0 }
    }
}

impl Jobs {
    /// Returns the number of live jobs.
    pub fn len(&self) -> usize {
        self.alive
    }

    /// Returns true if there are no live jobs.
    pub fn is_empty(&self) -> bool {
        self.alive == 0
    }

    /// Admits a job to a cluster, where it waits.
    ///
    /// # Panics
    /// If 2^32 - 1 jobs are alive at once.
    #[inline]
    pub fn insert(&mut self, job: &Job, expected: Option<Span>, cluster: ClusterId) -> JobId {
        self.alive += 1;
        let Some(place) = self.slots.get_mut(self.empty as usize) else {
            let (job, started) = (*job, Time::NEVER);
            let slot = u32::try_from(self.slots.len()).expect("fewer than 2^32 jobs are alive");
            assert!(slot != NONE, "fewer than 2^32 - 1 jobs are alive");
            self.slots.push(Alive {
                job,
                expected,
                started,
                cluster,
                previous: NONE,
                next: NONE,
                corrections: 0,
                speed: Speed::ONE,
                added: Span::ZERO,
            });
            return JobId(slot);
        };
        let slot = std::mem::replace(&mut self.empty, place.next);
        place.job = *job;
        place.expected = expected;
        place.started = Time::NEVER;
        place.cluster = cluster;
        place.corrections = 0;
        place.speed = Speed::ONE;
        place.added = Span::ZERO;
        JobId(slot)
    }

    /// Admits a job to the grid, where it waits for a cluster.
    ///
    /// # Panics
    /// If 2^32 - 1 jobs are alive at once.
    #[inline]
    pub fn hold(&mut self, job: &Job, expected: Option<Span>) -> JobId {
        self.insert(job, expected, GRID)
    }

    /// Places a job on a cluster.
    #[inline]
    pub fn place(&mut self, id: JobId, cluster: ClusterId) {
        self.slots[id.index()].cluster = cluster;
    }

    /// Takes a job that waits back into the grid.
    pub fn hold_again(&mut self, id: JobId) {
        let alive = &mut self.slots[id.index()];
        (alive.cluster, alive.speed, alive.added) = (GRID, Speed::ONE, Span::ZERO);
    }

    /// Tells the speed of the cluster of a job; without it, it is unit speed.
    #[inline]
    pub fn runs_at(&mut self, id: JobId, speed: Speed) {
        self.slots[id.index()].speed = speed;
    }

    /// Adds work to each job, given its organization and its cluster, for as long as it is there.
    pub fn add_to_all(&mut self, added: impl Fn(OrganizationId, ClusterId) -> Span) {
        for alive in self.slots.iter_mut().filter(|alive| alive.cluster < GRID) {
            alive.added = added(alive.job.organization, alive.cluster);
        }
    }

    /// Adds work to a job for as long as it is on its cluster.
    pub fn add(&mut self, id: JobId, added: Span) {
        self.slots[id.index()].added = added;
    }

    /// Returns a live job.
    #[inline]
    pub fn get(&self, id: JobId) -> &Alive {
        &self.slots[id.index()]
    }

    /// Returns the job in a slot, if it is alive.
    pub fn find(&self, id: JobId) -> Option<&Alive> {
        self.slots.get(id.index()).filter(|alive| alive.cluster != NOWHERE)
    }

    /// Records the start of a job, if no [`RunningList`] is kept.
    #[inline]
    pub fn start(&mut self, id: JobId, now: Time) {
        self.slots[id.index()].started = now;
    }

    /// Corrects the expected runtime of a job that has exceeded it.
    pub fn correct(&mut self, id: JobId) {
        self.slots[id.index()].corrections += 1;
    }

    /// Returns the live jobs, by slot.
    pub fn iter(&self) -> impl Iterator<Item = (JobId, &Alive)> {
        let slots = self.slots.iter().zip(0..);
        slots.filter(|(alive, _)| alive.cluster != NOWHERE).map(|(alive, id)| (JobId(id), alive))
    }

    /// Frees the slot of a job that is gone.
    #[inline]
    pub fn remove(&mut self, id: JobId) {
        let place = &mut self.slots[id.index()];
        place.next = self.empty;
        place.cluster = NOWHERE;
        self.empty = id.0;
        self.alive -= 1;
    }
}

impl State for Jobs {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(&self.slots, self.empty, self.alive), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.slots, self.empty, self.alive) = take(from)?;
        Ok(())
    }
}

/// The running jobs of one cluster in order of start, as a list through [`Jobs`].
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct RunningList {
    first: u32,
    last: u32,
}

impl Default for RunningList {
    fn default() -> RunningList {
        RunningList { first: NONE, last: NONE }
    }
}

impl RunningList {
    /// Adds a job that starts.
    #[inline]
    pub fn start(&mut self, jobs: &mut Jobs, id: JobId, now: Time) {
        let alive = &mut jobs.slots[id.index()];
        alive.started = now;
        alive.previous = self.last;
        alive.next = NONE;
        match self.last {
            NONE => self.first = id.0,
            last => jobs.slots[last as usize].next = id.0,
        }
        self.last = id.0;
    }

    /// Removes a job that ends.
    #[inline]
    pub fn end(&mut self, jobs: &mut Jobs, id: JobId) {
        let Alive { previous, next, .. } = jobs.slots[id.index()];
        match previous {
            NONE => self.first = next,
            slot => jobs.slots[slot as usize].next = next,
        }
        match next {
            NONE => self.last = previous,
            slot => jobs.slots[slot as usize].previous = previous,
        }
    }

    /// Returns the running jobs as a scheduler sees them.
    #[inline]
    pub fn view<'a, V: View>(&self, jobs: &'a Jobs) -> Running<'a, V> {
        Running { jobs: Some(jobs), first: self.first, view: PhantomData }
    }
}

/// The running jobs of a cluster in order of start. The order reveals nothing about when they will
/// end.
#[derive(Clone, Copy, Debug)]
pub struct Running<'a, V> {
    jobs: Option<&'a Jobs>,
    first: u32,
    view: PhantomData<V>,
}

impl<'a, V: View> Running<'a, V> {
    /// Returns an empty list.
    pub fn none() -> Running<'a, V> {
        Running { jobs: None, first: NONE, view: PhantomData }
    }

    /// Returns the same jobs through another view.
    #[inline]
    pub fn cut<U: View>(self) -> Running<'a, U> {
        Running { jobs: self.jobs, first: self.first, view: PhantomData }
    }

    /// Returns each running job with its start time.
    pub fn iter(&self) -> impl Iterator<Item = (V, Time)> + use<'a, V> {
        let jobs = self.jobs;
        let mut slot = self.first;
        std::iter::from_fn(move || {
            let id = JobId(slot);
            let alive = jobs.filter(|_| slot != NONE)?.get(id);
            slot = alive.next;
            Some((V::cut(&alive.submission(id)), alive.started))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(number: u64) -> Job {
        Job {
            number,
            source: 0,
            submit: Time::ZERO,
            runtime: Span::UNIT,
            estimate: Span::UNIT,
            processors: 1,
            user: 0,
            organization: OrganizationId(0),
            ..Job::default()
        }
    }

    #[test]
    fn slots_are_reused_and_running_jobs_keep_their_order() {
        let mut jobs = Jobs::default();
        let ids: Vec<JobId> =
            (1..=4).map(|n| jobs.insert(&job(n), Some(Span::UNIT), ClusterId(0))).collect();
        let mut running = RunningList::default();
        for (&id, at) in ids.iter().zip(0..) {
            running.start(&mut jobs, id, Time::from_ticks(at));
        }
        let starts = |running: &RunningList, jobs: &Jobs| -> Vec<i64> {
            running.view::<Blind>(jobs).iter().map(|(_, start)| start.ticks()).collect()
        };
        assert_eq!(starts(&running, &jobs), [0, 1, 2, 3]);
        running.end(&mut jobs, ids[1]);
        jobs.remove(ids[1]);
        assert_eq!(starts(&running, &jobs), [0, 2, 3]);
        running.end(&mut jobs, ids[3]);
        running.end(&mut jobs, ids[0]);
        assert_eq!(starts(&running, &jobs), [2]);
        assert_eq!(jobs.insert(&job(9), None, ClusterId(0)), ids[1]);
        running.end(&mut jobs, ids[2]);
        assert_eq!(starts(&running, &jobs), [0_i64; 0]);
    }
}
