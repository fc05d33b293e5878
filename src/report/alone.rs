//! What every organization would have had alone, beside what it had with the others.
//!
//! Only jobs that an organization could run alone are compared. If not all of them ended by the end
//! of the run, their means are: the flow times with the others are scaled to as many jobs.

use schemars::JsonSchema;
use serde::Serialize;

use super::json::IntervalFigures;
use super::organizations::{estimated, with_interval};
use super::results::Results;
use super::sharing::{self, Change};
use crate::findings::estimate::Estimate;
use crate::findings::measure::{ALONE, Metric};
use crate::findings::sample::Sample;
use crate::kernel::time::sum_as_units as units;
use crate::scenario::plan::Plan;
use crate::sim::alone::Service;
use crate::stats::interval::Level;
use crate::stats::shown::counted;

/// Service of the organizations, and last of the whole grid, over all replications.
#[derive(Clone, Debug)]
pub struct Alone {
    services: Vec<Service>,
}

/// What `summary.json` has of an organization alone, or of all of them.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AloneFigures {
    jobs: u64,
    too_wide: u64,
    flow: MeanFigures,
    wait: MeanFigures,
    bounded_slowdown: MeanFigures,
    /// Share of the flow time alone that it saves with the others.
    gain: MeanFigures,
}

/// A mean with its interval.
#[derive(Debug, Serialize, JsonSchema)]
struct MeanFigures {
    mean: Option<f64>,
    interval: Option<IntervalFigures>,
}

impl AloneFigures {
    /// The figures of an organization; none if nobody was simulated alone.
    pub(super) fn new(results: &Results, index: usize) -> Option<AloneFigures> {
        let Service { jobs, too_wide, .. } = *results.alone.as_ref()?.of(index);
        let mean = |metric| {
            let (mean, estimate) = results.alone_mean(index, metric, results.sample.level());
            MeanFigures { mean, interval: IntervalFigures::new(estimate, None) }
        };
        let [flow, wait, bounded_slowdown] = ALONE.map(mean);
        Some(AloneFigures {
            jobs,
            too_wide,
            flow,
            wait,
            bounded_slowdown,
            gain: mean(Metric::Gain),
        })
    }
}

/// Column names in `organizations.csv`.
pub fn columns() -> Vec<String> {
    let counts = ["alone_jobs", "alone_too_wide"].map(str::to_owned).into_iter();
    let means = ALONE.map(|metric| format!("{}_mean", metric.name()));
    let estimated = means.into_iter().chain([Metric::Gain.name().to_owned()]);
    counts.chain(estimated.flat_map(|name| with_interval(&name))).collect()
}

/// What the jobs had in all, and their number, in the order of [`ALONE`].
fn sums(service: &Service) -> [(i128, u64); 3] {
    let Service { jobs, flow, wait, bounded_slowdown, .. } = *service;
    [(flow, jobs), (wait, jobs), bounded_slowdown]
}

/// Flow time that an organization saved in one replication, and the flow time that it had alone.
fn saved(together: &Service, alone: &Service) -> Option<[f64; 2]> {
    let (jobs, others) = (alone.jobs as f64, together.jobs as f64);
    let as_many = units(together.flow) * (jobs / others);
    (jobs > 0.0 && others > 0.0).then(|| [units(alone.flow) - as_many, units(alone.flow)])
}

impl Alone {
    /// No replication yet.
    pub(super) fn new(plan: &Plan) -> Alone {
        Alone { services: vec![Service::default(); plan.organizations.len() + 1] }
    }

    /// Adds a replication, given the service of each organization with all others and alone.
    pub(super) fn add(&mut self, sample: &mut Sample, together: &[Service], alone: &[Service]) {
        let all = alone.len();
        let mut everyone = Service::default();
        alone.iter().for_each(|one| everyone.merge(one));
        for (unit, service) in alone.iter().chain([&everyone]).enumerate() {
            self.services[unit].merge(service);
            for (metric, (sum, jobs)) in ALONE.into_iter().zip(sums(service)) {
                sample.put(unit, metric.measure(), units(sum), jobs as f64);
            }
        }
        let mut whole = [0.0; 2];
        for (unit, (together, alone)) in together.iter().zip(alone).enumerate() {
            let Some([saved, alone]) = saved(together, alone) else { continue };
            sample.put(unit, Metric::Gain.measure(), saved, alone);
            whole = [whole[0] + saved, whole[1] + alone];
        }
        sample.put(all, Metric::Gain.measure(), whole[0], whole[1]);
    }

    /// The service of an organization alone; the index after the last is the whole grid.
    pub(super) fn of(&self, index: usize) -> &Service {
        &self.services[index]
    }
}

impl Results {
    /// The mean of a measure that needs every organization alone, with its interval.
    pub(super) fn alone_mean(
        &self,
        index: usize,
        metric: Metric,
        level: Level,
    ) -> (Option<f64>, Option<Estimate>) {
        let sections = self.sample.sections(index, metric.measure());
        // Agreement between identical repetitions says nothing about precision.
        let estimate = self.differs[index].then(|| Estimate::of_replications(&sections, level));
        (sections.mean(), estimate.flatten())
    }

    /// The fields of [`columns`]; none if nobody was simulated alone.
    pub(super) fn alone_fields(&self, index: usize) -> Vec<String> {
        let Some(alone) = &self.alone else { return Vec::new() };
        let Service { jobs, too_wide, .. } = alone.of(index);
        let mut fields = vec![jobs.to_string(), too_wide.to_string()];
        for metric in ALONE.into_iter().chain([Metric::Gain]) {
            let (mean, estimate) = self.alone_mean(index, metric, self.sample.level());
            fields.extend(estimated(mean, estimate.map(|one| one.interval)));
        }
        fields
    }

    /// Who gains from sharing, who loses, and how much, in sentences.
    pub(super) fn shared(&self, plan: &Plan) -> Vec<String> {
        let Some(alone) = &self.alone else { return Vec::new() };
        let change = |(index, organization): (usize, _)| {
            let (mean, estimate) = self.alone_mean(index, Metric::Gain, self.sample.level());
            Some(Change::new(organization, mean?, estimate.map(|one| one.interval)))
        };
        let names = plan.organizations.iter().map(|one| &*one.name);
        let changes: Vec<Change<'_>> = names.enumerate().filter_map(change).collect();
        let mut sentences = Vec::from_iter(sharing::sentence(&changes));
        let too_wide = alone.of(plan.organizations.len()).too_wide;
        if too_wide > 0 {
            sentences.push(format!(
                "not compared: {}",
                counted(
                    too_wide,
                    "job too wide for its organization's own clusters",
                    "jobs too wide for their organizations' own clusters"
                )
            ));
        }
        sentences
    }
}
