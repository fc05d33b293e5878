//! Planners against exact vectors, and random problems against what is proven.

use std::collections::BTreeMap;

use rand::RngExt;
use serde::Deserialize;

use super::*;
use kernel::rng::{Rng, Streams};
use kernel::time::{Span, Time};
use model::ids::{ClusterId, JobId, OrganizationId};
use model::speed::Speed;
use model::view::{Blind, Expected};

#[derive(Deserialize)]
struct File {
    instances: Vec<Vector>,
}

/// An instance with its schedules. Times are in ticks.
#[derive(Deserialize)]
pub(super) struct Vector {
    pub id: String,
    /// Organizations, each with a cluster of `m` processors.
    #[serde(rename = "N")]
    owners: u32,
    m: u32,
    /// Owner, length and width.
    jobs: Vec<(u32, i64, u32)>,
    #[serde(deserialize_with = "schedules")]
    pub expected: BTreeMap<String, Schedule>,
}

/// The schedule of a planner.
#[derive(Deserialize)]
pub(super) struct Schedule {
    pub o_prime: Option<Vec<u32>>,
    pub removed: Option<Vec<u32>>,
    start: Vec<i64>,
    cluster: Vec<u32>,
    org_makespan: Vec<i64>,
    cmax: i64,
}

/// Reads the schedules, and leaves out what else is known of the instance.
fn schedules<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<BTreeMap<String, Schedule>, D::Error> {
    let all = BTreeMap::<String, serde_json::Value>::deserialize(from)?;
    let schedules = all.into_iter().filter(|(_, value)| value.is_object());
    schedules
        .map(|(name, value)| Ok((name, serde_json::from_value(value)?)))
        .collect::<Result<_, serde_json::Error>>()
        .map_err(serde::de::Error::custom)
}

/// Vectors of Pascual, Rzadca and Trystram (2009): their figures, and small cases in which another
/// reading of the paper would give other schedules.
pub(super) fn vectors() -> Vec<Vector> {
    let text = include_str!("../../../tests/data/mosp.json");
    let file: File = serde_json::from_str(text).unwrap();
    assert_eq!(file.instances.len(), 21);
    file.instances
}

fn known(index: u32, (owner, length, width): (u32, i64, u32)) -> Known {
    let job = Blind {
        id: JobId(index),
        submit: Time::ZERO,
        processors: width,
        user: 0,
        organization: OrganizationId(owner),
    };
    Known { job: Expected { job, expected: Span::from_ticks(length) }, uses: 0 }
}

/// A problem at time 0 with clusters of these owners and sizes.
fn at_once(sites: &[(u32, u32)], jobs: &[(u32, i64, u32)], without_jobs: WithoutJobs) -> Problem {
    let site = |&(owner, processors): &(u32, u32)| Site {
        owner: OrganizationId(owner),
        processors,
        speed: Speed::ONE,
    };
    let uses = (0..sites.len() as u32).map(ClusterId).collect();
    let jobs = (0..).zip(jobs).map(|(index, &job)| known(index, job)).collect();
    let sites = sites.iter().map(site).collect();
    Problem::new(Time::ZERO, sites, vec![uses], jobs, Vec::new(), without_jobs)
}

pub(super) fn problem(vector: &Vector) -> Problem {
    let sites: Vec<(u32, u32)> = (0..vector.owners).map(|owner| (owner, vector.m)).collect();
    at_once(&sites, &vector.jobs, WithoutJobs::Kept)
}

