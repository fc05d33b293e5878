//! A schedule under construction: where each job is placed, and the processors that stay free.

use super::floors::{Floors, Smallest};
use super::{Known, Plans, Problem, Step};
use kernel::time::Time;
use model::ids::ClusterId;
use model::profile::Profile;
use model::speed::Speed;

/// Jobs of a problem on its clusters.
#[derive(Clone, Debug)]
pub struct Schedule<'p> {
    /// The jobs and clusters to plan.
    pub problem: &'p Problem,
    /// By cluster.
    profiles: Vec<Profile>,
    floors: Floors,
    /// By job.
    places: Vec<Option<(ClusterId, Time)>>,
}

impl<'p> Schedule<'p> {
    /// No jobs but those that run.
    pub fn new(problem: &'p Problem) -> Schedule<'p> {
        let profiles = problem.sites.iter().map(|site| Profile::new(site.processors, problem.now));
        let mut profiles: Vec<Profile> = profiles.collect();
        for busy in &problem.running {
            profiles[busy.cluster.index()].take(problem.now, busy.end, busy.processors);
        }
        let (floors, places) = (Floors::new(problem), vec![None; problem.jobs.len()]);
        Schedule { problem, profiles, floors, places }
    }

    /// The given places, for the jobs that have one.
    pub fn of(problem: &'p Problem, places: &[Option<(ClusterId, Time)>]) -> Schedule<'p> {
        let mut schedule = Schedule::new(problem);
        let placed = (0..).zip(places).filter_map(|(job, place)| Some((job, (*place)?)));
        let mut placed: Vec<(u32, (ClusterId, Time))> = placed.collect();
        placed.sort_unstable_by_key(|&(job, (_, start))| start.with(job.into()));
        for (job, (cluster, start)) in placed {
            schedule.place(job, cluster, start);
        }
        schedule
    }

    /// Returns cluster and start of a job.
    #[inline]
    pub fn get(&self, job: u32) -> Option<(ClusterId, Time)> {
        self.places[job as usize]
    }

    /// Places a job where its processors are free.
    pub fn place(&mut self, job: u32, cluster: ClusterId, start: Time) {
        let known = &self.problem.jobs[job as usize];
        if start < Time::NEVER {
            let end = self.problem.end(job, (cluster, start));
            self.profiles[cluster.index()].take(start, end, known.processors());
        }
        self.places[job as usize] = Some((cluster, start));
    }

    /// Places a job at its earliest start on any of some clusters; of several on the first. Clusters
    /// that it may not use are passed over.
    ///
    /// # Panics
    /// If it may use none of them.
    pub fn place_first(&mut self, job: u32, clusters: impl Iterator<Item = ClusterId>) {
        let known = &self.problem.jobs[job as usize];
        let uses_all = self.problem.clusters(job).len() == self.problem.sites.len();
        let class = self.floors.smallest(known.processors(), known.job.expected);
        let mut best: Option<(ClusterId, Time)> = None;
        for cluster in clusters {
            let too_small = self.problem.sites[cluster.index()].processors < known.processors();
            if too_small || !(uses_all || self.problem.may_use(job, cluster)) {
                continue;
            }
            let latest = best.map_or(Time::NEVER, |best| best.1);
            match self.earliest(known, class, cluster, latest) {
                Some(start) => best = Some((cluster, start)),
                None if best.is_none() => best = Some((cluster, Time::NEVER)),
                None => {}
            }
            if best.is_some_and(|(_, start)| start == self.problem.now) {
                break;
            }
        }
        let (cluster, start) = best.expect("it fits on a cluster that it may use");
        self.place(job, cluster, start);
    }

    /// Returns the earliest start of a job on a cluster, if that is before `latest`. The job is of the
    /// class of `class`.
    fn earliest(
        &mut self,
        known: &Known,
        class: Smallest,
        cluster: ClusterId,
        latest: Time,
    ) -> Option<Time> {
        let profile = &mut self.profiles[cluster.index()];
        let is_short = profile.is_short();
        let mut search = |from: Time, processors, length| {
            profile.earliest_onto(Time::NEVER, latest, from, processors, length)
        };
        let site = &self.problem.sites[cluster.index()];
        let (processors, length) = (known.processors(), known.length(site));
        // Classes are of lengths at unit speed.
        if is_short || site.speed != Speed::ONE {
            return search(self.problem.now, processors, length);
        }
        let floor = self.floors.get(cluster, class);
        if floor >= latest {
            return None;
        }
        let first = search(floor, class.processors, class.length);
        self.floors.set(cluster, class, first.unwrap_or(latest));
        if (class.processors, class.length) == (processors, length) {
            return first;
        }
        search(first?, processors, length)
    }

    /// Places the jobs that have no place, the widest first and equal ones in order of submission, each
    /// at its earliest start; of several clusters on the first.
    pub fn place_others(&mut self) {
        let problem = self.problem;
        let others = (0..problem.jobs.len() as u32).filter(|&job| self.get(job).is_none());
        for job in problem.widest_first(others.collect()) {
            self.place_first(job, problem.clusters(job).iter().copied());
        }
    }

    /// Takes all jobs of a cluster, in order of their starts, and places each at its earliest start
    /// there or on one of the others; of several on the first. No job starts later than before (Pascual,
    /// Rzadca and Trystram 2009, Proposition 4). Returns true if one starts earlier.
    pub fn spread(
        &mut self,
        cluster: ClusterId,
        others: impl Iterator<Item = ClusterId> + Clone,
    ) -> bool {
        let is_here = |job: &u32| self.get(*job).is_some_and(|(at, _)| at == cluster);
        let mut jobs: Vec<u32> = (0..self.places.len() as u32).filter(is_here).collect();
        self.sort(&mut jobs);
        let before: Vec<_> = jobs.iter().map(|&job| self.get(job)).collect();
        jobs.iter().for_each(|&job| self.remove(job));
        for &job in &jobs {
            let others = others.clone().filter(|&other| other != cluster);
            self.place_first(job, std::iter::once(cluster).chain(others));
        }
        jobs.iter().zip(before).any(|(&job, before)| self.get(job) != before)
    }

    /// Takes a job from its place.
    fn remove(&mut self, job: u32) {
        let (cluster, start) = self.places[job as usize].take().expect("it is placed");
        let known = &self.problem.jobs[job as usize];
        self.floors.forget(cluster);
        if start < Time::NEVER {
            let end = self.problem.end(job, (cluster, start));
            self.profiles[cluster.index()].give(start, end, known.processors());
        }
    }

    /// Returns the expected end of a job; now, if it is not placed.
    fn end(&self, job: u32) -> Time {
        self.get(job).map_or(self.problem.now, |place| self.problem.end(job, place))
    }

    /// Returns the last end of all jobs.
    pub fn makespan(&self) -> Time {
        (0..self.places.len() as u32).map(|job| self.end(job)).max().unwrap_or(self.problem.now)
    }

    /// Returns the last end of the jobs on each cluster; now, if it has none.
    pub fn ends_by_cluster(&self) -> Vec<Time> {
        let mut ends = vec![self.problem.now; self.problem.sites.len()];
        for job in 0..self.places.len() as u32 {
            if let Some((cluster, _)) = self.get(job) {
                let end = &mut ends[cluster.index()];
                *end = (*end).max(self.end(job));
            }
        }
        ends
    }

    /// Sorts jobs by their starts, equal ones in order of submission.
    fn sort(&self, jobs: &mut [u32]) {
        let start = |job| self.get(job).map_or(Time::NEVER, |(_, start)| start);
        jobs.sort_unstable_by_key(|&job| start(job).with(job.into()));
    }

    /// Returns the jobs of each cluster in order of their starts, equal ones in order of submission.
    pub fn by_cluster(&self) -> Vec<Vec<u32>> {
        let mut jobs: Vec<Vec<u32>> = vec![Vec::new(); self.problem.sites.len()];
        for job in 0..self.places.len() as u32 {
            if let Some((cluster, _)) = self.get(job) {
                jobs[cluster.index()].push(job);
            }
        }
        jobs.iter_mut().for_each(|jobs| self.sort(jobs));
        jobs
    }

    /// Returns true if no organization ends later than alone.
    pub fn keeps_promise(&self) -> bool {
        let ends = self.problem.ends_by_owner(|job| self.get(job));
        ends.iter().zip(self.problem.ends_alone()).all(|(end, alone)| end.1 <= alone.1)
    }

    /// Writes it as a candidate.
    pub fn write(&self, name: &'static str, out: &mut Plans) {
        for (job, place) in (0..).zip(&self.places) {
            let (cluster, start) = place.expect("a plan places every job");
            out.push(Step { job, cluster, start });
        }
        out.close(name);
    }
}
