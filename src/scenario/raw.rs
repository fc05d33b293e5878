//! A scenario as it is written: one type a table, every key with its meaning and its default.
//!
//! What is read here is well-typed but not yet sensible; [`resolve`](super::resolve) makes a plan
//! of it or says what is wrong.

mod coalition;
mod dynamics;
mod game;
mod precision;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use coalition::{Coalition, Rounds};
pub use dynamics::{
    DynamicsForm, FermiForm, FlowForm, GenerationsForm, GradientForm, ImitationForm, ImitationRule,
    LogLinearForm, MoranForm, TurnsForm,
};
pub use game::{
    Bimatrix, CountsForm, Game, GameOutput, GamePlayer, GameRun, GameUntil, NoiseForm, NormalNoise,
    PayoffsForm, Rules, TableForm,
};

pub use precision::{Each, Metric, Precision};

use crate::policy::learn::LearnerOptions;
use crate::policy::local::LocalOptions;
use crate::sim::clairvoyance::Clairvoyance;
use crate::sim::phase::PhaseOrder;
use crate::workload::dealt::DrawnOwners;
use crate::workload::lublin_feitelson::LublinFeitelsonOptions;
use crate::workload::owners::Owners;
use crate::workload::swf;
use crate::workload::synthetic::SyntheticOptions;

/// A whole scenario file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Another scenario that this one starts from, relative to this file. What is written here is
    /// added to it or replaces it: a table key by key, a choice as a whole, a list whose elements
    /// have names element by element, any other value as it is.
    #[serde(default, skip_serializing)]
    pub extends: Option<PathBuf>,
    /// What the scenario is about, in a line; it also names the results directory.
    pub name: String,
    /// The master seed of all random streams.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// How long and how often to run, and what schedulers know.
    #[serde(default)]
    pub run: Run,
    /// What is counted and written.
    #[serde(default)]
    pub output: Output,
    /// Who takes part.
    #[serde(default)]
    pub organization: Vec<Organization>,
    /// What lets the organizations balance their load, round by round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coalition: Option<Coalition>,
    /// Clusters besides those that organizations name themselves.
    #[serde(default)]
    pub cluster: Vec<Cluster>,
    /// Jobs of many organizations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workload: Option<GridWorkload>,
    /// Jobs written out one by one.
    #[serde(default)]
    pub job: Vec<Job>,
}

fn default_seed() -> u64 {
    1
}

/// `[run]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Run {
    /// When a replication ends, or the whole run where it is for precision.
    pub until: Until,
    /// How often the run is repeated on independent random streams; `until.precision` finds that by
    /// itself.
    #[schemars(range(min = 1))]
    pub replications: u32,
    /// What schedulers may expect of a job's length.
    pub clairvoyance: Clairvoyance,
    /// How the events of one instant are taken.
    pub phase_order: PhaseOrder,
    /// What to do about a job that needs more processors than any cluster it may use.
    pub never_runs: NeverRuns,
}

/// What to do about a job that can never run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NeverRuns {
    /// The scenario is wrong.
    #[default]
    Error,
    /// It is counted as rejected.
    Reject,
}

impl Default for Run {
    fn default() -> Run {
        Run {
            until: Until::default(),
            replications: 1,
            clairvoyance: Clairvoyance::default(),
            phase_order: PhaseOrder::default(),
            never_runs: NeverRuns::default(),
        }
    }
}

