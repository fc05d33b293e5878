//! Grid schedulers that send jobs differ in the choice of the cluster alone: here is the rest, the
//! clusters that are open to a job, and the jobs that no cluster takes now.

use std::collections::VecDeque;

use super::{DELAY, GridScheduler, Group, Placement, Setup, Site, Sites, delay};
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, Time};
use model::bounds::parameters;
use model::foreign::Foreign;
use model::ids::{ClusterId, JobId, OrganizationId};
use model::view::Blind;

parameters! {
    /// Parameters of a grid scheduler that sends jobs.
    #[serde(default)]
    pub struct Options {
        /// Time that a job is under way to its cluster, in units of time.
        delay: f64 as DELAY = 0.0,
    }
}

/// The choice of a cluster.
pub trait Choice: State {
    /// A chooser that has chosen nothing yet.
    fn new(setup: &Setup<'_>) -> Self;

    /// A decision begins; what was sent in the one before has reached its cluster, or is counted there.
    fn begin(&mut self) {}

    /// Returns one of the clusters that are open to a job, given all and the processors of the job.
    fn choose(
        &mut self,
        open: &[ClusterId],
        all: &[Site],
        processors: u32,
        sites: &impl Sites,
    ) -> ClusterId;
}

/// A grid scheduler that sends each job, as it comes, to the cluster of its choice.
#[derive(Clone, Debug)]
pub struct Sender<C> {
    choice: C,
    sites: Vec<Site>,
    groups: Vec<Group>,
    delay: Span,
    held: VecDeque<(JobId, u32, u32, OrganizationId)>,
    open: Vec<ClusterId>,
    /// By cluster: processors of the jobs that a decision has sent there.
    sent: Vec<u64>,
    /// Number of the last jobs, which no decision has looked at.
    fresh: usize,
}

impl<C: Choice> Sender<C> {
    /// No jobs.
    pub fn new(options: &Options, setup: &Setup<'_>) -> Sender<C> {
        Sender {
            choice: C::new(setup),
            sites: setup.sites.to_vec(),
            groups: setup.groups.to_vec(),
            delay: delay(options.delay),
            held: VecDeque::new(),
            open: Vec::new(),
            sent: vec![0; setup.sites.len()],
            fresh: 0,
        }
    }

    /// Finds the clusters that are open to a job. A guest is sent only where it starts in this instant:
    /// where all that runs, waits and comes leaves it enough processors, so that no job of the owner
    /// waits.
    #[inline]
    fn find_open(
        &mut self,
        (job, processors, group, organization): (JobId, u32, u32, OrganizationId),
        sites: &impl Sites,
        placed: &[Placement],
    ) {
        let clusters = self.groups[group as usize].clusters.iter().copied();
        self.open.clear();
        self.open.extend(clusters.filter(|&cluster| {
            let site = &self.sites[cluster.index()];
            let is_guest = site.foreign == Foreign::WhenNoneWaits && site.owner != organization;
            let needed = u64::from(processors) + self.sent[cluster.index()];
            processors <= site.processors
                && (!is_guest || sites.demand(cluster) + needed <= site.processors.into())
                && sites.takes(job, cluster, placed)
        }));
    }
}

impl<C: Choice> GridScheduler for Sender<C> {
    type Sees = Blind;

    #[inline]
    fn submit(&mut self, job: Blind, group: u32, _: Time) {
        self.held.push_back((job.id, job.processors, group, job.organization));
        self.fresh += 1;
    }

    /// Sends each job to one of the clusters that are open to it: as it comes, and those that stayed,
    /// because none was open, when jobs ended. It blocks no other.
    #[inline]
    fn decide(&mut self, _: Time, sites: &impl Sites, out: &mut Vec<Placement>) {
        self.choice.begin();
        let fresh = std::mem::take(&mut self.fresh);
        let count = if fresh > 0 { fresh } else { self.held.len() };
        // The last come first, and go back to their places if they stay.
        self.held.rotate_right(count % self.held.len().max(1));
        let before = out.len();
        for _ in 0..count {
            let Some(one) = self.held.pop_front() else { break };
            self.find_open(one, sites, out);
            if self.open.is_empty() {
                self.held.push_back(one);
                continue;
            }
            let (job, processors, ..) = one;
            let cluster = self.choice.choose(&self.open, &self.sites, processors, sites);
            self.sent[cluster.index()] += u64::from(processors);
            out.push(Placement::Send { job, cluster, delay: self.delay });
        }
        for placement in &out[before..] {
            if let Placement::Send { cluster, .. } = placement {
                self.sent[cluster.index()] = 0;
            }
        }
    }
}

impl<C: Choice> State for Sender<C> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.held, out);
        self.choice.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.held = take(from)?;
        self.choice.load(from)
    }
}
