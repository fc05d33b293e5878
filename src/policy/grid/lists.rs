//! Scheduling by a list for every cluster, which follows from the jobs that wait.
//!
//! In the algorithms of Schwiegelshohn, Tchernykh and Yahyapour (2008) every cluster has a list, and
//! starts the first job on it that fits. Kept literally, the lists hold each job many times. But what
//! is on a cluster's list follows from the waiting jobs alone: it is all that wait of some range of
//! sizes. To see this, let s be the largest size of a waiting job that fits on the cluster, and k the
//! class of clusters that is just large enough for it. Lists are loaded from the categories of a
//! class, which are ranges of sizes; jobs leave all lists at once and join them only when they are
//! submitted, at which the lists are built anew; and a list moves on to a smaller class only when no
//! larger job waits. So the list is never stored: it is the range that `band` gives.
//!
//! A decision looks at clusters in ascending order of size until a round of all starts nothing. A
//! class of clusters is looked at only if something changed for it: one of its clusters got processors
//! back, its list got a job, or its list moved on. Classes next to each other whose lists have the
//! same smallest job are searched at once.
//!
//! Jobs that may use the same clusters form a group. A group has lists of its own, with regard to its
//! clusters alone; a cluster starts the first of all jobs on its lists that fits.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::chain::Chain;
use super::places::Places;
use super::waiting::Waiting;
use super::{Placement, Setup};
use kernel::state::{Corrupt, State, put, take};
use kernel::time::Span;
use model::ids::{ClusterId, JobId};

/// A range of sizes: more than `above`, up to `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Band {
    pub above: u32,
    pub most: u32,
}

/// A rule for the lists.
pub(super) trait Rule {
    /// True if a cluster has only jobs that need more than half of it on its list, while there are
    /// any that fit and no job of a larger class waits that does.
    const LARGE_FIRST: bool;

    /// Returns the list of the clusters of a class, given the largest size of a waiting job that fits
    /// and the class just large enough for that. With `LARGE_FIRST` that size is at most half of the
    /// cluster. All larger classes for which the largest size is the same have the same list.
    fn band(chain: &Chain, class: usize, largest: u32, own: usize) -> Band;
}

/// The waiting jobs of a group, and the classes of its clusters that need a look.
#[derive(Clone, Debug)]
struct Jobs {
    waiting: Waiting<u64>,
    /// A bit for each class.
    marks: Vec<u64>,
    is_marked: bool,
    /// Order of the next cluster on which one can start, while several groups are looked at.
    next: Option<u32>,
}

impl Jobs {
    fn new(chain: &Chain) -> Jobs {
        let marks = vec![0; chain.classes().div_ceil(64)];
        Jobs { waiting: Waiting::new(chain.largest()), marks, is_marked: false, next: None }
    }

    /// Marks classes from one up to before another.
    #[inline]
    fn mark(&mut self, from: usize, to: usize) {
        self.is_marked |= from < to;
        self.change(from, to, |word, mask| *word |= mask);
    }

    #[inline]
    fn unmark(&mut self, from: usize, to: usize) {
        self.change(from, to, |word, mask| *word &= !mask);
    }

    #[inline]
    fn change(&mut self, from: usize, to: usize, change: impl Fn(&mut u64, u64)) {
        if from >= to {
            return;
        }
        let (first, last) = (from / 64, (to - 1) / 64);
        for index in first..=last {
            let low = if index == first { !0 << (from % 64) } else { !0 };
            let high = if index == last { !0 >> (63 - (to - 1) % 64) } else { !0 };
            change(&mut self.marks[index], low & high);
        }
    }

    /// Returns the first marked class from one on.
    #[inline]
    fn marked(&self, from: usize) -> Option<usize> {
        let mut index = from / 64;
        let mut word = self.marks.get(index)? & (!0 << (from % 64));
        while word == 0 {
            index += 1;
            word = *self.marks.get(index)?;
        }
        Some(index * 64 + word.trailing_zeros() as usize)
    }

    /// Marks the classes whose lists a job of a size is on, when it comes.
    #[inline]
    fn came(&mut self, chain: &Chain, processors: u32) {
        let own = chain.class_for(processors.into());
        // A list of a larger class that holds jobs just too large for this one holds none of it.
        let above = self.waiting.smallest_above(chain.size(own));
        let end = above.map_or(chain.classes(), |size| chain.class_for(size.into()));
        self.mark(own, end);
    }

