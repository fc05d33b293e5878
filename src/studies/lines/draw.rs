//! Pictures of tables: learners over rounds, stages of games, and figures over a column or a row each.

use super::super::StudyError;
use super::super::picture::{Curve, Picture, reach};
use super::super::verdict::Measured;
use super::cells::{Cell, Values};
use super::judge::Judge;
use super::play::{Found, Plays, figure, members};
use super::{Drawing, Line, Table};
use findings::coalition::course::Drawn;
use report::picture::Scale;
use report::picture::rows::{self, Mark, Rows};
use report::picture::svg::REFERENCE;
use run::AnyFindings;

impl Judge<'_> {
    /// Draws learners over the rounds: the mean of each class over all replications, and its members in the
    /// first one, as the paper draws them.
    pub fn draw(&self, drawing: &'static Drawing, cell: &Cell, plays: &Plays) {
        let Found::Run(found) = &plays[&cell.source.plays[0]].found else { return };
        let AnyFindings::Coalition(rounds) = &**found else { return };
        let series = match drawing.of {
            super::Drawn::Probability => Drawn::Probability as usize,
            _ => Drawn::Level as usize,
        };
        let learned = &rounds.learned;
        let curve = |(number, class): (usize, &findings::unit::Class)| {
            let points = learned.curves.class(number, series);
            let first = |member: usize| {
                (learned.frame.names[member].clone(), learned.curves.first(member, series))
            };
            Curve {
                name: class.name.clone(),
                points: points.iter().map(|point| (point.round, point.mean)).collect(),
                parts: class.members.clone().map(first).collect(),
            }
        };
        let last = learned.frame.rounds as f64 - 1.0;
        self.bench.draw(Picture {
            name: &drawing.name,
            title: drawing.title.clone(),
            caption: format!(
                "thin: members in the first of {} replications; thick: means of all",
                learned.replications()
            ),
            axes: ["round", drawing.label()],
            scale: drawing.scale(0.0),
            curves: learned.frame.classes.iter().enumerate().map(curve).collect(),
            paper: drawing.paper.iter().map(|&at| vec![(0.0, at), (last, at)]).collect(),
        });
    }

    /// Draws the first games of the first replications stage by stage, and their mean.
    pub fn stages(&self, table: &'static Table, cells: &[Vec<Cell>], plays: &Plays) {
        let drawing = table.draw.as_ref().expect("it is drawn");
        let mut curves = Vec::new();
        for (values, cell) in Values::of(table)
            .iter()
            .zip(cells)
            .flat_map(|(values, row)| row.iter().map(move |cell| (values, cell)))
        {
            let Some(name) = &cell.line.curve else { continue };
            let Found::Run(found) = &plays[&cell.source.plays[0]].found else { continue };
            let AnyFindings::Campaign(found) = &**found else { continue };
            let part = |(number, course): (usize, &Vec<(u32, f64)>)| {
                let end = course.last().map_or(1.0, |one| one.1);
                let points = course.iter().map(|&(stage, aim)| (f64::from(stage), aim / end));
                (format!("{}, replication {number}", values.filled(name)), points.collect())
            };
            let parts = found.courses.iter().enumerate().map(part).collect();
            curves.push(Curve::mean(values.filled(name), parts));
        }
        let points =
            curves.iter().flat_map(|curve: &Curve| curve.parts.iter().flat_map(|one| &one.1));
        let (least, most) = points
            .fold((1.0, 1.0), |(low, high): (f64, f64), one| (low.min(one.1), high.max(one.1)));
        self.bench.draw(Picture {
            name: &drawing.name,
            title: drawing.title.clone(),
            caption: "thin: games of the first replications; thick: their mean".to_owned(),
            axes: ["stage", "makespan, or cost, relative to the last stage"],
            scale: Scale::Linear((10.0 * least).floor() / 10.0, (10.0 * most).ceil() / 10.0),
            curves,
            paper: Vec::new(),
        });
    }

    /// Draws the figures of a table over a column: means, with bars of one standard deviation, and what
    /// the paper prints.
    pub fn chart(
        &self,
        table: &'static Table,
        [column, x, y]: &'static [String; 3],
        cells: &[Vec<Cell>],
        plays: &Plays,
    ) -> Result<(), StudyError> {
        let drawing = table.draw.as_ref().expect("it is drawn");
        let (mut curves, mut paper) = (Vec::new(), Vec::new());
        for line in table.lines.iter().filter(|line| line.curve.is_some()) {
            let mut curve = Curve::new(line.curve.as_deref().unwrap_or_default(), Vec::new());
            let mut printed = Vec::new();
            for (values, row) in Values::of(table).iter().zip(cells) {
                let at = values.column(column).and_then(|text| text.parse().ok());
                let cell = row.iter().find(|cell| std::ptr::eq(cell.line, line));
                let (Some(at), Some(cell)) = (at, cell) else { continue };
                curve.points.push((at, figure(plays, cell)?.value));
                if cell.against.is_empty() {
                    let sample = members(plays, &cell.source)?;
                    let (mean, off) = (sample.mean().value, sample.deviation().value);
                    let name = format!("{}, deviation", curve.name);
                    curve.parts.push((name, vec![(at, mean - off), (at, mean + off)]));
                }
                printed.extend(cell.printed.map(|digits| (at, digits.value)));
            }
            curves.push(curve);
            paper.extend((!printed.is_empty() && drawing.paper.is_empty()).then_some(printed));
        }
        let ends = curves.iter().flat_map(|curve: &Curve| &curve.points).map(|point| point.0);
        let (low, high) =
            ends.fold((f64::INFINITY, 0.0_f64), |(low, high), at| (low.min(at), high.max(at)));
        paper.extend(drawing.paper.iter().map(|&level| vec![(low, level), (high, level)]));
        self.bench.draw(Picture {
            name: &drawing.name,
            title: drawing.title.clone(),
            caption: "bars, if any: one standard deviation of single samples".to_owned(),
            axes: [x, y],
            scale: drawing.scale(reach(&curves, &paper)),
            curves,
            paper,
        });
        Ok(())
    }

    /// Draws the figures of a table with their intervals: a lane of each row for each line, and what the
    /// paper prints.
    pub fn dots(
        &self,
        table: &'static Table,
        [column, _, x]: &'static [String; 3],
        cells: &[Vec<Cell>],
        plays: &Plays,
    ) -> Result<(), StudyError> {
        let drawing = table.draw.as_ref().expect("it is drawn");
        let drawn: Vec<&Line> = table.lines.iter().filter(|line| line.curve.is_some()).collect();
        let mut rows = Vec::new();
        for (values, row) in Values::of(table).iter().zip(cells) {
            let mut marks = Vec::new();
            for (lane, line) in drawn.iter().enumerate() {
                let cell = row.iter().find(|cell| std::ptr::eq(cell.line, *line));
                let cell = cell.expect("each row has all lines");
                let mark = |series, Measured { value, half_width }: Measured| {
                    let (from, to, shape) =
                        (value - half_width, value + half_width, rows::Shape::Dot(value));
                    Mark { series, lane, lanes: 1, from, to, shape }
                };
                marks.push(mark(lane, figure(plays, cell)?));
                let paper = cell.printed.map(|digits| Measured::exact(digits.value));
                marks.extend(paper.map(|paper| mark(REFERENCE, paper)));
            }
            let name = values.column(column).unwrap_or_default().to_owned();
            rows.push(rows::Row { name, lanes: drawn.len(), marks });
        }
        let ends =
            rows.iter().flat_map(|row| row.marks.iter().flat_map(|mark| [mark.from, mark.to]));
        let ends = ends.filter(|end| end.is_finite() && *end > 0.0);
        let (least, most) =
            ends.fold((0.8, 1.0), |(low, high): (f64, f64), end| (low.min(end), high.max(end)));
        let rows = Rows {
            title: drawing.title.clone(),
            subtitle: "means with 95% intervals; black: as printed in the paper".to_owned(),
            x: x.clone(),
            scale: Scale::Log(0.97 * least, 1.05 * most),
            rows,
            series: drawn.iter().filter_map(|line| line.curve.clone()).collect(),
        };
        self.bench.draw(crate::picture::Drawing::Rows(&drawing.name, rows));
        Ok(())
    }
}
