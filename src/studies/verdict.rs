//! Verdicts on claims, and the rule behind them, which is the same for all papers.
//!
//! An exact claim is judged exactly: a calculated value must match to half a unit of its last digit.
//! For a measured one, the difference between the printed value and ours has a 95% interval: both
//! errors in quadrature, plus half a unit of the last printed digit, which is a bound and so is
//! added. The paper's error follows from its sample size and its printed standard deviation; exact
//! theory has none. The values *agree* if the interval of the difference covers 0 and is narrow
//! enough to exclude a difference of 5%. If it covers 0 and is wider, they are *compatible* where the
//! paper's own error exceeds 5% or is twice ours, so that a larger sample of ours would hardly tell
//! more; else ours is too small, and we *cannot tell*. Otherwise they *differ*, however small the difference, and the row says by how
//! much. Counts are [compared exactly](super::count). There is no other tolerance. A row that another reading of the paper would rescue is judged with its [whole
//! table](super::whole).

use super::number;
use super::sample::mean;
use report::table::Cell;
use report::words::wrapped::wrapped;
use serde::{Deserialize, Serialize};
use stats::interval::{Interval, Level};
use stats::student;

/// Relative difference that an interval must be able to exclude.
pub const TELLING: f64 = 0.05;

/// Properties of a paper that the rule depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Name for several of its samples: rounds, instances or replications.
    pub unit: &'static str,
    /// Number of samples behind each of its figures, as it says; of a paper without samples, the
    /// number that is tried of each kind.
    pub samples: u32,
    /// True if its figures are proved or calculated, and nothing is sampled.
    pub is_proved: bool,
    /// True if it shows a single sample of each setting, however many are played here.
    pub is_one_each: bool,
    /// Relative difference that an interval must be able to exclude.
    pub telling: f64,
}

impl Rule {
    /// The rule for a paper with so many samples behind each figure.
    pub const fn of(samples: u32, unit: &'static str) -> Rule {
        Rule { unit, samples, is_proved: false, is_one_each: false, telling: TELLING }
    }

    /// The rule for a paper that proves and samples nothing; so many instances are tried of each kind.
    pub const fn proved(samples: u32, unit: &'static str) -> Rule {
        Rule { is_proved: true, ..Rule::of(samples, unit) }
    }

    /// The rule for a paper that shows one sample of each setting; so many are played here.
    pub(crate) const fn one_each(samples: u32, unit: &'static str) -> Rule {
        Rule { is_one_each: true, ..Rule::of(samples, unit) }
    }

    /// A value estimated from the paper's samples, given the standard error of one sample.
    pub fn estimated(&self, value: f64, unit: f64, error_of_a_sample: f64) -> Printed {
        let sampling = student::normal_two_sided(Level::default().share()) * error_of_a_sample
            / f64::from(self.samples).sqrt();
        Printed { value, unit, sampling, telling: self.telling }
    }

    /// The rule in words for people, in lines of 100 characters.
    pub fn words(&self) -> String {
        let Rule { unit, samples, telling, is_proved, is_one_each } = self;
        let share = 100.0 * telling;
        let proved = "agrees: what the paper says of every instance holds on all that were tried; a \
                      calculated figure is met to its last printed digit; a measured figure has the sign \
                      that the paper says, with its whole 95% interval. differs: an instance breaks \
                      the claim, a figure is not met, or the interval has the other sign. cannot tell: \
                      the interval contains both. shown: the paper gives no figure. Every verdict is \
                      repeated with a second seed; \"another seed gives\" tells where that changes it.";
        let behind = match is_one_each {
            true => format!("from the spread of single {unit}, as it shows one of each setting"),
            false => format!("from its {samples} {unit} and its standard deviation"),
        };
        let sampled = format!(
            "agrees: the 95% interval of the difference from the paper contains 0 and rules out a \
             difference of {share}%. It allows for our error, the paper's error ({behind}) and the rounding of the last printed digit, and for \
             nothing else. compatible: the interval contains 0, but the paper's own error \
             exceeds {share}%, or is twice ours. cannot tell: our sample is too small. Shares of a few samples are \
             compared by Fisher's exact test. differs: the interval does not contain 0. depends: it differs, but under \
             another reading of the paper its whole table agrees. What is exact on both sides is met \
             to the last printed digit. Every verdict is repeated with a second seed; \"another seed \
             gives\" tells where that changes it."
        );
        let text = if *is_proved { proved.to_owned() } else { sampled };
        let lines = wrapped(&text, Some(100));
        lines.lines().map(str::trim_start).collect::<Vec<_>>().join("\n")
    }
}

