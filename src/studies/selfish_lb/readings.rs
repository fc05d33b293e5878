//! Readings of the paper's open choices, and how well each combination matches a table.
//!
//! A reading is judged by a whole table: the mean distance of its mean scores, and the number of
//! its figures that differ. A row that differs only *depends* on a reading if the reading closest
//! to the table as a whole also matches the whole table; single rows decide nothing.

use std::sync::Arc;

use super::play::{By, Does, Scores, Setup, scores, scores_in};
use super::printed::Score;
use crate::played::Record;
use crate::row::Row;
use crate::sample::Sample;
use crate::verdict::{Measured, Verdict};
use crate::whole::{Counts, depend};
use crate::{Bench, StudyError};
use sim::pool::Sends;

/// Level of an overloaded cluster, according to the text.
pub(super) const MOST: u32 = 1000;

/// A settled choice that was made because of these tables, undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undone {
    /// Every choice as settled.
    Nothing,
    /// Balancings at least 1 unit apart instead of 5, and not on a grid of 5.
    Least,
    /// Averaging at any whole unit instead of a grid of 5.
    Grid,
    /// Sizes as drawn, and work divided to the tick.
    Sizes,
}

/// A reading of each open choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// Work that is sent, and the end of its jobs.
    sends: Sends,
    /// True if work is divided to the tick instead of whole units.
    ticks: bool,
    /// True if jobs arrive at any time instead of at whole units.
    any_time: bool,
    /// True if the overloaded cluster has level 1000 in all grids, as in the text.
    told: bool,
    undone: Undone,
}

/// The settled reading.
const SETTLED: Reading = Reading {
    sends: Sends::Tail,
    ticks: false,
    any_time: false,
    told: false,
    undone: Undone::Nothing,
};

impl Reading {
    /// All combinations, starting with the settled one; then the settled one with one choice
    /// undone.
    fn all(kind: Kind, is_quick: bool) -> Vec<Reading> {
        // With averaging all queues end together, so work that is sent as a whole never waits.
        let sends: &[Sends] = match kind {
            Kind::Averaging => &[Sends::Tail, Sends::Head, Sends::AllTogether],
            _ => &[Sends::Tail, Sends::Head, Sends::TailTogether, Sends::AllTogether],
        };
        let is_led = kind == Kind::Mixed && !is_quick;
        let leaders: &[bool] = if is_led { &[false, true] } else { &[false] };
        let mut all = Vec::new();
        for &told in leaders {
            for any_time in [false, true] {
                for ticks in [false, true] {
                    all.extend(sends.iter().map(|&sends| Reading {
                        sends,
                        ticks,
                        any_time,
                        told,
                        ..SETTLED
                    }));
                }
            }
        }
        let undone = [Undone::Least, Undone::Grid, Undone::Sizes];
        let is_there = |undone: &Undone| kind == Kind::Averaging || *undone != Undone::Grid;
        let undone = undone.into_iter().filter(is_there);
        all.extend(undone.map(|undone| Reading { undone, ..SETTLED }));
        all
    }

    /// Name of the reading.
    fn name(&self) -> String {
        let mut words = Vec::new();
        match self.sends {
            Sends::Tail => {}
            Sends::Head => words.push("first jobs sent"),
            Sends::TailTogether => words.push("sent jobs wait for the work that stays"),
            Sends::AllTogether => words.push("all jobs of a sender end together"),
        }
        let flags = [
            (self.ticks, "work divided to the tick"),
            (self.any_time, "arrivals at any time"),
            (self.told, "the overloaded cluster declares 1000"),
            (self.undone == Undone::Least, "balancings from 1 unit apart"),
            (self.undone == Undone::Grid, "averaging at any whole unit"),
            (self.undone == Undone::Sizes, "sizes not rounded up"),
        ];
        words.extend(flags.iter().filter(|(is, _)| *is).map(|(_, word)| *word));
        if words.is_empty() { "our reading".to_owned() } else { words.join(" + ") }
    }

    /// A settled setup, changed to this reading.
    fn of(&self, setup: &Setup) -> Setup {
        let is_led = self.told && setup.by == By::Bilb && setup.first != setup.size;
        let leader = if is_led { Does::Level(MOST) } else { setup.leader };
        let sizes = self.undone == Undone::Sizes;
        Setup {
            sends: self.sends,
            fractions: self.ticks || sizes,
            floored: !self.any_time,
            rounded_up: !sizes,
            least: if self.undone == Undone::Least { 1.0 } else { setup.least },
            grid: !matches!(self.undone, Undone::Least | Undone::Grid),
            leader,
            ..setup.clone()
        }
    }
}

/// Type of a table, which decides on the choices left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Averaging.
    Averaging,
    /// BILB with equal clusters.
    Equal,
    /// BILB with an overloaded cluster.
    Mixed,
}

/// A group of clusters of a grid.
pub(super) type Group = fn(&Scores) -> Sample;

