//! Plans of a planner: whether they can be run, and whether any organization loses by them.
//!
//! Three checks, for every candidate of every plan:
//!
//! 1. The planned jobs and those that run never need more processors than a cluster has.
//! 2. The schedule of each organization alone, as the planner knew it, is the literal one: list
//!    scheduling on its own clusters, widest job first, equal widths in order of submission. Whenever
//!    processors are free, the first job of the list that fits starts, on the smallest own cluster
//!    where it fits (highest first: Pascual, Rzadca and Trystram, Cooperation in multi-organization
//!    scheduling, 2009, section 3.2).
//! 3. No organization ends later than alone, or than the multiple of its time alone that was
//!    promised. Jobs wider than every own cluster have no schedule alone and do not count.
//!
//! Lengths are those that the planner expected.

mod orders;

use std::collections::BTreeMap;
use std::sync::Arc;

use orders::Orders;

use super::facts::{ClusterFacts, JobFacts, Settings};
use super::report::{Check, Violation};
use kernel::time::{Span, Time};

/// Millionths, in which the factor of a promise is counted.
const PARTS: i128 = 1_000_000;

/// A job of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedJob {
    /// Its number in its source.
    pub number: u64,
    /// Its source.
    pub source: u32,
    /// Index of its owner.
    pub owner: usize,
    /// Number of processors.
    pub processors: u32,
    /// Its expected runtime at unit speed.
    pub length: Span,
    /// Index of the cluster that it is planned on.
    pub cluster: usize,
    /// Its planned start; `NEVER` if that is beyond the range of times.
    pub start: Time,
    /// Its cluster and start in the schedule of its organization alone, as the planner knew it; `None`
    /// if there is none.
    pub alone: Option<(usize, Time)>,
    /// Indices of the clusters that it may use; `None` for all.
    pub may_use: Option<Arc<[usize]>>,
}

impl PlannedJob {
    /// Its planned end.
    fn end(&self, clusters: &[ClusterFacts]) -> Time {
        self.start.saturating_add(clusters[self.cluster].takes(self.length))
    }
}

/// A candidate of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The replication.
    pub replication: u32,
    /// Rank among the plans of the replication.
    pub plan: u64,
    /// Its name.
    pub name: String,
    /// Time at which the planner was asked.
    pub asked: Time,
    /// The jobs, in order of submission.
    pub jobs: Vec<PlannedJob>,
}

/// Processors that a running job holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Index of its cluster.
    pub cluster: usize,
    /// Number of processors.
    pub processors: u32,
    /// Its expected end.
    pub end: Time,
}

/// The promise of a planner: the multiple of its time alone after which no organization ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Promised {
    /// None.
    Nothing,
    /// This multiple, rounded to a millionth.
    Always(f64),
    /// 1 on clusters of one size that are idle when the planner is asked; otherwise none.
    IfIdle,
}

/// A job that ran, as far as plans are concerned.
#[derive(Clone, Copy, Debug)]
struct Ran {
    replication: u32,
    start: Time,
    finish: Time,
    held: Held,
    key: (u32, u64),
}

/// Checks the candidates of a run.
#[derive(Debug)]
pub struct Plans<'a> {
    organizations: &'a [String],
    clusters: &'a [ClusterFacts],
    settings: Settings,
    promised: Promised,
    /// In order of replications and starts, once the first candidate has come.
    ran: Vec<Ran>,
    is_sorted: bool,
    fits: Check,
    alone: Check,
    promise: Check,
    /// Check of the order, for planners that order jobs.
    orders: Option<Orders>,
}

