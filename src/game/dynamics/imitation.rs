//! Imitation in finite populations: one player at a time may copy another.
//!
//! A population is a game of many identical players with two choices, [`Counts`]; everybody meets
//! everybody else. The state is the number of players with the second choice. The chain ends once
//! all are equal; the fixation probability of a single mutant is known exactly.

use rand::RngExt as _;

use crate::birth_death::log_fixation;
use crate::counts::Counts;
use kernel::rng::Rng;

/// The imitation rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Imitation {
    /// Pair comparison: of two players drawn at random, one copies the other with probability 1 /
    /// (1 + exp(-b (u_j - u_i))) (Traulsen, Nowak and Pacheco, *Stochastic dynamics of invasion and
    /// fixation*, Physical Review E 74, 2006).
    Fermi {
        /// Intensity of selection b, not negative.
        intensity: f64,
    },
    /// Moran process: one player is drawn for reproduction in proportion to its fitness 1 - w + w
    /// u, and one at random for replacement (Nowak, Sasaki, Taylor and Fudenberg, *Emergence of
    /// cooperation and evolutionary stability in finite populations*, Nature 428, 2004).
    Moran {
        /// Intensity of selection w, from 0 to 1; at 1 the fitness is the payoff.
        selection: f64,
    },
    /// Proportional imitation: of two players drawn at random, one copies the other if that got
    /// more, with a probability proportional to the difference; the whole range of payoffs counts
    /// as 1 (Schlag, *Why imitate, and if so, how?*, Journal of Economic Theory 78, 1998).
    Proportional,
}

impl Imitation {
    /// True if the rule is defined for a game: fitness must be above 0.
    pub fn fits(self, game: &Counts) -> bool {
        match self {
            Imitation::Moran { selection } => {
                game.all().all(|payoff| fitness(selection, payoff) > 0.0)
            }
            Imitation::Fermi { .. } | Imitation::Proportional => true,
        }
    }

    /// Probabilities that the number of players with the second choice goes up, and down, by one.
    ///
    /// # Panics
    /// Panics if `taking` exceeds the number of players.
    pub fn moves(self, game: &Counts, taking: usize) -> (f64, f64) {
        let players = game.players();
        assert!(taking <= players, "no more than all take the second choice");
        if taking == 0 || taking == players {
            return (0.0, 0.0);
        }
        let (first, second) = (game.payoff(0, taking), game.payoff(1, taking - 1));
        let (taking, all) = (taking as f64, players as f64);
        // Probability that two drawn players differ, in a given order.
        let meet = taking / all * (all - taking) / (all - 1.0);
        match self {
            Imitation::Fermi { intensity } => {
                let copies = |gain: f64| 1.0 / (1.0 + libm::exp(-intensity * gain));
                (meet * copies(second - first), meet * copies(first - second))
            }
            Imitation::Moran { selection } => {
                let second = taking * fitness(selection, second);
                let first = (all - taking) * fitness(selection, first);
                let sum = first + second;
                (second / sum * (all - taking) / all, first / sum * taking / all)
            }
            Imitation::Proportional => {
                let range = range(game);
                let copies = |gain: f64| if gain > 0.0 { gain / range } else { 0.0 };
                (meet * copies(second - first), meet * copies(first - second))
            }
        }
    }

    /// Performs one imitation step; returns the new number with the second choice. O(1), but O(n)
    /// for proportional imitation.
    pub fn step(self, game: &Counts, taking: usize, rng: &mut Rng) -> usize {
        let (up, down) = self.moves(game, taking);
        let drawn = rng.random::<f64>();
        if drawn < up {
            taking + 1
        } else if drawn < up + down {
            taking - 1
        } else {
            taking
        }
    }

    /// Fixation probability of a single mutant with the given choice. O(n). It is 0 if the mutants
    /// cannot grow past some number.
    ///
    /// # Panics
    /// Panics if there are fewer than two players, or a fitness is not above 0.
    pub fn fixation(self, game: &Counts, mutant: u32) -> f64 {
        libm::exp(self.log_fixation(game, mutant))
    }

    /// Logarithm of [`Imitation::fixation`], which does not underflow.
    ///
    /// # Panics
    /// As [`Imitation::fixation`].
    pub fn log_fixation(self, game: &Counts, mutant: u32) -> f64 {
        assert!(game.players() > 1, "a mutant is one among many");
        assert!(self.fits(game), "a fitness is above 0");
        let mirrored;
        let game = if mutant == 1 {
            game
        } else {
            mirrored = game.mirrored();
            &mirrored
        };
        let gain = |taking: usize| game.payoff(1, taking - 1) - game.payoff(0, taking);
        let all = 1..game.players();
        match self {
            Imitation::Fermi { intensity } => {
                log_fixation(all.map(|taking| -intensity * gain(taking)))
            }
            Imitation::Moran { selection } => {
                let log = |payoff: f64| libm::log(fitness(selection, payoff));
                let ratio = |taking| log(game.payoff(0, taking)) - log(game.payoff(1, taking - 1));
                log_fixation(all.map(ratio))
            }
            // It never shrinks where it gains, and never grows elsewhere.
            Imitation::Proportional if all.clone().all(|k| gain(k) > 0.0) => 0.0,
            Imitation::Proportional => f64::NEG_INFINITY,
        }
    }
}

