//! Owners with dedicated processors: the order of jobs as optimization and as a game.
//!
//! Each owner has processors, and each job is bound to one of them, its own or another owner's. All
//! jobs are known and ready; a processor runs them one after the other, without interruption or
//! pause. An owner counts the sum of completion times of its jobs (Rzadca, Trystram and Wierzbicki,
//! *Fair Game-Theoretic Resource Management in Dedicated Grids*).
//!
//! An owner never gains by running its own jobs on a processor in another order than shortest first
//! (proposition 1), so an order of a processor is a sequence of owners, in which the k-th entry of an
//! owner is its k-th shortest job.

mod control;
mod cooperation;
mod effort;
mod enumerate;
mod fronts;
mod local_search;
mod local_walk;
mod one_shot;
mod processor;
mod search;
mod switch;
mod walk;

pub use control::Control;
pub use effort::{Effort, Limit, TooLarge};
pub use enumerate::{multiset, of_multiset};
pub use fronts::Fronts;
pub use local_search::LocalSearch;
pub use local_walk::{Acting, LocalWalk};
pub use one_shot::{Equilibria, OneShot};
pub use switch::Move;
pub use walk::Walk;

/// Sequence of the owners whose jobs a processor runs.
pub type Order = Vec<u32>;

/// An order for every processor.
pub type Schedule = Vec<Order>;

/// A processor: its owner, and the sizes of the jobs bound to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Processor {
    owner: u32,
    /// Sizes by owner, in ascending order.
    sizes: Vec<Vec<i64>>,
}

/// Jobs of several owners on dedicated processors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dedicated {
    owners: usize,
    processors: Vec<Processor>,
}

/// Reason why an instance cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// A size is not positive.
    #[error("a job's size is {0}; sizes are above 0")]
    NoSize(i64),
    /// Sums of completion times could exceed the range of numbers.
    #[error("the sums of completion times are too large for 64 bits; count sizes in a larger unit")]
    TooLong,
}

impl Processor {
    /// Owner of the processor.
    pub fn owner(&self) -> u32 {
        self.owner
    }

    /// Sizes of an owner's jobs here, in ascending order.
    pub fn sizes(&self, owner: u32) -> &[i64] {
        &self.sizes[owner as usize]
    }

    /// Number of jobs of all owners.
    pub fn jobs(&self) -> usize {
        self.sizes.iter().map(Vec::len).sum()
    }

    /// Owners that have jobs here.
    pub fn users(&self) -> impl Iterator<Item = u32> {
        let used = |owner: &u32| !self.sizes[*owner as usize].is_empty();
        (0..self.sizes.len() as u32).filter(used)
    }

    /// The jobs as (size, owner), shortest first; of equal sizes, the lowest owner first.
    fn jobs_by_size(&self) -> Vec<(i64, u32)> {
        let of = |owner: u32| self.sizes(owner).iter().map(move |&size| (size, owner));
        let mut jobs: Vec<(i64, u32)> = (0..self.sizes.len() as u32).flat_map(of).collect();
        jobs.sort_unstable();
        jobs
    }

    /// Shortest job first; of equal sizes, the lowest owner first.
    pub fn shortest_first(&self) -> Order {
        self.jobs_by_size().into_iter().map(|(_, owner)| owner).collect()
    }

    /// Jobs of some owners first, then those of the others, each shortest first.
    pub fn served_first(&self, is_first: impl Fn(u32) -> bool) -> Order {
        let order = self.shortest_first();
        let first = order.iter().copied().filter(|&owner| is_first(owner));
        first.chain(order.iter().copied().filter(|&owner| !is_first(owner))).collect()
    }

    /// The owner's jobs first.
    pub fn own_first(&self) -> Order {
        self.served_first(|owner| owner == self.owner)
    }

    /// Adds the completion times of an order to the owners' sums.
    ///
    /// # Panics
    /// Panics if the order has more entries of an owner than it has jobs here.
    pub fn add_sums(&self, order: &[u32], sums: &mut [i64]) {
        let mut placed = vec![0_usize; self.sizes.len()];
        let mut now = 0;
        for &owner in order {
            let owner = owner as usize;
            now += self.sizes[owner][placed[owner]];
            placed[owner] += 1;
            sums[owner] += now;
        }
    }
}

