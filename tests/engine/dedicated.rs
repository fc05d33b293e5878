//! Owners with dedicated processors, against the exact vectors in `tests/data/dedicated.json`.

use gridpact::game::dedicated::{Acting, Dedicated, Fronts, Limit, OneShot, Schedule, multiset};
use gridpact::game::equity::{Points, cumulated, pareto_dominates};
use gridpact::kernel::time::{Span, Time};
use gridpact::model::ids::{ClusterId, JobId, OrganizationId};
use gridpact::model::speed::Speed;
use gridpact::model::view::{Blind, Expected};
use gridpact::policy::plan::{
    Known, Planner as _, PlannerOptions, Plans, Problem, Site, Start, WithoutJobs, derived,
    equitable_local_search, equitable_walk,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    vectors: Vec<Vector>,
}

/// An instance and all that is known of it.
#[derive(Deserialize)]
struct Vector {
    name: String,
    /// Sizes by owner and processor.
    jobs: Vec<Vec<Vec<i64>>>,
    spt: Played,
    mjf: Played,
    ew: Walked,
    gew: Walked,
    exhaustive: Exhaustive,
    poa: Prices,
}

#[derive(Deserialize)]
struct Played {
    schedule: Schedule,
    #[serde(rename = "C")]
    sums: Vec<i64>,
    #[serde(default)]
    multisets: Option<Vec<Vec<u32>>>,
}

#[derive(Deserialize)]
struct Walked {
    #[serde(rename = "list_C")]
    list: Vec<Vec<i64>>,
    moves_by: Vec<u32>,
    last_schedule: Schedule,
    #[serde(rename = "cleaned_C")]
    cleaned: Vec<Vec<i64>>,
    dominated_by_exhaustive: bool,
    #[serde(default)]
    feasible_table1: Option<bool>,
}

#[derive(Deserialize)]
struct Exhaustive {
    processor_schedule_counts: Vec<u128>,
    processor_front_sizes: Vec<usize>,
    grid_pareto_front_size: usize,
    #[serde(rename = "grid_pareto_front_C", default)]
    grid_pareto_front: Option<Vec<Vec<i64>>>,
    #[serde(rename = "equitable_front_C")]
    equitable_front: Vec<Vec<i64>>,
    equitable_front_cumulative: Vec<Vec<i64>>,
    #[serde(rename = "payoff_equitable_front_C")]
    payoff_equitable_front: Vec<Vec<i64>>,
    some_schedule_pareto_dominates_mjf: bool,
}

#[derive(Deserialize)]
struct Prices {
    #[serde(rename = "num_sum_C_mjf")]
    own_first: i64,
    #[serde(rename = "den_sum_C_spt")]
    shortest_first: i64,
    value: f64,
}

fn vectors() -> Vec<(Vector, Dedicated)> {
    let file: File = serde_json::from_str(include_str!("../data/dedicated.json")).unwrap();
    assert_eq!(file.vectors.len(), 22);
    let with = |vector: Vector| {
        let instance = Dedicated::square(&vector.jobs).unwrap();
        (vector, instance)
    };
    file.vectors.into_iter().map(with).collect()
}

fn points(owners: usize, all: &[Vec<i64>]) -> Points {
    Points::of(owners, all.iter().map(|one| &one[..]))
}

#[test]
fn both_reference_schedules_are_met() {
    for (vector, instance) in vectors() {
        let (spt, mjf) = (instance.shortest_first(), instance.own_first());
        assert_eq!(spt, vector.spt.schedule, "{}", vector.name);
        assert_eq!(instance.sums(&spt), vector.spt.sums, "{}", vector.name);
        assert_eq!(mjf, vector.mjf.schedule, "{}", vector.name);
        assert_eq!(instance.sums(&mjf), vector.mjf.sums, "{}", vector.name);
        if let Some(multisets) = vector.spt.multisets {
            let codes = spt.iter().enumerate().map(|(owner, order)| multiset(order, owner as u32));
            assert!(codes.eq(multisets), "{}", vector.name);
        }
    }
}

