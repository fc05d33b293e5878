//! `players.csv` and its table: payoffs, regrets and convergence of players and classes.
//!
//! Columns starting with `final_` cover the last quarter of the rounds, the rest cover all rounds.
//! A mean is over the replications, for a class also over its members. `_low` and `_high` are the
//! ends of its 95% interval.

use crate::columns::{self, SETTLED, estimated, half_width, settled, with_interval};
use crate::margin::legend;
use crate::table::{Cell, Column, Format, Table};
use findings::estimate::Estimate;
use findings::game::played::{Played, Share, Unit, measures};
use findings::measure::Metric;
use kernel::order::InOrder as _;
use scenario::plan::GamePlan;
use stats::shown::{count, percent};

/// Up to this many players, each gets its own row in the summary.
const SHOWN: usize = 12;
/// Maximum number of actions whose shares are shown to a person.
const SHOWN_ACTIONS: usize = 4;

/// The full table, for programs.
pub fn table(plan: GamePlan<'_>, played: &Played) -> Table {
    let mut columns =
        vec![Column::text("player"), Column::figure("members"), Column::text("learner")];
    let ends = measures().flat_map(|metric| with_interval(metric.name()));
    columns.extend(ends.map(Column::figure));
    columns.extend(SETTLED.map(Column::figure));
    columns.push(Column::text("intervals"));
    let mut table = Table::new("players", columns);
    for unit in played.units() {
        let learner = plan.game.players[unit.members.start].learner.name();
        let mut cells: Vec<Cell> =
            vec![unit.name.as_str().into(), unit.members.len().into(), learner.into()];
        for measure in measures() {
            cells.extend(estimated(unit.mean(measure), unit.interval(measure)));
        }
        cells.extend(settled(&unit.settled));
        let method = unit.interval(Metric::Payoff).map(|estimate| estimate.method.name());
        cells.push(method.into());
        table.row(cells);
    }
    table
}

/// Renders `players.csv`.
pub fn render(plan: GamePlan<'_>, played: &Played) -> Vec<u8> {
    table(plan, played).render(Format::Csv, None).into_bytes()
}

/// The short table, for people.
pub fn summary(plan: GamePlan<'_>, played: &Played) -> Table {
    let margin = margin(played);
    let error = |name| columns::margin(name, margin.as_deref());
    let columns = [
        Column::text("player"),
        Column::text("learner").rank(4),
        Column::figure("payoff").note("payoff: mean per round").rank(2),
        error("payoff_half_width"),
        Column::figure("final_payoff")
            .called("final")
            .note("final: mean payoff in the last quarter of the rounds"),
        error("final_payoff_half_width"),
        Column::text("plays").note("plays: actions in the last quarter of the rounds"),
        Column::figure("external_regret")
            .called("regret")
            .note("regret: how much more the best single action would have paid per round")
            .rank(1),
        Column::figure("swap_regret")
            .called("swap")
            .note(
                "swap: swap regret, how much more replacing each action by its best substitute \
                 would have paid per round",
            )
            .rank(3),
        Column::figure("best_reply_gain").called("gain").note(
            "gain: how much more a best reply to the others' final strategies would pay per round",
        ),
    ];
    let mut table = Table::new("players", columns);
    let frame = &played.frame;
    let units = shown(played);
    for unit in &units {
        let half = |measure| half_width(unit.interval(measure));
        table.row([
            unit.name.as_str().into(),
            plan.game.players[unit.members.start].learner.name().into(),
            unit.mean(Metric::Payoff).into(),
            half(Metric::Payoff),
            unit.mean(Metric::FinalPayoff).into(),
            half(Metric::FinalPayoff),
            plays(*unit, &frame.actions[unit.members.start]).into(),
            unit.mean(Metric::ExternalRegret).into(),
            unit.mean(Metric::SwapRegret).into(),
            unit.mean(Metric::BestReplyGain).into(),
        ]);
    }
    if frame.names.len() > SHOWN && frame.classes.len() > SHOWN {
        let more = count((frame.classes.len() - SHOWN) as u64);
        table.note(format!("players.csv has {more} more classes"));
    }
    table
}

/// Units shown to a person: players if they are few, else classes.
fn shown(played: &Played) -> Vec<Unit<'_>> {
    let frame = &played.frame;
    if frame.names.len() <= SHOWN {
        return played.units().collect();
    }
    frame.classes.iter().take(SHOWN).map(|class| played.class(class)).collect()
}

/// Legend of the error columns, if there are intervals.
pub(super) fn margin(played: &Played) -> Option<String> {
    let found = shown(played).iter().find_map(|unit| unit.interval(Metric::Payoff));
    found.map(|Estimate { level, method, .. }| legend(level, &method.to_string()))
}

/// Actions played in the last quarter, the most frequent first.
fn plays(unit: Unit<'_>, actions: &[String]) -> String {
    let mut shares: Vec<(usize, f64)> =
        (0..unit.choices()).map(|action| (action, unit.share(Share::Final, action))).collect();
    shares.order_by(|one, other| other.1.total_cmp(&one.1));
    let told = shares.iter().filter(|(_, share)| *share > 0.0).take(SHOWN_ACTIONS);
    let told: Vec<String> =
        told.map(|&(action, share)| format!("{} {}", actions[action], percent(share))).collect();
    told.join(", ")
}
