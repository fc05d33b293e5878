//! Sets and lists of the sites that one group of jobs may use, from the smallest to the largest.
//!
//! Names are those of the paper: for the `i`-th site the sets `A_i`, `B_i` and `H_i` of waiting
//! jobs (definition 5.1), the list `L_i` and the support list `S_i` (figures 4 and 5). Jobs leave
//! all of them as they start.

use super::Asking;

/// A job as the lists hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub id: usize,
    pub processors: u32,
    pub owner: u32,
}

/// Jobs in order of submission.
type Jobs = Vec<Entry>;

/// A site's sets and lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Link {
    /// Processors of the site, `m_i`.
    pub processors: u32,
    /// Jobs that do not fit on the next smaller site and need more than half of this one.
    pub a: Jobs,
    /// Jobs that do not fit on the next smaller site and need at most half of this one.
    pub b: Jobs,
    /// Jobs that fit on the next smaller site and need more than half of this one.
    pub h: Jobs,
    /// Jobs that this site may start.
    pub l: Jobs,
    /// Jobs of `h` that were not yet transferred to `l`.
    pub s: Jobs,
}

/// The sites of a group, in ascending order.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub links: Vec<Link>,
}

/// True if a job needs more than half of `processors`.
pub(super) fn is_big(job: &Entry, processors: u32) -> bool {
    2 * u64::from(job.processors) > u64::from(processors)
}

impl Chain {
    /// Empty sets and lists of sites with these processors, in ascending order.
    pub fn new(processors: impl Iterator<Item = u32>) -> Chain {
        let link = |processors| Link { processors, ..Link::default() };
        Chain { links: processors.map(link).collect() }
    }

    /// Adds a waiting job to its sets.
    pub fn submit(&mut self, job: &Asking) {
        let job = Entry { id: job.id, processors: job.processors, owner: job.owner };
        let mut below = 0;
        for link in &mut self.links {
            let is_big = is_big(&job, link.processors);
            let fits_below = job.processors <= below;
            below = link.processors;
            let set = match (fits_below, is_big) {
                _ if job.processors > link.processors => continue,
                (false, true) => &mut link.a,
                (false, false) => &mut link.b,
                (true, true) => &mut link.h,
                (true, false) => continue,
            };
            let at = set.partition_point(|other| other.id < job.id);
            set.insert(at, job);
        }
    }

    /// Removes a started job; true if that leaves some list empty.
    pub fn remove(&mut self, id: usize) -> bool {
        let mut is_one_empty = false;
        for link in &mut self.links {
            for jobs in [&mut link.a, &mut link.b, &mut link.h, &mut link.l, &mut link.s] {
                if let Ok(at) = jobs.binary_search_by_key(&id, |job| job.id) {
                    jobs.remove(at);
                }
            }
            is_one_empty |= link.l.is_empty();
        }
        is_one_empty
    }

    /// Initializes all lists (figure 4), also after submissions. Section 6 deletes the lists then
    /// and restarts Update; by the letter that would pass over `A_i` and `H_i`.
    pub fn restart(&mut self) {
        for link in &mut self.links {
            link.l.clone_from(&link.a);
            link.s.clone_from(&link.h);
        }
        self.update();
    }

    /// Procedure Update (figure 5). The third condition as printed is read as one more alternative
    /// for an empty list. As a sequel to the first two it would overwrite lists that were just
    /// loaded, which breaks lemma 5.2; for lists that are not empty it would drop jobs for good.
    pub fn update(&mut self) {
        for i in 0..self.links.len() {
            let (lower, rest) = self.links.split_at_mut(i);
            let (below, link) = (lower.last(), &mut rest[0]);
            if !link.l.is_empty() {
                continue;
            }
            match below {
                Some(below) if !link.s.is_empty() => {
                    let (shared, left) = link.s.iter().partition(|job| holds(&below.l, job.id));
                    (link.l, link.s) = (shared, left);
                }
                _ if !link.b.is_empty() => link.l.clone_from(&link.b),
                Some(below) => link.l.clone_from(&below.l),
                None => {}
            }
        }
        debug_assert!(self.keeps_the_promise(), "a list is empty although a lower one is not");
    }

    /// True if no list is empty while one of a smaller site is not, which the paper claims of
    /// Update.
    pub fn keeps_the_promise(&self) -> bool {
        self.links.is_sorted_by_key(|link| !link.l.is_empty())
    }
}

impl Link {
    /// True if jobs wait in the site's own queues.
    pub fn has_jobs(&self) -> bool {
        !self.a.is_empty() || !self.b.is_empty()
    }

    /// The queue that a site looks at if it has its own: `A_i`, or `B_i` once that is empty.
    pub fn queue(&self) -> &[Entry] {
        if self.a.is_empty() { &self.b } else { &self.a }
    }
}

/// True if a job is among `jobs`.
fn holds(jobs: &[Entry], id: usize) -> bool {
    jobs.binary_search_by_key(&id, |job| job.id).is_ok()
}
