//! A valid scenario: everything by number, defaults filled in, traces surveyed. It builds one grid
//! per replication.

mod among;
mod campaign;
mod cluster;
mod coalition;
mod game;
mod workload;

use std::sync::Arc;

pub use campaign::{Applications, Campaign, CampaignPlan};
pub use cluster::{Cluster, ClusterKind};
pub use coalition::{Coalition, Exclusion, Lie, Plays, Probes, Rounds, Seat};
pub use game::{
    DynamicsPlan, Flow, Game, GamePlan, GameSeat, MOST_LINES, Motion, Solvable, SolvedGame,
};
use serde::{Deserialize, Serialize};
pub use workload::{Workload, WorkloadKind};

use super::drawn::Drawn;
use super::parts::{AnyCluster, AnySource};
use super::raw;
use ::workload::SourceError;
use ::workload::bound::{Binding, Bindings, Bound};
use findings::target::Precision;
use kernel::rng::Streams;
use kernel::time::{Span, Time};
use model::asked::Asked;
use model::foreign::Foreign;
use model::ids::{OrganizationId, Uses};
use model::machine::Machine;
use policy::grid::GridOptions;
use policy::learn::LearnerOptions;
use policy::local::{LocalOptions, LocalScheduler, Setup};
use policy::plan::{Planned, WithoutJobs};
use sim::accounts::{Counting, Owned};
use sim::bounding::Bounding;
use sim::cluster::{Bare, ClusterAgent, SpaceShared, TimeShared};
use sim::federation::site::{OnLoan, Site};
use sim::grid::{Grid, Settings};
use sim::observer::Observer;
use sim::phase::PhaseOrder;
use sim::promises::Promises;
use sim::repeated::by_chance;
use sim::timeline::MOST_CLUSTERS;
use stats::shown::counted;

/// The end of a replication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// Ends when all jobs have completed.
    Drained,
    /// Ends at a time, even if jobs still wait or run.
    Time(Time),
    /// Ends when this many jobs have arrived and completed.
    Jobs(u64),
    /// Ends after this many rounds of a coalition; where chance ends it, those of the longest
    /// replication.
    Rounds(u64),
}

/// An organization.
#[derive(Clone, Debug, Default)]
pub struct Organization {
    /// Its name.
    pub name: String,
    /// The clusters that its jobs may use, without those that never take them.
    pub uses: Uses,
    /// The clusters that its jobs are bound to by a draw each, if they are.
    pub binding: Option<Arc<Binding>>,
    /// True if the plan leaves it out: see [`Plan::among`].
    pub is_absent: bool,
    /// Its entry in the scenario, which organizations with a `count` share; `None` without one.
    pub entry: Option<usize>,
}

/// Number of first replications whose mean series determines the end of the warm-up. More would
/// hardly change it, and a fixed number keeps it the same when replications are added.
pub const SCOUTED: u32 = 20;

/// The parts of the counting window that depend on the run, and are found by first runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// True if MSER-5 finds the end of the warm-up. It uses first runs of up to [`SCOUTED`]
    /// replications.
    pub warm_up: bool,
    /// Length of the cool-down, if a first run of each replication has to find its last submission.
    /// Jobs submitted later than this long before it do not count.
    pub cool_down: Option<Span>,
}

impl Found {
    /// Returns true if first runs are needed.
    pub fn anything(&self) -> bool {
        self.warm_up || self.cool_down.is_some()
    }
}

/// The world that a plan simulates.
#[derive(Clone, Debug)]
pub enum World {
    /// A grid: rigid jobs on clusters.
    Grid,
    /// A coalition, in which the organizations balance their load in rounds.
    Coalition(Coalition),
    /// A campaign: applications of identical tasks on sites.
    Campaign(Campaign),
    /// A repeated game, without organizations, clusters and jobs.
    Game(Game),
    /// A game that is solved and not played.
    Solved(SolvedGame),
}