#[test]
fn fronts_are_exact() {
    for (vector, instance) in vectors() {
        let (name, expected, owners) = (&vector.name, &vector.exhaustive, instance.owners());
        let orders: Vec<u128> = instance.processors().iter().map(|one| one.orders()).collect();
        assert_eq!(orders, expected.processor_schedule_counts, "{name}");
        let fronts = Fronts::of(&instance, Limit::default()).unwrap();
        let sizes: Vec<usize> = fronts.processors().iter().map(Points::len).collect();
        assert_eq!(sizes, expected.processor_front_sizes, "{name}");
        let pareto = fronts.pareto().unwrap();
        assert_eq!(pareto.len(), expected.grid_pareto_front_size, "{name}");
        if let Some(front) = &expected.grid_pareto_front {
            assert_eq!(pareto, points(owners, front), "{name}");
        }
        let equitable = fronts.equitable(&vec![0; owners]).unwrap();
        assert_eq!(equitable, points(owners, &expected.equitable_front), "{name}");
        let costs = cumulated(&equitable, &vec![0; owners]).sorted();
        assert_eq!(costs, points(owners, &expected.equitable_front_cumulative).sorted(), "{name}");
        let payoffs = fronts.equitable(&instance.payoff_offset()).unwrap();
        assert_eq!(payoffs, points(owners, &expected.payoff_equitable_front), "{name}");
        let alone = instance.sums(&instance.own_first());
        let some = expected.some_schedule_pareto_dominates_mjf;
        assert_eq!(fronts.some_dominates(&alone), Ok(some), "{name}");
        assert_eq!(pareto.iter().any(|sums| pareto_dominates(sums, &alone)), some, "{name}");
    }
}

#[test]
fn prices_are_exact() {
    for (vector, instance) in vectors() {
        let found = OneShot::new(&instance).equilibria().unwrap();
        let Prices { own_first, shortest_first, value } = vector.poa;
        assert_eq!(found.best, own_first, "{}", vector.name);
        assert_eq!(found.optimum, shortest_first, "{}", vector.name);
        assert!((found.price_of_stability() - value).abs() < 1e-12, "{}", vector.name);
        if instance.owners() == 2 {
            assert_eq!((found.worst, found.count), (found.best, 1), "{}", vector.name);
        }
    }
}

#[test]
fn walks_are_exact_in_order() {
    for (vector, instance) in vectors() {
        let (name, owners) = (&vector.name, instance.owners());
        let both = [(vec![0; owners], &vector.ew), (instance.payoff_offset(), &vector.gew)];
        for (offset, expected) in both {
            let walk = instance.equitable_walk(&offset, usize::MAX);
            assert_eq!(walk.sums, points(owners, &expected.list), "{name}");
            let helped: Vec<u32> = walk.moves.iter().map(|one| one.helps).collect();
            assert_eq!(helped, expected.moves_by, "{name}");
            let last = walk.schedule(&instance, walk.moves.len());
            assert_eq!(last, expected.last_schedule, "{name}");
            let cleaned = walk.cleaned(&offset);
            let sums = cleaned.iter().map(|&index| walk.sums.at(index));
            assert!(sums.eq(expected.cleaned.iter().map(|one| &one[..])), "{name}");
            // A vector of the cleaned list is fair unless it is not on the front.
            let fronts = Fronts::of(&instance, Limit::default()).unwrap();
            let best = cumulated(&fronts.equitable(&offset).unwrap(), &offset).sorted();
            let own = cumulated(&points(owners, &expected.cleaned), &offset);
            let is_dominated = own.iter().any(|costs| !best.holds(costs));
            assert_eq!(is_dominated, expected.dominated_by_exhaustive, "{name}");
            if let Some(feasible) = expected.feasible_table1 {
                let alone = instance.sums(&instance.own_first());
                let some = walk.sums.iter().any(|sums| pareto_dominates(sums, &alone));
                assert_eq!(some || !fronts.some_dominates(&alone).unwrap(), feasible, "{name}");
            }
        }
    }
}

/// The vector as a problem of planners: each owner has a cluster of one processor.
fn problem(vector: &Vector) -> Problem {
    at_speeds(vector, &vec![Speed::ONE; vector.jobs.len()])
}