/// Verdict on a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Our result is the same.
    Agrees,
    /// Our result is different, and we do not know why.
    Differs,
    /// The paper contradicts itself or its own definitions, as described.
    Errs(&'static str),
    /// The result depends on a choice that the paper leaves open, as described.
    Depends(String),
    /// Our result is the same within an error of the paper that is too large to tell more.
    Compatible,
    /// Our error is too large to tell.
    Open,
    /// The paper gives no value to compare with, so our result is just shown.
    Shown,
}

impl Verdict {
    /// Names of all verdicts, in the order of the summary.
    pub const NAMES: [&'static str; 7] =
        ["agrees", "compatible", "differs", "the paper errs", "depends", "cannot tell", "shown"];

    /// Name of the verdict.
    pub fn name(&self) -> &'static str {
        Verdict::NAMES[match self {
            Verdict::Agrees => 0,
            Verdict::Compatible => 1,
            Verdict::Differs => 2,
            Verdict::Errs(_) => 3,
            Verdict::Depends(_) => 4,
            Verdict::Open => 5,
            Verdict::Shown => 6,
        }]
    }

    /// Reason of the verdict, if it has one.
    pub fn reason(&self) -> Option<String> {
        match self {
            Verdict::Agrees
            | Verdict::Compatible
            | Verdict::Differs
            | Verdict::Open
            | Verdict::Shown => None,
            Verdict::Errs(why) => Some((*why).to_owned()),
            Verdict::Depends(why) => Some(why.clone()),
        }
    }

    /// Verdict on a yes-or-no claim of the paper.
    pub fn of(holds: bool) -> Verdict {
        if holds { Verdict::Agrees } else { Verdict::Differs }
    }

    /// Replaces a bare difference by one with a reason.
    #[must_use]
    pub fn or(self, reason: Verdict) -> Verdict {
        if self == Verdict::Differs { reason } else { self }
    }
}

/// A value as printed in the paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// The value.
    pub value: f64,
    /// Unit of its last digit; 0 if it is exact.
    pub unit: f64,
    /// Half-width of the 95% interval due to the paper's own sample; 0 if nothing was sampled.
    pub sampling: f64,
    /// Relative difference that an interval must be able to exclude.
    pub telling: f64,
}

impl Printed {
    /// A calculated value: exact theory, or one with a unit of its last digit.
    pub const fn calculated(value: f64, unit: f64) -> Printed {
        Printed { value, unit, sampling: 0.0, telling: TELLING }
    }

    /// Half-width of the interval of the true value, without sampling error and rounding.
    pub fn half_width(&self) -> f64 {
        self.sampling + self.unit / 2.0
    }

    /// Our measurement of the same quantity beside it.
    pub fn against(&self, ours: Measured) -> Compared {
        let both = libm::hypot(ours.half_width, self.sampling);
        let half_width = both + self.unit / 2.0;
        let z = student::normal_two_sided(Level::default().share());
        let off = (ours.value - self.value).abs() - self.unit / 2.0 * (1.0 + ROUNDING);
        let chance = match (off > ROUNDING * self.value.abs(), both > 0.0) {
            (false, _) => 1.0,
            (true, false) => 0.0,
            (true, true) => libm::erfc(off / both * z / std::f64::consts::SQRT_2),
        };
        let near = self.telling * self.value.abs();
        let (own, theirs) = (ours.half_width, self.half_width());
        let is_known = !ours.value.is_nan() && own.is_finite();
        Compared {
            paper: (*self).into(),
            ours: ours.into(),
            difference: Measured { value: ours.value - self.value, half_width },
            chance,
            is_telling: is_known && (both == 0.0 || half_width <= near),
            is_enough: is_known && (theirs > near.max(own) || theirs >= 2.0 * own),
        }
    }
}

/// Relative tolerance for floating-point rounding.
const ROUNDING: f64 = 1e-9;

/// A figure of the paper beside ours, and what both samples can tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Figure of the paper.
    pub paper: Figure,
    /// Our figure.
    pub ours: Figure,
    /// Our figure less the paper's, with its 95% interval.
    pub difference: Measured,
    /// Probability of such a difference if both are of one law.
    pub chance: f64,
    /// True if a difference of the size that matters would be seen.
    pub is_telling: bool,
    /// True if more samples of ours would hardly tell more.
    pub is_enough: bool,
}

