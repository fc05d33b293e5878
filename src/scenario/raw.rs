//! The scenario as written: one type per table, with the meaning and default of every key.
//!
//! Values read here are well-typed but not yet checked for sense; [`resolve`](super::resolve) turns
//! them into a plan or reports what is wrong.

/// Tables of keys, each as [`parameters`](model::bounds::parameters) defines one.
macro_rules! tables {
    ($($(#[$($meta:tt)*])* pub struct $Name:ident { $($keys:tt)* })*) => {
        $(model::bounds::parameters! { $(#[$($meta)*])* pub struct $Name { $($keys)* } })*
    };
}

mod campaign;
mod coalition;
mod dynamics;
mod game;
mod precision;
mod processors;
mod sweep;
mod workload;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use campaign::{Application, Class, Site, Workflow};
pub use coalition::{Coalition, Exclusion, Probes};
pub use dynamics::{
    DynamicsForm, FermiForm, FlowForm, GenerationsForm, GradientForm, ImitationForm, ImitationRule,
    LogLinearForm, MoranForm, TurnsForm,
};
pub use game::{
    Bimatrix, CoalitionsForm, CountsForm, DedicatedForm, Game, GameOutput, GamePlayer, GameRun,
    GameUntil, NoiseForm, NormalNoise, PayoffsForm, Rules, TableForm, Worth,
};

pub use self::workload::{
    GridWorkload, Job, JobsFile, SharedJobs, SharedSource, SharedSwf, Swf, Workload,
};
pub(crate) use precision::OR_SEVERAL;
pub use precision::{Each, Metric, Metrics, Precision};
pub use processors::Processors;
pub use sweep::{Drawn, Sobol, Sweep};

use crate::de;
use crate::diagnostics::Diagnostic;
use crate::tree::Node;
use ::workload::bound::BoundOptions;
use model::bounds::{Bounds, ONE_OR_MORE};
use model::foreign::Foreign;
use policy::grid::GridOptions;
use policy::learn::LearnerOptions;
use policy::learn::choose::Choices;
use policy::learn::lies::Lies;
use policy::local::LocalOptions;
use policy::plan::{PlannerOptions, Planning};
use policy::tasks::{TaskPlannerOptions, TaskPlanning};
use sim::clairvoyance::Clairvoyance;
use sim::phase::PhaseOrder;

const FROM_0: Bounds<'_> = Bounds::of("").from(0.0);
const ABOVE_0: Bounds<'_> = Bounds::of("").above(0.0);
const TWO_OR_MORE: Bounds<'_> = Bounds::of("").from(2.0);
const AMOUNT: Bounds<'_> = Bounds::of("").from(0.0).to(1e12);
const CONFIDENCE: Bounds<'_> = Bounds::of("").from(0.5).to(0.9999);
const REPLICATIONS: Bounds<'_> = Bounds::of("").from(1.0).to(1e6);

tables! {
    /// A whole scenario file.
    pub struct Scenario {
        /// Another scenario that this one starts from, relative to this file. This file's keys are
        /// added to it or replace its keys: tables are merged key by key, lists with named elements
        /// element by element; a choice or any other value is replaced as a whole.
        #[serde(default, skip_serializing)]
        extends: Option<PathBuf>,
        /// A one-line title of the scenario; it also names the results directory.
        name: String,
        /// The master seed of all random streams.
        #[serde(default = "default_seed")]
        seed: u64 where { "default": default_seed() },
        /// Length and number of replications, and how much schedulers know.
        #[serde(default)]
        run: Run,
        /// Measurements to take and files to write.
        #[serde(default)]
        output: Output,
        /// The organizations that take part.
        #[serde(default)]
        organization: Vec<Organization>,
        /// The coalition in which the organizations balance their load, round by round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        coalition: Option<Coalition>,
        /// Scheduler of the whole grid, which places jobs on the clusters. Without one, a job that
        /// may use several clusters goes to the one with the least demand for its processors.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        grid_scheduler: Option<GridOptions>,
        /// Planner of the whole grid, which proposes schedules of all jobs that wait. It takes the
        /// place of a grid scheduler.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        planner: Option<PlannerOptions>,
        /// Times at which the planner is asked, and the way its plans are played.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        planning: Option<Planning>,
        /// Planner of a campaign, which sends the tasks of applications to sites.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task_planner: Option<TaskPlannerOptions>,
        /// Times at which the task planner is asked, and the way its plans are played.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        task_planning: Option<TaskPlanning>,
        /// Applications of a campaign, listed one by one.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        application: Vec<Application>,
        /// Clusters in addition to those declared inside an organization.
        #[serde(default)]
        cluster: Vec<Cluster>,
        /// A workload shared by many organizations.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workload: Option<GridWorkload>,
        /// Jobs listed one by one.
        #[serde(default)]
        job: Vec<Job>,
        /// A parameter study: the keys that vary, and their values; `gridpact sweep` runs it.
        #[serde(default, skip_serializing)]
        sweep: Option<Sweep>,
    }
}

impl Scenario {
    /// Reads a file that has been parsed, or reports all that is wrong in it.
    pub fn read(node: &Node) -> (Option<Scenario>, Vec<Diagnostic>) {
        de::read(node)
    }
}

fn default_seed() -> u64 {
    1
}

tables! {
    /// `[run]`.
    #[serde(default)]
    pub struct Run {
        /// The end of a replication, or of the whole run with `until.precision`.
        until: Until = Until::default(),
        /// Number of replications, on independent random streams; `until.precision` chooses it by
        /// itself.
        replications: u32 as REPLICATIONS = 1,
        /// The knowledge that schedulers have of a job's runtime.
        clairvoyance: Clairvoyance = Clairvoyance::default(),
        /// The order in which simultaneous events are processed.
        phase_order: PhaseOrder = PhaseOrder::default(),
        /// Treatment of jobs that need more processors than any cluster they may use.
        never_runs: NeverRuns = NeverRuns::default(),
    }
}

/// The treatment of jobs that can never run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NeverRuns {
    /// Reject the scenario.
    #[default]
    Error,
    /// Count the job as rejected and go on.
    Reject,
}

/// The end of a replication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// The run ends when all jobs have arrived and completed.
    Drained {},
    /// The run ends at this time; jobs still waiting or running count as submitted only.
    Time(#[schemars(extend("exclusiveMinimum" = 0))] f64),
    /// The run ends when this many jobs, over all organizations, were submitted and have completed.
    Jobs(#[schemars(range(min = 1))] u64),
    /// The run ends after this many rounds of a coalition.
    Rounds(#[schemars(range(min = 1))] u64),
    /// After each round of a coalition another one follows with this probability; owners do not know
    /// which round is the last.
    GoesOn(#[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))] f64),
    /// The run ends when a metric is known precisely enough: replications are added, or a single
    /// run continues, until the confidence interval is narrow enough.
    Precision(Precision),
}

impl Default for Until {
    fn default() -> Until {
        Until::Drained {}
    }
}

tables! {
    /// `[output]`.
    #[serde(default)]
    pub struct Output {
        /// Write `jobs.csv`, with one line per job; `gridpact audit` needs it for a grid. By
        /// default a grid run writes it and a coalition run, which may have very many jobs, does
        /// not.
        jobs: Option<bool> = None,
        /// Write `decisions.csv` (grid only), with one line whenever a job starts or its reason for
        /// waiting changes; `gridpact explain` needs it. The cost of each decision is proportional
        /// to the number of waiting jobs.
        #[serde(skip_serializing_if = "is_default")]
        decisions: bool = false,
        /// Write `plans.csv` (with a planner only), with one line per job of every candidate of
        /// every plan, and which candidate was played; `gridpact explain` tells the planned start
        /// by it.
        #[serde(skip_serializing_if = "is_default")]
        plans: bool = false,
        /// Collect quantiles and write `histograms.hlog`.
        histograms: bool = true,
        /// Record the course over simulated time, for `timeline.csv`, `timeline.svg` and the
        /// warning that a queue grows without limit.
        timeline: bool = true,
        /// Draw Welch's plot (grid only), which shows where the warm-up ends: flow times averaged
        /// over the first 20 replications, their moving average and the cutoff, in `warm-up.csv`
        /// and `warm-up.svg`.
        #[serde(skip_serializing_if = "is_default")]
        welch: bool = false,
        /// Write `report.html`, a page with the answer, tables and pictures, and `report.json`, what
        /// it shows.
        #[serde(skip_serializing_if = "is_true")]
        page: bool = true,
        /// Write `windows.hlog`, with histograms for windows of this much simulated time. By
        /// default it is not written.
        windows: Option<f64> as ABOVE_0 = None,
        /// Write `rounds.csv` (coalition only), with one line per organization and round; `gridpact
        /// audit` needs it.
        rounds: bool = true,
        /// Write `moves.csv` (coalition only), with one line per transfer of load.
        moves: bool = false,
        /// Replay the rounds with every organization in (coalition only), to measure what full
        /// participation would have given the whole coalition. Independent rounds are replayed in
        /// the last quarter, continuing ones from the first round on.
        everyone_in: bool = true,
        /// Replay sampled rounds of the last quarter with single organizations taking other actions
        /// (coalition only), to measure what they would have gained; for `alternatives.csv` and the
        /// regrets in `learning.csv`.
        alternatives: bool = true,
        /// Simulate every organization alone beside the run (grid and federation only): its own jobs
        /// on its own clusters among those it may use, with the same draws. For the columns `alone_*`
        /// and `gain`, what each organization saves by sharing. Takes about as long again as the run
        /// itself.
        #[serde(skip_serializing_if = "is_default")]
        alone: bool = false,
        /// Compare the makespan of each replication with a lower bound for any schedule of its jobs
        /// and, with up to 14 jobs, with the least possible (grid only): measures
        /// `makespan_over_bound` and `makespan_over_optimum`. Costs time in proportion to the
        /// number of different sizes of clusters for each job.
        #[serde(skip_serializing_if = "is_default")]
        bounds: bool = false,
        /// Maximum number of lines per record file (`jobs.csv`, `decisions.csv`, `plans.csv`,
        /// `rounds.csv`, `moves.csv`). Further lines go to a new file, such as
        /// `jobs-r0000-000002.csv`, for each replication separately. By default each kind of record
        /// is one file.
        #[serde(skip_serializing_if = "Option::is_none")]
        rotate: Option<u64> as ONE_OR_MORE = None,
        /// Compress record files with gzip, as `jobs.csv.gz`. Off by default.
        #[serde(skip_serializing_if = "is_default")]
        compress: bool = false,
        /// Write the values of every organization to `replications.csv`, however many there are. By
        /// default those of up to 64 organizations are written, beyond only of classes and of all
        /// together.
        #[serde(skip_serializing_if = "is_default")]
        all_replications: bool = false,
        /// The warm-up: the first jobs, which are simulated but not counted.
        warm_up: WarmUp = WarmUp::default(),
        /// Length of the cool-down: jobs submitted in this last part of the run are simulated but
        /// not counted. It is measured back from the end of a run with `until.time`, otherwise from
        /// the last submission. Where that time is not known in advance (drawn jobs, or
        /// `until.jobs`), each replication is run twice, first to find it.
        cool_down: f64 as FROM_0 = 0.0,
        /// Confidence level of all intervals, from 0.5 to 0.9999: the share of such intervals that
        /// cover the true value. Default 0.95.
        #[serde(skip_serializing_if = "Option::is_none")]
        confidence: Option<f64> as CONFIDENCE = None,
        /// Threshold of bounded slowdown: shorter runtimes are replaced by this one.
        tau: f64 as FROM_0 = 10.0,
    }
}

impl Scenario {
    /// Returns true if the run writes `jobs.csv`.
    pub fn writes_jobs(&self) -> bool {
        let is_pool = |coalition: &Coalition| coalition.balancer.is_some();
        self.output.jobs.unwrap_or(!self.coalition.as_ref().is_some_and(is_pool))
    }

    /// Returns true if the run writes any record file.
    pub(crate) fn writes_records(&self) -> bool {
        let Output { decisions, plans, rounds, moves, .. } = self.output;
        let is_shared = self.coalition.is_some();
        self.writes_jobs() || if is_shared { rounds || moves } else { decisions || plans }
    }
}

/// Returns true for a value that is left out where a scenario is written.
#[allow(clippy::trivially_copy_pass_by_ref)] // what serde asks for
fn is_true(value: &bool) -> bool {
    *value
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The warm-up: jobs at the start that are simulated but not counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WarmUp {
    /// Discard the jobs submitted before this time.
    Fixed(#[schemars(range(min = 0))] f64),
    /// Discard the jobs that MSER-5 cuts off the series of flow times of the whole grid, in order
    /// of completion. One cutoff serves all replications; it is found from the mean of the first
    /// 20, which are run twice.
    #[serde(rename = "mser_5")]
    Mser5 {},
}

impl Default for WarmUp {
    fn default() -> WarmUp {
        WarmUp::Fixed(0.0)
    }
}

tables! {
    /// `[[organization]]`.
    pub struct Organization {
        /// Name of the organization; with a `count` they are called `name-1`, `name-2`, ...
        name: String,
        /// Number of identical organizations to create.
        #[serde(default = "one")]
        count: u32 as ONE_OR_MORE where { "default": one() },
        /// Its own cluster, which takes the organization's name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cluster: Option<ClusterKind>,
        /// The jobs it submits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        workload: Option<Workload>,
        /// Names of the clusters that its jobs may use. By default its own, or all clusters for an
        /// organization without one; if there is a grid scheduler, all clusters that it serves.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        uses: Option<Vec<String>> where { "minItems": 1, "uniqueItems": true },
        /// Binds each of its jobs to one cluster, as on dedicated grids: a draw for each job that names
        /// no clusters itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bound: Option<BoundOptions>,
        /// Learning rule that decides, before every round of a coalition, whether and how much it
        /// takes part.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        learner: Option<LearnerOptions>,
        /// The choices of a learner that chooses among actions: between being out and in, among levels or
        /// among lies.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choices: Option<Choices>,
        /// Organizations of its `count` that follow another learner.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mutants: Option<Mutants>,
        /// Number of its `count` organizations, the first ones, that take part in every round, in place of
        /// what they learn; the others take part in none. Members declare the level of a `fixed` learner.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        members: Option<u32>,
        /// The way in which members cheat: they declare another queue to the balancer than they have, delay
        /// others' work, or send work without worth.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lies: Option<Lies>,
        /// First round in which it is present, with its cluster and jobs; rounds are numbered from
        /// 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first_round: Option<u64>,
        /// Rounds between the first rounds of its `count` organizations, which come one after the other.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        apart: Option<u64>,
        /// Last round in which it is present; by default it stays to the end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_round: Option<u64>,
    }
}

tables! {
    /// `mutants = { ... }`: those of an entry that follow another learner than the rest.
    pub struct Mutants {
        /// Learning rule that they follow.
        learner: LearnerOptions,
        /// Number of the `count` that follow it, the first ones.
        #[serde(default = "one")]
        of: u32 as ONE_OR_MORE where { "default": one() },
    }
}

impl Mutants {
    /// The learner of a copy of an entry with this learner.
    pub fn or<'a>(
        mutants: Option<&'a Mutants>,
        learner: &'a LearnerOptions,
        copy: u32,
    ) -> &'a LearnerOptions {
        mutants.filter(|mutants| copy < mutants.of).map_or(learner, |mutants| &mutants.learner)
    }
}

/// First round of a copy of an entry.
pub fn first_round(first: Option<u64>, apart: Option<u64>, copy: u32) -> u64 {
    first.unwrap_or(0).saturating_add(apart.unwrap_or(0).saturating_mul(copy.into()))
}

fn one() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)] // what serde asks for
fn is_one(number: &u32) -> bool {
    *number == 1
}

#[allow(clippy::trivially_copy_pass_by_ref)] // what serde asks for
fn is_one_processor(processors: &Processors) -> bool {
    *processors == Processors::Number(1)
}

tables! {
    /// `[[cluster]]`.
    pub struct Cluster {
        /// Name of the cluster; with a `count` they are called `name-1`, `name-2`, ...
        name: String,
        /// The organization that owns it.
        owner: String,
        /// Number of identical clusters to create.
        #[serde(default = "one")]
        count: u32 as ONE_OR_MORE where { "default": one() },
        /// Kind of cluster.
        kind: ClusterKind,
    }
}

/// Kind of cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClusterKind {
    /// Jobs hold their processors until they end; a scheduler decides which one starts.
    SpaceShared(SpaceShared),
    /// One job at a time, in order of submission, at unit speed.
    TimeShared(TimeShared),
    /// A site of a campaign, to which tasks of applications are sent.
    Site(Site),
}

/// `time_shared = { ... }`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TimeShared {
    /// Number of processors that share the work of a job, in a coalition: a job that runs for p on
    /// q processors is a load of p q / processors. No job may request more. Default 1; `"trace"`
    /// as for a space-shared cluster.
    #[serde(skip_serializing_if = "is_one_processor")]
    pub processors: Processors,
}

impl Default for TimeShared {
    fn default() -> TimeShared {
        TimeShared { processors: Processors::Number(1) }
    }
}

tables! {
    /// `space_shared = { ... }`.
    pub struct SpaceShared {
        /// Number of processors, or `"trace"`: as many as the machine of the trace had, by
        /// `MaxProcs` in its header. That is the trace of the cluster's owner, or else the only
        /// trace whose jobs may use the cluster.
        processors: Processors,
        /// Scheduler that decides which waiting job starts. Leave it out if a grid scheduler starts
        /// the jobs of this cluster.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scheduler: Option<LocalOptions>,
        /// Terms for the jobs of organizations that do not own the cluster.
        #[serde(default, skip_serializing_if = "Foreign::is_always")]
        foreign: Foreign,
        /// Most processors that jobs of other owners may hold, or wait for in the cluster's queue, in a
        /// federation; all by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        share: Option<u32>,
        /// Kill a job when it has run for its estimate.
        #[serde(default)]
        kill_at_estimate: bool,
        /// Speed of the processors, to six digits after the point: a job runs for its runtime
        /// divided by it, rounded up to a millionth of a unit of time. Estimates and predictions
        /// are divided likewise.
        #[serde(default = "unit_speed", skip_serializing_if = "is_unit_speed")]
        speed: f64 where { "minimum": 0.001, "maximum": 1000.0 },
    }
}

fn unit_speed() -> f64 {
    1.0
}

fn is_unit_speed(speed: &f64) -> bool {
    *speed == 1.0
}
