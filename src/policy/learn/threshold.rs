//! The threshold player: takes part in a balancing only if its own queue exceeds a threshold.
//! Section 5 of Rzadca and Trystram, "Promoting Cooperation in Selfish Computational Grids".
//!
//! A cluster with an M/M/1 queue gains from averaging with another one if its queue is longer than
//! the other's mean, rho / gamma (gamma is the service rate minus the arrival rate, rho their
//! ratio). The other one reasons the same way, so one should take part only with a still longer
//! queue. After k such steps the threshold is (rho + k) / gamma, and in the end nobody takes part.

use super::support::{HIGHEST, span};
use super::{Learner, Stance};
use game::stage::{Act, Actions, OwnPayoff, Seen, Terms};
use kernel::rng::Draws;
use kernel::state_of_fields;
use kernel::time::Span;
use model::bounds::{Bounds, parameters};
use model::invalid::Invalid;

/// A threshold of queues.
const THRESHOLD: Bounds<'_> = Bounds::of("a threshold").unit("units of work").from(0.0).to(HIGHEST);
/// Steps of reasoning.
const STEPS: Bounds<'_> = Bounds::of("a number of steps").from(0.0).to(1e6);
/// A rate of jobs.
const RATE: Bounds<'_> = Bounds::of("a rate").unit("jobs per unit of time").above(0.0);

parameters! {
    /// Parameters of `threshold`: the threshold itself, or the number of reasoning steps behind it.
    #[serde(default)]
    pub struct Options {
        /// Queue length, in units of work, above which it takes part.
        #[serde(skip_serializing_if = "Option::is_none")]
        above: Option<f64> as THRESHOLD = None,
        /// Steps of reasoning about the others' reasoning, instead of `above`; 0 if neither is given.
        #[serde(skip_serializing_if = "Option::is_none")]
        steps: Option<u32> as STEPS = None,
        /// With `steps`: arrival rate, in jobs for each unit of time; 0.2 if left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        arrival_rate: Option<f64> as RATE = None,
        /// With `steps`: service rate, in jobs for each unit of time, above the arrival rate; 0.25 if
        /// left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        service_rate: Option<f64> as RATE = None,
    }
    where is_one_threshold
}

/// The rates of section 5 of the paper.
const ARRIVAL_RATE: f64 = 0.2;
const SERVICE_RATE: f64 = 0.25;

impl Options {
    /// Threshold in units of work: as given, or (rho + steps) / gamma.
    pub fn threshold(&self) -> f64 {
        let [arrivals, services] = self.rates();
        let by_steps =
            || (arrivals / services + f64::from(self.steps.unwrap_or(0))) / (services - arrivals);
        self.above.unwrap_or_else(by_steps)
    }

    fn rates(&self) -> [f64; 2] {
        [self.arrival_rate.unwrap_or(ARRIVAL_RATE), self.service_rate.unwrap_or(SERVICE_RATE)]
    }

    /// Checks that the threshold is given in one way, and that queues are stable.
    fn is_one_threshold(&self) -> Result<(), Invalid> {
        let given = [
            ("steps", self.steps.is_some()),
            ("arrival_rate", self.arrival_rate.is_some()),
            ("service_rate", self.service_rate.is_some()),
        ];
        if self.above.is_some() {
            return match given.iter().find(|(_, given)| *given) {
                Some((field, _)) => {
                    let message = "`above` is the threshold already; leave one of the two out";
                    Err(Invalid::new(field, message))
                }
                None => Ok(()),
            };
        }
        let [arrivals, services] = self.rates();
        if services <= arrivals {
            let message = format!(
                "in a unit of time {arrivals} are submitted and {services} served, on average: queues \
                 would grow without end; give a rate above {arrivals}"
            );
            return Err(Invalid::new("service_rate", message));
        }
        if self.threshold() > HIGHEST {
            let message = "the threshold would be above 10^9 units; take fewer steps";
            return Err(Invalid::new("steps", message));
        }
        Ok(())
    }
}

/// Takes part in every round, on a condition that is tested at each balancing.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    above: Span,
}

impl Threshold {
    /// Creates the learner.
    pub fn new(options: &Options) -> Threshold {
        Threshold { above: span(options.threshold()) }
    }
}

state_of_fields!(Threshold {});

impl Learner for Threshold {
    type Sees = OwnPayoff;

    fn act(&mut self, actions: Actions, _: &mut Draws<'_>) -> Act {
        actions.taking_part(Terms { above: Some(self.above), ..Terms::ANY })
    }

    fn learn(&mut self, _: Seen<'_, OwnPayoff>, _: &mut Draws<'_>) {}

    fn stance(&self) -> Stance {
        Stance::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(steps: u32) -> Options {
        Options { steps: Some(steps), ..Options::default() }
    }

    /// Section 5 with lambda = .2 and mu = .25: 16, 36, 56, ...
    #[test]
    fn each_step_of_reasoning_asks_for_a_longer_queue() {
        for (number, threshold) in (0..6).zip([16.0, 36.0, 56.0, 76.0, 96.0, 116.0]) {
            assert!((steps(number).threshold() - threshold).abs() < 1e-9);
            let built = Threshold::new(&steps(number));
            assert_eq!(built.above, Span::from_units(threshold).unwrap());
        }
        assert_eq!(Options::default().threshold(), steps(0).threshold());
        assert_eq!(Options { above: Some(3.5), ..Options::default() }.threshold(), 3.5);
    }

    #[test]
    fn what_cannot_be_is_refused_with_its_field() {
        let wrong = |options: Options| options.check().unwrap_err().field;
        assert_eq!(wrong(Options { above: Some(-1.0), ..Options::default() }), "above");
        assert_eq!(wrong(Options { above: Some(1.0), ..steps(1) }), "steps");
        let rate = Some(0.3);
        assert_eq!(wrong(Options { arrival_rate: rate, ..steps(1) }), "service_rate");
        assert_eq!(wrong(Options { arrival_rate: Some(f64::NAN), ..steps(1) }), "arrival_rate");
        let services = Some(0.200_000_001);
        assert_eq!(wrong(Options { service_rate: services, ..steps(1000) }), "steps");
        assert_eq!(steps(5).check(), Ok(()));
    }
}
