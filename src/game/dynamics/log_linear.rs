//! Log-linear dynamics: one player at a time revises its choice and takes each with probability
//! proportional to exp(u / temperature).
//!
//! Blume, *The statistical mechanics of strategic interaction*, Games and Economic Behavior 5,
//! 1993. In a game with a potential P the distribution of the profiles tends to exp(P /
//! temperature). Among identical players with two choices, the number k of those who take the
//! second therefore has stationary probability proportional to C(n, k) exp(P(k) / temperature),
//! where P(k) sums the payoff advantage of the second choice, joiner by joiner.

use rand::RngExt as _;

use crate::counts::Counts;
use crate::payoffs::{Payoffs, Tally};
use kernel::rng::Rng;
use kernel::state::{Corrupt, State, put, take};

/// Players that revise one at a time, each equally often on average.
#[derive(Clone, Debug)]
pub struct LogLinear<'a> {
    game: &'a Payoffs,
    temperature: f64,
    profile: Vec<u32>,
    tally: Tally,
    weights: Vec<f64>,
}

impl<'a> LogLinear<'a> {
    /// Starts at a profile.
    ///
    /// # Panics
    /// Panics if the temperature is not above 0.
    pub fn new(game: &'a Payoffs, temperature: f64, profile: Vec<u32>) -> LogLinear<'a> {
        assert!(temperature > 0.0, "a temperature is above 0");
        let mut tally = Tally::default();
        game.count(&profile, &mut tally);
        LogLinear { game, temperature, profile, tally, weights: Vec::new() }
    }

    /// The current profile.
    pub fn profile(&self) -> &[u32] {
        &self.profile
    }

    /// Lets one player revise, and returns it. O(K), and O(n) if it moves.
    pub fn step(&mut self, rng: &mut Rng) -> usize {
        let player = rng.random_range(0..self.profile.len());
        self.game.instead_of(&self.tally, player, &self.profile, &mut self.weights);
        soften(&mut self.weights, self.temperature);
        let mut rest = rng.random::<f64>();
        let drawn = self.weights.iter().position(|&weight| {
            rest -= weight;
            rest < 0.0
        });
        // Rounding error at the end goes to the current choice.
        let choice = drawn.map_or(self.profile[player], |choice| choice as u32);
        if choice != self.profile[player] {
            self.profile[player] = choice;
            self.game.count(&self.profile, &mut self.tally);
        }
        player
    }
}

impl State for LogLinear<'_> {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.profile, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let profile: Vec<u32> = take(from)?;
        let mut entries = profile.iter().enumerate();
        if profile.len() != self.game.players()
            || entries.any(|(player, &entry)| entry >= self.game.choices(player))
        {
            return Err(Corrupt::Content("a profile of another game".to_owned()));
        }
        self.profile = profile;
        self.game.count(&self.profile, &mut self.tally);
        Ok(())
    }
}

/// Softmax: turns payoffs into probabilities proportional to exp(u / temperature).
pub fn soften(pays: &mut [f64], temperature: f64) {
    let most = pays.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for pays in pays.iter_mut() {
        *pays = libm::exp((*pays - most) / temperature);
        sum += *pays;
    }
    pays.iter_mut().for_each(|weight| *weight /= sum);
}

