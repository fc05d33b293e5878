//! The paper's grids, played on the pool: round by round with fixed acts, or by learners.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use crate::game::stage::{Act, Outcome, StageGame, Terms, Wanted};
use crate::kernel::rng::Streams;
use crate::kernel::time::Span;
use crate::model::ids::OrganizationId;
use crate::policy::coalition::{AnyBalancer, BalancerOptions, averaging, bilb, none};
use crate::policy::learn::{LearnerOptions, Stance};
use crate::sim::mean_field::{FixedPoint, Search, fixed_point};
use crate::sim::pool::{
    AsLoad, Balancing, Loads, PoolGame, PoolObserver, Presence, Rounds, Season, Sends,
};
use crate::sim::repeated::{Played, Repeated, RoundObserver};
use crate::state_of_fields;
use crate::study::sample::Sample;
use crate::study::{Bench, StudyError};
use crate::workload::arrivals::Arrivals;
use crate::workload::rounding::{Rounding, RoundingOptions};
use crate::workload::sizes::{GammaSizes, Sizes};
use crate::workload::synthetic::{Synthetic, SyntheticModel, SyntheticOptions};

/// Jobs that come per unit of time to each cluster.
pub const RATE: f64 = 0.2;
/// The shape and scale of an overloaded cluster's sizes.
pub const OVERLOADED: f64 = 3.0;
/// Rounds that are played in one go by one thread.
const BLOCK: u64 = 25;

/// What a cluster does in every round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Does {
    /// It takes part on any terms.
    Joins,
    /// It takes part at a level.
    Level(u32),
    /// It takes part where its queue is longer than this.
    Above(f64),
}

impl Does {
    fn act(self) -> Act {
        let span = |units| Span::from_units(units).expect("levels are far below the end of time");
        Act::In(match self {
            Does::Joins => Terms::ANY,
            Does::Level(level) => Terms::level(Span::units(i64::from(level))),
            Does::Above(queue) => Terms { level: None, above: Some(span(queue)) },
        })
    }
}

/// How load is balanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Not at all.
    Nothing,
    /// Averaging.
    Averaging,
    /// BILB.
    Bilb,
    /// BILB with the greater of the two bounds of a sender, as it is printed.
    PrintedSender,
    /// BILB with a receiver's bound that leaves out what it sent, as it is printed.
    PrintedReceiver,
}

/// A grid and what its owners do.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Clusters.
    pub clusters: usize,
    /// Shape and scale of the sizes of a typical cluster.
    pub size: f64,
    /// Shape and scale of the sizes of the first cluster.
    pub first: f64,
    /// True where sizes are whole units and balanced in such; false: exponential, to the tick.
    pub whole: bool,
    /// True where work is balanced to the tick, although sizes are whole units.
    pub fractions: bool,
    /// How load is balanced.
    pub by: By,
    /// What typical clusters do.
    pub typical: Does,
    /// What the first cluster does.
    pub leader: Does,
    /// Which own work is sent first.
    pub sends: Sends,
    /// Whether jobs of the instant of a balancing are part of it.
    pub submit_first: bool,
    /// How long a round is.
    pub period: u32,
    /// How rounds follow each other. All jobs count of those that continue, which have no empty
    /// start to leave out.
    pub rounds: Rounds,
}

impl Setup {
    /// Equal clusters that all take part in averaging.
    pub fn equal(clusters: usize, size: f64) -> Setup {
        Setup {
            clusters,
            size,
            first: size,
            whole: true,
            fractions: false,
            by: By::Averaging,
            typical: Does::Joins,
            leader: Does::Joins,
            sends: Sends::Tail,
            submit_first: true,
            period: 1000,
            rounds: Rounds::Independent,
        }
    }

    /// The same with an overloaded first cluster.
    pub fn mixed(clusters: usize, size: f64) -> Setup {
        Setup { first: OVERLOADED, ..Setup::equal(clusters, size) }
    }

    /// The same under BILB, all at a level.
    #[must_use]
    pub fn levels(self, level: u32) -> Setup {
        let does = Does::Level(level);
        Setup { by: By::Bilb, typical: does, leader: does, ..self }
    }

