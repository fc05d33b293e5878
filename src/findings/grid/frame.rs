//! A grid as its findings know it: owners, what counts, and what is known of its jobs beforehand.

use super::loads::Loads;
use super::trace_waits::TraceWaits;
use super::typical::Typical;
use sim::accounts::{Counting, Owned};

/// A grid before its first replication.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Names of the organizations.
    pub names: Vec<String>,
    /// The clusters with their owners.
    pub owned: Vec<Owned>,
    /// The jobs that count, and how.
    pub counting: Counting,
    /// True if figures differ between replications, by organization, then for the grid.
    pub differs: Vec<bool>,
    /// Parts of the grid, without jobs.
    pub loads: Loads,
    /// Models of the jobs, without jobs.
    pub typical: Typical,
    /// Waits that traces record, without jobs.
    pub trace_waits: TraceWaits,
    /// True if every organization is simulated alone beside the run.
    pub has_alone: bool,
    /// True if the makespan is compared with its bounds.
    pub has_bounds: bool,
    /// True if promises of plans are counted.
    pub has_promises: bool,
    /// True if clusters exchange messages.
    pub has_messages: bool,
    /// True if the utility of each organization's jobs is known.
    pub has_utilities: bool,
    /// Numbers of clusters to keep apart and of replications, if time series are recorded.
    pub timelines: Option<(usize, u32)>,
    /// True if the values of every replication are kept of many organizations too.
    pub keeps_all: bool,
}
