//! Keys of other worlds in a campaign, and keys of a campaign in other worlds.

use super::super::{Resolver, organization, path};
use crate::path::Path;
use crate::raw;
use sim::clairvoyance::Clairvoyance;

/// Keys that belong to grids of jobs or to coalitions, with what is said of them.
const OF_OTHERS: [(&str, &str); 18] = [
    ("coalition", "a coalition balances load, and a campaign has applications"),
    ("grid_scheduler", "the task planner says where tasks run"),
    ("planner", "a planner of jobs has no jobs here; the task planner plans"),
    ("planning", "a planner of jobs has no jobs here; `task_planning` is the task planner's"),
    ("job", "a campaign has applications in place of jobs"),
    ("run.phase_order", "a campaign has one order of the events of an instant"),
    ("run.never_runs", "a class that can run nowhere is an error"),
    ("output.decisions", "a campaign has no local schedulers whose decisions could be told"),
    ("output.plans", "plans of jobs are not made; `runs.csv` tells what ran where"),
    ("output.histograms", "a campaign keeps no histograms"),
    ("output.timeline", "a campaign records no timeline"),
    ("output.welch", "Welch's plot is of the flow times of jobs"),
    ("output.windows", "a campaign keeps no histograms"),
    ("output.alone", "sites have no owner's jobs that could run alone"),
    ("output.warm_up", "all applications of a campaign count"),
    ("output.cool_down", "all applications of a campaign count"),
    ("output.tau", "a campaign has no slowdown"),
    ("run.until.jobs", "a campaign ends when it is drained, or at a time"),
];

/// Keys that only a campaign has.
const OF_CAMPAIGNS: [(&str, &str); 1] = [("task_planning", "no task planner is asked")];

impl Resolver<'_> {
    /// Rejects keys of other worlds.
    pub(super) fn no_other_world(&mut self) {
        for (key, message) in OF_OTHERS {
            let at = path(key);
            if self.is_written(&at) {
                self.help(at, message, "leave it out");
            }
        }
        for index in 0..self.raw.organization.len() {
            let keys = [
                ("workload", "a campaign has applications in place of jobs"),
                ("uses", "where tasks may run is said by their `times` and `weights`"),
            ];
            for (key, message) in keys {
                let at = organization(index).key(key);
                if self.is_written(&at) {
                    self.help(at, message, "leave it out");
                }
            }
        }
        match &self.raw.workload {
            None | Some(raw::GridWorkload::Applications(_)) => {}
            Some(_) => {
                let help = "leave it out, or draw applications by `[workload.applications]`";
                self.help(path("workload"), "a campaign has applications in place of jobs", help);
            }
        }
        if matches!(self.raw.run.clairvoyance, Clairvoyance::None | Clairvoyance::Predicted(_)) {
            let help = "take `estimate`, by which planners know the expected times of tasks, or \
                        `runtime`, by which they know the true ones";
            let message = "task planners have to expect something of a task's time";
            self.help(path("run.clairvoyance"), message, help);
        }
    }

    /// Rejects keys of campaigns in other worlds.
    pub(super) fn without_campaign(&mut self) {
        let help = "write `task_planner` and `[[application]]`, or leave it out";
        for (key, message) in OF_CAMPAIGNS {
            let at = path(key);
            if self.is_written(&at) {
                self.help(at, message, help);
            }
        }
        let raw = self.raw;
        let own =
            raw.organization.iter().enumerate().map(|(index, written)| {
                (written.cluster.as_ref(), organization(index).key("cluster"))
            });
        let others = raw.cluster.iter().enumerate().map(|(index, written)| {
            (Some(&written.kind), path("cluster").index(index).key("kind"))
        });
        let is_site =
            |kind: Option<&raw::ClusterKind>| matches!(kind, Some(raw::ClusterKind::Site(_)));
        let sites: Vec<Path> =
            own.chain(others).filter(|(kind, _)| is_site(*kind)).map(|(_, at)| at).collect();
        for at in sites {
            let message = "a site runs tasks of applications, and this scenario has none";
            let help = "write `space_shared` for jobs, or `task_planner` and `[[application]]`";
            self.help(at.key("site"), message, help);
        }
    }
}
