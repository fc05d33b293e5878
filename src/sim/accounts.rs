//! The accounts: what each organization's jobs got, and what its clusters did.
//!
//! A job is counted by its submit time: those submitted before the warm-up is over or after the
//! cool-down began are simulated but not counted. Utilization alone looks at everything that ran.

use serde::{Deserialize, Serialize};

use super::observer::{Finished, Observer, Started};
use crate::kernel::state::{Corrupt, State, put, take};
use crate::kernel::time::{Span, TICKS_PER_UNIT, Time, round_ties_even};
use crate::model::ids::{JobId, OrganizationId};
use crate::model::job::Job;
use crate::stats::batches::Batches;
use crate::stats::distribution::{Detail, Distribution, Mark};

/// Up to this many organizations each have full histograms; up to `COARSE_ORGANIZATIONS` coarse
/// ones; beyond, only the grid has a histogram and organizations have exact sums, means and
/// extremes.
pub const FULL_ORGANIZATIONS: usize = 64;
/// See [`FULL_ORGANIZATIONS`].
pub const COARSE_ORGANIZATIONS: usize = 4096;

/// Which jobs count, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counting {
    /// Jobs submitted from here on count.
    pub from: Time,
    /// Jobs submitted before this count.
    pub until: Time,
    /// The bound of bounded slowdown: shorter runtimes are taken for this one.
    pub tau: Span,
    /// Whether quantiles are kept.
    pub quantiles: bool,
    /// Whether the run is cut into batches, for intervals from a single replication.
    pub batches: bool,
}

impl Default for Counting {
    fn default() -> Counting {
        let (from, until) = (Time::ZERO, Time::NEVER);
        Counting { from, until, tau: Span::units(10), quantiles: true, batches: false }
    }
}

/// Numbers of jobs that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobCounts {
    /// Submitted, including rejected ones.
    pub submitted: u64,
    /// Larger than every cluster they may use.
    pub rejected: u64,
    /// Started.
    pub started: u64,
    /// Ended, including killed ones.
    pub finished: u64,
    /// Killed at their estimate.
    pub killed: u64,
}

/// Jobs that do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncounted {
    /// Submitted during the warm-up.
    pub before: u64,
    /// Submitted during the cool-down.
    pub after: u64,
}

/// Processor-ticks of jobs that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Areas {
    /// Of its own jobs that were submitted and can run, whether they ended or not; of one that was
    /// killed only what it did.
    pub submitted: i128,
    /// Of its own jobs that ended, wherever they ran.
    pub own: i128,
    /// Of its own jobs on clusters of others.
    pub by_others: i128,
    /// Of others' jobs on its clusters.
    pub for_others: i128,
}

/// The account of one organization, or of all together.
#[derive(Clone, Debug)]
pub struct Account {
    /// How many jobs.
    pub jobs: JobCounts,
    /// How much work.
    pub areas: Areas,
    /// From submission to end, in ticks.
    pub flow: Distribution,
    /// From submission to start, in ticks.
    pub wait: Distribution,
    /// Flow over runtime, in millionths; jobs of no length have none.
    pub slowdown: Distribution,
    /// Flow over runtime, both no less than tau, in millionths.
    pub bounded_slowdown: Distribution,
    /// The first submission of a job that counts; `NEVER` before there was one.
    pub first_submit: Time,
    /// The last submission of a job that counts.
    pub last_submit: Time,
    /// The latest end of a job that counts.
    pub last_finish: Time,
}

impl Account {
    fn new(detail: Detail, has_sections: bool) -> Account {
        let distribution =
            if has_sections { Distribution::with_sections } else { Distribution::new };
        Account {
            jobs: JobCounts::default(),
            areas: Areas::default(),
            flow: distribution(detail),
            wait: distribution(detail),
            slowdown: distribution(detail),
            bounded_slowdown: distribution(detail),
            first_submit: Time::NEVER,
            last_submit: Time::ZERO,
            last_finish: Time::ZERO,
        }
    }

