//! `learning.csv` and its table: participation, scores and convergence of organizations.
//!
//! There is a row for each organization, for each class of organizations that are alike, and for
//! all. Columns starting with `final_` cover the last quarter of the rounds, the rest cover all
//! rounds. A mean is over the replications, for a class also over its members. `_low` and `_high`
//! are the ends of its confidence interval; `_deviation` is the standard deviation over members and
//! replications.

use crate::columns::{self, SETTLED, estimated, half_width, settled};
use crate::margin::legend;
use crate::table::{Cell, Column, Format, Table};
use findings::coalition::learned::{Learned, MEASURES, Measured, Unit};
use findings::estimate::Estimate;
use findings::measure::Metric;
use policy::learn::Player as _;
use policy::learn::choose::SCORES;
use scenario::plan::Coalition;

/// Up to this many organizations, each gets its own row in the summary.
const SHOWN: usize = 12;

/// All column names.
pub fn columns() -> impl Iterator<Item = String> {
    let who = ["organization", "members", "rounds"];
    let of = |measured: Measured| {
        let name = measured.metric.name();
        ["", "_low", "_high", "_deviation"].map(|part| format!("{name}{part}"))
    };
    let rest = SETTLED.into_iter().chain(["score_least", "score_largest", "intervals"]);
    let ends = ["absorbed", "rounds_to_absorb", "regret", "swap_regret"];
    let rest = rest.chain(ends).map(str::to_owned);
    who.into_iter().map(str::to_owned).chain(MEASURES.into_iter().flat_map(of)).chain(rest)
}

