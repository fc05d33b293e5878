//! The clusters that jobs may use, and who places jobs there: the grid scheduler, the clusters' terms
//! for others' jobs, and jobs that name their clusters.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{MOST_USES, Resolver, organization, path};
use crate::diagnostics::show;
use crate::path::Path;
use crate::plan::{Cluster, Organization, WorkloadKind};
use crate::root::Root;
use kernel::time::Span;
use model::foreign::Foreign;
use model::ids::{ClusterId, OrganizationId, Uses};
use model::job::Job;
use model::recorded::Recorded;
use model::speed::Speed;
use policy::grid::GridOptions;
use policy::grid::fair::By;
use policy::plan::PlannerOptions;
use sim::phase::PhaseOrder;
use workload::bound::Binding;
use workload::jobs::ListSource;

impl Resolver<'_> {
    /// The name of the planner, or of a grid scheduler that starts jobs itself.
    pub(super) fn filler(&self) -> Option<&'static str> {
        if self.root == Root::Federation {
            // Its clusters have schedulers for those that are out.
            return None;
        }
        let planner = self.raw.planner.as_ref().map(PlannerOptions::name);
        let scheduler = self.raw.grid_scheduler.as_ref().filter(|scheduler| scheduler.starts());
        planner.or(scheduler.map(GridOptions::name))
    }

    /// Checks the planner, and that nothing contradicts it.
    pub(super) fn check_planner(&mut self) {
        let raw = self.raw;
        let Some(planner) = &raw.planner else {
            if raw.output.plans {
                let help = "choose a planner, such as `planner.ilba = {}`, or leave `plans` out";
                self.help(path("output.plans"), "there is no planner that makes plans", help);
            }
            if raw.planning.is_some() {
                let help = "choose one, such as `planner.ilba = {}`, or leave `planning` out";
                self.help(path("planning"), "there is no planner to be asked", help);
            }
            return;
        };
        let name = planner.name();
        self.valid(path("planner"), planner.check());
        if let Some(planning) = &raw.planning {
            self.valid(path("planning"), planning.check());
        }
        if let Some(scheduler) = &raw.grid_scheduler {
            let message = format!(
                "a planner and a grid scheduler, `{}`, cannot both place the jobs",
                scheduler.name()
            );
            let help = "leave out one of both";
            self.contradiction(path("grid_scheduler"), message, &path("planner"), help);
        }
        if raw.run.phase_order != PhaseOrder::Instant {
            let message =
                "a plan is for all jobs of an instant, and here each event is taken alone";
            let help = "leave `phase_order` out, or set it to `instant`";
            self.contradiction(path("run.phase_order"), message, &path("planner"), help);
        }
        let guarded = self.clusters.iter().find(|one| one.foreign == Foreign::WhenNoneWaits);
        if let Some(cluster) = guarded.map(|cluster| cluster.name.clone()) {
            let message =
                format!("a plan cannot know when jobs of the owner of `{}` wait", show(&cluster));
            let help =
                "set `foreign` to `always` or `never`: what is planned for a cluster runs there";
            let at = self.place_of_cluster(&cluster).key("space_shared").key("foreign");
            self.contradiction(at, message, &path("planner"), help);
        }
        self.check_filled(path("planner"), name, "");
    }

    /// Checks that jobs of others are under way nowhere where they may only start while none waits.
    pub(super) fn check_guests(&mut self) {
        let scheduler = self.raw.grid_scheduler.as_ref().filter(|one| one.delays());
        let costs = self.raw.coalition.as_ref().filter(|one| one.cost.delay > 0.0);
        let delay = match (scheduler, costs) {
            (Some(scheduler), _) => path("grid_scheduler").key(scheduler.name()).key("delay"),
            (None, Some(_)) => path("coalition.cost.delay"),
            (None, None) => return,
        };
        let guarded = self.clusters.iter().find(|one| one.foreign == Foreign::WhenNoneWaits);
        if let Some(cluster) = guarded.map(|cluster| cluster.name.clone()) {
            let message = format!(
                "a job under way cannot know whether jobs of the owner of `{}` wait when it arrives",
                show(&cluster)
            );
            let help = "leave out `delay`, or set `foreign` to `always` or `never`";
            let at = self.place_of_cluster(&cluster).key("space_shared").key("foreign");
            self.contradiction(at, message, &delay, help);
        }
    }

    /// Checks that whoever plans or bounds knows that clusters differ in speed.
    pub(super) fn check_speeds(&mut self) {
        let raw = self.raw;
        let other = self.clusters.iter().find(|cluster| cluster.speed() != Speed::ONE);
        let Some(name) = other.map(|cluster| cluster.name.clone()) else { return };
        let at = self.place_of_cluster(&name).key("space_shared").key("speed");
        if let Some(planner) = raw.planner.as_ref().filter(|planner| !planner.takes_speeds()) {
            let what = planner.name();
            let (message, help) = match planner.starts_from_another() {
                true => (
                    format!("the plan that `{what}` starts from is for clusters that are equally fast"),
                    format!("start from another, such as `planner.{what}.from.local = {{}}`"),
                ),
                false => (
                    format!("`{what}` is for clusters that are equally fast"),
                    "choose another planner, such as `local` or `shortest_first`, or leave `speed` out"
                        .to_owned(),
                ),
            };
            self.contradiction(at.clone(), message, &path("planner"), &help);
        }
        if raw.output.bounds {
            let message = "lower bounds are for clusters that are equally fast";
            let help = "leave out `speed` or `output.bounds`";
            self.contradiction(at, message, &path("output.bounds"), help);
        }
    }

    /// Checks that each cluster has somebody who starts its jobs.
    pub(super) fn check_grid_scheduler(&mut self) {
        let raw = self.raw;
        if self.root == Root::Federation {
            if let Some(scheduler) = &raw.grid_scheduler {
                self.valid(path("grid_scheduler"), scheduler.check());
            }
            self.check_bare("in a federation it starts the jobs of an owner that stays out");
            return;
        }
        let Some(scheduler) = &raw.grid_scheduler else {
            if raw.planner.is_none() {
                self.check_bare(
                    "or choose a grid scheduler that starts jobs: `grid_scheduler.list = {}`",
                );
            }
            return;
        };
        let name = scheduler.name();
        self.valid(path("grid_scheduler"), scheduler.check());
        if !scheduler.starts() {
            let help = format!(
                "`{name}` sends jobs to clusters that have one; `list`, `best_fit`, \
                 `fair`, `grid_submission` and `stealing` start jobs themselves"
            );
            self.check_bare(&help);
        } else {
            let instead = ", or choose a grid scheduler that sends jobs, such as `least_demand`";
            self.check_filled(path("grid_scheduler"), name, instead);
        }
    }

    /// Checks that the coalitions which a grid scheduler plays are few and last.
    pub(super) fn check_coalitions(&mut self) {
        let Some(GridOptions::Fair(options)) = &self.raw.grid_scheduler else { return };
        let (at, count) = (path("grid_scheduler.fair.by"), self.organizations.len());
        if self.root == Root::Federation && options.by == By::Shapley {
            let message =
                "`shapley` plays coalitions of its own beside the grid, and a federation is one";
            self.help(at, message, "take another rule, such as `contribution`");
        } else if count as u64 > options.most_organizations().into() {
            let most = options.most_organizations();
            let message = format!(
                "with {count} organizations, more than {most}, there are too many coalitions"
            );
            let help = match options.orders {
                0 if count <= 64 => "draw some of their orders, as in `orders = 100`",
                _ => "take another rule, such as `contribution`, which is close",
            };
            self.help(at, message, help);
        }
    }

    /// Checks that some cluster is left to who fills clusters.
    fn check_filled(&mut self, at: Path, name: &str, instead: &str) {
        if self.root == Root::Federation {
            return;
        }
        if !self.clusters.is_empty() && !self.clusters.iter().any(Cluster::is_bare) {
            let message = format!(
                "`{name}` fills clusters without a scheduler of their own, and there is none"
            );
            let help = format!("leave out `scheduler` of the clusters that it is to fill{instead}");
            self.help(at, message, help);
        }
    }

    /// Reports the clusters without a scheduler.
    fn check_bare(&mut self, help: &str) {
        let bare = self.clusters.iter().zip(0..).find(|(cluster, _)| cluster.is_bare());
        let Some(name) = bare.map(|(cluster, _)| cluster.name.clone()) else { return };
        let at = self.place_of_cluster(&name).key("space_shared");
        let message = format!("cluster `{}` has no scheduler", show(&name));
        self.help(at, message, format!("give it one, such as `scheduler.easy = {{}}`; {help}"));
    }

    /// Returns the place of a cluster's kind in the file.
    pub(super) fn place_of_cluster(&self, name: &str) -> Path {
        let is_it =
            |written: &str, count: u32| super::numbered(written, count).any(|one| one == name);
        let of_organization =
            self.raw.organization.iter().position(|written| {
                written.cluster.is_some() && is_it(&written.name, written.count)
            });
        if let Some(index) = of_organization {
            return organization(index).key("cluster");
        }
        let index = self.raw.cluster.iter().position(|one| is_it(&one.name, one.count));
        Path::root().key("cluster").index(index.unwrap_or(0)).key("kind")
    }

    /// Resolves the clusters that each organization may use: those named, else its own, else all. If
    /// there is a grid scheduler, those that are not named are all that it fills.
    pub(super) fn uses(&mut self) {
        let raw = self.raw;
        let all: Vec<ClusterId> = (0..self.clusters.len() as u32).map(ClusterId).collect();
        let mut own = vec![Vec::new(); self.organizations.len()];
        for (cluster, &id) in self.clusters.iter().zip(&all) {
            own[cluster.owner.index()].push(id);
        }
        let starts = self.filler().is_some();
        let is_federation = self.root == Root::Federation;
        let shared = raw.grid_scheduler.is_some() || raw.planner.is_some() || is_federation;
        let filled = all.iter().filter(|id| !starts || self.clusters[id.index()].is_bare());
        let all: Uses = filled.copied().collect();
        let named: Vec<Option<Uses>> = (raw.organization.iter().enumerate())
            .map(|(index, written)| {
                let names = written.uses.as_ref()?;
                let at = organization(index).key("uses");
                let clusters: Uses = self.known_clusters(names, at.clone())?.into();
                self.check_mixed(&clusters, at);
                Some(clusters)
            })
            .collect();
        let copies = raw.organization.iter().zip(&named).flat_map(|(written, named)| {
            std::iter::repeat_n(named.as_ref(), written.count as usize)
        });
        // Organizations of a grid-wide workload follow the declared ones.
        let mut copies: Vec<Option<&Uses>> = copies.collect();
        copies.resize(self.organizations.len(), None);
        let uses: Vec<Uses> = (copies.into_iter().zip(own))
            .map(|(named, own)| match named {
                Some(named) => Arc::clone(named),
                None if shared || own.is_empty() => Arc::clone(&all),
                None => own.into(),
            })
            .collect();
        let links = uses.iter().map(|uses| uses.len() as u64).sum::<u64>();
        if links > MOST_USES && !shared {
            self.help(
                path("organization"),
                format!(
                    "the organizations may use {links} clusters altogether, more than {MOST_USES}"
                ),
                "an organization without a cluster uses all of them: name a few with `uses`",
            );
            return;
        }
        let Some(uses) = self.open_to(uses) else {
            self.help(
                path("organization"),
                format!(
                    "the organizations with terms of their own may use more than {MOST_USES} clusters \
                     altogether"
                ),
                "each owner of a cluster whose `foreign` is not `always` has a list of clusters of its \
                 own: leave `foreign` out, or name a few clusters with `uses`",
            );
            return;
        };
        for (organization, uses) in self.organizations.iter_mut().zip(uses) {
            organization.uses = uses;
        }
        self.bindings();
    }

    /// Resolves the clusters that jobs are bound to by a draw each.
    fn bindings(&mut self) {
        let mut links = 0;
        for index in 0..self.organizations.len() {
            let Organization { ref uses, entry: Some(entry), .. } = self.organizations[index]
            else {
                continue;
            };
            let Some(options) = self.raw.organization[entry].bound else { continue };
            links += uses.len() as u64;
            let is_own = |id: &ClusterId| self.clusters[id.index()].owner.index() == index;
            let (mine, others) = uses.iter().partition(|id| is_own(id));
            let at = organization(entry).key("bound").key("own");
            let (has_own, binding) = (uses.iter().any(is_own), Binding::new(options, mine, others));
            let name = show(&self.organizations[index].name);
            match binding {
                _ if links > MOST_USES => {
                    let message =
                        format!("these jobs may be bound to more than {MOST_USES} clusters");
                    return self.help(at, message, "name a few clusters with `uses`");
                }
                Some(binding) => self.organizations[index].binding = Some(Arc::new(binding)),
                None if has_own => {
                    let message = format!("`{name}` may use no cluster of others");
                    let help = "name some with `uses`, or write `own = 1.0`";
                    return self.help(at, message, help);
                }
                None => {
                    let message = format!("`{name}` may use no cluster of its own");
                    return self.help(at, message, "give it a `cluster`, or write `own = 0.0`");
                }
            }
        }
    }

    /// Leaves out the clusters that never take others' jobs. `None` if the lists of organizations with
    /// terms of their own, which nobody shares, become too long.
    fn open_to(&self, uses: Vec<Uses>) -> Option<Vec<Uses>> {
        let is_closed = |id: &ClusterId| self.clusters[id.index()].foreign == Foreign::Never;
        let mut closed = vec![Vec::new(); self.organizations.len()];
        let mut has_terms = vec![false; self.organizations.len()];
        for (id, cluster) in (0..).map(ClusterId).zip(&self.clusters) {
            let owner = cluster.owner.index();
            if is_closed(&id) {
                closed[owner].push(id);
            }
            has_terms[owner] |= cluster.foreign != Foreign::Always;
        }
        if !has_terms.contains(&true) {
            return Some(uses);
        }
        let mut links = 0;
        // Organizations that own no such cluster share lists still. The others add their own to these.
        let mut known: FxHashMap<(*const ClusterId, usize), (Uses, bool)> = FxHashMap::default();
        let open = uses.iter().enumerate().map(|(index, list)| {
            let (open, is_sorted) = known.entry((list.as_ptr(), list.len())).or_insert_with(|| {
                (list.iter().filter(|id| !is_closed(id)).copied().collect(), list.is_sorted())
            });
            let own = &closed[index];
            if has_terms[index] {
                links += (open.len() + own.len()) as u64;
                if links > MOST_USES {
                    return None;
                }
            }
            if own.is_empty() {
                return Some(Arc::clone(open));
            }
            if *is_sorted {
                let own = own.iter().filter(|&id| list.binary_search(id).is_ok());
                let mut all: Vec<ClusterId> = open.iter().chain(own).copied().collect();
                all.sort_unstable();
                return Some(all.into());
            }
            let takes = |id: &&ClusterId| !is_closed(id) || own.contains(id);
            Some(list.iter().filter(takes).copied().collect())
        });
        open.collect()
    }

    /// Checks that a list does not name clusters that the grid scheduler fills beside others.
    fn check_mixed(&mut self, clusters: &[ClusterId], at: Path) {
        let Some(name) = self.filler() else { return };
        let bare = clusters.iter().position(|id| self.clusters[id.index()].is_bare());
        let queued = clusters.iter().position(|id| !self.clusters[id.index()].is_bare());
        let shown = |index: usize| show(&self.clusters[clusters[index].index()].name);
        match (bare, queued) {
            (Some(bare), Some(queued)) => {
                let message = format!(
                    "`{}` has a scheduler of its own, and `{name}` fills `{}`",
                    shown(queued),
                    shown(bare)
                );
                let help = "name clusters of one kind, or give all of them, or none, a scheduler";
                self.help(at.index(queued), message, help);
            }
            (None, Some(_)) if clusters.len() > 1 => {
                let message = format!(
                    "these clusters have schedulers of their own, and `{name}` places no jobs there"
                );
                let help = "name only one of them, to which the jobs then go";
                self.help(at, message, help);
            }
            _ => {}
        }
    }

    /// Binds the jobs that name clusters to these.
    pub(super) fn bind_jobs(&mut self) {
        let raw = self.raw;
        let mut next = 1;
        let mut bound: Vec<(u64, u64, Recorded)> = Vec::new();
        for (index, written) in raw.job.iter().enumerate() {
            let first = next;
            next += u64::from(written.count);
            let owner = self.by_name.get(&written.organization).copied();
            if let (Some(names), Some(owner)) = (&written.uses, owner) {
                let at = path("job").index(index).key("uses");
                let recorded = self.bind(owner, names, at).unwrap_or_default();
                bound.push((first, next, recorded));
            }
        }
        if bound.is_empty() {
            return;
        }
        let place = self.places.iter().position(|at| *at == path("job"));
        let kind = place.map(|place| &mut self.workloads[place].kind);
        if let Some(WorkloadKind::List(list)) = kind {
            let jobs = list.jobs().iter().map(|&job| {
                let after = bound.partition_point(|&(first, ..)| first <= job.number);
                match after.checked_sub(1).map(|index| bound[index]) {
                    Some((_, end, recorded)) if job.number < end => Job { recorded, ..job },
                    _ => job,
                }
            });
            *list = ListSource::new(jobs.collect());
        }
    }

    /// Returns the clusters that a job names, which its organization may use.
    fn bind(&mut self, owner: OrganizationId, names: &[String], at: Path) -> Option<Recorded> {
        let clusters = self.known_clusters(names, at.clone())?;
        if clusters.len() < names.len() {
            return None;
        }
        if clusters.is_empty() {
            let help = "name a cluster, or leave out `uses`";
            self.help(at, "this job may use no cluster", help);
            return None;
        }
        self.check_mixed(&clusters, at.clone());
        for (index, cluster) in clusters.iter().enumerate() {
            if self.organizations[owner.index()].uses.contains(cluster) {
                continue;
            }
            let Cluster { name, foreign, .. } = &self.clusters[cluster.index()];
            let owner = show(&self.organizations[owner.index()].name);
            let message = format!("`{owner}` may not use `{}`", show(name));
            let help = match foreign {
                Foreign::Never => "the cluster never takes others' jobs, by `foreign`".to_owned(),
                _ => format!("name it in `uses` of `{owner}`, or leave that out"),
            };
            self.help(at.clone().index(index), message, help);
        }
        Some(self.bound_to(owner, clusters, None))
    }

    /// Returns the record of a job that may use these clusters, with its recorded wait.
    pub(super) fn bound_to(
        &mut self,
        owner: OrganizationId,
        clusters: Vec<ClusterId>,
        wait: Option<Span>,
    ) -> Recorded {
        if let [only] = clusters[..] {
            return Recorded::new(wait, Some(only));
        }
        let known = self.lists.iter().position(|one| one.0 == owner && one.1[..] == clusters[..]);
        let number = known.unwrap_or_else(|| {
            self.lists.push((owner, clusters.into()));
            self.lists.len() - 1
        });
        Recorded::new(wait, None).among(number as u32)
    }
}