    /// Marks the classes whose lists move on, after the last job of a size went.
    #[inline]
    fn went(&mut self, chain: &Chain, processors: u32) {
        let above = self.waiting.smallest_above(processors);
        let end = above.map_or(chain.classes(), |size| chain.class_for(size.into()));
        self.mark(chain.class_for(processors.into()), end);
    }

    /// Returns the list of a class, and whether it holds only what needs more than half of a cluster.
    /// `None` if no job waits that fits.
    #[inline]
    fn list<R: Rule>(&self, chain: &Chain, class: usize) -> Option<(Band, bool)> {
        let size = chain.size(class);
        let largest = self.waiting.largest_up_to(size)?;
        let own = chain.class_for(largest.into());
        if R::LARGE_FIRST && u64::from(largest) * 2 > u64::from(size) {
            let above = (size / 2).max(chain.size_before(own));
            return Some((Band { above, most: chain.size(own) }, true));
        }
        Some((R::band(chain, class, largest, own), false))
    }

    /// Returns the class behind the last that has the same smallest job on its list as this one.
    #[inline]
    fn end(&self, chain: &Chain, class: usize, smallest: u32, is_large: bool) -> usize {
        if class + 1 == chain.classes()
            || self.marks[(class + 1) / 64] >> ((class + 1) % 64) & 1 == 0
        {
            // The next one needs no look.
            return class + 1;
        }
        let above = self.waiting.smallest_above(chain.size(class));
        let end = above.map_or(chain.classes(), |size| chain.class_for(size.into()));
        match is_large {
            true => end.min(chain.class_for(u64::from(smallest) * 2)).max(class + 1),
            false => end,
        }
    }

    /// Returns the first place from one on where a job on the list fits, with the list, and clears the
    /// marks of the classes in between that were looked at as a whole.
    #[inline]
    fn next<R: Rule>(&mut self, places: &Places, group: u32, from: usize) -> Option<(usize, Band)> {
        if !self.is_marked {
            return None;
        }
        let (chain, row) = (places.chain(group), places.row(group));
        let clusters = chain.clusters().len();
        let mut class = if from < clusters { chain.class_at(from) } else { return None };
        loop {
            class = self.marked(class)?;
            let begin = chain.begin(class).max(from);
            let whole = if chain.begin(class) < from { class + 1 } else { class };
            let Some((band, is_large)) = self.list::<R>(chain, class) else {
                let first = self.waiting.smallest_above(0);
                let end = first.map_or(chain.classes(), |size| chain.class_for(size.into()));
                self.unmark(class, end);
                class = end;
                continue;
            };
            let smallest = self.waiting.smallest_above(band.above)?;
            let end = self.end(chain, class, smallest, is_large);
            if let Some(place) = row.first(begin, chain.begin(end), smallest) {
                let found = chain.class_at(place);
                if found == class {
                    return Some((place, band));
                }
                self.unmark(whole, found);
                // It need not have been marked: the mark keeps it in the search.
                self.mark(found, found + 1);
                return Some((place, self.list::<R>(chain, found)?.0));
            }
            self.unmark(whole, end);
            class = end;
        }
    }
}

/// A job that is alone: it was submitted while no other waited.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Alone {
    id: JobId,
    processors: u32,
    key: u64,
}

/// The lists of all groups.
#[derive(Clone, Debug)]
pub(super) struct Lists<R> {
    rule: std::marker::PhantomData<R>,
    places: Places,
    jobs: Vec<Jobs>,
    /// Groups with marked classes; those that are in here have `is_marked`.
    marked: Vec<u32>,
    /// The next place of each marked group, while several groups are looked at.
    next: BTreeSet<(u32, u32)>,
    /// Clusters that opened to others, since they were last looked at.
    opened: Vec<ClusterId>,
    /// Time that a job is under way to a cluster of another class than its own.
    delay: Span,
    /// Number of waiting jobs.
    waiting: usize,
    /// The only waiting job, as long as it is on no list: most jobs start where they come, and then
    /// need none. Used if there is one group, and no cluster is closed to it at times.
    alone: Option<Alone>,
    /// Number of jobs that were started on a cluster of another class.
    pub moved: u64,
}

impl<R: Rule> Lists<R> {
    /// Empty lists.
    pub fn new(setup: &Setup<'_>, delay: Span) -> Lists<R> {
        let places = Places::new(setup);
        let groups = 0..places.groups() as u32;
        Lists {
            rule: std::marker::PhantomData,
            jobs: groups.map(|group| Jobs::new(places.chain(group))).collect(),
            places,
            marked: Vec::new(),
            next: BTreeSet::new(),
            opened: Vec::new(),
            delay,
            waiting: 0,
            alone: None,
            moved: 0,
        }
    }

