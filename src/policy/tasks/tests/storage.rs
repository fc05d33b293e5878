//! List heuristics that count the waiting for storage and memory.

use std::cmp::Reverse;

use rand::{RngExt as _, SeedableRng as _};

use super::lists::rounds;
use super::naive::{self, Heuristic, Started};
use super::room::{Activity, fits, is_limited, running};
use super::{lanes, random};
use crate::tasks::*;
use kernel::rng::Rng;
use kernel::time::{Span, Time};

/// A problem with limits of both things, that may bind or not, or be too low for some classes.
/// Processors that work hold something.
fn limited<'t>(rng: &mut Rng, times: &'t [Vec<Span>]) -> Problem<'t> {
    let mut problem = random::problem(rng, times);
    let most = if rng.random_bool(0.5) { 6 } else { 30 };
    for class in &mut problem.classes {
        let mut need = || if rng.random_bool(0.25) { 0 } else { rng.random_range(0..=most) };
        class.needs = [need(), need()];
    }
    for site in &mut problem.sites {
        for kind in 0..HELD {
            let high = rng.random_range(most / 2..4 * most);
            site.limits[kind] = if rng.random_bool(0.3) { UNLIMITED } else { high };
            let mut left = site.limits[kind];
            for free in &mut site.free {
                // Nothing is held by processors that have ended, whatever they held.
                let room = left / free.processors.max(1) as i64;
                free.holds[kind] = rng.random_range(0..=room.min(most));
                if free.at > problem.now {
                    left -= free.holds[kind] * free.processors as i64;
                }
            }
        }
    }
    problem
}

/// Its tasks wait for nothing but room.
fn bag(problem: &mut Problem<'_>) {
    for class in &mut problem.classes {
        class.after.clear();
        class.ready = class.ready.min(problem.now);
    }
}

/// True if two plans have the same lanes.
fn are_equal(one: &Plan, other: &Plan) -> bool {
    lanes::sorted(one) == lanes::sorted(other)
}

/// Plays lanes of a bag processor by processor: tasks ask for room when their processor becomes free,
/// those that ask at the same time in the order of the lanes, and nobody overtakes.
fn served(problem: &Problem<'_>, plan: &Plan) -> Vec<Started> {
    let position =
        |number: u32| problem.classes.iter().position(|one| one.number == number).unwrap();
    let mut started = Vec::new();
    for (at, site) in problem.sites.iter().enumerate() {
        let mut lanes: Vec<&Lane> =
            plan.lanes.iter().filter(|lane| lane.site as usize == at).collect();
        lanes.sort_by_key(|lane| lane.from);
        // Each processor: since when it is free, and its next tasks, the last one first.
        let mut processors: Vec<(i64, Vec<usize>)> = Vec::new();
        for lane in lanes {
            let runs = lane.runs.iter().rev();
            let tasks = runs.flat_map(|run| vec![position(run.class); run.tasks as usize]);
            let one = (lane.from.max(problem.now).ticks(), tasks.collect::<Vec<_>>());
            processors.extend((0..lane.processors).map(|_| one.clone()));
        }
        let mut activities = running(problem, at);
        let mut times: Vec<Reverse<i64>> = processors.iter().map(|one| Reverse(one.0)).collect();
        times.extend(activities.iter().map(|one| Reverse(one.end)));
        let mut times = std::collections::BinaryHeap::from(times);
        while let Some(Reverse(now)) = times.pop() {
            activities.retain(|one| one.end > now);
            let mut asking: Vec<usize> = (0..processors.len()).collect();
            asking.retain(|&one| processors[one].0 <= now && !processors[one].1.is_empty());
            asking.sort_by_key(|&one| (processors[one].0, one));
            let mut is_short = false;
            for one in asking {
                let class = *processors[one].1.last().unwrap();
                let needs = problem.classes[class].needs;
                if is_limited(&needs, &site.limits) {
                    is_short |= !fits(&needs, &site.limits, activities.iter());
                    if is_short {
                        continue;
                    }
                }
                let end = now + naive::time(problem, class, at).unwrap();
                processors[one].1.pop();
                processors[one].0 = end;
                activities.push(Activity { end, needs });
                started.push((at, class, now));
                times.push(Reverse(end));
            }
        }
        assert!(processors.iter().all(|one| one.1.is_empty()), "all tasks start");
    }
    started.sort_unstable();
    started
}

