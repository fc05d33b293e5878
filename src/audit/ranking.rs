//! Orders of waiting jobs by a formula: its values and their order, from the definition.

use std::collections::BTreeMap;

use super::facts::JobFacts;
use kernel::time::{Span, TICKS_PER_UNIT, Time};
use model::formula::{Formula, Function, Pair};

const NAMES: [&str; 6] = ["submit", "wait", "estimate", "processors", "area", "use"];
const WAIT: usize = 1;
const ESTIMATE: usize = 2;
const AREA: usize = 4;
const USE: usize = 5;

/// The order, and the area that each user's ended jobs had at a time.
#[derive(Clone, Debug)]
pub(super) struct Ranking {
    formula: Formula,
    used: BTreeMap<(usize, u32), (f64, Time)>,
}

impl Ranking {
    /// Reads a formula; `None` if it is none.
    pub fn read(text: &str) -> Option<Ranking> {
        let known = |name: &str| NAMES.iter().position(|known| *known == name);
        let formula = Formula::read(text, &|name| known(name).ok_or_else(String::new)).ok()?;
        Some(Ranking { formula, used: BTreeMap::new() })
    }

    /// True if it needs expected runtimes.
    pub fn needs_lengths(&self) -> bool {
        self.formula.names(ESTIMATE) || self.formula.names(AREA)
    }

    /// True if it depends on the use of processors.
    pub fn asks_for_use(&self) -> bool {
        self.formula.names(USE)
    }

    /// True if two jobs keep their order while they wait. Then a job is ranked once, as at time 0.
    pub fn lasts(&self) -> bool {
        self.formula.slope(WAIT).is_some() && !self.asks_for_use()
    }

    /// The rank of a job at a time, smallest first; what is no number comes last.
    pub fn rank(&self, job: &JobFacts, expected: Span, now: Time) -> i128 {
        let used = self.used.get(&(job.organization, job.user));
        let used = used.map_or(0.0, |&used| later(used, now));
        let (processors, estimate) = (f64::from(job.processors), expected.as_units());
        let (submit, wait) = (job.submit.as_units(), (now - job.submit).as_units());
        let of = [submit, wait, estimate, processors, processors * estimate, used];
        let value = value(&self.formula, &of);
        // Numbers without their sign are in the order of their bits.
        let size = i128::from(value.abs().to_bits());
        match value {
            _ if value.is_nan() => i128::MAX,
            _ if value < 0.0 => -size,
            _ => size,
        }
    }

    /// A job has ended, which adds its area to what its user has used.
    pub fn ended(&mut self, job: &JobFacts, start: Time, now: Time) {
        let area = f64::from(job.processors) * (now - start).as_units();
        let used = self.used.entry((job.organization, job.user)).or_insert((0.0, now));
        *used = (later(*used, now) + area, now);
    }
}

/// An area at a later time; it halves every 604 800 units.
fn later((area, at): (f64, Time), now: Time) -> f64 {
    let half = 604_800.0 * TICKS_PER_UNIT as f64;
    area * libm::exp2(-((now - at).ticks() as f64) / half)
}

fn value(formula: &Formula, of: &[f64; 6]) -> f64 {
    match formula {
        Formula::Number(number) => *number,
        Formula::Name(at) => of[*at],
        Formula::Negative(inner) => -value(inner, of),
        Formula::Pair(pair, sides) => {
            let (left, right) = (value(&sides[0], of), value(&sides[1], of));
            match pair {
                Pair::Sum => left + right,
                Pair::Difference => left - right,
                Pair::Product => left * right,
                Pair::Quotient => left / right,
                Pair::Power => libm::pow(left, right),
            }
        }
        Formula::Call(function, inner) => {
            let inner: Vec<f64> = inner.iter().map(|one| value(one, of)).collect();
            let one = inner[0];
            match function {
                Function::Abs => one.abs(),
                Function::Ceil => one.ceil(),
                Function::Exp => libm::exp(one),
                Function::Floor => one.floor(),
                Function::Log => libm::log(one),
                Function::Max => inner.into_iter().fold(f64::NEG_INFINITY, f64::max),
                Function::Min => inner.into_iter().fold(f64::INFINITY, f64::min),
                Function::Round => one.round(),
                Function::Sqrt => one.sqrt(),
            }
        }
    }
}