/// The same on clusters of these speeds.
fn at_speeds(vector: &Vector, speeds: &[Speed]) -> Problem {
    let owners = vector.jobs.len() as u32;
    let site = |(owner, &speed)| Site { owner: OrganizationId(owner), processors: 1, speed };
    let mut jobs = Vec::new();
    for (owner, cells) in (0..).zip(&vector.jobs) {
        for (cluster, sizes) in (0..).zip(cells) {
            for &size in sizes {
                let job = Blind {
                    id: JobId(jobs.len() as u32),
                    submit: Time::ZERO,
                    processors: 1,
                    user: 0,
                    organization: OrganizationId(owner),
                };
                let job = Expected { job, expected: Span::units(size) };
                jobs.push(Known { job, uses: cluster });
            }
        }
    }
    let uses = (0..owners).map(|cluster| vec![ClusterId(cluster)]).collect();
    let sites = (0..owners).zip(speeds).map(site).collect();
    Problem::new(Time::ZERO, sites, uses, jobs, Vec::new(), WithoutJobs::Kept)
}

/// Sums of completion times of each candidate.
fn proposed(options: &PlannerOptions, vector: &Vector) -> Vec<Vec<i64>> {
    sums_of(options, &problem(vector), Span::units(1))
}

/// The same in another unit of time.
fn sums_of(options: &PlannerOptions, problem: &Problem, unit: Span) -> Vec<Vec<i64>> {
    let mut plans = Plans::default();
    options.build().plan(problem, &mut plans);
    let sums = |candidate: usize| {
        let mut sums = vec![0; problem.sites.len()];
        for step in plans.steps(candidate) {
            let job = &problem.jobs[step.job as usize];
            let end = problem.end(step.job, (step.cluster, step.start));
            sums[job.owner().index()] += (end - Time::ZERO).ticks();
        }
        sums.iter().map(|sum| sum / unit.ticks()).collect()
    };
    (0..plans.len()).map(sums).collect()
}

#[test]
fn planners_propose_what_the_vectors_say() {
    let walk = |payoffs| {
        let options = equitable_walk::Options { payoffs, ..Default::default() };
        PlannerOptions::EquitableWalk(options)
    };
    for (vector, _) in vectors() {
        let spt = PlannerOptions::ShortestFirst(Default::default());
        assert_eq!(proposed(&spt, &vector), [&vector.spt.sums[..]], "{}", vector.name);
        let mjf = PlannerOptions::MyJobsFirst(Default::default());
        assert_eq!(proposed(&mjf, &vector), [&vector.mjf.sums[..]], "{}", vector.name);
        assert_eq!(proposed(&walk(false), &vector), vector.ew.cleaned, "{}", vector.name);
        assert_eq!(proposed(&walk(true), &vector), vector.gew.cleaned, "{}", vector.name);
    }
}

/// Clusters of different speeds are those of one speed with other sizes. Times are in half units.
#[test]
fn planners_know_speeds() {
    let walk = PlannerOptions::EquitableWalk(equitable_walk::Options {
        from: Start::Local(Default::default()),
        moves: 1_000_000,
        ..Default::default()
    });
    let from = || derived::Options { from: Start::Local(Default::default()) };
    for (vector, _) in vectors() {
        let owners = vector.jobs.len();
        let half_units = |processor: usize| [4, 2, 1][processor % 3];
        let speeds: Vec<Speed> = (0..owners)
            .map(|one| Speed::new(2.0 / f64::from(half_units(one))).expect("a speed"))
            .collect();
        let problem = at_speeds(&vector, &speeds);
        let slowed = |cells: &Vec<Vec<i64>>| -> Vec<Vec<i64>> {
            let slowed = cells.iter().enumerate().map(|(processor, sizes)| {
                sizes.iter().map(|size| size * i64::from(half_units(processor))).collect()
            });
            slowed.collect()
        };
        let sizes: Vec<Vec<Vec<i64>>> = vector.jobs.iter().map(slowed).collect();
        let instance = Dedicated::square(&sizes).unwrap();
        let half = Span::from_ticks(Span::units(1).ticks() / 2);
        let found = |options| sums_of(&options, &problem, half);
        let (spt, mjf) = (instance.shortest_first(), instance.own_first());
        let name = &vector.name;
        assert_eq!(found(PlannerOptions::ShortestFirst(from())), [instance.sums(&spt)], "{name}");
        assert_eq!(found(PlannerOptions::MyJobsFirst(from())), [instance.sums(&mjf)], "{name}");
        let offset = vec![0; owners];
        let walked = instance.equitable_walk(&offset, usize::MAX);
        let cleaned = walked.cleaned(&offset);
        let sums: Vec<Vec<i64>> =
            cleaned.iter().map(|&index| walked.sums.at(index).to_vec()).collect();
        assert_eq!(found(walk.clone()), sums, "{name}");
    }
}

