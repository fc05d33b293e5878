//! Reads the candidates of `plans.csv` for the checker of plans.

use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::jobs::{Names, place};
use super::{AuditError, Manifest};
use audit::promise::{Candidate, PlannedJob, Plans, Promised};
use audit::{Check, Facts, JobFacts};
use kernel::time::Time;
use policy::plan::{PlannerOptions, Start};
use records::plans::Line;
use records::record::Record as _;
use records::recorded::Row;

/// The columns in which every change is seen; others count for the plan that is played last alone.
pub(super) const COLUMNS: &str = "played workload_name job_id organization alone_cluster";

/// Replication, workload and number of a job.
type Key = (u32, u32, u64);

/// The checks of plans, of a run that wrote them.
pub(super) struct Planned<'a> {
    plans: Plans<'a>,
    /// By group of jobs: the clusters that they may use.
    lists: Vec<Arc<[usize]>>,
    /// The group of each job, if there are several.
    groups: FxHashMap<Key, usize>,
}

impl<'a> Planned<'a> {
    /// The checks of a run, if it wrote plans.
    pub fn of(manifest: &Manifest, world: &'a Facts) -> Option<Planned<'a>> {
        let planner = manifest.planner.as_ref().filter(|_| super::has(manifest, "plans"))?;
        let lists = world.grid.as_ref().map_or(&[][..], |grid| &grid.groups);
        let Facts { organizations, clusters, settings, .. } = world;
        let plans = Plans::new(organizations, clusters, *settings, promised(&planner.planner));
        let orders = matches!(
            planner.planner,
            PlannerOptions::ShortestFirst(_)
                | PlannerOptions::MyJobsFirst(_)
                | PlannerOptions::EquitableWalk(_)
                | PlannerOptions::EquitableLocalSearch(_)
        );
        Some(Planned {
            plans: if orders { plans.with_orders() } else { plans },
            lists: lists.iter().map(|list| Arc::from(&list[..])).collect(),
            groups: FxHashMap::default(),
        })
    }

    /// Adds a job of the run.
    pub fn ran(&mut self, job: &JobFacts) {
        self.plans.ran(job);
        if let Some(group) = job.group.filter(|_| self.lists.len() > 1) {
            let key = (job.replication, job.source.unwrap_or(0), job.number);
            self.groups.insert(key, group);
        }
    }

    /// Checks all candidates, once all jobs were added.
    pub fn read(
        mut self,
        manifest: &Manifest,
        folder: &Path,
        known: &Names,
    ) -> Result<Vec<Check>, AuditError> {
        let mut rows = super::rows(manifest, folder, "plans")?;
        let mut open: Option<(u64, Candidate)> = None;
        while let Some(row) = rows.read()? {
            let line = Line::read(&row)?;
            let rank = line.candidate;
            let is_same = |(candidate, one): &(u64, Candidate)| {
                (*candidate, one.plan, one.replication) == (rank, line.plan, line.replication)
            };
            if !open.as_ref().is_some_and(is_same) {
                let next = Candidate {
                    replication: line.replication,
                    plan: line.plan,
                    name: line.candidate_name.to_owned(),
                    asked: line.asked_time,
                    jobs: Vec::new(),
                };
                if let Some((_, whole)) = open.replace((rank, next)) {
                    self.plans.add(&whole);
                }
            }
            let job = self.job(&row, &line, known)?;
            open.as_mut().expect("it was opened").1.jobs.push(job);
        }
        if let Some((_, whole)) = open {
            self.plans.add(&whole);
        }
        Ok(self.plans.finish())
    }

    fn job(&self, row: &Row<'_>, line: &Line<'_>, known: &Names) -> Result<PlannedJob, AuditError> {
        let cluster = |column, name| place(row, column, name, &known.clusters);
        let source = place(row, "workload_name", line.workload_name, &known.workloads)? as u32;
        let alone = match line.alone_cluster {
            "" => None,
            name => {
                Some((cluster("alone_cluster", name)?, line.alone_start.unwrap_or(Time::NEVER)))
            }
        };
        let group = self.groups.get(&(line.replication, source, line.job_id));
        Ok(PlannedJob {
            number: line.job_id,
            source,
            owner: place(row, "organization", line.organization, &known.organizations)?,
            processors: line.processors,
            length: line.expected_time,
            cluster: cluster("cluster", line.cluster)?,
            start: line.planned_start.unwrap_or(Time::NEVER),
            alone,
            may_use: self.lists.get(group.copied().unwrap_or(0)).map(Arc::clone),
        })
    }
}

/// The promise of a planner.
fn promised(planner: &PlannerOptions) -> Promised {
    let by_start = |start: &Start| match start {
        Start::Local(_) => Promised::Always(1.0),
        Start::Molba(options) if options.alpha < 2 => Promised::Nothing,
        Start::Molba(_) | Start::Meta(_) => Promised::IfIdle,
        Start::OwnFirst(_) => Promised::Nothing,
    };
    match planner {
        PlannerOptions::Local(_) => Promised::Always(1.0),
        // The planners of dedicated processors care for sums of flow times.
        PlannerOptions::OwnFirst(_)
        | PlannerOptions::ShortestFirst(_)
        | PlannerOptions::MyJobsFirst(_)
        | PlannerOptions::EquitableWalk(_)
        | PlannerOptions::EquitableLocalSearch(_) => Promised::Nothing,
        PlannerOptions::Molba(options) => by_start(&Start::Molba(options.clone())),
        PlannerOptions::Meta(_) => Promised::IfIdle,
        PlannerOptions::Ilba(options) => by_start(&options.from),
        PlannerOptions::Pairwise(options) => by_start(&options.from),
        PlannerOptions::HeaviestFirst(options) => by_start(&options.from),
        PlannerOptions::Relaxed(options) => Promised::Always(options.beta),
    }
}
