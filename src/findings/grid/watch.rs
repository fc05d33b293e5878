//! Schedules looks at the batches of one run and decides when it may stop.

use super::precision::{self, figures};
use super::typical::Typical;
use crate::ended::{Ended, Why};
use crate::measure::Metric;
use crate::since::Since;
use crate::stop::{HELD, of_figures, widest};
use crate::target::{By, Precision};
use kernel::state::{Corrupt, State, put, take};
use kernel::state_of_fields;
use kernel::time::{Span, TICKS_PER_UNIT};
use model::ids::OrganizationId;
use sim::accounts::{Accounts, Counting};
use sim::observer::{Finished, Observer};
use stats::interval::Interval;
use stats::sequential::{JOBS, Memory, Recalled};

/// Counts the jobs whose figures are estimated, in the order in which they end.
///
/// Ask [`is_due`](Watch::is_due) after each instant; if it is, call [`look`](Watch::look).
#[derive(Clone, Debug)]
pub struct Watch {
    precision: Precision,
    counting: Counting,
    /// One for each distribution that a target figure belongs to.
    series: Vec<Series>,
    /// Number of jobs that count and have the figures: the least over the series.
    count: u64,
    /// Number of such jobs at which the next look is due.
    next: u64,
    looks: u32,
    since: Since,
    /// Reason to go on although the intervals were narrow enough at the last look.
    ///
    /// Not saved, as only a live display reads it.
    held: Option<&'static str>,
    why: Option<Why>,
}

/// The values of one distribution, in the order in which the jobs end.
#[derive(Clone, Debug)]
struct Series {
    mean: Metric,
    memory: Memory,
    count: u64,
}

state_of_fields!(Series { memory, count });

impl State for Watch {
    fn save(&self, out: &mut Vec<u8>) {
        self.series.save(out);
        put(&(self.count, self.next, self.looks, &self.since, self.why), out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.series.load(from)?;
        (self.count, self.next, self.looks, self.since, self.why) = take(from)?;
        Ok(())
    }
}

/// Factor by which the interval of a quantile is widened. There is no second interval from groups
/// to guard against batches that happen to vary little: where the quantile lies is only known later
/// than the jobs that groups would have to count beyond it.
const CAUTION: f64 = 1.3;

impl Watch {
    /// The watch of a single run that goes on until its batches are precise enough.
    ///
    /// `None` if no batches are asked to be; `counting` says which jobs count.
    pub fn new(precision: Option<&Precision>, counting: Counting) -> Option<Watch> {
        let precision = precision.filter(|one| one.by == By::Batches)?.clone();
        let mut series: Vec<Series> = Vec::new();
        for mean in precision.metrics.iter().filter_map(|measure| measure.metric()?.distribution())
        {
            if series.iter().all(|one| one.mean != mean) {
                series.push(Series { mean, memory: Memory::default(), count: 0 });
            }
        }
        let next = precision.at_least;
        Some(Watch {
            precision,
            counting,
            series,
            count: 0,
            next,
            looks: 0,
            since: Since::default(),
            held: None,
            why: None,
        })
    }

    /// True if a look is due.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.count >= self.next && self.why.is_none()
    }

