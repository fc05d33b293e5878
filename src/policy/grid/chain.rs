//! The clusters of a group in ascending order of size, in classes of equal size.

use super::{Group, Site};
use model::ids::ClusterId;

/// A row of clusters by size; clusters of one size are in the order of their numbers, and form a
/// class.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    clusters: Vec<ClusterId>,
    /// Processors of a cluster of each class, ascending.
    sizes: Vec<u32>,
    /// Place of each class's first cluster; one more at the end.
    begins: Vec<u32>,
    /// Class of the cluster at each place.
    classes: Vec<u32>,
    /// The smallest class that is large enough, by processors, for the first of these.
    fitting: Vec<u32>,
}

/// Sizes of which the class is looked up and not searched.
const LOOKED_UP: u32 = 4096;

impl Chain {
    /// The clusters of a group.
    pub fn new(group: &Group, sites: &[Site]) -> Chain {
        let mut clusters = group.clusters.clone();
        let size = |cluster: &ClusterId| sites[cluster.index()].processors;
        clusters.sort_by_key(|cluster| (size(cluster), *cluster));
        let mut chain = Chain {
            clusters,
            sizes: Vec::new(),
            begins: Vec::new(),
            classes: Vec::new(),
            fitting: Vec::new(),
        };
        for (place, cluster) in (0..).zip(&chain.clusters) {
            if chain.sizes.last() != Some(&size(cluster)) {
                chain.sizes.push(size(cluster));
                chain.begins.push(place);
            }
            chain.classes.push(chain.sizes.len() as u32 - 1);
        }
        chain.begins.push(chain.clusters.len() as u32);
        let sizes = 0..=chain.largest().min(LOOKED_UP);
        chain.fitting = sizes.map(|size| chain.search(size.into()) as u32).collect();
        chain
    }

    /// Returns the clusters, by place.
    pub fn clusters(&self) -> &[ClusterId] {
        &self.clusters
    }

    /// Returns the number of classes.
    pub fn classes(&self) -> usize {
        self.sizes.len()
    }

    /// Returns the processors of the clusters of a class.
    #[inline]
    pub fn size(&self, class: usize) -> u32 {
        self.sizes[class]
    }

    /// Returns the processors of the clusters of the class before; 0 before the first.
    #[inline]
    pub fn size_before(&self, class: usize) -> u32 {
        if class == 0 { 0 } else { self.sizes[class - 1] }
    }

    /// Returns the processors of the largest cluster.
    pub fn largest(&self) -> u32 {
        self.sizes.last().copied().unwrap_or(0)
    }

    /// Returns the place of the first cluster of a class, or the number of clusters for the class
    /// behind the last.
    #[inline]
    pub fn begin(&self, class: usize) -> usize {
        self.begins[class] as usize
    }

    /// Returns the class of the cluster at a place.
    #[inline]
    pub fn class_at(&self, place: usize) -> usize {
        self.classes[place] as usize
    }

    /// Returns the smallest class whose clusters have at least so many processors; the number of
    /// classes if there is none.
    #[inline]
    pub fn class_for(&self, processors: u64) -> usize {
        match self.fitting.get(processors as usize) {
            Some(&class) => class as usize,
            None => self.search(processors),
        }
    }

    fn search(&self, processors: u64) -> usize {
        self.sizes.partition_point(|&size| u64::from(size) < processors)
    }
}
