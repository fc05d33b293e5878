//! Streams of jobs: the walks as planners that are asked again and again, and know runtimes more or
//! less (section 7).
//!
//! Jobs come one after the other, each bound to a cluster of one processor, half of them to their
//! owner's. Owners bring jobs at different rates. Their users repeat jobs of about the same length,
//! so that what ran before tells something of what comes. Estimates are up to ten times too long.
//! All ways to plan see the same jobs, so differences are paired.

use super::drawn::share;
use crate::played::Record;
use crate::row::Row;
use crate::sample::mean;
use crate::{Bench, StudyError};
use game::fairness::jain;
use kernel::rng::Streams;
use kernel::state_of_fields;
use kernel::time::{Span, Time};
use model::asked::Asked;
use model::foreign::Foreign;
use model::ids::{ClusterId, OrganizationId};
use model::job::Job;
use model::machine::Machine;
use model::recorded::Recorded;
use policy::plan::{Planned, PlannerOptions, Planning, Plays, equitable_walk};
use scenario::parts::AnyCluster;
use sim::clairvoyance::{Clairvoyance, Correction, Predicted};
use sim::cluster::Bare;
use sim::grid::{Grid, Settings};
use sim::observer::{Finished, Observer};
use workload::draw::{below, fraction};
use workload::jobs::ListSource;

/// Owners, each with a cluster of one processor; the i-th brings jobs at a rate of 1 / i.
const OWNERS: u32 = 4;
/// Jobs of a stream.
const JOBS: u64 = 200;
/// Work that comes in a unit of time, for each processor.
const LOAD: f64 = 0.6;
/// Users of an owner.
const USERS: u64 = 3;
/// Least and largest length that is usual for a user, in seconds; the logarithm is uniform between.
const LENGTHS: [f64; 2] = [60.0, 1800.0];
/// Estimates are the runtime times a uniform factor from 1 to this.
const ESTIMATES: f64 = 10.0;
/// Moves of a walk.
const MOVES: u32 = 200;

/// The jobs of a stream.
fn stream(seed: u64, sample: u64) -> Vec<Job> {
    let rng = &mut Streams::new(seed).in_replication(sample).stream("dedicated-grids/stream");
    let [least, most] = LENGTHS;
    let ratio = libm::log(most / least);
    let mut usual = || least * libm::exp(ratio * fraction(rng));
    let usual: Vec<f64> = (0..u64::from(OWNERS) * USERS).map(|_| usual()).collect();
    let gap = (most - least) / ratio / (LOAD * f64::from(OWNERS));
    let rates: Vec<f64> = (1..=OWNERS).map(|rank| 1.0 / f64::from(rank)).collect();
    let total: f64 = rates.iter().sum();
    let span = |units: f64| Span::from_units(units).expect("lengths are small");
    let mut now = 0.0;
    let job = |number| {
        now -= gap * libm::log1p(-fraction(rng));
        let mut place = fraction(rng) * total;
        let beyond = |rate: &&f64| {
            place -= *rate;
            place >= 0.0
        };
        let owner = (rates.iter().take_while(beyond).count() as u32).min(OWNERS - 1);
        let cluster = match below(rng, 2) {
            0 => owner,
            _ => (owner + 1 + below(rng, u64::from(OWNERS) - 1) as u32) % OWNERS,
        };
        let user = u64::from(owner) * USERS + below(rng, USERS);
        let runtime = usual[user as usize] * (0.5 + fraction(rng));
        let factor = 1.0 + (ESTIMATES - 1.0) * fraction(rng);
        Job {
            number,
            submit: Time::from_units(now).expect("times are small"),
            runtime: span(runtime),
            estimate: span(runtime * factor),
            user: user as u32 + 1,
            organization: OrganizationId(owner),
            recorded: Recorded::new(None, Some(ClusterId(cluster))),
            ..Job::default()
        }
    };
    (1..=JOBS).map(job).collect()
}

