//! Parts of a plan: some organizations without the others, or each of them alone.

use super::{Coalition, Organization, Plan, World};
use crate::parts::AnySource;
use crate::plan::Cluster;
use kernel::rng::Streams;
use model::ids::{ClusterId, OrganizationId};
use model::order::Order;
use policy::grid::{GridOptions, list};
use sim::cluster::ClusterAgent;
use sim::grid::Grid;
use sim::observer::Observer;
use workload::SourceError;

impl Plan {
    /// These organizations only: their clusters, their jobs, the same draws.
    ///
    /// A member may use those of its clusters that belong to members. The others keep their numbers
    /// and names, but are [absent](Organization::is_absent): their jobs are read and dropped as they
    /// arrive, count towards `until.jobs`, and are seen by no observer. A job of a member that none
    /// of these clusters admits is rejected. In a coalition the others are absent in every round.
    ///
    /// Random streams are named by organization and cluster, so the members see the same draws.
    /// With all organizations it is the plan itself; a game has none, and stays as it is.
    #[must_use]
    pub fn among(&self, members: &[OrganizationId]) -> Plan {
        let mut plan = self.clone();
        for (index, organization) in plan.organizations.iter_mut().enumerate() {
            organization.is_absent |= !members.contains(&OrganizationId(index as u32));
        }
        let is_absent = |index: usize| plan.organizations[index].is_absent;
        let absent: Vec<usize> =
            (0..plan.organizations.len()).filter(|&index| is_absent(index)).collect();
        if absent.iter().all(|&index| self.organizations[index].is_absent) {
            return plan;
        }
        let owners: Vec<usize> = plan.clusters.iter().map(|one| one.owner.index()).collect();
        let present: Vec<bool> = owners.iter().map(|&owner| !is_absent(owner)).collect();
        for organization in &mut plan.organizations {
            let is_absent = organization.is_absent;
            let is_there = |cluster: &&ClusterId| !is_absent && present[cluster.index()];
            organization.uses = organization.uses.iter().filter(is_there).copied().collect();
        }
        if let World::Coalition(coalition) = &mut plan.world {
            coalition.leave_out(&absent);
        }
        for digest in [&mut plan.digest, &mut plan.lineage] {
            *digest = blake3::hash(format!("{digest} without {absent:?}").as_bytes())
                .to_hex()
                .to_string();
        }
        plan
    }

    /// Builds the grid of one replication in which every organization is alone with its own clusters:
    /// side by side, what each of them would do by itself. In place of a planner, each starts the first
    /// job that fits of its list, the widest first: what plans are compared with.
    ///
    /// # Errors
    /// A source that cannot be opened.
    pub fn build_alone<C: ClusterAgent, O: Observer>(
        &self,
        replication: u32,
        observer: O,
        agent: impl Fn(&Cluster, &Streams) -> C,
    ) -> Result<Grid<C, AnySource, O>, SourceError> {
        let mut grid = self.build_with(replication, observer, agent)?;
        let owners: Vec<OrganizationId> = self.clusters.iter().map(|one| one.owner).collect();
        grid.part(&owners);
        if self.planned.is_some() {
            grid.schedule(GridOptions::List(list::Options { order: Order::Largest }));
        }
        Ok(grid)
    }

    /// Returns the number of processors of all clusters whose owners take part.
    pub fn processors(&self) -> u64 {
        self.owned().iter().map(|one| u64::from(one.processors)).sum()
    }

    /// Returns the clusters whose owners take part.
    pub fn present_clusters(&self) -> impl Iterator<Item = &Cluster> {
        self.clusters.iter().filter(|one| !self.organizations[one.owner.index()].is_absent)
    }

    /// Returns the organizations that take part.
    pub fn present(&self) -> impl Iterator<Item = &Organization> {
        self.organizations.iter().filter(|one| !one.is_absent)
    }
}

impl Coalition {
    /// Makes some organizations absent in every round.
    fn leave_out(&mut self, absent: &[usize]) {
        for &index in absent {
            let seat = &mut self.seats[index];
            (seat.workload, seat.first, seat.last) = (None, u64::MAX, None);
        }
    }
}
