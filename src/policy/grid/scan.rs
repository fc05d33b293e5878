//! One list of waiting jobs for all clusters: always the first job in the list that fits somewhere
//! starts.
//!
//! Jobs that may use the same clusters form a group. In each, the first job that fits is found by its
//! size: it is the first of those with at most as many processors as one of the clusters has idle.

use std::collections::BTreeSet;

use super::places::Places;
use super::waiting::Waiting;
use super::{Placement, Setup, Sites};
use kernel::state::{Corrupt, State, put, take};
use kernel::time::Span;
use model::ids::{ClusterId, JobId};

/// Key of a job: that of the list's order, then its number.
type Key = (i128, u64);

/// The cluster that a job gets, of those where it fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The smallest.
    Smallest,
    /// The one where it leaves the fewest processors idle; of several the smallest.
    Tightest,
}

#[derive(Clone, Debug)]
struct Jobs {
    waiting: Waiting<Key>,
    /// The first job that fits somewhere, while several groups are looked at.
    next: Option<Key>,
    is_marked: bool,
}

/// The list.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    choice: Choice,
    places: Places,
    jobs: Vec<Jobs>,
    /// Groups for which something changed.
    marked: Vec<u32>,
    next: BTreeSet<(Key, u32)>,
    opened: Vec<ClusterId>,
    submitted: u64,
}

impl Scan {
    /// An empty list.
    pub fn new(choice: Choice, setup: &Setup<'_>) -> Scan {
        let mut places = Places::new(setup);
        if choice == Choice::Tightest {
            places.sort();
        }
        let jobs = (0..places.groups() as u32).map(|group| Jobs {
            waiting: Waiting::new(places.chain(group).largest()),
            next: None,
            is_marked: false,
        });
        let jobs = jobs.collect();
        let (marked, next, opened) = (Vec::new(), BTreeSet::new(), Vec::new());
        Scan { choice, places, jobs, marked, next, opened, submitted: 0 }
    }

    /// A job joins the list.
    #[inline]
    pub fn submit(&mut self, id: JobId, processors: u32, group: u32, key: i128) {
        let jobs = &mut self.jobs[group as usize];
        jobs.waiting.push(processors, (key, self.submitted), id);
        self.submitted += 1;
        self.mark(group);
        self.tell(group);
    }

    /// A cluster got processors back.
    #[inline]
    pub fn freed(&mut self, cluster: ClusterId, idle: u32) {
        self.places.freed(cluster, idle);
        self.changed(cluster);
    }

    /// Marks the groups of a cluster whose idle processors changed.
    #[inline]
    fn changed(&mut self, cluster: ClusterId) {
        for index in 0..self.places.seats(cluster).len() {
            self.mark(self.places.seats(cluster)[index].group);
        }
    }

    #[inline]
    fn mark(&mut self, group: u32) {
        let jobs = &mut self.jobs[group as usize];
        if !std::mem::replace(&mut jobs.is_marked, true) {
            self.marked.push(group);
        }
    }

    /// Tells the places what waits in a group, and marks the groups whose clusters change by that.
    #[inline]
    fn tell(&mut self, group: u32) {
        if !self.places.is_guarded() {
            return;
        }
        let smallest = self.jobs[group as usize].waiting.smallest_above(0);
        self.places.waits(group, smallest, &mut self.opened);
        while let Some(cluster) = self.opened.pop() {
            self.changed(cluster);
        }
    }

    /// Starts all that can start.
    #[inline]
    pub fn decide(&mut self, out: &mut Vec<Placement>) {
        if self.jobs.len() == 1 {
            return self.decide_one(out);
        }
        loop {
            while let Some(group) = self.marked.pop() {
                self.jobs[group as usize].is_marked = false;
                self.look(group);
            }
            let Some(&(_, group)) = self.next.first() else { return };
            let most = self.places.row(group).most();
            let first = self.jobs[group as usize].waiting.first(0, most);
            self.start(group, first.expect("one was found").1, out);
            self.mark(group);
        }
    }

