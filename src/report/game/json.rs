//! `summary.json` of a game.

use schemars::JsonSchema;
use serde::Serialize;

use super::solved::{Solved, put_small};
use super::{actions, players, profiles};
use crate::table::Table;
use findings::game::played::Played;
use scenario::plan::GamePlan;
use stats::interval::Level;

/// A game's part of `summary.json`.
#[derive(Serialize, JsonSchema)]
pub struct Summary {
    definitions: Definitions,
    /// Rounds of a replication.
    rounds: u64,
    /// First round of the last quarter.
    final_from: u64,
    /// Payoffs that learners scale to 0 and 1, unless they set their own range.
    range: [f64; 2],
    /// Pure equilibria and social optima of a small game, with the columns of `gridpact game solve`.
    solution: Table,
    /// Contents of `players.csv`.
    players: Table,
    /// Contents of `actions.csv`.
    actions: Table,
    /// Contents of `profiles.csv`.
    profiles: Table,
}

/// Definitions of terms, for readers who have only this file.
#[derive(Serialize, JsonSchema)]
struct Definitions {
    measures: &'static str,
    regret: &'static str,
    best_reply_gain: &'static str,
    profiles: &'static str,
    solution: &'static str,
    settled: &'static str,
    intervals: String,
}

/// Definition of the lines of a game's solution.
pub(super) const SOLUTION: &str = "pure_equilibria: the pure profiles that nobody would leave alone; optima: those that pay most to all \
     together; strict: whoever switches alone loses; total, low, high: of the payoffs; of players alike one \
     profile stands for all in which as many do the same; no lines of large games";

fn definitions(level: Level) -> Definitions {
    Definitions {
        measures: "payoff, welfare: of a round; final_...: over the last quarter of the rounds, else \
               over all; welfare: what all players get together",
        regret: "external: what the best single action would have brought more in a round, the others \
             doing what they did; swap: the same where each action may be replaced by another of \
             its own; by the payoffs without noise",
        best_reply_gain: "what a best reply to where the others stand at the end would bring more \
                          than where the player itself stands; distance_to_equilibrium: the \
                          largest gain of anybody",
        profiles: "what each player did in at least 99% of the last quarter; rounds_to_absorb: the \
               median of the rounds after which nobody did anything else; tempted, gain, by: who \
               would gain most by another action alone, how much, and by which",
        solution: SOLUTION,
        settled: "the share of members and replications whose probabilities stay in the end around \
              what they end around, without cycles; rounds_to_settle: the median of the rounds that took; drifting: \
              the share that still moves on at last; cycles: the share that goes in cycles; period: \
              the median of their rounds; null where nothing moves, or of fewer than 200 rounds",
        intervals: format!(
            "of confidence {level}, over replications, or over batches of rounds of a single one; \
             by Student's t, from 4 of them on corrected for skewness (Willink), within what the \
             measure can be; null where there are too few"
        ),
    }
}

/// A game's part of `summary.json`.
pub(super) fn summary(plan: GamePlan<'_>, played: &Played) -> Summary {
    let frame = &played.frame;
    let mut solved = Solved::default();
    put_small(frame, &plan.game.payoffs, &mut solved);
    Summary {
        definitions: definitions(frame.level),
        rounds: frame.rounds,
        final_from: frame.late(),
        range: plan.game.range(),
        solution: solved.table(),
        players: players::table(plan, played),
        actions: actions::table(played),
        profiles: profiles::table(plan, played),
    }
}
