//! Two or more runs of the same draws compared: the difference of every figure, and what it says.
//!
//! The first run is the base, and every other one is compared with it, unit by unit and measure by
//! measure, by [pairs of replications](stats::paired). Some measures are *judged*: verdicts on
//! them hold together at the level of the intervals, by Holm's correction over all of them. The
//! others are shown as they are.

use super::measure::{Better, Measure};
use super::{Findings, Of, unit};
use kernel::order::InOrder as _;
use kernel::parallel;
use kernel::rng::Streams;
use stats::interval::{Interval, Level};
use stats::paired::{By, Change, Paired, Spread, Weighed, holm, resamples, spreads};

/// Relative difference that an interval must exclude, before two figures are called alike.
pub const TELLING: f64 = 0.05;

/// A figure of one run, compared with that of the base.
#[derive(Clone, Debug, PartialEq)]
pub struct Contrast {
    /// Index of the run; the base is 0.
    pub arm: usize,
    /// Organization or player, class of them, or `*` for all together.
    pub unit: String,
    /// The measure.
    pub measure: &'static Measure,
    /// The figure of the base.
    pub base: f64,
    /// The figure of the run.
    pub other: f64,
    /// Intervals and p-values of the difference; `None` without pairs.
    pub tested: Option<Tested>,
    /// True if both runs have weeks, and these have other jobs: nothing is paired.
    pub has_other_jobs: bool,
    /// True if the verdict is one of those that hold together; false for the only organization, whose
    /// verdict is that of all.
    pub is_judged: bool,
    /// The verdict.
    pub verdict: Verdict,
}

/// Intervals and p-values of a difference, from pairs of replications or weeks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    /// Number of pairs: replications, or groups of them.
    pub pairs: u64,
    /// Interval of the difference.
    pub difference: Interval,
    /// Interval of the relative difference, other / base - 1, by the same test; `None` unless both are
    /// above 0.
    pub relative: Option<Interval>,
    /// Both intervals as they hold together with those of all judged differences; their own, if it is
    /// not judged.
    pub together: (Interval, Option<Interval>),
    /// The difference that would be found in 8 of 10 such comparisons.
    pub found_in_most: f64,
    /// Its method.
    pub method: By,
    /// Number of pairs that would do for Student's t, by the skewness of the differences.
    pub enough: u64,
    /// p-value of no difference.
    pub p: f64,
    /// The same corrected for the number of judged differences, by Holm; `None` if it is not judged.
    pub p_holm: Option<f64>,
    /// Variance of the difference with independent draws over its variance with the same draws.
    pub saved: Option<f64>,
}

impl Tested {
    /// True if its pairs are weeks.
    pub fn is_by_week(&self) -> bool {
        self.method == By::Weeks
    }

    /// True if the error of the difference is known well enough to tell which difference is found in at
    /// least 8 of 10 cases: from 8 pairs on, if they are not skewed.
    pub fn tells_power(&self) -> bool {
        self.found_in_most.is_finite() && self.pairs >= 8 && self.method != By::Bootstrap
    }
}

/// Verdict on a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The run is better than the base.
    Better,
    /// The run is worse than the base.
    Worse,
    /// The figure is higher, which is neither better nor worse.
    Higher,
    /// The figure is lower, which is neither better nor worse.
    Lower,
    /// There is no difference of [`TELLING`] or more, by the interval that holds together with the
    /// others.
    Alike,
    /// The figure is the same in every replication.
    Same,
    /// There may be a difference or none.
    CannotTell,
    /// There are no pairs of replications, so that nothing is known of chance.
    NoPairs,
}

impl Verdict {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::Higher => "higher",
            Verdict::Lower => "lower",
            Verdict::Alike => "alike",
            Verdict::Same => "same",
            Verdict::CannotTell => "cannot_tell",
            Verdict::NoPairs => "no_pairs",
        }
    }

    /// True if it says that the figures differ.
    pub fn is_different(self) -> bool {
        matches!(self, Verdict::Better | Verdict::Worse | Verdict::Higher | Verdict::Lower)
    }

    fn of(measure: &Measure, change: f64) -> Verdict {
        match (measure.better, change < 0.0) {
            (Better::Less, true) | (Better::More, false) => Verdict::Better,
            (Better::Less, false) | (Better::More, true) => Verdict::Worse,
            (Better::Neither, true) => Verdict::Lower,
            (Better::Neither, false) => Verdict::Higher,
        }
    }
}

impl Contrast {
    /// The relative difference; `None` unless both figures are above 0.
    pub fn relative(&self) -> Option<f64> {
        (self.base > 0.0 && self.other > 0.0).then(|| self.other / self.base - 1.0)
    }

