//! What several learners share: checks of parameters, levels in ticks, laws of choices.

use crate::game::stage::{KnowsStayedOut, Seen, Terms};
use crate::kernel::time::Span;
use crate::model::invalid::Invalid;

/// The highest level or threshold that can be asked for, in units: far below the limit of times.
pub(super) const HIGHEST: f64 = 1e9;

/// A level in units, as it is declared: to the tick.
pub(super) fn declared(level: Option<f64>) -> Terms {
    Terms { level: level.map(span), above: None }
}

/// What taking part gained over staying out, cut to -1 and 1; `None` to who stayed out. Scores may
/// be infinite; where both are, alike, nothing was gained.
pub(super) fn gain<I: KnowsStayedOut>(seen: &Seen<'_, I>) -> Option<f64> {
    let (payoff, stayed_out) = (seen.payoff(), seen.stayed_out()?);
    Some(if payoff == stayed_out { 0.0 } else { (payoff - stayed_out).clamp(-1.0, 1.0) })
}

/// Units that were found right, in ticks.
pub(super) fn span(units: f64) -> Span {
    Span::from_units(units).expect("parameters were checked to be within times")
}

/// A probability.
pub(super) fn probability(field: &str, probability: f64) -> Result<(), Invalid> {
    if (0.0..=1.0).contains(&probability) {
        return Ok(());
    }
    let message = format!("{probability} is not a probability; give a number from 0 to 1");
    Err(Invalid::new(field, message))
}

/// How much of what is new is taken: the weight of a round.
pub(super) fn rate(field: &str, rate: f64) -> Result<(), Invalid> {
    portion(field, "learning rate", rate)
}

/// A share that is not nothing.
pub(super) fn portion(field: &str, what: &str, portion: f64) -> Result<(), Invalid> {
    if portion > 0.0 && portion <= 1.0 {
        return Ok(());
    }
    let message = format!("{portion} is not a {what}; give a number above 0, at most 1");
    Err(Invalid::new(field, message))
}

/// The weight of a round in an exponent, where it is given.
pub(super) fn weight(field: &str, weight: Option<f64>) -> Result<(), Invalid> {
    match weight {
        Some(weight) if !(weight > 0.0 && weight <= 1000.0) => {
            let message = format!("{weight} is not a weight; give a number above 0, at most 1000");
            Err(Invalid::new(field, message))
        }
        _ => Ok(()),
    }
}

/// A share of a whole.
pub(super) fn share(field: &str, share: f64) -> Result<(), Invalid> {
    if (0.0..=1.0).contains(&share) {
        return Ok(());
    }
    Err(Invalid::new(field, format!("{share} is not a share; give a number from 0 to 1")))
}

/// A number of rounds that parameters are chosen for.
pub(super) fn horizon(field: &str, rounds: u64) -> Result<(), Invalid> {
    if rounds > 0 {
        return Ok(());
    }
    Err(Invalid::new(field, "no round at all is no horizon; give a number of rounds from 1"))
}

/// Probabilities in proportion to exp(value / temperature), of values of which one is finite.
pub(super) fn softmax(values: &[f64], temperature: f64, law: &mut [f64]) {
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for (x, &value) in law.iter_mut().zip(values) {
        *x = libm::exp((value - largest) / temperature);
        sum += *x;
    }
    law.iter_mut().for_each(|x| *x /= sum);
}

/// Mixes probabilities with a share of equal ones.
pub(super) fn explore(share: f64, law: &mut [f64]) {
    let least = share / law.len() as f64;
    law.iter_mut().for_each(|x| *x = (1.0 - share) * *x + least);
}

/// The first of the largest values that are numbers; `None` where there is none.
pub(super) fn largest(values: impl IntoIterator<Item = f64>) -> Option<usize> {
    let larger = |best: (usize, f64), one: (usize, f64)| if one.1 > best.1 { one } else { best };
    let numbers = values.into_iter().enumerate().filter(|(_, value)| !value.is_nan());
    numbers.reduce(larger).map(|(place, _)| place)
}

/// The law of who plays one choice.
pub(super) fn surely(choice: usize, law: &mut [f64]) {
    law.fill(0.0);
    law[choice] = 1.0;
}

/// The law of who means to take part (the last choice) with a probability, else to stay out (the
/// first), and does the opposite by error.
pub(super) fn takes_part(meant: f64, error: f64, law: &mut [f64]) {
    let last = law.len() - 1;
    surely(last, law);
    if last > 0 {
        law[last] = meant * (1.0 - error) + (1.0 - meant) * error;
        law[0] = 1.0 - law[last];
    }
}

/// A payoff that something is compared with.
pub(super) fn finite(field: &str, payoff: f64) -> Result<(), Invalid> {
    if payoff.is_finite() {
        return Ok(());
    }
    Err(Invalid::new(field, format!("{payoff} is no payoff to compare with; give a finite one")))
}

/// A level or a threshold: an amount of work.
pub(super) fn work(field: &str, what: &str, units: f64) -> Result<(), Invalid> {
    if (0.0..=HIGHEST).contains(&units) {
        return Ok(());
    }
    let message =
        format!("{units} is not a {what}; give units of work, at least 0 and at most 10^9");
    Err(Invalid::new(field, message))
}
