//! The engine against queueing theory, arithmetic by hand, and an identity that always holds.
//!
//! M/M/1 has closed forms; the engine is run in independent replications on fixed seeds, and the
//! mean over replications must lie within the two-sided 99.9% Student interval around the closed
//! form: `t * s / sqrt(R)` with `s` the standard deviation over the R = 30 replications and t =
//! 3.659 (29 degrees of freedom).

use std::sync::Arc;

use crate::common::{Size, one_cluster, random_plan, run, variants};
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::OrganizationId;
use gridpact::model::job::Job;
use gridpact::model::machine::Machine;
use gridpact::policy::local::{LocalOptions, conservative, easy, fcfs, list};
use gridpact::scenario::drawn::Drawn;
use gridpact::scenario::plan::{ClusterKind, Plan, WorkloadKind};
use gridpact::sim::accounts::{Accounts, Counting};
use gridpact::sim::observer::{Finished, Observer, Submitted};
use gridpact::state_of_fields;
use gridpact::workload::arrivals::Arrivals;
use gridpact::workload::draw::Sizes;
use gridpact::workload::jobs::ListSource;
use gridpact::workload::synthetic::{SyntheticModel, SyntheticOptions};

const REPLICATIONS: u32 = 30;
/// The 99.95% quantile of Student's t with 29 degrees of freedom.
const STUDENT: f64 = 3.659;
/// The jobs of a replication, and the time up to which they do not count.
const JOBS: u64 = 20_000;
const WARM_UP: i64 = 2_000;

/// Number of jobs that count, and of those among them that started at once.
#[derive(Clone, Copy, Debug, Default)]
struct AtOnce {
    jobs: u64,
    at_once: u64,
}

state_of_fields!(AtOnce { jobs, at_once });

impl Observer for AtOnce {
    fn finished(&mut self, finished: Finished<'_>) {
        if finished.job.submit >= Time::ZERO + Span::units(WARM_UP) {
            self.jobs += 1;
            self.at_once += u64::from(finished.wait() == Span::ZERO);
        }
    }
}

fn space_shared(processors: u32, scheduler: LocalOptions) -> ClusterKind {
    ClusterKind::SpaceShared { machine: Machine::new(processors), scheduler: Some(scheduler) }
}

/// Jobs that come at rate `load` and run for 1 on average.
fn markovian(kind: ClusterKind, load: f64) -> Plan {
    let arrivals = Arrivals::poisson(load);
    let options = SyntheticOptions {
        jobs: Some(JOBS),
        ..SyntheticOptions::new(arrivals, Sizes::exponential(1.0))
    };
    let model = Arc::new(SyntheticModel::new(options).expect("the parameters can be"));
    let from = Time::ZERO + Span::units(WARM_UP);
    Plan {
        counting: Counting { from, ..Counting::default() },
        ..one_cluster(kind, WorkloadKind::Drawn(Drawn::Synthetic(model), OrganizationId(0)))
    }
}

/// A figure of every replication lies around its closed form; `slack` is the relative error that
/// the figure itself may have (a histogram's, say).
#[track_caller]
fn is_within(what: &str, figures: &[f64], closed: f64, slack: f64) {
    let count = figures.len() as f64;
    let mean = figures.iter().sum::<f64>() / count;
    let square = |figure: &f64| (figure - mean) * (figure - mean);
    let variance = figures.iter().map(square).sum::<f64>() / (count - 1.0);
    let band = STUDENT * (variance / count).sqrt() + slack * closed;
    assert!((mean - closed).abs() <= band, "{what}: {mean} +- {band}, should be {closed}");
    assert!(band < 0.1 * closed, "{what}: a band of {band} around {closed} says nothing");
}

#[track_caller]
fn check_mm1(kind: &ClusterKind, load: f64) {
    let plan = markovian(kind.clone(), load);
    const SHARES: [f64; 3] = [0.5, 0.9, 0.99];
    let (mut flow, mut wait, mut use_, mut at_once) = (vec![], vec![], vec![], vec![]);
    let mut quantiles = [vec![], vec![], vec![]];
    for replication in 0..REPLICATIONS {
        let accounts = Accounts::new(1, plan.owned(), plan.counting);
        let (accounts, counted) = run(&plan, replication, (accounts, AtOnce::default()));
        let grid = accounts.grid();
        assert_eq!(grid.jobs.finished, counted.jobs);
        flow.push(grid.flow.mean().expect("there were jobs"));
        wait.push(grid.wait.mean().expect("there were jobs"));
        use_.push(accounts.grid_utilization().expect("time passed"));
        at_once.push(counted.at_once as f64 / counted.jobs as f64);
        for (figures, share) in quantiles.iter_mut().zip(SHARES) {
            figures.push(grid.flow.quantile(share).expect("quantiles are kept"));
        }
    }
    is_within("the mean flow", &flow, 1.0 / (1.0 - load), 0.0);
    is_within("the mean wait", &wait, load / (1.0 - load), 0.0);
    is_within("the utilization", &use_, load, 0.0);
    is_within("the share that starts at once", &at_once, 1.0 - load, 0.0);
    // The flow of M/M/1 is exponential.
    for (figures, share) in quantiles.iter().zip(SHARES) {
        let closed = -(1.0 - share).ln() / (1.0 - load);
        is_within(&format!("the {share} quantile of flow"), figures, closed, 0.001);
    }
}