    /// The difference.
    pub fn difference(&self) -> f64 {
        self.other - self.base
    }

    /// True if the interval leaves no room for a difference of [`TELLING`].
    fn is_alike(&self) -> bool {
        let around_zero = Interval::around(0.0, TELLING);
        self.tested.and_then(|one| one.together.1).is_some_and(|relative| {
            around_zero.covers(relative.low) && around_zero.covers(relative.high)
        })
    }
}

/// The figures of a unit in two runs, before they are judged.
#[derive(Clone, Debug)]
struct Found {
    of: Contrast,
    paired: Option<Paired>,
}

/// Compares each run with the first, by all measures that both have.
///
/// `seed` keys the draws of bootstrap samples; `is_judged` tells the measures whose verdicts hold
/// together at the `level` of the intervals.
pub fn contrasts(
    arms: &[&dyn Findings],
    level: Level,
    seed: u64,
    is_judged: impl Fn(&Measure) -> bool + Sync,
) -> Vec<Contrast> {
    let Some((base, others)) = arms.split_first() else { return Vec::new() };
    let lonely = lonely(*base);
    let found: Vec<Found> =
        (1..).zip(others).flat_map(|(arm, other)| of_two(*base, *other, arm)).collect();
    let is_counted = |one: &&Found| {
        one.paired.is_some() && is_judged(one.of.measure) && lonely.as_ref() != Some(&one.of.unit)
    };
    let judged = found.iter().filter(is_counted).count();
    let asked = Asked { level, judged, seed, is_judged: &is_judged };
    let some: Vec<&[Found]> = found.chunks(TOGETHER).collect();
    let all = parallel::map(some.len(), |at| tested(some[at], &asked));
    let all: Vec<Contrast> = all.into_iter().flatten().collect();
    let is_twin = |one: &Contrast| lonely.as_ref() == Some(&one.unit);
    let (mut twins, mut all): (Vec<Contrast>, Vec<Contrast>) = all.into_iter().partition(is_twin);
    judge(&mut all, level);
    for twin in &mut twins {
        let same = |one: &&Contrast| {
            (one.arm, one.measure, &*one.unit) == (twin.arm, twin.measure, unit::ALL)
        };
        if let Some(one) = all.iter().find(same) {
            *twin = Contrast { unit: twin.unit.clone(), is_judged: false, ..one.clone() };
        }
    }
    twins.extend(all);
    twins.order_by_key(|one| one.arm);
    twins
}

/// The name of the only organization; it is all of them, and needs no test of its own.
fn lonely(findings: &dyn Findings) -> Option<String> {
    match findings.sample().units() {
        [one, _] => Some(one.name.clone()),
        _ => None,
    }
}

/// The relative or absolute interval of a single difference, for a stopping rule.
pub fn difference(
    arms: [&dyn Findings; 2],
    arm: usize,
    unit: &str,
    measure: &'static Measure,
    level: Level,
    seed: u64,
) -> Option<Contrast> {
    let found = of_two(arms[0], arms[1], arm);
    let found = found.into_iter().find(|one| one.of.unit == unit && one.of.measure == measure)?;
    tested(&[found], &Asked { level, judged: 1, seed, is_judged: &|_| true }).pop()
}

/// The figures that two runs have in common.
fn of_two<'a>(
    base: &'a dyn Findings,
    other: &'a dyn Findings,
    arm: usize,
) -> impl Iterator<Item = Found> + 'a {
    let units = base.sample().units().iter().enumerate();
    units.flat_map(move |(at, unit)| {
        let pair = other.sample().unit_called(&unit.name);
        let figures =
            |findings: &dyn Findings, at: usize| findings.figures_of(at, findings.sample().level());
        let [ours, theirs] = match pair {
            Some(there) => [figures(base, at), figures(other, there)],
            None => [Vec::new(), Vec::new()],
        };
        ours.into_iter().filter_map(move |one| {
            let two = theirs.iter().find(|two| two.measure == one.measure)?;
            let (measure, unit) = (one.measure, unit.name.clone());
            let pairs = paired(base, other, [at, pair?], measure);
            let [base, other] = match &pairs {
                Pairs::Means(paired) => [paired.base, paired.other],
                _ => [one.mean?, two.mean?],
            };
            let of = Contrast {
                arm,
                unit,
                measure,
                base,
                other,
                tested: None,
                has_other_jobs: matches!(pairs, Pairs::OtherJobs),
                is_judged: false,
                verdict: Verdict::NoPairs,
            };
            let paired = match pairs {
                Pairs::Means(paired) | Pairs::Others(paired) => Some(paired),
                Pairs::OtherJobs | Pairs::None => None,
            };
            Some(Found { of, paired })
        })
    })
}

