//! Results of a run, before they are written in any format.

use super::alone::Alone;
use super::comparable;
use super::controlled::Controls;
use super::frame::Frame;
use super::loads::Loads;
use super::precision::{self, Groups, Precision};
use super::steady::Early;
use super::timelines::Timelines;
use super::trace_waits::TraceWaits;
use super::typical::Typical;
use crate::estimate::Estimate;
use crate::measure::{Measure, Metric};
use crate::sample::{Figure, Sample};
use crate::stop::Hold;
use crate::{Comparable, Findings, unit};
use game::fairness::jain;
use kernel::time::Time;
use model::ids::OrganizationId;
use sim::accounts::{Account, Accounts, Owned, Uncounted};
use sim::alone::Service;
use sim::bounding::Bounding;
use sim::promises::Promises;
use sim::timeline::Timeline;
use sim::weeks::Weeks;
use stats::control::Controlled;
use stats::course::{Grows, Growth};
use stats::distribution::{Detail, Distribution};
use stats::interval::Level;
use stats::mser::{Doubt, Series};

/// Significance level: probability of reporting growth when flow times do not grow.
const CHANCE: f64 = 0.01;

/// Results of all replications of a run.
#[derive(Debug)]
pub struct Results {
    /// The replications, in order.
    pub replications: Vec<Replication>,
    /// Accounts merged over all replications.
    pub accounts: Accounts,
    /// Makespans over the replications, by organization, then for the grid.
    ///
    /// Replications in which no job of the organization ended are left out.
    pub makespans: Vec<Distribution>,
    /// Number of agent wake-ups in all replications, a measure of simulation work.
    pub wakes: u64,
    /// Busy processor-ticks by cluster, summed over the replications.
    pub busy: Vec<i128>,
    /// Total length of the replications, in ticks.
    pub length: i128,
    /// The figures of every replication.
    pub sample: Sample,
    /// Histograms of the replications, by organization, then for the grid.
    groups: Vec<Groups>,
    /// True if figures differ between replications, by organization, then for the grid.
    pub differs: Vec<bool>,
    /// Offered load of each part of the grid.
    pub loads: Loads,
    /// Comparison of early and late parts of the replications, if there are several that differ.
    pub growth: Growth,
    /// Flow times of the first replications, in order, if they are plotted.
    pub welch: Vec<Series>,
    /// Comparison of the jobs with their models, as far as these are known.
    pub typical: Typical,
    /// Waiting times that traces record of the same jobs.
    pub trace_waits: TraceWaits,
    /// Sums by replication for controlled means.
    pub controls: Controls,
    /// Time series over simulated time, if they are recorded.
    pub timelines: Option<Timelines>,
    /// Sums by week of the last replication, if the run is compared with others of the same jobs.
    pub weeks: Option<Weeks>,
    /// Figures of every organization alone, if that was simulated.
    pub alone: Option<Alone>,
    /// The clusters with their owners.
    owned: Vec<Owned>,
}

/// Results of a replication.
#[derive(Clone, Debug)]
pub struct Replication {
    /// Replication, from 0.
    pub number: u32,
    /// Time at which it ended.
    pub end: Time,
    /// Measurement window.
    pub window: Window,
    /// Numbers of jobs outside the window.
    pub uncounted: Uncounted,
}

/// Measurement window of a replication: the submission times of jobs that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First submission time that counts.
    pub from: Time,
    /// First submission time after the window.
    pub until: Time,
    /// Doubt about the end of the warm-up that MSER-5 found, if any; the same in all replications.
    pub doubt: Option<Doubt>,
}

/// Clusters that an organization, or the whole grid, owns.
#[derive(Clone, Copy, Debug, Default)]
pub struct Holding {
    /// Number of clusters.
    pub clusters: u64,
    /// Number of processors.
    pub processors: u64,
    /// Utilization over all replications.
    pub utilization: Option<f64>,
    /// Busy processor-ticks.
    busy: i128,
}

