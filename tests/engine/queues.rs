//! The engine against queueing theory: M/M/1, M/M/c, M/D/1 and M/G/1, on time-shared clusters and
//! on space-shared ones under FCFS, in means and, where it is known, in the whole distribution of
//! waits.
//!
//! Each queue is run in 30 independent replications, each from an empty cluster with the first jobs
//! cut; the seed of a queue is its number in the list. A figure is the mean over replications, and
//! its interval Student's with 29 degrees of freedom. So many jobs are run that the 99% interval of
//! the mean flow is no wider than one percent of it to either side: an error of two percent lies five
//! standard errors away. `GRIDPACT_ONE_IN=1` runs all jobs instead of one in three, and the interval
//! is half as wide.
//!
//! More than a hundred 99% intervals: one in a hundred misses a closed form that holds. Two
//! bounds judge them together: no figure may be farther off than one of all of them together would
//! be with probability 1% (Bonferroni), and no more may miss than do with probability 0.1%
//! (binomial; the figures of a queue are alike, so their misses come in groups, which the bound
//! does not know). Probabilities of fewer than ten jobs a replication are left out.

use crate::common::{one_cluster, run};
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::OrganizationId;
use gridpact::model::machine::Machine;
use gridpact::policy::local::{LocalOptions, fcfs};
use gridpact::scenario::drawn::Drawn;
use gridpact::scenario::plan::{ClusterKind, Plan, WorkloadKind};
use gridpact::sim::observer::{Finished, Observer};
use gridpact::state_of_fields;
use gridpact::stats::student;
use gridpact::workload::synthetic::{SyntheticModel, SyntheticOptions};
use rayon::prelude::*;
use std::sync::Arc;

const REPLICATIONS: u32 = 30;
/// One in so many of a queue's jobs is run.
fn one_in() -> u64 {
    std::env::var("GRIDPACT_ONE_IN").map_or(3, |count| count.parse().expect("a number"))
}

/// Jobs before this time do not count; the slowest queue here forgets its start within some 200.
const WARM_UP: i64 = 2_000;
/// At these multiples of the mean run time the distribution of waits is looked at.
const POINTS: [f64; 4] = [0.5, 1.0, 2.0, 5.0];

/// A queue and what theory says of it; times are in mean run times.
struct Queue {
    name: String,
    kind: ClusterKind,
    load: f64,
    /// `size = ...` of mean 1.
    size: &'static str,
    /// Jobs of a replication if all are run.
    all: u64,
    wait: f64,
    at_once: f64,
    /// The probability of a longer wait than each of the points, where it is known.
    beyond: Option<[f64; 4]>,
}

/// Observations of the jobs that count.
#[derive(Clone, Debug, Default)]
struct Waits {
    jobs: u64,
    wait: i128,
    flow: i128,
    at_once: u64,
    beyond: [u64; 4],
    /// Processor-ticks after the warm-up, cut at the last end.
    last: Time,
    ran: i128,
}

state_of_fields!(Waits { jobs, wait, flow, at_once, beyond, last, ran });

impl Observer for Waits {
    fn finished(&mut self, finished: Finished<'_>) {
        let begin = Time::ZERO + Span::units(WARM_UP);
        if finished.finish > begin {
            self.ran += i128::from((finished.finish - finished.start.max(begin)).ticks());
            self.last = finished.finish;
        }
        if finished.job.submit < begin {
            return;
        }
        let wait = finished.wait();
        self.jobs += 1;
        self.wait += i128::from(wait.ticks());
        self.flow += i128::from(finished.flow().ticks());
        self.at_once += u64::from(wait == Span::ZERO);
        for (count, point) in self.beyond.iter_mut().zip(POINTS) {
            *count += u64::from(wait.as_units() > point);
        }
    }
}

impl Waits {
    /// Mean wait, mean flow, the share that starts at once, the work done in a unit of time, and
    /// the shares that wait longer than the points.
    fn figures(&self) -> [f64; 8] {
        let mean = |sum: i128| sum as f64 / 1e6 / self.jobs as f64;
        let share = |count: u64| count as f64 / self.jobs as f64;
        let time = (self.last - (Time::ZERO + Span::units(WARM_UP))).as_units();
        let [a, b, c, d] = self.beyond.map(share);
        let work = self.ran as f64 / 1e6 / time;
        [mean(self.wait), mean(self.flow), share(self.at_once), work, a, b, c, d]
    }
}

impl Queue {
    fn servers(&self) -> f64 {
        match self.kind {
            ClusterKind::SpaceShared { machine, .. } => f64::from(machine.processors),
            ClusterKind::TimeShared { .. } | ClusterKind::Own { .. } => 1.0,
        }
    }

    /// Jobs of a replication.
    fn jobs(&self) -> u64 {
        self.all / one_in()
    }

