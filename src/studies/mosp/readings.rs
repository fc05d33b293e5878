//! Choices that the paper leaves open: owners without jobs, who are left out by its figures, and the
//! order of jobs of equal width, which no figure settles.

use super::cases::{Algorithm, Case, play, played};
use super::instances::{Kind, ORGANIZATIONS, Point, Sources, points};
use super::laws::Size;
use super::scores::printed;
use crate::played::Record;
use crate::row::Row;
use crate::sample::Sample;
use crate::{Bench, StudyError};
use policy::plan::WithoutJobs;

/// MO-X-01 if the clusters of owners without jobs are kept.
pub(super) fn kept(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let points: Vec<Point> = points().into_iter().filter(|point| point.kind == Kind::Uni).collect();
    let instances = bench.effort.samples * points.len() as u32;
    let how = "the uni instances of section 6.1, owners without jobs kept";
    bench.log(Record::drawn(how, bench, instances));
    let (sources, seed) = (Sources::new()?, bench.effort.seed);
    let all = bench.each(bench.effort.samples.into(), |sample| {
        let scores = |&point: &Point| {
            let owned = sources.instance(point, seed, sample)?;
            let size = Size::of(&owned, false);
            Ok([Algorithm::Local, Algorithm::Molba].map(|algorithm| {
                let plan = played(algorithm.options(), &owned, WithoutJobs::Kept);
                size.score(plan.played.makespan)
            }))
        };
        points.iter().map(scores).collect::<Result<Vec<_>, StudyError>>()
    })?;
    let mean = |is: &dyn Fn(&Point) -> bool, algorithm: usize| {
        let places: Vec<usize> = (0..points.len()).filter(|&place| is(&points[place])).collect();
        let values = all.iter().flat_map(|one| places.iter().map(|&place| one[place][algorithm]));
        Sample::new(places.len(), values.collect()).mean()
    };
    let mut rows = Vec::new();
    for (organizations, printed) in ORGANIZATIONS.into_iter().zip(["1.57", "3.00", "4.93", "7.35"])
    {
        let is = |point: &Point| point.organizations == organizations && point.jobs > 10;
        let what = format!(
            "owners without jobs kept: uni without n = 10, N = {organizations}: mean score of local"
        );
        let note = format!("the paper prints {printed}");
        rows.push(Row::new("MO-X-01", "6.1", what).shown(mean(&is, 0)).note(note));
    }
    let what = "owners without jobs kept: uni: mean score of MOLBA(2)";
    let note = "the paper prints 1.96";
    rows.push(Row::new("MO-X-01", "6.1", what).shown(mean(&|_| true, 1)).note(note));
    Ok(rows)
}

/// MO-N-05 if jobs of equal width are placed longest first and not in order of submission.
pub(super) fn longest(bench: &Bench) -> Result<Vec<Row>, StudyError> {
    let cases = play(bench, "the instances of section 6.1, equal widths longest first", |owned| {
        let mut order: Vec<usize> = (0..owned.of_task.len()).collect();
        order.sort_by_key(|&job| std::cmp::Reverse(owned.instance.tasks[job].length));
        owned.instance.tasks = order.iter().map(|&job| owned.instance.tasks[job]).collect();
        owned.of_task = order.iter().map(|&job| owned.of_task[job]).collect();
    })?;
    let mut rows = Vec::new();
    let algorithms = [(Algorithm::Molba, 0.29, 1.09), (Algorithm::Ilba, 0.40, 1.03)];
    for (algorithm, share, score) in algorithms {
        let mut add = |what: &str, is_swf: bool, value, of: &dyn Fn(&Case) -> f64| {
            let places = cases.places(|point| !is_swf || point.kind == Kind::Swf);
            let ours = cases.sample(&places, of).mean();
            let what = format!("equal widths longest first, {what}: {}", algorithm.name());
            let paper = printed(value, 0.01, ours, cases.samples());
            let row = Row::new("MO-N-05", "6.2.2", what).compared(paper, ours);
            rows.push(row.because(
                "the order of equal widths is open: MO-N-04 agrees in that of submission",
            ));
        };
        let is_optimal = |case: &Case| f64::from(u8::from(case.is_optimal[algorithm as usize]));
        add("both sets: share of instances with score 1", false, share, &is_optimal);
        add("swf: mean score", true, score, &|case| case.score(algorithm));
    }
    Ok(rows)
}
