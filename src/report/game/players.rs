//! `players.csv`, and the same as a table: what each player and each class of players that are
//! alike got, and what it might have got.
//!
//! What begins with `final_` is over the last quarter of the rounds, the rest over all. A mean is
//! over the replications, of a class also over its members; `_low` and `_high` are the ends of its
//! 95% interval.

use super::played::{Measure, Played, Share, Unit};
use crate::report::figure::{count, percent};
use crate::report::table::{Cell, Column, Format, Table};
use crate::scenario::plan::GamePlan;

/// Players up to which each has a line of its own for people.
const SHOWN: usize = 12;
/// Actions up to which a person reads the share of each.
const SHOWN_ACTIONS: usize = 4;

/// By measure, the names of its columns.
const COLUMNS: [[&str; 3]; Measure::ALL.len()] = [
    ["payoff", "payoff_low", "payoff_high"],
    ["final_payoff", "final_payoff_low", "final_payoff_high"],
    ["external_regret", "external_regret_low", "external_regret_high"],
    ["swap_regret", "swap_regret_low", "swap_regret_high"],
    ["gain", "gain_low", "gain_high"],
];

/// Every figure of every unit, for programs.
pub fn table(plan: &GamePlan, played: &Played) -> Table {
    let mut columns =
        vec![Column::text("player"), Column::figure("members"), Column::text("learner")];
    columns.extend(COLUMNS.as_flattened().iter().map(|name| Column::figure(name)));
    columns.extend(["settled", "rounds_to_settle", "cycles"].map(Column::figure));
    columns.push(Column::text("intervals"));
    let mut table = Table::new("players", columns);
    for unit in &played.units {
        let learner = plan.players[unit.members.start].learner.name();
        let mut cells: Vec<Cell> =
            vec![unit.name.as_str().into(), unit.members.len().into(), learner.into()];
        for measure in Measure::ALL {
            let interval = unit.interval(measure).map(|estimate| estimate.interval);
            cells.push(unit.mean(measure).into());
            cells.push(interval.map(|interval| interval.low).into());
            cells.push(interval.map(|interval| interval.high).into());
        }
        let settled = &unit.settled;
        cells.extend(
            [settled.share_settled(), settled.rounds(), settled.share_in_cycles()].map(Cell::from),
        );
        let method = unit.interval(Measure::Payoff).map(|estimate| estimate.method.name());
        cells.push(method.into());
        table.row(cells);
    }
    table
}

/// `players.csv`.
pub fn render(plan: &GamePlan, played: &Played) -> Vec<u8> {
    table(plan, played).render(Format::Csv, None).into_bytes()
}

/// Of the columns with errors, what they are called.
const ERROR: &str = "±";

/// What a person reads.
pub fn summary(plan: &GamePlan, played: &Played) -> Table {
    let columns = [
        Column::text("player"),
        Column::text("learner").rank(2),
        Column::figure("payoff").note("payoff: of a round, in the mean"),
        Column::figure("payoff_half_width").called(ERROR).rank(2),
        Column::figure("final_payoff")
            .called("at last")
            .note("at last, plays: over the last quarter of the rounds"),
        Column::figure("final_payoff_half_width").called(ERROR).rank(3),
        Column::text("plays"),
        Column::figure("external_regret").called("regret").note(
            "regret: what the best single action would have brought more in a round (below 0: less \
             than what was done); swap: the same, each action replaced by the best other for it",
        ),
        Column::figure("swap_regret").called("swap").rank(1),
        Column::figure("gain")
            .called("gain")
            .note("gain: what a best reply to where the others stand at the end would bring more"),
    ];
    let mut table = Table::new("players", columns);
    let frame = &played.frame;
    let units: Vec<&Unit> = if frame.names.len() <= SHOWN {
        played.units.iter().collect()
    } else {
        frame.classes.iter().take(SHOWN).map(|class| played.class(class)).collect()
    };
    for unit in &units {
        let half = |measure| unit.interval(measure).map(|one| one.interval.half_width());
        table.row([
            unit.name.as_str().into(),
            plan.players[unit.members.start].learner.name().into(),
            unit.mean(Measure::Payoff).into(),
            Cell::error(half(Measure::Payoff)),
            unit.mean(Measure::FinalPayoff).into(),
            Cell::error(half(Measure::FinalPayoff)),
            plays(unit, &frame.actions[unit.members.start]).into(),
            unit.mean(Measure::ExternalRegret).into(),
            unit.mean(Measure::SwapRegret).into(),
            unit.mean(Measure::Gain).into(),
        ]);
    }
    if let Some(estimate) = units.iter().find_map(|unit| unit.interval(Measure::Payoff)) {
        table.note(format!("{ERROR} half of a 95% interval: {}", estimate.method));
    }
    if frame.names.len() > SHOWN && frame.classes.len() > SHOWN {
        let more = count((frame.classes.len() - SHOWN) as u64);
        table.note(format!("{more} more classes are in players.csv"));
    }
    table
}

/// What was played in the last quarter, the most frequent first.
fn plays(unit: &Unit, actions: &[String]) -> String {
    let mut shares: Vec<(usize, f64)> =
        (0..unit.choices()).map(|action| (action, unit.share(Share::Final, action))).collect();
    shares.sort_by(|one, other| other.1.total_cmp(&one.1));
    let told = shares.iter().filter(|(_, share)| *share > 0.0).take(SHOWN_ACTIONS);
    let told: Vec<String> =
        told.map(|&(action, share)| format!("{} {}", actions[action], percent(share))).collect();
    told.join(", ")
}
