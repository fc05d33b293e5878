//! Game-cost on exact cases and on hard ones.

use serde_json::Value;

use super::super::game_cost::{play_literal, play_sound};
use super::super::placement::Placement;
use super::super::players::Players;
use super::support::{assert_close, instance, matrix, row, vectors};

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
            let played = play_literal(&mut placement, 0.0, stages);
            let what = format!("{} literal {stages}", vector["id"]);
            check(&placement, played, &given["literal"][stages.to_string()], &what);
        }
        for stages in [1, 1000] {
            let mut placement = start();
            let played = play_sound(&mut placement, stages);
            let what = format!("{} sound {stages}", vector["id"]);
            check(&placement, played, &given["sound"][stages.to_string()], &what);
        }
    }
}
