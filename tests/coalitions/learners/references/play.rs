//! Shared by the checks: games against chance, against the like, and one exact step.

use gridpact::game::stage::{Act, Actions, Outcome};
use gridpact::game::table::Table;
use gridpact::kernel::rng::{Rng, Streams};
use gridpact::policy::learn::choose::Choices;
use gridpact::policy::learn::{AnyLearner, LearnerOptions, Player as _};
use gridpact::sim::repeated::Repeated;
use gridpact::stats::student::two_sided;
use rand::RngExt as _;

/// The dilemma, the stag hunt, hawk and dove: what one gets, its own first choice being to
/// cooperate (to be a hawk).
pub const DILEMMA: [[f64; 2]; 2] = [[3.0, 0.0], [5.0, 1.0]];
pub const STAG_HUNT: [[f64; 2]; 2] = [[4.0, 0.0], [3.0, 2.0]];
pub const HAWK_DOVE: [[f64; 2]; 2] = [[-0.5, 2.0], [0.0, 0.0]];
/// Matching pennies: the column's player gets the opposite.
pub const PENNIES: [[f64; 2]; 2] = [[1.0, -1.0], [-1.0, 1.0]];

/// The mean of independent runs, and its standard error.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub mean: f64,
    pub error: f64,
    runs: f64,
}

impl Sample {
    pub fn of(runs: impl IntoIterator<Item = f64>) -> Sample {
        let runs: Vec<f64> = runs.into_iter().collect();
        let count = runs.len() as f64;
        let mean = runs.iter().sum::<f64>() / count;
        let squares: f64 = runs.iter().map(|run| (run - mean) * (run - mean)).sum();
        Sample { mean, error: libm::sqrt(squares / (count - 1.0) / count), runs: count }
    }

    /// Half the width of the band that has the true mean with a probability of 99.9 %.
    pub fn band(self) -> f64 {
        two_sided(0.999, self.runs as u64 - 1) * self.error
    }

    /// The same for the difference from the mean of so many other runs, just as scattered.
    pub fn band_against(self, others: f64) -> f64 {
        self.band() * libm::sqrt(1.0 + self.runs / others)
    }
}

/// Shows a learner what its choice brought.
pub fn show(learner: &mut AnyLearner, choice: u32, payoff: f64) {
    let outcome = Outcome {
        acts: vec![Act::Choose(choice)],
        payoffs: vec![payoff],
        stayed_out: vec![None],
        instead: vec![Vec::new()],
        ..Outcome::default()
    };
    learner.observe(&outcome, 0, &mut Streams::new(1).draws("learn"));
}

/// A learner with its choices.
pub type Chosen = (LearnerOptions, Choices);

/// A learner with or without choices of its own.
pub trait Builds {
    /// Builds it.
    fn build(&self) -> AnyLearner;
}

impl Builds for LearnerOptions {
    fn build(&self) -> AnyLearner {
        self.build()
    }
}

impl Builds for Chosen {
    fn build(&self) -> AnyLearner {
        self.0.choosing(&self.1)
    }
}

/// A learner that has seen two choices.
pub fn seated(options: &impl Builds) -> AnyLearner {
    let mut learner = options.build();
    learner.decide(Actions::menu(2), &mut Streams::new(1).draws("seat"));
    learner
}

/// The mean change of the first choice's probability in one round against one that plays its first
/// choice with probability `other`, summed over what may happen.
pub fn drift(options: &impl Builds, pays: [[f64; 2]; 2], other: f64) -> f64 {
    let mut drift = 0.0;
    for (own, theirs) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let mut learner = seated(options);
        let before = learner.law().to_vec();
        show(&mut learner, own, pays[own as usize][theirs]);
        let weight = before[own as usize] * [other, 1.0 - other][theirs];
        drift += weight * (learner.law()[0] - before[0]);
    }
    drift
}

