//! Accounts: the service that each organization's jobs received, and the use of its clusters.
//!
//! Counting goes by submission: jobs submitted before the warm-up is over or after the cool-down
//! began are simulated but not counted. Utilization covers the counted window, the time in which
//! counted jobs may be submitted, and includes all jobs that used the processors.

mod account;

use serde::{Deserialize, Serialize};

pub(super) use account::bounded_slowdown;
pub use account::{Account, Areas, JobCounts};

use super::observer::{Finished, Observer, Started, Submitted};
use super::pool::PoolObserver;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, TICKS_PER_UNIT, Time, sum_as_units};
use model::ids::OrganizationId;
use model::job::Job;
use stats::batches::Batches;
use stats::distribution::{Detail, Mark};
use stats::interval::Level;

/// Up to this many organizations each have full histograms; up to `COARSE_ORGANIZATIONS` they have
/// coarse ones. Beyond that only the grid has a histogram, and organizations have exact sums, means
/// and extremes.
pub const FULL_ORGANIZATIONS: usize = 64;
/// See [`FULL_ORGANIZATIONS`].
pub const COARSE_ORGANIZATIONS: usize = 4096;

/// Defines the jobs that count and the statistics kept of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counting {
    /// Jobs submitted from here on count.
    pub from: Time,
    /// Jobs submitted before this count.
    pub until: Time,
    /// Bound of the bounded slowdown: shorter runtimes are raised to it.
    pub tau: Span,
    /// Keep quantiles.
    pub quantiles: bool,
    /// Cut the run into batches, for confidence intervals from a single replication.
    pub batches: bool,
    /// Confidence level of intervals.
    pub level: Level,
    /// Length of the weeks by which a single run is compared with others, if it is.
    pub weeks: Option<Span>,
    /// The rounds of a federation: of each only the jobs submitted in its window count.
    pub rounds: Option<Every>,
}

/// A window that comes again every period, from time 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Every {
    /// Length of the period.
    pub period: Span,
    /// Start and end of the window within it.
    pub window: [Span; 2],
}

impl Every {
    /// True in the window.
    #[inline]
    pub fn has(&self, at: Time) -> bool {
        let into = (at - Time::ZERO).ticks().rem_euclid(self.period.ticks().max(1));
        (self.window[0]..self.window[1]).contains(&Span::from_ticks(into))
    }
}

impl Counting {
    /// True if a job counts.
    #[inline]
    pub fn counts(&self, job: &Job) -> bool {
        self.has(job.submit)
    }

    /// True if jobs that are submitted at this time count.
    #[inline]
    pub fn has(&self, submit: Time) -> bool {
        self.from <= submit
            && submit < self.until
            && self.rounds.is_none_or(|rounds| rounds.has(submit))
    }
}

impl Default for Counting {
    fn default() -> Counting {
        let (from, until) = (Time::ZERO, Time::NEVER);
        let (tau, level) = (Span::units(10), Level::default());
        let (quantiles, batches) = (true, false);
        Counting { from, until, tau, quantiles, batches, level, weeks: None, rounds: None }
    }
}

/// Numbers of jobs that do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncounted {
    /// Submitted during the warm-up.
    pub before: u64,
    /// Submitted during the cool-down.
    pub after: u64,
}

/// Use of a cluster within the counted window.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Busy {
    /// Processors in use.
    processors: u32,
    /// Processor-ticks of finished jobs, minus `processors * start` of running ones; plus
    /// `processors * now` this is the exact area up to now. All times are clamped to the window.
    area: i128,
}

/// A cluster as seen by the accounts.
#[derive(Clone, Copy, Debug)]
pub struct Owned {
    /// Its owner.
    pub owner: OrganizationId,
    /// Its processors.
    pub processors: u32,
}

/// The batches of a run, in order of the finish of counted jobs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Batching {
    /// Batches of each organization, unless there are too many.
    organizations: Vec<Batches<[Mark; 4]>>,
    /// Batches of the whole grid.
    grid: Batches<[Mark; 4]>,
}

