//! `manifest.json`: enough to audit a run, and to recognize its scenario and its traces.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::FORMAT;
use crate::campaign::entry::CampaignEntry;
use crate::coalition::entry::CoalitionEntry;
use crate::comparison::RunEntry;
use crate::game::entry::GameEntry;
use crate::grid::entry::{ClusterEntry, Counted, GridEntry, PlannerEntry};
use crate::sweep::entry::SweepEntry;
use crate::workload::entry::WorkloadEntry;
use findings::known::Known;
use kernel::time::Time;
use scenario::plan::{Plan, Until};
use sim::clairvoyance::Clairvoyance;
use sim::phase::PhaseOrder;
use stats::interval::Level;

/// Manifest of a run.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// Version of the shape of this file.
    #[serde(default)]
    pub format: u32,
    /// The world that ran: `grid`, `coalition`, `game` or another.
    #[serde(default)]
    pub world: String,
    /// Version of gridpact.
    pub gridpact: String,
    /// Name of the scenario.
    pub name: String,
    /// Overrides from the command line, as `key=value`.
    ///
    /// The length of the run and the number of replications are below.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// BLAKE3 digest of the scenario with its defaults and the files it names, without the seed.
    pub scenario_digest: String,
    /// Master seed.
    pub seed: u64,
    /// Number of replications run.
    pub replications: u32,
    /// End of each replication: `drained`, or the time in ticks at which it was stopped.
    ///
    /// Runs that a number of jobs ended are `drained` too.
    pub until: Stop,
    /// Precision reached for the target figure, if the run had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<Known>,
    /// Runtime information given to schedulers.
    pub clairvoyance: Clairvoyance,
    /// Order in which events of the same instant are processed.
    pub phase_order: PhaseOrder,
    /// Confidence level of the intervals; 0.95 by default.
    #[schemars(with = "f64")]
    #[serde(default, skip_serializing_if = "is_default")]
    pub level: Level,
    /// Measurement window of each replication, which says which jobs counted.
    pub counted: Vec<Counted>,
    /// Names of the organizations.
    pub organizations: Vec<String>,
    /// The clusters.
    pub clusters: Vec<ClusterEntry>,
    /// Sources of the jobs.
    pub workloads: Vec<WorkloadEntry>,
    /// The grid scheduler, if the scenario names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<GridEntry>,
    /// The planner, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planner: Option<PlannerEntry>,
    /// The coalition, if the run was played in rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coalition: Option<CoalitionEntry>,
    /// The campaign, if one ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign: Option<CampaignEntry>,
    /// The game, if one was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<GameEntry>,
    /// The runs that were compared, the base first; the manifest's other entries are the base's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<RunEntry>,
    /// The keys of a sweep; its points are the runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<SweepEntry>,
    /// BLAKE3 digests of the other result files, by name.
    pub files: BTreeMap<String, String>,
}

impl Manifest {
    /// Reads the file of a run.
    ///
    /// # Errors
    /// Fails if it is not what a run writes.
    pub fn read(text: &[u8]) -> Result<Manifest, String> {
        scenario::json::read(text)
    }
}

impl Manifest {
    /// The name of the grid scheduler or planner that places jobs, if there is one.
    pub fn placer(&self) -> Option<&'static str> {
        let scheduler = self.grid.as_ref().map(|grid| grid.scheduler.name());
        scheduler.or(self.planner.as_ref().map(|one| one.planner.name()))
    }

    /// Why the folder of a run of this world has no jobs to audit or explain; `None` if it has.
    pub fn without_jobs(&self) -> Option<&'static str> {
        match () {
            () if self.game.is_some() => Some("these are the results of a game, which has no jobs"),
            () if self.sweep.is_some() => Some(
                "this is a sweep, which keeps no jobs; run one of its points by `gridpact run` with the \
                 settings that points.csv has",
            ),
            () if !self.runs.is_empty() => Some(
                "this is a comparison, which keeps no jobs; run one of its scenarios by `gridpact \
                 run` with the same settings and seed",
            ),
            () => None,
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // what serde asks for
fn is_default(level: &Level) -> bool {
    *level == Level::default()
}

/// Condition that ended the replications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// The last job ended.
    Drained,
    /// The given tick was reached.
    Time(Time),
}

impl Manifest {
    /// The manifest of a plan that ran; `files` are the digests of the files written.
    pub fn new(plan: &Plan, world: &str, files: BTreeMap<String, String>) -> Manifest {
        Manifest {
            format: FORMAT,
            world: world.to_owned(),
            gridpact: env!("CARGO_PKG_VERSION").to_owned(),
            name: plan.name.clone(),
            changes: plan.changes.clone(),
            scenario_digest: plan.digest.clone(),
            seed: plan.seed,
            replications: plan.replications,
            until: match plan.until {
                Until::Time(time) => Stop::Time(time),
                Until::Drained | Until::Jobs(_) | Until::Rounds(_) => Stop::Drained,
            },
            precision: None,
            clairvoyance: plan.settings.clairvoyance,
            phase_order: plan.settings.phase_order,
            level: plan.counting.level,
            counted: Vec::new(),
            organizations: plan.organizations.iter().map(|one| one.name.clone()).collect(),
            clusters: plan
                .clusters
                .iter()
                .map(|cluster| ClusterEntry::new(plan, cluster))
                .collect(),
            workloads: plan.workloads.iter().map(WorkloadEntry::new).collect(),
            grid: plan.grid_scheduler.clone().map(|scheduler| GridEntry { scheduler }),
            planner: plan.planned.clone().map(|planned| PlannerEntry {
                planner: planned.planner,
                planning: planned.planning,
            }),
            coalition: None,
            campaign: None,
            game: None,
            runs: Vec::new(),
            sweep: None,
            files,
        }
    }
}
