//! `learning.csv`, and the same as a table: what each organization, each class of organizations
//! that are alike, and all of them learned and got.
//!
//! What begins with `final_` is over the last quarter of the rounds, the rest over all. A mean is
//! over the replications, of a class also over its members; `_low` and `_high` are the ends of its
//! 95% interval, `_deviation` is the standard deviation over members and replications.

use super::learned::{Learned, MEASURES, Unit};
use crate::report::table::{Cell, Column, Format, Table};

/// Organizations up to which each has a line of its own for people.
const SHOWN: usize = 12;

/// The names of the columns of a measure.
macro_rules! columns_of {
    ($($name:literal),*) => {
        [$([
            $name,
            concat!($name, "_low"),
            concat!($name, "_high"),
            concat!($name, "_deviation"),
        ]),*]
    };
}

/// In the order of [`MEASURES`].
const COLUMNS: [[&str; 4]; MEASURES.len()] = columns_of!(
    "joined",
    "score",
    "sent",
    "received",
    "final_joined",
    "final_probability",
    "final_level",
    "final_score"
);

/// The names of the columns.
pub fn columns() -> impl Iterator<Item = &'static str> {
    let who = ["organization", "members", "rounds"];
    let rest =
        ["settled", "rounds_to_settle", "cycles", "score_least", "score_largest", "intervals"];
    let ends = ["absorbed", "rounds_to_absorb", "regret", "swap_regret"];
    who.into_iter().chain(COLUMNS.as_flattened().iter().copied()).chain(rest).chain(ends)
}

/// Every figure of every unit, for programs.
pub fn table(learned: &Learned) -> Table {
    let columns = columns().map(|name| match name {
        "organization" | "intervals" => Column::text(name),
        _ => Column::figure(name),
    });
    let mut table = Table::new("learning", columns);
    for unit in &learned.units {
        let mut cells: Vec<Cell> =
            vec![unit.name.as_str().into(), unit.members.len().into(), unit.all.rounds.into()];
        for measured in &MEASURES {
            let interval = unit.interval(measured.name).map(|estimate| estimate.interval);
            let figures = [
                unit.mean(measured.name),
                interval.map(|interval| interval.low),
                interval.map(|interval| interval.high),
                unit.deviation(measured.name),
            ];
            cells.extend(figures.map(Cell::from));
        }
        let settled = &unit.settled;
        cells.extend(
            [settled.share_settled(), settled.rounds(), settled.share_in_cycles()].map(Cell::from),
        );
        let range = learned.range(unit, "score");
        cells.extend([range.map(|range| range.0), range.map(|range| range.1)].map(Cell::from));
        let method = unit.interval("score").map(|estimate| estimate.method.name());
        cells.push(method.into());
        let instead = unit.instead.as_ref();
        cells.extend([
            unit.absorbed.share().into(),
            unit.absorbed.rounds().into(),
            instead.and_then(|one| one.regret()).into(),
            instead.and_then(|one| one.swap_regret()).into(),
        ]);
        table.row(cells);
    }
    table
}

/// `learning.csv`.
pub fn render(learned: &Learned) -> Vec<u8> {
    table(learned).render(Format::Csv, None).into_bytes()
}

/// The units that a person reads: organizations where they are few, else classes.
fn shown(learned: &Learned) -> Vec<&Unit> {
    let frame = &learned.frame;
    if frame.names.len() <= SHOWN {
        return learned.units.iter().collect();
    }
    let classes = frame.classes.iter().take(SHOWN).map(|class| learned.class(class));
    let everyone = learned.units.last().filter(|_| frame.classes.len() > 1);
    classes.chain(everyone).collect()
}

/// What a person reads.
pub fn summary(learned: &Learned) -> Table {
    let quarter = "at last: over the last quarter of the rounds";
    let columns = vec![
        Column::text("organization"),
        Column::figure("joined").note(
            "joined: share of the rounds in the coalition; score: 1 where it halved the flow \
             time, -1 where it doubled it",
        ),
        Column::figure("score"),
        Column::figure("score_half_width").called(ERROR).rank(2),
        Column::figure("final_joined").called("joined at last").note(quarter),
        Column::figure("final_probability").called("p"),
        Column::figure("final_probability_deviation")
            .called("sd of p")
            .note("p, l: probability and level of taking part at last; sd: standard deviation")
            .rank(3),
        Column::figure("final_level").called("l"),
        Column::figure("final_level_deviation").called("sd of l").rank(4),
        Column::figure("final_score").called("score at last"),
        Column::figure("final_score_half_width").called(ERROR).rank(1),
        Column::figure("settled")
            .note(
                "settled: the share of members and replications that settled; after: the median of \
                 the rounds that took",
            )
            .rank(6),
        Column::figure("rounds_to_settle").called("after").rank(6),
        Column::figure("cycles").note("cycles: the share that goes in cycles").rank(7),
        Column::figure("sent")
            .note("sent, received: work of an organization in a round, in units")
            .rank(5),
        Column::figure("received").rank(5),
    ];
    let units = shown(learned);
    let is_taken = learned.frame.names.iter().any(|name| name == "all");
    let everyone = if is_taken { "*" } else { "all" };
    let cells = |unit: &&Unit| -> Vec<Cell> {
        let half = |name| {
            let interval = unit.interval(name).map(|estimate| estimate.interval);
            Cell::error(interval.map(|interval| interval.half_width()))
        };
        vec![
            if unit.name == "*" { everyone } else { &*unit.name }.into(),
            Cell::share(unit.mean("joined")),
            unit.mean("score").into(),
            half("score"),
            Cell::share(unit.mean("final_joined")),
            unit.mean("final_probability").into(),
            Cell::error(unit.deviation("final_probability")),
            unit.mean("final_level").into(),
            Cell::error(unit.deviation("final_level")),
            unit.mean("final_score").into(),
            half("final_score"),
            Cell::share(unit.settled.share_settled()),
            unit.settled.rounds().map(libm::round).into(),
            Cell::share(unit.settled.share_in_cycles().filter(|&share| share > 0.0)),
            unit.mean("sent").into(),
            unit.mean("received").into(),
        ]
    };
    let rows: Vec<Vec<Cell>> = units.iter().map(cells).collect();
    // A person is spared what is known of nobody.
    let is_known = |at: usize| rows.iter().any(|row| row[at] != Cell::Missing);
    let kept: Vec<usize> = (0..columns.len()).filter(|&at| is_known(at)).collect();
    let mut table = Table::new("learning", kept.iter().map(|&at| columns[at].clone()));
    for row in &rows {
        table.row(kept.iter().map(|&at| row[at].clone()));
    }
    let method = units.iter().find_map(|unit| unit.interval("score"));
    if let Some(method) = method.map(|estimate| estimate.method) {
        table.note(format!("{ERROR} half of a 95% interval: {method}"));
    }
    let classes = learned.frame.classes.len();
    if learned.frame.names.len() > SHOWN && classes > SHOWN {
        table.note(format!("{} more classes are in learning.csv", classes - SHOWN));
    }
    table
}

/// Of the columns with errors, what they are called.
const ERROR: &str = "±";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_for_their_measures() {
        for (columns, measured) in COLUMNS.iter().zip(&MEASURES) {
            assert_eq!(columns[0], measured.name);
        }
    }
}
