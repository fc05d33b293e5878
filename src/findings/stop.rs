//! Sequential stopping of a run when confidence intervals are narrow enough (`until.precision`).
//!
//! The interval tested is the one that the reports print; several figures are tested by wider ones,
//! which hold at once at the level of the reports (Bonferroni). A `Goal` says how many replications to
//! run, and is asked again when they have been added in the order of their numbers. It checks at points
//! that depend only on earlier results, never on a clock or on threads.

use super::Findings;
use super::ended::{Ended, Why};
use super::measure::Measure;
use super::sample::Figure;
use super::since::Since;
use super::target::{By, Precision};
use stats::interval::Interval;
use stats::sequential::REPLICATIONS;

/// Number of replications to run, fixed or decided by the stopping rule.
#[derive(Clone, Debug)]
pub struct Goal {
    precision: Option<Precision>,
    wanted: u32,
    most: u32,
    looks: u32,
    since: Since,
    held: Option<&'static str>,
    ended: Option<Ended>,
}

/// Reasons not to end a run although its intervals are narrow.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hold {
    /// True if replications are too short for their warm-up.
    pub is_short: bool,
    /// Departure of the jobs so far from their distribution, in words.
    pub held: Option<&'static str>,
}

/// Result of one look at the intervals.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// The interval of each target figure; `None` if it has none yet.
    intervals: Vec<Option<Interval>>,
    hold: Hold,
}

impl Look {
    /// Looks at what a world's replications found so far.
    pub fn at(precision: &Precision, findings: &impl Findings) -> Look {
        Look { intervals: findings.intervals(precision), hold: findings.hold() }
    }
}

impl From<Vec<Option<Interval>>> for Look {
    fn from(intervals: Vec<Option<Interval>>) -> Look {
        Look { intervals, ..Look::default() }
    }
}

/// Assumed factor by which an interval is too wide while the jobs are not typical.
pub const HELD: f64 = std::f64::consts::SQRT_2;

impl Goal {
    /// A fixed number of replications, whatever they find.
    pub fn fixed(replications: u32) -> Goal {
        Goal {
            precision: None,
            wanted: replications,
            most: replications,
            looks: 0,
            since: Since::default(),
            held: None,
            ended: None,
        }
    }

    /// The goal of a run with this target, before any replication has been added.
    ///
    /// Without a target by replications their number is fixed; otherwise it is their maximum.
    pub fn new(replications: u32, precision: Option<&Precision>) -> Goal {
        let mut goal = Goal::fixed(replications);
        if let Some(precision) = precision.filter(|one| one.by == By::Replications) {
            goal.wanted =
                u32::try_from(precision.at_least).map_or(goal.most, |one| one.min(goal.most));
            goal.precision = Some(precision.clone());
        }
        goal
    }

    /// Total number of replications to add before the next look.
    ///
    /// If the number is unchanged after they have been added and checked, there are enough.
    pub fn wanted(&self) -> u32 {
        self.wanted
    }

    /// The outcome, if the target precision has been decided on.
    pub fn ended(&self) -> Option<Ended> {
        self.ended.clone()
    }

    /// Reason why the run goes on although the interval was narrow enough at the last look.
    pub fn held(&self) -> Option<&'static str> {
        self.held
    }

    /// Looks after `count` replications; the intervals are computed only if a look is due.
    pub fn added<L: Into<Look>>(&mut self, count: u32, look: impl FnOnce(&Precision) -> L) {
        let Some(precision) = &self.precision else { return };
        if count < self.wanted || self.ended.is_some() {
            return;
        }
        self.looks += 1;
        let Look { intervals, hold: Hold { is_short, held } } = look(precision).into();
        let all: Vec<_> = intervals
            .into_iter()
            .map(|one| one.map(|one| precision.width.times_too_wide(one)))
            .collect();
        self.since.look(self.looks, &all);
        let times = widest(&all);
        let is_narrow = times.is_some_and(|times| times <= 1.0);
        self.held = held.filter(|_| is_narrow);
        let times = if self.held.is_some() { times.map(|_| HELD) } else { times };
        let why = match times {
            _ if is_narrow && is_short => Some(Why::TooShort),
            Some(times) if times <= 1.0 => Some(Why::Precision),
            _ if count >= self.most => Some(Why::AtMost),
            _ => None,
        };
        self.ended = why.map(|why| Ended { why, looks: self.looks, since: self.since.clone() });
        tracing::info!(count, times, ?why, "looked at the precision");
        if why.is_none() {
            let next = REPLICATIONS.next(count.into(), times);
            self.wanted = u32::try_from(next).map_or(self.most, |next| next.min(self.most));
        }
    }
}

/// Ratio for the least known of several figures; `None` if one of them has no interval.
pub fn widest(times: &[Option<f64>]) -> Option<f64> {
    times.iter().try_fold(0.0_f64, |most, times| Some(most.max((*times)?)))
}

