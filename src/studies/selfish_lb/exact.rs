//! Exact claims: rules recomputed from formulas, and jobs of small grids recomputed from records.
//!
//! The tests that the register names check them on far more instances.

use super::REGISTER;
use crate::bench::plan_of;
use crate::played::Record;
use crate::row::Row;
use crate::verdict::Verdict;
use crate::{Bench, StudyError};
use game::stage::{Act, Outcome, Terms};
use kernel::rng::{Rng, Streams};
use kernel::state::{Corrupt, State};
use kernel::time::{Span, Time};
use policy::coalition::averaging::{self, Averaging};
use policy::coalition::bilb::{self, Bilb};
use policy::coalition::{Balancer, Member, Move};
use policy::learn::{LearnerOptions, Player as _, Stance, level, ratio};
use run::coalition::{self, AnyStage};
use scenario::Overrides;
use sim::observer::Observer;
use sim::pool::{Balanced, Done, PoolObserver, turn};
use sim::repeated::{Played, RoundObserver};
use workload::draw::{below, fraction};

/// Number of rounds that are recomputed from records.
const ROUNDS: u64 = 4;
/// Number of random coalitions, and of random rounds of a learner.
const INSTANCES: u32 = 2000;

/// Jobs and balancings of a round.
#[derive(Clone, Debug, Default)]
struct Records {
    jobs: Vec<(usize, Done)>,
    /// Time of each balancing with the queue of each cluster after it; `None` for outsiders.
    balancings: Vec<(Time, Vec<Option<Span>>)>,
}

impl State for Records {
    fn save(&self, _: &mut Vec<u8>) {}
    fn load(&mut self, _: &mut &[u8]) -> Result<(), Corrupt> {
        Ok(())
    }
}

/// No federation is played.
impl Observer for Records {}

impl PoolObserver for Records {
    fn sees_balancings(&self) -> bool {
        true
    }

    fn began(&mut self, _: u64, _: Time) {
        self.jobs.clear();
        self.balancings.clear();
    }
    fn balanced(&mut self, balanced: Balanced<'_>) {
        let most = balanced.who.iter().max().map_or(0, |&who| who as usize + 1);
        let mut after = vec![None; most];
        for (&who, &load) in balanced.who.iter().zip(balanced.after) {
            after[who as usize] = Some(load);
        }
        self.balancings.push((balanced.now, after));
    }
    fn finished(&mut self, cluster: u32, done: &Done) {
        self.jobs.push((cluster as usize, *done));
    }
}

impl Records {
    /// Jobs of a cluster up to the last that counts, in order of arrival.
    ///
    /// `None` if a job is missing or reported twice.
    fn of(&self, cluster: usize) -> Option<Vec<Done>> {
        let mut own: Vec<Done> =
            self.jobs.iter().filter(|(who, _)| *who == cluster).map(|(_, done)| *done).collect();
        own.sort_unstable_by_key(|done| done.job.number);
        let last = own.iter().rposition(|done| done.job.counts)?;
        own.truncate(last + 1);
        let first = own.first()?.job.number;
        let is_whole = own.iter().zip(first..).all(|(done, number)| done.job.number == number);
        is_whole.then_some(own)
    }
}

/// Properties checked for a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Holds {
    /// Flow times, actual and stand-alone, match a first-come-first-served queue.
    flows: bool,
    /// No job ends after its promise.
    promises: bool,
    /// The promise equals the bound of section 4.2.
    bound: bool,
    /// Outsiders run only their own jobs and are in no balancing.
    outsiders: bool,
}

