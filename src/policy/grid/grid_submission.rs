//! Grid Over-Time-Submission of Schwiegelshohn, Tchernykh and Yahyapour, Online scheduling in grids
//! (2008), and in batches their Grid Concurrent-Submission.
//!
//! Every cluster has a list. It first holds the jobs that need more than half of the cluster; when
//! these are started, the small jobs of its own size class; and when these are started too, what
//! smaller clusters have on their lists. So more than half of each cluster is busy until its last job
//! starts, and small jobs do not keep large ones from the large clusters. The makespan stays below 3
//! times the optimum if all jobs are submitted at once, and below 5 times otherwise.
//!
//! Settled where the paper is unclear: in its Figure 5 the last block is an alternative to the
//! others, for otherwise it overwrites lists that were just loaded, and the lemma about half of each
//! cluster fails; and a started job leaves the support lists too.

use rand::Rng as _;

use super::chain::Chain;
use super::lists::{Band, Lists, Rule};
use super::{GridScheduler, Placement, Setup, Sites};
use kernel::rng::Rng;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::asked::Asked;
use model::bounds::{Inside, parameters};
use model::handed::Handed;
use model::ids::{ClusterId, JobId};
use model::view::Blind;

/// A parameter with bounds of its own.
const INSIDE: Inside = Inside;

parameters! {
    /// Parameters of Grid Over-Time-Submission.
    #[serde(default)]
    pub struct Options {
        /// The instants at which jobs are handed to the lists; `"batch"` gives Grid
        /// Concurrent-Submission in batches.
        asked: Asked as INSIDE = Asked::Arrival,
        /// Jobs are in random order in the lists, not in order of submission.
        shuffled: bool = false,
    }
}

/// The lists of the paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paper;

impl Rule for Paper {
    const LARGE_FIRST: bool = true;

    #[inline]
    fn band(chain: &Chain, class: usize, largest: u32, own: usize) -> Band {
        // The largest class of which the job needs more than half: it handed its list on.
        let from = chain.class_for(u64::from(largest) * 2).min(class + 1);
        match from.checked_sub(1).filter(|&from| from >= own) {
            Some(from) => Band {
                above: (chain.size(from) / 2).max(chain.size_before(own)),
                most: chain.size(own),
            },
            None => Band { above: chain.size_before(own), most: chain.size(own) / 2 },
        }
    }
}

/// The scheduler.
#[derive(Clone, Debug)]
pub struct GridSubmission {
    lists: Lists<Paper>,
    handed: Handed<(JobId, u32, u32)>,
    submitted: u64,
    draws: Option<Rng>,
}

impl GridSubmission {
    /// Empty lists.
    pub fn new(options: &Options, setup: &Setup<'_>) -> GridSubmission {
        GridSubmission {
            lists: Lists::new(setup, Span::ZERO),
            handed: Handed::new(options.asked),
            submitted: 0,
            draws: options.shuffled.then(|| setup.streams.stream("grid_scheduler/order")),
        }
    }

    #[inline]
    fn hand(&mut self, (id, processors, group): (JobId, u32, u32)) {
        let key = match &mut self.draws {
            // The last key is nobody's.
            Some(draws) => draws.next_u64() >> 1,
            None => self.submitted,
        };
        self.submitted += 1;
        self.lists.submit(id, processors, group, key);
    }
}

impl GridScheduler for GridSubmission {
    type Sees = Blind;

    #[inline]
    fn submit(&mut self, job: Blind, group: u32, now: Time) {
        let job = (job.id, job.processors, group);
        if self.handed.is_direct() { self.hand(job) } else { self.handed.hold(job, now) }
    }

    #[inline]
    fn freed(&mut self, cluster: ClusterId, idle: u32) {
        self.lists.freed(cluster, idle);
    }

    #[inline]
    fn decide(&mut self, now: Time, _: &impl Sites, out: &mut Vec<Placement>) {
        if !self.handed.is_direct() {
            let due: Vec<_> = self.handed.due(now, self.lists.is_over()).collect();
            due.into_iter().for_each(|job| self.hand(job));
        }
        self.lists.decide(out);
    }

    fn is_closed(&self) -> bool {
        self.handed.is_closed()
    }

    fn wake(&self) -> Option<Time> {
        self.handed.wake()
    }
}

impl State for GridSubmission {
    fn save(&self, out: &mut Vec<u8>) {
        self.lists.save(out);
        put(&(&self.handed, self.submitted, &self.draws), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.lists.load(from)?;
        (self.handed, self.submitted, self.draws) = take(from)?;
        Ok(())
    }
}
