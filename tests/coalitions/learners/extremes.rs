//! Rules at the ends of the ranges of their parameters, in menus of any size, shown payoffs of any
//! size: their laws stay laws.

use gridpact::game::stage::{Act, Actions, Outcome};
use gridpact::kernel::rng::{Rng, Streams};
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{LearnerOptions, Player as _};
use rand::RngExt as _;
use serde_json::{Value, json};

/// Parameters at the ends of their ranges.
fn extremes() -> Vec<(LearnerOptions, Choices)> {
    let rules = json!([
        { "cross": { "rate": 1.0 } },
        { "reward_penalty": { "reward": 1.0, "penalty": 1.0 } },
        { "reward_penalty": { "reward": 1e-300, "penalty": 1.0 } },
        { "bush_mosteller": { "rate": 1.0, "aspiration": 1.0 } },
        { "bush_mosteller": { "rate": 1.0, "aspiration": 0.0, "habituation": 1.0 } },
        { "roth_erev": { "forgetting": 1.0, "strength": 1e-300 } },
        { "roth_erev": { "experimentation": 1.0, "strength": 1e9 } },
        { "roth_erev": { "forgetting": 0.9, "experimentation": 1e-300, "strength": 1e-300 } },
        { "exp3": { "exploration": 1e-300 } },
        { "exp3": { "horizon": 1 } },
        { "exp3_ix": { "rate": 1000.0 } },
        { "exp3_ix": { "rate": 1e-300 } },
        { "exp3_s": { "exploration": 1e-300, "sharing": 1e-300 } },
        { "exp3_s": { "exploration": 1.0, "sharing": 1.0 } },
        { "exp3_s": { "horizon": 1 } },
        { "ucb": { "bonus": 1000.0, "memory": { "discount": 1e-300 } } },
        { "ucb": { "bonus": 1e-300, "memory": { "window": 1 } } },
        { "epsilon_greedy": { "exploration": { "constant": 1.0 }, "step": 1.0 } },
        { "epsilon_greedy": { "exploration": { "falling": { "c": 1e6, "d": 1e-300 } } } },
        { "epsilon_greedy": { "exploration": { "falling": { "c": 1e-300, "d": 1.0 } } } },
        { "thompson": { "belief": "gaussian" } },
        { "boltzmann_q": { "temperature": 1e-300, "rate": 1.0, "state": "own_act" } },
        { "boltzmann_q": { "temperature": 1000.0, "decay": 1e-300, "coldest": 1e-300 } },
        { "phc": { "win": 1.0, "lose": 1.0, "rate": 1.0, "exploration": 0.0 } },
        { "phc": { "win": 1e-300, "lose": 1e-300, "exploration": 1.0 } },
    ]);
    let Value::Array(rules) = rules else { panic!("they are a list") };
    let read = |rule: Value| -> LearnerOptions {
        let options: LearnerOptions = serde_json::from_value(rule).expect("it can be read");
        assert_eq!(options.check(), Ok(()), "{options:?}");
        options
    };
    let sure = Choices { initial: 0.0, ..Choices::default() };
    let begun =
        |options: LearnerOptions| [(options.clone(), Choices::default()), (options, sure.clone())];
    rules.into_iter().map(read).chain(LearnerOptions::defaults()).flat_map(begun).collect()
}

/// Utilities of all kinds, the ends more often than what is between.
fn payoff(rng: &mut Rng) -> f64 {
    [f64::INFINITY, f64::NEG_INFINITY, 0.0, -2.0, 2.0, 4.0 * rng.random::<f64>() - 2.0]
        [rng.random_range(0..6)]
}

#[test]
fn a_law_stays_a_law() {
    for (options, choices) in extremes() {
        for count in [1, 2, 3, 7] {
            let (mut learner, streams) = (options.choosing(&choices), Streams::new(1));
            let (mut rng, mut act, mut learn) =
                (streams.stream("payoffs"), streams.draws("act"), streams.draws("learn"));
            for round in 0..600 {
                let choice = learner.decide(Actions::menu(count), &mut act);
                // Long stretches of nothing and of everything, and what comes.
                let mut one = || match round / 100 % 3 {
                    0 => payoff(&mut rng),
                    1 => f64::NEG_INFINITY,
                    _ => f64::INFINITY,
                };
                let outcome = Outcome {
                    acts: vec![choice],
                    payoffs: vec![one()],
                    stayed_out: vec![(choice != Act::Choose(0)).then(&mut one)],
                    instead: vec![(0..count).map(|_| one()).collect()],
                    ..Outcome::default()
                };
                learner.observe(&outcome, 0, &mut learn);
                let law = learner.law();
                let sum: f64 = law.iter().sum();
                let is_law = law.iter().all(|x| (-1e-12..=1.0 + 1e-12).contains(x));
                let adds_up = law.is_empty() || (sum - 1.0).abs() < 1e-9;
                assert!(is_law && adds_up, "{options:?} of {count} in round {round}: {law:?}");
            }
        }
    }
}