    fn plan(&self) -> Plan {
        let rate = self.load * self.servers();
        let (size, jobs) = (self.size, self.jobs());
        let text = format!("arrivals.poisson = {{ rate = {rate} }}\n{size}\njobs = {jobs}");
        let options: SyntheticOptions = toml::from_str(&text).expect("it is well written");
        let model = Arc::new(SyntheticModel::new(options).expect("it can be"));
        one_cluster(
            self.kind.clone(),
            WorkloadKind::Drawn(Drawn::Synthetic(model), OrganizationId(0)),
        )
    }

    /// Expected and found: name, closed form, and a figure a replication.
    fn play(&self, seed: u64) -> Vec<(String, f64, Vec<f64>)> {
        let plan = Plan { seed, ..self.plan() };
        let replications: Vec<[f64; 8]> = (0..REPLICATIONS)
            .into_par_iter()
            .map(|replication| run(&plan, replication, Waits::default()).figures())
            .collect();
        let what = ["wait", "flow", "at once", "work"].map(str::to_owned).into_iter();
        let what = what.chain(POINTS.map(|point| format!("P(wait > {point})")));
        let known = [self.wait, self.wait + 1.0, self.at_once, self.load * self.servers()];
        let known = known.map(Some).into_iter().chain(match self.beyond {
            None => [None; 4],
            Some(beyond) => {
                beyond.map(|share| (share * self.jobs() as f64 >= 10.0).then_some(share))
            }
        });
        what.zip(known)
            .enumerate()
            .filter_map(|(index, (what, closed))| {
                let figures = replications.iter().map(|figures| figures[index]).collect();
                Some((format!("{}: {what}", self.name), closed?, figures))
            })
            .collect()
    }
}

fn fcfs(processors: u32) -> ClusterKind {
    let scheduler = LocalOptions::Fcfs(fcfs::Options {});
    ClusterKind::SpaceShared { machine: Machine::new(processors), scheduler: Some(scheduler) }
}

const EXPONENTIAL: &str = "size.exponential = { mean = 1.0 }";

/// Erlang: a job waits with probability C, and then exponentially.
fn mmc(kind: ClusterKind, servers: u32, load: f64, jobs: u64) -> Queue {
    let c = f64::from(servers);
    let offered = load * c;
    let mut blocked = 1.0;
    for n in 1..=servers {
        blocked = offered * blocked / (f64::from(n) + offered * blocked);
    }
    let waits = blocked / (1.0 - load * (1.0 - blocked));
    let rate = c * (1.0 - load);
    let name = match kind {
        ClusterKind::TimeShared { .. } | ClusterKind::Own { .. } => {
            format!("M/M/1 at {load}, time-shared")
        }
        _ => format!("M/M/{servers} at {load}"),
    };
    Queue {
        name,
        kind,
        load,
        size: EXPONENTIAL,
        all: jobs,
        wait: waits / rate,
        at_once: 1.0 - waits,
        beyond: Some(POINTS.map(|point| waits * (-rate * point).exp())),
    }
}

/// Pollaczek and Khinchine: the mean wait needs two moments of the run time; its mean is 1.
fn mg1(name: &str, kind: ClusterKind, load: f64, size: &'static str, square: f64) -> Queue {
    let is_time_shared = matches!(kind, ClusterKind::TimeShared { .. });
    let kind_name = if is_time_shared { ", time-shared" } else { "" };
    Queue {
        name: format!("{name} at {load}{kind_name}"),
        kind,
        load,
        size,
        all: 0,
        wait: load * square / (2.0 * (1.0 - load)),
        at_once: 1.0 - load,
        beyond: None,
    }
}

/// Crommelin: run times of exactly 1.
fn md1(kind: ClusterKind, load: f64, jobs: u64) -> Queue {
    let beyond = POINTS.map(|point| {
        let mut sum = 0.0;
        for k in 0..=point.floor() as i32 {
            let back = load * (f64::from(k) - point);
            let factorial: f64 = (1..=k).map(f64::from).product();
            sum += back.powi(k) / factorial * (-back).exp();
        }
        1.0 - (1.0 - load) * sum
    });
    let queue = mg1("M/D/1", kind, load, "size.constant = 1.0", 1.0);
    Queue { all: jobs, beyond: Some(beyond), ..queue }
}