impl Compared {
    /// The rule, the same for means, counts and ranks.
    pub fn verdict(&self) -> Verdict {
        match self {
            _ if self.chance < 1.0 - Level::default().share() => Verdict::Differs,
            Compared { is_telling: true, .. } => Verdict::Agrees,
            Compared { is_enough: true, .. } => Verdict::Compatible,
            _ => Verdict::Open,
        }
    }

    /// The figure of a single sample of the paper beside those of ours, by ranks: whatever their law is,
    /// any rank among them is equally likely for it. `unit` is that of its last digit.
    pub fn ranked(paper: f64, unit: f64, ours: &[f64]) -> Compared {
        let all = ours.len() as f64 + 1.0;
        let reach = |is: &dyn Fn(f64) -> bool| {
            (1 + ours.iter().filter(|&&one| is(one)).count()) as f64 / all
        };
        let (below, above) = (paper - unit / 2.0, paper + unit / 2.0);
        let tail = reach(&|one| one <= above).min(reach(&|one| one >= below));
        let near = TELLING * paper.abs() + unit / 2.0;
        let is_near = |one: &&f64| (**one - paper).abs() <= near;
        let level = Level::default().share();
        // Of so few no rank is unlikely enough.
        let is_enough = 2.0 / all < 1.0 - level;
        let all_near = ours.iter().filter(is_near).count() as f64 >= level * ours.len() as f64;
        let mean = mean(ours.iter().copied());
        Compared {
            paper: paper.into(),
            ours: mean.into(),
            difference: Measured { value: mean.value - paper, ..mean },
            chance: (2.0 * tail).min(1.0),
            is_telling: is_enough && all_near,
            is_enough,
        }
    }

    /// The largest value of so many of the paper beside those of ours.
    ///
    /// If both are of one distribution, any values of both together are equally likely to be the largest
    /// ones: the chance is that so many of ours are above all of the paper's. If none is, nothing is told:
    /// how far a largest value can go, no sample tells.
    pub fn largest(paper: f64, unit: f64, of: u64, ours: &[f64]) -> Compared {
        let reaching = ours.iter().filter(|&&one| one >= paper - unit / 2.0).count() as u64;
        let all = ours.len() as u64;
        let share = |before: u64| (all - before) as f64 / (all + of - before) as f64;
        let most = ours.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_reached = reaching > 0;
        Compared {
            paper: paper.into(),
            ours: most.into(),
            difference: Measured::exact(most - paper),
            chance: (0..reaching.min(all)).map(share).product(),
            is_telling: is_reached,
            is_enough: is_reached,
        }
    }
}

/// A measured value with the half-width of its 95% interval; 0 if it is exact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The value.
    #[serde(with = "number")]
    pub value: f64,
    /// Half-width of the interval.
    #[serde(with = "number")]
    pub half_width: f64,
}

impl Measured {
    /// A value without error.
    pub const fn exact(value: f64) -> Measured {
        Measured { value, half_width: 0.0 }
    }

    /// Confidence interval.
    pub fn interval(&self) -> Interval {
        Interval::around(self.value, self.half_width)
    }

    /// Verdict on the paper's claim that the value lies between two bounds.
    ///
    /// It agrees if the whole interval does, differs if none of it does, and is open otherwise.
    pub fn between(&self, low: f64, high: f64) -> Verdict {
        let ours = self.interval();
        if ours.high < low || high < ours.low {
            Verdict::Differs
        } else if low <= ours.low && ours.high <= high {
            Verdict::Agrees
        } else {
            Verdict::Open
        }
    }

    /// Verdict on the paper's claim that the value is above a bound.
    pub fn above(&self, bound: f64) -> Verdict {
        let ours = self.interval();
        if ours.low > bound {
            Verdict::Agrees
        } else if ours.high <= bound {
            Verdict::Differs
        } else {
            Verdict::Open
        }
    }

    /// Verdict on the paper's claim that the value is below a bound.
    pub fn below(&self, bound: f64) -> Verdict {
        Measured { value: -self.value, half_width: self.half_width }.above(-bound)
    }
}

/// A figure in the columns "paper" and "ours" of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Figure {
    /// No figure.
    None,
    /// A number, with its half-width or range if known.
    Number(#[serde(with = "number")] f64, #[serde(with = "number::if_known")] Option<f64>),
    /// Yes or no.
    Flag(bool),
    /// Words.
    Text(String),
}

