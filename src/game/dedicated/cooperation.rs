//! The cooperative game: coalitions of owners that serve each other first.
//!
//! On their processors the members of a coalition run the jobs of members first, in an order that
//! they agree on, and all other jobs behind (section 4.2). Owners outside play my jobs first. So what
//! a coalition can reach does not depend on the others, and a single owner reaches a payoff of 0.

use super::effort::{Limit, TooLarge};
use super::{Dedicated, Fronts, Processor};
use crate::equity::Points;
use crate::ntu::Ntu;

impl Dedicated {
    /// The game of coalitions: the efficient payoffs of each.
    ///
    /// # Errors
    /// See [`TooLarge`].
    ///
    /// # Panics
    /// Panics if there are more owners than a game of coalitions may have.
    pub fn cooperation(&self, limit: Limit) -> Result<Ntu, TooLarge> {
        let alone: Vec<Vec<i64>> = self.processors.iter().map(|one| self.alone_on(one)).collect();
        Ntu::new(self.owners, |coalition| self.reach(coalition, &alone, limit))
    }

    /// The owners' sums on a processor whose owner plays my jobs first.
    fn alone_on(&self, processor: &Processor) -> Vec<i64> {
        let mut sums = vec![0; self.owners];
        processor.add_sums(&processor.own_first(), &mut sums);
        sums
    }

    /// The efficient payoffs of a coalition's members, from what all owners' sums are on each
    /// processor whose owner plays my jobs first.
    fn reach(&self, coalition: u32, alone: &[Vec<i64>], limit: Limit) -> Result<Points, TooLarge> {
        let is_in = |owner: u32| coalition >> owner & 1 == 1;
        let members: Vec<usize> = (0..self.owners).filter(|&owner| is_in(owner as u32)).collect();
        // What a member gains on the processors outside is 0.
        let mut base = vec![0; self.owners];
        let mut processors = Vec::new();
        for (processor, alone) in self.processors.iter().zip(alone) {
            if !is_in(processor.owner) {
                continue;
            }
            base.iter_mut().zip(alone).for_each(|(base, sum)| *base += sum);
            let mut processor = processor.clone();
            for (owner, sizes) in processor.sizes.iter_mut().enumerate() {
                if !is_in(owner as u32) {
                    sizes.clear();
                }
            }
            processors.push(processor);
        }
        let inside = Dedicated { owners: self.owners, processors };
        let front = Fronts::of(&inside, limit)?.pareto()?;
        let mut payoffs = Points::new(members.len());
        for sums in front.iter() {
            let own: Vec<i64> = members.iter().map(|&one| base[one] - sums[one]).collect();
            payoffs.push(&own);
        }
        Ok(payoffs)
    }
}