/// A printed score of a table: mean and deviation.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Index of its setup.
    pub setup: usize,
    pub group: Group,
    pub printed: Score,
    /// Unit of the last printed digit.
    pub unit: f64,
    pub claim: &'static str,
    pub place: String,
    pub what: String,
    /// Part of the table that it belongs to.
    pub panel: &'static str,
    /// Reason to exclude it from the test of a reading, if the paper errs.
    pub errs: Option<&'static str>,
}

impl Entry {
    /// Rows that compare mean and deviation with the printed ones.
    pub fn rows(&self, scores: &Scores) -> [Row; 2] {
        let ours = (self.group)(scores);
        let printed = self.printed.printed(self.unit, ours.error_shares());
        let row = |figure: &str| {
            Row::new(self.claim, self.place.clone(), format!("{}: {figure}", self.what))
        };
        let range = ours.half_range();
        let mean = row("mean score").compared(printed[0], ours.mean());
        let mean =
            if range > 0.0 { mean.note(format!("range over clusters {range:.3}")) } else { mean };
        let deviation = row("standard deviation").compared(printed[1], ours.deviation());
        [mean, deviation].map(|row| match self.errs {
            Some(why) => row.or(Verdict::Errs(why)),
            None => row,
        })
    }

    /// Distance between our mean score and the printed one.
    ///
    /// It is the difference of log(1 + |score|) with the sign of the score, so that large and small
    /// scores have similar weight.
    fn distance(&self, scores: &Scores) -> f64 {
        let size = |score: f64| score.signum() * libm::log1p(score.abs());
        let means = (self.group)(scores).means();
        let mean = means.iter().sum::<f64>() / means.len() as f64;
        (size(mean) - size(self.printed.0)).abs()
    }
}

/// A table: its settled setups and its printed figures.
pub(super) struct Judged<'a> {
    pub name: &'static str,
    pub kind: Kind,
    pub setups: &'a [Setup],
    pub entries: &'a [Entry],
}