impl Figure {
    /// The figure as a cell.
    pub fn cell(&self) -> Cell {
        match self {
            Figure::None => Cell::Missing,
            Figure::Number(value, _) => Cell::Number(*value),
            Figure::Flag(flag) => Cell::Flag(*flag),
            Figure::Text(text) => Cell::Text(text.clone()),
        }
    }

    /// The number after ± as a cell.
    pub fn error(&self) -> Cell {
        match self {
            Figure::Number(_, Some(error)) => Cell::Error(*error),
            _ => Cell::Missing,
        }
    }
}

impl From<Printed> for Figure {
    fn from(printed: Printed) -> Figure {
        // If nothing was sampled, the digits show the rounding.
        let half_width = (printed.sampling > 0.0).then_some(printed.half_width());
        Figure::Number(printed.value, half_width)
    }
}

impl From<Measured> for Figure {
    fn from(ours: Measured) -> Figure {
        Figure::Number(ours.value, (ours.half_width > 0.0).then_some(ours.half_width))
    }
}

impl From<Option<Measured>> for Figure {
    fn from(ours: Option<Measured>) -> Figure {
        ours.map_or(Figure::None, Figure::from)
    }
}

impl From<f64> for Figure {
    fn from(exact: f64) -> Figure {
        Figure::Number(exact, None)
    }
}

impl From<bool> for Figure {
    fn from(flag: bool) -> Figure {
        Figure::Flag(flag)
    }
}

impl From<&str> for Figure {
    fn from(text: &str) -> Figure {
        Figure::Text(text.to_owned())
    }
}

