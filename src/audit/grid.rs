//! Schedulers of a whole grid by definition: list scheduling, best fit, lists per site, stealing.
//!
//! Such a scheduler starts a job once its processors are idle, and decides only then where.
//! [`Literal`] keeps the sets and lists of the algorithms as they are printed, and is slow. It
//! shares no code with the schedulers of the simulator. [`Checker`] judges a finished run by it.
//!
//! Source: Schwiegelshohn, Tchernykh and Yahyapour, "Online Scheduling in Grids" (2008), sections
//! 4 to 6. Added to it: sites that only some jobs may use, and sites that prefer their owner's
//! jobs.
//!
//! ```
//! use gridpact_audit::grid::{Asking, GridRule, Literal, Site};
//! use model::foreign::Foreign;
//!
//! let site = |processors| Site { processors, owner: 0, foreign: Foreign::Always };
//! let job = |id, processors| Asking { id, processors, expected: None, owner: 0, group: 0 };
//! let sites = vec![site(2), site(8)];
//! let mut grid = Literal::new(GridRule::Submission, sites, vec![vec![0, 1]]);
//! grid.submit(job(0, 2));
//! grid.submit(job(1, 3));
//! grid.submit(job(2, 5));
//! // Job 2 needs more than half of the larger site, which thus starts it before job 1.
//! assert_eq!(grid.decide(), [(0, 0), (2, 1), (1, 1)]);
//! ```

mod batches;
mod chain;
mod checker;
mod fair;
mod hall;
mod lending;
mod one_list;
mod sites;

#[cfg(test)]
mod tests;

use kernel::time::{Span, Time};
use model::foreign::Foreign;

pub use batches::Batches;
pub use checker::{Checker, Deviation, Started};
pub use hall::GridFacts;
pub(super) use hall::{Hall, check};

use fair::Fair;
use lending::{Chains, Lending};
use one_list::{Choice, OneList};
use sites::{Hindrance, Sites};

/// A rule by which a grid starts waiting jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridRule {
    /// Garey-Graham list scheduling (section 4): the list is scanned, and each job goes to the
    /// smallest site with enough idle processors. A job that fits nowhere is skipped.
    List(ListOrder),
    /// In order of submission, each job goes to the site that it leaves with the fewest idle
    /// processors. A job that fits nowhere is skipped.
    BestFit,
    /// Algorithm Grid Over-Time-Submission (section 6), which is Grid Concurrent-Submission
    /// (section 5) if all jobs are submitted at once.
    Submission,
    /// Each site has its own queues; an idle one takes jobs of the nearest smaller site that has
    /// any (suggested in section 7).
    StealNear,
    /// The same, but of that site's jobs those come first that need more than half of the thief.
    StealBig,
    /// Site after site, by size: as long as a waiting job fits, the organization that is first starts
    /// the one that it submitted first; of equals, the one whose job was submitted first.
    Fair(FairRule),
}

/// The organization that is first. A share is the processors that it owns; whoever owns none is behind
/// all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FairRule {
    /// The least used processor time over its share.
    Share,
    /// The fewest processors in use over its share.
    Current,
    /// The least utility over its share: the ticks `i` in which its jobs worked are worth `now - i`
    /// for each processor (Skowron and Rzadca 2013).
    Utility,
    /// The owner of the site, then by the largest of 0 and what the owner used of it less what it used
    /// of the owner (Andrade et al. 2007).
    Favors,
    /// The next in turn after the one that started a job last.
    RoundRobin,
    /// The most credit, at first as its share; it pays half of the credit of the next one to the owner of
    /// the site (Vickrey 1961).
    Auction,
}

/// Order of a list; ties are in order of submission. Lengths are expected ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListOrder {
    /// In order of submission.
    Submit,
    /// Fewest processors first.
    Smallest,
    /// Most processors first.
    Largest,
    /// Shortest first.
    Shortest,
    /// Longest first.
    Longest,
    /// Smallest product of processors and length first.
    SmallestArea,
    /// Largest product of processors and length first.
    LargestArea,
}

/// A site, the machine of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// Number of processors.
    pub processors: u32,
    /// Its owner, by a number of the caller's choice.
    pub owner: u32,
    /// Its terms for jobs of other owners.
    pub foreign: Foreign,
}

/// A submitted job, as the scheduler sees it: its runtime is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asking {
    /// Its rank in order of submission, which no other job has.
    pub id: usize,
    /// Number of processors, at least 1.
    pub processors: u32,
    /// Expected runtime; orders by length or area take `None` as zero.
    pub expected: Option<Span>,
    /// Its owner, in the numbers of [`Site::owner`].
    pub owner: u32,
    /// Its group: the jobs that may use the same sites.
    pub group: usize,
}