/// The planners of the vectors, by their names there.
fn planners() -> [(&'static str, PlannerOptions); 5] {
    let molba = |alpha| PlannerOptions::Molba(molba::Options { alpha });
    let local = Start::Local(local::Options::default());
    [
        ("local", PlannerOptions::Local(Default::default())),
        ("molba2", molba(2)),
        ("molba3", molba(3)),
        ("ilba", PlannerOptions::Ilba(Default::default())),
        ("ilba_from_local", PlannerOptions::Ilba(ilba::Options { from: local })),
    ]
}

/// The only candidate.
fn plan(options: &PlannerOptions, problem: &Problem) -> Vec<Step> {
    let mut plans = Plans::default();
    options.build().plan(problem, &mut plans);
    assert_eq!(plans.len(), 1);
    let steps = plans.steps(0).to_vec();
    valid(problem, &steps);
    steps
}

/// Checks that all jobs are placed, each where it may run, and that no processor is used twice.
#[track_caller]
fn valid(problem: &Problem, steps: &[Step]) {
    let jobs: Vec<u32> = steps.iter().map(|step| step.job).collect();
    assert_eq!(jobs, (0..problem.jobs.len() as u32).collect::<Vec<_>>());
    for site in (0..problem.sites.len() as u32).map(ClusterId) {
        let mut changes: Vec<(Time, i64)> = Vec::new();
        for step in steps.iter().filter(|step| step.cluster == site) {
            let job = &problem.jobs[step.job as usize];
            assert!(problem.may_use(step.job, site) && step.start >= problem.now);
            assert!(job.processors() <= problem.sites[site.index()].processors);
            // At one instant, ends come before starts.
            changes.push((step.start, i64::from(job.processors())));
            let end = problem.end(step.job, (step.cluster, step.start));
            changes.push((end, -i64::from(job.processors())));
        }
        for busy in problem.running.iter().filter(|busy| busy.cluster == site) {
            changes.push((problem.now, i64::from(busy.processors)));
            changes.push((busy.end, -i64::from(busy.processors)));
        }
        changes.sort_unstable();
        let mut held = 0;
        for (at, change) in changes {
            held += change;
            let most = i64::from(problem.sites[site.index()].processors);
            assert!(held <= most, "{held} of {most} processors are held at {at}");
        }
    }
}

fn places(steps: &[Step]) -> (Vec<i64>, Vec<u32>) {
    (
        steps.iter().map(|step| step.start.ticks()).collect(),
        steps.iter().map(|step| step.cluster.0).collect(),
    )
}

#[test]
fn every_start_and_cluster_of_the_vectors_is_met() {
    for vector in vectors() {
        let problem = problem(&vector);
        for (name, options) in planners() {
            let expected = &vector.expected[name];
            let steps = plan(&options, &problem);
            let (start, cluster) = places(&steps);
            assert_eq!(start, expected.start, "{} by {name}", vector.id);
            assert_eq!(cluster, expected.cluster, "{} by {name}", vector.id);
            assert_eq!(problem.makespan(&steps).ticks(), expected.cmax);
            let ends = problem.ends_by_owner(|job| Some((ClusterId(0), steps[job as usize].start)));
            for (owner, end) in ends {
                assert_eq!(end.ticks(), expected.org_makespan[owner.index()]);
            }
        }
        // No known instance makes the meta-algorithm fall back.
        let meta = plan(&PlannerOptions::Meta(Default::default()), &problem);
        assert_eq!(places(&meta).0, vector.expected["molba2"].start);
    }
}

/// Number of random problems of a test; `GRIDPACT_ROUNDS` sets it.
fn rounds() -> u64 {
    let set = std::env::var("GRIDPACT_ROUNDS").ok().and_then(|text| text.parse().ok());
    set.unwrap_or(2000)
}

fn in_rounds(name: &str, check: impl Fn(&mut Rng)) {
    let streams = Streams::new(21);
    for round in 0..rounds() {
        // Shown by the test harness where the check fails.
        println!("{name} {round}");
        check(&mut streams.in_replication(round).stream(name));
    }
}

/// Jobs by owner, length and width. Low owners have more of them; some rounds have few lengths and
/// widths, so that many are equal.
fn draw_jobs(rng: &mut Rng, owners: u32, widest: u32) -> Vec<(u32, i64, u32)> {
    let longest = [2, 5, 50][rng.random_range(0..3)];
    let widest = [widest, widest.div_ceil(2), widest.min(2)][rng.random_range(0..3)];
    let shortest = if rng.random_range(0..5) == 0 { 0 } else { 1 };
    (0..rng.random_range(1..25))
        .map(|_| {
            let owner = rng.random_range(0..owners).min(rng.random_range(0..owners));
            (owner, rng.random_range(shortest..=longest), rng.random_range(1..=widest))
        })
        .collect()
}

/// A problem as in the paper: each organization has one cluster, all clusters are alike and idle.
fn alike(rng: &mut Rng) -> Problem {
    let (owners, processors) = (rng.random_range(1..7), rng.random_range(1..9));
    let jobs = draw_jobs(rng, owners, processors);
    let sites: Vec<(u32, u32)> = (0..owners).map(|owner| (owner, processors)).collect();
    let without = [WithoutJobs::Kept, WithoutJobs::LeftOut][rng.random_range(0..2)];
    at_once(&sites, &jobs, without)
}

/// A problem with clusters of several sizes, of which an organization may have none or many, with
/// jobs that run, and jobs that may use some of the clusters.
fn unlike(rng: &mut Rng) -> Problem {
    at_speeds(rng, &[1.0])
}

/// The same, with clusters of these speeds.
fn at_speeds(rng: &mut Rng, speeds: &[f64]) -> Problem {
    let (owners, sites) = (rng.random_range(1..5), rng.random_range(1..6));
    let site = |rng: &mut Rng| Site {
        owner: OrganizationId(rng.random_range(0..owners)),
        processors: rng.random_range(1..9),
        speed: Speed::new(speeds[rng.random_range(0..speeds.len())]).expect("a speed"),
    };
    let sites: Vec<Site> = (0..sites).map(|_| site(rng)).collect();
    let all: Vec<ClusterId> = (0..sites.len() as u32).map(ClusterId).collect();
    let mut uses = vec![all.clone()];
    for _ in 0..rng.random_range(0..3) {
        let mut some = all.clone();
        some.retain(|_| rng.random_range(0..2) == 0);
        uses.push(some);
    }
    let now = Time::from_ticks(rng.random_range(0..5));
    let mut jobs = Vec::new();
    for job in draw_jobs(rng, owners, 8) {
        let uses_of_it = rng.random_range(0..uses.len());
        let fits = uses[uses_of_it].iter().any(|one| sites[one.index()].processors >= job.2);
        if fits {
            jobs.push(Known { uses: uses_of_it as u32, ..known(jobs.len() as u32, job) });
        }
    }
    let mut running = Vec::new();
    for (cluster, site) in all.iter().zip(&sites) {
        let mut left = site.processors;
        while left > 0 && rng.random_range(0..2) == 0 {
            let processors = rng.random_range(1..=left);
            left -= processors;
            let end = now + Span::from_ticks(rng.random_range(1..9));
            running.push(Busy { cluster: *cluster, processors, end });
        }
    }
    let without = [WithoutJobs::Kept, WithoutJobs::LeftOut][rng.random_range(0..2)];
    Problem::new(now, sites, uses, jobs, running, without)
}

fn starts() -> [Start; 5] {
    let molba = |alpha| Start::Molba(molba::Options { alpha });
    [
        Start::Local(Default::default()),
        Start::OwnFirst(Default::default()),
        molba(2),
        molba(3),
        Start::Meta(Default::default()),
    ]
}

/// The plan that a planner starts from.
fn base(start: &Start, problem: &Problem) -> Vec<Step> {
    let mut plans = Plans::default();
    start.schedule(problem).write("base", &mut plans);
    valid(problem, plans.steps(0));
    plans.steps(0).to_vec()
}

/// Checks the planners that improve a plan: no job starts later than there.
fn delays_nobody(problem: &Problem) {
    for from in starts() {
        let before = base(&from, problem);
        for options in [
            PlannerOptions::Ilba(ilba::Options { from: from.clone() }),
            PlannerOptions::HeaviestFirst(heaviest_first::Options { from: from.clone() }),
            PlannerOptions::Pairwise(pairwise::Options { from: from.clone(), rounds: 3 }),
        ] {
            for (before, after) in before.iter().zip(&plan(&options, problem)) {
                assert!(after.start <= before.start, "job {} by {options:?}", before.job);
            }
        }
    }
}

/// Propositions 2 to 4 of Pascual, Rzadca and Trystram (2009). That MOLBA(2) is within 3 for wide last
/// jobs too is not proven; the paper never saw more.
#[test]
fn nobody_loses_and_the_bounds_hold_on_clusters_of_one_size() {
    in_rounds("alike", |rng| {
        let problem = alike(rng);
        for (alpha, most) in [(2, 3), (3, 4)] {
            let schedule = molba::schedule(&problem, alpha);
            assert!(schedule.keeps_promise(), "MOLBA({alpha}) makes somebody wait");
            let last = problem.scaled(schedule.makespan());
            assert!(last <= most * problem.bound(), "MOLBA({alpha}) is beyond {most}");
        }
        // The fallback is never needed.
        assert_eq!(meta::schedule(&problem).1, "molba_2");
        delays_nobody(&problem);
    });
}

#[test]
fn plans_for_clusters_of_all_sizes_are_valid_and_delay_nobody() {
    in_rounds("unlike", |rng| {
        let problem = unlike(rng);
        delays_nobody(&problem);
        for start in starts() {
            base(&start, &problem);
        }
    });
}

/// Section 4.4: one job at a time on each cluster.
#[test]
fn own_jobs_first_is_within_two_where_all_jobs_are_wide() {
    in_rounds("wide", |rng| {
        let (owners, processors) = (rng.random_range(1..7_u32), rng.random_range(1..9));
        let mut jobs = draw_jobs(rng, owners, processors);
        jobs.iter_mut().for_each(|job| job.1 = job.1.max(1));
        jobs.iter_mut().for_each(|job| job.2 = rng.random_range(processors / 2 + 1..=processors));
        let sites: Vec<(u32, u32)> = (0..owners).map(|owner| (owner, processors)).collect();
        let problem = at_once(&sites, &jobs, WithoutJobs::Kept);
        let schedule = own_first::schedule(&problem);
        assert!(schedule.keeps_promise(), "somebody loses");
        let (sum, longest) =
            jobs.iter().fold((0, 0), |(sum, longest), job| (sum + job.1, longest.max(job.1)));
        let n = i64::from(owners);
        // Graham's bound; the optimum is no less than the mean and no less than the longest job.
        assert!(n * schedule.makespan().ticks() <= sum + (n - 1) * longest);
    });
}

#[test]
fn a_larger_beta_ends_no_later_and_nobody_exceeds_it() {
    in_rounds("beta", |rng| {
        let problem = if rng.random_range(0..2) == 0 { alike(rng) } else { unlike(rng) };
        let mut last = Time::NEVER;
        for beta in [1.0, 1.1, 1.5, 2.0] {
            let mut plans = Plans::default();
            relaxed::Relaxed::new(&relaxed::Options { beta }).plan(&problem, &mut plans);
            for candidate in 0..plans.len() {
                let steps = plans.steps(candidate);
                valid(&problem, steps);
                let place =
                    |job: u32| Some((steps[job as usize].cluster, steps[job as usize].start));
                let ends = problem.ends_by_owner(place);
                for ((_, end), (_, alone)) in ends.into_iter().zip(problem.ends_alone()) {
                    let passed = |end: Time| (end - problem.now).ticks() as f64;
                    assert!(passed(end) <= passed(alone) * beta + 1e-6);
                }
            }
            let ends: Vec<Time> =
                (0..plans.len()).map(|one| problem.makespan(plans.steps(one))).collect();
            assert!(ends.is_sorted() && ends[0] <= last);
            last = ends[0];
        }
    });
}

/// Free processors by cluster and tick.
struct Table<'p> {
    problem: &'p Problem,
    free: Vec<Vec<u32>>,
    places: Vec<Option<(ClusterId, Time)>>,
}

