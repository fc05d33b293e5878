//! Exact claims: rules recomputed from formulas, and jobs of small grids recomputed from records.
//!
//! The tests that the register names check them on far more instances.

use super::REGISTER;
use crate::StudyError;
use crate::bench::plan_of;
use crate::lines::code::{Asked, Figures, exact};
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

/// Violations in rounds of five clusters without balancing, with averaging, with BILB and with an outsider,
/// recomputed from their records.
pub(super) fn records(asked: &Asked<'_>) -> Result<Figures, StudyError> {
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
        let overrides = Overrides { seed: Some(asked.seed), set };
        let plan = plan_of("mixed", scenario, &overrides)?;
        let rules = plan.coalition().expect("it is a coalition");
        let mut table = coalition::seated(&plan, rules, 0, Records::default()).map_err(failed)?;
        rounds.balances = !changes.contains(&"coalition.balancer.none={}");
        table.play(ROUNDS, &mut rounds).map_err(|error| StudyError(error.to_string()))?;
        asked.bench.add_samples(ROUNDS);
    }
    let broken = |of: fn(&Holds) -> bool| {
        let holds = |one: &&Option<Holds>| !one.as_ref().is_some_and(of);
        rounds.all.iter().filter(holds).count() as f64
    };
    Ok(exact([
        ("flows", broken(|holds| holds.flows)),
        ("promises", broken(|holds| holds.promises)),
        ("bounds", broken(|holds| holds.bound)),
        ("outsiders", broken(|holds| holds.outsiders)),
    ]))
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

/// Coalitions of 2000 random ones, of up to eight members, in which a balancer does not do what it says.
pub(super) fn balancers(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let mut rng = Streams::new(asked.seed).stream("study/balancers");
    let mut average = Averaging::new(&averaging::Options::default());
    let mut bilb = Bilb::new(&bilb::Options::default());
    let mut broken = [0.0; 6];
    for _ in 0..INSTANCES {
        let [mut mean, mut half, mut bounded, mut sends, mut earlier, mut apart] = [true; 6];
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
        let all = [mean, half, bounded, sends, earlier, apart];
        broken.iter_mut().zip(all).for_each(|(count, holds)| *count += f64::from(u8::from(!holds)));
    }
    let names = ["mean", "half", "bounded", "sends", "earlier", "apart"];
    Ok(exact(names.into_iter().zip(broken)))
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

/// Largest differences of the score and both learning rules from their printed formulas in 2000 random
/// rounds, and those in which a probability changes of who stayed out.
pub(super) fn rules(asked: &Asked<'_>) -> Result<Figures, StudyError> {
    let mut rng = Streams::new(asked.seed).stream("study/rules");
    let (mut joins, mut changes, mut levels) = (0.0_f64, 0.0, 0.0_f64);
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
        let stays = after(&rule, Act::Out, 0.0).probability == Some(initial);
        changes += f64::from(u8::from(!stays));
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
    let [halved, doubled, same] =
        [(50, 100), (100, 50), (70, 70)].map(|(flow, alone)| turn::score(flow, alone));
    Ok(exact([
        ("p off", joins),
        ("p changes", changes),
        ("l off", levels),
        ("rise over fall", rise / fall),
        ("halved", halved),
        ("doubled", doubled),
        ("same", same),
    ]))
}
