//! The stages of Game-quick and Game-cost by the letter of the paper's equations, to see what the
//! planners do not tell: sums and costs stage by stage. Rows check that both are the same.

use super::drawn::Instance;
use kernel::time::Span;

/// A matrix by class and site.
pub(super) type Matrix = Vec<Vec<f64>>;

/// An instance in the terms of the equations; all its classes play.
#[derive(Clone, Debug)]
pub(super) struct Letter {
    /// p: time of a task, by class and site.
    pub(super) times: Matrix,
    /// Tasks of each class.
    pub(super) tasks: Vec<f64>,
    /// Processors of each site.
    pub(super) processors: Vec<f64>,
    /// Price of each site.
    pub(super) prices: Vec<f64>,
}

/// A stage.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stage {
    pub(super) theta: Matrix,
    pub(super) delta: Matrix,
    /// Equation 1, for each class.
    pub(super) times: Vec<f64>,
}

impl Stage {
    pub(super) fn sum(&self) -> f64 {
        self.times.iter().sum()
    }
}

impl Letter {
    pub(super) fn of(instance: &Instance) -> Letter {
        let classes = 0..instance.work.classes.len() as u32;
        let row = |class| instance.work.times(class).iter().map(|time| units(*time)).collect();
        let sites = instance.sites.iter();
        Letter {
            times: classes.map(row).collect(),
            tasks: instance.work.classes.iter().map(|class| class.tasks as f64).collect(),
            processors: sites.clone().map(|site| f64::from(site.processors)).collect(),
            prices: sites.map(|site| site.price as f64 / 1e6).collect(),
        }
    }

    fn classes(&self) -> std::ops::Range<usize> {
        0..self.tasks.len()
    }

    pub(super) fn sites(&self) -> std::ops::Range<usize> {
        0..self.processors.len()
    }

    /// A matrix of values by class and site.
    fn matrix(&self, value: impl Fn(usize, usize) -> f64) -> Matrix {
        self.classes().map(|k| self.sites().map(|i| value(k, i)).collect()).collect()
    }

    /// Equation 3.
    pub(super) fn weights(&self) -> Matrix {
        let sums: Vec<f64> =
            self.times.iter().map(|row| row.iter().map(|p| 1.0 / p).sum::<f64>()).collect();
        self.matrix(|k, i| 1.0 / self.times[k][i] / sums[k])
    }

    /// Equation 14.
    pub(super) fn cost_weights(&self) -> Matrix {
        let worth = self.matrix(|k, i| 1.0 / (self.prices[i] * self.times[k][i]));
        let sums: Vec<f64> = worth.iter().map(|row| row.iter().sum()).collect();
        self.matrix(|k, i| worth[k][i] / sums[k])
    }

    /// Equation 7: everybody takes all processors for its own.
    pub(super) fn first(&self) -> Matrix {
        self.distributed(&self.matrix(|_, i| self.processors[i]))
    }

    /// Equations 2 and 13.
    pub(super) fn divided(&self, delta: &Matrix, weights: &Matrix) -> Matrix {
        let part = self.matrix(|k, i| delta[k][i] * self.times[k][i] * weights[k][i]);
        let sums: Vec<f64> =
            self.sites().map(|i| self.classes().map(|k| part[k][i]).sum()).collect();
        self.matrix(|k, i| match part[k][i] > 0.0 {
            true => self.processors[i] * part[k][i] / sums[i],
            false => 0.0,
        })
    }

    /// The processing rate of each class.
    pub(super) fn rates(&self, theta: &Matrix) -> Vec<f64> {
        let rate = |k: usize| self.sites().map(|i| theta[k][i] / self.times[k][i]).sum();
        self.classes().map(rate).collect()
    }

    /// Equation 5.
    pub(super) fn distributed(&self, theta: &Matrix) -> Matrix {
        let rates = self.rates(theta);
        self.matrix(|k, i| self.tasks[k] * (theta[k][i] / self.times[k][i]) / rates[k])
    }

    /// Equation 1.
    pub(super) fn ends(&self, theta: &Matrix) -> Vec<f64> {
        self.rates(theta).iter().zip(&self.tasks).map(|(rate, tasks)| tasks / rate).collect()
    }

