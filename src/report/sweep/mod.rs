//! The report of a parameter study: a line for each point, and what follows from all of them.

mod compared;
pub mod entry;
mod learners;
mod membership;
pub mod picture;
mod sampled;
pub(crate) mod sensitivity;

use schemars::JsonSchema;
use serde::Serialize;

use self::entry::{KeyEntry, KeyKind, SweepEntry};
use crate::comparison::RunEntry;
use crate::files::Manifest;
use crate::files::figures::{self, Part};
use crate::picture::Picture;
use crate::table::margin;
use crate::table::{Brief, Cell, Column, ColumnOf, Format, Order, Table, columns};
use crate::words::imports::imports;
use crate::words::warnings::once;
use crate::world::{Common, Report};
use findings::Findings;
use findings::swept::{AtPoint, Swept};
use findings::unit;
use scenario::plan::Plan;
use scenario::sweep::{Key, Study, Value};
use stats::shown::{Times, counted};

pub use compared::Compared;
use learners::Learners;
use membership::Joining;
use membership::several::Several;
use picture::Spot;
use sampled::ByOrders;
use sensitivity::Sensitivity;

/// The part of `summary.json` that only sweeps have.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Summary {
    /// The points, with the columns of `points.csv`.
    pub points: Table,
    /// Every difference, with the columns of `comparison.csv`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Table>,
    /// Sobol indices, with the columns of `sensitivity.csv`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<Table>,
    /// The game of joining a coalition or the tournament of learners, with the columns of `lab.csv`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lab: Option<Table>,
}

/// Most points in the table of a page.
const SHOWN: usize = 60;

/// The report of a parameter study.
pub struct SweepReport<'a> {
    joint: &'a Plan,
    study: &'a Study,
    swept: &'a Swept,
    compared: Option<&'a Compared>,
    lab: Option<&'a dyn Lab>,
}

/// A game that a study measured.
pub trait Lab: Send + Sync {
    /// True if nobody meets another at a point.
    fn is_alone(&self, _point: usize) -> bool {
        false
    }
    /// Columns beside those of a point.
    fn columns<'a>(&'a self) -> Vec<ColumnOf<'a, (usize, &'a AtPoint)>>;
    /// Sentences on what follows.
    fn statements(&self) -> Vec<String>;
    /// Every figure, in the lines of a solver.
    fn table(&self) -> Table;
    /// `lab.csv`, and the game as Gambit and `gridpact game` read it.
    fn files(&self, title: &str) -> Vec<(&'static str, Vec<u8>)>;
    /// `gains.svg`.
    fn picture(&self, title: &str) -> Option<Picture>;
    /// A table for people in place of the points, and what a row is about.
    fn in_place(&self) -> Option<(Table, [&'static str; 2])> {
        None
    }
    /// The largest half-width of an interval by orders of joining; infinite if one is not known.
    fn error_by_orders(&self) -> Option<f64> {
        None
    }
    /// The replications or rounds that would tell which coalitions are equilibria, or who invades whom:
    /// `None` if all is told, `Some(None)` if it is too near to nothing to say.
    fn undecided(&self) -> Option<Option<u64>> {
        None
    }
    /// False if it says by itself how points differ.
    fn compares(&self) -> bool {
        true
    }
}

/// True if a study varies who takes part, or who lies.
pub fn is_lab(study: &Study) -> bool {
    membership::deed(study).is_some()
}

/// The game that a finished study measured, if it is one of those of [`Lab`].
pub fn lab(study: &Study, swept: &Swept) -> Option<Box<dyn Lab>> {
    let joining = Joining::of(study, swept).map(|one| Box::new(one) as Box<dyn Lab>);
    let by_orders = || ByOrders::of(study, swept).map(|one| Box::new(one) as Box<dyn Lab>);
    let several = || Several::of(study, swept).map(|one| Box::new(one) as Box<dyn Lab>);
    joining
        .or_else(by_orders)
        .or_else(several)
        .or_else(|| Some(Box::new(Learners::of(study, swept)?)))
}

/// The columns of `points.csv` behind the point and its values.
pub(crate) fn columns<'a>() -> Vec<ColumnOf<'a, &'a Plan>> {
    columns![|plan: &&'a Plan|
        Column::count("replications").told("replications of the point") => plan.replications,
        Column::text("scenario_digest").told("digest of its scenario, as a run with the same settings has it")
            => plan.digest.as_str(),
    ]
}

