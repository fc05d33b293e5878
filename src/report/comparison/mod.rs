//! The report of a comparison: how every figure of a run differs from that of the base, and what
//! that says.

pub mod draws;
mod picture;
pub(super) mod words;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::draws::{Draws, Inputs};
use crate::files::Manifest;
use crate::files::figures::Part;
use crate::grid::offered;
use crate::picture::Picture;
use crate::table::{Brief, Cell, Column, ColumnOf, Format, Order, Table, columns};
use crate::words::screen::{Screen, View};
use crate::words::sharing::listed;
use crate::words::warnings::once;
use crate::world::{Common, Report};
use findings::Findings;
use findings::compared::Compared;
use findings::contrast::{Contrast, Tested, Verdict};
use findings::known::Known;
use findings::measure::Unit;
use findings::unit;
use scenario::plan::Plan;
use stats::shown::{Times, counted};

/// The part of `summary.json` that only comparisons have.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Summary {
    /// Every difference, with the columns of `comparison.csv`.
    pub comparison: Table,
}

/// A run of a comparison, or a point of a sweep, in the manifest.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunEntry {
    /// Its name in the files.
    pub name: String,
    /// Name of its scenario.
    pub scenario: String,
    /// Overrides, as `key=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// BLAKE3 digest of its scenario.
    pub scenario_digest: String,
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

/// The columns of `comparison.csv`, for differences with the names of the runs, the base first.
pub(super) fn columns<'a>() -> Vec<ColumnOf<'a, (&'a [String], &'a Contrast)>> {
    columns![|(names, one): &(&[String], &Contrast)|
        Column::text("run").told("the run") => &*names[one.arm],
        Column::text("base_run").told("the base that it is compared with") => &*names[0],
        Column::text("unit").told("an organization or a player, a class, or `*`") => &*one.unit,
        Column::text("measure").told("name of the measure") => one.measure.name,
        Column::figure("figure").told("figure of the run") => one.other,
        Column::figure("base").told("figure of the base") => one.base,
        Column::figure("difference").told("figure less base").with_interval(None).with_ends(["low", "high"])
            => (Some(one.difference()), one.tested.map(|tested| tested.difference)),
        Column::figure("relative").told("figure / base - 1, as a share; its ends are by the same test; empty unless both figures are above 0").with_interval(None) => (
            one.relative(), one.tested.and_then(|tested| tested.relative),
        ),
        Column::text("method").told("`pairs`: Student's t over pairs of replications; `independent`: the same without a common draw; `bootstrap`: where the differences are too skewed for it; `too_few`: fewer than 20 of these, and no interval; `weeks`: pairs of weeks of given jobs; or `none`") => one.tested.map_or("none", |tested| tested.method.name()),
        Column::count("pairs").told("number of pairs: replications or, for quantiles, groups of them; or weeks") => one.tested.map(|tested| tested.pairs),
        Column::figure("p").told("probability of a difference so large if there were none") => one.tested.map(|tested| tested.p),
        Column::figure("p_holm").told("the same, corrected for the number of judged differences; empty for those that are not judged") => one.tested.and_then(|tested| tested.p_holm),
        Column::figure("saved").told("how many times the variance of the difference would be larger with draws of its own for each run") => one.tested.and_then(|tested| tested.saved),
        Column::text("verdict").told("`better`, `worse`, `higher`, `lower`, `alike`, `same`, `cannot_tell` or `no_pairs`; of a measure that is not judged it holds for itself alone")
            => one.verdict.name(),
    ]
}

/// Results of several runs, with all differences.
struct Sides<'a, F> {
    found: &'a Compared<F>,
    contrasts: Vec<Contrast>,
    /// Inputs that each run but the base shares with it.
    draws: Vec<Draws>,
}

