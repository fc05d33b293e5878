//! Grid schedulers against exact vectors, and against the literal lists of the paper on random grids.

use std::cell::RefCell;
use std::collections::BTreeSet;

use gridpact::audit::grid::{
    Asking, Batches, FairRule, GridRule, ListOrder, Literal, Site as LiteralSite,
};
use gridpact::kernel::rng::{Rng, Streams};
use gridpact::kernel::state::State as _;
use gridpact::kernel::time::{Span, Time};
use gridpact::model::asked::Asked;
use gridpact::model::foreign::Foreign;
use gridpact::model::ids::{ClusterId, JobId, OrganizationId};
use gridpact::model::job::Job;
use gridpact::model::machine::Machine;
use gridpact::model::order::Order;
use gridpact::model::speed::Speed;
use gridpact::model::view::{Blind, Submission};
use gridpact::policy::grid::fair::{self, By};
use gridpact::policy::grid::stealing::{self, First};
use gridpact::policy::grid::{
    GridOptions, GridScheduler as _, Group, Placement, Setup, Site, Sites, grid_submission, list,
};
use gridpact::sim::cluster::Bare;
use gridpact::sim::grid::{Grid, Settings};
use gridpact::workload::jobs::ListSource;

use crate::common::{Scribe, below, draws};
use crate::online_vectors::{Vector, vectors};

fn in_order(order: Order) -> GridOptions {
    GridOptions::List(list::Options { order })
}

fn options(name: &str) -> GridOptions {
    match name {
        "list-fcfs" => in_order(Order::Submit),
        "list-asc" => in_order(Order::Smallest),
        "list-desc" => in_order(Order::Largest),
        "gots" => GridOptions::GridSubmission(Default::default()),
        "steal" => GridOptions::Stealing(Default::default()),
        other => panic!("the vectors name {other}"),
    }
}

/// Start and cluster of every job, by the engine.
fn simulated(instance: &Vector, scheduler: GridOptions) -> Vec<(i64, usize)> {
    let mut grid = Grid::new(Settings::default(), Scribe::default());
    let clusters = instance.machines.iter().map(|&one| grid.add_cluster(Bare(Machine::new(one))));
    let clusters: Vec<ClusterId> = clusters.collect();
    grid.add_organization(clusters);
    grid.schedule(scheduler);
    let jobs = instance.jobs.iter().zip(1..).map(|(&(processors, length, submit), number)| Job {
        number,
        submit: Time::from_ticks(submit),
        runtime: Span::from_ticks(length),
        estimate: Span::from_ticks(length),
        processors,
        ..Job::default()
    });
    grid.add_source(ListSource::new(jobs.collect())).expect("a list can be read");
    let mut engine = grid.start();
    engine.run().expect("nothing fails");
    let now = engine.now();
    let scribe = engine.into_world().finish(now);
    let started = |job: &gridpact::audit::JobFacts| {
        (job.start.expect("it started").ticks(), job.cluster.expect("it ran on a cluster"))
    };
    scribe.jobs.iter().map(started).collect()
}

/// Compares start and cluster of every job with the vectors, and the makespan.
fn compare(find: impl Fn(&Vector, &GridOptions) -> Vec<(i64, usize)>) {
    for vector in vectors() {
        assert_eq!(vector.expected.len(), 5);
        for (name, expected) in &vector.expected {
            let found = find(&vector, &options(name));
            assert_eq!(found, expected.placements(), "{} under {name}", vector.name);
            let ends = found.iter().zip(&vector.jobs).map(|(one, job)| one.0 + job.1);
            assert_eq!(ends.max(), Some(expected.cmax), "{} under {name}", vector.name);
        }
    }
}

#[test]
fn every_start_and_cluster_of_the_vectors_is_met() {
    compare(|vector, options| simulated(vector, options.clone()));
}

