//! The stages of the sequential game of Duan, Prodan and Li, Future Generation Computer Systems, 2014,
//! section 3.1, which divides the processors of the sites among classes of tasks.
//!
//! A stage divides each site by equation 2 in proportion to the bids, and each class then moves its
//! tasks to where it has its processors by equation 5. The weights of equation 3 cancel the times of
//! equation 2: a class bids at a site the part of its tasks there times a budget, `tasks / sum(1 /
//! time)`, which never changes. The game is therefore proportional response in a Fisher market with
//! linear utilities: it converges to the allocation that maximizes the sum of budget times log(rate)
//! over the classes, not to the smallest makespan.
//!
//! The condition that a share is at least one processor (equation 4, constraint 3) is not applied. With
//! one processor at each site it would drop every share, and shares are rounded later.

use super::Stage;
use super::players::Players;

/// Bids below this are nothing. It keeps the arithmetic clear of subnormal numbers, which are slow.
const LEAST: f64 = 1e-250;
/// Budgets stay within this and its inverse.
const MOST_BUDGET: f64 = 1e100;

/// A game between two stages.
#[derive(Clone, Debug)]
pub(super) struct Game<'p> {
    pub players: &'p Players,
    /// Budget of each class.
    pub budgets: Vec<f64>,
    /// Bids by class and site. Those of a class are together its budget, where all weights are 1.
    pub bids: Vec<f64>,
    /// Processors by class and site in the last stage.
    pub theta: Vec<f64>,
    /// Time of each class with the processors of the last stage.
    pub times: Vec<f64>,
    /// The stages played.
    pub stages: Vec<Stage>,
    /// Processors for a unit of bids, by site.
    scale: Vec<f64>,
}

