//! Clusters that jobs may go to: directly to a cluster's own scheduler, or through the grid scheduler
//! in a group of jobs that may use the same clusters.

use rustc_hash::FxHashMap;

use model::foreign::Foreign;
use model::ids::{ClusterId, OrganizationId, Uses};
use model::speed::Speed;
use policy::grid::Group;

/// Destination of the jobs of an organization, or of a list of clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Nowhere.
    Nowhere,
    /// To this cluster's own scheduler.
    Direct(ClusterId),
    /// To the grid scheduler, if they need at most so many processors.
    Grid {
        /// Their group.
        group: u32,
        /// Processors of the largest of its clusters.
        widest: u32,
    },
}

/// A cluster as those see it who place jobs: its owner, the owner's terms, its speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The organization that owns it.
    pub owner: OrganizationId,
    /// Its terms for others' jobs.
    pub foreign: Foreign,
    /// Speed of its processors.
    pub speed: Speed,
}

/// Numbers the groups of jobs that may use the same clusters.
pub(super) struct Groups<'a> {
    terms: &'a [Terms],
    processors: &'a [u32],
    /// True for each cluster that the grid scheduler fills.
    is_bare: &'a [bool],
    starts: bool,
    /// True if others' jobs come to a cluster through the grid scheduler even if they may use no other.
    pub holds_others: bool,
    /// By owner: the clusters that take others' jobs only while none of the owner's waits.
    guarded: FxHashMap<OrganizationId, Vec<ClusterId>>,
    pub groups: Vec<Group>,
    by_clusters: FxHashMap<Group, u32>,
    /// By the place of a shared list in memory, which is looked up only. The lists are kept, so that no
    /// other list comes to that place.
    by_list: FxHashMap<(*const ClusterId, usize, Option<OrganizationId>), (Access, Uses)>,
}

impl<'a> Groups<'a> {
    pub fn new(
        terms: &'a [Terms],
        processors: &'a [u32],
        is_bare: &'a [bool],
        starts: bool,
    ) -> Groups<'a> {
        let (groups, by_clusters) = (Vec::new(), FxHashMap::default());
        let by_list = FxHashMap::default();
        let mut guarded: FxHashMap<OrganizationId, Vec<ClusterId>> = FxHashMap::default();
        for (cluster, terms) in (0..).map(ClusterId).zip(terms) {
            if terms.foreign == Foreign::WhenNoneWaits {
                guarded.entry(terms.owner).or_default().push(cluster);
            }
        }
        let holds_others = false;
        Groups {
            terms,
            processors,
            is_bare,
            starts,
            holds_others,
            guarded,
            groups,
            by_clusters,
            by_list,
        }
    }

    /// Destination of the jobs of an organization that may use some clusters.
    pub fn access(&mut self, organization: OrganizationId, uses: &Uses) -> Access {
        let guards = |cluster: &ClusterId| {
            self.holds_others || self.terms[cluster.index()].foreign == Foreign::WhenNoneWaits
        };
        let owns = |cluster: &ClusterId| self.terms[cluster.index()].owner == organization;
        // Who owns none is found without reading the list, which many organizations may share.
        let own = self.guarded.get(&organization);
        let is_owner = own.is_some_and(|own| own.iter().any(|cluster| uses.contains(cluster)));
        let owner = is_owner.then_some(organization);
        let key = (uses.as_ptr(), uses.len(), owner);
        if let Some(known) = self.by_list.get(&key) {
            return known.0;
        }
        let is_bare = |cluster: &ClusterId| self.is_bare[cluster.index()];
        let of_the_grid = |cluster: &&ClusterId| is_bare(cluster) == self.starts;
        let clusters: Vec<ClusterId> = uses.iter().filter(of_the_grid).copied().collect();
        let others = uses.iter().find(|cluster| !is_bare(cluster));
        let access = match (&clusters[..], others) {
            (&[only], _) if !self.starts && (!guards(&only) || owns(&only)) => Access::Direct(only),
            ([], Some(&other)) => Access::Direct(other),
            ([], None) => Access::Nowhere,
            _ => self.group(Group { clusters, owner }),
        };
        self.by_list.insert(key, (access, Uses::clone(uses)));
        access
    }

    fn group(&mut self, group: Group) -> Access {
        let processors = group.clusters.iter().map(|cluster| self.processors[cluster.index()]);
        let widest = processors.max().unwrap_or(0);
        let next = self.groups.len() as u32;
        let number = *self.by_clusters.entry(group.clone()).or_insert(next);
        if number == next {
            self.groups.push(group);
        }
        Access::Grid { group: number, widest }
    }
}
