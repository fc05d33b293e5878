//! `learning.csv` and its table: participation, scores and convergence of organizations.
//!
//! There is a row for each organization, for each class of organizations that are alike, and for
//! all. Columns starting with `final_` cover the last quarter of the rounds, the rest cover all
//! rounds. A mean is over the replications, for a class also over its members. `_low` and `_high`
//! are the ends of its confidence interval; `_deviation` is the standard deviation over members and
//! replications.

use crate::table::margin::legend;
use crate::table::settled::settled;
use crate::table::{Brief, Cell, Column, ColumnOf, Figured, Format, Table, columns};
use findings::coalition::instead::Instead;
use findings::coalition::learned::{Learned, MEASURES, Measured, Unit};
use findings::estimate::Estimate;
use findings::measure::Metric;
use findings::rounds::settled::Settled;
use kernel::order::InOrder as _;
use policy::learn::Player as _;
use policy::learn::choose::SCORES;
use scenario::plan::Coalition;
use stats::shown::counted;

/// Up to this many organizations, each gets its own row in the summary.
const SHOWN: usize = 12;

/// The columns of `learning.csv`.
pub fn columns<'a>() -> Vec<ColumnOf<'a, Row<'a>>> {
    let regret =
        |row: &Row<'_>, of: fn(&Instead) -> Option<f64>| row.unit.instead.as_ref().and_then(of);
    let mut all = columns![|row: &Row<'a>|
        Column::text("organization").told("an organization, a class, or `*` for all") => &*row.unit.name,
        Column::count("members").told("how many organizations that is") => row.unit.members.len(),
        Column::count("rounds").told("rounds in which they were there, of all replications") => row.unit.all.rounds,
    ];
    for Measured { metric, .. } in MEASURES {
        all.extend(columns![|row: &Row<'a>|
            Column::figure(metric.name()).told(metric.measure().summary).with_interval(None) => row.figured(metric),
            Column::figure(format!("{}_deviation", metric.name()))
                .told("standard deviation over members and replications") => row.unit.deviation(metric),
        ]);
    }
    all.extend(settled().into_iter().map(|one| one.within(|row: &Row<'a>| row.settled)));
    all.extend(columns![|row: &Row<'a>|
        Column::figure("score_least").told("least score of a member; no end of an interval") => row.range.map(|range| range.0),
        Column::figure("score_largest").told("largest score of a member") => row.range.map(|range| range.1),
        Column::text("intervals").told("method of the intervals of the score: `replications`, or `round_means`") => row.unit.interval(Metric::Score).map(|one| one.method.name()),
        Column::figure("absorbed").told("share that stopped changing; empty of controls, and of fewer than 113 rounds") => row.unit.absorbed.share(),
        Column::figure("rounds_to_absorb").told("median of the rounds after which those did") => row.unit.absorbed.rounds(),
        Column::figure("regret").told("what they would have gained a round by the best single action") => regret(row, Instead::regret),
        Column::figure("swap_regret").told("the same, each action replaced by its best substitute") => regret(row, Instead::swap_regret),
    ]);
    all
}

/// A line of `learning.csv`.
#[derive(Debug)]
pub struct Row<'a> {
    unit: Unit<'a>,
    settled: &'a Settled,
    range: Option<(f64, f64)>,
}

impl<'a> Row<'a> {
    fn figured(&self, metric: Metric) -> Figured {
        (self.unit.mean(metric), self.unit.interval(metric)).into()
    }
}

/// The full table, for programs.
pub fn table(learned: &Learned) -> Table {
    let rows = learned.units().map(|unit| Row {
        unit,
        settled: &unit.totals().settled,
        range: learned.range(unit, Metric::Score),
    });
    Table::by_columns("learning", rows, columns())
}

/// Units shown to a person: organizations if they are few, else classes, of which a page shows some.
fn shown(learned: &Learned, format: Format) -> Vec<Unit<'_>> {
    let frame = &learned.frame;
    if frame.names.len() <= SHOWN {
        return learned.units().collect();
    }
    let most = if format == Format::Text { SHOWN } else { usize::MAX };
    let classes = frame.classes.iter().take(most).map(|class| learned.class(&class.members));
    let everyone = (frame.classes.len() > 1).then(|| learned.everyone());
    classes.chain(everyone).collect()
}

/// The short table, for people.
pub fn summary(learned: &Learned, format: Format) -> Table {
    let mut table = table_of(learned, shown(learned, format));
    let classes = learned.frame.classes.len();
    if format == Format::Text && learned.frame.names.len() > SHOWN && classes > SHOWN {
        let more = counted((classes - SHOWN) as u64, "more class", "more classes");
        table.note(format!("learning.csv has {more}"));
    }
    table
}

