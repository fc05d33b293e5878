//! Orders of a list of waiting jobs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::formula::Formula;
use super::view::Submission;
use kernel::time::{Span, Time};

/// Order of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// In order of submission.
    #[default]
    Submit,
    /// Shortest expected runtime first.
    Shortest,
    /// Longest expected runtime first.
    Longest,
    /// Fewest processors first.
    Smallest,
    /// Most processors first.
    Largest,
    /// Smallest expected area (processors times runtime) first.
    SmallestArea,
    /// Largest expected area first.
    LargestArea,
    /// Random order, drawn for each job from the list's own stream.
    Random,
    /// Smallest value of a formula first, such as `"estimate - 0.5 * wait"`. It may name `submit` and
    /// `wait`, the time since then, `estimate`, the expected runtime, `processors`, `area`, both
    /// multiplied, and `use`: the area of the user's jobs that have ended on this cluster, which halves
    /// every 604 800 units of time, seven days of seconds. Times are in units. There are `+ - * / ^`,
    /// parentheses, `abs`, `ceil`, `exp`, `floor`, `log`, `max`, `min`, `round` and `sqrt`.
    By(Ranking),
}

/// A formula that ranks jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Ranking {
    text: String,
    formula: Formula,
}

/// The names in the formula of a ranking.
const NAMES: [&str; 6] = ["submit", "wait", "estimate", "processors", "area", "use"];
const WAIT: usize = 1;
const ESTIMATE: usize = 2;
const AREA: usize = 4;
const USE: usize = 5;

impl TryFrom<String> for Ranking {
    type Error = String;

    fn try_from(text: String) -> Result<Ranking, String> {
        let known = |name: &str| NAMES.iter().position(|known| *known == name);
        let unknown =
            |name: &str| format!("a formula has no `{name}`; it has {}", NAMES.join(", "));
        let formula = Formula::read(&text, &|name| known(name).ok_or_else(|| unknown(name)))?;
        Ok(Ranking { text, formula })
    }
}

impl From<Ranking> for String {
    fn from(ranking: Ranking) -> String {
        ranking.text
    }
}

impl JsonSchema for Ranking {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Ranking".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

impl Ranking {
    /// The key of a job at a time, given the use of its user: numbers in their order, NaN last.
    fn key(&self, job: &Submission, now: Time, used: f64) -> i128 {
        let (submit, processors) = (job.job.submit, f64::from(job.job.processors));
        let estimate = job.expected.unwrap_or(Span::ZERO).as_units();
        let wait = (now - submit).as_units();
        let area = processors * estimate;
        let value =
            self.formula.value(&[submit.as_units(), wait, estimate, processors, area, used]);
        if value.is_nan() {
            return i128::MAX;
        }
        // Of numbers below 0 the bits are in the opposite order; -0 is 0.
        let bits = (value + 0.0).to_bits() as i64;
        i128::from(if bits < 0 { i64::MIN - bits } else { bits })
    }
}

impl Order {
    /// True if the order needs expected runtimes.
    pub fn needs_expected(&self) -> bool {
        match self {
            Order::Shortest | Order::Longest | Order::SmallestArea | Order::LargestArea => true,
            Order::By(ranking) => [ESTIMATE, AREA].iter().any(|&name| ranking.formula.names(name)),
            Order::Submit | Order::Smallest | Order::Largest | Order::Random => false,
        }
    }

    /// True if two jobs keep their order while they wait: all values grow alike with time.
    pub fn is_lasting(&self) -> bool {
        match self {
            Order::By(Ranking { formula, .. }) => {
                formula.slope(WAIT).is_some() && !formula.names(USE)
            }
            _ => true,
        }
    }

    /// True if the order depends on the use of processors.
    pub fn asks_for_use(&self) -> bool {
        matches!(self, Order::By(ranking) if ranking.formula.names(USE))
    }

    /// Returns the key of a job at a time, given the use of its user, in an order that does not last.
    ///
    /// # Panics
    /// If the order is no formula.
    pub fn key_at(&self, job: &Submission, now: Time, used: f64) -> i128 {
        let Order::By(ranking) = self else { unreachable!("every other order lasts") };
        ranking.key(job, now, used)
    }

    /// Returns the key by which a job is sorted, smallest first; `draw` gives a random number.
    ///
    /// # Panics
    /// If the order needs an expected runtime and there is none; such a scenario is rejected when it
    /// is checked.
    #[inline]
    pub fn key(&self, job: &Submission, draw: impl FnOnce() -> u64) -> i128 {
        let processors = i128::from(job.job.processors);
        let expected = || {
            let expected = job.expected.expect("such a scenario is refused at check");
            i128::from(expected.ticks())
        };
        match self {
            Order::Submit => 0,
            Order::Shortest => expected(),
            Order::Longest => -expected(),
            Order::Smallest => processors,
            Order::Largest => -processors,
            Order::SmallestArea => processors * expected(),
            Order::LargestArea => -processors * expected(),
            Order::Random => i128::from(draw()),
            // It lasts, so that any time will do.
            Order::By(ranking) => ranking.key(job, Time::ZERO, 0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{JobId, OrganizationId};
    use crate::view::Blind;

    fn job(submit: i64, processors: u32, expected: i64) -> Submission {
        let (id, organization) = (JobId(0), OrganizationId(0));
        let submit = Time::ZERO + Span::units(submit);
        let job = Blind { id, submit, processors, user: 0, organization };
        Submission { job, expected: Some(Span::units(expected)) }
    }

    fn by(text: &str) -> Order {
        Order::By(Ranking::try_from(text.to_owned()).unwrap())
    }

    #[test]
    fn formulas_say_the_orders_that_have_a_name() {
        let jobs = [job(3, 4, 9), job(1, 2, 30), job(2, 9, 2), job(5, 1, 7)];
        let sorted = |order: &Order| {
            let mut sorted: Vec<usize> = (0..jobs.len()).collect();
            sorted.sort_by_key(|&at| order.key(&jobs[at], || 0));
            sorted
        };
        for (order, text) in [
            (Order::Submit, "0"),
            (Order::Shortest, "estimate"),
            (Order::Longest, "-estimate"),
            (Order::Smallest, "processors - 100"),
            (Order::Largest, "1 / processors"),
            (Order::SmallestArea, "area"),
            (Order::LargestArea, "-processors * estimate"),
        ] {
            assert_eq!(sorted(&by(text)), sorted(&order), "{text}");
        }
        assert_eq!(sorted(&by("-wait")), [1, 2, 0, 3]);
        // Logarithms of numbers below 0 are none, and come last.
        assert_eq!(sorted(&by("log(5.5 - estimate)")), [2, 0, 1, 3]);
    }

    #[test]
    fn an_order_lasts_where_waiting_counts_alike_for_all() {
        for (text, lasts) in [
            ("estimate - 0.5 * wait", true),
            ("submit + processors", true),
            ("wait / estimate", false),
            ("max(wait, 3)", false),
            ("use", false),
        ] {
            assert_eq!(by(text).is_lasting(), lasts, "{text}");
        }
        let now = Time::ZERO + Span::units(10);
        // Slowdowns at 10: (7 + 9) / 9 and (9 + 30) / 30.
        let order = by("-(wait + estimate) / estimate");
        assert!(order.key_at(&job(3, 1, 9), now, 0.0) < order.key_at(&job(1, 1, 30), now, 0.0));
        let wrong = Ranking::try_from("estimate - age".to_owned()).unwrap_err();
        assert_eq!(
            wrong,
            "a formula has no `age`; it has submit, wait, estimate, processors, area, use"
        );
    }
}