    /// Returns true if no job waits, and none runs.
    pub fn is_over(&self) -> bool {
        self.waiting == 0 && self.places.is_idle()
    }

    /// A job was submitted.
    #[inline]
    pub fn submit(&mut self, id: JobId, processors: u32, group: u32, key: u64) {
        if self.waiting == 0 && self.jobs.len() == 1 && !self.places.is_guarded() {
            self.waiting = 1;
            self.alone = Some(Alone { id, processors, key });
            return;
        }
        if let Some(Alone { id, processors, key }) = self.alone.take() {
            self.waiting = 0;
            self.join(id, processors, 0, key);
        }
        self.join(id, processors, group, key);
    }

    /// A job joins the lists.
    #[inline]
    fn join(&mut self, id: JobId, processors: u32, group: u32, key: u64) {
        let jobs = &mut self.jobs[group as usize];
        if !jobs.is_marked {
            self.marked.push(group);
        }
        self.waiting += 1;
        jobs.waiting.push(processors, key, id);
        jobs.came(self.places.chain(group), processors);
        self.tell(group);
    }

    /// A cluster got processors back.
    #[inline]
    pub fn freed(&mut self, cluster: ClusterId, idle: u32) {
        self.places.freed(cluster, idle);
        self.mark(cluster);
    }

    /// Marks a cluster in all groups.
    #[inline]
    fn mark(&mut self, cluster: ClusterId) {
        for seat in self.places.seats(cluster) {
            let jobs = &mut self.jobs[seat.group as usize];
            if jobs.waiting.is_empty() {
                continue;
            }
            if !jobs.is_marked {
                self.marked.push(seat.group);
            }
            let class = self.places.chain(seat.group).class_at(seat.place as usize);
            jobs.mark(class, class + 1);
        }
    }

    /// Tells the places what waits in a group, and marks the clusters that open to others by that.
    #[inline]
    fn tell(&mut self, group: u32) {
        if !self.places.is_guarded() {
            return;
        }
        let smallest = self.jobs[group as usize].waiting.smallest_above(0);
        self.places.waits(group, smallest, &mut self.opened);
        for index in 0..self.opened.len() {
            self.mark(self.opened[index]);
        }
    }

    /// Starts all that the lists say.
    #[inline]
    pub fn decide(&mut self, out: &mut Vec<Placement>) {
        if self.jobs.len() == 1 {
            self.decide_one(out);
        } else {
            self.decide_many(out);
        }
    }

    fn decide_one(&mut self, out: &mut Vec<Placement>) {
        if let Some(Alone { id, processors, key }) = self.alone.take() {
            self.waiting = 0;
            if self.start_alone(id, processors, out) {
                return;
            }
            self.join(id, processors, 0, key);
            self.rest(0);
            return;
        }
        loop {
            let before = out.len();
            self.opened.clear();
            let mut from = 0;
            while let Some((place, band)) = self.jobs[0].next::<R>(&self.places, 0, from) {
                from = place;
                self.start(0, place, band, out);
            }
            if out.len() == before {
                self.rest(0);
                return;
            }
        }
    }

    /// Starts the only job, which is on the lists of all clusters that are large enough. Returns false
    /// if it fits on none.
    #[inline]
    fn start_alone(&mut self, job: JobId, processors: u32, out: &mut Vec<Placement>) -> bool {
        let (chain, row) = (self.places.chain(0), self.places.row(0));
        let own = chain.class_for(processors.into());
        let Some(place) = row.first(chain.begin(own), chain.clusters().len(), processors) else {
            return false;
        };
        let cluster = chain.clusters()[place];
        let is_moved = own != chain.class_at(place);
        self.moved += u64::from(is_moved);
        let delay = if is_moved { self.delay } else { Span::ZERO };
        out.push(Placement::Start { job, cluster, delay });
        self.places.take(cluster, processors);
        true
    }