/// All accounts of a grid; an [`Observer`].
#[derive(Clone, Debug)]
pub struct Accounts {
    counting: Counting,
    clusters: Vec<Owned>,
    busy: Vec<Busy>,
    organizations: Vec<Account>,
    /// Account of all jobs together, if organizations have no full histograms to merge.
    together: Option<Account>,
    batching: Option<Batching>,
    uncounted: Uncounted,
    /// First submission of any job; `NEVER` before there is one.
    begun: Time,
    now: Time,
}

/// Resolution of quantiles: of each organization, given their number, and of the grid.
pub fn details(organizations: usize, quantiles: bool) -> (Detail, Detail) {
    match organizations {
        _ if !quantiles => (Detail::None, Detail::None),
        few if few <= FULL_ORGANIZATIONS => (Detail::Full, Detail::Full),
        many if many <= COARSE_ORGANIZATIONS => (Detail::Coarse, Detail::Full),
        _ => (Detail::None, Detail::Full),
    }
}

impl Accounts {
    /// Creates empty accounts for a number of organizations and for these clusters. Clusters are in
    /// the order in which they are added to the grid. Observing a grid that has more of either
    /// panics.
    pub fn new(organizations: usize, clusters: Vec<Owned>, counting: Counting) -> Accounts {
        let (detail, of_grid) = details(organizations, counting.quantiles);
        // Also if there are too many organizations to sum at the end of each batch.
        let is_apart = detail != of_grid || organizations > COARSE_ORGANIZATIONS;
        let together = is_apart.then(|| Account::new(of_grid, counting.batches));
        let batched = if organizations > COARSE_ORGANIZATIONS { 0 } else { organizations };
        let batching = counting.batches.then(|| Batching {
            organizations: vec![Batches::default(); batched],
            grid: Batches::default(),
        });
        Accounts {
            counting,
            busy: vec![Busy::default(); clusters.len()],
            clusters,
            // Created one by one: a clone would touch every page of the empty histograms.
            organizations: (0..organizations)
                .map(|_| Account::new(detail, counting.batches))
                .collect(),
            together,
            batching,
            uncounted: Uncounted::default(),
            begun: Time::NEVER,
            now: Time::ZERO,
        }
    }

    /// Resolution of quantiles: of each organization, and of the grid.
    pub fn details(&self) -> (Detail, Detail) {
        details(self.organizations.len(), self.counting.quantiles)
    }

    /// The accounts, by organization.
    pub fn organizations(&self) -> &[Account] {
        &self.organizations
    }

    /// The clusters.
    pub fn clusters(&self) -> &[Owned] {
        &self.clusters
    }

    /// The account of all organizations together.
    pub fn grid(&self) -> Account {
        let mut grid = match &self.together {
            Some(together) => {
                let mut grid = Account::new(Detail::None, false);
                grid.flow = together.flow.clone();
                grid.wait = together.wait.clone();
                grid.slowdown = together.slowdown.clone();
                grid.bounded_slowdown = together.bounded_slowdown.clone();
                grid
            }
            None => Account::new(self.details().1, self.counting.batches),
        };
        for account in &self.organizations {
            if self.together.is_none() {
                grid.merge(account);
            } else {
                // The distributions are there already.
                let mut rest = Account::new(Detail::None, false);
                (rest.jobs, rest.areas, rest.sizes) = (account.jobs, account.areas, account.sizes);
                rest.first_submit = account.first_submit;
                (rest.last_submit, rest.last_finish) = (account.last_submit, account.last_finish);
                grid.merge(&rest);
            }
        }
        grid
    }

    /// Jobs of all organizations that do not count.
    pub fn uncounted(&self) -> Uncounted {
        self.uncounted
    }

    /// Confidence level of intervals.
    pub fn level(&self) -> Level {
        self.counting.level
    }

    /// True if the run is cut into batches.
    pub fn is_batched(&self) -> bool {
        self.batching.is_some()
    }

    /// Drops the batches, since the run is one of several replications.
    pub fn forget_batches(&mut self) {
        self.batching = None;
        self.counting.batches = false;
        for account in self.organizations.iter_mut().chain(&mut self.together) {
            account.flow.forget_sections();
            account.wait.forget_sections();
            account.slowdown.forget_sections();
            account.bounded_slowdown.forget_sections();
        }
    }

