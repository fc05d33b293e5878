//! Idle processors of the clusters, as each group of jobs may use them.
//!
//! A cluster that takes others' jobs only while none of its owner's waits has no idle processors for
//! other groups meanwhile.

use super::chain::Chain;
use super::idle::Idle;
use super::{Group, Setup, Site};
use kernel::state::{Corrupt, State, put, take};
use model::foreign::Foreign;
use model::ids::ClusterId;

/// A cluster's place in the chain of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seat {
    pub group: u32,
    pub place: u32,
}

/// The clusters of all groups.
#[derive(Clone, Debug)]
pub(super) struct Places {
    sites: Vec<Site>,
    groups: Vec<Group>,
    chains: Vec<Chain>,
    /// Idle processors by group and place.
    rows: Vec<Idle>,
    /// Idle processors by cluster.
    idle: Vec<u32>,
    /// Processors that jobs hold.
    busy: u64,
    /// Seats of all clusters, one cluster after the other, and where each cluster's begin.
    seats: Vec<Seat>,
    begins: Vec<u32>,
    /// Order of each cluster by size, over all clusters.
    ranks: Vec<u32>,
    guard: Option<Box<Guard>>,
}

/// The clusters that take others' jobs only while none of the owner's waits.
#[derive(Clone, Debug)]
struct Guard {
    /// By group: the guarded clusters whose owner owns its jobs.
    own: Vec<Vec<ClusterId>>,
    /// By cluster: the number of groups of the owner of which a job waits that fits on it.
    waiting: Vec<u32>,
    /// By group: the smallest size of its waiting jobs; the maximum if none waits.
    smallest: Vec<u32>,
}

impl Places {
    /// All clusters idle.
    pub fn new(setup: &Setup<'_>) -> Places {
        let Setup { sites, groups, .. } = *setup;
        let chains: Vec<Chain> = groups.iter().map(|group| Chain::new(group, sites)).collect();
        let mut by_cluster: Vec<Vec<Seat>> = vec![Vec::new(); sites.len()];
        for (group, chain) in (0..).zip(&chains) {
            for (place, cluster) in (0..).zip(chain.clusters()) {
                by_cluster[cluster.index()].push(Seat { group, place });
            }
        }
        let mut begins = vec![0];
        begins.extend(by_cluster.iter().scan(0, |sum, seats| {
            *sum += seats.len() as u32;
            Some(*sum)
        }));
        let mut order: Vec<u32> = (0..sites.len() as u32).collect();
        order.sort_by_key(|&cluster| (sites[cluster as usize].processors, cluster));
        let mut ranks = vec![0; sites.len()];
        for (rank, &cluster) in (0..).zip(&order) {
            ranks[cluster as usize] = rank;
        }
        let guards = |site: &Site| site.foreign == Foreign::WhenNoneWaits;
        let guard = sites.iter().any(guards).then(|| {
            let own = groups.iter().map(|group| {
                let own = group.clusters.iter().copied().filter(|cluster| {
                    let site = &sites[cluster.index()];
                    guards(site) && group.owner == Some(site.owner)
                });
                own.collect()
            });
            let (waiting, smallest) = (vec![0; sites.len()], vec![u32::MAX; groups.len()]);
            Box::new(Guard { own: own.collect(), waiting, smallest })
        });
        let rows = chains.iter().map(|chain| Idle::new(chain.clusters().len())).collect();
        let mut places = Places {
            sites: sites.to_vec(),
            groups: groups.to_vec(),
            chains,
            rows,
            idle: sites.iter().map(|site| site.processors).collect(),
            busy: 0,
            seats: by_cluster.into_iter().flatten().collect(),
            begins,
            ranks,
            guard,
        };
        places.show_all();
        places
    }

    /// Keeps the clusters of each group sorted by idle processors.
    pub fn sort(&mut self) {
        for (row, chain) in self.rows.iter_mut().zip(&self.chains) {
            row.sort(chain.clusters().len());
        }
    }

    /// Returns the number of groups.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Returns the clusters of a group.
    #[inline]
    pub fn chain(&self, group: u32) -> &Chain {
        &self.chains[group as usize]
    }

    /// Returns the idle processors of a group's clusters.
    #[inline]
    pub fn row(&self, group: u32) -> &Idle {
        &self.rows[group as usize]
    }

