//! The traits that are not in the library yet, in the shape that the miniatures found.

#![allow(dead_code, reason = "a shape is whole; the miniatures need a part of it")]

use gridpact::kernel::state::State;
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::{ClusterId, JobId, OrganizationId};
use gridpact::model::view::View;
use serde::{Deserialize, Serialize};

// ---- the grid
// -------------------------------------------------------------------------------------

/// Decision of a grid scheduler about a waiting job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// It starts now.
    Start { job: JobId, cluster: ClusterId },
    /// It is handed to the cluster's own scheduler, where it arrives after `delay`.
    Send { job: JobId, cluster: ClusterId, delay: Span },
}

/// Decides across clusters, online.
pub trait GridScheduler: State {
    /// View of a job.
    type Sees: View;

    /// A job came and waits.
    fn submit(&mut self, job: Self::Sees, now: Time);

    /// A cluster now has `idle` processors. Called for every cluster before anything else happens,
    /// then once an instant for each cluster where jobs ended; what the scheduler itself starts it
    /// subtracts itself.
    fn freed(&mut self, cluster: ClusterId, idle: u32, now: Time);

    /// Pushes what is done with waiting jobs now; they are no longer the scheduler's to remember.
    fn decide(&mut self, now: Time, out: &mut Vec<Placement>);
}

// ---- plans
// ----------------------------------------------------------------------------------------

/// When a planner is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// When the first jobs came, and never again.
    Once,
    /// When jobs wait and everything planned before has ended.
    Batch,
    /// At every multiple of a span.
    Every(Span),
    /// At every instant with an arrival.
    OnArrival,
}

/// A cluster as a planner sees it.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    pub owner: OrganizationId,
    pub processors: u32,
}

/// A job to be planned and the only cluster where it may run, if there is just one.
#[derive(Clone, Copy, Debug)]
pub struct Known<V> {
    pub job: V,
    pub bound: Option<ClusterId>,
}

/// Input of a planner.
pub struct Problem<'a, V> {
    pub now: Time,
    pub organizations: usize,
    pub clusters: &'a [Site],
    pub jobs: &'a [Known<V>],
}

/// One job of a plan. A world that plays by order keeps the order of a cluster's steps and lets
/// each start as soon as it can; one that plays by time keeps `start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub job: JobId,
    pub cluster: ClusterId,
    pub start: Time,
}

/// Candidate plans, flat: a walk may give hundreds.
#[derive(Clone, Debug, Default)]
pub struct Plans {
    steps: Vec<Step>,
    ends: Vec<usize>,
}

impl Plans {
    pub fn clear(&mut self) {
        self.steps.clear();
        self.ends.clear();
    }
    /// Adds a step to the candidate being written.
    pub fn push(&mut self, step: Step) {
        self.steps.push(step);
    }
    /// Ends the candidate being written.
    pub fn close(&mut self) {
        self.ends.push(self.steps.len());
    }
    pub fn len(&self) -> usize {
        self.ends.len()
    }
    pub fn get(&self, candidate: usize) -> &[Step] {
        let from = if candidate == 0 { 0 } else { self.ends[candidate - 1] };
        &self.steps[from..self.ends[candidate]]
    }
}

/// Proposes schedules of known jobs; which candidate is played is the scenario's choice.
pub trait Planner: State {
    /// View of a job.
    type Sees: View;
    fn trigger(&self) -> Trigger;
    fn plan(&mut self, problem: &Problem<'_, Self::Sees>, out: &mut Plans);
}

// ---- campaigns
// ------------------------------------------------------------------------------------

/// A ready activity class.
#[derive(Clone, Copy, Debug)]
pub struct Ready {
    pub class: usize,
    /// Tasks not yet done; a fraction where the campaign is played as a fluid.
    pub remaining: f64,
}

/// Input of a task planner.
pub struct TaskProblem<'a> {
    pub now: Time,
    /// Processors by site.
    pub processors: &'a [u32],
    /// Expected time to compute a task: by class, then by site.
    pub etc: &'a [Vec<Span>],
    /// The classes whose predecessors are complete, in their order.
    pub ready: &'a [Ready],
}

/// So many processors of a site work for a class until the next plan.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    pub class: usize,
    pub site: usize,
    pub processors: f64,
}

/// So many tasks of a class join the end of a site's one queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskRun {
    pub class: usize,
    pub site: usize,
    pub count: u64,
}

/// Output of a task planner: shares (games) or runs (list heuristics).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TaskPlan {
    pub shares: Vec<Share>,
    pub runs: Vec<TaskRun>,
}

/// When a task planner is asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replan {
    /// When a class completes, and of course when an application arrives.
    ClassCompletes,
    /// Only when classes become ready that this plan did not cover.
    ClassReady,
}

/// Distributes the tasks of the ready classes; `out` is empty when it is called.
pub trait TaskPlanner: State {
    fn plan(&mut self, problem: &TaskProblem<'_>, out: &mut TaskPlan) -> Replan;
}