    /// Plays stages of Game-quick, and shows each; ends when `look` says so.
    pub(super) fn play(&self, last: u32, mut look: impl FnMut(u32, &Stage) -> bool) {
        let weights = self.weights();
        let mut delta = self.first();
        for stage in 1..=last {
            let theta = self.divided(&delta, &weights);
            delta = self.distributed(&theta);
            let times = self.ends(&theta);
            let now = Stage { theta, delta, times };
            if look(stage, &now) {
                return;
            }
            delta = now.delta;
        }
    }

    /// The first stage.
    pub(super) fn stage(&self) -> Stage {
        let mut first = None;
        self.play(1, |_, now| {
            first = Some(now.clone());
            true
        });
        first.expect("a stage is played")
    }

    /// Objective of the Fisher market: the sum of budget times logarithm of the rate. The budget of a
    /// class, its tasks over the sum of its rates, is what is left of equations 2 and 3 where the
    /// weights cancel the times.
    pub(super) fn welfare(&self, theta: &Matrix) -> f64 {
        let rates = self.rates(theta);
        let of = |k: usize| {
            let sum: f64 = self.times[k].iter().map(|p| 1.0 / p).sum();
            self.tasks[k] / sum * libm::log(rates[k])
        };
        self.classes().map(of).sum()
    }

    /// Equation 11, of all classes.
    pub(super) fn cost(&self, delta: &Matrix) -> f64 {
        let one = |k: usize, i: usize| self.times[k][i] * delta[k][i] * self.prices[i];
        self.classes().map(|k| self.sites().map(|i| one(k, i)).sum::<f64>()).sum()
    }

    /// The sites of each class, the best performance for the price first.
    pub(super) fn order(&self) -> Vec<Vec<usize>> {
        let price = |k: usize, i: usize| self.prices[i] * self.times[k][i];
        let of = |k: usize| {
            let mut sites: Vec<usize> = self.sites().collect();
            sites.sort_by(|&one, &other| price(k, one).total_cmp(&price(k, other)));
            sites
        };
        self.classes().map(of).collect()
    }

    /// Plays stages of Game-cost with a deadline for the phase.
    ///
    /// Equation 19 does not keep to the number of tasks. Here it is capped in the order of the sites, as
    /// lines 7 to 9 do at first, and what is left goes to sites where the class has no processors.
    pub(super) fn play_cost(&self, phase: f64, last: u32) -> Costs {
        let (weights, order) = (self.cost_weights(), self.order());
        let placed = |theta: Option<&Matrix>| {
            let mut delta = self.matrix(|_, _| 0.0);
            let mut late = 0.0;
            for k in self.classes() {
                let mut left = self.tasks[k];
                for &i in &order[k] {
                    let own = theta.map_or(0.0, |theta| theta[k][i]);
                    let processors = if own > 0.0 { own } else { self.processors[i] };
                    let room = phase * processors / self.times[k][i];
                    delta[k][i] = room.min(left);
                    left -= delta[k][i];
                }
                late += left;
            }
            (delta, late)
        };
        let (mut delta, _) = placed(None);
        let mut found = Costs { costs: vec![self.cost(&delta)], ..Costs::default() };
        for _ in 1..=last {
            let theta = self.divided(&delta, &weights);
            let late;
            (delta, late) = placed(Some(&theta));
            let longest = self.ends(&theta).into_iter().fold(0.0, f64::max);
            let before = found.costs.last().copied().unwrap_or(0.0);
            found.costs.push(self.cost(&delta));
            found.unplaced = late / self.tasks.iter().sum::<f64>();
            let is_kept = longest <= phase * (1.0 + 1e-9);
            let cost = found.costs[found.costs.len() - 1];
            if found.costs.len() > 2 && before - cost <= 0.0 && is_kept {
                found.ended = true;
                break;
            }
        }
        found
    }
}

/// The course of Game-cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Costs {
    /// The cost at first and after each stage.
    pub(super) costs: Vec<f64>,
    /// Share of the tasks for which there is no room after the last stage.
    pub(super) unplaced: f64,
    /// True if the game ended before the last stage.
    pub(super) ended: bool,
}

impl Costs {
    /// Stages in which the cost rises by more than rounding.
    pub(super) fn rises(&self) -> usize {
        self.costs.windows(2).filter(|pair| pair[1] > pair[0] * (1.0 + 1e-12)).count()
    }
}

fn units(time: Span) -> f64 {
    time.as_units()
}
