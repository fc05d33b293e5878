//! Jobs on dedicated processors: reference schedules, fair ones, the game of ordering, and its core.

use super::stage::Prices;
use super::{Tables, members};
use crate::table::{Cell, Column, columns};
use game::dedicated::{Control, Dedicated, Fronts, Limit, OneShot, TooLarge};
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

pub(super) fn solve(names: &[String], instance: &Dedicated, tables: &mut Tables) {
    let game = Game { names, instance, one_shot: OneShot::new(instance) };
    game.schedules(tables);
    game.efficiency(tables);
    game.control(tables);
    match Fronts::of(instance, Limit::default()) {
        Ok(fronts) => {
            if let Err(wrong) = game.fronts(&fronts, tables) {
                tables.skip("equitable_front", wrong.to_string());
            }
        }
        Err(wrong) => {
            tables.skip("fronts", wrong.to_string());
            tables.skip("equitable_front", wrong.to_string());
        }
    }
    if let Err(reason) = game.core(tables) {
        tables.skip("core_without_payments", reason);
    }
}

impl Game<'_> {
    /// Each owner's sum if all jobs run shortest first, and if everybody plays my jobs first.
    fn schedules(&self, tables: &mut Tables) {
        let both = [
            ("shortest first", self.instance.shortest_first()),
            ("my jobs first", self.instance.own_first()),
        ];
        let rows = both.iter().flat_map(|(schedule, orders)| {
            let ends = self.instance.sums(orders).into_iter().zip(self.one_shot.payoffs(orders));
            self.names
                .iter()
                .zip(ends)
                .map(move |(name, (sum, payoff))| (*schedule, name, sum, payoff))
        });
        let columns = columns![|(schedule, name, sum, payoff): &(&str, &String, i64, i64)|
            Column::text("schedule") => *schedule,
            Column::text("player") => name.as_str(),
            Column::figure("sum") => *sum as f64,
            Column::figure("payoff") => *payoff as f64,
        ];
        tables.add(
            "schedules",
            rows,
            columns,
            "sum: of the completion times of the player's jobs; payoff: what it gains over everybody \
             playing my jobs first",
        );
    }

    /// Prices of the pure equilibria.
    fn efficiency(&self, tables: &mut Tables) {
        let Some(found) = self.one_shot.equilibria() else {
            tables.skip("efficiency", "there are too many orders of foreign jobs to try");
            return;
        };
        let row = Prices {
            equilibria: "pure",
            number: u64::try_from(found.count).map_or((found.count as f64).into(), Cell::from),
            totals: [found.optimum, found.best, found.worst].map(|one| one as f64),
            prices: [found.price_of_stability(), found.price_of_anarchy()].map(Some),
        };
        tables.add(
            "efficiency",
            [row],
            Prices::columns(),
            "everybody plays my jobs first; equilibria differ in the order of foreign jobs. optimum, \
             best, worst: sums of completion times over all players, of any schedule and in an \
             equilibrium; prices: over the optimum",
        );
    }

    /// The sum over all owners if some of them leave the order to the community.
    fn control(&self, tables: &mut Tables) {
        let columns = columns![|row: &Control|
            Column::figure("controlled") => row.controlled,
            Column::figure("least") => row.least,
            Column::figure("mean") => row.mean,
            Column::figure("most") => row.most,
        ];
        tables.add(
            "control",
            self.instance.control(),
            columns,
            "controlled: number of players who run all jobs shortest first, while the others play my \
             jobs first; least, mean, most: sum of completion times over all players, over its \
             optimum, for any choice of so many players",
        );
    }

    /// Sizes of the exact fronts, and the fair outcomes.
    fn fronts(&self, fronts: &Fronts, tables: &mut Tables) -> Result<(), TooLarge> {
        let nothing = vec![0; self.instance.owners()];
        let equitable = fronts.equitable(&nothing)?;
        let payoffs = fronts.equitable(&self.instance.payoff_offset())?;
        let pareto = match fronts.pareto() {
            Ok(front) => Some(("Pareto", front.len())),
            Err(wrong) => {
                tables.skip("fronts", format!("Pareto: {wrong}"));
                None
            }
        };
        let fair = [("equitable, sums", equitable.len()), ("equitable, payoffs", payoffs.len())];
        let columns = columns![|(front, outcomes): &(&str, usize)|
            Column::text("front") => *front,
            Column::figure("outcomes") => *outcomes,
        ];
        tables.add(
            "fronts",
            pareto.into_iter().chain(fair),
            columns,
            "outcomes: vectors of sums of completion times that no schedule betters for one player at \
             no cost to others (Pareto), or by equity of sums or of payoffs",
        );
        let offset = self.instance.payoff_offset();
        let both = [("sums", &equitable), ("payoffs", &payoffs)];
        let rows = both.iter().flat_map(|&(of, front)| {
            let outcomes = front.iter().enumerate().take(LISTED);
            outcomes.flat_map(move |outcome| {
                self.names.iter().enumerate().map(move |player| (of, outcome, player))
            })
        });
        let columns = columns![|(of, outcome, player): &Fair<'_>|
            Column::text("of") => *of,
            Column::figure("outcome") => outcome.0 + 1,
            Column::text("player") => player.1.as_str(),
            Column::figure("sum") => outcome.1[player.0] as f64,
            Column::figure("payoff") => -(outcome.1[player.0] + offset[player.0]) as f64,
        ];
        tables.add(
            "equitable_front",
            rows,
            columns,
            "of: what is shared fairly, sums of completion times or payoffs",
        );
        for (of, front) in both.into_iter().filter(|(_, front)| front.len() > LISTED) {
            let more = front.len() - LISTED;
            tables.skip("equitable_front", format!("{more} more of {of} are not listed"));
        }
        Ok(())
    }

    /// The fair outcomes of payoffs that coalitions block, and how many outcomes none blocks.
    fn core(&self, tables: &mut Tables) -> Result<(), String> {
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
        let rows = fair.iter().enumerate().take(LISTED).map(|(outcome, sums)| {
            (outcome, sums.iter().zip(&offset).map(|(a, b)| -(a + b)).collect::<Vec<i64>>())
        });
        let told =
            |payoffs: &[i64]| payoffs.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let columns = columns![|(outcome, payoffs): &(usize, Vec<i64>)|
            Column::figure("outcome") => outcome + 1,
            Column::text("payoffs") => format!("({})", told(payoffs)),
            Column::text("blocked_by") => members(self.names, game.blocking(payoffs).unwrap_or(0)),
        ];
        let note = format!(
            "the equitable front of payoffs; blocked by: a coalition whose members all gain more by \
             serving each other first, the smallest of several. No coalition blocks {} of {} outcomes \
             of the Pareto front: they are the core",
            core.len(),
            game.outcomes().len()
        );
        tables.add("core_without_payments", rows, columns, note);
        Ok(())
    }
}

/// A player in a fair outcome: what is shared fairly, the sums of an outcome, and the player.
type Fair<'a> = (&'a str, (usize, &'a [i64]), (usize, &'a String));
