//! The report of a grid: organizations, clusters, time series, and what its jobs were like.

use super::json::Manifest;
use super::results::Results;
use super::summary::{fairness, head, largest, organizations};
use super::table::{Format, Table};
use super::welch::Welch;
use super::world::{Common, Report};
use super::{controlled, histograms, json, timeline, warnings};
use crate::findings::Findings;
use crate::findings::known::Known;
use crate::kernel::time::Time;
use crate::scenario::plan::Plan;

/// The report of a grid's run.
#[derive(Debug)]
pub struct GridReport<'a> {
    /// What ran.
    pub plan: &'a Plan,
    /// What was found.
    pub results: &'a Results,
}

impl Report for GridReport<'_> {
    fn findings(&self) -> &dyn Findings {
        self.results
    }

    fn world(&self) -> &'static str {
        "grid"
    }

    fn head(&self) -> Vec<String> {
        let mut text = String::new();
        head(&mut text, self.plan, &self.results.accounts.grid(), self.results);
        vec![text.trim_end().to_owned()]
    }

    fn table(&self, format: Format) -> Table {
        match format {
            Format::Text => largest(self.plan, self.results),
            _ => organizations(self.plan, self.results, format),
        }
    }

    fn statements(&self) -> Vec<String> {
        let GridReport { plan, results } = self;
        let mut lines = results.shared(plan);
        lines.extend(results.trace_waits.lines(plan));
        lines.extend(fairness(results.accounts.organizations()));
        lines.extend(results.sample.known.as_ref().map(Known::line));
        lines.extend(controlled::line(results));
        lines
    }

    fn warnings(&self) -> Vec<String> {
        warnings::of(self.plan, self.results)
    }

    fn doubts(&self) -> Vec<String> {
        warnings::doubts(self.plan, self.results)
    }

    fn files(&self) -> Vec<(&'static str, Vec<u8>)> {
        let GridReport { plan, results } = self;
        let mut files = vec![("organizations.csv", super::organizations::render(plan, results))];
        if plan.counting.quantiles {
            files.push(("histograms.hlog", histograms::render(plan, results)));
        }
        if let Some(timelines) = &results.timelines {
            files.push(("timeline.csv", timeline::csv::render(plan, timelines)));
            files.push(("timeline.svg", timeline::picture::render(plan, timelines)));
        }
        if plan.output.welch {
            let from = results.replications.first().map_or(Time::ZERO, |one| one.window.from);
            let welch = Welch::new(&results.welch, from);
            files.push(("warm-up.csv", welch.csv()));
            files.push(("warm-up.svg", welch.svg(plan)));
        }
        files
    }

    fn summary(&self, common: Common<'_>) -> Vec<u8> {
        common.with(json::summary(self.plan, self.results))
    }

    fn describe(&self, manifest: &mut Manifest) {
        manifest.of_grid(self.results);
    }
}
