//! Shapley and Banzhaf values by drawn orders of joining, where not all coalitions were played.

use super::Lab;
use super::membership::{ends, ranged, runs};
use crate::game::solved::Solved;
use crate::picture::Picture;
use crate::table::{Column, ColumnOf, Table};
use findings::membership::Figure;
use findings::membership::sampled::{Sampled, Share};
use findings::swept::{AtPoint, Swept};
use scenario::sweep::Study;
use stats::shown::{count, counted, figure};

/// Values of the members of a coalition, by orders.
pub(super) struct ByOrders {
    found: Sampled,
    names: Vec<String>,
}

impl ByOrders {
    /// The values of a finished study of the coalitions that drawn orders pass.
    pub(super) fn of(study: &Study, swept: &Swept) -> Option<ByOrders> {
        let runs = runs(study, swept)?;
        runs.act.joins().then_some(())?;
        let names = runs.classes.iter().map(|class| class.name.clone()).collect();
        let found = Sampled::of(runs.classes, &runs.samples, &runs.rounds, runs.basis)?;
        Some(ByOrders { found, names })
    }

    /// The independent things that tell the error by the jobs.
    fn jobs(&self) -> &'static str {
        self.found.rounds.map_or("replications", |_| "rounds")
    }
}

/// An interval in words.
fn told(one: &Figure) -> Option<String> {
    one.interval.map(|one| format!("{} to {}", figure(one.low), figure(one.high)))
}

impl Lab for ByOrders {
    fn is_alone(&self, point: usize) -> bool {
        point == 0
    }

    fn columns<'a>(&'a self) -> Vec<ColumnOf<'a, (usize, &'a AtPoint)>> {
        Vec::new()
    }

    fn in_place(&self) -> Option<(Table, [&'static str; 2])> {
        let by_jobs = format!("by {}", self.jobs());
        let columns = [
            Column::text("organization"),
            Column::figure("saves").note("saves: flow time in a round with all in"),
            Column::figure("Shapley value"),
            Column::figure(by_jobs),
            Column::figure("by orders"),
            Column::figure("Banzhaf value").rank(1),
            Column::figure("its by orders").called("by orders").rank(1),
        ];
        let mut table = Table::new("shares", columns);
        for (name, share) in self.names.iter().zip(&self.found.shares) {
            table.row([
                name.as_str().into(),
                figure(share.received.mean).into(),
                figure(share.by_jobs.mean).into(),
                told(&share.by_jobs).into(),
                told(&share.by_orders).into(),
                figure(share.banzhaf[0].mean).into(),
                told(&share.banzhaf[1]).into(),
            ]);
        }
        table.note("by: intervals of the value to the left, which has an error of either kind");
        Some((table, ["organization", "organizations"]))
    }

    fn error_by_orders(&self) -> Option<f64> {
        let half = |share: &Share| {
            share.by_orders.interval.map_or(f64::INFINITY, |interval| interval.half_width())
        };
        self.found.shares.iter().map(half).reduce(f64::max)
    }

    fn statements(&self) -> Vec<String> {
        let Sampled { orders, coalitions, total, .. } = self.found;
        let all: f64 =
            self.found.classes.iter().map(|one| (one.members.len() + 1) as f64).product();
        let half = |one: &Figure| one.interval.map(|interval| interval.half_width());
        let squares = self.found.shares.iter().filter_map(|share| {
            let ratio = half(&share.by_orders)? / half(&share.by_jobs)?;
            Some(ratio * ratio)
        });
        let most = squares.fold(0.0, f64::max);
        let all = if all < 1e15 { count(all as u64) } else { figure(all) };
        let more = match most {
            most if most > 1.0 && most < 1e6 => format!(
                "; about {} would make each error by orders as small as that by {}",
                count((orders as f64 * most).ceil() as u64),
                self.jobs()
            ),
            _ => String::new(),
        };
        vec![
            format!(
                "{} of joining, each drawn with its reverse, pass {} of {} coalitions{more}",
                counted(orders as u64, "order", "orders"),
                count(coalitions as u64),
                all
            ),
            format!("all together save {} of flow time in a round", ranged(total)),
        ]
    }

    fn table(&self) -> Table {
        let mut solved = Solved::default();
        let mut put = solved.solver("allocations", "");
        for (name, share) in self.names.iter().zip(&self.found.shares) {
            put.player(name);
            let figures = [
                ("received", share.received),
                ("shapley", share.by_jobs),
                ("shapley_by_orders", share.by_orders),
                ("banzhaf", share.banzhaf[0]),
                ("banzhaf_by_orders", share.banzhaf[1]),
            ];
            for (quantity, figure) in figures {
                put.range(quantity, figure.mean, ends(figure.interval));
            }
        }
        solved.table()
    }

    fn files(&self, _: &str) -> Vec<(&'static str, Vec<u8>)> {
        vec![("lab.csv", self.table().csv())]
    }

    fn picture(&self, _: &str) -> Option<Picture> {
        None
    }
}
