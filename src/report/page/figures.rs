//! Figures of organizations as pictures with intervals, and the waits of their jobs in a sentence.

use crate::picture::Picture;
use crate::picture::clock::Clock;
use crate::picture::rows::{self, Labels};
use crate::table::margin;
use findings::Findings;
use findings::measure::{Measure, Metric, Unit};
use findings::sample::Figure;
use findings::unit::ALL;
use scenario::plan::Plan;
use stats::interval::Interval;
use stats::shown::{counted, lasting};

/// Measures that are drawn, if a world has them.
const DRAWN: [Metric; 7] = [
    Metric::Gain,
    Metric::Score,
    Metric::Wait,
    Metric::Flow,
    Metric::BoundedSlowdown,
    Metric::Payoff,
    Metric::Utilization,
];

/// Most rows of a picture, and most organizations in a sentence.
const MOST: (usize, usize) = (24, 4);

/// A row of a picture: its name, and its mean with an interval, or those of a mixture's halves.
type Row<'a> = (&'a str, Vec<(f64, Option<Interval>)>);

/// A picture for each measure: a dot with its interval for each organization and class.
pub(super) fn pictures(plan: &Plan, findings: &dyn Findings) -> Vec<(String, Picture)> {
    let (units, sample) = (units(findings), findings.sample());
    let of = |metric: &Metric| {
        let measure = metric.measure();
        let row = |(at, (name, figures)): (usize, &(_, Vec<Figure>))| {
            let figure = figures.iter().find(|one| one.measure == measure)?;
            let mean = figure.mean.filter(|mean| mean.is_finite())?;
            let halves = sample.halves(sample.kept()[at], measure);
            let mixture = halves.map(|halves| halves.map(|mean| (mean, None)).to_vec());
            Some((*name, mixture.unwrap_or_else(|| vec![(mean, figure.interval)])))
        };
        let rows: Vec<Row<'_>> = units.iter().enumerate().filter_map(row).collect();
        (rows.len() > 1).then(|| (metric.name().to_owned(), drawn(plan, measure, &rows)))
    };
    DRAWN.iter().filter_map(of).collect()
}

/// The units of which every replication is kept, with their figures.
fn units(findings: &dyn Findings) -> Vec<(&str, Vec<Figure>)> {
    let sample = findings.sample();
    let of =
        |&unit: &usize| (&*sample.units()[unit].name, findings.figures_of(unit, sample.level()));
    sample.kept().iter().map(of).collect()
}

fn drawn(plan: &Plan, measure: &Measure, rows: &[Row<'_>]) -> Picture {
    let clock = match measure.unit {
        Unit::Time => {
            let dots = rows.iter().flat_map(|row| &row.1);
            let most = dots.map(|dot| dot.0.abs()).fold(0.0, f64::max);
            Some(Clock::of(plan.counts_seconds(), most))
        }
        _ => None,
    };
    let shown = |value: f64| match (clock, measure.unit) {
        (Some(clock), _) => clock.amount(value),
        (None, Unit::Share) => 100.0 * value,
        (None, _) => value,
    };
    let axis = match (clock, measure.unit) {
        (Some(clock), _) => format!("{} ({})", measure.words(), clock.name()),
        (None, Unit::Share) => format!("{} (%)", measure.words()),
        (None, _) => measure.words(),
    };
    let row = |(name, dots): &Row<'_>| {
        let name = if *name == ALL { "all" } else { name };
        let shown = |&(mean, interval): &(f64, Option<Interval>)| {
            let ends = |Interval { low, high }| Interval { low: shown(low), high: shown(high) };
            (0, shown(mean), interval.map(ends))
        };
        (name.to_owned(), dots.iter().map(shown).collect())
    };
    let more = match rows.len().saturating_sub(MOST.0) as u64 {
        0 => String::new(),
        more => format!("; {} not shown", counted(more, "other is", "others are")),
    };
    let subtitle = format!("{}{more}", told_of(measure, rows));
    let labels = Labels { title: plan.title(), subtitle, x: axis, series: Vec::new() };
    Picture::Rows(rows::dots(labels, rows.iter().take(MOST.0).map(row).collect()))
}

/// The legend of a measure's picture.
fn told_of(measure: &Measure, rows: &[Row<'_>]) -> String {
    let has_interval = rows.iter().flat_map(|row| &row.1).any(|dot| dot.1.is_some());
    let lines = if has_interval { "; lines: confidence intervals" } else { "; without intervals" };
    let is_mixture = rows.iter().any(|row| row.1.len() > 1);
    let halves =
        "; two dots: means of the replications that end low and high, as hardly any are between";
    format!(
        "{}{lines}{}",
        measure.summary.trim_end_matches('.'),
        if is_mixture { halves } else { "" }
    )
}

/// The mean waits, with words for times, if a unit is a second.
pub(super) fn waits(plan: &Plan, findings: &dyn Findings) -> Option<String> {
    let measure = Metric::Wait.measure();
    let told = |(name, figures): &(&str, Vec<Figure>)| {
        let figure = figures.iter().find(|one| one.measure == measure)?;
        let (mean, name) = (figure.mean?, if *name == ALL { "all" } else { name });
        let interval = figure.interval.filter(|one| one.high.is_finite());
        let margin = interval.map(|one| margin::told(mean, one, [&lasting, &lasting]));
        Some(format!("{name} {}{}", lasting(mean), margin.unwrap_or_default()))
    };
    let told: Vec<String> = units(findings).iter().filter_map(told).collect();
    if !plan.counts_seconds() || told.is_empty() {
        return None;
    }
    // All together come last among the units.
    let (all, others) = told.split_last()?;
    let few = others.len() <= MOST.1;
    let told = if few { told.join(", ") } else { all.clone() };
    Some(format!("mean wait: {told}"))
}
