//! Tables whose rows go by importance, for summaries on a screen.

use super::{Table, person};
use stats::shown::Times;

/// A table of which a screen shows the first rows, and those at the end that stay.
#[derive(Clone, Debug)]
pub struct Brief {
    table: Table,
    /// Number of things that each row stands for, and their name for one and for several. Rows that no
    /// screen shows need not be in the table.
    things: Vec<u64>,
    noun: [&'static str; 2],
    /// Number of rows at the end that stay, such as that of all organizations together.
    stay: usize,
    order: Order,
}

/// The rows that are shown first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The first ones, which come in groups of so many.
    First(usize),
    /// Some at even distances, from the first to the last.
    Spread,
}

impl From<Table> for Brief {
    /// A table whose rows come in the order of their importance.
    fn from(table: Table) -> Brief {
        let things = vec![1; table.len()];
        Brief::new(table, ["row", "rows"], things, 0)
    }
}

impl Brief {
    /// No screen shows more rows.
    pub const MOST: usize = 25;

    /// A table of which some rows stay, before them the most important ones. Those stand for numbers of
    /// things, of which there may be more.
    pub fn new(table: Table, noun: [&'static str; 2], things: Vec<u64>, stay: usize) -> Brief {
        Brief { table, things, noun, stay, order: Order::First(1) }
    }

    /// The same table in another order.
    pub(crate) fn in_order(self, order: Order) -> Brief {
        Brief { order, ..self }
    }

    /// Number of rows that belong together.
    pub(crate) fn step(&self) -> usize {
        match self.order {
            Order::First(step) => step,
            Order::Spread => 1,
        }
    }

    /// Number of rows that may be left out.
    pub(crate) fn len(&self) -> usize {
        self.table.len() - self.stay
    }

    /// Number of things in the rows after the first ones, with their name.
    pub(crate) fn left(&self, rows: usize) -> (u64, [&'static str; 2]) {
        (self.things.iter().skip(rows).sum(), self.noun)
    }

    /// So many rows, and those that stay, in text of a width, with its legend or without it, and the
    /// number of columns left out.
    pub(crate) fn text(
        &self,
        number: usize,
        has_legend: bool,
        times: Times,
        width: usize,
    ) -> (String, usize) {
        let rows = (0..number).map(|row| match self.order {
            Order::First(_) => row,
            Order::Spread => row * (self.len() - 1) / (number - 1).max(1),
        });
        let rows = rows.chain(self.len()..self.table.len());
        let mut table = Table {
            name: self.table.name,
            columns: self.table.columns.clone(),
            rows: rows.map(|at| self.table.rows[at].clone()).collect(),
            notes: self.table.notes.clone(),
            times,
        };
        if !has_legend {
            table.columns.iter_mut().for_each(|column| column.note = None);
        }
        person::fitted(&table, Some(width), Some(width))
    }

    /// The whole table in text, however wide, with its notes within a width.
    pub(crate) fn whole(&self, times: Times, width: usize) -> String {
        person::fitted(&Table { times, ..self.table.clone() }, None, Some(width)).0
    }
}