/// A complete plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Title of the scenario.
    pub name: String,
    /// Command-line changes as `key=value`, except for the length and number of replications.
    pub changes: Vec<String>,
    /// The master seed.
    pub seed: u64,
    /// The end of a replication.
    pub until: Until,
    /// The probability that another round follows, if chance ends the rounds of a coalition.
    pub goes_on: Option<f64>,
    /// Number of replications; with a precision, their maximum.
    pub replications: u32,
    /// The precision that ends the run, if one is required: replications of `until` are added, or a
    /// single replication is stopped.
    pub precision: Option<Precision>,
    /// Settings of the grid.
    pub settings: Settings,
    /// The counting rules, as far as they are known before the run.
    pub counting: Counting,
    /// The parts of the counting window found by first runs.
    pub found: Found,
    /// The files to write.
    pub output: raw::Output,
    /// The organizations that take part.
    pub organizations: Vec<Organization>,
    /// Their clusters.
    pub clusters: Vec<Cluster>,
    /// The grid scheduler; without one, jobs that may use several clusters go to the one with the
    /// least demand.
    pub grid_scheduler: Option<GridOptions>,
    /// The planner, in place of a grid scheduler.
    pub planned: Option<Planned>,
    /// Lists of clusters to which jobs are bound, each with the organization of the jobs.
    pub lists: Vec<(OrganizationId, Uses)>,
    /// Their jobs.
    pub workloads: Vec<Workload>,
    /// The world that is simulated.
    pub world: World,
    /// BLAKE3 over the scenario with all defaults filled in, and the contents of its files. The
    /// seed is left out.
    pub digest: String,
    /// The same digest without the length and number of replications; saved states belong to it.
    pub lineage: String,
}

/// Returns the rounds of the longest of several replications that chance ends.
pub(crate) fn longest(probability: f64, seed: u64, replications: u32) -> u64 {
    let streams = |number| Streams::new(seed).in_replication(u64::from(number));
    let all = (0..replications).map(|number| by_chance(probability, &streams(number)));
    all.max().unwrap_or(1)
}

/// A grid built from a plan.
pub type PlannedGrid<O> = Grid<AnyCluster, AnySource, O>;

impl Plan {
    /// Returns the name with the command-line changes: `Grid (scheduler = fcfs)`.
    pub fn title(&self) -> String {
        super::title::titled(&self.name, &self.changes)
    }

    /// Returns a plan of this name without organizations, clusters and jobs, to be filled in code. It
    /// has seed 1, one replication until all jobs have ended, and no files but those of every run.
    ///
    /// Its lineage is its name: saved states of a run are only taken up by a plan of the same one.
    pub fn new(name: impl Into<String>) -> Plan {
        let name = name.into();
        let output = raw::Output { jobs: Some(true), ..raw::Output::default() };
        Plan {
            changes: Vec::new(),
            seed: 1,
            until: Until::Drained,
            goes_on: None,
            replications: 1,
            precision: None,
            settings: Settings::default(),
            counting: Counting { batches: true, ..Counting::default() },
            found: Found::default(),
            output,
            organizations: Vec::new(),
            clusters: Vec::new(),
            grid_scheduler: None,
            planned: None,
            lists: Vec::new(),
            workloads: Vec::new(),
            world: World::Grid,
            digest: name.clone(),
            lineage: name.clone(),
            name,
        }
    }

    /// Returns true if a program decides something.
    pub fn has_processes(&self) -> bool {
        let local = |cluster: &Cluster| match &cluster.kind {
            ClusterKind::SpaceShared { scheduler, .. } => {
                scheduler.as_ref().is_some_and(LocalOptions::is_program)
            }
            ClusterKind::Own { .. } | ClusterKind::TimeShared { .. } => false,
        };
        let seats = self.coalition().into_iter().flat_map(|one| &one.seats);
        let players = self.game().into_iter().flat_map(|one| &one.game.players);
        let mut learners = seats.map(|seat| &seat.learner).chain(players.map(|seat| &seat.learner));
        matches!(self.grid_scheduler, Some(GridOptions::Process(_)))
            || self.clusters.iter().any(local)
            || learners.any(|learner| matches!(learner, LearnerOptions::Process(_)))
    }

    /// Returns the coalition, if the plan is one's.
    pub fn coalition(&self) -> Option<&Coalition> {
        let World::Coalition(coalition) = &self.world else { return None };
        Some(coalition)
    }

