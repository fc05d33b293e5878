//! One restart: an instance that is changed step by step.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::draw::{Draw, halvings};
use super::moves::change;
use super::{BadInstance, Makespan, Optimum, Settings};
use bounds::instance::Instance;
use bounds::lower::LowerBound;

/// Denominator of tolerances.
const PARTS: i128 = 1 << 20;

/// Tolerance at the beginning: the usual loss of ratio that is accepted, in [`PARTS`].
const WARM: u64 = (PARTS as u64) / 24;

/// A restart of the search.
pub(super) struct Chain {
    rng: ChaCha8Rng,
    current: Option<BadInstance>,
    pub(super) best: Option<BadInstance>,
    pub(super) evaluations: u64,
    pub(super) solved: u64,
    pub(super) unproved: u64,
}

impl Chain {
    /// Creates a restart by its number.
    pub(super) fn new(settings: &Settings, number: u32) -> Chain {
        let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
        rng.set_stream(u64::from(number));
        Chain { rng, current: None, best: None, evaluations: 0, solved: 0, unproved: 0 }
    }

    /// Tries one instance; `step` is its number and how many there are.
    pub(super) fn step(
        &mut self,
        settings: &Settings,
        (step, steps): (u64, u64),
        makespan: Makespan<'_>,
        optimum: Optimum<'_>,
    ) {
        let mut draw = Draw { settings, rng: &mut self.rng };
        let instance = match &self.current {
            Some(current) => change(&mut draw, &current.instance),
            None => draw.instance(),
        };
        // A loss of ratio up to this is accepted. It falls linearly to zero over four fifths of the
        // steps; twice as much is accepted half as often.
        let left = (steps - step).saturating_sub(steps / 5);
        let warm = WARM * left / steps;
        let tolerance = i128::from(warm * u64::from(halvings(&mut self.rng)));

        self.evaluations += 1;
        let makespan = makespan(&instance);
        // The ratio must be this part of the current one: makespan * a >= optimum * b.
        let (a, b) = match &self.current {
            Some(now) => (
                i128::from(now.optimum.ticks()) * PARTS,
                i128::from(now.makespan.ticks()) * (PARTS - tolerance).max(0),
            ),
            None => (1, 0),
        };
        let enough = |least: i128| i128::from(makespan.ticks()) * a >= least * b;
        if !enough(lower_bound(&instance)) {
            return;
        }
        self.solved += 1;
        let Some(optimum) = optimum(&instance) else {
            self.unproved += 1;
            return;
        };
        if !enough(i128::from(optimum.ticks())) {
            return;
        }
        let found = BadInstance { instance, makespan, optimum };
        if self.best.as_ref().is_none_or(|best| found.is_worse_than(best)) {
            self.best = Some(found.clone());
        }
        self.current = Some(found);
    }
}

/// Returns a lower bound of the makespan, in ticks.
fn lower_bound(instance: &Instance) -> i128 {
    let mut bound = LowerBound::new(&instance.clusters);
    for task in &instance.tasks {
        bound.add(task.processors, task.length, task.release);
    }
    bound.ticks_up()
}
