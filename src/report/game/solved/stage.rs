//! Stage games: pure and mixed equilibria, and their efficiency.

use super::{Put, Request, Solved};
use crate::game::frame;
use crate::table::Cell;
use findings::game::ends::nothing;
use findings::game::frame::Frame;
use findings::game::solution::Solution;
use findings::unit::Class;
use game::bimatrix::{self, Extreme};
use game::counts::Counts;
use game::mixed::{Standing, standings};
use game::pairwise::Pairwise;
use game::payoffs::Payoffs;
use game::supports::{self, Equilibria};
use scenario::plan::GamePlan;
use stats::shown::count;

/// Maximum number of pure equilibria that are listed.
const LISTED: usize = 1000;

/// Reason to list no pure equilibria.
pub(super) const TOO_MANY: &str = "the game has too many profiles to try them all";

/// A game to solve.
pub(super) struct Stage<'a> {
    pub(super) payoffs: &'a Payoffs,
    /// Amounts up to this are rounding errors.
    pub(super) nothing: f64,
    pub(super) frame: Frame,
    pub(super) request: &'a Request,
    /// The action of each player that cooperates, if the game says it.
    pub(super) cooperate: &'a [Option<u32>],
    /// The game as one of many identical players with two actions.
    pub(super) counts: Option<Counts>,
    /// The symmetric game of two that is played, if everybody meets everybody else.
    pub(super) pairwise: Option<Pairwise>,
}

/// A pure equilibrium.
pub(super) struct Pure {
    pub(super) profile: Vec<u32>,
    is_strict: bool,
    total: f64,
    /// Payoffs of the player that gets least and of the one that gets most.
    ends: (f64, f64),
}

impl Pure {
    /// The payoffs of a profile; amounts up to `nothing` are rounding errors.
    pub(super) fn of(payoffs: &Payoffs, nothing: f64, profile: Vec<u32>) -> Pure {
        let (mut pays, mut instead) = (Vec::new(), Vec::new());
        let mut is_strict = true;
        for (player, &own) in profile.iter().enumerate() {
            payoffs.instead(player, &profile, &mut instead);
            let own = own as usize;
            pays.push(instead[own]);
            let mut others = (0..instead.len()).filter(|&other| other != own);
            is_strict &= others.all(|other| instead[own] - instead[other] > nothing);
        }
        Pure { profile, is_strict, total: pays.iter().sum(), ends: ends(pays.into_iter()) }
    }

    pub(super) fn put(&self, frame: &Frame, put: &mut Put<'_>) {
        let put = put.profile(frame.told(&self.profile));
        put.put("strict", self.is_strict).range("total", self.total, Some(self.ends));
    }
}

/// Sums of payoffs: the largest of all profiles, and those of some equilibria.
struct Totals {
    optimum: f64,
    of_equilibria: Vec<f64>,
}

/// Solves a game.
pub(super) fn solve(plan: GamePlan<'_>, request: &Request, solved: &mut Solved) {
    let payoffs = &*plan.game.payoffs;
    let mut frame = frame(plan);
    let players = payoffs.players();
    frame.is_symmetric = payoffs.are_alike() && players > 2;
    let class = |(at, name): (usize, &String)| Class { name: name.clone(), members: at..at + 1 };
    frame.classes = match frame.is_symmetric {
        true => vec![Class { name: "all".to_owned(), members: 0..players }],
        false => frame.names.iter().enumerate().map(class).collect(),
    };
    let (counts, pairwise) = (counts(payoffs), pairwise(payoffs));
    let (nothing, cooperate) = (nothing(payoffs), &plan.game.cooperate[..]);
    let stage = Stage { payoffs, nothing, frame, request, cooperate, counts, pairwise };
    let (pure, totals) = stage.pure(solved);
    let mixed = stage.mixed(solved);
    if let Some(Totals { optimum, of_equilibria }) = totals {
        let note = "optimum: the largest sum of payoffs; best, worst: in an equilibrium; prices: of the best \
                    and of the worst equilibrium against the optimum, or of costs if the sums are negative";
        let mut put = solved.solver("efficiency", note);
        for (name, totals) in [("pure", Some(of_equilibria)), ("mixed", mixed)] {
            let Some(totals) = totals else { continue };
            prices(put.profile(name), optimum, &totals, stage.nothing);
        }
    }
    stage.dominance(solved);
    stage.logit(&pure, solved);
    stage.populations(solved);
    stage.memory_one(solved);
}