impl<'p> Game<'p> {
    /// Starts with all processors for every class (equation 7).
    pub fn new(players: &'p Players) -> Game<'p> {
        let (classes, sites) = (players.classes(), players.sites());
        let mut game = Game {
            players,
            budgets: Vec::with_capacity(classes),
            bids: vec![0.0; classes * sites],
            theta: Vec::with_capacity(classes * sites),
            times: vec![0.0; classes],
            stages: Vec::new(),
            scale: vec![0.0; sites],
        };
        let pulls = players.pulls();
        for class in 0..classes {
            let pull: f64 = pulls[class * sites..][..sites].iter().sum();
            game.budgets.push(players.tasks[class] / pull);
            game.theta.extend_from_slice(&players.processors);
        }
        game.respond();
        game
    }

    /// Plays a stage. What `repair` does to the processors counts for the next bids.
    pub fn play(&mut self, repair: &mut impl FnMut(&Game<'_>, &mut [f64])) {
        self.divide();
        let mut theta = std::mem::take(&mut self.theta);
        repair(self, &mut theta);
        self.theta = theta;
        self.respond();
        self.stages.push(Stage::of(&self.times, None));
    }

    /// Number of stages played.
    pub fn stage(&self) -> u32 {
        self.stages.len() as u32
    }

    /// Divides the sites in proportion to the bids (equation 2).
    fn divide(&mut self) {
        let sites = self.players.sites();
        self.scale.fill(0.0);
        for bids in self.bids.chunks_exact(sites.max(1)) {
            for (sum, bid) in self.scale.iter_mut().zip(bids) {
                *sum += bid;
            }
        }
        for (scale, processors) in self.scale.iter_mut().zip(&self.players.processors) {
            *scale = if *scale > 0.0 { processors / *scale } else { 0.0 };
        }
        let rows = self.theta.chunks_exact_mut(sites.max(1));
        for (theta, bids) in rows.zip(self.bids.chunks_exact(sites.max(1))) {
            for ((theta, bid), scale) in theta.iter_mut().zip(bids).zip(&self.scale) {
                *theta = bid * scale;
            }
        }
    }

    /// Distributes the tasks in proportion to the rates (equation 5) and bids accordingly. A class
    /// without processors bids as before.
    fn respond(&mut self) {
        let sites = self.players.sites();
        let pulls = self.players.pulls();
        for (class, &tasks) in self.players.tasks.iter().enumerate() {
            let row = class * sites..(class + 1) * sites;
            let theta = &self.theta[row.clone()];
            let rate = dot(theta, self.players.row(class));
            self.times[class] = tasks / rate;
            if rate <= 0.0 {
                continue;
            }
            let factor = self.budgets[class] / rate;
            let bids = self.bids[row.clone()].iter_mut();
            for ((bid, theta), pull) in bids.zip(theta).zip(&pulls[row]) {
                let value = theta * pull * factor;
                *bid = if value < LEAST { 0.0 } else { value };
            }
        }
    }

    /// Plays until the sum of times falls by at most `epsilon` in a stage (line 16 of algorithm 1), or
    /// until the last stage.
    ///
    /// The test starts at the second stage. Before the first one each class counts with all processors,
    /// so the sum rises in the first stage, always.
    pub fn play_all(
        &mut self,
        epsilon: f64,
        last: u32,
        repair: &mut impl FnMut(&Game<'_>, &mut [f64]),
    ) {
        let mut before = f64::INFINITY;
        while self.stage() < last {
            self.play(repair);
            let sum: f64 = self.times.iter().sum();
            if self.stage() >= 2 && before - sum <= epsilon {
                return;
            }
            before = sum;
        }
    }

    /// Plays with budgets that grow for the classes that end late and shrink for the others, until all
    /// end together as far as they can: the time of a class and its `tail`, the time of what waits for
    /// it, become equal.
    ///
    /// A budget is multiplied in stage l by the time over the geometric mean of all, to the power
    /// `0.5 / sqrt(1 + l / 50)`. Without tails the shares converge to the smallest makespan of a fluid.
    pub fn play_adaptive(
        &mut self,
        tails: &[f64],
        last: u32,
        repair: &mut impl FnMut(&Game<'_>, &mut [f64]),
    ) {
        /// The game is over if no class changes more than this in a stage.
        const STILL: f64 = 1e-9;
        let count = self.players.classes() as f64;
        let mut logs = vec![0.0; self.players.classes()];
        let mut before = vec![f64::INFINITY; logs.len()];
        while self.stage() < last {
            self.play(repair);
            let changes = self.times.iter().zip(&before);
            if self.stage() >= 2
                && changes.clone().all(|(now, was)| (now - was).abs() <= STILL * was)
            {
                return;
            }
            before.clone_from(&self.times);
            let ends = self.times.iter().zip(tails).map(|(time, tail)| time + tail);
            for (log, end) in logs.iter_mut().zip(ends) {
                *log = if end.is_finite() { libm::log(end) } else { 0.0 };
            }
            let mean = logs.iter().sum::<f64>() / count;
            let power = 0.5 / (1.0 + f64::from(self.stage()) / 50.0).sqrt();
            let sites = self.players.sites();
            for (class, log) in logs.iter().enumerate() {
                let budget = self.budgets[class] * libm::exp((log - mean) * power);
                let budget = budget.clamp(1.0 / MOST_BUDGET, MOST_BUDGET);
                let factor = budget / self.budgets[class];
                self.budgets[class] = budget;
                for bid in &mut self.bids[class * sites..][..sites] {
                    *bid *= factor;
                }
            }
        }
    }

    /// Tasks of a class by site.
    #[cfg(test)]
    pub fn delta(&self, class: usize) -> Vec<f64> {
        let sites = self.players.sites();
        let theta = &self.theta[class * sites..][..sites];
        let rate = dot(theta, self.players.row(class));
        let each = theta.iter().zip(self.players.row(class));
        each.map(|(theta, one)| self.players.tasks[class] * theta * one / rate).collect()
    }
}

/// The inner product, as four sums of every fourth term.
pub(super) fn dot(one: &[f64], other: &[f64]) -> f64 {
    let (ones, others) = (one.chunks_exact(4), other.chunks_exact(4));
    let ends = ones.remainder().iter().zip(others.remainder());
    let end: f64 = ends.map(|(one, other)| one * other).sum();
    let mut sums = [0.0; 4];
    for (ones, others) in ones.zip(others) {
        for ((sum, one), other) in sums.iter_mut().zip(ones).zip(others) {
            *sum += one * other;
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + end
}
