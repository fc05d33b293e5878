//! Figures of organizations as pictures with intervals, and the waits of their jobs in a sentence.

use crate::picture::clock::Clock;
use crate::picture::rows::{Mark, Row, Rows, Shape};
use crate::picture::{Picture, Scale};
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

/// A picture for each measure: a dot with its interval for each organization and class.
pub(super) fn pictures(plan: &Plan, findings: &dyn Findings) -> Vec<(String, Picture)> {
    let units = units(findings);
    let of = |metric: &Metric| {
        let measure = metric.measure();
        let dots: Vec<(&str, f64, Interval)> = units
            .iter()
            .filter_map(|(name, figures)| {
                let figure = figures.iter().find(|one| one.measure == measure)?;
                let mean = figure.mean.filter(|mean| mean.is_finite())?;
                Some((*name, mean, figure.interval.unwrap_or(Interval { low: mean, high: mean })))
            })
            .collect();
        (dots.len() > 1).then(|| (metric.name().to_owned(), rows(plan, measure, &dots)))
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

fn rows(plan: &Plan, measure: &Measure, dots: &[(&str, f64, Interval)]) -> Picture {
    let clock = match measure.unit {
        Unit::Time => {
            let most = dots.iter().map(|dot| dot.1.abs()).fold(0.0, f64::max);
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
    let told = dots.iter().take(MOST.0).map(|&(name, mean, Interval { low, high })| {
        // An end that the sample does not tell goes no further than the figure.
        let ends = [low, high].map(|end| if end.is_finite() { end } else { mean });
        (name, shown(mean), ends.map(shown))
    });
    let told: Vec<(&str, f64, [f64; 2])> = told.collect();
    let (low, high) = told.iter().fold((0.0_f64, 0.0_f64), |(low, high), (_, mean, ends)| {
        (low.min(ends[0]).min(*mean), high.max(ends[1]).max(*mean))
    });
    let room = 0.04 * (high - low).max(1e-9);
    let row = |(name, value, ends): &(&str, f64, [f64; 2])| {
        let shape = Shape::Dot(*value);
        let mark = Mark { series: 0, lane: 0, lanes: 1, from: ends[0], to: ends[1], shape };
        let name = if *name == ALL { "all" } else { name };
        Row { name: name.to_owned(), lanes: 1, marks: vec![mark] }
    };
    let more = dots.len().saturating_sub(MOST.0) as u64;
    let more = match more {
        0 => String::new(),
        more => format!("; {} not shown", counted(more, "other is", "others are")),
    };
    Picture::Rows(Rows {
        title: plan.title(),
        subtitle: format!("{}{more}", told_of(measure, dots)),
        x: axis,
        scale: Scale::Linear(if low < 0.0 { low - room } else { 0.0 }, high + room),
        rows: told.iter().map(row).collect(),
        series: Vec::new(),
    })
}

/// The legend of a measure's picture.
fn told_of(measure: &Measure, dots: &[(&str, f64, Interval)]) -> String {
    let has_interval = dots.iter().any(|(_, _, ends)| ends.low < ends.high);
    let lines = if has_interval { "; lines: confidence intervals" } else { "; without intervals" };
    format!("{}{lines}", measure.summary.trim_end_matches('.'))
}

/// The mean waits, with words for times, if a unit is a second.
pub(super) fn waits(plan: &Plan, findings: &dyn Findings) -> Option<String> {
    let measure = Metric::Wait.measure();
    let told = |(name, figures): &(&str, Vec<Figure>)| {
        let figure = figures.iter().find(|one| one.measure == measure)?;
        let (mean, name) = (figure.mean?, if *name == ALL { "all" } else { name });
        let interval = figure.interval.filter(|one| one.high.is_finite());
        let margin = interval.map(|one| margin::told(mean, one, [lasting, lasting]));
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
