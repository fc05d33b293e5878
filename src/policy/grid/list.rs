//! List scheduling of rigid jobs (Garey and Graham 1975) across the clusters of a grid: the first
//! waiting job of a list that fits on any cluster starts, on the smallest of these; a job that fits
//! nowhere blocks no other.
//!
//! Clusters of one size come in the order of the scenario.

use rand::Rng as _;

use super::scan::{Choice, Scan};
use super::{GridScheduler, Placement, Setup, Sites};
use kernel::rng::Rng;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::Time;
use model::bounds::parameters;
use model::ids::ClusterId;
use model::invalid::Invalid;
use model::order::Order;
use model::view::Submission;

parameters! {
    /// Parameters of list scheduling across clusters.
    #[serde(default)]
    pub struct Options {
        /// Order of the list; ties are in order of submission.
        order: Order = Order::default(),
    }
    where lasts
}

impl Options {
    fn lasts(&self) -> Result<(), Invalid> {
        if self.order.is_lasting() {
            return Ok(());
        }
        let message = "the list of a grid keeps the order in which its jobs came to wait: leave out \
                       `use`, and let `wait` count alike for all jobs, as in `estimate - 0.5 * wait`";
        Err(Invalid::new("order", message.to_owned()))
    }
}

/// The scheduler.
#[derive(Clone, Debug)]
pub struct List {
    order: Order,
    scan: Scan,
    draws: Rng,
}

impl List {
    /// An empty list.
    pub fn new(options: &Options, setup: &Setup<'_>) -> List {
        List {
            order: options.order.clone(),
            scan: Scan::new(Choice::Smallest, setup),
            draws: setup.streams.stream("grid_scheduler/order"),
        }
    }
}

impl GridScheduler for List {
    type Sees = Submission;

    #[inline]
    fn submit(&mut self, job: Submission, group: u32, _: Time) {
        let key = self.order.key(&job, || self.draws.next_u64());
        self.scan.submit(job.job.id, job.job.processors, group, key);
    }

    #[inline]
    fn freed(&mut self, cluster: ClusterId, idle: u32) {
        self.scan.freed(cluster, idle);
    }

    #[inline]
    fn decide(&mut self, _: Time, sites: &impl Sites, out: &mut Vec<Placement>) {
        match sites.are_choosy() {
            true => self.scan.decide_asking(sites, out),
            false => self.scan.decide(out),
        }
    }
}

impl State for List {
    fn save(&self, out: &mut Vec<u8>) {
        self.scan.save(out);
        put(&self.draws, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.scan.load(from)?;
        self.draws = take(from)?;
        Ok(())
    }
}
