//! Helpers shared by several learners: bounds, levels in ticks, probabilities.

use serde::{Deserialize, Serialize};

use game::stage::{Act, KnowsStayedOut, Seen, Terms};
use kernel::time::Span;
use model::bounds::{Bounds, Many, PROBABILITY};

/// Maximum level or threshold, in units: far below the limit of times.
pub(super) const HIGHEST: f64 = 1e9;

/// Terms with a level given in units, to the tick.
pub(super) fn declared(level: Option<f64>) -> Terms {
    Terms { level: level.map(span), ..Terms::ANY }
}

/// Gain of taking part over staying out, clipped to [-1, 1]; `None` if it stayed out. Scores may be
/// infinite; if both are infinite and equal, the gain is 0.
pub(super) fn gain<I: KnowsStayedOut>(seen: &Seen<'_, I>) -> Option<f64> {
    let (payoff, stayed_out) = (seen.payoff(), seen.stayed_out()?);
    Some(if payoff == stayed_out { 0.0 } else { (payoff - stayed_out).clamp(-1.0, 1.0) })
}

/// Converts validated units to ticks.
pub(super) fn span(units: f64) -> Span {
    Span::from_units(units).expect("parameters were checked to be within times")
}

/// A learning rate.
pub(super) const RATE: Bounds<'_> = Bounds::of("a learning rate").above(0.0).to(1.0);
/// A fraction above 0.
pub(super) const PORTION: Bounds<'_> = Bounds::of("a share").above(0.0).to(1.0);
/// A step of a policy.
pub(super) const STEP: Bounds<'_> = Bounds::of("a step").above(0.0).to(1.0);
/// A factor by which something shrinks.
pub(super) const FACTOR: Bounds<'_> = Bounds::of("a factor").above(0.0).to(1.0);
/// A weight in an exponent.
pub(super) const WEIGHT: Bounds<'_> = Bounds::of("a weight").above(0.0).to(1000.0);
/// A temperature.
pub(super) const TEMPERATURE: Bounds<'_> = Bounds::of("a temperature").above(0.0).to(1000.0);
/// A number of rounds, such as that for which parameters are tuned.
pub(super) const HORIZON: Bounds<'_> = Bounds::of("a number of rounds").from(1.0);
/// A level of participation.
pub(super) const LEVEL: Bounds<'_> =
    Bounds::of("a level").unit("units of work").from(0.0).to(HIGHEST);
/// Levels to choose among.
pub(super) const LEVELS: Many<Bounds<'_>> = Many::new(0, 1000, LEVEL);
/// A probability for each choice.
pub(super) const PROBABILITIES: Many<Bounds<'_>> = Many::new(0, usize::MAX, PROBABILITY);
/// A payoff.
pub(super) const PAYOFF: Bounds<'_> = Bounds::of("a payoff");

/// Softmax: probabilities proportional to exp(value / temperature). At least one value is finite.
pub(super) fn softmax(values: &[f64], temperature: f64, law: &mut [f64]) {
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for (x, &value) in law.iter_mut().zip(values) {
        *x = libm::exp((value - largest) / temperature);
        sum += *x;
    }
    law.iter_mut().for_each(|x| *x /= sum);
}

/// Mixes probabilities with a fraction of the uniform distribution.
pub(super) fn explore(share: f64, law: &mut [f64]) {
    let least = share / law.len() as f64;
    law.iter_mut().for_each(|x| *x = (1.0 - share) * *x + least);
}

/// Relative tolerance for ties: values this close differ only by rounding.
///
/// Sums are kept to within a few units of the last place ([`Total`]), so rounding errors are
/// thousands of times smaller; the effect of a round on a mean is larger up to 10^12 rounds.
pub(super) const TIE: f64 = 1e-12;

/// Index of the first of the largest values, ignoring NaN; `None` if there is none. Values are
/// equal if they differ by no more than [`TIE`] times `scale`: the range of utilities, 1, or that
/// of payoffs.
pub(super) fn largest(
    values: impl IntoIterator<Item = f64, IntoIter: Clone>,
    scale: f64,
) -> Option<usize> {
    let values = values.into_iter();
    let numbers = values.clone().filter(|value| !value.is_nan());
    let most = numbers.reduce(f64::max)?;
    let near = if most.is_finite() { most - TIE * scale } else { most };
    values.into_iter().position(|value| value >= near)
}