/// Checks that tasks and what runs at first never hold more than there is.
fn check_limits(problem: &Problem<'_>, started: &[Started]) {
    for (at, site) in problem.sites.iter().enumerate() {
        let now = problem.now.ticks();
        let mut all: Vec<(i64, Activity)> =
            running(problem, at).into_iter().map(|one| (now, one)).collect();
        for &(_, class, start) in started.iter().filter(|one| one.0 == at) {
            let end = start + naive::time(problem, class, at).unwrap();
            all.push((start, Activity { end, needs: problem.classes[class].needs }));
        }
        for kind in (0..HELD).filter(|&kind| site.limits[kind] != UNLIMITED) {
            for &(time, _) in &all {
                let held = all.iter().filter(|(start, one)| *start <= time && time < one.end);
                let held: i64 = held.map(|(_, one)| one.needs[kind]).sum();
                assert!(held <= site.limits[kind], "{held} at {time} in {problem:?}");
            }
        }
    }
}

#[test]
fn plans_equal_their_definitions_and_keep_limits() {
    let mut others = 0;
    for seed in 0..rounds() {
        let mut rng = Rng::seed_from_u64(seed);
        let times = random::times(&mut rng);
        let problem = limited(&mut rng, &times);
        for (with, without) in Heuristic::counting(true).iter().zip(Heuristic::counting(false)) {
            let plan = with.plan(&problem);
            let (expected, started) = naive::schedule(&problem, with);
            assert!(are_equal(&plan, &expected), "{seed} {with:?} {problem:?}");
            check_limits(&problem, &started);
            others += u64::from(!are_equal(&plan, &without.plan(&problem)));
        }
    }
    assert!(others > 10 * rounds(), "storage changes {others} plans only");
}

#[test]
fn tasks_of_bags_start_when_their_plan_expects() {
    let mut others = 0;
    for seed in 0..rounds() {
        let mut rng = Rng::seed_from_u64(seed);
        let times = random::times(&mut rng);
        let mut problem = limited(&mut rng, &times);
        bag(&mut problem);
        for (with, without) in Heuristic::counting(true).iter().zip(Heuristic::counting(false)) {
            let (_, mut expected) = naive::schedule(&problem, with);
            expected.sort_unstable();
            let started = served(&problem, &with.plan(&problem));
            assert_eq!(started, expected, "{seed} {with:?} {problem:?}");
            let (_, mut expected) = naive::schedule(&problem, &without);
            expected.sort_unstable();
            others += u64::from(served(&problem, &without.plan(&problem)) != expected);
        }
    }
    assert!(others > 10 * rounds(), "only {others} plans without storage expect other starts");
}

/// Without limits or needs, or with limits that all processors together cannot reach.
#[test]
fn limits_that_cannot_bind_change_nothing() {
    for seed in 0..rounds() {
        let mut rng = Rng::seed_from_u64(seed);
        let times = random::times(&mut rng);
        let mut problem = limited(&mut rng, &times);
        match seed % 3 {
            0 => problem.sites.iter_mut().for_each(|site| site.limits = [UNLIMITED; HELD]),
            1 => problem.classes.iter_mut().for_each(|class| class.needs = [0; HELD]),
            _ => {
                for site in &mut problem.sites {
                    let processors: u64 = site.free.iter().map(|free| free.processors).sum();
                    site.limits = [30 * processors.max(1) as i64; HELD];
                }
            }
        }
        for (with, without) in Heuristic::counting(true).iter().zip(Heuristic::counting(false)) {
            let plan = with.plan(&problem);
            assert_eq!(plan, without.plan(&problem), "{seed} {with:?} {problem:?}");
            lanes::check(&problem, &plan);
        }
    }
}

/// Only one task is large. Processors that all held as much would hold more than there is, but cannot.
#[test]
fn limits_that_are_not_reached_change_no_bag() {
    for seed in 0..rounds() {
        let mut rng = Rng::seed_from_u64(seed);
        let times = random::times(&mut rng);
        let mut problem = random::problem(&mut rng, &times);
        bag(&mut problem);
        for class in &mut problem.classes {
            class.needs = [rng.random_range(0..4), rng.random_range(0..4)];
        }
        (problem.classes[0].tasks, problem.classes[0].needs) = (1.0, [7, 7]);
        for site in &mut problem.sites {
            site.free[0].processors += 2;
            let processors: u64 = site.free.iter().map(|free| free.processors).sum();
            site.limits = [7 * processors as i64 - 1; HELD];
        }
        for (with, without) in Heuristic::counting(true).iter().zip(Heuristic::counting(false)) {
            let plans = [with.plan(&problem), without.plan(&problem)];
            assert!(are_equal(&plans[0], &plans[1]), "{seed} {with:?} {problem:?}");
        }
    }
}

