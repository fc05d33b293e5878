//! Confidence intervals of a run's figures, from replications or from batches of a single run.

use std::cell::Cell;

use crate::estimate::{Estimate, Method};
use crate::measure::{DISTRIBUTIONS, Metric};
use crate::sample::{Figure, Sample};
use kernel::time::sum_as_units as units;
use sim::accounts::Account;
use stats::batch_means::BatchMeans;
use stats::buckets::{Buckets, Sums};
use stats::distribution::{Distribution, Mark, QUANTILES};
use stats::interval::{Dependence, Interval, Level};
use stats::student;

/// Maximum number of groups of replications; beyond that, groups are merged in pairs.
///
/// This bounds the memory for intervals of quantiles.
const MOST_GROUPS: usize = 64;

/// Intervals of a distribution over jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OfDistribution {
    /// Interval of the mean, in units.
    pub mean: Option<Estimate>,
    /// Interval of each of [`QUANTILES`], in units.
    pub quantiles: [Option<Interval>; QUANTILES.len()],
    /// Correlation of neighbouring batches.
    pub dependence: Option<Dependence>,
}

/// Confidence intervals for the figures of an organization, or of the whole grid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Precision {
    /// Method for the interval of the mean flow time; `None` if there is no interval.
    pub method: Option<Method>,
    /// Intervals in the order of [`Account::distributions`].
    pub distributions: [OfDistribution; 4],
}

/// The figures of an account's distributions, with these intervals; `filled` says in how many
/// replications a mean has a value.
pub fn figures(
    account: &Account,
    precision: &Precision,
    filled: impl Fn(Metric) -> u64,
) -> Vec<Figure> {
    let mut figures = Vec::new();
    let sections = precision.method.map_or(0, |method| method.sections());
    for metric in Metric::ALL {
        let Some(mean) = metric.distribution() else { continue };
        let at = DISTRIBUTIONS.iter().position(|one| *one == mean).expect("it is one of them");
        let ((_, values), of) = (account.distributions()[at], &precision.distributions[at]);
        let measure = metric.measure();
        figures.push(match measure.quantile() {
            None => Figure::new(measure, values.mean(), of.mean, filled(mean)),
            Some((_, part)) => {
                let which = QUANTILES.iter().position(|(name, _)| *name == part);
                let which = which.expect("a quantile of every report");
                let value = values.quantile(QUANTILES[which].1);
                let interval = of.quantiles[which].filter(|_| value.is_some());
                let (method, n) = match interval {
                    Some(_) => (precision.method, sections),
                    None => (None, filled(mean)),
                };
                Figure { measure, mean: value, interval, method, n }
            }
        });
    }
    figures
}

/// Puts the figures of an account in one replication into the sample; `busy` and `time` are the
/// processor time used and available.
pub fn put(sample: &mut Sample, unit: usize, account: &Account, busy: i128, time: i128) {
    for (metric, (_, values)) in DISTRIBUTIONS.into_iter().zip(account.distributions()) {
        sample.put(unit, metric.measure(), units(values.sum()), values.count() as f64);
    }
    let makespan = account.makespan().map(|makespan| makespan.as_units());
    sample.put_mean(unit, Metric::Makespan.measure(), makespan);
    sample.put(unit, Metric::Utilization.measure(), units(busy), units(time));
}

/// Histograms of replications, or of groups with the same number of replications.
#[derive(Clone, Debug)]
pub struct Groups {
    marks: Vec<[Mark; 4]>,
    /// Replications in each full group, and in the last one so far.
    size: u64,
    last: u64,
}

impl Default for Groups {
    fn default() -> Groups {
        Groups { marks: Vec::new(), size: 1, last: 1 }
    }
}

impl Groups {
    /// The histograms of the groups that are full.
    pub(super) fn full(&self) -> &[[Mark; 4]] {
        let open = usize::from(self.last < self.size);
        &self.marks[..self.marks.len().saturating_sub(open)]
    }

