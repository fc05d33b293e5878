//! How sure the figures of a run are: intervals from its replications, or from the batches of a
//! single one.

use std::fmt;

use super::figure::counted;
use super::results::Results;
use crate::kernel::time::sum_as_units as units;
use crate::model::ids::OrganizationId;
use crate::sim::accounts::Account;
use crate::stats::buckets::Buckets;
use crate::stats::distribution::{Distribution, Mark, QUANTILES};
use crate::stats::interval::{Dependence, Interval, LEVEL, Sections};
use crate::stats::student;

/// Groups of replications at which pairs are merged, so that the memory for intervals of quantiles
/// does not grow with the number of replications.
const MOST_GROUPS: usize = 64;

/// What the sections are that intervals come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Student's t over independent replications.
    Replications {
        /// Those in which a job ended that counts.
        sections: u64,
    },
    /// Student's t over batches of one run, in the order in which jobs ended.
    BatchMeans {
        /// Full batches.
        sections: u64,
        /// Jobs in each.
        jobs: u64,
    },
    /// Student's t over batches of the rounds of one run.
    RoundMeans {
        /// Full batches.
        sections: u64,
        /// Rounds in each.
        rounds: u64,
    },
}

impl Method {
    /// Its name in files.
    pub fn name(&self) -> &'static str {
        match self {
            Method::Replications { .. } => "replications",
            Method::BatchMeans { .. } => "batch_means",
            Method::RoundMeans { .. } => "round_means",
        }
    }

    /// How many sections there are.
    pub fn sections(&self) -> u64 {
        let (Method::Replications { sections }
        | Method::BatchMeans { sections, .. }
        | Method::RoundMeans { sections, .. }) = *self;
        sections
    }

    /// Jobs in each section, where they are as many in all.
    pub fn jobs(&self) -> Option<u64> {
        if let Method::BatchMeans { jobs, .. } = *self { Some(jobs) } else { None }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Method::Replications { sections } => {
                let replications = counted(sections, "replication", "replications");
                write!(out, "Student t over {replications}")
            }
            Method::BatchMeans { sections, jobs } => {
                let batches = counted(sections, "batch", "batches");
                write!(out, "batch means, {batches} of {}", counted(jobs, "job", "jobs"))
            }
            Method::RoundMeans { sections, rounds } => {
                let batches = counted(sections, "batch", "batches");
                write!(out, "batch means, {batches} of {}", counted(rounds, "round", "rounds"))
            }
        }
    }
}

/// An interval and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The interval.
    pub interval: Interval,
    /// Its method and sections.
    pub method: Method,
}

/// The intervals of a distribution over jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OfDistribution {
    /// Of the mean, in units.
    pub mean: Option<Estimate>,
    /// Of each of [`QUANTILES`], in units.
    pub quantiles: [Option<Interval>; QUANTILES.len()],
    /// How like its neighbour a batch is.
    pub dependence: Option<Dependence>,
}

/// How sure the figures of an organization, or of the whole grid, are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Precision {
    /// Where the interval of the mean flow comes from; `None` where there is none.
    pub method: Option<Method>,
    /// In the order of [`Account::distributions`].
    pub distributions: [OfDistribution; 4],
    /// Of the mean makespan, in units.
    pub makespan: Option<Estimate>,
    /// Of the utilization.
    pub utilization: Option<Estimate>,
}

/// What is kept of the replications of an organization, or of the whole grid.
#[derive(Clone, Debug, Default)]
pub(super) struct Across {
    means: [Sections; 4],
    makespan: Sections,
    utilization: Sections,
    groups: Groups,
}

impl Across {
    /// Adds a replication; `busy` and `time` are the processor time in use and at hand.
    pub(super) fn add(&mut self, account: &Account, busy: i128, time: i128, keeps_quantiles: bool) {
        let distributions = account.distributions().map(|(_, distribution)| distribution);
        for (sections, distribution) in self.means.iter_mut().zip(distributions) {
            sections.add(units(distribution.sum()), distribution.count() as f64);
        }
        match account.makespan() {
            Some(makespan) => self.makespan.add(makespan.as_units(), 1.0),
            None => self.makespan.add(0.0, 0.0),
        }
        self.utilization.add(units(busy), units(time));
        if keeps_quantiles {
            self.groups.add(distributions.map(Distribution::mark_of_histogram));
        }
    }

    fn precision(&self, account: &Account) -> Precision {
        let mut precision = Precision {
            makespan: self.makespan.mean().and_then(|mean| around(mean, &self.makespan)),
            utilization: self.utilization.mean().and_then(|mean| around(mean, &self.utilization)),
            ..Precision::default()
        };
        let distributions = account.distributions();
        for (index, of) in precision.distributions.iter_mut().enumerate() {
            let mean = distributions[index].1.mean();
            of.mean = mean.and_then(|mean| around(mean, &self.means[index]));
            let groups: Vec<&Mark> = self.groups.marks.iter().map(|marks| &marks[index]).collect();
            of.quantiles = quantiles(distributions[index].1, &groups, false);
        }
        precision.method = precision.distributions[0].mean.map(|flow| flow.method);
        precision
    }
}

/// The buckets of replications, or of groups of equally many.
#[derive(Clone, Debug)]
struct Groups {
    marks: Vec<[Mark; 4]>,
    /// Replications in each group, and in the last one so far.
    size: u64,
    last: u64,
}

