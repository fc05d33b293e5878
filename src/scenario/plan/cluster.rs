//! Clusters of a plan.

use model::foreign::Foreign;
use model::ids::OrganizationId;
use model::machine::Machine;
use model::speed::Speed;
use policy::local::LocalOptions;

/// A cluster.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Its name.
    pub name: String,
    /// The organization that owns it.
    pub owner: OrganizationId,
    /// Its kind.
    pub kind: ClusterKind,
    /// Its terms for others' jobs.
    pub foreign: Foreign,
}

/// The kind of a cluster.
#[derive(Clone, Debug)]
pub enum ClusterKind {
    /// Space-shared.
    SpaceShared {
        /// Its processors, and how jobs run on them, before the first job.
        machine: Machine,
        /// Its scheduler; `None` if the grid scheduler starts its jobs.
        scheduler: Option<LocalOptions>,
    },
    /// Space-shared, with a scheduler that is built in code.
    Own {
        /// Its processors.
        processors: u32,
        /// The name of its scheduler.
        scheduler: String,
    },
    /// Time-shared.
    TimeShared {
        /// The processors that share the work of a job; 1 outside a coalition.
        processors: u32,
    },
}

impl Cluster {
    /// Returns true if it has no scheduler of its own: the grid scheduler starts its jobs.
    pub fn is_bare(&self) -> bool {
        matches!(self.kind, ClusterKind::SpaceShared { scheduler: None, .. })
    }

    /// Returns the name of its scheduler, if that needs expected runtimes.
    pub fn expects(&self) -> Option<&'static str> {
        match &self.kind {
            ClusterKind::SpaceShared { scheduler: Some(scheduler), .. } => {
                scheduler.needs_expected().then(|| scheduler.name())
            }
            _ => None,
        }
    }

    /// Returns the speed of its processors.
    pub fn speed(&self) -> Speed {
        match self.kind {
            ClusterKind::SpaceShared { machine, .. } => machine.speed,
            ClusterKind::Own { .. } | ClusterKind::TimeShared { .. } => Speed::ONE,
        }
    }

    /// Returns true if jobs are killed at their estimate.
    pub fn kills_at_estimate(&self) -> bool {
        matches!(&self.kind, ClusterKind::SpaceShared { machine, .. } if machine.kill_at_estimate)
    }

    /// Returns the number of processors.
    pub fn processors(&self) -> u32 {
        match self.kind {
            ClusterKind::SpaceShared { machine, .. } => machine.processors,
            ClusterKind::Own { processors, .. } | ClusterKind::TimeShared { processors } => {
                processors
            }
        }
    }
}