impl From<String> for Figure {
    fn from(text: String) -> Figure {
        Figure::Text(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(value: f64, half_width: f64) -> Measured {
        Measured { value, half_width }
    }

    const RULE: Rule = Rule::of(1000, "rounds");

    /// 1.96 x 1.2 / sqrt(1000) = 0.0744; with ours of 0.05 the difference has 0.0896 + 0.005.
    #[test]
    fn the_errors_of_both_and_the_rounding_make_the_interval() {
        let printed = RULE.estimated(2.0, 0.01, 1.2);
        assert!((printed.half_width() - 0.07938).abs() < 1e-4);
        assert_eq!(printed.against(measured(2.094, 0.05)).verdict(), Verdict::Agrees);
        assert_eq!(printed.against(measured(2.095, 0.05)).verdict(), Verdict::Differs);
        assert_eq!(printed.against(measured(1.905, 0.05)).verdict(), Verdict::Differs);
        // 15% above, which was allowed before.
        assert_eq!(printed.against(measured(2.3, 0.05)).verdict(), Verdict::Differs);
    }

    #[test]
    fn an_interval_that_cannot_exclude_5_percent_tells_nothing_but_differences() {
        let printed = RULE.estimated(1.0, 0.0, 0.0);
        assert_eq!(printed.against(measured(1.02, 0.05)).verdict(), Verdict::Agrees);
        assert_eq!(printed.against(measured(1.02, 0.051)).verdict(), Verdict::Open);
        assert_eq!(printed.against(measured(1.2, 0.1)).verdict(), Verdict::Differs);
        assert_eq!(printed.against(measured(1.0, f64::INFINITY)).verdict(), Verdict::Open);
        // Two digits of a small value are not enough, whatever our sample.
        let printed = RULE.estimated(0.02, 0.01, 0.0);
        assert_eq!(printed.against(measured(0.02, 0.0005)).verdict(), Verdict::Compatible);
        assert_eq!(printed.against(measured(0.02, 0.006)).verdict(), Verdict::Open);
    }

    #[test]
    fn what_is_calculated_is_met_to_its_digits() {
        let calculated = Printed::calculated(0.80, 0.01);
        assert_eq!(calculated.against(measured(0.8049, 0.0)).verdict(), Verdict::Agrees);
        assert_eq!(calculated.against(measured(0.90, 0.0)).verdict(), Verdict::Differs);
        assert_eq!(
            Printed::calculated(0.0, 0.0).against(measured(0.0, 0.0)).verdict(),
            Verdict::Agrees
        );
    }

    /// The idle share of LB-Q-02 was off by 2%, and a tolerance of 15% hid it.
    #[test]
    fn exact_theory_has_no_error_and_no_favour() {
        let theory = Printed::calculated(0.2, 0.0);
        assert_eq!(theory.against(measured(0.1957, 0.003)).verdict(), Verdict::Differs);
        assert_eq!(theory.against(measured(0.1957, 0.005)).verdict(), Verdict::Agrees);
        assert_eq!(theory.against(measured(0.25, 0.06)).verdict(), Verdict::Open);
        let off = theory.against(measured(0.1957, 0.003)).difference;
        assert!((off.value + 0.0043).abs() < 1e-12 && off.half_width == 0.003);
    }

    #[test]
    fn the_words_of_the_rule_name_the_paper_s_samples() {
        let words = Rule { telling: 0.1, ..Rule::of(30, "instances") }.words();
        assert!(
            words.contains("its 30 instances") || words.contains("its 30\ninstances"),
            "{words}"
        );
        assert!(words.contains("10%") && words.lines().all(|line| line.len() <= 100), "{words}");
    }

    #[test]
    fn reasons_explain_differences_only() {
        let reason = Verdict::Errs("the columns are shifted");
        assert_eq!(Verdict::Agrees.or(reason.clone()), Verdict::Agrees);
        assert_eq!(Verdict::Open.or(reason.clone()), Verdict::Open);
        assert_eq!(Verdict::Differs.or(reason.clone()), reason);
        assert_eq!(reason.reason().as_deref(), Some("the columns are shifted"));
        assert_eq!((reason.name(), Verdict::of(false).name()), ("the paper errs", "differs"));
    }

    /// The four largest values of two samples of the same size are all ours in a bit less than 1 of 16
    /// cases, the five largest in a bit less than 1 of 32.
    #[test]
    fn a_largest_value_is_compared_by_ranks() {
        let verdict = |reaching: usize, of| {
            let ours: Vec<f64> = (0..1000).map(|at| f64::from(u8::from(at < reaching))).collect();
            Compared::largest(1.0, 0.0, of, &ours).verdict()
        };
        assert_eq!(verdict(0, 1000), Verdict::Open);
        assert_eq!(
            [1, 4].map(|reaching| verdict(reaching, 1000)),
            [Verdict::Agrees, Verdict::Agrees]
        );
        assert_eq!(verdict(5, 1000), Verdict::Differs);
        // A hundred of ours to one of theirs: fifty of them above it are no surprise.
        assert_eq!(verdict(50, 10), Verdict::Agrees);
    }

    /// The figure of one sample is unlikely at the ends of ours, and tells more the less ours spread.
    #[test]
    fn a_single_sample_is_compared_by_its_rank() {
        let verdict = |paper: f64, ours: &[f64]| Compared::ranked(paper, 0.01, ours).verdict();
        // Far from normal, and near the largest possible value.
        let shares: Vec<f64> = (0..100).map(|at| 1.0 - 0.0004 * f64::from(at)).collect();
        assert_eq!(verdict(0.99, &shares), Verdict::Agrees);
        assert_eq!(verdict(0.93, &shares), Verdict::Differs);
        let wide: Vec<f64> = (0..100).map(|at| 0.01 * f64::from(at)).collect();
        assert_eq!(verdict(0.5, &wide), Verdict::Compatible);
        assert_eq!(verdict(0.5, &wide[..45]), Verdict::Differs);
        assert_eq!(verdict(0.5, &wide[..30]), Verdict::Open);
    }

    /// No figure of ours agrees with nothing.
    #[test]
    fn a_figure_that_is_none_tells_nothing() {
        let none = measured(f64::NAN, 0.0);
        assert_eq!(Printed::calculated(1.0, 0.0).against(none).verdict(), Verdict::Open);
    }

    #[test]
    fn a_side_is_taken_only_by_a_whole_interval() {
        assert_eq!(measured(0.2, 0.1).above(0.0), Verdict::Agrees);
        assert_eq!(measured(0.2, 0.3).above(0.0), Verdict::Open);
        assert_eq!(measured(-0.2, 0.1).above(0.0), Verdict::Differs);
        assert_eq!(measured(-0.2, 0.1).below(0.0), Verdict::Agrees);
        assert_eq!(measured(0.85, 0.01).between(0.8, 0.9), Verdict::Agrees);
        assert_eq!(measured(0.92, 0.01).between(0.8, 0.9), Verdict::Differs);
        assert_eq!(measured(0.895, 0.01).between(0.8, 0.9), Verdict::Open);
        assert_eq!(measured(0.92, 0.1).between(0.8, 0.9), Verdict::Open);
    }
}
