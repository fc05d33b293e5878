//! The stage game of a coalition: a pool of divisible load, or a federation of clusters.

use crate::error::RunError;
use game::stage::{Act, Actions, Outcome, StageGame, Wanted};
use kernel::rng::Streams;
use kernel::state::{Corrupt, State};
use kernel::time::Time;
use policy::coalition::AnyBalancer;
use policy::learn::{AnyLearner, Player as _};
use scenario::parts::AnySource;
use scenario::plan::{self, Cluster, Coalition, Plan};
use sim::federation::{FederationGame, Grounds};
use sim::observer::Observer;
use sim::pool::turn::Turn;
use sim::pool::{Loads, PoolGame, PoolObserver};
use sim::repeated::Repeated;
use workload::jobs::ListSource;

/// A pool as built from a plan.
pub type Game<O> = PoolGame<AnySource, AnyBalancer, O>;

/// A federation as built from a plan.
pub type Federation<O> = FederationGame<AnySource, O>;

/// Either of them, under an observer of both.
#[derive(Debug)]
pub enum AnyStage<O> {
    /// A pool.
    Pool(Box<Game<O>>),
    /// A federation.
    Federation(Box<Federation<O>>),
}

macro_rules! each {
    ($on:expr, $stage:ident => $do:expr) => {
        match $on {
            AnyStage::Pool($stage) => $do,
            AnyStage::Federation($stage) => $do,
        }
    };
}

impl<O: PoolObserver + Observer> AnyStage<O> {
    /// Sets the actions whose counterfactual payoffs a player may ask for.
    pub fn offer(&mut self, player: usize, menu: Vec<Act>) {
        each!(self, stage => stage.offer(player, menu));
    }

    /// The same without scores where these cost a copy of the world.
    pub fn unscored(self) -> AnyStage<O> {
        match self {
            AnyStage::Federation(stage) => AnyStage::Federation(Box::new(stage.unscored())),
            pool @ AnyStage::Pool(_) => pool,
        }
    }

    /// Results of the finished round, by organization.
    pub fn turns(&self) -> impl Iterator<Item = &Turn> {
        let (pool, federation) = match self {
            AnyStage::Pool(stage) => (Some(stage.turns()), None),
            AnyStage::Federation(stage) => (None, Some(stage.turns())),
        };
        pool.into_iter().flatten().chain(federation.into_iter().flatten())
    }

    /// The simulated time.
    pub fn now(&self) -> Time {
        each!(self, stage => stage.now())
    }

    /// The observer.
    pub fn observer(&self) -> &O {
        each!(self, stage => stage.observer())
    }

    /// The observer, mutably.
    pub fn observer_mut(&mut self) -> &mut O {
        each!(self, stage => stage.observer_mut())
    }

    /// Ends the game and returns the observer.
    pub fn into_observer(self) -> O {
        each!(self, stage => stage.into_observer())
    }

    /// True if it is time to check for stop requests.
    pub fn is_tired(&self) -> bool {
        match self {
            AnyStage::Pool(stage) => stage.is_tired(),
            AnyStage::Federation(_) => false,
        }
    }

    /// Balancings of a pool, or events of a federation.
    pub fn wakes(&self) -> u64 {
        match self {
            AnyStage::Pool(stage) => stage.balancings(),
            AnyStage::Federation(stage) => stage.wakes(),
        }
    }
}

impl<O: PoolObserver + Observer> StageGame for AnyStage<O> {
    type Error = RunError;

    fn players(&self) -> usize {
        each!(self, stage => stage.players())
    }

    fn actions(&self, player: usize, round: u64) -> Actions {
        each!(self, stage => stage.actions(player, round))
    }

    fn begin(&mut self, round: u64, acts: &[Act], wanted: &[Wanted]) -> Result<(), RunError> {
        each!(self, stage => Ok(stage.begin(round, acts, wanted)?))
    }

    fn advance(&mut self) -> Result<bool, RunError> {
        each!(self, stage => Ok(stage.advance()?))
    }

    fn outcome(&mut self, out: &mut Outcome) -> Result<(), RunError> {
        each!(self, stage => Ok(stage.outcome(out)?))
    }
}

impl<O: PoolObserver + Observer> State for AnyStage<O> {
    fn save(&self, out: &mut Vec<u8>) {
        each!(self, stage => stage.save(out));
    }

