//! A tournament of learners: one organization of a class follows a learner, all others another, for
//! every pair of learners and on common draws.
//!
//! The payoff of the one, by its learner and the others', makes a symmetric game of two: it keeps what
//! anyone gains by changing its learner alone, and interpolates between (*deviation-preserving
//! reduction*; Wiedenbeck and Wellman, AAMAS 2012). Each figure is computed in each replication. Where it
//! is no sum of payoffs, replications are drawn anew with replacement, jointly over all pairs.

use crate::measure::Metric;
use crate::membership::Figure;
use crate::sample::Sample;
use game::alpha_rank;
use game::matrix::Matrix;
use game::pairwise::Pairwise;
use kernel::rng::Streams;
use rand::RngExt as _;
use stats::interval::Level;

/// Redrawn samples of replications.
const REDRAWN: usize = 400;
/// Most learners whose profiles are ranked in two populations.
const MOST: usize = 12;
/// Size of the populations and intensity of selection of alpha-rank.
pub const POPULATION: u32 = 50;
/// See [`POPULATION`].
pub const INTENSITY: f64 = 1.0;

/// The reduced game of learners.
#[derive(Clone, Debug)]
pub struct Tournament {
    learners: usize,
    replications: usize,
    level: Level,
    /// Payoff of the one by its learner, the others' and the replication.
    pays: Vec<f64>,
}

/// A learner by its share of long-run play.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    /// Share of time at which a population follows it.
    pub share: f64,
    /// Its rank, from 1.
    pub rank: usize,
    /// Ranks in 95% of the redrawn samples, or at the level of the run.
    pub ranks: (usize, usize),
}

impl Tournament {
    /// The game of these runs, by the one's learner and then the others'; the one is called `one`. `None`
    /// if it has no finite payoff in some replication.
    pub fn of(points: &[&Sample], learners: usize, one: &str) -> Option<Tournament> {
        let first = points.first()?;
        let (replications, level) = (first.replications() as usize, first.level());
        let mut pays = Vec::new();
        for sample in points {
            let unit = sample.units().iter().position(|unit| unit.name == one)?;
            let measures = [Metric::FinalScore, Metric::FinalPayoff];
            let series = measures.iter().find_map(|one| sample.series(unit, one.measure()))?;
            pays.extend(series.into_iter().map(|[value, _]| value));
        }
        let is_whole = pays.len() == learners * learners * replications;
        let is_known = pays.iter().all(|one| one.is_finite());
        (is_whole && is_known).then_some(Tournament { learners, replications, level, pays })
    }

    /// Number of replications.
    pub fn replications(&self) -> usize {
        self.replications
    }

    fn pay(&self, own: usize, others: usize, replication: usize) -> f64 {
        self.pays[(own * self.learners + others) * self.replications + replication]
    }

    fn figure(&self, several: usize, of: impl Fn(usize) -> f64) -> Figure {
        let values = (0..self.replications).map(|one| [of(one), 1.0]);
        Figure::of(self.level.of_each(several), values)
    }

    /// Payoff of one that follows a learner, while all others follow another.
    pub fn payoff(&self, own: usize, others: usize) -> Figure {
        self.figure(1, |one| self.pay(own, others, one))
    }

    /// Gain of one by following another learner than all others; the intervals of all pairs hold
    /// together.
    pub fn gain(&self, own: usize, others: usize) -> Figure {
        let pairs = self.learners * (self.learners - 1);
        self.figure(pairs, |one| self.pay(own, others, one) - self.pay(others, others, one))
    }

    fn against_all(&self, own: usize, replication: usize) -> f64 {
        let sum: f64 = (0..self.learners).map(|others| self.pay(own, others, replication)).sum();
        sum / self.learners as f64
    }

    /// Mean payoff of each learner against every learner, itself too, with the best and the worst of its
    /// possible places; all intervals and places hold together.
    pub fn ranking(&self) -> Vec<(Figure, (usize, usize))> {
        let (count, pairs) = (self.learners, self.learners * (self.learners - 1) / 2);
        // Half of the errors are for the intervals, half for the places.
        let place = |own: usize| {
            let above = |other: usize| {
                let more = |one: usize| self.against_all(own, one) - self.against_all(other, one);
                self.figure(2 * pairs, more).interval.map_or(0, |gap| match gap {
                    _ if gap.low > 0.0 => 1,
                    _ if gap.high < 0.0 => -1,
                    _ => 0,
                })
            };
            let signs: Vec<i32> = (0..count).filter(|&other| other != own).map(above).collect();
            let number = |sign: i32| signs.iter().filter(|&&one| one == sign).count();
            (1 + number(-1), count - number(1))
        };
        let mean = |own: usize| self.figure(2 * count, |one| self.against_all(own, one));
        (0..count).map(|own| (mean(own), place(own))).collect()
    }

