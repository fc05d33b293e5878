//! Grid schedulers, which place jobs across the clusters of a grid.
//!
//! Some *start* jobs themselves: a job waits in the grid until processors are free for it. Their
//! clusters have no scheduler of their own. The others *send* each job to a cluster, whose own
//! scheduler starts it.
//!
//! To add one: copy the smallest neighbour (`best_fit.rs` starts, `round_robin.rs` sends) and add its
//! line to the registry below. The scenario reader, `gridpact check`, the conformance tests and the
//! saved state use the registry.

use crate::peer::{Command, Sees};
use kernel::rng::Streams;
use kernel::state::State;
use kernel::time::{Span, Time};
use model::bounds::Bounds;
use model::foreign::Foreign;
use model::ids::{ClusterId, JobId, OrganizationId};
use model::order::Order;
use model::registry::registry;
use model::speed::Speed;
use model::view::{Submission, View};

pub mod best_fit;
mod chain;
pub mod dispatch;
pub mod fair;
pub mod grid_submission;
mod hall;
mod idle;
pub mod least_demand;
pub mod list;
mod lists;
mod places;
pub mod process;
pub mod random;
pub mod round_robin;
mod scan;
mod shadows;
pub mod stealing;
mod tally;
mod tree;
mod waiting;

/// The placement of a waiting job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// It gets its processors now and starts after `delay`.
    Start {
        /// The job.
        job: JobId,
        /// Its cluster, which has no scheduler of its own.
        cluster: ClusterId,
        /// Time for which it is under way.
        delay: Span,
    },
    /// It is handed to the cluster's own scheduler, where it arrives after `delay`.
    Send {
        /// The job.
        job: JobId,
        /// Its cluster.
        cluster: ClusterId,
        /// Time for which it is under way.
        delay: Span,
    },
}

/// A cluster as a grid scheduler knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// Its processors.
    pub processors: u32,
    /// The organization that owns it.
    pub owner: OrganizationId,
    /// Its terms for the jobs of others. `Never` is already part of the groups.
    pub foreign: Foreign,
    /// Speed of its processors.
    pub speed: Speed,
}

/// Jobs that may use the same clusters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    /// The clusters, in the order of their numbers.
    pub clusters: Vec<ClusterId>,
    /// The organization of all its jobs, if one of the clusters is its own and takes others' jobs
    /// only while none of its own waits. `None` if no cluster treats the group's jobs as its owner's.
    pub owner: Option<OrganizationId>,
}

/// The state of the clusters, as far as it concerns a scheduler that sends jobs.
pub trait Sites {
    /// Returns the processors requested by the jobs that run or wait on a cluster, or are under way
    /// to it.
    fn demand(&self, cluster: ClusterId) -> u64;

    /// Returns true if clusters may refuse jobs that fit.
    fn are_choosy(&self) -> bool {
        false
    }

    /// Returns true if a cluster takes a job that fits, beside those that this decision has placed.
    fn takes(&self, job: JobId, cluster: ClusterId, placed: &[Placement]) -> bool {
        let _ = (job, cluster, placed);
        true
    }
}

/// Places the jobs that wait in the grid. It never knows how long a job will run: at most what its
/// view tells of the expected runtime.
///
/// It is told of submissions and free processors as they happen, and asked to decide after all else
/// that happens at an instant; one that sends is asked after every submission.
pub trait GridScheduler: State {
    /// Its view of a job.
    type Sees: View;

    /// A job was submitted and waits. Some cluster of its group is large enough for it.
    fn submit(&mut self, job: Self::Sees, group: u32, now: Time);

    /// A cluster without a scheduler of its own got processors back; now `idle` ones are free. Called
    /// once an instant for each cluster where jobs ended, and before the first decision for one on which
    /// jobs run already. A scheduler counts itself what it takes.
    fn freed(&mut self, cluster: ClusterId, idle: u32) {
        let _ = (cluster, idle);
    }

    /// A job that it started has ended. Told before `freed`.
    fn ended(&mut self, job: JobId, now: Time) {
        let _ = (job, now);
    }