    /// Running sums at the end of each batch, for an organization or the grid. Also returns the
    /// number of jobs in each batch; `None` if no batches are kept.
    ///
    /// `None` as well if all counted jobs were submitted at one instant: they are one batch of work,
    /// and parts of it in the order of their finish are no sample of anything. O(organizations) for
    /// the grid.
    pub fn batches(&self, organization: Option<OrganizationId>) -> Option<(&[[Mark; 4]], u64)> {
        let batching = self.batching.as_ref()?;
        let (batches, accounts) = match organization {
            Some(organization) => {
                let index = organization.index();
                (batching.organizations.get(index)?, &self.organizations[index..=index])
            }
            None => (&batching.grid, &self.organizations[..]),
        };
        let first = accounts.iter().map(|account| account.first_submit).min()?;
        let come_later = accounts.iter().any(|account| account.last_submit > first);
        come_later.then(|| (batches.marks(), batches.length()))
    }

    /// Merges the accounts of another replication of the same grid: counts, sums and distributions.
    /// Durations and busy time are not summed; `length`, `busy` and the utilizations stay those of
    /// this replication. Batches are taken from the other, since only a single replication has any.
    pub fn merge(&mut self, other: &Accounts) {
        self.uncounted.before += other.uncounted.before;
        self.uncounted.after += other.uncounted.after;
        self.batching.clone_from(&other.batching);
        for (own, other) in self.organizations.iter_mut().zip(&other.organizations) {
            own.merge(other);
        }
        if let (Some(own), Some(other)) = (&mut self.together, &other.together) {
            own.merge(other);
        }
    }

    /// Makes reading distributions quick, until more is added.
    pub fn close(&mut self) {
        self.organizations.iter_mut().chain(&mut self.together).for_each(Account::close);
    }

    /// Length of the counted window: from the end of the warm-up or the first submission, whichever
    /// is later, to the end of the run or the beginning of the cool-down, whichever is earlier.
    pub fn length(&self) -> Span {
        if self.begun == Time::NEVER {
            return Span::ZERO;
        }
        Span::from_ticks(self.in_window(self.now) - self.in_window(self.begun))
    }

    /// Clamps a time to the counted window, in ticks.
    #[inline]
    fn in_window(&self, time: Time) -> i64 {
        time.max(self.counting.from).min(self.counting.until).ticks()
    }

    /// Busy processor-ticks by cluster in the counted window up to now, including uncounted jobs.
    pub fn busy(&self) -> impl Iterator<Item = i128> {
        let now = i128::from(self.in_window(self.now));
        self.busy.iter().map(move |busy| busy.area + i128::from(busy.processors) * now)
    }

    /// Utilization of an organization's processors in the counted window; `None` without clusters
    /// or if the window is empty.
    pub fn utilization(&self, organization: OrganizationId) -> Option<f64> {
        self.utilization_of(|owned| owned.owner == organization)
    }

    /// Utilization of all clusters.
    pub fn grid_utilization(&self) -> Option<f64> {
        self.utilization_of(|_| true)
    }

    fn utilization_of(&self, counts: impl Fn(&Owned) -> bool) -> Option<f64> {
        let mut area = 0;
        let mut processors = 0;
        for (owned, busy) in self.clusters.iter().zip(self.busy()) {
            if counts(owned) {
                area += busy;
                processors += i128::from(owned.processors);
            }
        }
        let all = processors * i128::from(self.length().ticks());
        (all > 0).then(|| area as f64 / all as f64)
    }

    #[inline]
    fn counts(&self, job: &Job) -> bool {
        self.counting.counts(job)
    }

    fn leave_out(&mut self, job: &Job) {
        let is_before = job.submit < self.counting.from;
        *(if is_before { &mut self.uncounted.before } else { &mut self.uncounted.after }) += 1;
    }
}

/// A large area in processor-ticks, and in units.
#[cold]
#[inline(never)]
fn wide_area(processors: u32, ran: Span) -> (i128, f64) {
    let area = i128::from(processors) * i128::from(ran.ticks());
    (area, sum_as_units(area))
}

