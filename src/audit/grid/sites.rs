//! Sites in the order of their sizes, and the jobs that wait for them.

use std::collections::BTreeMap;

use super::{Asking, Site};
use model::foreign::Foreign;

/// The sites. A rank is a position in their order, by processors, then by index.
#[derive(Clone, Debug)]
pub(super) struct Sites {
    places: Vec<Place>,
    /// Rank of each site, by index.
    ranks: Vec<usize>,
    /// Ranks of the sites of each group, ascending.
    groups: Vec<Vec<usize>>,
    /// All waiting jobs, by id.
    waiting: BTreeMap<usize, Asking>,
}

/// A site.
#[derive(Clone, Debug)]
struct Place {
    index: usize,
    site: Site,
    idle: u32,
    /// Number of waiting jobs of its owner that may use it and are not wider than it.
    own: usize,
}

impl Sites {
    pub fn new(sites: &[Site], mut groups: Vec<Vec<usize>>) -> Sites {
        let place =
            |(index, &site): (usize, &Site)| Place { index, site, idle: site.processors, own: 0 };
        let mut places: Vec<Place> = sites.iter().enumerate().map(place).collect();
        places.sort_by_key(|place| (place.site.processors, place.index));
        let mut ranks = vec![0; places.len()];
        for (rank, place) in places.iter().enumerate() {
            ranks[place.index] = rank;
        }
        for group in &mut groups {
            group.iter_mut().for_each(|site| *site = ranks[*site]);
            group.sort_unstable();
            group.dedup();
        }
        Sites { places, ranks, groups, waiting: BTreeMap::new() }
    }

    /// Number of sites.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Ranks of the sites of each group, ascending.
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// True if any site takes others' jobs only at times.
    pub fn any_lends(&self) -> bool {
        self.places.iter().any(|place| place.site.foreign == Foreign::WhenNoneWaits)
    }

    /// Rank of a site, by index.
    pub fn rank(&self, site: usize) -> usize {
        self.ranks[site]
    }

    /// Processors of a site, by rank.
    pub fn processors(&self, rank: usize) -> u32 {
        self.places[rank].site.processors
    }

    /// Owner of a site, by rank.
    pub fn owner(&self, rank: usize) -> u32 {
        self.places[rank].site.owner
    }

    /// Idle processors of a site, by rank.
    pub fn idle(&self, rank: usize) -> u32 {
        self.places[rank].idle
    }

    /// Idle processors of a site, by index.
    pub fn idle_at(&self, site: usize) -> u32 {
        self.places[self.ranks[site]].idle
    }

    pub fn waiting(&self, id: usize) -> Option<&Asking> {
        self.waiting.get(&id)
    }

    pub fn all_waiting(&self) -> impl Iterator<Item = &Asking> {
        self.waiting.values()
    }

    /// Adds a waiting job; false if no site could ever run it.
    pub fn submit(&mut self, job: Asking) -> bool {
        let mut could = self.groups[job.group].iter().map(|&rank| self.processors(rank));
        if job.processors == 0 || !could.any(|processors| job.processors <= processors) {
            return false;
        }
        let before = self.waiting.insert(job.id, job);
        debug_assert!(before.is_none(), "job {} is submitted twice", job.id);
        self.count(&job, |own| own + 1);
        true
    }

    /// Gives processors of a site back.
    pub fn freed(&mut self, site: usize, processors: u32) {
        let place = &mut self.places[self.ranks[site]];
        place.idle = place.idle.saturating_add(processors).min(place.site.processors);
    }

    /// True if a site can start a job of its group now: it has the processors, and does not prefer
    /// a waiting job of its owner.
    pub fn takes(&self, rank: usize, processors: u32, owner: u32) -> bool {
        processors <= self.places[rank].idle && !self.prefers_own(rank, owner)
    }

    /// True if a site now takes no jobs of `owner`, who is not its own.
    fn prefers_own(&self, rank: usize, owner: u32) -> bool {
        let Place { site, own, .. } = &self.places[rank];
        owner != site.owner
            && match site.foreign {
                Foreign::Always => false,
                Foreign::WhenNoneWaits => *own > 0,
                Foreign::Never => true,
            }
    }

    /// Starts a waiting job on a site; returns the job's id and the site's index.
    pub fn start(&mut self, id: usize, rank: usize) -> (usize, usize) {
        let job = self.waiting.remove(&id).expect("only waiting jobs are on lists");
        self.count(&job, |own| own - 1);
        let place = &mut self.places[rank];
        place.idle -= job.processors;
        (id, place.index)
    }

    /// Counts a job at the sites of its owner that it could use.
    fn count(&mut self, job: &Asking, change: impl Fn(usize) -> usize) {
        for &rank in &self.groups[job.group] {
            let place = &mut self.places[rank];
            if place.site.owner == job.owner && job.processors <= place.site.processors {
                place.own = change(place.own);
            }
        }
    }

    /// Why a site cannot start a waiting job now, whatever its lists hold; for messages.
    pub fn hindrance(&self, site: usize, job: &Asking) -> Option<Hindrance> {
        let rank = self.ranks[site];
        let place = &self.places[rank];
        if !self.groups[job.group].contains(&rank) {
            return Some(Hindrance::Barred);
        }
        if job.processors > place.idle {
            return Some(Hindrance::Full { idle: place.idle });
        }
        if !self.prefers_own(rank, job.owner) {
            return None;
        }
        let could_use = |own: &&Asking| {
            own.owner == place.site.owner
                && own.processors <= place.site.processors
                && self.groups[own.group].contains(&rank)
        };
        match self.waiting.values().find(could_use) {
            Some(own) => Some(Hindrance::OwnWaits { own: own.id }),
            None => Some(Hindrance::Barred),
        }
    }
}

/// An obstacle to a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hindrance {
    /// The job may not use the site.
    Barred,
    /// The site has too few idle processors.
    Full { idle: u32 },
    /// A job of the site's owner waits.
    OwnWaits { own: usize },
}