/// The intervals of the target figures.
///
/// A single figure has the interval of the reports. Several are wider, so that all hold at once at
/// the level of the reports.
pub fn intervals(
    precision: &Precision,
    findings: &(impl Findings + ?Sized),
) -> Vec<Option<Interval>> {
    let level = precision.level_of_each(findings.sample().level());
    let unit = findings.sample().target(precision);
    of_figures(precision, &findings.figures_of(unit, level))
}

/// The intervals of the target figures among these figures of their unit.
///
/// A quantile that the sample does not bound has none.
pub(crate) fn of_figures(precision: &Precision, figures: &[Figure]) -> Vec<Option<Interval>> {
    let interval = |measure: &&Measure| {
        let found = figures.iter().find(|figure| figure.measure == *measure)?;
        found.interval.filter(|interval| interval.high.is_finite())
    };
    precision.metrics.iter().map(interval).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::Width;

    fn goal(at_least: u32) -> Goal {
        let precision = Precision {
            metrics: vec![crate::measure::Metric::Flow.measure()],
            width: Width::Relative(0.1),
            organizations: None,
            by: By::Replications,
            at_least: at_least.into(),
            at_most: 100,
        };
        Goal { precision: Some(precision), wanted: at_least, most: 100, ..Goal::fixed(0) }
    }

    fn one(figure: f64, half_width: f64) -> Vec<Option<Interval>> {
        vec![Some(Interval::around(figure, half_width))]
    }

    fn ended(goal: &Goal) -> Option<(Why, u32)> {
        goal.ended().map(|ended| (ended.why, ended.looks))
    }

    #[test]
    fn replications_are_added_until_the_interval_is_narrow_enough() {
        let mut goal = goal(20);
        goal.added(19, |_| -> Look { panic!("it is too early to look") });
        goal.added(20, |_| one(10.0, 1.5));
        assert_eq!((goal.wanted(), goal.ended()), (45, None));
        goal.added(45, |_| one(10.0, 1.0));
        assert_eq!((goal.wanted(), ended(&goal)), (45, Some((Why::Precision, 2))));
    }

    #[test]
    fn the_bound_ends_what_is_never_known() {
        let mut goal = goal(20);
        for (count, next) in [(20, 80), (80, 100), (100, 100)] {
            goal.added(count, |_| vec![None]);
            assert_eq!(goal.wanted(), next);
        }
        assert_eq!(ended(&goal), Some((Why::AtMost, 3)));
    }

    #[test]
    fn short_replications_and_missing_jobs_are_not_precise() {
        let narrow = || Look::from(one(10.0, 0.5));
        let mut short = goal(20);
        short.added(20, |_| Look { hold: Hold { is_short: true, held: None }, ..narrow() });
        assert_eq!(ended(&short), Some((Why::TooShort, 1)));
        let mut held = goal(20);
        held.added(20, |_| Look {
            hold: Hold { held: Some("large jobs are missing"), is_short: false },
            ..narrow()
        });
        assert_eq!((held.wanted(), held.ended()), (41, None));
        assert_eq!(held.held(), Some("large jobs are missing"));
        held.added(41, |_| narrow());
        assert_eq!(held.held(), None);
        assert_eq!(ended(&held), Some((Why::Precision, 2)));
        // A wide interval is enough of a reason to go on.
        let mut wide = goal(20);
        let look = Look { hold: Hold { held: Some("x"), is_short: true }, ..one(10.0, 1.5).into() };
        wide.added(20, |_| look);
        assert_eq!((wide.wanted(), wide.ended(), wide.held()), (45, None, None));
    }

    #[test]
    fn what_does_not_vary_is_known_at_once() {
        let mut goal = goal(2);
        goal.added(2, |_| one(0.0, 0.0));
        assert_eq!(ended(&goal), Some((Why::Precision, 1)));
    }

    /// The least known figure says how many more are needed, and one without an interval is unknown.
    #[test]
    fn several_figures_are_known_when_each_is() {
        let mut goal = goal(20);
        let at = |half: f64| Some(Interval::around(10.0, half));
        goal.added(20, |_| vec![at(0.5), at(1.2), None]);
        assert_eq!((goal.wanted(), goal.ended()), (80, None));
        goal.added(80, |_| vec![at(0.4), at(0.9), at(1.1)]);
        assert_eq!((goal.wanted(), goal.ended()), (97, None));
        goal.added(97, |_| vec![at(1.01), at(0.9), at(1.0)]);
        assert_eq!((goal.wanted(), goal.ended()), (100, None));
        goal.added(100, |_| vec![at(1.0), at(0.9), at(1.0)]);
        let ended = goal.ended().expect("all are known");
        assert_eq!((ended.why, ended.looks), (Why::Precision, 4));
        assert_eq!([0, 1, 2].map(|at| ended.since.of(at)), [Some(4), Some(2), Some(3)]);
        // All are held back together.
        let mut held = Goal { precision: goal.precision, wanted: 20, most: 100, ..Goal::fixed(0) };
        let hold = Hold { held: Some("x"), is_short: false };
        let look = Look { hold, ..vec![at(0.1), at(0.9), at(0.2)].into() };
        held.added(20, |_| look);
        assert_eq!((held.wanted(), held.held()), (41, Some("x")));
    }
}
