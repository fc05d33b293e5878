//! Fair sharing: whenever processors are free, one organization starts its next job that fits; which
//! one is said by what all have had, or have given.
//!
//! Clusters are filled one after the other, the smallest first. On each, as long as a waiting job
//! fits, the organization that is first starts the job that it submitted first of those that fit. Of
//! equal organizations that one is first whose job was submitted first.
//!
//! Sources: Skowron and Rzadca, "Non-monetary fair scheduling: a cooperative game theory approach",
//! SPAA 2013, and "Fair share is not enough", PPAM 2013, for sequential jobs on equal processors: here
//! a job counts once for each of its processors. The network of favours is that of OurGrid: Andrade,
//! Brasileiro, Cirne and Mowbray, "Automatic grid assembly by promoting collaboration in peer-to-peer
//! grids", JPDC 67(8), 2007.

use std::collections::BTreeMap;

use rand::RngExt as _;
use serde::{Deserialize, Serialize};

use super::hall::{Hall, Rank};
use super::shadows::Shadows;
use super::tally::{Tally, worth};
use super::{GridScheduler, Placement, Setup, Sites};
use kernel::rng::Rng;
use kernel::state::{Corrupt, State, put, take};
use kernel::time::{Span, TICKS_PER_UNIT, Time};
use model::bounds::{Bounds, parameters};
use model::ids::{ClusterId, JobId, OrganizationId};
use model::invalid::Invalid;
use model::view::Submission;

parameters! {
    /// Parameters of fair sharing.
    #[serde(default)]
    pub struct Options {
        /// The rule that says which organization is first.
        by: By = By::Share,
        /// Random orders of the organizations that stand for all orders in `shapley`; 0 takes all, which
        /// works for up to 8 organizations.
        orders: u32 as ORDERS = 0,
    }
    where sampled
}

/// Credit for a processor.
const CREDIT: i64 = 1 << 20;

/// Numbers of random orders.
const ORDERS: Bounds<'_> = Bounds::of("").unit("a whole number").from(0.0).to(1000.0);

impl Options {
    fn sampled(&self) -> Result<(), Invalid> {
        match self.orders > 0 && self.by != By::Shapley {
            true => Err(Invalid::new(
                "orders",
                "only `by = \"shapley\"` draws orders: leave `orders` out".to_owned(),
            )),
            false => Ok(()),
        }
    }

    /// True if it draws at random.
    pub fn draws(&self) -> bool {
        self.by == By::Contribution || self.orders > 0
    }

    /// The most organizations that it can work with.
    pub fn most_organizations(&self) -> u32 {
        match (self.by, self.orders) {
            (By::Shapley, 0) => 8,
            (By::Shapley, _) => 64,
            _ => u32::MAX,
        }
    }
}

/// The organization that is first.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Fair share: the least used processor time for each processor that it owns.
    #[default]
    Share,
    /// The fewest processors in use for each that it owns.
    Current,
    /// The least utility for each processor that it owns. A tick of processor time is worth the time
    /// that has passed since, so an organization gains nothing if it splits, joins or delays its jobs.
    Utility,
    /// DIRECTCONTR: the largest difference between the utility of the time that its own processors
    /// worked and that of its jobs. Free processors are taken in random order.
    Contribution,
    /// The network of favours: the owner of the processors; then whoever gave the owner most processor
    /// time, less what it got from it, but never less than nothing.
    Favors,
    /// The next in turn.
    RoundRobin,
    /// An auction of each start. Credit is at first as the processors that it owns. Each bids half of its
    /// credit; the highest bid wins and pays the second highest to the owner of the processors (Vickrey,
    /// Counterspeculation, auctions, and competitive sealed tenders, Journal of Finance 16(1), 1961).
    Auction,
    /// REF: the largest difference between its Shapley value and the utility of its jobs. The value is
    /// by what each coalition of organizations would have reached by itself, which is played beside, with
    /// the runtimes that clairvoyance tells. With `orders`, RAND: by the coalitions in these orders, each
    /// of which starts jobs as they were submitted.
    Shapley,
}