/// Recomputes a round from its records.
fn recomputed(balances: bool, game: &AnyStage<Records>) -> Option<Holds> {
    let records = game.observer();
    let mut holds = Holds { flows: true, promises: true, bound: true, outsiders: true };
    for (cluster, turn) in game.turns().enumerate() {
        let own = records.of(cluster)?;
        let mut balancings = records.balancings.iter().peekable();
        let (mut alone_end, mut queue_end) = (Time::ZERO, Time::ZERO);
        let (mut flow, mut alone) = (0, 0);
        let is_alone = !balances || !turn.act.is_in();
        for done in &own {
            let job = done.job;
            alone_end = alone_end.max(job.submit) + job.size;
            // Jobs that arrive at the time of a balancing are part of it.
            while let Some((now, after)) = balancings.next_if(|(now, _)| *now < job.submit) {
                if let Some(Some(load)) = after.get(cluster) {
                    queue_end = *now + *load;
                }
            }
            queue_end = queue_end.max(job.submit) + job.size;
            holds.promises &= done.finish <= job.promise;
            holds.bound &= job.promise == queue_end && done.finish <= queue_end;
            holds.flows &= job.alone == alone_end && (!is_alone || done.finish == alone_end);
            if job.counts {
                flow += i128::from((done.finish - job.submit).ticks());
                alone += i128::from((alone_end - job.submit).ticks());
            }
        }
        holds.flows &= (flow, alone) == (turn.flow, turn.alone);
        if !turn.act.is_in() {
            let is_named = |(_, after): &(Time, Vec<Option<Span>>)| {
                after.get(cluster).is_some_and(Option::is_some)
            };
            holds.outsiders &= (turn.sent, turn.received) == (0, 0) && turn.flow == turn.alone;
            holds.outsiders &= !records.balancings.iter().any(is_named);
        }
    }
    Some(holds)
}

/// Properties of each round.
#[derive(Debug, Default)]
struct Rounds {
    balances: bool,
    all: Vec<Option<Holds>>,
}

impl State for Rounds {
    fn save(&self, _: &mut Vec<u8>) {}
    fn load(&mut self, _: &mut &[u8]) -> Result<(), Corrupt> {
        Ok(())
    }
}

impl RoundObserver<AnyStage<Records>> for Rounds {
    fn played(&mut self, round: Played<'_, AnyStage<Records>>) {
        self.all.push(recomputed(self.balances, round.game));
    }
}

/// Recomputes rounds of five clusters without balancing, with averaging, with BILB and with an outsider.
pub(super) fn records(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let scenario = REGISTER.scenario("mixed")?;
    let failed = |error: run::RunError| StudyError(error.to_string());
    let mut rounds = Rounds::default();
    for changes in [
        &["coalition.balancer.none={}"][..],
        &[],
        &["balancer.bilb={unit=1}", "learner.fixed={probability=1,level=5}"],
        &["organization.overloaded.learner.never={}"],
    ] {
        let common = ["organization.typical.count=4", "run.until.rounds=4"];
        let set = common.iter().chain(changes).map(|&one| one.to_owned()).collect();
        let overrides = Overrides { seed: Some(bench.effort.seed), set };
        let plan = plan_of("mixed", scenario, &overrides)?;
        let rules = plan.coalition().expect("it is a coalition");
        let mut table = coalition::seated(&plan, rules, 0, Records::default()).map_err(failed)?;
        rounds.balances = !changes.contains(&"coalition.balancer.none={}");
        table.play(ROUNDS, &mut rounds).map_err(|error| StudyError(error.to_string()))?;
        bench.add_samples(ROUNDS);
    }
    let all = rounds.all;
    let row = |claim, place: &str, what: &str, of: fn(&Holds) -> bool| {
        Row::new(claim, place, what).holds(all.iter().all(|one| one.as_ref().is_some_and(of)))
    };
    Ok(vec![
        row(
            "LB-M-01",
            "3.1",
            "flow times match first-come-first-served queues (16 rounds)",
            |holds| holds.flows,
        ),
        row("LB-M-03", "3.1, 7", "no job ends later than promised (16 rounds)", |holds| {
            holds.promises
        }),
        row(
            "LB-M-04",
            "4.2",
            "each promised end is the queue after the last balancing plus the work that arrived since",
            |holds| holds.bound,
        ),
        row(
            "LB-M-06",
            "4.2",
            "a cluster that stays out runs only its own jobs and is never balanced",
            |holds| holds.outsiders,
        ),
    ])
}

/// Unit of the random loads: with up to eight members, all means are whole ticks.
const STEP: i64 = 840;

/// Loads of a random coalition.
fn loads(rng: &mut Rng, members: u64) -> Vec<i64> {
    let largest = [2, 10, 1000][below(rng, 3) as usize];
    (0..members).map(|_| STEP * below(rng, largest) as i64).collect()
}

/// Outcome of a balancing by member, and the span that the balancer returns.
///
/// For each member: work sent and received, its queue afterwards, and the end of its last own job.
struct Outcomes {
    sent: Vec<i64>,
    received: Vec<i64>,
    queues: Vec<i64>,
    ends: Vec<i64>,
    busy: i64,
}

