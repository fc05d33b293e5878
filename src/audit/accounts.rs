//! Conservation of work: the accounts must add up to the jobs.

use std::collections::BTreeMap;

use super::facts::{Facts, JobFacts};
use super::report::{Check, Violation};

/// Accounts of one replication, as kept by the run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The replication.
    pub replication: u32,
    /// Sums of each organization, in the order of [`Facts::organizations`].
    pub organizations: Vec<Sums>,
    /// Sums of the whole grid.
    pub grid: Sums,
}

/// Exact sums over the jobs of an organization or of the grid. Times are in ticks, areas in
/// processor-ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Submitted jobs, including rejected ones.
    pub submitted: u64,
    /// Started jobs.
    pub started: u64,
    /// Finished jobs, including killed ones.
    pub finished: u64,
    /// Rejected jobs.
    pub rejected: u64,
    /// Flow time (finish minus submission), over finished jobs.
    pub flow: i128,
    /// Waiting time (start minus submission), over finished jobs.
    pub wait: i128,
    /// Area: processors times (finish minus start), over finished jobs.
    pub area: i128,
    /// Area of other organizations' jobs on clusters of this organization.
    pub for_others: i128,
    /// Area of this organization's jobs on clusters of others or of nobody.
    pub by_others: i128,
}

impl Sums {
    /// The sums by name.
    fn named(&self) -> [(&'static str, i128); 9] {
        [
            ("jobs submitted", self.submitted.into()),
            ("jobs started", self.started.into()),
            ("jobs finished", self.finished.into()),
            ("jobs rejected", self.rejected.into()),
            ("flow time", self.flow),
            ("wait", self.wait),
            ("area", self.area),
            ("work for others", self.for_others),
            ("work by others", self.by_others),
        ]
    }
}

/// The check in its initial state.
pub(super) fn check() -> Check {
    Check::new(
        "conservation of work",
        "the accounts of every organization and of the grid are the exact sums over the jobs",
    )
}

/// Compares the accounts with the sums over the jobs. If accounts cover only some of the jobs of a
/// run, or several replications together, pass facts of just these.
pub fn conservation(facts: &Facts, totals: &[Totals]) -> Check {
    let mut tally = Tally::new(facts);
    if !totals.is_empty() {
        facts.jobs.iter().for_each(|job| tally.add(job, job.replication));
    }
    tally.compare(totals)
}

/// Sums over jobs added one by one.
pub struct Tally<'a> {
    world: &'a Facts,
    recomputed: BTreeMap<u32, Totals>,
}

impl<'a> Tally<'a> {
    /// Starts without jobs.
    pub fn new(world: &'a Facts) -> Tally<'a> {
        Tally { world, recomputed: BTreeMap::new() }
    }

    fn empty(&self, replication: u32) -> Totals {
        let organizations = vec![Sums::default(); self.world.organizations.len()];
        Totals { replication, organizations, grid: Sums::default() }
    }

    /// Adds a job to the accounts of a replication.
    pub fn add(&mut self, job: &JobFacts, replication: u32) {
        if !self.recomputed.contains_key(&replication) {
            self.recomputed.insert(replication, self.empty(replication));
        }
        if let Some(totals) = self.recomputed.get_mut(&replication) {
            account(self.world, job, totals);
        }
    }

    /// Compares the accounts with the sums.
    pub fn compare(mut self, totals: &[Totals]) -> Check {
        let mut check = check();
        if totals.is_empty() {
            return check;
        }
        for kept in totals {
            let replication = kept.replication;
            let own =
                self.recomputed.remove(&replication).unwrap_or_else(|| self.empty(replication));
            if kept.organizations.len() != own.organizations.len() {
                let (kept, own) = (kept.organizations.len(), own.organizations.len());
                let text = format!("the accounts hold {kept} organizations, the facts {own}");
                check.violated(|| broken(replication, text));
            }
            let names = &self.world.organizations;
            let pairs = kept.organizations.iter().zip(&own.organizations).zip(names);
            for ((kept, own), name) in pairs {
                compare(replication, name, kept, own, &mut check);
            }
            compare(replication, "the grid", &kept.grid, &own.grid, &mut check);
        }
        for &replication in self.recomputed.keys() {
            check.violated(|| broken(replication, "there are jobs and no accounts".to_owned()));
        }
        check
    }
}

/// Adds a job to the sums of its organization, of its cluster's owner and of the grid.
fn account(facts: &Facts, job: &JobFacts, totals: &mut Totals) {
    let owner = job.cluster.and_then(|cluster| facts.clusters[cluster].owner);
    let is_foreign = owner != Some(job.organization);
    let mut sums = Sums { submitted: 1, ..Sums::default() };
    sums.started = job.start.is_some().into();
    sums.rejected = job.is_rejected().into();
    if let (Some(start), Some(finish)) = (job.start, job.finish) {
        let ticks = |time: kernel::time::Time| i128::from(time.ticks());
        sums.finished = 1;
        sums.flow = ticks(finish) - ticks(job.submit);
        sums.wait = ticks(start) - ticks(job.submit);
        sums.area = i128::from(job.processors) * (ticks(finish) - ticks(start));
        sums.by_others = if is_foreign { sums.area } else { 0 };
    }
    let for_others = Sums { for_others: sums.by_others, ..Sums::default() };
    add(&mut totals.organizations[job.organization], &sums);
    add(&mut totals.grid, &sums);
    if let Some(owner) = owner {
        add(&mut totals.organizations[owner], &for_others);
        add(&mut totals.grid, &for_others);
    }
}

fn add(to: &mut Sums, more: &Sums) {
    to.submitted += more.submitted;
    to.started += more.started;
    to.finished += more.finished;
    to.rejected += more.rejected;
    to.flow += more.flow;
    to.wait += more.wait;
    to.area += more.area;
    to.for_others += more.for_others;
    to.by_others += more.by_others;
}

fn compare(replication: u32, who: &str, kept: &Sums, own: &Sums, check: &mut Check) {
    for ((what, kept), (_, own)) in kept.named().into_iter().zip(own.named()) {
        check.looked_at += 1;
        if kept != own {
            let text = format!("{who}: {what} is {kept} in the accounts and {own} over the jobs");
            check.violated(|| broken(replication, text));
        }
    }
}

fn broken(replication: u32, text: String) -> Violation {
    Violation::new(replication, text)
}