/// Stationary distribution of the number of players with the second choice, 0 to n. O(n).
pub fn stationary(game: &Counts, temperature: f64) -> Vec<f64> {
    let players = game.players();
    let (mut log, mut logs) = (0.0, vec![0.0]);
    for before in 0..players {
        // C(n, k + 1) / C(n, k) is (n - k) / (k + 1).
        log += libm::log((players - before) as f64 / (before + 1) as f64);
        log += (game.payoff(1, before) - game.payoff(0, before)) / temperature;
        logs.push(log);
    }
    soften(&mut logs, 1.0);
    logs
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::rng::Streams;

    /// Score of a typical cluster by the number of typical clusters that join with the loaded one,
    /// under averaging.
    const SCORES: [f64; 9] = [-7.17, -4.33, -2.79, -1.84, -1.20, -0.75, -0.41, -0.12, 0.10];

    fn clusters() -> Counts {
        Counts::new(9, |own, others| if own == 0 { 0.0 } else { SCORES[others] })
    }

    /// Probability with which a revising player takes the second choice.
    fn joins(game: &Counts, others: usize, temperature: f64) -> f64 {
        let gain = game.payoff(1, others) - game.payoff(0, others);
        1.0 / (1.0 + libm::exp(-gain / temperature))
    }

    /// The stationary distribution is invariant under a step, and matches the formula.
    #[test]
    fn the_stationary_law_is_stationary() {
        let game = clusters();
        for temperature in [0.1, 0.5, 1.0, 2.0, 8.0] {
            let law = stationary(&game, temperature);
            assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let mut next = [0.0; 10];
            for (taking, &weight) in law.iter().enumerate() {
                let share = taking as f64 / 9.0;
                let up = (1.0 - share)
                    * if taking < 9 { joins(&game, taking, temperature) } else { 0.0 };
                let down = match taking.checked_sub(1) {
                    Some(others) => share * (1.0 - joins(&game, others, temperature)),
                    None => 0.0,
                };
                next[taking] += weight * (1.0 - up - down);
                if taking < 9 {
                    next[taking + 1] += weight * up;
                }
                if taking > 0 {
                    next[taking - 1] += weight * down;
                }
            }
            let binomials = [1.0, 9.0, 36.0, 84.0, 126.0, 126.0, 84.0, 36.0, 9.0, 1.0];
            let mut potential = 0.0;
            for taking in 0..=9 {
                assert!((next[taking] - law[taking]).abs() < 1e-12);
                let formula = binomials[taking] * libm::exp(potential / temperature);
                assert!((law[taking] / law[0] / formula - 1.0).abs() < 1e-9);
                potential += SCORES.get(taking).unwrap_or(&0.0);
            }
        }
    }

    /// 40 chains that start in the stationary distribution, so each of their means is that of the
    /// distribution. The chains are independent: their mean lies within 3.558 standard errors, the
    /// 99.9 % critical value of Student's t with 39 degrees of freedom.
    #[test]
    fn simulated_players_keep_the_law() {
        const CHAINS: u64 = 40;
        const STEPS: usize = 20_000;
        for temperature in [2.0, 8.0] {
            let (counts, mut means) = (clusters(), Vec::new());
            let (law, game) = (stationary(&counts, temperature), Payoffs::Counts(counts));
            for chain in 0..CHAINS {
                let mut rng = Streams::new(1).in_replication(chain).stream("log-linear");
                let mut rest = rng.random::<f64>();
                let start = law.iter().position(|weight| {
                    rest -= weight;
                    rest < 0.0
                });
                let start = start.unwrap_or(9);
                let profile = (0..9).map(|player| u32::from(player < start)).collect();
                let mut players = LogLinear::new(&game, temperature, profile);
                let (mut sum, mut none) = (0, 0);
                for _ in 0..STEPS {
                    players.step(&mut rng);
                    let taking: u32 = players.profile().iter().sum();
                    sum += taking;
                    none += u32::from(taking == 0);
                }
                means.push([f64::from(sum), f64::from(none)].map(|sum| sum / STEPS as f64));
            }
            let mean_taking: f64 =
                law.iter().enumerate().map(|(taking, weight)| taking as f64 * weight).sum();
            for (figure, expected) in [mean_taking, law[0]].into_iter().enumerate() {
                let count = CHAINS as f64;
                let mean = means.iter().map(|means| means[figure]).sum::<f64>() / count;
                let squares = means.iter().map(|means| (means[figure] - mean).powi(2)).sum::<f64>();
                let error = (squares / (count - 1.0) / count).sqrt();
                let off = (mean - expected) / error;
                assert!(off.abs() <= 3.558, "{temperature} {figure}: {mean} {expected} {error}");
            }
        }
    }

    /// In a two-by-two game with a potential, the distribution of profiles is exp(P / temperature):
    /// the same product from all sides.
    #[test]
    fn choices_of_any_number_are_softened() {
        let mut pays = [1.0, 3.0, 2.0];
        soften(&mut pays, 0.5);
        let sum: f64 = pays.iter().sum();
        assert!((sum - 1.0).abs() < 1e-15);
        assert!((pays[1] / pays[2] - libm::exp(2.0)).abs() < 1e-12);
        let mut far = [1e6, -1e6];
        soften(&mut far, 1e-3);
        assert_eq!(far, [1.0, 0.0]);
    }
}
