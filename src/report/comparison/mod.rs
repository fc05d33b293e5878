//! The report of a comparison: how every figure of a run differs from that of the base, and what
//! that says.

pub(super) mod words;

use schemars::JsonSchema;
use serde::Serialize;

use super::figures::Part;
use super::json::Manifest;
use super::prose::Prose;
use super::table::{Cell, Column, Format, Table};
use super::world::{Common, Report};
use findings::Findings;
use findings::compared::Compared;
use findings::contrast::{Contrast, Verdict};
use findings::known::Known;
use findings::unit;
use scenario::plan::Plan;
use stats::shown::counted;

/// The part of `summary.json` that only comparisons have.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Summary {
    /// Every difference, with the columns of `comparison.csv`.
    pub comparison: Table,
}

/// One of the runs that are compared.
pub struct ArmReport<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its plan.
    pub plan: &'a Plan,
    /// Its own report.
    pub report: Box<dyn Report + 'a>,
}

/// The columns of `comparison.csv`.
pub(super) fn columns() -> impl Iterator<Item = Column> {
    let text = ["run", "base_run", "unit", "measure"].map(Column::text);
    let figures = [
        "figure",
        "base",
        "difference",
        "low",
        "high",
        "relative",
        "relative_low",
        "relative_high",
    ];
    let rest = [
        Column::text("method"),
        Column::figure("pairs"),
        Column::figure("p"),
        Column::figure("p_holm"),
        Column::figure("saved"),
        Column::text("verdict"),
    ];
    text.into_iter().chain(figures.map(Column::figure)).chain(rest)
}

/// A line of `comparison.csv`; the names are those of the runs, the base first.
pub(super) fn row(names: &[String], one: &Contrast) -> Vec<Cell> {
    let tested = one.tested;
    let relative = tested.and_then(|tested| tested.relative);
    vec![
        names[one.arm].as_str().into(),
        names[0].as_str().into(),
        one.unit.as_str().into(),
        one.measure.name.into(),
        one.other.into(),
        one.base.into(),
        one.difference().into(),
        tested.map(|tested| tested.difference.low).into(),
        tested.map(|tested| tested.difference.high).into(),
        one.relative().into(),
        relative.map(|relative| relative.low).into(),
        relative.map(|relative| relative.high).into(),
        tested.map_or("none", |tested| tested.method).into(),
        tested.map(|tested| tested.pairs).into(),
        tested.map(|tested| tested.p).into(),
        tested.and_then(|tested| tested.p_holm).into(),
        tested.and_then(|tested| tested.saved).into(),
        one.verdict.name().into(),
    ]
}

/// Results of several runs, with all differences.
struct Sides<'a, F> {
    found: &'a Compared<F>,
    contrasts: Vec<Contrast>,
}

impl<'a, F: Findings> Sides<'a, F> {
    fn new(found: &'a Compared<F>) -> Sides<'a, F> {
        Sides { found, contrasts: found.contrasts() }
    }

    /// True if there are no pairs, so that nothing has an interval.
    fn is_bare(&self) -> bool {
        self.contrasts.iter().all(|one| one.verdict == Verdict::NoPairs)
    }

    /// The judged differences of all organizations together.
    fn of_all(&self) -> impl Iterator<Item = &Contrast> {
        let judged = |one: &&Contrast| self.found.judged.contains(&one.measure);
        self.contrasts.iter().filter(judged).filter(|one| one.unit == unit::ALL)
    }

    /// For people: the judged figures of all together, a line for each run.
    fn brief(&self) -> Table {
        let level = self.found.sample().level();
        let draws = match self.contrasts.iter().any(|one| one.has_other_jobs) {
            true => "on other jobs",
            false => "on the same draws",
        };
        let legend = format!(
            "change: relative to `{}`, {draws}; ±: half-width of its {level} confidence \
             interval",
            self.found.names[0]
        );
        let mut table = Table::new(
            "comparison",
            [
                Column::text("measure"),
                Column::text("run"),
                Column::figure("figure"),
                Column::figure("change").note(legend),
                Column::margin("half_width"),
                Column::text("verdict").rank(1),
            ],
        );
        let measures = self.found.judged.iter().copied();
        for measure in measures {
            let of = |arm: usize| {
                let found = |one: &&Contrast| one.arm == arm && one.measure == measure;
                self.of_all().find(found)
            };
            for (at, run) in self.found.names.iter().enumerate() {
                let Some(one) = of(at.max(1)) else { continue };
                let (figure, rest) = match at {
                    0 => (one.base, [Cell::Missing, Cell::Missing, "base".into()]),
                    _ => {
                        let [change, margin] = words::cells(one);
                        (one.other, [change, margin, words::verdict(one.verdict).into()])
                    }
                };
                let name = if at == 0 { measure.words() } else { String::new() };
                let cells = [name.into(), run.as_str().into(), Cell::Number(figure)];
                table.row(cells.into_iter().chain(rest));
            }
        }
        table
    }

    /// For programs: every difference.
    fn whole(&self) -> Table {
        let mut table = Table::new("comparison", columns());
        self.contrasts.iter().for_each(|one| table.row(row(&self.found.names, one)));
        table
    }

    fn table(&self, format: Format) -> Table {
        if format.is_for_people() { self.brief() } else { self.whole() }
    }

    /// The verdicts in sentences.
    fn statements(&self) -> Vec<String> {
        let Sides { found, contrasts } = self;
        let mut lines = Vec::new();
        for (at, run) in found.names.iter().enumerate().skip(1) {
            let of_run: Vec<&Contrast> = contrasts.iter().filter(|one| one.arm == at).collect();
            lines.extend(words::verdicts([&found.names[0], run], &found.judged, &of_run));
        }
        lines.extend(words::saved(contrasts, &found.judged));
        lines.extend(words::power(contrasts));
        lines.extend(words::together(contrasts, found.sample().level()));
        lines
    }
}

/// The report of finished results that are compared.
pub struct Finished<'a, F>(Sides<'a, F>);