/// The full table, for programs.
pub fn table(learned: &Learned) -> Table {
    let columns = columns().map(|name| match &*name {
        "organization" | "intervals" => Column::text(name),
        _ => Column::figure(name),
    });
    let mut table = Table::new("learning", columns);
    for unit in learned.units() {
        let mut cells: Vec<Cell> =
            vec![unit.name.as_str().into(), unit.members.len().into(), unit.all.rounds.into()];
        for measured in &MEASURES {
            let (metric, mean) = (measured.metric, unit.mean(measured.metric));
            cells.extend(estimated(mean, unit.interval(metric)));
            cells.push(unit.deviation(metric).into());
        }
        cells.extend(settled(&unit.settled));
        let range = learned.range(unit, Metric::Score);
        cells.extend([range.map(|range| range.0), range.map(|range| range.1)].map(Cell::from));
        let method = unit.interval(Metric::Score).map(|estimate| estimate.method.name());
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

/// Renders `learning.csv`.
pub fn render(learned: &Learned) -> Vec<u8> {
    table(learned).render(Format::Csv, None).into_bytes()
}

/// Units shown to a person: organizations if they are few, else classes.
fn shown(learned: &Learned) -> Vec<Unit<'_>> {
    let frame = &learned.frame;
    if frame.names.len() <= SHOWN {
        return learned.units().collect();
    }
    let classes = frame.classes.iter().take(SHOWN).map(|class| learned.class(&class.members));
    let everyone = (frame.classes.len() > 1).then(|| learned.everyone());
    classes.chain(everyone).collect()
}

/// The short table, for people.
pub fn summary(learned: &Learned) -> Table {
    let margin = margin(learned);
    let error = |name| columns::margin(name, margin.as_deref());
    let last = "final: in the last quarter of the rounds";
    let deviation = "sd: standard deviation over learners";
    let columns = vec![
        Column::text("organization"),
        Column::figure("joined").note("joined: share of rounds in the coalition").rank(1),
        Column::figure("score")
            .note("score: 1 if taking part halved the flow time, -1 if it doubled it")
            .rank(2),
        error("score_half_width"),
        Column::figure("final_joined").called("final joined").note(last),
        Column::figure("final_probability").called("p").note("p: final participation probability"),
        Column::figure("final_probability_deviation").called("sd of p").note(deviation).rank(4),
        Column::figure("final_level").called("l").note("l: final participation level"),
        Column::figure("final_level_deviation").called("sd of l").note(deviation).rank(5),
        Column::figure("final_score").called("final score").note(
            // Stays when the other score is dropped.
            "score: 1 if taking part halved the flow time, -1 if it doubled it",
        ),
        error("final_score_half_width"),
        Column::figure("settled").note("settled: share of learners that settled").rank(7),
        Column::figure("rounds_to_settle")
            .called("after")
            .note("after: median number of rounds until then")
            .rank(7),
        Column::figure("drifting")
            .note("drifting: share of learners still drifting at the end")
            .rank(7),
        Column::figure("cycles").note("cycles: share of learners that cycle").rank(8),
        Column::figure("period").note("period: its median length in rounds").rank(8),
        Column::figure("sent").note("sent: own work done by others, in units per round").rank(6),
        Column::figure("received")
            .note("received: work done for others, in units per round")
            .rank(6),
    ];
    let units = shown(learned);
    let is_taken = learned.frame.names.iter().any(|name| name == "all");
    let everyone = if is_taken { "*" } else { "all" };
    let cells = |unit: &Unit<'_>| -> Vec<Cell> {
        let half = |metric| half_width(unit.interval(metric));
        vec![
            if unit.name == "*" { everyone } else { &*unit.name }.into(),
            Cell::share(unit.mean(Metric::Joined)),
            unit.mean(Metric::Score).into(),
            half(Metric::Score),
            Cell::share(unit.mean(Metric::FinalJoined)),
            unit.mean(Metric::FinalProbability).into(),
            Cell::error(unit.deviation(Metric::FinalProbability)),
            unit.mean(Metric::FinalLevel).into(),
            Cell::error(unit.deviation(Metric::FinalLevel)),
            unit.mean(Metric::FinalScore).into(),
            half(Metric::FinalScore),
            Cell::share(unit.settled.share_settled()),
            unit.settled.rounds().map(libm::round).into(),
            Cell::share(unit.settled.share_drifting().filter(|&share| share > 0.0)),
            Cell::share(unit.settled.share_in_cycles().filter(|&share| share > 0.0)),
            unit.settled.period().into(),
            unit.mean(Metric::Sent).into(),
            unit.mean(Metric::Received).into(),
        ]
    };
    let rows: Vec<Vec<Cell>> = units.iter().map(cells).collect();
    // Columns without any value are left out.
    let is_known = |at: usize| rows.iter().any(|row| row[at] != Cell::Missing);
    let kept: Vec<usize> = (0..columns.len()).filter(|&at| is_known(at)).collect();
    let mut table = Table::new("learning", kept.iter().map(|&at| columns[at].clone()));
    for row in &rows {
        table.row(kept.iter().map(|&at| row[at].clone()));
    }
    let classes = learned.frame.classes.len();
    if learned.frame.names.len() > SHOWN && classes > SHOWN {
        table.note(format!("learning.csv has {} more classes", classes - SHOWN));
    }
    table
}

/// Legend of the error columns, if there are intervals.
pub(super) fn margin(learned: &Learned) -> Option<String> {
    let found = shown(learned).iter().find_map(|unit| unit.interval(Metric::Score));
    found.map(|Estimate { level, method, .. }| legend(level, &method.to_string()))
}

/// Score ranges that learners scale to utilities from 0 to 1, in words and without repetition.
pub(super) fn readings(coalition: &Coalition) -> Vec<String> {
    let mut readings: Vec<[f64; 2]> = Vec::new();
    for seat in &coalition.seats {
        let learner = seat.learner.build();
        let range = learner.choices().map(|choices| choices.payoffs.unwrap_or(SCORES));
        readings.extend(range.filter(|range| !readings.contains(range)));
    }
    let told = |[least, most]: &[f64; 2]| {
        format!(
            "learners see scores from {least} to {most} as utilities from 0 to 1; scores beyond are \
             clipped"
        )
    };
    readings.iter().map(told).collect()
}
