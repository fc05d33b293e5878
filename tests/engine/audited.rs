//! Runs of the engine pass the audit, whatever the scheduler and the setting.
//!
//! The checkers in `audit` were written from the definitions and share no code with the policies;
//! here the two judge each other on a hundred thousand random small grids.

mod scenarios;

use std::panic::{self, AssertUnwindSafe};

use crate::common::{
    Scribe, Size, Variant, below, draws, grid_variants, limit, plan_variants, random_plan, run,
    schedulers, variants,
};
use gridpact::audit::{
    self, ClusterFacts, Discipline, Facts, JobFacts, Kind, Order, Settings, Sums, Totals,
    UNIT_SPEED,
};
use gridpact::kernel::time::{Span, Time};
use gridpact::model::job::Job;
use gridpact::model::order::Order as ListOrder;
use gridpact::model::speed::Speed;
use gridpact::policy::local::{LocalOptions, easy, list};
use gridpact::scenario::plan::{ClusterKind, Plan, WorkloadKind};
use gridpact::sim::accounts::{Account, Accounts};
use gridpact::sim::clairvoyance::Clairvoyance;
use gridpact::sim::phase::PhaseOrder;
use gridpact::workload::jobs::ListSource;

fn discipline(scheduler: &LocalOptions) -> Discipline {
    let LocalOptions::List(list::Options { order }) = scheduler else {
        if let LocalOptions::Easy(easy::Options { order: ListOrder::By(ranking), .. }) = scheduler {
            return Discipline::Ranked { by: ranking.clone().into(), is_easy: true };
        }
        return match scheduler.name() {
            "easy" if *scheduler != LocalOptions::Easy(easy::Options::default()) => {
                Discipline::EasyShortestFirst
            }
            "fcfs" => Discipline::Fcfs,
            "easy" => Discipline::Easy,
            "conservative" => Discipline::Conservative,
            other => Discipline::Unknown(other.into()),
        };
    };
    Discipline::List(match order {
        ListOrder::Submit => Order::Submit,
        ListOrder::Shortest => Order::ShortestEstimate,
        ListOrder::Longest => Order::LongestEstimate,
        ListOrder::Smallest => Order::Smallest,
        ListOrder::Largest => Order::Largest,
        ListOrder::SmallestArea => Order::SmallestArea,
        ListOrder::LargestArea => Order::LargestArea,
        ListOrder::Random => Order::Random,
        ListOrder::By(ranking) => {
            return Discipline::Ranked { by: ranking.clone().into(), is_easy: false };
        }
    })
}

fn facts(plan: &Plan, jobs: Vec<JobFacts>) -> Facts {
    let clusters = plan.clusters.iter().map(|cluster| {
        let kind = match &cluster.kind {
            ClusterKind::TimeShared { .. } | ClusterKind::Own { .. } => Kind::TimeShared,
            ClusterKind::SpaceShared { scheduler, .. } => {
                let of_its_own = scheduler.as_ref().map(discipline);
                Kind::SpaceShared(of_its_own.unwrap_or(Discipline::Grid))
            }
        };
        let kill_at_estimate = cluster.kills_at_estimate();
        let facts = ClusterFacts::new(&*cluster.name, cluster.processors(), kind);
        let speed = (cluster.speed().value() * f64::from(UNIT_SPEED)).round() as u32;
        ClusterFacts { owner: Some(cluster.owner.index()), kill_at_estimate, speed, ..facts }
    });
    Facts {
        organizations: plan.organizations.iter().map(|one| one.name.clone()).collect(),
        clusters: clusters.collect(),
        jobs,
        grid: None,
        settings: Settings {
            phase_order: match plan.settings.phase_order {
                PhaseOrder::Instant => audit::PhaseOrder::Instant,
                PhaseOrder::PerEvent => audit::PhaseOrder::PerEvent,
                PhaseOrder::PerEventFreeWhenDue => audit::PhaseOrder::PerEventFreeWhenDue,
            },
            clairvoyance: match plan.settings.clairvoyance {
                Clairvoyance::Runtime => audit::Clairvoyance::Runtime,
                Clairvoyance::Estimate => audit::Clairvoyance::Estimate,
                Clairvoyance::Predicted(_) => audit::Clairvoyance::Predicted,
                Clairvoyance::None => audit::Clairvoyance::None,
            },
            corrects: plan.settings.clairvoyance.corrects(),
            stopped: (limit(plan) != Time::NEVER).then_some(limit(plan)),
        },
    }
}

