//! The report of a campaign.

pub mod entry;
mod picture;
mod table;
mod words;

pub use words::{head, imports};

use self::entry::CampaignEntry;
use crate::files::figures;
use crate::files::{Manifest, Timing};
use crate::picture::Picture;
use crate::table::{Brief, Format, Table};
use crate::world::Report;
use findings::Findings;
use findings::campaign::Campaigned;
use findings::known::Known;
use scenario::plan::{CampaignPlan, Plan};
use stats::shown::{Times, counted, figure, seconds};

/// The report of a campaign.
#[derive(Debug)]
pub struct CampaignReport<'a> {
    /// The plan that ran.
    pub plan: CampaignPlan<'a>,
    /// Its results.
    pub found: &'a Campaigned,
}

impl Report for CampaignReport<'_> {
    fn findings(&self) -> &dyn Findings {
        self.found
    }

    fn world(&self) -> &'static str {
        "campaign"
    }

    fn head(&self, _: Times) -> Vec<String> {
        vec![words::head(self.plan)]
    }

    fn table(&self, format: Format) -> Table {
        match format.is_for_people() {
            true => table::summary(self.found, format),
            false => figures::table(self.found),
        }
    }

    fn brief(&self) -> Brief {
        let table = self.table(Format::Markdown);
        let things = vec![1; table.len() - 1];
        Brief::new(table, ["organization", "organizations"], things, 1)
    }

    fn statements(&self, _: Times) -> Vec<String> {
        let sample = self.found.sample();
        let mut sentences: Vec<String> = sample.known.iter().map(Known::line).collect();
        sentences.extend(words::found(self.found));
        sentences
    }

    fn imports(&self, _: &Plan) -> Vec<String> {
        words::imports(self.plan)
    }

    fn cost(&self, timing: &Timing) -> String {
        format!(
            "simulated {} in {} ({} events per second)",
            counted(timing.jobs, "application", "applications"),
            seconds(timing.run_seconds),
            figure((timing.wakes as f64 / timing.run_seconds.max(1e-9)).round())
        )
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings: Vec<String> =
            self.found.sample().known.iter().filter_map(Known::warning).collect();
        warnings.extend(words::warnings(self.plan, self.found));
        warnings
    }

    fn pictures(&self) -> Vec<(&'static str, Picture)> {
        let by_cost = self.plan.campaign.planned.planner.needs_deadlines();
        let chart = picture::chart(&self.plan.plan.title(), self.found, by_cost);
        chart.map(|chart| ("stages", Picture::Chart(chart))).into_iter().collect()
    }

    fn describe(&self, manifest: &mut Manifest) {
        manifest.campaign = Some(CampaignEntry::new(self.plan));
    }
}
