//! Scores of a class: its next site, and its gain from going there.

use super::fronts::Fronts;
use super::room::can_bind;
use super::work::{NEVER, Work};
use crate::tasks::Problem;

/// Tasks that keep no deadline come after all others, by their ends.
const LATE: i128 = 1 << 126;

/// The number that a task makes small by its choice of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tasks) enum Metric {
    /// End of the task.
    End,
    /// Its price, then when it ends.
    Cost,
    /// Length of the task.
    Time,
    /// Its price, then how long it takes.
    CostOfTime,
    /// Time at which the processor is free.
    Free,
}

/// Rule by which tasks choose a site. The processor is the one that is free first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tasks) struct Rule {
    /// Quantity that they minimize. Of equal sites the lowest counts.
    pub metric: Metric,
    /// They go where they keep the deadline of their application, and where there is no such site, where
    /// they end first.
    pub deadline: bool,
    /// They start, and so end, when there is storage and memory for them.
    pub storage: bool,
}

/// The place of a site in the order in which a class prefers them, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    rank: i128,
    pub second: i64,
    pub site: u32,
}

/// No site.
pub(super) const NOWHERE: Key = Key { rank: i128::MAX, second: NEVER, site: u32::MAX };

impl Key {
    /// True if the task would be late there.
    pub fn is_late(&self) -> bool {
        self.rank >= LATE
    }
}

impl Rule {
    /// True if tasks of a problem may have to wait for room. Otherwise `storage` changes nothing.
    pub fn waits(self, problem: &Problem<'_>) -> bool {
        self.storage && can_bind(problem)
    }

    /// True if nothing but the end of a task counts.
    pub(super) fn is_end(self, fronts: &Fronts) -> bool {
        self.metric == Metric::End && !self.deadline && !fronts.can_wait()
    }

    /// The key of a site where a class can run, if a processor is free there at `free`. It never falls
    /// while processors are free later and have less room.
    #[inline]
    pub(super) fn key(
        &self,
        work: &Work,
        fronts: &Fronts,
        class: usize,
        site: usize,
        free: i64,
    ) -> Key {
        let time = work.time(class, site);
        if time == NEVER {
            return NOWHERE;
        }
        let end = fronts.start(work, class, site, free).saturating_add(time);
        let (rank, second) = match self.metric {
            _ if self.deadline && end > work.deadline[class] => (LATE + i128::from(end), end),
            Metric::End => (i128::from(end), end),
            Metric::Cost => (work.cost(class, site), end),
            Metric::Time => (i128::from(time), time),
            Metric::CostOfTime => (work.cost(class, site), time),
            Metric::Free => (i128::from(free), free),
        };
        Key { rank, second, site: site as u32 }
    }

    /// Quantity that a class minimizes, at a site.
    pub(super) fn value(&self, work: &Work, class: usize, key: Key) -> i128 {
        match self.metric {
            Metric::Cost | Metric::CostOfTime => work.cost(class, key.site as usize),
            _ if key.is_late() => key.rank - LATE,
            _ => key.rank,
        }
    }
}

/// The best sites of a class as they were when last looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    /// The best.
    pub first: Key,
    /// The best of the others, or less.
    pub second: Key,
    /// All others are behind.
    rest: Key,
}

impl Best {
    /// Compares all sites.
    pub fn of(rule: Rule, work: &Work, fronts: &Fronts, class: usize) -> Best {
        let mut best = Best { first: NOWHERE, second: NOWHERE, rest: NOWHERE };
        if rule.is_end(fronts) {
            return Best::of_ends(work, &fronts.free, class);
        }
        for (site, &free) in fronts.free.iter().enumerate() {
            let key = rule.key(work, fronts, class, site, free);
            if key < best.first {
                best = Best { first: key, second: best.first, rest: best.second };
            } else if key < best.second {
                (best.second, best.rest) = (key, best.second);
            } else if key < best.rest {
                best.rest = key;
            }
        }
        best
    }

    /// Compares all sites by when a task ends, in less time.
    fn of_ends(work: &Work, fronts: &[i64], class: usize) -> Best {
        let release = work.release[class];
        let (mut ends, mut sites) = ([NEVER; 3], [u32::MAX; 3]);
        for (site, (&front, &time)) in fronts.iter().zip(work.times(class)).enumerate() {
            let end = front.max(release).saturating_add(time);
            if end < ends[2] {
                (ends[2], sites[2]) = (end, site as u32);
                for place in [1, 0] {
                    if ends[place + 1] < ends[place] {
                        ends.swap(place, place + 1);
                        sites.swap(place, place + 1);
                    }
                }
            }
        }
        let key = |place: usize| match ends[place] {
            NEVER => NOWHERE,
            end => Key { rank: i128::from(end), second: end, site: sites[place] },
        };
        Best { first: key(0), second: key(1), rest: key(2) }
    }

    /// Looks at the best two sites again, and at all where these may no longer be the best. The second
    /// is certain if `both`.
    pub fn refresh(&mut self, rule: Rule, work: &Work, fronts: &Fronts, class: usize, both: bool) {
        let now = |key: Key| match fronts.free.get(key.site as usize) {
            Some(&free) => rule.key(work, fronts, class, key.site as usize, free),
            None => key,
        };
        let (one, other) = (now(self.first), now(self.second));
        let (first, second) = (one.min(other), one.max(other));
        if (if both { second } else { first }) <= self.rest {
            // Only what is behind all others may be forgotten.
            (self.first, self.second) = (first, second);
        } else {
            *self = Best::of(rule, work, fronts, class);
        }
    }
}
