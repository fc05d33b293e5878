//! The updates of the ratio rule and of the level rule, against exact vectors.

use gridpact::game::stage::{Act, Outcome, Terms};
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::{LearnerOptions, Player as _, Stance, level, ratio};
use gridpact::sim::pool::turn::score;
use serde_json::Value;

/// Where a learner stands after a round in which it took part with one other.
fn after(options: &LearnerOptions, flow: i64, alone: i64) -> Stance {
    options.check().expect("it can be");
    let outcome = Outcome {
        acts: vec![Act::In(Terms::ANY); 2],
        payoffs: vec![score(flow.into(), alone.into()); 2],
        stayed_out: vec![Some(0.0); 2],
        instead: vec![Vec::new(); 2],
        members: 2,
        ..Outcome::default()
    };
    let mut learner = options.build();
    learner.observe(&outcome, 1, &mut Streams::new(1).draws("learn"));
    learner.stance()
}

#[test]
fn the_updates_are_those_of_the_vectors() {
    let text = include_str!("../../data/selfish.json");
    let all: Value = serde_json::from_str(text).expect("it is JSON");
    let mut checked = [0, 0];
    for vector in all["vectors"].as_array().expect("it is a list") {
        let number = |of: &str, key: &str| vector[of][key].as_f64().expect(key);
        let input = |key| number("input", key);
        let flows = || (input("F") as i64, input("F_alone") as i64);
        let (found, expected) = match vector["kind"].as_str() {
            Some("update_p") => {
                checked[0] += 1;
                let (initial, rate) = (input("p"), input("sigma"));
                let options = ratio::Options { initial, rate, ..Default::default() };
                let (flow, alone) = flows();
                let stance = after(&LearnerOptions::Ratio(options), flow, alone);
                (stance.probability, number("expected", "p"))
            }
            Some("update_l") => {
                checked[1] += 1;
                let options = level::Options {
                    initial: input("l"),
                    rate: input("sigma"),
                    least: input("lo"),
                    most: input("hi"),
                    ..Default::default()
                };
                let (flow, alone) = flows();
                let stance = after(&LearnerOptions::Level(options), flow, alone);
                (stance.level, number("expected", "l"))
            }
            _ => continue,
        };
        let found = found.expect("it has one");
        assert!((found - expected).abs() <= 1e-9, "{}: {found} is not {expected}", vector["id"]);
    }
    assert_eq!(checked, [5, 4]);
}
