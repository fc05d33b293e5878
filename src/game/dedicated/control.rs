//! The price of leaving owners to themselves, by how many are under control.

use super::Dedicated;

/// Prices over all choices of a number of controlled owners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// Number of owners whose processors run all jobs shortest first.
    pub controlled: usize,
    /// Sum over all owners over its optimum: the best choice of owners.
    pub least: f64,
    /// The mean over all choices.
    pub mean: f64,
    /// The worst choice.
    pub most: f64,
}

impl Dedicated {
    /// The sum of completion times over its optimum, for each number of owners under control.
    ///
    /// A processor costs the same whoever else is controlled, so each owner's control saves an amount
    /// of its own. The mean over all choices falls by equal steps, to 1 when all are controlled.
    pub fn control(&self) -> Vec<Control> {
        let mut saved = vec![0; self.owners];
        let mut optimum = 0;
        for processor in &self.processors {
            let cost = |order: &[u32]| {
                let mut sums = vec![0; self.owners];
                processor.add_sums(order, &mut sums);
                sums.iter().sum::<i64>()
            };
            let best = cost(&processor.shortest_first());
            optimum += best;
            saved[processor.owner as usize] += cost(&processor.own_first()) - best;
        }
        saved.sort_unstable();
        let all: i64 = saved.iter().sum();
        let price = |lost: f64| if optimum == 0 { 1.0 } else { 1.0 + lost / optimum as f64 };
        let of = |controlled: usize| {
            let free = self.owners - controlled;
            Control {
                controlled,
                // Those whose control saves most are controlled, or those whose control saves least.
                least: price(saved[..free].iter().sum::<i64>() as f64),
                mean: price(all as f64 * free as f64 / self.owners as f64),
                most: price(saved[controlled..].iter().sum::<i64>() as f64),
            }
        };
        (0..=self.owners).map(of).collect()
    }
}
