//! The report of a parameter study: a line for each point, and what follows from all of them.

mod compared;
pub mod picture;

use schemars::JsonSchema;
use serde::Serialize;

use super::figures::{self, Part};
use super::json::{Manifest, RunEntry};
use super::margin;
use super::table::{Cell, Column, Format, Table};
use super::world::{Common, Report};
use crate::findings::Findings;
use crate::findings::swept::Swept;
use crate::scenario::plan::Plan;
use crate::scenario::sweep::{Study, Value};
use crate::stats::shown::{count, counted};

use compared::Compared;
use picture::Spot;

/// The part of `summary.json` that only sweeps have.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Summary {
    /// The points, with the columns of `points.csv`.
    pub points: Table,
    /// Every difference, with the columns of `comparison.csv`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Table>,
}

/// Most points in the table for people.
const SHOWN: usize = 60;

/// The report of a parameter study.
pub struct SweepReport<'a> {
    joint: &'a Plan,
    study: &'a Study,
    swept: &'a Swept,
    compared: Option<Compared>,
}

impl<'a> SweepReport<'a> {
    /// The report of what a study found.
    pub fn new(joint: &'a Plan, study: &'a Study, swept: &'a Swept) -> SweepReport<'a> {
        let is_whole = swept.points.len() == study.plans.len();
        let compared = study.design.compared.filter(|_| is_whole);
        let compared = compared.map(|key| Compared::new(study, swept, key, joint.seed));
        SweepReport { joint, study, swept, compared }
    }

    /// The leading columns of a point: its number, then its values.
    fn lead(&self, point: usize) -> Vec<String> {
        let values = self.study.design.points[point].iter();
        std::iter::once(point.to_string())
            .chain(values.map(|value| value.shown().to_owned()))
            .collect()
    }

    fn lead_names(&self) -> Vec<String> {
        let keys = self.study.design.keys.iter().map(|key| key.name.clone());
        std::iter::once("point".to_owned()).chain(keys).collect()
    }

    fn lead_columns(&self) -> Vec<Column> {
        let keys = self.study.design.keys.iter().enumerate();
        let is_figure = |at: usize| {
            self.study.design.points.iter().all(|point| point[at].as_number().is_some())
        };
        let keys = keys.map(|(at, key)| match is_figure(at) {
            true => Column::figure(key.name.clone()),
            false => Column::text(key.name.clone()),
        });
        std::iter::once(Column::figure("point")).chain(keys).collect()
    }

    fn lead_cells(&self, point: usize) -> Vec<Cell> {
        let values = self.study.design.points[point].iter();
        let cell = |value: &Value| match value.as_number() {
            Some(number) if number.fract() == 0.0 && number.abs() < 9e15 && number >= 0.0 => {
                Cell::Count(number as u64)
            }
            Some(number) => Cell::Number(number),
            None => value.shown().into(),
        };
        std::iter::once((point as u64).into()).chain(values.map(cell)).collect()
    }

    /// `points.csv`.
    fn points(&self) -> Table {
        let rest = [Column::figure("replications"), Column::text("scenario_digest")];
        let mut table = Table::new("points", self.lead_columns().into_iter().chain(rest));
        for (at, plan) in self.study.plans.iter().enumerate() {
            let rest = [u64::from(plan.replications).into(), plan.digest.as_str().into()];
            table.row(self.lead_cells(at).into_iter().chain(rest));
        }
        table
    }

    /// For people: a line for each point, with the measure that is shown.
    fn brief(&self) -> Table {
        let measure = self.study.shown;
        let level = self.swept.sample().level();
        let legend = margin::legend(level, "figures.csv has all measures");
        let keys = self.lead_columns().into_iter().skip(1);
        let columns = keys.chain([
            Column::figure(measure.name).called(measure.words()),
            Column::margin("half_width").note(legend),
        ]);
        let columns: Vec<Column> = match &self.compared {
            None => columns.collect(),
            Some(compared) => columns.chain(compared.brief_columns(level)).collect(),
        };
        let mut table = Table::new("sweep", columns);
        for (at, point) in self.swept.points.iter().enumerate().take(SHOWN) {
            let figure = point.figure(measure);
            let mean = figure.and_then(|figure| figure.mean);
            let [_, _, half_width] = margin::cells(mean, figure.and_then(|one| one.interval));
            let mut cells: Vec<Cell> = self.lead_cells(at).into_iter().skip(1).collect();
            cells.extend([mean.into(), half_width]);
            if let Some(compared) = &self.compared {
                cells.extend(compared.brief_cells(at, measure));
            }
            table.row(cells);
        }
        let left = self.swept.points.len().saturating_sub(SHOWN);
        if left > 0 {
            table.note(format!(
                "{} are not shown; figures.csv has all",
                counted(left as u64, "more point", "more points")
            ));
        }
        table
    }

    /// For programs: every figure of every point.
    fn whole(&self) -> Table {
        let text = [Column::text("unit"), Column::text("measure"), Column::figure("mean")];
        let rest = [
            Column::figure("low"),
            Column::figure("high"),
            Column::text("method"),
            Column::figure("n"),
        ];
        let columns = self.lead_columns().into_iter().chain(text).chain(rest);
        let mut table = Table::new("figures", columns);
        for (at, point) in self.swept.points.iter().enumerate() {
            for unit in 0..point.sample().units().len() {
                for row in figures::rows_of(point, unit) {
                    let cells: [Cell; 7] = [
                        row.unit.into(),
                        row.measure.into(),
                        row.mean.into(),
                        row.low.into(),
                        row.high.into(),
                        row.method.into(),
                        row.n.into(),
                    ];
                    table.row(self.lead_cells(at).into_iter().chain(cells));
                }
            }
        }
        table
    }

    /// The figures that the default picture shows.
    fn spots(&self) -> Vec<Spot> {
        let points = self.swept.points.iter().enumerate();
        let spot = |(at, point): (usize, &crate::findings::swept::AtPoint)| {
            let figure = point.figure(self.study.shown)?;
            let values = &self.study.design.points[at];
            Some(Spot {
                values: values.iter().map(|value| value.shown().to_owned()).collect(),
                mean: figure.mean?,
                interval: figure.interval,
            })
        };
        points.filter_map(spot).collect()
    }
}

impl Report for SweepReport<'_> {
    fn findings(&self) -> &dyn Findings {
        self.swept
    }