    /// Returns the campaign, if the plan is one.
    pub fn campaign(&self) -> Option<CampaignPlan<'_>> {
        let World::Campaign(campaign) = &self.world else { return None };
        Some(CampaignPlan { plan: self, campaign })
    }

    /// Returns the game, if the plan is one's.
    pub fn game(&self) -> Option<GamePlan<'_>> {
        let World::Game(game) = &self.world else { return None };
        Some(GamePlan { plan: self, game })
    }

    /// Returns the game that is solved and not played, if the plan is one's.
    pub fn solved(&self) -> Option<&SolvedGame> {
        let World::Solved(game) = &self.world else { return None };
        Some(game)
    }

    /// The noun for what arrives, for one and for several.
    pub fn noun(&self) -> (&'static str, &'static str) {
        match self.campaign() {
            Some(_) => ("application", "applications"),
            None => ("job", "jobs"),
        }
    }

    /// Returns true if a grid is simulated.
    pub fn is_grid(&self) -> bool {
        matches!(self.world, World::Grid)
    }

    /// Returns the number of rounds of the longest replication; 0 if it is not played in rounds.
    pub fn rounds(&self) -> u64 {
        match (self.until, self.goes_on) {
            (_, Some(probability)) => longest(probability, self.seed, self.replications),
            (Until::Rounds(rounds), None) => rounds,
            (Until::Drained | Until::Time(_) | Until::Jobs(_), None) => 0,
        }
    }

    /// Returns the number of rounds of a replication.
    pub fn rounds_of(&self, replication: u32) -> u64 {
        match self.goes_on {
            Some(probability) => by_chance(probability, &self.streams(replication)),
            None => self.rounds(),
        }
    }

    /// Returns the number of rounds in words.
    pub fn rounds_in_words(&self) -> String {
        let rounds = counted(self.rounds(), "round", "rounds");
        self.goes_on.map_or(rounds.clone(), |probability| {
            format!("up to {rounds} (after each another follows with probability {probability})")
        })
    }

    /// Returns true if a unit of time is known to be a second: traces, lists with a date and the
    /// Lublin-Feitelson model tell their times in seconds.
    pub fn counts_seconds(&self) -> bool {
        self.workloads.iter().any(|workload| match &workload.kind {
            WorkloadKind::Swf { .. } => true,
            WorkloadKind::List(list) => list.about().start.is_some(),
            kind => matches!(kind.drawn(), Some(Drawn::LublinFeitelson(_))),
        })
    }

    /// Returns the date of time 0, if all workloads tell the same one and no other.
    pub fn start(&self) -> Option<i64> {
        let mut starts = self.workloads.iter().map(|workload| workload.kind.start());
        let first = starts.next()??;
        starts.all(|start| start == Some(first)).then_some(first)
    }

    /// Returns true if the run writes `jobs.csv`.
    pub fn writes_jobs(&self) -> bool {
        self.output.jobs.unwrap_or(self.is_grid())
    }

    /// Returns the length of each window of `windows.hlog`, if it is written.
    pub fn windows(&self) -> Option<Span> {
        self.output.windows.and_then(|units| Span::from_units(units).ok())
    }

    /// Returns true if the replication's flow times are kept for Welch's plot.
    pub fn plots_warm_up(&self, replication: u32) -> bool {
        self.output.welch && self.is_grid() && replication < SCOUTED
    }

    /// Returns true if the run writes `decisions.csv`.
    pub fn writes_decisions(&self) -> bool {
        self.output.decisions && self.is_grid()
    }

    /// Returns true if promises of plans are counted: those for jobs that start while nothing else runs.
    pub fn counts_promises(&self) -> bool {
        let asked = self.planned.as_ref().map(|planned| planned.planning.asked);
        matches!(asked, Some(Asked::Once | Asked::Batch))
    }

    /// Returns the observer of the promises of plans.
    pub fn promises(&self) -> Option<Promises> {
        let kills = self.clusters.iter().map(Cluster::kills_at_estimate);
        self.counts_promises().then(|| Promises::new(kills.collect()))
    }

    /// Returns true if the run writes `plans.csv`.
    pub fn writes_plans(&self) -> bool {
        self.output.plans && self.planned.is_some()
    }

    /// Returns true if jobs can wait in the grid, or be under way, before they come to a cluster.
    pub fn holds_jobs(&self) -> bool {
        let scheduler = self.grid_scheduler.as_ref();
        self.planned.is_some()
            || self.coalition().is_some_and(Coalition::is_federation)
            || scheduler.is_some_and(|one| one.starts() || one.delays())
            || self.clusters.iter().any(|one| one.foreign == Foreign::WhenNoneWaits)
    }

    /// Returns true if clusters exchange messages to place jobs.
    pub fn exchanges_messages(&self) -> bool {
        matches!(self.grid_scheduler, Some(GridOptions::Stealing(_)))
    }

    /// Returns true if the grid scheduler knows the utility of each organization's jobs.
    pub fn knows_utilities(&self) -> bool {
        matches!(self.grid_scheduler, Some(GridOptions::Fair(_)))
    }

    /// Returns the observer of the makespan's bounds.
    pub fn bounding(&self) -> Bounding {
        let all = self.present_clusters().count();
        let is_open = self.lists.is_empty()
            && self.present().all(|one| one.uses.len() == all)
            && self.clusters.iter().all(|one| one.foreign == Foreign::Always)
            && !self.binds_jobs();
        let kills = self.clusters.iter().all(Cluster::kills_at_estimate);
        Bounding::new(self.owned(), kills, is_open, self.leaves_out())
    }

    /// Returns true if the clusters of organizations without jobs are not used.
    pub fn leaves_out(&self) -> bool {
        let without = self.planned.as_ref().map(|planned| planned.planning.without_jobs);
        without == Some(WithoutJobs::LeftOut)
    }

    /// Returns the number of clusters that a timeline is to keep apart: where jobs wait in the grid it
    /// keeps none apart.
    pub fn timeline_rows(&self) -> usize {
        if self.holds_jobs() { MOST_CLUSTERS + 1 } else { self.clusters.len() }
    }

    /// Returns the clusters as the accounts see them: without processors if their owner is absent.
    pub fn owned(&self) -> Vec<Owned> {
        let owned = self.clusters.iter().map(|cluster| {
            let is_absent = self.organizations[cluster.owner.index()].is_absent;
            let processors = if is_absent { 0 } else { cluster.processors() };
            Owned { owner: cluster.owner, processors }
        });
        owned.collect()
    }

    /// Returns the number of jobs of a replication, or of a campaign's applications, if it is known. It
    /// is unknown for rounds, whose jobs arrive for as long as they last.
    pub fn jobs(&self) -> Option<u64> {
        if let Some(campaign) = self.campaign() {
            return Some(campaign.campaign.applications.count());
        }
        let all: Option<u64> = self.workloads.iter().map(Workload::jobs).sum();
        match self.until {
            Until::Jobs(most) => Some(all.map_or(most, |all| all.min(most))),
            Until::Drained | Until::Time(_) => all,
            Until::Rounds(_) => None,
        }
    }

    /// Returns the number of first runs that determine the end of the warm-up.
    pub fn scouted(&self) -> u32 {
        if self.found.warm_up { self.replications.min(SCOUTED) } else { 0 }
    }

    /// Returns the total number of first runs.
    pub fn first_runs(&self) -> u32 {
        if self.found.cool_down.is_some() { self.replications } else { self.scouted() }
    }

    /// Returns the random streams of a replication.
    pub fn streams(&self, replication: u32) -> Streams {
        Streams::new(self.seed).in_replication(u64::from(replication))
    }

    /// Builds the grid of one replication.
    ///
    /// # Errors
    /// A source that cannot be opened.
    ///
    /// # Panics
    /// Panics if a cluster has a scheduler that is built in code; see
    /// [`build_with`](Plan::build_with).
    pub fn build<O: Observer>(
        &self,
        replication: u32,
        observer: O,
    ) -> Result<PlannedGrid<O>, SourceError> {
        self.build_with(replication, observer, |cluster, streams| self.agent(cluster, streams))
    }

    /// Builds a cluster as the plan says.
    ///
    /// # Panics
    /// Panics if its scheduler is built in code.
    pub fn agent(&self, cluster: &Cluster, streams: &Streams) -> AnyCluster {
        match &cluster.kind {
            ClusterKind::SpaceShared { machine, scheduler: None } => {
                AnyCluster::Bare(Bare(*machine))
            }
            ClusterKind::SpaceShared { machine, scheduler: Some(scheduler) } => {
                let (name, processors) = (&*cluster.name, machine.processors);
                let scheduler = scheduler.build(&Setup { name, processors, streams });
                AnyCluster::SpaceShared(self.space_shared(*machine, scheduler))
            }
            ClusterKind::Own { scheduler, .. } => {
                panic!("the scheduler `{scheduler}` is built in code")
            }
            ClusterKind::TimeShared { .. } => AnyCluster::TimeShared(TimeShared::new()),
        }
    }

    /// Builds a cluster of a federation.
    ///
    /// # Panics
    /// If it has no scheduler of its own.
    pub fn site(&self, cluster: &Cluster, streams: &Streams) -> Site {
        let ClusterKind::SpaceShared { machine, scheduler } = &cluster.kind else {
            panic!("`{}` is space-shared", cluster.name)
        };
        let scheduler = scheduler.as_ref().expect("it has a scheduler for its own jobs");
        let setup = Setup { name: &cluster.name, processors: machine.processors, streams };
        self.space_shared(*machine, OnLoan::new(scheduler.build(&setup)))
    }

    /// Builds a space-shared cluster with a scheduler, under the settings of the plan.
    pub fn space_shared<L: LocalScheduler>(
        &self,
        machine: Machine,
        scheduler: L,
    ) -> SpaceShared<L> {
        let Settings { clairvoyance, phase_order, .. } = self.settings;
        SpaceShared::on(machine, scheduler)
            .corrects(clairvoyance.corrects())
            .frees_when_due(phase_order == PhaseOrder::PerEventFreeWhenDue)
    }

    /// Builds the grid of one replication from clusters that are built by `agent`.
    ///
    /// # Errors
    /// A source that cannot be opened.
    pub fn build_with<C: ClusterAgent, O: Observer>(
        &self,
        replication: u32,
        observer: O,
        agent: impl Fn(&Cluster, &Streams) -> C,
    ) -> Result<Grid<C, AnySource, O>, SourceError> {
        let streams = self.streams(replication);
        let mut grid = Grid::new(self.settings, observer);
        for cluster in &self.clusters {
            grid.add_owned_cluster(agent(cluster, &streams), cluster.owner, cluster.foreign);
        }
        for organization in &self.organizations {
            let id = grid.add_organization(organization.uses.clone());
            if organization.is_absent {
                grid.leave_out(id);
            }
        }
        for (organization, clusters) in &self.lists {
            grid.add_list(*organization, clusters.clone());
        }
        if self.binds_jobs() {
            grid.expect_bound();
        }
        if let Some(scheduler) = &self.grid_scheduler {
            grid.schedule(scheduler.clone());
        }
        if let Some(planned) = &self.planned {
            grid.plan(planned.clone());
        }
        for source in self.sources(replication)? {
            grid.add_source(source)?;
        }
        Ok(grid)
    }

    /// Opens the sources of one replication's jobs, each at its beginning.
    ///
    /// # Errors
    /// A source that cannot be opened.
    pub fn sources(&self, replication: u32) -> Result<Vec<AnySource>, SourceError> {
        let streams = self.streams(replication);
        let organizations = self.organizations.iter();
        let bindings: Bindings = organizations.map(|one| one.binding.clone()).collect();
        let sources = self.workloads.iter().enumerate().map(|(index, workload)| {
            let name = format!("organization/{}", workload.name);
            let source = workload.kind.source(&name, index as u32, &streams)?;
            let mut owners = workload.kind.owners(bindings.len());
            Ok(match owners.any(|owner| bindings[owner].is_some()) {
                true => {
                    let bound = Bound::new(source, Arc::clone(&bindings), &name, &streams);
                    AnySource::Bound(Box::new(bound))
                }
                false => source,
            })
        });
        sources.collect()
    }

    /// Returns true if jobs may be bound to one cluster each.
    pub fn binds_jobs(&self) -> bool {
        self.workloads.iter().any(|one| one.kind.is_routed())
            || self.organizations.iter().any(|one| one.binding.is_some())
    }

    /// Returns the counting window as far as it is known before the run; `None`: to the end.
    pub fn window(&self) -> (Time, Option<Time>) {
        let until = self.counting.until;
        (self.counting.from, (until != Time::NEVER).then_some(until))
    }

    /// Returns the threshold of bounded slowdown.
    pub fn tau(&self) -> Span {
        self.counting.tau
    }
}
