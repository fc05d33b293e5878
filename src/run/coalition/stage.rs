//! The stage game of a coalition: a pool of divisible load, or a federation of clusters.

use super::{Federation, Game};
use crate::error::RunError;
use game::stage::{Act, Actions, Outcome, StageGame, Wanted};
use kernel::state::{Corrupt, State};
use kernel::time::Time;
use sim::observer::Observer;
use sim::pool::PoolObserver;
use sim::pool::turn::Turn;

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
