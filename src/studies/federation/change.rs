//! Differences of worlds with their intervals.

use super::Flows;
use kernel::rng::Streams;
use stats::interval::{Interval, Level};
use stats::paired::{Paired, RESAMPLES, Spread, Weighed, spreads};
use stats::shown::percent;

/// The change of a mean flow time from one world to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Mean flow time before.
    pub before: f64,
    /// Mean flow time after.
    pub after: f64,
    /// The interval of the difference, after less before, if the pairs tell one.
    pub interval: Option<Interval>,
    /// That of the relative difference.
    pub relative: Option<Interval>,
}

impl Change {
    /// After less before.
    pub fn difference(&self) -> f64 {
        self.after - self.before
    }

    /// True if flow times surely get shorter.
    pub fn is_shorter(&self) -> bool {
        self.interval.is_some_and(|one| one.high < 0.0)
    }
}

/// A relative change with its sign: `-12.3%`.
pub(super) fn changed(share: f64) -> String {
    let sign = if share > 0.0 { "+" } else { "" };
    format!("{sign}{}", percent(share))
}

/// The change of an organization's mean, or of that of all, from one world to another, at a level; by
/// replications, or by rounds in their order.
pub(super) fn change(
    by_round: bool,
    [before, after]: [&Flows; 2],
    whose: usize,
    level: Level,
) -> Change {
    let pairs: Vec<[Weighed; 2]> =
        before[whose].iter().zip(&after[whose]).map(|(one, other)| [*one, *other]).collect();
    let [base, other] = [before, after].map(|flows| super::pooled(flows[whose].iter().copied())[0]);
    let paired = Paired::of(&pairs).filter(|_| base != other);
    let paired = paired.map(|one| if by_round { one.in_order() } else { one });
    let spread = paired.as_ref().map(|one| {
        let rng = |pairs: usize| Streams::new(1).stream(&format!("pairs/{pairs}"));
        let all: Vec<Spread> = spreads(&[&one.difference], RESAMPLES, rng);
        all.into_iter().next().expect("there is one change")
    });
    let both = paired.as_ref().zip(spread.as_ref());
    let is_told = |interval: &Interval| interval.low.is_finite() && interval.high.is_finite();
    Change {
        before: base,
        after: other,
        interval: both
            .map(|(one, spread)| spread.interval(one.difference.value, level))
            .filter(is_told),
        relative: both.and_then(|(one, spread)| one.relative(spread, level)).filter(is_told),
    }
}
