//! The mean field of the ratio rule: the fixed point of players that match their desire.
//!
//! The ratio rule is an exponential average of the round's desire q, so it settles where p equals
//! the mean of q over the rounds in which its owner took part, given the participation of the
//! others. For classes of identical players this is a system of fixed-point equations, one for each
//! class: p = E[q | joined, everyone of class c joins with probability p_c].
//!
//! This is the limit of slow learning. At a learning rate s the p of a player fluctuates: it is an
//! average with variance v = s / (2 - s) times that of q, and moves only when its owner takes part.
//! A small p therefore lasts longer, 1 / p rounds, and the mean of p over all rounds is the
//! harmonic one: to second order E[q | joined] - v / E[q | joined]. For small p the difference is
//! large.
//!
//! The mean is measured by simulation: the game is played for a number of rounds in which all
//! players draw independently. All measurements use the same rounds and the same draws (common
//! random numbers), so they differ only through p. Then p moves part of the way to the measured
//! value, until it has converged.

use game::stage::{Act, Actions, Outcome, StageGame, Terms, Wanted};
use kernel::rng::Streams;
use policy::learn::ratio::{Alone, desire};
use rand::RngExt as _;
use stats::interval::{Error, Sections};

/// Parameters of the search for a fixed point.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// Class of each player, from 0; players of a class are identical.
    pub classes: Vec<usize>,
    /// Initial probability, by class.
    pub initial: Vec<f64>,
    /// Terms of participation, by class.
    pub terms: Vec<Terms>,
    /// Treatment of rounds in which a player takes part alone.
    pub alone: Alone,
    /// Learning rate; 0 is the limit of slow learning.
    pub rate: f64,
    /// Rounds of each measurement, numbered from 0.
    pub rounds: u64,
    /// Step size: the fraction of the way to the measured value that p moves. After twenty
    /// measurements it shrinks as one over their number, since each player that joins changes the
    /// round for all and the measured value jumps.
    pub step: f64,
    /// Convergence: no p is farther from the value learned there than this, or than a standard
    /// error of the measurement.
    pub tolerance: f64,
    /// Maximum number of measurements.
    pub most: u32,
}

impl Search {
    /// A search from 1/2 in all classes, with participation without a bound.
    pub fn new(classes: Vec<usize>, rounds: u64) -> Search {
        let number = classes.iter().max().map_or(0, |last| last + 1);
        Search {
            classes,
            initial: vec![0.5; number],
            terms: vec![Terms::ANY; number],
            alone: Alone::Counts,
            rate: 0.0,
            rounds,
            step: 0.8,
            tolerance: 0.002,
            most: 50,
        }
    }
}

/// Measured desire of one class at given probabilities.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Desired {
    /// Mean of q over all that joined; `None` if nobody did.
    pub mean: Option<f64>,
    /// Its error, taking rounds as independent sections. The error of a fixed point is larger, by 1
    /// / (1 - slope), if q grows with p.
    pub error: Option<Error>,
    /// Variance of q.
    pub variance: f64,
}