impl<'a> SweepReport<'a> {
    /// The report of what a study found; `compared` and `lab` are what follows from it.
    pub fn new(
        joint: &'a Plan,
        study: &'a Study,
        swept: &'a Swept,
        compared: Option<&'a Compared>,
        lab: Option<&'a dyn Lab>,
    ) -> SweepReport<'a> {
        let compared = compared.filter(|_| lab.is_none_or(|lab| lab.compares()));
        SweepReport { joint, study, swept, compared, lab }
    }

    /// The measure that is shown, and the unit if it is not all together.
    fn shown(&self) -> String {
        let measure = self.study.shown.words();
        match self.study.design.unit.as_str() {
            unit::ALL => measure,
            unit => format!("{measure} of {unit}"),
        }
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
        std::iter::once(Column::count("point")).chain(keys).collect()
    }

    /// Columns with the number of a point and its values, before those of a row.
    fn after_lead<'b, R: 'b>(
        &'b self,
        columns: impl IntoIterator<Item = ColumnOf<'b, R>>,
    ) -> impl Iterator<Item = ColumnOf<'b, (usize, R)>> {
        let cell = |value: &Value| match value.as_number() {
            Some(number) if number.fract() == 0.0 && number.abs() < 9e15 && number >= 0.0 => {
                Cell::Count(number as u64)
            }
            Some(number) => Cell::Number(number),
            None => value.shown().into(),
        };
        let cells = move |&(point, _): &(usize, R)| {
            let values = self.study.design.points[point].iter().map(cell);
            std::iter::once(point.into()).chain(values).collect()
        };
        let lead = ColumnOf::several(self.lead_columns(), cells);
        std::iter::once(lead).chain(columns.into_iter().map(|one| one.within(|(_, row)| row)))
    }

    /// `points.csv`.
    fn points(&self) -> Table {
        Table::by_columns("points", self.study.plans.iter().enumerate(), self.after_lead(columns()))
    }

    /// For people: a line for each point, with the measure that is shown; in text as many as a page shows.
    fn points_told(&self, format: Format) -> Table {
        let measure = self.study.shown;
        let level = self.swept.sample().level();
        let legend = margin::legend(level, "figures.csv has all measures");
        let design = &self.study.design;
        // What follows from other keys need not be read.
        let told = (0..design.keys.len()).filter(|&key| !design.keys[key].is_computed);
        let all = self.lead_columns();
        let key = |key: usize| {
            let column = all[key + 1].clone().called(design.short(key));
            column.of(move |&(at, _): &(usize, &AtPoint)| design.points[at][key].shown().into())
        };
        let mut columns: Vec<_> = told.map(key).collect();
        let figure = Column::figure(measure.name).called(self.shown()).unit(measure.unit);
        let figure = figure.with_interval(Some(&legend));
        columns.push(figure.of(move |(_, point): &(usize, &AtPoint)| {
            let figure = point.figure(&design.unit, measure);
            (figure.and_then(|one| one.mean), figure.and_then(|one| one.interval)).into()
        }));
        if let Some(compared) = self.compared {
            let cells = |&(at, _): &(usize, &AtPoint)| compared.brief_cells(self.study, at).into();
            columns.push(ColumnOf::several(compared.brief_columns(level).into(), cells));
        }
        let most = if format == Format::Text { SHOWN } else { usize::MAX };
        columns.extend(self.lab.into_iter().flat_map(|one| one.columns()));
        let points = self.swept.points.iter().enumerate().take(most);
        let mut table = Table::by_columns("sweep", points, columns);
        let left = self.swept.points.len().saturating_sub(most);
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
        let rows = self.swept.points.iter().enumerate().flat_map(|(at, point)| {
            let units = 0..point.sample().units().len();
            units.flat_map(move |unit| figures::rows_of(point, unit)).map(move |row| (at, row))
        });
        Table::by_columns("figures", rows, self.after_lead(figures::columns(None)))
    }

    /// The Sobol indices of the study, if its design is one for them and all points have ended.
    fn sensitivity(&self) -> Option<Sensitivity> {
        let is_whole = self.swept.points.len() == self.study.plans.len();
        let indices = self.study.design.sobol.as_ref().filter(|_| is_whole)?;
        Some(Sensitivity::new(self.study, self.swept, indices))
    }

    /// The sweep in the manifest.
    fn entry(&self) -> SweepEntry {
        let design = &self.study.design;
        let key = |(at, key): (usize, &Key)| KeyEntry {
            name: key.name.clone(),
            short: design.short(at).to_owned(),
            kind: match () {
                () if key.is_computed => KeyKind::Computed,
                () if key.is_variable => KeyKind::Variable,
                () => KeyKind::Varied,
            },
        };
        SweepEntry {
            keys: design.keys.iter().enumerate().map(key).collect(),
            measure: self.study.shown.name.to_owned(),
            unit: design.unit.clone(),
        }
    }

    /// The figures that the default picture shows.
    fn spots(&self) -> Vec<Spot> {
        let points = self.swept.points.iter().enumerate();
        let spot = |(at, point): (usize, &AtPoint)| {
            let (unit, shown) = (&self.study.design.unit, self.study.shown);
            let figure = point.figure(unit, shown)?;
            let values = &self.study.design.points[at];
            Some(Spot {
                halves: point.halves(unit, shown),
                values: values.iter().map(|value| value.shown().to_owned()).collect(),
                mean: figure.mean?,
                interval: figure.interval,
                change: self.compared.and_then(|compared| compared.change(self.study, at)),
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

    fn noun(&self) -> (&'static str, &'static str) {
        self.joint.noun()
    }

    fn head(&self, _: Times) -> Vec<String> {
        let design = &self.study.design;
        let keys = (0..design.keys.len()).filter(|&key| !design.keys[key].is_computed);
        let keys: Vec<&str> = keys.map(|key| design.short(key)).collect();
        let points = counted(self.study.plans.len() as u64, "point", "points");
        vec![format!("{points} over {}", keys.join(", "))]
    }

    fn table(&self, format: Format) -> Table {
        match self.lab.and_then(Lab::in_place) {
            _ if !format.is_for_people() => self.whole(),
            Some((table, _)) => table,
            None => self.points_told(format),
        }
    }

    fn brief(&self) -> Brief {
        let table = self.table(Format::Markdown);
        let things = vec![1; table.len()];
        let rows = self.lab.and_then(Lab::in_place).map_or(["point", "points"], |(_, rows)| rows);
        Brief::new(table, rows, things, 0).in_order(Order::Spread)
    }

    fn statements(&self, _: Times) -> Vec<String> {
        let compared = self.compared.iter().flat_map(|compared| compared.statements(self.study));
        let mut lines: Vec<String> = compared.collect();
        lines.extend(self.sensitivity().iter().flat_map(Sensitivity::statements));
        lines.extend(self.lab.into_iter().flat_map(|one| one.statements()));
        let design = &self.study.design;
        if design.is_drawn && design.sobol.is_none() {
            lines.push(
                "no Sobol indices: they need points that differ in one key alone, which `[sweep.sobol]` \
                 draws"
                    .to_owned(),
            );
        }
        lines
    }

    /// A warning of several points is told once, with the figures of the first and their number.
    fn warnings(&self) -> Vec<String> {
        let all = self.swept.points.len();
        let line = |(doubt, points): &(&String, Vec<usize>)| {
            let first = self.study.design.told(points[0]);
            match points.len() - 1 {
                _ if all == 1 => (*doubt).clone(),
                0 => format!("{first}: {doubt}"),
                more => {
                    let more = counted(more as u64, "other point", "other points");
                    format!("{first}, and {more} of {all} alike: {doubt}")
                }
            }
        };
        let none = Vec::new();
        let of = |at: usize| {
            // A coalition of one moves nothing, as it should.
            let is_alone = self.lab.is_some_and(|one| one.is_alone(at));
            if is_alone { &none } else { &self.swept.points[at].warnings }
        };
        once((0..all).map(of)).iter().map(line).collect()
    }

    /// Other points may import other jobs of the same traces.
    fn imports(&self, plan: &Plan) -> Vec<String> {
        let lines = imports(plan);
        let head = format!("jobs at the first point ({}):", self.study.design.told(0));
        let head = (!lines.is_empty()).then_some(head);
        head.into_iter().chain(lines).collect()
    }

    fn parts(&self) -> (Vec<String>, Vec<Part<'_>>) {
        let points = self.swept.points.iter().enumerate();
        let parts = points.map(|(at, findings)| Part { lead: self.lead(at), findings });
        (self.lead_names(), parts.collect())
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let mut files = vec![("points.csv", self.points().csv())];
        if let Some(compared) = self.compared {
            files.push(("comparison.csv", compared.table(self).csv()));
        }
        if let Some(sensitivity) = self.sensitivity() {
            files.push(("sensitivity.csv", sensitivity.table(self).csv()));
        }
        files.extend(self.lab.into_iter().flat_map(|one| one.files(&self.joint.title())));
        files
    }

    fn pictures(&self) -> Vec<(&'static str, Picture)> {
        let subject = picture::Subject {
            title: &self.joint.title(),
            keys: &self.entry().keys,
            measure: &self.shown(),
            unit: picture::unit_of(self.study.shown.unit, self.joint.counts_seconds()),
            level: self.swept.sample().level(),
        };
        let drawn = picture::draw(&subject, &self.spots(), &picture::Chosen::default());
        let gains = self.lab.and_then(|one| one.picture(&self.joint.title()));
        let gains = gains.map(|picture| ("gains", picture));
        gains.into_iter().chain(drawn.into_iter().map(|picture| ("sweep", picture))).collect()
    }

    fn summary(&self, common: Common<'_>) -> Vec<u8> {
        let comparison = self.compared.map(|compared| compared.table(self));
        let sensitivity = self.sensitivity().map(|found| found.table(self));
        let lab = self.lab.map(|one| one.table());
        common.with(Summary { points: self.points(), comparison, sensitivity, lab })
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
        manifest.sweep = Some(self.entry());
    }
}
