//! Rows of a part: what the paper says beside the measures of its plays.

use super::super::claim::Register;
use super::super::count::Count;
use super::super::row::Row;
use super::super::verdict::{Compared, Figure, Measured, Printed, Rule, Verdict};
use super::super::whole::{Counts, depend};
use super::super::{Bench, StudyError};
use super::cells::{Cell, Digits, Values, cells};
use super::play::{
    Plays, commands, compared, estimate, figure, fitted, hits, members, plays, series, told, within,
};
use super::{By, Drawing, FitBy, Line, One, Order, Part, Statistic, Table};
use kernel::parallel;
use stats::interval::Level;
use stats::student;

/// Multiples of the samples that are played where ours are too few to tell; for a single sample of the
/// paper twice as many, which is enough to judge its rank.
const MORE: [u32; 2] = [4, 16];
const MORE_OF_ONE: [u32; 1] = [2];

/// Rows of a part, and its pictures on the bench.
pub(super) fn rows(
    part: &'static Part,
    bench: &Bench,
    register: &'static Register,
) -> Result<Vec<Row>, StudyError> {
    let judge = Judge { bench, register };
    let mut rows = Vec::new();
    for slip in &part.slips {
        let row = Row::new(&slip.claim, &*slip.place, &*slip.what);
        let verdict = Verdict::Errs(register.erratum(&slip.erratum)?);
        rows.push(row.found(&*slip.says, &*slip.means, verdict));
    }
    for table in &part.tables {
        rows.extend(judge.table(table)?);
    }
    if let Some(claim) = &part.whole {
        let whole = judge.whole(part, claim, &mut rows)?;
        rows.push(whole);
    }
    let unknown = rows.iter_mut().filter(|row| row.cause.is_empty());
    unknown.for_each(|row| row.cause.clone_from(&part.cause));
    Ok(rows)
}

/// Everything that it takes to judge a part.
pub(super) struct Judge<'a> {
    pub bench: &'a Bench,
    register: &'static Register,
}

/// True if a cell is a printed figure that tests a reading.
fn is_test(cell: &Cell) -> bool {
    cell.spread.is_some() && cell.line.erratum.is_none()
}

