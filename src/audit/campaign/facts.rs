//! The facts that campaigns are checked by: plain records of what was to be done and what ran.

use serde::Serialize;

use kernel::time::{Span, Time};

/// Number of things that running tasks hold: storage and memory.
pub const HELD: usize = 2;
/// These things in words.
pub(super) const HELD_WORDS: [&str; HELD] = ["units of storage", "units of memory"];

/// Executor of the tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Each task on one processor, without interruption.
    Whole,
    /// Classes have shares of processors, and tasks are divisible.
    Fluid,
}

/// The parts that all replications have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldFacts {
    /// Names of the organizations.
    pub organizations: Vec<String>,
    /// The sites.
    pub sites: Vec<SiteFacts>,
    /// Executor of the tasks.
    pub mode: Mode,
    /// True if files stay until their application is done, false if they are deleted as soon as every
    /// class that waits for theirs is done.
    pub keeps_files: bool,
    /// True if a task costs what it would cost by use at the cheapest other site where it can run, and
    /// at least what it costs by use. False if it costs the latter.
    pub second_price: bool,
    /// The games that its planner may play, if it plays any.
    pub games: Vec<GameFacts>,
}

/// Rules of a game, or of a search, that a planner plays in stages.
#[derive(Clone, Debug, PartialEq)]
pub struct GameFacts {
    /// The game goes by the cost, and by times otherwise.
    pub by_cost: bool,
    /// Its makespan never rises: a search keeps the best plan.
    pub never_rises: bool,
    /// It ends with a stage, from the second on, in which the cost, or the sum of all times, falls by at
    /// most this much; `None` if another rule ends it.
    pub epsilon: Option<f64>,
    /// It ends with this stage at the latest.
    pub most: u32,
    /// The plan is that of the last stage, and tasks take the times that the planner expects.
    pub is_played: bool,
}

/// A site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFacts {
    /// Its name.
    pub name: String,
    /// Its processors.
    pub processors: u64,
    /// Price of a processor for one unit of time, in millionths.
    pub price: i64,
    /// Limit of each resource for all running tasks together, in millionths; `None` without
    /// limit.
    pub limits: [Option<i64>; HELD],
}

/// A campaign: one replication.
#[derive(Clone, Debug, PartialEq)]
pub struct CampaignFacts {
    /// The replication.
    pub replication: u32,
    /// The applications.
    pub applications: Vec<ApplicationFacts>,
    /// The classes; each stands behind those that it waits for.
    pub classes: Vec<ClassFacts>,
    /// All runs, in any order.
    pub runs: Vec<RunFacts>,
    /// Stages of games, by plan and stage.
    pub stages: Vec<StageFacts>,
    /// Time at which the replication ended; later events need not be stated. `None` if it ended with
    /// the last one.
    pub end: Option<Time>,
    /// Stated costs of organizations, as those of applications; `None` if not known.
    pub costs: Option<Vec<i128>>,
    /// Stated figures; `None` if not known.
    pub figures: Option<Figures>,
}

/// An application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApplicationFacts {
    /// Its name.
    pub name: String,
    /// The organization that owns it, by index.
    pub owner: usize,
    /// Its submission.
    pub submit: Time,
    /// Its deadline.
    pub deadline: Option<Time>,
    /// Stated finish; `None` if it did not finish.
    pub finish: Option<Time>,
    /// Stated cost: by use, sum of price times processors times ticks over its runs, in millionths times
    /// ticks, that is, 10^-12 of the unit of prices. `None` if not known.
    pub cost: Option<i128>,
}

/// A class of identical tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassFacts {
    /// Its name.
    pub name: String,
    /// Its application, by index.
    pub application: usize,
    /// Number of its tasks.
    pub tasks: u64,
    /// The classes that must finish before it starts, by index.
    pub after: Vec<usize>,
    /// Amount of each resource that a running task holds, in millionths.
    pub needs: [i64; HELD],
    /// Storage of the files that a task leaves at its site, taken from its start, in millionths.
    pub output: i64,
    /// Time of a task by site; `None` where it cannot or must not run.
    pub times: Vec<Option<Span>>,
    /// Stated time at which it could start.
    pub ready: Option<Time>,
    /// Stated start of its first run.
    pub start: Option<Time>,
    /// Stated finish.
    pub finish: Option<Time>,
    /// Finish that its first plan expected; `None` if it is played as a fluid.
    pub expected: Option<Time>,
}

/// A stretch of time in which tasks of a class run on a site.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunFacts {
    /// The class, by index.
    pub class: usize,
    /// The site, by index.
    pub site: usize,
    /// Processors in use; a whole number if tasks are whole, otherwise a share.
    pub processors: f64,
    /// Tasks done, on all these processors together. If tasks are whole, each processor does as many,
    /// one after the other.
    pub tasks: f64,
    /// Start.
    pub start: Time,
    /// Finish; later than the start, unless a share does less than a tick's worth.
    pub finish: Time,
}

/// A stage of a game behind a plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageFacts {
    /// Number of the plan in its replication.
    pub plan: u64,
    /// Time of the plan.
    pub time: Time,
    /// The stage, from 1; 0 is the placement before the first one.
    pub stage: u32,
    /// Sum of the times of all classes, in units of time.
    pub total_time: Option<f64>,
    /// Longest of these times.
    pub makespan: Option<f64>,
    /// Price of all tasks, if the game goes by it.
    pub cost: Option<f64>,
}

impl CampaignFacts {
    /// The class as a person calls it.
    pub(super) fn called(&self, class: usize) -> String {
        let ClassFacts { name, application, .. } = &self.classes[class];
        format!("class {name} of application {}", self.applications[*application].name)
    }
}

/// Figures of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Time from the first submission to the last finish; `None` if something has not finished.
    pub makespan: Option<Span>,
    /// Mean time from the submission to the finish of the finished applications, in units; `None` if
    /// there are none.
    pub mean_flow: Option<f64>,
    /// Jain's index of the finished classes' times from submission to finish: the square of their sum
    /// over their number times the sum of their squares (Duan, Prodan and Li 2014, equation 10, with
    /// classes for applications). 1 if all are equal; `None` if there are none or all are zero.
    pub fairness: Option<f64>,
    /// Total absolute error of the finish times that first plans expected of the finished classes, as a
    /// share of their expected times from submission to finish; `None` without such a plan.
    pub prediction_error: Option<f64>,
    /// Applications that finished after their deadline, or had not finished by then.
    pub late: u64,
    /// Largest storage that files of finished tasks take at a time, at all sites, in millionths.
    pub footprint: i128,
}