fn balanced(balancer: &mut impl Balancer, loads: &[i64], levels: Option<&[i64]>) -> Outcomes {
    let member = |(index, &load): (usize, &i64)| Member {
        local: Span::from_ticks(load),
        foreign: Span::ZERO,
        level: levels.map(|levels| Span::from_ticks(levels[index])),
    };
    let members: Vec<Member> = loads.iter().enumerate().map(member).collect();
    let mut moves: Vec<Move> = Vec::new();
    let busy = balancer.balance(Time::ZERO, Span::TICK, &members, &mut moves).ticks();
    let zero = vec![0; loads.len()];
    let (mut sent, mut received) = (zero.clone(), zero.clone());
    let (mut queues, mut ends) = (loads.to_vec(), zero);
    for one in &moves {
        let (from, to, amount) = (one.from as usize, one.to as usize, one.amount.ticks());
        sent[from] += amount;
        received[to] += amount;
        queues[from] -= amount;
        queues[to] += amount;
        ends[from] = ends[from].max((one.promised - Time::ZERO).ticks());
    }
    for ((end, load), sent) in ends.iter_mut().zip(loads).zip(&sent) {
        *end = (*end).max(load - sent);
    }
    Outcomes { sent, received, queues, ends, busy }
}

/// Checks both balancers on random coalitions of up to eight members.
pub(super) fn balancers(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rng = Streams::new(bench.effort.seed).stream("study/balancers");
    bench.log(Record::drawn(
        "random coalitions, with the stream study/balancers",
        bench,
        INSTANCES,
    ));
    let mut average = Averaging::new(&averaging::Options::default());
    let mut bilb = Bilb::new(&bilb::Options::default());
    let [mut mean, mut half, mut bounded, mut sends, mut earlier, mut apart] = [true; 6];
    for _ in 0..INSTANCES {
        let members = 2 + below(&mut rng, 7);
        let loads = loads(&mut rng, members);
        let all = loads.len() as i64;
        let middle = loads.iter().sum::<i64>() / all;
        let averaged = balanced(&mut average, &loads, None);
        mean &= averaged.queues.iter().all(|&queue| queue == middle) && averaged.busy == middle;
        mean &= averaged
            .sent
            .iter()
            .zip(&averaged.ends)
            .all(|(&sent, &end)| if sent > 0 { end == middle } else { end <= middle });
        let pair = balanced(&mut average, &loads[..2], None);
        let off = loads[0] - loads[1];
        half &= pair.sent == [(off / 2).max(0), (-off / 2).max(0)];
        let free = balanced(&mut bilb, &loads, None);
        let least = loads.iter().min().copied().unwrap_or(0);
        for (member, &load) in loads.iter().enumerate() {
            sends &= free.sent[member] >= averaged.sent[member];
            sends &= (free.sent[member] == 0) == (load == least);
            earlier &= free.ends[member] <= averaged.ends[member];
        }
        let levels: Vec<i64> =
            loads.iter().map(|_| STEP * below(&mut rng, 12) as i64 + 1).collect();
        let bound = balanced(&mut bilb, &loads, Some(&levels));
        let mut sorted = loads.clone();
        sorted.sort_unstable();
        let others = &sorted[..sorted.len() - 1];
        let all = balanced(&mut bilb, &sorted, Some(&levels));
        let without = balanced(&mut bilb, others, Some(&levels));
        apart &= all.sent[..others.len()] == without.sent;
        for (member, &level) in levels.iter().enumerate() {
            bounded &= bound.sent[member] <= level;
            bounded &= bound.received[member] == 0 || bound.queues[member] <= level;
        }
    }
    let row = |claim, place: &str, what: &str, holds| {
        Row::new(claim, place, what)
            .holds(holds)
            .note("2000 random coalitions of at most eight clusters")
    };
    Ok(vec![
        row(
            "LB-A-01",
            "4.2.1",
            "averaging: all queues, sent work included, end at the mean load",
            mean,
        ),
        row(
            "LB-Q-01",
            "5",
            "with two clusters, the longer queue sends half of the difference",
            half,
        ),
        row(
            "LB-B-02",
            "6.1",
            "no receiver ends above its level, and no sender sends more than its level",
            bounded,
        ),
        row(
            "LB-B-04",
            "6.2",
            "every cluster but the least loaded sends, and at least as much as under averaging",
            sends,
        ),
        row("LB-B-05", "6.2", "without levels, no job ends later than under averaging", earlier),
        row(
            "LB-D-01",
            "7",
            "the longest queue does not change what the others send to each other",
            apart,
        ),
    ])
}