/// The pairs of a measure.
enum Pairs {
    /// Pairs whose pooled means are the figures.
    Means(Paired),
    /// Pairs of sections of figures that are no means.
    Others(Paired),
    /// Weeks with other jobs, which are no pairs.
    OtherJobs,
    /// No pairs.
    None,
}

/// Least part of the jobs that must be in weeks with the same jobs. A job at the end of a week may be in
/// the next one if the times of a trace are scaled.
const SAME_JOBS: f64 = 0.9;

/// The pairs of a measure.
fn paired(
    base: &dyn Findings,
    other: &dyn Findings,
    units: [usize; 2],
    measure: &Measure,
) -> Pairs {
    let [base, other] = [base.series(units[0], measure), other.series(units[1], measure)];
    let (Some(mut base), Some(mut other)) = (base, other) else { return Pairs::None };
    let is_by_week = base.of == Of::Weeks && other.of == Of::Weeks;
    if is_by_week {
        // In the last weeks, jobs may have ended in one run only.
        let weeks = base.values.len().max(other.values.len());
        [&mut base, &mut other].into_iter().for_each(|one| {
            one.values.resize(weeks, [0.0; 2]);
            one.jobs.resize(weeks, 0);
        });
    }
    if base.values.len() != other.values.len() {
        return Pairs::None;
    }
    let pairs = base.values.iter().zip(&other.values).map(|(&base, &other)| [base, other]);
    if is_by_week {
        let is_same = base.jobs.iter().zip(&other.jobs).map(|(one, other)| one == other);
        let jobs = |pair: &[Weighed; 2]| pair[0][1] + pair[1][1];
        let all: f64 = pairs.clone().map(|pair| jobs(&pair)).sum();
        let pairs: Vec<[Weighed; 2]> =
            pairs.zip(is_same).filter(|&(_, is_same)| is_same).map(|(pair, _)| pair).collect();
        if pairs.iter().map(jobs).sum::<f64>() < SAME_JOBS * all {
            return Pairs::OtherJobs;
        }
        return Paired::of(&pairs).map_or(Pairs::None, |paired| Pairs::Means(paired.in_order()));
    }
    let pairs: Vec<[Weighed; 2]> = pairs.collect();
    match base.whole.zip(other.whole) {
        Some((base, other)) => {
            Paired::of_sections([base, other], &pairs).map_or(Pairs::None, Pairs::Others)
        }
        None => Paired::of(&pairs).map_or(Pairs::None, Pairs::Means),
    }
}

/// Differences that are tested at a time by a thread, which bounds the bootstrap samples in memory.
const TOGETHER: usize = 64;

/// The test of differences.
struct Asked<'a> {
    /// Level of each interval, and of all verdicts together.
    level: Level,
    /// Number of judged differences.
    judged: usize,
    /// Keys the bootstrap samples.
    seed: u64,
    is_judged: &'a (dyn Fn(&Measure) -> bool + Sync),
}

/// Adds what the pairs tell.
fn tested(found: &[Found], asked: &Asked<'_>) -> Vec<Contrast> {
    let changes: Vec<&Change> =
        found.iter().filter_map(|one| Some(&one.paired.as_ref()?.difference)).collect();
    let draws = |pairs: usize| Streams::new(asked.seed).stream(&format!("compare/{pairs}"));
    let mut spreads = spreads(&changes, resamples(asked.judged, asked.level), draws).into_iter();
    let tell = |one: &Found| match &one.paired {
        Some(paired) => told(&one.of, paired, &spreads.next().expect("one a change"), asked),
        None => one.of.clone(),
    };
    found.iter().map(tell).collect()
}

/// A difference with what its pairs tell.
fn told(of: &Contrast, paired: &Paired, spread: &Spread, asked: &Asked<'_>) -> Contrast {
    let level = asked.level;
    let is_judged = (asked.is_judged)(of.measure);
    let of_each = level.of_each(if is_judged { asked.judged } else { 1 });
    let intervals = [level, of_each]
        .map(|level| (spread.interval(of.difference(), level), paired.relative(spread, level)));
    let tested = Tested {
        pairs: paired.pairs,
        difference: intervals[0].0,
        relative: intervals[0].1,
        together: intervals[1],
        found_in_most: spread.found_in_most(level),
        method: spread.by(),
        enough: paired.difference.enough,
        p: spread.p(of.difference()),
        p_holm: None,
        saved: paired.saved,
    };
    Contrast { tested: Some(tested), is_judged, ..of.clone() }
}