    /// Pushes the placements of waiting jobs, in order. The scheduler then forgets these jobs.
    fn decide(&mut self, now: Time, sites: &impl Sites, out: &mut Vec<Placement>);

    /// Returns true if no more jobs are placed than those that came.
    fn is_closed(&self) -> bool {
        false
    }

    /// Time of the next decision if no event happens before.
    fn wake(&self) -> Option<Time> {
        None
    }

    /// Returns the number of messages that clusters exchanged so far.
    fn messages(&self) -> u64 {
        0
    }

    /// Returns the utility of each organization's jobs at a time, in units of time: that of Skowron and
    /// Rzadca (2013), for each unit of processor time that all jobs used. Empty without a memory of it.
    fn utilities(&self, now: Time) -> Vec<f64> {
        let _ = now;
        Vec::new()
    }
}

/// Inputs for building a grid scheduler.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// All clusters of the grid.
    pub sites: &'a [Site],
    /// The groups of jobs.
    pub groups: &'a [Group],
    /// Number of organizations.
    pub organizations: u32,
    /// The streams of the run's replication.
    pub streams: &'a Streams,
}

registry! {
    /// A grid scheduler by its name in a scenario, with its parameters.
    options GridOptions;

    /// A registered grid scheduler, built. There is one for each grid.
    #[derive(Clone, Debug)]
    #[allow(clippy::large_enum_variant)]
    built AnyGrid, saved;

    each each;

    GridSubmission, grid_submission::GridSubmission,
        "Grid Over-Time-Submission: starts, on each cluster, large jobs of its own size first, and \
         helps smaller clusters when it has none.",
        "Schwiegelshohn, Tchernykh and Yahyapour, Online scheduling in grids, IPDPS 2008";
    Stealing, stealing::Stealing,
        "Job stealing: a cluster without jobs of its own takes those of the nearest smaller one.",
        "Schwiegelshohn, Tchernykh and Yahyapour, Online scheduling in grids, IPDPS 2008";
    List, list::List,
        "List scheduling: starts the first job in the list that fits on any cluster, on the smallest \
         of these.",
        "Garey and Graham, SIAM J. Comput. 4(2), 1975";
    BestFit, best_fit::BestFit,
        "Best fit: starts jobs in order of submission, each where it leaves the fewest processors \
         idle.",
        "Tchernykh et al., Two level job-scheduling strategies for a computational grid, PPAM 2005";
    Fair, fair::Fair,
        "Fair sharing: whenever processors are free, the organization starts a job that has had least, \
         or is owed most, by one of seven rules.",
        "Skowron and Rzadca, Non-monetary fair scheduling, SPAA 2013; Andrade et al., Automatic grid \
         assembly by promoting collaboration, JPDC 67(8), 2007";
    LeastDemand, least_demand::LeastDemand,
        "Sends a job to the cluster whose jobs request the smallest part of its processors.",
        "Tchernykh et al., Two level job-scheduling strategies for a computational grid, PPAM 2005";
    Random, random::Random,
        "Sends a job to a cluster drawn at random.",
        "Tchernykh et al., Two level job-scheduling strategies for a computational grid, PPAM 2005";
    RoundRobin, round_robin::RoundRobin,
        "Sends jobs to the clusters in turn.",
        "folklore";
    Process, process::Process,
        "A program in any language decides, asked over lines of JSON.",
        "the user's own; after Dutot, Mercier, Poquet and Richard, Batsim, JSSPP 2015";
}

impl GridOptions {
    /// The program that decides, if one does.
    pub fn command(&mut self) -> Option<&mut Command> {
        match self {
            GridOptions::Process(options) => Some(&mut options.command),
            _ => None,
        }
    }

    /// Builds the scheduler for a grid.
    pub fn build(&self, setup: &Setup<'_>) -> AnyGrid {
        each!(self, Part, options => Part::new(options, setup).into())
    }

