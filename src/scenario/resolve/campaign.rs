//! Resolves a campaign: its sites and applications.

mod listed;

use std::sync::Arc;

use super::{Resolver, path};
use crate::path::Path;
use crate::plan::{Applications, Campaign};
use crate::raw;
use model::campaign::{Site, UNLIMITED};
use policy::tasks::{Executor, Rounding, TaskPlanned, TaskPlannerOptions};
use sim::clairvoyance::Clairvoyance;
use workload::applications::{ApplicationsModel, Options};

/// Remedy for a campaign without a planner.
const PLANNERS: &str = "say who plans the tasks: `task_planner.min_min = {}` for one; `gridpact list \
                        task-planners` shows all";

/// Rounding of Game-quick to site queues, as in its paper, where no class waits for another.
fn own_rounding(planned: &TaskPlanned, applications: &Applications) -> Option<Rounding> {
    let Applications::Listed(work) = applications else { return None };
    let is_bag = work.classes.iter().all(|class| class.after.is_empty());
    let is_game = matches!(planned.planner, TaskPlannerOptions::GameQuick(_));
    (is_bag && is_game && planned.executor == Executor::Whole).then_some(Rounding::Tasks)
}

impl Resolver<'_> {
    /// Resolves the campaign.
    pub(super) fn campaign(&mut self) -> Option<Campaign> {
        if matches!(self.raw.run.clairvoyance, Clairvoyance::None | Clairvoyance::Predicted(_)) {
            let help = "take `estimate`, by which planners know the expected times of tasks, or \
                        `runtime`, by which they know the true ones";
            let message = "task planners have to expect something of a task's time";
            self.help(path("run.clairvoyance"), message, help);
        }
        let sites = self.sites();
        let planned = self.task_planned(&sites);
        let applications = self.applications(&sites);
        let (mut planned, applications) = (planned?, applications?);
        self.deadlines(&planned, &applications);
        planned.rounding = planned.rounding.or_else(|| own_rounding(&planned, &applications));
        self.errors.is_empty().then(|| Campaign {
            sites: sites.into(),
            applications,
            planned,
            imports: std::mem::take(&mut self.imports),
        })
    }

    /// Returns what the clusters have and cost.
    fn sites(&self) -> Vec<Site> {
        let limit = |units: Option<f64>| units.map_or(UNLIMITED, millionths);
        let own = self.raw.organization.iter();
        let own = own.filter_map(|written| Some((written.cluster.as_ref()?, written.count)));
        let others = self.raw.cluster.iter().map(|written| (&written.kind, written.count));
        let sites = own.chain(others).filter_map(|(kind, count)| match kind {
            raw::ClusterKind::Site(site) => {
                let site = Site {
                    processors: site.processors,
                    price: millionths(site.price),
                    limits: [limit(site.storage), limit(site.memory)],
                };
                Some(std::iter::repeat_n(site, count as usize))
            }
            // They belong to others.
            raw::ClusterKind::SpaceShared(_) | raw::ClusterKind::TimeShared(_) => None,
        });
        sites.flatten().collect()
    }

    /// Returns the planner, and how its plans are played.
    fn task_planned(&mut self, sites: &[Site]) -> Option<TaskPlanned> {
        let raw = self.raw;
        let Some(planner) = &raw.task_planner else {
            self.help(Path::root(), "nobody plans the tasks of these applications", PLANNERS);
            return None;
        };
        let planning = raw.task_planning.clone().unwrap_or_default();
        self.valid(path("task_planner"), planner.check());
        let at = path("task_planning.executor");
        if planning.executor == Executor::Fluid {
            let is_limited = |site: &Site| site.limits.iter().any(|&limit| limit != UNLIMITED);
            if !planner.shares() {
                let message = format!("`{}` plans whole tasks, not shares", planner.name());
                let help = "leave it out, or take a planner that shares sites, as `game_quick`";
                self.help(at, message, help);
            } else if !planner.keeps_limits() && sites.iter().any(is_limited) {
                let message = format!("`{}` does not look at what sites can hold", planner.name());
                let help = "a fluid cannot wait for room: take `game_storage`, or leave the executor \
                            out, so that tasks wait";
                self.help(at, message, help);
            }
        }
        // Planners of whole tasks round nothing, so that they can be compared with those that do.
        if planning.rounding.is_some() && planning.executor == Executor::Fluid {
            let message = "a fluid has no whole tasks to which shares could be rounded";
            let help = "leave it out, or leave out the executor";
            self.help(path("task_planning.rounding"), message, help);
        }
        Some(TaskPlanned {
            planner: planner.clone(),
            executor: planning.executor,
            rounding: planning.rounding,
            asked: planning.replans,
            files: planning.files,
            pricing: planning.pricing,
        })
    }

    /// Returns the applications.
    fn applications(&mut self, sites: &[Site]) -> Option<Applications> {
        let drawn = match &self.raw.workload {
            Some(raw::GridWorkload::Applications(options)) => Some(&**options),
            _ => None,
        };
        match (drawn, self.raw.application.is_empty()) {
            (Some(options), true) => self.drawn_applications(options, sites),
            (None, false) => {
                let work = self.listed_applications(sites)?;
                Some(Applications::Listed(Arc::new(work)))
            }
            (Some(_), false) => {
                let message = "applications are listed and drawn, and a campaign has one of both";
                let help = "leave out one of them";
                self.contradiction(path("application"), message, &path("workload"), help);
                None
            }
            (None, true) => {
                let help = "write `[[application]]`, or draw them by `[workload.applications]`";
                self.help(path("task_planner"), "no application has tasks to plan", help);
                None
            }
        }
    }

    /// Checks that all applications have deadlines, if the planner goes by them.
    fn deadlines(&mut self, planned: &TaskPlanned, applications: &Applications) {
        if !planned.planner.needs_deadlines() {
            return;
        }
        let name = planned.planner.name();
        match applications {
            Applications::Drawn(model, _) if model.options().deadline.is_none() => {
                let message =
                    format!("`{name}` goes by deadlines, and these applications have none");
                let help = "write `deadline = 2.0`, a multiple of the least time of an application";
                self.help(path("workload.applications"), message, help);
            }
            Applications::Drawn(..) => {}
            Applications::Listed(_) => {
                let help = "write `deadline`, the time by which it should be done";
                for (index, written) in self.raw.application.iter().enumerate() {
                    let message =
                        format!("`{name}` goes by deadlines, and `{}` has none", written.name);
                    if written.deadline.is_none() {
                        self.help(path("application").index(index), message, help);
                    }
                }
            }
        }
    }

    fn drawn_applications(&mut self, options: &Options, sites: &[Site]) -> Option<Applications> {
        let at = path("workload.applications");
        let mut options = options.clone();
        let files = self.files_of(&at, options.files_mut());
        let owners = options.owners;
        let names: Vec<String> = self.clusters.iter().map(|one| one.name.clone()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let model = self.modelled(&at, &files, ApplicationsModel::new(options, &names))?;
        self.valid(at.clone(), model.check_limits(sites));
        if self.organizations.is_empty() {
            return None;
        }
        let owners = owners.table(self.organizations.len());
        let owners = self.valid(at.key("owners"), owners)?;
        Some(Applications::Drawn(Box::new(model), owners))
    }
}

/// An amount in millionths. The bounds of the keys keep it in range.
fn millionths(amount: f64) -> i64 {
    (amount * 1e6).round_ties_even() as i64
}