    /// Adds the histograms of a replication.
    pub fn add(&mut self, marks: [Mark; 4]) {
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

/// Intervals over the replications, given those of the means; `groups` are the histograms of the account.
pub(crate) fn over_replications(
    of: impl Fn(Metric) -> Option<Estimate>,
    groups: &Groups,
    account: &Account,
    level: Level,
) -> Precision {
    let mut precision = Precision::default();
    let distributions = account.distributions();
    for (index_of, of_jobs) in precision.distributions.iter_mut().enumerate() {
        of_jobs.mean = of(DISTRIBUTIONS[index_of]);
        let groups = groups.marks.iter();
        let groups: Vec<&Mark> = groups.map(|marks| &marks[index_of]).collect();
        of_jobs.quantiles = quantiles(distributions[index_of].1, &groups, false, level);
    }
    precision.method = precision.distributions[0].mean.map(|flow| flow.method);
    precision
}

/// Intervals from a single run, by the running sums at the ends of batches of `jobs` jobs.
pub(crate) fn of_batches(
    marks: &[[Mark; 4]],
    jobs: u64,
    account: &Account,
    level: Level,
) -> Precision {
    let mut precision = Precision::default();
    let distributions = account.distributions();
    for (index, of) in precision.distributions.iter_mut().enumerate() {
        let marks: Vec<&Mark> = marks.iter().map(|marks| &marks[index]).collect();
        let mut batches = BatchMeans::default();
        let (mut count, mut sum) = (0, 0);
        for mark in &marks {
            batches.add(units(mark.sum - sum), (mark.count - count) as f64);
            (count, sum) = (mark.count, mark.sum);
        }
        let distribution = distributions[index].1;
        let share = count as f64 / distribution.count().max(1) as f64;
        of.mean = distribution.mean().and_then(|mean| {
            let method = |sections| Method::BatchMeans { sections, jobs };
            let estimate = Estimate::of_batches(mean, &batches, share, level, method)?;
            Some(estimate.within(DISTRIBUTIONS[index].measure()))
        });
        of.dependence = batches.dependence();
        of.quantiles = quantiles(distribution, &marks, true, level);
    }
    precision.method = precision.distributions[0].mean.map(|flow| flow.method);
    precision
}

/// Minimum expected number of jobs beyond a quantile in each section, to give it an interval.
const FEWEST_BEYOND: f64 = 50.0;

/// Confidence intervals of the quantiles.
///
/// An interval exists or not depending on numbers of jobs only. It holds the amounts that could be
/// the quantile: those where the share of jobs below, compared on the log-odds scale, differs from
/// the quantile's share by no more than chance. The error of the share is that at the amount
/// itself: sections differ more in the rarer jobs, so the interval reaches further up than down.
/// If less than one job lies beyond the upper end, the sample does not bound it, and it is
/// infinite.
fn quantiles(
    distribution: &Distribution,
    marks: &[&Mark],
    is_running: bool,
    level: Level,
) -> [Option<Interval>; QUANTILES.len()] {
    let mut found = [None; QUANTILES.len()];
    let buckets: Option<Vec<&Buckets>> = marks.iter().map(|mark| mark.buckets.as_ref()).collect();
    let Some(buckets) = buckets.filter(|buckets| buckets.len() > 1) else {
        return found;
    };
    let shares = Shares::new(marks, buckets, is_running, distribution.count() as f64, level);
    for (found, (_, quantile)) in found.iter_mut().zip(QUANTILES) {
        let least = (1.0 - quantile).min(quantile) * shares.all;
        if least < FEWEST_BEYOND * marks.len() as f64 {
            continue;
        }
        let Some([low, high]) = shares.range(quantile) else { continue };
        let high = match (1.0 - high) * shares.all >= 1.0 {
            true => distribution.quantile(high),
            false => Some(f64::INFINITY),
        };
        *found = distribution.quantile(low).zip(high).map(|(low, high)| Interval { low, high });
    }
    found
}

/// Halvings of the range in which an end of an interval lies.
const HALVINGS: u32 = 16;
/// Largest distance of an end from the quantile, in half widths at the quantile.
const REACH: f64 = 8.0;

/// Shares of jobs below cuts, section by section.
struct Shares<'a> {
    marks: &'a [&'a Mark],
    buckets: Vec<Sums>,
    /// The marks are running sums, not those of one section each.
    is_running: bool,
    whole: Sums,
    all: f64,
    level: Level,
    /// Degrees of freedom with their critical value, which hardly ever change.
    critical: Cell<Option<(u64, f64)>>,
}

impl<'a> Shares<'a> {
    fn new(
        marks: &'a [&'a Mark],
        buckets: Vec<&'a Buckets>,
        is_running: bool,
        all: f64,
        level: Level,
    ) -> Shares<'a> {
        let mut whole = Buckets::default();
        let last = if is_running { buckets.len() - 1 } else { 0 };
        buckets[last..].iter().for_each(|one| whole.merge(one));
        let (whole, buckets) = (whole.sums(), buckets.iter().map(|one| one.sums()).collect());
        Shares { marks, buckets, is_running, whole, all, level, critical: Cell::new(None) }
    }

    /// Half width, in log-odds, of the interval of the share of jobs below the cut that has this
    /// share of the sample below it.
    fn half_width(&self, share: f64) -> Option<f64> {
        let cut = self.whole.cut(share)?;
        let mut batches = BatchMeans::default();
        let (mut below, mut count) = (0.0, 0.0);
        for (mark, buckets) in self.marks.iter().zip(&self.buckets) {
            let (now_below, now) = (buckets.below(cut), mark.count as f64);
            batches.add(now_below - below, now - count);
            if self.is_running {
                (below, count) = (now_below, now);
            }
        }
        let last = self.marks.last()?.count as f64;
        let error = match self.is_running {
            true => batches.error(last / self.all),
            false => batches.sections().error(),
        }?;
        let variance = error.standard * error.standard + cut.hidden_variance(self.all);
        let t = self.critical(error.freedom);
        Some(t * variance.sqrt() / (share * (1.0 - share)))
    }

    /// The critical value of Student's t.
    fn critical(&self, freedom: u64) -> f64 {
        if let Some((_, t)) = self.critical.get().filter(|&(known, _)| known == freedom) {
            return t;
        }
        let t = student::two_sided(self.level.share(), freedom);
        self.critical.set(Some((freedom, t)));
        t
    }

    /// The lowest and the highest share of the sample whose cut could be the quantile.
    fn range(&self, quantile: f64) -> Option<[f64; 2]> {
        let center = libm::log(quantile / (1.0 - quantile));
        let share = |log_odds: f64| 1.0 / (1.0 + libm::exp(-log_odds));
        let half_width = self.half_width(quantile)?;
        let farthest = libm::log(self.all.max(2.0) - 1.0);
        let end = |sign: f64| {
            let reach = (REACH * half_width).min((farthest - sign * center).max(0.0));
            let could_be = |distance: f64| {
                let half = self.half_width(share(center + sign * distance));
                half.is_some_and(|half| distance <= half)
            };
            if could_be(reach) {
                return if sign > 0.0 { 1.0 } else { 0.0 };
            }
            let (mut inside, mut outside) = (0.0, reach);
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(inside, outside);
                *(if could_be(middle) { &mut inside } else { &mut outside }) = middle;
            }
            share(center + sign * f64::midpoint(inside, outside))
        };
        Some([end(-1.0), end(1.0)])
    }
}

#[cfg(test)]
mod tests;
