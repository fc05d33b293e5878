//! The report of a grid: organizations, clusters, time series, and what its jobs were like.

pub mod alone;
mod bounds;
mod controlled;
pub mod entry;
pub(crate) mod json;
pub mod loads;
pub mod offered;
pub mod organizations;
pub mod planned;
pub mod steady;
pub mod summary;
pub mod timeline;
pub mod trace_waits;
pub mod warnings;
pub mod welch;

use self::summary::{fairness, head, largest, organizations};
use self::welch::Welch;
use crate::files::Manifest;
use crate::picture::distribution::{self, Curves};
use crate::picture::{Chart, Picture};
use crate::table::{Brief, Format, Table};
use crate::world::{Common, Report};
use findings::Findings;
use findings::grid::frame::Frame;
use findings::grid::results::Results;
use findings::grid::typical::{Expected, Typical};
use findings::known::Known;
use kernel::time::Time;
use records::histograms;
use scenario::plan::Plan;
use stats::shown::Times;

/// The report of a grid's run.
#[derive(Debug)]
pub struct GridReport<'a> {
    /// The plan that ran.
    pub plan: &'a Plan,
    /// Its results.
    pub results: &'a Results,
}

impl Report for GridReport<'_> {
    fn findings(&self) -> &dyn Findings {
        self.results
    }

    fn world(&self) -> &'static str {
        "grid"
    }

    fn head(&self, times: Times) -> Vec<String> {
        let mut text = String::new();
        head(&mut text, self.plan, &self.results.accounts.grid(), self.results, times);
        vec![text.trim_end().to_owned()]
    }

    fn table(&self, format: Format) -> Table {
        match format {
            Format::Text => largest(self.plan, self.results),
            _ => organizations(self.plan, self.results, format),
        }
    }

    fn brief(&self) -> Brief {
        summary::brief(self.plan, self.results)
    }

    fn statements(&self, times: Times) -> Vec<String> {
        let GridReport { plan, results } = self;
        let mut lines = alone::shared(results, plan);
        lines.extend(bounds::lines(results, plan));
        lines.extend(trace_waits::lines(&results.trace_waits, plan));
        lines.extend(fairness(results.accounts.organizations()));
        lines.extend(results.sample.known.as_ref().map(Known::line));
        lines.extend(controlled::line(results, times));
        lines
    }

    fn warnings(&self) -> Vec<String> {
        warnings::of(self.plan, self.results)
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let GridReport { plan, results } = self;
        let mut files = vec![("organizations.csv", organizations::render(plan, results))];
        if plan.counting.quantiles {
            let names = plan.organizations.iter().map(|organization| &*organization.name);
            files.push(("histograms.hlog", histograms::render(names, results)));
        }
        if let Some(timelines) = &results.timelines {
            files.push(("timeline.csv", timeline::csv::render(plan, timelines)));
        }
        files.extend(self.welch().map(|welch| ("warm-up.csv", welch.csv())));
        files
    }

    fn pictures(&self) -> Vec<(&'static str, Picture)> {
        let GridReport { plan, results } = self;
        let timelines = results.timelines.iter();
        let timelines = timelines.map(|one| ("timeline", timeline::picture::chart(plan, one)));
        let welch = self.welch().map(|welch| ("warm-up", welch.chart(plan)));
        let times = self.times().map(|chart| ("distribution", chart));
        times
            .into_iter()
            .chain(timelines)
            .chain(welch)
            .map(|(name, chart)| (name, Picture::Chart(chart)))
            .collect()
    }

    fn summary(&self, common: Common<'_>) -> Vec<u8> {
        common.with(json::summary(self.plan, self.results))
    }

    fn describe(&self, manifest: &mut Manifest) {
        manifest.of_grid(self.results);
    }
}

impl GridReport<'_> {
    /// The distributions of waits and flow times.
    fn times(&self) -> Option<Chart> {
        let GridReport { plan, results } = self;
        let (grid, accounts) = (results.accounts.grid(), results.accounts.organizations());
        let names: Vec<String> = plan.organizations.iter().map(|one| one.name.clone()).collect();
        let wait = Curves {
            name: "wait",
            organizations: accounts.iter().map(|one| &one.wait).collect(),
            all: &grid.wait,
        };
        let flow = Curves {
            name: "flow",
            organizations: accounts.iter().map(|one| &one.flow).collect(),
            all: &grid.flow,
        };
        let curves = [wait, flow];
        let drawn = plan.counting.quantiles;
        drawn.then(|| distribution::chart(plan.title(), plan.counts_seconds(), &names, &curves))?
    }

    /// Welch's plot, if it is asked for.
    fn welch(&self) -> Option<Welch> {
        let first = self.results.replications.first();
        let from = first.map_or(Time::ZERO, |one| one.window.from);
        self.plan.output.welch.then(|| Welch::new(&self.results.welch, from))
    }
}

/// The frame of a plan's grid: all that its findings need to know of the plan.
pub fn frame(plan: &Plan) -> Frame {
    Frame {
        names: plan.organizations.iter().map(|one| one.name.clone()).collect(),
        owned: plan.owned(),
        counting: plan.counting,
        differs: loads::differs(plan),
        loads: loads::of(plan),
        typical: typical(plan),
        trace_waits: trace_waits::of(plan, plan.counting),
        has_alone: plan.output.alone,
        has_bounds: plan.output.bounds,
        has_promises: plan.counts_promises(),
        has_messages: plan.exchanges_messages(),
        has_utilities: plan.knows_utilities(),
        timelines: plan.output.timeline.then_some((plan.timeline_rows(), plan.replications)),
        keeps_all: plan.output.all_replications,
    }
}

/// The models of a plan's workloads, without any jobs.
pub fn typical(plan: &Plan) -> Typical {
    let expected = plan.workloads.iter().map(|workload| {
        let drawn = workload.kind.drawn()?;
        let owners = workload.kind.owners(plan.organizations.len());
        if plan.organizations[owners].iter().any(|owner| owner.is_absent) {
            // Not all of its jobs are seen.
            return None;
        }
        let (areas, gaps) = (drawn.areas()?, drawn.gaps());
        let is_finite = areas.mean.is_finite() && areas.variance.is_finite();
        is_finite.then(|| Expected {
            area: areas.mean,
            square: areas.second(),
            gap: gaps.map(|gaps| gaps.mean),
        })
    });
    Typical::new(expected.collect())
}