impl<'p> Table<'p> {
    fn new(problem: &'p Problem) -> Table<'p> {
        let lengths = problem.jobs.iter().map(|job| job.job.expected.ticks()).sum::<i64>();
        let horizon = 4 * lengths as usize + 100;
        let free = problem.sites.iter().map(|site| vec![site.processors; horizon]).collect();
        let mut table = Table { problem, free, places: vec![None; problem.jobs.len()] };
        for busy in &problem.running {
            table.hold(busy.cluster, problem.now, busy.end, busy.processors);
        }
        table
    }

    fn hold(&mut self, cluster: ClusterId, from: Time, to: Time, processors: u32) {
        for cell in &mut self.free[cluster.index()][from.ticks() as usize..to.ticks() as usize] {
            *cell -= processors;
        }
    }

    fn fits(&self, job: u32, cluster: ClusterId, at: Time) -> bool {
        let known = &self.problem.jobs[job as usize];
        let cells = at.ticks() as usize..self.problem.end(job, (cluster, at)).ticks() as usize;
        let free = &self.free[cluster.index()];
        self.problem.may_use(job, cluster)
            && free[cells].iter().all(|&cell| cell >= known.processors())
    }

    fn place(&mut self, job: u32, (cluster, start): (ClusterId, Time)) {
        let known = &self.problem.jobs[job as usize];
        let end = self.problem.end(job, (cluster, start));
        self.hold(cluster, start, end, known.processors());
        self.places[job as usize] = Some((cluster, start));
    }

    /// One tick after another, one cluster after the other.
    fn place_first(&mut self, job: u32, clusters: &[ClusterId]) {
        let mut at = self.problem.now;
        loop {
            if let Some(&cluster) = clusters.iter().find(|&&one| self.fits(job, one, at)) {
                return self.place(job, (cluster, at));
            }
            at += Span::TICK;
        }
    }
}

/// The jobs of one organization, one tick after another: whatever fits starts, the widest first.
fn literal_alone(problem: &Problem) -> Vec<Option<(ClusterId, Time)>> {
    let mut table = Table::new(problem);
    let mut jobs: Vec<u32> = (0..problem.jobs.len() as u32).collect();
    jobs.sort_by_key(|&job| std::cmp::Reverse(problem.jobs[job as usize].processors()));
    let own = |job: u32| -> Vec<ClusterId> {
        let owner = problem.jobs[job as usize].owner();
        let mut own: Vec<ClusterId> = problem.clusters(job).to_vec();
        own.retain(|one| problem.sites[one.index()].owner == owner);
        own.sort_by_key(|one| (problem.sites[one.index()].processors, *one));
        own
    };
    let width = |one: &ClusterId| problem.sites[one.index()].processors;
    jobs.retain(|&job| {
        own(job).iter().any(|one| width(one) >= problem.jobs[job as usize].processors())
    });
    let mut at = problem.now;
    while !jobs.is_empty() {
        for job in std::mem::take(&mut jobs) {
            let needs = problem.jobs[job as usize].processors();
            let fits = |one: &ClusterId| table.free[one.index()][at.ticks() as usize] >= needs;
            match own(job).into_iter().find(fits) {
                Some(cluster) => table.place(job, (cluster, at)),
                None => jobs.push(job),
            }
        }
        at += Span::TICK;
    }
    table.places
}

/// Local schedules on clusters of several speeds, tick by tick.
#[test]
fn local_schedules_know_speeds() {
    in_rounds("speeds", |rng| {
        let problem = at_speeds(rng, &[1.0, 0.5, 2.0, 1.5]);
        let alone = literal_alone(&problem);
        assert_eq!(problem.alone, alone);
        let mut table = Table::new(&problem);
        let mut others = Vec::new();
        for (job, place) in (0..).zip(alone) {
            match place {
                Some(place) => table.place(job, place),
                None => others.push(job),
            }
        }
        others.sort_by_key(|&job| std::cmp::Reverse(problem.jobs[job as usize].processors()));
        for job in others {
            table.place_first(job, problem.clusters(job));
        }
        let found = base(&Start::Local(Default::default()), &problem);
        let places: Vec<_> = found.iter().map(|step| Some((step.cluster, step.start))).collect();
        assert_eq!(places, table.places);
    });
}

/// MOLBA and ILBA tick by tick, with rational thresholds written as in the paper.
#[test]
fn plans_are_those_of_a_table_with_a_cell_per_tick() {
    in_rounds("table", |rng| {
        let problem = if rng.random_range(0..2) == 0 { alike(rng) } else { unlike(rng) };
        let alone = literal_alone(&problem);
        assert_eq!(problem.alone, alone);
        let end = |job: usize, place: (ClusterId, Time)| problem.end(job as u32, place);
        let m: i128 =
            problem.open().map(|one| i128::from(problem.sites[one.index()].processors)).sum();
        let open: Vec<&Busy> =
            problem.running.iter().filter(|busy| problem.is_open[busy.cluster.index()]).collect();
        let passed = |at: Time| i128::from(at.ticks() - problem.now.ticks());
        let w: i128 = problem
            .jobs
            .iter()
            .map(|job| i128::from(job.processors()) * i128::from(job.job.expected.ticks()))
            .sum::<i128>()
            + open.iter().map(|busy| i128::from(busy.processors) * passed(busy.end)).sum::<i128>();
        let longest = problem.jobs.iter().map(|job| i128::from(job.job.expected.ticks()));
        let longest = longest.chain(open.iter().map(|busy| passed(busy.end))).max().unwrap_or(0);
        let last = |owner| {
            let own = (0..alone.len()).filter(|&job| problem.jobs[job].owner() == owner);
            own.filter_map(|job| Some(end(job, alone[job]?))).max()
        };
        for alpha in [1, 2, 3] {
            let mut table = Table::new(&problem);
            let mut moved = Vec::new();
            for (job, place) in alone.iter().enumerate() {
                let late = last(problem.jobs[job].owner());
                match place {
                    Some((_, start))
                        if late.is_some_and(|end| passed(end) * m >= alpha * w + longest * m)
                            && passed(*start) * m > 2 * w =>
                    {
                        moved.push(job as u32);
                    }
                    Some(place) => table.place(job as u32, *place),
                    None => moved.push(job as u32),
                }
            }
            moved.sort_by_key(|&job| std::cmp::Reverse(problem.jobs[job as usize].processors()));
            let all: Vec<ClusterId> = problem.open().collect();
            moved.into_iter().for_each(|job| table.place_first(job, &all));
            let options = molba::Options { alpha: alpha as u32 };
            let found = base(&Start::Molba(options.clone()), &problem);
            let places: Vec<_> =
                found.iter().map(|step| Some((step.cluster, step.start))).collect();
            assert_eq!(places, table.places, "MOLBA({alpha})");

            // ILBA from there.
            let ends = |cluster: &ClusterId| {
                let here = found.iter().filter(|step| step.cluster == *cluster);
                let end = |step: &Step| end(step.job as usize, (step.cluster, step.start));
                here.map(end).max().unwrap_or(problem.now)
            };
            let mut ranks = all;
            ranks.sort_by_key(|cluster| (ends(cluster), *cluster));
            let mut table = Table::new(&problem);
            for (rank, cluster) in ranks.iter().enumerate() {
                let mut here: Vec<&Step> =
                    found.iter().filter(|step| step.cluster == *cluster).collect();
                here.sort_by_key(|step| (step.start, step.job));
                for step in here {
                    if rank == 0 {
                        table.place(step.job, (step.cluster, step.start));
                    } else {
                        let clusters: Vec<ClusterId> =
                            [*cluster].into_iter().chain(ranks[..rank].iter().copied()).collect();
                        table.place_first(step.job, &clusters);
                    }
                }
            }
            let from = Start::Molba(options);
            let found = plan(&PlannerOptions::Ilba(ilba::Options { from }), &problem);
            let places: Vec<_> =
                found.iter().map(|step| Some((step.cluster, step.start))).collect();
            assert_eq!(places, table.places, "ILBA from MOLBA({alpha})");
        }
    });
}
