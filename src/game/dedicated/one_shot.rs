//! The scheduling game: each owner orders the jobs on its own processors, once.
//!
//! An owner's strategy is an order of each of its processors. The payoff is its gain over everybody
//! playing my jobs first. An owner's sum on a processor depends on that processor's order alone, so
//! what is best does not depend on the others: its own jobs first, in whatever order the foreign jobs
//! follow. So "my jobs first" is dominant, and the pure equilibria differ only in the order of
//! foreign jobs. With two owners there is one; with more there are several, of different worth to
//! others (the paper calls it the only one).

use super::{Dedicated, Order, Processor, Schedule};

/// The game of an instance.
#[derive(Clone, Debug)]
pub struct OneShot<'i> {
    instance: &'i Dedicated,
    /// Sums of completion times if all play my jobs first.
    alone: Vec<i64>,
}

/// All pure equilibria of a game, added up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equilibria {
    /// Number of equilibria, at most the largest number.
    pub count: u128,
    /// Sum over all owners in the best equilibrium.
    pub best: i64,
    /// Sum over all owners in the worst equilibrium.
    pub worst: i64,
    /// Least sum over all owners of any schedule.
    pub optimum: i64,
}

/// States up to this number are tried for the worst equilibrium.
const STATES: usize = 1 << 22;

impl<'i> OneShot<'i> {
    /// The game of an instance.
    pub fn new(instance: &'i Dedicated) -> OneShot<'i> {
        OneShot { instance, alone: instance.sums(&instance.own_first()) }
    }

    /// Payoff of each owner, positive if it is better off than with my jobs first everywhere.
    pub fn payoffs(&self, schedule: &[Order]) -> Vec<i64> {
        let sums = self.instance.sums(schedule);
        self.alone.iter().zip(sums).map(|(alone, sum)| alone - sum).collect()
    }

    /// A schedule in which some owners play my jobs first instead of what it says.
    pub fn betrayed(&self, schedule: &[Order], betrays: impl Fn(u32) -> bool) -> Schedule {
        let processors = self.instance.processors().iter().zip(schedule);
        let order = |(processor, order): (&Processor, &Order)| match betrays(processor.owner()) {
            true => processor.own_first(),
            false => order.clone(),
        };
        processors.map(order).collect()
    }

    /// True if no owner gains by another order of its processors, whatever the others do.
    pub fn is_equilibrium(&self, schedule: &[Order]) -> bool {
        let is_own_first = |(processor, order): (&Processor, &Order)| {
            let own = processor.sizes(processor.owner()).len();
            order[..own].iter().all(|&owner| owner == processor.owner())
        };
        self.instance.processors().iter().zip(schedule).all(is_own_first)
    }

    /// Number and range of the pure equilibria; `None` if there are too many orders to try.
    pub fn equilibria(&self) -> Option<Equilibria> {
        let all = |schedule: &[Order]| self.instance.sums(schedule).iter().sum::<i64>();
        let mut found = Equilibria {
            count: 1,
            best: all(&self.instance.own_first()),
            worst: 0,
            optimum: all(&self.instance.shortest_first()),
        };
        for processor in self.instance.processors() {
            found.count = found.count.saturating_mul(processor.foreign().orders());
            found.worst += worst(processor)?;
        }
        Some(found)
    }
}

impl Equilibria {
    /// Price of anarchy: the worst equilibrium over the optimum; 1 without jobs.
    pub fn price_of_anarchy(&self) -> f64 {
        ratio(self.worst, self.optimum)
    }

    /// Price of stability: the best equilibrium over the optimum; 1 without jobs.
    pub fn price_of_stability(&self) -> f64 {
        ratio(self.best, self.optimum)
    }
}

fn ratio(sum: i64, optimum: i64) -> f64 {
    if optimum == 0 { 1.0 } else { sum as f64 / optimum as f64 }
}

impl Processor {
    /// The same without its owner's jobs.
    fn foreign(&self) -> Processor {
        let mut foreign = self.clone();
        foreign.sizes[self.owner as usize].clear();
        foreign
    }
}

/// Largest sum over all owners with the own jobs first, over all orders of the foreign jobs.
fn worst(processor: &Processor) -> Option<i64> {
    let (mut now, mut sum) = (0, 0);
    for size in processor.sizes(processor.owner()) {
        now += size;
        sum += now;
    }
    let foreign = processor.foreign();
    let sizes: Vec<&[i64]> = foreign.users().map(|owner| foreign.sizes(owner)).collect();
    let states = sizes.iter().try_fold(1_usize, |all, sizes| all.checked_mul(sizes.len() + 1))?;
    if states > STATES {
        return None;
    }
    // The largest sum with so many foreign jobs of each owner placed; the last owner's changes first.
    let mut most: Vec<i64> = Vec::with_capacity(states);
    let mut step = vec![1; sizes.len()];
    for at in (1..sizes.len()).rev() {
        step[at - 1] = step[at] * (sizes[at].len() + 1);
    }
    let mut placed = vec![0; sizes.len()];
    for state in 0..states {
        let work = |(sizes, &placed): (&&[i64], &usize)| sizes[..placed].iter().sum::<i64>();
        let end = now + sizes.iter().zip(&placed).map(work).sum::<i64>();
        let before = (0..sizes.len()).filter(|&at| placed[at] > 0);
        let before = before.map(|at| most[state - step[at]] + end).max();
        most.push(before.unwrap_or(sum));
        if let Some(at) = (0..sizes.len()).rposition(|at| placed[at] < sizes[at].len()) {
            placed[at] += 1;
            placed[at + 1..].fill(0);
        }
    }
    most.pop()
}
