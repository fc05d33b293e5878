//! A grid is put together: clusters and their owners' terms, organizations, sources of jobs, the grid
//! scheduler. It starts as an engine.

use super::super::access::{Access, Groups, Terms};
use super::super::clairvoyance::Oracle;
use super::super::cluster::ClusterAgent;
use super::super::observer::Observer;
use super::super::placing::{Chosen, Placing};
use super::{Counts, Grid, Settings};
use kernel::engine::Engine;
use kernel::rng::Streams;
use model::foreign::Foreign;
use model::ids::{ClusterId, OrganizationId, Uses};
use model::job::Job;
use model::jobs::Jobs;
use model::speed::Speed;
use policy::grid::GridOptions;
use policy::plan::Planned;
use workload::{Ahead, Source, SourceError};

impl<C, S, O> Grid<C, S, O>
where
    C: ClusterAgent,
    S: Source<Load = Job>,
    O: Observer,
{
    /// A grid without organizations, clusters or jobs.
    pub fn new(settings: Settings, observer: O) -> Grid<C, S, O> {
        Grid {
            settings,
            uses: Vec::new(),
            lists: Vec::new(),
            access: Vec::new(),
            list_access: Vec::new(),
            bound: Vec::new(),
            expects_bound: false,
            terms: Vec::new(),
            has_speeds: false,
            grid_scheduler: None,
            planned: None,
            placing: None,
            members: None,
            before_clusters: 0,
            placements: Vec::new(),
            absent: Vec::new(),
            clusters: Vec::new(),
            sources: Vec::new(),
            jobs: Jobs::default(),
            oracle: Oracle::new(settings.clairvoyance),
            observer,
            counts: Counts::default(),
            touched: Vec::new(),
            is_touched: Vec::new(),
            started: Vec::new(),
            why: Vec::new(),
            traced: tracing::enabled!(target: "gridpact::decision", tracing::Level::DEBUG),
        }
    }

    /// Adds a cluster that takes everybody's jobs alike.
    pub fn add_cluster(&mut self, cluster: C) -> ClusterId {
        let nobody = OrganizationId(u32::MAX);
        self.add_owned_cluster(cluster, nobody, Foreign::Always)
    }

    /// Adds a cluster with its owner's terms. Lists of clusters have to heed [`Foreign::Never`].
    pub fn add_owned_cluster(
        &mut self,
        cluster: C,
        owner: OrganizationId,
        foreign: Foreign,
    ) -> ClusterId {
        let id = ClusterId(self.clusters.len() as u32);
        let speed = cluster.speed();
        self.has_speeds |= speed != Speed::ONE;
        self.terms.push(Terms { owner, foreign, speed });
        self.clusters.push(cluster);
        self.is_touched.push(false);
        id
    }

    /// Adds an organization whose jobs may use the given clusters. With several, the grid scheduler
    /// places each job. A job that is bound to a cluster goes there.
    pub fn add_organization(&mut self, uses: impl Into<Uses>) -> OrganizationId {
        let id = OrganizationId(self.uses.len() as u32);
        self.uses.push(uses.into());
        id
    }

    /// Adds a list of clusters that jobs of an organization can be bound to; returns its number.
    pub fn add_list(&mut self, organization: OrganizationId, clusters: impl Into<Uses>) -> u32 {
        self.lists.push((organization, clusters.into()));
        self.lists.len() as u32 - 1
    }

    /// Expects jobs that are bound to one cluster. Without that, they are rejected where a grid
    /// scheduler starts them.
    pub fn expect_bound(&mut self) {
        self.expects_bound = true;
    }

    /// Chooses the grid scheduler; without one, jobs that may use several clusters go to the one with
    /// the least demand for its processors.
    pub fn schedule(&mut self, scheduler: GridOptions) {
        (self.grid_scheduler, self.planned) = (Some(scheduler), None);
    }

    /// Chooses a planner in place of a grid scheduler. Its clusters have no scheduler of their own.
    pub fn plan(&mut self, planned: Planned) {
        (self.grid_scheduler, self.planned) = (None, Some(planned));
    }

    /// Leaves an organization out: its jobs are dropped as they arrive. They count as submitted, and
    /// no observer sees them.
    pub fn leave_out(&mut self, organization: OrganizationId) {
        self.absent.resize(self.uses.len(), false);
        self.absent[organization.index()] = true;
    }

    /// Parts the organizations: each may use only those of its clusters that it owns, given the owner
    /// of each cluster, and its jobs are predicted from its own alone.
    pub fn part(&mut self, owners: &[OrganizationId]) {
        let own = |organization: usize, uses: &Uses| -> Uses {
            let own = |cluster: &&ClusterId| owners[cluster.index()].index() == organization;
            uses.iter().filter(own).copied().collect()
        };
        for (index, uses) in self.uses.iter_mut().enumerate() {
            *uses = own(index, uses);
        }
        for (organization, clusters) in &mut self.lists {
            *clusters = own(organization.index(), clusters);
        }
        self.oracle.part();
    }

    /// Adds a source of jobs.
    ///
    /// # Errors
    /// Fails if its first job cannot be read.
    pub fn add_source(&mut self, source: S) -> Result<(), SourceError> {
        self.sources.push(Ahead::new(source)?);
        self.before_clusters += 1;
        Ok(())
    }

    /// The grid in an engine, ready to run. A grid scheduler that draws at random has the streams of
    /// seed 1; see [`start_with`](Grid::start_with).
    pub fn start(self) -> Engine<Grid<C, S, O>> {
        self.start_with(&Streams::new(1))
    }

    /// The grid in an engine, ready to run, with the random streams of a replication.
    pub fn start_with(mut self, streams: &Streams) -> Engine<Grid<C, S, O>> {
        self.open(streams);
        Engine::new(self)
    }

    /// Finds out where the jobs of each organization go, and builds the grid scheduler if one is
    /// needed.
    fn open(&mut self, streams: &Streams) {
        if self.members.is_some() {
            self.before_clusters += 1;
            self.compose(streams);
            return;
        }
        let least_demand = || GridOptions::LeastDemand(Default::default());
        let options = self.grid_scheduler.clone().unwrap_or_else(least_demand);
        let planned = self.planned.take();
        let chosen = match &planned {
            Some(planned) => Chosen::Planner(planned, self.settings.clairvoyance.corrects()),
            None => Chosen::Scheduler(&options),
        };
        let processors: Vec<u32> = self.clusters.iter().map(C::processors).collect();
        let is_bare: Vec<bool> = self.clusters.iter().map(|one| one.machine().is_some()).collect();
        let mut groups = Groups::new(&self.terms, &processors, &is_bare, chosen.starts());
        let organizations = (0..).map(OrganizationId).zip(&self.uses);
        self.access = organizations.map(|(one, uses)| groups.access(one, uses)).collect();
        let lists = self.lists.iter();
        self.list_access = lists.map(|(one, clusters)| groups.access(*one, clusters)).collect();
        // Jobs can be bound to a cluster by traces and lists; only these have to know groups of one.
        let nobody = OrganizationId(u32::MAX);
        self.bound = (0..)
            .map(ClusterId)
            .zip(&self.terms)
            .map(|(cluster, terms)| {
                let only: Uses = [cluster].into();
                let is_alike = terms.foreign != Foreign::WhenNoneWaits;
                if !is_bare[cluster.index()] && (is_alike || chosen.starts()) {
                    return [Access::Direct(cluster); 2];
                }
                if !self.expects_bound {
                    return [Access::Nowhere; 2];
                }
                [terms.owner, nobody].map(|one| groups.access(one, &only))
            })
            .collect();
        let Groups { groups, .. } = groups;
        if !groups.is_empty() {
            let terms = self.terms.clone();
            let organizations = self.uses.len() as u32;
            let placing =
                Placing::new(&chosen, &self.clusters, terms, &groups, organizations, streams);
            self.before_clusters += usize::from(placing.acts);
            self.placing = Some(Box::new(placing));
        }
    }
}
