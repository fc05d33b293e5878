//! Brings the processors of a stage within what the sites have of storage and memory: algorithm 3 of
//! Duan, Prodan and Li, Future Generation Computer Systems, 2014.
//!
//! Equation 22 does not contain the limit, so the loop of the algorithm may never end. Every repair here
//! ends by scaling, which always fits and leaves processors idle. Storage and memory are treated alike:
//! the tightest limit of a site is repaired first. Classes that hold none of it keep their processors.

use super::HELD;
use super::stages::Game;
use model::bounds::parameters;

/// A limit may be exceeded by this part, which is rounding.
const SLACK: f64 = 1e-12;
/// Times that [`Repair::Iter`] applies the storage weights.
const MOST_ROUNDS: usize = 200;

parameters! {
    /// Repair of a site whose classes would hold more than it has.
    #[derive(Copy, Eq)]
    pub enum Repair {
        /// Each class gets fewer processors, by the same factor.
        Scale,
        /// Processors move to the classes that hold less, in proportion to one over what a task holds,
        /// again and again until it fits, 200 times at most.
        Iter,
        /// Processors are divided anew in proportion to work over what a task holds (equation 22).
        Once,
    }
}

impl Repair {
    /// Repairs the processors by class and site.
    pub(super) fn apply(self, game: &Game<'_>, theta: &mut [f64]) {
        for site in 0..game.players.sites() {
            let Some(held) = tightest(game, theta, site) else { continue };
            match self {
                Repair::Scale => {}
                Repair::Once => {
                    let work = |class: usize, at: usize| {
                        let pull = game.players.pulls()[at];
                        let part = if pull > 0.0 { game.bids[at] / pull } else { 0.0 };
                        part * (game.players.tasks[class] / game.budgets[class])
                    };
                    move_processors(game, theta, (site, held), |class, at, _| work(class, at));
                }
                Repair::Iter => {
                    let mut rounds = 0;
                    while rounds < MOST_ROUNDS && excess(game, theta, site, held) > 1.0 + SLACK {
                        move_processors(game, theta, (site, held), |_, _, now| now);
                        rounds += 1;
                    }
                }
            }
            while let Some(held) = tightest(game, theta, site) {
                let factor = 1.0 / excess(game, theta, site, held);
                each(game, site, held, |_, at| theta[at] *= factor);
            }
        }
    }
}

/// Calls for each class that holds some of a thing, with its place in the matrices.
fn each(game: &Game<'_>, site: usize, held: usize, mut call: impl FnMut(usize, usize)) {
    for (class, &need) in game.players.needs[held].iter().enumerate() {
        if need > 0.0 {
            call(class, class * game.players.sites() + site);
        }
    }
}

/// Use of a site's most scarce resource by the classes, as a share of its limit.
fn excess(game: &Game<'_>, theta: &[f64], site: usize, held: usize) -> f64 {
    let limit = game.players.limits[held][site];
    let mut sum = 0.0;
    each(game, site, held, |class, at| sum += game.players.needs[held][class] * theta[at]);
    if sum > 0.0 { sum / limit } else { 0.0 }
}

/// The thing of which most is missing at a site, if any is.
fn tightest(game: &Game<'_>, theta: &[f64], site: usize) -> Option<usize> {
    let mut tightest = None;
    let mut most = 1.0 + SLACK;
    for held in 0..HELD {
        if game.players.limits[held][site].is_finite() {
            let excess = excess(game, theta, site, held);
            if excess > most {
                (tightest, most) = (Some(held), excess);
            }
        }
    }
    tightest
}

/// Divides the processors of a site, without those of the classes that hold nothing, in proportion to a
/// part over what a task holds.
fn move_processors(
    game: &Game<'_>,
    theta: &mut [f64],
    (site, held): (usize, usize),
    part: impl Fn(usize, usize, f64) -> f64,
) {
    let sites = game.players.sites();
    let needs = &game.players.needs[held];
    let none = needs.iter().enumerate().filter(|(_, need)| **need <= 0.0);
    let kept: f64 = none.map(|(class, _)| theta[class * sites + site]).sum();
    let mut sum = 0.0;
    each(game, site, held, |class, at| {
        theta[at] = part(class, at, theta[at]) / needs[class];
        sum += theta[at];
    });
    let scale = (game.players.processors[site] - kept) / sum;
    if scale.is_finite() {
        each(game, site, held, |_, at| theta[at] *= scale);
    }
}
