//! Figure 7: mean scores and deviations, by the number of organizations and by the number of jobs.

use super::cases::{Algorithm, Case, Cases};
use super::instances::{JOBS, Kind, ORGANIZATIONS, Point};
use crate::Bench;
use crate::picture::{Curve, Picture, Points, reach};
use crate::row::Row;
use crate::verdict::Measured;
use report::picture::Scale;

/// A panel: its name, its data set, and what its horizontal axis shows.
struct Panel {
    name: &'static str,
    kind: Kind,
    by_organizations: bool,
}

impl Panel {
    fn along(&self) -> [u32; 4] {
        if self.by_organizations { ORGANIZATIONS } else { JOBS }
    }

    fn axis(&self) -> &'static str {
        if self.by_organizations { "N, organizations" } else { "n, jobs" }
    }

    fn is_at(&self, point: &Point, at: u32) -> bool {
        let along = if self.by_organizations { point.organizations } else { point.jobs };
        point.kind == self.kind && along == at
    }
}

const PANELS: [Panel; 4] = [
    Panel { name: "7a", kind: Kind::Uni, by_organizations: true },
    Panel { name: "7b", kind: Kind::Uni, by_organizations: false },
    Panel { name: "7c", kind: Kind::Swf, by_organizations: true },
    Panel { name: "7d", kind: Kind::Swf, by_organizations: false },
];

/// Mean and standard deviation over the instances at a place of an axis.
fn at(cases: &Cases, places: &[usize], of: impl Fn(&Case) -> f64) -> (Measured, f64) {
    let mean = cases.sample(places, &of).mean();
    let values = cases.of(places).map(|(_, _, case)| of(case));
    let squares: f64 = values.map(|value| (value - mean.value) * (value - mean.value)).sum();
    let count = (cases.samples() * places.len()) as f64;
    (mean, (squares / (count - 1.0)).sqrt())
}

/// The rows of the figure; its panels are drawn.
pub(super) fn rows(bench: &Bench, cases: &Cases) -> Vec<Row> {
    let mut rows = Vec::new();
    for panel in &PANELS {
        let mut curves = Vec::new();
        for algorithm in Algorithm::ALL {
            let mut curve = Curve::new(algorithm.name(), Points::new());
            for x in panel.along() {
                let places = cases.places(|point| panel.is_at(point, x));
                let (mean, deviation) = at(cases, &places, |case| case.score(algorithm));
                let axis = if panel.by_organizations { "N" } else { "n" };
                let what = format!("{} = {x}: mean score of {}", axis, algorithm.name());
                let row = Row::new("MO-F7", format!("Figure {}", panel.name), what);
                let note = format!("{}; standard deviation {deviation:.3}", panel.kind.name());
                rows.push(row.shown(mean).note(note));
                let at = f64::from(x);
                curve.points.push((at, mean.value));
                let bar = vec![(at, mean.value - deviation), (at, mean.value + deviation)];
                curve.parts.push((format!("{}, deviation", algorithm.name()), bar));
            }
            curves.push(curve);
        }
        // The paper prints the means of this panel, of all but the smallest instances.
        let is_printed = panel.name == "7a";
        let mut paper = Vec::new();
        if is_printed {
            let points = ORGANIZATIONS.map(|x| {
                let places = cases.places(|point| panel.is_at(point, x) && point.jobs > 10);
                let (mean, _) = at(cases, &places, |case| case.score(Algorithm::Local));
                (f64::from(x), mean.value)
            });
            curves.push(Curve::new("local without n = 10", points.to_vec()));
            let printed = ORGANIZATIONS.map(f64::from).into_iter().zip([1.57, 3.00, 4.93, 7.35]);
            paper.push(printed.collect());
        }
        let over = if panel.by_organizations { "n" } else { "N" };
        bench.draw(Picture {
            name: panel.name,
            title: format!("{}, mean score over {over} and m", panel.kind.name()),
            caption: format!(
                "makespan / lower bound of {} instances a setting; bars: one standard deviation of \
                 single instances",
                cases.samples()
            ),
            axes: [panel.axis(), "score"],
            scale: Scale::Linear(0.0, reach(&curves, &paper)),
            curves,
            paper,
        });
    }
    rows
}