    /// The same with another level of the first cluster.
    #[must_use]
    pub fn leader(self, level: u32) -> Setup {
        Setup { leader: Does::Level(level), ..self }
    }

    fn balancer(&self) -> BalancerOptions {
        let unit = (self.whole && !self.fractions).then_some(1.0);
        let bilb = bilb::Options { unit, ..bilb::Options::default() };
        match self.by {
            By::Nothing => BalancerOptions::None(none::Options::default()),
            By::Averaging => {
                BalancerOptions::Averaging(averaging::Options { unit, ..Default::default() })
            }
            By::Bilb => BalancerOptions::Bilb(bilb),
            By::PrintedSender => {
                BalancerOptions::Bilb(bilb::Options { printed_sender_bound: true, ..bilb })
            }
            By::PrintedReceiver => {
                BalancerOptions::Bilb(bilb::Options { printed_receiver_bound: true, ..bilb })
            }
        }
    }

    /// The jobs of a cluster: Poisson arrivals, in whole units, and gamma sizes rounded up to such.
    fn jobs(&self, cluster: usize) -> SyntheticOptions {
        let size = if cluster == 0 { self.first } else { self.size };
        let arrivals = Arrivals::Poisson { rate: RATE };
        if !self.whole {
            return SyntheticOptions::new(arrivals, Sizes::Exponential { mean: size });
        }
        let size = Sizes::Gamma(GammaSizes { shape: size, scale: size });
        SyntheticOptions {
            rounding: RoundingOptions {
                arrivals: Some(Rounding::Floor),
                size: Some(Rounding::Ceil),
            },
            ..SyntheticOptions::new(arrivals, size)
        }
    }

    /// The grid, before its first round.
    pub fn game<O: PoolObserver>(&self, seed: u64, watch: O) -> Result<Game<O>, StudyError> {
        let streams = Streams::new(seed);
        let loads = (0..self.clusters).map(|cluster| {
            let model = SyntheticModel::new(self.jobs(cluster)).map_err(failed)?;
            let number = cluster as u32;
            let name = format!("organization/{}", name(cluster));
            let source =
                Synthetic::of(Arc::new(model), &name, number, OrganizationId(number), &streams);
            let unit = if self.whole { Span::UNIT } else { Span::TICK };
            Ok(Loads::new(source, AsLoad { processors: 1, unit }))
        });
        let loads: Vec<_> = loads.collect::<Result<_, StudyError>>()?;
        let balancer = self.balancer();
        let balancing = Balancing {
            unit: balancer.unit(),
            spacing: balancer.spacing(),
            sends: self.sends,
            submit_first: self.submit_first,
        };
        let period = Span::units(i64::from(self.period));
        let tenths = |count: i64| Span::from_ticks(period.ticks() / 10 * count);
        let window = match self.rounds {
            Rounds::Independent => tenths(2)..tenths(8),
            Rounds::Continuing => Span::ZERO..period,
        };
        let season = Season { period, window, rounds: self.rounds };
        let presence = vec![Presence::default(); self.clusters];
        PoolGame::new(loads, presence, balancer.build(), balancing, season, streams, watch)
            .map_err(failed)
    }
}

/// The paper's grid as a stage game.
pub type Game<O> = PoolGame<Synthetic, AnyBalancer, O>;

/// The name of a cluster's owner.
fn name(cluster: usize) -> String {
    format!("cluster-{}", cluster + 1)
}

fn failed(error: impl std::fmt::Display) -> StudyError {
    StudyError(error.to_string())
}

/// What a round was to a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seat {
    /// Its score.
    pub score: f64,
    /// Its jobs that count.
    pub jobs: f64,
    /// Work that it sent, in units.
    pub sent: f64,
    /// Work that it received.
    pub received: f64,
    /// The flow time of its jobs that count.
    pub flow: f64,
    /// The same, had it been alone.
    pub alone: f64,
}

/// The rounds of a grid.
#[derive(Clone, Debug)]
pub struct Scores {
    clusters: usize,
    seats: Vec<Seat>,
}

impl Scores {
    /// The scores of some of the clusters.
    pub fn of(&self, clusters: std::ops::Range<usize>) -> Sample {
        self.figures(|seat| seat.score).of(clusters)
    }

