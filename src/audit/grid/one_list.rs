//! Rules with one list for the whole grid: list scheduling (section 4 of the paper) and best fit.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::sites::Sites;
use super::{Asking, ListOrder};
use kernel::time::Span;

/// Choice among the sites that can start a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The first in the order of sites.
    First,
    /// The one with the fewest idle processors, then the first in the order.
    Tightest,
}

/// The list of all waiting jobs.
#[derive(Clone, Debug)]
pub(super) struct OneList {
    order: ListOrder,
    choice: Choice,
    /// By sort key, then by id.
    list: BTreeMap<(i128, usize), Asking>,
}

impl OneList {
    pub fn new(order: ListOrder, choice: Choice) -> OneList {
        OneList { order, choice, list: BTreeMap::new() }
    }

    pub fn submit(&mut self, job: &Asking) {
        self.list.insert((self.order.key(job), job.id), *job);
    }

    /// Starts the first job in the list that can start, until there is none.
    ///
    /// Idle processors only become fewer, so what could not start before can start now only if a site
    /// refused it while jobs of its owner waited. Without such a site the scan goes on where it was.
    pub fn decide(&mut self, sites: &mut Sites) -> Vec<(usize, usize)> {
        let mut starts = Vec::new();
        let mut from = None;
        loop {
            let rest = match from {
                None => self.list.range(..),
                Some(key) => self.list.range((Bound::Excluded(key), Bound::Unbounded)),
            };
            // Jobs that are too wide for every site cannot start in this scan.
            let widest = (0..sites.len()).map(|rank| sites.idle(rank)).max().unwrap_or(0);
            let mut fits = rest.filter(|(_, job)| job.processors <= widest);
            let first = fits.find_map(|(&key, job)| Some((key, *job, self.site_for(job, sites)?)));
            let Some((key, job, rank)) = first else { return starts };
            self.list.remove(&key);
            starts.push(sites.start(job.id, rank));
            from = (!sites.any_lends()).then_some(key);
        }
    }

    /// Rank of the site that starts a job now, if one does.
    fn site_for(&self, job: &Asking, sites: &Sites) -> Option<usize> {
        let group = sites.groups()[job.group].iter().copied();
        let mut can = group.filter(|&rank| sites.takes(rank, job.processors, job.owner));
        match self.choice {
            Choice::First => can.next(),
            Choice::Tightest => can.min_by_key(|&rank| (sites.idle(rank) - job.processors, rank)),
        }
    }
}

impl ListOrder {
    /// Sort key of a job, smallest first.
    fn key(self, job: &Asking) -> i128 {
        let processors = i128::from(job.processors);
        let length = i128::from(job.expected.unwrap_or(Span::ZERO).ticks());
        match self {
            ListOrder::Submit => 0,
            ListOrder::Smallest => processors,
            ListOrder::Largest => -processors,
            ListOrder::Shortest => length,
            ListOrder::Longest => -length,
            ListOrder::SmallestArea => processors * length,
            ListOrder::LargestArea => -(processors * length),
        }
    }
}