    /// Mean payoffs over these replications.
    fn means(&self, replications: &[usize]) -> Vec<Vec<f64>> {
        let mean = |own: usize, others: usize| {
            let sum: f64 = replications.iter().map(|&one| self.pay(own, others, one)).sum();
            sum / replications.len() as f64
        };
        let all = 0..self.learners;
        all.clone().map(|own| all.clone().map(|others| mean(own, others)).collect()).collect()
    }

    /// The game of mean payoffs, of two players.
    pub fn matrix(&self) -> Matrix {
        matrix(&self.means(&(0..self.replications).collect::<Vec<_>>()))
    }

    /// Alpha-rank of the learners: in one population, in which everybody meets everybody else, or in two
    /// that meet each other. `None` of two with many learners.
    pub fn alpha_rank(&self, populations: usize) -> Option<Vec<Ranked>> {
        if populations == 2 && self.learners > MOST {
            return None;
        }
        let shares = |replications: &[usize]| {
            let means = self.means(replications);
            if populations == 2 { in_two(&means) } else { in_one(&means) }
        };
        let ranks = |shares: &[f64]| -> Vec<usize> {
            let above = |own: f64| shares.iter().filter(|&&other| other > own).count();
            shares.iter().map(|&own| 1 + above(own)).collect()
        };
        let mut redrawn = vec![Vec::new(); self.learners];
        let mut rng = Streams::new(1).stream("tournament");
        for _ in 0..REDRAWN {
            let drawn = (0..self.replications).map(|_| rng.random_range(0..self.replications));
            let drawn = ranks(&shares(&drawn.collect::<Vec<_>>()));
            redrawn.iter_mut().zip(drawn).for_each(|(all, rank)| all.push(rank));
        }
        let tail = (1.0 - self.level.share()) / 2.0;
        let at = |share: f64| ((share * REDRAWN as f64) as usize).min(REDRAWN - 1);
        let whole = shares(&(0..self.replications).collect::<Vec<_>>());
        let each = whole.iter().zip(ranks(&whole)).zip(&mut redrawn);
        let ranked = each.map(|((&share, rank), redrawn)| {
            redrawn.sort_unstable();
            Ranked { share, rank, ranks: (redrawn[at(tail)], redrawn[at(1.0 - tail)]) }
        });
        Some(ranked.collect())
    }
}

fn matrix(means: &[Vec<f64>]) -> Matrix {
    Matrix::new(&[means.len() as u32; 2], |player, profile| {
        means[profile[player] as usize][profile[1 - player] as usize]
    })
}

fn in_one(means: &[Vec<f64>]) -> Vec<f64> {
    let pays = |own: u32, others: u32| means[own as usize][others as usize];
    let game = Pairwise::new(2, means.len() as u32, pays);
    alpha_rank::one_population(alpha_rank::fixation(&game, POPULATION, INTENSITY))
}

/// The mean of both populations.
fn in_two(means: &[Vec<f64>]) -> Vec<f64> {
    let game = matrix(means);
    let mut shares = vec![0.0; means.len()];
    let laws = alpha_rank::populations(&game, POPULATION, INTENSITY);
    for (profile, law) in game.profiles().zip(laws) {
        profile.iter().for_each(|&learner| shares[learner as usize] += law / 2.0);
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two replications of a stag hunt and a third strategy that loses against all.
    fn hunt() -> Tournament {
        let means = [[4.0, 0.0, 0.0], [3.0, 2.0, 2.0], [-9.0, -9.0, -9.0]];
        let pays = means.iter().flatten().flat_map(|&mean| [mean - 0.5, mean + 0.5]);
        let level = Level::default();
        Tournament { learners: 3, replications: 2, level, pays: pays.collect() }
    }

    #[test]
    fn what_draws_have_in_common_cancels_in_gains_and_places() {
        let hunt = hunt();
        let gain = hunt.gain(1, 0);
        let interval = gain.interval.unwrap();
        assert_eq!((gain.mean, interval.low, interval.high), (-1.0, -1.0, -1.0));
        assert!(hunt.payoff(1, 0).interval.unwrap().low < 3.0);
        let ranking = hunt.ranking();
        let places: Vec<(usize, usize)> = ranking.iter().map(|one| one.1).collect();
        assert_eq!(places, [(2, 2), (1, 1), (3, 3)]);
        assert!((ranking[1].0.mean - 7.0 / 3.0).abs() < 1e-12);
    }

    /// Alone, a stag hunter is taken over in one population; in two, hares are harder to leave.
    #[test]
    fn alpha_rank_is_that_of_the_reduced_game() {
        for populations in [1, 2] {
            let ranked = hunt().alpha_rank(populations).unwrap();
            assert!(ranked[1].share > 0.99, "{ranked:?}");
            assert_eq!(ranked.iter().map(|one| one.rank).collect::<Vec<_>>(), [2, 1, 3]);
            assert!(ranked.iter().all(|one| one.ranks == (one.rank, one.rank)));
        }
    }
}