/// A compensated sum, exact to within a few units of the last place for any number of terms. Sums
/// of the same values in another order are equal up to [`TIE`] (Neumaier, ZAMM 54, 1974).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Total {
    sum: f64,
    /// Rounding errors of the additions.
    lost: f64,
}

impl Total {
    /// Adds a value.
    pub(super) fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        self.lost += if self.sum.abs() >= value.abs() {
            (self.sum - sum) + value
        } else {
            (value - sum) + self.sum
        };
        self.sum = sum;
    }

    /// Multiplies the sum.
    pub(super) fn scale(&mut self, factor: f64) {
        self.sum *= factor;
        self.lost *= factor;
    }

    /// The sum.
    pub(super) fn value(self) -> f64 {
        self.sum + self.lost
    }
}

/// Probabilities of playing one choice for certain.
pub(super) fn surely(choice: usize, law: &mut [f64]) {
    law.fill(0.0);
    law[choice] = 1.0;
}

/// The middle of a range: a payoff that is enough, unless it is said otherwise.
pub(super) fn middle([least, most]: [f64; 2]) -> f64 {
    f64::midpoint(least, most)
}

/// Probabilities of intending to take part (the choice that cooperates, else the last) with
/// probability `meant`, otherwise to stay out (the first of the others), and doing the opposite by
/// error.
pub(super) fn takes_part(meant: f64, error: f64, cooperate: Option<u32>, law: &mut [f64]) {
    let part = cooperate.map_or(law.len() - 1, |entry| entry as usize);
    surely(part, law);
    if law.len() > 1 {
        law[part] = meant * (1.0 - error) + (1.0 - meant) * error;
        law[usize::from(part == 0)] = 1.0 - law[part];
    }
}

/// True if an action takes part: it cooperates or, where no action is named, is not the first.
pub(super) fn took_part(act: Act, cooperate: Option<u32>) -> bool {
    match (act, cooperate) {
        (Act::Choose(entry), Some(cooperate)) => entry == cooperate,
        (act, _) => act.entry() > 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_those_that_differ_by_rounding_is_the_largest() {
        let third = 1.0 / 3.0;
        assert!([0.1, 0.2].iter().sum::<f64>() > 0.3);
        assert_eq!(largest([0.3, 0.1 + 0.2], 1.0), Some(0));
        assert_eq!(largest([third - 1e-16, 0.0, third], 1.0), Some(0));
        // Ties are measured against the largest value, so they do not chain.
        assert_eq!(largest([0.0, 0.8e-12, 1.6e-12], 1.0), Some(1));
        assert_eq!(largest([0.3, 0.3 + 1e-9], 1.0), Some(1));
        assert_eq!(largest([5.0, 5.0 + 1e-10], 1000.0), Some(0));
        assert_eq!(largest([f64::NAN, 1.0, f64::INFINITY, f64::INFINITY], 1.0), Some(2));
        assert_eq!(largest([f64::NEG_INFINITY; 2], 1.0), Some(0));
        assert_eq!(largest([f64::NAN, f64::NAN], 1.0), None);
        assert_eq!(largest([], 1.0), None);
    }

    /// A million times a tenth, with a plain sum that is off by 1.3e-6, and the same as fifths and
    /// zeros.
    #[test]
    fn a_total_does_not_depend_on_how_it_came_about() {
        let (mut tenths, mut fifths, mut plain) = (Total::default(), Total::default(), 0.0);
        for round in 0..1_000_000 {
            tenths.add(0.1);
            fifths.add(if round % 2 == 0 { 0.2 } else { 0.0 });
            plain += 0.1;
        }
        assert!((plain - 1e5_f64).abs() > 1e-7);
        assert!((tenths.value() - 1e5).abs() < 1e-10, "{}", tenths.value());
        assert_eq!(largest([tenths, fifths].map(Total::value), 1e5), Some(0));
        assert_eq!(largest([fifths, tenths].map(Total::value), 1e5), Some(0));
    }
}
