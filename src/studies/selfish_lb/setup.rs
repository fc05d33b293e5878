//! A grid of the paper: its clusters, the actions of their owners, and the load balancer. It is written
//! as a scenario, whose rounds are played.

use serde::Serialize;
use toml::{Table, Value};

use crate::bench::plan_of;
use crate::played::Record;
use crate::{Bench, StudyError};
use game::stage::{Act, Terms};
use kernel::time::Span;
use policy::coalition::{BalancerOptions, averaging, bilb, none};
use policy::learn::{LearnerOptions, fixed, threshold};
use scenario::Overrides;
use scenario::plan::{Plan, World};
use sim::pool::{Balances, Rounds, Sends};
use workload::arrivals::Arrivals;
use workload::draw::Sizes;
use workload::rounding::{Rounding, RoundingOptions};
use workload::synthetic::SyntheticOptions;

/// Arrival rate of each cluster, in jobs per unit of time.
pub const RATE: f64 = 0.2;
/// Shape and scale of the job sizes of an overloaded cluster.
pub const OVERLOADED: f64 = 3.0;
/// Fixed action of a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Does {
    /// Joins on any terms.
    Joins,
    /// Joins at a level.
    Level(u32),
    /// Joins if its queue is longer than this, in units.
    Above(f64),
    /// Stays out.
    StaysOut,
}

impl Does {
    pub(super) fn act(self) -> Act {
        let span = |units| Span::from_units(units).expect("levels are far below the end of time");
        Act::In(match self {
            Does::Joins => Terms::ANY,
            Does::Level(level) => Terms::level(Span::units(i64::from(level))),
            Does::StaysOut => return Act::Out,
            Does::Above(queue) => Terms { level: None, above: Some(span(queue)) },
        })
    }

    /// The learner of a scenario that always does so.
    fn learner(self) -> LearnerOptions {
        let level = match self {
            Does::Level(level) => Some(f64::from(level)),
            Does::Above(queue) => {
                let above = Some(queue);
                return LearnerOptions::Threshold(threshold::Options {
                    above,
                    ..Default::default()
                });
            }
            Does::Joins | Does::StaysOut => None,
        };
        let probability = if self == Does::StaysOut { 0.0 } else { 1.0 };
        LearnerOptions::Fixed(fixed::Options { probability, level })
    }
}

/// Load balancer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// No balancing.
    Nothing,
    /// Averaging.
    Averaging,
    /// BILB.
    Bilb,
    /// BILB with the sender's bound as printed: the greater of two bounds.
    PrintedSender,
    /// BILB with the receiver's bound as printed, which leaves out the work it sent.
    PrintedReceiver,
}

/// A grid and the actions of its owners.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Number of clusters.
    pub clusters: usize,
    /// Shape and scale of the job sizes of a typical cluster.
    pub size: f64,
    /// Shape and scale of the job sizes of the first cluster.
    pub first: f64,
    /// True for gamma sizes, balanced in whole units; false for exponential ones, exact to the
    /// tick.
    pub whole: bool,
    /// True to balance work to the tick even though sizes are whole units.
    pub fractions: bool,
    /// True to round arrivals down to whole units; false for arrivals at any time, with whole
    /// sizes.
    pub floored: bool,
    /// True to round sizes up to whole units.
    pub rounded_up: bool,
    /// Minimum time between balancings, in units.
    pub least: f64,
    /// True to restrict averaging to balancing times that are multiples of 5 units apart.
    pub grid: bool,
    /// Load balancer.
    pub by: By,
    /// Action of typical clusters.
    pub typical: Does,
    /// Action of the first cluster.
    pub leader: Does,
    /// Rule for which own work is sent first.
    pub sends: Sends,
    /// Order of a balancing and the submissions of the same instant.
    pub balances: Balances,
    /// Length of a round, in units.
    pub period: u32,
    /// Independent or continuing rounds.
    ///
    /// In continuing rounds all jobs count, as there is no empty start to leave out.
    pub rounds: Rounds,
}

impl Setup {
    /// Equal clusters that all join, with averaging.
    pub fn equal(clusters: usize, size: f64) -> Setup {
        Setup {
            clusters,
            size,
            first: size,
            whole: true,
            fractions: false,
            floored: true,
            rounded_up: true,
            least: 5.0,
            grid: true,
            by: By::Averaging,
            typical: Does::Joins,
            leader: Does::Joins,
            sends: Sends::Tail,
            balances: Balances::default(),
            period: 1000,
            rounds: Rounds::Independent,
        }
    }

    /// Equal clusters except for an overloaded first one.
    pub fn mixed(clusters: usize, size: f64) -> Setup {
        Setup { first: OVERLOADED, ..Setup::equal(clusters, size) }
    }

    /// Switches to BILB, with all clusters at a level.
    #[must_use]
    pub fn levels(self, level: u32) -> Setup {
        let does = Does::Level(level);
        Setup { by: By::Bilb, typical: does, leader: does, ..self }
    }

    /// Sets the level of the first cluster.
    #[must_use]
    pub fn leader(self, level: u32) -> Setup {
        Setup { leader: Does::Level(level), ..self }
    }