/// The literal lists meet the same vectors, so the checks of the auditor are exact too.
#[test]
fn literal_lists_meet_the_vectors() {
    compare(|vector, options| {
        let site = |&processors: &u32| Site {
            processors,
            owner: OrganizationId(0),
            foreign: Foreign::Always,
            speed: Speed::ONE,
        };
        let sites: Vec<Site> = vector.machines.iter().map(site).collect();
        let clusters = (0..sites.len() as u32).map(ClusterId).collect();
        let groups = vec![Group { clusters, owner: None }];
        let asks = |&(processors, length, submit): &(u32, i64, i64)| Asks {
            processors,
            length,
            submit,
            owner: 0,
            group: 0,
        };
        let case = Case { sites, groups, jobs: vector.jobs.iter().map(asks).collect() };
        let known = rules().into_iter().find(|(one, ..)| one == options);
        let (_, rule, in_batches) = known.expect("the vectors have schedulers with a rule");
        literal(rule, in_batches, &case)
    });
}

/// A job of a random grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asks {
    pub processors: u32,
    pub length: i64,
    pub submit: i64,
    pub owner: u32,
    pub group: usize,
}

#[derive(Debug)]
pub(crate) struct Case {
    pub sites: Vec<Site>,
    pub groups: Vec<Group>,
    pub jobs: Vec<Asks>,
}

/// Differences of a random grid from the paper's.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Terms {
    /// All may use all.
    Alike,
    /// Jobs may use some clusters only.
    Restricted,
    /// And some clusters take others' jobs only while none of their owner's waits.
    Guarded,
}

fn case(rng: &mut Rng, terms: Terms, is_large: bool) -> Case {
    let clusters = 1 + below(rng, if is_large { 40 } else { 7 });
    let most = [4, 8, 16, 40, 100, 3000][below(rng, 6) as usize];
    let owners = if terms == Terms::Alike { 1 } else { 1 + below(rng, 3) };
    let are_equal = below(rng, 10) == 0;
    let sites = (0..clusters).map(|_| Site {
        processors: match are_equal || below(rng, 3) == 0 {
            true => most as u32,
            false => 1 + below(rng, most) as u32,
        },
        owner: OrganizationId(below(rng, owners) as u32),
        speed: Speed::ONE,
        foreign: match terms {
            Terms::Guarded if below(rng, 2) == 0 => Foreign::WhenNoneWaits,
            _ => Foreign::Always,
        },
    });
    let sites: Vec<Site> = sites.collect();
    let all = || (0..clusters as u32).map(ClusterId);
    let mut lists: Vec<Vec<ClusterId>> = vec![all().collect()];
    for _ in 0..if terms == Terms::Alike { 0 } else { below(rng, 3) } {
        let mut some: Vec<ClusterId> = all().filter(|_| below(rng, 2) == 0).collect();
        if some.is_empty() {
            some.push(ClusterId(0));
        }
        lists.push(some);
    }
    let comes_at_once = below(rng, 5) < 2;
    let (mut groups, mut jobs, mut submit) = (Vec::new(), Vec::new(), 0);
    for _ in 0..=below(rng, if is_large { 200 } else { 40 }) {
        let owner = below(rng, owners) as u32;
        let clusters = &lists[below(rng, lists.len() as u64) as usize];
        let is_own = clusters.iter().map(|one| &sites[one.index()]).any(|site| {
            site.foreign == Foreign::WhenNoneWaits && site.owner == OrganizationId(owner)
        });
        let owner_of_all = is_own.then_some(OrganizationId(owner));
        let group = Group { clusters: clusters.clone(), owner: owner_of_all };
        let known = groups.iter().position(|one| *one == group);
        let group = known.unwrap_or_else(|| {
            groups.push(group);
            groups.len() - 1
        });
        let sizes: Vec<u32> = clusters.iter().map(|one| sites[one.index()].processors).collect();
        let widest = *sizes.iter().max().expect("a list has a cluster");
        let one = sizes[below(rng, sizes.len() as u64) as usize];
        let more = below(rng, 2) as u32;
        let processors = match below(rng, 4) {
            0 => 1 + below(rng, widest.into()) as u32,
            1 => one,
            2 => widest / 2 + more,
            _ => one / 2 + more,
        };
        if !comes_at_once && below(rng, 5) < 3 {
            submit += below(rng, 4) as i64;
        }
        let length = if below(rng, 10) == 0 { 0 } else { 1 + below(rng, 11) as i64 };
        jobs.push(Asks { processors: processors.clamp(1, widest), length, submit, owner, group });
    }
    Case { sites, groups, jobs }
}

