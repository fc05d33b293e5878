//! Several plans as one world: in every replication each of them plays the same draws, so that they
//! can be compared pair by pair.

use super::any::{AnyFindings, AnyHead, AnyOutcome, AnyReplica, AnyWorld};
use super::error::RunError;
use super::pulse::Pulse;
use super::world::{NewReplication, Replica, RunContext, Runnable, Seen, Sheets};
use findings::Findings as _;
use findings::compared::Compared;
use findings::measure::{JUDGED, Measure};
use findings::target::Precision;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::Span;
use report::comparison::{ArmReport, ComparisonReport};
use report::grid::loads::differs;
use report::world::Report;
use scenario::plan::{Applications, Plan, Workload, WorkloadKind, World};

/// One of the plans that are compared.
#[derive(Clone, Debug)]
pub struct Arm {
    /// Its name in files and words.
    pub name: String,
    /// Its plan.
    pub plan: Plan,
}

/// An error that makes plans impossible to compare.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotComparable {
    /// There is only one.
    #[error("there is nothing to compare: give two scenarios or more, or vary a key")]
    One,
    /// Two are the same.
    #[error("`{0}` and `{1}` are the same: they would give the same results")]
    Alike(String, String),
    /// Their seeds differ.
    #[error("`{0}` has seed {2}, and `{1}` has seed {3}: they would draw other jobs")]
    Seeds(String, String, u64, u64),
    /// They are of different worlds.
    #[error("`{0}` and `{1}` have no figures in common")]
    Worlds(String, String),
}

/// Several plans on the same draws.
pub struct Versus<'a> {
    arms: Vec<(&'a Arm, AnyWorld<'a>)>,
    /// The plan that is run: the base, with the replications and precision of the comparison.
    joint: &'a Plan,
    judged: Vec<&'static Measure>,
}

/// Settings of a comparison besides its plans.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question {
    /// Number of replications, or their maximum with a precision. `None`: the most that a plan asks
    /// for, and [`REPLICATIONS`] if each asks for one. Plans that draw nothing are run once.
    pub replications: Option<u32>,
    /// The precision of the differences that ends it.
    pub precision: Option<Precision>,
    /// The measures that are judged; [`JUDGED`] if none is named.
    pub measures: Vec<&'static Measure>,
}

/// A week of seconds.
const WEEK: Span = Span::units(7 * 24 * 3600);

/// Number of replications where neither a plan nor the user asks for several.
pub const REPLICATIONS: u32 = 20;

/// The plan of a comparison: that of its base, with a digest of all that is asked. Its arms get the
/// output of a comparison, which writes no records.
///
/// # Errors
/// Fails if the plans cannot be compared.
pub fn joint(arms: &mut [Arm], question: &Question) -> Result<Plan, NotComparable> {
    let [base, _, ..] = &*arms else { return Err(NotComparable::One) };
    for (at, one) in arms.iter().enumerate() {
        let names = |other: &Arm| (other.name.clone(), one.name.clone());
        if let Some(other) = arms[..at].iter().find(|other| other.plan.digest == one.plan.digest) {
            let (other, one) = names(other);
            return Err(NotComparable::Alike(other, one));
        }
        let (other, name) = names(base);
        if one.plan.seed != base.plan.seed {
            return Err(NotComparable::Seeds(other, name, base.plan.seed, one.plan.seed));
        }
        if world(&one.plan) != world(&base.plan) {
            return Err(NotComparable::Worlds(other, name));
        }
    }
    let mut plan = base.plan.clone();
    let most = arms.iter().map(|arm| arm.plan.replications).max().unwrap_or(1);
    plan.replications = match question.replications {
        _ if !arms.iter().any(|arm| is_drawn(&arm.plan)) => 1,
        Some(asked) => asked,
        None if most == 1 => REPLICATIONS,
        None => most,
    };
    plan.precision.clone_from(&question.precision);
    plan.lineage = digest(arms, |plan| &plan.lineage, "");
    let judged: Vec<&str> = question.measures.iter().map(|measure| measure.name).collect();
    let asked = format!("{} {:?} {judged:?}", plan.replications, question.precision);
    plan.digest = digest(arms, |plan| &plan.digest, &asked);
    plan.changes.clear();
    silent(&mut plan);
    for Arm { plan: own, .. } in arms {
        own.precision = None;
        own.replications = plan.replications;
        single(own);
    }
    Ok(plan)
}

