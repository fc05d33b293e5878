//! Tables 2 to 5: scores of averaging and of BILB, with fixed actions.
//!
//! Choices that the paper leaves open are settled as in [`Setup::equal`]; the other [readings] are
//! judged by whole tables.
//!
//! [readings]: super::readings

use std::sync::Arc;

use super::play::{By, Scores, Setup, scores};
use super::printed::{
    GridRow, HUNDREDTH, MixedLevels, Score, TABLE_2, TABLE_3, TABLE_4, TABLE_5, THOUSANDTH,
};
use super::readings::{Entry, Group, Judged, Kind, MOST};
use crate::row::Row;
use crate::sample::Sample;
use crate::verdict::{Measured, Printed, Verdict};
use crate::{Bench, StudyError};

/// Number of rows of Tables 2 and 5 without an overloaded cluster, which come first.
const EQUAL: usize = 8;

/// The claim of a row in Tables 2 and 5, one of four.
fn claim_of(claims: [&'static str; 4], row: &GridRow) -> &'static str {
    let number = usize::from(row.overloaded.is_some()) * 2 + usize::from(row.size < 1.5);
    claims[number]
}

/// Setup of a row in Tables 2 or 5.
fn setup(row: &GridRow) -> Setup {
    let grid = match row.overloaded {
        Some(_) => Setup::mixed(row.clusters, row.size),
        None => Setup::equal(row.clusters, row.size),
    };
    match row.level {
        Some(level) => grid.levels(level).leader(level_of_leader(
            row.overloaded.is_some(),
            row.clusters,
            level,
        )),
        None => grid,
    }
}

/// Level of the first cluster.
///
/// It is the level of the others, except for an overloaded cluster beside a single other one, which
/// has 1000. This matches the paper's figures; its text has 1000 in all grids.
fn level_of_leader(is_mixed: bool, clusters: usize, level: u32) -> u32 {
    if is_mixed && clusters == 2 { MOST } else { level }
}

/// Scores of the typical clusters and, if there is one, of the overloaded one.
fn groups(scores: &Scores, is_mixed: bool) -> (Sample, Option<Sample>) {
    if is_mixed { (scores.typical(), Some(scores.first())) } else { (scores.all(), None) }
}

/// The groups of a row in Tables 2 or 5, with their printed scores.
fn kinds(row: &GridRow) -> Vec<(&'static str, Group, Score)> {
    match row.overloaded {
        None => vec![("equal", Scores::all, row.typical)],
        Some(overloaded) => vec![
            ("typical", Scores::typical, row.typical),
            ("overloaded", Scores::first, overloaded),
        ],
    }
}

/// The quarters of Tables 2 and 5, in the order of their claims.
const QUARTERS: [&str; 4] =
    ["equal, heavy load", "equal, light load", "overloaded, heavy load", "overloaded, light load"];

/// Printed figures of some rows of Tables 2 or 5.
fn entries(rows: &[GridRow], claims: [&'static str; 4], table: &str) -> Vec<Entry> {
    let entry = |(number, row): (usize, &GridRow)| {
        let claim = claim_of(claims, row);
        let quarter = claims.iter().position(|one| *one == claim).unwrap_or(0);
        let level = row.level.map_or(String::new(), |level| format!(", level {level}"));
        let about = format!("n = {}, alpha = beta = {}{level}", row.clusters, row.size);
        let place = format!("{table}, row {}", number + 1);
        kinds(row).into_iter().map(move |(kind, group, printed)| Entry {
            setup: number,
            group,
            printed,
            unit: HUNDREDTH,
            claim,
            place: place.clone(),
            what: format!("{about}, {kind}"),
            panel: QUARTERS[quarter],
            errs: (claim == "LB-T5-02").then_some(COPIED),
        })
    };
    rows.iter().enumerate().flat_map(entry).collect()
}

/// Table 2: averaging.
pub(super) fn table_2(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let claims = ["LB-T2-01", "LB-T2-02", "LB-T2-03", "LB-T2-04"];
    let setups: Vec<Setup> = TABLE_2.iter().map(setup).collect();
    let entries = entries(&TABLE_2, claims, "Table 2");
    let table =
        Judged { name: "Table 2", kind: Kind::Averaging, setups: &setups, entries: &entries };
    let mut rows = table.rows(bench)?;
    rows.extend(of_table_2(&scores(bench, &setups)?));
    Ok(rows)
}

/// Statements of the text on Table 2.
fn of_table_2(played: &[Arc<Scores>]) -> Vec<Row> {
    let mean = |number: usize| {
        let (typical, _) = groups(&played[number], TABLE_2[number].overloaded.is_some());
        typical.mean()
    };
    let heavy = [0, 1, 2, 3].map(mean);
    let light = [4, 5, 6, 7].map(mean);
    let place = "4.2.2";
    // The text quotes two means of the table.
    let quoted = |number: usize| {
        let shares = groups(&played[number], false).0.error_shares();
        TABLE_2[number].typical.printed(HUNDREDTH, shares)[0]
    };
    let mut rows = vec![
        Row::new("LB-T2-05", place, "smallest gain of equal clusters under heavy load")
            .compared(quoted(0), heavy[0]),
        Row::new("LB-T2-05", place, "largest gain of equal clusters under heavy load")
            .compared(quoted(3), heavy[3]),
    ];
    for (load, means) in [("heavy", heavy), ("light", light)] {
        let grows = means.windows(2).all(|pair| pair[0].value < pair[1].value);
        let what = format!("the gain grows with the number of equal clusters, {load} load");
        rows.push(Row::new("LB-T2-05", place, what).holds(grows));
    }
    let less = (0..4).all(|number| light[number].value < heavy[number].value);
    rows.push(Row::new("LB-T2-05", place, "gains are smaller under light load").holds(less));
    let spread = heavy[2].value / groups(&played[2], false).0.deviation().value;
    let what = "mean / standard deviation, n = 10, heavy load: a high spread is one below 2";
    rows.push(Row::new("LB-T2-05", place, what).found(
        "below 2",
        spread,
        Verdict::of(spread < 2.0),
    ));
    for (number, row) in TABLE_2.iter().enumerate().skip(8) {
        let GridRow { clusters, size, .. } = *row;
        let gains = clusters == 30 || size < 1.5 && clusters == 10;
        let ours = mean(number);
        let verdict = if gains { ours.above(0.0) } else { ours.below(0.0) };
        let what = format!("sign of the typical score, n = {clusters}, alpha = beta = {size}");
        let paper = if gains { "positive" } else { "negative" };
        rows.push(Row::new("LB-T2-06", place, what).found(paper, ours, verdict));
    }
    rows
}

/// Table 3: BILB with equal clusters.
pub(super) fn table_3(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let columns = [(2, "LB-T3-01", "n = 2"), (10, "LB-T3-02", "n = 10")];
    let (mut setups, mut entries) = (Vec::new(), Vec::new());
    for (clusters, claim, panel) in columns {
        for row in &TABLE_3 {
            entries.push(Entry {
                setup: setups.len(),
                group: Scores::all,
                printed: if clusters == 2 { row.1 } else { row.2 },
                unit: THOUSANDTH,
                claim,
                place: format!("Table 3, l = {}", row.0),
                what: format!("n = {clusters}, equal, level {}", row.0),
                panel,
                errs: None,
            });
            setups.push(Setup::equal(clusters, 2.0).levels(row.0));
        }
    }
    let table = Judged { name: "Table 3", kind: Kind::Equal, setups: &setups, entries: &entries };
    let mut rows = table.rows(bench)?;
    let played = scores(bench, &setups)?;
    for ((clusters, ..), played) in columns.into_iter().zip(played.chunks(TABLE_3.len())) {
        rows.extend(of_table_3(clusters, played));
    }
    Ok(rows)
}

/// Statements of the text on a column of Table 3.
fn of_table_3(clusters: usize, played: &[Arc<Scores>]) -> [Row; 3] {
    let samples: Vec<Sample> = played.iter().map(|scores| scores.all()).collect();
    // Paired by round, so randomness cancels out between two levels.
    let steps: Vec<Measured> =
        samples.windows(2).map(|pair| pair[0].deviation_less(&pair[1])).collect();
    let count = |verdict: Verdict| steps.iter().filter(|less| less.below(0.0) == verdict).count();
    let [lower, higher, open] = [Verdict::Agrees, Verdict::Differs, Verdict::Open].map(count);
    let what = format!(
        "n = {clusters}: adjacent pairs of the 14 levels in which the lower level has the higher \
         standard deviation"
    );
    // With no true difference, one in forty would come out significant on this side.
    let order = Row::new("LB-T3-04", "6.3", what)
        .found(
            0.0,
            higher as f64,
            Verdict::of(higher == 0),
        )
        .note(format!("of 13 pairs, the lower level has the lower standard deviation in {lower}, and {open} are too close to tell"));
    let (first, last) = (&samples[0], &samples[samples.len() - 1]);
    let span = first.deviation_less(last);
    let what =
        format!("standard deviation at level 1 - standard deviation at level 1000, n = {clusters}");
    let span = Row::new("LB-T3-04", "6.3", what).negative(span);
    let level_4 = ratio(samples[3].mean(), last.mean());
    let what = format!("our score at level 4 / our score at level 1000, {clusters} clusters");
    let similar = Row::new("LB-T3-03", "6.3", what)
        .compared(Printed::calculated(1.0, 0.0), level_4)
        .or(Verdict::Errs(
            "full participation is clearly better than level 4, here and in the paper's own Table 3",
        ));
    [order, span, similar]
}

/// Ratio of two positive figures, with its first-order error.
fn ratio(one: Measured, other: Measured) -> Measured {
    let value = one.value / other.value;
    let shares = libm::hypot(one.half_width / one.value, other.half_width / other.value);
    Measured { value, half_width: value.abs() * shares }
}

const LEADER: &str = "the text says that the overloaded cluster declares 1000, but the printed \
                      figures fit one that declares the level of the row";

/// Table 4: BILB with one overloaded cluster.
pub(super) fn table_4(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let (mut setups, mut told, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    for (clusters, claim, panels) in [
        (2, "LB-T4-01", ["n = 2, typical", "n = 2, overloaded"]),
        (10, "LB-T4-02", ["n = 10, typical", "n = 10, overloaded"]),
    ] {
        for MixedLevels(level, two, ten) in &TABLE_4 {
            let grid = |leader| Setup::mixed(clusters, 2.0).levels(*level).leader(leader);
            let groups: [Group; 2] = [Scores::typical, Scores::first];
            let printed = if clusters == 2 { two } else { ten };
            for ((kind, group), (printed, panel)) in
                ["typical", "overloaded"].into_iter().zip(groups).zip(printed.iter().zip(panels))
            {
                entries.push(Entry {
                    setup: setups.len(),
                    group,
                    printed: *printed,
                    unit: THOUSANDTH,
                    claim,
                    place: format!("Table 4, l = {level}"),
                    what: format!("n = {clusters}, level {level}, {kind}"),
                    panel,
                    errs: None,
                });
            }
            setups.push(grid(level_of_leader(true, clusters, *level)));
            told.push(grid(MOST));
        }
    }
    let table = Judged { name: "Table 4", kind: Kind::Mixed, setups: &setups, entries: &entries };
    let mut rows = table.rows(bench)?;
    let as_told = |entry: &&Entry| {
        entry.panel == "n = 10, overloaded" && setups[entry.setup] != told[entry.setup]
    };
    rows.extend(led(bench, entries.iter().filter(as_told), &told)?);
    let played = scores(bench, &setups)?;
    for (clusters, played) in [2, 10].into_iter().zip(played.chunks(TABLE_4.len())) {
        rows.push(best_level(clusters, played));
    }
    Ok(rows)
}

/// Overloaded clusters with level 1000, as in the text.
fn led<'e>(
    bench: &Bench,
    entries: impl Iterator<Item = &'e Entry>,
    told: &[Setup],
) -> Result<Vec<Row>, StudyError> {
    let played = scores(bench, told)?;
    let row = |entry: &Entry| {
        let what = format!("{}, declaring 1000 as the text says", entry.what);
        let told = Entry { what, errs: Some(LEADER), ..entry.clone() };
        let [mean, _] = told.rows(&played[entry.setup]);
        mean
    };
    Ok(entries.map(row).collect())
}

/// The best level of typical clusters, and the levels not significantly worse.
fn best_level(clusters: usize, played: &[Arc<Scores>]) -> Row {
    let samples: Vec<Sample> = played.iter().map(|scores| scores.typical()).collect();
    let mean = |number: &usize| samples[*number].mean().value;
    let best = (0..samples.len()).max_by(|one, other| mean(one).total_cmp(&mean(other)));
    let best = best.expect("there are levels");
    // Paired by round, so randomness cancels out between two levels.
    let tied = (0..samples.len())
        .filter(|&other| samples[best].less(&samples[other]).mean().interval().low <= 0.0);
    let tied: Vec<String> = tied.map(|number| TABLE_4[number].0.to_string()).collect();
    let paper = if clusters == 2 { 1 } else { 5 };
    let holds = tied.contains(&paper.to_string());
    let what = format!("best level for typical clusters in our runs, {clusters} clusters");
    let verdict = match (holds, tied.len()) {
        (true, 1) => Verdict::Agrees,
        (true, _) => Verdict::Open,
        (false, _) => Verdict::Differs,
    };
    Row::new("LB-T4-03", "6.3", what)
        .found(f64::from(paper), f64::from(TABLE_4[best].0), verdict)
        .note(format!("levels that may be as good: {}", tied.join(" ")))
}

const COPIED: &str = "the figures for heavy load are printed again: under light load averaging \
                      gains no more than a third of them";

/// Table 5: BILB at the best levels of Table 4.
pub(super) fn table_5(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let claims = ["LB-T5-01", "LB-T5-02", "LB-T5-03", "LB-T5-04"];
    let setups: Vec<Setup> = TABLE_5.iter().map(setup).collect();
    let entries = entries(&TABLE_5, claims, "Table 5");
    let table = Judged { name: "Table 5", kind: Kind::Mixed, setups: &setups, entries: &entries };
    let mut rows = table.rows(bench)?;
    let told: Vec<Setup> = setups.iter().map(|setup| setup.clone().leader(MOST)).collect();
    let as_told = |entry: &&Entry| {
        entry.setup >= EQUAL
            && entry.what.ends_with("overloaded")
            && setups[entry.setup].clusters > 2
    };
    rows.extend(led(bench, entries.iter().filter(as_told), &told)?);
    rows.push(Row::new("LB-T5-03", "Table 5", "the columns of rows 9 to 16 are labelled correctly").found(
        true,
        false,
        Verdict::Errs(
            "the columns are swapped: those of the overloaded cluster come first, as the row n = 10, \
             l = 5 shows beside Table 4",
        ),
    ));
    Ok(rows)
}

/// Averaging compared with BILB, on the same jobs.
pub(super) fn rivals(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let setups: Vec<Setup> = TABLE_2.iter().chain(&TABLE_5).map(setup).collect();
    let played = scores(bench, &setups)?;
    let (averaging, bilb) = played.split_at(TABLE_2.len());
    let mut rows = Vec::new();
    let place = "6.3, Tables 2 and 5";
    for (row, (averaging, bilb)) in TABLE_5.iter().zip(averaging.iter().zip(bilb)) {
        let is_mixed = row.overloaded.is_some();
        let about = format!("n = {}, alpha = beta = {}", row.clusters, row.size);
        let (typical, overloaded) = groups(bilb, is_mixed);
        let (before, overloaded_before) = groups(averaging, is_mixed);
        let gain = typical.less(&before).mean();
        let kind = if is_mixed { "typical" } else { "equal" };
        let what = format!("{about}: score under BILB - score under averaging, {kind}");
        let claim = "LB-T5-05";
        rows.push(Row::new(claim, place, what).positive(gain));
        if let (Some(ours), Some(before)) = (overloaded, overloaded_before) {
            let what = format!("{about}: score under BILB, typical");
            let mean = typical.mean();
            let none = Verdict::Errs("the paper's own Table 5 shows no gain either: 0.00");
            let verdict = mean.above(0.0);
            let verdict = if row.clusters == 2 { verdict.or(none) } else { verdict };
            rows.push(Row::new(claim, place, what).found("positive", mean, verdict));
            let gain = ours.less(&before).mean();
            let what = format!("{about}: score under BILB - score under averaging, overloaded");
            let errs = Verdict::Errs(
                "BILB is better only for the others: the overloaded cluster gains less than under \
                 averaging",
            );
            let verdict = gain.above(0.0).or(errs);
            rows.push(Row::new("LB-C-01", "8", what).found("positive", gain, verdict));
        }
    }
    rows.extend(dispersion(averaging, bilb));
    Ok(rows)
}

/// Coefficient of variation of the results, which the paper wants to reduce.
fn dispersion(averaging: &[Arc<Scores>], bilb: &[Arc<Scores>]) -> [Row; 2] {
    [("averaging", averaging), ("BILB", bilb)].map(|(name, played)| {
        let ours = played[2].all();
        let variation = ratio(ours.deviation(), ours.mean());
        let what = format!(
            "standard deviation / mean of the scores, ten equal clusters, heavy load, {name}"
        );
        Row::new("LB-W-01", "8", what).shown(variation)
    })
}

/// BILB as printed, at levels for which it matters.
pub(super) fn printed_bilb(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let cases = [
        (
            By::PrintedSender,
            5,
            4,
            "the formula takes the larger of two bounds for a sender; the \
         text says that nobody sends more than its level",
        ),
        (
            By::PrintedReceiver,
            MOST,
            13,
            "the printed bound ignores the work that a receiver sent \
         itself, so it never fills up to the mean",
        ),
    ];
    let levels = |by, level| Setup { by, ..Setup::equal(10, 2.0).levels(level) };
    let setups: Vec<Setup> = cases
        .iter()
        .flat_map(|&(by, level, ..)| [levels(By::Bilb, level), levels(by, level)])
        .collect();
    let played = scores(bench, &setups)?;
    let mut rows = Vec::new();
    for (number, (by, level, row, why)) in cases.into_iter().enumerate() {
        let score = TABLE_3[row].2;
        let what = match by {
            By::PrintedSender => "with the maximum for a sender, as printed",
            _ => "ignoring the work that a receiver sent, as printed",
        };
        let row = |what: &str| {
            let what = format!("n = 10, equal, level {level}: score, {what}");
            Row::new("LB-B-01", "6.1, Table 3", what)
        };
        let [ours, theirs] = [0, 1].map(|other| {
            let sample = played[2 * number + other].all();
            (score.printed(THOUSANDTH, sample.error_shares())[0], sample.mean())
        });
        rows.push(row("by our reading").compared(ours.0, ours.1));
        rows.push(row(what).compared(theirs.0, theirs.1).or(Verdict::Errs(why)));
    }
    Ok(rows)
}