    /// Returns the idle processors of a cluster, whoever may use them now.
    #[inline]
    pub fn idle(&self, cluster: ClusterId) -> u32 {
        self.idle[cluster.index()]
    }

    /// Returns the seats of a cluster.
    #[inline]
    pub fn seats(&self, cluster: ClusterId) -> &[Seat] {
        let [from, to] =
            [cluster.index(), cluster.index() + 1].map(|one| self.begins[one] as usize);
        &self.seats[from..to]
    }

    /// Returns the order of a cluster by size among all clusters.
    #[inline]
    pub fn rank(&self, cluster: ClusterId) -> u32 {
        self.ranks[cluster.index()]
    }

    /// Returns true if no job holds a processor.
    pub fn is_idle(&self) -> bool {
        self.busy == 0
    }

    /// Sets the idle processors of a cluster where jobs ended, or of which others hold some.
    #[inline]
    pub fn freed(&mut self, cluster: ClusterId, idle: u32) {
        self.busy = self.busy + u64::from(self.idle[cluster.index()]) - u64::from(idle);
        self.idle[cluster.index()] = idle;
        self.show(cluster);
    }

    /// Takes idle processors of a cluster.
    #[inline]
    pub fn take(&mut self, cluster: ClusterId, processors: u32) {
        self.busy += u64::from(processors);
        self.idle[cluster.index()] -= processors;
        self.show(cluster);
    }

    /// Returns true if a cluster takes others' jobs only at times.
    #[inline]
    pub fn is_guarded(&self) -> bool {
        self.guard.is_some()
    }

    /// Tells of which size the smallest waiting job of a group is now. Pushes onto `opened` the
    /// clusters that now take others' jobs again.
    #[inline]
    pub fn waits(&mut self, group: u32, smallest: Option<u32>, opened: &mut Vec<ClusterId>) {
        let now = smallest.unwrap_or(u32::MAX);
        let Some(guard) = &mut self.guard else { return };
        let before = std::mem::replace(&mut guard.smallest[group as usize], now);
        let mut changed = Vec::new();
        for &cluster in &guard.own[group as usize] {
            let processors = self.sites[cluster.index()].processors;
            let waiting = &mut guard.waiting[cluster.index()];
            match (before <= processors, now <= processors) {
                (false, true) => {
                    *waiting += 1;
                    if *waiting == 1 {
                        changed.push(cluster);
                    }
                }
                (true, false) => {
                    *waiting -= 1;
                    if *waiting == 0 {
                        changed.push(cluster);
                        opened.push(cluster);
                    }
                }
                _ => {}
            }
        }
        changed.into_iter().for_each(|cluster| self.show(cluster));
    }

    /// Shows the idle processors of a cluster to the groups that may use it now.
    #[inline]
    fn show(&mut self, cluster: ClusterId) {
        let [from, to] =
            [cluster.index(), cluster.index() + 1].map(|one| self.begins[one] as usize);
        let closed = self.guard.as_ref().is_some_and(|guard| guard.waiting[cluster.index()] > 0);
        for seat in &self.seats[from..to] {
            let is_own = !closed
                || self.groups[seat.group as usize].owner
                    == Some(self.sites[cluster.index()].owner);
            let idle = if is_own { self.idle[cluster.index()] } else { 0 };
            self.rows[seat.group as usize].set(seat.place as usize, idle);
        }
    }

    fn show_all(&mut self) {
        (0..self.sites.len() as u32).for_each(|cluster| self.show(ClusterId(cluster)));
    }
}

/// The clusters closed to others follow from the waiting jobs; whoever loads these tells it.
impl State for Places {
    fn save(&self, out: &mut Vec<u8>) {
        put(&self.idle, out);
    }
    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        let idle: Vec<u32> = take(from)?;
        let fits = idle.len() == self.sites.len()
            && idle.iter().zip(&self.sites).all(|(&idle, site)| idle <= site.processors);
        if !fits {
            return Err(Corrupt::Content("idle processors of other clusters".to_owned()));
        }
        let held = |(&idle, site): (&u32, &Site)| u64::from(site.processors - idle);
        self.busy = idle.iter().zip(&self.sites).map(held).sum();
        self.idle = idle;
        self.show_all();
        Ok(())
    }
}
