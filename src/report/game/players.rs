//! `players.csv` and its table: payoffs, regrets and convergence of players and classes.
//!
//! Columns starting with `final_` cover the last quarter of the rounds, the rest cover all rounds.
//! A mean is over the replications, for a class also over its members. `_low` and `_high` are the
//! ends of its 95% interval.

use crate::table::margin::legend;
use crate::table::settled::settled;
use crate::table::{Brief, Column, ColumnOf, Figured, Format, Table, columns};
use findings::estimate::Estimate;
use findings::game::played::{Played, Share, Unit, measures};
use findings::measure::Metric;
use kernel::order::InOrder as _;
use scenario::plan::GamePlan;
use stats::shown::{counted, percent};

/// Up to this many players, each gets its own row in the summary.
const SHOWN: usize = 12;
/// Maximum number of actions whose shares are shown to a person.
const SHOWN_ACTIONS: usize = 4;

/// A player or a class, and the learner of its first player.
type Row<'a> = (Unit<'a>, &'static str);

/// The columns of `players.csv`.
pub(crate) fn columns<'a>() -> Vec<ColumnOf<'a, Row<'a>>> {
    let mut all = columns![|(unit, learner): &Row<'a>|
        Column::text("player").told("a player, or a class of several alike") => &*unit.name,
        Column::count("members").told("how many players that is") => unit.members.len(),
        Column::text("learner").told("name of its learner") => *learner,
    ];
    all.extend(measures().map(|metric| {
        let column = Column::figure(metric.name()).told(metric.measure().summary);
        column.with_interval(None).of(move |(unit, _): &Row<'a>| figured(unit, metric))
    }));
    all.extend(settled().into_iter().map(|one| one.within(|row: &Row<'a>| &row.0.settled)));
    all.extend(columns![|(unit, _learner): &Row<'a>|
        Column::text("intervals").told("method of the intervals")
            => unit.interval(Metric::Payoff).map(|one| one.method.name()),
    ]);
    all
}

/// The full table, for programs.
pub fn table(plan: GamePlan<'_>, played: &Played) -> Table {
    let rows = played.units().map(|unit| (unit, learner(plan, &unit)));
    Table::by_columns("players", rows, columns())
}

fn figured(unit: &Unit<'_>, metric: Metric) -> Figured {
    (unit.mean(metric), unit.interval(metric)).into()
}

fn learner(plan: GamePlan<'_>, unit: &Unit<'_>) -> &'static str {
    plan.game.players[unit.members.start].learner.name()
}

/// The short table, for people; in text with as many rows as a page shows.
pub fn summary(plan: GamePlan<'_>, played: &Played, format: Format) -> Table {
    let mut table = table_of(plan, played, shown(played, format));
    let frame = &played.frame;
    if format == Format::Text && frame.names.len() > SHOWN && frame.classes.len() > SHOWN {
        let more = (frame.classes.len() - SHOWN) as u64;
        table.note(format!("players.csv has {}", counted(more, "more class", "more classes")));
    }
    table
}

/// Its rows in a short summary: classes of players.
pub(super) fn brief(plan: GamePlan<'_>, played: &Played) -> Brief {
    let classes = &played.frame.classes;
    let things = classes.iter().map(|class| class.members.len() as u64).collect();
    let units = classes.iter().take(Brief::MOST).map(|class| played.class(class)).collect();
    Brief::new(table_of(plan, played, units), ["player", "players"], things, 0)
}

fn table_of(plan: GamePlan<'_>, played: &Played, units: Vec<Unit<'_>>) -> Table {
    let margin = margin(played);
    let margin = margin.as_deref();
    let frame = &played.frame;
    let columns = columns![|unit: &Unit<'_>|
        Column::text("player") => &*unit.name,
        Column::text("learner").rank(4) => learner(plan, unit),
        Column::figure("payoff").note("payoff: mean per round").rank(2).with_interval(margin)
            => figured(unit, Metric::Payoff),
        Column::figure("final_payoff").called("final")
            .note("final: mean payoff in the last quarter of the rounds").with_interval(margin)
            => figured(unit, Metric::FinalPayoff),
        Column::text("plays").note("plays: actions in the last quarter of the rounds")
            => plays(*unit, &frame.actions[unit.members.start]),
        Column::figure("external_regret").called("regret").rank(1)
            .note("regret: how much more the best single action would have paid per round")
            => unit.mean(Metric::ExternalRegret),
        Column::figure("swap_regret").called("swap").rank(3).note(
            "swap: swap regret, how much more replacing each action by its best substitute would \
             have paid per round",
        ) => unit.mean(Metric::SwapRegret),
        Column::figure("best_reply_gain").called("gain").note(
            "gain: how much more a best reply to the others' final strategies would pay per round",
        ) => unit.mean(Metric::BestReplyGain),
    ];
    Table::by_columns("players", units, columns)
}

/// Units shown to a person: players if they are few, else classes.
fn shown(played: &Played, format: Format) -> Vec<Unit<'_>> {
    let frame = &played.frame;
    if frame.names.len() <= SHOWN {
        return played.units().collect();
    }
    let most = if format == Format::Text { SHOWN } else { usize::MAX };
    frame.classes.iter().take(most).map(|class| played.class(class)).collect()
}

/// Legend of the error columns, if there are intervals.
pub(super) fn margin(played: &Played) -> Option<String> {
    let found = shown(played, Format::Text).iter().find_map(|unit| unit.interval(Metric::Payoff));
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