/// With local knowledge the planner proposes the announced schedules that no other one dominates.
#[test]
fn a_walk_with_local_knowledge_proposes_what_was_announced() {
    let mut fewer = 0;
    use equitable_walk::Knowledge;
    for (vector, instance) in vectors() {
        let both = [(Knowledge::Local, Acting::One), (Knowledge::Stale, Acting::All)];
        let kinds = both.into_iter().flat_map(|one| [(one, false), (one, true)]);
        for ((knowledge, acting), payoffs) in kinds {
            let options = equitable_walk::Options { payoffs, knowledge, ..Default::default() };
            let offset =
                if payoffs { instance.payoff_offset() } else { vec![0; instance.owners()] };
            let walk = instance.local_equitable_walk(&offset, 1000, acting);
            let cleaned = walk.cleaned(&offset);
            let expected = cleaned.iter().map(|&index| walk.sums.at(index).to_vec());
            let expected: Vec<Vec<i64>> = expected.collect();
            let options = PlannerOptions::EquitableWalk(options);
            assert_eq!(proposed(&options, &vector), expected, "{}", vector.name);
            let global = instance.equitable_walk(&offset, 1000);
            fewer += usize::from(cleaned.len() < global.cleaned(&offset).len());
        }
    }
    assert!(fewer > 5, "{fewer}");
}

/// A planner's candidates by local search: by some no owner loses, and none dominates another.
#[test]
fn a_local_search_proposes_schedules_that_harm_nobody() {
    for (vector, _) in vectors() {
        let options = equitable_local_search::Options { payoffs: true, ..Default::default() };
        let all = proposed(&PlannerOptions::EquitableLocalSearch(options), &vector);
        let offset: Vec<i64> = vector.mjf.sums.iter().map(|sum| -sum).collect();
        let harms_nobody = |sums: &Vec<i64>| sums.iter().zip(&offset).all(|(a, b)| a + b <= 0);
        assert!(all.iter().any(harms_nobody), "{}", vector.name);
        let costs = cumulated(&points(offset.len(), &all), &offset);
        for one in costs.iter() {
            let beats = |other: &[i64]| pareto_dominates(other, one);
            assert!(!costs.iter().any(beats), "{}", vector.name);
        }
    }
}

/// All sizes are equal: orders begin with the lowest owner, and whoever is helped overtakes for free.
#[test]
fn equal_sizes_are_in_the_order_of_owners() {
    let instance = Dedicated::square(&[vec![vec![2], vec![2]], vec![vec![2], vec![2]]]).unwrap();
    assert_eq!(instance.shortest_first(), [[0, 1], [0, 1]]);
    assert_eq!(instance.sums(&instance.shortest_first()), [4, 8]);
    // The second owner is worst off: one switch makes both alike, then the first is helped in vain.
    let walk = instance.equitable_walk(&[0, 0], usize::MAX);
    assert_eq!(walk.sums.at(1), [6, 6]);
    assert_eq!(walk.cleaned(&[0, 0]), [1]);
    let moved = &walk.moves[0];
    assert_eq!((moved.processor, moved.position, moved.helps), (0, 0, 1));
    let one = instance.local_equitable_walk(&[0, 0], usize::MAX, Acting::One);
    assert_eq!((one.sums.at(1), one.cleaned(&[0, 0])), (&[6, 6][..], vec![1]));
    // Both processors help at once, which is too much, and then help the other owner.
    let all = instance.local_equitable_walk(&[0, 0], usize::MAX, Acting::All);
    assert_eq!((all.sums.at(1), all.turns[0].len()), (&[8, 4][..], 2));
    // The only fair outcome.
    let fronts = Fronts::of(&instance, Limit::default()).unwrap();
    assert_eq!(fronts.equitable(&[0, 0]).unwrap(), Points::of(2, [&[6, 6][..]]));
    assert_eq!(fronts.pareto().unwrap().len(), 3);
}