impl Results {
    /// Results without any replication.
    pub fn new(frame: Frame) -> Results {
        let Frame { names, owned, counting, .. } = frame;
        let accounts = Accounts::new(names.len(), owned.clone(), counting);
        // Quantiles have the same resolution as those of the accounts.
        let (own, grid) = accounts.details();
        let organizations = accounts.organizations().iter();
        let mut makespans: Vec<Distribution> =
            organizations.map(|_| Distribution::new(own)).collect();
        makespans.push(Distribution::new(grid));
        Results {
            replications: Vec::new(),
            accounts,
            makespans,
            wakes: 0,
            busy: vec![0; owned.len()],
            length: 0,
            sample: Sample::new(
                unit::units(&names, &[]),
                Metric::ALL
                    .iter()
                    .filter(|one| one.is_of("grid") && !one.is_quantile())
                    .filter(|one| frame.has_alone || !one.needs_alone())
                    .filter(|one| frame.has_bounds || !one.needs_bounds())
                    .filter(|one| frame.has_promises || **one != Metric::BrokenPromises)
                    .filter(|one| frame.has_messages || **one != Metric::Messages)
                    .filter(|one| frame.has_utilities || **one != Metric::Utility)
                    .filter(|one| names.len() > 1 || **one != Metric::Fairness)
                    .map(|one| one.measure()),
                counting.level,
                frame.keeps_all,
            ),
            groups: vec![Groups::default(); names.len() + 1],
            differs: frame.differs,
            loads: frame.loads,
            growth: Growth::default(),
            welch: Vec::new(),
            typical: frame.typical,
            trace_waits: frame.trace_waits,
            controls: Controls::default(),
            timelines: frame.timelines.map(|(rows, several)| Timelines::new(rows, several)),
            weeks: None,
            alone: frame.has_alone.then(|| Alone::new(names.len())),
            owned,
        }
    }

    /// Adds the service of each organization in the next replication, with all others and alone.
    pub fn add_alone(&mut self, together: &[Service], alone: &[Service]) {
        if let Some(all) = &mut self.alone {
            all.add(&mut self.sample, together, alone);
        }
    }

    /// Adds the bounds of the next replication's makespan, and the messages that its clusters
    /// exchanged, as far as the run keeps them.
    pub fn add_placing(&mut self, bounds: Option<&Bounding>, messages: Option<u64>) {
        let grid = self.accounts.organizations().len();
        let figures = [
            (Metric::MakespanOverBound, bounds.and_then(Bounding::over_bound)),
            (Metric::MakespanOverOptimum, bounds.and_then(Bounding::over_optimum)),
            (Metric::Messages, messages.map(|messages| messages as f64)),
        ];
        for (metric, value) in figures {
            self.sample.put_mean(grid, metric.measure(), value);
        }
    }

    /// Adds the utilities of the next replication, if its scheduler knows them: by organization.
    pub fn add_utilities(&mut self, utilities: &[f64]) {
        let sum = Some(utilities.iter().sum()).filter(|_| !utilities.is_empty());
        for (unit, value) in utilities.iter().copied().map(Some).chain([sum]).enumerate() {
            self.sample.put_mean(unit, Metric::Utility.measure(), value);
        }
    }

    /// Adds the promises of the next replication's plans.
    pub fn add_promises(&mut self, promises: Option<&Promises>) {
        let Some((broken, made)) = promises.map(Promises::counts).filter(|counts| counts.1 > 0)
        else {
            return;
        };
        let grid = self.accounts.organizations().len();
        let measure = Metric::BrokenPromises.measure();
        self.sample.put(grid, measure, broken as f64, made as f64);
    }