impl<'a> Plans<'a> {
    /// No candidates yet.
    pub fn new(
        organizations: &'a [String],
        clusters: &'a [ClusterFacts],
        settings: Settings,
        promised: Promised,
    ) -> Plans<'a> {
        let promise = Check::new(
            "promise of plans",
            "in no candidate of a plan does an organization end later than was promised, compared \
             with its own jobs on its own clusters",
        );
        Plans {
            organizations,
            clusters,
            settings,
            promised,
            ran: Vec::new(),
            is_sorted: false,
            fits: Check::new(
                "processors of plans",
                "planned jobs and those that run never need more processors than a cluster has",
            ),
            alone: Check::new(
                "schedules alone",
                "the schedule of an organization alone is that of its list, widest job first, on its \
                 own clusters",
            ),
            promise,
            orders: None,
        }
    }

    /// Checks orders of jobs too, of planners of dedicated processors.
    #[must_use]
    pub fn with_orders(self) -> Plans<'a> {
        Plans { orders: Some(Orders::new()), ..self }
    }

    /// Adds a job of the run. All jobs come before the first candidate.
    pub fn ran(&mut self, job: &JobFacts) {
        if let Some(orders) = &mut self.orders {
            orders.came(job);
        }
        let (Some(cluster), Some(start)) = (job.cluster, job.start) else { return };
        // A job without an expectation is one of a run without a planner.
        let expected = job.expectation(self.settings.clairvoyance).unwrap_or(Span::ZERO);
        let end = start.saturating_add(expected);
        self.is_sorted = false;
        self.ran.push(Ran {
            replication: job.replication,
            start,
            finish: job.finish.unwrap_or(Time::NEVER),
            held: Held { cluster, processors: job.processors, end },
            key: (job.source.unwrap_or(0), job.number),
        });
    }

    /// Checks a candidate.
    pub fn add(&mut self, candidate: &Candidate) {
        let Some(held) = self.held(candidate) else { return };
        let Candidate { asked, jobs, .. } = candidate;
        self.check_fits(candidate, &held);
        let alone = alone(*asked, self.clusters, &held, jobs);
        for (job, literal) in jobs.iter().zip(&alone) {
            self.alone.looked_at += 1;
            if job.alone != *literal {
                let name = |place: Option<(usize, Time)>| match place {
                    None => "nowhere".to_owned(),
                    Some((cluster, start)) => {
                        format!("at {start} on {}", self.clusters[cluster].name)
                    }
                };
                let text = format!(
                    "alone, job {} of {} starts {}, not {}",
                    job.number,
                    self.organizations[job.owner],
                    name(*literal),
                    name(job.alone)
                );
                self.alone.violated(|| candidate.violation(Some(job.number), *asked, text));
            }
        }
        self.check_promise(candidate, &held, &alone);
        if let Some(orders) = &mut self.orders {
            orders.add(candidate, self.clusters, &held);
        }
    }

    /// Returns the checks.
    pub fn finish(self) -> Vec<Check> {
        let orders = self.orders.map(Orders::finish).into_iter().flatten();
        [self.fits, self.alone, self.promise].into_iter().chain(orders).collect()
    }

    /// Returns the jobs that run when a plan is made; `None` if that cannot be known.
    fn held(&mut self, candidate: &Candidate) -> Option<Vec<Held>> {
        if !self.is_sorted {
            self.ran.sort_by_key(|ran| (ran.replication, ran.start));
            self.is_sorted = true;
        }
        let (replication, asked) = (candidate.replication, candidate.asked);
        let begin = self.ran.partition_point(|ran| ran.replication < replication);
        let end =
            self.ran.partition_point(|ran| (ran.replication, ran.start) <= (replication, asked));
        let mut all = Vec::new();
        for ran in self.ran[begin..end].iter().filter(|ran| ran.finish > asked) {
            let is_planned = |job: &PlannedJob| (job.source, job.number) == ran.key;
            if ran.start == asked && candidate.jobs.iter().any(is_planned) {
                continue;
            }
            let mut held = ran.held;
            if held.end <= asked {
                if self.settings.corrects {
                    let note =
                        "plans made while a job had outrun its prediction, which is corrected";
                    self.fits.note(note.to_owned());
                    return None;
                }
                held.end = asked.saturating_add(Span::TICK);
            }
            all.push(held);
        }
        Some(all)
    }

    fn check_fits(&mut self, candidate: &Candidate, held: &[Held]) {
        let asked = candidate.asked;
        let mut events: Vec<(usize, Time, i64, u64)> = Vec::new();
        for held in held {
            events.push((held.cluster, asked, i64::from(held.processors), 0));
            events.push((held.cluster, held.end, -i64::from(held.processors), 0));
        }
        for job in candidate.jobs.iter().filter(|job| job.start < Time::NEVER) {
            self.fits.looked_at += 1;
            if job.start < asked {
                let text = format!(
                    "job {} is planned for {}, before the planner was asked",
                    job.number, job.start
                );
                self.fits.violated(|| candidate.violation(Some(job.number), job.start, text));
            }
            if job.length > Span::ZERO {
                let end = job.end(self.clusters);
                let processors = i64::from(job.processors);
                events.push((job.cluster, job.start, processors, job.number));
                events.push((job.cluster, end, -processors, job.number));
            }
        }
        // Processors that are given back come first.
        events.sort_unstable();
        let (mut last, mut used) = (usize::MAX, 0);
        for (cluster, time, change, number) in events {
            if cluster != last {
                (last, used) = (cluster, 0);
            }
            used += change;
            let facts = &self.clusters[cluster];
            if change > 0 && used > i64::from(facts.processors) {
                let text = format!(
                    "with job {number}, {used} of {} processors are needed at {time}",
                    facts.processors
                );
                self.fits
                    .violated(|| candidate.violation(Some(number), time, text).at(&facts.name));
            }
        }
    }

    fn check_promise(
        &mut self,
        candidate: &Candidate,
        held: &[Held],
        alone: &[Option<(usize, Time)>],
    ) {
        let is_even = self.clusters.windows(2).all(|pair| pair[0].processors == pair[1].processors);
        let promised = match self.promised {
            Promised::Always(factor) => (factor * PARTS as f64).round() as i128,
            Promised::IfIdle if is_even && held.is_empty() => PARTS,
            Promised::Nothing | Promised::IfIdle => {
                let note = match self.promised {
                    Promised::Nothing => "the planner promises nothing",
                    _ => "the planner promises nothing if clusters differ in size or are busy",
                };
                self.promise.note(note.to_owned());
                return;
            }
        };
        // By owner: last end in the plan, and alone.
        let mut ends: BTreeMap<usize, (Time, Time)> = BTreeMap::new();
        for (job, alone) in candidate.jobs.iter().zip(alone) {
            let Some((cluster, alone)) = *alone else { continue };
            let alone = alone.saturating_add(self.clusters[cluster].takes(job.length));
            let planned = job.end(self.clusters);
            let both = ends.entry(job.owner).or_insert((planned, alone));
            *both = (both.0.max(planned), both.1.max(alone));
        }
        for (owner, (planned, alone)) in ends {
            self.promise.looked_at += 1;
            let passed = |end: Time| i128::from(end.ticks()) - i128::from(candidate.asked.ticks());
            if passed(planned) * PARTS > promised * passed(alone) {
                let text = format!(
                    "{} ends at {planned}, alone it would at {alone}",
                    self.organizations[owner]
                );
                self.promise.violated(|| candidate.violation(None, planned, text));
            }
        }
    }
}

