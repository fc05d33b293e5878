//! Differences of coalitions with their intervals, and what follows from them.

use super::{Flows, Found, Members};
use kernel::rng::Streams;
use stats::interval::{Interval, Level};
use stats::paired::{Paired, RESAMPLES, Spread, Weighed, spreads};
use stats::shown::percent;

/// The change of a mean flow time from one coalition to another.
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

    /// True if they surely do not get shorter.
    pub fn is_no_shorter(&self) -> bool {
        self.before == self.after && self.interval.is_none()
            || self.interval.is_some_and(|one| one.low >= 0.0)
    }
}

/// A coalition, judged by what each organization would gain by changing its mind alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The coalition.
    pub members: Members,
    /// The mean flow time of all jobs, against that with everybody alone.
    pub all: Change,
    /// By organization: its flow time against that alone.
    pub saved: Vec<Change>,
    /// By organization: what it would have by leaving, or by joining.
    pub otherwise: Vec<Change>,
}

/// The judgement of a coalition's stability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whole {
    /// Nobody wants out, and nobody wants in.
    Stable,
    /// These would surely gain by changing their minds.
    Unstable(Vec<usize>),
    /// The intervals do not tell it of these.
    Unknown(Vec<usize>),
}

impl Verdict {
    /// Its stability.
    pub fn whole(&self) -> Whole {
        let those = |is_it: fn(&Change) -> bool| -> Vec<usize> {
            (0..self.otherwise.len()).filter(|&at| is_it(&self.otherwise[at])).collect()
        };
        let gain = those(Change::is_shorter);
        let open = those(|change| !change.is_no_shorter());
        match (gain.is_empty(), open.is_empty()) {
            (false, _) => Whole::Unstable(gain),
            (true, true) => Whole::Stable,
            (true, false) => Whole::Unknown(open),
        }
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

impl Found {
    fn change(&self, flows: [&Flows; 2], whose: usize, level: Level) -> Change {
        change(self.by_round, flows, whose, level)
    }

    /// Judges a coalition. Its statements on those who would change their minds hold together with a
    /// confidence of 95%, and so do those on what each saves.
    pub fn judged(&self, members: Members) -> Verdict {
        let count = self.names.len();
        let level = Level::default().of_each(count);
        let at = |members: Members| &self.flows[members as usize];
        let alone = at(0);
        let own = at(members);
        let organizations = 0..count;
        Verdict {
            members,
            all: self.change([alone, own], count, Level::default()),
            saved: (organizations.clone())
                .map(|one| self.change([alone, own], one, level))
                .collect(),
            otherwise: organizations
                .map(|one| self.change([own, at(members ^ 1 << one)], one, level))
                .collect(),
        }
    }

    /// The change of all jobs by pooling everybody: as divisible load, and as rigid jobs. Both intervals
    /// hold together.
    pub fn divisible(&self) -> Option<[Change; 2]> {
        let [alone, whole] = self.divisible.as_ref()?;
        let level = Level::default().of_each(2);
        let rigid = [&self.flows[0], &self.flows[self.whole() as usize]];
        let count = self.names.len();
        Some([[alone, whole], rigid].map(|flows| self.change(flows, count, level)))
    }
}
