//! What grid schedulers have in common that send jobs: the clusters that are open to a job, and the
//! jobs that no cluster takes now.

use std::collections::VecDeque;

use super::{DELAY, Group, Placement, Setup, Site, Sites, delay};
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::Span;
use crate::model::bounds::parameters;
use crate::model::foreign::Foreign;
use crate::model::ids::{ClusterId, JobId, OrganizationId};
use crate::model::view::Blind;

parameters! {
    /// Parameters of a grid scheduler that sends jobs.
    #[serde(default)]
    pub struct Options {
        /// Time that a job is under way to its cluster, in units of time.
        delay: f64 as DELAY = 0.0,
    }
}

/// Jobs to be sent.
#[derive(Clone, Debug)]
pub(super) struct Dispatch {
    sites: Vec<Site>,
    groups: Vec<Group>,
    delay: Span,
    held: VecDeque<(JobId, u32, u32, OrganizationId)>,
    open: Vec<ClusterId>,
}

impl Dispatch {
    /// No jobs.
    pub fn new(options: &Options, setup: &Setup<'_>) -> Dispatch {
        Dispatch {
            sites: setup.sites.to_vec(),
            groups: setup.groups.to_vec(),
            delay: delay(options.delay),
            held: VecDeque::new(),
            open: Vec::new(),
        }
    }

    /// A job is to be sent.
    #[inline]
    pub fn submit(&mut self, job: Blind, group: u32) {
        self.held.push_back((job.id, job.processors, group, job.organization));
    }

    /// Sends each job to one of the clusters that are open to it, as `choose` says, given these, all
    /// clusters, and the job's processors. A job stays, and
    /// blocks no other, if there is none.
    #[inline]
    pub fn decide(
        &mut self,
        sites: &impl Sites,
        out: &mut Vec<Placement>,
        mut choose: impl FnMut(&[ClusterId], &[Site], u32) -> ClusterId,
    ) {
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
            let cluster = choose(&self.open, &self.sites, processors);
            out.push(Placement::Send { job, cluster, delay: self.delay });
        }
    }
}

impl State for Dispatch {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.held, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.held = take(from)?;
        Ok(())
    }
}
