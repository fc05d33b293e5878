//! Rejects grid features in a coalition, which is simulated as a world of its own.

use super::super::{Resolver, organization, path};
use crate::diagnostics::show;
use crate::path::Path;
use crate::raw;
use model::ids::OrganizationId;
use sim::clairvoyance::Clairvoyance;
use sim::phase::PhaseOrder;

impl Resolver<'_> {
    /// Rejects settings that belong to a grid.
    pub(super) fn only_one_world(&mut self) {
        let raw = self.raw;
        for (index, written) in raw.organization.iter().enumerate() {
            if let Some(kind) = &written.cluster {
                self.divides(kind, organization(index).key("cluster"));
            }
            if written.uses.is_some() {
                self.help(
                    organization(index).key("uses"),
                    "in a coalition the balancer says whose cluster does the work",
                    "leave out `uses`: an organization's jobs come to its own cluster",
                );
            }
        }
        for (index, written) in raw.cluster.iter().enumerate() {
            self.divides(&written.kind, path("cluster").index(index).key("kind"));
        }
        self.one_cluster_each();
        self.own_jobs_only();
        self.no_grid_settings();
    }

    /// Rejects clusters whose load cannot be divided.
    fn divides(&mut self, kind: &raw::ClusterKind, at: Path) {
        let raw::ClusterKind::SpaceShared(space) = kind else { return };
        let help = format!(
            "write `time_shared = {{ processors = {} }}`, where a job's processors times its \
             runtime is load that can be divided, or leave out `[coalition]`",
            space.processors
        );
        let message = "a coalition balances divisible load, and this cluster runs rigid jobs";
        self.help(at.key("space_shared"), message, help);
    }

    /// Checks that every organization has exactly one cluster.
    fn one_cluster_each(&mut self) {
        let mut owned = vec![0_u32; self.organizations.len()];
        let raw = self.raw;
        let mut first = 0;
        for written in &raw.organization {
            let copies = first..first + written.count as usize;
            first = copies.end;
            owned[copies].fill(written.cluster.is_some().into());
        }
        for (index, written) in raw.cluster.iter().enumerate() {
            let Some(owner) = self.by_name.get(&written.owner).map(|id| id.index()) else {
                continue;
            };
            owned[owner] = owned[owner].saturating_add(written.count);
            if owned[owner] > 1 {
                self.help(
                    path("cluster").index(index).key("owner"),
                    format!("`{}` has {} clusters", show(&written.owner), owned[owner]),
                    "in a coalition every organization has one: give this to another, or make \
                     one of them with more processors",
                );
            }
        }
        let without = owned.iter().position(|&count| count == 0);
        let without = without.filter(|&index| index < first);
        if let Some(index) = without {
            let entry = self.entry_of(OrganizationId(index as u32));
            self.help(
                organization(entry).key("cluster"),
                format!("`{}` has no cluster", show(&self.organizations[index].name)),
                "in a coalition every organization has one: `cluster.time_shared = {}`",
            );
        }
    }

    /// Checks that every organization brings its own jobs.
    fn own_jobs_only(&mut self) {
        let help = "give each organization a `workload` of its own";
        match &self.raw.workload {
            Some(raw::GridWorkload::Swf(_)) => {
                let message = "the users of a trace have no clusters whose load could be balanced";
                self.help(path("workload.swf"), message, help);
            }
            Some(raw::GridWorkload::Shared(_)) => {
                let message = "in a coalition every organization has a stream of jobs of its own, \
                               and this one belongs to all";
                self.help(path("workload.shared"), message, help);
            }
            Some(raw::GridWorkload::Jobs(_) | raw::GridWorkload::Applications(_)) | None => {}
        }
        for index in 0..self.raw.organization.len() {
            let at = organization(index).key("workload").key("swf").key("partitions");
            if self.is_written(&at) {
                let message = "in a coalition all jobs of an organization come to its own cluster";
                self.help(at, message, "leave out `partitions`");
            }
            for model in ["synthetic", "lublin_feitelson"] {
                let at = organization(index).key("workload").key(model).key("estimates");
                if self.is_written(&at) {
                    let message = "in a coalition nobody asks how long jobs are said to run";
                    self.help(at, message, "leave out `estimates`");
                }
            }
        }
    }

    /// Rejects scheduler settings, and counting rules other than the window.
    fn no_grid_settings(&mut self) {
        let (run, output) = (&self.raw.run, &self.raw.output);
        if run.clairvoyance != Clairvoyance::default() {
            let message = "no scheduler of a coalition expects anything of a job";
            self.help(path("run.clairvoyance"), message, "leave it out");
        }
        if run.phase_order != PhaseOrder::default() {
            let message = "the order of phases is for comparisons of grids";
            self.help(path("run.phase_order"), message, "leave it out");
        }
        if run.never_runs != raw::NeverRuns::default() {
            let message = "in a coalition no job is rejected";
            let help = "leave it out; a cluster that is too small needs more `processors`";
            self.help(path("run.never_runs"), message, help);
        }
        let counts = "what counts in a coalition is a part of every round";
        let help = "leave it out, and see `coalition.window`";
        if output.warm_up != raw::WarmUp::default() {
            self.help(path("output.warm_up"), counts, help);
        }
        if output.cool_down != 0.0 {
            self.help(path("output.cool_down"), counts, help);
        }
        if self.is_written(&path("output.tau")) {
            let message = "no slowdown is measured in a coalition";
            self.help(path("output.tau"), message, "leave it out");
        }
    }
}