    /// The four distributions with their names.
    pub fn distributions(&self) -> [(&'static str, &Distribution); 4] {
        [
            ("flow", &self.flow),
            ("wait", &self.wait),
            ("slowdown", &self.slowdown),
            ("bounded_slowdown", &self.bounded_slowdown),
        ]
    }

    /// What its distributions hold now, in the same order.
    fn mark(&self) -> [Mark; 4] {
        self.distributions().map(|(_, distribution)| distribution.mark())
    }

    /// The online makespan: latest end less first submission, of the jobs that count.
    pub fn makespan(&self) -> Option<Span> {
        (self.jobs.finished > 0).then(|| self.last_finish - self.first_submit)
    }

    /// Adds another account to this one. A makespan of the two together makes sense only where
    /// they are of one replication.
    pub fn merge(&mut self, other: &Account) {
        let (jobs, more) = (&mut self.jobs, other.jobs);
        jobs.submitted += more.submitted;
        jobs.rejected += more.rejected;
        jobs.started += more.started;
        jobs.finished += more.finished;
        jobs.killed += more.killed;
        self.areas.submitted += other.areas.submitted;
        self.areas.own += other.areas.own;
        self.areas.by_others += other.areas.by_others;
        self.areas.for_others += other.areas.for_others;
        self.flow.merge(&other.flow);
        self.wait.merge(&other.wait);
        self.slowdown.merge(&other.slowdown);
        self.bounded_slowdown.merge(&other.bounded_slowdown);
        self.first_submit = self.first_submit.min(other.first_submit);
        self.last_submit = self.last_submit.max(other.last_submit);
        self.last_finish = self.last_finish.max(other.last_finish);
    }

    #[inline]
    fn finished(&mut self, finished: &Finished<'_>, tau: Span) {
        self.jobs.finished += 1;
        self.jobs.killed += u64::from(finished.killed);
        self.last_finish = self.last_finish.max(finished.finish);
        let (flow, ran) = (finished.flow().ticks(), finished.ran().ticks());
        self.flow.record(flow as u64);
        self.wait.record(finished.wait().ticks() as u64);
        if ran > 0 {
            self.slowdown.record(ratio(flow, ran));
        }
        let bound = ran.max(tau.ticks());
        if bound > 0 {
            self.bounded_slowdown.record(ratio(flow.max(bound), bound));
        }
    }
}

/// A ratio in millionths, rounded to the nearest.
#[inline]
fn ratio(over: i64, under: i64) -> u64 {
    round_ties_even(over as f64 / under as f64 * TICKS_PER_UNIT as f64) as u64
}

impl State for Account {
    fn save(&self, out: &mut Vec<u8>) {
        let times = (self.first_submit, self.last_submit, self.last_finish);
        put(&(self.jobs, self.areas, times), out);
        self.distributions().iter().for_each(|(_, distribution)| distribution.save(out));
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        (self.jobs, self.areas, (self.first_submit, self.last_submit, self.last_finish)) =
            take(from)?;
        self.flow.load(from)?;
        self.wait.load(from)?;
        self.slowdown.load(from)?;
        self.bounded_slowdown.load(from)
    }
}

/// How busy a cluster was.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Busy {
    /// Processors in use.
    processors: u32,
    /// Processor-ticks in use since time 0, had what is in use now been in use since time 0 but for
    /// what this sum takes off again; plus `processors * now` it is the exact area up to now.
    area: i128,
}

/// A cluster as the accounts see it.
#[derive(Clone, Copy, Debug)]
pub struct Owned {
    /// Whose it is.
    pub owner: OrganizationId,
    /// Its processors.
    pub processors: u32,
}

/// The batches of a run, in the order in which the jobs that count ended.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Batching {
    /// Of each organization, where there are not too many.
    organizations: Vec<Batches<[Mark; 4]>>,
    /// Of the whole grid.
    grid: Batches<[Mark; 4]>,
}

/// All accounts of a grid; an [`Observer`].
#[derive(Clone, Debug)]
pub struct Accounts {
    counting: Counting,
    clusters: Vec<Owned>,
    busy: Vec<Busy>,
    organizations: Vec<Account>,
    /// Of all jobs together, where organizations have no full histograms of their own to be merged.
    together: Option<Account>,
    batching: Option<Batching>,
    uncounted: Uncounted,
    /// The first submission of any job; `NEVER` before there was one.
    begun: Time,
    now: Time,
}

/// How finely quantiles are kept: of each of so many organizations, and of the grid.
pub(crate) fn details(organizations: usize, quantiles: bool) -> (Detail, Detail) {
    match organizations {
        _ if !quantiles => (Detail::None, Detail::None),
        few if few <= FULL_ORGANIZATIONS => (Detail::Full, Detail::Full),
        many if many <= COARSE_ORGANIZATIONS => (Detail::Coarse, Detail::Full),
        _ => (Detail::None, Detail::Full),
    }
}