    /// Starts all that can start where clusters may refuse jobs: goes through the whole list.
    pub fn decide_asking(&mut self, sites: &impl Sites, out: &mut Vec<Placement>) {
        while self.pass(sites, out) {}
        self.marked.clear();
        self.jobs.iter_mut().for_each(|jobs| jobs.is_marked = false);
    }

    /// Goes once through those of the list that fit somewhere; true if something started, which may open
    /// clusters to others.
    fn pass(&mut self, sites: &impl Sites, out: &mut Vec<Placement>) -> bool {
        let groups = (0..).zip(&self.jobs);
        let all = groups.flat_map(|(group, jobs)| {
            let most = self.places.row(group).most();
            let fit = jobs.waiting.iter().take_while(move |one| one.0 <= most);
            fit.map(move |(size, key, job)| (key, size, group, job))
        });
        let mut all: Vec<(Key, u32, u32, JobId)> = all.collect();
        all.sort_unstable_by_key(|one| one.0);
        let before = out.len();
        for (key, size, group, job) in all {
            let (chain, row) = (self.places.chain(group), self.places.row(group));
            let takes = |place: &usize| {
                row.get(*place) >= size && sites.takes(job, chain.clusters()[*place], out)
            };
            let mut places = (0..chain.clusters().len()).filter(takes);
            let place = match self.choice {
                Choice::Smallest => places.next(),
                Choice::Tightest => places.min_by_key(|&place| row.get(place)),
            };
            let Some(cluster) = place.map(|place| chain.clusters()[place]) else { continue };
            self.jobs[group as usize].waiting.remove(size, key);
            out.push(Placement::Start { job, cluster, delay: Span::ZERO });
            self.places.take(cluster, size);
            self.tell(group);
        }
        out.len() > before
    }

    /// With one group, the first job that fits is the first of all groups.
    #[inline]
    fn decide_one(&mut self, out: &mut Vec<Placement>) {
        while !self.jobs[0].waiting.is_empty()
            && let Some((_, size)) = self.jobs[0].waiting.first(0, self.places.row(0).most())
        {
            self.start(0, size, out);
        }
        self.marked.clear();
        self.jobs[0].is_marked = false;
    }

    /// Finds the first job of a group that fits somewhere.
    #[inline]
    fn look(&mut self, group: u32) {
        let most = self.places.row(group).most();
        let jobs = &mut self.jobs[group as usize];
        let next = jobs.waiting.first(0, most).map(|(key, _)| key);
        let before = std::mem::replace(&mut jobs.next, next);
        if before != next {
            if let Some(before) = before {
                self.next.remove(&(before, group));
            }
            self.next.extend(next.map(|key| (key, group)));
        }
    }

    /// Starts the first job of a size of a group.
    #[inline]
    fn start(&mut self, group: u32, size: u32, out: &mut Vec<Placement>) {
        let (chain, row) = (self.places.chain(group), self.places.row(group));
        let (job, _) = self.jobs[group as usize].waiting.pop(size);
        let place = match self.choice {
            Choice::Smallest => row.first(0, chain.clusters().len(), size),
            Choice::Tightest => row.tightest(size),
        };
        let cluster = chain.clusters()[place.expect("it fits somewhere")];
        out.push(Placement::Start { job, cluster, delay: Span::ZERO });
        self.places.take(cluster, size);
        self.changed(cluster);
        self.tell(group);
    }
}

impl State for Scan {
    fn save(&self, out: &mut Vec<u8>) {
        self.places.save(out);
        put(&self.submitted, out);
        self.jobs.iter().for_each(|jobs| jobs.waiting.save(out));
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.places.load(from)?;
        self.submitted = take(from)?;
        for group in 0..self.jobs.len() as u32 {
            self.jobs[group as usize].waiting.load(from)?;
            self.mark(group);
            self.tell(group);
        }
        Ok(())
    }
}