#[test]
fn mm1_on_a_time_shared_cluster() {
    [0.3, 0.5, 0.8]
        .into_iter()
        .for_each(|load| check_mm1(&ClusterKind::TimeShared { processors: 1 }, load));
}

#[test]
fn mm1_on_one_processor_first_come_first_served() {
    let kind = space_shared(1, LocalOptions::Fcfs(fcfs::Options {}));
    [0.3, 0.5, 0.8].into_iter().for_each(|load| check_mm1(&kind, load));
}

/// Start times, by number of the job.
#[derive(Clone, Debug, Default)]
struct Starts {
    starts: Vec<(u64, Time)>,
}

state_of_fields!(Starts { starts });

impl Observer for Starts {
    fn finished(&mut self, finished: Finished<'_>) {
        self.starts.push((finished.job.number, finished.start));
    }
}

/// Jobs as (submit, processors, runtime) in units start at these times.
#[track_caller]
fn check_starts(kind: ClusterKind, jobs: &[(i64, u32, i64)], starts: &[i64]) {
    let job = |(number, &(submit, processors, runtime)): (u64, &(i64, u32, i64))| Job {
        number,
        source: 0,
        submit: Time::ZERO + Span::units(submit),
        runtime: Span::units(runtime),
        estimate: Span::units(runtime),
        processors,
        user: 0,
        organization: OrganizationId(0),
        ..Job::default()
    };
    let list = ListSource::new((0..).zip(jobs).map(job).collect());
    let mut found = run(&one_cluster(kind, WorkloadKind::List(list)), 0, Starts::default());
    found.starts.sort_unstable();
    let found: Vec<Time> = found.starts.into_iter().map(|(_, start)| start).collect();
    let starts: Vec<Time> = starts.iter().map(|&start| Time::ZERO + Span::units(start)).collect();
    assert_eq!(found, starts);
}

/// A job of 3 every 2: each waits one longer than the one before. And one of 2 every 3: none waits.
#[test]
fn regular_arrivals_of_equal_jobs_by_hand() {
    let fcfs = space_shared(1, LocalOptions::Fcfs(fcfs::Options {}));
    for kind in [fcfs, ClusterKind::TimeShared { processors: 1 }] {
        let every = |gap: i64, runtime: i64| -> Vec<_> {
            (0..50).map(|number| (gap * number, 1, runtime)).collect()
        };
        let starts: Vec<_> = (0..50).map(|number| 3 * number).collect();
        check_starts(kind.clone(), &every(2, 3), &starts);
        check_starts(kind.clone(), &every(3, 2), &starts);
        check_starts(kind.clone(), &every(3, 3), &starts);
        check_starts(kind.clone(), &every(3, 0), &starts);
    }
}

/// On 4 processors: the second job waits for the first, and what may fill the hole is the question.
///
/// FCFS: nobody. EASY: the fourth, which takes the processor that the second leaves over and delays
/// the third. Conservative: only the fifth, which is done when the second starts. The list: as
/// EASY, for whoever fits delays nobody here.
#[test]
fn five_jobs_by_hand() {
    const JOBS: [(i64, u32, i64); 5] = [(0, 2, 10), (1, 3, 10), (2, 4, 4), (3, 1, 20), (4, 1, 6)];
    for (scheduler, starts) in [
        (LocalOptions::Fcfs(fcfs::Options {}), [0, 10, 20, 24, 24]),
        (LocalOptions::Easy(easy::Options::default()), [0, 10, 23, 3, 4]),
        (LocalOptions::Conservative(conservative::Options {}), [0, 10, 20, 24, 4]),
        (LocalOptions::List(list::Options::default()), [0, 10, 23, 3, 4]),
    ] {
        check_starts(space_shared(4, scheduler), &JOBS, &starts);
    }
}

/// Little's law on a path: the number in the system over time, and the flow of those that left.
#[derive(Clone, Copy, Debug, Default)]
struct Little {
    inside: i128,
    since: Time,
    area: i128,
    flow: i128,
}

state_of_fields!(Little { inside, since, area, flow });

impl Little {
    fn until(&mut self, now: Time) {
        self.area += self.inside * i128::from((now - self.since).ticks());
        self.since = now;
    }
}

impl Observer for Little {
    fn submitted(&mut self, Submitted { now, .. }: Submitted<'_>) {
        self.until(now);
        self.inside += 1;
    }
    fn finished(&mut self, finished: Finished<'_>) {
        self.until(finished.finish);
        self.inside -= 1;
        self.flow += i128::from(finished.flow().ticks());
    }
}

#[test]
fn the_sum_of_flows_is_the_time_integral_of_the_jobs_in_the_system() {
    let size = Size { clusters: 3, processors: 16, jobs: 300 };
    let mut eventful = 0;
    let variants = variants();
    for (seed, variant) in (0..).zip(&variants) {
        let plan = random_plan(seed, size, variant);
        let mut little = Little::default();
        let told: &mut dyn Observer = &mut little;
        crate::common::start(&plan, 0, told).run().expect("nothing fails");
        let Little { inside, area, flow, .. } = little;
        assert_eq!((inside, area), (0, flow), "{variant:?}");
        eventful += usize::from(flow > 0);
    }
    assert!(eventful * 10 > variants.len() * 9, "in most runs something happens");
}