/// Everything that organizations had and gave so far.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    by: By,
    owners: Vec<OrganizationId>,
    /// Processors by owner.
    owned: Vec<i128>,
    /// By organization: its jobs, and the jobs on its processors.
    pub used: Vec<Tally>,
    lent: Vec<Tally>,
    /// By owner and other organization: jobs of the other on the owner's processors.
    favors: BTreeMap<(OrganizationId, OrganizationId), Tally>,
    last: Option<OrganizationId>,
    /// By organization: what it can bid with.
    credit: Vec<i64>,
    /// Jobs that run: organization, cluster and processors.
    running: BTreeMap<JobId, (OrganizationId, ClusterId, u32)>,
    /// By organization: what it is owed, as a Shapley value times `scale`.
    owed: Vec<i128>,
    scale: i128,
    draws: Rng,
}

impl Memory {
    fn new(options: &Options, setup: &Setup<'_>) -> Memory {
        let count = setup.organizations as usize;
        let mut owned = vec![0; count];
        for site in setup.sites {
            if let Some(owned) = owned.get_mut(site.owner.index()) {
                *owned += i128::from(site.processors);
            }
        }
        let credit = owned.iter().map(|&owned| owned as i64 * CREDIT).collect();
        Memory {
            by: options.by,
            owners: setup.sites.iter().map(|site| site.owner).collect(),
            owned,
            used: vec![Tally::default(); count],
            lent: vec![Tally::default(); count],
            favors: BTreeMap::new(),
            last: None,
            credit,
            running: BTreeMap::new(),
            owed: vec![0; count],
            scale: 1,
            draws: setup.streams.stream("grid_scheduler/processor"),
        }
    }

    /// A job starts, or ends if `sign` is negative.
    fn change(&mut self, job: (OrganizationId, ClusterId, u32), sign: i128, now: Time) {
        let (organization, cluster, processors) = job;
        let (owner, change) = (self.owners[cluster.index()], sign * i128::from(processors));
        self.used[organization.index()].change(change, now);
        if let Some(lent) = self.lent.get_mut(owner.index()) {
            lent.change(change, now);
        }
        if self.by == By::Favors && owner != organization {
            self.favors.entry((owner, organization)).or_default().change(change, now);
        }
    }

    /// The highest bid pays the second highest for a start.
    fn pay(&mut self, cluster: ClusterId, first: OrganizationId, second: Option<OrganizationId>) {
        let price = match second {
            Some(second) if self.by == By::Auction => self.credit[second.index()] / 2,
            _ => return,
        };
        self.credit[first.index()] -= price;
        if let Some(credit) = self.credit.get_mut(self.owners[cluster.index()].index()) {
            *credit += price;
        }
    }

    fn rank(&self, cluster: ClusterId, organization: OrganizationId, now: Time) -> Rank {
        let index = organization.index();
        let (used, owned) = (self.used[index].at(now), self.owned[index]);
        match self.by {
            By::Share => Rank::over(used.used, owned),
            By::Current => Rank::over(used.running, owned),
            By::Utility => Rank::over(used.utility, owned),
            By::Contribution => Rank::of(used.utility - self.lent[index].at(now).utility),
            By::Favors => {
                let owner = self.owners[cluster.index()];
                let given = |from, to| self.favors.get(&(from, to)).map_or(0, |it| it.at(now).used);
                match owner == organization {
                    true => Rank::of(i128::MIN),
                    false => {
                        Rank::of(-(given(organization, owner) - given(owner, organization)).max(0))
                    }
                }
            }
            By::Auction => Rank::of(-i128::from(self.credit[index])),
            By::RoundRobin => Rank::over(index as i128, i128::from(Some(organization) > self.last)),
            By::Shapley => {
                Rank::of(used.utility.saturating_mul(self.scale).saturating_sub(self.owed[index]))
            }
        }
    }
}

/// The scheduler.
#[derive(Clone, Debug)]
pub struct Fair {
    hall: Hall,
    memory: Memory,
    shadows: Option<Box<Shadows>>,
}