/// Makes a plan one of several that are run together: it writes no records. Its timeline warns of queues
/// that grow.
fn silent(plan: &mut Plan) {
    let output = &mut plan.output;
    output.jobs = Some(false);
    (output.decisions, output.plans) = (false, false);
    (output.rounds, output.moves) = (false, false);
    (output.welch, output.windows) = (false, None);
    (output.everyone_in, output.alternatives) = (false, false);
}

/// Makes a plan one of several that are run together. It writes no records; of a single replication
/// batches tell the error, and it is compared week by week, where a week is known.
pub(super) fn single(plan: &mut Plan) {
    silent(plan);
    let is_one = plan.replications == 1;
    plan.counting.batches = is_one;
    // A list that is longer than some weeks of units is taken to tell seconds, as logs do.
    let is_list = |workload: &Workload| matches!(workload.kind, WorkloadKind::List(_));
    let has_seconds = plan.counts_seconds() || plan.workloads.iter().any(is_list);
    let has_weeks = is_one && plan.is_grid() && has_seconds;
    let survey = plan.workloads.iter().find_map(|workload| workload.kind.survey());
    let factor = survey.map(|survey| survey.options().compressed());
    plan.counting.weeks = has_weeks.then(|| week(factor.unwrap_or(1.0)));
}

/// A week of the log of a trace whose times are divided by this factor, so that it has the same jobs
/// however the load is scaled.
pub(super) fn week(factor: f64) -> Span {
    Span::from_units(WEEK.as_units() / factor).unwrap_or(WEEK)
}

/// A digest of all arms with their names, and of a text.
fn digest(arms: &[Arm], part: fn(&Plan) -> &str, text: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    let parts = arms.iter().flat_map(|arm| [&*arm.name, part(&arm.plan)]);
    for text in parts.chain([text]) {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// True if anything in the plan is drawn, so that its replications differ.
fn is_drawn(plan: &Plan) -> bool {
    match &plan.world {
        World::Grid => differs(plan).contains(&true),
        World::Campaign(campaign) => matches!(campaign.applications, Applications::Drawn(..)),
        World::Coalition(_) | World::Game(_) | World::Solved(_) => true,
    }
}

/// Name of a plan's world.
fn world(plan: &Plan) -> &'static str {
    match &plan.world {
        World::Grid => "grid",
        World::Coalition(_) => "coalition",
        World::Campaign(_) => "campaign",
        World::Game(game) if game.dynamics.is_some() => "dynamics",
        World::Game(_) | World::Solved(_) => "game",
    }
}

impl<'a> Versus<'a> {
    /// The world of a comparison; `joint` is its [plan](joint).
    ///
    /// # Errors
    /// Fails if a plan cannot be run.
    pub fn new(
        arms: &'a [Arm],
        joint: &'a Plan,
        question: &Question,
    ) -> Result<Versus<'a>, RunError> {
        let worlds = arms.iter().map(|arm| Ok((arm, AnyWorld::of(&arm.plan)?)));
        let arms = worlds.collect::<Result<Vec<_>, RunError>>()?;
        let judged = match &question.measures[..] {
            [] => JUDGED.iter().map(|metric| metric.measure()).collect(),
            some => some.to_vec(),
        };
        Ok(Versus { arms, joint, judged })
    }
}