fn fitness(selection: f64, payoff: f64) -> f64 {
    1.0 - selection + selection * payoff
}

fn range(game: &Counts) -> f64 {
    let ends = |(least, most): (f64, f64), payoff: f64| (least.min(payoff), most.max(payoff));
    let (least, most) = game.all().fold((f64::INFINITY, f64::NEG_INFINITY), ends);
    most - least
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;

    /// A symmetric two-player game in a population.
    fn population(players: usize, pays: [[f64; 2]; 2]) -> Counts {
        Counts::of_meetings(players, pays)
    }

    const DILEMMA: [[f64; 2]; 2] = [[3.0, 0.0], [5.0, 1.0]];
    const HUNT: [[f64; 2]; 2] = [[4.0, 0.0], [3.0, 2.0]];
    const DOVES: [[f64; 2]; 2] = [[-0.5, 2.0], [0.0, 0.0]];

    #[track_caller]
    fn near(found: f64, printed: f64, tolerance: f64) {
        assert!((found - printed).abs() <= tolerance, "{found} {printed}");
    }

    #[test]
    fn fixation_by_pair_comparison() {
        let fermi = |players, pays, intensity, mutant| {
            Imitation::Fermi { intensity }.fixation(&population(players, pays), mutant)
        };
        near(fermi(100, DOVES, 1.0, 0), 0.864_115_6, 5e-8);
        near(fermi(20, HUNT, 0.5, 0), 8.818_94e-5, 5e-11);
        near(fermi(20, HUNT, 0.5, 1), 0.035_578_2, 5e-8);
        near(fermi(10, DILEMMA, 0.1, 0), 0.039_376_3, 5e-8);
        near(fermi(10, DILEMMA, 0.1, 1), 0.215_544, 5e-7);
        near(fermi(10, HUNT, 0.1, 0), 0.056_020_3, 5e-8);
        near(fermi(10, HUNT, 0.1, 1), 0.112_811_0, 5e-8);
        near(fermi(10, HUNT, 0.0, 1), 0.1, 1e-12);
    }

    #[test]
    fn fixation_by_birth_and_death() {
        let moran = Imitation::Moran { selection: 1.0 };
        let better = Counts::new(10, |own, _| if own == 1 { 1.1 } else { 1.0 });
        near(moran.fixation(&better, 1), 0.147_950, 5e-7);
        near(moran.fixation(&better, 1), (1.0 - 1.0 / 1.1) / (1.0 - 1.1_f64.powi(-10)), 1e-12);
        let neutral = Counts::new(10, |_, _| 1.0);
        near(moran.fixation(&neutral, 0), 0.1, 1e-12);
        near(Imitation::Moran { selection: 0.0 }.fixation(&better, 1), 0.1, 1e-12);
        assert!(!moran.fits(&population(10, DOVES)), "fitness -.5");
    }

    #[test]
    fn proportional_imitation_follows_the_better_payoff_only() {
        let dilemma = population(10, DILEMMA);
        assert_eq!(Imitation::Proportional.fixation(&dilemma, 1), 1.0);
        assert_eq!(Imitation::Proportional.fixation(&dilemma, 0), 0.0);
        let (mut taking, mut rng) = (1, Streams::new(1).stream("proportional"));
        let mut before = taking;
        while taking < 10 {
            taking = Imitation::Proportional.step(&dilemma, taking, &mut rng);
            assert!(taking >= before);
            before = taking;
        }
        // With 3 of 10 defecting, defectors get (2 x 1 + 7 x 5) / 9, the others 6 x 3 / 9, and
        // payoffs range from 0 to 5.
        let (up, down) = Imitation::Proportional.moves(&dilemma, 3);
        near(up, 0.3 * 7.0 / 9.0 * (37.0 - 18.0) / 9.0 / 5.0, 1e-15);
        assert_eq!(down, 0.0);
    }

    /// Simulated fixation frequencies, within 3.29 standard errors (99.9 %) of the exact
    /// probability.
    #[test]
    fn simulated_mutants_take_over_as_often_as_they_should() {
        const RUNS: u64 = 4000;
        let cases = [
            (Imitation::Fermi { intensity: 0.1 }, population(10, DILEMMA), 1),
            (Imitation::Fermi { intensity: 0.1 }, population(10, HUNT), 0),
            (Imitation::Moran { selection: 0.3 }, population(10, HUNT), 1),
        ];
        for (index, (rule, game, mutant)) in cases.into_iter().enumerate() {
            let mut rng = Streams::new(1).in_replication(index as u64).stream("imitation");
            let mut taken = 0;
            for _ in 0..RUNS {
                let mut taking = if mutant == 1 { 1 } else { game.players() - 1 };
                while taking != 0 && taking != game.players() {
                    taking = rule.step(&game, taking, &mut rng);
                }
                taken += u32::from((taking != 0) == (mutant == 1));
            }
            let exact = rule.fixation(&game, mutant);
            let error = (exact * (1.0 - exact) / RUNS as f64).sqrt();
            near(f64::from(taken) / RUNS as f64, exact, 3.29 * error);
        }
    }
}
