//! Simulates the paper's grids on the pool, with fixed actions or with learners.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::setup::failed;
pub use super::setup::{By, Does, OVERLOADED, RATE, Setup};
use crate::played::Record;
use crate::sample::Sample;
use crate::{Bench, StudyError};
use game::stage::{Act, Outcome, StageGame, Wanted};
use kernel::parallel;
use kernel::rng::Streams;
use kernel::state_of_fields;
use kernel::time::Span;
use policy::learn::{LearnerOptions, Stance, ratio};
use run::coalition;
pub(crate) use run::coalition::Game;
use scenario::plan::{Coalition, Plan};
use sim::mean_field::{FixedPoint, Search, fixed_point};
use sim::pool::PoolObserver;
use sim::repeated::{Played, RoundObserver};

/// Rounds that a thread simulates at a time.
const BLOCK: u64 = 25;

/// Outcome of a round for a cluster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seat {
    /// Score.
    pub score: f64,
    /// Number of its jobs that count.
    pub jobs: f64,
    /// Work sent, in units.
    pub sent: f64,
    /// Work received, in units.
    pub received: f64,
    /// Total flow time of its jobs that count.
    pub flow: f64,
    /// Counterfactual total flow time had it been alone.
    pub alone: f64,
}

/// Outcomes of all clusters in all rounds of a grid.
#[derive(Clone, Debug)]
pub struct Scores {
    clusters: usize,
    seats: Vec<Seat>,
}

impl Scores {
    /// Scores of some of the clusters.
    pub fn of(&self, clusters: std::ops::Range<usize>) -> Sample {
        self.figures(|seat| seat.score).of(clusters)
    }

    /// Scores of all clusters.
    pub fn all(&self) -> Sample {
        self.of(0..self.clusters)
    }

    /// Scores of all clusters but the first.
    pub fn typical(&self) -> Sample {
        self.of(1..self.clusters)
    }

    /// Scores of the first cluster.
    pub fn first(&self) -> Sample {
        self.of(0..1)
    }

    /// Outcomes of the first `rounds` rounds.
    pub fn until(&self, rounds: usize) -> Scores {
        let seats = self.seats.iter().take(rounds * self.clusters).copied().collect();
        Scores { clusters: self.clusters, seats }
    }

    /// Another figure of all clusters.
    pub fn figures(&self, of: impl Fn(&Seat) -> f64) -> Sample {
        Sample::new(self.clusters, self.seats.iter().map(of).collect())
    }
}

/// Cache of results, by setup.
#[derive(Debug, Default)]
pub struct Shelf(Mutex<BTreeMap<String, Arc<Scores>>>);

/// Simulates each setup for the rounds of the bench, or takes it from the cache.
///
/// # Errors If a simulation cannot go on.
pub fn scores(bench: &Bench, setups: &[Setup]) -> Result<Vec<Arc<Scores>>, StudyError> {
    let rounds = bench.effort.samples;
    setups.iter().for_each(|setup| bench.log(setup.played(bench, rounds.into())));
    scores_in(bench, setups, rounds)
}

/// Simulates each setup for another number of rounds, without a record.
///
/// # Errors If a simulation cannot go on.
pub(crate) fn scores_in(
    bench: &Bench,
    setups: &[Setup],
    rounds: u32,
) -> Result<Vec<Arc<Scores>>, StudyError> {
    let key = |setup: &Setup| format!("{rounds} {setup:?}");
    let shelf = bench.shelf::<Shelf>();
    let shelf = || shelf.0.lock().expect("nobody panics with it");
    let mut fresh: BTreeMap<String, &Setup> =
        setups.iter().map(|setup| (key(setup), setup)).collect();
    fresh.retain(|key, _| !shelf().contains_key(key));
    let rounds = u64::from(rounds);
    let staged = fresh.values().map(|setup| Staged::new(setup, bench.effort.seed, rounds));
    let staged = staged.collect::<Result<Vec<Staged>, _>>()?;
    let each = rounds.div_ceil(BLOCK);
    let played = parallel::map(staged.len() * each as usize, |at| {
        let (number, from) = (at as u64 / each, at as u64 % each * BLOCK);
        block(bench, &staged[number as usize], from..rounds.min(from + BLOCK))
    });
    let mut all: Vec<Vec<Seat>> = vec![Vec::new(); fresh.len()];
    for (at, seats) in (0..).zip(played) {
        all[(at / each) as usize].extend(seats?);
    }
    let mut shelf = shelf();
    for ((key, setup), seats) in fresh.into_iter().zip(all) {
        shelf.insert(key, Arc::new(Scores { clusters: setup.clusters, seats }));
    }
    Ok(setups.iter().map(|setup| shelf[&key(setup)].clone()).collect())
}

/// A setup with fixed actions that can be played.
#[derive(Debug)]
pub struct Staged {
    plan: Plan,
    acts: Vec<Act>,
}