fn sums(account: &Account) -> Sums {
    Sums {
        submitted: account.jobs.submitted,
        started: account.jobs.started,
        finished: account.jobs.finished,
        rejected: account.jobs.rejected,
        flow: account.flow.sum(),
        wait: account.wait.sum(),
        area: account.areas.own,
        for_others: account.areas.for_others,
        by_others: account.areas.by_others,
    }
}

/// Runs a plan and has it audited, its accounts included; says what is wrong.
fn wrong(plan: &Plan) -> Option<String> {
    let accounts = Accounts::new(plan.organizations.len(), plan.owned(), plan.counting);
    let (accounts, scribe) = run(plan, 0, (accounts, Scribe::default()));
    let mut facts = facts(plan, scribe.jobs);
    let clairvoyance = facts.settings.clairvoyance;
    let local = |job: &JobFacts| job.clone().at_speed_of(&facts.clusters, clairvoyance);
    facts.jobs = facts.jobs.iter().map(local).collect();
    let report = audit::audit(&facts, &[]);
    let mut counted = facts;
    counted.jobs.retain(|job| plan.counting.from <= job.submit);
    let totals = Totals {
        replication: 0,
        organizations: accounts.organizations().iter().map(sums).collect(),
        grid: sums(&accounts.grid()),
    };
    let conservation = audit::conservation(&counted, &[totals]);
    (!report.passed() || !conservation.passed())
        .then(|| format!("{report}\n{conservation:?}\n{}", table(&counted)))
}

/// The speeds that clusters of every third grid draw, so that many ends are rounded.
const SPEEDS: [f64; 6] = [1.0, 0.3, 0.5, 1.5, 2.0, 7.0];

fn at_speeds(mut plan: Plan, seed: u64) -> Plan {
    let takes = plan.planned.as_ref().is_none_or(|planned| planned.planner.takes_speeds());
    if seed.is_multiple_of(3) && takes {
        let rng = &mut draws(seed, "speeds");
        for cluster in &mut plan.clusters {
            if let ClusterKind::SpaceShared { machine, .. } = &mut cluster.kind {
                machine.speed = Speed::new(SPEEDS[below(rng, 6) as usize]).expect("a speed");
            }
        }
    }
    plan
}

/// The jobs of a failing case, a line each.
fn table(facts: &Facts) -> String {
    let time = |time: Option<Time>| time.map_or("-".to_owned(), |time| time.to_string());
    let row = |job: &JobFacts| {
        let expected = job.expected.map_or("-".to_owned(), |expected| expected.to_string());
        format!(
            "{}/{}: at {} on {:?} x{}, {} ({expected} expected): {} to {}\n",
            job.source.unwrap_or_default(),
            job.number,
            job.submit,
            job.cluster,
            job.processors,
            job.runtime,
            time(job.start),
            time(job.finish)
        )
    };
    facts.jobs.iter().map(row).collect()
}