impl Desired {
    /// Mean p over all rounds of a player with this desire, at a learning rate.
    pub fn settles(&self, rate: f64) -> Option<f64> {
        let mean = self.mean?;
        let fluctuation = rate / (2.0 - rate) * self.variance;
        Some(if mean > 0.0 { (mean - fluctuation / mean).clamp(0.0, 1.0) } else { 0.0 })
    }
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedPoint {
    /// Probability, by class.
    pub probabilities: Vec<f64>,
    /// Measured desire at that point, by class.
    pub desired: Vec<Desired>,
    /// Number of measurements made.
    pub measurements: u32,
    /// True if it converged: each probability is within the tolerance.
    pub found: bool,
}

/// Mean desire of those that join, by class, given the probabilities of joining. Everyone of class
/// c joins with `probabilities[c]`, drawn from the streams `mean-field/PLAYER`.
///
/// # Errors
/// Fails if the game fails.
///
/// # Panics
/// Panics if the number of classes or probabilities does not match the game and the search.
pub fn desired<G: StageGame>(
    game: &mut G,
    search: &Search,
    probabilities: &[f64],
    streams: Streams,
) -> Result<Vec<Desired>, G::Error> {
    let players = game.players();
    assert_eq!(search.classes.len(), players, "every player has a class");
    assert_eq!(search.initial.len(), probabilities.len(), "every class has a probability");
    let names: Vec<String> = (0..players).map(|player| format!("mean-field/{player}")).collect();
    let wanted = vec![Wanted { stayed_out: true, ..Wanted::default() }; players];
    let mut acts = vec![Act::Out; players];
    let mut outcome = Outcome::default();
    let mut sections = vec![Sections::default(); probabilities.len()];
    let mut counts = vec![0.0; probabilities.len()];
    let mut squares = vec![0.0; probabilities.len()];
    let mut sums = vec![(0.0, 0.0); probabilities.len()];
    for round in 0..search.rounds {
        let streams = streams.in_round(round);
        for (player, act) in acts.iter_mut().enumerate() {
            let (actions, class) = (game.actions(player, round), search.classes[player]);
            let joins = streams.stream(&names[player]).random::<f64>() < probabilities[class];
            *act = if joins && actions != Actions::Absent {
                actions.taking_part(search.terms[class])
            } else {
                actions.staying_out()
            };
        }
        game.begin(round, &acts, &wanted)?;
        while game.advance()? {}
        game.outcome(&mut outcome)?;
        sums.fill((0.0, 0.0));
        for (player, &class) in search.classes.iter().enumerate() {
            let Some(out) = outcome.stayed_out[player] else { continue };
            let is_alone = acts[player].is_in() && outcome.members == 1;
            if is_alone && search.alone == Alone::StaysOut {
                continue;
            }
            let desire = desire(outcome.payoffs[player] - out);
            sums[class].0 += desire;
            sums[class].1 += 1.0;
            squares[class] += desire * desire;
            counts[class] += 1.0;
        }
        for (section, &(sum, count)) in sections.iter_mut().zip(&sums) {
            section.add(sum, count);
        }
    }
    let of = |(class, section): (usize, &Sections)| {
        let mean = section.mean();
        let variance = mean.map_or(0.0, |mean| squares[class] / counts[class] - mean * mean);
        Desired { mean, error: section.error(), variance: variance.max(0.0) }
    };
    Ok(sections.iter().enumerate().map(of).collect())
}

/// Searches for a fixed point: p of each class moves part of the way to the value learned there. A
/// class of which nobody joins stays unchanged.
///
/// # Errors
/// Fails if the game fails.
pub fn fixed_point<G: StageGame>(
    game: &mut G,
    search: &Search,
    streams: Streams,
) -> Result<FixedPoint, G::Error> {
    let mut probabilities = search.initial.clone();
    let mut measurements = 0;
    loop {
        let desired = desired(game, search, &probabilities, streams)?;
        measurements += 1;
        let off = |(p, desired): (&f64, &Desired)| {
            desired.settles(search.rate).map_or(0.0, |settles| settles - p)
        };
        let steps: Vec<f64> = probabilities.iter().zip(&desired).map(off).collect();
        let is_near = |(step, desired): (&f64, &Desired)| {
            let error = desired.error.map_or(0.0, |error| error.standard);
            step.abs() <= search.tolerance.max(error)
        };
        let found = steps.iter().zip(&desired).all(is_near);
        if found || measurements >= search.most {
            return Ok(FixedPoint { probabilities, desired, measurements, found });
        }
        for (p, step) in probabilities.iter_mut().zip(&steps) {
            *p += search.step * step * 20.0 / f64::from(measurements.max(20));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repeated::Repeated;
    use game::table::Table;
    use policy::learn::{LearnerOptions, fixed, ratio};

    /// Joining pays .8 if somebody else joins too, and -.6 alone: q is .9 or .2.
    fn together(players: usize) -> Table {
        Table::new(&vec![2; players], |player, profile| match profile.iter().sum::<u32>() {
            _ if profile[player] == 0 => 0.0,
            1 => -0.6,
            _ => 0.8,
        })
    }

    /// For two players p = .9 p + .2 (1 - p), so 2/3. The error of the mean of q, .35 times the
    /// square root of p (1 - p) over the number joined, .0021, counts 1 / (1 - .7) times: .01.
    #[test]
    fn two_alike_meet_at_two_thirds() {
        let mut search = Search::new(vec![0, 0], 20_000);
        search.tolerance = 1e-4;
        for initial in [0.05, 0.5, 0.99] {
            search.initial = vec![initial];
            let found = fixed_point(&mut together(2), &search, Streams::new(1)).unwrap();
            assert!(found.found, "{found:?}");
            let p = found.probabilities[0];
            assert!((p - 2.0 / 3.0).abs() < 0.03, "{found:?}");
            let error = found.desired[0].error.expect("there are many rounds");
            assert!((0.0015..0.006).contains(&error.standard), "{error:?}");
        }
    }

    /// Player 0 gains .4 whatever the others do, q = .7; the others gain .6 with it and lose .4
    /// without: q is .8 with probability .7, else .3, so .65.
    #[test]
    fn classes_have_probabilities_of_their_own() {
        let mut table = Table::new(&[2, 2, 2], |player, profile| match (player, profile[player]) {
            (_, 0) => 0.0,
            (0, _) => 0.4,
            _ if profile[0] == 1 => 0.6,
            _ => -0.4,
        });
        let search = Search::new(vec![0, 1, 1], 4000);
        let found = fixed_point(&mut table, &search, Streams::new(2)).unwrap();
        assert!(found.found && found.measurements <= 10, "{found:?}");
        assert!((found.probabilities[0] - 0.7).abs() <= search.tolerance);
        // The standard deviation of q is .23; each round gives one sample, if player 0 takes part.
        let error = 0.23 / f64::sqrt(4000.0 * 0.87);
        assert!((found.probabilities[1] - 0.65).abs() < 0.002 + 4.0 * error, "{found:?}");
    }

    /// Joining pays 1 or -1, by the toss of another player's coin: q is 1 or 0. Slow learning ends
    /// at .5; at s = .1 the variance of p when it joins is .25 s / (2 - s) = .0132, and its mean
    /// .4737.
    #[test]
    fn who_learns_fast_is_out_for_longer_after_bad_rounds() {
        let coin = LearnerOptions::Fixed(fixed::Options { probability: 0.5, ..Default::default() });
        let mut table = Table::new(&[2, 2], |player, profile| match (player, profile) {
            (0, [1, coin]) => 2.0 * f64::from(*coin) - 1.0,
            _ => 0.0,
        });
        let mut search = Search::new(vec![0, 1], 20_000);
        search.initial = vec![0.5, 0.5];
        for (rate, expected) in [(0.0, 0.5), (0.1, 0.5 - 0.1 / 1.9 / 2.0)] {
            search.rate = rate;
            let found = desired(&mut table, &search, &[0.5, 0.5], Streams::new(4)).unwrap();
            let settles = found[0].settles(rate).unwrap();
            // The standard deviation of q is .5, and half of the rounds count.
            assert!((settles - expected).abs() < 4.0 * 0.5 / 100.0, "{settles}");
        }
        let options = ratio::Options { rate: 0.1, ..Default::default() };
        let players = [("a", LearnerOptions::Ratio(options)), ("b", coin)];
        let players = players.map(|(name, options)| (name.to_owned(), options.build()));
        let mut game = Repeated::new(table, players, Streams::new(5));
        let (mut sum, rounds) = (0.0, 50_000);
        for round in 1..=rounds {
            game.play(round, &mut ()).unwrap();
            sum += game.stances().next().and_then(|stance| stance.probability).unwrap();
        }
        // The standard deviation of p is .115 and its correlation time about 2 / (s p) = 42 rounds.
        let error = 0.115 * f64::sqrt(42.0 / rounds as f64);
        let live = sum / rounds as f64;
        assert!((live - 0.4737).abs() < 4.0 * error, "{live}");
    }

    /// Two players learn from each other: their live means match the fixed point at their rate.
    #[test]
    fn the_ratio_rule_ends_there() {
        let rate = 0.05;
        let options = ratio::Options { rate, ..Default::default() };
        let seat =
            |player: usize| (format!("p{player}"), LearnerOptions::Ratio(options.clone()).build());
        let mut game = Repeated::new(together(2), (0..2).map(seat), Streams::new(3));
        let (mut sum, rounds) = (0.0, 50_000);
        game.play(500, &mut ()).unwrap();
        for round in 501..=500 + rounds {
            game.play(round, &mut ()).unwrap();
            sum += game.stances().filter_map(|stance| stance.probability).sum::<f64>() / 2.0;
        }
        let search = Search { rate, ..Search::new(vec![0, 0], 50_000) };
        let found = fixed_point(&mut together(2), &search, Streams::new(4)).unwrap();
        let (live, found) = (sum / rounds as f64, found.probabilities[0]);
        // A common drift decays 1 / (1 - .7) times more slowly, so both means have errors of about
        // .007.
        assert!((live - found).abs() < 0.03, "{live} against {found}");
    }
}
