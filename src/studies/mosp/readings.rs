//! A choice that the paper leaves open and no figure settles: the order of jobs of equal width.

use super::RULE;
use super::cases::{Algorithm, each, played};
use super::instances::{JOBS, ORGANIZATIONS, PROCESSORS, points};
use super::laws::Size;
use crate::row::Row;
use crate::sample::Sample;
use crate::{Bench, StudyError};
use policy::plan::WithoutJobs;
use stats::interval::Level;
use stats::student;

/// MO-N-05 if jobs of equal width are placed longest first and not in order of submission.
pub(super) fn longest(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let points = points(&[false, true], &ORGANIZATIONS, &JOBS, &PROCESSORS);
    let how = "the instances of section 6.1, equal widths longest first";
    let algorithms = [(Algorithm::Molba, 0.29, 1.09), (Algorithm::Ilba, 0.40, 1.03)];
    let all = each(bench, how, &points, |mut owned| {
        let mut order: Vec<usize> = (0..owned.of_task.len()).collect();
        order.sort_by_key(|&job| std::cmp::Reverse(owned.instance.tasks[job].length));
        owned.instance.tasks = order.iter().map(|&job| owned.instance.tasks[job]).collect();
        owned.of_task = order.iter().map(|&job| owned.of_task[job]).collect();
        let size = Size::of(&owned, true);
        algorithms.map(|(algorithm, ..)| {
            size.score(played(algorithm.options(), &owned, WithoutJobs::LeftOut).played.makespan)
        })
    })?;
    let samples = all.len();
    let t = student::two_sided(Level::default().share(), samples.max(2) as u64 - 1);
    let mut rows = Vec::new();
    for (at, (algorithm, share, score)) in algorithms.into_iter().enumerate() {
        let mut add = |what: &str, from: usize, value, of: &dyn Fn(f64) -> f64| {
            let values = all.iter().flat_map(|one| one[from..].iter().map(|scores| of(scores[at])));
            let ours = Sample::new(points.len() - from, values.collect()).mean();
            let what = format!("equal widths longest first, {what}: {}", algorithm.name());
            let paper = RULE.estimated(value, 0.01, ours.half_width / t * (samples as f64).sqrt());
            let row = Row::new("MO-N-05", "6.2.2", what).compared(paper, ours);
            rows.push(row.because(
                "the order of equal widths is open: MO-N-04 agrees in that of submission",
            ));
        };
        let is_optimal = |score: f64| f64::from(u8::from(score <= 1.0));
        add("both sets: share of instances with score 1", 0, share, &is_optimal);
        add("swf: mean score", points.len() / 2, score, &|score| score);
    }
    Ok(rows)
}
