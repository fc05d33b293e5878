//! Placement of classes on sites, with its price, within a length of time.

use super::HELD;
use super::players::Players;
use kernel::order::InOrder as _;

/// A price of nothing counts as this much in weights: a millionth.
const LEAST_PRICE: f64 = 1e-6;
/// Relative overfilling of a site that counts as rounding.
const SLACK: f64 = 1e-12;
/// Late part of a class that counts as rounding.
const LATE: f64 = 1e-9;

/// A cost, at least 0, as it is compared: to 12 digits, so that equal products of a price and a time are
/// equal however they are rounded.
fn compared(cost: f64) -> u64 {
    const ROUNDED: u32 = 12;
    (cost.to_bits() + (1 << (ROUNDED - 1))) >> ROUNDED
}

/// Prices that classes pay, and processors that are theirs.
#[derive(Clone, Debug)]
pub(super) struct Placement<'p> {
    pub players: &'p Players,
    /// The length of time.
    pub length: f64,
    /// Tasks by class and site.
    pub delta: Vec<f64>,
    /// Tasks of each class for which no site has room.
    pub unplaced: Vec<f64>,
    /// The sites where each class can run, the cheapest for it first.
    pub order: Vec<Vec<u32>>,
    /// Weights of the sites for each class, by class and site (equation 14).
    pub weights: Vec<f64>,
    /// Storage and memory count.
    limited: bool,
}