/// Adds up flow times by owner.
#[derive(Clone, Debug, Default)]
struct Flows {
    sums: Vec<f64>,
    jobs: Vec<f64>,
}

state_of_fields!(Flows { sums, jobs });

impl Observer for Flows {
    fn finished(&mut self, finished: Finished<'_>) {
        let owner = finished.job.organization.index();
        self.sums[owner] += (finished.finish - finished.job.submit).as_units();
        self.jobs[owner] += 1.0;
    }
}

/// The planner, when it is asked, and what it knows of runtimes.
type Way = (PlannerOptions, Asked, Clairvoyance);

/// Flow times of a stream.
#[derive(Clone, Debug)]
struct Streamed {
    /// Mean flow time of a job.
    flow: f64,
    /// Mean flow time of each owner's jobs, of those that have any.
    by_owner: Vec<f64>,
}

impl Streamed {
    fn of(jobs: &[Job], (planner, asked, clairvoyance): Way) -> Result<Streamed, StudyError> {
        let owners = OWNERS as usize;
        let flows = Flows { sums: vec![0.0; owners], jobs: vec![0.0; owners] };
        let settings = Settings { clairvoyance, ..Settings::default() };
        let mut grid: Grid<AnyCluster, ListSource, Flows> = Grid::new(settings, flows);
        for owner in (0..OWNERS).map(OrganizationId) {
            let cluster = AnyCluster::Bare(Bare(Machine::new(1)));
            grid.add_owned_cluster(cluster, owner, Foreign::Always);
        }
        for _ in 0..OWNERS {
            grid.add_organization((0..OWNERS).map(ClusterId).collect::<Vec<_>>());
        }
        grid.expect_bound();
        let planning = Planning { asked, plays: Plays::Last, ..Planning::default() };
        grid.plan(Planned { planner, planning });
        let wrong = |error: &dyn std::fmt::Display| StudyError(error.to_string());
        grid.add_source(ListSource::new(jobs.to_vec())).map_err(|error| wrong(&error))?;
        let mut engine = grid.start_with(&Streams::new(1));
        engine.run().map_err(|error| wrong(&error))?;
        let grid = engine.into_world();
        let Flows { sums, jobs } = grid.observer();
        assert_eq!(jobs.iter().sum::<f64>() as u64, JOBS, "every job ends");
        let by_owner = sums.iter().zip(jobs).filter(|(_, jobs)| **jobs > 0.0);
        Ok(Streamed {
            flow: sums.iter().sum::<f64>() / jobs.iter().sum::<f64>(),
            by_owner: by_owner.map(|(sum, jobs)| sum / jobs).collect(),
        })
    }

    fn jain(&self) -> f64 {
        jain(self.by_owner.iter().copied()).unwrap_or(1.0)
    }
}

fn walk(payoffs: bool) -> PlannerOptions {
    let options = equitable_walk::Options { payoffs, moves: MOVES, ..Default::default() };
    PlannerOptions::EquitableWalk(options)
}

/// Names of the walks in rows.
const WALKS: [&str; 2] = ["the walk", "the walk on payoffs"];

/// Settings of clairvoyance, with their names.
const KNOWN: [(Clairvoyance, &str); 3] = [
    (Clairvoyance::Runtime, "true runtimes"),
    (Clairvoyance::Estimate, "estimates"),
    (Clairvoyance::Predicted(Predicted { correction: Correction::Gradual }), "predictions"),
];

/// All ways on one stream.
#[derive(Clone, Debug)]
struct Case {
    /// Each owner for itself: my jobs first, in batches and at every arrival.
    selfish: [Streamed; 2],
    /// By walk: in batches, and at every arrival.
    walks: [[Streamed; 2]; 2],
    /// By what is known and by walk: in batches.
    known: [[Streamed; 2]; 3],
}

/// The instants at which planners are asked.
const ASKED: [(Asked, &str); 2] =
    [(Asked::Batch, "in batches"), (Asked::Arrival, "at every arrival")];