impl Staged {
    /// A setup for this many rounds.
    ///
    /// # Errors If its scenario cannot be played.
    pub fn new(setup: &Setup, seed: u64, rounds: u64) -> Result<Staged, StudyError> {
        let does = |cluster| if cluster == 0 { setup.leader } else { setup.typical };
        let acts = (0..setup.clusters).map(|cluster| does(cluster).act()).collect();
        Ok(Staged { plan: setup.fixed(seed, rounds)?, acts })
    }
}

/// The rules of a setup's plan.
fn rules(plan: &Plan) -> &Coalition {
    plan.coalition().expect("setups are coalitions")
}

/// The pool of a setup's plan, before its first round.
///
/// # Errors If it cannot be built.
pub fn game<O: PoolObserver>(plan: &Plan, watch: O) -> Result<Game<O>, StudyError> {
    coalition::pool(plan, rules(plan), 0, watch).map_err(failed)
}

/// Simulates some rounds with the fixed actions of the setup.
fn block(
    bench: &Bench,
    staged: &Staged,
    rounds: std::ops::Range<u64>,
) -> Result<Vec<Seat>, StudyError> {
    let mut seats = Vec::with_capacity((rounds.end - rounds.start) as usize * staged.acts.len());
    watched(staged, rounds.clone(), (), |game| {
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
    bench.add_samples(rounds.end - rounds.start);
    Ok(seats)
}

/// Simulates some rounds with fixed actions and an observer; calls `over` after each round.
///
/// # Errors If a simulation cannot go on.
pub fn watched<O: PoolObserver>(
    Staged { plan, acts }: &Staged,
    rounds: std::ops::Range<u64>,
    watch: O,
    mut over: impl FnMut(&Game<O>),
) -> Result<O, StudyError> {
    let mut game = game(plan, watch)?;
    let wanted = vec![Wanted::default(); acts.len()];
    let mut outcome = Outcome::default();
    for round in rounds {
        game.begin(round, acts, &wanted).map_err(failed)?;
        while game.advance().map_err(failed)? {}
        game.outcome(&mut outcome).map_err(failed)?;
        over(&game);
    }
    Ok(game.into_observer())
}

/// Plays single rounds with an observer each, in parallel, and records the setup.
///
/// # Errors If a simulation cannot go on.
pub(crate) fn each_round<O: PoolObserver + Send>(
    bench: &Bench,
    setup: &Setup,
    rounds: u64,
    watch: impl Fn() -> O + Sync,
) -> Result<Vec<O>, StudyError> {
    bench.log(setup.played(bench, rounds));
    let staged = Staged::new(setup, bench.effort.seed, rounds)?;
    bench.each(rounds, |round| watched(&staged, round..round + 1, watch(), |_| ()))
}

/// Stances of all learners before each round, and their payoffs.
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
    /// Number of rounds.
    pub fn rounds(&self) -> usize {
        self.payoffs.len() / self.clusters
    }

    /// Probabilities of joining of a cluster, round by round.
    pub fn probabilities(&self, cluster: usize) -> Vec<f64> {
        let own = self.stances.iter().skip(cluster).step_by(self.clusters);
        own.map(|stance| stance.probability.unwrap_or(1.0)).collect()
    }

    /// Levels of a cluster, round by round.
    pub fn levels(&self, cluster: usize) -> Vec<f64> {
        let own = self.stances.iter().skip(cluster).step_by(self.clusters);
        own.map(|stance| stance.level.unwrap_or(f64::INFINITY)).collect()
    }

    /// Scores of a cluster, round by round.
    pub fn scores(&self, cluster: usize) -> Vec<f64> {
        self.payoffs.iter().skip(cluster).step_by(self.clusters).copied().collect()
    }
}

/// Learning rate in the record of a fixed point for slow learning, whose limit has none.
const SLOW: f64 = 0.001;

/// Fixed points of the ratio rule by its [mean field](sim::mean_field).
///
/// They are computed by class of clusters, in the limit of slow learning or at a learning rate. The
/// first cluster is a class of its own if it differs from the others.
///
/// # Errors If a simulation cannot go on.
pub(crate) fn fixed_points(
    bench: &Bench,
    cases: &[(Setup, f64)],
    rounds: impl Fn(&Setup) -> u64 + Sync,
) -> Result<Vec<FixedPoint>, StudyError> {
    for (setup, rate) in cases {
        let (rounds, seed) = (rounds(setup), bench.effort.seed);
        let ratio =
            ratio::Options { rate: if *rate > 0.0 { *rate } else { SLOW }, ..Default::default() };
        let learners = [0, 1].map(|_| LearnerOptions::Ratio(ratio.clone()));
        let reading = match *rate > 0.0 {
            true => "fixed point of its mean field",
            false => "fixed point of its mean field, in the limit of slow learning",
        };
        let scenario = setup.scenario(seed, rounds, &learners);
        bench.log(Record::new(scenario, reading.to_owned(), (seed, 1), rounds));
    }
    let one = |(setup, rate): &(Setup, f64)| {
        let is_mixed = setup.first != setup.size;
        let classes = (0..setup.clusters).map(|cluster| usize::from(is_mixed && cluster > 0));
        let rounds = rounds(setup);
        let search = Search { rate: *rate, ..Search::new(classes.collect(), rounds) };
        let seed = bench.effort.seed;
        let plan = setup.fixed(seed, rounds)?;
        let found = fixed_point(&mut game(&plan, ())?, &search, Streams::new(seed));
        let found = found.map_err(failed)?;
        bench.add_samples(rounds * u64::from(found.measurements));
        Ok(found)
    };
    parallel::map(cases.len(), |at| one(&cases[at])).into_iter().collect()
}

/// Runs of learners, by setup, then by seed.
///
/// Each setup comes with the learner of typical clusters and that of the first cluster.
///
/// # Errors If a simulation cannot go on.
pub fn courses(
    bench: &Bench,
    runs: &[(Setup, LearnerOptions, LearnerOptions)],
    rounds: impl Fn(&Setup) -> u64 + Sync,
    seeds: u64,
) -> Result<Vec<Vec<Course>>, StudyError> {
    let seed = bench.effort.seed;
    let learners =
        |typical: &LearnerOptions, first: &LearnerOptions| [typical.clone(), first.clone()];
    for (setup, typical, first) in runs {
        let rounds = rounds(setup);
        let scenario = setup.scenario(seed, rounds, &learners(typical, first));
        bench.log(Record::new(scenario, String::new(), (seed, seeds), rounds));
    }
    let all: Vec<(usize, u64)> =
        (0..runs.len()).flat_map(|run| (0..seeds).map(move |seed| (run, seed))).collect();
    let one = |&(run, number): &(usize, u64)| {
        let (setup, typical, first) = &runs[run];
        let (rounds, seed) = (rounds(setup), seed.wrapping_add(number));
        let plan = setup.plan(seed, rounds, &learners(typical, first))?;
        let mut repeated = coalition::seated(&plan, rules(&plan), 0, ()).map_err(failed)?;
        let mut course =
            Course { clusters: setup.clusters, stances: Vec::new(), payoffs: Vec::new() };
        repeated.play(rounds, &mut course).map_err(failed)?;
        bench.add_samples(rounds);
        Ok(course)
    };
    let played = parallel::map(all.len(), |at| one(&all[at]));
    let mut played = played.into_iter();
    runs.iter().map(|_| played.by_ref().take(seeds as usize).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effort;
    use policy::learn::level;
    use run::coalition;
    use scenario::files::Files;
    use scenario::{self, Input, Overrides};
    use sim::pool::{Balances, Rounds, Sends};

    /// Payoffs of a record's scenario, round by round, as `gridpact run` plays it.
    fn payoffs(scenario: &str, rounds: u64) -> Vec<f64> {
        let input = Input::Bytes { name: "played", bytes: scenario.as_bytes().to_vec() };
        let read = scenario::load(input, &Overrides::default(), &mut Files::new());
        let (plan, _) = read.unwrap_or_else(|wrong| panic!("{wrong:?}\n{scenario}"));
        let rules = plan.coalition().expect("it is a coalition");
        let mut table = coalition::seated(&plan, rules, 0, ()).expect("it can be played");
        let mut course = Course { clusters: 1, stances: Vec::new(), payoffs: Vec::new() };
        table.play(rounds, &mut course).expect("it can be played");
        course.payoffs
    }

    /// A record reproduces what was played, to the last bit.
    #[test]
    fn a_record_plays_the_same_rounds() {
        let bench = Bench::new(Effort { samples: 6, quick: true, seed: 3, seeds: 1 });
        let mixed = || Setup::mixed(4, 2.0);
        let setups = [
            mixed(),
            mixed().levels(5).leader(1000),
            Setup { sends: Sends::Head, fractions: true, floored: false, ..mixed() },
            Setup { rounded_up: false, fractions: true, least: 1.0, grid: false, ..mixed() },
            Setup { by: By::PrintedSender, ..mixed().levels(3) },
            Setup { typical: Does::Above(20.0), leader: Does::StaysOut, ..mixed() },
            Setup { whole: false, period: 300, ..Setup::equal(2, 4.0) },
            Setup { by: By::Nothing, ..mixed() },
            Setup { balances: Balances::BeforeSubmission, ..mixed() },
        ];
        let found = scores(&bench, &setups).expect("it can be played");
        let played = bench.take_log().played;
        for ((setup, found), played) in setups.iter().zip(&found).zip(&played) {
            let own: Vec<f64> = found.seats.iter().map(|seat| seat.score).collect();
            assert_eq!(payoffs(&played.scenario, 6), own, "{setup:?}");
        }
        assert_ne!(found[0].seats, found[8].seats, "the order of an instant matters");
        let level = LearnerOptions::Level(level::Options::default());
        let ratio = LearnerOptions::Ratio(ratio::Options::default());
        let continuing = Setup { rounds: Rounds::Continuing, ..Setup::equal(3, 1.5) };
        let runs = [(mixed().levels(10), level.clone(), level), (continuing, ratio.clone(), ratio)];
        let found = courses(&bench, &runs, |_| 6, 1).expect("it can be played");
        for (found, played) in found.iter().zip(bench.take_log().played) {
            assert_eq!(payoffs(&played.scenario, 6), found[0].payoffs, "{}", played.scenario);
        }
    }
}
