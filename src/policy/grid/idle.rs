//! Idle processors of a row of clusters: the first of them with enough, and the tightest.

use std::collections::BTreeSet;

use super::tree;

/// A tree of maxima over the clusters of a row.
#[derive(Clone, Debug)]
pub(super) struct Idle {
    /// Node 1 is the root; the leaves are the second half.
    nodes: Vec<u32>,
    /// Clusters by idle processors and place, if the tightest is asked for.
    sorted: Option<BTreeSet<(u32, u32)>>,
}

impl Idle {
    /// A row of this many clusters, without idle processors.
    pub fn new(clusters: usize) -> Idle {
        Idle { nodes: vec![0; clusters.next_power_of_two().max(1) * 2], sorted: None }
    }

    /// Keeps this many clusters sorted, for [`tightest`](Idle::tightest).
    pub fn sort(&mut self, clusters: usize) {
        let sorted = (0..clusters).map(|place| (self.get(place), place as u32));
        self.sorted = Some(sorted.collect());
    }

    #[inline]
    fn leaves(&self) -> usize {
        self.nodes.len() / 2
    }

    /// Returns the most idle processors of one cluster.
    #[inline]
    pub fn most(&self) -> u32 {
        self.nodes[1]
    }

    /// Returns the idle processors of a cluster.
    #[inline]
    pub fn get(&self, place: usize) -> u32 {
        self.nodes[self.leaves() + place]
    }

    /// Sets the idle processors of a cluster.
    #[inline]
    pub fn set(&mut self, place: usize, idle: u32) {
        let mut node = self.leaves() + place;
        if let Some(sorted) = &mut self.sorted {
            sorted.remove(&(self.nodes[node], place as u32));
            sorted.insert((idle, place as u32));
        }
        self.nodes[node] = idle;
        while node > 1 {
            node /= 2;
            let most = self.nodes[2 * node].max(self.nodes[2 * node + 1]);
            if self.nodes[node] == most {
                return;
            }
            self.nodes[node] = most;
        }
    }

    /// Returns the cluster with the fewest of at least so many, the first of several.
    ///
    /// # Panics
    /// If they are not kept sorted.
    pub fn tightest(&self, least: u32) -> Option<usize> {
        let sorted = self.sorted.as_ref().expect("the clusters are sorted");
        sorted.range((least, 0)..).next().map(|&(_, place)| place as usize)
    }

    /// Returns the first cluster from one on, and before another, with at least so many.
    #[inline]
    pub fn first(&self, from: usize, to: usize, least: u32) -> Option<usize> {
        tree::first(&self.nodes, from, |&idle| idle >= least).filter(|&place| place < to)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_with_enough_is_found(
            row in proptest::collection::vec(0_u32..9, 1..40),
            asked in proptest::collection::vec((0_usize..40, 0_usize..40, 1_u32..10), 1..20),
        ) {
            let mut idle = Idle::new(row.len());
            idle.sort(row.len());
            for (place, &one) in row.iter().enumerate() {
                idle.set(place, one);
            }
            prop_assert_eq!(idle.most(), *row.iter().max().unwrap());
            for (from, to, least) in asked {
                let (from, to) = (from % row.len(), to % (row.len() + 1));
                let plain = (from..to).find(|&place| row[place] >= least);
                prop_assert_eq!(idle.first(from, to, least), plain);
                let tightest = (0..row.len()).filter(|&place| row[place] >= least);
                prop_assert_eq!(idle.tightest(least), tightest.min_by_key(|&place| row[place]));
            }
        }
    }
}
