//! Game-quick and its replay on exact cases.

use super::super::game_quick::{GameQuick, Options};
use super::super::game_storage::Repair;
use super::super::players::Players;
use super::super::replay;
use super::super::stages::Game;
use super::support::{assert_close, instance, matrix, row, vectors};

/// All classes play together, whatever waits for what.
fn players(vector: &serde_json::Value) -> Players {
    let mut instance = instance(vector);
    instance.after.iter_mut().for_each(Vec::clear);
    Players::ready(&instance.problem())
}

#[test]
fn the_stages_of_a_game_are_exact() {
    for vector in vectors() {
        let (id, expected) = (vector["id"].to_string(), &vector["game_quick"]);
        let players = players(&vector);
        let sites = players.sites();
        let mut game = Game::new(&players);
        let check_delta = |game: &Game<'_>, delta: &serde_json::Value, what: &str| {
            for (class, expected) in matrix(delta).iter().enumerate() {
                assert_close(&game.delta(class), expected, 1e-9, what);
            }
        };
        check_delta(&game, &expected["delta0"], &id);
        for (class, weights) in matrix(&expected["weights"]).iter().enumerate() {
            let rates = players.row(class);
            let sum: f64 = rates.iter().sum();
            let got: Vec<f64> = rates.iter().map(|rate| rate / sum).collect();
            assert_close(&got, weights, 1e-9, &id);
        }
        for stage in [1, 2, 10, 1000] {
            while game.stage() < stage {
                game.play(&mut |_, _| {});
            }
            let what = format!("{id} stage {stage}");
            let expected = &expected["stages"][stage.to_string()];
            check_delta(&game, &expected["delta"], &what);
            assert_close(&game.times, &row(&expected["t"]), 1e-9, &what);
            for (class, expected) in matrix(&expected["theta"]).iter().enumerate() {
                assert_close(&game.theta[class * sites..][..sites], expected, 1e-9, &what);
            }
        }
        let mut game = Game::new(&players);
        game.play_all(1e-3, 1000, &mut |_, _| {});
        let expected = &expected["eps_1e-3"];
        assert_eq!(u64::from(game.stage()), expected["stage_count"], "{id}");
        let sum: f64 = game.times.iter().sum();
        assert_close(&[sum], &[expected["sum_t"].as_f64().unwrap()], 1e-9, &id);
    }
}

#[test]
fn the_replay_of_game_quick_is_exact() {
    for vector in vectors() {
        let (id, instance) = (vector["id"].to_string(), instance(&vector));
        let replayed = replay(&instance.problem(), &GameQuick::new(&Options::default()));
        let expected = &vector["fluid_replay"];
        let ends: Vec<f64> = replayed.ends.iter().map(|end| end.unwrap()).collect();
        assert_close(&ends, &row(&expected["completion"]), 1e-6, &id);
        assert_eq!(replayed.plans, expected["games"].as_u64().unwrap(), "{id}");
        if let Some(expected) = vector.get("e3_informative") {
            for (got, expected) in replayed.tasks.iter().zip(matrix(&expected["fluid_x"])) {
                assert_close(got, &expected, 1e-6, &id);
            }
        }
    }
}

#[test]
fn the_stages_within_limits_are_exact() {
    for vector in vectors() {
        let expected = &vector["game_storage"];
        let mut players = players(&vector);
        // The cases have sites with less storage than a task needs, which planners leave alone.
        players.needs[0] = row(&expected["sr"]);
        players.limits[0] = row(&expected["sl"]);
        let sites = players.sites();
        for (repair, name) in
            [(Repair::Scale, "scale"), (Repair::Iter, "iter"), (Repair::Once, "once")]
        {
            let mut game = Game::new(&players);
            for stage in [1, 2, 10] {
                while game.stage() < stage {
                    game.play(&mut |game, theta| repair.apply(game, theta));
                }
                let what = format!("{} {name} stage {stage}", vector["id"]);
                let expected = &expected[name][stage.to_string()];
                assert_close(&game.times, &row(&expected["t"]), 1e-9, &what);
                for (class, theta) in matrix(&expected["theta"]).iter().enumerate() {
                    assert_close(&game.theta[class * sites..][..sites], theta, 1e-9, &what);
                }
                for (class, delta) in matrix(&expected["delta"]).iter().enumerate() {
                    assert_close(&game.delta(class), delta, 1e-9, &what);
                }
            }
        }
    }
}
