//! Schedulers of one cluster, which decide the waiting jobs to start.
//!
//! To add one: copy the smallest neighbour (`fcfs.rs`) and add its line to the registry below. The
//! scenario reader, `gridpact check`, the conformance tests and the saved state use the registry.

use crate::peer::{Command, Sees};
use kernel::rng::Streams;
use kernel::state::State;
use kernel::time::Time;
use model::ids::JobId;
use model::jobs::Running;
use model::order::Order;
use model::registry::registry;
use model::view::{Submission, View};

pub mod batsim;
pub mod conservative;
pub mod easy;
mod ends;
pub mod fcfs;
mod gains;
pub mod list;
pub mod process;
mod queue;
mod ranked;
pub mod reason;

pub use reason::{Reason, Reserved};

/// Decides which waiting jobs start on one space-shared cluster.
///
/// The scheduler owns its waiting structure. It is notified of submissions and completions as they
/// happen and asked to decide once for each instant, after all events due then. A job may outrun
/// its expected runtime: without a correction, the scheduler must expect its end one tick from now.
pub trait LocalScheduler: State {
    /// Its view of a job.
    type Sees: View;

    /// A job was submitted to this cluster and waits. It fits on the cluster.
    fn submit(&mut self, job: Self::Sees, now: Time);

    /// A job that ran here since `started` has finished.
    fn finish(&mut self, job: Self::Sees, started: Time, now: Time);

    /// A job has run here since `started` that another scheduler started.
    fn runs(&mut self, job: Self::Sees, started: Time) {
        let _ = (job, started);
    }

    /// A job that has run here since `started` has outrun its expected runtime. The expectation is
    /// extended from `before` to `after`.
    fn corrected(&mut self, before: Self::Sees, after: Self::Sees, started: Time) {
        let _ = (before, after, started);
    }

    /// A waiting job leaves this cluster.
    fn withdraw(&mut self, job: JobId);

    /// Pushes onto `start` the waiting jobs that start now, in order. Together they need at most
    /// `free` processors, and the scheduler forgets them.
    fn decide(
        &mut self,
        now: Time,
        free: u32,
        running: Running<'_, Self::Sees>,
        start: &mut Vec<JobId>,
    );

    /// Time of the next decision if no event happens before.
    fn wake(&self) -> Option<Time> {
        None
    }

    /// Reports why each waiting job did not start, in the scheduler's order. The decision was at
    /// `now` and left `free` processors. `running` may show more than the scheduler sees, for the
    /// report only. By default nothing is reported.
    fn reasons(
        &self,
        now: Time,
        free: u32,
        running: Running<'_, Submission>,
        tell: &mut dyn FnMut(JobId, Reason),
    ) {
        let _ = (now, free, running, tell);
    }
}

/// Inputs for building a scheduler.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The cluster's name, which also names its random streams.
    pub name: &'a str,
    /// The cluster's processors.
    pub processors: u32,
    /// The streams of the run's replication.
    pub streams: &'a Streams,
}

registry! {
    /// A scheduler by its name in a scenario, with its parameters.
    options LocalOptions;

    /// A registered scheduler, built. There is one for each cluster, so its size matters less than
    /// avoiding an indirection in each decision.
    #[derive(Clone, Debug)]
    #[allow(clippy::large_enum_variant)]
    built AnyLocal, saved;

    each each;

    Fcfs, fcfs::Fcfs,
        "First come, first served: no job overtakes another.",
        "folklore; see Feitelson et al., Theory and practice in parallel job scheduling, 1997";
    Easy, easy::Easy,
        "EASY backfilling: a job may overtake if it does not delay the first in the queue.",
        "Lifka 1995; Mualem and Feitelson, IEEE TPDS 12(6), 2001";
    Conservative, conservative::Conservative,
        "Conservative backfilling: every job has a reservation that no later job can delay.",
        "Mualem and Feitelson, IEEE TPDS 12(6), 2001";
    List, list::List,
        "List scheduling: starts the first job in the list that fits; no job blocks another.",
        "Garey and Graham, SIAM J. Comput. 4(2), 1975";
    Process, process::Process,
        "A program in any language decides, asked over lines of JSON.",
        "the user's own; after Dutot, Mercier, Poquet and Richard, Batsim, JSSPP 2015";
    Batsim, batsim::Batsim,
        "A scheduler of Batsim decides, asked in Batsim's words over a socket of ZeroMQ.",
        "Dutot, Mercier, Poquet and Richard, Batsim, JSSPP 2015";
}

impl LocalOptions {
    /// The program that decides, if one does.
    pub fn command(&mut self) -> Option<&mut Command> {
        match self {
            LocalOptions::Process(options) => Some(&mut options.command),
            _ => None,
        }
    }

    /// True if a program decides.
    pub fn is_program(&self) -> bool {
        matches!(self, LocalOptions::Process(_) | LocalOptions::Batsim(_))
    }

    /// Builds the scheduler for a cluster.
    pub fn build(&self, setup: &Setup<'_>) -> AnyLocal {
        each!(self, Part, options => Part::new(options, setup).into())
    }

    /// True if the scheduler needs expected runtimes.
    pub fn needs_expected(&self) -> bool {
        match self {
            LocalOptions::List(options) => options.order.needs_expected(),
            LocalOptions::Process(options) => options.sees == Sees::Expected,
            LocalOptions::Batsim(_) => true,
            other => other.sees_expected(),
        }
    }

    /// True if it may draw at random.
    pub fn draws(&self) -> bool {
        match self {
            LocalOptions::List(list::Options { order })
            | LocalOptions::Easy(easy::Options { order, .. }) => *order == Order::Random,
            LocalOptions::Process(_) | LocalOptions::Batsim(_) => true,
            LocalOptions::Fcfs(_) | LocalOptions::Conservative(_) => false,
        }
    }

    /// True if its view needs an expected runtime.
    fn sees_expected(&self) -> bool {
        each!(self, Part, _ => <<Part as LocalScheduler>::Sees as View>::NEEDS_EXPECTED)
    }
}

/// Restricts the world's information to each scheduler's view.
impl LocalScheduler for AnyLocal {
    type Sees = Submission;

    #[inline]
    fn submit(&mut self, job: Submission, now: Time) {
        each!(self, scheduler => scheduler.submit(View::cut(&job), now));
    }

    #[inline]
    fn finish(&mut self, job: Submission, started: Time, now: Time) {
        each!(self, scheduler => scheduler.finish(View::cut(&job), started, now));
    }

    fn runs(&mut self, job: Submission, started: Time) {
        each!(self, scheduler => scheduler.runs(View::cut(&job), started));
    }

    fn corrected(&mut self, before: Submission, after: Submission, started: Time) {
        each!(self, scheduler => {
            scheduler.corrected(View::cut(&before), View::cut(&after), started);
        });
    }

    fn withdraw(&mut self, job: JobId) {
        each!(self, scheduler => scheduler.withdraw(job));
    }

    #[inline]
    fn decide(
        &mut self,
        now: Time,
        free: u32,
        running: Running<'_, Submission>,
        start: &mut Vec<JobId>,
    ) {
        each!(self, scheduler => scheduler.decide(now, free, running.cut(), start));
    }

    #[inline]
    fn wake(&self) -> Option<Time> {
        each!(self, scheduler => scheduler.wake())
    }

    fn reasons(
        &self,
        now: Time,
        free: u32,
        running: Running<'_, Submission>,
        tell: &mut dyn FnMut(JobId, Reason),
    ) {
        each!(self, scheduler => scheduler.reasons(now, free, running, tell));
    }
}
