//! Jobs on dedicated processors: reference schedules, fair ones, the game of ordering, and its core.

use super::Tables;
use crate::table::{Column, Table};
use game::dedicated::{Dedicated, Fronts, Limit, OneShot, TooLarge};
use game::equity::Points;
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
    tables.done.push(game.schedules());
    match game.efficiency() {
        Some(table) => tables.done.push(table),
        None => tables.skip("efficiency", "there are too many orders of foreign jobs to try"),
    }
    tables.done.push(game.control());
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
    fn schedules(&self) -> Table {
        let columns = ["schedule", "player"].map(Column::text);
        let figures = ["sum", "payoff"].map(Column::figure);
        let mut table = Table::new("schedules", columns.into_iter().chain(figures));
        let both = [
            ("shortest first", self.instance.shortest_first()),
            ("my jobs first", self.instance.own_first()),
        ];
        for (schedule, orders) in both {
            let sums = self.instance.sums(&orders);
            let payoffs = self.one_shot.payoffs(&orders);
            for (name, (&sum, &payoff)) in self.names.iter().zip(sums.iter().zip(&payoffs)) {
                let figures = [sum, payoff].map(|one| (one as f64).into());
                let [sum, payoff] = figures;
                table.row([schedule.into(), name.as_str().into(), sum, payoff]);
            }
        }
        table.note(
            "sum: of the completion times of the player's jobs; payoff: what it gains over everybody \
             playing my jobs first",
        );
        table
    }

    /// Prices of the pure equilibria.
    fn efficiency(&self) -> Option<Table> {
        let found = self.one_shot.equilibria()?;
        let columns = ["number", "optimum", "best", "worst", "price_of_stability"];
        let columns = [Column::text("equilibria")]
            .into_iter()
            .chain(columns.map(Column::figure))
            .chain([Column::figure("price_of_anarchy")]);
        let mut table = Table::new("efficiency", columns);
        table.row([
            "pure".into(),
            (found.count as f64).into(),
            (found.optimum as f64).into(),
            (found.best as f64).into(),
            (found.worst as f64).into(),
            found.price_of_stability().into(),
            found.price_of_anarchy().into(),
        ]);
        table.note(
            "everybody plays my jobs first; equilibria differ in the order of foreign jobs. optimum, \
             best, worst: sums of completion times over all players, of any schedule and in an \
             equilibrium; prices: over the optimum",
        );
        Some(table)
    }

    /// The sum over all owners if some of them leave the order to the community.
    fn control(&self) -> Table {
        let columns = ["controlled", "least", "mean", "most"].map(Column::figure);
        let mut table = Table::new("control", columns);
        for row in self.instance.control() {
            table.row([row.controlled.into(), row.least.into(), row.mean.into(), row.most.into()]);
        }
        table.note(
            "controlled: number of players who run all jobs shortest first, while the others play my \
             jobs first; least, mean, most: sum of completion times over all players, over its \
             optimum, for any choice of so many players",
        );
        table
    }

    /// Sizes of the exact fronts, and the fair outcomes.
    fn fronts(&self, fronts: &Fronts, tables: &mut Tables) -> Result<(), TooLarge> {
        let nothing = vec![0; self.instance.owners()];
        let equitable = fronts.equitable(&nothing)?;
        let payoffs = fronts.equitable(&self.instance.payoff_offset())?;
        let mut table = Table::new("fronts", [Column::text("front"), Column::figure("outcomes")]);
        match fronts.pareto() {
            Ok(front) => table.row(["Pareto".into(), front.len().into()]),
            Err(wrong) => tables.skip("fronts", format!("Pareto: {wrong}")),
        }
        table.row(["equitable, sums".into(), equitable.len().into()]);
        table.row(["equitable, payoffs".into(), payoffs.len().into()]);
        table.note(
            "outcomes: vectors of sums of completion times that no schedule betters for one player at \
             no cost to others (Pareto), or by equity of sums or of payoffs",
        );
        tables.done.push(table);
        let columns = ["of", "player"].map(Column::text);
        let figures = ["sum", "payoff"].map(Column::figure);
        let [of, player] = columns;
        let columns = [of, Column::figure("outcome"), player].into_iter().chain(figures);
        let mut table = Table::new("equitable_front", columns);
        for (of, front) in [("sums", &equitable), ("payoffs", &payoffs)] {
            self.outcomes(of, front, &mut table);
            if front.len() > LISTED {
                let more = front.len() - LISTED;
                tables.skip("equitable_front", format!("{more} more of {of} are not listed"));
            }
        }
        table.note("of: what is shared fairly, sums of completion times or payoffs");
        tables.done.push(table);
        Ok(())
    }

    fn outcomes(&self, of: &str, front: &Points, table: &mut Table) {
        let offset = self.instance.payoff_offset();
        for (outcome, sums) in front.iter().enumerate().take(LISTED) {
            for (player, name) in self.names.iter().enumerate() {
                table.row([
                    of.into(),
                    (outcome + 1).into(),
                    name.as_str().into(),
                    (sums[player] as f64).into(),
                    (-(sums[player] + offset[player]) as f64).into(),
                ]);
            }
        }
    }

    /// The fair outcomes of payoffs that coalitions block, and how many outcomes none blocks.
    fn core(&self, tables: &mut Tables) -> Result<(), String> {
        let players = self.instance.owners();
        if players > ntu::MOST_PLAYERS {
            return Err(format!("there are more than {} players", ntu::MOST_PLAYERS));
        }
        let game =
            self.instance.cooperation(Limit::default()).map_err(|wrong| wrong.to_string())?;
        let reached: usize = (1..1 << players).map(|one| game.reach(one).len()).sum();
        if reached.saturating_mul(game.outcomes().len()) > COMPARED {
            return Err("there are too many outcomes to compare".to_owned());
        }
        let core = game.core();
        let columns = [Column::text("payoffs"), Column::text("blocked_by")];
        let columns = [Column::figure("outcome")].into_iter().chain(columns);
        let mut table = Table::new("core_without_payments", columns);
        let fronts =
            Fronts::of(self.instance, Limit::default()).map_err(|wrong| wrong.to_string())?;
        let offset = self.instance.payoff_offset();
        let fair = fronts.equitable(&offset).map_err(|wrong| wrong.to_string())?;
        for (outcome, sums) in fair.iter().enumerate().take(LISTED) {
            let payoffs: Vec<i64> = sums.iter().zip(&offset).map(|(a, b)| -(a + b)).collect();
            let told: Vec<String> = payoffs.iter().map(i64::to_string).collect();
            let blocking = game.blocking(&payoffs).unwrap_or(0);
            let members = self.names.iter().enumerate();
            let members = members.filter(|(at, _)| blocking >> at & 1 == 1);
            let members: Vec<&str> = members.map(|(_, name)| &**name).collect();
            let members = members.join(" + ");
            table.row([
                (outcome + 1).into(),
                format!("({})", told.join(", ")).into(),
                members.into(),
            ]);
        }
        table.note(format!(
            "the equitable front of payoffs; blocked by: a coalition whose members all gain more by \
             serving each other first, the smallest of several. No coalition blocks {} of {} outcomes \
             of the Pareto front: they are the core",
            core.len(),
            game.outcomes().len()
        ));
        tables.done.push(table);
        Ok(())
    }
}