/// Plays a case; `ended` hears of ends (time, job, cluster, idle processors), `submitted` of
/// submissions, and `decide` says what starts. Returns start and cluster of every job.
fn played(
    case: &Case,
    mut ended: impl FnMut(i64, usize, usize, u32),
    mut submitted: impl FnMut(usize, &Asks),
    mut decide: impl FnMut(i64) -> Vec<(usize, usize)>,
) -> Vec<(i64, usize)> {
    let mut found = vec![(-1, usize::MAX); case.jobs.len()];
    let mut idle: Vec<u32> = case.sites.iter().map(|site| site.processors).collect();
    let mut ends: BTreeSet<(i64, usize, usize)> = BTreeSet::new();
    let mut next = 0;
    loop {
        let submit = case.jobs.get(next).map(|job| job.submit);
        let end = ends.first().map(|&(end, ..)| end);
        let Some(now) = submit.into_iter().chain(end).min() else { return found };
        loop {
            let before = (next, ends.len());
            while let Some(&one) = ends.first().filter(|one| one.0 == now) {
                ends.remove(&one);
                let (_, job, cluster) = one;
                idle[cluster] += case.jobs[job].processors;
                ended(now, job, cluster, idle[cluster]);
            }
            while let Some(job) = case.jobs.get(next).filter(|job| job.submit == now) {
                submitted(next, job);
                next += 1;
            }
            if before == (next, ends.len()) {
                break;
            }
            for (job, cluster) in decide(now) {
                assert_eq!(found[job].0, -1, "job {job} starts once");
                idle[cluster] =
                    (idle[cluster].checked_sub(case.jobs[job].processors)).expect("it fits");
                found[job] = (now, cluster);
                ends.insert((now + case.jobs[job].length, job, cluster));
            }
        }
    }
}

struct Nobody;

impl Sites for Nobody {
    fn demand(&self, _: ClusterId) -> u64 {
        0
    }
}

/// By the registered scheduler; `saves` if it is saved and rebuilt before every decision.
pub(crate) fn efficient(options: &GridOptions, case: &Case, saves: bool) -> Vec<(i64, usize)> {
    let streams = Streams::new(1);
    let (sites, groups) = (&case.sites, &case.groups);
    let setup = Setup { sites, groups, organizations: 3, streams: &streams };
    let scheduler = RefCell::new(options.build(&setup));
    let now = RefCell::new(0);
    played(
        case,
        |now, job, cluster, idle| {
            let mut scheduler = scheduler.borrow_mut();
            scheduler.ended(JobId(job as u32), Time::from_ticks(now));
            scheduler.freed(ClusterId(cluster as u32), idle);
        },
        |id, asks| {
            let job = Blind {
                id: JobId(id as u32),
                submit: Time::from_ticks(asks.submit),
                processors: asks.processors,
                user: 0,
                organization: OrganizationId(asks.owner),
            };
            let expected = Some(Span::from_ticks(asks.length));
            let at = Time::from_ticks(*now.borrow());
            scheduler.borrow_mut().submit(Submission { job, expected }, asks.group as u32, at);
        },
        |at| {
            *now.borrow_mut() = at;
            if saves {
                let (mut saved, mut again) = (Vec::new(), Vec::new());
                scheduler.borrow().save(&mut saved);
                let mut rebuilt = options.build(&setup);
                rebuilt.load(&mut &saved[..]).expect("it was saved by the same grid");
                rebuilt.save(&mut again);
                assert!(saved == again, "{options:?}");
                *scheduler.borrow_mut() = rebuilt;
            }
            let mut out = Vec::new();
            scheduler.borrow_mut().decide(Time::from_ticks(at), &Nobody, &mut out);
            let started = |one: Placement| match one {
                Placement::Start { job, cluster, .. } => (job.index(), cluster.index()),
                Placement::Send { .. } => panic!("it starts jobs itself"),
            };
            out.into_iter().map(started).collect()
        },
    )
}