    /// Adds the next replication, in which the jobs of `window` counted.
    pub fn add(&mut self, accounts: &Accounts, window: Window, end: Time, wakes: u64) {
        let grid = accounts.grid();
        let (of_each, of_grid) = accounts.details();
        let length = i128::from(accounts.length().ticks());
        // By organization, then for the grid: processor time used and available.
        let count = accounts.organizations().len();
        let mut used = vec![(0, 0); count + 1];
        for (owned, busy) in self.owned.iter().zip(accounts.busy()) {
            for owner in [owned.owner.index(), count] {
                used[owner].0 += busy;
                used[owner].1 += i128::from(owned.processors) * length;
            }
        }
        let all = accounts.organizations().iter().chain([&grid]);
        for (index, account) in all.enumerate() {
            let (busy, time) = used[index];
            let detail = if index == count { of_grid } else { of_each };
            let has_quantiles = detail == Detail::Full && !accounts.is_batched();
            precision::put(&mut self.sample, index, account, busy, time);
            if has_quantiles {
                let values = account.distributions();
                self.groups[index].add(values.map(|(_, values)| values.mark_of_histogram()));
            }
            if let Some(makespan) = account.makespan() {
                self.makespans[index].record(makespan.ticks() as u64);
            }
        }
        if count > 1 {
            let flows = accounts.organizations().iter().filter_map(|one| one.flow.mean());
            self.sample.put_mean(count, Metric::Fairness.measure(), jain(flows));
        }
        self.replications.push(Replication {
            number: self.replications.len() as u32,
            end,
            window,
            uncounted: accounts.uncounted(),
        });
        self.sample.end_replication();
        for (sum, busy) in self.busy.iter_mut().zip(accounts.busy()) {
            *sum += busy;
        }
        self.length += length;
        self.controls.add(&grid);
        self.loads.add(accounts.organizations());
        self.accounts.merge(accounts);
        self.wakes += wakes;
    }

    /// Adds the data of the same replication that test for a steady state.
    pub fn add_steadiness(&mut self, early: &Early, typical: &Typical) {
        self.growth.add(early.flows.pairs());
        self.typical.merge(typical);
        self.controls.add_jobs(typical);
    }

    /// Adds the time series of the same replication, if they were recorded.
    pub fn add_timeline(&mut self, timeline: Option<Timeline>) {
        if let Some((timelines, timeline)) = self.timelines.as_mut().zip(timeline) {
            timelines.add(timeline);
        }
    }

    /// Holdings by organization, and last those of the whole grid. O(organizations + clusters).
    pub fn holdings(&self) -> Vec<Holding> {
        let count = self.accounts.organizations().len();
        let mut holdings = vec![Holding::default(); count + 1];
        for (cluster, busy) in self.owned.iter().zip(&self.busy) {
            for owner in [cluster.owner.index(), count] {
                holdings[owner].clusters += 1;
                holdings[owner].processors += u64::from(cluster.processors);
                holdings[owner].busy += busy;
            }
        }
        for holding in &mut holdings {
            let all = i128::from(holding.processors) * self.length;
            holding.utilization = (all > 0).then(|| holding.busy as f64 / all as f64);
        }
        holdings
    }

    /// Confidence intervals of an organization's figures, given its account.
    ///
    /// The index after the last organization is the whole grid.
    pub fn precision(&self, index: usize, account: &Account) -> Precision {
        self.precision_at(index, account, self.accounts.level())
    }

    /// The same intervals at another level.
    fn precision_at(&self, index: usize, account: &Account, level: Level) -> Precision {
        if self.replications.len() > 1 {
            if !self.differs[index] {
                return Precision::default();
            }
            let of = |metric| self.over_replications(index, metric, level);
            return precision::over_replications(of, &self.groups[index], account, level);
        }
        let is_grid = index == self.accounts.organizations().len();
        let organization = (!is_grid).then_some(OrganizationId(index as u32));
        match self.accounts.batches(organization) {
            Some((marks, jobs)) if marks.len() > 1 => {
                precision::of_batches(marks, jobs, account, level)
            }
            _ => Precision::default(),
        }
    }

