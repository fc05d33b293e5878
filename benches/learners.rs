//! Overhead of learning compared with the rounds themselves.
//!
//! Rounds of 1000 units with ten identical clusters that average their load, all with the same
//! learner. The baseline, `fixed`, takes part in every round and learns nothing. The others start
//! with probability .99 and act on what they learn, so some stay out now and then, which makes a
//! round slightly cheaper or more expensive. Learners that ask for the payoff of each action are
//! separate: for them the other action of every cluster is a further round to play.

mod common;

use common::*;
use criterion::Criterion;
use gridpact::kernel::rng::Streams;
use gridpact::policy::coalition::{BalancerOptions, averaging};
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{AnyLearner, LearnerOptions};
use gridpact::sim::pool::Rounds;
use gridpact::sim::repeated::Repeated;

const CLUSTERS: usize = 10;

/// Learners of their own payoffs, and in the paper's case of the payoff of staying out.
const OWN: [&str; 7] = ["cross", "ratio", "unison", "ucb", "exp3", "genetic", "thompson"];

/// Learners of the payoff of each action.
const EACH: [&str; 2] = ["hedge", "regret_matching"];

/// Ten players with the same learner.
fn table(learner: &str) -> Repeated<Game, AnyLearner> {
    let balancer = BalancerOptions::Averaging(averaging::Options {
        unit: Some(1.0),
        ..averaging::Options::default()
    });
    let game = pool(CLUSTERS, &balancer, Rounds::Independent);
    let own = match learner {
        "fixed" => "probability = 1.0",
        "ratio" => "initial = 0.99",
        _ => "",
    };
    let options: LearnerOptions =
        toml::from_str(&format!("{learner} = {{ {own} }}")).expect("it is a learner");
    let choices = Choices { initial: 0.99, ..Choices::default() };
    let players = (0..CLUSTERS).map(|cluster| (cluster.to_string(), options.choosing(&choices)));
    Repeated::new(game, players, Streams::new(1))
}

fn learners(criterion: &mut Criterion) {
    let mut times = Table::new(criterion, "a round of ten clusters that learn", "round", "fixed");
    let rows = [
        ("own payoffs", 200, &OWN[..]),
        ("what each action would have brought, by counterfactual rounds", 20, &EACH[..]),
    ];
    for (row, rounds, learners) in rows {
        for learner in std::iter::once(&"fixed").chain(learners) {
            let ready = || table(learner);
            times.measure(row, learner, rounds, ready, |mut table| {
                table.play(rounds, &mut ()).expect("it can be played");
                table
            });
        }
    }
    times.finish();
}

fn main() {
    learners(&mut criterion());
}