impl Judge<'_> {
    fn cells(&self, table: &'static Table, more: &[String]) -> Result<Vec<Vec<Cell>>, StudyError> {
        cells(table, self.bench.effort.quick, more, self.register)
    }

    fn plays(&self, cells: &[&Cell], times: u32) -> Result<Plays, StudyError> {
        let wanted = cells.iter().flat_map(|cell| cell.plays());
        plays(self.bench, self.register, wanted, times)
    }

    /// The rows of a table; ours are played more often where they are too few to tell.
    fn table(&self, table: &'static Table) -> Result<Vec<Row>, StudyError> {
        let cells = self.cells(table, &[])?;
        let played = self.plays(&cells.iter().flatten().collect::<Vec<_>>(), 1);
        let scenario = format!("scenario = \"{}\"", table.scenario);
        let played = played.map_err(|wrong| self.register.located(&scenario, wrong))?;
        let apart = |cell: &&Cell| !cell.line.is_of_all_rows();
        let own: Vec<&Cell> = cells.iter().flatten().filter(apart).collect();
        let mut found = self.each(table, &own, &played)?;
        let is_one = self.register.rule().is_one_each;
        let more: &[u32] = if is_one { &MORE_OF_ONE } else { &MORE };
        for &times in more.iter().filter(|_| !self.bench.effort.quick) {
            let is_open = |&at: &usize| found[at].verdict == Verdict::Open;
            let open: Vec<usize> = (0..own.len()).filter(is_open).collect();
            let again: Vec<&Cell> = open.iter().map(|&at| own[at]).collect();
            let rows = self.each(table, &again, &self.plays(&again, times)?)?;
            open.into_iter().zip(rows).for_each(|(at, row)| found[at] = row);
        }
        let mut found = found.into_iter();
        let mut rows = Vec::new();
        let mut met = Vec::new();
        for row in &cells {
            let first = rows.len();
            rows.extend(found.by_ref().take(row.iter().filter(apart).count()));
            met.push(all_of(&rows[first..]));
        }
        rows.extend(table.one.as_ref().map(|one| one_of(table, one, &met)));
        for line in table.lines.iter().filter(|line| line.is_of_all_rows()) {
            let column: Vec<&Cell> =
                cells.iter().flatten().filter(|cell| std::ptr::eq(cell.line, line)).collect();
            let row = match (&line.order, &line.best) {
                (Some(order), _) => self.ordered(table, &column, *order, &played),
                (None, Some([name, paper])) => self.best(table, &column, (name, paper), &played),
                (None, None) => self.fit(table, &column, &played),
            };
            rows.push(row.map_err(|wrong| self.register.located(&line.what, wrong))?);
        }
        match &table.draw {
            Some(Drawing { over: Some(over), of: super::Drawn::Dots, .. }) => {
                self.dots(table, over, &cells, &played)?;
            }
            Some(Drawing { over: Some(over), .. }) => self.chart(table, over, &cells, &played)?,
            Some(Drawing { of: super::Drawn::Stages, .. }) => self.stages(table, &cells, &played),
            Some(drawing) => self.draw(drawing, &cells[drawing.row][0], &played),
            None => {}
        }
        Ok(rows)
    }

    /// The rows of cells.
    fn each(&self, table: &Table, cells: &[&Cell], plays: &Plays) -> Result<Vec<Row>, StudyError> {
        let row = |at: usize| {
            let row = self.row(table, cells[at], plays);
            row.map_err(|wrong| self.register.located(&cells[at].line.what, wrong))
        };
        parallel::map(cells.len(), row).into_iter().collect()
    }

    /// The row of a cell.
    fn row(&self, table: &Table, cell: &Cell, plays: &Plays) -> Result<Row, StudyError> {
        self.judged(table, cell, figure(plays, cell)?, plays)
    }

    /// The row of a cell with this figure.
    fn judged(
        &self,
        table: &Table,
        cell: &Cell,
        ours: Measured,
        plays: &Plays,
    ) -> Result<Row, StudyError> {
        let line = cell.line;
        let row = Row::new(&line.claim, cell.place.clone(), cell.what.clone());
        let row = match (cell.printed, line.above, line.below) {
            (Some(printed), ..) => row.compared(self.compared(cell, printed, ours, plays)?),
            (None, None, None) => match &cell.says {
                Some(says) => row.found(says.clone(), ours, Verdict::Shown),
                None => row.found(Figure::None, ours, Verdict::Shown),
            },
            (None, above, below) => {
                let verdict = match (above, below) {
                    (Some(low), Some(high)) => ours.between(low, high),
                    (Some(low), None) => ours.above(low),
                    (None, high) => ours.below(high.unwrap_or(f64::INFINITY)),
                };
                let says = cell.says.clone().unwrap_or_else(|| bounds(above, below));
                row.found(says, ours, verdict)
            }
        };
        let row = Row { note: cell.note.clone(), ..row };
        self.traced(row, table, cell, plays)
    }

    /// A printed figure beside ours: by counts, by ranks, or by means with the errors of both.
    fn compared(
        &self,
        cell: &Cell,
        printed: Digits,
        ours: Measured,
        plays: &Plays,
    ) -> Result<Compared, StudyError> {
        let rule = self.register.rule();
        let Digits { value, unit, of } = printed;
        match cell.statistic {
            Statistic::Hits => {
                let of = of.unwrap_or(rule.samples.into());
                return Ok(Count { hits: value as u64, of }.against(hits(plays, &cell.source)?));
            }
            Statistic::Largest if cell.line.sampled => {
                let of = u64::from(rule.samples) * cell.source.plays.len() as u64;
                let sample = members(plays, &cell.source)?;
                return Ok(Compared::largest(value, unit, of, sample.all()));
            }
            Statistic::Mean if rule.is_one_each && unit > 0.0 && of.is_none() => {
                let mut ours = series(plays, cell)?;
                ours.retain(|value| !value.is_nan());
                if ours.len() > 1 {
                    return Ok(Compared::ranked(value, unit, &ours));
                }
            }
            _ => {}
        }
        Ok(self.printed(cell, printed, ours, plays)?.against(ours))
    }

    /// Adds what answers a row: file and figure, the command, and the cause or the erratum of a
    /// difference.
    fn traced(
        &self,
        row: Row,
        table: &Table,
        cell: &Cell,
        plays: &Plays,
    ) -> Result<Row, StudyError> {
        let line = cell.line;
        let figure = told(plays, &cell.source, cell.statistic)?;
        let row = Row { figure, command: commands(plays, cell, table), ..row };
        let row = match &line.cause {
            Some(cause) => row.because(cause),
            None => row,
        };
        match &line.erratum {
            None => Ok(row),
            Some(id) => Ok(row.or(Verdict::Errs(self.register.erratum(id)?))),
        }
    }

    /// The printed value, with the error of the paper's sample.
    fn printed(
        &self,
        cell: &Cell,
        digits: Digits,
        ours: Measured,
        plays: &Plays,
    ) -> Result<Printed, StudyError> {
        let error = match cell.spread {
            None if cell.line.sampled || digits.of.is_some() => {
                let rounds = series(plays, cell)?.len() as u64;
                let t = student::two_sided(Level::default().share(), rounds.max(2) - 1);
                ours.half_width / t * (rounds as f64).sqrt()
            }
            None => 0.0,
            Some(spread) => {
                let sample = members(plays, &cell.source)?;
                let is_deviation = cell.statistic == Statistic::Deviation;
                sample.error_shares()[usize::from(is_deviation)] * spread.value
            }
        };
        let rule = self.register.rule();
        let samples = digits.of.map_or(rule.samples, |of| of as u32);
        Ok(Rule { samples, ..rule }.estimated(digits.value, digits.unit, error))
    }

    /// The row of a claim that figures rise or fall from row to row.
    ///
    /// All steps are judged together: each at 5% by their number (Bonferroni).
    fn ordered(
        &self,
        table: &Table,
        column: &[&Cell],
        order: Order,
        plays: &Plays,
    ) -> Result<Row, StudyError> {
        let statistic = column[0].statistic;
        let level = Level::default().share();
        let number = column.len().saturating_sub(1).max(1) as f64;
        let wider = student::normal_two_sided(1.0 - (1.0 - level) / number)
            / student::normal_two_sided(level);
        let step = |pair: &[&Cell]| {
            let pair = match order {
                Order::Rises => [pair[1], pair[0]],
                Order::Falls => [pair[0], pair[1]],
            };
            let step = match statistic {
                Statistic::Mean => {
                    let [own, other] = pair.map(|cell| series(plays, cell));
                    let (own, other) = (own?, other?);
                    estimate(own.iter().zip(&other).map(|(own, other)| own - other).collect())
                }
                _ => compared(plays, pair.map(|cell| &cell.source), statistic, By::Less)?,
            };
            let is_none = step == Measured::exact(0.0);
            let step = Measured { half_width: step.half_width * wider, ..step };
            Ok(if is_none { Verdict::Open } else { step.above(0.0) })
        };
        let steps: Result<Vec<Verdict>, StudyError> = column.windows(2).map(step).collect();
        let steps = steps?;
        let count = |verdict: &Verdict| steps.iter().filter(|one| *one == verdict).count();
        let [with, against] = [Verdict::Agrees, Verdict::Differs].map(|one| count(&one));
        let verdict = match (with, against) {
            (_, 1..) => Verdict::Differs,
            (0, 0) => Verdict::Open,
            // Steps that are too small to tell do not speak against the others.
            (_, 0) => Verdict::Agrees,
        };
        let all = steps.len();
        let row = Row::new(&column[0].line.claim, column[0].place.clone(), column[0].what.clone());
        let row = row.found(0.0, against as f64, verdict).note(format!(
            "steps against the order; {with} of {all} are with it and {} too small to tell",
            all - with - against
        ));
        self.traced(row, table, column[0], plays)
    }

    /// The row of a relation of all rows to a column.
    fn fit(
        &self,
        table: &'static Table,
        column: &[&Cell],
        plays: &Plays,
    ) -> Result<Row, StudyError> {
        let fit = column[0].line.fit.as_ref().expect("it is neither an order nor the best");
        if fit.by == FitBy::Within {
            return self.judged(table, column[0], within(plays, column, &fit.to)?, plays);
        }
        let values = Values::of(table);
        let number = |one: &Values| one.column(&fit.to).and_then(|text| text.parse::<f64>().ok());
        let numbers: Option<Vec<f64>> = values.iter().map(number).collect();
        let wrong = || StudyError(format!("{}: no numbers in `{}`", table.place, fit.to));
        let points: Vec<(f64, &Cell)> =
            numbers.ok_or_else(wrong)?.into_iter().zip(column.iter().copied()).collect();
        self.judged(table, column[0], fitted(plays, &points, fit.by)?, plays)
    }

    /// The row of a claim on the row with the largest figure; it is open if others may be as good.
    fn best(
        &self,
        table: &'static Table,
        column: &[&Cell],
        (name, paper): (&str, &str),
        plays: &Plays,
    ) -> Result<Row, StudyError> {
        let figures: Result<Vec<Measured>, StudyError> =
            column.iter().map(|cell| figure(plays, cell)).collect();
        let figures = figures?;
        let best = (0..figures.len())
            .max_by(|&one, &other| figures[one].value.total_cmp(&figures[other].value))
            .unwrap_or(0);
        let values = Values::of(table);
        let named = |at: usize| values[at].column(name).unwrap_or_default();
        let mut tied = Vec::new();
        for (at, cell) in column.iter().enumerate() {
            let pair = [&column[best].source, &cell.source];
            let less = compared(plays, pair, Statistic::Mean, By::Less)?;
            if at == best || less.interval().low <= 0.0 {
                tied.push(named(at));
            }
        }
        let verdict = match (tied.contains(&paper), tied.len()) {
            (true, 1) => Verdict::Agrees,
            (true, _) => Verdict::Open,
            (false, _) => Verdict::Differs,
        };
        let cell = column[best];
        let row = Row::new(&cell.line.claim, cell.place.clone(), cell.what.clone());
        let row = row.found(paper, named(best), verdict);
        self.traced(row.note(format!("may be as good: {}", tied.join(" "))), table, cell, plays)
    }

    /// The row on all printed figures of a part together, judged under other readings where they miss it.
    fn whole(
        &self,
        part: &'static Part,
        claim: &'static str,
        rows: &mut [Row],
    ) -> Result<Row, StudyError> {
        let tests = self.tests(part, &[])?;
        let is_tested: Vec<bool> = rows
            .iter()
            .map(|row| {
                tests.iter().any(|(_, cell)| cell.what == row.what && cell.place == row.place)
            })
            .collect();
        let own = |rows: &[Row]| {
            let tested = rows.iter().zip(&is_tested).filter(|(_, is)| **is);
            Counts::of(tested.map(|(row, _)| row))
        };
        let counts = own(rows);
        let (mut verdict, mut note) = (counts.verdict(), counts.told());
        let is_tried = !counts.is_met() && !self.bench.is_again;
        let few = self.bench.effort.samples.div_ceil(4).max(5);
        for reading in part.readings.iter().filter(|_| is_tried) {
            // A reading that a quarter of the samples misses is missed.
            let mut read = self.read(part, &reading.set, Some(few))?;
            let told = Counts::of(read.iter()).told();
            note.push_str(&format!("; {}, {few} samples: {told}", reading.says));
            if Counts::of(read.iter()).is_met() {
                read = self.read(part, &reading.set, None)?;
            }
            let reason = format!("{} agrees as a whole if {}", part.name(), reading.says);
            let tested = rows.iter_mut().zip(&is_tested).filter(|(_, is)| **is);
            if depend(tested.map(|(row, _)| row), &read, &reason) {
                verdict = Verdict::Depends(reason);
            }
        }
        let row = Row::new(claim, part.name(), "share of the printed figures that differ");
        Ok(row.found("as many as chance gives", counts.share(), verdict).note(note))
    }

    /// Rows of the printed figures under a reading, over at most so many samples.
    fn read(
        &self,
        part: &'static Part,
        set: &[String],
        samples: Option<u32>,
    ) -> Result<Vec<Row>, StudyError> {
        let mut cells = self.tests(part, set)?;
        let all = cells.iter_mut().flat_map(|(_, cell)| &mut cell.source.plays);
        all.for_each(|play| play.samples = samples);
        let played = self.plays(&cells.iter().map(|(_, cell)| cell).collect::<Vec<_>>(), 1)?;
        cells.iter().map(|(table, cell)| self.row(table, cell, &played)).collect()
    }

    /// Cells of the printed figures that test a reading.
    fn tests(
        &self,
        part: &'static Part,
        set: &[String],
    ) -> Result<Vec<(&'static Table, Cell)>, StudyError> {
        let mut all = Vec::new();
        for table in &part.tables {
            let cells = self.cells(table, set)?.into_iter().flatten();
            all.extend(cells.filter(is_test).map(|cell| (table, cell)));
        }
        Ok(all)
    }
}