/// Run times of one of two rates: the waits are a mixture of two exponentials besides those of 0,
/// by partial fractions of Pollaczek and Khinchine's transform.
fn mh2_1(kind: ClusterKind, load: f64, jobs: u64) -> Queue {
    const SIZE: &str = "size.hyperexponential = { branches = [{ probability = 0.25, mean = 2.5 }, \
                        { probability = 0.75, mean = 0.5 }] }";
    let (p, q, a, b) = (0.25, 0.75, 1.0 / 2.5, 1.0 / 0.5);
    // s^2 + linear s + constant = (s + r)(s + t)
    let linear = a + b - load;
    let constant = a * b - load * (p * b + q * a);
    let root = (linear * linear - 4.0 * constant).sqrt();
    let (r, t) = ((linear - root) / 2.0, (linear + root) / 2.0);
    let above = |s: f64| (a - s) * (b - s);
    let weight = |own: f64, other: f64| (1.0 - load) * above(own) / (other - own) / own;
    let (at_r, at_t) = (weight(r, t), weight(t, r));
    let beyond = POINTS.map(|point| at_r * (-r * point).exp() + at_t * (-t * point).exp());
    let square = p * 2.0 * 2.5 * 2.5 + q * 2.0 * 0.5 * 0.5;
    // Somebody waits with probability `load`: a check of the algebra.
    assert!((at_r + at_t - load).abs() < 1e-12);
    let queue = mg1("M/H2/1", kind, load, SIZE, square);
    Queue { all: jobs, beyond: Some(beyond), ..queue }
}

fn queues() -> Vec<Queue> {
    const TIME_SHARED: ClusterKind = ClusterKind::TimeShared { processors: 1 };
    const GAMMA: &str = "size.gamma = { shape = 2.0, scale = 0.5 }";
    const LOGNORMAL: &str = "size.lognormal = { mean = 1.0, variation = 1.0 }";
    const UNIFORM: &str = "size.uniform = { min = 0.0, max = 2.0 }";
    let with = |all: u64, queue: Queue| Queue { all, ..queue };
    vec![
        mmc(TIME_SHARED, 1, 0.3, 50_000),
        mmc(TIME_SHARED, 1, 0.5, 120_000),
        mmc(TIME_SHARED, 1, 0.8, 1_000_000),
        mmc(fcfs(1), 1, 0.3, 50_000),
        mmc(fcfs(1), 1, 0.5, 120_000),
        mmc(fcfs(1), 1, 0.7, 450_000),
        mmc(fcfs(4), 4, 0.5, 80_000),
        mmc(fcfs(4), 4, 0.7, 250_000),
        mmc(fcfs(16), 16, 0.8, 250_000),
        md1(TIME_SHARED, 0.5, 60_000),
        md1(fcfs(1), 0.5, 60_000),
        md1(fcfs(1), 0.8, 400_000),
        mh2_1(TIME_SHARED, 0.3, 200_000),
        mh2_1(fcfs(1), 0.3, 200_000),
        mh2_1(fcfs(1), 0.5, 700_000),
        with(120_000, mg1("M/E2/1", TIME_SHARED, 0.5, GAMMA, 1.5)),
        with(400_000, mg1("M/E2/1", fcfs(1), 0.7, GAMMA, 1.5)),
        with(120_000, mg1("M/U/1", fcfs(1), 0.5, UNIFORM, 4.0 / 3.0)),
        with(600_000, mg1("M/LN/1", fcfs(1), 0.5, LOGNORMAL, 2.0)),
    ]
}

/// The fewest misses of so many 99% intervals that come together with a probability below 0.1%.
fn too_many(intervals: usize) -> usize {
    let mut probability = 0.99_f64.powi(intervals as i32);
    let (mut sum, mut misses) = (probability, 0);
    while sum < 0.999 {
        probability *= (intervals - misses) as f64 / (misses + 1) as f64 * 0.01 / 0.99;
        misses += 1;
        sum += probability;
    }
    misses + 1
}

#[test]
fn means_and_distributions_are_those_of_theory() {
    let figures: Vec<_> = (1..).zip(queues()).flat_map(|(seed, queue)| queue.play(seed)).collect();
    let freedom = u64::from(REPLICATIONS) - 1;
    let one = student::two_sided(0.99, freedom);
    let all = student::two_sided(1.0 - 0.01 / figures.len() as f64, freedom);
    let widest = if one_in() == 1 { 0.005 } else { 0.01 };
    let (mut misses, mut wrong) = (Vec::new(), Vec::new());
    for (what, closed, figures) in &figures {
        let count = figures.len() as f64;
        let mean = figures.iter().sum::<f64>() / count;
        let square = |figure: &f64| (figure - mean) * (figure - mean);
        let error = (figures.iter().map(square).sum::<f64>() / (count - 1.0) / count).sqrt();
        let off = (mean - closed).abs() / error;
        let line = format!("{what}: {mean:.6} +- {:.6}, should be {closed:.6}", one * error);
        println!("{line}");
        if off > one {
            misses.push(line.clone());
        }
        if off > all {
            wrong.push(line.clone());
        }
        let is_flow = what.ends_with(": flow");
        assert!(!is_flow || one * error < widest * closed, "too few jobs: {line}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let most = too_many(figures.len());
    assert!(misses.len() < most, "{} of {} miss: {misses:#?}", misses.len(), figures.len());
    println!("{} of {} figures outside their 99% intervals", misses.len(), figures.len());
}