impl Default for Groups {
    fn default() -> Groups {
        Groups { marks: Vec::new(), size: 1, last: 1 }
    }
}

impl Groups {
    fn add(&mut self, marks: [Mark; 4]) {
        if self.last < self.size {
            let last = self.marks.last_mut().expect("a group that is not full was begun");
            last.iter_mut().zip(&marks).for_each(|(all, one)| all.merge(one));
            self.last += 1;
            return;
        }
        if self.marks.len() == MOST_GROUPS {
            for at in 0..MOST_GROUPS / 2 {
                let [one, other] =
                    [2 * at, 2 * at + 1].map(|at| std::mem::take(&mut self.marks[at]));
                self.marks[at] = one;
                let pair = self.marks[at].iter_mut().zip(&other);
                pair.for_each(|(all, one)| all.merge(one));
            }
            self.marks.truncate(MOST_GROUPS / 2);
            self.size *= 2;
        }
        self.marks.push(marks);
        self.last = 1;
    }
}

impl Results {
    /// How sure the figures of an organization are, or, at the number behind the last one, those of
    /// the whole grid, whose account is given.
    pub fn precision(&self, index: usize, account: &Account) -> Precision {
        if self.replications.len() > 1 {
            // That repetitions of the same are alike says nothing of how sure a figure is.
            let differs = self.differs[index];
            return if differs {
                self.across[index].precision(account)
            } else {
                Precision::default()
            };
        }
        let is_grid = index == self.accounts.organizations().len();
        let organization = (!is_grid).then_some(OrganizationId(index as u32));
        match self.accounts.batches(organization) {
            Some((marks, jobs)) if marks.len() > 1 => of_batches(marks, jobs, account),
            _ => Precision::default(),
        }
    }
}

/// The intervals of one run, from the sums at the ends of its batches of so many jobs each.
pub(super) fn of_batches(marks: &[[Mark; 4]], jobs: u64, account: &Account) -> Precision {
    let mut precision = Precision::default();
    let distributions = account.distributions();
    for (index, of) in precision.distributions.iter_mut().enumerate() {
        let marks: Vec<&Mark> = marks.iter().map(|marks| &marks[index]).collect();
        let mut sections = Sections::default();
        let mut means = Vec::new();
        let (mut count, mut sum) = (0, 0);
        for mark in &marks {
            let (counted, summed) = ((mark.count - count) as f64, units(mark.sum - sum));
            sections.add(summed, counted);
            if counted > 0.0 {
                means.push(summed / counted);
            }
            (count, sum) = (mark.count, mark.sum);
        }
        let distribution = distributions[index].1;
        // The jobs of the last batch, which is not full, make the mean more certain by their share.
        let share = count as f64 / distribution.count().max(1) as f64;
        of.mean = distribution.mean().and_then(|mean| {
            let half_width = sections.error()?.half_width() * share.sqrt();
            let interval = Interval::around(mean, half_width);
            let method = Method::BatchMeans { sections: sections.filled(), jobs };
            Some(Estimate { interval, method })
        });
        of.dependence = Dependence::of(&means);
        of.quantiles = quantiles(distribution, &marks, true);
    }
    precision.method = precision.distributions[0].mean.map(|flow| flow.method);
    precision
}

/// The interval around the mean of replications.
fn around(mean: f64, sections: &Sections) -> Option<Estimate> {
    let interval = Interval::around(mean, sections.error()?.half_width());
    let method = Method::Replications { sections: sections.filled() };
    Some(Estimate { interval, method })
}

/// Intervals of the quantiles: that of the share of jobs below the quantile, read off the whole
/// distribution. Where it goes beyond the distribution there is none.
fn quantiles(
    distribution: &Distribution,
    marks: &[&Mark],
    is_running: bool,
) -> [Option<Interval>; QUANTILES.len()] {
    let mut found = [None; QUANTILES.len()];
    let buckets: Option<Vec<&Buckets>> = marks.iter().map(|mark| mark.buckets.as_ref()).collect();
    let Some(buckets) = buckets.filter(|buckets| buckets.len() > 1) else {
        return found;
    };
    let mut whole = Buckets::default();
    let last = if is_running { buckets.len() - 1 } else { 0 };
    buckets[last..].iter().for_each(|one| whole.merge(one));
    let all = distribution.count() as f64;
    for (found, (_, quantile)) in found.iter_mut().zip(QUANTILES) {
        let Some(cut) = whole.cut(quantile) else { continue };
        let mut sections = Sections::default();
        let (mut below, mut count) = (0.0, 0.0);
        for (mark, buckets) in marks.iter().zip(&buckets) {
            let (now_below, now) = (buckets.below(cut), mark.count as f64);
            sections.add(now_below - below, now - count);
            if is_running {
                (below, count) = (now_below, now);
            }
        }
        let Some(error) = sections.error() else { continue };
        let covered = if is_running { count / all } else { 1.0 };
        let variance = error.standard * error.standard * covered + cut.hidden_variance(all);
        let half_width = student::two_sided(LEVEL, error.freedom) * variance.sqrt();
        let (low, high) = (quantile - half_width, quantile + half_width);
        // At both ends at least one job lies beyond.
        if low * all >= 1.0 && (1.0 - high) * all >= 1.0 {
            *found = distribution
                .quantile(low)
                .zip(distribution.quantile(high))
                .map(|(low, high)| Interval { low, high });
        }
    }
    found
}
