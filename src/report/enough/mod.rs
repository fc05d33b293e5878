//! `until.precision`: are there enough replications, or was one run long enough, for the interval
//! that the reports print to be as narrow as wanted?
//!
//! A [`Goal`] says how many replications there are to be, and is asked again when they have been
//! added, in the order of their numbers; a [`Watch`] is an observer that says when to look at the
//! batches of one run. Both look at points that follow from what was found before, never at a clock
//! or at threads. [`Known`] is what came of it, for people and for files.

mod known;
mod watch;

pub use known::Known;
pub use watch::Watch;

use serde::{Deserialize, Serialize};

use super::coalition::{Learned, Unit};
use super::precision::Precision as Printed;
use super::results::Results;
use crate::model::ids::OrganizationId;
use crate::scenario::plan::Plan;
use crate::scenario::plan::precision::{By, Metric, Precision};
use crate::sim::accounts::Accounts;
use crate::stats::interval::Interval;
use crate::stats::sequential::REPLICATIONS;

/// How a run for precision ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Why.
    pub why: Why,
    /// How often the interval was looked at.
    pub looks: u32,
}

/// Why a run for precision ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The interval is narrow enough.
    Precision,
    /// There were `at_most` replications or jobs.
    AtMost,
    /// No job comes any more.
    Drained,
}

/// How many replications there are to be.
#[derive(Clone, Debug)]
pub struct Goal {
    precision: Option<Precision>,
    wanted: u32,
    most: u32,
    looks: u32,
    ended: Option<Ended>,
}

impl Goal {
    /// So many, whatever they find.
    pub fn fixed(replications: u32) -> Goal {
        Goal { precision: None, wanted: replications, most: replications, looks: 0, ended: None }
    }

    /// Of a plan, before any replication was added.
    pub fn new(plan: &Plan) -> Goal {
        let mut goal = Goal::fixed(plan.replications);
        if let Some(precision) = plan.precision.as_ref().filter(|one| one.by == By::Replications) {
            goal.wanted =
                u32::try_from(precision.at_least).map_or(goal.most, |one| one.min(goal.most));
            goal.precision = Some(precision.clone());
        }
        goal
    }

    /// So many replications are to be added before it is looked again; when as many were, and it
    /// was looked, there are enough.
    pub fn wanted(&self) -> u32 {
        self.wanted
    }

    /// How it ended, if it has, and there was a precision to reach.
    pub fn ended(&self) -> Option<Ended> {
        self.ended
    }

    /// Looks, when so many replications were added; the interval is asked for only where it
    /// matters.
    pub fn added(&mut self, count: u32, interval: impl FnOnce(&Precision) -> Option<Interval>) {
        let Some(precision) = &self.precision else { return };
        if count < self.wanted || self.ended.is_some() {
            return;
        }
        self.looks += 1;
        let times = interval(precision).map(|interval| times_too_wide(precision, interval));
        let why = match times {
            Some(times) if times <= 1.0 => Some(Why::Precision),
            _ if count >= self.most => Some(Why::AtMost),
            _ => None,
        };
        self.ended = why.map(|why| Ended { why, looks: self.looks });
        tracing::info!(count, times, ?why, "looked at the precision");
        if why.is_none() {
            let next = REPLICATIONS.next(count.into(), times);
            self.wanted = u32::try_from(next).map_or(self.most, |next| next.min(self.most));
        }
    }
}

/// How many times an interval is as wide as it may be.
fn times_too_wide(precision: &Precision, interval: Interval) -> f64 {
    let figure = f64::midpoint(interval.low, interval.high);
    let (half_width, allowed) = (interval.half_width(), precision.width.around(figure));
    // Where nothing varies, nothing is too wide.
    if half_width == 0.0 { 0.0 } else { half_width / allowed }
}

/// The interval of a metric among those that are printed.
fn printed(metric: Metric, precision: &Printed) -> Option<Interval> {
    let estimate = match metric {
        Metric::Makespan => precision.makespan,
        Metric::Utilization => precision.utilization,
        _ => {
            let all = [Metric::Flow, Metric::Wait, Metric::Slowdown, Metric::BoundedSlowdown];
            let index = all.iter().position(|&one| one == metric)?;
            precision.distributions[index].mean
        }
    };
    estimate.map(|estimate| estimate.interval)
}

