//! Audits the jobs of a federation: who is out keeps to itself, processors are not held twice, and what
//! a round counts are its jobs.
//!
//! Everything follows from the lines of the jobs and of the rounds alone.

use std::collections::BTreeMap;

use super::facts::{ClusterFacts, JobFacts};
use super::report::{Check, Violation};
use super::rounds::{RoundsFacts, TurnFacts};
use kernel::time::{Span, Time, Units, round_ties_even};

/// The measure by which rounds were judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// Flow times, summed.
    #[default]
    Flow,
    /// Waiting times, summed.
    Wait,
    /// Flow times over runtimes, both at least this long, summed in millionths.
    BoundedSlowdown(Span),
    /// From the start of the round to the last end.
    Makespan,
}

/// When plans are made of all jobs that wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlansMade {
    /// With each submission.
    AtSubmissions,
    /// At multiples of this span, if a job came.
    Every(Span),
    /// Once all jobs of the plan before have ended, so only when none runs or is under way.
    InBatches,
    /// At times that the records do not tell.
    #[default]
    Unknown,
}

impl PlansMade {
    /// The last time by which a job must have come, to be in a plan that was made by `at`; of
    /// [`batches`] these are the known ones.
    fn last_before(self, at: Time, batches: &[Time]) -> Option<Time> {
        let before = (at - Time::ZERO).ticks() - 1;
        let ticks = match self {
            PlansMade::AtSubmissions => before,
            PlansMade::Every(span) => before - before.rem_euclid(span.ticks().max(1)),
            PlansMade::InBatches => {
                let begun = batches[..batches.partition_point(|&begun| begun <= at)].last()?;
                (*begun - Time::ZERO).ticks() - 1
            }
            PlansMade::Unknown => return None,
        };
        Some(Time::from_ticks(ticks))
    }
}

/// A federation beside its rounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FederationFacts {
    /// The clusters.
    pub clusters: Vec<ClusterFacts>,
    /// True if owners decide whether to follow a plan; others' jobs then run on clusters of those who do
    /// not.
    pub follows: bool,
    /// When plans are made of all that wait.
    pub plans: PlansMade,
    /// True if jobs are expected to run as long as their owners say.
    pub by_estimates: bool,
    /// The measure of a round's jobs.
    pub measure: Measure,
    /// Work that is added to a job abroad.
    pub job_costs: Span,
    /// Time that a job is under way to a cluster abroad.
    pub way: Span,
    /// By cluster: the most processors that others' jobs may have; empty if none has a limit.
    pub shares: Vec<u32>,
    /// Length of a round.
    pub period: Span,
    /// True if each round begins with empty clusters and is played until its jobs have ended.
    pub independent: bool,
    /// Start and end of the window within a round; jobs submitted in it are scored.
    pub window: [Span; 2],
    /// Jobs in order of their lines.
    pub jobs: Vec<JobFacts>,
}

impl FederationFacts {
    /// Round and time into it.
    fn round(&self, at: Time) -> (u64, Span) {
        let period = self.period.ticks().max(1);
        let ticks = (at - Time::ZERO).ticks();
        ((ticks / period) as u64, Span::from_ticks(ticks % period))
    }

    /// True if a job ran on another owner's cluster.
    fn is_abroad(&self, job: &JobFacts, cluster: usize) -> bool {
        self.clusters[cluster].owner != Some(job.organization)
    }

    /// Adds a job that ended to the measure of its round.
    fn add(&self, sum: &mut f64, job: &JobFacts, finish: Time) {
        let ticks = |span: Span| span.ticks() as f64;
        let flow = ticks(finish - job.submit);
        match self.measure {
            Measure::Flow => *sum += flow,
            Measure::Wait => *sum += ticks(job.start.unwrap_or(finish) - job.submit),
            Measure::BoundedSlowdown(tau) => {
                let bound = ticks(job.runtime.max(tau));
                *sum +=
                    if bound > 0.0 { round_ties_even(flow.max(bound) / bound * 1e6) } else { 0.0 };
            }
            Measure::Makespan => {
                let begun = job.submit - self.round(job.submit).1;
                *sum = sum.max(ticks(finish - begun));
            }
        }
    }

    /// The round that is played when a job starts or ends.
    fn played(&self, job: &JobFacts, at: Time) -> u64 {
        self.round(if self.independent { job.submit } else { at }).0
    }

