//! Stage games: pure and mixed equilibria, and their efficiency.

use super::{Request, Tables};
use crate::game::frame;
use crate::table::{Cell, Column, ColumnOf, columns};
use findings::game::ends::nothing;
use findings::game::frame::Frame;
use findings::game::solution::Solution;
use findings::unit::Class;
use game::bimatrix::{self, Extreme};
use game::counts::Counts;
use game::mixed::{Standing, standings};
use game::pairwise::Pairwise;
use game::payoffs::Payoffs;
use scenario::plan::GamePlan;
use stats::shown::count;

/// Maximum number of pure equilibria that are listed.
const LISTED: usize = 1000;

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

/// An action in a mixed strategy.
#[derive(Clone, Copy)]
pub(super) struct Play<'a> {
    pub(super) player: usize,
    pub(super) name: &'a str,
    pub(super) action: &'a str,
    pub(super) probability: f64,
}

/// Sums of payoffs: the largest of all profiles, and those of some equilibria.
struct Totals {
    optimum: f64,
    of_equilibria: Vec<f64>,
}

/// Solves a game.
pub(super) fn solve(plan: GamePlan<'_>, request: &Request, tables: &mut Tables) {
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
    let (pure, totals) = stage.pure(tables);
    let mixed = stage.mixed(tables);
    if let Some(totals) = totals {
        let of = |name, all: &[f64]| prices(name, totals.optimum, all, stage.nothing);
        let mixed = mixed.map(|mixed| of("mixed", &mixed));
        tables.add(
            "efficiency",
            [of("pure", &totals.of_equilibria)].into_iter().chain(mixed),
            Prices::columns(),
            "optimum: the largest sum of payoffs; best, worst: in an equilibrium; prices: of the best \
             and of the worst equilibrium against the optimum, or of costs if the sums are negative",
        );
    }
    stage.dominance(tables);
    stage.logit(&pure, tables);
    stage.populations(tables);
    stage.memory_one(tables);
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
fn prices(equilibria: &'static str, optimum: f64, totals: &[f64], nothing: f64) -> Prices {
    let worst = totals.iter().copied().fold(f64::INFINITY, f64::min);
    let best = totals.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let price = |total: f64| match total {
        _ if (total - optimum).abs() <= nothing => Some(1.0),
        _ if total > 0.0 && optimum > 0.0 => Some(optimum / total),
        _ if total < 0.0 && optimum < 0.0 => Some(total / optimum),
        _ => None,
    };
    let (number, prices) = (totals.len().into(), [price(best), price(worst)]);
    Prices { equilibria, number, totals: [optimum, best, worst], prices }
}

/// Prices of some equilibria: a line of the table `efficiency`.
pub(super) struct Prices {
    pub(super) equilibria: &'static str,
    pub(super) number: Cell,
    /// The optimum, and the totals of the best and of the worst equilibrium.
    pub(super) totals: [f64; 3],
    /// The prices of stability and of anarchy.
    pub(super) prices: [Option<f64>; 2],
}

impl Prices {
    /// The columns of the table `efficiency`.
    pub(super) fn columns<'a>() -> Vec<ColumnOf<'a, Prices>> {
        columns![|row: &Prices|
            Column::text("equilibria") => row.equilibria,
            Column::figure("number") => row.number.clone(),
            Column::figure("optimum") => row.totals[0],
            Column::figure("best") => row.totals[1],
            Column::figure("worst") => row.totals[2],
            Column::figure("price_of_stability") => row.prices[0],
            Column::figure("price_of_anarchy") => row.prices[1],
        ]
    }
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

    /// The probabilities of all actions in mixed strategies, one a player.
    pub(super) fn plays<'a>(&'a self, mixed: &'a [Vec<f64>]) -> impl Iterator<Item = Play<'a>> {
        self.shown().flat_map(move |(player, name)| {
            let of = mixed[player].iter().enumerate();
            of.map(move |(action, &probability)| {
                let action = self.action(player, action as u32);
                Play { player, name, action, probability }
            })
        })
    }

    /// Lists the pure equilibria, at least the first ones.
    fn pure(&self, tables: &mut Tables) -> (Vec<Pure>, Option<Totals>) {
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
            let all = found.equilibria.into_iter().map(|profile| self.described(profile));
            let mut all: Vec<Pure> = all.collect();
            let of_equilibria = all.iter().map(|one| one.total).collect();
            all.truncate(LISTED);
            (all, Totals { optimum: found.best, of_equilibria })
        } else {
            let reason = "the game has too many profiles to try them all";
            tables.skip("pure_equilibria", reason);
            tables.skip("efficiency", reason);
            return (Vec::new(), None);
        };
        let columns = columns![|one: &&Pure|
            Column::text("profile") => self.frame.told(&one.profile),
            Column::figure("strict") => one.is_strict,
            Column::figure("total") => one.total,
            Column::figure("least") => one.ends.0,
            Column::figure("most") => one.ends.1,
        ];
        let renamed = match self.frame.is_symmetric {
            true => "players who are alike may change places; ",
            false => "",
        };
        tables.add(
            "pure_equilibria",
            &found,
            columns,
            format!(
                "{renamed}strict: whoever switches alone loses; total, least, most: of the payoffs"
            ),
        );
        let more = totals.of_equilibria.len() - found.len();
        if more > 0 {
            tables.skip("pure_equilibria", format!("{} more are not listed", count(more as u64)));
        }
        (found, Some(totals))
    }

    fn described(&self, profile: Vec<u32>) -> Pure {
        let (mut payoffs, mut instead) = (Vec::new(), Vec::new());
        let mut is_strict = true;
        for (player, &own) in profile.iter().enumerate() {
            self.payoffs.instead(player, &profile, &mut instead);
            payoffs.push(instead[own as usize]);
            let others = (0..instead.len()).filter(|&other| other != own as usize);
            is_strict &= others
                .into_iter()
                .all(|other| instead[own as usize] - instead[other] > self.nothing);
        }
        Pure { profile, is_strict, total: payoffs.iter().sum(), ends: ends(payoffs.into_iter()) }
    }

    /// Lists all extreme equilibria of two players; returns the sums of their payoffs.
    fn mixed(&self, tables: &mut Tables) -> Option<Vec<f64>> {
        const NAME: &str = "mixed_equilibria";
        if self.payoffs.players() != 2 {
            tables.skip(NAME, "they are found for two players only");
            return None;
        }
        let found = self.payoffs.to_matrix().and_then(|game| bimatrix::extreme(&game));
        let Some(Extreme { equilibria, is_degenerate }) = found else {
            tables.skip(NAME, "too many actions: 10 of each player, or 2 and 62, are the most");
            return None;
        };
        let all: Vec<Vec<Standing>> =
            equilibria.iter().map(|pair| standings(self.payoffs, pair)).collect();
        let total = |all: &Vec<Standing>| self.amount(all.iter().map(|one| one.payoff).sum());
        let totals: Vec<f64> = all.iter().map(total).collect();
        let rows = equilibria.iter().zip(&all).enumerate().take(LISTED);
        let rows = rows.flat_map(|(index, (pair, all))| {
            self.plays(pair).filter(|one| one.probability > 0.0).map(move |one| (index, one, all))
        });
        let columns = columns![|(index, play, all): &(usize, Play<'_>, &Vec<Standing>)|
            Column::figure("equilibrium") => index + 1,
            Column::text("player") => play.name,
            Column::text("action") => play.action,
            Column::figure("probability") => play.probability,
            Column::figure("payoff") => self.amount(all[play.player].payoff),
        ];
        tables.add(
            NAME,
            rows,
            columns,
            match is_degenerate {
                true => {
                    "the game is degenerate: there may be more equilibria, which mix some of these"
                }
                false => "these are all equilibria, also the pure ones",
            },
        );
        if equilibria.len() > LISTED {
            let more = count((equilibria.len() - LISTED) as u64);
            tables.skip(NAME, format!("{more} more are not listed"));
        }
        Some(totals)
    }
}

fn ends(payoffs: impl Iterator<Item = f64>) -> (f64, f64) {
    payoffs.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), one| {
        (least.min(one), most.max(one))
    })
}
