//! Replicator dynamics: a choice spreads in proportion to its payoff above the mean.
//!
//! Continuous: dx_a = x_a (f_a - mean f) (Taylor and Jonker, *Evolutionary stable strategies and
//! game dynamics*, Mathematical Biosciences 40, 1978), also the mean motion of Cross's learning
//! rule (Boergers and Sarin, *Learning through reinforcement and replicator dynamics*, Journal of
//! Economic Theory 77, 1997). Discrete generations: x_a' = x_a (c + f_a) / (c + mean f) (Maynard
//! Smith, *Evolution and the theory of games*, 1982, appendix D), with a background fitness c. A
//! step takes four evaluations of all payoffs, or one in generations.

use super::{Dynamics, Society, runge_kutta};

/// Continuous replicator dynamics, integrated by the classical Runge-Kutta method.
#[derive(Clone, Copy, Debug)]
pub struct Replicator<'a>(pub Society<'a>);

impl Replicator<'_> {
    /// Rate of change of each share.
    pub fn velocity(&self, at: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mut pays = self.0.payoffs(at);
        for (shares, pays) in at.iter().zip(&mut pays) {
            let mean = mean(shares, pays);
            pays.iter_mut().zip(shares).for_each(|(pays, share)| *pays = share * (*pays - mean));
        }
        pays
    }
}

impl Dynamics for Replicator<'_> {
    fn advance(&self, at: &mut [Vec<f64>], time: f64) {
        runge_kutta(at, time, |at| self.velocity(at));
    }
}

/// Replicator dynamics in discrete generations.
#[derive(Clone, Copy, Debug)]
pub struct Generations<'a> {
    society: Society<'a>,
    background: f64,
}

impl<'a> Generations<'a> {
    /// Adds a background fitness to all payoffs; the larger it is, the slower the dynamics.
    ///
    /// # Panics
    /// Panics unless all payoffs are above 0 with it.
    pub fn new(society: Society<'a>, background: f64) -> Generations<'a> {
        let least = society.game().range().0 + background;
        assert!(
            least > 0.0,
            "with its background fitness the least payoff is {least}, not above 0"
        );
        Generations { society, background }
    }
}

impl Dynamics for Generations<'_> {
    fn advance(&self, at: &mut [Vec<f64>], _: f64) {
        let pays = self.society.payoffs(at);
        for (shares, pays) in at.iter_mut().zip(&pays) {
            let mean = self.background + mean(shares, pays);
            let grown = shares.iter_mut().zip(pays);
            grown.for_each(|(share, pays)| *share *= (self.background + pays) / mean);
        }
    }
}

