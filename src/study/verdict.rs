//! What is said of a claim, and by which rule.
//!
//! A printed mean is met where our 95% interval reaches the band around it: 15% of the value or the
//! range over clusters that the paper prints with it, whichever is wider, plus half a unit of the
//! last digit and the sampling error of the paper's own 1000 rounds. What is calculated, not
//! simulated, has to be met to the last digit. Where our interval is wider than the band and
//! reaches it, too few rounds were played to tell.

use crate::report::table::Cell;
use crate::stats::interval::{Interval, LEVEL};
use crate::stats::student;

/// A printed value is met within this share of it: exact agreement cannot be asked of a simulator
/// whose description leaves choices open.
pub const TOLERANCE: f64 = 0.15;

/// Rounds behind each figure of the paper.
const PAPER_ROUNDS: f64 = 1000.0;

/// The rule as people read it.
pub const RULE: &str = "\
agrees: our 95% interval reaches the band around the printed value (15% or the printed range,
whichever is wider, plus half a unit of the last digit and the sampling error of the paper's 1000
rounds; nothing but the digits where it is calculated); open: it does, but is wider than the band,
so that only more rounds can tell";

/// What is said of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// We find the same.
    Agrees,
    /// We find something else, and do not know why.
    Differs,
    /// The paper contradicts itself or its own definitions; how.
    Errs(&'static str),
    /// The paper leaves a choice open that decides it; which.
    Depends(&'static str),
    /// Too few rounds were played to tell.
    Open,
    /// The paper gives no value to compare with: what we find is shown.
    Shown,
    /// Tests of this name show it each time they run.
    Test(&'static [&'static str]),
    /// It needs something that is not built yet; what.
    Later(&'static str),
}

impl Verdict {
    /// Every verdict's name, in the order of the summary.
    pub const NAMES: [&'static str; 8] =
        ["agrees", "differs", "the paper errs", "depends", "open", "shown", "tested", "later"];

    /// Its name.
    pub fn name(&self) -> &'static str {
        Verdict::NAMES[match self {
            Verdict::Agrees => 0,
            Verdict::Differs => 1,
            Verdict::Errs(_) => 2,
            Verdict::Depends(_) => 3,
            Verdict::Open => 4,
            Verdict::Shown => 5,
            Verdict::Test(_) => 6,
            Verdict::Later(_) => 7,
        }]
    }

    /// Its reason, where it has one.
    pub fn reason(&self) -> Option<String> {
        match self {
            Verdict::Agrees | Verdict::Differs | Verdict::Open | Verdict::Shown => None,
            Verdict::Errs(why) | Verdict::Depends(why) => Some((*why).to_owned()),
            Verdict::Test(names) => Some(names.join(", ")),
            Verdict::Later(what) => Some(format!("needs {what}")),
        }
    }

    /// Of a yes or no: what the paper says is so, or it is not.
    pub fn of(holds: bool) -> Verdict {
        if holds { Verdict::Agrees } else { Verdict::Differs }
    }

    /// The reason for a difference, if there is one to explain.
    #[must_use]
    pub fn or(self, reason: Verdict) -> Verdict {
        if self == Verdict::Differs { reason } else { self }
    }
}

/// A value as the paper prints it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// The value.
    pub value: f64,
    /// What stands behind its plus-minus sign: half the range over clusters.
    pub range: f64,
    /// A unit of its last digit.
    pub unit: f64,
    /// What we grant for the paper's own sample.
    sampling: f64,
    /// The share of the value that we grant.
    share: f64,
}

impl Printed {
    /// A value that is not random, of a simulation.
    pub const fn exact(value: f64, unit: f64) -> Printed {
        Printed { value, range: 0.0, unit, sampling: 0.0, share: TOLERANCE }
    }

    /// A value that is calculated, and so met to half a unit of its last digit or not at all.
    pub const fn calculated(value: f64, unit: f64) -> Printed {
        Printed { share: 0.0, ..Printed::exact(value, unit) }
    }

    /// A mean over 1000 rounds with the standard deviation `deviation`.
    pub fn mean(value: f64, range: f64, unit: f64, deviation: f64) -> Printed {
        let error = deviation / PAPER_ROUNDS.sqrt();
        let sampling = student::normal_two_sided(LEVEL) * error;
        Printed { range, sampling, ..Printed::exact(value, unit) }
    }

    /// A standard deviation over 1000 rounds, whose error is that of normal variables.
    pub fn deviation(value: f64, range: f64, unit: f64) -> Printed {
        let error = value / (2.0 * PAPER_ROUNDS).sqrt();
        let sampling = student::normal_two_sided(LEVEL) * error;
        Printed { range, sampling, ..Printed::exact(value, unit) }
    }

    /// Half the width of the band in which we call it met.
    pub fn tolerance(&self) -> f64 {
        (self.share * self.value.abs()).max(self.range) + self.unit / 2.0 + self.sampling
    }

    /// What is said of a measurement of the same.
    pub fn judge(&self, ours: &Measured) -> Verdict {
        let tolerance = self.tolerance();
        let band = Interval::around(self.value, tolerance);
        let ours = ours.interval();
        if ours.high < band.low || band.high < ours.low {
            Verdict::Differs
        } else if ours.half_width() > tolerance {
            Verdict::Open
        } else {
            Verdict::Agrees
        }
    }
}

