//! Clusters of a trace's partitions.

use std::sync::Arc;

use kernel::order::InOrder as _;
use model::ids::ClusterId;

/// The cluster of each partition, by its number in the trace. Jobs of other partitions, and all jobs
/// if it is empty, are bound to no cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Routes(Arc<[(i32, ClusterId)]>);

impl Routes {
    /// Creates the routes; the first entry of a partition counts.
    pub fn new(routes: impl IntoIterator<Item = (i32, ClusterId)>) -> Routes {
        let mut routes: Vec<(i32, ClusterId)> = routes.into_iter().collect();
        routes.order_by_key(|&(partition, _)| partition);
        routes.dedup_by_key(|&mut (partition, _)| partition);
        Routes(routes.into())
    }

    /// Returns true if no partition has a cluster.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the partitions with their clusters, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (i32, ClusterId)> {
        self.0.iter().copied()
    }

    /// Returns the cluster of a partition. O(log partitions).
    #[inline]
    pub fn cluster(&self, partition: i32) -> Option<ClusterId> {
        let place = self.0.binary_search_by_key(&partition, |&(partition, _)| partition);
        place.ok().map(|place| self.0[place].1)
    }
}
