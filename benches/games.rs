//! Cost of a round of a small game, and the overhead of learners.
//!
//! Two players play the stag hunt. In the baseline both play each action with a fixed probability:
//! they draw like all others, but learn nothing.

mod common;

use common::*;
use criterion::Criterion;
use gridpact::game::pairwise::Pairwise;
use gridpact::game::payoffs::Payoffs;
use gridpact::game::table::Table as Stage;
use gridpact::kernel::rng::Streams;
use gridpact::policy::learn::{AnyLearner, LearnerOptions, Player as _};
use gridpact::sim::repeated::Repeated;

/// Number of rounds in a measurement.
const ROUNDS: u64 = 10_000;
/// The learners in the rows below the baseline.
const LEARNERS: [&str; 4] = ["ratio", "cross", "hedge", "unison"];

/// Two players of a kind in the stag hunt.
fn game(options: &LearnerOptions) -> Repeated<Stage, AnyLearner> {
    const PAYS: [[f64; 2]; 2] = [[4.0, 0.0], [3.0, 2.0]];
    let hunt = Pairwise::new(2, 2, |own, other| PAYS[own as usize][other as usize]);
    let players = ["row", "column"].map(|name| {
        let mut player = options.build();
        player.read([0.0, 4.0], None);
        (name.to_owned(), player)
    });
    Repeated::new(Stage::of(Payoffs::Pairwise(hunt)), players, Streams::new(1))
}

fn rounds(criterion: &mut Criterion) {
    let mut table = Table::new(criterion, "a round of two", "round", "fixed");
    let all = LearnerOptions::defaults();
    let rows = ["fixed"].into_iter().chain(LEARNERS);
    for name in rows {
        let options = all.iter().find(|options| options.name() == name).expect("it is registered");
        let play = |mut game: Repeated<Stage, AnyLearner>| {
            let Ok(()) = game.play(ROUNDS, &mut ());
            game.outcome().payoffs[0]
        };
        table.measure("stag hunt", name, ROUNDS, || game(options), play);
    }
    table.finish();
}

fn main() {
    rounds(&mut criterion());
}
