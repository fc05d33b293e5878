//! Random federations: owners, clusters, schedulers or planners, jobs, stakes, limits and rounds.

use super::*;

fn any_stakes() -> impl Strategy<Value = Stakes> {
    let scores = [Score::Flow, Score::Wait, Score::BoundedSlowdown, Score::Makespan];
    let any = (0_i64..6, 0_i64..6).prop_map(|(job, delay)| costs(job, delay, 0.5));
    let cost = prop_oneof![2 => Just(costs(0, 0, 0.0)), 1 => any];
    (proptest::sample::select(Vec::from(scores)), 0_i64..9, cost).prop_map(|(score, tau, costs)| {
        Stakes { plays: Plays::Share, score, tau: Span::from_ticks(tau), costs }
    })
}

fn any_local() -> impl Strategy<Value = LocalOptions> {
    proptest::sample::select(LocalOptions::defaults())
}

fn any_places() -> impl Strategy<Value = Places> {
    let delay = |ticks: i64| Span::from_ticks(ticks).as_units();
    let sends = dispatch::Options { delay: delay(3) };
    let steals = stealing::Options { delay: delay(4), ..Default::default() };
    let slow = [
        GridOptions::RoundRobin(sends.clone()),
        GridOptions::LeastDemand(sends),
        GridOptions::Stealing(steals),
    ];
    let grids = [GridOptions::defaults(), slow.into()].concat();
    let planners = PlannerOptions::defaults();
    prop_oneof![
        3 => proptest::sample::select(grids).prop_map(Places::Grid),
        1 => proptest::sample::select(planners).prop_map(Places::Plan),
    ]
}

pub(super) fn any_case() -> impl Strategy<Value = Case> {
    let cluster = |organizations: u32| {
        let foreign = prop_oneof![
            6 => Just(Foreign::Always),
            1 => Just(Foreign::Never),
            1 => Just(Foreign::WhenNoneWaits),
        ];
        (0..organizations, 1_u32..9, foreign, any_local())
    };
    let limits = (
        proptest::collection::vec(proptest::option::of(0_u32..5), 5),
        proptest::collection::vec(proptest::option::of(0_i64..90), 6),
    );
    let limits = prop_oneof![1 => Just((Vec::new(), Vec::new())), 1 => limits];
    (1_u32..7, any_places(), any_stakes(), limits).prop_flat_map(
        move |(organizations, places, stakes, limits)| {
            let clusters = proptest::collection::vec(cluster(organizations), 1..6);
            let bound = proptest::option::weighted(0.2, 0_usize..60);
            let asked = (0..organizations, 0_i64..80, 1_i64..30, 0_i64..9, 1_u32..7, bound);
            let jobs = proptest::collection::vec(asked, 0..24);
            let acts =
                proptest::collection::vec(proptest::bool::weighted(0.7), organizations as usize);
            let rounds = proptest::collection::vec(acts, 1..6);
            (clusters, jobs, 4_i64..50, rounds).prop_map(
                move |(mut clusters, mut asked, period, rounds)| {
                    if places.plan_or_delay() || stakes.costs.of_way() > Span::ZERO {
                        // Neither a plan nor who is under way knows when jobs of the owner wait.
                        let guarded =
                            clusters.iter_mut().filter(|one| one.2 == Foreign::WhenNoneWaits);
                        guarded.for_each(|one| one.2 = Foreign::Always);
                    }
                    asked.sort_by_key(|one| one.1);
                    let plays = match (&places, stakes.score) {
                        // As good a coin as another.
                        (Places::Plan(_), Score::Flow | Score::Makespan) => Plays::Follow,
                        _ => Plays::Share,
                    };
                    let stakes = Stakes { plays, ..stakes };
                    let (shares, levels) =
                        if places.asks() { limits.clone() } else { Default::default() };
                    let usable = |owner: u32| {
                        let may = move |(_, one): &(u32, &(u32, u32, Foreign, LocalOptions))| {
                            one.0 == owner || one.2 != Foreign::Never
                        };
                        (0..).zip(&clusters).filter(may).map(|(at, _)| ClusterId(at))
                    };
                    let jobs = (1..).zip(asked).map(|(number, one)| {
                        let (owner, submit, runtime, more, wide, bound) = one;
                        let job = job(number, owner, submit, runtime, wide);
                        let only = bound.and_then(|at| usable(owner).cycle().nth(at));
                        let recorded = Recorded::new(None, only);
                        Job { estimate: Span::from_ticks(runtime + more), recorded, ..job }
                    });
                    let (jobs, places) = (jobs.collect(), places.clone());
                    Case {
                        clusters,
                        organizations,
                        places,
                        jobs,
                        period,
                        stakes,
                        shares,
                        levels,
                        rounds,
                    }
                },
            )
        },
    )
}
