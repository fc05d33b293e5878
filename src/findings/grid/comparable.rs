//! The values by which a grid's run is compared with another one of the same jobs, where these are not
//! means of replications: quantiles over jobs, and the weeks of a single run.

use super::precision::Groups;
use crate::measure::{DISTRIBUTIONS, Measure, Metric};
use crate::{Comparable, Of};
use kernel::time::{TICKS_PER_UNIT, sum_as_units};
use sim::weeks::Weeks;
use stats::buckets::Buckets;
use stats::distribution::QUANTILES;

/// Fewest sections of a sample by which two quantiles are compared.
const FEWEST_SECTIONS: usize = 5;
/// Fewest jobs expected beyond the quantile in each.
const FEWEST_BEYOND: f64 = 20.0;
/// Fewest weeks by which two runs are compared.
const FEWEST_WEEKS: usize = 10;

/// A quantile over jobs in sections of consecutive replications, all of the same number, with that of
/// all jobs. `None` if too few jobs lie beyond it to make sections of.
pub(super) fn by_sections(groups: &Groups, measure: &Measure) -> Option<Comparable> {
    let mean = measure.metric()?.distribution()?;
    let at = DISTRIBUTIONS.iter().position(|one| *one == mean)?;
    let (_, name) = measure.quantile()?;
    let share = QUANTILES.iter().find(|(known, _)| *known == name)?.1;
    let groups = groups.full();
    let sections = |size: usize| -> Option<Vec<Buckets>> {
        let merged = groups.chunks_exact(size).map(|groups| {
            groups.iter().try_fold(Buckets::default(), |mut all, marks| {
                all.merge(marks[at].buckets.as_ref()?);
                Some(all)
            })
        });
        merged.collect()
    };
    let beyond = (1.0 - share).min(share);
    let is_enough =
        |all: &Vec<Buckets>| all.iter().all(|one| one.count() as f64 * beyond >= FEWEST_BEYOND);
    let sections = (0..usize::BITS)
        .map(|power| 1 << power)
        .take_while(|size| groups.len() / size >= FEWEST_SECTIONS)
        .find_map(|size| sections(size).filter(is_enough))?;
    let mut whole = Buckets::default();
    sections.iter().for_each(|one| whole.merge(one));
    let in_units = |ticks: f64| ticks / TICKS_PER_UNIT as f64;
    let values = sections.iter().map(|one| Some([in_units(one.quantile(share)?), 1.0]));
    let values = values.collect::<Option<_>>()?;
    Some(Comparable::of_replications(values, whole.quantile(share).map(in_units)))
}

/// The mean over the jobs of each week; `None` if it is not summed, or there are too few weeks.
pub fn by_week(weeks: &Weeks, unit: usize, metric: Metric) -> Option<Comparable> {
    let summed = [Metric::Flow, Metric::Wait, Metric::BoundedSlowdown];
    let at = summed.iter().position(|one| *one == metric)?;
    if weeks.number() < FEWEST_WEEKS {
        return None;
    }
    let mean = |(sum, jobs): (i128, u64)| [sum_as_units(sum) / jobs.max(1) as f64, jobs as f64];
    let values = weeks.of(unit, at).map(mean).collect();
    Some(Comparable { values, whole: None, of: Of::Weeks, jobs: weeks.jobs(unit).collect() })
}
