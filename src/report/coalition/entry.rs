//! The coalition's entry in the manifest.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use findings::coalition::frame::Frame;
use game::stage::{Act, Terms};
use kernel::time::Span;
use policy::coalition::BalancerOptions;
use policy::learn::choose::Choices;
use policy::learn::{LearnerOptions, Player as _};
use records::coalition::acts::told;
use scenario::plan::{Cluster, Coalition, Exclusion, Lie, Plan, Rounds};
use sim::federation::stakes::{Costs, Plays, Score};
use sim::pool::{Balances, Sends};

/// The choices of an organization that declares its level itself.
const OUT_OR_IN: [Act; 2] = [Act::Out, Act::In(Terms::ANY)];

/// A coalition in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CoalitionEntry {
    /// Rounds in a replication; in the longest, if chance ends them.
    pub rounds: u64,
    /// Rounds in each replication, if chance ends them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lengths: Vec<u64>,
    /// True if a round starts from the backlog that the previous one left.
    pub continuing: bool,
    /// Length of a round, in ticks.
    pub period: Span,
    /// Start and end of the measurement window within a round, in ticks.
    pub window: [Span; 2],
    /// Balancer that moves load, with its parameters; a federation has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balancer: Option<BalancerOptions>,
    /// Rule for which of its own work a cluster sends first.
    #[serde(default)]
    pub sends: Sends,
    /// Order of a balancing and the submissions of the same instant.
    #[serde(default, skip_serializing_if = "Balances::is_default")]
    pub balances: Balances,
    /// Exclusion of members that are caught cheating; times in ticks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exclusion: Option<Exclusion>,
    /// Groups that balance apart, by the numbers of their organizations; all together if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Vec<u32>>,
    /// Choice of an owner of a federation.
    #[serde(default, skip_serializing_if = "Plays::is_share")]
    pub plays: Plays,
    /// Measure by which a federation's rounds were judged.
    #[serde(default, skip_serializing_if = "Score::is_flow")]
    pub score: Score,
    /// Least runtime of bounded slowdowns, if rounds were judged by these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tau: Option<Span>,
    /// Costs of taking part in a federation.
    #[serde(default, skip_serializing_if = "Costs::is_nothing")]
    pub cost: Costs,
    /// By cluster: the most processors that others' jobs may have; empty if none has a limit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<u32>,
    /// The organizations, in their order.
    pub seats: Vec<SeatEntry>,
}

/// An organization of a coalition in the manifest.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SeatEntry {
    /// Name of the organization.
    pub organization: String,
    /// Learner that decides for it, with its parameters.
    pub learner: LearnerOptions,
    /// First round in which it is present.
    pub first_round: u64,
    /// Last round in which it is present, if it leaves.
    pub last_round: Option<u64>,
    /// The way in which it cheats, if it does; times in ticks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lies: Option<Lie>,
    /// The lies that it chooses among, numbered from 1 in its choices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub menu: Vec<Lie>,
    /// Its choices in words, in the order of `probabilities` in `rounds.csv`; whoever has no menu
    /// chooses to be out or in.
    #[serde(default)]
    pub choices: Vec<String>,
    /// Its alternatives in words, in the order of `counterfactuals`; empty if nobody asked.
    #[serde(default)]
    pub alternatives: Vec<String>,
}

impl CoalitionEntry {
    /// The entry of a plan that is played in this frame.
    pub fn new(plan: &Plan, coalition: &Coalition, frame: &Frame) -> CoalitionEntry {
        let seats = plan.organizations.iter().zip(&coalition.seats).zip(&frame.asking.menus);
        let words = |menu: &[Act]| menu.iter().copied().map(told).collect();
        let share = |(share, cluster): (&Option<u32>, &Cluster)| {
            share.unwrap_or_else(|| cluster.processors())
        };
        CoalitionEntry {
            rounds: frame.rounds,
            lengths: match plan.goes_on {
                Some(_) => (0..plan.replications).map(|number| plan.rounds_of(number)).collect(),
                None => Vec::new(),
            },
            continuing: coalition.rounds == Rounds::Continuing,
            period: coalition.period,
            window: [coalition.window.start, coalition.window.end],
            balancer: coalition.balancer.clone(),
            sends: coalition.sends,
            balances: coalition.balances,
            exclusion: coalition.exclusion,
            groups: coalition.groups.clone(),
            plays: coalition.plays,
            score: coalition.score,
            tau: (coalition.score == Score::BoundedSlowdown).then_some(plan.counting.tau),
            cost: coalition.costs,
            shares: match coalition.shares.iter().all(Option::is_none) {
                true => Vec::new(),
                false => coalition.shares.iter().zip(&plan.clusters).map(share).collect(),
            },
            seats: seats
                .map(|((organization, seat), asked)| {
                    let menu = seat.player().choices().map(Choices::menu);
                    SeatEntry {
                        organization: organization.name.clone(),
                        learner: seat.learner.clone(),
                        lies: seat.lies,
                        menu: seat.menu.clone(),
                        first_round: seat.first,
                        last_round: seat.last,
                        choices: menu.as_deref().map_or_else(|| words(&OUT_OR_IN), words),
                        alternatives: words(menu.as_deref().unwrap_or(asked)),
                    }
                })
                .collect(),
        }
    }
}