fn counts(payoffs: &Payoffs) -> Option<Counts> {
    match payoffs {
        _ if payoffs.players() == 2 => None,
        Payoffs::Counts(counts) => Some(counts.clone()),
        Payoffs::Pairwise(game) if game.choices() == 2 => {
            let pays = [0, 1].map(|own| [0, 1].map(|other| game.meeting(own, other)));
            Some(Counts::of_meetings(game.players(), pays))
        }
        _ => None,
    }
}

fn pairwise(payoffs: &Payoffs) -> Option<Pairwise> {
    let choices = payoffs.choices(0);
    let pays = |own, other| payoffs.payoff(0, &[own, other]);
    match payoffs {
        Payoffs::Pairwise(game) => Some(game.clone()),
        _ if payoffs.players() != 2 || payoffs.choices(1) != choices => None,
        _ => (0..choices)
            .all(|a| (0..choices).all(|b| pays(a, b) == payoffs.payoff(1, &[b, a])))
            .then(|| Pairwise::new(2, choices, pays)),
    }
}

/// The price of anarchy and of stability (Koutsoupias and Papadimitriou 1999; Anshelevich and
/// others 2004): what the best profile brings over what the worst and the best equilibrium bring,
/// or the ratios of costs where all sums are negative. There is none where signs differ.
fn prices(put: &mut Put<'_>, optimum: f64, totals: &[f64], nothing: f64) {
    let worst = totals.iter().copied().fold(f64::INFINITY, f64::min);
    let best = totals.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let price = |total: f64| match total {
        _ if (total - optimum).abs() <= nothing => Some(1.0),
        _ if total > 0.0 && optimum > 0.0 => Some(optimum / total),
        _ if total < 0.0 && optimum < 0.0 => Some(total / optimum),
        _ => None,
    };
    put_prices(put, totals.len(), [optimum, best, worst], [best, worst].map(price));
}

/// Puts the number of some equilibria, the optimum, the totals of the best and of the worst, and the
/// prices of stability and of anarchy.
pub(super) fn put_prices(
    put: &mut Put<'_>,
    number: impl Into<Cell>,
    [optimum, best, worst]: [f64; 3],
    [stability, anarchy]: [Option<f64>; 2],
) {
    put.put("number", number).put("optimum", optimum).put("best", best).put("worst", worst);
    put.put("price_of_stability", stability).put("price_of_anarchy", anarchy);
}