impl Candidate {
    pub(super) fn violation(&self, job: Option<u64>, time: Time, text: String) -> Violation {
        Violation {
            replication: self.replication,
            round: None,
            cluster: None,
            jobs: job.into_iter().collect(),
            time: Some(time),
            text: format!("plan {}, {}: {text}", self.plan, self.name),
        }
    }
}

/// Returns cluster and start of each job in the schedule of its organization alone. `None` for a job
/// that is wider than every own cluster which it may use, or would start beyond the range of times.
///
/// It is the definition, step by step: O(jobs²) for each organization and more.
pub fn alone(
    asked: Time,
    clusters: &[ClusterFacts],
    held: &[Held],
    jobs: &[PlannedJob],
) -> Vec<Option<(usize, Time)>> {
    let mut places = vec![None; jobs.len()];
    let mut owners: Vec<usize> = jobs.iter().map(|job| job.owner).collect();
    owners.sort_unstable();
    owners.dedup();
    for owner in owners {
        let mut list: Vec<usize> = (0..jobs.len()).filter(|&j| jobs[j].owner == owner).collect();
        // A stable sort: equal widths stay in order of submission.
        list.sort_by(|&a, &b| jobs[b].processors.cmp(&jobs[a].processors));
        let mut free: Vec<u32> = clusters.iter().map(|cluster| cluster.processors).collect();
        let mut running: Vec<Held> = held.to_vec();
        for held in held {
            free[held.cluster] = free[held.cluster].saturating_sub(held.processors);
        }
        let mut now = asked;
        while now < Time::NEVER {
            // The first job of the list that fits, again and again.
            while let Some((place, cluster)) = list.iter().enumerate().find_map(|(place, &j)| {
                Some((place, smallest_with_room(&jobs[j], clusters, &free)?))
            }) {
                let j = list.remove(place);
                places[j] = Some((cluster, now));
                free[cluster] -= jobs[j].processors;
                let end = now.saturating_add(clusters[cluster].takes(jobs[j].length));
                running.push(Held { cluster, processors: jobs[j].processors, end });
            }
            let Some(next) = running.iter().map(|held| held.end).min() else { break };
            now = next;
            running.retain(|held| {
                if held.end == now {
                    let all = clusters[held.cluster].processors;
                    free[held.cluster] = (free[held.cluster] + held.processors).min(all);
                }
                held.end != now
            });
        }
    }
    places
}

/// Returns the smallest of a job's own clusters where it fits now, if there is one.
fn smallest_with_room(job: &PlannedJob, clusters: &[ClusterFacts], free: &[u32]) -> Option<usize> {
    let mine = (0..clusters.len()).filter(|&c| clusters[c].owner == Some(job.owner));
    let usable = mine.filter(|c| job.may_use.as_ref().is_none_or(|uses| uses.contains(c)));
    usable.filter(|&c| free[c] >= job.processors).min_by_key(|&c| clusters[c].processors)
}

#[cfg(test)]
mod tests;