fn case(jobs: &[Job]) -> Result<Case, StudyError> {
    let known = |planner: PlannerOptions, asked: usize, known: usize| {
        Streamed::of(jobs, (planner, ASKED[asked].0, KNOWN[known].0))
    };
    let selfish = || PlannerOptions::MyJobsFirst(Default::default());
    let walks = |payoffs| -> Result<[Streamed; 2], StudyError> {
        Ok([known(walk(payoffs), 0, 0)?, known(walk(payoffs), 1, 0)?])
    };
    let walks = [walks(false)?, walks(true)?];
    let told = |which| -> Result<[Streamed; 2], StudyError> {
        Ok([known(walk(false), 0, which)?, known(walk(true), 0, which)?])
    };
    let exact = walks.each_ref().map(|walk| walk[0].clone());
    Ok(Case {
        selfish: [known(selfish(), 0, 0)?, known(selfish(), 1, 0)?],
        walks,
        known: [exact, told(1)?, told(2)?],
    })
}

/// Walks in batches and at every arrival, with more and less knowledge.
pub(super) fn streams(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (seed, samples) = (bench.effort.seed, bench.effort.samples);
    let how = format!(
        "{JOBS} jobs of {OWNERS} owners on bound processors, load {LOAD}, walks of {MOVES} moves, the \
         last candidate played"
    );
    bench.log(Record::drawn(&how, bench, samples));
    let all = bench.each(samples.into(), |sample| case(&stream(seed, sample)))?;
    // Percent by which a flow time is longer than another of the same stream.
    let longer = |of: &dyn Fn(&Case) -> f64, than: &dyn Fn(&Case) -> f64| {
        mean(all.iter().map(|one| 100.0 * (of(one) / than(one) - 1.0)))
    };
    let place = "7";
    let mut rows = Vec::new();
    for (asked, (_, when)) in ASKED.iter().enumerate() {
        let flow = mean(all.iter().map(|one| one.selfish[asked].flow));
        let what = format!("mean flow time if each owner puts its own jobs first, {when}");
        let jain = mean(all.iter().map(|one| one.selfish[asked].jain()));
        let note = format!("Jain's index of the owners' means {:.3}", jain.value);
        rows.push(Row::new("DG-W-01", place, what).shown(flow).note(note));
    }
    for (which, name) in WALKS.into_iter().enumerate() {
        for (asked, (_, when)) in ASKED.iter().enumerate() {
            let own = |one: &Case| one.walks[which][asked].flow;
            let selfish = |one: &Case| one.selfish[asked].flow;
            let what = format!(
                "{name}, {when}: % of mean flow time more than if each puts its own jobs first then too"
            );
            rows.push(Row::new("DG-W-01", place, what).negative(longer(&own, &selfish)));
            let jain = mean(all.iter().map(|one| one.walks[which][asked].jain()));
            let what = format!("{name}, {when}: Jain's index of the owners' mean flow times");
            rows.push(Row::new("DG-W-01", place, what).shown(jain));
            // What owners would do alone does not wait for a batch.
            let pairs = all.iter().flat_map(|one| {
                one.walks[which][asked].by_owner.iter().zip(&one.selfish[1].by_owner)
            });
            let (lose, count) = pairs.fold((0, 0), |(lose, count), (own, alone)| {
                (lose + usize::from(own > alone), count + 1)
            });
            let what = format!(
                "{name}, {when}: % of owners that lose against own jobs first at every arrival"
            );
            let local = |one: &Case| one.selfish[1].flow;
            let more = longer(&own, &local);
            let note = format!("mean flow time {:+.1} ± {:.1}%", more.value, more.half_width);
            rows.push(Row::new("DG-W-01", place, what).shown(share(lose, count)).note(note));
        }
        let batch = |one: &Case| one.walks[which][0].flow;
        let arrival = |one: &Case| one.walks[which][1].flow;
        let what = format!("{name}: % of mean flow time that waiting for batches adds");
        rows.push(Row::new("DG-W-01", place, what).shown(longer(&batch, &arrival)));
    }
    for (which, name) in WALKS.into_iter().enumerate() {
        let flow = |known: usize| move |one: &Case| one.known[known][which].flow;
        for (known, (_, told)) in KNOWN.iter().enumerate().skip(1) {
            let what = format!(
                "{name} in batches, {told}: % of mean flow time more than by true runtimes"
            );
            let jain = |known: usize| mean(all.iter().map(|one| one.known[known][which].jain()));
            let [own, exact] = [known, 0].map(jain);
            let note = format!("Jain's index {:.3} against {:.3}", own.value, exact.value);
            let ours = longer(&flow(known), &flow(0));
            rows.push(Row::new("DG-W-02", place, what).shown(ours).note(note));
        }
        let what =
            format!("{name} in batches: % of mean flow time more by predictions than estimates");
        rows.push(Row::new("DG-W-02", place, what).negative(longer(&flow(2), &flow(1))));
        let selfish = |one: &Case| one.selfish[0].flow;
        let what = format!(
            "{name} in batches, predictions: % of mean flow time more than own jobs first by true \
             runtimes"
        );
        rows.push(Row::new("DG-W-02", place, what).shown(longer(&flow(2), &selfish)));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs jobs of a cluster one after the other, from a time on: the order of those that are there
    /// whenever it is idle. Returns the end, and adds up flow times.
    fn served(
        cluster: u32,
        jobs: &[Job],
        mut now: Time,
        key: impl Fn(&Job) -> (bool, Span, u32, u64),
        flow: &mut f64,
    ) -> Time {
        let here = |job: &&Job| job.recorded.cluster() == Some(ClusterId(cluster));
        let mut left: Vec<&Job> = jobs.iter().filter(here).collect();
        while let Some(first) = left.iter().map(|job| job.submit).min() {
            now = now.max(first);
            let there = (0..left.len()).filter(|&one| left[one].submit <= now);
            let next = there.min_by_key(|&one| key(left[one])).unwrap();
            let job = left.remove(next);
            now = now.saturating_add(job.runtime);
            *flow += (now - job.submit).as_units();
        }
        now
    }

    #[test]
    fn the_grid_plays_what_the_definition_says() {
        for sample in 0..3 {
            let jobs = stream(7, sample);
            let count = jobs.len() as f64;
            let mine = |job: &Job| {
                let cluster = job.recorded.cluster().unwrap().0;
                (cluster != job.organization.0, job.runtime, job.organization.0, job.number)
            };
            // Asked at every arrival, a cluster takes what it likes best whenever it is idle.
            let mut flow = 0.0;
            for cluster in 0..OWNERS {
                served(cluster, &jobs, Time::ZERO, mine, &mut flow);
            }
            let selfish = PlannerOptions::MyJobsFirst(Default::default());
            let way = (selfish, Asked::Arrival, Clairvoyance::Runtime);
            let found = Streamed::of(&jobs, way).unwrap();
            assert!((found.flow - flow / count).abs() < 1e-9, "{} {}", found.flow, flow / count);
            // A batch takes all that came while the one before ran.
            let (mut rest, mut now, mut flow) = (&jobs[..], Time::ZERO, 0.0);
            while let Some(first) = rest.first() {
                now = now.max(first.submit);
                let (batch, later) =
                    rest.split_at(rest.iter().take_while(|job| job.submit <= now).count());
                let shortest = |job: &Job| (false, job.runtime, job.organization.0, job.number);
                let ends =
                    (0..OWNERS).map(|cluster| served(cluster, batch, now, shortest, &mut flow));
                now = ends.max().unwrap();
                rest = later;
            }
            let shortest = PlannerOptions::ShortestFirst(Default::default());
            let way = (shortest, Asked::Batch, Clairvoyance::Runtime);
            let found = Streamed::of(&jobs, way).unwrap();
            assert!((found.flow - flow / count).abs() < 1e-9, "{} {}", found.flow, flow / count);
        }
    }
}