impl<'p> Placement<'p> {
    /// No task is placed.
    pub fn new(players: &'p Players, length: f64, limited: bool) -> Placement<'p> {
        let sites = players.sites();
        let price = |site: usize| players.prices[site].max(LEAST_PRICE);
        let mut weights = Vec::with_capacity(players.rates.len());
        let mut order = Vec::with_capacity(players.classes());
        for (class, pulls) in players.pulls().chunks_exact(sites.max(1)).enumerate() {
            let sum: f64 = (0..sites).map(|site| pulls[site] / price(site)).sum();
            weights.extend((0..sites).map(|site| pulls[site] / price(site) / sum));
            let rates = players.row(class);
            let cost = |site: u32| price(site as usize) / rates[site as usize];
            let mut cheapest: Vec<u32> =
                (0..sites as u32).filter(|&site| rates[site as usize] > 0.0).collect();
            cheapest.order_by_key(|&site| compared(cost(site)));
            order.push(cheapest);
        }
        Placement {
            players,
            length,
            delta: vec![0.0; players.rates.len()],
            unplaced: players.tasks.clone(),
            order,
            weights,
            limited,
        }
    }

    /// Tasks that a class could do at a site on its own.
    pub fn room(&self, class: usize, site: usize) -> f64 {
        let mut processors = self.players.processors[site];
        if self.limited {
            for (needs, limits) in self.players.needs.iter().zip(&self.players.limits) {
                if needs[class] > 0.0 {
                    processors = processors.min(limits[site] / needs[class]);
                }
            }
        }
        processors * self.length * self.players.row(class)[site]
    }

    /// Places the tasks of a class that are not placed, at the cheapest sites with room for them.
    pub fn fill(&mut self, class: usize, room: impl Fn(&Placement<'_>, usize) -> f64) {
        for place in 0..self.order[class].len() {
            let site = self.order[class][place] as usize;
            let tasks = room(self, site).max(0.0).min(self.unplaced[class]);
            self.delta[class * self.players.sites() + site] += tasks;
            self.unplaced[class] -= tasks;
        }
    }

    /// Processors that a class needs at a site to be done in time.
    pub fn need(&self, class: usize, site: usize) -> f64 {
        let at = class * self.players.sites() + site;
        match self.delta[at] {
            0.0 => 0.0,
            tasks => tasks / (self.players.rates[at] * self.length),
        }
    }

    /// The cost of what is placed.
    pub fn cost(&self) -> f64 {
        let sites = self.players.sites();
        let cost = |(at, &tasks): (usize, &f64)| match tasks {
            0.0 => 0.0,
            tasks => tasks / self.players.rates[at] * self.players.prices[at % sites],
        };
        self.delta.iter().enumerate().map(cost).sum()
    }

    /// Amount of a site's resources, its processors and then what tasks hold, that a class takes for
    /// each processor.
    fn takes(&self, class: usize) -> [f64; 1 + HELD] {
        let mut takes = [1.0; 1 + HELD];
        for (takes, needs) in takes[1..].iter_mut().zip(&self.players.needs) {
            *takes = if self.limited { needs[class] } else { 0.0 };
        }
        takes
    }

    /// Amount of the resources that a site has.
    fn has(&self, site: usize) -> [f64; 1 + HELD] {
        let mut has = [self.players.processors[site]; 1 + HELD];
        for (has, limits) in has[1..].iter_mut().zip(&self.players.limits) {
            *has = limits[site];
        }
        has
    }

    /// Part of the processors that classes need at a site and that it accepts; all of it if there is
    /// room.
    ///
    /// Otherwise all classes get processors in proportion to their work times weight, until they have
    /// what they need or one of the things that they take is used up.
    pub fn accepted(&self, site: usize) -> Vec<f64> {
        let sites = self.players.sites();
        let needs: Vec<f64> = (0..self.players.classes()).map(|c| self.need(c, site)).collect();
        let mut left = self.has(site);
        let mut total = [0.0; 1 + HELD];
        for (class, need) in needs.iter().enumerate() {
            for (total, takes) in total.iter_mut().zip(self.takes(class)) {
                *total += need * takes;
            }
        }
        if total.iter().zip(&left).all(|(total, left)| *total <= left * (1.0 + SLACK)) {
            return needs;
        }
        let share = |class: usize| needs[class] * self.weights[class * sites + site];
        let mut rest: Vec<usize> = (0..needs.len()).filter(|&class| share(class) > 0.0).collect();
        let mut got = vec![0.0; needs.len()];
        // The level counts from 0 in each round: those who leave take what they have.
        while !rest.is_empty() {
            let mut sums = [0.0; 1 + HELD];
            for &class in &rest {
                for (sum, takes) in sums.iter_mut().zip(self.takes(class)) {
                    *sum += share(class) * takes;
                }
            }
            let mut level = f64::INFINITY;
            let mut scarce = 0;
            for (held, (left, sum)) in left.iter().zip(sums).enumerate() {
                let reached = if sum > 0.0 { left.max(0.0) / sum } else { f64::INFINITY };
                if reached < level {
                    (level, scarce) = (reached, held);
                }
            }
            let has_all = |class: &usize| needs[*class] <= level * share(*class);
            let done: Vec<usize> = match rest.iter().any(has_all) {
                true => rest.iter().copied().filter(has_all).collect(),
                false => {
                    rest.iter().copied().filter(|&one| self.takes(one)[scarce] > 0.0).collect()
                }
            };
            for &class in &done {
                got[class] = needs[class].min(level * share(class));
                for (left, takes) in left.iter_mut().zip(self.takes(class)) {
                    *left -= got[class] * takes;
                }
            }
            rest.retain(|class| !done.contains(class));
        }
        got
    }

    /// Takes from a class what a site does not accept, to be placed elsewhere.
    pub fn reject(&mut self, class: usize, site: usize, accepted: f64) {
        let at = class * self.players.sites() + site;
        let kept = accepted * self.length * self.players.rates[at];
        self.unplaced[class] += self.delta[at] - kept;
        self.delta[at] = kept;
    }

    /// Moves what does not fit to the cheapest sites that have room left. What fits nowhere is late: it
    /// goes to all sites where it can run, in proportion to their rates. Returns true if nothing is
    /// late.
    pub fn repair(&mut self) -> bool {
        let (classes, sites) = (self.players.classes(), self.players.sites());
        let mut is_kept = true;
        let mut spare = self.settle();
        for class in 0..classes {
            let takes = self.takes(class);
            let room = |spare: &[f64; 1 + HELD]| {
                let each = spare.iter().zip(takes).filter(|(_, takes)| *takes > 0.0);
                each.fold(f64::INFINITY, |room, (left, takes)| room.min(left.max(0.0) / takes))
            };
            let before = self.delta[class * sites..][..sites].to_vec();
            self.fill(class, |placement, site| {
                room(&spare[site]) * placement.length * placement.players.row(class)[site]
            });
            for (site, before) in before.into_iter().enumerate() {
                let more = self.delta[class * sites + site] - before;
                if more > 0.0 {
                    let used = more / (self.players.row(class)[site] * self.length);
                    for (left, takes) in spare[site].iter_mut().zip(takes) {
                        *left -= used * takes;
                    }
                }
            }
            let late = std::mem::take(&mut self.unplaced[class]);
            is_kept &= late <= LATE * self.players.tasks[class];
            let all: f64 = (0..sites).map(|site| self.room(class, site)).sum();
            for site in 0..sites {
                self.delta[class * sites + site] += late * self.room(class, site) / all;
            }
        }
        is_kept
    }

    /// Takes away what sites have no room for; returns what each of them has left.
    fn settle(&mut self) -> Vec<[f64; 1 + HELD]> {
        let mut spare = Vec::with_capacity(self.players.sites());
        for site in 0..self.players.sites() {
            let mut left = self.has(site);
            for (class, accepted) in self.accepted(site).into_iter().enumerate() {
                if accepted < self.need(class, site) {
                    self.reject(class, site, accepted);
                }
                for (left, takes) in left.iter_mut().zip(self.takes(class)) {
                    *left -= accepted * takes;
                }
            }
            spare.push(left);
        }
        spare
    }

    /// The processors with which the classes do their tasks where they are placed, by class and site.
    ///
    /// They are as many as all need to be done in time, times a factor for each class. All factors grow
    /// together; where a site is used up, those of its classes stop. Classes that share a site with what
    /// is late have factors below 1.
    pub fn processors(&self) -> Vec<f64> {
        let (classes, sites) = (self.players.classes(), self.players.sites());
        let mut needs = Vec::with_capacity(classes * sites);
        for class in 0..classes {
            needs.extend((0..sites).map(|site| self.need(class, site)));
        }
        let mut factors = vec![None; classes];
        let mut left: Vec<_> = (0..sites).map(|site| self.has(site)).collect();
        while factors.contains(&None) {
            let mut sums = vec![[0.0; 1 + HELD]; sites];
            for class in (0..classes).filter(|&class| factors[class].is_none()) {
                let takes = self.takes(class);
                for (sums, need) in sums.iter_mut().zip(&needs[class * sites..]) {
                    for (sum, takes) in sums.iter_mut().zip(takes) {
                        *sum += need * takes;
                    }
                }
            }
            let mut factor = f64::INFINITY;
            let mut scarce = (0, 0);
            for (site, sums) in sums.iter().enumerate() {
                for (held, sum) in sums.iter().enumerate().filter(|(_, sum)| **sum > 0.0) {
                    let reached = left[site][held].max(0.0) / sum;
                    if reached < factor {
                        (factor, scarce) = (reached, (site, held));
                    }
                }
            }
            if !factor.is_finite() {
                break;
            }
            for class in (0..classes).filter(|&class| factors[class].is_none()).collect::<Vec<_>>()
            {
                let takes = self.takes(class);
                if needs[class * sites + scarce.0] * takes[scarce.1] > 0.0 {
                    factors[class] = Some(factor);
                    for (left, need) in left.iter_mut().zip(&needs[class * sites..]) {
                        for (left, takes) in left.iter_mut().zip(takes) {
                            *left -= factor * need * takes;
                        }
                    }
                }
            }
        }
        for (row, factor) in needs.chunks_exact_mut(sites.max(1)).zip(factors) {
            for need in row {
                *need *= factor.unwrap_or(0.0);
            }
        }
        needs
    }
}