impl Runnable for Versus<'_> {
    type Replica<'a>
        = ArmsReplica<'a>
    where
        Self: 'a;
    type Head = Vec<AnyHead>;
    type Outcome = Vec<AnyOutcome>;
    type Findings = Compared<AnyFindings>;

    fn prepare(&self, context: &RunContext<'_>) -> Result<(), RunError> {
        let context = RunContext { session: None, ..*context };
        self.arms.iter().try_for_each(|(_, world)| world.prepare(&context))
    }

    fn begin<'a>(
        &'a self,
        new: NewReplication<'_>,
        head: Option<&Vec<AnyHead>>,
    ) -> Result<ArmsReplica<'a>, RunError> {
        let context = RunContext { session: None, ..*new.context };
        let begun = self.arms.iter().enumerate().map(|(at, (_, world))| {
            // An arm writes no records, and what its first runs find is found again.
            let new = NewReplication { number: new.number, sheets: Vec::new(), context: &context };
            world.begin(new, head.and_then(|head| head.get(at)))
        });
        Ok(ArmsReplica { arms: begun.collect::<Result<_, RunError>>()?, at: 0 })
    }

    fn passes(
        &self,
        head: &Vec<AnyHead>,
        number: u32,
        context: &RunContext<'_>,
    ) -> Result<bool, RunError> {
        let context = RunContext { session: None, ..*context };
        if head.len() != self.arms.len() {
            return Ok(false);
        }
        let mut arms = self.arms.iter().zip(head);
        arms.try_fold(true, |all, ((_, world), head)| {
            Ok(all && world.passes(head, number, &context)?)
        })
    }

    fn findings(&self) -> Compared<AnyFindings> {
        let found: Vec<_> = self.arms.iter().map(|(_, world)| world.findings()).collect();
        let names = self.arms.iter().map(|(arm, _)| arm.name.clone()).collect();
        Compared::new(names, found, self.joint.seed, self.judged.clone())
    }

    fn add(&self, findings: &mut Compared<AnyFindings>, outcome: Vec<AnyOutcome>) {
        for (((_, world), found), outcome) in self.arms.iter().zip(&mut findings.arms).zip(outcome)
        {
            world.add(found, outcome);
        }
        findings.sample_mut().end_replication();
    }

    fn name(&self) -> &'static str {
        "comparison"
    }

    fn report<'a>(&'a self, findings: &'a Compared<AnyFindings>) -> Box<dyn Report + 'a> {
        let arms = self.arms.iter().zip(&findings.arms);
        let reports = arms.map(|((arm, world), found)| ArmReport {
            name: &arm.name,
            plan: &arm.plan,
            report: world.report(found),
        });
        let reports = reports.collect();
        Box::new(ComparisonReport::new(self.joint, reports, findings))
    }
}

/// A replication of every plan, one after the other.
pub struct ArmsReplica<'a> {
    arms: Vec<AnyReplica<'a>>,
    /// The one that is being played.
    at: usize,
}

impl State for ArmsReplica<'_> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(self.at as u64), out);
        self.arms.iter().for_each(|arm| arm.save(out));
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let at: u64 = take(from)?;
        self.at = (at as usize).min(self.arms.len());
        self.arms.iter_mut().try_for_each(|arm| arm.load(from))
    }
}

impl Replica for ArmsReplica<'_> {
    type Head = Vec<AnyHead>;
    type Outcome = Vec<AnyOutcome>;

    fn finish(self) -> Result<(Vec<AnyOutcome>, Sheets), RunError> {
        let outcomes = self.arms.into_iter().map(|arm| Ok(arm.finish()?.0));
        Ok((outcomes.collect::<Result<_, RunError>>()?, Vec::new()))
    }

    fn head(&self) -> Vec<AnyHead> {
        self.arms.iter().map(Replica::head).collect()
    }

    fn rank(head: &Vec<AnyHead>) -> u64 {
        head.iter().map(AnyReplica::rank).fold(0, u64::saturating_add)
    }

    fn advance(&mut self, instants: u64) -> Result<bool, RunError> {
        if let Some(arm) = self.arms.get_mut(self.at)
            && !arm.advance(instants)?
        {
            self.at += 1;
        }
        Ok(self.at < self.arms.len())
    }

    fn seen(&self) -> Seen {
        self.arms.iter().map(Replica::seen).fold(Seen::default(), |all, one| Seen {
            jobs: all.jobs + one.jobs,
            over: all.over + one.over,
            rounds: all.rounds + one.rounds,
            ticks: all.ticks.saturating_add(one.ticks),
            wakes: all.wakes + one.wakes,
        })
    }

    fn resumed(&mut self, head: &Vec<AnyHead>) {
        self.arms.iter_mut().zip(head).for_each(|(arm, head)| arm.resumed(head));
    }

    fn pulse(&self) -> Pulse {
        self.arms[self.at.min(self.arms.len() - 1)].pulse()
    }
}