#[test]
fn waiting_beyond_the_range_of_times_keeps_all_tasks() {
    let times = random::long();
    let mut problem = random::beyond(&times);
    problem.sites.iter_mut().for_each(|site| site.limits = [i64::MAX - 1; HELD]);
    problem.classes.iter_mut().for_each(|class| class.needs = [i64::MAX / 2 + 1; HELD]);
    for heuristic in Heuristic::counting(true) {
        lanes::ends(&problem, &heuristic.plan(&problem));
    }
}

/// Site, processors and runs of a lane.
type Runs = (u32, u64, Vec<(u32, u64)>);

/// The lanes of a plan in their order.
fn runs(plan: &Plan) -> Vec<Runs> {
    let runs = |lane: &Lane| lane.runs.iter().map(|run| (run.class, run.tasks)).collect();
    plan.lanes.iter().map(|lane| (lane.site, lane.processors, runs(lane))).collect()
}

/// A fast site has two processors and room for one task at a time, a slow one has one processor. Without
/// storage the third task seems to end at 8 at the fast site, and ends at 12.
#[test]
fn a_task_that_would_wait_for_room_goes_elsewhere() {
    let times = vec![vec![Span::from_ticks(4), Span::from_ticks(10)]];
    let mut problem = random::bag(&[2, 1], &times, &[3]);
    problem.sites[0].limits = [10, UNLIMITED];
    problem.classes[0].needs = [6, 1];
    for (with, without) in Heuristic::counting(true).iter().zip(Heuristic::counting(false)) {
        let by_completion = matches!(
            with,
            Heuristic::Mct(mct::Options { chooses: Chooses::Completion, .. })
                | Heuristic::MinMin(min_min::Options { chooses: Chooses::Completion, .. })
                | Heuristic::MaxMin(max_min::Options { chooses: Chooses::Completion, .. })
                | Heuristic::Sufferage(sufferage::Options { chooses: Chooses::Completion, .. })
        );
        if by_completion {
            let (plan, blind) = (with.plan(&problem), without.plan(&problem));
            let lanes = [(0, 1, vec![(0, 1)]), (0, 1, vec![(0, 1)]), (1, 1, vec![(0, 1)])];
            assert_eq!(runs(&plan), lanes);
            assert_eq!(served(&problem, &plan), [(0, 0, 0), (0, 0, 4), (1, 0, 0)]);
            assert_eq!(runs(&blind), [(0, 1, vec![(0, 2)]), (0, 1, vec![(0, 1)])]);
            assert_eq!(served(&problem, &blind), [(0, 0, 0), (0, 0, 4), (0, 0, 8)]);
        }
    }
}

/// Five processors share a storage of 10. One of them works until 3 and holds 5 until then.
#[test]
fn nobody_overtakes_and_tasks_without_needs_do_not_wait() {
    let ticks = Span::from_ticks;
    let times = vec![vec![ticks(4)], vec![ticks(1)], vec![ticks(2)]];
    let mut problem = random::bag(&[4], &times, &[2, 1, 1]);
    let site = &mut problem.sites[0];
    site.limits = [10, 100];
    let (at, class) = (Time::from_ticks(3), Some(7));
    site.free.push(Free { at, processors: 1, class, holds: [5, 0] });
    for (class, needs) in problem.classes.iter_mut().zip([[6, 0], [2, 0], [0, 0]]) {
        class.needs = needs;
    }
    let plan = Heuristic::Mct(mct::Options { storage: true, ..Default::default() }).plan(&problem);
    // The first task waits until 3, the second until it ends. The third would fit from 0 on.
    let started = [(0, 0, 3), (0, 0, 7), (0, 1, 7), (0, 2, 0)];
    assert_eq!(served(&problem, &plan), started);
    let lane = |class| (0, 1, vec![(class, 1)]);
    assert_eq!(runs(&plan), [lane(0), lane(0), lane(1), lane(2)]);
}