impl Fair {
    /// No jobs.
    ///
    /// # Panics
    /// If there are more organizations than [`Options::most_organizations`]; such a scenario is
    /// rejected when it is checked.
    pub fn new(options: &Options, setup: &Setup<'_>) -> Fair {
        assert!(setup.organizations <= options.most_organizations(), "too many coalitions");
        let shadows = || Box::new(Shadows::new(options.orders, setup));
        Fair {
            hall: Hall::new(setup),
            memory: Memory::new(options, setup),
            shadows: (options.by == By::Shapley).then(shadows),
        }
    }

    /// Goes on with what another has seen of the same organizations and clusters.
    pub(super) fn remembers(&mut self, before: Fair) {
        if self.shadows.is_none() {
            self.memory = before.memory;
        }
    }
}

impl GridScheduler for Fair {
    type Sees = Submission;

    fn submit(&mut self, Submission { job, expected }: Submission, group: u32, now: Time) {
        self.hall.submit(job.id, job.processors, group, job.organization);
        if let Some(shadows) = &mut self.shadows {
            shadows.submit(&job, expected.expect("a run has a length of every job"), group, now);
        }
    }

    fn freed(&mut self, cluster: ClusterId, idle: u32) {
        self.hall.freed(cluster, idle);
    }

    fn ended(&mut self, job: JobId, now: Time) {
        if let Some(job) = self.memory.running.remove(&job) {
            self.memory.change(job, -1, now);
        }
    }

    fn utilities(&self, now: Time) -> Vec<f64> {
        let tallies = || self.memory.used.iter().map(|one| one.at(now));
        let used = tallies().map(|one| one.used).sum::<i128>() as f64 * TICKS_PER_UNIT as f64;
        tallies().filter(|_| used > 0.0).map(|one| one.utility as f64 / used).collect()
    }

    fn decide(&mut self, now: Time, sites: &impl Sites, out: &mut Vec<Placement>) {
        let memory = &mut self.memory;
        if let Some(shadows) = &mut self.shadows {
            (memory.owed, memory.scale) = shadows.owed(worth(&memory.used, now), now);
        }
        self.hall.decide(
            memory,
            sites,
            out,
            |memory, hall, left| {
                if memory.by != By::Contribution {
                    return 0;
                }
                let idle = |&cluster: &ClusterId| u64::from(hall.idle(cluster));
                let mut drawn = memory.draws.random_range(0..left.iter().map(idle).sum());
                let is_there = |cluster| match drawn.checked_sub(idle(cluster)) {
                    Some(rest) => {
                        drawn = rest;
                        false
                    }
                    None => true,
                };
                left.iter().position(is_there).unwrap_or(0)
            },
            |memory, cluster, organization| memory.rank(cluster, organization, now),
            |memory, job, cluster, found, out| {
                let one = (found.organization, cluster, found.processors);
                memory.running.insert(job, one);
                memory.change(one, 1, now);
                memory.last = Some(found.organization);
                memory.pay(cluster, found.organization, found.second);
                out.push(Placement::Start { job, cluster, delay: Span::ZERO });
            },
        );
    }
}

impl State for Fair {
    fn save(&self, out: &mut Vec<u8>) {
        self.hall.save(out);
        let Memory { used, lent, favors, last, credit, running, draws, .. } = &self.memory;
        let favors: Vec<_> = favors.iter().collect();
        put(&(used, lent, favors, last, credit, running, draws), out);
        if let Some(shadows) = &self.shadows {
            shadows.save(out);
        }
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        self.hall.load(from)?;
        let Memory { used, lent, favors, last, credit, running, draws, owners, .. } =
            &mut self.memory;
        let (organizations, clusters) = (used.len(), owners.len());
        let listed: Vec<((OrganizationId, OrganizationId), Tally)>;
        (*used, *lent, listed, *last, *credit, *running, *draws) = take(from)?;
        *favors = listed.into_iter().collect();
        let knows = |&(organization, cluster, _): &(OrganizationId, ClusterId, u32)| {
            organization.index() < organizations && cluster.index() < clusters
        };
        let fits = [used.len(), lent.len(), credit.len()] == [organizations; 3];
        if !fits || !running.values().all(knows) {
            return Err(Corrupt::Content("another number of organizations".to_owned()));
        }
        match &mut self.shadows {
            Some(shadows) => shadows.load(from),
            None => Ok(()),
        }
    }
}