/// A learner's stance after a round with the given action and score, in a coalition of two.
fn after(options: &LearnerOptions, act: Act, score: f64) -> Stance {
    let outcome = Outcome {
        acts: vec![act],
        payoffs: vec![score],
        stayed_out: vec![act.is_in().then_some(0.0)],
        instead: vec![vec![0.0, score]],
        members: 2,
        ..Outcome::default()
    };
    let mut learner = options.build();
    learner.observe(&outcome, 0, &mut Streams::new(1).draws("learn"));
    learner.stance()
}

/// R and delta of section 4.2.1, as printed except for the tilde.
///
/// They are computed from the flow times with and without the coalition.
fn printed_ratio(flow: f64, alone: f64) -> (f64, f64) {
    let ratio = (flow / alone).clamp(0.5, 2.0);
    if ratio > 1.0 { (ratio, -1.0) } else { (1.0 / ratio, 1.0) }
}

/// Checks the score and both learning rules against their printed formulas.
pub(super) fn rules(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let mut rng = Streams::new(bench.effort.seed).stream("study/rules");
    bench.log(Record::drawn("random rounds, with the stream study/rules", bench, INSTANCES));
    let (mut joins, mut stays, mut levels) = (0.0_f64, true, 0.0_f64);
    for _ in 0..INSTANCES {
        let mut draw = |low: f64, high: f64| low + (high - low) * fraction(&mut rng);
        let [flow, alone] = [draw(1.0, 1000.0), draw(1.0, 1000.0)].map(f64::round);
        let (initial, rate) = (draw(0.0, 1.0), draw(0.01, 1.0));
        let score = turn::score(flow as i128, alone as i128);
        let (ratio, delta) = printed_ratio(flow, alone);
        let options = ratio::Options { initial, rate, ..Default::default() };
        let rule = LearnerOptions::Ratio(options);
        let desire = 0.5 + delta * (ratio / 2.0 - 0.5);
        let expected = (1.0 - rate) * initial + rate * desire;
        let found = after(&rule, Act::In(Terms::ANY), score).probability.unwrap_or(f64::NAN);
        joins = joins.max((found - expected).abs());
        stays &= after(&rule, Act::Out, 0.0).probability == Some(initial);
        let initial = draw(1.0, 900.0);
        let rule = LearnerOptions::Level(level::Options { initial, rate, ..Default::default() });
        let expected = (initial + rate * initial * delta * (ratio - 1.0)).clamp(0.0, 1000.0);
        let found = after(&rule, Act::In(Terms::ANY), score).level.unwrap_or(f64::NAN);
        levels = levels.max((found - expected).abs());
    }
    // At p = 0.1 the desire of a round may be 1, and is never below 0.
    let rule = LearnerOptions::Ratio(ratio::Options { initial: 0.1, ..Default::default() });
    let at =
        |score| after(&rule, Act::In(Terms::ANY), score).probability.map_or(f64::NAN, |p| p - 0.1);
    let (rise, fall) = (at(1.0), -at(-1.0));
    let score = [(50, 100), (100, 50), (70, 70)].map(|(flow, alone)| turn::score(flow, alone));
    let row = |claim, place: &str, what: &str, holds| Row::new(claim, place, what).holds(holds);
    Ok(vec![
        row(
            "LB-A-02",
            "4.2.1",
            "p is updated as the formula says (2000 random rounds)",
            joins < 1e-12,
        )
        .note(
            "R is the flow time divided by the flow time of staying out; the paper omits the tilde",
        ),
        row(
            "LB-A-03",
            "4.2.1",
            "p does not change for a cluster that stayed out (2000 rounds)",
            stays,
        ),
        Row::new("LB-F3b2", "4.2.2", "largest rise of p = 0.1 in a round / largest fall").found(
            "jumps up, decays slowly",
            rise / fall,
            Verdict::of(rise > 2.0 * fall),
        ),
        row(
            "LB-S-01",
            "4.2.2",
            "the score is 1 if the flow time halves, -1 if it doubles, 0 if it stays the same",
            score == [1.0, -1.0, 0.0],
        ),
        row(
            "LB-L-01",
            "6.3",
            "l is updated as the formula says (2000 random rounds)",
            levels < 1e-9,
        ),
    ])
}