/// Lets a learner play a bandit: the utilities of both arms by round; `seen` is told the round,
/// the arm that was played and the law.
pub fn bandit(
    options: &impl Builds,
    (rounds, seed): (u64, u64),
    mut utilities: impl FnMut(u64, &mut Rng) -> [f64; 2],
    mut seen: impl FnMut(u64, usize, &[f64], [f64; 2]),
) -> AnyLearner {
    let streams = Streams::new(seed);
    let (mut arms, mut act, mut learn) =
        (streams.stream("arms"), streams.draws("act"), streams.draws("learn"));
    let mut learner = options.build();
    let mut outcome = Outcome {
        acts: vec![Act::Choose(0)],
        payoffs: vec![0.0],
        stayed_out: vec![None],
        instead: vec![Vec::new()],
        ..Outcome::default()
    };
    for round in 0..rounds {
        let choice = learner.decide(Actions::menu(2), &mut act);
        let played = choice.entry() as usize;
        let pays = utilities(round, &mut arms);
        seen(round, played, learner.law(), pays);
        outcome.acts[0] = choice;
        outcome.payoffs[0] = pays[played];
        learner.observe(&outcome, 0, &mut learn);
    }
    learner
}

/// Arms that bring 1 with these probabilities, else 0.
pub fn bernoulli(means: [f64; 2]) -> impl Fn(u64, &mut Rng) -> [f64; 2] + Copy {
    move |_, rng| means.map(|mean| f64::from(u8::from(rng.random::<f64>() < mean)))
}

/// By run, how much less than the better arm's mean was to be expected of what was played, after
/// each of these numbers of rounds.
pub fn regrets<const N: usize>(
    options: &impl Builds,
    means: [f64; 2],
    after: [u64; N],
    runs: u64,
) -> Vec<[f64; N]> {
    let best = means[0].max(means[1]);
    let run = |seed| {
        let mut regrets = [0.0; N];
        bandit(options, (after[N - 1], seed), bernoulli(means), |round, played, _, _| {
            for (regret, &end) in regrets.iter_mut().zip(&after) {
                *regret += if round < end { best - means[played] } else { 0.0 };
            }
        });
        regrets
    };
    (1..=runs).map(run).collect()
}

/// The regret of a run against the best fixed arm on a sequence, in the mean over the own draws of
/// each round.
pub fn regret_on(
    options: &impl Builds,
    (rounds, seed): (u64, u64),
    sequence: impl Fn(u64) -> [f64; 2],
) -> f64 {
    let (mut got, mut each) = (0.0, [0.0; 2]);
    bandit(
        options,
        (rounds, seed),
        |round, _| sequence(round),
        |_, _, law, pays| {
            got += law[0] * pays[0] + law[1] * pays[1];
            each = [each[0] + pays[0], each[1] + pays[1]];
        },
    );
    each[0].max(each[1]) - got
}

/// Two that learn alike play; `seen` is told each round and the probabilities of their first
/// choices after it. `pays` is what the row's player gets by its own choice and the other's; the
/// column's player gets the same by its own, or of a game of pennies the opposite.
pub fn pair(
    options: &impl Builds,
    pays: [[f64; 2]; 2],
    (rounds, seed): (u64, u64),
    mut seen: impl FnMut(u64, [f64; 2]),
) -> [f64; 2] {
    let table = Table::new(&[2, 2], |player, profile| {
        let [own, other] = [profile[player], profile[1 - player]];
        let sign = if player == 1 && pays == PENNIES { -1.0 } else { 1.0 };
        sign * pays[own as usize][other as usize]
    });
    let players = ["row", "column"].map(|name| (name.to_owned(), options.build()));
    let mut game = Repeated::new(table, players, Streams::new(seed));
    let mut laws = [0.0; 2];
    for round in 1..=rounds {
        let Ok(()) = game.play(round, &mut ());
        for (law, player) in laws.iter_mut().zip(game.players()) {
            *law = player.law()[0];
        }
        seen(round, laws);
    }
    laws
}

/// Where a function that falls through 0 between two places does so.
pub fn root(mut between: [f64; 2], f: impl Fn(f64) -> f64) -> f64 {
    let is_falling = f(between[0]) > 0.0;
    for _ in 0..60 {
        let middle = f64::midpoint(between[0], between[1]);
        let side = usize::from((f(middle) > 0.0) != is_falling);
        between[side] = middle;
    }
    f64::midpoint(between[0], between[1])
}
