//! `warm-up.csv` and `warm-up.svg`: Welch's plot, which shows where the warm-up ends.
//!
//! The flow times of all jobs of the grid, in the order in which they end, are averaged job by job
//! over the first replications, and then smoothed by a moving average (Welch, The statistical
//! analysis of simulation results, in Lavenberg, Computer Performance Modeling Handbook, 1983; Law,
//! Simulation Modeling and Analysis, 2015, section 9.5.1). Jobs that do not count are included.

use crate::picture::clock::Clock;
use crate::picture::{Chart, Line, Panel, Scale, thin};
use kernel::time::{TICKS_PER_UNIT, Time};
use records::record::{Record as _, record};
use records::text::Text;
use scenario::plan::Plan;
use stats::mser::Series;
use stats::shown::{count, counted, figure};

/// Half-width of the moving average, as a fraction 1 / `REACH` of the series.
const REACH: usize = 20;

record! {
    /// A point: the mean over some jobs of some replications. A line of `warm-up.csv`.
    Point;
    job: u64, "Number of the last of these jobs.";
    submitted: Time, "Latest submission up to that job, as the median over the replications.";
    flow: f64, "Mean flow time, in units.";
    moving_average: f64, "The same, smoothed.";
    counted: bool, "True if jobs submitted then count.";
}

/// Data of the plot.
#[derive(Clone, Debug)]
pub struct Welch {
    points: Vec<Point>,
    /// Jobs per point, and half-width of the moving average in jobs.
    length: u64,
    reach: u64,
    replications: usize,
    from: Time,
}

impl Welch {
    /// The plot for the series of some replications; jobs submitted since `from` count.
    pub fn new(all: &[Series], from: Time) -> Welch {
        let mean = Series::mean_of(all);
        let flows: Vec<f64> = mean.batches().iter().map(|batch| batch.0).collect();
        let reach = flows.len() / REACH;
        let averages = moving(&flows, reach);
        let points = mean.batches().iter().zip(averages).zip(1..).map(|((batch, average), end)| {
            let submitted = Time::from_ticks(batch.1);
            let (job, counted) = (end * mean.length(), submitted >= from);
            Point { job, submitted, flow: batch.0, moving_average: average, counted }
        });
        let reach = reach as u64 * mean.length();
        Welch {
            points: points.collect(),
            length: mean.length(),
            reach,
            replications: all.len(),
            from,
        }
    }

    /// Renders `warm-up.csv`.
    pub fn csv(&self) -> Vec<u8> {
        let mut out = Text::from(COLUMNS.join(",").into_bytes());
        out.push(b'\n');
        self.points.iter().for_each(|point| point.put(&mut out));
        out.into_bytes()
    }

    /// The chart of `warm-up.svg`.
    pub fn chart(&self, plan: &Plan) -> Chart {
        let counts_seconds = plan.counts_seconds();
        let end = self.points.last().map_or(1.0, |point| point.submitted.as_units());
        let end = end.max(1.0 / TICKS_PER_UNIT as f64);
        let most = self.points.iter().map(|point| point.flow).fold(0.0, f64::max);
        let [across, up] = [end, most].map(|span| Clock::of(counts_seconds, span));
        let line =
            |series: usize, points: Vec<(f64, f64)>| Line { series, points, ..Line::default() };
        let of = |value: fn(&Point) -> f64| -> Vec<(f64, f64)> {
            let point =
                |one: &Point| (across.amount(one.submitted.as_units()), up.amount(value(one)));
            self.points.iter().map(point).collect()
        };
        let [flows, averages] = [of(|one| one.flow), of(|one| one.moving_average)];
        let most = up.amount(if most > 0.0 { most * 1.05 } else { 1.0 });
        let end = across.amount(end);
        let mut lines = vec![line(0, flows), line(1, averages)];
        let mut series = vec!["mean flow".to_owned(), "moving average".to_owned()];
        let cut = across.amount(self.from.as_units());
        if cut > 0.0 && cut <= end {
            series.push("end of the warm-up".to_owned());
            lines.push(line(2, vec![(cut, 0.0), (cut, most)]));
        }
        let (y, scale) = (format!("flow ({})", up.name()), Scale::Linear(0.0, most));
        let mut panels = vec![Panel { y, scale, lines }];
        thin(&mut panels);
        let over = match self.replications {
            1 => String::new(),
            several => format!(" and {}", counted(several as u64, "replication", "replications")),
        };
        Chart {
            title: plan.title(),
            subtitle: format!(
                "means of {} jobs in the order of their ends{over}; moving average over {} jobs to \
                 each side; jobs count from {} {} on",
                count(self.length),
                count(self.reach),
                figure(cut),
                across.name()
            ),
            x: format!("submitted ({})", across.name()),
            range: Scale::Linear(0.0, end),
            dates: Vec::new(),
            panels,
            series,
        }
    }
}

/// Welch's moving average over `reach` neighbours on each side; O(values).
///
/// Near the ends it uses as many neighbours as there are on the shorter side.
fn moving(values: &[f64], reach: usize) -> Vec<f64> {
    let mut sums = vec![0.0];
    sums.extend(values.iter().scan(0.0, |sum, value| {
        *sum += value;
        Some(*sum)
    }));
    let average = |at: usize| {
        let reach = reach.min(at).min(values.len() - 1 - at);
        (sums[at + reach + 1] - sums[at - reach]) / (2 * reach + 1) as f64
    };
    (0..values.len()).map(average).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moving_average_narrows_towards_the_ends() {
        assert_eq!(moving(&[1.0, 2.0, 6.0, 3.0, 8.0], 1), [1.0, 3.0, 11.0 / 3.0, 17.0 / 3.0, 8.0]);
        assert_eq!(moving(&[1.0, 2.0, 6.0, 3.0, 8.0], 9), [1.0, 3.0, 4.0, 17.0 / 3.0, 8.0]);
        assert_eq!(moving(&[], 3), [0.0; 0]);
    }

    #[test]
    fn points_are_means_over_replications_and_the_cut_is_told() {
        let series = |height: f64| {
            let mut series = Series::default();
            (0..200_i64).for_each(|at| series.add(height + at as f64, 1_000_000 * at));
            series
        };
        let welch = Welch::new(&[series(0.0), series(10.0)], Time::from_ticks(50_000_000));
        let text = String::from_utf8(welch.csv()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 41);
        assert_eq!(lines[0], "job,submitted,flow,moving_average,counted");
        assert_eq!(lines[1], "5,4,7,7,0");
        assert_eq!(lines[10], "50,49,52,52,0");
        assert_eq!(lines[11], "55,54,57,57,1");
        assert_eq!(
            Welch::new(&[], Time::ZERO).csv(),
            b"job,submitted,flow,moving_average,counted\n"
        );
    }
}