    /// The scores of all clusters.
    pub fn all(&self) -> Sample {
        self.of(0..self.clusters)
    }

    /// The scores of all but the first.
    pub fn typical(&self) -> Sample {
        self.of(1..self.clusters)
    }

    /// The scores of the first.
    pub fn first(&self) -> Sample {
        self.of(0..1)
    }

    /// Another figure of all clusters.
    pub fn figures(&self, of: impl Fn(&Seat) -> f64) -> Sample {
        Sample::new(self.clusters, self.seats.iter().map(of).collect())
    }
}

/// What was played before, by setup.
#[derive(Debug, Default)]
pub struct Shelf(Mutex<BTreeMap<String, Arc<Scores>>>);

/// Plays each setup for as many rounds as the bench asks for; those that were played before are
/// not played again.
///
/// # Errors
/// When a world cannot go on.
pub fn scores(bench: &Bench, setups: &[Setup]) -> Result<Vec<Arc<Scores>>, StudyError> {
    let key = |setup: &Setup| format!("{setup:?}");
    let shelf = || bench.shelf.0.lock().expect("nobody panics with it");
    let mut fresh: BTreeMap<String, &Setup> =
        setups.iter().map(|setup| (key(setup), setup)).collect();
    fresh.retain(|key, _| !shelf().contains_key(key));
    let rounds = u64::from(bench.effort.rounds);
    let blocks: Vec<(usize, &Setup, u64)> = fresh
        .values()
        .enumerate()
        .flat_map(|(number, setup)| {
            (0..rounds.div_ceil(BLOCK)).map(move |block| (number, *setup, block * BLOCK))
        })
        .collect();
    let played: Vec<Result<Vec<Seat>, StudyError>> = blocks
        .par_iter()
        .map(|(_, setup, from)| block(bench, setup, *from..rounds.min(from + BLOCK)))
        .collect();
    let mut all: Vec<Vec<Seat>> = vec![Vec::new(); fresh.len()];
    for ((number, ..), seats) in blocks.iter().zip(played) {
        all[*number].extend(seats?);
    }
    let mut shelf = shelf();
    for ((key, setup), seats) in fresh.into_iter().zip(all) {
        shelf.insert(key, Arc::new(Scores { clusters: setup.clusters, seats }));
    }
    Ok(setups.iter().map(|setup| shelf[&key(setup)].clone()).collect())
}

/// Plays some rounds, in which everybody does what it does.
fn block(
    bench: &Bench,
    setup: &Setup,
    rounds: std::ops::Range<u64>,
) -> Result<Vec<Seat>, StudyError> {
    let mut seats = Vec::with_capacity((rounds.end - rounds.start) as usize * setup.clusters);
    watched(setup, bench.effort.seed, rounds.clone(), (), |game| {
        seats.extend(game.turns().map(|turn| {
            let units = |ticks: i128| ticks as f64 / Span::UNIT.ticks() as f64;
            Seat {
                score: turn.score(),
                jobs: turn.jobs as f64,
                sent: units(turn.sent),
                received: units(turn.received),
                flow: units(turn.flow),
                alone: units(turn.alone),
            }
        }));
    })?;
    bench.add_rounds(rounds.end - rounds.start);
    Ok(seats)
}

/// Plays some rounds with fixed acts and something that watches, and tells when each is over.
///
/// # Errors
/// When a world cannot go on.
pub fn watched<O: PoolObserver>(
    setup: &Setup,
    seed: u64,
    rounds: std::ops::Range<u64>,
    watch: O,
    mut over: impl FnMut(&Game<O>),
) -> Result<O, StudyError> {
    let mut game = setup.game(seed, watch)?;
    let acts: Vec<Act> = (0..setup.clusters)
        .map(|cluster| if cluster == 0 { setup.leader } else { setup.typical }.act())
        .collect();
    let wanted = vec![Wanted::default(); setup.clusters];
    let mut outcome = Outcome::default();
    for round in rounds {
        game.begin(round, &acts, &wanted).map_err(failed)?;
        while game.advance().map_err(failed)? {}
        game.outcome(&mut outcome).map_err(failed)?;
        over(&game);
    }
    Ok(game.into_observer())
}