/// A value that we found, with half the width of its 95% interval; 0 of what is exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The value.
    pub value: f64,
    /// Half the width.
    pub half_width: f64,
}

impl Measured {
    /// A value without error.
    pub const fn exact(value: f64) -> Measured {
        Measured { value, half_width: 0.0 }
    }

    /// Its interval.
    pub fn interval(&self) -> Interval {
        Interval::around(self.value, self.half_width)
    }

    /// What is said of it where the paper says that it lies between two values.
    pub fn between(&self, low: f64, high: f64) -> Verdict {
        let ours = self.interval();
        if ours.high < low || high < ours.low {
            Verdict::Differs
        } else if ours.half_width() > (high - low) / 2.0 && !(low..=high).contains(&self.value) {
            Verdict::Open
        } else {
            Verdict::Agrees
        }
    }

    /// What is said of it where the paper says that it is above a value.
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

    /// What is said of it where the paper says that it is below a value.
    pub fn below(&self, bound: f64) -> Verdict {
        Measured { value: -self.value, half_width: self.half_width }.above(-bound)
    }
}

/// What stands in a row under "paper" and "ours".
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// Nothing.
    None,
    /// A number, with its half-width or range where that is known.
    Number(f64, Option<f64>),
    /// Yes or no.
    Flag(bool),
    /// Words.
    Text(String),
}

impl Figure {
    /// Its cell.
    pub fn cell(&self) -> Cell {
        match self {
            Figure::None => Cell::Missing,
            Figure::Number(value, _) => Cell::Number(*value),
            Figure::Flag(flag) => Cell::Flag(*flag),
            Figure::Text(text) => Cell::Text(text.clone()),
        }
    }

    /// What stands behind its plus-minus sign.
    pub fn error(&self) -> Cell {
        match self {
            Figure::Number(_, Some(error)) => Cell::Error(*error),
            _ => Cell::Missing,
        }
    }
}

impl From<Printed> for Figure {
    fn from(printed: Printed) -> Figure {
        Figure::Number(printed.value, (printed.range > 0.0).then_some(printed.range))
    }
}

impl From<Measured> for Figure {
    fn from(ours: Measured) -> Figure {
        Figure::Number(ours.value, (ours.half_width > 0.0).then_some(ours.half_width))
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

    #[test]
    fn a_value_is_met_where_the_interval_reaches_the_band() {
        let printed = Printed::exact(2.0, 0.01);
        assert!((printed.tolerance() - 0.305).abs() < 1e-12);
        assert_eq!(printed.judge(&measured(2.3, 0.0)), Verdict::Agrees);
        assert_eq!(printed.judge(&measured(2.31, 0.0)), Verdict::Differs);
        assert_eq!(printed.judge(&measured(2.31, 0.1)), Verdict::Agrees);
        assert_eq!(printed.judge(&measured(1.69, 0.001)), Verdict::Differs);
        // An interval so wide that it says nothing.
        assert_eq!(printed.judge(&measured(2.0, 0.4)), Verdict::Open);
        assert_eq!(printed.judge(&measured(5.0, 0.4)), Verdict::Differs);
        let calculated = Printed::calculated(0.80, 0.01);
        assert_eq!(calculated.judge(&measured(0.8049, 0.0)), Verdict::Agrees);
        assert_eq!(calculated.judge(&measured(0.90, 0.0)), Verdict::Differs);
    }

    #[test]
    fn a_printed_range_and_the_papers_own_sample_widen_the_band() {
        let printed = Printed::mean(0.01, 0.2, 0.01, 0.0);
        assert!((printed.tolerance() - 0.205).abs() < 1e-12);
        // 1.96 x 0.93 / sqrt(1000) = 0.0576.
        let printed = Printed::mean(-0.14, 0.03, 0.01, 0.93);
        assert!((printed.tolerance() - (0.03 + 0.005 + 0.057_64)).abs() < 1e-4);
        assert_eq!(printed.judge(&measured(0.18, 0.05)), Verdict::Differs);
        let printed = Printed::deviation(1.0, 0.0, 0.0);
        assert!((printed.tolerance() - (0.15 + 1.96 / 2000_f64.sqrt())).abs() < 1e-4);
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

    #[test]
    fn a_side_is_taken_only_by_a_whole_interval() {
        assert_eq!(measured(0.2, 0.1).above(0.0), Verdict::Agrees);
        assert_eq!(measured(0.2, 0.3).above(0.0), Verdict::Open);
        assert_eq!(measured(-0.2, 0.1).above(0.0), Verdict::Differs);
        assert_eq!(measured(-0.2, 0.1).below(0.0), Verdict::Agrees);
        assert_eq!(measured(0.85, 0.01).between(0.8, 0.9), Verdict::Agrees);
        assert_eq!(measured(0.92, 0.01).between(0.8, 0.9), Verdict::Differs);
        assert_eq!(measured(0.92, 0.1).between(0.8, 0.9), Verdict::Open);
    }
}
