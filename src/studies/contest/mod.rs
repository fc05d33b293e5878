//! Contest of learners on the paper's grids.
//!
//! Every registered learner plays against itself and against the paper's rule, from several initial
//! probabilities.
//!
//! A *field* is a grid with a decision to learn, one of the scenarios in `scenarios/learners/`; an
//! *entry* seats a learner in it. All entries of a field play on the same jobs, seed by seed, so
//! comparisons are paired by seed, with Student's t intervals over seeds. Final results are those
//! of the last quarter of the rounds.

mod entrant;
mod field;
mod play;
mod setting;
pub mod table;

pub use entrant::Unseated;
pub use play::{Found, Progress, contest};
pub use setting::changed;

use policy::learn::LearnerOptions;

/// Clusters of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    /// Nine typical clusters and an overloaded one.
    Heterogeneous,
    /// Ten typical clusters.
    Homogeneous,
}

/// Load balancer of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balancing {
    /// Averaging.
    Averaging,
    /// BILB; members have level 5, an overloaded cluster 1000.
    Bilb,
}

/// Decision that is learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// Joining or staying out.
    Joins,
    /// Participation level, one of [`LEVELS`]; an overloaded cluster stays at 1000.
    Levels,
}

/// Opponents of a learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// Self-play: every learning cluster uses it.
    Itself,
    /// The paper's rule, used by all but the first typical cluster.
    Paper,
}

/// Participation levels to learn among.
pub const LEVELS: [f64; 11] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 20.0, 50.0, 1000.0];

/// Participation level of members under BILB.
pub(crate) const LEVEL: f64 = 5.0;

/// Default probabilities of joining in the first round.
pub const STARTS: [f64; 3] = [0.1, 0.5, 0.9];

/// Rounds, runs and seed of a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Rounds per run.
    pub rounds: u64,
    /// Runs per entry, each on its own jobs.
    pub seeds: u32,
    /// Master seed.
    pub seed: u64,
}

impl Effort {
    /// Default number of rounds.
    pub const ROUNDS: u64 = 2000;
    /// Default number of seeds.
    pub const SEEDS: u32 = 20;
    /// Rounds and seeds that are enough to show the shape.
    pub const QUICK: (u64, u32) = (40, 3);
}

/// Selection of entries; an empty list selects everything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// Grids.
    pub grids: Vec<Grid>,
    /// Balancers.
    pub balancers: Vec<Balancing>,
    /// Decisions to learn.
    pub plays: Vec<Play>,
    /// Names of registered learners.
    pub learners: Vec<String>,
    /// Opponents.
    pub against: Vec<Against>,
    /// Initial probabilities of joining; empty means [`STARTS`].
    pub starts: Vec<f64>,
    /// Payoffs that learners scale to 0 and 1; `None` means the learners' defaults.
    pub payoffs: Option<[f64; 2]>,
    /// Learners whose parameters differ from the defaults.
    pub changed: Vec<LearnerOptions>,
}

impl Grid {
    /// Name of the grid.
    pub fn name(self) -> &'static str {
        match self {
            Grid::Heterogeneous => "heterogeneous",
            Grid::Homogeneous => "homogeneous",
        }
    }
}

impl Balancing {
    /// Name of the balancer.
    pub fn name(self) -> &'static str {
        match self {
            Balancing::Averaging => "averaging",
            Balancing::Bilb => "bilb",
        }
    }
}

impl Play {
    /// Name of the decision.
    pub fn name(self) -> &'static str {
        match self {
            Play::Joins => "joins",
            Play::Levels => "levels",
        }
    }
}

impl Against {
    /// Name of the opponents.
    pub fn name(self) -> &'static str {
        match self {
            Against::Itself => "self",
            Against::Paper => "paper",
        }
    }
}