/// Conservative backfilling is defined for one decision an instant, so its checker says nothing
/// about an event-by-event order; capacity, times and accounts are checked all the same.
///
/// Shows the failing case with the fewest jobs of each scheduler, in all its settings.
#[test]
fn random_grids_pass_the_audit_in_every_variant() {
    let mut failed = Vec::new();
    for scheduler in schedulers() {
        let mut smallest: Option<(usize, String)> = None;
        for (number, variant) in variants().iter().enumerate() {
            if variant.scheduler != scheduler {
                continue;
            }
            for seed in 0..seeds(variant) {
                let seed = seed + 10_000 * number as u64;
                for size in SIZES {
                    let plan = at_speeds(random_plan(seed, size, variant), seed);
                    let jobs = plan.jobs().expect("lists are counted") as usize;
                    let told = panic::catch_unwind(AssertUnwindSafe(|| wrong(&plan)))
                        .unwrap_or_else(|_| Some("it panicked".to_owned()));
                    if let Some(told) = told
                        && smallest.as_ref().is_none_or(|(least, _)| jobs < *least)
                    {
                        smallest = Some((jobs, format!("{variant:?}, {seed}, {size:?}\n{told}")));
                    }
                }
            }
        }
        failed.extend(smallest.map(|(_, told)| told));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

/// Jobs that a grid scheduler or a plan starts are checked for capacity, times and accounts;
/// `online.rs` judges the disciplines.
#[test]
fn random_grids_with_a_grid_scheduler_or_a_planner_pass_the_audit() {
    for (number, variant) in grid_variants().iter().chain(&plan_variants()).enumerate() {
        if variant.grid.as_ref().is_some_and(|grid| !grid.starts()) {
            continue;
        }
        for seed in 0..crate::cases(25) {
            let seed = seed + 10_000 * number as u64;
            for size in SIZES {
                let plan = at_speeds(random_plan(seed, size, variant), seed);
                if let Some(told) = wrong(&plan) {
                    panic!("{variant:?}, {seed}, {size:?}\n{told}");
                }
            }
        }
    }
}

/// A cluster of any speed does with jobs what one of unit speed does with those whose runtimes and
/// estimates are what the speed makes of them.
#[test]
fn a_speed_only_divides_times() {
    let takes = |span: Span, speed: f64| {
        // In tenths: all speeds have one digit.
        let tenths = (speed * 10.0).round() as i64;
        Span::from_ticks((span.ticks() * 10 + tenths - 1) / tenths)
    };
    for (number, variant) in variants().iter().enumerate() {
        // What was learned of users' jobs is rounded on its way.
        let learns = matches!(variant.clairvoyance, Clairvoyance::Predicted(_));
        if learns || variant.scheduler.is_none() {
            continue;
        }
        for seed in 0..60 {
            let seed = seed + 10_000 * number as u64;
            let plain = random_plan(seed, SIZES[1], variant);
            for speed in SPEEDS {
                let mut fast = plain.clone();
                let mut short = plain.clone();
                for cluster in &mut fast.clusters {
                    if let ClusterKind::SpaceShared { machine, .. } = &mut cluster.kind {
                        machine.speed = Speed::new(speed).expect("a speed");
                    }
                }
                for workload in &mut short.workloads {
                    let WorkloadKind::List(list) = &workload.kind else { unreachable!() };
                    let jobs = list.jobs().iter().map(|job| Job {
                        runtime: takes(job.runtime, speed),
                        estimate: takes(job.estimate, speed),
                        ..*job
                    });
                    workload.kind = WorkloadKind::List(ListSource::new(jobs.collect()));
                }
                let ran = |plan: &Plan| {
                    let jobs = run(plan, 0, Scribe::default()).jobs;
                    let ran = |job: JobFacts| {
                        (job.source, job.number, job.start, job.finish, job.success)
                    };
                    jobs.into_iter().map(ran).collect::<Vec<_>>()
                };
                assert_eq!(ran(&fast), ran(&short), "{variant:?}, {seed}, speed {speed}");
            }
        }
    }
}

/// Number of grids of each size. Reservations that others outrun have the longest memory, and go
/// wrong most rarely.
fn seeds(variant: &Variant) -> u64 {
    let remembers = matches!(variant.scheduler, Some(LocalOptions::Conservative(_)));
    if remembers && variant.phase_order == PhaseOrder::Instant {
        crate::cases(700)
    } else {
        crate::cases(50)
    }
}

const SIZES: [Size; 3] = [
    Size { clusters: 3, processors: 12, jobs: 40 },
    Size { clusters: 1, processors: 4, jobs: 12 },
    Size { clusters: 1, processors: 6, jobs: 4 },
];