    fn load(&mut self, from: &mut &[u8]) -> Result<(), Corrupt> {
        each!(self, stage => stage.load(from))
    }
}

/// Builds the pool of one replication.
///
/// # Errors
/// Fails if a source cannot be opened.
fn pool<O: PoolObserver>(
    plan: &Plan,
    coalition: &Coalition,
    number: u32,
    observer: O,
) -> Result<Game<O>, RunError> {
    let mut sources: Vec<Option<AnySource>> = plan.sources(number)?.into_iter().map(Some).collect();
    let unit = coalition.balancing().unit;
    let loads = coalition.seats.iter().map(|seat| {
        let source = seat.workload.and_then(|workload| sources[workload].take());
        let source = source.unwrap_or_else(|| AnySource::List(ListSource::new(Vec::new())));
        Loads::new(source, seat.as_load(unit))
    });
    let mut game = PoolGame::new(
        loads.collect(),
        coalition.seats.iter().map(plan::Seat::presence).collect(),
        coalition.balancer().build(),
        coalition.balancing(),
        coalition.season(),
        Streams::new(plan.seed).in_replication(u64::from(number)),
        observer,
    )?;
    for (player, seat) in coalition.seats.iter().enumerate() {
        game.deceive(player, seat.ways());
    }
    game.group(coalition.groups.clone());
    if let Some(exclusion) = coalition.exclusion {
        game.exclude(exclusion);
    }
    Ok(game)
}

/// Builds the federation of one replication.
///
/// # Errors
/// Fails if a source cannot be opened.
fn federation<O: Observer>(
    plan: &Plan,
    coalition: &Coalition,
    number: u32,
    observer: O,
) -> Result<Federation<O>, RunError> {
    let grounds = Grounds {
        clusters: plan.owned(),
        uses: plan.organizations.iter().map(|one| one.uses.clone()).collect(),
        lists: plan.lists.clone(),
        shares: coalition.shares.clone(),
        stakes: plan.stakes(coalition),
        pieces: coalition.pieces(&plan.workloads),
    };
    let site = |cluster: &Cluster, streams: &Streams| plan.site(cluster, streams);
    let mut game = FederationGame::new(
        |watched| plan.build_with(number, watched, site),
        grounds,
        coalition.seats.iter().map(plan::Seat::presence).collect(),
        coalition.season(),
        plan.streams(number),
        observer,
    )?;
    for (player, seat) in coalition.seats.iter().enumerate() {
        game.deceive(player, &seat.ways());
    }
    Ok(game)
}

/// Builds the stage game of one replication.
///
/// # Errors
/// Fails if a source cannot be opened.
pub(super) fn stage<O: PoolObserver + Observer>(
    plan: &Plan,
    coalition: &Coalition,
    number: u32,
    observer: O,
) -> Result<AnyStage<O>, RunError> {
    Ok(match coalition.is_federation() {
        true => AnyStage::Federation(Box::new(federation(plan, coalition, number, observer)?)),
        false => AnyStage::Pool(Box::new(pool(plan, coalition, number, observer)?)),
    })
}

/// Builds the repeated game of one replication: its stage game and its players.
///
/// # Errors
/// Fails if a source cannot be opened.
pub fn table<O: PoolObserver + Observer>(
    plan: &Plan,
    coalition: &Coalition,
    number: u32,
    players: Vec<(String, AnyLearner)>,
    observer: O,
) -> Result<Repeated<AnyStage<O>, AnyLearner>, RunError> {
    let mut game = stage(plan, coalition, number, observer)?;
    for (player, (_, learner)) in players.iter().enumerate() {
        if let Some(choices) = learner.choices() {
            game.offer(player, choices.menu());
        }
    }
    let streams = Streams::new(plan.seed).in_replication(u64::from(number));
    Ok(Repeated::new(game, players, streams))
}

/// The same with the players of the plan, before the first round.
///
/// # Errors
/// Fails if a source cannot be opened.
pub fn seated<O: PoolObserver + Observer>(
    plan: &Plan,
    coalition: &Coalition,
    number: u32,
    observer: O,
) -> Result<Repeated<AnyStage<O>, AnyLearner>, RunError> {
    let players = plan.organizations.iter().zip(&coalition.seats);
    let players = players.map(|(one, seat)| (one.name.clone(), seat.player())).collect();
    table(plan, coalition, number, players, observer)
}