    /// The number of its world: rounds that begin empty have nothing to do with each other.
    fn world(&self, job: &JobFacts) -> u64 {
        if self.independent { self.round(job.submit).0 } else { 0 }
    }

    /// True if a job is submitted in the window of its round.
    pub fn counts(&self, job: &JobFacts) -> bool {
        let [from, until] = self.window;
        (from..until).contains(&self.round(job.submit).1)
    }

    fn violation(&self, job: &JobFacts, text: String) -> Violation {
        let violation = Violation::of_job(job, None, text);
        match job.cluster {
            Some(cluster) => violation.at(&self.clusters[cluster].name),
            None => violation,
        }
    }
}

type Turns<'a> = BTreeMap<(u32, u64, usize), &'a TurnFacts>;

/// Checks every rule of a federation's jobs.
pub fn audit(rounds: &RoundsFacts, facts: &FederationFacts) -> Vec<Check> {
    let turns: Turns<'_> = (rounds.turns.iter())
        .map(|turn| ((turn.replication, turn.round, turn.organization), turn))
        .collect();
    vec![
        members(rounds, facts, &turns),
        own_first(rounds, facts, &turns),
        runtimes(facts),
        limits(facts, &turns),
        stated(facts, &turns),
        processors(facts),
        scored(rounds, facts, &turns),
    ]
}

/// Nobody starts a job abroad in a round in which it, or the owner of the cluster, is out.
fn members(rounds: &RoundsFacts, facts: &FederationFacts, turns: &Turns<'_>) -> Check {
    let means = match facts.follows {
        true => "a job starts on another's cluster only while its owner follows the plan",
        false => "a job starts on another's cluster only while both owners are in",
    };
    let mut check = Check::new("members only", means);
    for job in &facts.jobs {
        let (Some(cluster), Some(start)) = (job.cluster, job.start) else { continue };
        check.looked_at += 1;
        if !facts.is_abroad(job, cluster) {
            continue;
        }
        let round = facts.played(job, start);
        let owner = facts.clusters[cluster].owner.filter(|_| !facts.follows);
        let out = [Some(job.organization), owner].into_iter().flatten().find(|&one| {
            !turns.get(&(job.replication, round, one)).is_some_and(|turn| turn.joined)
        });
        if let Some(out) = out {
            let name = &rounds.organizations[out];
            let text = format!(
                "job {} starts abroad in round {round}, in which {name} is out",
                job.number
            );
            check.violated(|| facts.violation(job, text));
        }
    }
    check
}

/// By replication and world: times at which a batch was surely planned. Plans are made while no job runs
/// or is under way, and some of their jobs get a cluster at once. One that came after the time before at
/// which that was so, is in no earlier plan.
fn batches(facts: &FederationFacts) -> BTreeMap<(u32, u64), Vec<Time>> {
    let spans = facts.jobs.iter().filter_map(|job| {
        let finish = job.finish.unwrap_or(Time::NEVER);
        let world = (job.replication, facts.world(job));
        Some((world, job.sent.or(job.start)?, finish, job.submit))
    });
    let mut spans: Vec<_> = spans.collect();
    spans.sort_unstable();
    let mut all: BTreeMap<(u32, u64), Vec<Time>> = BTreeMap::new();
    for own in spans.chunk_by(|one, next| one.0 == next.0) {
        let batches = all.entry(own[0].0).or_default();
        // The last time at which none ran, and the end of the jobs since then.
        let (mut idle, mut end) = (None, Time::ZERO);
        for now in own.chunk_by(|one, next| one.1 == next.1) {
            let sent = now[0].1;
            if sent >= end {
                if idle.is_none_or(|idle| now.iter().any(|one| one.3 > idle)) {
                    batches.push(sent);
                }
                idle = Some(sent);
            }
            end = now.iter().map(|one| one.2).max().unwrap_or(end).max(end);
        }
    }
    all
}