/// Current sums over all jobs. O(organizations) if there is no joint account.
fn mark_of_all(organizations: &[Account], together: Option<&Account>) -> [Mark; 4] {
    if let Some(together) = together {
        return together.mark();
    }
    let mut all: [Mark; 4] = Default::default();
    for account in organizations {
        for (all, one) in all.iter_mut().zip(account.mark()) {
            all.merge(&one);
        }
    }
    all
}

/// Accounts are of grids and federations.
impl PoolObserver for Accounts {}

impl Observer for Accounts {
    #[inline]
    fn submitted(&mut self, Submitted { job, now, .. }: Submitted<'_>) {
        self.begun = self.begun.min(now);
        if self.counts(job) {
            let account = &mut self.organizations[job.organization.index()];
            account.jobs.submitted += 1;
            account.areas.submitted += i128::from(job.processors) * i128::from(job.runtime.ticks());
            account.first_submit = account.first_submit.min(job.submit);
            account.last_submit = job.submit;
        } else {
            self.leave_out(job);
        }
    }

    fn rejected(&mut self, job: &Job, _: Time) {
        if self.counts(job) {
            let account = &mut self.organizations[job.organization.index()];
            account.jobs.submitted += 1;
            account.jobs.rejected += 1;
        } else {
            self.leave_out(job);
        }
    }

    #[inline]
    fn started(&mut self, started: Started<'_>) {
        let job = started.job;
        let start = self.in_window(started.start);
        let busy = &mut self.busy[started.cluster.index()];
        busy.processors += job.processors;
        busy.area -= i128::from(job.processors) * i128::from(start);
        if self.counts(job) {
            self.organizations[job.organization.index()].jobs.started += 1;
        }
    }

    #[inline]
    fn finished(&mut self, finished: Finished<'_>) {
        let job = finished.job;
        let finish = self.in_window(finished.finish);
        let busy = &mut self.busy[finished.cluster.index()];
        busy.processors -= job.processors;
        busy.area += i128::from(job.processors) * i128::from(finish);
        self.now = finished.finish;
        if !self.counts(job) {
            return;
        }
        // Processors convert 64 bits by themselves, and areas nearly always fit.
        let narrow = finished.ran().ticks().checked_mul(i64::from(job.processors));
        let (area, size) = match narrow {
            Some(area) => (i128::from(area), area as f64 / TICKS_PER_UNIT as f64),
            None => wide_area(job.processors, finished.ran()),
        };
        let owner = self.clusters[finished.cluster.index()].owner;
        if owner != job.organization {
            self.organizations[owner.index()].areas.for_others += area;
        }
        let account = &mut self.organizations[job.organization.index()];
        if finished.killed {
            // A job that is killed has run for its estimate.
            let rest = job.runtime - job.estimate;
            account.areas.submitted -= i128::from(job.processors) * i128::from(rest.ticks());
        }
        account.areas.own += area;
        account.sizes.record(size);
        account.areas.by_others += if owner == job.organization { 0 } else { area };
        account.finished(&finished, self.counting.tau);
        if let Some(together) = &mut self.together {
            together.finished(&finished, self.counting.tau);
        }
        if let Some(batching) = &mut self.batching {
            if let Some(batches) = batching.organizations.get_mut(job.organization.index())
                && batches.count()
            {
                batches.mark(self.organizations[job.organization.index()].mark());
            }
            if batching.grid.count() {
                batching.grid.mark(mark_of_all(&self.organizations, self.together.as_ref()));
            }
        }
    }

    fn ended(&mut self, now: Time) {
        self.now = now;
        self.close();
    }
}

impl State for Accounts {
    fn save(&self, out: &mut Vec<u8>) {
        put(&(&self.busy, self.begun, self.now, self.uncounted, &self.batching), out);
        self.organizations.save(out);
        self.together.save(out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.busy, self.begun, self.now, self.uncounted, self.batching) = take(from)?;
        self.organizations.load(from)?;
        self.together.load(from)
    }
}
