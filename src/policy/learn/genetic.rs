//! A genetic algorithm: breeds a population of actions by fitness, generation after generation.
//!
//! An individual is a point on the list of choices, a number from 0 to K - 1, and plays the nearest
//! choice. Each is played for `rounds` rounds, one after the other; its fitness is the mean
//! utility. Then the next generation is bred: its first individual is the fittest of the last; each
//! other has two parents, each the fittest of `tournament` individuals drawn with replacement, and
//! is drawn uniformly from the interval between them, extended at both ends by `blend` times their
//! distance. With probability `mutation` it is then shifted uniformly by up to `spread` of the
//! list. The first generation is drawn like the first round of any other rule.
//!
//! It makes sense if neighbours on the list are similar, as levels are. Only one individual is
//! tried at a time, so a generation takes population times `rounds` rounds, and fitness is compared
//! between rounds in which the others acted differently. O(1) for each round, O(population) for
//! each generation.
//!
//! Goldberg and Deb, "A comparative analysis of selection schemes used in genetic algorithms",
//! Foundations of Genetic Algorithms 1, 1991 (tournaments); Eshelman and Schaffer, "Real-coded
//! genetic algorithms and interval-schemata", Foundations of Genetic Algorithms 2, 1993 (blend).

use rand::RngExt as _;

use super::choose::{Chooser, Round, drawn};
use game::stage::OwnPayoff;
use kernel::rng::{Draws, Rng};
use kernel::state_of_fields;
use model::bounds::{Bounds, PROBABILITY, SHARE, parameters};

parameters! {
    /// Parameters of the genetic algorithm.
    #[serde(default)]
    pub struct Options {
        /// Number of individuals.
        population: u32 as (Bounds::of("a size of a population").from(2.0).to(1000.0)) = 12,
        /// Rounds for which each individual is played in a generation.
        rounds: u32 as (Bounds::of("a number of rounds").from(1.0).to(1e6)) = 10,
        /// Tournament size: a parent is the fittest of this many.
        tournament: u32 as (Bounds::of("a size of a tournament").from(1.0).to(1000.0)) = 3,
        /// Maximum distance of a child beyond its parents, relative to their distance.
        blend: f64 as (Bounds::of("a distance").from(0.0).to(10.0)) = 0.5,
        /// Probability that a child mutates.
        mutation: f64 as PROBABILITY = 0.1,
        /// Maximum shift by a mutation, as a fraction of the list.
        spread: f64 as SHARE = 0.2,
    }
}

/// State of the rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    options: Options,
    first: Vec<f64>,
    /// Points on the list; empty before the first round.
    population: Vec<f64>,
    /// Sum of the utilities of each individual played in this generation.
    fitness: Vec<f64>,
    /// The individual being played.
    current: usize,
    /// Rounds for which it was played.
    rounds: u32,
}

/// The learner.
pub type Genetic = Chooser<Rule>;

state_of_fields!(Rule { population, fitness, current, rounds });

impl Rule {
    /// The individuals: points on the list of choices.
    pub fn population(&self) -> &[f64] {
        &self.population
    }

    /// The fittest of several random individuals.
    fn parent(&self, rng: &mut Rng) -> f64 {
        let draw = |rng: &mut Rng| rng.random_range(0..self.population.len());
        let mut best = draw(rng);
        for _ in 1..self.options.tournament {
            let other = draw(rng);
            if self.fitness[other] > self.fitness[best] + super::support::TIE {
                best = other;
            }
        }
        self.population[best]
    }

    fn child(&self, last: f64, rng: &mut Rng) -> f64 {
        let Options { blend, mutation, spread, .. } = self.options;
        let (one, other) = (self.parent(rng), self.parent(rng));
        let (low, width) = (one.min(other), (one - other).abs());
        let share = rng.random::<f64>() * (1.0 + 2.0 * blend) - blend;
        let mut child = low + share * width;
        if rng.random::<f64>() < mutation {
            child += (2.0 * rng.random::<f64>() - 1.0) * spread * last;
        }
        child.clamp(0.0, last)
    }

    fn breed(&mut self, last: f64, rng: &mut Rng) {
        let fittest =
            super::support::largest(self.fitness.iter().copied(), 1.0).expect("all were played");
        let mut next = vec![self.population[fittest]];
        next.extend((1..self.population.len()).map(|_| self.child(last, rng)));
        self.population = next;
        self.fitness.fill(0.0);
        self.current = 0;
    }
}

impl super::choose::Rule for Rule {
    type Sees = OwnPayoff;
    type Options = Options;

    fn new(options: &Options) -> Rule {
        Rule {
            options: options.clone(),
            first: Vec::new(),
            population: Vec::new(),
            fitness: Vec::new(),
            current: 0,
            rounds: 0,
        }
    }

    fn begin(&mut self, first: &[f64]) {
        self.first = first.to_vec();
    }

    fn learn(&mut self, round: &Round<'_, OwnPayoff>, draws: &mut Draws<'_>) {
        if self.population.is_empty() {
            self.population = vec![round.played() as f64];
            self.fill(draws);
        }
        self.fitness[self.current] += round.utility();
        self.rounds += 1;
        if self.rounds < self.options.rounds {
            return;
        }
        self.rounds = 0;
        self.current += 1;
        if self.current == self.population.len() {
            self.breed((round.choices() - 1) as f64, draws.rng());
        }
    }

    fn law(&self, law: &mut [f64]) -> bool {
        match self.population.get(self.current) {
            None => law.copy_from_slice(&self.first),
            Some(&point) => super::support::surely(libm::round(point) as usize, law),
        }
        true
    }
}

impl Rule {
    /// Draws the rest of the first generation like the individual played first.
    fn fill(&mut self, draws: &mut Draws<'_>) {
        while self.population.len() < self.options.population as usize {
            self.population.push(drawn(&self.first, draws) as f64);
        }
        self.fitness = vec![0.0; self.population.len()];
    }
}
