//! Grids that are built in code, with schedulers of their own, and run like a scenario.
//!
//! An [`Experiment`] describes who owns which cluster and what jobs come. Running it gives the
//! summary, files, checkpoints and target precision that a scenario has, and its folder passes
//! `gridpact audit`: capacity, times and accounts are checked of any scheduler.

use std::path::Path;
use std::sync::Arc;

use super::conduct::conduct;
use super::control::Control;
use super::error::RunError;
use super::folder::{self, Claim};
use super::grid::GridWorld;
use super::progress::Progress;
use super::settings::RunSettings;
use super::world::Runnable as _;
use ::report::files::Timing;
use ::report::words::screen::View;
use ::report::world as report;
use findings::grid::results::Results;
use model::foreign::Foreign;
use model::ids::{ClusterId, OrganizationId};
use model::job::Job;
use model::machine::Machine;
use policy::local::LocalScheduler;
use scenario::plan::{Cluster, ClusterKind, Organization, Plan, Workload, WorkloadKind};
use sim::cluster::SpaceShared;
use workload::jobs::ListSource;
use workload::owners::Assignment;
use workload::swf::{self, Routes, SwfError};

/// A grid that is built in code.
///
/// Its plan can be changed freely: seed, replications, target precision, files to write.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The plan; its lineage is the title, unless it is set to something else.
    pub plan: Plan,
}

/// Results of an experiment.
#[derive(Debug)]
pub struct Outcome {
    /// The results.
    pub results: Results,
    /// The cost.
    pub timing: Timing,
    /// The summary that a person reads.
    pub summary: String,
}

impl Experiment {
    /// An experiment of this title, with nothing in it.
    pub fn new(title: impl Into<String>) -> Experiment {
        Experiment { plan: Plan::new(title) }
    }

    /// Adds an organization; its jobs may use the clusters that it owns.
    pub fn organization(&mut self, name: &str) -> OrganizationId {
        let name = name.to_owned();
        self.plan.organizations.push(Organization { name, ..Organization::default() });
        OrganizationId(self.plan.organizations.len() as u32 - 1)
    }

    /// Adds a cluster of so many processors; `scheduler` is the name of its scheduler in files.
    ///
    /// # Panics
    /// Panics if its owner was not added before.
    pub fn cluster(
        &mut self,
        name: &str,
        owner: OrganizationId,
        processors: u32,
        scheduler: &str,
    ) -> ClusterId {
        let id = ClusterId(self.plan.clusters.len() as u32);
        let kind = ClusterKind::Own { processors, scheduler: scheduler.to_owned() };
        let (name, foreign) = (name.to_owned(), Foreign::default());
        self.plan.clusters.push(Cluster { name, owner, kind, foreign });
        let uses = &mut self.plan.organizations[owner.index()].uses;
        *uses = uses.iter().copied().chain([id]).collect();
        id
    }

    /// Adds an SWF trace, plain or gzip, whose jobs all belong to one organization.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is not a trace.
    ///
    /// # Panics
    /// Panics if the organization was not added before.
    pub fn trace(
        &mut self,
        owner: OrganizationId,
        file: &Path,
        options: &swf::Options,
    ) -> Result<(), SwfError> {
        let survey = Arc::new(swf::survey(file, options)?);
        let name = self.plan.organizations[owner.index()].name.clone();
        let assignment = Assignment::one(&name);
        let routes = Routes::default();
        let kind = WorkloadKind::Swf { survey, assignment, base: owner, routes, dealt: None };
        self.plan.workloads.push(Workload { name, kind });
        Ok(())
    }

    /// Adds jobs that are given one by one, in the order of their submission; each says whose it is.
    pub fn jobs(&mut self, name: &str, jobs: Vec<Job>) {
        let kind = WorkloadKind::List(ListSource::new(jobs));
        self.plan.workloads.push(Workload { name: name.to_owned(), kind });
    }

    /// Runs it on all cores, with a scheduler for each cluster of each replication. With a folder,
    /// the files of the results are written there; those of an earlier run of the same title and
    /// seed are replaced.
    ///
    /// # Errors
    /// See [`RunError`]; no file is left half-written.
    pub fn run<L: LocalScheduler>(
        &self,
        folder: Option<&Path>,
        scheduler: impl Fn(&Cluster) -> L + Sync,
    ) -> Result<Outcome, RunError> {
        let claim = folder.map(|folder| folder::prepare(folder, &self.plan, false));
        let claim: Option<Claim> = claim.transpose()?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let (progress, control) = (Progress::default(), Control::default());
        let settings = RunSettings::once(claim.as_ref(), threads, &progress, &control);
        self.run_kept(&settings, scheduler)
    }

    /// Runs it as `settings` says, resuming from the state saved in its folder if there is any.
    ///
    /// # Errors
    /// See [`RunError`]; no file is left half-written, and the saved state can be resumed.
    pub fn run_kept<L: LocalScheduler>(
        &self,
        settings: &RunSettings<'_>,
        scheduler: impl Fn(&Cluster) -> L + Sync,
    ) -> Result<Outcome, RunError> {
        let plan = &self.plan;
        let world = GridWorld::with(plan, |cluster, _| -> SpaceShared<L> {
            plan.space_shared(Machine::new(cluster.processors()), scheduler(cluster))
        });
        let (results, timing) = conduct(&world, plan, settings)?;
        let folder = settings.claim.map(Claim::folder);
        let view = View { is_whole: true, ..View::default() };
        let summary = report::text(plan, &*world.report(&results), &timing, folder, view);
        Ok(Outcome { results, timing, summary })
    }
}