/// The verdict on several figures that must all agree; those that are just shown do not count.
fn all_of(rows: &[Row]) -> Verdict {
    let is = |verdict: &Verdict| rows.iter().any(|row| row.verdict == *verdict);
    match (is(&Verdict::Differs), is(&Verdict::Open)) {
        (true, _) => Verdict::Differs,
        (false, true) => Verdict::Open,
        (false, false) => Verdict::Agrees,
    }
}

/// The row of the claim that one row of a table gives all figures, from the verdicts on all rows.
fn one_of(table: &Table, one: &'static One, met: &[Verdict]) -> Row {
    let with = |verdict: Verdict| {
        let values = Values::of(table).into_iter().zip(met).filter(|(_, met)| **met == verdict);
        let named = values.filter_map(|(row, _)| row.column(&one.column).map(str::to_owned));
        named.collect::<Vec<_>>().join(", ")
    };
    let (agree, open) = (with(Verdict::Agrees), with(Verdict::Open));
    let (named, verdict) = match (agree.is_empty(), open.is_empty()) {
        (false, _) => (agree, Verdict::Agrees),
        (true, false) => (open, Verdict::Open),
        (true, true) => ("none".to_owned(), Verdict::Differs),
    };
    let row = Row::new(&one.claim, &*table.place, &*one.what).found("one", named, verdict);
    row.because(&*one.cause).note("it is not told; those named give all figures, or may do so")
}

impl Line {
    /// True if it is one row of all rows of its table together.
    fn is_of_all_rows(&self) -> bool {
        self.order.is_some() || self.best.is_some() || self.fit.is_some()
    }
}

/// Bounds in words.
fn bounds(above: Option<f64>, below: Option<f64>) -> String {
    match (above, below) {
        (Some(0.0), None) => "positive".to_owned(),
        (None, Some(0.0)) => "negative".to_owned(),
        (Some(low), Some(high)) => format!("{low} to {high}"),
        (Some(low), None) => format!("above {low}"),
        (None, high) => format!("below {}", high.unwrap_or(f64::NAN)),
    }
}