fn mean(shares: &[f64], pays: &[f64]) -> f64 {
    shares.iter().zip(pays).map(|(share, pays)| share * pays).sum()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::dynamics::Populations::{Each, One};
    use crate::dynamics::tests::{dilemma, doves, hunt, pennies, rock};

    /// Times at which a share rises through a level, interpolated linearly within a step.
    fn rises(dynamics: &impl Dynamics, mut at: Vec<Vec<f64>>, level: f64, time: f64) -> Vec<f64> {
        const STEP: f64 = 0.01;
        let (mut before, mut times) = (at[0][0], Vec::new());
        dynamics.run(&mut at, STEP, (time / STEP) as u64, |step, at| {
            let now = at[0][0];
            if before < level && now >= level {
                times.push(STEP * (step as f64 - (now - level) / (now - before)));
            }
            before = now;
        });
        times
    }

    fn product(at: &[Vec<f64>]) -> f64 {
        at[0].iter().product()
    }

    #[test]
    fn rock_paper_scissors_goes_round_and_keeps_the_product_of_shares() {
        let game = rock(1.0, 1.0);
        let replicator = Replicator(Society::new(&game, One));
        let mut at = vec![vec![0.2, 0.1, 0.7]];
        let first = product(&at);
        assert!(first < 0.018);
        // The catalogue starts from the product 0.018.
        let mut at_18 = vec![vec![0.6, 0.3, 0.1]];
        assert!((product(&at_18) - 0.018).abs() < 1e-15);
        for at in [&mut at, &mut at_18] {
            let first = product(at);
            replicator.run(at, 0.01, 20_000, |_, at| {
                assert!((product(at) - first).abs() < 1e-9, "{at:?}");
            });
        }
        let third = 1.0 / 3.0;
        let near = vec![vec![third + 0.002, third - 0.001, third - 0.001]];
        let times = rises(&replicator, near, third, 40.0);
        let period = times[1] - times[0];
        assert!((period - 2.0 * PI * 3_f64.sqrt()).abs() < 1e-3, "{period}");
        assert!((period - 10.883).abs() < 1e-3, "{period}");
    }

    #[test]
    fn winning_more_than_losing_spirals_in_and_less_spirals_out() {
        let run = |win, lose| {
            let game = rock(win, lose);
            let mut at = vec![vec![0.4, 0.3, 0.3]];
            Replicator(Society::new(&game, One)).run(&mut at, 0.01, 20_000, |_, _| {});
            at
        };
        let inner = run(2.0, 1.0);
        assert!(inner[0].iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-6), "{inner:?}");
        let outer = run(1.0, 2.0);
        assert!(product(&outer) < 1e-9, "{outer:?}");
    }

    #[test]
    fn matching_pennies_circles_about_the_middle() {
        let game = pennies();
        let replicator = Replicator(Society::new(&game, Each));
        let mut at = vec![vec![0.9, 0.1], vec![0.3, 0.7]];
        let kept = |at: &[Vec<f64>]| product(at) * product(&at[1..]);
        let first = kept(&at);
        replicator.run(&mut at, 0.01, 20_000, |_, at| assert!((kept(at) - first).abs() < 1e-9));
        let near = vec![vec![0.55, 0.45], vec![0.5, 0.5]];
        let times = rises(&replicator, near.clone(), 0.5, 80.0);
        let period = times[1] - times[0];
        assert!((period - 6.30).abs() < 5e-3, "{period}");
        let tiny = vec![vec![0.5001, 0.4999], vec![0.5, 0.5]];
        let times = rises(&replicator, tiny, 0.5, 20.0);
        assert!((times[1] - times[0] - 2.0 * PI).abs() < 1e-4);
        // Over whole periods the mean is the equilibrium.
        let (mut sums, mut at) = ([0.0; 2], vec![vec![0.9, 0.1], vec![0.3, 0.7]]);
        let times = rises(&replicator, at.clone(), 0.5, 400.0);
        let (begin, end) = (times[0] / 0.01, times[times.len() - 1] / 0.01);
        replicator.run(&mut at, 0.01, end as u64, |step, at| {
            if step as f64 >= begin {
                sums[0] += at[0][0];
                sums[1] += at[1][0];
            }
        });
        let steps = end - begin;
        assert!(sums.iter().all(|sum| (sum / steps - 0.5).abs() < 1e-3), "{sums:?} {steps}");
    }

    #[test]
    fn the_hunt_has_a_watershed_and_hawks_a_resting_point() {
        let game = hunt();
        let replicator = Replicator(Society::new(&game, One));
        let still = replicator.velocity(&[vec![2.0 / 3.0, 1.0 / 3.0]]);
        assert!(still[0].iter().all(|velocity| velocity.abs() < 1e-15));
        for (start, end) in [(2.0 / 3.0 + 1e-6, 1.0), (2.0 / 3.0 - 1e-6, 0.0)] {
            let mut at = vec![vec![start, 1.0 - start]];
            replicator.run(&mut at, 0.01, 20_000, |_, _| {});
            assert!((at[0][0] - end).abs() < 1e-6, "{at:?}");
        }
        let game = doves();
        for start in [0.01, 0.5, 0.99] {
            let mut at = vec![vec![start, 1.0 - start]];
            Replicator(Society::new(&game, One)).run(&mut at, 0.01, 20_000, |_, _| {});
            assert!((at[0][0] - 0.8).abs() < 1e-6, "{at:?}");
        }
    }

    /// Mean step of Cross's rule, with payoffs divided by 5.
    #[test]
    fn the_drift_of_crosss_rule_in_the_dilemma() {
        let game = dilemma();
        let drift = Replicator(Society::new(&game, One)).velocity(&[vec![0.3, 0.7]]);
        assert!((drift[0][0] / 5.0 + 0.0546).abs() < 1e-12, "{drift:?}");
    }

    /// One step by hand; many slow generations follow the flow.
    #[test]
    fn generations_go_where_the_flow_goes() {
        let game = doves();
        let society = Society::new(&game, One);
        let mut at = vec![vec![0.5, 0.5]];
        Generations::new(society, 1.0).advance(&mut at, 0.0);
        // Hawks get .75, doves 0, the mean is .375.
        assert!((at[0][0] - 0.5 * 1.75 / 1.375).abs() < 1e-15);
        let (slow, mut at, mut flow) = (1000.0, vec![vec![0.1, 0.9]], vec![vec![0.1, 0.9]]);
        Generations::new(society, slow).run(&mut at, 0.0, 2000, |_, _| {});
        Replicator(society).run(&mut flow, 0.01, 200, |_, _| {});
        assert!((at[0][0] - flow[0][0]).abs() < 1e-3, "{at:?} {flow:?}");
    }
}
