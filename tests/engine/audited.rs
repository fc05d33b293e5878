//! Runs of the engine pass the audit, whatever the scheduler and the setting.
//!
//! The checkers in `audit` were written from the definitions and share no code with the policies;
//! here the two judge each other on a hundred thousand random small grids.

mod scenarios;

use std::panic::{self, AssertUnwindSafe};

use crate::common::{
    Scribe, Size, Variant, grid_variants, limit, plan_variants, random_plan, run, schedulers,
    variants,
};
use gridpact::audit::{
    self, ClusterFacts, Discipline, Facts, JobFacts, Kind, Order, Settings, Sums, Totals,
};
use gridpact::kernel::time::Time;
use gridpact::model::order::Order as ListOrder;
use gridpact::policy::local::{LocalOptions, easy, list};
use gridpact::scenario::plan::{ClusterKind, Plan};
use gridpact::sim::accounts::{Account, Accounts};
use gridpact::sim::clairvoyance::Clairvoyance;
use gridpact::sim::phase::PhaseOrder;

fn discipline(scheduler: &LocalOptions) -> Discipline {
    let LocalOptions::List(list::Options { order }) = scheduler else {
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
    })
}

fn facts(plan: &Plan, jobs: Vec<JobFacts>) -> Facts {
    let clusters = plan.clusters.iter().map(|cluster| {
        let (kind, kill_at_estimate) = match &cluster.kind {
            ClusterKind::TimeShared { .. } | ClusterKind::Own { .. } => (Kind::TimeShared, false),
            ClusterKind::SpaceShared { scheduler, kill_at_estimate, .. } => {
                let of_its_own = scheduler.as_ref().map(discipline);
                (Kind::SpaceShared(of_its_own.unwrap_or(Discipline::Grid)), *kill_at_estimate)
            }
        };
        let facts = ClusterFacts::new(&*cluster.name, cluster.processors(), kind);
        ClusterFacts { owner: Some(cluster.owner.index()), kill_at_estimate, ..facts }
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
    let facts = facts(plan, scribe.jobs);
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
                    let plan = random_plan(seed, size, variant);
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
        for seed in 0..100 {
            let seed = seed + 10_000 * number as u64;
            for size in SIZES {
                let plan = random_plan(seed, size, variant);
                if let Some(told) = wrong(&plan) {
                    panic!("{variant:?}, {seed}, {size:?}\n{told}");
                }
            }
        }
    }
}

/// Number of grids of each size. Reservations that others outrun have the longest memory, and go
/// wrong most rarely.
fn seeds(variant: &Variant) -> u64 {
    let remembers = matches!(variant.scheduler, Some(LocalOptions::Conservative(_)));
    if remembers && variant.phase_order == PhaseOrder::Instant { 3000 } else { 200 }
}

const SIZES: [Size; 3] = [
    Size { clusters: 3, processors: 12, jobs: 40 },
    Size { clusters: 1, processors: 4, jobs: 12 },
    Size { clusters: 1, processors: 6, jobs: 4 },
];