/// By the paper's lists.
fn literal(rule: GridRule, in_batches: bool, case: &Case) -> Vec<(i64, usize)> {
    let sites = case.sites.iter().map(|site| LiteralSite {
        processors: site.processors,
        owner: site.owner.0,
        foreign: site.foreign,
    });
    let sites: Vec<LiteralSite> = sites.collect();
    let clusters = |group: &Group| group.clusters.iter().map(|one| one.index()).collect();
    let groups: Vec<Vec<usize>> = case.groups.iter().map(clusters).collect();
    let asking = |id: usize, asks: &Asks| Asking {
        id,
        processors: asks.processors,
        expected: Some(Span::from_ticks(asks.length)),
        owner: asks.owner,
        group: asks.group,
    };
    if in_batches {
        let grid = RefCell::new(Batches::new(rule, sites, groups));
        return played(
            case,
            |_, job, cluster, _| grid.borrow_mut().freed(cluster, case.jobs[job].processors),
            |id, asks| grid.borrow_mut().submit(asking(id, asks)),
            |_| grid.borrow_mut().decide(),
        );
    }
    let grid = RefCell::new(Literal::new(rule, sites, groups));
    played(
        case,
        |now, job, cluster, _| {
            grid.borrow_mut().at(Time::from_ticks(now), [job]);
            grid.borrow_mut().freed(cluster, case.jobs[job].processors);
        },
        |id, asks| grid.borrow_mut().submit(asking(id, asks)),
        |now| {
            grid.borrow_mut().at(Time::from_ticks(now), []);
            grid.borrow_mut().decide()
        },
    )
}

fn rules() -> Vec<(GridOptions, GridRule, bool)> {
    let batches = grid_submission::Options { asked: Asked::Batch, shuffled: false };
    let big = stealing::Options { first: First::Big, delay: 0.0 };
    let fair = |by| GridOptions::Fair(fair::Options { by, orders: 0 });
    vec![
        (fair(By::Share), GridRule::Fair(FairRule::Share), false),
        (fair(By::Current), GridRule::Fair(FairRule::Current), false),
        (fair(By::Utility), GridRule::Fair(FairRule::Utility), false),
        (fair(By::Favors), GridRule::Fair(FairRule::Favors), false),
        (fair(By::RoundRobin), GridRule::Fair(FairRule::RoundRobin), false),
        (fair(By::Auction), GridRule::Fair(FairRule::Auction), false),
        (in_order(Order::Submit), GridRule::List(ListOrder::Submit), false),
        (in_order(Order::Smallest), GridRule::List(ListOrder::Smallest), false),
        (in_order(Order::Largest), GridRule::List(ListOrder::Largest), false),
        (in_order(Order::Shortest), GridRule::List(ListOrder::Shortest), false),
        (in_order(Order::LargestArea), GridRule::List(ListOrder::LargestArea), false),
        (GridOptions::BestFit(Default::default()), GridRule::BestFit, false),
        (GridOptions::GridSubmission(Default::default()), GridRule::Submission, false),
        (GridOptions::GridSubmission(batches), GridRule::Submission, true),
        (GridOptions::Stealing(Default::default()), GridRule::StealNear, false),
        (GridOptions::Stealing(big), GridRule::StealBig, false),
    ]
}

/// `GRIDPACT_ROUNDS` random grids, by default 600, a third of each kind.
#[test]
fn every_scheduler_is_its_literal_definition_on_random_grids() {
    let rounds = std::env::var("GRIDPACT_ROUNDS").ok().and_then(|text| text.parse().ok());
    for seed in 0..rounds.unwrap_or(600) {
        let terms = [Terms::Alike, Terms::Restricted, Terms::Guarded][(seed % 3) as usize];
        let case = case(&mut draws(seed, "online"), terms, seed % 10 == 9);
        for (options, rule, in_batches) in rules() {
            let found = efficient(&options, &case, seed % 4 == 1);
            let wanted = literal(rule, in_batches, &case);
            assert_eq!(found, wanted, "{seed}, {options:?}, batches {in_batches}: {case:?}");
            assert!(found.iter().all(|one| one.0 >= 0), "{seed}, {options:?}: a job never starts");
        }
    }
}