    /// Checks the accounts of the same jobs; true if the run is to stop.
    ///
    /// It does not stop while the jobs so far are not typical of their distribution.
    pub fn look(&mut self, accounts: &Accounts, typical: &Typical) -> bool {
        self.looks += 1;
        let level = self.precision.level_of_each(self.counting.level);
        let recall = |one: &mut Series| (one.mean, one.memory.recall(one.count, level));
        let recalled: Vec<(Metric, Option<Recalled>)> =
            self.series.iter_mut().map(recall).collect();
        let intervals = of_batches(&self.precision, accounts);
        let (mut all, mut at_least) = (Vec::new(), Some(0));
        for (metric, interval) in self.precision.metrics.iter().zip(intervals) {
            let mean = metric.metric().and_then(Metric::distribution);
            let recalled = recalled.iter().find(|(of, _)| mean == Some(*of)).and_then(|one| one.1);
            let times = interval.map(|interval| {
                let figure = f64::midpoint(interval.low, interval.high);
                let wider = match metric.is_quantile() {
                    true => interval.half_width() * CAUTION,
                    false => {
                        let by_groups = recalled.map_or(0.0, |recalled| recalled.half_width);
                        interval.half_width().max(by_groups)
                    }
                };
                self.precision.width.times_too_wide(Interval::around(figure, wider))
            });
            // If all values are equal there is no memory to estimate.
            let long = match recalled {
                Some(recalled) => recalled.at_least,
                None => times.filter(|&times| times == 0.0).map(|_| 0),
            };
            at_least = at_least.zip(long).map(|(most, long)| most.max(long));
            all.push(times);
        }
        self.since.look(self.looks, &all);
        let times = widest(&all);
        let is_long = at_least.is_some_and(|at_least| self.count >= at_least);
        let is_narrow = is_long && times.is_some_and(|times| times <= 1.0);
        let departure = if is_narrow { typical.departure() } else { None };
        self.held = departure.map(|departure| departure.brief());
        let times = if departure.is_some() { Some(HELD) } else { times };
        if is_narrow && departure.is_none() {
            self.why = Some(Why::Precision);
        } else {
            let farthest = JOBS.next(self.count, None);
            let next = JOBS.next(self.count, times).max(at_least.unwrap_or(0));
            self.next = next.min(farthest);
        }
        tracing::info!(count = self.count, times, ?at_least, "looked at the precision");
        self.why.is_some()
    }

    /// Reason why the run goes on although the interval was narrow enough at the last look.
    pub fn held(&self) -> Option<&'static str> {
        self.held
    }

    /// True if the run is to stop.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.why.is_some()
    }

    /// Outcome of a run in which `submitted` jobs were submitted.
    pub fn ended(&self, submitted: u64) -> Ended {
        let is_most = submitted >= self.precision.at_most;
        let why = if is_most { Why::AtMost } else { Why::Drained };
        let why = self.why.unwrap_or(why);
        Ended { why, looks: self.looks, since: self.since.clone() }
    }
}

impl Series {
    /// Adds a job, if it has the figure.
    fn add(&mut self, finished: &Finished<'_>, tau: Span) {
        let (flow, ran) = (finished.flow().ticks() as f64, finished.ran());
        let value = match self.mean {
            Metric::Flow => Some(flow / TICKS_PER_UNIT as f64),
            Metric::Wait => Some(finished.wait().as_units()),
            Metric::Slowdown => (ran > Span::ZERO).then(|| flow / ran.ticks() as f64),
            _ => {
                let bound = ran.max(tau);
                (bound > Span::ZERO).then(|| (flow / bound.ticks() as f64).max(1.0))
            }
        };
        if let Some(value) = value {
            self.memory.add(value);
            self.count += 1;
        }
    }
}

impl Observer for Watch {
    #[inline]
    fn finished(&mut self, finished: Finished<'_>) {
        let job = finished.job;
        let counts = self.counting.from <= job.submit && job.submit < self.counting.until;
        if !counts || single(&self.precision).is_some_and(|one| one != job.organization) {
            return;
        }
        self.series.iter_mut().for_each(|one| one.add(&finished, self.counting.tau));
        self.count = self.series.iter().map(|one| one.count).min().unwrap_or_default();
    }
}

/// The organization of a grid that the target figure belongs to; `None` means all together.
fn single(precision: &Precision) -> Option<OrganizationId> {
    precision.organizations.as_ref().map(|members| OrganizationId(members.start as u32))
}

/// Confidence intervals of the target figures from the batches of one unfinished run.
fn of_batches(precision: &Precision, accounts: &Accounts) -> Vec<Option<Interval>> {
    let organization = single(precision);
    let Some((marks, jobs)) = accounts.batches(organization).filter(|(marks, _)| marks.len() > 1)
    else {
        return vec![None; precision.metrics.len()];
    };
    let all = organization.is_none().then(|| accounts.grid());
    let index = organization.map_or(0, OrganizationId::index);
    let account = all.as_ref().unwrap_or_else(|| &accounts.organizations()[index]);
    let level = precision.level_of_each(accounts.level());
    let found = precision::of_batches(marks, jobs, account, level);
    of_figures(precision, &figures(account, &found, |_| 1))
}
