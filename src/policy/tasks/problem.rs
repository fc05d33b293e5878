//! Questions to a task planner, and its answers.

use kernel::time::{Span, Time};
use model::campaign::HELD;

/// Processors of a site that will be free at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free {
    /// Time at which they are free; a time in the past is now.
    pub at: Time,
    /// Number of processors.
    pub processors: u64,
    /// Number of the class for which they work or worked last.
    pub class: Option<u32>,
    /// Amount of each resource that the running task of each processor holds until then, in millionths.
    pub holds: [i64; HELD],
}

/// A site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Price of a processor for one unit of time, in millionths.
    pub price: i64,
    /// Limit of each resource for all running tasks together, in millionths;
    /// [`UNLIMITED`](model::campaign::UNLIMITED).
    pub limits: [i64; HELD],
    /// Its processors, by the time at which they will be free, the earliest first.
    pub free: Vec<Free>,
}

/// A class of identical, independent tasks of an application, of which some are yet to be started.
#[derive(Clone, Debug, PartialEq)]
pub struct Class<'a> {
    /// Its number in the campaign, which plans name. Classes stand in the order of their numbers.
    pub number: u32,
    /// Position of its application in [`Problem::applications`].
    pub application: u32,
    /// Tasks that have not started: a whole number where they are played one by one, and where they are
    /// played as a fluid what is left of them.
    pub tasks: f64,
    /// Time at which its predecessors outside the problem are done; at the latest now, unless
    /// what it waits for still runs. Then it is when that is expected to end.
    pub ready: Time,
    /// Positions in [`Problem::classes`] of those that must be done before it starts.
    pub after: Vec<u32>,
    /// Expected time of a task by site, more than nothing; [`Span::MAX`] where it cannot run.
    pub times: &'a [Span],
    /// Weight that its owner gives each site, not negative; 0 where it must not run. Empty: 1
    /// everywhere.
    pub weights: &'a [f64],
    /// Amount of each resource that a running task holds, in millionths.
    pub needs: [i64; HELD],
}

/// An application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Application {
    /// Deadline; [`Time::NEVER`] without one.
    pub deadline: Time,
}

/// The tasks that have not started, and the processors as they will be free.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem<'a> {
    /// The time.
    pub now: Time,
    /// The sites.
    pub sites: Vec<Site>,
    /// The classes with tasks that have not started. What a class waits for stands before it or is done
    /// or runs.
    pub classes: Vec<Class<'a>>,
    /// Their applications.
    pub applications: Vec<Application>,
    /// A number drawn for this plan, for planners that draw.
    pub seed: u64,
}

impl Class<'_> {
    /// Expected time of a task at a site, unless it cannot or must not run there.
    #[inline]
    pub fn time(&self, site: usize) -> Option<Span> {
        let may = self.weights.is_empty() || self.weights[site] > 0.0;
        Some(self.times[site]).filter(|&time| may && time != Span::MAX)
    }

    /// Weight that its owner gives a site.
    #[inline]
    pub fn weight(&self, site: usize) -> f64 {
        self.weights.get(site).copied().unwrap_or(1.0)
    }

    /// The tasks, where they are played one by one.
    #[inline]
    pub fn whole(&self) -> u64 {
        self.tasks as u64
    }
}

/// A number of tasks of a class, one after the other on each processor of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Number of the class.
    pub class: u32,
    /// Tasks of each processor.
    pub tasks: u64,
}

/// Processors of a site that do the same at the same times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The site.
    pub site: u32,
    /// Time at which they are free: an [`at`](Free::at) of the site.
    pub from: Time,
    /// Number of processors.
    pub processors: u64,
    /// Runs of each, in this order. A run starts when the run before it has ended and what its class
    /// waits for is done. A task that holds storage or memory also waits until its site has room. Such
    /// tasks are served in the order in which their processors became free, and of equal ones in the
    /// order of the lanes: starts are not written down, but follow from this rule.
    pub runs: Vec<Run>,
}

/// A number of processors of a site that work for a class until the next plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Number of the class.
    pub class: u32,
    /// The site.
    pub site: u32,
    /// Processors, not negative.
    pub processors: f64,
}

/// A stage of the game behind a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stage {
    /// Time of each class with the processors of the stage, summed over the classes, in units of time;
    /// `None` before sites are divided, and where a class has no processor.
    pub total_time: Option<f64>,
    /// Longest of these times.
    pub makespan: Option<f64>,
    /// Price of all tasks where the stage places them; `None` in games that do not go by it.
    pub cost: Option<f64>,
}

impl Stage {
    /// A stage with the times of its classes.
    pub(super) fn of(times: &[f64], cost: Option<f64>) -> Stage {
        let known = |time: f64| Some(time).filter(|time| time.is_finite());
        let longest = times.iter().copied().fold(0.0, f64::max);
        Stage { total_time: known(times.iter().sum()), makespan: known(longest), cost }
    }

    /// The figure that the game is to make small: the cost, or else the makespan.
    pub fn aim(&self) -> Option<f64> {
        self.cost.or(self.makespan)
    }
}

/// A plan: lanes of whole tasks, or shares of sites.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The lanes. All tasks of the problem that can run anywhere stand in them, unless there are shares.
    pub lanes: Vec<Lane>,
    /// The shares, of classes that are ready; those of a site are together at most its processors.
    pub shares: Vec<Share>,
    /// The stages of the game that was played for it, in order; none if it is no game's. Where shares
    /// are played to the end to round tasks, those of the first game.
    pub stages: Vec<Stage>,
}