impl<'a, F: Findings> Sides<'a, F> {
    fn new(found: &'a Compared<F>, mut draws: Vec<Draws>) -> Sides<'a, F> {
        let mut contrasts = found.contrasts();
        draws::told(&mut contrasts, &mut draws);
        Sides { found, contrasts, draws }
    }

    /// The runs in words, and how they are paired.
    fn head(&self, runs: Vec<String>, words: impl Fn(Draws) -> &'static str) -> String {
        let (base, others) = runs.split_first().expect("there is a base");
        let is_one = self.draws.iter().all(|one| one == &self.draws[0]);
        let told = others.iter().zip(&self.draws).map(|(run, &draws)| match is_one {
            true => run.clone(),
            false => format!("{run} {}", words(draws)),
        });
        let told = told.collect::<Vec<_>>().join("; ");
        let all = if is_one { format!(", {}", words(self.draws[0])) } else { String::new() };
        format!("{told} against {base}{all}")
    }

    /// True if there are no pairs, so that nothing has an interval.
    fn is_bare(&self) -> bool {
        self.contrasts.iter().all(|one| one.verdict == Verdict::NoPairs)
    }

    /// True if weeks have other jobs, so that they are no pairs.
    fn has_other_jobs(&self) -> bool {
        self.contrasts.iter().any(|one| one.has_other_jobs)
    }

    /// The judged differences of all organizations together.
    fn of_all(&self) -> impl Iterator<Item = &Contrast> {
        let judged = |one: &&Contrast| self.found.judged.contains(&one.measure);
        self.contrasts.iter().filter(judged).filter(|one| one.unit == unit::ALL)
    }

    /// For people: the judged figures of all together, a line for each run.
    fn brief(&self) -> Table {
        let level = self.found.sample().level();
        let legend = format!("change: relative to `{}`", self.found.names[0]);
        let runs = &self.found.names;
        let rows = self.found.judged.iter().flat_map(|&measure| {
            let of = move |arm: usize| {
                self.of_all().find(|one| one.arm == arm && one.measure == measure)
            };
            (0..runs.len()).filter_map(move |at| Some((at, of(at.max(1))?)))
        });
        // The base stands in the row of its first difference.
        let other = |&(at, one): &(usize, &'_ Contrast)| (at > 0).then(|| words::cells(one));
        let columns = columns![|row: &(usize, &Contrast)|
            Column::text("measure") => match row.0 {
                0 => row.1.measure.words(),
                _ => String::new(),
            },
            Column::text("run") => &*runs[row.0],
            Column::figure("figure") => {
                let figure = if row.0 == 0 { row.1.base } else { row.1.other };
                if row.1.measure.unit == Unit::Time { Cell::Time(figure) } else { figure.into() }
            },
            Column::figure("change").note(legend) => other(row).map(|[change, _]| change),
            Column::figure("interval").rank(1).note(words::legend(level)) => other(row).map(|[_, ends]| ends),
            Column::text("verdict") => match row.0 {
                0 => "base",
                _ => words::verdict(row.1.verdict),
            },
        ];
        Table::by_columns("comparison", rows, columns)
    }

    /// For programs: every difference.
    fn whole(&self) -> Table {
        let rows = self.contrasts.iter().map(|one| (&self.found.names[..], one));
        Table::by_columns("comparison", rows, columns())
    }

    /// For a short summary: of each figure all runs, if there is room.
    fn first(&self) -> Brief {
        Brief::from(self.brief()).in_order(Order::First(self.found.names.len()))
    }

    fn table(&self, format: Format) -> Table {
        if format.is_for_people() { self.brief() } else { self.whole() }
    }

    /// The verdicts in sentences.
    fn statements(&self) -> Vec<String> {
        let Sides { found, contrasts, .. } = self;
        let verdicts = |(at, run): (usize, &String)| {
            let of_run: Vec<&Contrast> = contrasts.iter().filter(|one| one.arm == at).collect();
            words::verdicts([&found.names[0], run], &found.judged, &of_run)
        };
        let each: Vec<[Option<String>; 2]> =
            found.names.iter().enumerate().skip(1).map(verdicts).collect();
        let sentences = [0, 1].map(|which| each.iter().filter_map(move |two| two[which].clone()));
        let mut lines: Vec<String> = sentences.into_iter().flatten().collect();
        lines.extend(words::saved(contrasts, &found.judged));
        lines.extend(words::power(contrasts));
        lines.extend(words::untold(contrasts, &found.judged));
        lines.extend(words::together(contrasts, found.sample().level()));
        lines
    }
}

/// The report of finished results that are compared.
pub struct Finished<'a, F>(Sides<'a, F>, Times);

impl<'a, F: Findings> Finished<'a, F> {
    /// The report of what finished runs found; `inputs` is what each of them draws or is given.
    pub fn new(found: &'a Compared<F>, inputs: &[&Inputs]) -> Finished<'a, F> {
        let draws = inputs[1..].iter().map(|one| Draws::of(inputs[0], one)).collect();
        let is_clock = inputs.iter().all(|one| one.counts_seconds);
        Finished(Sides::new(found, draws), if is_clock { Times::Clock } else { Times::Units })
    }

    /// The main table, for people or for programs.
    pub fn table(&self, format: Format) -> Table {
        self.0.table(format)
    }

    /// Warnings that a reader needs before trusting the figures.
    pub fn warnings(&self) -> Vec<String> {
        let warning = match self.0.has_other_jobs() {
            true => words::other_jobs(),
            false => {
                "there are no pairs of replications or weeks, so that no difference has an interval"
                    .to_owned()
            }
        };
        let bare = self.0.is_bare().then_some(warning);
        bare.into_iter().chain(words::skewed(&self.0.contrasts)).collect()
    }

    /// Renders the summary that a person reads.
    pub fn text(&self, view: View) -> String {
        let Sides { found, contrasts, .. } = &self.0;
        let by_week = contrasts.iter().find_map(|one| one.tested.filter(Tested::is_by_week));
        let replications = u64::from(found.arms[0].sample().replications());
        let pairs = match by_week {
            Some(tested) => counted(tested.pairs, "pair of weeks", "pairs of weeks"),
            None => counted(replications, "replication", "replications"),
        };
        let how = |draws: Draws| match draws {
            Draws::Given if by_week.is_some() => "paired by week",
            Draws::Given | Draws::OtherGiven | Draws::Own => draws.words(),
            _ => "paired by replication",
        };
        let screen = Screen {
            title: format!("{} ({pairs})", self.0.head(found.names.clone(), how)),
            table: self.0.first(),
            statements: self.0.statements(),
            warnings: self.warnings(),
            head: Vec::new(),
            legend: None,
            notes: Vec::new(),
            end: Vec::new(),
        };
        screen.text(view, if view.times == Times::Clock { self.1 } else { Times::Units })
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
        let inputs: Vec<Inputs> = arms.iter().map(|arm| Inputs::of(arm.plan)).collect();
        let draws = inputs[1..].iter().map(|one| Draws::of(&inputs[0], one)).collect();
        ComparisonReport { joint, arms, sides: Sides::new(found, draws) }
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

    fn head(&self, _: Times) -> Vec<String> {
        let of = |arm: &ArmReport<'_>| match arm.plan.changes.is_empty() {
            true => arm.name.to_owned(),
            false => format!("{} ({})", arm.name, arm.plan.changes.join(", ")),
        };
        vec![self.sides.head(self.arms.iter().map(of).collect(), Draws::words)]
    }

    fn table(&self, format: Format) -> Table {
        self.sides.table(format)
    }

    fn brief(&self) -> Brief {
        self.sides.first()
    }

    fn statements(&self, _: Times) -> Vec<String> {
        let mut lines = self.sides.statements();
        lines.extend(self.known().as_ref().map(Known::line));
        lines
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings: Vec<String> = Vec::new();
        if self.sides.is_bare() {
            let replications = self.sides.found.sample().replications();
            warnings.push(match self.sides.has_other_jobs() {
                true => words::other_jobs(),
                false => words::no_pairs(self.joint, replications),
            });
        }
        warnings.extend(words::skewed(&self.sides.contrasts));
        warnings.extend(self.known().as_ref().and_then(Known::warning));
        let of_arm = |arm: &ArmReport<'_>| offered::beside(arm.plan, arm.report.warnings());
        let own: Vec<Vec<String>> = self.arms.iter().map(of_arm).collect();
        for (warning, arms) in once(own.iter()) {
            let (same, alike): (Vec<usize>, Vec<usize>) =
                arms.into_iter().partition(|&arm| own[arm].contains(warning));
            let names = |arms: Vec<usize>| {
                let names: Vec<String> =
                    arms.iter().map(|&arm| self.arms[arm].name.to_owned()).collect();
                listed(&names)
            };
            let more = match alike.is_empty() {
                true => String::new(),
                false => format!(" (and alike for {})", names(alike)),
            };
            warnings.push(format!("{}: {warning}{more}", names(same)));
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
        vec![("comparison.csv", self.sides.whole().csv())]
    }

    fn pictures(&self) -> Vec<(&'static str, Picture)> {
        let Sides { found, contrasts, draws } = &self.sides;
        let judged: Vec<&Contrast> =
            contrasts.iter().filter(|one| found.judged.contains(&one.measure)).collect();
        let is_one = draws.iter().all(|one| *one == draws[0]);
        let how = if is_one { format!(", {}", draws[0].words()) } else { String::new() };
        let subject = picture::Subject {
            title: self.joint.title(),
            names: &found.names,
            how: &how,
            level: found.sample().level(),
        };
        let differences = picture::differences(subject, &judged).map(|one| ("differences", one));
        let own: Vec<_> = self.arms.iter().map(|arm| arm.report.pictures()).collect();
        let beside = ["distribution", "timeline"].into_iter().filter_map(|name| {
            let charts =
                own.iter().map(|pictures| match pictures.iter().find(|one| one.0 == name) {
                    Some((_, Picture::Chart(chart))) => Some(chart),
                    _ => None,
                });
            let chart = picture::beside(self.joint.title(), &found.names, charts.collect())?;
            Some((name, Picture::Chart(chart)))
        });
        differences.into_iter().chain(beside).collect()
    }

    fn summary(&self, common: Common<'_>) -> Vec<u8> {
        common.with(Summary { comparison: self.sides.whole() })
    }

    fn describe(&self, manifest: &mut Manifest) {
        let arms = self.arms.iter().map(|arm| RunEntry {
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