/// Where every learner stood before each round, and what the round brought it.
#[derive(Clone, Debug)]
pub struct Course {
    clusters: usize,
    stances: Vec<Stance>,
    payoffs: Vec<f64>,
}

state_of_fields!(Course { clusters, stances, payoffs });

impl<G> RoundObserver<G> for Course {
    fn played(&mut self, round: Played<'_, G>) {
        self.stances.extend_from_slice(round.stances);
        self.payoffs.extend_from_slice(&round.outcome.payoffs);
    }
}

impl Course {
    /// Rounds.
    pub fn rounds(&self) -> usize {
        self.payoffs.len() / self.clusters
    }

    /// A cluster's probabilities of taking part, round by round.
    pub fn probabilities(&self, cluster: usize) -> Vec<f64> {
        let own = self.stances.iter().skip(cluster).step_by(self.clusters);
        own.map(|stance| stance.probability.unwrap_or(1.0)).collect()
    }

    /// A cluster's levels, round by round.
    pub fn levels(&self, cluster: usize) -> Vec<f64> {
        let own = self.stances.iter().skip(cluster).step_by(self.clusters);
        own.map(|stance| stance.level.unwrap_or(f64::INFINITY)).collect()
    }

    /// A cluster's scores, round by round.
    pub fn scores(&self, cluster: usize) -> Vec<f64> {
        self.payoffs.iter().skip(cluster).step_by(self.clusters).copied().collect()
    }
}

/// Where the ratio rule ends by its [mean field](crate::sim::mean_field): by class of clusters, in
/// the limit of slow learning or at a learning rate. The first cluster is a class of its own where
/// it differs from the others.
///
/// # Errors
/// When a world cannot go on.
pub fn fixed_points(
    bench: &Bench,
    cases: &[(Setup, f64)],
    rounds: impl Fn(&Setup) -> u64 + Sync,
) -> Result<Vec<FixedPoint>, StudyError> {
    let one = |(setup, rate): &(Setup, f64)| {
        let is_mixed = setup.first != setup.size;
        let classes = (0..setup.clusters).map(|cluster| usize::from(is_mixed && cluster > 0));
        let rounds = rounds(setup);
        let search = Search { rate: *rate, ..Search::new(classes.collect(), rounds) };
        let seed = bench.effort.seed;
        let found = fixed_point(&mut setup.game(seed, ())?, &search, Streams::new(seed));
        let found = found.map_err(failed)?;
        bench.add_rounds(rounds * u64::from(found.measurements));
        Ok(found)
    };
    cases.par_iter().map(one).collect()
}

/// Runs of learners: each setup with its learner for typical clusters and that of the first, by as
/// many seeds as are asked for; by setup, then by seed.
///
/// # Errors
/// When a world cannot go on.
pub fn courses(
    bench: &Bench,
    runs: &[(Setup, LearnerOptions, LearnerOptions)],
    rounds: impl Fn(&Setup) -> u64 + Sync,
    seeds: u64,
) -> Result<Vec<Vec<Course>>, StudyError> {
    let all: Vec<(usize, u64)> =
        (0..runs.len()).flat_map(|run| (0..seeds).map(move |seed| (run, seed))).collect();
    let one = |&(run, number): &(usize, u64)| {
        let (setup, typical, first) = &runs[run];
        let (rounds, seed) = (rounds(setup), bench.effort.seed.wrapping_add(number));
        let game = setup.game(seed, ())?;
        let players = (0..setup.clusters).map(|cluster| {
            let learner = if cluster == 0 { first } else { typical };
            (name(cluster), learner.build())
        });
        let mut repeated = Repeated::new(game, players, Streams::new(seed));
        let mut course =
            Course { clusters: setup.clusters, stances: Vec::new(), payoffs: Vec::new() };
        repeated.play(rounds, &mut course).map_err(failed)?;
        bench.add_rounds(rounds);
        Ok(course)
    };
    let played: Vec<Result<Course, StudyError>> = all.par_iter().map(one).collect();
    let mut played = played.into_iter();
    runs.iter().map(|_| played.by_ref().take(seeds as usize).collect()).collect()
}
