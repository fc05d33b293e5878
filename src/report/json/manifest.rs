//! `manifest.json`: enough to audit a run, and to recognize its scenario and its traces.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::FORMAT;
use crate::campaign::manifest::CampaignEntry;
use crate::coalition::entry::CoalitionEntry;
use crate::game::manifest::GameEntry;
use findings::grid::results::{self, Results};
use findings::known::Known;
use kernel::time::Time;
use model::foreign::Foreign;
use model::speed::Speed;
use policy::grid::GridOptions;
use policy::plan::{PlannerOptions, Planning};
use scenario::drawn::Drawn;
use scenario::plan::{ClusterKind, Plan, Until, WorkloadKind};
use sim::clairvoyance::Clairvoyance;
use sim::phase::PhaseOrder;
use stats::interval::Level;
use workload::swf::{self};

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

/// A sweep in the manifest.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct SweepEntry {
    /// The keys that vary, in the order of the columns of points.csv.
    pub keys: Vec<KeyEntry>,
    /// Measure that the summary shows.
    pub measure: String,
    /// Organization or class that it is shown of.
    pub unit: String,
}

/// A key of a sweep.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct KeyEntry {
    /// As it was written.
    pub name: String,
    /// The end of it that no other key has.
    pub short: String,
    /// Origin of its values.
    pub kind: KeyKind,
}

/// Origin of the values of a sweep's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyKind {
    /// They are listed or drawn.
    Varied,
    /// They are listed or drawn, and only stand in formulas.
    Variable,
    /// A formula gives them.
    Computed,
}

/// A run of a comparison, or a point of a sweep, in the manifest.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunEntry {
    /// Its name in the files.
    pub name: String,
    /// Name of its scenario.
    pub scenario: String,
    /// Overrides, as `key=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// BLAKE3 digest of its scenario.
    pub scenario_digest: String,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // what serde asks for
fn is_default(level: &Level) -> bool {
    *level == Level::default()
}

/// Measurement window of a replication: the submission times of jobs that counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counted {
    /// First tick of the window.
    pub from: Time,
    /// First tick after the window; `None` if it has no end.
    pub until: Option<Time>,
}

impl Counted {
    /// Converts a window.
    fn new(window: &results::Window) -> Counted {
        let until = (window.until != Time::NEVER).then_some(window.until);
        Counted { from: window.from, until }
    }

    /// True if a job submitted at this time counts.
    pub fn counts(&self, submit: Time) -> bool {
        self.from <= submit && self.until.is_none_or(|until| submit < until)
    }
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

/// A cluster in the manifest.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClusterEntry {
    /// Name of the cluster.
    pub name: String,
    /// Name of its owner.
    pub owner: String,
    /// Number of processors.
    pub processors: u32,
    /// Its terms for the jobs of organizations that do not own it.
    #[serde(default, skip_serializing_if = "Foreign::is_always")]
    pub foreign: Foreign,
    /// True if the grid scheduler starts its jobs.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_bare: bool,
    /// Name of its scheduler; `None` for a time-shared cluster.
    pub scheduler: Option<String>,
    /// Queue order of a list scheduler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<model::order::Order>,
    /// Order in which EASY backfills, if it is not that of submission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backfill: Option<policy::local::easy::Backfill>,
    /// True if jobs were killed at their estimate.
    pub kill_at_estimate: bool,
    /// Speed of its processors, if it is not unit speed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
}

/// The grid scheduler in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GridEntry {
    /// Its name and parameters.
    pub scheduler: GridOptions,
}

/// The planner in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlannerEntry {
    /// Its name and parameters.
    pub planner: PlannerOptions,
    /// Events at which it was asked, and the way its plans were played.
    pub planning: Planning,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // what serde asks for
fn is_false(truth: &bool) -> bool {
    !truth
}