    /// Mean flow time of the whole grid, controlled by the drawn jobs; `None` if there are fewer
    /// than 20 replications, they differ in their numbers of jobs, or no model is known.
    pub fn controlled_flow(&self) -> Option<Controlled> {
        self.controls.of(0)
    }

    /// Mean waiting time, as [`controlled_flow`](Results::controlled_flow).
    pub fn controlled_wait(&self) -> Option<Controlled> {
        self.controls.of(1)
    }

    /// Mean of a measure over the replications, with its interval.
    pub fn mean_of(&self, index: usize, metric: Metric) -> (Option<f64>, Option<Estimate>) {
        let mean = self.sample.mean(index, metric.measure());
        (mean, self.over_replications(index, metric, self.sample.level()))
    }

    /// The interval of a mean over the replications.
    pub fn over_replications(
        &self,
        index: usize,
        metric: Metric,
        level: Level,
    ) -> Option<Estimate> {
        // Agreement between identical repetitions says nothing about precision.
        let sections = self.sample.sections(index, metric.measure());
        let estimate =
            Estimate::of_replications(&sections, level).filter(|_| self.differs[index])?;
        Some(estimate.within(metric.measure()))
    }

    /// Significant growth of the mean flow time from early to late parts of replications.
    ///
    /// Not reported for overloaded grids, which have their own warning.
    pub fn grows(&self) -> Option<Grows> {
        let is_overloaded = self.loads.parts().iter().any(|part| part.overload().is_some());
        self.growth.grows(CHANCE).filter(|_| !is_overloaded)
    }
}

impl Findings for Results {
    crate::sample_at!(sample);

    fn close(&mut self) {
        self.accounts.close();
        self.makespans.iter_mut().for_each(Distribution::close);
    }

    fn figures_of(&self, unit: usize, level: Level) -> Vec<Figure> {
        let accounts = self.accounts.organizations();
        let all = (unit == accounts.len()).then(|| self.accounts.grid());
        let account = all.as_ref().unwrap_or_else(|| &accounts[unit]);
        let precision = self.precision_at(unit, account, level);
        let filled = |metric: Metric| self.sample.sections(unit, metric.measure()).filled();
        let mut figures = self.sample.figures_of(unit, level);
        if !self.differs[unit] {
            // Agreement between identical repetitions says nothing about precision.
            figures.iter_mut().for_each(|one| {
                let filled = self.sample.sections(unit, one.measure).filled();
                *one = Figure::new(one.measure, one.mean, None, filled);
            });
        }
        for figure in precision::figures(account, &precision, filled) {
            match figures.iter_mut().find(|one| one.measure == figure.measure) {
                Some(one) => *one = figure,
                None => figures.push(figure),
            }
        }
        let is_makespan = |one: &&mut Figure| one.measure == Metric::Makespan.measure();
        figures.iter_mut().find(is_makespan).expect("it is one").mean = self.makespans[unit].mean();
        figures
    }

    fn series(&self, unit: usize, measure: &Measure) -> Option<Comparable> {
        match (measure.is_quantile(), &self.weeks) {
            (true, _) => comparable::by_sections(self.groups.get(unit)?, measure),
            (false, Some(weeks)) if self.replications.len() == 1 => {
                comparable::by_week(weeks, unit, measure.metric()?)
            }
            (false, _) => {
                let values = self.sample.series(unit, measure)?;
                Some(Comparable::of_replications(values, None))
            }
        }
    }

    fn hold(&self) -> Hold {
        Hold {
            is_short: self.grows().is_some(),
            held: self.typical.departure().map(|departure| departure.brief()),
        }
    }

    fn jobs_of(&self, unit: usize) -> u64 {
        let accounts = self.accounts.organizations();
        match accounts.get(unit) {
            Some(account) => account.jobs.finished,
            None => accounts.iter().map(|one| one.jobs.finished).sum(),
        }
    }
}
