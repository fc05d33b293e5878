//! The traits that are not in the library yet, in the shape that the miniatures found.

#![allow(dead_code, reason = "a shape is whole; the miniatures need a part of it")]

use gridpact::kernel::rng::Rng;
use gridpact::kernel::state::State;
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::{ClusterId, JobId, OrganizationId};
use gridpact::model::view::View;
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

// ---- the grid
// -------------------------------------------------------------------------------------

/// What a grid scheduler does with a waiting job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// It starts now.
    Start { job: JobId, cluster: ClusterId },
    /// It is handed to the cluster's own scheduler, where it arrives after `delay`.
    Send { job: JobId, cluster: ClusterId, delay: Span },
}

/// Decides across clusters, online.
pub trait GridScheduler: State {
    /// What it sees of a job.
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

/// What a planner is asked.
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
    /// What it sees of a job.
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

/// What a task planner is asked.
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

/// What a task planner answers: shares (games) or runs (list heuristics).
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

// ---- pools
// ----------------------------------------------------------------------------------------

/// A member of the coalition as the balancer sees it.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    pub cluster: ClusterId,
    /// Remaining work of its own jobs: all that may be sent.
    pub local: Span,
    /// Remaining work of others' jobs.
    pub foreign: Span,
    /// The most foreign work that it declared to accept.
    pub level: Option<Span>,
}

/// Work taken from the tail of one member's own queue and appended to another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub from: ClusterId,
    pub to: ClusterId,
    pub amount: Span,
    /// A job that had a part sent completes no earlier than the end promised for each of its parts.
    pub promised: Time,
}

/// When the balancer is asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NextBalance {
    At(Time),
    /// With the next arrival at a member.
    Arrival,
}

/// Moves load between coalition members. `unit` is the indivisible amount (one tick or one whole
/// unit); every load is a multiple of it.
pub trait Balancer: State {
    fn balance(
        &mut self,
        now: Time,
        unit: Span,
        members: &[Member],
        out: &mut Vec<Move>,
    ) -> NextBalance;
}

// ---- the repeated game
// ----------------------------------------------------------------------------

/// An action: a number to the learner, a standing rule to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Act {
    /// An entry of the player's menu.
    Choose(u32),
    /// A point of the player's range.
    Level(Span),
}

/// What a player may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actions {
    /// `Choose(0)` to `Choose(count - 1)`; `out` says which of them is staying out, if one is.
    Menu { count: u32, out: Option<u32> },
    /// `Level(least)` to `Level(most)`.
    Range { least: Span, most: Span },
}

/// Which counterfactuals somebody asks for; what nobody asks for is not computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wanted {
    /// "Had I stayed out", when in.
    pub stayed_out: bool,
    /// Every other entry of the own menu, whatever was played.
    pub instead: bool,
}

/// What came of a round, for all players.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    pub acts: Vec<Act>,
    pub payoffs: Vec<f64>,
    /// By player: had it stayed out. `None` where it did, or nobody wanted to know.
    pub stayed_out: Vec<Option<f64>>,
    /// By player, then by entry of its menu; empty where nobody wanted to know.
    pub instead: Vec<Vec<f64>>,
}

/// What is played in a round. A round may be long, so it is begun, advanced and read: between two
/// calls of `advance` the state can be saved, in the middle of a round too.
pub trait StageGame: State {
    /// What can go wrong outside the model.
    type Error: std::fmt::Debug;

    fn players(&self) -> usize;
    fn actions(&self, player: usize) -> Actions;

    /// Begins a round; `wanted` by player. Depends on its arguments only, not on earlier rounds, if
    /// rounds are independent.
    fn begin(&mut self, round: u64, profile: &[Act], wanted: &[Wanted]) -> Result<(), Self::Error>;

    /// Plays on for one instant; false when the round is over. A table has nothing to play.
    fn advance(&mut self) -> Result<bool, Self::Error> {
        Ok(false)
    }

    /// What came of it; the round is over.
    fn outcome(&mut self, out: &mut Outcome) -> Result<(), Self::Error>;
}

