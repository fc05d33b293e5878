//! Clusters and sources of a scenario, each kind one enum, so that a run has no pointers to follow.

use kernel::rng::Streams;
use kernel::state::{Corrupt, State};
use kernel::time::Time;
use model::ids::{JobId, OrganizationId};
use model::job::Job;
use model::jobs::Jobs;
use model::machine::Machine;
use model::speed::Speed;
use policy::local::{AnyLocal, Reason};
use sim::cluster::{Bare, ClusterAgent, Due, Ended, OutOfTime, SpaceShared, TimeShared};
use workload::bound::Bound;
use workload::dealt::Dealt;
use workload::jobs::ListSource;
use workload::lublin_feitelson::LublinFeitelson;
use workload::modal::Modal;
use workload::swf::SwfSource;
use workload::synthetic::Synthetic;
use workload::{Source, SourceError};

/// A cluster of a scenario.
// A tag of its own is quicker to test than one that hides in a field: every event tests it. What a
// time-shared cluster has fits the same cache line.
#[repr(u8, align(64))]
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)]
pub enum AnyCluster {
    /// Rigid jobs that hold their processors.
    SpaceShared(SpaceShared<AnyLocal>),
    /// Rigid jobs that a grid scheduler starts.
    Bare(Bare),
    /// One job at a time.
    TimeShared(TimeShared),
}

/// The source of a scenario's jobs.
#[derive(Clone, Debug)]
pub enum AnySource {
    /// A trace.
    Swf(SwfSource),
    /// Explicit jobs.
    List(ListSource),
    /// Drawn jobs.
    Synthetic(Box<Synthetic>),
    /// Jobs of the Lublin-Feitelson model.
    LublinFeitelson(Box<LublinFeitelson>),
    /// Jobs of another source, with modal estimates assigned.
    Modal(Box<Modal<AnySource>>),
    /// Jobs of another source, each assigned to a random owner.
    Shared(Box<Dealt<AnySource>>),
    /// Jobs of another source, each bound to a cluster.
    Bound(Box<Bound<AnySource>>),
}

/// Calls a method of the wrapped part.
macro_rules! inside {
    ($self:expr, $type:ident { $($variant:ident),* }, $part:ident => $call:expr) => {
        match $self {
            $($type::$variant($part) => $call,)*
        }
    };
}

macro_rules! cluster {
    ($self:expr, $part:ident => $call:expr) => {
        inside!($self, AnyCluster { SpaceShared, Bare, TimeShared }, $part => $call)
    };
}

macro_rules! source {
    ($self:expr, $part:ident => $call:expr) => {
        inside!(
            $self,
            AnySource { Swf, List, Synthetic, LublinFeitelson, Modal, Shared, Bound },
            $part => $call
        )
    };
}

impl State for AnyCluster {
    fn save(&self, out: &mut Vec<u8>) {
        cluster!(self, part => part.save(out));
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        cluster!(self, part => part.load(from))
    }
}

impl ClusterAgent for AnyCluster {
    fn processors(&self) -> u32 {
        cluster!(self, part => part.processors())
    }
    fn speed(&self) -> Speed {
        cluster!(self, part => part.speed())
    }
    fn machine(&self) -> Option<Machine> {
        cluster!(self, part => part.machine())
    }
    fn demand(&self) -> u64 {
        cluster!(self, part => part.demand())
    }
    #[inline]
    fn next(&self) -> Option<(Time, Due)> {
        cluster!(self, part => part.next())
    }
    #[inline]
    fn submit(&mut self, id: JobId, jobs: &Jobs, now: Time) {
        cluster!(self, part => part.submit(id, jobs, now));
    }
    #[inline]
    fn may_start(&self) -> bool {
        cluster!(self, part => part.may_start())
    }
    #[inline]
    fn wake(&mut self, now: Time, jobs: &mut Jobs) -> Option<Ended> {
        cluster!(self, part => part.wake(now, jobs))
    }
    #[inline]
    fn settle(
        &mut self,
        now: Time,
        jobs: &mut Jobs,
        started: &mut Vec<JobId>,
    ) -> Result<(), OutOfTime> {
        cluster!(self, part => part.settle(now, jobs, started))
    }
    fn reasons(&self, now: Time, jobs: &Jobs, why: &mut Vec<(JobId, Reason)>) -> Option<u32> {
        cluster!(self, part => part.reasons(now, jobs, why))
    }
}

impl State for AnySource {
    fn save(&self, out: &mut Vec<u8>) {
        source!(self, part => part.save(out));
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        source!(self, part => part.load(from))
    }
}

impl Source for AnySource {
    type Load = Job;
    #[inline]
    fn next(&mut self) -> Result<Option<Job>, SourceError> {
        source!(self, part => part.next())
    }
    fn owner(&self) -> Option<OrganizationId> {
        source!(self, part => part.owner())
    }
    #[inline]
    fn replace(&mut self, place: &mut Option<Job>) -> Result<(), SourceError> {
        source!(self, part => part.replace(place))
    }
    #[inline]
    fn next_some(&mut self, most: usize, each: impl FnMut(Job)) -> Result<(), SourceError> {
        source!(self, part => part.next_some(most, each))
    }
    fn restart(&mut self, streams: &Streams) -> Result<(), SourceError> {
        source!(self, part => part.restart(streams))
    }
}