/// Its rows in a short summary: classes, those that bring the most work first.
pub(super) fn brief(learned: &Learned) -> Brief {
    let classes = learned.frame.classes.iter().map(|class| learned.class(&class.members));
    let mut units: Vec<Unit<'_>> = classes.collect();
    units.order_by_key(|unit| std::cmp::Reverse(unit.all.brought));
    let things = units.iter().map(|unit| unit.members.len() as u64).collect();
    units.truncate(Brief::MOST);
    let stay = usize::from(units.len() > 1);
    units.extend((stay > 0).then(|| learned.everyone()));
    Brief::new(table_of(learned, units), ["organization", "organizations"], things, stay)
}

fn table_of(learned: &Learned, units: Vec<Unit<'_>>) -> Table {
    let margin = margin(learned);
    let margin = margin.as_deref();
    let last = "final: in the last quarter of the rounds";
    let deviation = "sd: standard deviation over learners";
    let measure = learned.frame.score.in_words();
    let score = &*format!("score: 1 if taking part halved the {measure}, -1 if it doubled it");
    let is_taken = learned.frame.names.iter().any(|name| name == "all");
    let everyone = if is_taken { "*" } else { "all" };
    let some = |share: Option<f64>| Cell::share(share.filter(|&share| share > 0.0));
    let figured =
        |unit: &Unit<'_>, metric| Figured::from((unit.mean(metric), unit.interval(metric)));
    let columns = columns![|unit: &Unit<'_>|
        Column::text("organization") => if unit.name == "*" { everyone } else { &*unit.name },
        Column::figure("joined").note("joined: share of rounds in the coalition").rank(1).if_any()
            => Cell::share(unit.mean(Metric::Joined)),
        Column::figure("score")
            .note(score).rank(2).if_any().with_interval(margin).margin_if_any()
            => figured(unit, Metric::Score),
        Column::figure("final_joined").called("final joined").note(last).if_any()
            => Cell::share(unit.mean(Metric::FinalJoined)),
        Column::figure("final_probability")
            .called("p").note("p: final participation probability").if_any()
            => unit.mean(Metric::FinalProbability),
        Column::figure("final_probability_deviation")
            .called("sd of p").note(deviation).rank(4).if_any()
            => Cell::error(unit.deviation(Metric::FinalProbability)),
        Column::figure("final_level").called("l").note("l: final participation level").if_any()
            => unit.mean(Metric::FinalLevel),
        Column::figure("final_level_deviation").called("sd of l").note(deviation).rank(5).if_any()
            => Cell::error(unit.deviation(Metric::FinalLevel)),
        // Its note stays when the other score is dropped.
        Column::figure("final_score")
            .called("final score").note(score).if_any().with_interval(margin).margin_if_any()
            => figured(unit, Metric::FinalScore),
        Column::figure("settled").note("settled: share of learners that settled").rank(7).if_any()
            => Cell::share(unit.settled.share_settled()),
        Column::figure("rounds_to_settle")
            .called("after").note("after: median number of rounds until then").rank(7).if_any()
            => unit.settled.rounds().map(libm::round),
        Column::figure("drifting")
            .note("drifting: share of learners still drifting at the end").rank(7).if_any()
            => some(unit.settled.share_drifting()),
        Column::figure("cycles").note("cycles: share of learners that cycle").rank(8).if_any()
            => some(unit.settled.share_in_cycles()),
        Column::figure("period").note("period: its median length in rounds").rank(8).if_any()
            => unit.settled.period(),
        Column::figure("sent")
            .note("sent: own work done by others, in units per round").rank(6).if_any()
            => unit.mean(Metric::Sent),
        Column::figure("received")
            .note("received: work done for others, in units per round").rank(6).if_any()
            => unit.mean(Metric::Received),
    ];
    Table::by_columns("learning", units, columns)
}

/// Legend of the error columns, if there are intervals.
pub(super) fn margin(learned: &Learned) -> Option<String> {
    let found = shown(learned, Format::Text).iter().find_map(|unit| unit.interval(Metric::Score));
    found.map(|Estimate { level, method, .. }| legend(level, &method.to_string()))
}

/// Score ranges that learners scale to utilities from 0 to 1, in words and without repetition.
pub(super) fn readings(coalition: &Coalition) -> Vec<String> {
    let mut readings: Vec<[f64; 2]> = Vec::new();
    for seat in &coalition.seats {
        let learner = seat.player();
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
