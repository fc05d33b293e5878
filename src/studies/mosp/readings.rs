//! Owners without jobs: the paper does not say that they are left out, but its figures do.

use super::cases::{Algorithm, played};
use super::instances::{Kind, ORGANIZATIONS, Point, Sources, points};
use super::laws::Size;
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