impl Dedicated {
    /// An instance with this many owners. Each processor is given by its owner and the sizes of the
    /// jobs bound to it, by owner and in any order.
    ///
    /// # Errors
    /// See [`Refused`].
    ///
    /// # Panics
    /// Panics if there is no owner, a processor has no owner among them, or there are other than so
    /// many lists of sizes.
    pub fn new(owners: usize, processors: Vec<(u32, Vec<Vec<i64>>)>) -> Result<Dedicated, Refused> {
        assert!(owners > 0, "somebody owns the jobs");
        let mut all = Vec::with_capacity(processors.len());
        let mut most = 0_i128;
        for (owner, mut sizes) in processors {
            assert!((owner as usize) < owners, "the owner of a processor is one of {owners}");
            assert_eq!(sizes.len(), owners, "a list of sizes for each owner");
            if let Some(&wrong) = sizes.iter().flatten().find(|&&size| size < 1) {
                return Err(Refused::NoSize(wrong));
            }
            sizes.iter_mut().for_each(|sizes| sizes.sort_unstable());
            let total: i128 = sizes.iter().flatten().map(|&size| i128::from(size)).sum();
            let jobs: usize = sizes.iter().map(Vec::len).sum();
            most = most.saturating_add(total.saturating_mul(jobs as i128));
            all.push(Processor { owner, sizes });
        }
        // Sums of cumulative outcomes stay in range, with payoffs of either sign.
        let widest = most.saturating_mul(4 * (owners as i128 + 1));
        match widest <= i128::from(i64::MAX) {
            true => Ok(Dedicated { owners, processors: all }),
            false => Err(Refused::TooLong),
        }
    }

    /// An instance in which each owner has one processor, from the sizes by owner and processor.
    ///
    /// # Errors
    /// See [`Refused`].
    ///
    /// # Panics
    /// Panics unless there are as many processors as owners.
    pub fn square(sizes: &[Vec<Vec<i64>>]) -> Result<Dedicated, Refused> {
        let of = |processor: usize| sizes.iter().map(|of| of[processor].clone()).collect();
        assert!(sizes.iter().all(|of| of.len() == sizes.len()), "a processor for each owner");
        let processors = (0..sizes.len()).map(|processor| (processor as u32, of(processor)));
        Dedicated::new(sizes.len(), processors.collect())
    }

    /// Number of owners.
    pub fn owners(&self) -> usize {
        self.owners
    }

    /// The processors.
    pub fn processors(&self) -> &[Processor] {
        &self.processors
    }

    /// Every processor in an order of its own.
    fn each(&self, order: impl Fn(&Processor) -> Order) -> Schedule {
        self.processors.iter().map(order).collect()
    }

    /// Shortest job first on every processor (SPT): the least sum over all owners.
    pub fn shortest_first(&self) -> Schedule {
        self.each(Processor::shortest_first)
    }

    /// "My Jobs First" on every processor (MJF): each owner plays for itself.
    pub fn own_first(&self) -> Schedule {
        self.each(Processor::own_first)
    }

    /// Shortest job first where `is_controlled` says so of the owner, and my jobs first elsewhere.
    pub fn controlled(&self, is_controlled: impl Fn(u32) -> bool) -> Schedule {
        self.each(|processor| match is_controlled(processor.owner) {
            true => processor.shortest_first(),
            false => processor.own_first(),
        })
    }

    /// Sum of completion times of each owner.
    ///
    /// # Panics
    /// Panics if the schedule is not one of this instance.
    pub fn sums(&self, schedule: &[Order]) -> Vec<i64> {
        assert_eq!(schedule.len(), self.processors.len(), "an order for each processor");
        let mut sums = vec![0; self.owners];
        for (processor, order) in self.processors.iter().zip(schedule) {
            assert_eq!(order.len(), processor.jobs(), "an order has an entry for each job");
            processor.add_sums(order, &mut sums);
        }
        sums
    }

    /// The negative sums of my jobs first: what payoffs count from. A payoff is the gain over
    /// everybody playing my jobs first, so a cost is the sum of completion times with this offset.
    pub fn payoff_offset(&self) -> Vec<i64> {
        self.sums(&self.own_first()).iter().map(|sum| -sum).collect()
    }
}

#[cfg(test)]
mod tests;
