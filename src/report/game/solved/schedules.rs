//! Jobs on dedicated processors: reference schedules, fair ones, the game of ordering, and its core.

use super::stage::put_prices;
use super::{Solved, members};
use crate::table::Cell;
use game::dedicated::{Dedicated, Fronts, Limit, OneShot, TooLarge};
use game::ntu;

/// Maximum number of outcomes that are listed.
const LISTED: usize = 1000;
/// Maximum number of pairs of an outcome and what a coalition reaches that are compared for the core.
const COMPARED: usize = 100_000_000;

struct Game<'a> {
    names: &'a [String],
    instance: &'a Dedicated,
    one_shot: OneShot<'a>,
}

pub(super) fn solve(names: &[String], instance: &Dedicated, solved: &mut Solved) {
    let game = Game { names, instance, one_shot: OneShot::new(instance) };
    game.schedules(solved);
    game.efficiency(solved);
    game.control(solved);
    match Fronts::of(instance, Limit::default()) {
        Ok(fronts) => {
            if let Err(wrong) = game.fronts(&fronts, solved) {
                solved.skip("equitable_front", wrong.to_string());
            }
        }
        Err(wrong) => {
            solved.skip("fronts", wrong.to_string());
            solved.skip("equitable_front", wrong.to_string());
        }
    }
    if let Err(reason) = game.core(solved) {
        solved.skip("core_without_payments", reason);
    }
}

impl Game<'_> {
    /// Each owner's sum if all jobs run shortest first, and if everybody plays my jobs first.
    fn schedules(&self, solved: &mut Solved) {
        let note = "sum: of the completion times of the player's jobs; payoff: what it gains over everybody \
                    playing my jobs first";
        let mut put = solved.solver("schedules", note);
        for (schedule, orders) in [
            ("shortest first", self.instance.shortest_first()),
            ("my jobs first", self.instance.own_first()),
        ] {
            put.profile(schedule);
            let ends = self.instance.sums(&orders).into_iter().zip(self.one_shot.payoffs(&orders));
            for (name, (sum, payoff)) in self.names.iter().zip(ends) {
                put.player(name).put("sum", sum as f64).put("payoff", payoff as f64);
            }
        }
    }

    /// Prices of the pure equilibria.
    fn efficiency(&self, solved: &mut Solved) {
        let Some(found) = self.one_shot.equilibria() else {
            solved.skip("efficiency", "there are too many orders of foreign jobs to try");
            return;
        };
        let mut put = solved.solver(
            "efficiency",
            "everybody plays my jobs first; equilibria differ in the order of foreign jobs. optimum, \
             best, worst: sums of completion times over all players, of any schedule and in an \
             equilibrium; prices: over the optimum",
        );
        let number = u64::try_from(found.count).map_or((found.count as f64).into(), Cell::from);
        let totals = [found.optimum, found.best, found.worst].map(|one| one as f64);
        let prices = [found.price_of_stability(), found.price_of_anarchy()].map(Some);
        put_prices(put.profile("pure"), number, totals, prices);
    }

    /// The sum over all owners if some of them leave the order to the community.
    fn control(&self, solved: &mut Solved) {
        let mut put = solved.solver(
            "control",
            "profile: number of players who run all jobs shortest first, while the others play my jobs \
             first; sum: of completion times over all players, over its optimum, in the mean over any \
             choice of so many players, with the least and the most",
        );
        for row in self.instance.control() {
            put.profile(row.controlled).range("sum", row.mean, Some((row.least, row.most)));
        }
    }

    /// Sizes of the exact fronts, and the fair outcomes.
    fn fronts(&self, fronts: &Fronts, solved: &mut Solved) -> Result<(), TooLarge> {
        let nothing = vec![0; self.instance.owners()];
        let equitable = fronts.equitable(&nothing)?;
        let payoffs = fronts.equitable(&self.instance.payoff_offset())?;
        let pareto = match fronts.pareto() {
            Ok(front) => Some(("Pareto", front.len())),
            Err(wrong) => {
                solved.skip("fronts", format!("Pareto: {wrong}"));
                None
            }
        };
        let fair = [("equitable, sums", equitable.len()), ("equitable, payoffs", payoffs.len())];
        let mut put = solved.solver(
            "fronts",
            "outcomes: vectors of sums of completion times that no schedule betters for one player at \
             no cost to others (Pareto), or by equity of sums or of payoffs",
        );
        for (front, outcomes) in pareto.into_iter().chain(fair) {
            put.profile(front).put("outcomes", outcomes);
        }
        let offset = self.instance.payoff_offset();
        let both = [("sums", &equitable), ("payoffs", &payoffs)];
        let note = "profile: what is shared fairly, sums of completion times or payoffs, and the number of \
                    the outcome";
        let mut put = solved.solver("equitable_front", note);
        for (of, front) in both {
            for (number, sums) in front.iter().enumerate().take(LISTED) {
                put.profile(format!("{of} {}", number + 1));
                for ((name, sum), offset) in self.names.iter().zip(sums).zip(&offset) {
                    put.player(name).put("sum", *sum as f64).put("payoff", -(sum + offset) as f64);
                }
            }
        }
        for (of, front) in both.into_iter().filter(|(_, front)| front.len() > LISTED) {
            let more = front.len() - LISTED;
            solved.skip("equitable_front", format!("{more} more of {of} are not listed"));
        }
        Ok(())
    }

    /// The fair outcomes of payoffs that coalitions block, and how many outcomes none blocks.
    fn core(&self, solved: &mut Solved) -> Result<(), String> {
        let players = self.instance.owners();
        if players > ntu::MOST_PLAYERS {
            return Err(format!("there are more than {} players", ntu::MOST_PLAYERS));
        }
        let game =
            &self.instance.cooperation(Limit::default()).map_err(|wrong| wrong.to_string())?;
        let reached: usize = (1..1 << players).map(|one| game.reach(one).len()).sum();
        if reached.saturating_mul(game.outcomes().len()) > COMPARED {
            return Err("there are too many outcomes to compare".to_owned());
        }
        let core = game.core();
        let fronts =
            Fronts::of(self.instance, Limit::default()).map_err(|wrong| wrong.to_string())?;
        let offset = self.instance.payoff_offset();
        let fair = fronts.equitable(&offset).map_err(|wrong| wrong.to_string())?;
        let note = format!(
            "the equitable front of payoffs; blocks: a coalition whose members all gain more by serving each \
             other first, the smallest of several. No coalition blocks {} of {} outcomes \
             of the Pareto front: they are the core",
            core.len(),
            game.outcomes().len()
        );
        let mut put = solved.solver("core_without_payments", note);
        for (outcome, sums) in fair.iter().enumerate().take(LISTED) {
            let payoffs: Vec<i64> = sums.iter().zip(&offset).map(|(a, b)| -(a + b)).collect();
            put.profile(outcome + 1);
            for (name, payoff) in self.names.iter().zip(&payoffs) {
                put.player(name).put("payoff", *payoff as f64);
            }
            if let Some(coalition) = game.blocking(&payoffs) {
                put.player(members(self.names, coalition as usize)).put("blocks", true);
            }
        }
        Ok(())
    }
}