/// The clusters of an owner who does not follow the plan run its own jobs first: no other job gets
/// processors while one that was planned waits there. Of an owner with several clusters it is not known
/// for which of them a job waited.
fn own_first(rounds: &RoundsFacts, facts: &FederationFacts, turns: &Turns<'_>) -> Check {
    let means = "on the only cluster of an owner who does not follow the plan, others' jobs come after \
                 the owner's";
    let mut check = Check::new("own jobs first", means);
    if !facts.follows {
        return check;
    }
    let batches = batches(facts);
    let owned = |owner: usize| facts.clusters.iter().filter(|one| one.owner == Some(owner)).count();
    let places = facts.jobs.iter().filter_map(|job| {
        let (cluster, sent) = (job.cluster?, job.sent.or(job.start)?);
        let owner = facts.clusters[cluster].owner.filter(|&owner| owned(owner) == 1)?;
        let world = (job.replication, facts.world(job));
        Some(((world, cluster), owner, job.submit, sent, job))
    });
    let mut places: Vec<_> = places.collect();
    places.sort_by_key(|&(place, _, submit, ..)| (place, submit));
    for here in places.chunk_by(|one, next| one.0 == next.0) {
        let ((world, _), owner, ..) = here[0];
        let own = |one: &&(_, _, _, _, &JobFacts)| one.4.organization == owner;
        // By submission, the latest start of the owner's jobs up to it.
        let mut latest: Vec<(Time, Time, u64)> = Vec::new();
        for &(_, _, submit, start, job) in here.iter().filter(own) {
            let before = latest.last().copied().filter(|before| before.1 >= start);
            let (_, start, number) = before.unwrap_or((submit, start, job.number));
            latest.push((submit, start, number));
        }
        for &(_, _, _, at, job) in here.iter().filter(|one| !own(one)) {
            let round = facts.played(job, at);
            let turn = turns.get(&(job.replication, round, owner));
            let planned = facts.plans.last_before(at, &batches[&world]);
            let Some(planned) = planned.filter(|_| turn.is_some_and(|turn| !turn.joined)) else {
                continue;
            };
            // What turned back when the owner went out is planned once it is back.
            let begun = Time::from_ticks(round as i64 * facts.period.ticks());
            if begun.saturating_add(facts.way) > planned {
                continue;
            }
            check.looked_at += 1;
            let known = latest.partition_point(|&(submit, ..)| submit <= planned);
            let waits = known.checked_sub(1).map(|last| latest[last]);
            if let Some((_, own, number)) = waits.filter(|&(_, own, _)| own > at) {
                let text = format!(
                    "job {} gets processors at {at}, while job {number} of {}, who follows no plan, \
                     waits until {own}",
                    job.number, rounds.organizations[owner]
                );
                check.violated(|| facts.violation(job, text));
            }
        }
    }
    check
}

/// A job runs for its runtime; abroad it runs longer, and starts after its way there.
fn runtimes(facts: &FederationFacts) -> Check {
    let means = "a job runs for its runtime, and abroad for that and its cost, after its way there";
    let mut check = Check::new("runtimes", means);
    for job in &facts.jobs {
        let (Some(cluster), Some(start)) = (job.cluster, job.start) else { continue };
        check.looked_at += 1;
        let (added, way) = match facts.is_abroad(job, cluster) {
            true => (facts.job_costs, facts.way),
            false => (Span::ZERO, Span::ZERO),
        };
        let of = &facts.clusters[cluster];
        let runs = of.takes(job.execution(of) + added);
        let number = job.number;
        let wrong = match (job.sent, job.finish) {
            (_, Some(finish)) if finish - start != runs => {
                format!("job {number} ran for {} and needs {runs}", finish - start)
            }
            (Some(sent), _) if start - sent < way => {
                format!("job {number} starts at {start}, sent at {sent}, and its way takes {way}")
            }
            _ => continue,
        };
        check.violated(|| facts.violation(job, wrong));
    }
    check
}