    fn world(&self) -> &'static str {
        "sweep"
    }

    fn head(&self) -> Vec<String> {
        let keys: Vec<&str> = self.study.design.keys.iter().map(|key| &*key.name).collect();
        let points = counted(self.study.plans.len() as u64, "point", "points");
        vec![format!("{points} over {}", keys.join(", "))]
    }

    fn table(&self, format: Format) -> Table {
        if format.is_for_people() { self.brief() } else { self.whole() }
    }

    fn statements(&self) -> Vec<String> {
        self.compared.iter().flat_map(|compared| compared.statements(self.study)).collect()
    }

    /// The same warning of several points is told once, with their number.
    fn warnings(&self) -> Vec<String> {
        let mut told: Vec<(&str, Vec<usize>)> = Vec::new();
        for (at, point) in self.swept.points.iter().enumerate() {
            for doubt in &point.doubts {
                match told.iter_mut().find(|(known, _)| known == doubt) {
                    Some((_, points)) => points.push(at),
                    None => told.push((doubt, vec![at])),
                }
            }
        }
        let all = self.swept.points.len();
        let mut lines: Vec<String> = told
            .iter()
            .take(MOST_WARNINGS)
            .map(|(doubt, points)| match &points[..] {
                _ if points.len() == all => (*doubt).to_owned(),
                [one] => format!("{}: {doubt}", self.study.design.told(*one)),
                [first, rest @ ..] => {
                    let (first, more) = (self.study.design.told(*first), count(rest.len() as u64));
                    format!("{first} and {more} more: {doubt}")
                }
                [] => String::new(),
            })
            .collect();
        if told.len() > MOST_WARNINGS {
            let left = (told.len() - MOST_WARNINGS) as u64;
            lines.push(counted(
                left,
                "more warning of other points",
                "more warnings of other points",
            ));
        }
        lines
    }

    fn parts(&self) -> (Vec<String>, Vec<Part<'_>>) {
        let points = self.swept.points.iter().enumerate();
        let parts = points.map(|(at, findings)| Part { lead: self.lead(at), findings });
        (self.lead_names(), parts.collect())
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let csv = |table: Table| table.render(Format::Csv, None).into_bytes();
        let mut files = vec![("points.csv", csv(self.points()))];
        if let Some(compared) = &self.compared {
            files.push(("comparison.csv", csv(compared.table(self))));
        }
        let keys: Vec<String> = self.study.design.keys.iter().map(|key| key.name.clone()).collect();
        let level = self.swept.sample().level();
        let chosen = picture::Chosen::default();
        if let Ok(svg) = picture::draw(
            &self.joint.title(),
            (&keys, self.study.shown.name, level),
            &self.spots(),
            &chosen,
        ) {
            files.push(("sweep.svg", svg));
        }
        files
    }

    fn summary(&self, common: Common<'_>) -> Vec<u8> {
        let comparison = self.compared.as_ref().map(|compared| compared.table(self));
        common.with(Summary { points: self.points(), comparison })
    }

    fn describe(&self, manifest: &mut Manifest) {
        let plans = self.study.plans.iter().enumerate();
        let entry = |(at, plan): (usize, &Plan)| RunEntry {
            name: format!("point {at}"),
            scenario: plan.name.clone(),
            changes: plan.changes.clone(),
            scenario_digest: plan.digest.clone(),
        };
        manifest.runs = plans.map(entry).collect();
    }
}

/// Most different warnings that are told.
const MOST_WARNINGS: usize = 10;
