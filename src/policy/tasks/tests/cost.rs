//! Game-cost on exact cases and on hard ones.

use serde_json::Value;

use super::super::game_cost::{First, GameCost, Options, Rule, play_literal, play_sound};
use super::super::game_quick::{self, GameQuick};
use super::super::game_storage_cost::{self, GameStorageCost};
use super::super::placement::Placement;
use super::super::players::Players;
use super::super::{Deadlines, Plan, Replayed, TaskPlanner, least_cost, replay};
use super::support::{Instance, Random, assert_close, instance, matrix, random_bag, row, vectors};
use kernel::time::Time;

fn check(placement: &Placement<'_>, played: (u32, Vec<f64>), expected: &Value, what: &str) {
    let sites = placement.players.sites();
    assert_eq!(u64::from(played.0), expected["stages"], "{what}");
    assert_close(&[placement.cost()], &[expected["cost"].as_f64().unwrap()], 1e-9, what);
    assert_close(&placement.unplaced, &row(&expected["unplaced"]), 1e-9, what);
    for (delta, expected) in placement.delta.chunks(sites).zip(matrix(&expected["delta"])) {
        assert_close(delta, &expected, 1e-9, what);
    }
    for (theta, expected) in played.1.chunks(sites).zip(matrix(&expected["theta"])) {
        assert_close(theta, &expected, 1e-9, what);
    }
}

#[test]
fn both_rules_are_exact() {
    for vector in vectors() {
        let given = &vector["game_cost"];
        let mut instance = instance(&vector);
        instance.after.iter_mut().for_each(Vec::clear);
        instance.prices = row(&given["phi"]).iter().map(|price| (price * 1e6) as i64).collect();
        let players = Players::ready(&instance.problem());
        let start = || {
            let mut start = Placement::new(&players, given["d"].as_f64().unwrap(), false);
            for class in 0..players.classes() {
                start.fill(class, |start, site| start.room(class, site));
            }
            start
        };
        for stages in [1, 2, 10, 100] {
            let mut placement = start();
            let mut seen = Vec::new();
            let theta = play_literal(&mut placement, 0.0, stages, &mut seen);
            let played = (seen.len() as u32 - 1, theta);
            let what = format!("{} literal {stages}", vector["id"]);
            check(&placement, played, &given["literal"][stages.to_string()], &what);
        }
        for stages in [1, 1000] {
            let mut placement = start();
            let mut seen = Vec::new();
            let theta = play_sound(&mut placement, stages, &mut seen);
            let played = (seen.len() as u32 - 1, theta);
            let what = format!("{} sound {stages}", vector["id"]);
            check(&placement, played, &given["sound"][stages.to_string()], &what);
        }
    }
}

/// The cost of a replay.
fn cost(instance: &Instance, replayed: &Replayed) -> f64 {
    let mut cost = 0.0;
    for (times, tasks) in instance.times.iter().zip(&replayed.tasks) {
        for ((time, tasks), &price) in times.iter().zip(tasks).zip(&instance.prices) {
            cost += time.as_units() * tasks * price as f64 / 1e6;
        }
    }
    cost
}

/// A bag with prices and a deadline of `factor` times the makespan of Game-quick.
fn priced(random: &mut Random, factor: f64) -> (Instance, f64) {
    let mut instance = random_bag(random, 10, 10, 1000);
    for price in &mut instance.prices {
        *price = random.whole(1, 10) as i64 * 1_000_000;
    }
    (instance.clone(), set_deadline(&mut instance, factor))
}

fn set_deadline(instance: &mut Instance, factor: f64) -> f64 {
    let quick = GameQuick::new(&game_quick::Options::default());
    factor * replay(&instance.problem(), &quick).makespan()
}

#[test]
fn costs_are_near_the_linear_program_and_deadlines_are_kept() {
    let mut random = Random(30);
    for factor in [1.25, 1.5, 2.0, 3.0, 5.0] {
        let mut ratios = [0.0; 4];
        let mut late = [0; 4];
        let mut latest = [0.0_f64; 4];
        for _ in 0..12 {
            let (mut instance, length) = priced(&mut random, factor);
            instance.deadline = Time::from_units(length).unwrap();
            let best = least_cost(&instance.problem(), length, false).unwrap().value;
            let kinds = [
                (Rule::Literal, First::Cheapest),
                (Rule::Sound, First::Cheapest),
                (Rule::Literal, First::GameQuick),
            ];
            for (kind, (rule, first)) in kinds.into_iter().enumerate() {
                let game = GameCost::new(&Options { rule, first, ..Options::default() });
                let replayed = replay(&instance.problem(), &game);
                ratios[kind] += cost(&instance, &replayed) / best / 12.0;
                late[kind] += usize::from(replayed.makespan() > length * (1.0 + 1e-6));
                latest[kind] = latest[kind].max(replayed.makespan() / length);
                assert!(cost(&instance, &replayed) >= best * (1.0 - 1e-6));
            }
            let quick = replay(&instance.problem(), &GameQuick::new(&Default::default()));
            ratios[3] += cost(&instance, &quick) / best / 12.0;
        }
        // The other two may fail where a deadline is tight, the sound rule by more.
        assert_eq!(late[0], 0, "{factor}");
        assert!(latest[2] < 1.005, "{factor} {latest:?}");
        assert!(late[1] == 0 || factor < 1.5, "{factor} {late:?}");
        assert!(ratios[0] < 1.3 && ratios[1] < 1.5 && ratios[0] < ratios[3], "{factor} {ratios:?}");
    }
}