/// A job is expected to run for its estimate, or for what its owner states while it is in with somebody.
fn stated(facts: &FederationFacts, turns: &Turns<'_>) -> Check {
    let means = "a job is expected to run for its estimate, times the factor of an owner that is in and lies";
    let mut check = Check::new("stated runtimes", means);
    if !turns.values().any(|turn| turn.lie.stated > 0) {
        return check;
    }
    if !facts.by_estimates {
        check.note(
            "expected runtimes are no estimates, and not compared with what owners state"
                .to_owned(),
        );
        return check;
    }
    let mut members: BTreeMap<(u32, u64), usize> = BTreeMap::new();
    for (&(replication, round, _), turn) in turns {
        *members.entry((replication, round)).or_default() += usize::from(turn.joined);
    }
    for job in &facts.jobs {
        let Some(expected) = job.expected else { continue };
        check.looked_at += 1;
        let (replication, round) = (job.replication, facts.round(job.submit).0);
        let is_with_others = facts.follows || members.get(&(replication, round)) > Some(&1);
        let turn = turns.get(&(replication, round, job.organization));
        let lie = turn.filter(|turn| turn.joined && is_with_others && turn.lie.stated > 0);
        let factor = lie.map_or(1.0, |turn| turn.lie.stated as f64 / 1e6);
        let found = (job.requested.ticks() as f64 * factor).max(1.0);
        // Factors are known to six digits.
        if (found - expected.ticks() as f64).abs() > 1.0 + 1e-6 * found {
            let found = Span::from_ticks(found as i64);
            let text =
                format!("job {} is expected to run for {expected}, but {found} follow", job.number);
            check.violated(|| facts.violation(job, text));
        }
    }
    check
}

/// When a job gets a cluster abroad, others' jobs have no more there than the owner takes: processors of
/// the cluster, and work left on all of its clusters, as jobs were expected to be long.
fn limits(facts: &FederationFacts, turns: &Turns<'_>) -> Check {
    let means = "a job gets a cluster abroad within its share and the level of its owner";
    let mut check = Check::new("shares and levels", means);
    let is_limited = !facts.shares.is_empty() || turns.values().any(|turn| turn.level.is_some());
    if !is_limited {
        return check;
    }
    let abroad = facts.jobs.iter().enumerate().filter_map(|(index, job)| {
        let cluster = job.cluster.filter(|&cluster| facts.is_abroad(job, cluster))?;
        let owner = facts.clusters[cluster].owner?;
        Some(((job.replication, facts.world(job)), owner, job.sent?, index, cluster))
    });
    let mut abroad: Vec<_> = abroad.collect();
    abroad.sort_unstable();
    for own in abroad.chunk_by(|one, next| (one.0, one.1) == (next.0, next.1)) {
        // Jobs that got a cluster and have not ended; those of one instant in any order.
        let mut there: Vec<(usize, usize)> = Vec::new();
        for now in own.chunk_by(|one, next| one.2 == next.2) {
            let ((replication, _), owner, at, first, _) = now[0];
            there.retain(|&(index, _)| facts.jobs[index].finish.is_none_or(|end| end > at));
            there.extend(now.iter().map(|one| (one.3, one.4)));
            check.looked_at += now.len() as u64;
            let left = |&(index, cluster): &(usize, usize)| {
                let job = &facts.jobs[index];
                let expected = job.expected.unwrap_or(Span::ZERO) + facts.job_costs;
                let length = facts.clusters[cluster].takes(expected);
                let left = match job.start.filter(|&start| start < at) {
                    Some(start) => (start.saturating_add(length) - at).max(Span::ZERO),
                    None => length,
                };
                i128::from(job.processors) * i128::from(left.ticks())
            };
            let work: i128 = there.iter().map(left).sum();
            let round = facts.played(&facts.jobs[first], at);
            let level = turns.get(&(replication, round, owner)).and_then(|turn| turn.level);
            if level.is_some_and(|level| work > level.ticks().into()) {
                let text = format!("at {at} {} of others' work are there", Units(work));
                check.violated(|| facts.violation(&facts.jobs[first], text));
            }
            for &(_, _, _, index, cluster) in now {
                let here = there.iter().filter(|one| one.1 == cluster);
                let held: u64 = here.map(|one| u64::from(facts.jobs[one.0].processors)).sum();
                let share = facts.shares.get(cluster).copied();
                if share.is_some_and(|share| held > share.into()) {
                    let text = format!("at {at} others' jobs have {held} processors");
                    check.violated(|| facts.violation(&facts.jobs[index], text));
                }
            }
        }
    }
    check
}

/// Replication, world and cluster; the time, whether a job starts then, and which.
type Event = ((u32, u64, usize), Time, bool, usize);

