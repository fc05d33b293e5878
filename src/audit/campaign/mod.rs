//! Independent checker of campaigns: were all rules kept, given the records of what ran?
//!
//! The records are plain: sites, applications, classes and runs. Everything is recomputed from the
//! definitions, without code that planners or the simulator use. Replications are judged one by one,
//! and only one is in memory at a time.
//!
//! ```
//! use gridpact_audit::campaign::{
//!     ApplicationFacts, Auditor, CampaignFacts, ClassFacts, Mode, RunFacts, SiteFacts, WorldFacts,
//! };
//! use kernel::time::{Span, Time};
//!
//! let at = |unit: i64| Time::ZERO + Span::units(unit);
//! let site = SiteFacts { name: "farm".into(), processors: 2, price: 0, limits: [None; 2] };
//! let world = WorldFacts {
//!         organizations: vec!["physics".into()],
//!         sites: vec![site],
//!         mode: Mode::Whole,
//!         keeps_files: false,
//!         second_price: false,
//!         games: vec![],
//!     };
//! let application = ApplicationFacts {
//!     name: "a1".into(),
//!     owner: 0,
//!     submit: at(0),
//!     deadline: None,
//!     finish: Some(at(6)),
//!     cost: None,
//! };
//! let class = ClassFacts {
//!     name: "c1".into(),
//!     application: 0,
//!     tasks: 4,
//!     after: vec![],
//!     needs: [0; 2],
//!     output: 0,
//!     times: vec![Some(Span::units(3))],
//!     ready: Some(at(0)),
//!     start: Some(at(0)),
//!     finish: Some(at(6)),
//!     expected: Some(at(6)),
//! };
//! let run =
//!     RunFacts { class: 0, site: 0, processors: 2.0, tasks: 4.0, start: at(0), finish: at(6) };
//! let mut campaign = CampaignFacts {
//!     replication: 0,
//!     applications: vec![application],
//!     classes: vec![class],
//!     runs: vec![run],
//!     stages: vec![],
//!     end: None,
//!     costs: None,
//!     figures: None,
//! };
//! let mut auditor = Auditor::new(&world);
//! auditor.add(&campaign);
//! assert!(auditor.finish().passed());
//!
//! campaign.runs[0].processors = 4.0; // more than there are, and too long for it
//! let mut auditor = Auditor::new(&world);
//! auditor.add(&campaign);
//! let report = auditor.finish();
//! assert_eq!(
//!     report.check("capacity").unwrap().violations[0].to_string(),
//!     "farm: class c1 of application a1 starts at 0, so that 4 of 2 processors are in use",
//! );
//! ```

mod classes;
mod costs;
mod facts;
mod figures;
mod files;
mod found;
mod runs;
mod stages;
mod sweep;

#[cfg(test)]
mod tests;

pub use facts::{
    ApplicationFacts, CampaignFacts, ClassFacts, Figures, GameFacts, HELD, Mode, RunFacts,
    SiteFacts, StageFacts, WorldFacts,
};

use super::report::{Check, Report, Violation};
use classes::Classes;
use kernel::time::Time;
use runs::Runs;
use sweep::Sweep;

/// Checks every rule of campaigns that are added one by one.
pub struct Auditor<'a> {
    world: &'a WorldFacts,
    runs: Runs,
    classes: Classes,
    sweep: Sweep,
    costs: Check,
    figures: Check,
    stages: Check,
}

/// The numbers of a campaign by its runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Recomputed {
    /// Its figures.
    pub figures: Figures,
    /// Cost of each organization, in millionths times ticks, that is, 10^-12 of the unit of prices.
    pub costs: Vec<i128>,
}

impl<'a> Auditor<'a> {
    /// Audits campaigns in this world.
    pub fn new(world: &'a WorldFacts) -> Auditor<'a> {
        Auditor {
            world,
            runs: Runs::new(),
            classes: Classes::new(),
            sweep: Sweep::new(),
            costs: costs::check(),
            figures: figures::check(),
            stages: stages::check(),
        }
    }

    /// Checks a campaign and returns its numbers by the runs; `None` if its records cannot be used,
    /// which the report says. O(classes + precedences + runs · log runs).
    pub fn add(&mut self, facts: &CampaignFacts) -> Option<Recomputed> {
        let world = self.world;
        if !self.runs.world(world, facts) {
            return None;
        }
        let usable = self.runs.usable(world, facts);
        let found = found::found(world, facts, &usable);
        for (run, _) in facts.runs.iter().zip(&usable).filter(|&(_, &usable)| usable) {
            self.runs.run(world, facts, run, &found);
        }
        self.classes.check(facts, &found);
        let stays = files::stays(world, facts, &found);
        self.sweep.check(world, facts, &usable, &stays);
        let costs = costs::costs(world, facts, &usable, &mut self.costs);
        let mut figures = figures::figures(facts, &found);
        figures.footprint = files::footprint(facts, &stays, &usable);
        figures::compare(facts, &figures, &mut self.figures);
        stages::compare(world, facts, &mut self.stages);
        Some(Recomputed { figures, costs })
    }

    /// Ends the audit and returns the report.
    pub fn finish(self) -> Report {
        let Runs { records, sites, lengths, precedence } = self.runs;
        let (Classes { tasks, times }, Sweep { capacity, limits }) = (self.classes, self.sweep);
        let (costs, figures, stages) = (self.costs, self.figures, self.stages);
        Report {
            checks: vec![
                records, sites, lengths, precedence, tasks, capacity, limits, times, costs,
                figures, stages,
            ],
        }
    }
}

/// Checks all campaigns; an [`Auditor`] does the same without holding them all.
pub fn audit<'a>(
    world: &WorldFacts,
    campaigns: impl IntoIterator<Item = &'a CampaignFacts>,
) -> Report {
    let mut auditor = Auditor::new(world);
    campaigns.into_iter().for_each(|campaign| {
        auditor.add(campaign);
    });
    auditor.finish()
}

/// A violation on a site, if one is involved.
fn violation(
    facts: &CampaignFacts,
    site: Option<&String>,
    time: Option<Time>,
    text: String,
) -> Violation {
    Violation {
        replication: facts.replication,
        round: None,
        cluster: site.cloned(),
        jobs: Vec::new(),
        time,
        text,
    }
}