    /// Several groups: always the smallest cluster on which a job of any group can start, and there
    /// the first such job.
    fn decide_many(&mut self, out: &mut Vec<Placement>) {
        loop {
            let before = out.len();
            self.opened.clear();
            for index in 0..self.marked.len() {
                self.look(self.marked[index], 0);
            }
            while let Some(&(rank, group)) = self.next.first() {
                let chain = self.places.chain(group);
                let before = |&one: &ClusterId| self.places.rank(one) < rank;
                let cluster = chain.clusters()[chain.clusters().partition_point(before)];
                let first = self.first_on(cluster);
                let (group, place, band) = first.expect("a job on a list fits");
                self.start(group, place, band, out);
                // The start may have opened other clusters.
                self.opened.push(cluster);
                while let Some(changed) = self.opened.pop() {
                    for seat in 0..self.places.seats(changed).len() {
                        self.look(self.places.seats(changed)[seat].group, rank);
                    }
                }
            }
            if out.len() == before {
                for group in std::mem::take(&mut self.marked) {
                    self.rest(group);
                }
                return;
            }
        }
    }

    /// Finds the next place of a group, from a cluster's order on.
    fn look(&mut self, group: u32, rank: u32) {
        let clusters = self.places.chain(group).clusters();
        let order = |&one: &ClusterId| self.places.rank(one);
        let from = clusters.partition_point(|one| order(one) < rank);
        let jobs = &mut self.jobs[group as usize];
        let next = jobs.next::<R>(&self.places, group, from).map(|found| order(&clusters[found.0]));
        if let Some(before) = std::mem::replace(&mut jobs.next, next) {
            self.next.remove(&(before, group));
        }
        self.next.extend(next.map(|rank| (rank, group)));
    }

    /// Returns the group of the first job that can start on a cluster, with the cluster's place in it
    /// and its list.
    fn first_on(&self, cluster: ClusterId) -> Option<(u32, usize, Band)> {
        let keys = self.places.seats(cluster).iter().filter_map(|seat| {
            let (group, place) = (seat.group, seat.place as usize);
            let chain = self.places.chain(group);
            let jobs = &self.jobs[group as usize];
            let (band, _) = jobs.list::<R>(chain, chain.class_at(place))?;
            let (key, _) = self.first(group, place, band)?;
            Some((key, group, place, band))
        });
        keys.min_by_key(|one| (one.0, one.1)).map(|(_, group, place, band)| (group, place, band))
    }

    /// Returns the first job on a cluster's list that fits: its key and size.
    #[inline]
    fn first(&self, group: u32, place: usize, band: Band) -> Option<(u64, u32)> {
        let idle = self.places.row(group).get(place);
        self.jobs[group as usize].waiting.first(band.above, band.most.min(idle))
    }

    /// Starts the first job of a group on a cluster's list that fits.
    #[inline]
    fn start(&mut self, group: u32, place: usize, band: Band, out: &mut Vec<Placement>) {
        let (_, size) = self.first(group, place, band).expect("the smallest job on the list fits");
        let (job, is_last) = self.jobs[group as usize].waiting.pop(size);
        self.waiting -= 1;
        let chain = self.places.chain(group);
        let (cluster, own) = (chain.clusters()[place], chain.class_for(size.into()));
        let is_moved = own != chain.class_at(place);
        self.moved += u64::from(is_moved);
        if is_last {
            self.jobs[group as usize].went(self.places.chain(group), size);
        }
        let delay = if is_moved { self.delay } else { Span::ZERO };
        out.push(Placement::Start { job, cluster, delay });
        self.places.take(cluster, size);
        if is_last {
            self.tell(group);
        }
    }

    /// Nothing of a group can start any more.
    fn rest(&mut self, group: u32) {
        let jobs = &mut self.jobs[group as usize];
        jobs.marks.fill(0);
        jobs.is_marked = false;
        if self.jobs.len() == 1 {
            self.marked.clear();
        }
    }
}

/// Marks are not saved: whoever looks once too often finds nothing.
impl<R: Rule> State for Lists<R> {
    fn save(&self, out: &mut Vec<u8>) {
        self.places.save(out);
        put(&(self.moved, self.alone), out);
        self.jobs.iter().for_each(|jobs| jobs.waiting.save(out));
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.places.load(from)?;
        (self.moved, self.alone) = take(from)?;
        self.waiting = usize::from(self.alone.is_some());
        for (group, jobs) in (0..).zip(&mut self.jobs) {
            jobs.waiting.load(from)?;
            jobs.mark(0, self.places.chain(group).classes());
            self.waiting += jobs.waiting.len();
        }
        self.marked = (0..self.jobs.len() as u32).collect();
        (0..self.jobs.len() as u32).for_each(|group| self.tell(group));
        Ok(())
    }
}
