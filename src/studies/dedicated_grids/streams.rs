//! Streams of jobs: the walks as planners that are asked again and again, and know runtimes more or
//! less (section 7).
//!
//! Jobs come one after the other, each bound to a cluster of one processor, half of them to their
//! owner's. Owners bring jobs at different rates. Their users repeat jobs of about the same length,
//! so that what ran before tells something of what comes. Estimates are up to ten times too long.
//! All ways to plan see the same jobs, so differences are paired.

use serde::Deserialize;

use super::drawn::wrong;
use crate::StudyError;
use crate::lines::code::{self, Figures};
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
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Way {
    /// `own_first`, `shortest`, `walk` or `payoffs`.
    planner: String,
    /// In batches, and not at every arrival.
    batches: bool,
    clairvoyance: String,
}

/// Mean flow time of all jobs, and of each owner's jobs if it has any.
fn flows(jobs: &[Job], way: &Way) -> Result<(f64, Vec<f64>), StudyError> {
    let walk = |payoffs| {
        let options = equitable_walk::Options { payoffs, moves: MOVES, ..Default::default() };
        PlannerOptions::EquitableWalk(options)
    };
    let planner = match &*way.planner {
        "own_first" => PlannerOptions::MyJobsFirst(Default::default()),
        "shortest" => PlannerOptions::ShortestFirst(Default::default()),
        name => walk(name == "payoffs"),
    };
    let clairvoyance = match &*way.clairvoyance {
        "runtime" => Clairvoyance::Runtime,
        "estimate" => Clairvoyance::Estimate,
        _ => Clairvoyance::Predicted(Predicted { correction: Correction::Gradual }),
    };
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
    let asked = if way.batches { Asked::Batch } else { Asked::Arrival };
    let planning = Planning { asked, plays: Plays::Last, ..Planning::default() };
    grid.plan(Planned { planner, planning });
    grid.add_source(ListSource::new(jobs.to_vec())).map_err(wrong)?;
    let mut engine = grid.start_with(&Streams::new(1));
    engine.run().map_err(wrong)?;
    let grid = engine.into_world();
    let Flows { sums, jobs } = grid.observer();
    assert_eq!(jobs.iter().sum::<f64>() as u64, JOBS, "every job ends");
    let by_owner = sums.iter().zip(jobs).filter(|(_, jobs)| **jobs > 0.0);
    let by_owner = by_owner.map(|(sum, jobs)| sum / jobs).collect();
    Ok((sums.iter().sum::<f64>() / jobs.iter().sum::<f64>(), by_owner))
}

/// Flow times, Jain's index of the owners' means, and the share of owners that lose against their own jobs
/// first at every arrival, which is what they would do alone.
pub(super) fn streams(from: &code::Asked<'_>) -> Result<Figures, StudyError> {
    let way: Way = from.options()?;
    let (own_first, runtime) = ("own_first".to_owned(), "runtime".to_owned());
    let alone = Way { planner: own_first, batches: false, clairvoyance: runtime };
    from.each(1, |sample| {
        let jobs = stream(from.seed, sample);
        let (flow, by_owner) = flows(&jobs, &way)?;
        let alone = flows(&jobs, &alone)?.1;
        let lose = by_owner.iter().zip(&alone).filter(|(own, alone)| own > alone).count();
        Ok(vec![
            ("flow", flow),
            ("jain", jain(by_owner.iter().copied()).unwrap_or(1.0)),
            ("lose", 100.0 * lose as f64 / by_owner.len() as f64),
        ])
    })
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

    fn way(planner: &str, batches: bool) -> Way {
        Way { planner: planner.to_owned(), batches, clairvoyance: "runtime".to_owned() }
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
            let found = flows(&jobs, &way("own_first", false)).unwrap().0;
            assert!((found - flow / count).abs() < 1e-9, "{found} {}", flow / count);
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
            let found = flows(&jobs, &way("shortest", true)).unwrap().0;
            assert!((found - flow / count).abs() < 1e-9, "{found} {}", flow / count);
        }
    }
}
