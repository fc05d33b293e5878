//! Distributions over jobs as curves: for every time the share of jobs that took no longer.

use super::svg::MOST_SERIES;
use super::{Chart, Line, Panel, Scale};
use stats::distribution::Distribution;

/// Distributions of one metric: its name in words, those of organizations, and that of all.
pub(crate) struct Curves<'a> {
    pub name: &'a str,
    pub organizations: Vec<&'a Distribution>,
    pub all: &'a Distribution,
}

/// Marks of an axis of seconds.
const MARKS: [(f64, &str); 10] = [
    (0.001, "1 ms"),
    (0.1, "0.1 s"),
    (1.0, "1 s"),
    (10.0, "10 s"),
    (60.0, "1 min"),
    (600.0, "10 min"),
    (3_600.0, "1 h"),
    (36_000.0, "10 h"),
    (864_000.0, "10 d"),
    (8_640_000.0, "100 d"),
];

/// The axis spans at most so many powers of ten.
const POWERS: f64 = 7.0;

/// The chart, with a panel for each metric; `None` if no job has any time.
///
/// Organizations have curves of their own while they are few. The axis is logarithmic; what is shorter
/// than its beginning counts there.
pub(crate) fn chart(
    title: String,
    counts_seconds: bool,
    names: &[String],
    metrics: &[Curves<'_>],
) -> Option<Chart> {
    let most = metrics.iter().filter_map(|one| one.all.largest()).fold(0.0, f64::max);
    let least = metrics.iter().filter_map(|one| shortest(one.all)).fold(f64::INFINITY, f64::min);
    if most <= 0.0 || !least.is_finite() {
        return None;
    }
    let power = |value: f64, round: fn(f64) -> f64| libm::pow(10.0, round(libm::log10(value)));
    let high = power(most, libm::ceil).max(10.0 * power(least, libm::floor));
    // Seconds begin at one, so that several runs have one axis.
    let low = if counts_seconds && high > 10.0 { 1.0 } else { power(least, libm::floor) };
    let low = low.max(high / libm::pow(10.0, POWERS));
    let few = if (2..MOST_SERIES).contains(&names.len()) { names.len() } else { 0 };
    let panel = |one: &Curves<'_>| {
        let own = one.organizations.iter().take(few).zip(1..);
        let lines = own.map(|(of, series)| line(series, of, low));
        Panel {
            y: format!("share of jobs by {}", one.name),
            scale: Scale::Linear(0.0, 1.0),
            lines: lines.chain([line(0, one.all, low)]).collect(),
        }
    };
    let series = [if few > 0 { "all" } else { "all jobs" }.to_owned()];
    let marks = MARKS.iter().filter(|mark| counts_seconds && (low..=high).contains(&mark.0));
    Some(Chart {
        title,
        subtitle: "for each time the share of jobs that took no longer".to_owned(),
        x: if counts_seconds { "time" } else { "time (units)" }.to_owned(),
        range: Scale::Log(low, high),
        dates: marks.map(|&(at, name)| (at, name.to_owned())).collect(),
        panels: metrics.iter().map(panel).collect(),
        series: series.into_iter().chain(names[..few].iter().cloned()).collect(),
    })
}

/// Shares at which a curve is read.
fn shares() -> impl Iterator<Item = f64> {
    (1..100).map(|percent| f64::from(percent) / 100.0).chain([0.995, 0.999, 1.0])
}

/// The shortest time above 0 that the curve is read at.
fn shortest(of: &Distribution) -> Option<f64> {
    shares().filter_map(|share| of.quantile(share)).find(|&time| time > 0.0)
}

fn line(series: usize, of: &Distribution, low: f64) -> Line {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for share in shares() {
        let Some(time) = of.quantile(share) else { continue };
        let time = time.max(low);
        // Of several shares at one time the largest counts.
        match points.last_mut() {
            Some(last) if last.0 == time => last.1 = share,
            _ => points.push((time, share)),
        }
    }
    Line { series, points, ..Line::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::distribution::Detail;

    #[test]
    fn a_curve_rises_to_all_jobs_and_counts_what_is_too_short_at_its_beginning() {
        let mut waits = Distribution::new(Detail::Full);
        // Half of the jobs wait nothing, the others 1 to 100 units.
        (0..100).for_each(|_| waits.record(0));
        (1..=100).for_each(|wait| waits.record(wait * 1_000_000));
        waits.close();
        let names = ["one".to_owned(), "other".to_owned()];
        let curves = Curves { name: "wait", organizations: vec![&waits, &waits], all: &waits };
        let chart = chart("title".to_owned(), false, &names, &[curves]).unwrap();
        assert_eq!(chart.range, Scale::Log(1.0, 100.0));
        assert_eq!(chart.series, ["all", "one", "other"]);
        let points = &chart.panels[0].lines[2].points;
        assert_eq!(points[0], (1.0, 0.5));
        assert_eq!(points.last(), Some(&(100.0, 1.0)));
        assert!(points.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
    }
}
