//! The contest of learners: every registered one on the same grids, against itself and against the
//! paper's rule, from several probabilities to begin with.
//!
//! A *field* is a grid and what is learned on it, one of the scenarios in `scenarios/learners/`; an
//! *entry* seats a learner in it. All entries of a field play on the same jobs, seed by seed, so
//! that differences between them are taken seed by seed, and their intervals are those of Student's
//! t over seeds. What is told of the end is told of the last quarter of the rounds.

mod entrant;
mod field;
mod play;
mod setting;
pub mod table;

pub use entrant::Unseated;
pub use play::{Found, Progress, contest};
pub use setting::changed;

use crate::policy::learn::LearnerOptions;

/// Which clusters there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// Nine typical ones and an overloaded one.
    Heterogeneous,
    /// Ten typical ones.
    Homogeneous,
}

/// How load is balanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balancing {
    /// Averaging.
    Averaging,
    /// BILB; who joins does so at level 5, an overloaded cluster at 1000.
    Bilb,
}

/// What is learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// Whether to take part.
    Joins,
    /// How far, of [`LEVELS`]; an overloaded cluster stays at 1000.
    Levels,
}

/// Whom a learner meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// Its like: every cluster that learns follows it.
    Itself,
    /// The paper's rule, which all but the first typical cluster follow.
    Paper,
}

/// The participation levels that are learned among.
pub const LEVELS: [f64; 11] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 20.0, 50.0, 1000.0];

/// The level at which who joins under BILB does so.
pub const LEVEL: f64 = 5.0;

/// The probabilities to take part in the first round.
pub const STARTS: [f64; 3] = [0.1, 0.5, 0.9];

/// How much is played, by which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Rounds of a run.
    pub rounds: u64,
    /// Runs of each entry, each on jobs of its own.
    pub seeds: u32,
    /// The master seed.
    pub seed: u64,
}

impl Effort {
    /// Rounds where nothing else is said.
    pub const ROUNDS: u64 = 2000;
    /// Seeds where nothing else is said.
    pub const SEEDS: u32 = 20;
    /// Rounds and seeds that show the shape.
    pub const QUICK: (u64, u32) = (40, 3);
}

/// What is wanted: all of what an empty list stands for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// Of the grids.
    pub grids: Vec<Grid>,
    /// Of the balancers.
    pub balancers: Vec<Balancing>,
    /// Of what is learned.
    pub plays: Vec<Play>,
    /// Of the registered learners, by name.
    pub learners: Vec<String>,
    /// Of the opponents.
    pub against: Vec<Against>,
    /// Probabilities to take part in the first round; none: [`STARTS`].
    pub starts: Vec<f64>,
    /// The payoffs that learners read as 0 and as 1; none: the learners' defaults.
    pub payoffs: Option<[f64; 2]>,
    /// Learners with other parameters than their defaults.
    pub changed: Vec<LearnerOptions>,
}

impl Grid {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Grid::Heterogeneous => "heterogeneous",
            Grid::Homogeneous => "homogeneous",
        }
    }
}

impl Balancing {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Balancing::Averaging => "averaging",
            Balancing::Bilb => "bilb",
        }
    }
}

impl Play {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Play::Joins => "joins",
            Play::Levels => "levels",
        }
    }
}

impl Against {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Against::Itself => "self",
            Against::Paper => "paper",
        }
    }
}