impl Judged<'_> {
    /// Rows of all figures with the settled reading, then rows on the readings.
    pub fn rows(&self, bench: &Bench) -> Result<Vec<Row>, StudyError> {
        let settled = scores(bench, self.setups)?;
        let mut rows: Vec<Row> = self.figures(bench, self.setups, &settled);
        // Other readings play fewer rounds, the same ones as the first of the settled reading.
        let part = if bench.effort.quick { 8 } else { 4 };
        let rounds = bench.effort.samples.div_ceil(part).max(5).min(bench.effort.samples);
        let mut readings = Reading::all(self.kind, bench.effort.quick);
        if bench.is_again {
            readings.truncate(1);
        }
        let all: Vec<Setup> = readings[1..]
            .iter()
            .flat_map(|reading| self.setups.iter().map(|setup| reading.of(setup)))
            .collect();
        let others = scores_in(bench, &all, rounds)?;
        let all = |setup: &Setup| setup.played(bench, bench.effort.samples.into());
        let records: Vec<Record> = self.setups.iter().map(all).collect();
        for reading in readings[1..].iter().map(Reading::name) {
            for record in &records {
                let (samples, reading) = (rounds.into(), reading.clone());
                bench.log(Record { reading, samples, ..record.clone() });
            }
        }
        let first = settled.iter().map(|scores| Arc::new(scores.until(rounds as usize)));
        let played: Vec<Arc<Scores>> = first.chain(others).collect();
        let by_reading: Vec<&[Arc<Scores>]> = played.chunks(self.setups.len()).collect();
        let combinations = readings.iter().take_while(|one| one.undone == Undone::Nothing).count();
        let whole = |played: &[Arc<Scores>]| self.distance(played, None);
        let nearest = (0..combinations)
            .min_by(|&one, &other| whole(by_reading[one]).total_cmp(&whole(by_reading[other])))
            .expect("there is the settled one");
        let own = Counts::of(self.tests(&rows));
        let (verdict, note) = if own.is_met() || nearest == 0 {
            (own.verdict(), own.told())
        } else {
            let setups: Vec<Setup> =
                self.setups.iter().map(|setup| readings[nearest].of(setup)).collect();
            let read = self.figures(bench, &setups, &scores(bench, &setups)?);
            let read: Vec<Row> = self.tests(&read).cloned().collect();
            let (counts, name) = (Counts::of(read.iter()), readings[nearest].name());
            let reason = format!("{} agrees as a whole under another reading: {name}", self.name);
            let verdict = match depend(&mut rows, &read, &reason) {
                true => Verdict::Depends(reason),
                false => Verdict::Differs,
            };
            (
                verdict,
                format!("{}; under the nearest reading ({name}): {}", own.told(), counts.told()),
            )
        };
        let claim = self.entries[0].claim;
        let what = "share of the table's figures that differ under our reading";
        let share = own.share();
        rows.push(Row::new(claim, self.name, what).found("at most 0.1", share, verdict).note(note));
        let mut panels: Vec<(Option<&str>, &'static str)> = vec![(None, claim)];
        for entry in self.entries {
            if !panels.iter().any(|(panel, _)| *panel == Some(entry.panel)) {
                panels.push((Some(entry.panel), entry.claim));
            }
        }
        for (panel, claim) in panels {
            let mut all: Vec<(f64, String)> = readings
                .iter()
                .zip(&by_reading)
                .map(|(reading, played)| (self.distance(played, panel), reading.name()))
                .collect();
            let settled = Measured::exact(all[0].0);
            all.sort_by(|one, other| one.0.total_cmp(&other.0));
            let told = all.iter().map(|(distance, name)| format!("{distance:.3} {name}"));
            let told: Vec<String> = told.collect();
            let about = panel.unwrap_or("all rows");
            let what = format!(
                "{about}: mean distance to the printed scores, in log(1 + S), under our reading"
            );
            let note = format!("by reading, over {rounds} rounds: {}", told.join(", "));
            let row = Row::new(claim, self.name, what).shown(settled);
            rows.push(row.note(note));
        }
        Ok(rows)
    }

    fn figures(&self, bench: &Bench, setups: &[Setup], played: &[Arc<Scores>]) -> Vec<Row> {
        let rounds = bench.effort.samples.into();
        let names: Vec<String> =
            setups.iter().map(|setup| setup.played(bench, rounds).configuration).collect();
        let rows = |entry: &Entry| {
            entry.rows(&played[entry.setup]).map(|row| row.of(names[entry.setup].clone()))
        };
        self.entries.iter().flat_map(rows).collect()
    }

    /// Rows that test a reading.
    fn tests<'r>(&self, rows: &'r [Row]) -> impl Iterator<Item = &'r Row> {
        let is_test = self.entries.iter().flat_map(|entry| [entry.errs.is_none(); 2]);
        let is_test: Vec<bool> = is_test.collect();
        rows.iter().zip(is_test).filter(|(_, is)| *is).map(|(row, _)| row)
    }

    /// Mean distance of a panel, or of all figures that test a reading.
    fn distance(&self, played: &[Arc<Scores>], panel: Option<&str>) -> f64 {
        let own = self.entries.iter().filter(|entry| match panel {
            Some(panel) => entry.panel == panel,
            None => entry.errs.is_none(),
        });
        let all: Vec<f64> = own.map(|entry| entry.distance(&played[entry.setup])).collect();
        all.iter().sum::<f64>() / all.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effort;

    #[test]
    fn every_combination_is_tried_once_and_changes_a_setup() {
        for (kind, expected) in [(Kind::Averaging, 15), (Kind::Equal, 18), (Kind::Mixed, 34)] {
            let all = Reading::all(kind, false);
            assert_eq!((all.len(), all[0]), (expected, SETTLED));
            let setup = Setup::mixed(10, 2.0);
            let setup = if kind == Kind::Averaging { setup } else { setup.levels(5) };
            let read: Vec<Setup> = all.iter().map(|reading| reading.of(&setup)).collect();
            assert_eq!(read[0], setup);
            for (place, one) in read.iter().enumerate() {
                assert!(!read[..place].contains(one), "{}", all[place].name());
            }
            let names: Vec<String> = all.iter().map(Reading::name).collect();
            assert!((1..names.len()).all(|place| !names[..place].contains(&names[place])));
        }
    }

    /// If no reading matches the whole table, no row depends on one; if one does, no row differs.
    #[test]
    fn rows_depend_on_a_reading_of_the_whole_table_only() {
        let bench = Bench::new(Effort { samples: 60, quick: true, seed: 1, seeds: 1 });
        let setups = [5, 10].map(|clusters| Setup::equal(clusters, 1.0));
        let ticks = Reading { ticks: true, ..SETTLED };
        let read: Vec<Setup> = setups.iter().map(|setup| ticks.of(setup)).collect();
        let played = scores(&bench, &read).expect("it can be played");
        let judged = |shift: f64| {
            let entry = |setup: usize| {
                let sample = played[setup].all();
                let mean = sample.mean().value + shift;
                Entry {
                    setup,
                    group: Scores::all,
                    printed: Score(mean, 0.0, sample.deviation().value, 0.0),
                    unit: 0.0,
                    claim: "LB-T2-02",
                    place: String::new(),
                    what: String::new(),
                    panel: "light",
                    errs: None,
                }
            };
            let entries = [0, 1].map(entry);
            let kind = Kind::Averaging;
            let table = Judged { name: "T", kind, setups: &setups, entries: &entries };
            table.rows(&bench).expect("it can be played")
        };
        for (shift, is_met) in [(0.0, None), (5.0, Some(false))] {
            let rows = judged(shift);
            let (figures, joint) = rows.split_at(4);
            let depends = matches!(joint[0].verdict, Verdict::Depends(_));
            assert_eq!(is_met.unwrap_or(depends), depends, "{joint:?}");
            assert_eq!(figures[0].verdict == Verdict::Differs, !depends, "{figures:?}");
            for row in figures {
                assert_eq!(
                    matches!(row.verdict, Verdict::Depends(_)),
                    depends && row.verdict != Verdict::Agrees && row.verdict != Verdict::Open
                );
            }
        }
    }
}