impl Stage<'_> {
    /// The classes of players that are shown: one for all if they are alike, or else everybody.
    pub(super) fn shown(&self) -> impl Iterator<Item = (usize, &str)> {
        self.frame.classes.iter().map(|class| (class.members.start, &*class.name))
    }

    /// An amount of payoffs, without a sum's rounding errors around 0.
    pub(super) fn amount(&self, amount: f64) -> f64 {
        if amount.abs() <= self.nothing { 0.0 } else { amount }
    }

    pub(super) fn action(&self, player: usize, action: u32) -> &str {
        &self.frame.actions[player][action as usize]
    }

    /// Puts what a mixed profile has of each player, and the probabilities of its actions.
    pub(super) fn put_mixed(
        &self,
        put: &mut Put<'_>,
        mixed: &[Vec<f64>],
        figures: impl Fn(&mut Put<'_>, usize),
    ) {
        for (player, name) in self.shown() {
            figures(put.player(name), player);
            for (action, &probability) in mixed[player].iter().enumerate() {
                put.action(self.action(player, action as u32)).put("probability", probability);
            }
        }
    }

    /// Lists the pure equilibria, at least the first ones.
    fn pure(&self, solved: &mut Solved) -> (Vec<Pure>, Option<Totals>) {
        let nothing = self.nothing;
        let players = self.payoffs.players();
        let (found, totals) = if let Some(counts) = &self.counts {
            let taking = counts.equilibria(nothing);
            let listed = taking.iter().take(LISTED).map(|&taking| Pure {
                profile: (0..players).map(|at| u32::from(at >= players - taking)).collect(),
                is_strict: counts.gain(taking) < -nothing,
                total: counts.welfare(taking),
                ends: {
                    let first = (taking < players).then(|| counts.payoff(0, taking));
                    let second = taking.checked_sub(1).map(|others| counts.payoff(1, others));
                    ends(first.into_iter().chain(second))
                },
            });
            let all = (0..=players).map(|taking| counts.welfare(taking));
            let optimum = all.fold(f64::NEG_INFINITY, f64::max);
            let of_equilibria = taking.iter().map(|&taking| counts.welfare(taking)).collect();
            (listed.collect(), Totals { optimum, of_equilibria })
        } else if let Some(found) = Solution::of(&self.frame, self.payoffs) {
            let pure = |profile| Pure::of(self.payoffs, nothing, profile);
            let mut all: Vec<Pure> = found.equilibria.into_iter().map(pure).collect();
            let of_equilibria = all.iter().map(|one| one.total).collect();
            all.truncate(LISTED);
            (all, Totals { optimum: found.best, of_equilibria })
        } else {
            solved.skip("pure_equilibria", TOO_MANY);
            solved.skip("efficiency", TOO_MANY);
            return (Vec::new(), None);
        };
        let renamed = match self.frame.is_symmetric {
            true => "players who are alike may change places; ",
            false => "",
        };
        let note = format!(
            "{renamed}strict: whoever switches alone loses; total, low, high: of the payoffs"
        );
        let mut put = solved.solver("pure_equilibria", note);
        found.iter().for_each(|one| one.put(&self.frame, &mut put));
        let more = totals.of_equilibria.len() - found.len();
        if more > 0 {
            solved.skip("pure_equilibria", format!("{} more are not listed", count(more as u64)));
        }
        (found, Some(totals))
    }

    /// Lists all extreme equilibria of two players, or those that are found of more; returns the sums of
    /// their payoffs if they are all.
    fn mixed(&self, solved: &mut Solved) -> Option<Vec<f64>> {
        const NAME: &str = "mixed_equilibria";
        let is_of_two = self.payoffs.players() == 2;
        let matrix = self.payoffs.to_matrix();
        let found = if is_of_two {
            matrix.and_then(|game| bimatrix::extreme(&game)).map(|found| {
                let Extreme { equilibria, is_degenerate } = found;
                (equilibria.into_iter().map(Vec::from).collect(), is_degenerate)
            })
        } else {
            matrix.and_then(|game| supports::equilibria(&game)).map(|found| {
                let Equilibria { all, is_degenerate } = found;
                (all, is_degenerate)
            })
        };
        let Some((equilibria, is_degenerate)): Option<(Vec<Vec<Vec<f64>>>, bool)> = found else {
            let reason = match is_of_two {
                true => "too many actions: 10 of each player, or 2 and 62, are the most",
                false => {
                    "too many supports: 5000 are the most, such as those of 7 players with two actions"
                }
            };
            solved.skip(NAME, reason);
            return None;
        };
        let all: Vec<Vec<Standing>> =
            equilibria.iter().map(|pair| standings(self.payoffs, pair)).collect();
        let total = |all: &Vec<Standing>| self.amount(all.iter().map(|one| one.payoff).sum());
        let totals: Vec<f64> = all.iter().map(total).collect();
        let note = match (is_of_two, is_degenerate) {
            (true, true) => {
                "the game is degenerate: there may be more equilibria, which mix some of these"
            }
            (true, false) => "these are all equilibria, also the pure ones",
            (false, true) => {
                "each is verified; the game is degenerate, and there may be infinitely many more"
            }
            (false, false) => {
                "each is verified; they were found from 16 starts in every support, so there may be more"
            }
        };
        let mut put = solved.solver(NAME, note);
        for (index, (pair, all)) in equilibria.iter().zip(&all).enumerate().take(LISTED) {
            let put = put.profile(index + 1);
            for (player, name) in self.frame.names.iter().enumerate() {
                put.player(name).put("payoff", self.amount(all[player].payoff));
                for (action, &probability) in pair[player].iter().enumerate() {
                    put.action(self.action(player, action as u32)).put("probability", probability);
                }
            }
        }
        if equilibria.len() > LISTED {
            let more = count((equilibria.len() - LISTED) as u64);
            solved.skip(NAME, format!("{more} more are not listed"));
        }
        is_of_two.then_some(totals)
    }
}

fn ends(payoffs: impl Iterator<Item = f64>) -> (f64, f64) {
    payoffs.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), one| {
        (least.min(one), most.max(one))
    })
}