    /// True if it starts jobs itself, on clusters without a scheduler of their own; false if it sends
    /// them to clusters that have one.
    pub fn starts(&self) -> bool {
        match self {
            GridOptions::GridSubmission(_)
            | GridOptions::Stealing(_)
            | GridOptions::List(_)
            | GridOptions::BestFit(_)
            | GridOptions::Fair(_) => true,
            GridOptions::LeastDemand(_) | GridOptions::Random(_) | GridOptions::RoundRobin(_) => {
                false
            }
            GridOptions::Process(options) => options.starts,
        }
    }

    /// True if it draws at random, or may.
    pub fn draws(&self) -> bool {
        match self {
            GridOptions::Random(_) | GridOptions::Process(_) => true,
            GridOptions::GridSubmission(options) => options.shuffled,
            GridOptions::List(options) => options.order == Order::Random,
            GridOptions::Fair(options) => options.draws(),
            GridOptions::Stealing(_)
            | GridOptions::BestFit(_)
            | GridOptions::LeastDemand(_)
            | GridOptions::RoundRobin(_) => false,
        }
    }

    /// True if jobs can be under way.
    pub fn delays(&self) -> bool {
        match self {
            GridOptions::Stealing(options) => options.delay > 0.0,
            GridOptions::LeastDemand(options)
            | GridOptions::Random(options)
            | GridOptions::RoundRobin(options) => options.delay > 0.0,
            GridOptions::Process(options) => options.delay > 0.0,
            GridOptions::GridSubmission(_)
            | GridOptions::List(_)
            | GridOptions::BestFit(_)
            | GridOptions::Fair(_) => false,
        }
    }

    /// True if it asks clusters whether they take a job.
    pub fn asks(&self) -> bool {
        !matches!(self, GridOptions::GridSubmission(_) | GridOptions::Stealing(_))
    }

    /// True if the scheduler needs expected runtimes.
    pub fn needs_expected(&self) -> bool {
        match self {
            GridOptions::List(options) => options.order.needs_expected(),
            GridOptions::Fair(options) => options.by == fair::By::Shapley,
            GridOptions::Process(options) => options.sees == Sees::Expected,
            other => {
                each!(other, Part, _ => <<Part as GridScheduler>::Sees as View>::NEEDS_EXPECTED)
            }
        }
    }
}

impl AnyGrid {
    /// Takes over what another of its kind knows of the organizations, when a grid's clusters change
    /// hands. Jobs that wait are submitted again.
    pub fn remembers(&mut self, before: AnyGrid) {
        if let (AnyGrid::Fair(now), AnyGrid::Fair(before)) = (self, before) {
            now.remembers(before);
        }
    }
}

/// Restricts the world's information to each scheduler's view.
impl GridScheduler for AnyGrid {
    type Sees = Submission;

    #[inline]
    fn submit(&mut self, job: Submission, group: u32, now: Time) {
        each!(self, scheduler => scheduler.submit(View::cut(&job), group, now));
    }

    #[inline]
    fn freed(&mut self, cluster: ClusterId, idle: u32) {
        each!(self, scheduler => scheduler.freed(cluster, idle));
    }

    #[inline]
    fn ended(&mut self, job: JobId, now: Time) {
        each!(self, scheduler => scheduler.ended(job, now));
    }

    #[inline]
    fn decide(&mut self, now: Time, sites: &impl Sites, out: &mut Vec<Placement>) {
        each!(self, scheduler => scheduler.decide(now, sites, out));
    }

    #[inline]
    fn wake(&self) -> Option<Time> {
        each!(self, scheduler => scheduler.wake())
    }

    #[inline]
    fn is_closed(&self) -> bool {
        each!(self, scheduler => scheduler.is_closed())
    }

    fn messages(&self) -> u64 {
        each!(self, scheduler => scheduler.messages())
    }

    fn utilities(&self, now: Time) -> Vec<f64> {
        each!(self, scheduler => scheduler.utilities(now))
    }
}

/// The time that a job is under way, from units of time.
fn delay(units: f64) -> Span {
    Span::from_units(units).expect("the parameters are valid")
}

/// Time that a job is under way.
const DELAY: Bounds<'_> = Bounds::of("a time").unit("units of time").from(0.0).to(1e9);