/// When a replication ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Until {
    /// When no job comes any more and all have ended.
    Drained {},
    /// At this time; jobs that still wait or run are counted as submitted only.
    Time(#[schemars(extend("exclusiveMinimum" = 0))] f64),
    /// When this many jobs of all organizations were submitted and have ended.
    Jobs(#[schemars(range(min = 1))] u64),
    /// After this many rounds of a coalition.
    Rounds(#[schemars(range(min = 1))] u64),
    /// When a figure is known well enough: replications are added, or one run goes on, until its
    /// 95% interval is narrow enough.
    Precision(Precision),
}

impl Default for Until {
    fn default() -> Until {
        Until::Drained {}
    }
}

/// `[output]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Output {
    /// Whether `jobs.csv` is written, with a line for every job; `gridpact audit` needs it for a
    /// grid. Where nothing is said, a grid's run writes it, and a coalition's, which may have very
    /// many jobs, does not.
    #[schemars(with = "bool")]
    pub jobs: Option<bool>,
    /// Of a grid: whether `decisions.csv` is written, with a line whenever a job starts or the
    /// reason changes for which it waits, from which `gridpact explain` tells why. It takes time
    /// in proportion to the jobs that wait, at each decision.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub decisions: bool,
    /// Whether quantiles are kept, and `histograms.hlog` is written.
    pub histograms: bool,
    /// Whether the course over simulated time is followed: for `timeline.csv`, `timeline.svg` and
    /// the warning that a queue grows without limit.
    pub timeline: bool,
    /// Whether `windows.hlog` is written, and of how much simulated time each window of it is.
    /// Where nothing is said, it is not.
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub windows: Option<f64>,
    /// Of a coalition: whether `rounds.csv` is written, with a line for every organization and
    /// round; `gridpact audit` needs it.
    pub rounds: bool,
    /// Of a coalition: whether `moves.csv` is written, with a line for every move of load.
    pub moves: bool,
    /// Of a coalition: whether the rounds are also played with everyone in, to tell what that would
    /// have been to all together: independent rounds in the last quarter, continuing ones from the
    /// first on.
    pub everyone_in: bool,
    /// Of a coalition: whether some rounds of the last quarter are also played with other actions
    /// of single organizations, to tell what they would have gained; for `alternatives.csv` and
    /// the regrets in `learning.csv`.
    pub alternatives: bool,
    /// The lines of a file of records (`jobs.csv`, `decisions.csv`, `rounds.csv`, `moves.csv`):
    /// where more come, the next file is begun, such as `jobs-r0000-000002.csv`, for each
    /// replication by itself. Where nothing is said, a kind of records is one file.
    #[schemars(with = "u64", range(min = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotate: Option<u64>,
    /// Whether files of records are packed by gzip, as `jobs.csv.gz`; they are not where nothing is
    /// said.
    #[serde(skip_serializing_if = "is_false")]
    pub compress: bool,
    /// Which jobs of the beginning are simulated but not counted.
    pub warm_up: WarmUp,
    /// Jobs submitted in this last part of the run are simulated but not counted. The part is
    /// measured from the end of a run `until.time`, else from the last submission. Where that is
    /// not known beforehand, for drawn jobs and where `until.jobs` ends the run, every replication
    /// is run twice: first to find it.
    #[schemars(range(min = 0))]
    pub cool_down: f64,
    /// The runtime that bounded slowdown takes for shorter ones.
    #[schemars(range(min = 0))]
    pub tau: f64,
}

impl Scenario {
    /// Whether `jobs.csv` is written.
    pub fn writes_jobs(&self) -> bool {
        self.output.jobs.unwrap_or(self.coalition.is_none())
    }

    /// Whether any file of records is written.
    pub fn writes_records(&self) -> bool {
        let Output { decisions, rounds, moves, .. } = self.output;
        let is_shared = self.coalition.is_some();
        self.writes_jobs() || if is_shared { rounds || moves } else { decisions }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // what serde asks for
fn is_false(truth: &bool) -> bool {
    !truth
}

impl Default for Output {
    fn default() -> Output {
        Output {
            jobs: None,
            decisions: false,
            histograms: true,
            timeline: true,
            windows: None,
            rounds: true,
            moves: false,
            everyone_in: true,
            alternatives: true,
            rotate: None,
            compress: false,
            warm_up: WarmUp::default(),
            cool_down: 0.0,
            tau: 10.0,
        }
    }
}

/// Which jobs of the beginning are simulated but not counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WarmUp {
    /// Those submitted before this time.
    Fixed(#[schemars(range(min = 0))] f64),
    /// Those that MSER-5 cuts off the flow times of the whole grid, in the order in which jobs end:
    /// every replication is run twice, first to find the cut.
    #[serde(rename = "mser_5")]
    Mser5 {},
}

impl Default for WarmUp {
    fn default() -> WarmUp {
        WarmUp::Fixed(0.0)
    }
}

/// `[[organization]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Organization {
    /// Its name; several of them with one entry are called `name-1`, `name-2`, ...
    pub name: String,
    /// How many such organizations there are.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub count: u32,
    /// Its own cluster, which has its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterKind>,
    /// The jobs that it brings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workload: Option<Workload>,
    /// The clusters that its jobs may use, by name; its own where nothing is said, and all clusters
    /// for an organization that has none. Each job goes to the one that admits it and has the least
    /// demand for its processors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    pub uses: Option<Vec<String>>,
    /// How it decides, before every round of a coalition, whether and how far it takes part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learner: Option<LearnerOptions>,
    /// The first round in which it is there, with its cluster and its jobs; rounds are numbered
    /// from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_round: Option<u64>,
    /// The last round in which it is there; it stays where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_round: Option<u64>,
}

fn one() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)] // what serde asks for
fn is_one(number: &u32) -> bool {
    *number == 1
}