/// No more processors are held than a cluster has.
fn processors(facts: &FederationFacts) -> Check {
    let means = "the jobs of a cluster hold no more processors than it has, from start to finish";
    let mut check = Check::new("processors", means);
    // At one instant jobs end before others start.
    let mut events: Vec<Event> = Vec::new();
    for (index, job) in facts.jobs.iter().enumerate() {
        let (Some(cluster), Some(start)) = (job.cluster, job.start) else { continue };
        let place = (job.replication, facts.world(job), cluster);
        events.push((place, start, true, index));
        if let Some(finish) = job.finish {
            events.push((place, finish, false, index));
        }
    }
    events.sort_unstable();
    for own in events.chunk_by(|one, next| one.0 == next.0) {
        let ClusterFacts { name, processors: most, .. } = &facts.clusters[own[0].0.2];
        let mut held = 0_u64;
        for &(_, at, starts, index) in own {
            let job = &facts.jobs[index];
            check.looked_at += 1;
            // A job without length ends when it starts.
            let is_short = job.start == job.finish;
            match (starts, is_short) {
                (true, false) => held += u64::from(job.processors),
                (false, false) => held = held.saturating_sub(job.processors.into()),
                (_, true) => {}
            }
            let now = held + if is_short { u64::from(job.processors) } else { 0 };
            if starts && now > u64::from(*most) {
                let text =
                    format!("at {at} {now} processors of `{name}` are held, and it has {most}");
                check.violated(|| facts.violation(job, text));
            }
        }
    }
    check
}

/// The scored jobs of a round: their number, and flow times and measure of those that ended with it.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    jobs: u64,
    flow: i128,
    measure: f64,
    /// True if some had not ended.
    is_open: bool,
}

/// The jobs of a round are those submitted in its window that their owner could run alone; their flow
/// time is that of the jobs, where all of them end with the round.
fn scored(rounds: &RoundsFacts, facts: &FederationFacts, turns: &Turns<'_>) -> Check {
    let means = "a round counts the jobs submitted in it that their owner could run alone, with their \
                 flow times";
    let mut check = Check::new("scored jobs", means);
    let widest = |organization: usize| {
        let own = facts.clusters.iter().filter(|one| one.owner == Some(organization));
        own.map(|one| one.processors).max().unwrap_or(0)
    };
    let widest: Vec<u32> = (0..rounds.organizations.len()).map(widest).collect();
    let mut sums: BTreeMap<(u32, u64, usize), Sums> = BTreeMap::new();
    for job in &facts.jobs {
        let (round, _) = facts.round(job.submit);
        if !facts.counts(job) || job.processors > widest[job.organization] {
            continue;
        }
        let sum = sums.entry((job.replication, round, job.organization)).or_default();
        sum.jobs += 1;
        match job.finish.filter(|&finish| facts.played(job, finish) == round) {
            Some(finish) => {
                sum.flow += i128::from((finish - job.submit).ticks());
                facts.add(&mut sum.measure, job, finish);
            }
            None => sum.is_open = true,
        }
    }
    let mut settled = 0_u64;
    for (at, turn) in turns {
        check.looked_at += 1;
        let Sums { jobs, flow, measure, is_open } = sums.get(at).copied().unwrap_or_default();
        let told = turn.judged.and_then(|judged| judged.measures);
        // A sum of slowdowns is rounded as it is written.
        let apart = told.map_or(0.0, |told| (told[0] - measure) / measure.max(1.0));
        let agrees = match is_open {
            false => turn.flow == flow && apart.abs() < 1e-9,
            true => turn.flow >= flow && apart > -1e-9,
        };
        settled += u64::from(is_open);
        if turn.jobs != jobs || !agrees {
            let units = |ticks: i128| Units(ticks).to_string();
            let text = format!(
                "{} jobs with a flow time of {}{} are counted, and jobs.csv has {jobs} with {}{}{}",
                turn.jobs,
                units(turn.flow),
                told.map_or(String::new(), |told| format!(" and a measure of {}", told[0] / 1e6)),
                units(flow),
                told.map_or(String::new(), |_| format!(" and {}", measure / 1e6)),
                if is_open { " or more" } else { "" }
            );
            check.violated(|| rounds.broken(turn, &text));
        }
    }
    if settled > 0 {
        check.note(
            "where jobs went on beyond their round, their flow time is that of a copy of the world, of \
             which no record is kept: it is only known to be long enough"
                .to_owned(),
        );
    }
    check
}

#[cfg(test)]
mod tests;
