//! `summary.json` of a coalition.

use policy::coalition::BalancerOptions;
use schemars::JsonSchema;
use serde::Serialize;

use super::{learning, organizations, social, verdicts};
use crate::table::Table;
use findings::coalition::learned::Rounds;
use scenario::plan::Coalition;
use stats::interval::Level;

/// A coalition's part of `summary.json`.
#[derive(Serialize, JsonSchema)]
pub struct Summary {
    definitions: Definitions,
    /// Rounds of a replication; of the longest, if chance ends them.
    rounds: u64,
    /// First round of its last quarter.
    final_from: u64,
    /// Length of a round.
    period: f64,
    /// Start and end of the measurement window within a round.
    window: [f64; 2],
    /// Name of the balancer; null in a federation.
    balancer: Option<&'static str>,
    /// Payoff ranges by which learners scale scores, in words.
    readings: Vec<String>,
    /// Contents of `learning.csv`.
    learning: Table,
    /// Contents of `organizations.csv`.
    organizations: Table,
    /// Mean flow time of a job of all organizations in the last quarter: `as_learned`, with
    /// `everyone_alone`, and with `everyone_in`, at the level where it stood.
    social: Table,
    /// Contents of `alternatives.csv`.
    alternatives: Table,
}

/// Definitions of terms, for readers who have only this file.
#[derive(Serialize, JsonSchema)]
struct Definitions {
    units: &'static str,
    score: &'static str,
    measures: &'static str,
    settled: &'static str,
    social: &'static str,
    intervals: String,
}

fn definitions(level: Level) -> Definitions {
    Definitions {
        units: "times and work in the scenario's time unit; sums are exact decimals",
        score: "of a round: flow_alone / flow - 1 where the coalition made the flow time shorter, else \
            1 - flow / flow_alone. Who is out has 0 where rounds are independent; in continuing \
            ones it may still do others' work of the rounds before. The mean is over rounds, then over replications and \
            members; score_of_sums is that of the summed flow times",
        measures: "final_...: over the last quarter of the rounds, else over all; joined: share of the \
               rounds in the coalition; sent, received: work of an \
               organization in a round, until its jobs that count are over; deviation: standard \
               deviation over replications and members",
        settled: "the share of members and replications whose level, or probability where the level \
              does not move, stays in the end around what it ends around, without cycles; \
              rounds_to_settle: the median of the rounds that took; drifting: the share that still \
              moves on at last; cycles: the share that goes in cycles; period: the median of their \
              rounds; null where nothing moves, or of fewer than 200 rounds",
        social: "mean flow time of a job of all organizations in the last quarter: as learned, with \
             everyone alone, and with everyone in, at the level where it stood",
        intervals: format!(
            "of confidence {level}, over replications, or over batches of rounds of a single one; \
             by Student's t, from 4 of them on corrected for skewness (Willink), within what the \
             measure can be; null where there are too few"
        ),
    }
}

/// A coalition's part of `summary.json`.
pub(super) fn summary(coalition: &Coalition, found: &Rounds) -> Summary {
    let learned = &found.learned;
    let frame = &learned.frame;
    Summary {
        definitions: definitions(frame.level),
        rounds: frame.rounds,
        final_from: frame.late(),
        period: coalition.period.as_units(),
        window: [coalition.window.start, coalition.window.end].map(|end| end.as_units()),
        balancer: coalition.balancer.as_ref().map(BalancerOptions::name),
        readings: learning::readings(coalition),
        learning: learning::table(learned),
        organizations: organizations::table(found),
        social: social::table(&learned.social),
        alternatives: verdicts::alternatives(learned),
    }
}