impl<'a, F: Findings> Finished<'a, F> {
    /// The report of what finished runs found.
    pub fn new(found: &'a Compared<F>) -> Finished<'a, F> {
        Finished(Sides::new(found))
    }

    /// The main table, for people or for programs.
    pub fn table(&self, format: Format) -> Table {
        self.0.table(format)
    }

    /// Warnings that a reader needs before trusting the figures.
    pub fn warnings(&self) -> Vec<String> {
        let warning = "there are no pairs of replications, so that no difference has an interval";
        let bare = self.0.is_bare().then(|| warning.to_owned());
        bare.into_iter().chain(words::skewed(&self.0.contrasts)).collect()
    }

    /// Renders the summary that a person reads.
    pub fn text(&self, width: Option<usize>) -> String {
        let Sides { found, .. } = &self.0;
        let mut out = Prose::new(width);
        let replications = u64::from(found.arms[0].sample().replications());
        let (base, others) = (&found.names[0], found.names[1..].join("; "));
        let pairs = counted(replications, "replication", "replications");
        out.line(format!("{others} against {base}, paired by replication ({pairs})"));
        let statements = self.0.statements();
        out.table(&self.0.table(Format::Text), None, &statements);
        statements.iter().for_each(|line| out.line(line));
        self.warnings().iter().for_each(|line| out.line(format!("warning: {line}")));
        out.done()
    }
}

/// The report of a comparison.
pub struct ComparisonReport<'a, F> {
    joint: &'a Plan,
    arms: Vec<ArmReport<'a>>,
    sides: Sides<'a, F>,
}

impl<'a, F: Findings> ComparisonReport<'a, F> {
    /// The report of what several runs found.
    pub fn new(
        joint: &'a Plan,
        arms: Vec<ArmReport<'a>>,
        found: &'a Compared<F>,
    ) -> ComparisonReport<'a, F> {
        ComparisonReport { joint, arms, sides: Sides::new(found) }
    }

    /// The precision reached for the differences, if one was asked for.
    fn known(&self) -> Option<Known> {
        let known = self.sides.found.sample().known.clone();
        known.map(|known| known.about("difference in"))
    }
}

impl<F: Findings> Report for ComparisonReport<'_, F> {
    fn findings(&self) -> &dyn Findings {
        self.sides.found
    }

    fn world(&self) -> &'static str {
        "comparison"
    }

    fn noun(&self) -> (&'static str, &'static str) {
        self.joint.noun()
    }

    fn head(&self) -> Vec<String> {
        let of = |arm: &ArmReport<'_>| match arm.plan.changes.is_empty() {
            true => arm.name.to_owned(),
            false => format!("{} ({})", arm.name, arm.plan.changes.join(", ")),
        };
        let runs: Vec<String> = self.arms[1..].iter().map(of).collect();
        let draws = match self.sides.contrasts.iter().any(|one| one.has_other_jobs) {
            true => "on other jobs",
            false => "on the same draws",
        };
        vec![format!("{} against {}, {draws}", runs.join("; "), of(&self.arms[0]))]
    }

    fn table(&self, format: Format) -> Table {
        self.sides.table(format)
    }

    fn statements(&self) -> Vec<String> {
        let mut lines = self.sides.statements();
        lines.extend(self.known().as_ref().map(Known::line));
        lines
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings: Vec<String> = Vec::new();
        if self.sides.is_bare() {
            let replications = self.sides.found.sample().replications();
            let has_other_jobs = self.sides.contrasts.iter().any(|one| one.has_other_jobs);
            warnings.push(match has_other_jobs {
                true => words::other_jobs(),
                false => words::no_pairs(self.joint, replications),
            });
        }
        warnings.extend(words::skewed(&self.sides.contrasts));
        warnings.extend(self.known().as_ref().and_then(Known::warning));
        for arm in &self.arms {
            let own = arm.report.doubts();
            warnings.extend(own.iter().map(|warning| format!("{}: {warning}", arm.name)));
        }
        warnings
    }

    fn parts(&self) -> (Vec<String>, Vec<Part<'_>>) {
        let parts = self
            .arms
            .iter()
            .map(|arm| Part { lead: vec![arm.name.to_owned()], findings: arm.report.findings() });
        (vec!["run".to_owned()], parts.collect())
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        vec![("comparison.csv", self.sides.whole().render(Format::Csv, None).into_bytes())]
    }

    fn summary(&self, common: Common<'_>) -> Vec<u8> {
        common.with(Summary { comparison: self.sides.whole() })
    }

    fn describe(&self, manifest: &mut Manifest) {
        let arms = self.arms.iter().map(|arm| super::json::RunEntry {
            name: arm.name.to_owned(),
            scenario: arm.plan.name.clone(),
            changes: arm.plan.changes.clone(),
            scenario_digest: arm.plan.digest.clone(),
        });
        manifest.runs = arms.collect();
    }
}

#[cfg(test)]
mod tests;
