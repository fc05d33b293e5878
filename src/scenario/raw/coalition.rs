//! The table `[coalition]` as written.

use super::ABOVE_0;
use model::bounds::{Bounds, SHARE};
use policy::coalition::BalancerOptions;
use sim::federation::Begins;
use sim::federation::stakes::{Costs, Plays, Score};
use sim::pool::{Balances, Rounds, Sends};

tables! {
    /// `[coalition]`: organizations may balance their load, and each decides before every round
    /// whether to take part.
    pub struct Coalition {
        /// Length of a round, from one decision to the next.
        period: f64 as ABOVE_0,
        /// Part of each round that is scored, as two fractions of its period: jobs submitted at or
        /// after the first and before the second count. By default
        /// 0.2 and 0.8, and in a federation that goes on from round to round 0 and 1.
        window: Option<[f64; 2]> where { "items": { "minimum": 0, "maximum": 1 } },
        /// State of the clusters at the start of a round; `continuing` in a federation.
        rounds: Option<Rounds>,
        /// Algorithm that moves load between the members. Where clusters are space-shared, the coalition
        /// is a federation: it has none, and the grid scheduler or planner places members' jobs.
        balancer: Option<BalancerOptions>,
        /// Order in which a cluster sends out its own work.
        #[serde(default)]
        sends: Sends,
        /// The beginnings of the pieces of traces and lists, in a federation whose rounds are
        /// independent: of all whole periods of them each round plays one, drawn for all alike.
        #[serde(default, skip_serializing_if = "super::is_default")]
        pieces: Begins,
        /// Order of a balancing and the submissions of the same instant.
        #[serde(default, skip_serializing_if = "super::is_default")]
        balances: Balances,
        /// Excludes members that are caught cheating: a broken promise is seen at once, and a lie by a probe.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exclusion: Option<Exclusion>,
        /// Groups of organizations that balance among themselves, each at times of its own, in place of all
        /// together. They may overlap; in an instant the first balances first. An entry's name stands for
        /// all of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        groups: Option<Vec<Vec<String>>> where { "minItems": 1 },
        /// Choice of an owner of a federation.
        #[serde(default, skip_serializing_if = "Plays::is_share")]
        plays: Plays,
        /// Measure of its jobs by which an owner of a federation judges a round.
        #[serde(default, skip_serializing_if = "Score::is_flow")]
        score: Score,
        /// Costs of taking part in a federation.
        #[serde(default, skip_serializing_if = "Costs::is_nothing")]
        cost: Costs,
    }
}

tables! {
    /// `coalition.exclusion`: members that are caught cheating are out of the next rounds.
    pub struct Exclusion {
        /// Number of rounds from which a member that was caught is excluded; for good by default. With 0
        /// it is only recorded who is caught.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rounds: Option<u64>,
        /// Each exclusion of a member lasts twice as long as the one before.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        doubles: bool,
        /// Members vote: one against which more than this share of the others are is excluded too. A member
        /// is against those for which it did more work in the round than they did for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        votes: Option<f64> as SHARE,
        /// Number of its first rounds from which every organization is excluded, and one that comes back
        /// under a new name.
        #[serde(default)]
        probation: u64,
        /// Probe jobs that observe queues; by default only broken promises are seen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        probes: Option<Probes>,
    }

    /// `coalition.exclusion.probes`: hidden jobs without work that observe a member's queue at a balancing.
    pub struct Probes {
        /// Probability that a member is probed in a round.
        rate: f64 as PROBABILITY,
        /// Largest difference of the declared and the observed queue for which it is not caught, in units
        /// of time.
        #[serde(default)]
        tolerance: f64 as WORK,
        /// Standard deviation of the normal error of an observed queue, in units of time.
        #[serde(default)]
        noise: f64 as WORK,
    }
}

const PROBABILITY: Bounds<'_> = Bounds::of("a probability").from(0.0).to(1.0);
const WORK: Bounds<'_> = Bounds::of("an amount of work").unit("units of time").from(0.0).to(1e9);

impl Coalition {
    /// Returns it with the defaults of its kind: a federation goes on from round to round, and then all
    /// of a round is scored.
    pub fn with_defaults(&self) -> Coalition {
        let rounds = self.rounds.unwrap_or(match self.balancer {
            Some(_) => Rounds::Independent,
            None => Rounds::Continuing,
        });
        let window = match self.balancer {
            None if rounds == Rounds::Continuing => [0.0, 1.0],
            _ => [0.2, 0.8],
        };
        Coalition { rounds: Some(rounds), window: self.window.or(Some(window)), ..self.clone() }
    }

    /// Returns the state of the clusters at the start of a round.
    pub fn rounds(&self) -> Rounds {
        self.with_defaults().rounds.unwrap_or_default()
    }
}