    fn balancer(&self) -> BalancerOptions {
        let unit = (self.whole && !self.fractions).then_some(1.0);
        let least = self.least;
        let bilb = bilb::Options { unit, least, ..bilb::Options::default() };
        let averaging = averaging::Options::default();
        let grid = if self.grid { averaging.grid } else { 1.0 };
        match self.by {
            By::Nothing => BalancerOptions::None(none::Options::default()),
            By::Averaging => BalancerOptions::Averaging(averaging::Options { unit, least, grid }),
            By::Bilb => BalancerOptions::Bilb(bilb),
            By::PrintedSender => {
                BalancerOptions::Bilb(bilb::Options { printed_sender_bound: true, ..bilb })
            }
            By::PrintedReceiver => {
                BalancerOptions::Bilb(bilb::Options { printed_receiver_bound: true, ..bilb })
            }
        }
    }

    /// Jobs of a cluster: Poisson arrivals in whole units, and gamma sizes rounded up to whole
    /// units.
    fn jobs(&self, cluster: usize) -> SyntheticOptions {
        let size = if cluster == 0 { self.first } else { self.size };
        let arrivals = Arrivals::poisson(RATE);
        if !self.whole {
            return SyntheticOptions::new(arrivals, Sizes::exponential(size));
        }
        let size = Sizes::gamma(size, size);
        SyntheticOptions {
            rounding: RoundingOptions {
                arrivals: self.floored.then_some(Rounding::Floor),
                size: self.rounded_up.then_some(Rounding::Ceil),
            },
            ..SyntheticOptions::new(arrivals, size)
        }
    }

    /// Learners that do what its clusters do: of typical clusters, and of the first one.
    fn does(&self) -> [LearnerOptions; 2] {
        [self.typical, self.leader].map(Does::learner)
    }

    /// Its scenario, with the learners of typical clusters and of the first one.
    ///
    /// # Panics Never: all options are tables.
    pub fn scenario(&self, seed: u64, rounds: u64, learners: &[LearnerOptions; 2]) -> String {
        fn written(options: &impl Serialize) -> Value {
            Value::try_from(options).expect("options are tables")
        }
        let organization = |cluster: usize| {
            let learner = &learners[usize::from(cluster == 0)];
            Table::from_iter([
                ("name".to_owned(), name(cluster).into()),
                ("cluster".to_owned(), one("time_shared", Table::new())),
                ("learner".to_owned(), written(learner)),
                ("workload".to_owned(), one("synthetic", written(&self.jobs(cluster)))),
            ])
        };
        fn one(key: &str, value: impl Into<Value>) -> Value {
            Table::from_iter([(key.to_owned(), value.into())]).into()
        }
        let rounds_of = match self.rounds {
            Rounds::Independent => "independent",
            Rounds::Continuing => "continuing",
        };
        let window = match self.rounds {
            Rounds::Independent => vec![0.2, 0.8],
            Rounds::Continuing => vec![0.0, 1.0],
        };
        let mut coalition = Table::from_iter([
            ("period".to_owned(), f64::from(self.period).into()),
            ("window".to_owned(), window.into()),
            ("balancer".to_owned(), written(&self.balancer())),
            ("sends".to_owned(), written(&self.sends)),
            ("rounds".to_owned(), one(rounds_of, Table::new())),
        ]);
        if !self.balances.is_default() {
            coalition.insert("balances".to_owned(), written(&self.balances));
        }
        let organizations = (0..self.clusters).map(organization).collect::<Vec<Table>>();
        let mut scenario = Table::from_iter([
            ("name".to_owned(), format!("{} clusters of selfish-lb", self.clusters).into()),
            ("run".to_owned(), one("until", one("rounds", rounds as i64))),
            ("coalition".to_owned(), coalition.into()),
            ("organization".to_owned(), organizations.into()),
        ]);
        // Larger seeds cannot be written in a scenario; `--seed` takes them.
        if let Ok(seed) = i64::try_from(seed) {
            scenario.insert("seed".to_owned(), seed.into());
        }
        scenario.to_string()
    }

    /// Its record, with fixed actions.
    pub fn played(&self, bench: &Bench, rounds: u64) -> Record {
        let seed = bench.effort.seed;
        Record::new(self.scenario(seed, rounds, &self.does()), String::new(), (seed, 1), rounds)
    }

    /// The plan of its scenario, with the learners of typical clusters and of the first one.
    ///
    /// # Errors If the scenario cannot be played.
    pub fn plan(
        &self,
        seed: u64,
        rounds: u64,
        learners: &[LearnerOptions; 2],
    ) -> Result<Plan, StudyError> {
        let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
        // One reading of the paper moves whole units of work that comes at any time; a scenario that
        // says so is refused.
        let fractions = self.fractions || !self.floored;
        let readable = Setup { fractions, ..self.clone() };
        let mut plan = plan_of("setup", &readable.scenario(seed, rounds, learners), &overrides)?;
        if let World::Coalition(coalition) = &mut plan.world {
            coalition.balancer = self.balancer();
        }
        Ok(plan)
    }

    /// The same with its fixed actions.
    ///
    /// # Errors If the scenario cannot be played.
    pub fn fixed(&self, seed: u64, rounds: u64) -> Result<Plan, StudyError> {
        self.plan(seed, rounds, &self.does())
    }
}

/// Name of a cluster's owner.
pub(super) fn name(cluster: usize) -> String {
    format!("cluster-{}", cluster + 1)
}

pub(super) fn failed(error: impl std::fmt::Display) -> StudyError {
    StudyError(error.to_string())
}
