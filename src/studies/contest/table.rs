//! Results of a contest as a table.

use super::play::Found;
use super::{Against, Effort, Unseated};
use crate::verdict::Measured;
use report::table::{Cell, Column, Table};

/// A row for each entry.
pub fn table(found: &[Found]) -> Table {
    let columns = [
        Column::text("grid").rank(1),
        Column::text("balancer").rank(1),
        Column::text("play").rank(1),
        Column::text("learner"),
        Column::prose("label").rank(7),
        Column::text("against"),
        Column::figure("start"),
        Column::figure("joined").rank(1),
        Column::margin("joined_half_width"),
        Column::figure("score"),
        Column::margin("score_half_width"),
        Column::figure("gain").called("over paper"),
        Column::margin("gain_half_width"),
        Column::figure("overloaded_joined").rank(4),
        Column::margin("overloaded_joined_half_width"),
        Column::figure("overloaded_score").rank(4),
        Column::margin("overloaded_score_half_width"),
        Column::figure("settled").rank(5),
        Column::figure("rounds_to_settle").called("after").rank(5),
        Column::figure("level").rank(1),
    ];
    let mut table = Table::new("contest", columns);
    for one in found {
        let [number, error] = [
            |figure: Measured| Cell::from(figure.value),
            |figure: Measured| Cell::Error(figure.half_width),
        ];
        let of = |which: usize, cell: fn(Measured) -> Cell| {
            one.overloaded.map_or(Cell::Missing, |both| cell(both[which]))
        };
        table.row([
            one.grid.name().into(),
            one.balancing.name().into(),
            one.play.name().into(),
            one.learner.into(),
            one.label.into(),
            one.against.name().into(),
            one.start.into(),
            number(one.joined),
            error(one.joined),
            number(one.score),
            error(one.score),
            number(one.gain),
            error(one.gain),
            of(0, number),
            of(0, error),
            of(1, number),
            of(1, error),
            Cell::share(one.settled),
            one.rounds.into(),
            one.level.into(),
        ]);
    }
    table
}

/// The table for people, with notes on its columns and on learners that cannot play.
pub fn explained(found: &[Found], unseated: &[Unseated], effort: Effort) -> Table {
    let mut table = table(found);
    let Effort { rounds, seeds, seed } = effort;
    table.note(format!(
        "{rounds} rounds, {seeds} seeds from master seed {seed}; joined, score and level: means \
         over the last quarter of the rounds"
    ));
    table.note(
        "±: half-width of the 95% confidence interval over seeds, of each figure by itself: of many \
         differences, one in 20 is beyond its ± by chance",
    );
    table.note(
        "over paper: score minus that of the same organizations on the same jobs if all follow the \
         paper's rule",
    );
    if found.iter().any(|one| one.against == Against::Paper) {
        table.note(
            "against `paper`: figures of typical-1 alone; all others follow the paper's rule",
        );
    }
    for Unseated { name, reason } in unseated {
        table.note(format!("`{name}` cannot play: {reason}"));
    }
    table
}