impl Accounts {
    /// Empty accounts for so many organizations and these clusters, in the order in which they are
    /// added to the grid. To watch a grid that has more of either is a panic.
    pub fn new(organizations: usize, clusters: Vec<Owned>, counting: Counting) -> Accounts {
        let (detail, of_grid) = details(organizations, counting.quantiles);
        // Also where organizations are too many to be added up at the end of each batch.
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
            // Made one by one: a clone would touch every page of empty histograms.
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

    /// How finely quantiles are kept: of each organization, and of the grid.
    pub fn details(&self) -> (Detail, Detail) {
        details(self.organizations.len(), self.counting.quantiles)
    }

    /// The accounts, by organization.
    pub fn organizations(&self) -> &[Account] {
        &self.organizations
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
                (rest.jobs, rest.areas) = (account.jobs, account.areas);
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

    /// True where the run is cut into batches.
    pub fn is_batched(&self) -> bool {
        self.batching.is_some()
    }

    /// Forgets the batches: the run turned out to be one of several.
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

    /// The running sums at the ends of the batches of an organization, or of the grid, and the
    /// number of jobs in each batch; `None` where no batches are kept.
    pub fn batches(&self, organization: Option<OrganizationId>) -> Option<(&[[Mark; 4]], u64)> {
        let batching = self.batching.as_ref()?;
        let batches = match organization {
            Some(organization) => batching.organizations.get(organization.index())?,
            None => &batching.grid,
        };
        Some((batches.marks(), batches.length()))
    }

    /// Takes in the accounts of another replication of the same grid: counts, sums and
    /// distributions. How long the replications took and how busy the clusters were is not added
    /// up; `length`, `busy` and the utilizations stay those of this one. Batches are those of the
    /// other, since only a run of a single replication has any.
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

    /// From the first submission to the end of the run.
    pub fn length(&self) -> Span {
        if self.begun == Time::NEVER { Span::ZERO } else { self.now - self.begun }
    }

    /// By cluster, the processor-ticks in use up to now, whatever jobs count.
    pub fn busy(&self) -> impl Iterator<Item = i128> {
        self.busy
            .iter()
            .map(|busy| busy.area + i128::from(busy.processors) * i128::from(self.now.ticks()))
    }

    /// The share of an organization's processor time that was in use between the first submission
    /// and the end of the run; `None` for one without clusters or a run without length.
    pub fn utilization(&self, organization: OrganizationId) -> Option<f64> {
        self.utilization_of(|owned| owned.owner == organization)
    }

    /// The same of all clusters.
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
        self.counting.from <= job.submit && job.submit < self.counting.until
    }

    fn leave_out(&mut self, job: &Job) {
        let is_before = job.submit < self.counting.from;
        *(if is_before { &mut self.uncounted.before } else { &mut self.uncounted.after }) += 1;
    }
}

/// What the distributions of all jobs together hold now. O(organizations) where those are added up.
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

impl Observer for Accounts {
    #[inline]
    fn submitted(&mut self, _: JobId, job: &Job, now: Time) {
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
        let busy = &mut self.busy[started.cluster.index()];
        busy.processors += job.processors;
        busy.area -= i128::from(job.processors) * i128::from(started.start.ticks());
        if self.counts(job) {
            self.organizations[job.organization.index()].jobs.started += 1;
        }
    }

    #[inline]
    fn finished(&mut self, finished: Finished<'_>) {
        let job = finished.job;
        let busy = &mut self.busy[finished.cluster.index()];
        busy.processors -= job.processors;
        busy.area += i128::from(job.processors) * i128::from(finished.finish.ticks());
        self.now = finished.finish;
        if !self.counts(job) {
            return;
        }
        let area = i128::from(job.processors) * i128::from(finished.ran().ticks());
        let owner = self.clusters[finished.cluster.index()].owner;
        if owner != job.organization {
            self.organizations[owner.index()].areas.for_others += area;
        }
        let account = &mut self.organizations[job.organization.index()];
        if finished.killed {
            let rest = job.runtime - finished.ran();
            account.areas.submitted -= i128::from(job.processors) * i128::from(rest.ticks());
        }
        account.areas.own += area;
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