/// The interval of the figure that a precision is of, as it is printed of a grid.
pub fn of_grid(precision: &Precision, results: &Results) -> Option<Interval> {
    let organization = single(precision);
    let index = organization.map_or(results.accounts.organizations().len(), OrganizationId::index);
    let all = organization.is_none().then(|| results.accounts.grid());
    let account = all.as_ref().unwrap_or_else(|| &results.accounts.organizations()[index]);
    printed(precision.metric, &results.precision(index, account))
}

/// The same of one run that goes on, by its accounts alone.
fn of_batches(precision: &Precision, accounts: &Accounts) -> Option<Interval> {
    let organization = single(precision);
    let (marks, jobs) = accounts.batches(organization)?;
    let all = organization.is_none().then(|| accounts.grid());
    let index = organization.map_or(0, OrganizationId::index);
    let account = all.as_ref().unwrap_or_else(|| &accounts.organizations()[index]);
    (marks.len() > 1).then_some(())?;
    printed(precision.metric, &super::precision::of_batches(marks, jobs, account))
}

/// The same as it is printed of a coalition.
pub fn of_rounds(precision: &Precision, learned: &Learned) -> Option<Interval> {
    let unit = unit_of(precision, learned);
    let estimate = match precision.metric {
        Metric::Flow => unit.flow().1,
        metric => unit.interval(metric.name()),
    };
    estimate.map(|estimate| estimate.interval)
}

/// The one organization of a grid whose figure it is, if it is not that of all.
fn single(precision: &Precision) -> Option<OrganizationId> {
    precision.organizations.as_ref().map(|members| OrganizationId(members.start as u32))
}

/// The unit whose figure it is: where an entry's organizations are not a class, the class that they
/// are part of.
fn unit_of<'a>(precision: &Precision, learned: &'a Learned) -> &'a Unit {
    let Some(members) = &precision.organizations else { return learned.everyone() };
    let has_all =
        |unit: &&Unit| unit.members.start <= members.start && members.end <= unit.members.end;
    let units = learned.units.iter().filter(has_all);
    units.min_by_key(|unit| unit.members.len()).unwrap_or_else(|| learned.everyone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::plan::precision::Width;

    fn goal(at_least: u32) -> Goal {
        let precision = Precision {
            metric: Metric::Flow,
            width: Width::Relative(0.1),
            organizations: None,
            by: By::Replications,
            at_least: at_least.into(),
            at_most: 100,
        };
        Goal { precision: Some(precision), wanted: at_least, most: 100, looks: 0, ended: None }
    }

    #[test]
    fn replications_are_added_until_the_interval_is_narrow_enough() {
        let mut goal = goal(20);
        goal.added(19, |_| panic!("it is too early to look"));
        goal.added(20, |_| Some(Interval::around(10.0, 1.5)));
        assert_eq!((goal.wanted(), goal.ended()), (45, None));
        goal.added(45, |_| Some(Interval::around(10.0, 1.0)));
        let ended = Ended { why: Why::Precision, looks: 2 };
        assert_eq!((goal.wanted(), goal.ended()), (45, Some(ended)));
    }

    #[test]
    fn the_bound_ends_what_is_never_known() {
        let mut goal = goal(20);
        for (count, next) in [(20, 80), (80, 100), (100, 100)] {
            goal.added(count, |_| None);
            assert_eq!(goal.wanted(), next);
        }
        assert_eq!(goal.ended(), Some(Ended { why: Why::AtMost, looks: 3 }));
    }

    #[test]
    fn what_does_not_vary_is_known_at_once() {
        let mut goal = goal(2);
        goal.added(2, |_| Some(Interval::around(0.0, 0.0)));
        assert_eq!(goal.ended(), Some(Ended { why: Why::Precision, looks: 1 }));
    }
}
