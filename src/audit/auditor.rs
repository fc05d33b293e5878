//! Streaming audit of jobs.

use std::collections::BTreeMap;

use super::accounts;
use super::facts::{Facts, JobFacts};
use super::grid::{self, Hall};
use super::report::{Check, Report};
use super::scene::Replayed;
use super::station::Station;
use super::times::{self, Identities};
use super::{processors, queue, time_shared};
use kernel::time::Time;

/// Sort key of a job in the stream: replication, then order of submission.
pub type Place = (u32, Time, u64, Option<u32>, u64, usize);

/// Checks every rule of a run whose jobs are added one by one, in order of submission.
///
/// Only waiting and running jobs are kept, so memory does not grow with the run. An instant costs
/// O(started · log) search steps for FCFS, EASY and the list orders. Under conservative backfilling
/// a completion costs O(waiting), and each reservation that moves costs a search of the plan.
///
/// ```
/// use gridpact_audit::{Auditor, ClusterFacts, Discipline, Facts, JobFacts, Kind};
/// use kernel::time::{Span, Time};
///
/// let world = Facts {
///     organizations: vec!["physics".into()],
///     clusters: vec![ClusterFacts::new("tower", 1, Kind::SpaceShared(Discipline::Fcfs))],
///     ..Facts::default()
/// };
/// let mut auditor = Auditor::new(&world);
/// for number in 0..100 {
///     let [submit, finish] = [number, number + 1].map(|unit| Time::ZERO + Span::units(unit));
///     let job = JobFacts::new(number as u64, submit, Span::units(1), 1);
///     auditor.add(job.on(0).ran(submit, finish));
/// }
/// assert!(auditor.finish().passed());
/// ```
pub struct Auditor<'a> {
    world: &'a Facts,
    replication: Option<u32>,
    /// Replay of each cluster.
    stations: Vec<Station<'a>>,
    arrivals: u64,
    identities: Identities,
    times: Check,
    expectations: Check,
    forgotten: Check,
    replayed: Replayed,
    grid: Option<Check>,
    hall: Option<Hall>,
    /// Jobs that joined a cluster's queue after their submission: by that time and rank of arrival.
    late: BTreeMap<(Time, u64), JobFacts>,
}

impl JobFacts {
    /// Sort key in the order in which an [`Auditor`] takes jobs: by replication, then in order of
    /// submission.
    pub fn place(&self) -> Place {
        let arrival = self.arrival.unwrap_or(u64::MAX);
        (self.replication, self.submit, arrival, self.source, self.number, self.organization)
    }
}

impl<'a> Auditor<'a> {
    /// Audits a run in this world; jobs listed in `world` are ignored.
    pub fn new(world: &'a Facts) -> Auditor<'a> {
        Auditor {
            world,
            replication: None,
            stations: Vec::new(),
            arrivals: 0,
            identities: Identities::new(),
            times: times::times(),
            expectations: times::expectations(),
            forgotten: times::nobody_forgotten(world),
            grid: grid::check(world),
            hall: None,
            late: BTreeMap::new(),
            replayed: Replayed {
                capacity: Check::new(
                    "capacity",
                    "no space-shared cluster uses more processors than it has, and what is larger \
                     never starts",
                ),
                processors: processors::check(),
                queue: queue::check(),
                sharing: time_shared::check(),
                numbering: Check::new(
                    "numbering",
                    "arrival counts the submissions of a replication, start_order the starts on a \
                     cluster as its discipline makes them",
                ),
            },
        }
    }

    /// Adds the next job, in the order of [`JobFacts::place`].
    ///
    /// # Panics
    /// Panics if it names an organization or a cluster that is not in the facts.
    pub fn add(&mut self, job: JobFacts) {
        if self.replication != Some(job.replication) {
            self.begin(job.replication);
        }
        self.identities.look(self.world, &job);
        times::look_at_times(self.world, &job, &mut self.times);
        times::look_at_expectation(self.world, &job, &mut self.expectations);
        times::look_for_forgotten(self.world, &job, &mut self.forgotten);
        times::count_arrival(&job, &mut self.arrivals, &mut self.replayed.numbering);
        if let Some((hall, check)) = self.hall.as_mut().zip(self.grid.as_mut()) {
            hall.add(&job, self.world, check);
        }
        self.join_until(job.submit);
        let Some(cluster) = job.cluster else { return };
        // A guest waits in the grid, and joins after the submissions of an instant.
        let is_guest = self.world.clusters[cluster].admits_as_guest(&job);
        match job.sent.filter(|&sent| is_guest && sent > job.submit) {
            Some(sent) => {
                let guest = JobFacts { submit: sent, ..job };
                self.late.insert((sent, self.arrivals), guest);
            }
            None => self.stations[cluster].add(job, &mut self.replayed),
        }
    }

    /// Lets the jobs join that did so before a time.
    fn join_until(&mut self, time: Time) {
        while let Some(first) = self.late.first_entry().filter(|first| first.key().0 < time) {
            let job = first.remove();
            if let Some(cluster) = job.cluster {
                self.stations[cluster].add(job, &mut self.replayed);
            }
        }
    }

    fn begin(&mut self, replication: u32) {
        self.end();
        self.replication = Some(replication);
        self.arrivals = 0;
        self.identities.begin();
        self.hall = Hall::new(self.world, replication);
        for cluster in &self.world.clusters {
            let station = Station::new(cluster, self.world.settings, &mut self.replayed);
            self.stations.push(station);
        }
    }

    fn end(&mut self) {
        if let Some((hall, check)) = self.hall.take().zip(self.grid.as_mut()) {
            hall.finish(self.world, check);
        }
        self.join_until(Time::NEVER);
        for station in self.stations.drain(..) {
            station.finish(&mut self.replayed);
        }
    }

    /// Ends the stream and returns the report.
    pub fn finish(mut self) -> Report {
        self.end();
        let Replayed { capacity, processors, queue, sharing, numbering } = self.replayed;
        let checks = [
            self.identities.check,
            self.times,
            self.expectations,
            self.forgotten,
            capacity,
            processors,
            queue,
            sharing,
            numbering,
            accounts::check(),
        ];
        Report { checks: checks.into_iter().chain(self.grid).collect() }
    }
}