/// A grid under a rule, by the rule's definition.
///
/// At an instant, first all ended jobs are [`freed`](Literal::freed), then all new ones
/// [`submit`](Literal::submit)ted; then it [`decide`](Literal::decide)s.
///
/// A site that is [`Foreign::WhenNoneWaits`] takes no job of another owner while a job of its own
/// owner waits that may use it and is not wider than it; every start counts at once. If sites have
/// lists, such a site can wait forever: its list holds only jobs of others, and the owner's job
/// would join it once these have started.
#[derive(Clone, Debug)]
pub struct Literal {
    rule: GridRule,
    sites: Sites,
    keeper: Keeper,
}

/// The lists of a rule.
#[derive(Clone, Debug)]
enum Keeper {
    OneList(OneList),
    Chains(Chains),
    Fair(Fair),
}

impl GridRule {
    /// Its name in sentences.
    pub fn name(self) -> &'static str {
        match self {
            GridRule::List(_) => "list scheduling",
            GridRule::BestFit => "best fit",
            GridRule::Submission => "Grid Over-Time-Submission",
            GridRule::StealNear => "stealing from the nearest site",
            GridRule::StealBig => "stealing big jobs from the nearest site",
            GridRule::Fair(_) => "fair sharing",
        }
    }
}

impl Literal {
    /// An idle grid. `groups` are the indices in `sites` of the sites that the jobs of each group
    /// may use. Different groups should differ in their sites, since each has lists of its own.
    ///
    /// # Panics
    /// If a group names a site that does not exist.
    pub fn new(rule: GridRule, sites: Vec<Site>, groups: Vec<Vec<usize>>) -> Literal {
        let sites = Sites::new(&sites, groups);
        let chains = |lending| Keeper::Chains(Chains::new(lending, &sites));
        let keeper = match rule {
            GridRule::List(order) => Keeper::OneList(OneList::new(order, Choice::First)),
            GridRule::BestFit => Keeper::OneList(OneList::new(ListOrder::Submit, Choice::Tightest)),
            GridRule::Submission => chains(Lending::Lists),
            GridRule::StealNear => chains(Lending::Near),
            GridRule::StealBig => chains(Lending::Big),
            GridRule::Fair(rule) => Keeper::Fair(Fair::new(rule)),
        };
        Literal { rule, sites, keeper }
    }

    /// Adds a waiting job. One that no site of its group could ever run is ignored.
    ///
    /// # Panics
    /// If its group does not exist.
    pub fn submit(&mut self, job: Asking) {
        if !self.sites.submit(job) {
            return;
        }
        match &mut self.keeper {
            Keeper::OneList(list) => list.submit(&job),
            Keeper::Chains(chains) => chains.submit(&job),
            Keeper::Fair(fair) => fair.submit(&job),
        }
    }

    /// Gives processors of a site back; a site never has more idle ones than it has.
    ///
    /// # Panics
    /// If the site does not exist.
    pub fn freed(&mut self, site: usize, processors: u32) {
        self.sites.freed(site, processors);
    }

    /// Sets the time, and tells which jobs ended: rules with a memory need both before a decision.
    pub fn at(&mut self, now: Time, ended: impl IntoIterator<Item = usize>) {
        if let Keeper::Fair(fair) = &mut self.keeper {
            fair.now = now.ticks().into();
            ended.into_iter().for_each(|id| fair.ended(id));
        }
    }

    /// Starts jobs until the rule starts no more; returns their ids and sites, in order.
    pub fn decide(&mut self) -> Vec<(usize, usize)> {
        match &mut self.keeper {
            Keeper::OneList(list) => list.decide(&mut self.sites),
            Keeper::Chains(chains) => chains.decide(&mut self.sites),
            Keeper::Fair(fair) => fair.decide(&mut self.sites),
        }
    }

    /// Its rule.
    pub fn rule(&self) -> GridRule {
        self.rule
    }

    /// Number of idle processors of a site.
    ///
    /// # Panics
    /// If the site does not exist.
    pub fn idle(&self, site: usize) -> u32 {
        self.sites.idle_at(site)
    }

    /// A waiting job, by id.
    pub fn waiting(&self, id: usize) -> Option<&Asking> {
        self.sites.waiting(id)
    }

    /// The waiting jobs, in order of submission.
    pub(crate) fn all_waiting(&self) -> impl Iterator<Item = &Asking> {
        self.sites.all_waiting()
    }

    /// Why a site cannot start a waiting job now, whatever its lists hold; for messages.
    fn hindrance(&self, site: usize, job: &Asking) -> Option<Hindrance> {
        self.sites.hindrance(site, job)
    }

    /// The first job that a site would start if it had the processors, unless the job `id` is one
    /// of those that it would; for messages.
    fn instead_of(&self, id: usize, site: usize) -> Option<usize> {
        match &self.keeper {
            Keeper::OneList(_) | Keeper::Fair(_) => None,
            Keeper::Chains(chains) => chains.instead_of(id, self.sites.rank(site)),
        }
    }
}