#[test]
fn proportional_deadlines_of_workflows_are_kept() {
    let mut random = Random(31);
    for factor in [1.5, 2.0, 3.0] {
        let mut late = [0; 2];
        for _ in 0..12 {
            let (mut instance, _) = priced(&mut random, factor);
            for class in 0..10_usize {
                let is_before = |_: &u32| random.part() < 0.1;
                instance.after[class] = (0..class as u32).filter(is_before).collect();
            }
            let length = set_deadline(&mut instance, factor);
            instance.deadline = Time::from_units(length).unwrap();
            for (kind, deadlines) in
                [Deadlines::Proportional, Deadlines::Literal].into_iter().enumerate()
            {
                let game = GameCost::new(&Options { deadlines, ..Options::default() });
                let replayed = replay(&instance.problem(), &game);
                late[kind] += usize::from(replayed.makespan() > length * (1.0 + 1e-6));
            }
        }
        assert_eq!(late[0], 0, "{factor}");
    }
}

#[test]
fn without_a_binding_limit_storage_cost_is_the_sound_rule() {
    let mut random = Random(32);
    for _ in 0..8 {
        let (mut instance, length) = priced(&mut random, 1.5);
        instance.deadline = Time::from_units(length).unwrap();
        let sound = GameCost::new(&Options { rule: Rule::Sound, ..Options::default() });
        let storage = GameStorageCost::new(&game_storage_cost::Options::default());
        let (mut one, mut other) = (Plan::default(), Plan::default());
        sound.plan(&instance.problem(), &mut one);
        storage.plan(&instance.problem(), &mut other);
        assert_eq!(one, other);
        instance.needs.iter_mut().for_each(|needs| *needs = [3, 5]);
        instance.limits.iter_mut().for_each(|limits| *limits = [101, 101]);
        other = Plan::default();
        storage.plan(&instance.problem(), &mut other);
        assert_eq!(one, other);
    }
}

/// Sites that cost the same count in their order, whatever the product of price and time rounds to.
#[test]
fn equal_costs_are_equal() {
    for (times, prices) in (1..=60).flat_map(|cost| {
        let divisors = move || (1..=cost).filter(move |by| cost % by == 0);
        divisors()
            .flat_map(move |one| divisors().map(move |two| ([one, two], [cost / one, cost / two])))
    }) {
        for scale in [1, 7, 35] {
            let times = times.map(|time| f64::from(time * scale));
            let mut instance = Instance::new(&[10, 10], &[times.to_vec()], &[5.0]);
            instance.prices = prices.map(|price| i64::from(price) * 1_000_000).to_vec();
            let players = Players::all(&instance.problem());
            let placement = Placement::new(&players, 1.0, false);
            assert_eq!(placement.order[0], [0, 1], "{times:?} {prices:?}");
        }
    }
}

/// Two classes, one cheap site with memory for one task at a time: what does not fit pays more.
#[test]
fn memory_sends_tasks_to_dearer_sites() {
    let mut instance = Instance::new(&[10, 10], &vec![vec![10.0, 10.0]; 2], &[20.0, 20.0]);
    instance.prices = vec![1_000_000, 2_000_000];
    instance.needs = vec![[0, 0], [0, 4_000_000]];
    instance.limits[0] = [i64::MAX, 4_000_000];
    instance.deadline = Time::from_units(40.0).unwrap();
    let storage = GameStorageCost::new(&game_storage_cost::Options::default());
    let replayed = replay(&instance.problem(), &storage);
    assert!((replayed.tasks[0][0] - 20.0).abs() < 1e-6, "{replayed:?}");
    assert!((replayed.tasks[1][0] - 4.0).abs() < 1e-6, "{replayed:?}");
    assert!(replayed.makespan() <= 40.0 * (1.0 + 1e-6), "{}", replayed.makespan());
}