/// `[[cluster]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cluster {
    /// Its name; several with one entry are called `name-1`, `name-2`, ...
    pub name: String,
    /// The organization that owns it.
    pub owner: String,
    /// How many such clusters there are.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub count: u32,
    /// What kind of cluster it is.
    pub kind: ClusterKind,
}

/// What kind of cluster it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClusterKind {
    /// Jobs hold their processors until they end; a scheduler decides which starts.
    SpaceShared(SpaceShared),
    /// One job at a time, in the order of submission, at unit speed.
    TimeShared(TimeShared),
}

/// `time_shared = { ... }`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TimeShared {
    /// How many processors share the work of a job, in a coalition: one that runs for p on q
    /// processors is a load of p q / processors. The jobs may have no more of them.
    #[serde(skip_serializing_if = "is_one")]
    #[schemars(range(min = 1))]
    pub processors: u32,
}

impl Default for TimeShared {
    fn default() -> TimeShared {
        TimeShared { processors: 1 }
    }
}

/// `space_shared = { ... }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SpaceShared {
    /// How many processors it has.
    #[schemars(range(min = 1))]
    pub processors: u32,
    /// Which waiting job starts.
    pub scheduler: LocalOptions,
    /// Whether a job is killed when it has run for its estimate.
    #[serde(default)]
    pub kill_at_estimate: bool,
}

/// `workload = { ... }` of an organization: where its jobs come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Workload {
    /// A trace in the Standard Workload Format.
    Swf(Swf),
    /// Jobs drawn from distributions.
    Synthetic(SyntheticOptions),
    /// Jobs of a statistical model of parallel machines, with a daily cycle.
    LublinFeitelson(LublinFeitelsonOptions),
    /// Jobs listed in a CSV file.
    Jobs(JobsFile),
}

/// `[workload]`: jobs of many organizations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GridWorkload {
    /// A trace whose users or groups become organizations.
    Swf(SharedSwf),
    /// Jobs listed in a CSV file, whose column `organization` says whose they are.
    Jobs(JobsFile),
    /// One stream of drawn jobs, whose owners are drawn among all organizations of the scenario.
    Shared(SharedJobs),
}

/// `shared = { ... }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SharedJobs {
    /// Where the jobs come from.
    pub source: SharedSource,
    /// Whose each of them is.
    #[serde(default)]
    pub owners: DrawnOwners,
}

/// Where the jobs of a shared stream come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SharedSource {
    /// Jobs drawn from distributions.
    Synthetic(SyntheticOptions),
    /// Jobs of the Lublin-Feitelson model.
    LublinFeitelson(LublinFeitelsonOptions),
}

/// `swf = { ... }` of an organization.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Swf {
    /// The trace, plain or gzip; relative to the scenario file.
    pub file: PathBuf,
    /// Which lines become jobs, and how.
    #[serde(default)]
    pub import: swf::Options,
}

/// `swf = { ... }` of a grid-wide workload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SharedSwf {
    /// The trace, plain or gzip; relative to the scenario file.
    pub file: PathBuf,
    /// Which lines become jobs, and how.
    #[serde(default)]
    pub import: swf::Options,
    /// Who the organizations are.
    pub owners: Owners,
}

/// `jobs = { ... }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobsFile {
    /// A CSV file with a header of `submit`, `runtime`, `processors` and, where wanted, `id`,
    /// `organization`, `estimate`, `user`; relative to the scenario file.
    pub file: PathBuf,
}

/// `[[job]]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Whose it is.
    pub organization: String,
    /// When it is submitted.
    #[schemars(range(min = 0))]
    pub submit: f64,
    /// How long it runs.
    #[schemars(range(min = 0))]
    pub runtime: f64,
    /// How many processors it needs.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    pub processors: u32,
    /// How long its user says it runs; its runtime where nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub estimate: Option<f64>,
    /// The number of its user.
    #[serde(default)]
    pub user: u32,
}