/// An information label: what of an outcome a learner may see.
pub trait Info: Copy {
    /// What has to be computed for it.
    const WANTED: Wanted;
}
/// A label that knows what staying out would have brought.
pub trait KnowsStayedOut: Info {}
/// A label that knows what each own action would have brought.
pub trait KnowsInstead: KnowsStayedOut {}
/// A label that knows who did what.
pub trait KnowsActs: Info {}

/// The own payoff of the action played.
#[derive(Clone, Copy, Debug)]
pub struct OwnPayoff;
impl Info for OwnPayoff {
    const WANTED: Wanted = Wanted { stayed_out: false, instead: false };
}

/// That, and when in: what staying out would have brought (one-sided, as in practice).
#[derive(Clone, Copy, Debug)]
pub struct OwnAndOut;
impl Info for OwnAndOut {
    const WANTED: Wanted = Wanted { stayed_out: true, instead: false };
}
impl KnowsStayedOut for OwnAndOut {}

/// That, and the payoff of each own action.
#[derive(Clone, Copy, Debug)]
pub struct OwnEach;
impl Info for OwnEach {
    const WANTED: Wanted = Wanted { stayed_out: true, instead: true };
}
impl KnowsStayedOut for OwnEach {}
impl KnowsInstead for OwnEach {}

/// That, and who did what.
#[derive(Clone, Copy, Debug)]
pub struct Everyone;
impl Info for Everyone {
    const WANTED: Wanted = OwnEach::WANTED;
}
impl KnowsStayedOut for Everyone {}
impl KnowsInstead for Everyone {}
impl KnowsActs for Everyone {}

/// An outcome through the eyes of one player under one label: what the label does not know has no
/// method here.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a, I> {
    outcome: &'a Outcome,
    me: usize,
    label: PhantomData<I>,
}

impl<'a, I: Info> Seen<'a, I> {
    /// Cuts an outcome down to the label.
    pub fn cut(outcome: &'a Outcome, me: usize) -> Seen<'a, I> {
        Seen { outcome, me, label: PhantomData }
    }
    pub fn act(&self) -> Act {
        self.outcome.acts[self.me]
    }
    pub fn payoff(&self) -> f64 {
        self.outcome.payoffs[self.me]
    }
}

impl<I: KnowsStayedOut> Seen<'_, I> {
    /// What staying out would have brought; `None` to who stayed out.
    pub fn stayed_out(&self) -> Option<f64> {
        self.outcome.stayed_out[self.me]
    }
}

impl<I: KnowsInstead> Seen<'_, I> {
    /// What each entry of the own menu would have brought, all others doing what they did.
    pub fn instead(&self) -> &[f64] {
        &self.outcome.instead[self.me]
    }
}

impl<I: KnowsActs> Seen<'_, I> {
    pub fn acts(&self) -> &[Act] {
        &self.outcome.acts
    }
}

/// Decides whether and how far an organization takes part. It draws from a stream of its own, named
/// for the round and the purpose, so that no generator has to be saved.
pub trait Learner: State {
    /// Its information label.
    type Sees: Info;
    fn act(&mut self, actions: Actions, rng: &mut Rng) -> Act;
    fn learn(&mut self, seen: Seen<'_, Self::Sees>, rng: &mut Rng);
}

/// A learner whose label is forgotten, so that players with different labels sit at one table:
/// every learner is one, and so is the enum of all registered learners.
pub trait Player: State {
    fn wanted(&self) -> Wanted;
    fn decide(&mut self, actions: Actions, rng: &mut Rng) -> Act;
    fn observe(&mut self, outcome: &Outcome, me: usize, rng: &mut Rng);
}

impl<L: Learner> Player for L {
    fn wanted(&self) -> Wanted {
        L::Sees::WANTED
    }
    fn decide(&mut self, actions: Actions, rng: &mut Rng) -> Act {
        self.act(actions, rng)
    }
    fn observe(&mut self, outcome: &Outcome, me: usize, rng: &mut Rng) {
        self.learn(Seen::cut(outcome, me), rng);
    }
}