/// Corrects the judged p-values, and finds all verdicts.
fn judge(all: &mut [Contrast], level: Level) {
    let judged: Vec<usize> =
        (0..all.len()).filter(|&at| all[at].is_judged && all[at].tested.is_some()).collect();
    let p: Vec<f64> = judged.iter().filter_map(|&at| Some(all[at].tested?.p)).collect();
    for (&at, corrected) in judged.iter().zip(holm(&p)) {
        if let Some(tested) = &mut all[at].tested {
            tested.p_holm = Some(corrected);
        }
    }
    let beyond = 1.0 - level.share();
    for one in all {
        let Some(tested) = one.tested else { continue };
        let has_width = tested.difference.half_width() > 0.0;
        one.verdict = match one.difference() {
            change if !has_width && change == 0.0 => Verdict::Same,
            change if tested.p_holm.unwrap_or(tested.p) <= beyond => {
                Verdict::of(one.measure, change)
            }
            _ if one.is_alike() => Verdict::Alike,
            _ => Verdict::CannotTell,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Metric;
    use crate::sample::Sample;
    use crate::unit::units;

    fn sample(values: &[[f64; 2]]) -> Sample {
        let names = ["a".to_owned()];
        let measures = [Metric::Flow.measure(), Metric::Utilization.measure()];
        let mut sample = Sample::new(units(&names, &[]), measures, Level::default(), false);
        for &[flow, utilization] in values {
            for unit in [0, 1] {
                sample.put(unit, measures[0], flow * 10.0, 10.0);
                sample.put(unit, measures[1], utilization, 1.0);
            }
            sample.end_replication();
        }
        sample
    }

    #[test]
    fn verdicts_say_which_is_better_and_what_is_not_known() {
        let base = sample(&[[100.0, 0.5], [120.0, 0.5], [140.0, 0.5], [160.0, 0.5]]);
        let faster = sample(&[[80.0, 0.5], [99.0, 0.5], [121.0, 0.5], [140.0, 0.5]]);
        let noisy = sample(&[[160.0, 0.5], [100.0, 0.5], [150.0, 0.5], [120.0, 0.5]]);
        let arms: [&dyn Findings; 3] = [&base, &faster, &noisy];
        let is_flow = |measure: &Measure| measure.name == "flow";
        let all = contrasts(&arms, Level::default(), 1, is_flow);
        let told: Vec<_> = all
            .iter()
            .map(|one| (one.arm, &*one.unit, one.measure.name, one.verdict, one.is_judged))
            .collect();
        let expected = [
            (1, "a", "flow", Verdict::Better, false),
            (1, "a", "utilization", Verdict::Same, false),
            (1, "*", "flow", Verdict::Better, true),
            (1, "*", "utilization", Verdict::Same, false),
            (2, "a", "flow", Verdict::CannotTell, false),
            (2, "a", "utilization", Verdict::Same, false),
            (2, "*", "flow", Verdict::CannotTell, true),
            (2, "*", "utilization", Verdict::Same, false),
        ];
        assert_eq!(told, expected);
        let first = all[0].tested.unwrap();
        assert!(first.saved.unwrap() > 100.0 && first.p_holm.unwrap() > first.p);
        assert!((all[0].relative().unwrap() - (110.0 / 130.0 - 1.0)).abs() < 1e-12);
    }

    /// 20, 21, 18 and 21 less: skewed, by Cochran's rule, and too few to know how much.
    #[test]
    fn a_few_skewed_differences_tell_nothing() {
        let base = sample(&[[100.0, 0.5], [120.0, 0.5], [140.0, 0.5], [160.0, 0.5]]);
        let faster = sample(&[[80.0, 0.5], [99.0, 0.5], [122.0, 0.5], [139.0, 0.5]]);
        let all = contrasts(&[&base, &faster], Level::default(), 1, |_| true);
        let tested = all[0].tested.unwrap();
        assert_eq!((all[0].verdict, tested.method), (Verdict::CannotTell, By::TooFew));
        assert_eq!((tested.p, tested.relative.unwrap().high), (1.0, f64::INFINITY));
        assert!(tested.difference.low.is_infinite() && tested.enough > 4, "{tested:?}");
    }

    #[test]
    fn one_replication_shows_a_difference_and_tells_nothing() {
        let (base, other) = (sample(&[[100.0, 0.5]]), sample(&[[80.0, 0.5]]));
        let all = contrasts(&[&base, &other], Level::default(), 1, |_| true);
        assert!(all.iter().all(|one| one.verdict == Verdict::NoPairs && one.tested.is_none()));
        assert_eq!(all[0].difference(), -20.0);
    }
}
