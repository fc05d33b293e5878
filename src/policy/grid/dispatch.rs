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
        }
    }
}

impl<C: Choice> GridScheduler for Sender<C> {
    type Sees = Blind;

    #[inline]
    fn submit(&mut self, job: Blind, group: u32, _: Time) {
        self.held.push_back((job.id, job.processors, group, job.organization));
    }

    /// Sends each job to one of the clusters that are open to it. A job stays, and blocks no other, if
    /// there is none.
    #[inline]
    fn decide(&mut self, _: Time, sites: &impl Sites, out: &mut Vec<Placement>) {
        self.choice.begin();
        for _ in 0..self.held.len() {
            let Some(one) = self.held.pop_front() else { return };
            let (job, processors, group, organization) = one;
            let clusters = self.groups[group as usize].clusters.iter().copied();
            self.open.clear();
            self.open.extend(clusters.filter(|&cluster| {
                let site = &self.sites[cluster.index()];
                processors <= site.processors
                    && (site.foreign != Foreign::WhenNoneWaits
                        || site.owner == organization
                        || !sites.owner_waits(cluster))
            }));
            if self.open.is_empty() {
                self.held.push_back(one);
                continue;
            }
            let cluster = self.choice.choose(&self.open, &self.sites, processors, sites);
            out.push(Placement::Send { job, cluster, delay: self.delay });
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