/// A workload in the manifest.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct WorkloadEntry {
    /// Name of the workload.
    pub name: String,
    /// Kind of workload: `swf`, `jobs`, `synthetic` or `lublin_feitelson`.
    pub kind: String,
    /// Distribution of the owners of its jobs, if they were drawn: `zipf` or `uniform`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owners: Option<String>,
    /// Number of jobs, if known.
    pub jobs: Option<u64>,
    /// Offered load of a model: the long-run share of its machine's processor time that jobs ask
    /// for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered_load: Option<f64>,
    /// Factor by which the model's interarrival times are multiplied to reach the offered load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_factor: Option<f64>,
    /// BLAKE3 digest of the canonical job list, if the jobs are given.
    pub digest: Option<String>,
    /// Import rules that turned the lines of a trace into jobs, with all defaults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import: Option<swf::Options>,
    /// Acknowledgement that the trace asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acknowledge: Option<String>,
}

impl Manifest {
    /// Adds what a grid's replications found: when they ended, and which jobs counted.
    pub fn of_grid(&mut self, results: &Results) {
        let windows = results.replications.iter().map(|replication| &replication.window);
        self.counted = windows.map(Counted::new).collect();
        // A single run may have been stopped at a time that was not known beforehand.
        if self.precision.as_ref().is_some_and(Known::is_stopped) {
            let end = results.replications.iter().map(|replication| replication.end).max();
            self.until = Stop::Time(end.unwrap_or_default());
        }
    }

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

impl ClusterEntry {
    /// The entry of a plan's cluster.
    pub fn new(plan: &Plan, cluster: &scenario::plan::Cluster) -> ClusterEntry {
        use policy::local::LocalOptions;
        let (scheduler, kill_at_estimate) = match &cluster.kind {
            ClusterKind::TimeShared { .. } | ClusterKind::Own { .. } => (None, false),
            ClusterKind::SpaceShared { scheduler, kill_at_estimate, .. } => {
                (scheduler.as_ref(), *kill_at_estimate)
            }
        };
        let own = match &cluster.kind {
            ClusterKind::Own { scheduler, .. } => Some(scheduler.clone()),
            _ => None,
        };
        let order = match scheduler {
            Some(LocalOptions::List(options)) => Some(options.order),
            _ => None,
        };
        let backfill = match scheduler {
            Some(LocalOptions::Easy(options)) => {
                Some(options.backfill).filter(|backfill| !backfill.is_in_order())
            }
            _ => None,
        };
        ClusterEntry {
            name: cluster.name.clone(),
            owner: plan.organizations[cluster.owner.index()].name.clone(),
            processors: cluster.processors(),
            foreign: cluster.foreign,
            is_bare: cluster.is_bare(),
            scheduler: scheduler.map(|scheduler| scheduler.name().to_owned()).or(own),
            order,
            backfill,
            kill_at_estimate,
            speed: Some(cluster.speed()).filter(|&speed| speed != Speed::ONE).map(Speed::value),
        }
    }
}

impl WorkloadEntry {
    /// The entry of a plan's workload.
    pub fn new(workload: &scenario::plan::Workload) -> WorkloadEntry {
        let acknowledge = match &workload.kind {
            WorkloadKind::Swf { survey, .. } => survey.header.acknowledge().map(str::to_owned),
            _ => None,
        };
        let owners = workload.kind.drawn_owners().map(|owners| owners.name().to_owned());
        let calibrated = match workload.kind.drawn() {
            Some(drawn @ Drawn::LublinFeitelson(model)) if !drawn.is_at_once() => Some(model),
            _ => None,
        };
        WorkloadEntry {
            name: workload.name.clone(),
            kind: workload.kind.name().to_owned(),
            owners,
            jobs: workload.jobs(),
            offered_load: calibrated.map(|model| model.offered_load()),
            gap_factor: calibrated.map(|model| model.gap_factor()),
            digest: workload.digest(),
            import: match &workload.kind {
                WorkloadKind::Swf { survey, .. } => Some(survey.options().clone()),
                _ => None,
            },
            acknowledge,
        }
    }
}
