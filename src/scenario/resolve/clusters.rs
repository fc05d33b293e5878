//! Resolves clusters: who owns them, what they have, and whether their schedulers can work.

use super::names::numbered;
use super::{Resolver, organization, path};
use crate::diagnostics::show;
use crate::path::Path;
use crate::plan::{Cluster, ClusterKind};
use crate::raw;
use crate::root::Root;
use model::foreign::Foreign;
use model::ids::{ClusterId, OrganizationId};
use model::machine::Machine;
use model::speed::Speed;
use policy::local::LocalOptions;
use sim::clairvoyance::Clairvoyance;

impl Resolver<'_> {
    pub(super) fn clusters(&mut self) {
        let mut id = 0;
        for (index, written) in self.raw.organization.iter().enumerate() {
            for _ in 0..written.count {
                if let Some(kind) = &written.cluster {
                    let name = self.organizations[id as usize].name.clone();
                    let at = organization(index).key("cluster");
                    self.add_cluster(name, OrganizationId(id), kind, at);
                }
                id += 1;
            }
        }
        for (index, written) in self.raw.cluster.iter().enumerate() {
            let at = Path::root().key("cluster").index(index);
            let Some(owner) = self.known_organization(&written.owner, at.clone().key("owner"))
            else {
                continue;
            };
            for name in numbered(&written.name, written.count) {
                self.check_name(&name, &at.clone().key("name"));
                if self.cluster_by_name.contains_key(&name) {
                    let message = format!("there are two clusters called `{}`", show(&name));
                    let help = "an organization's own cluster has the organization's name";
                    self.help(at.clone().key("name"), message, help);
                }
                self.add_cluster(name, owner, &written.kind, at.clone().key("kind"));
            }
        }
        if self.clusters.is_empty() && self.errors.is_empty() {
            let (message, help) = match (self.root, self.filler()) {
                (Root::Campaign, _) => (
                    "the campaign has no site",
                    "give an organization one: `cluster.site = { processors = 64 }`",
                ),
                (_, Some(_)) => (
                    "the grid has no cluster",
                    "give an organization one: `cluster.space_shared = { processors = 64 }`",
                ),
                (_, None) => (
                    "the grid has no cluster",
                    "give an organization one: `cluster.space_shared = { processors = 64, \
                     scheduler.easy = {} }` or `cluster.time_shared = {}`",
                ),
            };
            self.help(Path::root(), message, help);
        }
    }

    pub(super) fn add_cluster(
        &mut self,
        name: String,
        owner: OrganizationId,
        kind: &raw::ClusterKind,
        at: Path,
    ) {
        let foreign = match kind {
            raw::ClusterKind::SpaceShared(space) => space.foreign,
            raw::ClusterKind::TimeShared(_) | raw::ClusterKind::Site(_) => Foreign::default(),
        };
        self.shares.push(match kind {
            raw::ClusterKind::SpaceShared(space) => space.share,
            raw::ClusterKind::TimeShared(_) | raw::ClusterKind::Site(_) => None,
        });
        let kind = match kind {
            raw::ClusterKind::TimeShared(time) => {
                let at = at.key("time_shared").key("processors");
                ClusterKind::TimeShared { processors: self.processors(time.processors, at) }
            }
            // What it has and costs is the campaign's.
            raw::ClusterKind::Site(site) => ClusterKind::SpaceShared {
                machine: Machine {
                    speed: Speed::new(site.speed).unwrap_or_default(),
                    ..Machine::new(site.processors)
                },
                scheduler: None,
            },
            raw::ClusterKind::SpaceShared(space) => {
                let at = at.key("space_shared");
                let mut scheduler = space.scheduler.clone();
                let command = scheduler.as_mut().and_then(LocalOptions::command);
                let of_scheduler = at.clone().key("scheduler");
                self.place_command(self.files, &of_scheduler, command);
                if let Some(scheduler) = &scheduler {
                    self.valid(of_scheduler, scheduler.check());
                }
                let at = at.key("processors");
                ClusterKind::SpaceShared {
                    machine: Machine {
                        speed: Speed::new(space.speed).unwrap_or_default(),
                        kill_at_estimate: space.kill_at_estimate,
                        ..Machine::new(self.processors(space.processors, at))
                    },
                    scheduler,
                }
            }
        };
        let id = ClusterId(self.clusters.len() as u32);
        self.cluster_by_name.insert(name.clone(), id);
        self.clusters.push(Cluster { name, owner, kind, foreign });
    }

    /// Checks that whoever needs expected runtimes has them.
    pub(super) fn check_sight(&mut self) {
        let raw = self.raw;
        if raw.run.clairvoyance != Clairvoyance::None {
            return;
        }
        let of_cluster = self.clusters.iter().find_map(|cluster| {
            let who = format!("scheduler `{}` of cluster `{}`", cluster.expects()?, cluster.name);
            let at = self.place_of_cluster(&cluster.name).key("space_shared").key("scheduler");
            Some((who, at, "use `fcfs` or `list`"))
        });
        let of_planner = raw.planner.as_ref().map(|planner| {
            let who = format!("planner `{}`", planner.name());
            (who, path("planner"), "leave the planner out")
        });
        let of_grid = raw.grid_scheduler.as_ref().filter(|one| one.needs_expected()).map(|one| {
            let who = format!("grid scheduler `{}`", one.name());
            (who, path("grid_scheduler"), "choose another order")
        });
        if let Some((who, other, instead)) = of_cluster.or(of_planner).or(of_grid) {
            let message = format!("the {who} needs expected runtimes, and this run gives none");
            let help = format!(
                "set `run.clairvoyance` to `estimate`, `predicted` or `runtime`, or {instead}"
            );
            self.contradiction(path("run.clairvoyance"), message, &other, help);
        }
    }
}
