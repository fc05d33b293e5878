//! Tables 2 to 5: scores of averaging and of BILB, with fixed acts.
//!
//! What the paper leaves open is decided as [`Setup::equal`] has it. Where a figure differs and the
//! other reading of an open choice agrees, the row says on which choice it depends.

use std::sync::Arc;

use super::play::{Does, Scores, Setup, scores};
use super::printed::{
    EqualLevels, GridRow, HUNDREDTH, MixedLevels, Score, TABLE_2, TABLE_3, TABLE_4, TABLE_5,
    THOUSANDTH,
};
use crate::sim::pool::Sends;
use crate::study::row::Row;
use crate::study::sample::{Sample, mean};
use crate::study::verdict::{Figure, Measured, Printed, Verdict};
use crate::study::{Bench, StudyError};

/// The rows of Tables 3 and 4 that the text leads by.
const MOST: u32 = 1000;

/// A part of a row as it is printed.
type Of<R, P> = fn(&R) -> &P;
/// Some of the clusters of a grid.
type Group = fn(&Scores) -> Sample;

/// The claim of a row of Tables 2 and 5, of four.
fn claim_of(claims: [&'static str; 4], row: &GridRow) -> &'static str {
    let number = usize::from(row.overloaded.is_some()) * 2 + usize::from(row.size < 1.5);
    claims[number]
}

/// What a row of Tables 2 or 5 plays.
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

/// The level of the first cluster: that of the others, but 1000 of an overloaded one beside a
/// single other. So the paper's figures are met; its text has 1000 in all grids.
fn level_of_leader(is_mixed: bool, clusters: usize, level: u32) -> u32 {
    if is_mixed && clusters == 2 { MOST } else { level }
}

/// Typical clusters and, where there is one, the overloaded one.
fn groups(scores: &Scores, is_mixed: bool) -> (Sample, Option<Sample>) {
    if is_mixed { (scores.typical(), Some(scores.first())) } else { (scores.all(), None) }
}

/// Mean and standard deviation of a group beside what is printed.
struct Pair {
    claim: &'static str,
    place: String,
    what: String,
    unit: f64,
}

impl Pair {
    fn rows(&self, printed: &Score, ours: &Sample) -> [Row; 2] {
        let row = |figure: &str| {
            Row::new(self.claim, self.place.clone(), format!("{}: {figure}", self.what))
        };
        let range = ours.half_range();
        let mean = row("mean score").compared(printed.mean(self.unit), ours.mean());
        let mean =
            if range > 0.0 { mean.note(format!("range over clusters {range:.3}")) } else { mean };
        let deviation = printed.deviation(self.unit);
        [mean, row("standard deviation").compared(deviation, ours.deviation())]
    }
}

const HEAD: &str = "which of a sender's jobs are sent is not said; with the first instead of the \
                    last it agrees";

const FRACTIONS: &str = "whether work is divided into whole units is not said; to the tick it \
                         agrees";

const TOGETHER: &str = "when a job ends that was sent as a whole is not said; if no earlier than \
                        the work that stays, it agrees";

/// Another reading of a choice that the paper leaves open.
struct Reading {
    name: &'static str,
    reason: &'static str,
    setup: fn(&Setup) -> Setup,
}

/// The first jobs of a queue are sent.
const FIRST_JOBS: Reading = Reading {
    name: "the first jobs sent",
    reason: HEAD,
    setup: |setup| Setup { sends: Sends::Head, ..setup.clone() },
};

/// Work is balanced to the tick.
const TICKS: Reading = Reading {
    name: "to the tick",
    reason: FRACTIONS,
    setup: |setup| Setup { fractions: true, ..setup.clone() },
};

/// Jobs that are sent as a whole wait for the work that stays.
const WAITING: Reading = Reading {
    name: "jobs sent wait for the work that stays",
    reason: TOGETHER,
    setup: |setup| Setup { sends: Sends::TailTogether, ..setup.clone() },
};

/// Setups as settled, and under other readings.
struct Read {
    readings: &'static [Reading],
    settled: Vec<Arc<Scores>>,
    /// By reading.
    others: Vec<Vec<Arc<Scores>>>,
}

impl Read {
    fn play(
        bench: &Bench,
        setups: &[Setup],
        readings: &'static [Reading],
    ) -> Result<Read, StudyError> {
        // All at once, so that no thread waits.
        let read = readings.iter().flat_map(|reading| setups.iter().map(reading.setup));
        let all: Vec<Setup> = setups.iter().cloned().chain(read).collect();
        let mut played = scores(bench, &all)?.into_iter();
        let mut next = || played.by_ref().take(setups.len()).collect();
        let settled = next();
        Ok(Read { readings, settled, others: readings.iter().map(|_| next()).collect() })
    }

    /// The rows of a setup, by a group of its clusters; one that differs depends on a choice if
    /// another reading of it agrees.
    fn rows<const N: usize>(
        &self,
        number: usize,
        rows: impl Fn(&Scores) -> [Row; N],
    ) -> impl Iterator<Item = Row> {
        let mut own = rows(&self.settled[number]);
        for (reading, other) in self.readings.iter().zip(&self.others) {
            for (own, other) in own.iter_mut().zip(rows(&other[number])) {
                if own.verdict == Verdict::Differs && other.verdict == Verdict::Agrees {
                    own.verdict = Verdict::Depends(reading.reason);
                }
            }
        }
        own.into_iter()
    }

    /// How far mean scores are from what is printed, under each reading: the mean difference of
    /// logarithms of 1 more than their size, so that large and small scores count alike.
    fn fit(
        &self,
        claim: &'static str,
        place: &str,
        about: &str,
        rows: &[(usize, Group, f64)],
    ) -> Row {
        let size = |score: f64| score.signum() * libm::log1p(score.abs());
        let fit = |played: &[Arc<Scores>]| {
            let off = |&(number, group, printed): &(usize, Group, f64)| {
                (size(group(&played[number]).mean().value) - size(printed)).abs()
            };
            rows.iter().map(off).sum::<f64>() / rows.len() as f64
        };
        let other = |(reading, played): (&Reading, &Vec<Arc<Scores>>)| {
            format!("{} {:.3}", reading.name, fit(played))
        };
        let others: Vec<String> = self.readings.iter().zip(&self.others).map(other).collect();
        let what = format!("{about}: mean distance of mean scores in log(1 + S)");
        Row::new(claim, place, what)
            .found(Figure::None, Figure::Number(fit(&self.settled), None), Verdict::Shown)
            .note(format!("other readings: {}", others.join(", ")))
    }
}

/// Table 2: averaging.
pub(super) fn table_2(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let claims = ["LB-T2-01", "LB-T2-02", "LB-T2-03", "LB-T2-04"];
    let setups: Vec<Setup> = TABLE_2.iter().map(setup).collect();
    let read = Read::play(bench, &setups, &[FIRST_JOBS, WAITING])?;
    let mut rows = Vec::new();
    for (number, row) in TABLE_2.iter().enumerate() {
        let claim = claim_of(claims, row);
        let pair = |kind: &str| Pair {
            claim,
            place: format!("Table 2, row {}", number + 1),
            what: format!("n = {}, alpha = beta = {}, {kind}", row.clusters, row.size),
            unit: HUNDREDTH,
        };
        for (kind, group, printed) in kinds(row) {
            rows.extend(read.rows(number, |scores| pair(kind).rows(printed, &group(scores))));
        }
    }
    rows.extend(fits(&read, &TABLE_2, claims, "Table 2"));
    rows.extend(of_table_2(&read.settled));
    Ok(rows)
}

/// The groups of a row of Tables 2 or 5, and what is printed of them.
fn kinds(row: &GridRow) -> Vec<(&'static str, Group, &Score)> {
    match &row.overloaded {
        None => vec![("equal", Scores::all, &row.typical)],
        Some(overloaded) => vec![
            ("typical", Scores::typical, &row.typical),
            ("overloaded", Scores::first, overloaded),
        ],
    }
}

/// The fit of each quarter of Tables 2 or 5.
fn fits(
    read: &Read,
    table: &[GridRow],
    claims: [&'static str; 4],
    place: &str,
) -> impl Iterator<Item = Row> {
    let fit = |claim: &'static str| {
        let of = |(number, row)| {
            kinds(row).into_iter().map(move |(_, group, printed)| (number, group, printed.0))
        };
        let own = table.iter().enumerate().filter(|(_, row)| claim_of(claims, row) == claim);
        read.fit(claim, place, "all its rows", &own.flat_map(of).collect::<Vec<_>>())
    };
    claims.map(fit).into_iter()
}

/// What the text says of Table 2.
fn of_table_2(played: &[Arc<Scores>]) -> Vec<Row> {
    let mean = |number: usize| {
        let (typical, _) = groups(&played[number], TABLE_2[number].overloaded.is_some());
        typical.mean()
    };
    let heavy = [0, 1, 2, 3].map(mean);
    let light = [4, 5, 6, 7].map(mean);
    let place = "4.2.2";
    let mut rows = vec![
        Row::new("LB-T2-05", place, "least gain of equal clusters under heavy load")
            .compared(Printed::exact(0.50, HUNDREDTH), heavy[0]),
        Row::new("LB-T2-05", place, "largest gain of equal clusters under heavy load")
            .compared(Printed::exact(2.37, HUNDREDTH), heavy[3]),
    ];
    for (load, means) in [("heavy", heavy), ("light", light)] {
        let grows = means.windows(2).all(|pair| pair[0].value < pair[1].value);
        let what = format!("the more equal clusters, the larger the gain, {load} load");
        rows.push(Row::new("LB-T2-05", place, what).holds(grows));
    }
    let less = (0..4).all(|number| light[number].value < heavy[number].value);
    rows.push(Row::new("LB-T2-05", place, "gains are smaller under light load").holds(less));
    let spread = heavy[2].value / groups(&played[2], false).0.deviation().value;
    rows.push(Row::new("LB-T2-05", place, "mean by standard deviation, n = 10, heavy load").found(
        "high spread",
        Figure::Number(spread, None),
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

/// Table 3: BILB among equal clusters.
pub(super) fn table_3(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let columns: [(_, _, Of<EqualLevels, Score>); 2] =
        [(2, "LB-T3-01", |row| &row.1), (10, "LB-T3-02", |row| &row.2)];
    let mut rows = Vec::new();
    for (clusters, claim, of) in columns {
        let grid = |row: &EqualLevels| Setup::equal(clusters, 2.0).levels(row.0);
        let setups: Vec<Setup> = TABLE_3.iter().map(grid).collect();
        let read = Read::play(bench, &setups, &[TICKS, WAITING])?;
        let played = &read.settled;
        for (number, row) in TABLE_3.iter().enumerate() {
            let level = row.0;
            let pair = Pair {
                claim,
                place: format!("Table 3, l = {level}"),
                what: format!("n = {clusters}, equal, level {level}"),
                unit: THOUSANDTH,
            };
            rows.extend(read.rows(number, |scores| pair.rows(of(row), &scores.all())));
        }
        let printed = TABLE_3.iter().enumerate();
        let printed = printed.map(|(number, row)| (number, Scores::all as Group, of(row).0));
        let about = format!("n = {clusters}");
        rows.push(read.fit(claim, "Table 3", &about, &printed.collect::<Vec<_>>()));
        let deviation = |number: usize| played[number].all().deviation();
        let (low, high) = (deviation(3), deviation(TABLE_3.len() - 1));
        let what = format!("standard deviation at level 4 less that at 1000, n = {clusters}");
        let ours = difference(low, high);
        rows.push(Row::new("LB-T3-04", "6.3", what).found("negative", ours, ours.below(0.0)));
        let level_4 = ratio(played[3].all().mean(), played[TABLE_3.len() - 1].all().mean());
        let what = format!("score at level 4 by that at 1000, {clusters} clusters, ours");
        let printed = Printed::exact(1.0, 0.0);
        rows.push(Row::new("LB-T3-03", "6.3", what).compared(printed, level_4).or(Verdict::Errs(
            "full participation is clearly better than level 4, here as in its own Table 3",
        )));
    }
    Ok(rows)
}

/// Of figures that are not known to depend on each other.
fn difference(one: Measured, other: Measured) -> Measured {
    Measured {
        value: one.value - other.value,
        half_width: libm::hypot(one.half_width, other.half_width),
    }
}

/// The quotient of two positive figures, its error to first order.
fn ratio(one: Measured, other: Measured) -> Measured {
    let value = one.value / other.value;
    let shares = libm::hypot(one.half_width / one.value, other.half_width / other.value);
    Measured { value, half_width: value.abs() * shares }
}

const LEADER: &str = "the text says that the overloaded cluster declares 1000, but the printed \
                      figures are those of one that declares the row's level";

/// Table 4: BILB with one overloaded cluster.
pub(super) fn table_4(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let columns: [(_, _, Of<MixedLevels, [Score; 2]>); 2] =
        [(2, "LB-T4-01", |row| &row.1), (10, "LB-T4-02", |row| &row.2)];
    let mut rows = Vec::new();
    for (clusters, claim, of) in columns {
        let grid = |row: &MixedLevels, leader: u32| {
            Setup::mixed(clusters, 2.0).levels(row.0).leader(leader)
        };
        let settled: Vec<Setup> =
            TABLE_4.iter().map(|row| grid(row, level_of_leader(true, clusters, row.0))).collect();
        let told: Vec<Setup> = TABLE_4.iter().map(|row| grid(row, MOST)).collect();
        let read = Read::play(bench, &settled, &[TICKS, WAITING])?;
        let told = scores(bench, &told)?;
        let mut printed_means = Vec::new();
        for (number, row) in TABLE_4.iter().enumerate() {
            let level = row.0;
            let pair = |what: &str| Pair {
                claim,
                place: format!("Table 4, l = {level}"),
                what: format!("n = {clusters}, level {level}, {what}"),
                unit: THOUSANDTH,
            };
            let kinds: [(_, Group); 2] =
                [("typical", Scores::typical), ("overloaded", Scores::first)];
            for ((kind, group), printed) in kinds.into_iter().zip(of(row)) {
                let pair = pair(kind);
                rows.extend(read.rows(number, |scores| pair.rows(printed, &group(scores))));
                printed_means.push((number, group, printed.0));
            }
            if clusters > 2 && level < MOST {
                let what = pair("overloaded, which declares 1000 as told");
                let [mean, _] = what.rows(&of(row)[1], &told[number].first());
                rows.push(mean.or(Verdict::Errs(LEADER)));
            }
        }
        rows.push(read.fit(claim, "Table 4", &format!("n = {clusters}"), &printed_means));
        rows.push(best_level(clusters, &read.settled));
    }
    Ok(rows)
}

/// The best level of typical clusters, with those that cannot be told from it.
fn best_level(clusters: usize, played: &[Arc<Scores>]) -> Row {
    let samples: Vec<Sample> = played.iter().map(|scores| scores.typical()).collect();
    let mean = |number: &usize| samples[*number].mean().value;
    let best = (0..samples.len()).max_by(|one, other| mean(one).total_cmp(&mean(other)));
    let best = best.expect("there are levels");
    // The same rounds under two levels, so chance cancels out.
    let tied = (0..samples.len())
        .filter(|&other| samples[best].less(&samples[other]).mean().interval().low <= 0.0);
    let tied: Vec<String> = tied.map(|number| TABLE_4[number].0.to_string()).collect();
    let paper = if clusters == 2 { 1 } else { 5 };
    let holds = tied.contains(&paper.to_string());
    let what = format!("best level of typical clusters, {clusters} clusters, ours");
    let verdict = match (holds, tied.len()) {
        (true, 1) => Verdict::Agrees,
        (true, _) => Verdict::Open,
        (false, _) => Verdict::Differs,
    };
    Row::new("LB-T4-03", "6.3", what)
        .found(
            Figure::Number(f64::from(paper), None),
            Figure::Number(f64::from(TABLE_4[best].0), None),
            verdict,
        )
        .note(format!("not told apart from it: {}", tied.join(" ")))
}

const COPIED: &str = "these are the figures of the heavy load, printed again: under light load \
                      averaging itself gains no more than a third";

/// Table 5: BILB, its levels the best of Table 4.
pub(super) fn table_5(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let claims = ["LB-T5-01", "LB-T5-02", "LB-T5-03", "LB-T5-04"];
    let settled: Vec<Setup> = TABLE_5.iter().map(setup).collect();
    let told = settled[8..].iter().map(|setup| setup.clone().leader(MOST));
    let told: Vec<Setup> = told.collect();
    let read = Read::play(bench, &settled, &[TICKS, WAITING])?;
    let told = scores(bench, &told)?;
    let mut rows = Vec::new();
    for (number, row) in TABLE_5.iter().enumerate() {
        let claim = claim_of(claims, row);
        let pair = |kind: &str| Pair {
            claim,
            place: format!("Table 5, row {}", number + 1),
            what: format!(
                "n = {}, alpha = beta = {}, level {}, {kind}",
                row.clusters,
                row.size,
                row.level.unwrap_or(MOST)
            ),
            unit: HUNDREDTH,
        };
        for (kind, group, printed) in kinds(row) {
            let own = read.rows(number, |scores| pair(kind).rows(printed, &group(scores)));
            let is_copy = claim == "LB-T5-02";
            rows.extend(own.map(|row| match is_copy {
                true => row.or(Verdict::Errs(COPIED)),
                false => row,
            }));
        }
        if let Some(printed) = row.overloaded.filter(|_| row.clusters > 2) {
            let told = &told[number - 8].first();
            let [mean, _] = pair("overloaded, which declares 1000 as told").rows(&printed, told);
            rows.push(mean.or(Verdict::Errs(LEADER)));
        }
    }
    rows.extend(fits(&read, &TABLE_5, claims, "Table 5"));
    rows.push(Row::new("LB-T5-03", "Table 5", "the columns of rows 9 to 16 are as named").found(
        true,
        false,
        Verdict::Errs(
            "they are shifted: mean and deviation of the overloaded cluster stand first, as a \
             comparison of n = 10, l = 5 with Table 4 shows",
        ),
    ));
    Ok(rows)
}

/// Averaging against BILB, on the same jobs.
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
        let what = format!("{about}: BILB less averaging, {kind}");
        let claim = "LB-T5-05";
        rows.push(Row::new(claim, place, what).found("positive", gain, gain.above(0.0)));
        if let (Some(ours), Some(before)) = (overloaded, overloaded_before) {
            let what = format!("{about}: score under BILB, typical");
            let mean = typical.mean();
            let none = Verdict::Errs("nothing is gained in its own Table 5 either: 0.00");
            let verdict = mean.above(0.0);
            let verdict = if row.clusters == 2 { verdict.or(none) } else { verdict };
            rows.push(Row::new(claim, place, what).found("positive", mean, verdict));
            let gain = ours.less(&before).mean();
            let what = format!("{about}: BILB less averaging, overloaded");
            let errs = Verdict::Errs(
                "better for the others only: the overloaded cluster gains less than under \
                 averaging",
            );
            let verdict = gain.above(0.0).or(errs);
            rows.push(Row::new("LB-C-01", "8", what).found("positive", gain, verdict));
        }
    }
    rows.extend(dispersion(averaging, bilb));
    Ok(rows)
}

/// How much results vary, which the paper wants to be less.
fn dispersion(averaging: &[Arc<Scores>], bilb: &[Arc<Scores>]) -> [Row; 2] {
    [("averaging", averaging), ("BILB", bilb)].map(|(name, played)| {
        let ours = played[2].all();
        let variation = ratio(ours.deviation(), ours.mean());
        let what = format!("standard deviation by mean, ten equal clusters, heavy load, {name}");
        Row::new("LB-W-01", "8", what).found(Figure::None, variation, Verdict::Shown)
    })
}

/// BILB as printed, on levels at which it matters.
pub(super) fn printed_bilb(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    use super::play::By;
    let cases = [
        (
            By::PrintedSender,
            5,
            4,
            "a sender's bound is printed as the greater of two; the text \
         says that nobody sends more than its level",
        ),
        (
            By::PrintedReceiver,
            MOST,
            13,
            "the printed bound leaves out what a receiver sent itself, \
         so that it never fills up to the mean",
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
        let printed = TABLE_3[row].2.mean(THOUSANDTH);
        let what = match by {
            By::PrintedSender => "max for a sender, as printed",
            _ => "without what a receiver sent, as printed",
        };
        let row = |what: &str| {
            let what = format!("n = 10, equal, level {level}: score, {what}");
            Row::new("LB-B-01", "6.1, Table 3", what)
        };
        let [ours, theirs] = [0, 1].map(|other| played[2 * number + other].all().mean());
        rows.push(row("as settled").compared(printed, ours));
        rows.push(row(what).compared(printed, theirs).or(Verdict::Errs(why)));
    }
    Ok(rows)
}

/// Who sends and who receives under BILB, by load.
pub(super) fn free_riding(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let setup = Setup::mixed(10, 2.0).levels(5).leader(MOST);
    debug_assert_eq!(setup.leader, Does::Level(MOST));
    let played = scores(bench, &[setup])?;
    let shares = |of: std::ops::Range<usize>| {
        let sent = played[0].figures(|seat| seat.sent).of(of.clone());
        let received = played[0].figures(|seat| seat.received).of(of);
        (sent.mean(), received)
    };
    let by_round = |sample: &Sample| -> Vec<f64> {
        sample.by_round().map(|round| round.iter().sum::<f64>() / round.len() as f64).collect()
    };
    let [(first_sent, first_received), (sent, received)] = [0..1, 1..10].map(shares);
    // The same rounds, so chance cancels out.
    let less = mean(by_round(&first_received).iter().zip(by_round(&received)).map(|(a, b)| a - b));
    let (first_received, received) = (first_received.mean(), received.mean());
    let place = "7";
    let units = |what: &str| format!("units of work a round, BILB, n = 10, level 5: {what}");
    Ok(vec![
        Row::new("LB-D-01", place, units("received by a typical cluster")).found(
            "positive",
            received,
            received.above(0.0),
        ),
        Row::new("LB-D-01", place, units("sent by a typical cluster")).found(
            Figure::None,
            sent,
            Verdict::Shown,
        ),
        Row::new("LB-D-01", place, units("received by the overloaded cluster")).found(
            Figure::None,
            first_received,
            Verdict::Shown,
        ),
        Row::new("LB-D-01", place, units("the overloaded cluster receives less than a typical"))
            .found("negative", less, less.below(0.0)),
        Row::new("LB-D-01", place, units("sent by the overloaded cluster")).found(
            Figure::None,
            first_sent,
            Verdict::Shown,
        ),
    ])
}
